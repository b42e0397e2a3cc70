//! The caption of a picture, which says what it shows to those who find it a week later.

use std::time::SystemTime;

use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::FunctionName;
use crate::model::graph::view::View;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::model::text::units;

/// The caption of an exported picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// The target: Worker and version, or the file.
    pub title: String,
    /// When it was taken, how much it holds, what is left out. May be empty.
    pub facts: String,
    /// The command that shows the same again, if there is one.
    pub command: Option<String>,
    /// What an expert would say of it. Only reports have it.
    pub findings: Findings,
    /// What is known of the capture. Only reports have it.
    pub about: Option<About>,
}

/// What an expert would say of a view, in lines that are safe to print.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The headline.
    pub headline: Option<String>,
    /// The same in the columns of a report for a chat.
    pub short: Option<String>,
    /// The function that it names.
    pub function: Option<FunctionName>,
    /// The hints.
    pub hints: Vec<String>,
}

/// What is known of a capture, in lines that are safe to print.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What and when, in the columns of a report for a chat.
    pub title: String,
    /// What the samples are of: isolates, the share of the traffic.
    pub facts: Vec<String>,
    /// Each fact by its name, for a ticket.
    pub details: Vec<(&'static str, String)>,
}

impl Caption {
    /// Describes a view: kind, start in UTC, length, samples, value, what is left out.
    #[must_use]
    pub fn new(target: &str, profile: &Profile, view: &View, reading: &Reading) -> Self {
        Self::taken(target, None, profile, view, reading)
    }

    /// The same of a capture, of which it is known when it was asked for: a recording that is handed out again says what it said
    /// the first time.
    #[must_use]
    pub fn taken(
        target: &str,
        taken: Option<SystemTime>,
        profile: &Profile,
        view: &View,
        reading: &Reading,
    ) -> Self {
        let (kind, unit) = profile.type_names(reading.sample_type);
        let mut facts = vec![printable(&kind).into_owned()];
        facts.extend(
            taken
                .or_else(|| profile.time())
                .map(|time| humantime::format_rfc3339_seconds(time).to_string()),
        );
        if let Some(duration) = profile.duration() {
            let nanoseconds = i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
            facts.push(format!(
                "{} window",
                units::value(nanoseconds, "nanoseconds")
            ));
        }
        facts.push(units::counted(i128::from(reading.samples), "sample"));
        facts.push(units::value(reading.shown, &printable(&unit)));
        if reading.idle != 0 {
            facts.push(format!(
                "{} idle not shown",
                units::value(reading.idle, &printable(&unit))
            ));
        }
        facts.extend(
            view.filters
                .iter()
                .map(|filter| printable(&filter.chip()).into_owned()),
        );
        Self {
            title: printable(target).into_owned(),
            facts: facts.join(" · "),
            ..Self::default()
        }
    }
}
