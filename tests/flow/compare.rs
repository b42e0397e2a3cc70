//! Comparing captures: which two, what the keys mean then, and the way back.

use std::path::Path;

use flarescope::app::{
    Action, Bindings, Command, CompareJob, CompareSide, CompareState, Effect, FailureKind,
    KeyContext, Overlay, ProfileEffect, RequestId, Screen, Source, help_rows, key_context,
};
use flarescope::formats;
use flarescope::model::cloudflare::{Capture, DefaultBaseline, Kind, ObjectRef};
use flarescope::model::diff::{Normalise, Status, Width};
use flarescope::model::graph::call_tree::NodeId;

use crate::session::{Session, ago, before, only};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn job(wish: Effect) -> (RequestId, CompareJob) {
    match wish {
        Effect::Profile(id, ProfileEffect::Compare(job)) => (id, *job),
        other => panic!("no comparison but {other:?}"),
    }
}

/// The files of a job, the base first; what is open has none.
fn files(job: &CompareJob) -> [Option<&str>; 2] {
    [&job.base, &job.new].map(|side| match side {
        CompareSide::Kept(capture) => capture.path.file_name().map(|name| name.to_str().unwrap()),
        CompareSide::Open(_) | CompareSide::Several(_) => None,
    })
}

fn history() -> Session {
    let mut session = Session::workers(SIZE);
    let list = only(session.press("C"));
    session.serve(list);
    session
}

fn comparison(session: &Session) -> &CompareState {
    session.profile().compare.as_ref().unwrap()
}

#[test]
fn two_marked_captures_are_compared_the_older_one_as_base() {
    // The newest and the third, whichever was marked first.
    for keys in ["space j space d", "j j space g space d"] {
        let mut session = history();
        let (_, job) = job(only(session.press(keys)));
        assert_eq!(
            files(&job),
            [
                Some("geo-router.cpu.pprof.gz"),
                Some("checkout-api.cpu.pprof.gz")
            ],
            "{keys}"
        );
        assert_eq!(
            (job.normalise, job.width),
            (Normalise::ByWindow, Width::Larger)
        );
    }
}

#[test]
fn one_mark_is_compared_with_the_selected_capture_and_three_are_too_many() {
    let mut wording = wording!();
    let mut session = history();
    let (_, first) = job(only(session.press("space d")));
    assert_eq!(
        files(&first),
        [
            Some("checkout-api.heap.pprof.gz"),
            Some("checkout-api.cpu.pprof.gz")
        ]
    );
    assert!(session.press("space space d").is_empty());
    wording.add(session.notice());
    session.press("g space");
    assert_eq!(
        session.state.history.marked.len(),
        2,
        "a second press takes the mark away"
    );
    assert!(
        !session
            .state
            .history
            .marked
            .contains(&Path::new("/cache/captures/checkout-api.cpu.pprof.gz").into())
    );
}

#[test]
fn without_a_mark_it_is_the_capture_before_of_the_same_worker_and_kind() {
    let mut wording = wording!();
    let mut session = history();
    assert!(session.press("d").is_empty());
    wording.add(session.notice());
    session.state.history.captures.push(before::capture());
    let (_, job) = job(only(session.press("d")));
    assert_eq!(
        files(&job),
        [Some("before.pprof.gz"), Some("checkout-api.cpu.pprof.gz")]
    );
    wording.add(session.notice());
}

#[test]
fn a_comparison_opens_on_the_largest_change_and_gives_the_profile_back() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("enter");
    let (zoom, selected) = (session.profile().zoom, session.selected());
    assert_ne!(zoom, NodeId::ROOT);
    session.compare();
    assert_eq!(key_context(&session.state), KeyContext::Compare);
    assert_eq!(session.selected(), "validateAddress");
    let compare = comparison(&session);
    let statuses = |name: &str| {
        let frames = &session.profile().reading.frames;
        frames
            .ids()
            .find(|frame| frames.name(*frame) == name)
            .and_then(|frame| compare.change(frame))
            .unwrap()
            .status
    };
    assert_eq!(
        [
            "validateAddress",
            "priceCart",
            "verifySignature",
            "handleCheckout"
        ]
        .map(statuses),
        [Status::Changed, Status::New, Status::Gone, Status::Changed]
    );
    for end in ["d", "esc", "backspace"] {
        session.press(end);
        assert_eq!(
            (session.profile().zoom, session.profile().compare.is_none()),
            (zoom, true),
            "{end}"
        );
        assert_eq!(session.selected(), selected);
        session.compare();
    }
    // Backspace undoes a zoom first, Escape ends a search first.
    session.press("enter backspace");
    assert!(session.profile().compare.is_some());
    session.press("/ \"cart\" enter esc");
    assert!(session.profile().compare.is_some() && session.profile().search.is_none());
}

#[test]
fn a_comparison_asked_for_in_the_history_leads_back_there() {
    let mut session = history();
    session.state.history.captures.push(before::capture());
    let wish = only(session.press("d"));
    session.serve(wish);
    assert_eq!(key_context(&session.state), KeyContext::Compare);
    session.press("d");
    assert_eq!(
        (session.state.screen, session.state.profile.is_none()),
        (Screen::History, true)
    );
}

#[test]
fn the_comparison_of_two_versions_shows_the_fix_at_first_glance() {
    let mut wording = wording!();
    let mut session = history();
    session.state.history.captures = before::fix().to_vec();
    session.press("s s s s g");
    let (id, job) = job(only(session.press("d")));
    assert_eq!(
        files(&job),
        [
            Some("r2-images-before.cpu.pprof.gz"),
            Some("r2-images-after.cpu.pprof.gz")
        ]
    );
    wording.add(session.notice());
    session.answer(id, before::answer(job).unwrap());
    let replacer = "genericR2JsonReplacer";
    assert_eq!(
        (session.selected(), session.table_row()),
        (replacer.to_owned(), replacer.to_owned())
    );
    let profile = session.profile();
    let first = profile
        .reading
        .frames
        .name(profile.table.rows[profile.table.shown[0]].frame);
    assert_eq!(first, replacer, "the table's first row");
    // Metrics of `go tool pprof -diff_base`, in nanoseconds.
    let compare = comparison(&session);
    let (up, down) = (compare.largest.0.unwrap(), compare.largest.1.unwrap());
    let name = |frame| profile.reading.frames.name(frame);
    assert_eq!(
        (name(down.frame), down.own.change(), down.total.change()),
        (replacer, -4_261_347_000, -4_349_121_000)
    );
    assert_eq!(
        (name(up.frame), up.own.change(), up.total.change()),
        ("handleList", 2_747_367_000, -1_542_866_000)
    );
    // Of all frames that changed by more than a third of themselves it is the widest.
    let tree = &profile.reading.tree;
    let strong = |node: &NodeId| {
        let change = compare.comparison.total(*node).change().unsigned_abs();
        *node != NodeId::ROOT && change * 3 > tree.weight(*node)
    };
    let widest = tree
        .nodes()
        .filter(strong)
        .max_by_key(|node| tree.weight(*node))
        .unwrap();
    assert_eq!(tree.frame(widest).map(name), Some(replacer));
}

#[test]
fn totals_are_made_equal_where_windows_differ_and_that_is_said() {
    let mut wording = wording!();
    let mut session = history();
    let wish = only(session.press("space G space d"));
    session.serve(wish);
    let compare = comparison(&session);
    assert!(compare.comparison.is_normalised(), "8 s and 10 s");
    wording.add(session.notice());
    session.press("=");
    assert!(!comparison(&session).comparison.is_normalised());
}

#[test]
fn totals_and_widths_go_round_and_filters_hold_for_both_sides() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.compare();
    let gone = |session: &Session| {
        let profile = session.profile();
        let is = |node: &NodeId| {
            profile
                .reading
                .tree
                .frame(*node)
                .is_some_and(|f| profile.reading.frames.name(f) == "verifySignature")
        };
        profile
            .reading
            .tree
            .nodes()
            .filter(is)
            .map(|node| profile.reading.tree.weight(node))
            .sum::<u64>()
    };
    let change = |session: &Session| comparison(session).comparison.total(NodeId::ROOT).change();
    assert!(
        !comparison(&session).comparison.is_normalised() && change(&session) > 0,
        "both windows are alike"
    );
    let place = gone(&session);
    assert!(place > 0);
    session.press("W");
    assert_eq!(
        (comparison(&session).width(), gone(&session)),
        (Width::New, 0)
    );
    session.press("W");
    assert_eq!(
        (comparison(&session).width(), gone(&session)),
        (Width::Base, place)
    );
    session.press("W I =");
    assert_eq!(
        (comparison(&session).width(), change(&session)),
        (Width::Larger, 0)
    );
    assert!(comparison(&session).comparison.is_normalised());
    session.press("= I");
    assert!(!comparison(&session).comparison.is_normalised());

    session.go_to("handleCheckout");
    session.press("f");
    let total = comparison(&session).comparison.total(NodeId::ROOT);
    assert_eq!(session.profile().view.filters.len(), 1);
    session.press("u");
    let whole = comparison(&session).comparison.total(NodeId::ROOT);
    assert!(
        total.base < whole.base && total.new < whole.new,
        "{total:?} of {whole:?}"
    );
}

#[test]
fn what_can_not_be_compared_is_said_and_late_answers_are_dropped() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.state.history.captures.push(before::capture());
    let (id, _) = job(only(session.press("d")));
    session.fail(id, FailureKind::File, "These can't be compared: a reason.");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::Failure(_))
    ));
    assert_eq!(
        session.notice(),
        "",
        "which one it was to be compared with is of no interest now"
    );
    session.press("esc");
    assert!(session.profile().compare.is_none());

    let (first, late) = job(only(session.press("d")));
    let second = only(session.press("d"));
    session.answer(first, before::answer(late).unwrap());
    assert!(
        session.profile().compare.is_none(),
        "only the newest wish counts"
    );
    session.serve(second);
    assert!(session.profile().compare.is_some());
}

#[test]
fn what_only_one_profile_can_show_is_not_offered_in_a_comparison() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.compare();
    for command in [Command::Sandwich, Command::BottomUp, Command::AllHints] {
        assert!(session.act(Action::Run(command)).is_empty(), "{command:?}");
        assert!(
            session.state.overlays.is_empty() && session.profile().sandwich.is_none(),
            "{command:?}"
        );
        assert!(
            help_rows(KeyContext::Compare, &Bindings::default())
                .iter()
                .all(|(_, rows)| rows.iter().all(|row| row.command != command))
        );
    }
}

#[test]
fn a_file_has_no_capture_before_it_but_may_be_compared_with_a_marked_one() {
    let mut wording = wording!();
    let mut session = Session::of_file("recordings/checkout-api.cpu.pprof.gz", SIZE);
    assert!(session.press("d").is_empty());
    wording.add(session.notice());
    session.state.history.captures.push(before::capture());
    session.state.history.marked.push(before::capture().path);
    let (_, job) = job(only(session.press("d")));
    assert_eq!(files(&job), [Some("before.pprof.gz"), None]);
    wording.add(session.notice());
}

/// A capture of `checkout-api` at another time.
fn of(version: (&str, Option<u64>), age: u64, path: &str) -> Capture {
    let mut capture = before::capture();
    capture.provenance.target.version_id = Some(version.0.to_owned());
    capture.provenance.target.version_number = version.1;
    capture.provenance.answered_at = ago(age);
    capture.provenance.asked_at = ago(age);
    capture.path = path.into();
    capture
}

#[test]
fn the_natural_base_is_the_newest_capture_of_the_version_before() {
    let (oldest, old, this) = (
        ("aaaa", Some(125)),
        ("bbbb", Some(127)),
        ("cccc", Some(128)),
    );
    let base = |captures: &[Capture], new: &Capture| {
        let mut session = history();
        session.state.history.captures = captures.to_vec();
        let found = session.state.history.default_baseline(new);
        found.map(|(base, why)| (base.path.to_str().unwrap().to_owned(), why))
    };
    let new = of(this, 10, "new");
    // A rollback: the version before was captured again since, and this version twice.
    let mut all = vec![
        of(old, 1, "old again"),
        new.clone(),
        of(this, 500, "this before"),
        of(old, 900, "old"),
        of(oldest, 700, "oldest"),
    ];
    assert_eq!(
        base(&all, &new),
        Some(("old again".to_owned(), DefaultBaseline::VersionBefore))
    );
    all.remove(0);
    assert_eq!(
        base(&all, &new),
        Some(("old".to_owned(), DefaultBaseline::VersionBefore))
    );
    // Without numbers the version that was captured first is the earlier one.
    for capture in &mut all {
        capture.provenance.target.version_number = None;
    }
    let unnumbered = all[0].clone();
    assert_eq!(
        base(&all, &unnumbered),
        Some(("oldest".to_owned(), DefaultBaseline::VersionBefore))
    );
    // Seen from the oldest version it is the other way round.
    assert_eq!(
        base(&all, &all[2].clone()),
        Some(("oldest".to_owned(), DefaultBaseline::VersionAfter))
    );
    // Of one version alone it is the capture before.
    all.retain(|capture| capture.provenance.target.version_id == new.provenance.target.version_id);
    assert_eq!(
        base(&all, &unnumbered),
        Some(("this before".to_owned(), DefaultBaseline::CaptureBefore))
    );
    let earliest = all[1].clone();
    assert_eq!(base(&all, &earliest), None);
    // Another account's Worker may have the same name, another object the same Worker, another kind the same version.
    let mut stranger = of(old, 900, "stranger");
    stranger.provenance.account_id = Some("f".repeat(32));
    let mut heap = of(old, 900, "heap");
    heap.provenance.kind = Some(Kind::Heap);
    let mut object = of(old, 900, "object");
    object.provenance.target.object =
        Some(ObjectRef::new(&"a".repeat(32), &"b".repeat(64), None).unwrap());
    assert_eq!(base(&[new.clone(), stranger, heap, object], &new), None);
}

#[test]
fn no_number_of_the_table_of_changes_writes_over_another() {
    let source = |times: i64| {
        let text = format!("main;alpha {}\nmain;beta 7\n", 9_999_999_999 * times);
        Source {
            profile: formats::read(text.as_bytes(), "it").unwrap().into(),
            name: "it".to_owned(),
            capture: None,
            path: None,
            members: Vec::new(),
            names: None,
        }
    };
    for size in [(80, 24), (120, 40), (200, 50)] {
        let mut session = Session::captured("checkout-api.cpu", size);
        session.state.history.captures.push(before::capture());
        let (id, job) = job(only(session.press("d")));
        let job = CompareJob {
            base: CompareSide::Open(source(1).into()),
            new: CompareSide::Open(source(3).into()),
            view: None,
            ..job
        };
        session.answer(id, before::answer(job).unwrap());
        let screen = session.screen();
        let metrics = ["9,999,999,999", "29,999,999,997", "+19,999,999,998"];
        let is_whole = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            metrics.iter().all(|figure| words.contains(figure))
        };
        assert!(screen.lines().any(is_whole), "{size:?}: {screen}");
    }
}

#[test]
fn several_captures_of_two_versions_are_two_sides() {
    let (old, new) = (("bbbb", Some(127)), ("cccc", Some(128)));
    let compared = |captures: &[Capture]| {
        let mut session = history();
        session.state.history.captures = captures.to_vec();
        let paths = captures.iter().map(|capture| capture.path.clone());
        session.state.history.marked = paths.collect();
        (session.press("d"), session)
    };
    let mut all = vec![
        of(new, 10, "new 1"),
        of(old, 20, "old 1"),
        of(new, 30, "new 2"),
        of(old, 1, "old 2"),
        of(old, 40, "old 3"),
    ];
    let (effects, session) = compared(&all);
    let (_, job) = job(only(effects));
    let names = |side: &CompareSide| -> Vec<String> {
        let CompareSide::Several(captures) = side else {
            panic!("{side:?}")
        };
        let paths = captures
            .iter()
            .map(|c| c.path.to_string_lossy().into_owned());
        paths.collect()
    };
    assert_eq!(names(&job.base).len(), 3);
    assert!(names(&job.base).iter().all(|name| name.starts_with("old")));
    assert_eq!(names(&job.new).len(), 2);
    assert!(names(&job.new).iter().all(|name| name.starts_with("new")));
    assert!(session.notice().contains("v127"));
    // Of three versions, or of two Workers, nobody knows the sides.
    all.push(of(("aaaa", Some(125)), 50, "oldest"));
    assert!(compared(&all).0.is_empty());
    all.pop();
    all[0].provenance.target.worker = "another".to_owned();
    assert!(compared(&all).0.is_empty());
}
