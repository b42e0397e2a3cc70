//! Paths that complete while they are typed, in the lines that name a file.

/// What fits the path that was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// The names, in their order; folders end in `/`.
    pub names: Vec<String>,
}

impl Offers {
    /// How many there are, in words.
    #[must_use]
    pub fn count(&self) -> String {
        match self.names.len() {
            0 => "nothing fits".to_owned(),
            several => format!("{several} fit"),
        }
    }
}

/// The beginning that both have, in whole characters.
pub(crate) fn agreed<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one
        .char_indices()
        .zip(other.chars())
        .find(|((_, a), b)| a != b)
        .map(|((at, _), _)| at);
    one.get(..end.unwrap_or_else(|| one.len().min(other.len())))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::agreed;

    #[test]
    fn what_two_names_agree_in_ends_between_characters() {
        for (one, other, common) in [
            ("worker.js", "worker.js.map", "worker.js"),
            ("aé", "aè", "a"),
            ("", "a", ""),
            ("b/", "b/", "b/"),
        ] {
            assert_eq!(agreed(one, other), common, "{one} {other}");
            assert_eq!(agreed(other, one), common, "{other} {one}");
        }
    }
}
