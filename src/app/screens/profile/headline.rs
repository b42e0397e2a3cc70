//! The headline of a profile in words: what dominates, and since when.

use std::time::SystemTime;

use unicode_width::UnicodeWidthStr as _;

use crate::app::core::dates::minute;
use crate::app::core::ids::RequestId;
use crate::app::screens::profile::hint::{Hint, Words, safe};
use crate::model::cloudflare::short;
use crate::model::diff::Since;
use crate::model::graph::frames::Family;
use crate::model::insights::headline::{Finding, Headline, Top};
use crate::model::text::cut::cut;
use crate::model::text::share::{change, per_cent, percentage};

/// The headline of the open profile: requested with its hints; since when once the profile rests.
#[derive(Debug, Default)]
pub struct HeadlineState {
    /// What there is to say, once it was found.
    pub headline: Option<Headline>,
    /// What an earlier capture says of its function.
    pub since: Option<Since>,
    /// Whether there is no earlier capture to ask.
    pub lacks_base: bool,
    /// Whether an earlier capture is still to be asked.
    pub(crate) wants_since: bool,
    pub(crate) pending: Option<RequestId>,
}

impl HeadlineState {
    /// Takes the headline of another view.
    pub(crate) fn take(&mut self, headline: Option<Headline>) {
        let function = |headline: &Option<Headline>| {
            let top = headline.as_ref().and_then(|headline| headline.top.as_ref());
            top.map(|top| (top.function.clone(), top.own))
        };
        if function(&headline) != function(&self.headline) {
            (self.since, self.pending, self.lacks_base) = (None, None, false);
            self.wants_since = headline.as_ref().is_some_and(is_of_a_function);
        }
        self.headline = headline;
    }

    /// Whether a hint is about the same function.
    #[must_use]
    pub fn is_of(&self, hint: &Hint) -> bool {
        let top = self
            .headline
            .as_ref()
            .and_then(|headline| headline.top.as_ref());
        let function = top.map(|top| &top.function);
        hint.insight.function.is_none() || hint.insight.function.as_ref() == function
    }

    /// Returns the line that fits so many columns, without times; `None` until it is known.
    #[must_use]
    pub fn line(&self, columns: usize) -> Option<String> {
        let headline = self.headline.as_ref()?;
        let statements = statements(headline);
        let since = self.since.as_ref().map(|since| since_when(since, None));
        let texts = match since {
            Some(since) => with_each(&statements[1..], &[since])
                .into_iter()
                .chain(statements.into_iter().skip(1))
                .collect(),
            None => statements,
        };
        Some(fitting(texts, columns))
    }
}

/// Whether a function is named, whose past can be told.
pub(crate) const fn is_of_a_function(headline: &Headline) -> bool {
    matches!(headline.finding, Finding::Dominant { .. })
}

/// Returns the headline for reports and commands, in at most so many columns: with times, as it is read later. `now` is when
/// the capture was taken; `None` of what is no single capture, which has no past.
#[must_use]
pub fn headline_text(
    headline: &Headline,
    since: Option<&Since>,
    now: Option<SystemTime>,
    columns: usize,
) -> String {
    let statements = statements(headline);
    let whens = match (since, now) {
        (Some(since), now) => vec![since_when(since, Some(now)), since_when(since, None)],
        (None, Some(_)) if is_of_a_function(headline) => vec!["no earlier capture".to_owned()],
        (None, _) => return fitting(statements, columns),
    };
    let mut texts = with_each(&statements, &whens);
    texts.extend(statements);
    fitting(texts, columns)
}

/// Puts each statement before each addition, the longest first.
fn with_each(statements: &[String], additions: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = additions
        .iter()
        .flat_map(|addition| {
            statements
                .iter()
                .map(move |text| format!("{text} ({addition})"))
        })
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.width()));
    texts
}

fn fitting(texts: Vec<String>, columns: usize) -> String {
    let fits = texts.iter().find(|text| text.width() <= columns).cloned();
    fits.unwrap_or_else(|| cut(texts.last().map_or("", String::as_str), columns).into_owned())
}

/// Returns what there is to say, the longest first: at least two texts, the first with all figures.
fn statements(headline: &Headline) -> Vec<String> {
    let words = Words::new(&headline.subject);
    match (&headline.finding, &headline.top) {
        (Finding::Dominant { beside }, Some(top)) => {
            dominant(&words, top, beside.as_deref(), headline.hides)
        }
        (Finding::Dominant { .. }, None) | (Finding::Empty, _) => {
            let text = "no samples were taken: too little traffic in the window";
            vec![text.to_owned(), "no samples were taken".to_owned()]
        }
        (Finding::Idle, _) => {
            let text = "no code ran: all of it is idle time";
            vec![text.to_owned(), "no code ran".to_owned()]
        }
        (Finding::Unsound(insight), top) => {
            let text = Hint::new((**insight).clone()).text;
            let largest = top.as_ref().map(|top| {
                let (name, share) = (safe(&top.label), words.share(top.own));
                format!("{text}; the largest function is {name}, {share}")
            });
            vec![largest.unwrap_or_else(|| text.clone()), text]
        }
        (Finding::Spread { parts, idle }, top) => spread(&words, parts, *idle, top.as_ref()),
    }
}

fn dominant(words: &Words<'_>, top: &Top, beside: Option<&Top>, hides: bool) -> Vec<String> {
    let (name, noun) = (safe(&top.label), words.noun());
    let share = words.share(top.own);
    let mut figures = words.value(top.own);
    if let Some(interval) = &top.interval {
        figures += &format!(", {interval}");
    }
    let mut short = format!("{name}: {share} self {noun}");
    if hides {
        short += " with what is hidden";
    }
    if words.is_small(top.own) {
        short += &format!(", {} of busy", per_cent(top.own.into(), top.busy));
    }
    let mut texts = vec![format!("{short}, {figures}"), short];
    if let Some(other) = beside {
        let other = format!("; {} {}", safe(&other.label), words.share(other.own));
        let longer: Vec<String> = texts.iter().map(|text| format!("{text}{other}")).collect();
        texts.splice(0..0, longer);
        texts.sort_by_key(|text| std::cmp::Reverse(text.width()));
    }
    texts
}

fn spread(
    words: &Words<'_>,
    parts: &[(Family, i64)],
    idle: i128,
    top: Option<&Top>,
) -> Vec<String> {
    let mut whose: Vec<String> = parts
        .iter()
        .map(|(family, own)| {
            let whose = match family {
                Family::Own => "own code",
                Family::Dependency => "dependencies",
                Family::Runtime => "runtime",
                Family::Unknown => "without a file",
                Family::Grey => "program",
                Family::Gc => "GC",
            };
            format!("{whose} {}", words.share(*own))
        })
        .collect();
    if idle > 0 {
        whose.push(format!("idle {}", words.share(idle)));
    }
    let whose = whose.join(", ");
    let none = "no function above 10% self";
    let Some(top) = top else {
        return vec![format!("{none}: {whose}"), none.to_owned()];
    };
    let (name, share) = (safe(&top.label), words.share(top.own));
    let place = if top.label.contains(&top.place) || top.place.is_empty() {
        String::new()
    } else {
        format!(
            " {}",
            safe(top.place.rsplit('/').next().unwrap_or_default())
        )
    };
    vec![
        format!("{none}: {whose}; the top one is {name}{place}, {share}"),
        format!("{none}; the top one is {name}, {share}"),
        format!("{none}: {whose}"),
        none.to_owned(),
    ]
}

/// Returns what was before: `was 2.9% in v127, ×22`, with a time `was 2.9% in v127 at 21:52Z, ×22`.
fn since_when(since: &Since, time: Option<Option<SystemTime>>) -> String {
    let time = time.map(|now| minute(since.at, now.unwrap_or(since.at)));
    let version = match (since.version_number, &since.version_id) {
        _ if !since.is_other_version => None,
        (Some(number), _) => Some(format!("v{number}")),
        (None, Some(id)) => Some(safe(short(id))),
        (None, None) => None,
    };
    let where_ = match (version, time) {
        (Some(version), Some(time)) => format!("in {version} at {time}"),
        (Some(version), None) => format!("in {version}"),
        (None, time) => {
            let time = time.unwrap_or_else(|| minute(since.at, since.at));
            format!("at {time}")
        }
    };
    let share = percentage(since.share());
    if since.then.0 == 0 {
        return format!("nothing {where_}");
    }
    if since.within_noise == Some(true) {
        return format!("as {where_}: {share}");
    }
    // The ratio of the shares, in whole numbers.
    let (then, now) = (since.then, since.now);
    let from = i128::from(then.0).saturating_mul(now.1);
    let to = i128::from(now.0).saturating_mul(then.1);
    match change(from, to) {
        Some(change) => format!("was {share} {where_}, {change}"),
        None => format!("as {where_}: {share}"),
    }
}
