//! Writes frames to the terminal with few bytes: what differs from the last one, in one write.
//!
//! Owns what the terminal shows. The difference is worked out from both whole screens, because a writer that also knows
//! the cells that stay can step over them cheaply and repair what the halves of wide characters leave behind. Weak
//! point: a program that writes to the same terminal goes unnoticed until [`FrameWriter::forget`].

mod encode;

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

pub use encode::encode;

/// Start of a frame that the terminal is to show in one go; terminals that don't know it ignore it.
const BEGIN: &str = "\x1b[?2026h";
/// End of such a frame.
const END: &str = "\x1b[?2026l";
/// Plain pen, cursor home, empty screen.
const CLEAR: &str = "\x1b[m\x1b[H\x1b[2J";

/// Draws frames and remembers what the terminal shows.
#[derive(Debug)]
pub struct FrameWriter<W> {
    out: W,
    shown: Buffer,
    next: Buffer,
    /// The terminal may show anything: clear it before the next frame.
    stale: bool,
    bytes: String,
}

impl<W: Write> FrameWriter<W> {
    /// Takes a terminal of this size that shows nothing, as the alternate screen does when it is entered.
    pub fn new(out: W, size: Size) -> Self {
        let empty = Buffer::empty(Rect::from((Position::ORIGIN, size)));
        Self {
            out,
            shown: empty.clone(),
            next: empty,
            stale: false,
            bytes: String::new(),
        }
    }

    /// Returns the size that frames are drawn in.
    #[must_use]
    pub fn size(&self) -> Size {
        self.next.area.as_size()
    }

    /// Takes a new size; the next frame starts from an empty screen, as terminals move what they show in their own ways.
    pub fn resize(&mut self, size: Size) {
        self.shown = Buffer::empty(Rect::from((Position::ORIGIN, size)));
        self.next = self.shown.clone();
        self.stale = true;
    }

    /// Forgets what the terminal shows, so that the next frame is written whole.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Draws a frame and returns the number of bytes sent; 0 if the terminal shows it already.
    ///
    /// # Errors
    /// Those of the terminal's writer. What is shown is then unknown, and the next frame is written whole.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Buffer)) -> io::Result<usize> {
        self.next.reset();
        paint(&mut self.next);
        self.bytes.clear();
        self.bytes.push_str(BEGIN);
        if self.stale {
            self.bytes.push_str(CLEAR);
            self.shown.reset();
        }
        let before = self.bytes.len();
        encode(&self.shown, &self.next, &mut self.bytes);
        if self.bytes.len() == before && !self.stale {
            return Ok(0);
        }
        self.bytes.push_str(END);
        self.stale = true;
        self.out.write_all(self.bytes.as_bytes())?;
        self.out.flush()?;
        self.stale = false;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use ratatui::widgets::Widget as _;

    use super::*;

    /// Keeps each write apart, and fails while told to.
    #[derive(Default)]
    struct Writes {
        all: Vec<String>,
        broken: bool,
    }

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.broken {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.all.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn draw(screen: &mut FrameWriter<Writes>, text: &str) -> io::Result<usize> {
        screen.draw(|buffer| text.render(buffer.area, buffer))
    }

    #[test]
    fn a_frame_is_one_bracketed_write_and_an_equal_one_is_none() {
        let mut screen = FrameWriter::new(Writes::default(), Size::new(10, 2));
        assert_eq!(draw(&mut screen, "hello").unwrap(), 24);
        assert_eq!(draw(&mut screen, "hello").unwrap(), 0);
        assert_eq!(draw(&mut screen, "hallo").unwrap(), 23);
        assert_eq!(
            screen.out.all,
            [
                "\x1b[?2026h\x1b[Hhello\x1b[?2026l",
                "\x1b[?2026h\x1b[1;2Ha\x1b[?2026l"
            ]
        );
    }

    #[test]
    fn after_a_resize_or_on_request_the_screen_is_cleared_first() {
        let mut screen = FrameWriter::new(Writes::default(), Size::new(10, 2));
        draw(&mut screen, "hello").unwrap();
        screen.resize(Size::new(3, 1));
        draw(&mut screen, "hello").unwrap();
        assert_eq!(screen.size(), Size::new(3, 1));
        screen.forget();
        draw(&mut screen, "").unwrap();
        let cleared = |rest: &str| format!("{BEGIN}{CLEAR}{rest}{END}");
        assert_eq!(screen.out.all[1..], [cleared("\x1b[Hhel"), cleared("")]);
        screen.resize(Size::ZERO);
        draw(&mut screen, "hello").unwrap();
    }

    #[test]
    fn after_a_failed_write_the_next_frame_starts_anew() {
        let mut screen = FrameWriter::new(Writes::default(), Size::new(10, 1));
        draw(&mut screen, "hello").unwrap();
        screen.out.broken = true;
        draw(&mut screen, "world").unwrap_err();
        screen.out.broken = false;
        draw(&mut screen, "world").unwrap();
        assert_eq!(screen.out.all[1], format!("{BEGIN}{CLEAR}\x1b[Hworld{END}"));
    }
}
