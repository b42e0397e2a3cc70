//! The table: what each frame adds up to, in the order asked for.

use std::cmp::Ordering;

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frame_stats::larger;
use crate::model::graph::frames::FrameId;

/// A row of the table.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Row {
    /// Which frame.
    pub frame: FrameId,
    /// Samples of its own.
    pub samples: i64,
    /// Samples under it, recursion once.
    pub total_samples: i64,
    /// Net value of its own.
    pub self_value: i64,
    /// Net value under it, recursion once.
    pub total: i64,
    /// How many definitions (or places) it stands for.
    pub places: u32,
}

/// By what the table is ranked.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default, clap::ValueEnum)]
pub enum Sort {
    /// Own samples, most first.
    #[default]
    Samples,
    /// Own value, largest first.
    #[value(name = "self")]
    SelfValue,
    /// Total value, largest first.
    Total,
    /// Name, from A.
    Name,
}

impl Sort {
    /// Returns the name that options give it.
    #[must_use]
    pub fn word(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Ranks the frames of a reading. Equal rows keep one order: self, then total, then name, then file and line.
#[must_use]
pub fn rank(reading: &Reading, sort: Sort, reverse: bool) -> Vec<Row> {
    rank_within(reading, NodeId::ROOT, sort, reverse)
}

/// Ranks what is at and below a node.
#[must_use]
pub fn rank_within(reading: &Reading, root: NodeId, sort: Sort, reverse: bool) -> Vec<Row> {
    let stats = reading.stats_within(root);
    let mut rows: Vec<Row> = reading
        .frames
        .ids()
        .zip(stats.iter())
        .filter(|(_, stat)| stat.nodes > 0)
        .map(|(frame, stat)| Row {
            frame,
            samples: stat.samples,
            total_samples: stat.total_samples,
            self_value: stat.self_value,
            total: stat.total,
            places: reading.frames.info(frame).places,
        })
        .collect();
    rows.sort_by(|one, other| {
        let first = match sort {
            Sort::Samples => larger(one.samples, other.samples),
            Sort::SelfValue => larger(one.self_value, other.self_value),
            Sort::Total => larger(one.total, other.total),
            Sort::Name => reading
                .frames
                .name(one.frame)
                .cmp(reading.frames.name(other.frame)),
        };
        let first = if reverse { first.reverse() } else { first };
        first.then_with(|| ties(reading, one, other))
    });
    rows
}

fn ties(reading: &Reading, one: &Row, other: &Row) -> Ordering {
    let text = |row: &Row| {
        let info = reading.frames.info(row.frame);
        (info.name, info.file, info.line)
    };
    larger(one.self_value, other.self_value)
        .then_with(|| larger(one.total, other.total))
        .then_with(|| text(one).cmp(&text(other)))
        .then_with(|| one.frame.cmp(&other.frame))
}
