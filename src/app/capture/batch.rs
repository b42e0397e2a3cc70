//! What is captured at one wish: one profile, several of one target in a row, or both sides of a gradual deployment.

use crate::app::capture::note::CaptureNote;
use crate::app::capture::stage::Stage;
use crate::model::cloudflare::{Capture, CaptureRequest};

/// Most captures in a row.
pub(crate) const ROW_MAX: u8 = 9;

/// One capture of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What is asked for.
    pub request: CaptureRequest,
    /// What the history will say of it.
    pub note: CaptureNote,
}

/// What a series is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Its captures are opened, several as one.
    Open,
    /// Its two captures are compared: the first is the base.
    Compare,
}

/// Captures that are taken one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// All that were asked for, in order.
    pub steps: Vec<Step>,
    /// Those that are on the disk already.
    pub kept: Vec<Capture>,
    /// What they are for.
    pub aim: Aim,
}

impl Series {
    /// One target, so many times.
    #[must_use]
    pub fn row(request: CaptureRequest, note: CaptureNote, count: u8) -> Self {
        let steps = vec![Step { request, note }; usize::from(count.clamp(1, ROW_MAX))];
        Self {
            steps,
            kept: Vec::new(),
            aim: Aim::Open,
        }
    }

    /// Captures that are on the disk already.
    #[must_use]
    pub const fn of_kept(kept: Vec<Capture>, aim: Aim) -> Self {
        Self {
            steps: Vec::new(),
            kept,
            aim,
        }
    }

    /// The larger and the smaller side of a gradual deployment.
    #[must_use]
    pub fn both_sides(larger: Step, smaller: Step) -> Self {
        Self {
            steps: vec![larger, smaller],
            kept: Vec::new(),
            aim: Aim::Compare,
        }
    }

    /// The one to be taken next.
    #[must_use]
    pub fn next(&self) -> Option<&Step> {
        self.steps.get(self.kept.len())
    }

    /// The Worker's name.
    #[must_use]
    pub fn worker(&self) -> &str {
        self.steps.first().map_or("", |step| &step.request.worker)
    }

    /// Which of how many is being taken, both from 1; `None` for a single one.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        let all = self.steps.len();
        (all > 1).then(|| ((self.kept.len() + 1).min(all), all))
    }

    /// What is said when the last one is there and nobody waits for it.
    pub(crate) fn announcement(&self) -> String {
        match (self.steps.len(), self.aim) {
            (1, _) => format!(
                "{} is captured; {{go-captures}} shows it among the captures.",
                self.worker()
            ),
            (_, Aim::Compare) => {
                format!(
                    "Both versions of {} are captured; {{go-captures}}, {{mark}} and {{compare}} compare them.",
                    self.worker()
                )
            }
            (count, Aim::Open) => {
                format!(
                    "{count} captures of {} are there; {{go-captures}} shows them among the captures.",
                    self.worker()
                )
            }
        }
    }

    /// What is said when the user gave it up.
    pub(crate) fn cancelled(&self, stage: Stage) -> String {
        let worker = self.worker();
        match self.kept.len() {
            _ if stage == Stage::Waiting => {
                format!("The capture of {worker} was cancelled before it was sent.")
            }
            // A local runtime counts nothing.
            0 if self.steps.iter().all(|step| step.request.version.is_none()) => {
                format!("The capture of {worker} was cancelled; nothing was kept.")
            }
            0 => {
                format!(
                    "The capture of {worker} was cancelled; nothing was kept, and it may count against the limit."
                )
            }
            1 => format!(
                "The rest was cancelled; one capture of {worker} is kept: {{go-captures}} shows it."
            ),
            kept => {
                format!(
                    "The rest was cancelled; {kept} captures of {worker} are kept: {{go-captures}} shows them."
                )
            }
        }
    }
}
