//! Reads the terminal: all that waits, at once.

#[cfg(not(unix))]
pub(super) use console::Input;
#[cfg(unix)]
pub(super) use unix::{Input, watch};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, IsTerminal as _};
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::time::Instant;

    use rustix::io::{Errno, ioctl_fionread, read};
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;
    use tokio::signal::unix::{Signal, SignalKind, signal};
    use tokio::time::sleep_until;

    use crate::term::{Decoder, Event};

    /// Most bytes that are read at once.
    const CHUNK: usize = 64 << 10;

    /// The terminal's input.
    pub(in crate::runtime) struct Input {
        terminal: AsyncFd<OwnedFd>,
        decoder: Decoder,
        sizes: Signal,
    }

    impl Input {
        /// Opens standard input if it is a terminal, else the process's own. Must be called inside a runtime.
        ///
        /// # Errors
        /// If there is no terminal.
        pub(in crate::runtime) fn open() -> io::Result<Self> {
            let stdin = io::stdin();
            let terminal = if stdin.is_terminal() {
                stdin.as_fd().try_clone_to_owned()?
            } else {
                File::open("/dev/tty")?.into()
            };
            Ok(Self {
                terminal: watch(terminal)?,
                decoder: Decoder::default(),
                sizes: signal(SignalKind::window_change())?,
            })
        }

        /// Waits for the next event. Nothing is lost if the wait is given up.
        ///
        /// # Errors
        /// If the terminal is gone.
        pub(in crate::runtime) async fn next(&mut self) -> io::Result<Event> {
            loop {
                if let Some(event) = self.decoder.next_event() {
                    return Ok(event);
                }
                let until = self.decoder.deadline();
                tokio::select! {
                    _ = self.sizes.recv() => return Ok(Event::Resize),
                    ready = self.terminal.readable() => {
                        let mut ready = ready?;
                        match waiting(&self.terminal)? {
                            Some(bytes) => self.decoder.feed(&bytes, Instant::now()),
                            None if ready.ready().is_read_closed() => {
                                return Err(io::ErrorKind::UnexpectedEof.into());
                            }
                            None => ready.clear_ready(),
                        }
                    }
                    () = sleep_until(until.unwrap_or_else(Instant::now).into()), if until.is_some() => {
                        self.decoder.expire();
                    }
                }
            }
        }
    }

    /// Reads what waits; `None` if nothing does. The terminal is shared with other processes, so it is not made
    /// non-blocking: only as much is read as there is.
    fn waiting(terminal: &AsyncFd<OwnedFd>) -> io::Result<Option<Vec<u8>>> {
        let count = usize::try_from(ioctl_fionread(terminal)?).unwrap_or(CHUNK);
        let mut bytes = vec![0; count.min(CHUNK)];
        if bytes.is_empty() {
            return Ok(None);
        }
        let read = match read(terminal, bytes.as_mut_slice()) {
            Err(Errno::INTR) => 0,
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => read?,
        };
        bytes.truncate(read);
        Ok(Some(bytes))
    }

    /// Watches a file descriptor for input. Must be called inside a runtime.
    #[expect(
        deprecated,
        reason = "its successor is unsafe, for the sake of types that change their descriptor, which an `OwnedFd` does not"
    )]
    pub(in crate::runtime) fn watch(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
        AsyncFd::with_interest(fd, Interest::READABLE)
    }
}

#[cfg(not(unix))]
mod console {
    use std::io;

    use crossterm::event::{
        Event as ConsoleEvent, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
        MouseButton, MouseEventKind,
    };
    use futures_util::StreamExt as _;

    use crate::app::Key;
    use crate::term::Event;

    /// The console's input.
    pub(in crate::runtime) struct Input(EventStream);

    impl Input {
        /// Opens the console.
        pub(in crate::runtime) fn open() -> io::Result<Self> {
            Ok(Self(EventStream::new()))
        }

        /// Waits for the next event.
        ///
        /// # Errors
        /// If the console is gone.
        pub(in crate::runtime) async fn next(&mut self) -> io::Result<Event> {
            while let Some(event) = self.0.next().await {
                if let Some(event) = translate(event?) {
                    return Ok(event);
                }
            }
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    fn translate(event: ConsoleEvent) -> Option<Event> {
        Some(match event {
            ConsoleEvent::Key(event) => Event::Key(key(event)?),
            ConsoleEvent::Paste(text) => Event::Paste(text),
            ConsoleEvent::Mouse(event) => {
                let (x, y) = (event.column, event.row);
                match event.kind {
                    MouseEventKind::Down(MouseButton::Left) => Event::Click(x, y),
                    MouseEventKind::ScrollDown => Event::Wheel { down: true, x, y },
                    MouseEventKind::ScrollUp => Event::Wheel { down: false, x, y },
                    _ => return None,
                }
            }
            ConsoleEvent::Resize(..) => Event::Resize,
            _ => return None,
        })
    }

    fn key(event: KeyEvent) -> Option<Key> {
        // Each key is reported twice.
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        // AltGr is reported as both.
        if control && event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        Some(match event.code {
            KeyCode::Char('h') if control => Key::Backspace,
            KeyCode::Char(c) if control => Key::Ctrl(c.to_ascii_lowercase()),
            KeyCode::Char(c) if !c.is_control() => Key::Char(c),
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Esc,
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Key::BackTab,
            KeyCode::Tab => Key::Tab,
            KeyCode::BackTab => Key::BackTab,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Delete => Key::Delete,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::PageUp => Key::PageUp,
            KeyCode::PageDown => Key::PageDown,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            KeyCode::F(number) => Key::F(number),
            _ => return None,
        })
    }
}
