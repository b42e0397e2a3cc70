//! The screen as a text: drawn into a buffer that no terminal sees.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Format, Moment, State};
use crate::ui::glyphs::Glyphs;
use crate::ui::screenshot;
use crate::ui::theme::{Depth, Themes};

/// How a screen is drawn.
#[derive(Clone, Copy)]
pub struct Painter<'a> {
    /// The themes there are.
    pub themes: &'a Themes,
    /// With which colours.
    pub depth: Depth,
    /// With which signs.
    pub glyphs: Glyphs,
}

impl Painter<'_> {
    /// Draws a state in its theme: its characters, those with the terminal's colour codes, or a picture for a browser.
    #[must_use]
    pub fn paint(self, state: &State, format: Format, now: Moment) -> String {
        let depth = match (format, self.depth) {
            // No terminal limits what a browser can show.
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
