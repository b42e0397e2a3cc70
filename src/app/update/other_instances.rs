//! Looking for captures of other instances, and for those that outlived their screen.

use std::time::Duration;

use crate::app::capture::other_instances::{Elsewhere, Ended};
use crate::app::core::dates::age;
use crate::app::effect::{Effect, RequestId};
use crate::app::state::{Moment, State};

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
    state.elsewhere = found.runs;
    match found.ended.as_slice() {
        [] => {}
        [
            Ended {
                worker,
                at,
                outcome: Ok(_),
            },
        ] => {
            state.say(format!(
                "{worker} was captured {} ago, after you left; {{go-captures}} shows it.",
                age(*at, now.wall)
            ));
        }
        [
            Ended {
                worker,
                at,
                outcome: Err(why),
            },
        ] => {
            let age = age(*at, now.wall);
            state.warn(format!(
                "The capture of {worker} failed {age} ago, after you left: {why} {{capture}} in its row tries again."
            ));
        }
        several => {
            let came = several.iter().filter(|ended| ended.outcome.is_ok()).count();
            let failed = several.len() - came;
            let failed = if failed == 0 {
                String::new()
            } else {
                format!(", {failed} failed")
            };
            state.say(format!(
                "{came} captures came after you left{failed}; {{go-captures}} shows them."
            ));
        }
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
