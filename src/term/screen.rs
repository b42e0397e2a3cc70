//! The terminal while the program uses it: raw mode, the alternate screen, bracketed paste; and restoring all of it.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, mpsc};
use std::thread::ThreadId;
use std::time::Duration;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, terminal};
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use crate::term::writer::FrameWriter;

/// Size assumed if the terminal reports none, as serial lines do.
const SIZE_UNKNOWN: (u16, u16) = (80, 24);

/// Largest size that is drawn on; no screen has more, and a frame of what a terminal may claim takes all memory.
const SIZE_MAX: (u16, u16) = (1500, 500);

/// Whether the terminal reports clicks and the wheel; [`restore`] turns it off again.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Requests presses and the wheel, in the encoding without a limit on columns. No movement: it floods slow links.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
/// Turns it off.
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Whether the program uses the terminal; the thread that clears it restores the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Why the terminal can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TermError {
    /// Standard output is not a terminal.
    #[error(
        "the screen needs a terminal on standard output; for scripts there are commands: `flarescope --help`"
    )]
    NoTerminal,
    /// The terminal can't move its cursor, or doesn't say that it can.
    #[error(
        "the terminal can't show a screen (TERM is {}); for scripts there are commands: `flarescope --help`",
        if .0.is_empty() { "not set" } else { .0 }
    )]
    Dumb(String),
    /// An error of the system.
    #[error("the terminal can't be used: {0}")]
    Io(#[from] io::Error),
}

/// The terminal while the program uses it. Dropping it restores the terminal.
pub struct Screen {
    writer: FrameWriter<Out>,
    /// The program suspended itself and entered the terminal again; the signal that resumed it will be reported once more.
    resumed: bool,
}

impl Screen {
    /// Enters the terminal. A panic of the calling thread restores it before the message is printed; panics of other threads
    /// leave it alone.
    ///
    /// # Errors
    /// [`TermError`]; the terminal is then as it was.
    pub fn take() -> Result<Self, TermError> {
        Self::check()?;
        // With NO_COLOR the styles have no colours already. The library would add a reset to each.
        crossterm::style::force_color_output(true);
        let drawing = std::thread::current().id();
        static HOOK: Once = Once::new();
        HOOK.call_once(|| restore_on_panic(drawing));
        let out = unbuffered()?;
        enter()?;
        Ok(Self {
            writer: FrameWriter::new(out, Self::size().into()),
            resumed: false,
        })
    }

    /// Checks that the terminal can show a screen.
    ///
    /// # Errors
    /// [`TermError::NoTerminal`] or [`TermError::Dumb`].
    pub fn check() -> Result<(), TermError> {
        if !io::stdout().is_terminal() {
            return Err(TermError::NoTerminal);
        }
        let term = std::env::var("TERM").unwrap_or_default();
        // The console of Windows sets none.
        if term == "dumb" || (term.is_empty() && cfg!(unix)) {
            return Err(TermError::Dumb(term));
        }
        Ok(())
    }

    /// Returns columns and rows; the default size for a terminal that reports 0×0.
    #[must_use]
    pub fn size() -> (u16, u16) {
        match terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => {
                (columns.min(SIZE_MAX.0), rows.min(SIZE_MAX.1))
            }
            _ => SIZE_UNKNOWN,
        }
    }

    /// Draws a frame: writes only the difference.
    ///
    /// # Errors
    /// If the terminal is closed.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        self.writer.draw(paint).map(|_| ())
    }

    /// Forgets what the terminal shows, so that the next frame is written whole.
    pub fn forget(&mut self) {
        self.writer.forget();
    }

    /// Changes the size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.writer.resize(Size::new(columns, rows));
    }

    /// Writes other bytes than frames, such as a text for the clipboard.
    ///
    /// # Errors
    /// If the terminal is closed.
    pub fn write(&mut self, command: impl crossterm::Command) -> io::Result<()> {
        execute!(io::stdout(), command)
    }

    /// Gives the terminal to another program while `run` lasts.
    ///
    /// # Errors
    /// If the terminal is closed by then.
    pub fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let result = run();
        enter()?;
        self.forget();
        Ok(result)
    }

    /// Turns reports of clicks and the wheel on or off.
    ///
    /// # Errors
    /// If the terminal is closed.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        MOUSE.store(on, Ordering::SeqCst);
        let mut out = io::stdout();
        out.write_all(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())?;
        out.flush()
    }

    /// Restores the terminal, stops this process as Ctrl-Z does, and enters the terminal again after `fg`.
    ///
    /// # Errors
    /// If the terminal is closed by then.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<()> {
        use rustix::process::{Signal, getpid, kill_process};
        restore();
        self.resumed = true;
        // The program handles SIGTSTP, so it raises its default action, which does nothing without a shell to continue it.
        kill_process(getpid(), Signal::TTOU)?;
        enter()?;
        self.forget();
        Ok(())
    }

    /// Enters the terminal again after a stop from outside: other programs may have changed it meanwhile. Returns whether there
    /// was anything to do. A background process is stopped here until it is in the foreground.
    ///
    /// # Errors
    /// If the terminal is closed by then.
    pub fn continued(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.resumed) || !TAKEN.load(Ordering::SeqCst) {
            return Ok(false);
        }
        // Otherwise the library assumes raw mode already.
        let _ = terminal::disable_raw_mode();
        enter()?;
        self.forget();
        Ok(true)
    }

    /// This system has no job control.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Writes frames. The standard library's own handle flushes at each line end, but a frame is one write.
#[cfg(unix)]
type Out = std::fs::File;
#[cfg(not(unix))]
type Out = io::Stdout;

#[cfg(unix)]
fn unbuffered() -> io::Result<Out> {
    use std::os::fd::AsFd as _;
    io::stdout().as_fd().try_clone_to_owned().map(Out::from)
}

#[cfg(not(unix))]
fn unbuffered() -> io::Result<Out> {
    Ok(io::stdout())
}

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = io::stdout();
    let entered = execute!(
        out,
        EnterAlternateScreen,
        EnableBracketedPaste,
        cursor::Hide
    )
    .and_then(|()| {
        // After `fg` it is restored.
        if MOUSE.load(Ordering::SeqCst) {
            out.write_all(MOUSE_ON.as_bytes())?;
        }
        out.flush()
    });
    entered.inspect_err(|_| restore())
}

/// Restores the terminal. Does nothing if the program doesn't use it.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    if MOUSE.load(Ordering::SeqCst) {
        let _ = out.write_all(MOUSE_OFF.as_bytes());
    }
    // Each separately: an error must not keep the next from being tried.
    let _ = execute!(out, DisableBracketedPaste);
    let _ = execute!(out, LeaveAlternateScreen);
    let _ = execute!(out, cursor::Show);
    let _ = out.flush();
    cooked();
}

/// Restores the terminal without waiting for it: always its modes, and its contents if it accepts them in time.
pub fn abandon(patience: Duration) {
    let (done, given_back) = mpsc::channel();
    std::thread::spawn(move || {
        restore();
        let _ = done.send(());
    });
    let _ = given_back.recv_timeout(patience);
    // Another thread may be restoring it already.
    cooked();
}

/// Restores the terminal's modes, unless the program is in the background: the system would stop it.
fn cooked() {
    #[cfg(unix)]
    if let Ok(front) = rustix::termios::tcgetpgrp(io::stdout())
        && front != rustix::process::getpgrp()
    {
        return;
    }
    let _ = terminal::disable_raw_mode();
}

/// Makes a panic of the drawing thread restore the terminal before it is reported. One of a worker thread becomes a message
/// on the screen and writes nothing.
fn restore_on_panic(drawing: ThreadId) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().id() == drawing {
            restore();
            before(panic);
        } else if !TAKEN.load(Ordering::SeqCst) {
            before(panic);
        }
    }));
}
