//! The screen without a terminal: keys in, the state they lead to out.

use std::io;
use std::time::{Instant, SystemTime};

use tokio::sync::mpsc;

use super::executor::{Done, Executor};
use super::{Painter, Services};
use crate::app::{self, Action, Effect, Key, Moment, State};

/// Answers that may wait; more make their tasks wait.
const ANSWERS: usize = 64;

/// A state as keys have left it, and when that was.
pub struct Headless {
    /// What is to be drawn.
    pub state: State,
    /// The time it is drawn for.
    pub now: Moment,
}

/// Runs the state's first wishes and the keys, each to its end before the next, and answers what is on the screen then.
/// A capture is waited for; a key that leaves the program ends the run. Pictures of the screen are drawn by `painter`.
///
/// # Errors
/// If the system gives no threads.
pub fn headless(
    mut state: State,
    services: Services,
    first: Vec<Effect>,
    keys: &[Key],
    painter: Painter<'_>,
) -> io::Result<Headless> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let state = runtime.block_on(async move {
        let (sender, mut answers) = mpsc::channel::<Done>(ANSWERS);
        // The runtime waits for all tasks at its end.
        let (writes, _) = mpsc::channel(1);
        let mut executor = Executor::new(services, sender, writes, true);
        let mut wishes = first;
        let mut keys = keys.iter();
        loop {
            let mut leaves = false;
            for effect in wishes.drain(..) {
                match executor.start(effect) {
                    Some(Effect::Quit) => leaves = true,
                    Some(Effect::Picture(id, job)) => {
                        let drawn = state.behind_front(|state| painter.paint(state, job.format, now()));
                        executor.write_picture(id, job, drawn);
                    }
                    _ => {}
                }
            }
            if leaves {
                break;
            }
            let action = if executor.is_busy() {
                match answers.recv().await {
                    Some(Done::Answer(id, outcome)) => Action::Done(id, outcome),
                    Some(Done::Ended(id)) => {
                        executor.ended(id);
                        continue;
                    }
                    None => break,
                }
            } else if let Some(key) = keys.next() {
                match app::interpret(&state, *key) {
                    Some(action) => action,
                    None => continue,
                }
            } else {
                break;
            };
            wishes = app::update(&mut state, action, now());
        }
        state
    });
    Ok(Headless { state, now: now() })
}

fn now() -> Moment {
    Moment { instant: Instant::now(), wall: SystemTime::now() }
}
