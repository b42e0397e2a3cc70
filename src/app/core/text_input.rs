//! One line of text that is being typed.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::core::ids::RequestId;
use crate::app::keys::command::Command;

/// Longest line that can be typed, in bytes: pasting a file by mistake must not freeze the search.
const LINE_MAX: usize = 4_096;

/// What the line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Searching a profile.
    Search,
    /// Filtering the Workers.
    WorkerFilter,
    /// Filtering the captures on disk.
    HistoryFilter,
    /// Searching the keys that work here.
    HelpFilter,
    /// Filtering the themes.
    ThemeFilter,
    /// A capture's name.
    Rename,
    /// A capture's note.
    Note,
    /// A file to open.
    OpenFile,
    /// Searching the code of a function.
    CodeSearch,
    /// A source map to load.
    SourceMap,
    /// A command's name.
    Palette,
    /// An account's name or id.
    Account,
    /// A Durable Object's name or id.
    Object,
    /// A field of a form.
    Field,
}

/// What a typed path can be completed to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// The names, in their order; folders end in `/`.
    pub names: Vec<String>,
}

impl Completions {
    /// Returns how many there are, in words.
    #[must_use]
    pub fn count(&self) -> String {
        match self.names.len() {
            0 => "nothing fits".to_owned(),
            several => format!("{several} fit"),
        }
    }
}

/// A line with a cursor, edited by whole characters as people see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What it is for.
    pub purpose: Purpose,
    /// The text.
    pub text: String,
    /// The cursor, in bytes; always between two characters.
    pub cursor: usize,
    /// What the line held before, for leaving it as it was.
    pub before: String,
    /// Of a path: what it could be completed to, if that is not certain.
    pub offers: Option<Completions>,
    /// The request for that.
    pub(crate) completion: Option<RequestId>,
}

impl Input {
    /// Opens a line that holds `text`, with the cursor at its end.
    #[must_use]
    pub fn new(purpose: Purpose, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            purpose,
            cursor: text.len(),
            before: text.clone(),
            text,
            offers: None,
            completion: None,
        }
    }

    /// Inserts text at the cursor; control characters are left out, since a paste may hold any. Returns whether there is room
    /// for it.
    pub fn insert(&mut self, added: &str) -> bool {
        self.offers = None;
        let clean: String = added.chars().filter(|c| !c.is_control()).collect();
        let fits = self.text.len() + clean.len() <= LINE_MAX;
        if fits {
            self.text.insert_str(self.cursor, &clean);
            self.cursor += clean.len();
        }
        fits
    }

    /// Does an editing command; returns whether the text changed.
    pub fn edit(&mut self, command: Command) -> bool {
        self.offers = None;
        let length = self.text.len();
        match command {
            Command::CursorLeft => self.cursor = self.before_cursor(),
            Command::CursorRight => self.cursor = self.after_cursor(),
            Command::CursorHome => self.cursor = 0,
            Command::CursorEnd => self.cursor = length,
            Command::Erase => self.cut(self.before_cursor(), self.cursor),
            Command::EraseNext => self.cut(self.cursor, self.after_cursor()),
            Command::EraseWord => self.cut(self.word_start(), self.cursor),
            Command::EraseLine => self.cut(0, length),
            _ => {}
        }
        self.text.len() != length
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn before_cursor(&self) -> usize {
        self.text[..self.cursor]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(at, _)| at)
    }

    fn after_cursor(&self) -> usize {
        self.text[self.cursor..]
            .graphemes(true)
            .next()
            .map_or(self.cursor, |g| self.cursor + g.len())
    }

    fn word_start(&self) -> usize {
        let head = self.text[..self.cursor].trim_end();
        head.rfind(char::is_whitespace).map_or(0, |at| {
            at + head[at..].chars().next().map_or(0, char::len_utf8)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_keeps_to_whole_characters() {
        let mut line = Input::new(Purpose::Search, "ae\u{301}👩‍👩‍👧z");
        line.edit(Command::CursorLeft);
        assert!(line.edit(Command::Erase), "the family is one character");
        assert_eq!(line.text, "ae\u{301}z");
        assert!(line.edit(Command::Erase));
        assert_eq!((line.text.as_str(), line.cursor), ("az", 1));
        line.edit(Command::CursorHome);
        assert!(
            !line.edit(Command::Erase),
            "nothing stands before the beginning"
        );
        assert!(line.edit(Command::EraseNext));
        assert_eq!(line.text, "z");
    }

    #[test]
    fn words_and_lines_are_erased() {
        let mut line = Input::new(Purpose::Search, "parse the  cart ");
        line.edit(Command::EraseWord);
        assert_eq!(line.text, "parse the  ");
        line.edit(Command::EraseWord);
        assert_eq!(line.text, "parse ");
        line.edit(Command::EraseLine);
        assert_eq!((line.text.as_str(), line.cursor), ("", 0));
    }

    #[test]
    fn pasted_control_characters_are_left_out() {
        let mut line = Input::new(Purpose::OpenFile, "");
        line.insert("a\u{1b}[31mb\r\n\u{9b}c");
        assert_eq!(line.text, "a[31mbc");
    }
}
