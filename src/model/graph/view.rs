//! A view: which values of a profile are shown, which frames count as one, what is left out, from which end.

use crate::model::profile::Profile;
use crate::model::query::filter::Filter;

/// How many focus filters, and how many show-from filters, a view can have: one bit each.
pub const FILTERS_MAX: usize = 64;

/// Which places in code count as one frame.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default, clap::ValueEnum)]
pub enum Identity {
    /// Name and file; nameless functions stay apart by line and, where that is not enough, column, else by address.
    #[default]
    Function,
    /// Name alone.
    Name,
    /// Name, file and line.
    Line,
    /// The source file.
    File,
    /// The package the source file belongs to.
    Package,
}

/// From which end stacks are read.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default)]
pub enum Direction {
    /// The root above, what it calls below.
    #[default]
    TopDown,
    /// What has self time above, its callers below.
    BottomUp,
}

/// One way to look at a profile.
#[derive(Debug, Clone)]
pub struct View {
    /// Index of the sample type whose values are shown.
    pub sample_type: usize,
    /// Which places in code count as one frame.
    pub by: Identity,
    /// What is left out.
    pub filters: Vec<Filter>,
    /// Leaves out stacks in `(idle)`.
    pub hide_idle: bool,
    /// Draws a function that calls itself directly as one frame.
    pub fold_recursion: bool,
    /// From which end stacks are read.
    pub direction: Direction,
}

impl View {
    /// The view with nothing left out, of the type the profile wants to be shown first.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        Self {
            sample_type: profile.default_sample_type(),
            by: Identity::default(),
            filters: Vec::new(),
            hide_idle: false,
            fold_recursion: false,
            direction: Direction::default(),
        }
    }
}

/// Why a profile can't be looked at in this way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// There is no such sample type.
    #[error("this profile has no sample type number {0}")]
    NoSuchType(usize),
    /// The values' absolute sum does not fit 64 bits.
    #[error("the values of `{}` add up to more than 64 bits can hold (overflow)", crate::model::text::sanitize::printable(.0))]
    Overflow(String),
    /// More filters of one kind than can be followed at once.
    #[error(
        "at most {} focus filters and as many show-from filters at once",
        FILTERS_MAX
    )]
    TooManyFilters,
}
