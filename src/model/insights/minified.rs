//! Names that say little: those that a minifier gave, and addresses.

use crate::model::graph::frames::{Family, FrameId};
use crate::model::insights::{Facts, Found, InsightKind, Look, Minified};
use crate::model::text::cut::is_address;

/// Fewer functions than this say nothing about the bundle.
const FUNCTIONS_MIN: usize = 3;
/// One part in so many without symbols is worth a hint.
const WITHOUT_SYMBOLS_PARTS: i128 = 10;
/// Longer names were given by people.
const LETTERS_MAX: usize = 2;

/// Most of the own self time is in functions with names of one or two letters, or with none.
pub(crate) fn minified(look: &Look<'_>) -> Option<Found> {
    if look.context.has_source_map {
        return None;
    }
    let frames = &look.reading.frames;
    let own: Vec<FrameId> = frames
        .ids()
        .filter(|frame| frames.family(*frame) == Family::Own)
        .collect();
    let is_named = |frame: &FrameId| !frames.name(*frame).starts_with('(');
    let named: Vec<FrameId> = own.iter().copied().filter(is_named).collect();
    let mut short: Vec<FrameId> = named
        .iter()
        .copied()
        .filter(|frame| is_short(frames.name(*frame)))
        .collect();
    let weight = |frames: &mut dyn Iterator<Item = &FrameId>| -> u128 {
        let own = frames.map(|frame| look.reading.stat(*frame).self_value.unsigned_abs());
        own.map(u128::from).sum()
    };
    let all = weight(&mut own.iter());
    let nameless = weight(&mut own.iter().filter(|frame| !is_named(frame)));
    let in_short = weight(&mut short.iter());
    // Callbacks without a name are common; they only add to names that are short.
    let is_most = in_short * 8 >= all && (in_short + nameless) * 2 >= all;
    if own.len() < FUNCTIONS_MIN || all == 0 || !is_most {
        return None;
    }
    short.sort_by_key(|frame| std::cmp::Reverse(look.reading.stat(*frame).self_value));
    let facts = Minified {
        short: short.len(),
        all: named.len(),
        some: short
            .iter()
            .take(3)
            .map(|frame| look.name(*frame))
            .collect(),
        has_columns: look.profile.has_columns(),
    };
    Some(look.found(InsightKind::Minified, 0, Facts::Minified(facts)))
}

/// A tenth of the self time or more is in functions that have addresses for names.
pub(crate) fn without_symbols(look: &Look<'_>) -> Option<Found> {
    let frames = &look.reading.frames;
    let unnamed = frames.ids().filter(|frame| is_address(frames.name(*frame)));
    let (mut functions, mut own) = (0, 0_i64);
    for frame in unnamed {
        functions += 1;
        own = own.saturating_add(look.reading.stat(frame).self_value);
    }
    let facts = Facts::WithoutSymbols { functions, own };
    Look::is_part(own, WITHOUT_SYMBOLS_PARTS, look.busy)
        .then(|| look.found(InsightKind::WithoutSymbols, own, facts))
}

/// Whether a minifier may have chosen the name. Private members keep their sign: `#t` is one letter.
fn is_short(name: &str) -> bool {
    name.trim_start_matches('#').chars().count() <= LETTERS_MAX
}
