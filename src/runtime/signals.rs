//! Signals and the loss of the terminal, which end the program, and job control, which suspends it.

use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd as _, BorrowedFd};

#[cfg(unix)]
use futures_util::future::select_all;
#[cfg(unix)]
use rustix::process::Signal as Number;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

#[cfg(unix)]
use crate::runtime::input::watch;

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
pub(super) struct Signals(Vec<(u8, Signal)>);

#[cfg(unix)]
impl Signals {
    /// All that would end the program by default and can be sent to it: each would leave the terminal in raw mode.
    const ENDING: [Number; 10] = [
        Number::HUP,
        Number::INT,
        Number::QUIT,
        Number::USR1,
        Number::USR2,
        Number::ALARM,
        Number::TERM,
        Number::XCPU,
        Number::VTALARM,
        Number::PROF,
    ];

    /// Starts to listen; must be called inside a runtime and before the terminal is taken over: a signal in
    /// between would end the program and leave the terminal in raw mode.
    pub(super) fn listen() -> io::Result<Self> {
        let listen = |number: Number| {
            let raw = number.as_raw();
            let signal = signal(SignalKind::from_raw(raw))?;
            Ok((u8::try_from(raw).unwrap_or_default(), signal))
        };
        Self::ENDING
            .into_iter()
            .map(listen)
            .collect::<io::Result<_>>()
            .map(Self)
    }

    /// Waits for the next signal, or for the loss of the terminal. Returns its number.
    pub(super) async fn next(&mut self) -> u8 {
        let signals = self.0.iter_mut().map(|(number, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *number
            })
        });
        tokio::select! {
            (number, ..) = select_all(signals) => number,
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
async fn closed(fd: BorrowedFd<'_>) {
    // A file descriptor of its own: the input has another.
    let watched = fd.try_clone_to_owned().and_then(watch);
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
        let kind = |number: Number| SignalKind::from_raw(number.as_raw());
        Ok(Self {
            stop: signal(kind(Number::TSTP))?,
            go_on: signal(kind(Number::CONT))?,
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
