//! Fuzzy matching of names in lists and in the palette.

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

/// How well a name fits what was typed, higher is better; `None`: not at all. Everything fits an empty text, equally.
#[must_use]
pub fn fuzzy(name: &str, typed: &str) -> Option<i64> {
    if typed.is_empty() {
        return Some(0);
    }
    thread_local! {
        static MATCHER: SkimMatcherV2 = SkimMatcherV2::default();
    }
    MATCHER.with(|matcher| matcher.fuzzy_match(name, typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_may_be_apart_but_in_order() {
        assert!(fuzzy("checkout-api", "cka").is_some());
        assert!(fuzzy("checkout-api", "kac").is_none());
        assert!(fuzzy("checkout-api", "check") > fuzzy("chat-rooms-heck", "check"));
        assert_eq!(fuzzy("anything", ""), Some(0));
    }
}
