//! How much of anything one file may hold. Far above what real profiles have; there so that a broken or hostile file ends
//! in a sentence instead of eating the memory.

use crate::formats::Fault;
use crate::model::profile::Profile;

/// Bytes after decompression.
pub const INFLATED_BYTES: usize = 1 << 30;
/// Compressed layers around each other.
pub const LAYERS: usize = 3;
/// Bytes of one message or string.
pub const FIELD_BYTES: usize = 64 << 20;
/// Nested groups of unknown fields.
pub const GROUPS: usize = 100;
/// Distinct sample types.
pub const SAMPLE_TYPES: usize = 256;
/// Records (pprof's samples).
pub const RECORDS: usize = 1 << 23;
/// Frames of one stack.
pub const STACK: usize = 1 << 20;
/// Frames of all stacks together.
pub const STACK_ENTRIES: usize = 1 << 27;
/// Frames that all distinct stacks have together, those inlined into others among them, beyond [`INLINED`] a place in code: a
/// file of a few kilobytes could mean billions.
pub const FRAMES: usize = 1 << 22;
/// Frames inlined into each other at a place in code, on the average of all distinct stacks.
pub const INLINED: usize = 16;
/// Labels of all records together.
pub const LABELS: usize = 1 << 24;
/// Strings.
pub const STRINGS: usize = 1 << 22;
/// Locations, and lines of all of them together.
pub const LOCATIONS: usize = 1 << 22;
/// Functions.
pub const FUNCTIONS: usize = 1 << 22;
/// Mappings.
pub const MAPPINGS: usize = 1 << 20;
/// Nodes of a call tree, in formats that write one.
pub const NODES: usize = 1 << 23;
/// Frames of all stacks together, in formats that write a call tree: a small file can mean very many.
pub const TREE_ENTRIES: usize = 1 << 26;
/// Nodes of a call tree within each other, in formats that write it so.
pub const NESTED: usize = 1 << 14;
/// Samples, in formats that write each by itself.
pub const TICKS: usize = 1 << 24;
/// Profiles in one file, each of a thread.
pub const THREADS: usize = 1 << 14;
/// Comments.
pub const COMMENTS: usize = 1 << 16;
/// Ticks of a sampler by line, in formats that give them.
pub const TICKED_LINES: usize = 1 << 22;
/// Bytes of a source map, or of a bundle beside one.
pub const MAP_BYTES: usize = 128 << 20;
/// Positions of a source map.
pub const POSITIONS: usize = 1 << 22;
/// Names of a source map, and sources of one.
pub const MAP_NAMES: usize = 1 << 20;
/// Sections of a source map.
pub const SECTIONS: usize = 1 << 16;

/// Refuses a profile whose stacks have more frames than [`FRAMES`] and [`INLINED`] allow.
pub(super) fn inlined(profile: &Profile) -> Result<(), Fault> {
    let (places, frames) = profile.places_and_frames();
    let limit = places.saturating_mul(INLINED).saturating_add(FRAMES);
    check(frames, limit, "frames in all stacks, inlined ones included")
}

/// Refuses a stack of more than [`STACK`] frames, and more than `most_together` in all stacks together.
pub(super) fn stack(frames: usize, together: usize, most_together: usize) -> Result<(), Fault> {
    check(frames, STACK, "frames in one stack")?;
    check(together, most_together, "frames in all stacks together")
}

/// Refuses a count that has reached its limit.
pub(super) fn check(count: usize, limit: usize, what: &'static str) -> Result<(), Fault> {
    if count <= limit {
        Ok(())
    } else {
        Err(Fault::TooMany { what, limit })
    }
}
