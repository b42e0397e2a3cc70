//! Capture batches: one capture, several of one target in turn, or both versions of a gradual deployment.

use crate::app::capture::stage::Stage;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use crate::model::cloudflare::{Capture, CaptureRequest};

/// Captures of a batch at most.
pub(crate) const ROW_MAX: u8 = 9;

/// What a batch is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Its captures are opened, several as one.
    Open,
    /// Its two captures are compared: the first is the base.
    Compare,
}

/// Captures that are taken one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// All of them, in order.
    pub steps: Vec<CaptureRequest>,
    /// Those that are on disk already.
    pub kept: Vec<Capture>,
    /// What they are for.
    pub aim: Aim,
}

impl Batch {
    /// Returns a batch of one target, several times.
    #[must_use]
    pub fn row(request: CaptureRequest, count: u8) -> Self {
        let steps = vec![request; usize::from(count.clamp(1, ROW_MAX))];
        Self {
            steps,
            kept: Vec::new(),
            aim: Aim::Open,
        }
    }

    /// Returns a batch of captures that are on disk already.
    #[must_use]
    pub const fn of_kept(kept: Vec<Capture>, aim: Aim) -> Self {
        Self {
            steps: Vec::new(),
            kept,
            aim,
        }
    }

    /// Returns a batch of both versions of a gradual deployment, the larger share first.
    #[must_use]
    pub fn both_sides(larger: CaptureRequest, smaller: CaptureRequest) -> Self {
        Self {
            steps: vec![larger, smaller],
            kept: Vec::new(),
            aim: Aim::Compare,
        }
    }

    /// Returns the next one to take.
    #[must_use]
    pub fn next(&self) -> Option<&CaptureRequest> {
        self.steps.get(self.kept.len())
    }

    /// Returns the Worker's name.
    #[must_use]
    pub fn worker(&self) -> &str {
        self.steps.first().map_or("", |step| &step.target.worker)
    }

    /// Returns which of how many is being taken, both from 1; `None` for a single one.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        let all = self.steps.len();
        (all > 1).then(|| ((self.kept.len() + 1).min(all), all))
    }

    /// Returns what to say when the last one is complete in the background.
    pub(crate) fn announcement(&self) -> Message {
        let worker = || outside(self.worker());
        match (self.steps.len(), self.aim) {
            (1, _) => message![
                worker(),
                " is captured; ",
                Command::GoCaptures,
                " shows it among the captures.",
            ],
            (_, Aim::Compare) => message![
                "Both versions of ",
                worker(),
                " are captured; ",
                Command::GoCaptures,
                ", ",
                Command::Mark,
                " and ",
                Command::Compare,
                " compare them.",
            ],
            (count, Aim::Open) => message![
                format!("{count} captures of "),
                worker(),
                " are complete; ",
                Command::GoCaptures,
                " shows them among the captures.",
            ],
        }
    }

    /// Returns what to say when the user cancelled it.
    pub(crate) fn cancelled(&self, stage: Stage) -> Message {
        let worker = outside(self.worker());
        let whole = message!["The capture of ", worker.clone()];
        match self.kept.len() {
            _ if stage == Stage::Waiting => whole.and(" was cancelled before it was sent."),
            // A local runtime counts nothing.
            0 if self
                .steps
                .iter()
                .all(|step| step.target.version_id.is_none()) =>
            {
                whole.and(" was cancelled; nothing was kept.")
            }
            0 => whole.and(" was cancelled; nothing was kept, and it may count against the limit."),
            1 => message![
                "The rest was cancelled; one capture of ",
                worker,
                " is kept: ",
                Command::GoCaptures,
                " shows it.",
            ],
            kept => message![
                format!("The rest was cancelled; {kept} captures of "),
                worker,
                " are kept: ",
                Command::GoCaptures,
                " shows them.",
            ],
        }
    }
}
