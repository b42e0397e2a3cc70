//! Completing a path that is typed.

use crate::app::core::ids::RequestId;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::overlays::path_completion::{Offers, agreed};
use crate::app::state::State;

/// Asks what fits the path before the cursor, where a path is typed.
pub(crate) fn ask(state: &mut State) -> Option<Effect> {
    let input = state.input.as_ref().filter(|input| is_path(input))?;
    let typed = input.text.get(..input.cursor)?.to_owned();
    let id = state.fresh_id();
    state.asks_paths = Some(id);
    Some(Effect::CompletePath(id, typed))
}

fn is_path(input: &Input) -> bool {
    matches!(input.purpose, Purpose::OpenFile | Purpose::SourceMap)
}

/// Takes what fits: the line goes on as far as all of it agrees, and several are told.
pub(crate) fn took(state: &mut State, id: RequestId, typed: &str, names: Vec<String>) {
    if state.asks_paths.take_if(|asked| *asked == id).is_none() {
        return;
    }
    let Some(input) = state.input.as_mut().filter(|input| is_path(input)) else {
        return;
    };
    if input.text.get(..input.cursor) != Some(typed) {
        return;
    }
    let begun = typed.rsplit('/').next().unwrap_or_default();
    let common = names
        .iter()
        .skip(1)
        .fold(names.first().map_or("", String::as_str), |common, name| {
            agreed(common, name)
        });
    if let Some(more) = common.strip_prefix(begun) {
        let more = more.to_owned();
        input.insert(&more);
    }
    input.offers = (names.len() != 1).then_some(Offers { names });
}
