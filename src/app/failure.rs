//! What went wrong, in the user's words, and what can be done next.

use super::Effect;

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

/// What Enter does in a failure's sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Opens the form again with the version that serves most traffic.
    ServingVersion {
        /// What is offered, as a sentence's end: `take 7c1f2a9e, which serves 90 %`.
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
    pub retry_after: Option<std::time::Duration>,
    /// What Enter does.
    pub step: Option<NextStep>,
    /// What `R` asks for again.
    pub again: Option<Box<Effect>>,
    /// The API's own number, to tell refusals apart.
    pub code: Option<i64>,
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
            step: None,
            again: None,
            code: None,
        }
    }

    /// The whole failure as text, for copying.
    #[must_use]
    pub fn text(&self) -> String {
        [Some(self.message.as_str()), self.evidence.as_deref(), self.hint.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    }
}
