//! Looking for captures of other instances, and for those that outlived their screen.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use std::path::PathBuf;
use std::time::Duration;

use crate::app::capture::other_instances::{Elsewhere, Ended};
use crate::app::core::clock::Moment;
use crate::app::core::dates::age;
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::state::State;

/// How long after the window of another copy's capture its answer may still come.
const ANSWER: Duration = Duration::from_secs(5);

/// Asks for what goes on elsewhere, after a while.
pub(crate) fn ask(state: &mut State, after: Duration) -> Effect {
    let id = state.fresh_id();
    state.asks_elsewhere = Some(id);
    Effect::LookElsewhere(id, after)
}

/// Says what came while nobody watched, and looks once more when what runs elsewhere should have ended.
pub(crate) fn took(state: &mut State, id: RequestId, found: Elsewhere, now: Moment) -> Vec<Effect> {
    if state.asks_elsewhere.take_if(|asked| *asked == id).is_none() {
        return Vec::new();
    }
    (state.elsewhere, state.unkept) = (found.runs, found.unkept);
    let (fails, ended) = told(&found.ended, now).unzip();
    let rescued = untold(state, found.rescued);
    let warns = fails == Some(true) || !rescued.is_empty();
    let rescued = rescued.into_iter().map(outside);
    let words = ended.into_iter().chain(rescued);
    match words.reduce(|all, next| message![all, " ", next]) {
        None => {}
        Some(text) if warns => state.warn(text),
        Some(text) => state.say(text),
    }
    let mut wishes = Vec::new();
    if !found.ended.is_empty() {
        let refresh = state.fresh_id();
        wishes.push(state.history.ask(refresh));
    }
    if let Some(until) = found.until.filter(|_| state.elsewhere.is_some()) {
        let left = until.duration_since(now.wall).unwrap_or_default() + ANSWER;
        wishes.push(ask(state, left));
    }
    wishes
}

/// What is said of rescued captures that this session has not named yet.
fn untold(state: &mut State, rescued: Vec<(PathBuf, String)>) -> Vec<String> {
    let (paths, words): (Vec<_>, Vec<_>) = rescued
        .into_iter()
        .filter(|(path, _)| !state.rescued.contains(path))
        .unzip();
    state.rescued.extend(paths);
    words
}

/// What is said of captures that ended while nobody watched, and whether it is a warning.
fn told(ended: &[Ended], now: Moment) -> Option<(bool, Message)> {
    Some(match ended {
        [] => return None,
        [
            Ended {
                worker,
                at,
                outcome: Ok(_),
            },
        ] => (
            false,
            message![
                "Capture of ",
                outside(worker),
                format!(" finished {} ago, after you quit; ", age(*at, now.wall)),
                Command::GoCaptures,
                " shows it.",
            ],
        ),
        [
            Ended {
                worker,
                at,
                outcome: Err(why),
            },
        ] => {
            let age = age(*at, now.wall);
            (
                true,
                message![
                    "Capture of ",
                    outside(worker),
                    format!(" failed {age} ago, after you quit: "),
                    outside(why),
                    " ",
                    Command::Capture,
                    " in its row tries again.",
                ],
            )
        }
        several => {
            let came = several.iter().filter(|ended| ended.outcome.is_ok()).count();
            let failed = several.len() - came;
            let failed = if failed == 0 {
                String::new()
            } else {
                format!(", {failed} failed")
            };
            (
                false,
                message![
                    format!("{came} captures finished after you quit{failed}; "),
                    Command::GoCaptures,
                    " shows them.",
                ],
            )
        }
    })
}
