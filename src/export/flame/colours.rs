//! The colours of frames in a flame graph, the screen's on a light ground, and what they mean.

use crate::model::diff::Step;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::text::share;

/// Own code whose own lines hold a tenth of what is shown.
const HOT: &str = "#ff7f28";
const OWN: [&str; 4] = ["#cfa979", "#cb8a68", "#c99a90", "#b98f63"];
const RUNTIME: [&str; 2] = ["#8fb0b4", "#86a5c0"];
const DEPENDENCY: [&str; 2] = ["#a9b37f", "#9db38c"];
const GREY: &str = "#b5afa8";
const GC: &str = "#c4a8f2";
/// A frame whose values add up to less than nothing.
pub(super) const BELOW_ZERO: &str = "#76a6ea";
/// More than before, from a little to much more.
const MORE: [&str; 3] = ["#f4cabf", "#ee9c88", "#e0644c"];
/// Less than before, likewise.
const LESS: [&str; 3] = ["#c9daf3", "#9abbec", "#6794e0"];
/// As much as before.
const SAME: &str = "#dcd8d2";
/// The bar above all frames.
pub(super) const ALL: &str = "#d8d2ca";
/// Frames that are not drawn one by one.
pub(super) const REST: &str = "#e9e4dd";

/// Returns groups of colours with what each means.
pub(super) fn legend() -> [(&'static [&'static str], String); 11] {
    let hot = format!("own code, {} self or more", share::per_cent(1, 10));
    [
        (&[HOT], hot),
        (&OWN, "own code".to_owned()),
        (&DEPENDENCY, "dependencies".to_owned()),
        (&RUNTIME, "runtime, or no file".to_owned()),
        (&[GREY], "no code".to_owned()),
        (&[GC], "garbage collector".to_owned()),
        (&[BELOW_ZERO], "below zero".to_owned()),
        (&LESS, "▾ less".to_owned()),
        (&[SAME], "about the same".to_owned()),
        (&MORE, "▴ more".to_owned()),
        (&[REST], "frames too narrow to draw".to_owned()),
    ]
}

/// Returns the colour of a frame, as `#rrggbb`.
pub(super) fn of(reading: &Reading, frame: FrameId) -> &'static str {
    let pick = |shades: &[&'static str]| {
        let shade = hash(reading.frames.name(frame)) as usize % shades.len().max(1);
        shades.get(shade).copied().unwrap_or(GREY)
    };
    let own = i128::from(reading.stat(frame).self_value).saturating_mul(10);
    match reading.frames.family(frame) {
        Family::Own if reading.shown > 0 && own >= reading.shown => HOT,
        Family::Own => pick(&OWN),
        Family::Runtime | Family::Unknown => pick(&RUNTIME),
        Family::Dependency => pick(&DEPENDENCY),
        Family::Grey => GREY,
        Family::Gc => GC,
    }
}

/// Returns the colour of a frame in a comparison.
pub(super) fn of_step(step: Step) -> &'static str {
    let of = |shades: [&'static str; 3], much: u8| {
        shades.get(usize::from(much).saturating_sub(1)).copied()
    };
    let shade = match step {
        Step::Same => None,
        Step::More(much) => of(MORE, much),
        Step::Less(much) => of(LESS, much),
    };
    shade.unwrap_or(SAME)
}

/// FNV-1a, so that a name has the same colour in every picture.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
