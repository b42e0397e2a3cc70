//! Renames filters on functions when the profile's names change.

use std::collections::BTreeSet;

use crate::model::graph::frame_key;
use crate::model::graph::frames::FrameInfo;
use crate::model::graph::view::Identity;
use crate::model::profile::Profile;
use crate::model::query::filter::{Filter, Pattern};

/// Returns the filters for the names of the source (`to_source`), or of the bundle. Those made from a function's name follow
/// it; the user's regular expressions stay.
#[must_use]
pub fn renamed(filters: &[Filter], restored: &Profile, to_source: bool) -> Vec<Filter> {
    let pattern = |pattern: &Pattern| {
        if let Some(identity) = pattern.identity() {
            let functions = functions(restored, identity, to_source);
            return function_or_names(&functions).unwrap_or_else(|| pattern.clone());
        }
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
        Filter::OwnCode | Filter::TagFocus(_) | Filter::TagIgnore(_) => filter.clone(),
    };
    filters.iter().map(filter).collect()
}

/// Returns the pattern of one function; of several the one of their names.
fn function_or_names(functions: &BTreeSet<String>) -> Option<Pattern> {
    if let (Some(only), 1) = (functions.first(), functions.len()) {
        return Pattern::function(only).ok();
    }
    let name = |identity: &String| identity.split('@').next().unwrap_or_default().to_owned();
    Pattern::any_of(&functions.iter().map(name).collect::<Vec<_>>())
}

/// Returns the identities that a function has on the other side.
fn functions(restored: &Profile, identity: &str, to_source: bool) -> BTreeSet<String> {
    let naming = frame_key::name(restored, Identity::Function);
    let pairs = naming.frames.ids().filter_map(|id| {
        let source = naming.frames.info(id);
        let original = source.original?;
        let bundle = FrameInfo {
            name: &original.name,
            file: &original.file,
            line: original.line,
            column: original.column,
            ..source
        };
        let (from, to) = if to_source {
            (bundle, source)
        } else {
            (source, bundle)
        };
        from.has_identity(identity).then(|| to.identity())
    });
    pairs.collect()
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
