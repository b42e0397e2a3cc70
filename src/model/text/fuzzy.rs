//! Fuzzy matching of names in lists and in the palette, and what a misspelt one may mean.

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::model::text::sanitize::printable;

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

/// At most `most` of the names that fit the longest beginning of a misspelt one, the best first; one letter is no hint.
#[must_use]
pub fn nearest<'a>(
    misspelt: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    most: usize,
) -> Vec<&'a str> {
    let ends = misspelt
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .skip(1)
        .collect::<Vec<_>>();
    for end in ends.into_iter().rev() {
        let mut fitting: Vec<_> = names
            .clone()
            .filter_map(|name| Some((fuzzy(name, misspelt.get(..end)?)?, name)))
            .collect();
        if !fitting.is_empty() {
            fitting.sort_by_key(|(score, name)| (std::cmp::Reverse(*score), *name));
            return fitting
                .into_iter()
                .take(most)
                .map(|(_, name)| name)
                .collect();
        }
    }
    Vec::new()
}

/// Returns the known word closest to a misspelt one; `None` if none is close enough to be meant.
#[must_use]
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(word, known);
    let best = known.into_iter().min_by_key(|known| distance(known))?;
    (distance(best) <= word.chars().count().div_ceil(2)).then_some(best)
}

/// Returns the end of a message on a misspelt word that names the closest known one; empty if none is close.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, known).map_or_else(String::new, |near| {
        format!(", did you mean `{}`?", printable(near))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_that_fits_shows_what_was_meant() {
        let names = ["checkout-api", "checkout-webhooks", "storefront", "ab"];
        let near = |typed| nearest(typed, names.into_iter(), 2);
        assert_eq!(near("storefornt"), ["storefront"]);
        assert_eq!(near("checkout"), ["checkout-api", "checkout-webhooks"]);
        assert_eq!(near("checkout-apis"), ["checkout-api"]);
        assert_eq!(near("zzz"), [""; 0]);
        assert_eq!(near("sz"), [""; 0], "one letter is no hint");
        assert_eq!(near("é"), [""; 0]);
    }

    #[test]
    fn letters_may_be_apart_but_in_order() {
        assert!(fuzzy("checkout-api", "cka").is_some());
        assert!(fuzzy("checkout-api", "kac").is_none());
        assert!(fuzzy("checkout-api", "check") > fuzzy("chat-rooms-heck", "check"));
        assert_eq!(fuzzy("anything", ""), Some(0));
    }
}
