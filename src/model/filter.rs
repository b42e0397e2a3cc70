//! What a view leaves out: pprof's filters, with pprof's meaning.

use regex::bytes::{Regex, RegexBuilder};

use super::go_syntax::translate;
pub use super::tags::TagPattern;

/// The largest program a regular expression may compile to, in bytes: a crafted one must not eat the memory.
const REGEX_SIZE_LIMIT: usize = 10 << 20;

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

/// Why a regular expression was refused.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{source_text}` is no regular expression: {reason}")]
pub struct PatternError {
    /// What was given.
    pub source_text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl PatternError {
    /// What is wrong in one short sentence, without the picture of the place that the whole reason draws.
    #[must_use]
    pub fn sentence(&self) -> String {
        let last = self.reason.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        last.strip_prefix("error: ").unwrap_or(last).to_owned()
    }
}

/// A regular expression in Go's syntax, matched against function name, file and mapping.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    source: String,
    /// The name it stands for, where it was made from one.
    name: Option<String>,
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// [`PatternError`] with the reason.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let error = |reason: String| PatternError { source_text: source.to_owned(), reason };
        let regex = RegexBuilder::new(&translate(source))
            .octal(true)
            .size_limit(REGEX_SIZE_LIMIT)
            .build()
            .map_err(|fault| error(fault.to_string()))?;
        Ok(Self { regex, source: source.to_owned(), name: None })
    }

    /// A pattern for exactly this text, for instance a selected function's name.
    ///
    /// # Errors
    /// [`PatternError`] for a name too long for the matcher.
    pub fn exact_name(name: &str) -> Result<Self, PatternError> {
        let exact = Self::new(&format!("^{}$", regex::escape(name)))?;
        Ok(Self { name: Some(name.to_owned()), ..exact })
    }

    /// A pattern for exactly any of these texts; `None` for none, or for too many to match.
    #[must_use]
    pub fn any_of(names: &[String]) -> Option<Self> {
        match names {
            [] => None,
            [only] => Self::exact_name(only).ok(),
            several => {
                let names: Vec<String> = several.iter().map(|name| regex::escape(name)).collect();
                Self::new(&format!("^(?:{})$", names.join("|"))).ok()
            }
        }
    }

    /// The name it stands for, where it was made from one.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What to call it on the screen: the name it was made from, else the regular expression.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.source)
    }

    /// The regular expression as given.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Tells whether it matches anywhere in a text.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }
}
