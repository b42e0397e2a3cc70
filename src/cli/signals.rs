//! Signals that end a command.

use crate::cli::CliError;

/// The number of the signal that says that the terminal is gone.
pub(super) const HANGUP: u8 = 1;

/// The signals that end a command. One that arrives between two waits is not lost.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Signals([(tokio::signal::unix::Signal, u8); 3]);

#[cfg(unix)]
impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// [`CliError::Fault`] if the system doesn't allow it.
    pub(super) fn listen() -> Result<Self, CliError> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind: SignalKind, number| {
            signal(kind)
                .map(|signal| (signal, number))
                .map_err(|error| CliError::Fault(format!("signals can't be waited for: {error}")))
        };
        Ok(Self([
            listen(SignalKind::hangup(), HANGUP)?,
            listen(SignalKind::interrupt(), 2)?,
            listen(SignalKind::terminate(), 15)?,
        ]))
    }

    /// Waits for the next signal. Returns its number.
    pub(super) async fn next(&mut self) -> u8 {
        let [(hangup, a), (interrupt, b), (terminate, c)] = &mut self.0;
        tokio::select! {
            _ = hangup.recv() => *a,
            _ = interrupt.recv() => *b,
            _ = terminate.recv() => *c,
        }
    }
}

/// The signals that end a command.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> Result<Self, CliError> {
        Ok(Self)
    }

    /// Waits for the next signal. Returns its number.
    pub(super) async fn next(&mut self) -> u8 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => 2,
            Err(_) => std::future::pending().await,
        }
    }
}

/// Runs a command's work until a signal arrives, which drops it.
///
/// # Errors
/// Those of the work; [`CliError::Signal`].
pub(super) async fn until_signal<T>(
    signals: &mut Signals,
    work: impl Future<Output = Result<T, CliError>>,
) -> Result<T, CliError> {
    tokio::select! {
        biased;
        signal = signals.next() => Err(CliError::Signal(signal)),
        done = work => done,
    }
}
