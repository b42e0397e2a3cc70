//! The screen, run without a terminal against a stand-in in this process, at the smallest usual size.

use std::time::Duration;

use flarescope::api::Settings;
use flarescope::app::{Format, Key, Origin, Session, State, ThemeChoice};
use flarescope::demo::{ACCOUNT_NAME, Standin};
use flarescope::model::cloudflare::Account;
use flarescope::model::text::secret::Secret;
use flarescope::runtime::{Access, Painter, Services, Source, headless};
use flarescope::store::Store;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Themes};

use crate::{READS, remedy, standin};

/// What is on the screen after these keys, as one line; and the same in rows.
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) rows: String,
}

impl Seen {
    pub(crate) fn has(&self, words: &str, why: &str) {
        assert!(
            self.line.contains(words),
            "{why}: no `{words}` on\n{}",
            self.rows
        );
    }
}

/// The screen after the keys; `chosen`: an account is in force.
pub(crate) fn seen(standin: &Standin, chosen: bool, keys: &str) -> Seen {
    seen_at(standin, chosen, keys, (80, 24))
}

fn seen_at(standin: &Standin, chosen: bool, keys: &str, size: (u16, u16)) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        read_timeout: Duration::from_millis(400),
        capture_slack: Duration::from_millis(100),
        backoff: Duration::from_millis(1),
        patience: Duration::ZERO,
        ..Settings::new(&standin.base_url, Secret::new(&standin.token).unwrap())
    };
    let account = Account {
        id: standin.account_id.clone(),
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
    let first = state.first_wishes();
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
    let rows = painter.paint(&drawn.state, Format::ScreenText, drawn.now);
    assert!(!rows.contains(&standin.token), "the token is on\n{rows}");
    Seen {
        line: rows.split_whitespace().collect::<Vec<_>>().join(" "),
        rows,
    }
}

/// Meets each fault of a read at one call: its reason, its ray, what helps, and the key that goes on.
fn walk(call: &str, chosen: bool, keys: &str, told: &str, step: impl Fn(&str) -> &'static str) {
    for (fault, reason, answered) in READS {
        let standin = standin(&format!("{fault}@{call}"));
        let seen = seen(&standin, chosen, keys);
        let why = format!("{fault} at {call}");
        seen.has(told, &why);
        match (call, *fault) {
            // Told by the right that is missing; and as a question that was refused.
            ("analytics", "403") => {}
            ("analytics", "json-200") => {
                seen.has("refused the question (HTTP 200, code 10398", &why)
            }
            _ => seen.has(reason, &why),
        }
        seen.has(step(fault), &why);
        assert_eq!(
            seen.line.contains("-DEM"),
            *answered,
            "{why}: the ray on\n{}",
            seen.rows
        );
    }
}

#[test]
fn the_list_of_workers() {
    walk(
        "workers",
        true,
        "",
        "The answer did not come",
        |fault| match fault {
            "403" => "enter choose another account",
            "429" => "enter ask for the list again in 1 s",
            _ => "enter ask for the list again",
        },
    );
    walk("workers", true, "", "The answer did not come", remedy);
    // Behind the sheet the list says it too.
    walk(
        "workers",
        true,
        "esc",
        "The list did not come",
        |_| "R asks again",
    );
}

#[test]
fn the_accounts_to_choose_from() {
    walk(
        "accounts",
        true,
        "A",
        "The accounts did not come",
        |_| "esc and A ask again, and the whole id of one can be typed.",
    );
    walk(
        "accounts",
        false,
        "",
        "The answer did not come",
        |_| "enter type the id of an account",
    );
    walk("accounts", false, "", "R try the same again", remedy);
    walk(
        "accounts",
        false,
        "esc",
        "The accounts did not come",
        |_| "A asks again, and takes a typed id",
    );
}

#[test]
fn the_versions_of_a_worker() {
    for call in ["versions", "deployments"] {
        walk(
            call,
            true,
            "",
            "Its versions did not come",
            |_| "R asks again",
        );
        walk(call, true, "", "Its versions did not come", remedy);
        walk(
            call,
            true,
            "c",
            "Its versions did not come",
            |_| "enter asks again",
        );
    }
}

#[test]
fn the_classes_of_a_worker() {
    walk(
        "namespaces",
        true,
        "",
        "Its Durable Objects did not come",
        |_| "R asks again",
    );
}

#[test]
fn the_objects_of_a_class() {
    walk(
        "objects",
        true,
        "enter tab enter",
        "The objects did not come",
        |_| "down asks again, and the whole id of one can be typed.",
    );
}

#[test]
fn the_figures() {
    walk(
        "analytics",
        true,
        "",
        "No traffic figures",
        |fault| match fault {
            "403" => {
                "the token lacks Account Analytics Read. Everything else works; A chooses another account."
            }
            _ => "(R asks again)",
        },
    );
}

#[test]
fn a_missing_right_to_analytics_leaves_everything_else() {
    let standin = standin("403-analytics");
    let seen = seen(&standin, true, "");
    seen.has(
        "the token lacks Account Analytics Read. Everything else works;",
        "analytics",
    );
    let found = "/ \"checkout-api\" enter";
    self::seen(&standin, true, &format!("{found} c enter")).has("validateAddress", "analytics");
    // A name can't be looked for then; an id needs no looking.
    let by_name = self::seen(
        &standin,
        true,
        &format!("{found} c j j l tab ctrl-u \"cart:nobody\" enter"),
    );
    by_name.has("could not be looked for.", "analytics");
    by_name.has("Account Analytics Read", "analytics");
    by_name.has("enter choose another object", "analytics");
}

#[test]
fn a_capture() {
    for (fault, reason, remedy, step) in [
        (
            "401",
            "refused the API token",
            "Make one with Workers Scripts Read",
            "try again, once there is a new token",
        ),
        (
            "403",
            "may not capture a profile on account",
            "Grant the token Workers Scripts Read",
            "try again, once it is granted",
        ),
        (
            "429",
            "wants no more calls for 1 s",
            "Captures are limited",
            "send it again in 1 s",
        ),
        (
            "500",
            "has a fault of its own",
            "Try again in a moment",
            "try the same again",
        ),
        (
            "html",
            "a web page that wants a browser",
            "use another network",
            "try the same again",
        ),
        (
            "json-200",
            "The profile could not be produced.",
            "Nothing was kept",
            "try the same again",
        ),
        (
            "svg-200",
            "not a profile but image/svg+xml: <svg",
            "Nothing was kept",
            "try the same again",
        ),
        (
            "empty",
            "the answer was empty",
            "Nothing was kept",
            "try the same again",
        ),
        (
            "cut",
            "was cut off after 432 bytes",
            "Nothing was kept",
            "try the same again",
        ),
        (
            "slow",
            "no answer from 127.0.0.1",
            "may count against the limit",
            "choose a shorter window",
        ),
        (
            "reset",
            "closed the connection without an answer",
            "never sent twice by itself",
            "try the same again",
        ),
        (
            "redirect",
            "sent the call on to login.example.com",
            "Check CLOUDFLARE_API_BASE_URL",
            "try the same again",
        ),
        (
            "no-traffic",
            "no recent executions of this version",
            "it has none now",
            "wait for traffic, then send it once",
        ),
        (
            "no-isolate",
            "no isolate of it is loaded",
            "The next requests load it again",
            "wait for traffic, then send it once",
        ),
        (
            "unavailable",
            "is not available",
            "Ask Cloudflare whether",
            "choose another Worker",
        ),
        (
            "unsupported",
            "can't be profiled",
            "Other Workers of the account",
            "choose another Worker",
        ),
        (
            "not-started",
            "could not start the profiler",
            "passes by itself",
            "try once more",
        ),
    ] {
        let standin = standin(&format!("{fault}@capture"));
        // A second takes 20 ms; a slow answer is later than that and the client's patience.
        let keys = if fault == "slow" {
            "c h h enter"
        } else {
            "c enter"
        };
        let seen = seen(&standin, true, keys);
        for words in [
            "No profile came back",
            reason,
            remedy,
            &format!("enter {step}"),
        ] {
            seen.has(words, fault);
        }
        // Whatever the refusal, the list stays.
        if fault == "403" {
            self::seen(&standin, true, &format!("{keys} esc")).has("checkout-api", fault);
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
    // Two faults come first, then one capture is let through, then the faults again.
    let standin = standin("not-started,unsupported");
    let both = "c enter esc c enter esc c j j j l enter";
    let seen = self::seen(&standin, true, both);
    for words in [
        "could not start the profiler",
        "1 capture of 2 arrived and is kept. This one passes by itself.",
        "enter open the one that is there",
        "R try 2 of 2 again, and go on",
    ] {
        seen.has(words, "canary");
    }
    let standin = self::standin("not-started,unsupported");
    self::seen(&standin, true, &format!("{both} enter"))
        .has("validateAddress", "the one that is there is opened");
}

#[test]
fn what_can_be_done_is_seen_in_the_smallest_window_and_too_small_a_one_ends_nothing() {
    for (fault, ..) in READS {
        let list = standin(&format!("{fault}@workers"));
        let next = if *fault == "403" {
            "enter choose another account"
        } else {
            "enter ask for the list again"
        };
        seen_at(&list, true, "", (60, 15)).has(next, fault);
        let capture = standin(&format!("{fault}@capture"));
        let keys = if *fault == "slow" {
            "c h h enter"
        } else {
            "c enter"
        };
        let small = seen_at(&capture, true, keys, (60, 15));
        small.has("No profile came back", fault);
        small.has("y copy this text", fault);
        let versions = standin(&format!("{fault}@versions"));
        seen_at(&versions, true, "c", (60, 15)).has("enter asks again", fault);
        for size in [(59, 15), (20, 5), (1, 1)] {
            seen_at(&capture, true, keys, size);
        }
    }
}

#[test]
fn all_faults_in_turn_never_end_the_walk() {
    let standin = standin("all");
    // Whatever comes: go on with what is offered, then leave the message, and look at everything.
    let keys = "enter esc A esc R esc enter tab enter down esc esc c enter esc C esc w j j enter esc c enter enter esc w";
    let seen = seen(&standin, true, keys);
    assert!(
        seen.line.contains("c capture enter open") && seen.line.contains("? help"),
        "{}",
        seen.rows
    );
}
