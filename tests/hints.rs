//! What the program says of a profile at a glance: each hint on a recording that shows it, and on one that does not.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

#[path = "support/wording.rs"]
mod wording;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use flarescope::app::{
    Action, Bindings, Command, Effect, Hint, Key, Moment, Opened, ProfileEffect, ProfileResponse,
    RequestId, Response, Screen, Session, Source, State, ThemeChoice, interpret, update,
};
use flarescope::formats;
use flarescope::model::cloudflare::{Kind, Metrics};
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::view::{Direction, View};
use flarescope::model::insights::headline::headline;
use flarescope::model::insights::{Certainty, Context, Facts, InsightKind, insights};
use flarescope::model::profile::Profile;
use flarescope::model::query::filter::{Filter, Pattern};
use flarescope::ui::draw;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use wording::{Wording, wording};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Opens a recording of the runtime; with a folder before its name, one of Go or Node.js.
fn open(name: &str) -> Profile {
    let path = match name.split_once('/') {
        Some(("go", name)) => fixtures().join("go").join(format!("{name}.pb.gz")),
        Some((folder, name)) => fixtures().join(folder).join(format!("{name}.pprof.gz")),
        None => fixtures()
            .join("recordings")
            .join(format!("{name}.pprof.gz")),
    };
    formats::read(File::open(path).unwrap(), name).unwrap()
}

/// The hints as the screen has them at first: idle time left out.
fn hints_of(name: &str) -> Vec<Hint> {
    hints_with(name, &Context::default(), |view| view)
}

fn hints_with(name: &str, context: &Context, change: impl FnOnce(View) -> View) -> Vec<Hint> {
    let profile = open(name);
    let view = change(View {
        hide_idle: true,
        ..View::new(&profile)
    });
    words(&profile, &read(&profile, &view).unwrap(), context)
}

fn words(profile: &Profile, reading: &Reading, context: &Context) -> Vec<Hint> {
    let found = insights(profile, reading, context);
    found.into_iter().map(Hint::new).collect()
}

fn kinds(hints: &[Hint]) -> Vec<InsightKind> {
    hints.iter().map(|hint| hint.insight.kind).collect()
}

#[track_caller]
fn the(hints: &[Hint], kind: InsightKind) -> &Hint {
    let found = hints.iter().find(|hint| hint.insight.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind:?} among {hints:#?}"))
}

#[track_caller]
fn says(wording: &mut Wording, hint: &Hint, certainty: Certainty, function: Option<&str>) {
    wording.add(&hint.text);
    wording.add(&hint.why);
    assert_eq!(hint.insight.certainty, certainty);
    let found = hint.insight.function.as_ref();
    assert_eq!(found.map(|function| function.name.as_str()), function);
}

/// Every recording whose hints have that kind.
fn shown_by(kind: InsightKind) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(fixtures().join("recordings"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".pprof.gz").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    names.retain(|name| kinds(&hints_of(name)).contains(&kind));
    names
}

#[test]
fn one_function_over_a_quarter_is_reported_first() {
    let mut wording = wording!();
    let found = hints_of("checkout-api.cpu");
    assert_eq!(kinds(&found), [InsightKind::Culprit]);
    says(
        &mut wording,
        &found[0],
        Certainty::Certain,
        Some("validateAddress"),
    );
    let wall = hints_of("r2-binding-wall.cpu");
    wording.add(&wall[0].text);
    let go = hints_of("go/go-packages.heap");
    wording.add(&the(&go, InsightKind::Culprit).text);
    for without in [
        "monolith.cpu",
        "chat-rooms.cpu",
        "edge-metrics.heap",
        "no-traffic.cpu",
    ] {
        assert!(
            !kinds(&hints_of(without)).contains(&InsightKind::Culprit),
            "{without}"
        );
    }
}

#[test]
fn a_culprit_in_the_runtime_comes_after_what_can_be_fixed() {
    let mut wording = wording!();
    let found = hints_of("r2-binding.heap");
    assert_eq!(
        kinds(&found),
        [
            InsightKind::Recursion,
            InsightKind::RuntimeCulprit,
            InsightKind::WindowOnly
        ]
    );
    says(&mut wording, &found[1], Certainty::Certain, Some("entries"));
    assert_eq!(shown_by(InsightKind::RuntimeCulprit), ["r2-binding.heap"]);
}

#[test]
fn without_a_culprit_the_way_on_is_reported() {
    let mut wording = wording!();
    let found = hints_of("monolith.cpu");
    assert_eq!(kinds(&found), [InsightKind::NoCulprit]);
    says(
        &mut wording,
        &found[0],
        Certainty::Certain,
        Some("(anonymous)"),
    );
    assert_eq!(shown_by(InsightKind::NoCulprit), ["monolith.cpu"]);
    // What a filter left is a small part of the capture, and proves nothing.
    let focus = Filter::Focus(Pattern::exact_name("reduceRoute").unwrap());
    let filtered = hints_with("monolith.cpu", &Context::default(), |view| View {
        filters: vec![focus],
        ..view
    });
    assert!(!kinds(&filtered).contains(&InsightKind::NoCulprit));
}

#[test]
fn recursion_is_reported_once_for_functions_that_call_each_other() {
    let mut wording = wording!();
    let found = hints_of("deep-parser.cpu");
    assert_eq!(
        kinds(&found),
        [
            InsightKind::Recursion,
            InsightKind::Culprit,
            InsightKind::Recursion,
            InsightKind::CutStacks
        ],
        "the ring of the parser holds more than its heaviest function; evaluate is a recursion of its own"
    );
    says(
        &mut wording,
        &found[0],
        Certainty::Certain,
        Some("parsePrimary"),
    );
    wording.add(&found[2].why);
}

#[test]
fn a_walk_that_starts_again_at_each_level_is_found_however_small() {
    let mut wording = wording!();
    let cpu = hints_of("r2-binding.cpu");
    assert_eq!(kinds(&cpu), [InsightKind::Culprit, InsightKind::Recursion]);
    wording.add(&cpu[1].text);
    let heap = hints_of("r2-binding.heap");
    wording.add(&heap[0].text);
    assert_eq!(
        shown_by(InsightKind::Recursion),
        [
            "deep-parser.cpu",
            "deep-parser.heap",
            "r2-binding-wall.cpu",
            "r2-binding.cpu",
            "r2-binding.heap"
        ],
        "not geo-router, where V8 swaps code, and no functions without a name"
    );
}

#[test]
fn folded_recursion_is_not_reported_again() {
    let folded = hints_with("r2-binding.heap", &Context::default(), |view| View {
        fold_recursion: true,
        ..view
    });
    assert!(!kinds(&folded).contains(&InsightKind::Recursion));
}

#[test]
fn one_callee_on_two_lines_of_one_caller_needs_sampled_lines() {
    let mut wording = wording!();
    let found = hints_of("go/go-twice.cpu");
    assert_eq!(
        kinds(&found),
        [InsightKind::Culprit, InsightKind::CalledTwice]
    );
    says(
        &mut wording,
        &found[1],
        Certainty::Likely,
        Some("main.ship"),
    );
    assert_eq!(shown_by(InsightKind::CalledTwice), [""; 0]);
    assert!(
        !kinds(&hints_of("go/go-collector.cpu")).contains(&InsightKind::CalledTwice),
        "tree calls itself twice"
    );
}

#[test]
fn a_collector_that_takes_a_tenth_is_reported() {
    let mut wording = wording!();
    let found = hints_of("go/go-collector.cpu");
    says(
        &mut wording,
        the(&found, InsightKind::Collector),
        Certainty::Certain,
        Some("runtime.gcBgMarkWorker"),
    );
    let v8 = hints_of("node/collector.cpu");
    wording.add(&the(&v8, InsightKind::Collector).text);
    assert!(!kinds(&hints_of("go/go-twice.cpu")).contains(&InsightKind::Collector));
    assert_eq!(
        shown_by(InsightKind::Collector),
        [""; 0],
        "chat-rooms.cpu has most: 7.3%"
    );
}

#[test]
fn memory_in_one_of_several_packages_is_reported() {
    let mut wording = wording!();
    let found = hints_of("go/go-packages.heap");
    assert_eq!(
        kinds(&found),
        [InsightKind::Culprit, InsightKind::Concentrated]
    );
    says(
        &mut wording,
        &found[1],
        Certainty::Certain,
        Some("example.com/shop/metrics.Observe"),
    );
    assert_eq!(
        shown_by(InsightKind::Concentrated),
        [""; 0],
        "each is one bundle"
    );
}

#[test]
fn memory_below_one_function_of_a_bundle_is_reported() {
    let mut wording = wording!();
    let found = hints_of("edge-metrics.heap");
    assert_eq!(
        kinds(&found),
        [InsightKind::AllocatedBelow, InsightKind::WindowOnly]
    );
    says(&mut wording, &found[0], Certainty::Certain, Some("proxy"));
    let objects = hints_of("edge-metrics-objects.heap");
    wording.add(&objects[0].text);
    assert_eq!(
        shown_by(InsightKind::AllocatedBelow),
        [
            "checkout-api.heap",
            "edge-metrics-objects.heap",
            "edge-metrics.heap"
        ],
        "not the way in, and not what leads to a function that was told"
    );
}

#[test]
fn waiting_that_was_booked_as_cpu_takes_the_place_of_culprits() {
    let mut wording = wording!();
    let found = hints_of("status-page.cpu");
    assert_eq!(
        kinds(&found),
        [InsightKind::WallAsCpu, InsightKind::FewSamples]
    );
    says(
        &mut wording,
        &found[0],
        Certainty::Likely,
        Some("hashRound"),
    );
    assert_eq!(shown_by(InsightKind::WallAsCpu), ["status-page.cpu"]);
}

#[test]
fn more_busy_time_than_all_requests_used_is_reported() {
    let mut wording = wording!();
    let metrics = |requests_per_second, cpu_p99_us| Metrics {
        requests_per_second,
        cpu_p99_us,
        ..Metrics::default()
    };
    let with = |metrics| {
        let window = Some(Duration::from_secs(8));
        let context = Context {
            kind: Some(Kind::Cpu),
            window,
            metrics: Some(metrics),
            ..Context::default()
        };
        hints_with("checkout-api.cpu", &context, |view| view)
    };
    let quiet = with(metrics(2.0, 1_000.0));
    says(
        &mut wording,
        the(&quiet, InsightKind::WallAsCpu),
        Certainty::Likely,
        None,
    );
    assert!(!kinds(&with(metrics(400.0, 48_100.0))).contains(&InsightKind::WallAsCpu));
}

#[test]
fn stacks_cut_by_v8_are_reported_with_their_share() {
    let mut wording = wording!();
    says(
        &mut wording,
        the(&hints_of("deep-parser.cpu"), InsightKind::CutStacks),
        Certainty::Certain,
        Some("parsePrimary"),
    );
    wording.add(&the(&hints_of("deep-parser.heap"), InsightKind::CutStacks).text);
    assert_eq!(
        shown_by(InsightKind::CutStacks),
        ["deep-parser.cpu", "deep-parser.heap"]
    );
}

#[test]
fn too_few_samples_are_reported_and_make_culprits_less_sure() {
    let mut wording = wording!();
    let found = hints_of("status-page-idle.cpu");
    says(&mut wording, &found[0], Certainty::Certain, None);
    assert_eq!(
        (found[1].insight.kind, found[1].insight.certainty),
        (InsightKind::Culprit, Certainty::Likely)
    );
    assert_eq!(
        shown_by(InsightKind::FewSamples),
        ["status-page-idle.cpu", "status-page.cpu"]
    );
}

#[test]
fn names_of_a_minifier_are_reported_and_whether_a_map_can_help() {
    let mut wording = wording!();
    let found = hints_of("geo-router.cpu");
    says(
        &mut wording,
        the(&found, InsightKind::Minified),
        Certainty::Likely,
        None,
    );
    let without_columns = hints_of("geo-router-nocol.cpu");
    wording.add(&the(&without_columns, InsightKind::Minified).why);
    assert_eq!(
        shown_by(InsightKind::Minified),
        ["geo-router-nocol.cpu", "geo-router.cpu", "geo-router.heap"]
    );
    let mapped = Context {
        has_source_map: true,
        ..Context::default()
    };
    assert!(
        !kinds(&hints_with("geo-router.cpu", &mapped, |view| view))
            .contains(&InsightKind::Minified)
    );
}

/// Whether a Worker with these functions, by self time, is said to have names of a minifier.
fn looks_minified(functions: &[(&str, usize)]) -> bool {
    let (mut nodes, mut samples) = (String::new(), Vec::new());
    for (id, (name, count)) in (1..).zip(functions) {
        nodes += &format!(
            r#",{{"id":{id},"callFrame":{{"functionName":"{name}","url":"file:///srv/worker.js","lineNumber":{id},"columnNumber":9}}}}"#
        );
        samples.extend(std::iter::repeat_n(id.to_string(), *count));
    }
    let deltas = vec!["1000"; samples.len()].join(",");
    let json = format!(
        r#"{{"nodes":[{}],"samples":[{}],"timeDeltas":[{deltas}]}}"#,
        nodes.trim_start_matches(','),
        samples.join(",")
    );
    let profile = formats::read(json.as_bytes(), "worker").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    insights(&profile, &reading, &Context::default())
        .iter()
        .any(|insight| insight.kind == InsightKind::Minified)
}

#[test]
fn names_of_a_minifier_weigh_by_self_time() {
    let long = [
        ("handleRequest", 10),
        ("parseBody", 10),
        ("renderPage", 9),
        ("validateToken", 9),
    ];
    let with = |more: &[(&str, usize)]| looks_minified(&[more, &long[..]].concat());
    assert!(with(&[("a", 45), ("bc", 17)]), "62% of self time");
    assert!(
        with(&[("a", 20), ("", 30)]),
        "callbacks without a name count"
    );
    assert!(!with(&[("", 62)]), "but not alone");
    assert!(!with(&[("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]));
}

#[test]
fn the_next_step_names_the_keys_in_force_on_the_screen_alone() {
    for (recording, kind, command, key) in [
        (
            "geo-router.cpu",
            InsightKind::Minified,
            Command::LoadMap,
            "m",
        ),
        (
            "monolith.cpu",
            InsightKind::NoCulprit,
            Command::BottomUp,
            "b",
        ),
        (
            "r2-binding.heap",
            InsightKind::Recursion,
            Command::FoldRecursion,
            "r",
        ),
    ] {
        let found = hints_of(recording);
        let hint = the(&found, kind);
        let own = Key::Char('Z');
        let bound = Bindings::new([(command, vec![own])].into());
        for (bindings, key) in [(Bindings::default(), key), (bound, "Z")] {
            let detail = bindings.expand_keys(&hint.detail());
            let next = detail.strip_prefix(&*hint.why).unwrap();
            let next = next.strip_prefix("; ").unwrap();
            assert!(
                next.starts_with(&format!("{key} ")),
                "{recording}: {detail}"
            );
        }
    }
}

#[test]
fn a_version_that_serves_nobody_is_reported_before_all_else() {
    let with = |percentage| {
        let context = Context {
            percentage: Some(percentage),
            ..Context::default()
        };
        hints_with("checkout-api.cpu", &context, |view| view)
    };
    assert_eq!(
        kinds(&with(0.0)),
        [InsightKind::NotDeployed, InsightKind::Culprit]
    );
    assert_eq!(kinds(&with(10.0)), [InsightKind::Culprit]);
}

#[test]
fn a_heap_capture_says_what_it_is_not() {
    for heap in ["checkout-api.heap", "edge-metrics.heap", "monolith.heap"] {
        let found = hints_of(heap);
        assert_eq!(
            found
                .last()
                .map(|hint| (hint.insight.kind, hint.insight.certainty)),
            Some((InsightKind::WindowOnly, Certainty::Note))
        );
    }
    for without in ["checkout-api.cpu", "go/go-packages.heap"] {
        assert!(
            !kinds(&hints_of(without)).contains(&InsightKind::WindowOnly),
            "{without}"
        );
    }
}

#[test]
fn every_line_fits_and_every_place_is_there() {
    for folder in ["recordings", "cases", "malformed", "go", "node"] {
        for entry in fs::read_dir(fixtures().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(profile) = File::open(&path)
                .map_err(|_| ())
                .and_then(|f| formats::read(f, "x").map_err(|_| ()))
            else {
                continue;
            };
            let Ok(reading) = read(
                &profile,
                &View {
                    hide_idle: true,
                    ..View::new(&profile)
                },
            ) else {
                continue;
            };
            let context = Context {
                kind: Some(Kind::Cpu),
                percentage: Some(0.0),
                ..Context::default()
            };
            for hint in words(&profile, &reading, &context) {
                let place = path.display();
                let clean = |text: &str| !text.chars().any(char::is_control);
                assert!(clean(&hint.text) && clean(&hint.why), "{place}: {hint:?}");
                let Some(function) = &hint.insight.function else {
                    continue;
                };
                assert!(
                    function.name.width() > 30 || hint.text.width() <= 63,
                    "{place}: {}",
                    hint.text
                );
                let there = reading
                    .frames
                    .ids()
                    .find(|frame| function.is(&reading.frames.info(*frame)));
                assert!(
                    there.and_then(|frame| reading.heaviest(frame)).is_some(),
                    "{place}: {function:?}"
                );
            }
        }
    }
}

#[test]
fn a_difference_has_no_hints() {
    let path = fixtures().join("cases/a06-negative.pb");
    let profile = formats::read(File::open(path).unwrap(), "a06").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert!(reading.tree.has_negative());
    assert_eq!(kinds(&words(&profile, &reading, &Context::default())), []);
}

/// A screen with a profile open, and the hints that were asked for with it.
fn screen(name: &str) -> State {
    let session = Session::default();
    let theme = ThemeChoice {
        name: "ember".to_owned(),
        known: Vec::new(),
        ..ThemeChoice::default()
    };
    let mut state = State::new(session, (120, 40), theme);
    let profile = open(name);
    let view = View {
        hide_idle: true,
        ..View::new(&profile)
    };
    let reading = read(&profile, &view).unwrap().into();
    state.show_opened(Opened {
        source: Source::new(profile, name.to_owned()),
        source_root: None,
        view,
        reading,
        display: flarescope::app::OpenedDisplay::default(),
        warning: None,
    });
    perform(&mut state, Action::Tick);
    state
}

fn now() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    }
}

/// Applies an action and all that it wishes for, as far as that is computing; answers the texts to be copied.
fn perform(state: &mut State, action: Action) -> Vec<String> {
    let mut copied = Vec::new();
    let mut wishes = update(state, action, now());
    while let Some(wish) = wishes.pop() {
        let answered = match wish {
            Effect::Profile(id, ProfileEffect::Hints(profile, reading, context)) => {
                let found = insights(&profile, &reading, &context);
                let headline = headline(&profile, &reading, &context, &found).map(Box::new);
                (
                    id,
                    Response::Profile(ProfileResponse::Hints(found, headline)),
                )
            }
            Effect::Profile(id, ProfileEffect::Read(profile, view)) => {
                let reading = read(&profile, &view).unwrap();
                (
                    id,
                    Response::Profile(ProfileResponse::Read(view, reading.into())),
                )
            }
            Effect::Copy(_, text) => {
                copied.push(text);
                continue;
            }
            other => panic!("{other:?}"),
        };
        wishes.extend(update(
            state,
            Action::Done(answered.0, Ok(answered.1)),
            now(),
        ));
    }
    copied
}

fn press(state: &mut State, keys: &str) -> Vec<String> {
    let mut copied = Vec::new();
    for key in keys.split(' ') {
        let action = interpret(state, Key::parse(key).unwrap())
            .unwrap_or_else(|| panic!("{key} does nothing"));
        copied.extend(perform(state, action));
    }
    copied
}

/// The rows of the screen, blanks at their ends cut.
fn rows(state: &State) -> Vec<String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.0, state.size.1));
    let theme = Theme::load("ember", Depth::None).unwrap().theme;
    draw(&mut buffer, state, &theme, Glyphs::Unicode, now());
    let row = |y| {
        (0..state.size.0)
            .map(|x| buffer[(x, y)].symbol().to_owned())
            .collect::<String>()
    };
    (0..state.size.1)
        .map(|y| row(y).trim_end().to_owned())
        .collect()
}

fn message(state: &State) -> String {
    let rows = rows(state);
    rows[rows.len() - 2].clone()
}

fn selected(state: &State) -> String {
    let profile = state.profile.as_ref().unwrap();
    profile
        .reading
        .frames
        .name(profile.selected_frame().unwrap())
        .to_owned()
}

#[test]
fn the_first_hint_is_on_the_message_line_and_stays_while_one_walks() {
    let mut wording = wording!();
    let mut state = screen("deep-parser.cpu");
    let told = message(&state);
    wording.add(told.trim_start().split("  ").next().unwrap());
    wording.add(&told);
    for keys in ["j j j", "l", "k h", "tab", "j j", "G", "tab"] {
        press(&mut state, keys);
        assert_eq!(message(&state), told, "after {keys}");
    }
    state.size = (80, 24);
    perform(&mut state, Action::Resize(80, 24));
    wording.add(message(&state));
}

#[test]
fn each_press_goes_to_the_next_hint_s_place() {
    let mut wording = wording!();
    let mut state = screen("deep-parser.cpu");
    press(&mut state, "g");
    for (number, function) in [
        (1, "parsePrimary"),
        (2, "parsePrimary"),
        (3, "evaluate"),
        (4, "parsePrimary"),
        (1, "parsePrimary"),
    ] {
        press(&mut state, "!");
        assert_eq!(selected(&state), function);
        let message = message(&state);
        assert!(message.contains(&format!(" {number} ")), "{message}");
        wording.add(message);
    }
}

#[test]
fn without_a_culprit_the_key_shows_the_callers_and_the_hint_stays() {
    let mut wording = wording!();
    let mut state = screen("monolith.cpu");
    press(&mut state, "!");
    assert_eq!(
        state.profile.as_ref().unwrap().view.direction,
        Direction::BottomUp
    );
    wording.add(message(&state));
}

#[test]
fn a_new_view_has_its_own_hints() {
    let mut wording = wording!();
    let mut state = screen("checkout-api.cpu");
    press(&mut state, "! x");
    wording.add(message(&state));
    press(&mut state, "u");
    wording.add(message(&state));
    // Rows by file have no functions to speak of: what was told stays.
    press(&mut state, "p p p");
    wording.add(message(&state));
    press(&mut state, "!");
    wording.add(message(&state));
}

#[test]
fn the_sheet_lists_all_hints_and_goes_where_they_lead() {
    let mut wording = wording!();
    let mut state = screen("r2-binding.heap");
    press(&mut state, "g H");
    let shown = rows(&state);
    let top = shown.iter().position(|row| row.starts_with(" 1 ")).unwrap() - 1;
    wording.add(&shown[top]);
    assert_eq!(
        shown[top + 1].split_whitespace().next_back(),
        Some("certain")
    );
    wording.add(&shown[top + 1]);
    wording.add(&shown[top + 4]);
    let copied = press(&mut state, "j y");
    wording.add(copied.join("\n"));
    press(&mut state, "enter");
    assert_eq!(
        (selected(&state).as_str(), state.overlays.is_empty()),
        ("entries", true)
    );
    press(&mut state, "H 1");
    assert_eq!(selected(&state), "genericR2JsonReplacer");
    wording.add(message(&state));
    for close in ["H", "esc", "backspace"] {
        press(&mut state, "H");
        press(&mut state, close);
        assert!(
            state.overlays.is_empty() && state.screen == Screen::Profile,
            "{close}"
        );
    }
    press(&mut state, "H G");
    state.size = (80, 15);
    perform(&mut state, Action::Resize(80, 15));
    assert!(
        rows(&state).iter().any(|row| row.starts_with(" 3 ▸")),
        "{:#?}",
        rows(&state)
    );
}

#[test]
fn a_late_answer_is_dropped() {
    let mut state = screen("checkout-api.cpu");
    let told = message(&state);
    perform(
        &mut state,
        Action::Done(
            RequestId(u64::MAX),
            Ok(Response::Profile(ProfileResponse::Hints(Vec::new(), None))),
        ),
    );
    assert_eq!(message(&state), told);
}

#[test]
fn a_profile_without_hints_says_so() {
    let mut wording = wording!();
    let mut state = screen("chat-rooms.cpu");
    // The headline is there nevertheless.
    assert!(message(&state).contains("fetch"));
    for key in ["!", "H"] {
        press(&mut state, key);
        wording.add(message(&state));
        assert!(state.overlays.is_empty());
    }
}

#[test]
fn a_capture_in_which_no_user_code_ran_says_so() {
    let facts = |stacks: &str| {
        let profile = formats::read(stacks.as_bytes(), "idle.folded").unwrap();
        let view = View {
            hide_idle: true,
            ..View::new(&profile)
        };
        let reading = read(&profile, &view).unwrap();
        let found = insights(&profile, &reading, &Context::default());
        let few = found
            .into_iter()
            .find(|found| found.kind == InsightKind::FewSamples);
        few.unwrap().facts
    };
    let idle = "(idle) 500\n(program) 8\n(garbage collector) 2\n";
    assert!(matches!(facts(idle), Facts::NoOwnCode(10)));
    let busy = format!("{idle}fetch 3\n");
    // Percentages are of all 513 samples, so that 13 of them can be off by little.
    assert!(matches!(
        facts(&busy),
        Facts::Samples {
            samples: 13,
            all: 513
        }
    ));
}

#[test]
fn functions_without_symbols_are_named_with_their_share() {
    let stacks = "main;libworker.so 0x401000 30\nmain;libworker.so 0x40203c 10\nmain;render 60\n";
    let found = |stacks: &str| {
        let profile = formats::read(stacks.as_bytes(), "addresses.folded").unwrap();
        let reading = read(&profile, &View::new(&profile)).unwrap();
        insights(&profile, &reading, &Context::default())
            .into_iter()
            .find(|found| found.kind == InsightKind::WithoutSymbols)
            .map(|found| found.facts)
    };
    assert!(matches!(
        found(stacks),
        Some(Facts::WithoutSymbols {
            functions: 2,
            own: 40
        })
    ));
    assert!(found("main;lib.so 0x401000 5\nmain;render 95\n").is_none());
    assert!(found("main;render0x10 50\nmain;draw 50\n").is_none());
}
