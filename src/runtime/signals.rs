//! Signals that end the program.

/// Waits for the next signal that ends the program and answers its number: 1 SIGHUP, 2 SIGINT, 15 SIGTERM.
#[cfg(unix)]
pub(super) async fn next() -> u8 {
    use tokio::signal::unix::{SignalKind, signal};
    let (hangup, interrupt, terminate) =
        (signal(SignalKind::hangup()), signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let (Ok(mut hangup), Ok(mut interrupt), Ok(mut terminate)) = (hangup, interrupt, terminate) else {
        // Without handlers the signals do what they always did.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = hangup.recv() => 1,
        _ = interrupt.recv() => 2,
        _ = terminate.recv() => 15,
    }
}

/// Waits for Ctrl-C of the console.
#[cfg(not(unix))]
pub(super) async fn next() -> u8 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => 2,
        Err(_) => std::future::pending().await,
    }
}
