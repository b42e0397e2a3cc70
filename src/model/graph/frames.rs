//! The distinct frames of a reading: what the boxes of the icicle and the rows of the table are called.

use std::borrow::Cow;

use crate::model::text::sanitize::printable;

/// The name V8 gives to time in which nothing ran.
pub(crate) const IDLE: &str = "(idle)";

/// A frame of one reading. Frames are equal where the reading's identity says so.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct FrameId(pub u32);

/// Whose code a frame is; decides its colour.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash)]
pub enum Family {
    /// The user's own code.
    Own,
    /// A package the user brought in.
    Dependency,
    /// The runtime's own modules.
    Runtime,
    /// Not known: no file is given.
    Unknown,
    /// No code at all: idle time, the program as a whole.
    Grey,
    /// The garbage collector.
    Gc,
}

/// What is known of a frame.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct FrameInfo<'a> {
    /// Its name, or a substitute such as `(anonymous)` or `libworker.so 0x401000`. Text from outside: show it through
    /// [`crate::model::text::sanitize`].
    pub name: &'a str,
    /// Source file as written in the profile; empty if not given.
    pub file: &'a str,
    /// The line the function starts on, else the first of its lines seen.
    pub line: Option<i64>,
    /// The line the function starts on, if the profile gives it; by line: the line itself.
    pub start: Option<i64>,
    /// The column it starts in, if it is nameless and others start on the same line.
    pub column: Option<i64>,
    /// Whose code it is.
    pub family: Family,
    /// How many definitions (or places) it stands for.
    pub places: u32,
    /// What it is called in the bundle that ran, if a source map gave it its name and place.
    pub original: Option<&'a OriginalName>,
}

/// What a function is called in the bundle that ran. Text from outside.
#[derive(Debug, Clone, Eq, PartialEq)]
pub struct OriginalName {
    /// Its name there.
    pub name: String,
    /// The bundle.
    pub file: String,
    /// The line it starts on there, from 1, if known.
    pub line: Option<i64>,
    /// The column, from 1, if known.
    pub column: Option<i64>,
}

/// Which function is meant, in words that outlive one reading. Text from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionName {
    /// Its name.
    pub name: String,
    /// Its file as written in the profile; empty if not given.
    pub file: String,
    /// Its first line, if known.
    pub line: Option<i64>,
    /// Its column, where nameless functions of one line need it.
    pub column: Option<i64>,
}

impl FunctionName {
    /// Returns whether a frame is this function.
    #[must_use]
    pub fn is(&self, info: &FrameInfo<'_>) -> bool {
        *self == info.function()
    }

    /// Returns whether this function can have that name and file, and start on that line, which only matters if it is
    /// nameless.
    pub(crate) fn fits(&self, name: &str, file: &str, line: i64) -> bool {
        let is_line = || self.line.is_none_or(|own| own == line) || !is_nameless(name);
        self.name == name && self.file == file && is_line()
    }
}

/// All frames of one reading.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    pub(crate) entries: Vec<Entry>,
    pub(crate) files: Vec<Box<str>>,
}

/// One frame as stored.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Box<str>,
    /// Index into [`Frames::files`].
    pub(crate) file: u32,
    pub(crate) line: i64,
    pub(crate) start: i64,
    pub(crate) column: i64,
    pub(crate) places: u32,
    pub(crate) family: Family,
    pub(crate) original: Option<Box<OriginalName>>,
}

impl Frames {
    /// Counts the frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no frames.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = FrameId> + use<> {
        (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).map(FrameId)
    }

    /// What is known of a frame.
    #[must_use]
    pub fn info(&self, frame: FrameId) -> FrameInfo<'_> {
        let entry = &self.entries[frame.0 as usize];
        let known = |place: i64| Some(place).filter(|place| *place > 0);
        FrameInfo {
            name: &entry.name,
            file: &self.files[entry.file as usize],
            line: known(entry.line),
            start: known(entry.start),
            column: known(entry.column),
            family: entry.family,
            places: entry.places,
            original: entry.original.as_deref(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self, frame: FrameId) -> &str {
        &self.entries[frame.0 as usize].name
    }

    /// Returns its name, safe to print; a nameless function's place is added to it.
    #[must_use]
    pub fn label(&self, frame: FrameId) -> Cow<'_, str> {
        self.info(frame).label()
    }

    /// Whose code it is.
    #[must_use]
    pub fn family(&self, frame: FrameId) -> Family {
        self.entries[frame.0 as usize].family
    }
}

impl<'a> FrameInfo<'a> {
    /// Returns the function in words.
    #[must_use]
    pub fn function(&self) -> FunctionName {
        FunctionName {
            name: self.name.to_owned(),
            file: self.file.to_owned(),
            line: self.line,
            column: self.column,
        }
    }

    /// Returns the function's identity in one line: `NAME@FILE`, and of a nameless function `NAME@FILE:LINE` or
    /// `NAME@FILE:LINE:COLUMN`. Text from outside.
    #[must_use]
    pub fn identity(&self) -> String {
        let positions = if is_nameless(self.name) {
            self.positions()
        } else {
            String::new()
        };
        identity(self.name, self.file) + &positions
    }

    /// Returns whether an identity is this function's to the letter.
    #[must_use]
    pub fn is_identity(&self, text: &str) -> bool {
        let identity = self.identity();
        identity == text || printable(&identity) == text
    }

    /// Returns whether an identity is this function's. Line and column count as far as both have them.
    #[must_use]
    pub fn has_identity(&self, text: &str) -> bool {
        let is_same_place = |rest: &str| {
            let positions = self.positions();
            let (long, short) = if rest.len() > positions.len() {
                (rest, positions.as_str())
            } else {
                (positions.as_str(), rest)
            };
            let more = long.strip_prefix(short);
            more.is_some_and(|more| more.is_empty() || more.starts_with(':'))
        };
        let rest = text.strip_prefix(&identity(self.name, self.file));
        rest.is_some_and(is_same_place) || printable(&self.identity()) == text
    }

    /// Returns the name, safe to print; a nameless function's place is added to it.
    #[must_use]
    pub fn label(&self) -> Cow<'a, str> {
        let name = printable(self.name);
        if self.file.is_empty() || self.places > 1 || !is_nameless(self.name) {
            return name;
        }
        format!("{name} {}", self.short_place()).into()
    }

    /// Returns the longest form of the label that fits, else the name: the place of a nameless function says more than that it
    /// has no name.
    #[must_use]
    pub fn fitting_label(&self, fits: impl Fn(&str) -> bool) -> Cow<'a, str> {
        let (name, label) = (printable(self.name), self.label());
        if name == label || fits(&label) {
            return label;
        }
        let places = [self.short_place(), self.positions()].into_iter();
        let mut shorter = places.map(|place| format!("(anon) {place}"));
        shorter.find(|form| fits(form)).map_or(name, Cow::Owned)
    }

    /// Returns where it is, safe to print: `src/index.ts:12`, `runtime`, `no file`; empty for a package.
    #[must_use]
    pub fn place(&self) -> String {
        self.place_in(self.file)
    }

    /// Returns the same with the file's own name only: `index.ts:12`.
    #[must_use]
    pub fn short_place(&self) -> String {
        let file = self.file.trim_end_matches('/').rsplit('/').next();
        self.place_in(file.unwrap_or(self.file))
    }

    fn place_in(&self, file: &str) -> String {
        match (file, self.family) {
            ("", Family::Own | Family::Dependency) => String::new(),
            // Nameless functions have nothing else to be told apart by.
            ("", Family::Unknown) if is_nameless(self.name) => {
                "no file".to_owned() + &self.positions()
            }
            ("", Family::Unknown) => "no file".to_owned(),
            ("", Family::Runtime | Family::Grey | Family::Gc) => "runtime".to_owned(),
            (file, _) => printable(file).into_owned() + &self.positions(),
        }
    }

    /// Line and column, each after a colon, as far as they are known.
    fn positions(&self) -> String {
        let positions = [self.line, self.line.and(self.column)];
        let positions = positions.into_iter().flatten();
        positions.map(|at| format!(":{at}")).collect()
    }
}

/// Joins a name and a file, which may be empty.
fn identity(name: &str, file: &str) -> String {
    let at = if file.is_empty() { "" } else { "@" };
    format!("{name}{at}{file}")
}

/// Returns whether a function's name is empty or only says that it has none, like `(anonymous)`.
#[must_use]
pub fn is_nameless(name: &str) -> bool {
    matches!(
        name,
        "" | "(anonymous)" | "anonymous" | "<anonymous>" | "(anonymous function)"
    ) || name.starts_with("(anonymous:") && name.ends_with(')')
}

impl Family {
    /// Tells the family by name and file.
    #[must_use]
    pub fn of(name: &str, file: &str) -> Self {
        match name {
            "(idle)" | "(program)" | "(root)" => Self::Grey,
            "(garbage collector)" => Self::Gc,
            _ if file.is_empty() => Self::Unknown,
            _ if is_runtime(file) => Self::Runtime,
            _ if file.contains("node_modules/") => Self::Dependency,
            _ => Self::Own,
        }
    }
}

/// Returns whether a file is a module of the runtime. Node called its own by a path before it had `node:`.
fn is_runtime(file: &str) -> bool {
    const SCHEMES: [&str; 5] = [
        "node:",
        "node-internal:",
        "cloudflare:",
        "cloudflare-internal:",
        "workerd:",
    ];
    const OLD_NODE: [&str; 4] = ["internal/", "_http_", "_stream_", "_tls_"];
    let begins = |starts: &[&str]| starts.iter().any(|start| file.starts_with(start));
    begins(&SCHEMES) || begins(&OLD_NODE) && file.ends_with(".js")
}
