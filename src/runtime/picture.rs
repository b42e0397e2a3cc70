//! The screen as a text: drawn into a buffer that no terminal sees.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Format, Moment, State};
use crate::ui::glyphs::Glyphs;
use crate::ui::picture::{self, Ground};
use crate::ui::theme::{Depth, Theme, ThemeError};

/// How a screen is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Painter {
    /// With which colours.
    pub depth: Depth,
    /// With which signs.
    pub glyphs: Glyphs,
}

impl Painter {
    /// Draws a state: its characters, those with the terminal's colour codes, or a picture for a browser.
    ///
    /// # Errors
    /// [`ThemeError`] for a theme that there is not.
    pub fn paint(self, state: &State, format: Format, now: Moment) -> Result<String, ThemeError> {
        let depth = match (format, self.depth) {
            // No terminal limits what a browser can show.
            (Format::ScreenSvg, Depth::Indexed256 | Depth::Sixteen) => Depth::True,
            (_, depth) => depth,
        };
        let theme = Theme::load(&state.theme.name, depth)?.theme;
        let (columns, rows) = state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let draw = if format == Format::ScreenText { crate::ui::draw_plain } else { crate::ui::draw };
        draw(&mut buffer, state, &theme, self.glyphs, now);
        Ok(match format {
            Format::ScreenAnsi => picture::ansi(&buffer),
            Format::ScreenSvg => picture::svg(&buffer, &Ground::of_theme(theme.name())),
            _ => picture::text(&buffer),
        })
    }
}
