//! Every pair of text and ground that a screen draws can be read: WCAG 2.2, AA (4.5:1), and AAA (7:1) in high-contrast.

use std::collections::BTreeMap;

use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::screenshot;
use flarescope::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::all;

type Rgb = (u8, u8, u8);

/// What terminals are set to out of the box: black, VS Code, One Dark, Solarized, Ubuntu.
const DARK: &[Rgb] = &[
    (0, 0, 0),
    (0x1e, 0x1e, 0x1e),
    (0x28, 0x2c, 0x34),
    (0x00, 0x2b, 0x36),
    (0x30, 0x0a, 0x24),
];
/// White, paper, Solarized.
const LIGHT: &[Rgb] = &[(0xff, 0xff, 0xff), (0xf8, 0xf8, 0xf2), (0xfd, 0xf6, 0xe3)];

/// Reads a colour as the picture of a screen shows it, so that the test and the eye see the same.
fn shown(colour: Color, theme: &Theme) -> Rgb {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer.set_string(0, 0, " ", Style::new().bg(colour));
    let picture = screenshot::svg(&buffer, &theme.ground());
    let rect = picture
        .lines()
        .find(|line| line.starts_with("<rect x="))
        .unwrap();
    let digits = rect.split("fill=\"#").nth(1).unwrap();
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (channel(0), channel(2), channel(4))
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let luminance = |c: Rgb| 0.2126 * channel(c.0) + 0.7152 * channel(c.1) + 0.0722 * channel(c.2);
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Every pair of colours that stands behind a letter or a digit, and a place where it does.
fn pairs(theme: &Theme) -> BTreeMap<(String, String), (Color, Color, String)> {
    let mut pairs = BTreeMap::new();
    for (name, session, _) in all() {
        let (columns, rows) = session.state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        flarescope::ui::draw(
            &mut buffer,
            &session.state,
            theme,
            Glyphs::Unicode,
            session.now,
        );
        for (at, cell) in buffer
            .content
            .iter()
            .enumerate()
            .filter(|(_, cell)| cell.symbol().chars().any(char::is_alphanumeric))
        {
            let (ink, ground) = if cell.modifier.contains(Modifier::REVERSED) {
                (cell.bg, cell.fg)
            } else {
                (cell.fg, cell.bg)
            };
            let place = || {
                format!(
                    "`{}` in {name}, row {}",
                    cell.symbol(),
                    at / usize::from(columns)
                )
            };
            pairs
                .entry((ink.to_string(), ground.to_string()))
                .or_insert_with(|| (ink, ground, place()));
        }
    }
    pairs
}

#[test]
fn every_pair_that_is_drawn_can_be_read() {
    for name in ["ember", "daylight", "high-contrast", "colour-safe"] {
        let needed = if name == "high-contrast" { 7.0 } else { 4.5 };
        for depth in [Depth::True, Depth::Indexed256] {
            let theme = Theme::load(name, depth).unwrap().theme;
            let pairs = pairs(&theme);
            assert!(pairs.len() >= 15, "{name}: {} pairs", pairs.len());
            for (ink, ground, place) in pairs.into_values() {
                // The terminal's own ink is for its own ground; on any other nobody knows how it looks.
                assert!(
                    ink != Color::Reset || ground == Color::Reset,
                    "{name} {depth:?}: {place} has no ink of its own"
                );
                if ink == Color::Reset {
                    continue;
                }
                let grounds = match (ground, name) {
                    (Color::Reset, "daylight") => LIGHT.to_vec(),
                    (Color::Reset, _) => DARK.to_vec(),
                    (ground, _) => vec![shown(ground, &theme)],
                };
                for behind in grounds {
                    let reached = contrast(shown(ink, &theme), behind);
                    assert!(
                        reached >= needed,
                        "{name} {depth:?}: {place} reaches {reached:.2} on {behind:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_sixteen_colours_can_be_read_as_xterm_has_them() {
    for name in ["ember", "sixteen", "high-contrast", "colour-safe"] {
        let theme = Theme::load(name, Depth::Sixteen).unwrap().theme;
        for (ink, ground, place) in pairs(&theme).into_values() {
            assert!(
                ink != Color::Reset || ground == Color::Reset,
                "{name}: {place} has no ink of its own"
            );
            if ink != Color::Reset {
                let behind = if ground == Color::Reset {
                    (0, 0, 0)
                } else {
                    shown(ground, &theme)
                };
                let reached = contrast(shown(ink, &theme), behind);
                assert!(
                    reached >= 4.5,
                    "{name}: {place} reaches {reached:.2} on {behind:?}"
                );
            }
        }
    }
}
