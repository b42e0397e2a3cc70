//! Walking a profile: moves, zooms, the two panes' one selection, sizes.

use flarescope::app::{Pane, Selection, Shape};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::icicle::Content;

use crate::session::Session;

const SIZE: (u16, u16) = (120, 40);
/// The cases' samples are of a millisecond.
const MS: i64 = 1_000_000;

#[test]
fn a_zoom_out_returns_to_where_the_zoom_was_made() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("g j j j");
    let before = (session.profile().zoom, session.selected());
    session.press("enter j enter j");
    assert_ne!(session.profile().zoom, before.0);
    session.press("backspace backspace");
    assert_eq!((session.profile().zoom, session.selected()), before);
    session.press("backspace");
    assert_eq!(session.state.screen, flarescope::app::Screen::Workers);
}

#[test]
fn the_whole_is_one_key_away_and_so_is_the_way_back() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("g 3 j enter");
    let (zoom, selected) = (session.profile().zoom, session.selected());
    session.press("z");
    assert_eq!(
        (session.profile().zoom, session.selected()),
        (NodeId::ROOT, selected.clone())
    );
    session.press("backspace");
    assert_eq!(
        (session.profile().zoom, session.selected()),
        (zoom, selected)
    );
}

#[test]
fn counts_repeat_the_next_command_only() {
    let mut session = Session::captured("deep-parser.cpu", SIZE);
    session.press("g 5 j");
    let depth = |session: &Session| {
        session
            .profile()
            .reading
            .tree
            .depth(session.profile().selected_node())
    };
    assert_eq!(depth(&session), 5);
    session.press("j");
    assert_eq!(depth(&session), 6);
    session.press("1 0 j");
    assert_eq!(depth(&session), 16, "0 counts after a digit");
    session.press("3 k k");
    assert_eq!(depth(&session), 12);
    session.press("9 9 9 9 9 9 9 9 9 9 9 9 j");
    assert!(
        session.state.keys.count.is_none() && depth(&session) > 12,
        "no end of digits freezes anything"
    );
    session.press("g 4 esc j");
    assert_eq!(depth(&session), 1, "Esc takes the count away");
}

#[test]
fn moves_stay_in_the_row_and_end_at_its_ends() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("g j j j");
    let row = |session: &Session| session.profile().selected_block().map(|b| b.row);
    let start = (row(&session), session.selected());
    session.press("l l");
    assert_eq!(row(&session), start.0);
    assert_ne!(session.selected(), start.1);
    session.press("h h");
    assert_eq!(session.selected(), start.1);
    session.press("1 0 0 h");
    session.press("k k k k k k k");
    assert_eq!(
        session.selected(),
        "all",
        "the ceiling is the end of the way up"
    );
    session.press("G");
    let node = session.profile().selected_node();
    assert!(
        session
            .profile()
            .reading
            .tree
            .children(node, Default::default(), &session.profile().reading.frames)
            .nodes
            .is_empty()
    );
}

#[test]
fn a_frame_thinner_than_a_cell_is_found_zoomed_and_left_again() {
    let mut session = Session::of_file("cases/a11-narrow.pb", (80, 24));
    session.press("/ \"needle\" enter n");
    assert_eq!(session.selected(), "needle");
    let drawn = |session: &Session| session.profile().selected_block().is_some();
    assert!(drawn(&session), "going there zooms as far as it takes");
    session.press("enter");
    let profile = session.profile();
    assert_eq!(
        profile
            .reading
            .frames
            .name(profile.reading.tree.frame(profile.zoom).unwrap()),
        "needle"
    );
    session.press("backspace backspace");
    assert_eq!(
        session.profile().zoom,
        NodeId::ROOT,
        "one key undoes one step"
    );
}

#[test]
fn collected_frames_are_reported_opened_and_left() {
    let mut session = Session::of_file("cases/a12-many-small.pb", (80, 24));
    session.press("g G");
    let Selection::Collected(collected) = session.profile().selection else {
        panic!("{}", session.selected())
    };
    let row = session.profile().selected_block().unwrap().row;
    let drawn = session.profile().layout.row(row).iter();
    let frames = drawn
        .filter(|b| matches!(b.content, Content::Frame(_)))
        .count();
    assert_eq!(
        frames + collected.count as usize,
        300,
        "nothing is dropped in silence"
    );
    session.press("enter");
    assert_eq!(session.profile().only, Some(collected));
    session.press("backspace");
    assert_eq!(
        (session.profile().only, session.profile().selection),
        (None, Selection::Collected(collected))
    );
}

#[test]
fn the_table_counts_all_that_the_icicle_can_t_draw() {
    let session = Session::of_file("cases/a12-many-small.pb", (80, 24));
    let rows = &session.profile().table.rows;
    let own: i64 = rows.iter().map(|row| row.self_value).sum();
    assert_eq!(
        (rows.iter().filter(|row| row.samples == 1).count(), own),
        (300, 300_000_000)
    );
}

#[test]
fn recursion_is_counted_once_in_totals() {
    let session = Session::of_file("cases/a13-recursion.pb", SIZE);
    let profile = session.profile();
    let figures = |name: &str| {
        let row = profile
            .table
            .rows
            .iter()
            .find(|row| profile.reading.frames.name(row.frame) == name)
            .unwrap();
        (row.self_value / MS, row.total / MS)
    };
    assert_eq!(
        (figures("walk"), figures("leaf").0, figures("visit").1),
        ((4, 10), 6, 4)
    );
    assert!(
        profile
            .table
            .rows
            .iter()
            .all(|row| i128::from(row.total) <= profile.reading.base)
    );
}

#[test]
fn the_two_panes_share_one_selection() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("tab");
    assert_eq!(
        (session.profile().pane, session.table_row().as_str()),
        (Pane::Table, "parseCart")
    );
    session.press("j");
    let row = session.table_row();
    assert_ne!(row, "parseCart");
    session.press("tab");
    assert_eq!(session.selected(), row);
    session.press("tab k enter");
    assert_eq!(
        (session.profile().pane, session.selected().as_str()),
        (Pane::Icicle, "parseCart")
    );
}

#[test]
fn enter_in_the_table_goes_to_the_heaviest_place_even_out_of_the_zoom() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("enter tab g");
    let name = session.table_row();
    session.press("enter");
    let profile = session.profile();
    let node = profile.selected_node();
    assert_eq!(session.selected(), name);
    let heaviest = profile
        .reading
        .heaviest(profile.reading.tree.frame(node).unwrap());
    assert_eq!(heaviest, Some(node));
}

#[test]
fn any_size_and_back_leaves_the_view_as_it_was() {
    let mut session = Session::captured("checkout-api.cpu", (80, 24));
    session.go_to("parseCart");
    session.press("tab j");
    let look = |session: &Session| {
        let profile = session.profile();
        (
            session.selected(),
            session.table_row(),
            profile.zoom,
            profile.first_row,
            profile.table.offset,
            profile.geometry,
        )
    };
    let before = look(&session);
    for size in [
        (80, 6),
        (20, 3),
        (1, 1),
        (300, 100),
        (0, 0),
        (u16::MAX, 2),
        (2, u16::MAX),
        (80, 24),
    ] {
        session.act(flarescope::app::Action::Resize(size.0, size.1));
    }
    assert_eq!(look(&session), before);
    for keys in [
        "j j j enter",
        "G",
        "tab G",
        "t t t t",
        "s S / \"a\" enter n",
    ] {
        session.act(flarescope::app::Action::Resize(1, 1));
        session.press(keys);
        session.act(flarescope::app::Action::Resize(80, 24));
    }
}

#[test]
fn the_selection_stays_on_the_screen_of_a_deep_profile() {
    let mut session = Session::captured("deep-parser.cpu", (80, 24));
    session.press("g");
    for keys in ["G", "pgup", "ctrl-u", "pgdn", "2 0 j", "7 k"] {
        session.press(keys);
        let profile = session.profile();
        let row = profile
            .selected_block()
            .unwrap_or_else(|| panic!("after {keys} nothing shows the selection"))
            .row;
        assert!(row < profile.geometry.frame_rows(), "{keys}");
    }
    session.act(flarescope::app::Action::Resize(80, 16));
    assert!(session.profile().selected_block().is_some());
}

#[test]
fn layouts_go_round_and_the_focus_is_where_something_is_shown() {
    let mut session = Session::captured("deep-parser.cpu", (200, 50));
    let look = |session: &Session| {
        let profile = session.profile();
        (
            profile.geometry.beside,
            profile.geometry.icicle.height > 0,
            profile.geometry.table.height > 0,
        )
    };
    assert_eq!(
        look(&session),
        (true, true, true),
        "deep and wide: side by side"
    );
    session.press("t");
    assert_eq!(look(&session), (false, true, false));
    session.press("tab");
    assert_eq!(
        (look(&session), session.profile().pane),
        ((false, false, true), Pane::Table)
    );
    session.press("t");
    assert_eq!(
        (look(&session), session.profile().shape),
        ((false, true, true), Shape::Stacked)
    );
    session.press("t");
    assert_eq!(look(&session), (true, true, true));
}

#[test]
fn the_table_takes_rows_from_the_icicle_and_gives_them_back() {
    let mut session = Session::captured("monolith.cpu", SIZE);
    let rows = |session: &Session| session.profile().geometry.table_rows();
    let before = rows(&session);
    session.press("3 +");
    assert_eq!(rows(&session), before + 3);
    session.press("- - -");
    assert_eq!(rows(&session), before);
    session.press("9 9 9 9 9 +");
    assert!(session.profile().geometry.frame_rows() >= 1);
    session.press("9 9 9 9 9 -");
    assert!(session.profile().geometry.table_rows() >= 1);
}

#[test]
fn a_profile_in_which_nothing_dominates_opens_on_own_code() {
    use flarescope::model::graph::frames::Family;
    let session = Session::captured("monolith.cpu", SIZE);
    let profile = session.profile();
    let frame = profile.selected_frame().unwrap();
    assert_eq!(profile.reading.frames.family(frame), Family::Own);
}
