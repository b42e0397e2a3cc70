//! Renames filters on functions when the profile's names change.

use std::collections::BTreeSet;

use crate::model::profile::Profile;
use crate::model::query::filter::{Filter, Pattern};

/// Returns the filters for the names of the source (`to_source`), or of the bundle. Those made from a function's name follow
/// it; the user's regular expressions stay.
#[must_use]
pub fn renamed(filters: &[Filter], restored: &Profile, to_source: bool) -> Vec<Filter> {
    let pattern = |pattern: &Pattern| {
        let names = pattern
            .exact()
            .map(|name| counterparts(restored, name, to_source))
            .unwrap_or_default();
        Pattern::any_of(&names).unwrap_or_else(|| pattern.clone())
    };
    let filter = |filter: &Filter| match filter {
        Filter::Focus(of) => Filter::Focus(pattern(of)),
        Filter::Ignore(of) => Filter::Ignore(pattern(of)),
        Filter::Hide(of) => Filter::Hide(pattern(of)),
        Filter::ShowFrom(of) => Filter::ShowFrom(pattern(of)),
        Filter::TagFocus(_) | Filter::TagIgnore(_) => filter.clone(),
    };
    filters.iter().map(filter).collect()
}

/// Returns the names that functions of this name have on the other side.
fn counterparts(restored: &Profile, name: &str, to_source: bool) -> Vec<String> {
    let pairs = (0..)
        .zip(restored.functions())
        .filter_map(|(at, function)| {
            let original = restored.original(at)?;
            let (source, bundle) = (restored.text(function.name), restored.text(original.name));
            let (from, to) = if to_source {
                (bundle, source)
            } else {
                (source, bundle)
            };
            (from == name).then(|| to.into_owned())
        });
    pairs.collect::<BTreeSet<String>>().into_iter().collect()
}
