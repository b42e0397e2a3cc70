//! Verdicts in words, in one place for the screen, the commands and the reports.

use crate::model::text::sanitize::printable;
use crate::model::text::share::{change_by, percentage, round_percentage};
use crate::model::text::units::counted;
use crate::model::verdict::{Assessment, CantTell, FunctionVerdict, Options, Overall, Verdict};

impl Assessment {
    /// Returns the verdict on a function by its identity; `None` if it holds too little.
    #[must_use]
    pub fn of(&self, identity: &str) -> Option<&FunctionVerdict> {
        self.rows.iter().find(|row| row.identity == identity)
    }

    /// Returns the verdict on the whole in one line: what is worse, or that nothing is, and what was allowed. `noun` is what
    /// the values are of.
    #[must_use]
    pub fn sentence(&self, options: Options, noun: &str) -> String {
        let allowed = format!("allowed +{}", round_percentage(options.threshold * 100.0));
        let first = |verdict: Verdict| self.rows.iter().find(|row| row.verdict == verdict);
        let said = match self.overall {
            Overall::Worse => {
                let is_worse = |row: &&FunctionVerdict| row.verdict == Verdict::Worse;
                let more = match self.rows.iter().filter(is_worse).count() {
                    0 | 1 => String::new(),
                    count => format!(", and {} more", count - 1),
                };
                let what = first(Verdict::Worse).map(|row| row.sentence(noun));
                format!("worse: {}{more}", what.unwrap_or_default())
            }
            Overall::Ok => match first(Verdict::Better) {
                None => "ok: nothing is worse".to_owned(),
                Some(row) => format!("ok: nothing is worse; better: {}", row.sentence(noun)),
            },
            Overall::Unclear => format!("unclear: {}", self.why_unclear(noun)),
        };
        format!("{said}; {allowed}")
    }

    fn why_unclear(&self, noun: &str) -> String {
        match self.cant_tell {
            Some(CantTell::FewCaptures(base, new)) => {
                return format!("3 captures a side are needed, here are {base} and {new}");
            }
            Some(CantTell::FewCommon) => {
                return "the sides have too few functions in common: load a source map".to_owned();
            }
            Some(CantTell::FewOthers) => {
                return "too few functions are on both sides to tell growth from others' shrinking"
                    .to_owned();
            }
            None => {}
        }
        let unclear = |row: &&FunctionVerdict| row.verdict == Verdict::Unclear;
        match self.rows.iter().find(unclear) {
            Some(row) => format!("{}, {}", row.sentence(noun), row.meaning()),
            None => "the captures can't tell".to_owned(),
        }
    }
}

impl FunctionVerdict {
    /// Returns a change in words: `validateAddress 2.9% → 63.7% self CPU, ×22`.
    #[must_use]
    pub fn sentence(&self, noun: &str) -> String {
        let name = printable(&self.words.label);
        let (base, new) = (percentage(self.base), percentage(self.new));
        let is_there = self.base > 0.0 && self.new > 0.0;
        let factor = is_there.then(|| format!(", {}", change_by(self.new / self.base)));
        let factor = factor.unwrap_or_default();
        format!("{name} {base} → {new} self {noun}{factor}")
    }

    /// Returns what to make of the verdict; may be empty.
    #[must_use]
    pub fn meaning(&self) -> String {
        match (self.verdict, self.more_captures) {
            (Verdict::Unclear, Some(more)) => {
                let captures = counted(more.into(), "more capture");
                format!("{captures} a side would tell")
            }
            (Verdict::Unclear, None) => "too noisy to tell".to_owned(),
            (Verdict::Moved, _) => "taken over from its caller".to_owned(),
            _ => String::new(),
        }
    }
}
