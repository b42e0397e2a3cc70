//! Writes frames to the terminal with few bytes: the difference from the last one, in one write.
//!
//! Knows what the terminal shows. The difference is computed from both whole screens: unchanged cells can be skipped cheaply,
//! and the halves of wide characters repaired. Weak point: another program's output to the same terminal goes unnoticed until
//! [`FrameWriter::forget`].

mod encode;

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

pub use encode::encode;

/// Start of a frame that the terminal shows at once; other terminals ignore it.
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
    /// Whether the terminal must be cleared before the next frame.
    stale: bool,
    bytes: String,
}

impl<W: Write> FrameWriter<W> {
    /// Creates a writer for an empty terminal of this size, as the alternate screen is at first.
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

    /// Returns the size of frames.
    #[must_use]
    pub fn size(&self) -> Size {
        self.next.area.as_size()
    }

    /// Changes the size; the next frame starts from an empty screen, as terminals rearrange their contents differently.
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
    /// Those of the terminal's writer; the next frame is then written whole.
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
    fn after_a_failed_write_the_next_frame_starts_from_scratch() {
        let mut screen = FrameWriter::new(Writes::default(), Size::new(10, 1));
        draw(&mut screen, "hello").unwrap();
        screen.out.broken = true;
        draw(&mut screen, "world").unwrap_err();
        screen.out.broken = false;
        draw(&mut screen, "world").unwrap();
        assert_eq!(screen.out.all[1], format!("{BEGIN}{CLEAR}\x1b[Hworld{END}"));
    }
}
