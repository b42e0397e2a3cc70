//! The screen without a terminal: keys in, the state they lead to out.

use std::io;
use std::time::{Instant, SystemTime};

use tokio::sync::mpsc;

use crate::app;
use crate::app::{Action, Effect, Key, Moment, State};
use crate::runtime::Services;
use crate::runtime::executor::Executor;
use crate::runtime::tasks::Done;

/// Answers that may wait; more make their tasks wait.
const ANSWERS: usize = 64;

/// A key's wish that was left out, as it would have changed more than the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The key.
    pub key: Key,
    /// What it would have done, for the end of a sentence.
    pub what: &'static str,
}

/// A state as keys have left it, and when that was.
pub struct Headless {
    /// What is to be drawn.
    pub state: State,
    /// The time it is drawn for.
    pub now: Moment,
    /// What the keys wished for and was not done, in their order.
    pub left_out: Vec<LeftOut>,
}

/// What an effect would change beside the frame, which whoever draws one does not ask for. A capture is asked for, and kept.
const fn lasting(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::Amend(..) => Some("changed what is noted of a capture on disk"),
        Effect::Delete(..) => Some("deleted a capture on disk"),
        Effect::BringBack(_) => Some("brought a deleted capture back"),
        Effect::Export(..) | Effect::Picture(..) => Some("written a file"),
        Effect::Copy(..) => Some("copied to the clipboard"),
        _ => None,
    }
}

/// Runs the state's first wishes and the keys, each to its end before the next, and answers what is on the screen then.
/// A capture is waited for; a key that leaves the program ends the run. What would change captures on disk, write files or
/// copy is left out, and account, theme and Workers are not remembered.
///
/// # Errors
/// If the system gives no threads.
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
        // The runtime waits for all tasks at its end.
        let (writes, _) = mpsc::channel(1);
        let mut executor = Executor::new(services, sender, writes, true);
        let mut wishes = first;
        let mut keys = keys.iter();
        let (mut pressed, mut left_out) = (None, Vec::new());
        loop {
            let mut leaves = false;
            for effect in wishes.drain(..) {
                if let Some(what) = lasting(&effect) {
                    left_out.extend(pressed.map(|key| LeftOut { key, what }));
                    continue;
                }
                match effect {
                    Effect::RememberAccount(_)
                    | Effect::RememberTheme(..)
                    | Effect::KeepWorkers(..) => continue,
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
            wishes = app::update(&mut state, action, now());
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
