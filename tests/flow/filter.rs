//! What a profile's view leaves out, and how it is turned.

use flarescope::app::{Action, Effect, FailureKind, ProfileEffect, ProfileResponse, Response};
use flarescope::model::graph::aggregate;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::{Direction, Identity};

use crate::session::{Session, fixture};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn shown(session: &Session) -> i128 {
    session.profile().reading.shown
}

#[test]
fn filters_are_added_undone_and_cleared_and_the_selection_stays() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    let (all, own) = (
        shown(&session),
        session
            .profile()
            .reading
            .tree
            .total(session.profile().selected_node()),
    );
    session.press("f");
    assert_eq!(
        shown(&session),
        i128::from(own),
        "parseCart is called from one place"
    );
    assert_eq!(session.selected(), "parseCart");
    session.press("u");
    assert_eq!(
        (shown(&session), session.selected().as_str()),
        (all, "parseCart")
    );
    session.press("i");
    assert_eq!(shown(&session), all - i128::from(own));
    session.go_to("validateAddress");
    session.press("f x");
    assert_eq!(session.profile().view.filters.len(), 3);
    let names = |session: &Session| {
        let (tree, frames) = (
            &session.profile().reading.tree,
            &session.profile().reading.frames,
        );
        tree.nodes()
            .filter_map(|node| Some(frames.name(tree.frame(node)?).to_owned()))
            .collect::<Vec<_>>()
    };
    assert!(!names(&session).contains(&"validateAddress".to_owned()));
    session.press("U");
    assert_eq!(shown(&session), all);
    assert!(session.profile().view.filters.is_empty());
    session.press("u");
    wording.add(session.notice());
}

#[test]
fn a_filter_keeps_the_zoom_where_it_can() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("g j enter");
    let zoomed = |session: &Session| {
        let profile = session.profile();
        profile
            .reading
            .tree
            .frame(profile.zoom)
            .map(|frame| profile.reading.frames.name(frame).to_owned())
    };
    let before = zoomed(&session);
    assert!(before.is_some());
    session.go_to("parseCart");
    session.press("i");
    assert_eq!(zoomed(&session), before);
    session.press("backspace");
    assert_eq!(
        session.profile().zoom,
        NodeId::ROOT,
        "the way back is still there"
    );
}

#[test]
fn a_view_from_a_function_cuts_what_is_above() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("F");
    let profile = session.profile();
    let first = profile.reading.tree.unordered(NodeId::ROOT).next().unwrap();
    assert_eq!(
        profile
            .reading
            .frames
            .name(profile.reading.tree.frame(first).unwrap()),
        "parseCart"
    );
}

#[test]
fn filters_that_leave_nothing_can_be_undone() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("f i");
    assert!(session.profile().is_empty());
    for keys in [
        "j", "k", "l", "enter", "tab", "j", "enter", "f", "x", "D", "esc", "n", "*", "Y", "y", "t",
        "b", "b",
    ] {
        session.press(keys);
    }
    session.press("U");
    assert!(!session.profile().is_empty());
}

#[test]
fn direct_recursion_is_folded_and_unfolded() {
    let mut session = Session::of_file("cases/a13-recursion.pb", SIZE);
    let height = |session: &Session| session.profile().reading.tree.height(NodeId::ROOT);
    let (deep, all) = (height(&session), shown(&session));
    session.press("r");
    assert!(height(&session) < deep, "{} of {deep}", height(&session));
    assert_eq!(shown(&session), all);
    session.press("r");
    assert_eq!(height(&session), deep);
}

#[test]
fn idle_time_is_left_out_at_first_and_the_base_never_changes() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let reading = &session.profile().reading;
    let (idle, base, without) = (reading.idle, reading.base, reading.shown);
    assert!(idle > 0 && without == base - idle);
    session.press("I");
    assert_eq!(
        (
            session.profile().reading.idle,
            session.profile().reading.base
        ),
        (0, base)
    );
    assert_eq!(shown(&session), base);
    session.press("I");
    assert_eq!(shown(&session), without);
}

#[test]
fn the_next_sample_type_is_read_and_comes_round() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let first = (
        session.profile().sample_type(),
        session.profile().unit(),
        shown(&session),
    );
    session.press("V");
    let second = (
        session.profile().sample_type(),
        session.profile().unit(),
        shown(&session),
    );
    assert_ne!(first, second);
    session.press("V");
    assert_eq!(
        (
            session.profile().sample_type(),
            session.profile().unit(),
            shown(&session)
        ),
        first
    );
}

#[test]
fn until_the_next_type_is_read_the_old_values_keep_their_unit() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let unit = session.profile().unit();
    let wishes = flarescope::app::update(
        &mut session.state,
        Action::Run(flarescope::app::Command::SampleType),
        session.now,
    );
    let [Effect::Profile(id, ProfileEffect::Read(..))] = wishes[..] else {
        panic!("{wishes:?}")
    };
    assert_eq!(
        session.profile().unit(),
        unit,
        "what is shown is still counted in it"
    );
    session.fail(id, FailureKind::File, "It can't be read.");
    assert_eq!(
        (session.profile().unit(), session.notice().as_str()),
        (unit, "It can't be read.")
    );
    assert_eq!(
        session.profile().view.sample_type,
        1,
        "the view that is shown is the one in force again"
    );
}

#[test]
fn only_the_last_of_several_views_is_shown() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    let all = shown(&session);
    let mut asked = Vec::new();
    for command in [
        flarescope::app::Command::Focus,
        flarescope::app::Command::UndoFilter,
    ] {
        let now = session.now;
        asked.extend(flarescope::app::update(
            &mut session.state,
            Action::Run(command),
            now,
        ));
    }
    let mut read = asked.into_iter().map(|effect| match effect {
        Effect::Profile(id, ProfileEffect::Read(profile, view)) => (
            id,
            Response::Profile(ProfileResponse::Read(
                view.clone(),
                aggregate::read(&profile, &view).unwrap().into(),
            )),
        ),
        other => panic!("{other:?}"),
    });
    let (old, new) = (read.next().unwrap(), read.next().unwrap());
    session.answer(new.0, new.1);
    session.answer(old.0, old.1);
    assert_eq!(shown(&session), all, "the older answer came late");
}

#[test]
fn a_filter_is_on_the_search_where_the_selected_function_is_none_of_its_matches() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let focused = |session: &Session| {
        let tree = &session.profile().reading.tree;
        tree.total(flarescope::model::graph::call_tree::NodeId::ROOT)
    };
    session.go_to("validateAddress");
    session.press("/ \"cart\" enter g f");
    // parseCart and priceCart together: the totals are those of the reference implementation.
    assert_eq!(focused(&session), 516_116_000 + 520_151_000);
    assert_eq!(session.profile().view.filters[0].chip(), "focus (?i)cart");
    session.press("u n f");
    assert_eq!(
        session.profile().view.filters.len(),
        1,
        "a selected match is meant itself"
    );
    assert!(
        ["focus parseCart worker.js", "focus priceCart worker.js"]
            .contains(&session.profile().view.filters[0].chip().as_str())
    );
}

#[test]
fn turning_around_keeps_the_function_that_was_selected() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("validateAddress");
    session.press("b");
    assert_eq!(
        session.selected(),
        "validateAddress",
        "not its outermost caller"
    );
    let profile = session.profile();
    assert_eq!(
        profile.reading.tree.depth(profile.selected_node()),
        1,
        "what has self time stands on top"
    );
    session.press("j");
    assert_eq!(session.selected(), "handleCheckout");
    session.press("b");
    assert_eq!(session.selected(), "handleCheckout");
    assert_eq!(
        session
            .profile()
            .reading
            .tree
            .depth(session.profile().selected_node()),
        1
    );
}

#[test]
fn turned_to_callers_the_heaviest_self_value_is_first() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("b");
    let profile = session.profile();
    assert_eq!(profile.view.direction, Direction::BottomUp);
    let first = profile
        .reading
        .tree
        .children(NodeId::ROOT, profile.order, &profile.reading.frames)
        .nodes[0];
    assert_eq!(
        profile
            .reading
            .frames
            .name(profile.reading.tree.frame(first).unwrap()),
        "validateAddress"
    );
    session.press("b");
    assert_eq!(session.profile().view.direction, Direction::TopDown);
}

#[test]
fn rows_are_taken_by_five_identities_in_turn() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let all = shown(&session);
    let mut seen = Vec::new();
    for _ in 0..5 {
        session.press("p");
        seen.push(session.profile().view.by);
        assert_eq!(shown(&session), all);
        let own: i128 = session
            .profile()
            .table
            .rows
            .iter()
            .map(|row| i128::from(row.self_value))
            .sum();
        assert_eq!(
            own,
            all,
            "by {:?} nothing is lost",
            session.profile().view.by
        );
    }
    assert_eq!(
        seen,
        [
            Identity::Name,
            Identity::Line,
            Identity::File,
            Identity::Package,
            Identity::Function
        ]
    );
}

#[test]
fn undoing_a_zoom_never_selects_outside_of_what_is_zoomed_into() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    // In the table every row can be selected, whatever the icicle is zoomed into.
    session.press("enter tab g");
    let is_inside = |session: &Session| {
        let profile = session.profile();
        let tree = &profile.reading.tree;
        tree.is_within(profile.selected_node(), profile.zoom)
    };
    while is_inside(&session) {
        let before = session.profile().table.selected;
        session.press("j");
        assert_ne!(session.profile().table.selected, before, "no row outside");
    }
    let zoom = session.profile().zoom;
    session.press("z tab backspace");
    assert_eq!(session.profile().zoom, zoom);
    assert!(is_inside(&session));
}

#[test]
fn per_cents_are_of_the_capture_the_zoom_or_what_is_shown() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("enter");
    let base = |session: &Session| session.profile().base();
    let (capture, zoom) = (
        session.profile().reading.base,
        session
            .profile()
            .reading
            .tree
            .weight(session.profile().zoom),
    );
    assert_eq!(base(&session).0.value, capture);
    wording.add(base(&session).1);
    session.press("%");
    assert_eq!(base(&session).0.value, zoom.into());
    wording.add(base(&session).1);
    wording.add(session.notice());
    session.press("%");
    assert_eq!(base(&session).0.value, shown(&session));
    wording.add(base(&session).1);
    session.press("%");
    assert_eq!(base(&session).0.value, capture);
}

#[test]
fn no_profile_of_the_fixtures_breaks_on_any_key_of_a_view() {
    let keys = "j j l enter f u x u i u F u r r I I p p p p p V b G k b a a P P P % % % t t t t + - z tab s s s S G g enter";
    let mut files = Vec::new();
    for folder in ["cases", "malformed", "recordings"] {
        files.extend(
            std::fs::read_dir(fixture(folder))
                .unwrap()
                .map(|f| (folder, f.unwrap().file_name())),
        );
    }
    let mut read = 0;
    for (folder, file) in files {
        let path = format!("{folder}/{}", file.to_string_lossy());
        if crate::session::read(&path).is_none() {
            continue;
        }
        let mut session = Session::of_file(&path, (80, 24));
        session.press(keys);
        let profile = session.profile();
        let own: i128 = profile
            .table
            .rows
            .iter()
            .map(|row| i128::from(row.self_value))
            .sum();
        assert_eq!(own, profile.reading.shown, "{path}: table and graph agree");
        read += 1;
    }
    assert!(read > 50, "{read} profiles");
}

#[test]
fn a_filter_is_on_one_function_not_on_all_of_its_name() {
    let mut session = Session::of_file("found/n100-three-unnamed.cpuprofile", SIZE);
    session.state.profile.as_mut().unwrap().source.path = Some("three.cpuprofile".into());
    let frame = session.profile().selected_frame().unwrap();
    let reading = &session.profile().reading;
    let (all, own) = (reading.shown, reading.stat(frame).total);
    let identity = reading.frames.info(frame).identity();
    assert!(identity.starts_with("(anonymous)@"), "{identity}");
    for (keys, left) in [("f", i128::from(own)), ("i", all - i128::from(own))] {
        session.press(keys);
        assert_eq!(shown(&session), left, "{keys}");
        let command = session.profile().command().unwrap();
        assert!(
            command.contains(&format!("-function '{identity}'")),
            "{command}"
        );
        session.press("U");
    }
    // Rows by line are lines of a function, and a filter there is on the function.
    session.press("p p");
    assert_eq!(session.profile().view.by, Identity::Line);
    session.go_to("(anonymous)");
    let frame = session.profile().selected_frame().unwrap();
    let own = session.profile().reading.stat(frame).total;
    session.press("i");
    assert_eq!(shown(&session), all - i128::from(own));
}

#[test]
fn the_selection_comes_back_when_a_filter_or_rows_that_lost_it_are_undone() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("priceCart");
    let node = session.profile().selected_node();
    for keys in ["F u", "x u", "p p p p p", "i U"] {
        session.press(keys);
        assert_eq!(session.profile().selected_node(), node, "{keys}");
    }
    session.press("x k");
    let moved = session.profile().selected_node();
    assert_ne!(moved, node);
    let name = session.selected();
    session.press("u");
    assert_eq!(session.selected(), name, "a move is not undone");
}
