//! What a view leaves out: pprof's filters, with pprof's meaning.

pub use crate::model::query::pattern::{Pattern, PatternError};
pub use crate::model::query::tags::TagPattern;

/// One filter. A view's filters are a set: focus and ignore look at the stack as recorded, hide and show-from change it.
#[derive(Debug, Clone)]
pub enum Filter {
    /// Keeps stacks that have a matching frame. Several: each must match somewhere.
    Focus(Pattern),
    /// Drops stacks that have a matching frame.
    Ignore(Pattern),
    /// Takes matching frames out of the stacks; their value goes to the frame above. A stack left empty is dropped.
    Hide(Pattern),
    /// Cuts everything above the first matching frame; drops stacks without one.
    ShowFrom(Pattern),
    /// Keeps records with a matching tag.
    TagFocus(TagPattern),
    /// Drops records with a matching tag.
    TagIgnore(TagPattern),
}

impl Filter {
    /// The filter in few words, as `focus parseCart`.
    #[must_use]
    pub fn chip(&self) -> String {
        match self {
            Self::Focus(pattern) => format!("focus {}", pattern.label()),
            Self::Ignore(pattern) => format!("ignore {}", pattern.label()),
            Self::Hide(pattern) => format!("hide {}", pattern.label()),
            Self::ShowFrom(pattern) => format!("from {}", pattern.label()),
            Self::TagFocus(pattern) => format!("tag {}", pattern.source()),
            Self::TagIgnore(pattern) => format!("not tag {}", pattern.source()),
        }
    }
}
