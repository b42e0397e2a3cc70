//! Verdicts → text, Markdown for a pull request, JSON and GitHub's annotations.

use serde_json::{Value, json};

use crate::export::code_span;
use crate::export::table::{Align, TextTable};
use crate::model::text::sanitize::{json_safe, printable};
use crate::model::text::share::{self, percentage, points, signed_points};
use crate::model::text::units::{counted, thousands};
use crate::model::verdict::{Assessment, FunctionVerdict, Options, Overall, Verdict};

/// Rows of Markdown: a comment may hold 60 kB.
const MARKDOWN_ROWS: usize = 60;

/// One side of what was judged.
#[derive(Debug, Clone, Default)]
pub struct JudgedSide {
    /// What it is: a version, a time, files.
    pub what: String,
    /// The hashes of its captures.
    pub captures: Vec<String>,
    /// Their busy samples.
    pub samples: u64,
}

/// A assessment with what it is of. Text from outside is sanitized when it is written.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The Worker, or what stands for it.
    pub title: &'a str,
    /// Base and new side.
    pub sides: &'a [JudgedSide; 2],
    /// The verdicts.
    pub assessment: &'a Assessment,
    /// What was judged against.
    pub options: Options,
    /// What the values are of: `CPU`, `bytes`.
    pub noun: &'a str,
    /// What else is to be known, such as captures that could not be read.
    pub notes: &'a [String],
    /// At most so many rows.
    pub rows: Option<usize>,
}

impl Judged<'_> {
    /// Returns the verdict on the whole in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        self.assessment.sentence(self.options, self.noun)
    }

    /// Returns the verdict on a function; `None` if it holds too little.
    #[must_use]
    pub fn verdict(&self, identity: &str) -> Option<&FunctionVerdict> {
        self.assessment.of(identity)
    }

    /// Returns how much isolates differ, and what growth is allowed.
    #[must_use]
    pub fn spread(&self) -> String {
        let allowed = share::round_percentage(self.options.threshold * 100.0);
        match self.assessment.isolates {
            Some(isolates) => format!(
                "isolates differ by ±{} of a share (median) · allowed +{allowed}",
                percentage(isolates)
            ),
            None => format!("allowed +{allowed}"),
        }
    }

    /// Returns the word for the verdict on the whole.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self.assessment.overall {
            Overall::Ok => "ok",
            Overall::Worse => "worse",
            Overall::Unclear => "unclear",
        }
    }

    /// Returns the lines above the table.
    fn head(&self) -> Vec<String> {
        let side = |side: &JudgedSide| {
            let captures = counted(side.captures.len() as i128, "capture");
            let samples = thousands(side.samples.into());
            format!("{} ({captures}, {samples} samples)", printable(&side.what))
        };
        let [base, new] = self.sides;
        let others = if (self.assessment.others - 1.0).abs() < 0.005 {
            String::new()
        } else {
            format!(" (others {})", share::factor(self.assessment.others))
        };
        let mut lines = vec![
            format!(
                "{} · {} → {} · self {}",
                printable(self.title),
                side(base),
                side(new),
                self.noun
            ),
            self.headline(),
            format!("shares only, relative to the median function{others}"),
        ];
        if let Some(isolates) = self.assessment.isolates {
            lines.push(format!(
                "isolates differ by ±{} of a share (median)",
                percentage(isolates)
            ));
        }
        for (side, left_out) in self.sides.iter().zip(&self.assessment.left_out) {
            for capture in left_out {
                lines.push(format!(
                    "left out of {}: {} has {} busy samples, 200 are needed",
                    printable(&side.what),
                    printable(&capture.name),
                    capture.samples
                ));
            }
        }
        lines.extend(self.notes.iter().map(|note| printable(note).into_owned()));
        lines
    }

    fn shown(&self, most: usize) -> &[FunctionVerdict] {
        let rows = &self.assessment.rows;
        rows.get(..self.rows.unwrap_or(most)).unwrap_or(rows)
    }

    fn table(&self, most: usize) -> TextTable {
        let head = [
            ("verdict", Align::Left),
            ("base %", Align::Right),
            ("new %", Align::Right),
            ("vs others", Align::Right),
            ("95%", Align::Left),
            ("function", Align::Name),
            ("location", Align::Place),
            ("what it means", Align::Left),
        ];
        let confidence = format!("{:.0}%", (1.0 - self.options.alpha) * 100.0);
        let head = head.map(|(name, align)| {
            (
                if name == "95%" {
                    confidence.as_str()
                } else {
                    name
                },
                align,
            )
        });
        let cells = |row: &FunctionVerdict| {
            vec![
                row.verdict.word().to_owned(),
                points(row.base),
                points(row.new),
                versus(row),
                interval(row),
                row.words.label.clone(),
                row.words.place.clone(),
                row.meaning(),
            ]
        };
        let rows: Vec<Vec<String>> = self.shown(most).iter().map(cells).collect();
        TextTable::new(&head, &rows).giving_way(&[7, 4])
    }

    /// Returns it as plain text, in a terminal's columns if it goes to one.
    #[must_use]
    pub fn text(&self, columns: Option<usize>) -> String {
        let mut out = self.head().join("\n") + "\n";
        if !self.assessment.rows.is_empty() {
            out += "\n";
            out += &self.table(usize::MAX).text(columns);
        }
        out
    }

    /// Returns it as Markdown for a comment, which begins with a mark that finds it again.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mark = self
            .title
            .replace("--", "- -")
            .replace(['<', '>', '\n'], " ");
        let head = self.head();
        let mut out = format!("<!-- flarescope-check {} -->\n", printable(&mark));
        out += &format!("**{}**\n\n", code_span(&self.headline()));
        for line in head.iter().filter(|line| **line != self.headline()) {
            out += &format!("{}  \n", code_span(line));
        }
        if !self.assessment.rows.is_empty() {
            out += "\n<details><summary>Functions</summary>\n\n";
            out += &self
                .table(MARKDOWN_ROWS)
                .markdown(self.assessment.rows.len());
            out += "\n</details>\n";
        }
        out
    }

    /// Returns the annotations that GitHub shows: one for each function that is worse, one if the whole is unclear.
    #[must_use]
    pub fn annotations(&self) -> String {
        let escaped = |text: &str| text.replace('%', "%25");
        let is_worse = |row: &&FunctionVerdict| row.verdict == Verdict::Worse;
        let mut out: String = self
            .assessment
            .rows
            .iter()
            .filter(is_worse)
            .map(|row| {
                format!(
                    "::error title=worse::{}\n",
                    escaped(&row.sentence(self.noun))
                )
            })
            .collect();
        if self.assessment.overall == Overall::Unclear {
            out += &format!("::warning title=unclear::{}\n", escaped(&self.headline()));
        }
        out
    }

    /// Returns it as one JSON value: shares are parts of 1.
    #[must_use]
    pub fn json(&self, kind: &str) -> String {
        let side = |at: usize| {
            let side = &self.sides[at];
            let left_out: Vec<Value> = self.assessment.left_out[at]
                .iter()
                .map(|capture| json!({ "name": capture.name, "samples": capture.samples, "why": "fewer than 200 busy samples" }))
                .collect();
            json!({
                "what": side.what, "captures": side.captures, "samples": side.samples,
                "left_out": left_out, "cpu_us_per_request": null,
            })
        };
        let rows: Vec<Value> = self.shown(usize::MAX).iter().map(row_json).collect();
        let value = json!({
            "verdict": self.word(),
            "threshold": self.options.threshold, "confidence": 1.0 - self.options.alpha,
            "per": "share", "type": kind, "sides": [side(0), side(1)],
            "spread": self.assessment.isolates, "tau": self.assessment.tau,
            "others": self.assessment.others, "total": null,
            "functions": rows, "notes": self.notes, "text": self.headline(),
        });
        json_safe(value.to_string()) + "\n"
    }
}

fn row_json(row: &FunctionVerdict) -> Value {
    let function = &row.words.function;
    json!({
        "function": function.name, "file": function.file, "line": function.line,
        "base": row.base, "new": row.new, "factor": row.factor, "change": row.change,
        "low": row.interval.0, "high": row.interval.1, "p": row.p,
        "verdict": row.verdict.word(), "more_captures": row.more_captures, "per_month": null,
    })
}

/// Returns how its cost changed relative to the functions that did not.
fn versus(row: &FunctionVerdict) -> String {
    match row.factor {
        Some(factor) => share::change_by(factor),
        None if row.base > 0.0 => "gone".to_owned(),
        None => "new".to_owned(),
    }
}

/// Returns the interval of the change in points.
fn interval(row: &FunctionVerdict) -> String {
    let (low, high) = row.interval;
    format!("{}…{}", signed_points(low), signed_points(high))
}
