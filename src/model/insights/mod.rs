//! What an expert would notice in a profile at a glance, as facts: kind, numbers, function. `app` puts them into words.
//!
//! [`insights`] looks at one reading, the most useful first; each file below finds one sort of thing. Every pass is linear
//! in the tree, but a large tree takes its time: call it in the background. Weak point: the limits (a quarter, a tenth) are
//! rules of thumb.

mod concentration;
mod context;
mod dominance;
pub mod headline;
mod minified;
mod recursion;
mod repeated_call;
mod stack_depth;
mod subject;
pub mod summary;
mod wall_time;

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{FrameId, FunctionName, IDLE};
use crate::model::profile::Profile;
pub use context::Context;
pub use subject::Subject;

/// What an insight is about, in order of usefulness: what makes the rest misleading, then what to fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InsightKind {
    /// The captured version served no traffic.
    NotDeployed,
    /// Waiting was counted as CPU time.
    WallAsCpu,
    /// Too few samples to rank anything.
    FewSamples,
    /// A function has over a quarter as self value.
    Culprit,
    /// A function calls itself, directly or not.
    Recursion,
    /// Most memory is allocated below one of several files or packages.
    Concentrated,
    /// Most memory is allocated below one function.
    AllocatedBelow,
    /// A function of the runtime has over a quarter as self value.
    RuntimeCulprit,
    /// The garbage collector takes over a tenth.
    Collector,
    /// One caller calls the same function from two lines.
    CalledTwice,
    /// No function has a tenth as self value.
    NoCulprit,
    /// Stacks were cut at the deepest level that V8 records.
    CutStacks,
    /// Names look minified.
    Minified,
    /// Functions have addresses for names.
    WithoutSymbols,
    /// Only allocations of the window are counted.
    WindowOnly,
}

/// How sure an insight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// The numbers say it.
    Certain,
    /// The numbers make it likely; something else could look the same.
    Likely,
    /// Not a finding, but needed to read the rest.
    Note,
}

/// What an insight is about, in numbers. Names are from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Facts {
    /// The kind says it all.
    None,
    /// The self value of the insight's function.
    SelfValue(SelfValue),
    /// The function with the largest self value, of how many functions.
    Largest {
        /// Functions shown.
        functions: usize,
        /// The self value of the insight's function.
        own: i64,
    },
    /// The value of all collector frames.
    Collector(i64),
    /// Busy samples, too few to rank by.
    Samples {
        /// Samples that are not idle.
        samples: u64,
        /// All samples of the capture.
        all: u64,
    },
    /// How many samples were taken while none of the user's code ran.
    NoOwnCode(u64),
    /// The recursion of the insight's function.
    Recursion(Recursion),
    /// What is allocated in or below a file, package or function.
    Allocations {
        /// The file, package or function.
        place: String,
        /// The value.
        total: i64,
        /// The largest functions in or below it.
        parts: Vec<(String, i64)>,
    },
    /// Calls of one function from several lines of another.
    Calls {
        /// The caller.
        from: String,
        /// The callee.
        to: String,
        /// The caller's lines with their values, the largest first.
        lines: Vec<(i64, i64)>,
    },
    /// The value on stacks that were cut at so many frames.
    CutStacks {
        /// The value.
        value: i64,
        /// Frames that V8 keeps.
        frames: u32,
    },
    /// Minified names.
    Minified(Minified),
    /// How many functions have addresses for names, and their self value.
    WithoutSymbols {
        /// The functions.
        functions: usize,
        /// Their self value.
        own: i64,
    },
    /// What each sample stands for, in nanoseconds.
    LongSamples(LongSamples),
    /// More busy time than all requests may have used, in nanoseconds.
    MoreThanTraffic {
        /// The busy time.
        busy: i128,
        /// What the requests used at most.
        most: i128,
        /// Requests in the window.
        requests: i128,
        /// Their p99.
        p99: i128,
    },
}

/// The self value of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfValue {
    /// The value.
    pub own: i64,
    /// What is not idle.
    pub busy: i128,
    /// Its samples.
    pub samples: i64,
    /// Half the 95% confidence interval of its share, if samples were counted.
    pub interval: Option<String>,
    /// Whether hidden functions are merged into it.
    pub has_hidden: bool,
    /// The largest caller (`None`: the runtime), with the part of the self value under it.
    pub caller: Option<(Option<String>, i64)>,
}

/// The recursion of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recursion {
    /// Its total.
    pub total: i64,
    /// The totals of all its levels, added up.
    pub levels: i128,
    /// Its most frames on one stack.
    pub deepest: u32,
    /// The functions it calls itself through, the largest first.
    pub others: Vec<String>,
    /// Whether folding direct recursion would simplify the tree.
    pub folds: bool,
}

/// What each sample stands for, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LongSamples {
    /// The average.
    pub each: i128,
    /// What it should be.
    pub period: i128,
    /// Busy samples.
    pub samples: i64,
}

/// Minified names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minified {
    /// Minified names.
    pub short: usize,
    /// All names.
    pub all: usize,
    /// Some of them.
    pub some: Vec<String>,
    /// Whether a source map alone can restore them.
    pub has_columns: bool,
}

/// A finding about a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// What it is about.
    pub kind: InsightKind,
    /// How sure it is.
    pub certainty: Certainty,
    /// Its numbers.
    pub facts: Facts,
    /// The function to look at.
    pub function: Option<FunctionName>,
    /// Its name for people, with its place if it is nameless.
    pub label: String,
    /// What the values are of.
    pub subject: Subject,
}

/// Returns what a reading shows at a glance, the most useful first.
///
/// The reading must be one from the root ([`crate::model::graph::view::Direction::TopDown`]) by function, with any filters. A
/// difference, whose values may be negative, has only the insights of its context.
#[must_use]
pub fn insights(profile: &Profile, reading: &Reading, context: &Context) -> Vec<Insight> {
    let look = Look::new(profile, reading, context);
    let mut found = Vec::from_iter(context::not_deployed(&look));
    if !reading.tree.has_negative() && reading.tree.weight(NodeId::ROOT) > 0 {
        let waits = wall_time::wall_as_cpu(&look);
        // If waiting was counted as CPU time, no share of that time means anything.
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
        found.extend(minified::without_symbols(&look));
        found.extend(context::window_only(&look));
    }
    // A culprit and a recursion are of the same use: the larger one comes first. Ties keep their order.
    found.sort_by_key(|found| {
        let kind = match found.insight.kind {
            InsightKind::Recursion => InsightKind::Culprit,
            kind => kind,
        };
        (kind, std::cmp::Reverse(found.weight))
    });
    found.into_iter().map(|found| found.insight).collect()
}

/// An insight with what it is sorted by.
struct Found {
    insight: Insight,
    /// The value it concerns; 0 if it concerns everything.
    weight: i64,
}

/// What every file below looks at.
struct Look<'a> {
    profile: &'a Profile,
    reading: &'a Reading,
    context: &'a Context,
    subject: Subject,
    /// What is not idle, of the whole capture.
    busy: i128,
    /// Samples shown that are not idle.
    busy_samples: i64,
}

impl Found {
    /// Sets the function to look at.
    fn at(mut self, look: &Look<'_>, frame: Option<FrameId>) -> Self {
        if let Some(frame) = frame {
            self.insight.function = Some(look.function(frame));
            self.insight.label = look.name(frame);
        }
        self
    }

    /// Makes it only likely if `is_unsure`.
    fn unsure(mut self, is_unsure: bool) -> Self {
        if is_unsure {
            self.insight.certainty = Certainty::Likely;
        }
        self
    }
}

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

    fn found(&self, kind: InsightKind, weight: i64, facts: Facts) -> Found {
        let certainty = match kind {
            InsightKind::WallAsCpu | InsightKind::CalledTwice | InsightKind::Minified => {
                Certainty::Likely
            }
            InsightKind::WindowOnly => Certainty::Note,
            _ => Certainty::Certain,
        };
        Found {
            insight: Insight {
                kind,
                certainty,
                facts,
                function: None,
                label: String::new(),
                subject: self.subject.clone(),
            },
            weight,
        }
    }

    fn name(&self, frame: FrameId) -> String {
        self.reading.frames.label(frame).into_owned()
    }

    fn function(&self, frame: FrameId) -> FunctionName {
        self.reading.frames.info(frame).function()
    }

    /// Returns the frame of a function of the profile, if the reading shows it.
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

    /// Returns the records' values of the shown type, filtered or not.
    fn values(&self) -> impl Iterator<Item = i64> + '_ {
        let at = self
            .profile
            .sample_types()
            .iter()
            .position(|known| *known == self.reading.sample_type);
        (0..self.profile.record_count())
            .map(move |record| at.map_or(0, |at| self.profile.values(record)[at]))
    }

    /// Whether a value is at least one part in `parts` of a whole.
    fn is_part(value: i64, parts: i128, whole: i128) -> bool {
        value > 0 && i128::from(value) * parts >= whole
    }
}
