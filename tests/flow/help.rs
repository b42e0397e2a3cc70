//! Finding one's way: the keys that work here, every command by name, themes, and how to begin.

use std::collections::HashMap;

use flarescope::app::{
    Bindings, COMMANDS, CaptureEffect, Command, Effect, Key, KeyContext, Origin, Overlay,
    PickerItem, Screen, key_context,
};
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::screenshot;
use flarescope::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::session::Session;
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// The screen as text.
fn drawn(session: &Session) -> String {
    let theme = Theme::load("ember", Depth::None).unwrap().theme;
    let (columns, rows) = session.state.size;
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    flarescope::ui::draw(
        &mut buffer,
        &session.state,
        &theme,
        Glyphs::Unicode,
        session.now,
    );
    screenshot::text(&buffer)
}

fn themes(session: &Session) -> Vec<String> {
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!("no list of themes")
    };
    picker
        .items
        .iter()
        .map(|item| {
            if let PickerItem::Theme(name) = item {
                name.clone()
            } else {
                panic!()
            }
        })
        .collect()
}

#[test]
fn the_keys_that_work_here_are_searched_by_word_name_and_key() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("?");
    let all = drawn(&session);
    session.press("/");
    assert_eq!(key_context(&session.state), KeyContext::Filter);
    session.press("\"recursion\" enter");
    let text = drawn(&session);
    wording.add(&text);
    assert!(text.contains("[/recursion]"), "{text}");
    // A key finds its command.
    session.press("/ ctrl-u \"z\" enter");
    let found = drawn(&session);
    wording.add(&found);
    session.press("/ ctrl-u \"no such thing\"");
    let text = drawn(&session);
    wording.add(text);
    // Left as it was before it was opened.
    session.press("esc");
    assert_eq!(drawn(&session), found);
    session.press("esc");
    assert_eq!(key_context(&session.state), KeyContext::Icicle);
    session.press("?");
    assert_eq!(drawn(&session), all, "the next time all are there");
}

#[test]
fn the_palette_lists_every_command_and_says_where_one_works_that_does_not_here() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press(":");
    let Some(Overlay::Picker(palette)) = session.state.overlays.top() else {
        panic!("no palette")
    };
    for row in COMMANDS
        .iter()
        .filter(|row| row.command != Command::Palette)
    {
        assert!(
            palette.items.contains(&PickerItem::Command(row.command)),
            "{}",
            row.name
        );
    }
    assert_eq!(palette.all, COMMANDS.len() - 1);
    session.press("\"sandwich\" enter");
    wording.add(session.notice());
    // What works here stands first, whatever fits better.
    session.press(": \"sor\"");
    let Some(Overlay::Picker(palette)) = session.state.overlays.top() else {
        panic!("no palette")
    };
    assert_eq!(
        palette.items[..2],
        [
            PickerItem::Command(Command::Sort),
            PickerItem::Command(Command::SortReverse)
        ]
    );
}

#[test]
fn themes_are_walked_filtered_and_looked_at_and_the_previous_one_comes_back() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("T");
    let all = themes(&session);
    for (keys, wanted) in [
        ("j", 1),
        ("G", all.len() - 1),
        ("g", 0),
        ("pgdn", all.len() - 1),
        ("k k", all.len() - 3),
    ] {
        session.press(keys);
        assert_eq!(session.state.theme.name, all[wanted], "after {keys}");
    }
    session.press("/ \"mon\"");
    assert_eq!(
        (themes(&session), session.state.theme.name.as_str()),
        (vec!["mono".to_owned()], "mono")
    );
    session.press("enter");
    assert_eq!(key_context(&session.state), KeyContext::Picker);
    session.press("esc");
    assert_eq!(session.state.theme.name, "ember", "it was only looked at");
    session.press("T / \"day\" enter enter");
    assert_eq!(
        (
            session.state.theme.name.as_str(),
            session.state.overlays.is_empty()
        ),
        ("daylight", true)
    );
    wording.add(session.notice());
    // Nothing fits: nothing changes.
    session.press("T / \"zzz\" enter enter");
    assert_eq!(session.state.theme.name, "daylight");
}

#[test]
fn how_to_begin_is_reported_until_the_first_key_on_every_screen() {
    let mut wording = wording!();
    let screens: [fn((u16, u16)) -> Session; 4] = [
        Session::workers,
        |size| Session::captured("geo-router.cpu", size),
        |size| {
            let mut session = Session::workers(size);
            session.press("C");
            session
        },
        |size| Session::fresh(Origin::Offline, size).0,
    ];
    for size in [(60, 15), (80, 24), SIZE] {
        for screen in screens {
            let mut session = screen(size);
            let plain = drawn(&session);
            session.state.first_steps = true;
            let text = drawn(&session);
            assert!(text.contains('─') && !text.contains('{'), "{text}");
            wording.news(&plain, &text);
            session.press("j");
            session.press("k");
            assert_eq!(drawn(&session), plain);
        }
    }
}

#[test]
fn sentences_name_the_keys_in_force() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.state.settings.keys = Bindings::new(HashMap::from([
        (Command::UndoFilter, vec![Key::Ctrl('z')]),
        (Command::Help, vec![Key::F(1)]),
    ]));
    let text = drawn(&session);
    wording.add(text.lines().last().unwrap());
    session.press("f i");
    wording.lines(&drawn(&session), "^z ");
    assert_eq!(session.state.screen, Screen::Profile);
}

#[test]
fn a_line_of_the_form_follows_the_user_s_own_keys() {
    let mut session = Session::workers(SIZE);
    session.state.settings.keys = Bindings::new(HashMap::from([
        (Command::Accept, vec![Key::Ctrl('g')]),
        (Command::NextRow, vec![Key::Ctrl('n')]),
        (Command::PreviousPane, vec![Key::Ctrl('p')]),
    ]));
    session.press("c j j l tab");
    assert_eq!(key_context(&session.state), KeyContext::FormText);
    assert!(session.press("enter").is_empty(), "it sends no longer");
    session.press("ctrl-n");
    assert_eq!(key_context(&session.state), KeyContext::Form);
    session.press("ctrl-p");
    assert_eq!(key_context(&session.state), KeyContext::FormText);
    let sent = session.press("ctrl-g");
    assert!(matches!(
        sent[..],
        [Effect::Capture(_, CaptureEffect::Start(..))]
    ));
}

#[test]
fn a_key_that_does_nothing_here_says_where_it_works() {
    let mut session = Session::workers((80, 24));
    for (key, command) in [("e", "export"), ("f", "focus"), ("!", "next-hint")] {
        session.press(key);
        assert!(
            session.notice().contains(command),
            "{key}: {}",
            session.notice()
        );
    }
}

#[test]
fn words_of_other_tools_find_their_command() {
    use flarescope::app::Picker;
    for (word, command) in [
        ("diff", Command::Compare),
        ("baseline", Command::Compare),
        ("collapse", Command::FoldRecursion),
        ("download", Command::Export),
        ("save", Command::Export),
        ("normalize", Command::Normalise),
        ("invert", Command::BottomUp),
        ("peek", Command::Sandwich),
        ("flame graph", Command::Layout),
        ("exit", Command::Quit),
        ("back", Command::ZoomOut),
    ] {
        let found = Picker::commands(word, |_| true).items;
        let at = found
            .iter()
            .position(|item| matches!(item, PickerItem::Command(found) if *found == command));
        assert!(at.is_some_and(|at| at < 3), "{word}: {at:?}");
    }
}

#[test]
fn the_help_of_a_profile_is_one_page_at_any_size() {
    for size in [(80, 24), (120, 40), (200, 50)] {
        let mut session = Session::captured("checkout-api.cpu", size);
        session.press("?");
        let page = drawn(&session);
        session.press("j j j pgdn");
        assert_eq!(drawn(&session), page, "nothing to scroll at {size:?}");
        for keys in ["h j k l", "f i", "x F", "b B", "w C", "^c ^l"] {
            assert!(page.contains(keys), "{keys} in {page}");
        }
        session.press("/ \"recursion\"");
        assert_ne!(drawn(&session), page, "a search lists what it finds");
    }
}
