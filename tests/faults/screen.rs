//! The screen, run without a terminal against a demo server in this process, at the smallest usual size.

use std::time::Duration;

use flarescope::api::Settings;
use flarescope::app::{Format, Key, Origin, Overlay, Session, State, ThemeChoice};
use flarescope::demo::{ACCOUNT_NAME, DemoServer};
use flarescope::model::cloudflare::Account;
use flarescope::model::text::secret::Secret;
use flarescope::runtime::{Access, Painter, Services, Source, headless};
use flarescope::store::Store;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Themes};

use crate::wording::{Wording, wording};
use crate::{READS, demo};

/// What is on the screen after these keys, as one line; and the same in rows.
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) rows: String,
    /// What the failure in front leads to.
    offer: Option<String>,
}

impl Seen {
    pub(crate) fn has(&self, words: &str, why: &str) {
        assert!(
            self.line.contains(words),
            "{why}: no `{words}` on\n{}",
            self.rows
        );
    }

    /// A failure is in front, and the key to go on with is on the screen.
    fn has_offer(&self, why: &str) {
        assert!(self.offer.is_some(), "{why}: no offer on\n{}", self.rows);
        let offer = self.offer.as_ref().unwrap();
        self.has(&format!("enter {offer}"), why);
    }
}

/// The screen after the keys; `chosen`: an account is in force.
pub(crate) fn seen(demo: &DemoServer, chosen: bool, keys: &str) -> Seen {
    seen_at(demo, chosen, keys, (80, 24))
}

fn seen_at(demo: &DemoServer, chosen: bool, keys: &str, size: (u16, u16)) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        read_timeout: Duration::from_millis(400),
        capture_slack: Duration::from_millis(100),
        backoff: Duration::from_millis(1),
        patience: Duration::ZERO,
        ..Settings::new(&demo.base_url, Secret::new(&demo.token).unwrap())
    };
    let account = Account {
        id: demo.account_id.clone(),
        name: ACCOUNT_NAME.to_owned(),
    };
    let mut session = Session {
        origin: Origin::Demo,
        ..Session::default()
    };
    if chosen {
        (session.account_id, session.account_name) = (account.id.clone(), account.name.clone());
    }
    let theme = ThemeChoice {
        name: Themes::first().to_owned(),
        known: Vec::new(),
        ..ThemeChoice::default()
    };
    let mut state = State::new(session, size, theme);
    let first = state.first_effects();
    let source = Source::Cloudflare(Access {
        settings,
        origin: Origin::Demo,
    });
    let services = Services::new(
        Some(source),
        chosen.then_some(account),
        Store::open(folder.path()),
        None,
    );
    let themes = Themes::new(Vec::new());
    let painter = Painter {
        themes: &themes,
        depth: Depth::Indexed256,
        glyphs: Glyphs::Unicode,
    };
    let drawn = headless(state, services, first, &Key::script(keys).unwrap()).unwrap();
    let offer = match drawn.state.overlays.top() {
        Some(Overlay::Failure(failure)) => {
            let keys = &drawn.state.settings.keys;
            failure
                .step
                .as_ref()
                .map(|step| keys.expand_keys(step.offer()))
        }
        _ => None,
    };
    let rows = painter.paint(&drawn.state, Format::ScreenText, drawn.now);
    assert!(!rows.contains(&demo.token), "the token is on\n{rows}");
    Seen {
        line: rows.split_whitespace().collect::<Vec<_>>().join(" "),
        rows,
        offer,
    }
}

/// Meets each fault of a read at one call, and adds what it brings to the screen.
fn walk(wording: &mut Wording, call: &str, chosen: bool, keys: &str) {
    let sound = seen(&crate::sound(), chosen, keys);
    for (fault, answered) in READS {
        let demo = demo(&format!("{fault}@{call}"));
        let seen = seen(&demo, chosen, keys);
        wording.add(format_args!("[{fault} at {call}, {keys:?}]"));
        // Metrics of the list grow while the test runs: their rows end in bars.
        let rows = seen.rows.lines().filter(|row| !row.contains(['━', '╸']));
        wording.news(&sound.rows, &rows.collect::<Vec<_>>().join("\n"));
        // The pause is over by the time that somebody reads this.
        let mut after = seen.line.split("Try again in ").skip(1);
        let counts = after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(!counts, "{}", seen.rows);
        assert_eq!(
            seen.line.contains("-DEM"),
            *answered,
            "{fault} at {call}: the ray on\n{}",
            seen.rows
        );
    }
}

#[test]
fn the_list_of_workers() {
    let mut wording = wording!();
    walk(&mut wording, "workers", true, "");
    // Behind the sheet the list says it too.
    walk(&mut wording, "workers", true, "esc");
}

#[test]
fn the_accounts_to_choose_from() {
    let mut wording = wording!();
    walk(&mut wording, "accounts", true, "A");
    walk(&mut wording, "accounts", false, "");
    walk(&mut wording, "accounts", false, "esc");
}

#[test]
fn the_versions_of_a_worker() {
    let mut wording = wording!();
    for call in ["versions", "deployments"] {
        walk(&mut wording, call, true, "");
        walk(&mut wording, call, true, "c");
    }
}

#[test]
fn the_classes_of_a_worker() {
    walk(&mut wording!(), "namespaces", true, "");
}

#[test]
fn the_objects_of_a_class() {
    walk(&mut wording!(), "objects", true, "enter tab enter");
}

#[test]
fn the_figures() {
    walk(&mut wording!(), "analytics", true, "");
}

#[test]
fn a_missing_right_to_analytics_leaves_everything_else() {
    let mut wording = wording!();
    let demo = demo("403-analytics");
    let sound = crate::sound();
    let seen = seen(&demo, true, "");
    wording.news(&self::seen(&sound, true, "").rows, &seen.rows);
    let found = "/ \"checkout-api\" enter";
    self::seen(&demo, true, &format!("{found} c enter")).has("validateAddress", "analytics");
    // A name can't be looked for then; an id needs no looking.
    let form = format!("{found} c j j l tab ctrl-u \"cart:nobody\"");
    let by_name = self::seen(&demo, true, &format!("{form} enter"));
    wording.news(&self::seen(&demo, true, &form).rows, &by_name.rows);
}

#[test]
fn a_capture() {
    let mut wording = wording!();
    let list = seen(&crate::sound(), true, "");
    for fault in [
        "401",
        "403",
        "429",
        "500",
        "html",
        "json-200",
        "svg-200",
        "empty",
        "cut",
        "slow",
        "reset",
        "redirect",
        "no-traffic",
        "no-isolate",
        "unavailable",
        "unsupported",
        "not-started",
    ] {
        let demo = demo(&format!("{fault}@capture"));
        // A second takes 20 ms; a slow answer is later than that and the client's patience.
        let keys = if fault == "slow" {
            "c h h enter"
        } else {
            "c enter"
        };
        let seen = seen(&demo, true, keys);
        wording.add(format_args!("[{fault}]"));
        wording.news(&list.rows, &seen.rows);
        // Whatever the refusal, the list stays.
        if fault == "403" {
            self::seen(&demo, true, &format!("{keys} esc")).has("checkout-api", fault);
        }
        let answered = !matches!(fault, "slow" | "reset");
        assert_eq!(
            seen.line.contains("-DEM"),
            answered,
            "{fault}: the ray on\n{}",
            seen.rows
        );
    }
}

#[test]
fn the_first_side_of_a_canary_is_kept_where_the_second_one_fails() {
    let mut wording = wording!();
    // Two faults come first, then one capture is let through, then the faults again.
    let demo = demo("not-started,unsupported");
    let both = "c enter esc c enter esc c j j j l enter";
    let seen = self::seen(&demo, true, both);
    wording.news(&self::seen(&crate::sound(), true, "").rows, &seen.rows);
    let demo = self::demo("not-started,unsupported");
    self::seen(&demo, true, &format!("{both} enter"))
        .has("validateAddress", "the one that is there is opened");
}

#[test]
fn what_can_be_done_is_seen_in_the_smallest_window_and_too_small_a_one_ends_nothing() {
    for (fault, _) in READS {
        let list = demo(&format!("{fault}@workers"));
        seen_at(&list, true, "", (60, 15)).has_offer(fault);
        let capture = demo(&format!("{fault}@capture"));
        let keys = if *fault == "slow" {
            "c h h enter"
        } else {
            "c enter"
        };
        let small = seen_at(&capture, true, keys, (60, 15));
        small.has_offer(fault);
        small.has("y ", fault);
        let versions = demo(&format!("{fault}@versions"));
        seen_at(&versions, true, "c", (60, 15)).has("enter ", fault);
        for size in [(59, 15), (20, 5), (1, 1)] {
            seen_at(&capture, true, keys, size);
        }
    }
}

#[test]
fn all_faults_in_turn_never_end_the_walk() {
    let mut wording = wording!();
    let demo = demo("all");
    // Whatever comes: go on with what is offered, then leave the message, and look at everything.
    let keys = "enter esc A esc R esc enter tab enter down esc esc c enter esc C esc w j j enter esc c enter enter esc w";
    let seen = seen(&demo, true, keys);
    wording.add(seen.rows.lines().last().unwrap());
}
