//! Completing a path that is typed.

use crate::app::core::ids::RequestId;
use crate::app::core::text_input::{Completions, Input, Purpose};
use crate::app::effect::Effect;
use crate::app::state::State;

/// Requests what the path before the cursor can be completed to, if a path is typed.
pub(crate) fn request(state: &mut State) -> Option<Effect> {
    let id = state.fresh_id();
    let input = state.input.as_mut().filter(|input| is_path(input))?;
    let typed = input.text.get(..input.cursor)?.to_owned();
    input.completion = Some(id);
    Some(Effect::CompletePath(id, typed))
}

fn is_path(input: &Input) -> bool {
    matches!(input.purpose, Purpose::OpenFile | Purpose::SourceMap)
}

/// Completes the line as far as all names agree; several are offered.
pub(crate) fn on_names(state: &mut State, id: RequestId, typed: &str, names: Vec<String>) {
    let Some(input) = state.input.as_mut().filter(|input| is_path(input)) else {
        return;
    };
    let waits = input.completion.take_if(|requested| *requested == id);
    if waits.is_none() || input.text.get(..input.cursor) != Some(typed) {
        return;
    }
    let begun = typed.rsplit('/').next().unwrap_or_default();
    let common = names
        .iter()
        .skip(1)
        .fold(names.first().map_or("", String::as_str), |common, name| {
            common_prefix(common, name)
        });
    if let Some(more) = common.strip_prefix(begun) {
        let more = more.to_owned();
        input.insert(&more);
    }
    input.offers = (names.len() != 1).then_some(Completions { names });
}

/// Returns the beginning that both have, in whole characters.
fn common_prefix<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one
        .char_indices()
        .zip(other.chars())
        .find(|((_, a), b)| a != b)
        .map(|((at, _), _)| at);
    one.get(..end.unwrap_or_else(|| one.len().min(other.len())))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::common_prefix;

    #[test]
    fn what_two_names_have_in_common_ends_between_characters() {
        for (one, other, common) in [
            ("worker.js", "worker.js.map", "worker.js"),
            ("aé", "aè", "a"),
            ("", "a", ""),
            ("b/", "b/", "b/"),
        ] {
            assert_eq!(common_prefix(one, other), common, "{one} {other}");
            assert_eq!(common_prefix(other, one), common, "{other} {one}");
        }
    }
}
