//! What a task of an effect is and sends back.

use std::convert::Infallible;

use tokio::sync::mpsc::Sender;

use crate::app::{Failure, RequestId, Response};
use crate::runtime::failures;

/// What a task sends, under the id of its request.
pub(super) enum Done {
    /// A result; a capture sends several.
    Answer(RequestId, EffectResult),
    /// A text for the clipboard that the terminal passes on.
    Clipboard(String),
    /// The task has ended.
    Ended(RequestId),
}

/// Held by every task that writes to disk. Shutdown waits until every clone is dropped, that is, until all disk writes have
/// finished; nothing is ever sent through it.
pub(super) type Writes = Sender<Infallible>;

/// What an effect comes to.
pub(super) type EffectResult = Result<Response, Failure>;

/// Returns the message of a panic.
#[must_use]
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}

/// Runs work that computes or reads files on a thread of its own, so that it blocks no other task.
pub(super) async fn blocking(work: impl FnOnce() -> EffectResult + Send + 'static) -> EffectResult {
    // Boxed, so that tokio's tasks are compiled once and not for each kind of work.
    let work: Box<dyn FnOnce() -> EffectResult + Send> = Box::new(work);
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_panic() => {
            Err(failures::fault(&panic_message(&*error.into_panic())))
        }
        Err(_) => Err(failures::fault("it was stopped")),
    }
}
