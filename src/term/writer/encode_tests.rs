use proptest::collection::vec;
use proptest::prelude::*;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::*;

const COLOURS: [Color; 6] = [
    Color::Reset,
    Color::Red,
    Color::LightBlue,
    Color::Indexed(137),
    Color::Indexed(16),
    Color::Rgb(1, 20, 200),
];
/// The parser holds bold and dim for one thing, so dim is left to the tests of the codes.
const MODIFIERS: [Modifier; 4] = [
    Modifier::BOLD,
    Modifier::ITALIC,
    Modifier::UNDERLINED,
    Modifier::REVERSED,
];
/// Blanks come often, as on a real screen; wide ones and one with a combining mark among the rest.
const SIGNS: [&str; 10] = [" ", " ", " ", " ", "a", "b", "▏", "日", "本", "e\u{301}"];

fn style() -> impl Strategy<Value = Style> {
    let modifiers = prop_oneof![4 => Just(Modifier::empty()), 1 => (0..MODIFIERS.len()).prop_map(|i| MODIFIERS[i])];
    (
        0..COLOURS.len(),
        0..COLOURS.len(),
        modifiers,
        modifiers_pair(),
    )
        .prop_map(|(ink, ground, one, two)| {
            Style::new()
                .fg(COLOURS[ink])
                .bg(COLOURS[ground])
                .add_modifier(one | two)
        })
}

fn modifiers_pair() -> impl Strategy<Value = Modifier> {
    prop_oneof![9 => Just(Modifier::empty()), 1 => Just(Modifier::BOLD | Modifier::UNDERLINED)]
}

/// A stretch of equal cells in a row: where, how long, what.
type Stretch = (u16, u16, u16, usize, Style);

fn stretches(most: usize) -> impl Strategy<Value = Vec<Stretch>> {
    vec(
        (0..14u16, 0..5u16, 1..14u16, 0..SIGNS.len(), style()),
        0..most,
    )
}

/// Paints as panes do: wide signs take two cells, the second being blank.
fn paint(buffer: &mut Buffer, stretches: &[Stretch]) {
    for (x, y, length, sign, style) in stretches {
        let width = SIGNS[*sign].cell_width();
        for x in (*x..x + length).step_by(usize::from(width)) {
            if buffer.area.contains((x, *y).into()) {
                buffer.set_string(x, *y, SIGNS[*sign], *style);
            }
        }
    }
}

fn screen(area: Rect, stretches: &[Stretch]) -> Buffer {
    let mut buffer = Buffer::empty(area);
    paint(&mut buffer, stretches);
    buffer
}

fn bytes(shown: &Buffer, next: &Buffer) -> String {
    let mut out = String::new();
    encode(shown, next, &mut out);
    out
}

fn colour(colour: Color) -> vt100::Color {
    match colour {
        Color::Red => vt100::Color::Idx(1),
        Color::LightBlue => vt100::Color::Idx(12),
        Color::Indexed(index) => vt100::Color::Idx(index),
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        _ => vt100::Color::Default,
    }
}

/// Tells where a terminal shows something else than the buffer.
fn first_difference(parser: &vt100::Parser, buffer: &Buffer) -> Option<String> {
    let width = usize::from(buffer.area.width);
    for (y, cells) in (0u16..).zip(buffer.content.chunks(width)) {
        let mut row = Vec::new();
        slots(cells, &mut row);
        for (x, slot) in (0u16..).zip(&row) {
            let Slot::Sign { symbol, pen, .. } = slot else {
                continue;
            };
            let seen = parser.screen().cell(y, x).unwrap();
            let contents = if seen.has_contents() {
                seen.contents()
            } else {
                " "
            };
            let modifiers = [seen.bold(), seen.italic(), seen.underline(), seen.inverse()];
            let modifiers: Modifier = MODIFIERS
                .iter()
                .zip(modifiers)
                .filter(|(_, set)| *set)
                .map(|(modifier, _)| *modifier)
                .collect();
            let visible = if *symbol == " " {
                SHOWN_ON_BLANK
            } else {
                Modifier::all()
            };
            let ink_shows = *symbol != " " || pen.modifiers.intersects(INK_ON_BLANK);
            let same = contents == *symbol
                && seen.bgcolor() == colour(pen.ground)
                && modifiers.intersection(visible) == pen.modifiers.intersection(visible)
                && (!ink_shows || seen.fgcolor() == colour(pen.ink));
            if !same {
                return Some(format!(
                    "{x},{y}: wanted {symbol:?} {pen:?}, shown {seen:?}"
                ));
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_terminal_that_is_sent_the_bytes_shows_the_buffer(
        (width, height) in (1..15u16, 1..6u16),
        frames in vec(stretches(8), 1..5),
    ) {
        let mut parser = vt100::Parser::new(height.try_into().unwrap(), width.try_into().unwrap(), 0);
        let area = Rect::new(0, 0, width, height);
        let mut shown = Buffer::empty(area);
        let mut next = Buffer::empty(area);
        for stretches in frames {
            // What isn't painted stays, so that differences are small ones too.
            paint(&mut next, &stretches);
            let sent = bytes(&shown, &next);
            parser.process(sent.as_bytes());
            prop_assert_eq!(first_difference(&parser, &next), None, "sent {:?}", sent);
            prop_assert_eq!(parser.screen().fgcolor(), vt100::Color::Default);
            prop_assert_eq!(parser.screen().bgcolor(), vt100::Color::Default);
            shown.clone_from(&next);
            prop_assert_eq!(bytes(&shown, &next), "");
        }
    }

    #[test]
    fn no_more_bytes_than_crossterm_sends(before in stretches(6), after in stretches(6)) {
        let area = Rect::new(0, 0, 14, 5);
        let (shown, next) = (screen(area, &before), screen(area, &after));
        let mut theirs = Vec::new();
        CrosstermBackend::new(&mut theirs).draw(shown.diff_iter(&next)).unwrap();
        let ours = bytes(&shown, &next);
        prop_assert!(ours.len() <= theirs.len(), "{:?}\n{:?}", ours, String::from_utf8_lossy(&theirs));
    }
}

fn lines(lines: &[&str]) -> Buffer {
    Buffer::with_lines(lines.iter().copied())
}

#[test]
fn what_is_equal_costs_nothing() {
    let one = lines(&["abc", "日本 "]);
    assert_eq!(bytes(&one, &one), "");
}

#[test]
fn ink_of_a_blank_is_not_worth_a_byte() {
    let mut other = lines(&["a b"]);
    let plain = other.clone();
    other.set_style(Rect::new(1, 0, 1, 1), Style::new().fg(Color::Red).bold());
    assert_eq!(bytes(&plain, &other), "");
    other.set_style(Rect::new(1, 0, 1, 1), Style::new().underlined());
    assert_eq!(bytes(&plain, &other), "\x1b[1;2H\x1b[1;4;31m \x1b[m");
}

#[test]
fn short_gaps_are_written_again_and_long_ones_stepped_over() {
    assert_eq!(bytes(&lines(&["a--b"]), &lines(&["x--y"])), "\x1b[Hx--y");
    assert_eq!(
        bytes(&lines(&["a---------b"]), &lines(&["x---------y"])),
        "\x1b[Hx\x1b[9Cy"
    );
}

#[test]
fn the_next_row_is_reached_without_an_address() {
    assert_eq!(
        bytes(&lines(&["ab ", "cd "]), &lines(&["xb ", "yd "])),
        "\x1b[Hx\r\ny"
    );
}

#[test]
fn after_the_last_column_the_place_is_unknown() {
    assert_eq!(
        bytes(&lines(&["ab", "cd"]), &lines(&["ax", "yd"])),
        "\x1b[1;2Hx\x1b[2Hy"
    );
}

#[test]
fn a_long_tail_is_erased() {
    assert_eq!(
        bytes(&lines(&["abcdefgh"]), &lines(&["ab      "])),
        "\x1b[1;3H\x1b[K"
    );
}

#[test]
fn a_wide_sign_without_room_is_left_out() {
    let mut next = lines(&["ab"]);
    next[(1, 0)].set_symbol("日");
    assert_eq!(bytes(&lines(&["ab"]), &next), "\x1b[1;2H ");
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let mut next = lines(&["ab"]);
    next[(0, 0)].set_symbol("\x1b[2J");
    next[(1, 0)].set_symbol("\u{9b}");
    assert_eq!(bytes(&lines(&["ab"]), &next), "\x1b[H\u{fffd}\u{fffd}");
}

#[test]
fn after_a_sign_of_doubtful_width_the_next_one_is_addressed() {
    let mut next = Buffer::empty(Rect::new(0, 0, 6, 1));
    next.set_string(0, 0, "❤\u{fe0f}x", Style::new());
    assert_eq!(
        bytes(&Buffer::empty(next.area), &next),
        "\x1b[H❤\u{fe0f}\x1b[1;3Hx"
    );
}
