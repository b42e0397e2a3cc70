//! A ratatui backend that writes nothing: it lends ratatui a size and lets it draw.

use std::convert::Infallible;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// Knows a size and nothing else.
#[derive(Debug)]
pub(super) struct Blind {
    size: Size,
}

impl Blind {
    pub(super) fn new(size: Size) -> Self {
        Self { size }
    }

    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
    }
}

impl Backend for Blind {
    type Error = Infallible;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, _: I) -> Result<(), Infallible> {
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> Result<(), Infallible> {
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
