//! Puts insights into words, for the screen, the lists and the reports.

use unicode_width::UnicodeWidthStr as _;

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::model::insights::{
    Certainty, Facts, Insight, InsightKind, LongSamples, Minified, Recursion, SelfValue, Subject,
};
use crate::model::text::sanitize::printable;
use crate::model::text::share::{per_cent, wilson_half_width};
use crate::model::text::units::{counted, is_memory, thousands, value};

/// Columns of a hint's line besides its mark and its number, on a screen of 80.
const COLUMNS: usize = 63;
const NANOSECONDS: &str = "nanoseconds";

/// An insight in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The insight.
    pub insight: Insight,
    /// One line, of 63 columns if names allow it. Safe to print, like `why`.
    pub text: String,
    /// One more line: the evidence, or what it means.
    pub why: String,
    /// What to press next, for the screen; may be empty.
    pub next: Message,
}

impl Hint {
    /// Puts an insight into words.
    #[must_use]
    pub fn new(insight: Insight) -> Self {
        let (text, why) = words(&insight);
        let next = match (insight.kind, &insight.facts) {
            (InsightKind::NoCulprit, _) => message![
                Command::BottomUp,
                " looks bottom-up, ",
                Command::RowsBy,
                " groups rows by file",
            ],
            (InsightKind::Minified, _) => message![Command::LoadMap, " loads a source map"],
            (_, Facts::Recursion(recursion)) if recursion.folds => {
                message![Command::FoldRecursion, " folds it"]
            }
            _ => Message::default(),
        };
        Self {
            insight,
            text,
            why,
            next,
        }
    }

    /// Returns the second line as the screen has it.
    #[must_use]
    pub fn detail(&self) -> Message {
        let detail = Message::from(self.why.clone());
        if self.next.is_empty() {
            detail
        } else {
            detail.and("; ").and(self.next.clone())
        }
    }

    /// Returns the word for how sure it is.
    #[must_use]
    pub const fn certainty(&self) -> &'static str {
        match self.insight.certainty {
            Certainty::Certain => "certain",
            Certainty::Likely => "likely",
            Certainty::Note => "note",
        }
    }
}

/// Returns an insight's line, and the line on what is behind it.
fn words(insight: &Insight) -> (String, String) {
    let subject = Words::new(&insight.subject);
    let noun = &subject.noun;
    let name = safe(&insight.label);
    match &insight.facts {
        Facts::None if insight.kind == InsightKind::NotDeployed => (
            "this version served 0% of traffic when it was captured".to_owned(),
            "it was uploaded, but not deployed: users get the code of another version".to_owned(),
        ),
        Facts::None => (
            "only allocations of this window, not the memory in use".to_owned(),
            "includes garbage already collected; excludes start-up".to_owned(),
        ),
        Facts::SelfValue(facts) => (subject.self_value(&name, facts), subject.evidence(facts)),
        Facts::Largest { functions, own } => {
            let share = subject.share(*own);
            let functions = counted(*functions as i128, "function");
            (
                fitting(&[
                    format!("no function above 10% self; the top one is {name}, {share}"),
                    "no function above 10% self".to_owned(),
                ]),
                format!("{functions} share the {noun}"),
            )
        }
        Facts::Collector(value) => {
            let (share, value) = (subject.share(*value), subject.value(*value));
            (
                format!("the garbage collector takes {share} of {noun}"),
                format!("{value}: a heap capture shows what is allocated, and where"),
            )
        }
        Facts::Samples { samples, all } => {
            // Percentages are of all samples, idle ones too; the widest interval is that of a half.
            let points = wilson_half_width((*samples).min(all / 2), *all) * 100.0;
            let counts = subject.counts(*samples == 1);
            (
                format!("only {samples} {counts}: percentages may be off by {points:.0} points"),
                "the order of the table means little; capture longer, or under more traffic"
                    .to_owned(),
            )
        }
        Facts::NoOwnCode(samples) => {
            let counts = subject.counts(*samples == 1);
            (
                format!("no user code ran: {samples} {counts} of the runtime, the rest is idle"),
                "capture while requests come in, longer, or the version that serves".to_owned(),
            )
        }
        Facts::Recursion(facts) => subject.recursion(&name, facts),
        Facts::Allocations {
            place,
            total,
            parts,
        } => subject.allocations(&safe(place), *total, parts),
        Facts::Calls { from, to, lines } => subject.calls(&safe(from), &safe(to), lines),
        Facts::CutStacks { value, frames } => {
            let share = subject.share(*value);
            (
                format!("{share} of {noun} on stacks cut at {frames} frames"),
                "V8 keeps the innermost: they begin in mid-recursion, and their callers' totals are too low"
                    .to_owned(),
            )
        }
        Facts::Minified(facts) => minified(facts),
        Facts::WithoutSymbols { functions, own } => {
            let functions = counted(*functions as i128, "function");
            (
                format!("{functions} without symbols: {} self {noun}", subject.share(*own)),
                "only their addresses are known: build with symbols, or name them with go tool pprof -proto -symbolize=force"
                    .to_owned(),
            )
        }
        Facts::LongSamples(facts) => subject.long_samples(facts),
        Facts::MoreThanTraffic {
            busy,
            most,
            requests,
            p99,
        } => {
            let [busy, most, p99] = [busy, most, p99].map(|time| nanoseconds(*time));
            let requests = counted(*requests, "request");
            (
                format!("{busy} busy, but all requests used at most {most} of CPU"),
                format!(
                    "{requests} in the window at their p99 of {p99}: the rest is waiting, counted as CPU"
                ),
            )
        }
    }
}

fn minified(facts: &Minified) -> (String, String) {
    let Minified {
        short, all, some, ..
    } = facts;
    let some: Vec<String> = some.iter().map(|name| safe(name)).collect();
    let needs = if facts.has_columns {
        "the bundle's source map has the real ones"
    } else {
        "the profile has no columns, so a source map needs its bundle beside it"
    };
    (
        format!("{short} of {all} names look minified"),
        format!("such as {}; {needs}", some.join(", ")),
    )
}

/// How to speak of a subject's values.
pub(super) struct Words<'a> {
    of: &'a Subject,
    /// As in "63.7% of CPU", "48.6% self bytes".
    noun: String,
}

impl<'a> Words<'a> {
    pub(super) fn new(of: &'a Subject) -> Self {
        let noun = match of.name.as_str() {
            "cpu" => "CPU".to_owned(),
            "wall" => "wall time".to_owned(),
            _ if is_memory(&of.unit) => "bytes".to_owned(),
            name => safe(name),
        };
        Self { of, noun }
    }

    fn self_value(&self, name: &str, facts: &SelfValue) -> String {
        let (share, amount) = (self.share(facts.own), self.value(facts.own));
        let hidden = if facts.has_hidden {
            " with what is hidden"
        } else {
            ""
        };
        let noun = &self.noun;
        fitting(&[
            format!("{name}: {share} self {noun}{hidden} ({amount})"),
            format!("{name}: {share} self {noun}{hidden}"),
            format!("{name}: {share} self {noun}"),
            format!("{share} self {noun} in {name}"),
        ])
    }

    /// Returns the numbers behind it: `5.09 s of 7.55 s busy, 2,221 samples ±1.6; called only by main`.
    fn evidence(&self, facts: &SelfValue) -> String {
        let (own, all) = (self.value(facts.own), self.amount(facts.busy));
        let busy = if self.of.is_time { " busy" } else { "" };
        let mut text = format!("{own} of {all}{busy}");
        if let Some(interval) = &facts.interval {
            let count = thousands(i128::from(facts.samples));
            text += &format!(", {count} {} {interval}", self.counts(false));
        }
        if let Some((caller, part)) = &facts.caller {
            let caller = caller
                .as_deref()
                .map_or_else(|| "the runtime".to_owned(), safe);
            text += &if *part == facts.own {
                format!("; called only by {caller}")
            } else {
                let share = per_cent(i128::from(*part), i128::from(facts.own));
                format!("; {share} from {caller}")
            };
        }
        text
    }

    fn recursion(&self, name: &str, facts: &Recursion) -> (String, String) {
        let (share, noun, deep) = (self.share(facts.total), &self.noun, facts.deepest);
        let (once, levels) = (self.value(facts.total), self.amount(facts.levels));
        #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
        let average = facts.levels as f64 / facts.total.max(1) as f64;
        let mut why = format!("{once} once, {levels} level by level: {average:.1} deep on average");
        if !facts.others.is_empty() {
            let others: Vec<String> = facts.others.iter().map(|name| safe(name)).collect();
            why += &format!("; with {}", listed(&others));
        }
        let text = fitting(&[
            format!("{name} is recursive, {deep} deep: {share} of {noun}"),
            format!("{name} is recursive, {deep} deep: {share}"),
            format!("{name} is recursive: {share}"),
            format!("{share} of {noun} in recursion of {name}"),
        ]);
        (text, why)
    }

    fn allocations(&self, place: &str, total: i64, parts: &[(String, i64)]) -> (String, String) {
        let (share, noun, end) = (self.share(total), &self.noun, last_parts(place));
        let part = |(name, value): &(String, i64)| format!("{} {}", safe(name), self.share(*value));
        let parts: Vec<String> = parts.iter().map(part).collect();
        (
            fitting(&[
                format!("{share} of {noun} allocated in or below {place}"),
                format!("{share} of {noun} in or below {end}"),
                format!("{share} in or below {end}"),
            ]),
            format!("{}, by {}", self.value(total), listed(&parts)),
        )
    }

    fn calls(&self, from: &str, to: &str, lines: &[(i64, i64)]) -> (String, String) {
        let total = lines.iter().map(|(_, value)| value).sum();
        let (amount, share, count) = (self.value(total), self.share(total), lines.len());
        let line = |(line, value): &(i64, i64)| format!("{line} ({})", self.value(*value));
        let lines: Vec<String> = lines.iter().take(3).map(line).collect();
        (
            fitting(&[
                format!("{from} calls {to} on {count} lines: {share} ({amount})"),
                format!("{from} calls {to} on {count} lines"),
                format!("{share} in {to}, called on {count} lines of {from}"),
            ]),
            format!("lines {}: once may be enough", listed(&lines)),
        )
    }

    fn long_samples(&self, facts: &LongSamples) -> (String, String) {
        let work = nanoseconds(facts.period * i128::from(facts.samples));
        let (each, period) = (nanoseconds(facts.each), nanoseconds(facts.period));
        let (samples, counts) = (thousands(i128::from(facts.samples)), self.counts(false));
        (
            format!("a sample stands for {each}, not {period}: waiting, not CPU"),
            format!(
                "{samples} {counts} are about {work} of work; the gaps between requests go to the next frame"
            ),
        )
    }

    /// Returns what is counted besides: samples, objects, records.
    fn counts(&self, is_one: bool) -> String {
        let counts = safe(self.of.counts.as_deref().unwrap_or("records"));
        let word = counts.rsplit(['_', '-']).next().unwrap_or(&counts);
        let one = word.strip_suffix('s').unwrap_or(word);
        format!("{one}{}", if is_one { "" } else { "s" })
    }

    /// Returns a value with its unit, which is from outside.
    fn amount(&self, number: i128) -> String {
        safe(&value(number, &self.of.unit))
    }

    pub(super) fn value(&self, number: i64) -> String {
        let text = self.amount(i128::from(number));
        if self.of.unit == "count" {
            format!("{text} {}", self.counts(number == 1))
        } else {
            text
        }
    }

    pub(super) fn share(&self, value: impl Into<i128>) -> String {
        per_cent(value.into(), self.of.base)
    }

    /// Whether a value is less than a tenth of what percentages are of.
    pub(super) fn is_small(&self, value: i64) -> bool {
        i128::from(value) * 10 < self.of.base
    }

    pub(super) fn noun(&self) -> &str {
        &self.noun
    }
}

fn nanoseconds(time: i128) -> String {
    value(time, NANOSECONDS)
}

pub(super) fn safe(text: &str) -> String {
    printable(text).into_owned()
}

/// Returns the first text that fits the line, else the last.
fn fitting(texts: &[String]) -> String {
    let fits = texts.iter().find(|text| text.width() <= COLUMNS);
    fits.or(texts.last()).cloned().unwrap_or_default()
}

/// Lists things: `a`, `a and b`, `a, b and c`.
fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Returns the last two parts of a path.
fn last_parts(path: &str) -> &str {
    path.rmatch_indices('/')
        .nth(1)
        .map_or(path, |(at, _)| path.get(at + 1..).unwrap_or(path))
}
