//! What went wrong, in the user's words, and what can be done next.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::app::capture::batch::Series;
use crate::app::effect::Effect;

/// What a failure is about; decides the sheet's title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A capture brought no profile.
    Capture,
    /// A list could not be had.
    List,
    /// A file could not be read or written.
    File,
    /// A task of our own broke down.
    Fault,
}

impl FailureKind {
    /// The sheet's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Capture => "No profile came back",
            Self::List => "The answer did not come",
            Self::File => "That did not work",
            Self::Fault => "flarescope broke down here",
        }
    }
}

/// Refusals of a capture that lead to different next steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// No traffic on that version or object lately.
    NoTraffic,
    /// It had traffic, but its isolate is gone.
    NoIsolate,
    /// Profiling isn't offered for this account or place.
    Unavailable,
    /// This kind of Worker can't be profiled.
    Unsupported,
    /// The runtime could not start.
    NotStarted,
    /// Too many captures or calls.
    TooMany,
    /// The token may not do this.
    NotAllowed,
    /// The Worker is gone.
    NoWorker,
    /// The version is gone.
    NoVersion,
    /// The object or its class can't be found.
    NoObject,
    /// No answer in time.
    TimedOut,
    /// The token is unknown, has expired or was revoked.
    NoLogin,
    /// The token was refused, and a newer one was found in its place meanwhile.
    LoginRenewed,
}

/// What Enter does in a failure's sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Opens the form again with the version that serves most traffic.
    ServingVersion {
        /// What is offered, as a sentence's end: `take 7c1f2a9e, which serves 90%`.
        offer: String,
    },
    /// Opens the list of accounts, where an id can be typed too.
    Account {
        /// What is offered.
        offer: String,
    },
    /// Asks the same again.
    Again {
        /// What is offered.
        offer: String,
    },
    /// Looks for traffic now and then, and sends the capture once when there is some.
    WaitForTraffic {
        /// What is offered.
        offer: String,
    },
    /// Opens the captures of a series that arrived before it failed.
    OpenKept {
        /// What is offered.
        offer: String,
    },
    /// Opens the form again, with the choices that were refused.
    Form {
        /// What is offered.
        offer: String,
    },
    /// Goes to the list of Workers.
    OtherWorker {
        /// What is offered.
        offer: String,
    },
    /// Asks for another file to open.
    OtherFile {
        /// What is offered.
        offer: String,
    },
    /// Closes the message: what was there before goes on.
    Back {
        /// What is offered.
        offer: String,
    },
}

impl NextStep {
    /// What is offered, as a sentence's end.
    #[must_use]
    pub fn offer(&self) -> &str {
        match self {
            Self::ServingVersion { offer }
            | Self::Account { offer }
            | Self::Again { offer }
            | Self::WaitForTraffic { offer }
            | Self::OpenKept { offer }
            | Self::Form { offer }
            | Self::OtherWorker { offer }
            | Self::OtherFile { offer }
            | Self::Back { offer } => offer,
        }
    }

    /// Whether it is another call like the one that failed, which a server may have asked to put off.
    #[must_use]
    pub const fn is_again(&self) -> bool {
        matches!(self, Self::Again { .. })
    }
}

/// A failure as the screen tells it.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What it is about.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: String,
    /// The API's code, HTTP status and ray, where there are any.
    pub evidence: Option<String>,
    /// What the person on call can do or know: whole sentences.
    pub hint: Option<String>,
    /// How long the server asked to wait, where it did.
    pub retry_after: Option<Duration>,
    /// When that is over, once it is being counted down: asking again waits for it.
    pub until: Option<Instant>,
    /// What Enter does.
    pub step: Option<NextStep>,
    /// What `R` asks for again.
    pub again: Option<Box<Effect>>,
    /// Which refusal of a capture it is, where it is one of those that are known.
    pub refusal: Option<Refusal>,
    /// The capture that failed, with what was asked for together with it.
    pub series: Option<Box<Series>>,
}

impl Failure {
    /// A failure that one sentence tells.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            evidence: None,
            hint: None,
            retry_after: None,
            until: None,
            step: None,
            again: None,
            refusal: None,
            series: None,
        }
    }

    /// What Enter does where nothing nearer was said: no message leaves its reader without a way on.
    fn usual_step(&self) -> NextStep {
        match (self.kind, self.again.as_deref()) {
            (_, Some(Effect::OpenFile(..))) => NextStep::OtherFile {
                offer: "open another file".to_owned(),
            },
            _ if self.can_repeat() => NextStep::Again {
                offer: "try the same again".to_owned(),
            },
            (FailureKind::Fault, _) => NextStep::Back {
                offer: "go back: everything else works on".to_owned(),
            },
            _ => NextStep::Back {
                offer: "go back: nothing else has changed".to_owned(),
            },
        }
    }

    /// The failure with a next step.
    #[must_use]
    pub fn with_step(mut self) -> Self {
        let usual = self.usual_step();
        self.step.get_or_insert(usual);
        self
    }

    /// What happened, with the ray that support asks for: for a place where the rest has no room.
    #[must_use]
    pub fn brief(&self) -> String {
        self.ray().map_or_else(
            || self.message.clone(),
            |ray| format!("{} [{ray}]", self.message),
        )
    }

    /// The ray, with the word before it.
    #[must_use]
    pub fn ray(&self) -> Option<&str> {
        self.evidence
            .as_ref()?
            .split(" · ")
            .find(|part| part.starts_with("ray "))
    }

    /// Whether `R` asks for the same once more.
    #[must_use]
    pub const fn can_repeat(&self) -> bool {
        self.again.is_some() || self.series.is_some()
    }

    /// How long the server still wants to be left alone.
    #[must_use]
    pub fn pause(&self, now: Instant) -> Option<Duration> {
        self.until?
            .checked_duration_since(now)
            .filter(|left| !left.is_zero())
    }

    /// The whole failure as text, for copying.
    #[must_use]
    pub fn text(&self) -> String {
        [
            Some(self.message.as_str()),
            self.evidence.as_deref(),
            self.hint.as_deref(),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
    }
}
