//! What changed as one JSON value, for other programs.

use serde::Serialize;

use crate::export::changes::Changes;
use crate::export::{ExportError, Judged, TypeNames};
use crate::model::diff::{Change, Side, Status};
use crate::model::text::sanitize::json_safe;

/// The value; integers are in the profiles' own unit.
#[derive(Serialize)]
struct Report<'a> {
    sample_type: TypeNames,
    base: ReportSide,
    new: ReportSide,
    normalized: bool,
    factor: f64,
    /// The verdict on the whole, where there are several captures a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// The captures of both sides, and the spread between isolates.
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<[ReportCaptures<'a>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<f64>,
    rows: Vec<ReportRow<'a>>,
}

#[derive(Serialize)]
struct ReportSide {
    total: i128,
    base: i128,
    shown: i128,
    samples: i64,
    samples_from: &'static str,
}

#[derive(Serialize)]
struct ReportCaptures<'a> {
    captures: &'a [String],
}

impl From<&Side> for ReportSide {
    fn from(side: &Side) -> Self {
        Self {
            total: side.total,
            base: side.base,
            shown: side.shown,
            samples: side.samples,
            samples_from: side.samples_from.word(),
        }
    }
}

#[derive(Serialize)]
struct ReportRow<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    /// Where nameless functions of one line need it.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<i64>,
    base_self: i64,
    new_self: i64,
    self_change: i64,
    base_total: i64,
    new_total: i64,
    total_change: i64,
    status: &'static str,
    /// One capture a side gives none.
    verdict: Option<&'static str>,
    /// The ends of the interval of the change of its share, and the probability of such a change by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_captures: Option<u32>,
    /// The factor that chance alone reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    noise: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<bool>,
}

/// Returns rows of a comparison as one line of JSON.
pub(super) fn json(changes: &Changes<'_>, rows: &[Change]) -> Result<String, ExportError> {
    let comparison = changes.comparison;
    let (kind, unit) = changes.new.type_names(comparison.reading.sample_type);
    let chance = comparison.chance();
    let row = |change: &Change| {
        let chance = chance.filter(|_| changes.judged.is_none());
        let noise = chance.and_then(|chance| chance.noise(change));
        let info = comparison.reading.frames.info(change.frame);
        let judged = changes.judged;
        let verdict = judged.and_then(|judged| judged.verdict(&info.identity()));
        ReportRow {
            function: info.name,
            file: info.file,
            line: info.start,
            column: info.column,
            base_self: change.own.base,
            new_self: change.own.new,
            self_change: change.own.change(),
            base_total: change.total.base,
            new_total: change.total.new,
            total_change: change.total.change(),
            status: match change.status {
                Status::Same => "same",
                Status::Changed => "changed",
                Status::New => "new",
                Status::Gone => "gone",
            },
            verdict: verdict.map(|row| row.verdict.word()),
            low: verdict.map(|row| row.interval.0),
            high: verdict.map(|row| row.interval.1),
            p: verdict.map(|row| row.p),
            more_captures: verdict.and_then(|row| row.more_captures),
            noise: noise.map(|noise| noise.level),
            within: noise.map(|noise| noise.is_within),
        }
    };
    let report = Report {
        sample_type: TypeNames { kind, unit },
        base: (&comparison.base).into(),
        new: (&comparison.new).into(),
        normalized: comparison.is_normalised(),
        factor: comparison.factor(),
        verdict: changes.judged.map(Judged::word),
        sides: changes.judged.map(|judged| {
            let captures = |at: usize| ReportCaptures {
                captures: &judged.sides[at].captures,
            };
            [captures(0), captures(1)]
        }),
        tau: changes.judged.map(|judged| judged.assessment.tau),
        rows: rows.iter().map(row).collect(),
    };
    let text = serde_json::to_string(&report).map_err(ExportError::Json)?;
    Ok(json_safe(text) + "\n")
}
