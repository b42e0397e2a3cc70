//! Every screen as it was accepted: signs and styles of each cell, at the sizes that matter.
//!
//! A snapshot is the buffer that the terminal is written from. After a change of the looks, `cargo insta review` shows
//! what became different; or `INSTA_UPDATE=always cargo test --test screens`, and the difference is in the commit.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

#[path = "../session/mod.rs"]
mod session;

mod contrast;
mod scenes;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use flarescope::ui;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::screenshot;
use flarescope::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use session::Session;

const LOW: (u16, u16) = (80, 24);
const HIGH: (u16, u16) = (120, 40);
const WIDE: (u16, u16) = (200, 50);
const LEAST: (u16, u16) = (60, 15);
const TOO_SMALL: (u16, u16) = (52, 12);

/// How a screen is drawn.
#[derive(Clone, Copy)]
enum Look {
    /// 256 colours, as is sent by default.
    Colours,
    /// No colours at all.
    Mono,
    /// 256 colours, ASCII signs.
    Ascii,
}

fn draw(session: &Session, look: Look) -> Buffer {
    let (depth, glyphs) = match look {
        Look::Colours => (Depth::Indexed256, Glyphs::Unicode),
        Look::Mono => (Depth::None, Glyphs::Unicode),
        Look::Ascii => (Depth::Indexed256, Glyphs::Ascii),
    };
    let theme = Theme::load(&session.state.theme.name, depth).unwrap().theme;
    let (columns, rows) = session.state.size;
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    ui::draw(&mut buffer, &session.state, &theme, glyphs, session.now);
    buffer
}

/// A snapshot's name: the scene, the size, and the look where it is not the usual one.
fn name(scene: &str, size: (u16, u16), look: Look) -> String {
    let look = match look {
        Look::Colours => "",
        Look::Mono => "-mono",
        Look::Ascii => "-ascii",
    };
    format!("{scene}-{}x{}{look}", size.0, size.1)
}

fn check(scene: &str, shots: &[((u16, u16), Look)], stage: fn((u16, u16)) -> Session) {
    for &(size, look) in shots {
        let buffer = draw(&stage(size), look);
        let settings = insta::Settings::clone_current();
        let _bound = {
            let mut settings = settings;
            settings.set_snapshot_path("../snapshots");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind_to_scope()
        };
        insta::assert_debug_snapshot!(name(scene, size, look), buffer);
    }
}

macro_rules! scenes {
    ($($scene:ident: $($size:ident $look:ident),+;)*) => {
        $(#[test] fn $scene() {
            check(stringify!($scene), &[$(($size, Look::$look)),+], scenes::$scene);
        })*

        /// Every snapshot that a test looks at.
        fn all() -> Vec<(String, Session, Look)> {
            vec![$($((name(stringify!($scene), $size, Look::$look), scenes::$scene($size), Look::$look)),+),*]
        }

        /// How each scene comes about.
        fn stages() -> Vec<(&'static str, fn((u16, u16)) -> Session)> {
            vec![$((stringify!($scene), scenes::$scene)),*]
        }
    };
}

scenes! {
    sandwich: HIGH Colours, LOW Colours, LOW Mono;
    hints: HIGH Colours, LOW Colours;
    list: LEAST Colours, LOW Colours, HIGH Colours, WIDE Colours, LOW Mono, LOW Ascii;
    list_loading: LOW Colours;
    list_filtered: LOW Colours;
    list_without_match: LOW Colours;
    list_pane: HIGH Colours;
    form: LOW Colours, HIGH Colours, LOW Mono;
    form_object: HIGH Colours;
    countdown: LOW Colours, HIGH Colours, LOW Ascii;
    form_canary: LOW Colours, HIGH Colours;
    countdown_row: LOW Colours, HIGH Colours;
    countdown_queued: LOW Colours;
    list_chip: LOW Colours, HIGH Colours;
    awaiting: LOW Colours, HIGH Colours, LOW Ascii;
    ask_quit: LOW Colours, HIGH Colours;
    failure: LOW Colours, HIGH Colours;
    failure_limited: LOW Colours;
    failure_row: LOW Colours, HIGH Colours;
    profile: LEAST Colours, LOW Colours, HIGH Colours, WIDE Colours, HIGH Mono, LOW Ascii;
    too_small: TOO_SMALL Colours;
    zoom: HIGH Colours, HIGH Ascii;
    search: LOW Colours, HIGH Colours, LOW Mono;
    collected: LOW Colours;
    filters: HIGH Colours;
    heap_table: HIGH Colours;
    deep: LOW Colours, WIDE Colours;
    details: LOW Colours;
    code: LOW Colours, HIGH Colours, HIGH Mono;
    code_of_a_bundle: HIGH Colours;
    export: LOW Colours, HIGH Colours;
    help: LOW Colours, HIGH Colours;
    palette: LOW Colours;
    history: LOW Colours, HIGH Colours, WIDE Colours, HIGH Mono;
    history_by_time: LOW Colours, HIGH Colours;
    history_note: LOW Colours, HIGH Colours;
    compare: LOW Colours, HIGH Colours, WIDE Colours, HIGH Mono, LOW Ascii;
    compare_fix: LOW Colours, HIGH Colours;
    compare_table: LOW Colours, HIGH Colours;
    marks: LOW Colours;
    welcome: LOW Colours;
    welcome_nearby: LOW Colours;
    local: LOW Colours, HIGH Colours, LOW Ascii;
    local_form: LOW Colours, HIGH Colours;
    empty_profile: LOW Colours, HIGH Colours;
    wide_names: LOW Colours;
    accounts: LOW Colours, HIGH Colours;
    accounts_typed: LOW Colours;
    objects: LOW Colours, HIGH Colours;
}

#[test]
fn every_key_of_the_last_row_does_something_in_the_state_that_shows_it() {
    let mut idle = Vec::new();
    for (scene, stage) in stages() {
        let session = stage(HIGH);
        let before = draw(&session, Look::Colours);
        for row in flarescope::app::footer_of(&session.state) {
            let (keys, word) = (row.keys, row.label);
            let names: Vec<&str> = match keys.as_str() {
                "hjkl" => vec!["h", "j", "k", "l"],
                "jk" => vec!["j", "k"],
                "1-9" => vec!["1"],
                several => several
                    .split(' ')
                    .map(|key| if key == "bksp" { "backspace" } else { key })
                    .collect(),
            };
            // Of keys that move, those that lead somewhere from here are enough.
            let does = names.iter().any(|key| {
                let mut session = stage(HIGH);
                let wishes = session.press(key);
                !wishes.is_empty() || draw(&session, Look::Colours) != before
            });
            // Whether there is more than fits only drawing knows.
            if !does && word != "scroll" {
                idle.push(format!("{scene}: {keys} {word}"));
            }
        }
    }
    assert_eq!(idle, [""; 0]);
}

#[test]
fn every_snapshot_is_looked_at_by_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let named: BTreeSet<String> = all()
        .into_iter()
        .map(|(name, ..)| format!("{name}.snap"))
        .collect();
    let kept: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        // What a failed test has just written for the reviewer.
        .filter(|name| !name.ends_with(".new"))
        .collect();
    // One that is missing fails its own test.
    assert_eq!(kept.difference(&named).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn the_margins_stay_empty_and_no_fixed_black_or_white_is_put_on_the_terminal_s_own_ground() {
    for (name, session, look) in all() {
        let buffer = draw(&session, look);
        let (columns, rows) = (buffer.area.width, buffer.area.height);
        for row in 0..rows {
            for column in [0, columns - 1] {
                let cell = &buffer[(column, row)];
                assert_eq!(
                    cell.symbol(),
                    " ",
                    "{name}: column {column}, row {row}\n{}",
                    screenshot::text(&buffer)
                );
            }
        }
        for cell in &buffer.content {
            use ratatui::style::Color::{Black, Indexed, Reset, White};
            let fixed = matches!(cell.fg, Black | White | Indexed(0 | 7 | 15 | 16 | 231));
            assert!(!fixed || cell.bg != Reset, "{name}: {cell:?}");
        }
    }
}

#[test]
fn without_colours_nothing_is_lost() {
    for (name, session, _) in all() {
        let buffer = draw(&session, Look::Mono);
        assert!(buffer.content.iter().all(|cell| {
            cell.fg == ratatui::style::Color::Reset && cell.bg == ratatui::style::Color::Reset
        }));
        let coloured = draw(&session, Look::Colours);
        let same = |a: &str, b: &str| a == b || "▏▎▍▌▋▊▉ ░".contains(a) || "▏▎▍▌▋▊▉ ░".contains(b);
        for (a, b) in coloured.content.iter().zip(&buffer.content) {
            assert!(same(a.symbol(), b.symbol()), "{name}: {a:?} {b:?}");
        }
    }
}

#[test]
fn ascii_is_ascii() {
    for (name, session, _) in all() {
        let typed_by_others = ["wide_names"].iter().any(|scene| name.starts_with(scene));
        let buffer = draw(&session, Look::Ascii);
        let foreign = buffer.content.iter().find(|cell| !cell.symbol().is_ascii());
        assert!(
            foreign.is_none() || typed_by_others,
            "{name}: {foreign:?}\n{}",
            screenshot::text(&buffer)
        );
    }
}
