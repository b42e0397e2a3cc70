//! Signals that end a command.

use crate::cli::CliError;

/// Waits for the first signal that ends the program. Returns the error it ends with.
#[cfg(unix)]
pub(super) async fn first() -> CliError {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut hangup), Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::hangup()),
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        return CliError::Fault("signals can't be waited for".to_owned());
    };
    tokio::select! {
        _ = hangup.recv() => CliError::Signal(1),
        _ = interrupt.recv() => CliError::Signal(2),
        _ = terminate.recv() => CliError::Signal(15),
    }
}

/// Waits for the first signal that ends the program. Returns the error it ends with.
#[cfg(not(unix))]
pub(super) async fn first() -> CliError {
    match tokio::signal::ctrl_c().await {
        Ok(()) => CliError::Signal(2),
        Err(error) => CliError::Fault(format!("signals can't be waited for: {error}")),
    }
}
