//! The distinct frames of a reading: what the boxes of the icicle and the rows of the table are called.

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
    /// The runtime, or nothing that could be told apart from it.
    Runtime,
    /// No code at all: idle time, the program as a whole.
    Grey,
    /// The garbage collector.
    Gc,
}

/// What is known of a frame.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct FrameInfo<'a> {
    /// Its name, or a stand-in such as `(anonymous)` or `libworker.so 0x401000`. Text from outside: show it through
    /// [`crate::model::text::sanitize`].
    pub name: &'a str,
    /// Source file as written in the profile; empty if not given.
    pub file: &'a str,
    /// The line the function starts on, else the first of its lines seen.
    pub line: Option<i64>,
    /// The line the function starts on, if the profile gives it; by line: the line itself.
    pub start: Option<i64>,
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

    /// Tells whether there are none.
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
        FrameInfo {
            name: &entry.name,
            file: &self.files[entry.file as usize],
            line: Some(entry.line).filter(|line| *line > 0),
            start: Some(entry.start).filter(|line| *line > 0),
            places: entry.places,
            original: entry.original.as_deref(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self, frame: FrameId) -> &str {
        &self.entries[frame.0 as usize].name
    }

    /// Whose code it is.
    #[must_use]
    pub fn family(&self, frame: FrameId) -> Family {
        self.entries[frame.0 as usize].family
    }
}

impl Family {
    /// Tells the family by name and file.
    #[must_use]
    pub fn of(name: &str, file: &str) -> Self {
        const RUNTIME: [&str; 4] = [
            "node:",
            "cloudflare-internal:",
            "workerd:",
            "node-internal:",
        ];
        match name {
            "(idle)" | "(program)" | "(root)" => Self::Grey,
            "(garbage collector)" => Self::Gc,
            _ if file.is_empty() || RUNTIME.iter().any(|scheme| file.starts_with(scheme)) => {
                Self::Runtime
            }
            _ if file.contains("node_modules/") => Self::Dependency,
            _ => Self::Own,
        }
    }
}
