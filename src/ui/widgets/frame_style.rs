//! A frame's colour and its label.

use crate::app::{ColourBy, CompareState, ProfileState};
use crate::model::diff::{Status, Step};
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::{Family, FrameId};
use crate::model::text::units::signed;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{cut_name, width};

/// Narrower frames have no label and take the first shade of their pair: neighbours then share a colour code.
const LABEL_CELLS: u16 = 5;
/// Own code that holds this part of what is shown in its own lines glows.
const HOT_PART: u64 = 10;
/// From this room on, a label carries its percentage.
const PER_CENT_ROOM: u16 = 23;
/// From this room on, a label carries its value.
const VALUE_ROOM: u16 = 35;
/// Least room for a name that has to be cut.
const CUT_ROOM: u16 = 4;

/// Returns the role of a node's frame of that many cells.
pub(crate) fn role(profile: &ProfileState, tree: &Tree, node: NodeId, cells: u16) -> Role {
    let Some(frame) = tree.frame(node) else {
        return Role::Ceiling;
    };
    if let Some(compared) = &profile.compare {
        return change_role(compared, node);
    }
    let own = tree.self_weight(node);
    frame_role(
        profile,
        frame,
        own,
        tree.depth(node).saturating_sub(1),
        cells,
    )
}

/// Returns the role of a frame by how much it changed for its size.
fn change_role(compare: &CompareState, node: NodeId) -> Role {
    match compare.step(node) {
        Step::Same => Role::DiffSame,
        Step::More(1) => Role::DiffMore1,
        Step::More(2) => Role::DiffMore2,
        Step::More(_) => Role::DiffMore3,
        Step::Less(1) => Role::DiffLess1,
        Step::Less(2) => Role::DiffLess2,
        Step::Less(_) => Role::DiffLess3,
    }
}

/// Returns what a frame's label says after the name.
fn change_word(compare: &CompareState, node: NodeId, unit: &str) -> String {
    let status = compare.comparison.status(node);
    match status {
        Status::New => "new".to_owned(),
        Status::Gone => "gone".to_owned(),
        _ if compare.step(node) == Step::Same => String::new(),
        _ => signed(compare.comparison.total(node).change().into(), unit),
    }
}

/// Returns the first cell of a frame that has no room for a label.
pub(crate) fn change_edge(role: Role) -> &'static str {
    match role {
        Role::DiffMore1 | Role::DiffMore2 | Role::DiffMore3 => "▴",
        Role::DiffLess1 | Role::DiffLess2 | Role::DiffLess3 => "▾",
        _ => "▏",
    }
}

/// Returns the role of a function that holds `own` in its own lines, drawn `depth` levels below the real root.
pub(crate) fn frame_role(
    profile: &ProfileState,
    frame: FrameId,
    own: u64,
    depth: u32,
    cells: u16,
) -> Role {
    let shown = profile.reading.tree.weight(NodeId::ROOT);
    let hot = own > 0 && own >= shown.div_ceil(HOT_PART);
    let info = profile.reading.frames.info(frame);
    let shade = |key: &str| cells >= LABEL_CELLS && hash(key) % 2 == 1;
    match (profile.reading.frames.family(frame), profile.colours) {
        (Family::Grey, _) => Role::FrameGrey,
        (Family::Gc, _) => Role::FrameGc,
        (Family::Own, _) if hot => Role::FrameHot,
        (_, ColourBy::SelfShare) => by_self(own, shown),
        (Family::Runtime | Family::Unknown, _) => {
            if shade(info.name) {
                Role::FrameCool2
            } else {
                Role::FrameCool1
            }
        }
        (Family::Dependency, ColourBy::Package) => {
            if shade(package(info.file)) {
                Role::FrameDep2
            } else {
                Role::FrameDep1
            }
        }
        (Family::Dependency, _) => {
            if shade(info.name) {
                Role::FrameDep2
            } else {
                Role::FrameDep1
            }
        }
        (Family::Own, colours) => {
            // Rows alternate two pairs, so that a callee never has its caller's shade.
            let key = if colours == ColourBy::Package {
                info.file
            } else {
                info.name
            };
            match (depth % 2, shade(key)) {
                (0, false) => Role::FrameWarm1,
                (0, true) => Role::FrameWarm2,
                (_, false) => Role::FrameWarm3,
                (_, true) => Role::FrameWarm4,
            }
        }
    }
}

/// Shades by the share in own lines: nothing, some, much.
const fn by_self(own: u64, shown: u64) -> Role {
    match own.saturating_mul(100).checked_div(shown) {
        None | Some(0) => Role::FrameGrey,
        Some(1..=2) => Role::FrameWarm1,
        Some(3..=9) => Role::FrameWarm3,
        Some(_) => Role::FrameHot,
    }
}

/// Returns a dependency's package in its path.
fn package(file: &str) -> &str {
    let after = file
        .rsplit_once("node_modules/")
        .map_or(file, |(_, rest)| rest);
    let parts = if after.starts_with('@') { 2 } else { 1 };
    let end = after
        .match_indices('/')
        .nth(parts - 1)
        .map_or(after.len(), |(at, _)| at);
    after.get(..end).unwrap_or(after)
}

/// Returns the bar's role that belongs to a frame's.
pub(crate) const fn bar_role(role: Role) -> Role {
    match role {
        Role::FrameHot => Role::BarHot,
        Role::FrameCool1 | Role::FrameCool2 => Role::BarCool,
        Role::FrameDep1 | Role::FrameDep2 => Role::BarDep,
        Role::FrameGrey => Role::BarGrey,
        Role::FrameGc => Role::BarGc,
        _ => Role::BarWarm,
    }
}

/// FNV-1a, 64 bits, folded: stable between runs and machines, so that a function keeps its colour.
fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^ (hash >> 32)
}

/// Returns a frame's label for `room` cells: the name, its percentage where there is room, its value where there is more.
pub(crate) fn label(
    profile: &ProfileState,
    tree: &Tree,
    node: NodeId,
    room: u16,
    unit: &str,
) -> String {
    let Some(frame) = tree.frame(node) else {
        return String::new();
    };
    let info = profile.reading.frames.info(frame);
    let name = info.fitting_label(|label| width(label) <= room);
    let name_width = width(&name);
    if name_width > room {
        let short = match &*name {
            "(garbage collector)" => "(gc)",
            "(anonymous)" => "(anon)",
            "(program)" => "(prog)",
            other => other,
        };
        return if room >= CUT_ROOM {
            cut_name(short, room).into_owned()
        } else {
            String::new()
        };
    }
    if let Some(compared) = &profile.compare {
        let word = change_word(compared, node, unit);
        let fits = !word.is_empty() && name_width + 2 + width(&word) <= room;
        return if fits {
            format!("{name}  {word}")
        } else {
            name.into_owned()
        };
    }
    let share = profile.base().0.share(tree.total(node));
    let amount = tree.amount(node, unit);
    if room >= VALUE_ROOM && name_width + width(&share) + width(&amount) + 4 <= room {
        format!("{name}  {share}  {amount}")
    } else if room >= PER_CENT_ROOM && name_width + width(&share) + 2 <= room {
        format!("{name}  {share}")
    } else {
        name.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        // FNV-1a of "a" is 0xaf63dc4c8601ec8c.
        assert_eq!(
            hash("a"),
            0xaf63_dc4c_8601_ec8c ^ (0xaf63_dc4c_8601_ec8c >> 32)
        );
    }

    #[test]
    fn packages_are_cut_out_of_paths() {
        assert_eq!(package("file:///node_modules/hono/dist/hono.js"), "hono");
        assert_eq!(package("node_modules/@scope/name/index.js"), "@scope/name");
        assert_eq!(package("src/index.ts"), "src");
    }
}
