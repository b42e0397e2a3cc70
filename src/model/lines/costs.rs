//! What each line of one function costs, as far as the profile tells: Go's have lines, V8's recordings ticks, its pprof
//! function starts only.

use std::collections::{BTreeMap, HashSet};

use crate::model::graph::aggregate::read;
use crate::model::graph::frames::FunctionName;
use crate::model::graph::subset::Subset;
use crate::model::graph::view::{Direction, Identity, View, ViewError};
use crate::model::lines::lines;
use crate::model::profile::{Function, Profile};

/// What is known of a function's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostKind {
    /// Each line's own value, and with what it calls.
    SelfAndTotal,
    /// Ticks of the sampler by line: the line's own only.
    Ticks,
    /// All is booked on the line that the function starts on.
    StartOnly,
}

impl CostKind {
    /// What the figures beside the code are, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SelfAndTotal => "lines: self and total",
            Self::Ticks => "lines: self only, from ticks",
            Self::StartOnly => "function start only: the profile has no lines",
        }
    }

    /// The word for scripts.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SelfAndTotal => "lines",
            Self::Ticks => "ticks",
            Self::StartOnly => "start",
        }
    }
}

/// What one line costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCost {
    /// The line, from 1.
    pub line: i64,
    /// Its own: in the profile's unit, or in ticks.
    pub own: i64,
    /// With what it calls; `None` where that is not known by line.
    pub total: Option<i64>,
}

/// What the lines of a function cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    /// What is known.
    pub kind: CostKind,
    /// The lines that cost something, by number.
    pub lines: Vec<LineCost>,
    /// The line that the function starts on, if known.
    pub start: Option<i64>,
    /// The column, from 1, if known.
    pub column: Option<i64>,
    /// The function's own value, in the profile's unit.
    pub own: i64,
    /// Its value with what it calls.
    pub total: i64,
    /// Ticks of the function on no line of its file: code inlined from another, or lines that a source map leaves open.
    pub elsewhere: i64,
    /// What per cents are of: the capture, or for ticks all of the function's.
    pub base: i128,
}

impl Costs {
    /// The figure that ranks a line.
    #[must_use]
    pub fn weight(&self, line: &LineCost) -> u64 {
        line.total.unwrap_or(line.own).unsigned_abs()
    }

    /// The costly lines, heaviest first.
    #[must_use]
    pub fn ranked(&self) -> Vec<i64> {
        let mut ranked: Vec<&LineCost> = self.lines.iter().collect();
        ranked.sort_by_key(|line| (std::cmp::Reverse(self.weight(line)), line.line));
        ranked.into_iter().map(|line| line.line).collect()
    }
}

/// What the lines of a function cost in a view; `None` where no function of that name and file is in it.
///
/// # Errors
/// [`ViewError`], as for every view.
pub fn costs(
    profile: &Profile,
    view: &View,
    wanted: &FunctionName,
) -> Result<Option<Costs>, ViewError> {
    let by_function = View {
        by: Identity::Function,
        direction: Direction::TopDown,
        ..view.clone()
    };
    let reading = read(profile, &by_function)?;
    let is_it = |frame: &_| {
        let info = reading.frames.info(*frame);
        wanted.fits(info.name, info.file, info.line.unwrap_or_default())
            && info.column == wanted.column
    };
    let all: Vec<_> = reading.frames.ids().filter(is_it).collect();
    let Some(first) = all
        .iter()
        .max_by_key(|frame| reading.stat(**frame).total.unsigned_abs())
        .copied()
    else {
        return Ok(None);
    };
    let (stat, info) = (reading.stat(first), reading.frames.info(first));
    let (start, own, total) = (info.line, stat.self_value, stat.total);
    let ticked = ticks(profile, view, wanted)?;
    let by_line = lines(profile, view, wanted)?;
    let starts = starts(profile, wanted);
    let only_starts = by_line.iter().all(|line| starts.contains(&line.line));
    let (kind, lines, elsewhere, base) = match ticked {
        // A bundle that is one long line has its ticks there: they say no more than where the function starts.
        Some(ticked) if only_starts && !ticked.lines.keys().all(|line| starts.contains(line)) => {
            let elsewhere = ticked.elsewhere;
            let base = ticked.base();
            let own = |(line, own): (&i64, &i64)| LineCost {
                line: *line,
                own: *own,
                total: None,
            };
            (
                CostKind::Ticks,
                ticked.lines.iter().map(own).collect(),
                elsewhere,
                base,
            )
        }
        _ => {
            let kind = if only_starts {
                CostKind::StartOnly
            } else {
                CostKind::SelfAndTotal
            };
            let cost = |line: crate::model::lines::LineShare| LineCost {
                line: line.line,
                own: line.own,
                total: Some(line.total),
            };
            let mut lines: Vec<LineCost> = by_line.into_iter().map(cost).collect();
            lines.sort_by_key(|line| line.line);
            (kind, lines, 0, reading.base)
        }
    };
    let column = columns(profile, wanted, start);
    Ok(Some(Costs {
        kind,
        lines,
        start,
        column,
        own,
        total,
        elsewhere,
        base,
    }))
}

/// Whether a function of the profile is the wanted one.
fn is_it(profile: &Profile, wanted: &FunctionName, function: &Function) -> bool {
    let (name, file) = (profile.text(function.name), profile.text(function.file));
    let line = match function.start_line {
        ..=0 => wanted.line.unwrap_or_default(),
        line => line,
    };
    wanted.fits(&name, &file, line)
}

/// The lines that functions of that name and file start on, where the profile says so.
fn starts(profile: &Profile, wanted: &FunctionName) -> HashSet<i64> {
    let functions = profile.functions().iter();
    let same =
        functions.filter(|function| function.start_line > 0 && is_it(profile, wanted, function));
    same.map(|function| function.start_line).collect()
}

/// The column that the function starts in on a line.
fn columns(profile: &Profile, wanted: &FunctionName, start: Option<i64>) -> Option<i64> {
    let line = profile.parts.lines.iter().find(|line| {
        let function = line
            .function
            .and_then(|at| profile.functions().get(at as usize));
        Some(line.line) == start
            && line.column > 0
            && function.is_some_and(|function| is_it(profile, wanted, function))
    });
    wanted.column.or(line.map(|line| line.column))
}

/// Ticks of one function.
#[derive(Default)]
struct Ticked {
    lines: BTreeMap<i64, i64>,
    elsewhere: i64,
}

impl Ticked {
    /// All ticks of the function.
    fn base(&self) -> i128 {
        let counts = self.lines.values().chain([&self.elsewhere]);
        counts.map(|count| i128::from(*count)).sum()
    }

    /// Adds ticks to a line, or to what is on no line; `None` if the sum does not fit 64 bits.
    fn add(&mut self, line: Option<i64>, count: i64) -> Option<()> {
        let sum = match line {
            Some(line) => self.lines.entry(line).or_default(),
            None => &mut self.elsewhere,
        };
        *sum = sum.checked_add(count)?;
        Some(())
    }
}

/// The ticks of a function by line; `None` where the profile has no ticks at all.
fn ticks(
    profile: &Profile,
    view: &View,
    wanted: &FunctionName,
) -> Result<Option<Ticked>, ViewError> {
    if profile.ticks().is_empty() {
        return Ok(None);
    }
    let subset = Subset::new(
        profile,
        &View {
            direction: Direction::TopDown,
            ..view.clone()
        },
        None,
    )?;
    let shown: HashSet<usize> = subset.records().collect();
    let mut ticked = Ticked::default();
    for tick in profile.ticks() {
        let record = tick.record as usize;
        if !shown.contains(&record) {
            continue;
        }
        let leaf = subset
            .stack(record)
            .next()
            .and_then(|location| subset.lines(location).first().copied());
        let line = leaf.and_then(|line| profile.parts.lines.get(line as usize));
        let function = line.and_then(|line| profile.functions().get(line.function? as usize));
        let Some(function) = function else { continue };
        if !is_it(profile, wanted, function) {
            continue;
        }
        let is_here = tick.line > 0 && profile.text(tick.file) == wanted.file;
        ticked
            .add(is_here.then_some(tick.line), tick.count)
            .ok_or_else(|| ViewError::Overflow("positionTicks".to_owned()))?;
    }
    Ok(Some(ticked))
}
