//! The headline of a profile: the one finding that is worth a line, in numbers.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{Family, FrameId, FunctionName, IDLE};
use crate::model::insights::{Context, Facts, Insight, InsightKind, Subject};
use crate::model::profile::Profile;

/// A function of the user's code with one part in so many of the capture dominates it.
const DOMINANT_PARTS: i128 = 10;
/// So does one with one part in so many of the busy time, wherever it comes from.
const BUSY_PARTS: i128 = 4;

/// What dominates a profile, or that nothing does, or that the data can't tell. Names are from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    /// What there is to say.
    pub finding: Finding,
    /// The function it is about: the one that dominates, else the largest.
    pub top: Option<Top>,
    /// What the values are of.
    pub subject: Subject,
    /// All samples, if they were counted.
    pub samples: Option<u64>,
    /// Whether functions are hidden, whose values count as their callers'.
    pub hides: bool,
}

impl Headline {
    /// Whether it says what an insight does.
    #[must_use]
    pub fn says(&self, insight: &Insight) -> bool {
        let function = self.top.as_ref().map(|top| &top.function);
        match &self.finding {
            Finding::Dominant { .. } => {
                matches!(insight.facts, Facts::SelfValue(_))
                    && insight.function.as_ref() == function
            }
            Finding::Spread { .. } => insight.kind == InsightKind::NoCulprit,
            Finding::Unsound(own) => own.kind == insight.kind,
            Finding::Idle | Finding::Empty => false,
        }
    }
}

/// What there is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The top function dominates.
    Dominant {
        /// A larger one that is not the user's code: of the runtime, or the collector.
        beside: Option<Box<Top>>,
    },
    /// No function does: whose code the self values are, in the order of [`Family`]'s variants, and the idle time.
    Spread {
        /// Self values by whose code it is; only what is not zero.
        parts: Vec<(Family, i64)>,
        /// The idle time.
        idle: i128,
    },
    /// What makes any ranking misleading.
    Unsound(Box<Insight>),
    /// Nothing but idle time.
    Idle,
    /// No samples at all.
    Empty,
}

/// A function with its self value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Top {
    /// Which one.
    pub function: FunctionName,
    /// Its name for people, with its place if it is nameless.
    pub label: String,
    /// Its file and line, as shown.
    pub place: String,
    /// The line it starts on, if the profile gives it.
    pub line: Option<i64>,
    /// Whose code it is.
    pub family: Family,
    /// Its self value.
    pub own: i64,
    /// Its samples.
    pub samples: i64,
    /// Half the 95% confidence interval of its share, if samples were counted.
    pub interval: Option<String>,
    /// The values that are not idle.
    pub busy: i128,
}

impl Top {
    fn new(reading: &Reading, frame: FrameId, busy: i128) -> Self {
        let (info, stat) = (reading.frames.info(frame), reading.stat(frame));
        Self {
            function: info.function(),
            label: info.label().into_owned(),
            place: info.place(),
            line: info.start,
            family: info.family,
            own: stat.self_value,
            samples: stat.samples,
            interval: reading.of_capture().interval(stat.samples),
            busy,
        }
    }
}

/// Returns the headline of a reading, given its insights: own code and dependencies before the runtime's frames. `None` for
/// a difference, whose values may be negative.
#[must_use]
pub fn headline(
    profile: &Profile,
    reading: &Reading,
    context: &Context,
    insights: &[Insight],
) -> Option<Headline> {
    if reading.tree.has_negative() {
        return None;
    }
    let shown = |frame: &FrameId| reading.stat(*frame).nodes > 0;
    let frames: Vec<FrameId> = reading.frames.ids().filter(shown).collect();
    let own = |frame: FrameId| reading.stat(frame).self_value;
    let is_idle = |frame: &FrameId| reading.frames.name(*frame) == IDLE;
    let idle_shown: i64 = frames.iter().filter(|f| is_idle(f)).map(|f| own(*f)).sum();
    let idle = reading.idle + i128::from(idle_shown);
    let busy = reading.base - idle;
    let largest = |of: fn(Family) -> bool| {
        let found = frames
            .iter()
            .filter(|frame| of(reading.frames.family(**frame)) && own(**frame) > 0);
        // Of equal ones the first, whatever the order of visits.
        let found = found.max_by_key(|frame| (own(**frame), std::cmp::Reverse(frame.0)));
        found.map(|frame| Top::new(reading, *frame, busy))
    };
    let code = largest(|family| matches!(family, Family::Own | Family::Dependency));
    let foreign = largest(|family| matches!(family, Family::Runtime | Family::Unknown));
    let other = largest(|family| matches!(family, Family::Runtime | Family::Unknown | Family::Gc));
    let is_large = |top: &Top| i128::from(top.own) * BUSY_PARTS >= busy;
    let is_tenth = |top: &Top| i128::from(top.own) * DOMINANT_PARTS >= reading.base;
    let dominant = code
        .clone()
        .filter(|top| is_tenth(top) || is_large(top))
        .or_else(|| foreign.clone().filter(is_large));
    let unsound = insights.iter().find(|insight| {
        matches!(
            insight.kind,
            InsightKind::NotDeployed | InsightKind::WallAsCpu | InsightKind::FewSamples
        )
    });
    let finding = if let Some(insight) = unsound {
        Finding::Unsound(Box::new(insight.clone()))
    } else if reading.tree.weight(NodeId::ROOT) == 0 && idle == 0 {
        Finding::Empty
    } else if busy <= 0 || reading.tree.weight(NodeId::ROOT) == 0 {
        Finding::Idle
    } else if let Some(top) = &dominant {
        let beside = other.filter(|other| {
            is_large(other) && other.own > top.own && other.function != top.function
        });
        let beside = beside.map(Box::new);
        Finding::Dominant { beside }
    } else {
        let whose = [
            Family::Own,
            Family::Dependency,
            Family::Runtime,
            Family::Unknown,
            Family::Grey,
            Family::Gc,
        ];
        let sum = |of: Family| {
            let of_it = frames
                .iter()
                .filter(|frame| reading.frames.family(**frame) == of && !is_idle(frame));
            (of, of_it.map(|frame| own(*frame)).sum::<i64>())
        };
        let parts = whose.map(sum).into_iter().filter(|(_, sum)| *sum > 0);
        Finding::Spread {
            parts: parts.collect(),
            idle,
        }
    };
    Some(Headline {
        finding,
        top: dominant.or(code).or(foreign),
        subject: Subject::new(profile, reading, context),
        samples: reading.counted_samples(),
        hides: reading.hides,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::aggregate;
    use crate::model::graph::view::View;
    use crate::model::insights::insights;

    fn of(folded: &str) -> Headline {
        let profile = crate::formats::read(folded.as_bytes(), "it.folded").unwrap();
        let reading = aggregate::read(&profile, &View::new(&profile)).unwrap();
        let context = Context::default();
        let found = insights(&profile, &reading, &context);
        headline(&profile, &reading, &context, &found).unwrap()
    }

    #[test]
    fn a_function_without_a_file_dominates_from_a_quarter_of_what_is_busy_on() {
        let many = (0..15)
            .map(|at| format!("main;f{at} 20\n"))
            .collect::<String>();
        for (extra, dominates) in [("main;big 99\n", false), ("main;big 100\n", true)] {
            let headline = of(&format!("{many}(idle) 9000\n{extra}"));
            let top = headline.top.as_ref().unwrap();
            assert_eq!(
                (top.label.as_str(), top.busy),
                ("big", 300 + i128::from(top.own))
            );
            let found = matches!(headline.finding, Finding::Dominant { .. });
            assert_eq!(found, dominates, "{headline:?}");
        }
    }

    #[test]
    fn nothing_but_idle_time_is_no_finding() {
        assert_eq!(of("(idle) 9000\n").finding, Finding::Idle);
    }
}
