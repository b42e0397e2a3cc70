//! The export sheet: what is written, in which format, and where.

use super::{Input, ProfileState, Purpose};

/// A file format the screen writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A gzipped pprof profile.
    Pprof,
    /// A flame graph for a browser.
    Svg,
    /// Folded stacks.
    Folded,
}

impl Format {
    /// All formats, in the order they are offered.
    pub const ALL: &'static [Self] = &[Self::Pprof, Self::Svg, Self::Folded];

    /// The name in the sheet and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pprof => "pprof",
            Self::Svg => "svg",
            Self::Folded => "folded",
        }
    }

    /// The file name's ending.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pprof => ".pprof",
            Self::Svg => ".svg",
            Self::Folded => ".folded.txt",
        }
    }
}

/// A line of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportField {
    /// The format.
    Format,
    /// The view or the whole capture.
    What,
    /// The file.
    File,
}

/// The export sheet.
#[derive(Debug, Clone)]
pub struct ExportDialog {
    /// The line with the focus.
    pub field: ExportField,
    /// Place in [`Format::ALL`].
    pub format: usize,
    /// The whole capture instead of the view.
    pub whole: bool,
    /// The file's path.
    pub path: Input,
    /// The file is there: the next Enter replaces it.
    pub exists: bool,
    /// The path without its ending, as proposed.
    stem: String,
}

impl ExportDialog {
    /// Proposes a name after the target, the kind and the view's zoom.
    #[must_use]
    pub fn new(profile: &ProfileState) -> Self {
        let stem = profile.file_stem();
        let mut dialog = Self {
            field: ExportField::Format,
            format: 0,
            whole: false,
            path: Input::new(Purpose::Field, ""),
            exists: false,
            stem,
        };
        dialog.propose();
        dialog
    }

    /// The chosen format.
    #[must_use]
    pub fn chosen(&self) -> Format {
        Format::ALL.get(self.format).copied().unwrap_or(Format::Pprof)
    }

    /// Moves the focus by one line.
    pub fn tab(&mut self, backwards: bool) {
        self.field = match (self.field, backwards) {
            (ExportField::Format, false) | (ExportField::File, true) => ExportField::What,
            (ExportField::What, false) | (ExportField::Format, true) => ExportField::File,
            (ExportField::File, false) | (ExportField::What, true) => ExportField::Format,
        };
    }

    /// Changes the value of the line with the focus.
    pub fn change(&mut self, step: isize) {
        match self.field {
            ExportField::Format => {
                let proposed = self.proposal() == self.path.text;
                self.format = self.format.saturating_add_signed(step).min(Format::ALL.len() - 1);
                if proposed {
                    self.propose();
                } else {
                    self.exists = false;
                }
            }
            ExportField::What => self.toggle_whole(),
            ExportField::File => {}
        }
    }

    /// Changes between the view and the whole capture.
    pub fn toggle_whole(&mut self) {
        let proposed = self.proposal() == self.path.text;
        self.whole = !self.whole;
        if proposed {
            self.propose();
        }
    }

    fn proposal(&self) -> String {
        let part = if self.whole { "-whole" } else { "" };
        format!("{}{part}{}", self.stem, self.chosen().ending())
    }

    fn propose(&mut self) {
        self.path = Input::new(Purpose::Field, self.proposal());
        self.exists = false;
    }
}
