//! Paths that complete while they are typed, in the lines that name a file.

use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::{Effect, RequestId};
use crate::app::state::State;

/// What fits the path that was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// The names, in their order; folders end in `/`.
    pub names: Vec<String>,
}

impl Offers {
    /// How many there are, in words.
    #[must_use]
    pub fn count(&self) -> String {
        match self.names.len() {
            0 => "nothing fits".to_owned(),
            several => format!("{several} fit"),
        }
    }
}

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

/// The beginning that both have, in whole characters.
fn agreed<'a>(one: &'a str, other: &str) -> &'a str {
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
    use super::agreed;

    #[test]
    fn what_two_names_agree_in_ends_between_characters() {
        for (one, other, common) in [
            ("worker.js", "worker.js.map", "worker.js"),
            ("aé", "aè", "a"),
            ("", "a", ""),
            ("b/", "b/", "b/"),
        ] {
            assert_eq!(agreed(one, other), common, "{one} {other}");
            assert_eq!(agreed(other, one), common, "{other} {one}");
        }
    }
}
