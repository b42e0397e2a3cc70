//! Writes frames to the terminal with few bytes: what differs from the last one, in one write.
//!
//! Owns what the terminal shows. ratatui draws the frame; the difference is worked out here, from both whole screens,
//! because a writer that also knows the cells that stay can step over them cheaply and repair what the halves of wide
//! characters leave behind. Weak point: a program that writes to the same terminal is noticed by nobody until
//! [`Screen::repaint`].

mod blind;
mod encode;

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::{Frame, Terminal};

use blind::Blind;
pub use encode::encode;

/// Start of a frame that the terminal is to show in one go; terminals that don't know it ignore it.
const BEGIN: &str = "\x1b[?2026h";
/// End of such a frame.
const END: &str = "\x1b[?2026l";
/// Plain pen, cursor home, empty screen.
const CLEAR: &str = "\x1b[m\x1b[H\x1b[2J";

/// The terminal's screen: draws frames and remembers what is shown.
pub struct Screen<W> {
    out: W,
    terminal: Terminal<Blind>,
    shown: Buffer,
    /// The terminal may show anything: clear it before the next frame.
    stale: bool,
    bytes: String,
}

impl<W: Write> Screen<W> {
    /// Takes a screen of this size that is empty, as the alternate screen is when it is entered.
    ///
    /// # Errors
    /// None in practice: the type of ratatui's constructor asks for it.
    pub fn new(out: W, size: Size) -> io::Result<Self> {
        let terminal = Terminal::new(Blind::new(size)).map_err(io::Error::other)?;
        let shown = Buffer::empty(Rect::from((ratatui::layout::Position::ORIGIN, size)));
        Ok(Self { out, terminal, shown, stale: false, bytes: String::new() })
    }

    /// Answers the size frames are drawn in.
    #[must_use]
    pub fn size(&self) -> Size {
        self.shown.area.as_size()
    }

    /// Takes a new size; the next frame starts from an empty screen, as terminals move what they show in their own ways.
    pub fn resize(&mut self, size: Size) {
        self.terminal.backend_mut().resize(size);
        self.shown.resize(Rect::from((ratatui::layout::Position::ORIGIN, size)));
        self.stale = true;
    }

    /// Lets the next frame start from an empty screen.
    pub fn repaint(&mut self) {
        self.stale = true;
    }

    /// Draws a frame and answers how many bytes were sent; none if the screen shows it already.
    ///
    /// # Errors
    /// What the terminal's writer answers. What is shown is unknown then, and the next frame starts anew.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<usize> {
        let next = self.terminal.draw(render).map_err(io::Error::other)?.buffer;
        self.bytes.clear();
        self.bytes.push_str(BEGIN);
        if self.stale {
            self.bytes.push_str(CLEAR);
            self.shown.reset();
        }
        let before = self.bytes.len();
        encode(&self.shown, next, &mut self.bytes);
        if self.bytes.len() == before && !self.stale {
            return Ok(0);
        }
        self.bytes.push_str(END);
        self.stale = true;
        self.out.write_all(self.bytes.as_bytes())?;
        self.out.flush()?;
        self.stale = false;
        self.shown.clone_from(next);
        Ok(self.bytes.len())
    }

    /// Answers the last frame that was drawn.
    #[must_use]
    pub fn shown(&self) -> &Buffer {
        &self.shown
    }

    /// Gives the writer back.
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
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

    fn draw(screen: &mut Screen<Writes>, text: &str) -> io::Result<usize> {
        screen.draw(|frame| frame.render_widget(text, frame.area()))
    }

    #[test]
    fn a_frame_is_one_bracketed_write_and_an_equal_one_is_none() {
        let mut screen = Screen::new(Writes::default(), Size::new(10, 2)).unwrap();
        assert_eq!(draw(&mut screen, "hello").unwrap(), 24);
        assert_eq!(draw(&mut screen, "hello").unwrap(), 0);
        assert_eq!(draw(&mut screen, "hallo").unwrap(), 23);
        assert_eq!(screen.out.all, ["\x1b[?2026h\x1b[Hhello\x1b[?2026l", "\x1b[?2026h\x1b[1;2Ha\x1b[?2026l"]);
    }

    #[test]
    fn after_a_resize_or_on_request_the_screen_is_cleared_first() {
        let mut screen = Screen::new(Writes::default(), Size::new(10, 2)).unwrap();
        draw(&mut screen, "hello").unwrap();
        screen.resize(Size::new(3, 1));
        draw(&mut screen, "hello").unwrap();
        assert_eq!(screen.size(), Size::new(3, 1));
        screen.repaint();
        draw(&mut screen, "").unwrap();
        let cleared = |rest: &str| format!("{BEGIN}{CLEAR}{rest}{END}");
        assert_eq!(screen.out.all[1..], [cleared("\x1b[Hhel"), cleared("")]);
        screen.resize(Size::ZERO);
        draw(&mut screen, "hello").unwrap();
    }

    #[test]
    fn after_a_failed_write_the_next_frame_starts_anew() {
        let mut screen = Screen::new(Writes::default(), Size::new(10, 1)).unwrap();
        draw(&mut screen, "hello").unwrap();
        screen.out.broken = true;
        draw(&mut screen, "world").unwrap_err();
        screen.out.broken = false;
        draw(&mut screen, "world").unwrap();
        assert_eq!(screen.out.all[1], format!("{BEGIN}{CLEAR}\x1b[Hworld{END}"));
    }
}
