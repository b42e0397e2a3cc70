//! A filter on what a row or a frame stands for.

use std::collections::BTreeSet;

use crate::model::graph::frame_key;
use crate::model::graph::frames::{FrameId, FrameInfo};
use crate::model::graph::view::Identity;
use crate::model::profile::Profile;
use crate::model::text::pattern::Pattern;

/// Returns the pattern of exactly what a frame of a reading by that identity stands for: a function, else all names or
/// files that it collects. `None` if these are too many to match.
#[must_use]
pub fn pattern_of(profile: &Profile, by: Identity, info: &FrameInfo<'_>) -> Option<Pattern> {
    match by {
        Identity::Function => Pattern::function(&info.identity()).ok(),
        Identity::Name => Pattern::exact_name(info.name).ok(),
        Identity::Line => {
            let functions = functions_of(profile, by, info, |function| function.identity());
            // A frame of the other side of a comparison is in no line here.
            let first = functions.into_iter().next();
            Pattern::function(&first.unwrap_or_else(|| info.identity())).ok()
        }
        Identity::File | Identity::Package => {
            let texts = functions_of(profile, by, info, |function| {
                let file = Some(function.file).filter(|file| !file.is_empty());
                file.unwrap_or(function.name).to_owned()
            });
            Pattern::any_of(&texts.into_iter().collect::<Vec<_>>())
        }
    }
}

/// Returns something of each function whose lines are such a frame.
fn functions_of(
    profile: &Profile,
    by: Identity,
    info: &FrameInfo<'_>,
    text: impl Fn(&FrameInfo<'_>) -> String,
) -> BTreeSet<String> {
    let rows = frame_key::name(profile, by);
    let functions = frame_key::name(profile, Identity::Function);
    let wanted = info.function();
    let row = rows
        .frames
        .ids()
        .find(|id| wanted.is(&rows.frames.info(*id)));
    let Some(FrameId(row)) = row else {
        return BTreeSet::new();
    };
    let lines = rows.of_line.iter().zip(&functions.of_line);
    let locations = rows.of_location.iter().zip(&functions.of_location);
    let of_row = lines.chain(locations).filter(|(at, _)| **at == row);
    let distinct: BTreeSet<u32> = of_row.map(|(_, function)| *function).collect();
    let info = |id: u32| text(&functions.frames.info(FrameId(id)));
    distinct.into_iter().map(info).collect()
}
