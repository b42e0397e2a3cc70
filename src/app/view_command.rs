//! The command line that shows the very view that is on the screen.

use super::ProfileState;
use crate::model::filter::Filter;
use crate::model::tree::NodeId;
use crate::model::view::{Direction, Identity};

/// Digits of a capture's hash that tell it from all others of one machine.
const HASH_DIGITS: usize = 16;

impl ProfileState {
    /// Writes the command down; `None` if the profile came through a pipe and is gone.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        let of = match (&self.source.capture, &self.source.path) {
            (Some(capture), _) => capture.sha256.get(..HASH_DIGITS)?.to_owned(),
            (None, Some(path)) => quoted(&path.to_string_lossy()),
            (None, None) => return None,
        };
        let mut words = vec!["flarescope open".to_owned(), of];
        let mut option = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
        if self.view.sample_type != self.source.profile.default_sample_type() {
            option("sample-type", &self.sample_type());
        }
        match self.view.by {
            Identity::Function => {}
            Identity::Name => option("by", "name"),
            Identity::Line => option("by", "line"),
            Identity::File => option("by", "file"),
            Identity::Package => option("by", "package"),
        }
        for filter in &self.view.filters {
            match filter {
                Filter::Focus(pattern) => option("focus", pattern.source()),
                Filter::Ignore(pattern) => option("ignore", pattern.source()),
                Filter::Hide(pattern) => option("hide", pattern.source()),
                Filter::ShowFrom(pattern) => option("show-from", pattern.source()),
                Filter::TagFocus(pattern) => option("tag-focus", pattern.source()),
                Filter::TagIgnore(pattern) => option("tag-ignore", pattern.source()),
            }
        }
        if self.zoom != NodeId::ROOT
            && let Some(frame) = self.reading.tree.frame(self.zoom)
        {
            option("root", self.reading.frames.name(frame));
        }
        let flags = [
            (self.view.fold_recursion, "--fold-recursion"),
            (self.view.direction == Direction::BottomUp, "--bottom-up"),
            (!self.view.hide_idle, "--idle"),
        ];
        words.extend(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| (*flag).to_owned()));
        Some(words.join(" "))
    }
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("parseCart"), "parseCart");
        assert_eq!(quoted("^a$"), "'^a$'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
