//! The mouse: a click selects, a double click zooms, the wheel scrolls.

use std::time::Duration;

use flarescope::app::{Action, Effect, Pane};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::icicle::Content;

use crate::session::{Session, only};

const SIZE: (u16, u16) = (120, 40);

/// The screen's cell in the middle of the widest frame of a row, and the frame's node.
fn widest(session: &Session, row: u16) -> (u16, u16, NodeId) {
    let profile = session.profile();
    let area = profile.geometry.icicle;
    let block = profile
        .layout
        .row(row)
        .iter()
        .max_by_key(|block| block.cells())
        .unwrap();
    let Content::Frame(node) = block.content else {
        panic!("{block:?}")
    };
    (
        area.x + block.start + block.cells() / 2,
        area.y + 1 + row,
        node,
    )
}

#[test]
fn a_click_selects_and_a_second_one_zooms() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("g");
    let (x, y, node) = widest(&session, 1);
    session.act(Action::Click(x, y));
    assert_eq!(session.profile().selected_node(), node);
    assert_eq!(
        session.profile().zoom,
        NodeId::ROOT,
        "one click does not zoom"
    );
    session.wait(Duration::from_millis(200));
    session.act(Action::Click(x, y));
    assert_eq!(session.profile().zoom, node);
}

#[test]
fn slow_clicks_are_two() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let (x, y, _) = widest(&session, 0);
    session.act(Action::Click(x, y));
    session.wait(Duration::from_secs(1));
    session.act(Action::Click(x, y));
    assert_eq!(session.profile().zoom, NodeId::ROOT);
}

#[test]
fn a_row_of_the_table_is_selected_and_then_found_in_the_icicle() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let table = session.profile().geometry.table;
    session.act(Action::Click(table.x + 60, table.y + 3));
    assert_eq!(
        (session.profile().pane, session.table_row().as_str()),
        (Pane::Table, "parseCart")
    );
    session.act(Action::Click(table.x + 60, table.y + 3));
    assert_eq!(
        (session.profile().pane, session.selected().as_str()),
        (Pane::Icicle, "parseCart")
    );
}

#[test]
fn clicks_beside_everything_do_nothing() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let before = (session.profile().selected_node(), session.profile().pane);
    for (x, y) in [(0, 0), (119, 39), (60, 0), (60, 38), (0, 5), (119, 5)] {
        session.act(Action::Click(x, y));
        session.act(Action::Click(x, y));
    }
    assert_eq!(
        (session.profile().selected_node(), session.profile().pane),
        before
    );
    session.press("e");
    let (x, y, _) = widest(&session, 0);
    session.act(Action::Click(x, y));
    assert_eq!(
        session.profile().selected_node(),
        before.0,
        "a sheet in front has the keyboard's attention"
    );
}

#[test]
fn the_wheel_scrolls_what_it_is_over() {
    let mut session = Session::captured("deep-parser.cpu", SIZE);
    let (icicle, table) = (
        session.profile().geometry.icicle,
        session.profile().geometry.table,
    );
    let selected = session.profile().selected_node();
    let wheel = |x, y, down| Action::Wheel { down, x, y };
    session.act(wheel(icicle.x + 5, icicle.y + 5, true));
    assert_eq!(session.profile().first_row, 3);
    assert_eq!(
        session.profile().selected_node(),
        selected,
        "the selection stays"
    );
    session.act(wheel(icicle.x + 5, icicle.y + 5, false));
    session.act(wheel(icicle.x + 5, icicle.y + 5, false));
    assert_eq!(session.profile().first_row, 0, "not past the top");
    session.act(wheel(table.x + 5, table.y + 2, true));
    assert_eq!(session.profile().pane, Pane::Table);
}

#[test]
fn a_worker_is_clicked_and_the_mouse_can_be_turned_off() {
    let mut session = Session::workers(SIZE);
    let first = session.worker().to_owned();
    session.act(Action::Click(5, 5));
    assert_ne!(session.worker(), first);
    let wish = only(session.press(": \"mouse\" enter"));
    assert!(matches!(wish, Effect::Mouse(true)), "{wish:?}");
    let wish = only(session.press(": \"mouse\" enter"));
    assert!(matches!(wish, Effect::Mouse(false)), "{wish:?}");
}
