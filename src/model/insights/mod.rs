//! What an expert would say of a profile at a glance, each with its numbers and the place it speaks of.
//!
//! [`hints`] looks at one reading, in the order of what helps most; the files below find one sort of thing each. It must
//! be a reading from the root by function; filters are allowed. Every pass is linear in the tree, yet a large tree takes
//! its time: call it where waiting hurts nobody. Weak point: the limits (a quarter, a tenth) are rules of thumb.

mod concentration;
mod context;
mod dominance;
mod minified;
mod recursion;
mod repeated_call;
mod stack_depth;
pub mod summary;
mod wall_time;
mod wording;

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{FrameId, FunctionName};
use crate::model::profile::Profile;
pub use context::Context;
use wording::Subject;

/// What a hint is about. The order is that of usefulness: what makes the rest misleading, then what to mend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HintKind {
    /// The captured version served no traffic.
    NotDeployed,
    /// Waiting was booked as CPU time.
    WallAsCpu,
    /// Too few samples to rank anything.
    FewSamples,
    /// One function holds over a quarter in its own lines.
    Culprit,
    /// A function runs below itself.
    Recursion,
    /// Memory is allocated in one of several files or packages.
    Concentrated,
    /// Memory is allocated below one function.
    AllocatedBelow,
    /// A function of the runtime holds over a quarter.
    RuntimeCulprit,
    /// The garbage collector takes over a tenth.
    Collector,
    /// One caller calls the same function from two lines.
    CalledTwice,
    /// No function holds a tenth.
    NoCulprit,
    /// Stacks were cut at the deepest level that is recorded.
    CutStacks,
    /// Names are those of a minified bundle.
    Minified,
    /// Only what was allocated during the window is counted.
    WindowOnly,
}

/// How sure a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// The figures say it.
    Certain,
    /// The figures make it likely; something else could look the same.
    Likely,
    /// No finding, but what one has to know to read the rest.
    Note,
}

impl Certainty {
    /// The word on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Note => "note",
        }
    }
}

/// Where a hint leads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// The heaviest place of a function.
    Function(FunctionName),
    /// The callers of what has self time.
    BottomUp,
    /// Loading a source map.
    SourceMap,
}

/// One hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// What it is about.
    pub kind: HintKind,
    /// How sure it is.
    pub certainty: Certainty,
    /// One line, of 63 columns where names allow it. Safe to print.
    pub text: String,
    /// What stands behind it, in one more line. Safe to print.
    pub why: String,
    /// Where to look.
    pub goes_to: Option<Place>,
}

/// What a reading shows at a glance, the most useful first.
///
/// The reading must be one from the root ([`crate::model::graph::view::Direction::TopDown`]) by function. A difference, whose values
/// may be negative, has no hints but those of the context.
#[must_use]
pub fn hints(profile: &Profile, reading: &Reading, context: &Context) -> Vec<Hint> {
    let mut found = Vec::new();
    found.extend(context::not_deployed(context));
    if !reading.tree.has_negative() && reading.tree.weight(NodeId::ROOT) > 0 {
        let look = Look::new(profile, reading, context);
        let waits = wall_time::wall_as_cpu(&look);
        // Where waiting was booked as CPU time, no share of that time means anything.
        if waits.is_none() {
            found.extend(dominance::culprits(&look));
            found.extend(dominance::no_culprit(&look));
            found.extend(dominance::collector(&look));
            found.extend(recursion::recursion(&look));
            found.extend(repeated_call::called_twice(&look));
        }
        found.extend(waits);
        found.extend(dominance::few_samples(&look));
        found.extend(concentration::concentrated(&look, &found));
        found.extend(stack_depth::cut(&look));
        found.extend(minified::minified(&look));
        found.extend(context::window_only(&look));
    }
    // Ties keep their order: each file answers its heaviest first.
    found.sort_by_key(|found| (found.tier(), std::cmp::Reverse(found.weight)));
    found.into_iter().map(|found| found.hint).collect()
}

/// A hint with what it is sorted by.
struct Found {
    hint: Hint,
    /// What it concerns, in the reading's unit; 0 where it concerns everything.
    weight: i64,
}

impl Found {
    /// A culprit and a recursion are worth the same: the heavier one is told first.
    fn tier(&self) -> HintKind {
        if self.hint.kind == HintKind::Recursion {
            HintKind::Culprit
        } else {
            self.hint.kind
        }
    }

    /// Tells whether a hint leads to a function already.
    fn leads_to(&self, name: &FunctionName) -> bool {
        matches!(&self.hint.goes_to, Some(Place::Function(function)) if function == name)
    }
}

/// What every finder looks at.
struct Look<'a> {
    profile: &'a Profile,
    reading: &'a Reading,
    context: &'a Context,
    subject: Subject,
    /// What is not idle, of the whole capture, in the reading's unit.
    busy: i128,
    /// Samples shown that are not idle.
    busy_samples: i64,
}

/// The name V8 gives to time in which nothing ran.
const IDLE: &str = "(idle)";

impl<'a> Look<'a> {
    fn new(profile: &'a Profile, reading: &'a Reading, context: &'a Context) -> Self {
        let idle = reading
            .frames
            .ids()
            .find(|frame| reading.frames.name(*frame) == IDLE);
        let idle = idle.map(|frame| reading.stat(frame)).unwrap_or_default();
        Self {
            profile,
            reading,
            context,
            subject: Subject::new(profile, reading, context),
            busy: reading.base - reading.idle - i128::from(idle.total),
            busy_samples: reading.samples - idle.total_samples,
        }
    }

    fn function(&self, frame: FrameId) -> FunctionName {
        self.reading.frames.info(frame).function()
    }

    /// The frame of a function of the profile, if the reading shows it.
    fn frame_of(&self, function: u32) -> Option<FrameId> {
        let function = self.profile.functions().get(function as usize)?;
        let (name, file) = (
            self.profile.text(function.name),
            self.profile.text(function.file),
        );
        self.reading.frames.ids().find(|frame| {
            let info = self.reading.frames.info(*frame);
            (info.name, info.file) == (&*name, &*file) && self.reading.stat(*frame).nodes > 0
        })
    }

    /// The records' values of the shown type, filters or not.
    fn values(&self) -> impl Iterator<Item = i64> + '_ {
        let at = self
            .profile
            .sample_types()
            .iter()
            .position(|known| *known == self.reading.sample_type);
        (0..self.profile.record_count())
            .map(move |record| at.map_or(0, |at| self.profile.values(record)[at]))
    }

    /// Tells whether a value is at least one part in `parts` of a whole.
    fn is_part(value: i64, parts: i128, whole: i128) -> bool {
        value > 0 && i128::from(value) * parts >= whole
    }
}
