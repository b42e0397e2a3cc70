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
use crate::app::update::requests;

/// How long after the window of a capture its response may still arrive.
const ANSWER: Duration = Duration::from_secs(5);

/// Says what ended while no screen was open, and looks once more when the capture of another instance should have ended.
pub(crate) fn on_found(
    state: &mut State,
    id: RequestId,
    found: Elsewhere,
    now: Moment,
) -> Vec<Effect> {
    let captures = &mut state.captures;
    if captures.look.take_if(|look| *look == id).is_none() {
        return Vec::new();
    }
    (captures.elsewhere, captures.unkept) = (found.runs, found.unkept);
    let (fails, ended) = describe(&found.ended, now).unzip();
    let rescued = new_rescued(&mut captures.rescued, found.rescued);
    let warns = fails == Some(true) || !rescued.is_empty();
    let rescued = rescued.into_iter().map(outside);
    let sentences = ended.into_iter().chain(rescued);
    match sentences.reduce(|all, next| message![all, " ", next]) {
        None => {}
        Some(text) if warns => state.warn(text),
        Some(text) => state.say(text),
    }
    let mut effects = Vec::new();
    if !found.ended.is_empty() {
        effects.push(requests::list_captures(state));
    }
    if let Some(until) = found.until.filter(|_| state.captures.elsewhere.is_some()) {
        let left = until.duration_since(now.wall).unwrap_or_default() + ANSWER;
        effects.push(requests::look_elsewhere(state, left));
    }
    effects
}

/// Returns what to say of rescued captures that this session has not named yet.
fn new_rescued(known: &mut Vec<PathBuf>, rescued: Vec<(PathBuf, String)>) -> Vec<String> {
    let (paths, sentences): (Vec<_>, Vec<_>) = rescued
        .into_iter()
        .filter(|(path, _)| !known.contains(path))
        .unzip();
    known.extend(paths);
    sentences
}

/// Returns what to say of captures that ended while no screen was open, and whether it is a warning.
fn describe(ended: &[Ended], now: Moment) -> Option<(bool, Message)> {
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
            let finished = several.iter().filter(|ended| ended.outcome.is_ok()).count();
            let failed = several.len() - finished;
            let failed = if failed == 0 {
                String::new()
            } else {
                format!(", {failed} failed")
            };
            (
                false,
                message![
                    format!("{finished} captures finished after you quit{failed}; "),
                    Command::GoCaptures,
                    " shows them.",
                ],
            )
        }
    })
}
