//! Filters, with pprof's meaning.

pub use crate::model::query::tags::TagPattern;
pub use crate::model::text::pattern::{Pattern, PatternError};

/// One filter. A view's filters are a set: focus and ignore match the stack as recorded, hide and show-from change it.
#[derive(Debug, Clone)]
pub enum Filter {
    /// Keeps stacks with a matching frame; of several, each must match.
    Focus(Pattern),
    /// Drops stacks with a matching frame.
    Ignore(Pattern),
    /// Removes matching frames from stacks; their value goes to the caller. A stack left empty is dropped.
    Hide(Pattern),
    /// Cuts everything above the first matching frame; drops stacks without one.
    ShowFrom(Pattern),
    /// Removes frames that are not the user's own code; their value goes to the caller. Nothing where no frame is the user's.
    OwnCode,
    /// Keeps records with a matching tag.
    TagFocus(TagPattern),
    /// Drops records with a matching tag.
    TagIgnore(TagPattern),
}

impl Filter {
    /// Returns the filter in few words, as `focus parseCart`.
    #[must_use]
    pub fn chip(&self) -> String {
        match self {
            Self::Focus(pattern) => format!("focus {}", pattern.label()),
            Self::Ignore(pattern) => format!("ignore {}", pattern.label()),
            Self::Hide(pattern) => format!("hide {}", pattern.label()),
            Self::ShowFrom(pattern) => format!("from {}", pattern.label()),
            Self::OwnCode => "own code".to_owned(),
            Self::TagFocus(pattern) => format!("tag {}", pattern.source()),
            Self::TagIgnore(pattern) => format!("not tag {}", pattern.source()),
        }
    }
}
