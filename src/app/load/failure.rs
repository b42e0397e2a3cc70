//! Why something failed, in the user's words, and what can be done next.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::app::capture::batch::Batch;
use crate::app::keys::message::{Message, message, outside};
use crate::model::cloudflare::Capture;

/// What a failure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A capture returned no profile.
    Capture,
    /// A list could not be loaded.
    List,
    /// A file could not be read or written.
    File,
    /// A task of our own panicked.
    Fault,
}

impl FailureKind {
    /// Returns the overlay's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Capture => "No profile was captured",
            Self::List => "Request failed",
            Self::File => "That did not work",
            Self::Fault => "flarescope broke down here",
        }
    }
}

/// Refusals of a capture that lead to different next steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// No recent traffic on that version or object.
    NoTraffic,
    /// It had traffic, but its isolate is gone.
    NoIsolate,
    /// Profiling is not available for this account.
    Unavailable,
    /// This kind of Worker can't be profiled.
    Unsupported,
    /// The runtime could not start.
    NotStarted,
    /// Too many captures or calls.
    TooMany,
    /// The token lacks the permission.
    NotAllowed,
    /// The Worker is gone.
    NoWorker,
    /// The version is gone.
    NoVersion,
    /// The object or its class can't be found.
    NoObject,
    /// No response in time.
    TimedOut,
    /// The token is unknown, has expired or was revoked.
    NoLogin,
    /// The token was refused, and a newer one was found in its place meanwhile.
    LoginRenewed,
}

/// What the next-step command does for a failure, each with what is offered as the end of a sentence, such as `take
/// 7c1f2a9e, which serves 90%`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Opens the form again with the version that serves most traffic.
    ServingVersion(Message),
    /// Opens the list of accounts, where an id can be typed too.
    Account(Message),
    /// Sends the same request again.
    Again(Message),
    /// Looks for traffic now and then, and sends the capture once when there is some.
    WaitForTraffic(Message),
    /// Opens the captures of a batch that arrived before it failed.
    OpenKept(Message),
    /// Opens the form again, with the choices that were refused.
    Form(Message),
    /// Goes to the list of Workers.
    OtherWorker(Message),
    /// Prompts for another file to open.
    OtherFile(Message),
    /// Closes the message.
    Back(Message),
}

impl NextStep {
    /// Returns what is offered, as the end of a sentence.
    #[must_use]
    pub const fn offer(&self) -> &Message {
        match self {
            Self::ServingVersion(offer)
            | Self::Account(offer)
            | Self::Again(offer)
            | Self::WaitForTraffic(offer)
            | Self::OpenKept(offer)
            | Self::Form(offer)
            | Self::OtherWorker(offer)
            | Self::OtherFile(offer)
            | Self::Back(offer) => offer,
        }
    }

    /// Whether it sends a request again, which a server may have asked to put off.
    #[must_use]
    pub const fn is_again(&self) -> bool {
        matches!(self, Self::Again(_))
    }
}

/// What can be requested again after a failure.
#[derive(Debug, Clone, PartialEq)]
pub enum Retry {
    /// The accounts.
    Accounts,
    /// The Workers.
    Workers,
    /// Opening a file.
    File(PathBuf),
    /// Opening a capture on disk.
    Capture(Box<Capture>),
    /// The capture that failed, and what was to follow it.
    Batch(Box<Batch>),
}

/// Why something failed, and what can be done.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What it is about.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: Message,
    /// The API's code, HTTP status and ray, if any.
    pub evidence: Option<String>,
    /// What the user can do or know, in whole sentences.
    pub hint: Option<Message>,
    /// How long the server asked to wait, if it did.
    pub retry_after: Option<Duration>,
    /// When that wait ends; it is counted down, and a retry waits for it.
    pub until: Option<Instant>,
    /// What the next-step command does.
    pub step: Option<NextStep>,
    /// What can be requested again.
    pub retry: Option<Retry>,
    /// The reason why a capture was refused, if it is a known one.
    pub refusal: Option<Refusal>,
}

impl Failure {
    /// Returns a failure with one sentence.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<Message>) -> Self {
        Self {
            kind,
            message: message.into(),
            evidence: None,
            hint: None,
            retry_after: None,
            until: None,
            step: None,
            retry: None,
            refusal: None,
        }
    }

    /// Returns the next step where no nearer one is known: no failure leaves the user without a way on.
    fn usual_step(&self) -> NextStep {
        match (self.kind, &self.retry) {
            (_, Some(Retry::File(_))) => NextStep::OtherFile("open another file".into()),
            (_, Some(_)) => NextStep::Again("try the same again".into()),
            (FailureKind::Fault, None) => {
                NextStep::Back("go back: everything else works on".into())
            }
            (_, None) => NextStep::Back("go back: nothing else has changed".into()),
        }
    }

    /// Returns the failure with a next step.
    #[must_use]
    pub fn with_step(mut self) -> Self {
        let usual = self.usual_step();
        self.step.get_or_insert(usual);
        self
    }

    /// Returns the message with the ray, which support asks for: for places without room for the rest.
    #[must_use]
    pub fn brief(&self) -> Message {
        match self.ray() {
            Some(ray) => message![self.message.clone(), " [", outside(ray), "]"],
            None => self.message.clone(),
        }
    }

    /// Returns the ray, with the word before it.
    #[must_use]
    pub fn ray(&self) -> Option<&str> {
        self.evidence
            .as_ref()?
            .split(" · ")
            .find(|part| part.starts_with("ray "))
    }

    /// Returns the captures that failed, or were to follow.
    #[must_use]
    pub fn batch(&self) -> Option<&Batch> {
        match &self.retry {
            Some(Retry::Batch(batch)) => Some(batch),
            _ => None,
        }
    }

    /// Returns how long the server still wants no request.
    #[must_use]
    pub fn pause(&self, now: Instant) -> Option<Duration> {
        self.until?
            .checked_duration_since(now)
            .filter(|left| !left.is_zero())
    }

    /// Returns the whole failure, a line each, for copying.
    #[must_use]
    pub fn text(&self) -> Message {
        let evidence = self.evidence.as_deref().map(outside);
        let lines = evidence.into_iter().chain(self.hint.clone());
        lines.fold(self.message.clone(), |all, line| message![all, "\n", line])
    }
}
