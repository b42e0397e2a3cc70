//! Searches: what is typed, and the texts that match it.

use std::ops::Range;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;
use regex::{Regex, RegexBuilder};
use unicode_segmentation::UnicodeSegmentation;

use crate::model::text::pattern::{Pattern, PatternError, compile};

/// How a query is read.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default)]
pub enum Mode {
    /// Anywhere in the text.
    #[default]
    Substring,
    /// Whole words.
    Word,
    /// A regular expression.
    Regex,
    /// Its letters in order, with gaps.
    Fuzzy,
    /// One function, by its identity.
    Function,
}

/// A search. In lower case it ignores case; with an upper-case letter it doesn't.
#[derive(Debug, Clone, Eq, PartialEq, Default)]
pub struct Query {
    /// The text as typed.
    pub text: String,
    /// How it is read.
    pub mode: Mode,
}

/// A compiled query.
pub struct Matcher {
    way: Way,
    /// Whether a location such as `worker.js:39` is looked for.
    pub(crate) is_location: bool,
}

enum Way {
    /// The empty query: nothing matches.
    Nothing,
    Regex(Regex),
    Fuzzy(Box<SkimMatcherV2>, String),
    Function(String),
}

impl Query {
    /// Returns what someone would type for it: of one function the name.
    #[must_use]
    pub fn typed(&self) -> &str {
        match self.text.split_once('@') {
            Some((name, _)) if self.mode == Mode::Function => name,
            _ => &self.text,
        }
    }

    /// Returns whether it is a place such as `worker.js:39`, which only a search knows.
    #[must_use]
    pub fn is_location(&self) -> bool {
        let line = self.text.rsplit_once(':').map(|(_, line)| line);
        let is_line = |line: &str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
        self.mode == Mode::Substring && line.is_some_and(is_line)
    }

    /// The query as a regular expression, its case aside; `None` for a fuzzy one and for one function.
    fn expression(&self) -> Option<String> {
        let text = self.text.as_str();
        Some(match self.mode {
            Mode::Fuzzy | Mode::Function => return None,
            // Not line 390 for line 39.
            Mode::Substring if self.is_location() => format!(r"{}\b", regex::escape(text)),
            Mode::Substring => regex::escape(text),
            Mode::Word => {
                // A word boundary only where the query itself has a word's letter: `#merge` is a word, too.
                let edge = |c: Option<char>| if c.is_some_and(is_word) { r"\b" } else { "" };
                format!(
                    "{}{}{}",
                    edge(text.chars().next()),
                    regex::escape(text),
                    edge(text.chars().next_back())
                )
            }
            Mode::Regex => text.to_owned(),
        })
    }

    /// The query as a filter's pattern, with the same case; `None` for an empty, faulty or fuzzy one, and for a location.
    #[must_use]
    pub fn pattern(&self) -> Option<Pattern> {
        if self.mode == Mode::Function {
            return Pattern::function(&self.text).ok();
        }
        if self.is_location() {
            return None;
        }
        let expression = self.expression().filter(|_| !self.text.is_empty())?;
        Pattern::new(&if has_upper(&self.text) {
            expression
        } else {
            ignoring_case(&expression)
        })
        .ok()
    }
}

impl Matcher {
    /// Compiles a query.
    ///
    /// # Errors
    /// [`PatternError`] for an invalid regular expression.
    pub fn new(query: &Query) -> Result<Self, PatternError> {
        let text = query.text.as_str();
        let is_location = query.is_location();
        let ready = |way| Self { way, is_location };
        if text.is_empty() {
            return Ok(ready(Way::Nothing));
        }
        if query.mode == Mode::Function {
            return Ok(ready(Way::Function(text.to_owned())));
        }
        let Some(expression) = query.expression() else {
            // The matcher's own smart case looks at ASCII letters only.
            let matcher = SkimMatcherV2::default();
            let matcher = if has_upper(text) {
                matcher.respect_case()
            } else {
                matcher.ignore_case()
            };
            return Ok(ready(Way::Fuzzy(Box::new(matcher), text.to_owned())));
        };
        let ignores_case = !has_upper(text);
        let regex = if query.mode == Mode::Regex {
            // Like a filter, which a search may become.
            if ignores_case {
                compile(&ignoring_case(text))?
            } else {
                compile(text)?
            }
        } else {
            RegexBuilder::new(&expression)
                .case_insensitive(ignores_case)
                .build()
                .map_err(|_| PatternError::new(text, "it is too long"))?
        };
        Ok(ready(Way::Regex(regex)))
    }

    /// Whether a text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        match &self.way {
            Way::Nothing => false,
            Way::Regex(regex) => regex.is_match(text),
            Way::Fuzzy(matcher, query) => matcher.fuzzy_match(text, query).is_some(),
            Way::Function(identity) => is_name_of(text, identity),
        }
    }

    /// The function that is looked for, by its identity, if one is.
    pub(crate) fn identity(&self) -> Option<&str> {
        match &self.way {
            Way::Function(identity) => Some(identity),
            _ => None,
        }
    }

    /// Returns the matched parts of a text, as byte ranges that begin and end between graphemes.
    #[must_use]
    pub fn spans(&self, text: &str) -> Vec<Range<usize>> {
        let hits: Vec<Range<usize>> = match &self.way {
            Way::Nothing => Vec::new(),
            Way::Regex(regex) => regex.find_iter(text).map(|hit| hit.range()).collect(),
            Way::Function(identity) => {
                let whole = is_name_of(text, identity).then_some(0..text.len());
                whole.into_iter().collect()
            }
            Way::Fuzzy(matcher, query) => {
                let letters = matcher
                    .fuzzy_indices(text, query)
                    .map(|(_, letters)| letters)
                    .unwrap_or_default();
                let mut starts = text.char_indices().enumerate();
                let mut hits = Vec::with_capacity(letters.len());
                for letter in letters {
                    if let Some((_, (start, c))) = starts.find(|(at, _)| *at == letter) {
                        hits.push(start..start + c.len_utf8());
                    }
                }
                hits
            }
        };
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut hits = hits.into_iter().filter(|hit| !hit.is_empty()).peekable();
        for (start, grapheme) in text.grapheme_indices(true) {
            let end = start + grapheme.len();
            while hits.next_if(|hit| hit.end <= start).is_some() {}
            if hits.peek().is_none_or(|hit| hit.start >= end) {
                continue;
            }
            match spans.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => spans.push(start..end),
            }
        }
        spans
    }
}

/// Returns whether a function of that identity has that name.
fn is_name_of(name: &str, identity: &str) -> bool {
    let rest = identity.strip_prefix(name);
    !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', ':']))
}

fn ignoring_case(expression: &str) -> String {
    format!("(?i){expression}")
}

fn has_upper(text: &str) -> bool {
    text.chars().any(char::is_uppercase)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str, mode: Mode, name: &str) -> Vec<String> {
        let matcher = Matcher::new(&Query {
            text: text.to_owned(),
            mode,
        })
        .unwrap();
        assert_eq!(
            matcher.matches(name),
            !matcher.spans(name).is_empty(),
            "{text} in {name}"
        );
        matcher
            .spans(name)
            .into_iter()
            .map(|span| name[span].to_owned())
            .collect()
    }

    #[test]
    fn each_mode_lights_its_letters() {
        assert_eq!(spans("cart", Mode::Substring, "parseCart"), ["Cart"]);
        assert_eq!(spans("Cart", Mode::Substring, "parsecart"), [""; 0]);
        assert_eq!(spans("cart", Mode::Word, "parseCart"), [""; 0]);
        assert_eq!(spans("cart", Mode::Word, "parse cart.get"), ["cart"]);
        assert_eq!(spans("#merge", Mode::Word, "x.#merge"), ["#merge"]);
        assert_eq!(spans("^p.*t$", Mode::Regex, "parseCart"), ["parseCart"]);
        assert_eq!(spans("pct", Mode::Fuzzy, "parseCart"), ["p", "C", "t"]);
        assert_eq!(spans("", Mode::Substring, "parseCart"), [""; 0]);
    }

    #[test]
    fn case_is_ignored_beyond_ascii() {
        assert_eq!(spans("é", Mode::Substring, "CAFÉ"), ["É"]);
        assert_eq!(spans("обр", Mode::Substring, "ОБРАБОТАТЬ"), ["ОБР"]);
    }

    #[test]
    fn a_grapheme_is_lit_whole() {
        assert_eq!(spans("e", Mode::Substring, "cafe\u{301}s"), ["e\u{301}"]);
        assert_eq!(
            spans("👩", Mode::Substring, "x👩\u{200d}👩y"),
            ["👩\u{200d}👩"]
        );
    }

    #[test]
    fn a_faulty_expression_says_why() {
        let error = Matcher::new(&Query {
            text: "ab(".to_owned(),
            mode: Mode::Regex,
        })
        .err()
        .unwrap();
        assert_eq!(error.reason, "unclosed group");
    }

    #[test]
    fn an_expression_means_what_it_means_as_a_filter() {
        for (expression, name, means) in [
            (r"^\w+$", "größe", false),
            (r"^[\s-x]+$", "-x", true),
            (r"^[\s-x]+$", "a", false),
            ("a{2", "A{2", true),
        ] {
            let query = Query {
                text: expression.to_owned(),
                mode: Mode::Regex,
            };
            assert_eq!(
                Matcher::new(&query).unwrap().matches(name),
                means,
                "{expression} on {name}"
            );
            assert_eq!(
                query.pattern().unwrap().matches(name.as_bytes()),
                means,
                "{expression} on {name}, as a filter"
            );
        }
    }
}
