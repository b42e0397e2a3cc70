//! Searching a profile while typing, in every mode, and walking the matches.

use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::query::search::Mode;

use crate::session::Session;
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// Frames, and value under the matches: in the whole and in the zoom.
fn found(session: &Session) -> (usize, i64, i64) {
    let search = session.profile().search.as_ref().unwrap();
    (search.whole.frames, search.whole.value, search.zoom.value)
}

#[test]
fn a_zoomed_search_shows_the_share_of_the_zoom_and_of_the_whole() {
    let mut session = Session::of_file("cases/a09-search-zoomed.pb", SIZE);
    session.go_to("B");
    session.press("enter / \"inner\"");
    let profile = session.profile();
    assert_eq!(profile.reading.tree.total(profile.zoom), 60_000_000);
    let (_, whole, zoom) = found(&session);
    assert_eq!((whole, zoom), (40_000_000, 10_000_000));
}

#[test]
fn nested_matches_are_counted_once() {
    let mut session = Session::of_file("cases/a10-search-nested.pb", SIZE);
    session.press("/ \"alloc\"");
    let search = session.profile().search.as_ref().unwrap();
    assert_eq!(
        i128::from(search.whole.value) * 2,
        session.profile().reading.base
    );
    assert!(search.whole.frames > 1, "they do nest");
}

#[test]
fn each_typed_letter_is_searched_for_and_the_table_follows() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let all = session.profile().table.shown.len();
    session.press("/");
    assert!(
        session.profile().search.is_none(),
        "nothing dims while nothing is typed"
    );
    let mut last = all;
    for letter in "parse".chars() {
        session.press(&letter.to_string());
        let now = session.profile().table.shown.len();
        assert!(now <= last && now > 0, "{letter}: {now} of {last}");
        last = now;
    }
    assert!(last < all);
    session.press("\"zzz\"");
    assert_eq!(session.profile().table.shown.len(), 0);
    for keys in [
        "down", "up", "enter", "j", "k", "n", "N", "tab", "j", "G", "pgdn", "enter", "y", "f",
        "tab",
    ] {
        session.press(keys);
    }
    session.press("esc");
    assert!(session.profile().search.is_none());
    assert_eq!(session.profile().table.shown.len(), all);
}

#[test]
fn the_modes_change_what_is_found() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("/ \"parse\"");
    let mode = |session: &Session| session.profile().search.as_ref().unwrap().query.mode;
    let substring = found(&session).0;
    assert_eq!(mode(&session), Mode::Substring);
    session.press("tab");
    assert_eq!(mode(&session), Mode::Word);
    assert!(found(&session).0 < substring, "parseCart is another word");
    session.press("tab");
    assert_eq!(
        (mode(&session), found(&session).0),
        (Mode::Regex, substring)
    );
    session.press("\"(\"");
    let error = session.profile().search.as_ref().unwrap().error.clone();
    assert_eq!(
        error.unwrap(),
        "unclosed group",
        "the expression itself stands beside it"
    );
    assert_eq!(found(&session).0, 0);
    session.press("backspace tab");
    assert_eq!(mode(&session), Mode::Fuzzy);
    assert!(found(&session).0 >= substring);
    session.press("tab");
    assert_eq!(
        (mode(&session), found(&session).0),
        (Mode::Substring, substring)
    );
}

#[test]
fn matches_are_walked_heaviest_first_and_go_round() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("/ \"a\" enter");
    let node = |session: &Session| session.profile().selected_node();
    let weight = |session: &Session| session.profile().reading.tree.weight(node(session));
    let first = node(&session);
    let count = found(&session).0;
    wording.add(session.notice());
    let mut last = weight(&session);
    for at in 2..=count {
        session.press("n");
        let notice = session.notice();
        assert!(notice.contains(&format!(" {at} ")), "{notice}");
        assert!(weight(&session) <= last);
        last = weight(&session);
    }
    session.press("n");
    assert_eq!(node(&session), first);
    session.press("N n");
    assert_eq!(node(&session), first);
    session.press("2 n N");
    wording.add(session.notice());
}

#[test]
fn a_line_that_is_left_keeps_the_search_that_was_there_before() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("/ \"cart\" enter");
    let before = found(&session);
    session.press("/ ctrl-u \"zzz\" esc");
    assert_eq!(
        session.profile().search.as_ref().unwrap().query.text,
        "cart"
    );
    assert_eq!(found(&session), before);
    session.press("/ \"z\" backspace enter");
    assert!(
        session.profile().search.is_none(),
        "an empty search is none"
    );
}

#[test]
fn the_selected_function_is_searched_for() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("g n");
    wording.add(session.notice());
    session.go_to("parseCart");
    session.press("* g n");
    assert_eq!(session.selected(), "parseCart");
}

#[test]
fn every_letter_can_be_searched_for() {
    let mut session = Session::of_file("cases/a25-unicode-search.pb", SIZE);
    for text in [",", "é", "W", "i", "İ", "ß", "\\", "日", "\u{301}", "🇩🇪"] {
        session.press("/ ctrl-u");
        for c in text.chars() {
            session.act(flarescope::app::Action::Type(c));
        }
        for _ in 0..4 {
            session.press("tab");
        }
        session.press("enter n N esc");
    }
    assert_eq!(session.profile().zoom, NodeId::ROOT);
}

#[test]
fn a_search_starts_empty_brings_the_last_back_and_ends_at_its_first_match() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("/ \"validate\" enter");
    assert_eq!(session.selected(), "validateAddress");
    session.press("/ \"cart\"");
    let text = |session: &Session| {
        session
            .profile()
            .search
            .as_ref()
            .unwrap()
            .query
            .text
            .clone()
    };
    assert_eq!(text(&session), "cart", "not validatecart");
    session.press("enter");
    assert!(session.selected().to_lowercase().contains("cart"));
    session.press("esc / up");
    assert_eq!(text(&session), "cart");
}

#[test]
fn a_location_is_searched_for() {
    let mut session = Session::of_file("found/n100-three-unnamed.cpuprofile", SIZE);
    session.press("*");
    let profile = session.profile();
    let of_selected = profile.search.as_ref().unwrap().functions;
    let place = profile
        .reading
        .frames
        .info(profile.selected_frame().unwrap())
        .short_place();
    session.press(&format!("esc g / \"{place}\" enter"));
    let profile = session.profile();
    let found = profile
        .reading
        .frames
        .info(profile.selected_frame().unwrap());
    assert_eq!(
        (
            found.short_place(),
            profile.search.as_ref().unwrap().functions
        ),
        (place, 1)
    );
    assert_eq!(of_selected, 1, "the other two are other functions");
}
