//! Signals and the loss of the terminal, which end the program, and job control, which suspends it.

use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd as _, BorrowedFd};

#[cfg(unix)]
use tokio::io::Interest;
#[cfg(unix)]
use tokio::io::unix::AsyncFd;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGHUP: the terminal is gone.
pub(super) const HANGUP: u8 = 1;

/// Job control by the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobControl {
    /// SIGTSTP: suspend, as after Ctrl-Z.
    Stop,
    /// SIGCONT: continue.
    Continue,
}

/// The signals that end the program. While this listens, their default actions are off.
#[cfg(unix)]
pub(super) struct Signals {
    hangup: Signal,
    interrupt: Signal,
    terminate: Signal,
}

#[cfg(unix)]
impl Signals {
    /// Starts to listen; must be called inside a runtime and before the terminal is taken over: a signal in
    /// between would end the program and leave the terminal in raw mode.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal, or for the loss of the terminal. Returns its number: 1 SIGHUP, 2 SIGINT, 15 SIGTERM.
    pub(super) async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.hangup.recv() => HANGUP,
            _ = self.interrupt.recv() => 2,
            _ = self.terminate.recv() => 15,
            () = hung_up() => HANGUP,
        }
    }
}

/// Waits until the terminal is gone, with or without a SIGHUP: its window may be closed while the program is in the
/// background or ignores the signal.
#[cfg(unix)]
async fn hung_up() {
    use std::io::IsTerminal as _;
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let input = async {
        if stdin.is_terminal() {
            closed(stdin.as_fd()).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = input => {}
        () = closed(stdout.as_fd()) => {}
    }
}

/// Waits until the other end is closed; forever if the system can't report it. Reads nothing.
#[cfg(unix)]
#[expect(
    deprecated,
    reason = "its successor is unsafe, for the sake of types that change their descriptor, which an `OwnedFd` does not"
)]
async fn closed(fd: BorrowedFd<'_>) {
    // A file descriptor of its own: the input's is the terminal library's.
    let watched = fd
        .try_clone_to_owned()
        .and_then(|fd| AsyncFd::with_interest(fd, Interest::READABLE));
    if let Ok(watched) = watched {
        while let Ok(mut guard) = watched.readable().await {
            if guard.ready().is_read_closed() {
                return;
            }
            guard.clear_ready();
        }
    }
    std::future::pending().await
}

/// The signals of job control. While this listens, the default action of SIGTSTP is off.
#[cfg(unix)]
pub(super) struct Jobs {
    stop: Signal,
    go_on: Signal,
}

#[cfg(unix)]
impl Jobs {
    /// Starts to listen; must be called inside a runtime.
    pub(super) fn listen() -> io::Result<Self> {
        let kind = |signal: rustix::process::Signal| SignalKind::from_raw(signal.as_raw());
        Ok(Self {
            stop: signal(kind(rustix::process::Signal::TSTP))?,
            go_on: signal(kind(rustix::process::Signal::CONT))?,
        })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> JobControl {
        tokio::select! {
            _ = self.stop.recv() => JobControl::Stop,
            _ = self.go_on.recv() => JobControl::Continue,
        }
    }
}

/// Ctrl-C of the console.
#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Needs no preparation.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for Ctrl-C.
    pub(super) async fn next(&mut self) -> u8 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => 2,
            Err(_) => std::future::pending().await,
        }
    }
}

/// This system has no job control.
#[cfg(not(unix))]
pub(super) struct Jobs;

#[cfg(not(unix))]
impl Jobs {
    /// There is nothing to do.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// Never resolves.
    pub(super) async fn next(&mut self) -> JobControl {
        std::future::pending().await
    }
}
