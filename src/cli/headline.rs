//! The headline of a profile, as commands print it.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::app::{Hint, Source, headline_text};
use crate::cli::connect;
use crate::cli::filters::FilterArgs;
use crate::config::Environment;
use crate::model::cloudflare::{Capture, DefaultBaseline, baselines};
use crate::model::diff::Since;
use crate::model::graph::aggregate::{self, Reading};
use crate::model::graph::view::View;
use crate::model::insights::headline::{Finding, Headline, headline};
use crate::model::insights::{Context, Insight, insights};
use crate::model::text::share;
use crate::runtime::{since, symbolication};

/// Earlier captures that are read before none is said to tell.
const BASES: usize = 3;

/// A headline with what an earlier capture says of its function.
pub(super) struct Found {
    pub(super) headline: Headline,
    pub(super) since: Option<Since>,
    taken: Option<SystemTime>,
    insights: Vec<Insight>,
}

impl Found {
    /// Finds the headline of a capture in the view that the screen opens it with, under the names of its Worker's last map.
    pub(super) fn of_capture(source: Source) -> Option<Self> {
        let store = connect::store(&Environment::of_process()).ok()?;
        let (source, _) = symbolication::recall(&store, source);
        let view = View {
            hide_idle: true,
            ..View::new(&source.profile)
        };
        let reading = aggregate::read(&source.profile, &view).ok()?;
        let context = source.capture.as_ref().map(Context::of).unwrap_or_default();
        let insights = insights(&source.profile, &reading, &context);
        let filters = FilterArgs::default();
        Self::new(&source, &reading, (&view, &context), &insights, &filters)
    }

    /// Finds the headline of a reading. `None` for a difference.
    pub(super) fn new(
        source: &Source,
        reading: &Reading,
        (view, context): (&View, &Context),
        insights: &[Insight],
        filters: &FilterArgs,
    ) -> Option<Self> {
        let headline = headline(&source.profile, reading, context, insights)?;
        let since = source
            .capture
            .as_ref()
            .and_then(|capture| since_when(source, capture, &headline, view, filters));
        let taken = source.capture.as_ref();
        Some(Self {
            since,
            headline,
            taken: taken.map(|capture| capture.provenance.answered_at),
            insights: insights.to_vec(),
        })
    }

    /// Returns it in at most so many columns.
    pub(super) fn text(&self, columns: usize) -> String {
        headline_text(&self.headline, self.since.as_ref(), self.taken, columns)
    }

    /// Returns the hints as `--json` prints them.
    pub(super) fn hints(&self) -> Vec<Value> {
        let of = |insight: &Insight| {
            let hint = Hint::new(insight.clone());
            let function = insight.function.as_ref();
            json!({
                "text": hint.text, "why": hint.why, "certainty": hint.certainty(),
                "function": function.map(|function| &function.name),
                "file": function.map(|function| &function.file),
            })
        };
        self.insights.iter().map(of).collect()
    }

    /// Returns it as `--json` prints it; shares are parts of 1.
    pub(super) fn json(&self) -> Value {
        let top = self.headline.top.as_ref();
        let base = self.headline.subject.base;
        let (share, interval) = top.map_or((None, None), |top| {
            let samples = u64::try_from(top.samples).unwrap_or(0);
            let all = self.headline.samples;
            let interval = all.map(|all| share::wilson_half_width(samples, all));
            (Some(part(top.own.into(), base)), interval)
        });
        let since = self.since.as_ref().map(|since| {
            json!({
                "version_id": since.version_id, "version_number": since.version_number,
                "at": humantime::format_rfc3339_seconds(since.at).to_string(),
                "share": since.share(), "factor": since.factor(),
                "within_noise": since.within_noise,
            })
        });
        json!({
            "text": self.text(usize::MAX),
            "function": top.map(|top| &top.function.name), "file": top.map(|top| &top.function.file),
            "line": top.and_then(|top| top.line), "self": top.map(|top| top.own),
            "share": share, "interval": interval, "since": since,
        })
    }
}

/// Asks earlier captures of the same target for the headline's function.
fn since_when(
    source: &Source,
    capture: &Capture,
    headline: &Headline,
    view: &View,
    filters: &FilterArgs,
) -> Option<Since> {
    let is_dominant = matches!(headline.finding, Finding::Dominant { .. });
    let top = headline.top.as_ref().filter(|_| is_dominant)?;
    let store = connect::store(&Environment::of_process()).ok()?;
    let all = store.alike(capture);
    let bases: Vec<Capture> = baselines(&all, capture)
        .into_iter()
        .filter(|(_, why)| *why != DefaultBaseline::VersionAfter)
        .take(BASES)
        .map(|(base, _)| base.clone())
        .collect();
    since::since(&bases, capture, view, &top.function, |base| {
        if filters.source_maps().is_empty() {
            return since::sides(&store, base, source);
        }
        let earlier = since::profile(&store, base)?;
        let earlier = filters.restore(earlier).ok()?.profile;
        Some([earlier, source.profile.clone()])
    })
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn part(value: i128, base: i128) -> f64 {
    if base == 0 {
        0.0
    } else {
        value as f64 / base as f64
    }
}
