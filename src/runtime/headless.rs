//! The screen without a terminal: takes keys, returns the state they lead to.

use std::io;
use std::time::{Instant, SystemTime};

use tokio::sync::mpsc;

use crate::app;
use crate::app::{
    AccountsEffect, Action, Effect, ExportEffect, HistoryEffect, Key, Moment, State, WorkersEffect,
};
use crate::runtime::Services;
use crate::runtime::executor::Executor;
use crate::runtime::tasks::Done;

/// Capacity of the response channel; tasks wait while it is full.
const ANSWERS: usize = 64;

/// An effect of a key that was skipped because it would change more than the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The key.
    pub key: Key,
    /// What it would have done, as the end of a sentence.
    pub what: &'static str,
}

/// The state after the keys, and its time.
pub struct Headless {
    /// The state to draw.
    pub state: State,
    /// The time to draw it for.
    pub now: Moment,
    /// The skipped effects, in the order of the keys.
    pub left_out: Vec<LeftOut>,
}

/// Returns what an effect would change besides the frame; such effects are skipped. Captures are taken and kept.
const fn lasting(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::History(_, HistoryEffect::Amend(..)) => {
            Some("changed what is noted of a capture on disk")
        }
        Effect::History(_, HistoryEffect::Delete(..)) => Some("deleted a capture on disk"),
        Effect::History(_, HistoryEffect::Restore) => Some("brought a deleted capture back"),
        Effect::Export(_, ExportEffect::File(..))
        | Effect::Export(_, ExportEffect::Screenshot(..)) => Some("written a file"),
        Effect::Copy(..) => Some("copied to the clipboard"),
        _ => None,
    }
}

/// Runs the state's first effects and then the keys, each to its end before the next. Returns the resulting state.
/// Waits for captures; a key that quits ends the run. Effects that would change captures on disk, write files or copy are
/// skipped, and account, theme and Workers are not remembered.
///
/// # Errors
/// If the system can't start threads.
pub fn headless(
    mut state: State,
    mut services: Services,
    first: Vec<Effect>,
    keys: &[Key],
) -> io::Result<Headless> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    services.store = services.store.steady();
    let (state, left_out) = runtime.block_on(async move {
        let (sender, mut answers) = mpsc::channel::<Done>(ANSWERS);
        // The runtime waits for all tasks when it is dropped.
        let (writes, _) = mpsc::channel(1);
        let mut executor = Executor::new(services, sender, writes, true);
        let mut effects = first;
        let mut keys = keys.iter();
        let (mut pressed, mut left_out) = (None, Vec::new());
        loop {
            let mut leaves = false;
            for effect in effects.drain(..) {
                if let Some(what) = lasting(&effect) {
                    left_out.extend(pressed.map(|key| LeftOut { key, what }));
                    continue;
                }
                match effect {
                    Effect::Accounts(_, AccountsEffect::Remember)
                    | Effect::RememberTheme(..)
                    | Effect::Workers(_, WorkersEffect::Keep(..)) => continue,
                    effect => leaves |= matches!(executor.start(effect), Some(Effect::Quit)),
                }
            }
            if leaves {
                break;
            }
            let action = if executor.is_busy() {
                match answers.recv().await {
                    Some(Done::Answer(id, outcome)) => Action::Done(id, outcome),
                    Some(Done::Ended(id)) => {
                        executor.remove(id);
                        continue;
                    }
                    // Copying is skipped.
                    Some(Done::Clipboard(_)) => continue,
                    None => break,
                }
            } else if let Some(key) = keys.next() {
                pressed = Some(*key);
                match app::interpret(&state, *key) {
                    Some(action) => action,
                    None => continue,
                }
            } else {
                break;
            };
            effects = app::update(&mut state, action, now());
        }
        (state, left_out)
    });
    Ok(Headless {
        state,
        now: now(),
        left_out,
    })
}

fn now() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    }
}
