//! Screenshots: the screen drawn into a buffer and written as text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Format, Moment, State};
use crate::ui::glyphs::Glyphs;
use crate::ui::screenshot;
use crate::ui::theme::{Depth, Themes};

/// How to draw a screen.
#[derive(Clone, Copy)]
pub struct Painter<'a> {
    /// All themes.
    pub themes: &'a Themes,
    /// The colour depth.
    pub depth: Depth,
    /// The set of glyphs.
    pub glyphs: Glyphs,
}

impl Painter<'_> {
    /// Draws a state in its theme: as plain characters, with the terminal's colour codes, or as an SVG.
    #[must_use]
    pub fn paint(self, state: &State, format: Format, now: Moment) -> String {
        let depth = match (format, self.depth) {
            // A browser shows all colours.
            (Format::ScreenSvg, Depth::Indexed256 | Depth::Sixteen) => Depth::True,
            (_, depth) => depth,
        };
        let theme = self.themes.load_anyhow(&state.theme.name, depth).theme;
        let (columns, rows) = state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let draw = if format == Format::ScreenText {
            crate::ui::draw_plain
        } else {
            crate::ui::draw
        };
        draw(&mut buffer, state, &theme, self.glyphs, now);
        match format {
            Format::ScreenAnsi => screenshot::ansi(&buffer),
            Format::ScreenSvg => screenshot::svg(&buffer, &theme.ground()),
            _ => screenshot::text(&buffer),
        }
    }
}
