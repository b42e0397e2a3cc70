//! What the program says to people, as it was accepted: one snapshot per test, in `tests/wording`.
//!
//! A test asserts facts; the sentences it meets on its way it adds to its `Wording`. After a better word,
//! `INSTA_UPDATE=always cargo test` rewrites the snapshots, and the change is read in their diff.
#![allow(
    dead_code,
    reason = "all test programs share this, and each uses a part"
)]

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// Returns the texts that a test collects; they are compared when the value is dropped.
macro_rules! wording {
    () => {{
        fn here() {}
        crate::wording::Wording::of(std::any::type_name_of_val(&here))
    }};
}
pub(crate) use wording;

/// The texts that one test has met, in their order.
pub(crate) struct Wording {
    name: String,
    text: String,
    last: String,
}

impl Wording {
    /// Begins with no text; `place` is the path of an item inside the test.
    pub(crate) fn of(place: &str) -> Self {
        let mut path = place
            .trim_end_matches("::here")
            .trim_end_matches("::{{closure}}")
            .split("::");
        let (program, test) = (
            path.next().unwrap_or_default(),
            path.last().unwrap_or_default(),
        );
        Self {
            name: format!("{program}-{test}"),
            text: String::new(),
            last: String::new(),
        }
    }

    /// Adds a text, such as a message or what a command has printed.
    pub(crate) fn add(&mut self, text: impl Display) {
        let text = still(text.to_string().trim_end());
        // Several ways often lead to the same words.
        if text != self.last {
            let _ = writeln!(self.text, "{text}");
            self.last = text;
        }
    }

    /// Adds a text with the case that leads to it.
    pub(crate) fn case(&mut self, case: impl Display, text: impl Display) {
        self.add(format_args!("[{case}]\n{text}"));
    }

    /// Adds the lines of a text that hold a thing: a name, a number, what a test has typed.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn lines(&mut self, text: &str, thing: &str) {
        let found: Vec<&str> = text.lines().filter(|line| line.contains(thing)).collect();
        assert!(!found.is_empty(), "no line holds `{thing}`:\n{text}");
        found.into_iter().for_each(|line| self.add(line.trim()));
    }

    /// Adds the rows of a screen that another one lacks: what a key, a fault or an answer has brought.
    pub(crate) fn news(&mut self, before: &str, after: &str) {
        let (before, after) = (still(before), still(after));
        let known: BTreeSet<&str> = before.lines().map(str::trim).collect();
        let rows = after.lines().map(str::trim);
        rows.filter(|row| !known.contains(row))
            .for_each(|row| self.add(row));
    }
}

impl Drop for Wording {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        assert!(!self.text.is_empty(), "{}: nothing was added", self.name);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wording"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(self.name.as_str(), self.text.as_str()));
    }
}

/// What differs from run to run and from machine to machine, and what stands for it.
static VARIES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (r"/\S*?/\.tmp[A-Za-z0-9]{6}", "[folder]"),
        (r"\.tmp-\w{6}\b", ".tmp"),
        (r"\b\d+ of 1200 left", "[some] of 1200 left"),
        (r"flarescope 0\.\d+\.\d+", "flarescope [version]"),
        (r"\b(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}\b", "$1:[port]"),
        (r"\b[0-9a-f]{16}-[A-Z]{3}\b", "[ray]"),
        (r"\n{3,}", "\n\n"),
        (r" \d\d:\d\d:\d\dZ", " [time]"),
        // Of an earlier capture, in a headline.
        (r"\bat \d\d:\d\dZ", "at [time]"),
        // When a capture was asked for, in the names of its files.
        (r"-\d{13}-", "-[asked]-"),
        (r"\b\d+ ?s ago\b", "[a moment] ago"),
        // The age of a recording, by the clock, with the blanks that fill its line.
        (r"(?m)\b\d+ (?:h|d) ago\b(.*?) *$", "[age]$1"),
        // Waits of five minutes, by the clock.
        (r"\b(?:29\d|300) s\b", "[five minutes]"),
    ]
    .into_iter()
    .filter_map(|(varies, name)| Some((Regex::new(varies).ok()?, name)))
    .collect()
});

fn still(text: &str) -> String {
    let text = text.replace(env!("CARGO_MANIFEST_DIR"), "[repository]");
    VARIES.iter().fold(text, |text, (varies, name)| {
        varies.replace_all(&text, *name).into_owned()
    })
}
