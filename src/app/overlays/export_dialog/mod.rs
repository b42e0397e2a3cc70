//! The export dialog: what is written, in which format, under which names, and where.

pub(crate) mod format;

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use crate::app::overlays::export_dialog::format::Format;

use crate::app::core::text_input::{Input, Purpose};

/// A field of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportField {
    /// The format.
    Format,
    /// The view or the whole capture.
    What,
    /// Original names or pseudonyms.
    Names,
    /// The file.
    File,
}

/// The fields, from the top.
const FIELDS: [ExportField; 4] = [
    ExportField::Format,
    ExportField::What,
    ExportField::Names,
    ExportField::File,
];

/// The export dialog.
#[derive(Debug, Clone)]
pub struct ExportDialog {
    /// The line with the focus.
    pub field: ExportField,
    /// The formats that can hold what is shown.
    pub formats: Vec<Format>,
    /// Place in `formats`.
    pub format: usize,
    /// The whole capture instead of the view.
    pub whole: bool,
    /// Pseudonyms instead of names.
    pub anonymous: bool,
    /// The file's path.
    pub path: Input,
    /// The file is there: the next Enter replaces it.
    pub exists: bool,
    /// What changed is written, not what is.
    of_changes: bool,
    /// The path without its ending, as proposed: with the target's name, and without.
    stems: [String; 2],
}

impl ExportDialog {
    /// Opens the dialog on the format that was last written, with a proposed name: the target's, or a nameless one if names
    /// are replaced.
    #[must_use]
    pub(crate) fn new(
        formats: Vec<Format>,
        last: Option<Format>,
        stems: [String; 2],
        of_changes: bool,
    ) -> Self {
        let format = formats.iter().position(|format| Some(*format) == last);
        let mut dialog = Self {
            field: ExportField::Format,
            formats,
            format: format.unwrap_or(0),
            whole: false,
            anonymous: false,
            path: Input::new(Purpose::Field, ""),
            exists: false,
            of_changes,
            stems,
        };
        dialog.propose();
        dialog
    }

    /// Returns the chosen format.
    #[must_use]
    pub fn chosen(&self) -> Format {
        self.formats
            .get(self.format)
            .copied()
            .unwrap_or(Format::ScreenText)
    }

    /// Returns what the chosen format is good for, in one line.
    #[must_use]
    pub fn purpose(&self) -> &'static str {
        let chosen = self.chosen();
        if self.of_changes {
            chosen.purpose_of_changes()
        } else {
            chosen.purpose()
        }
    }

    /// Returns what its whole is called.
    #[must_use]
    pub const fn whole_name(&self) -> &'static str {
        if self.of_changes {
            "both whole captures"
        } else {
            "the whole capture"
        }
    }

    /// Checks the ending of the typed name. If it is that of another format, that one is chosen instead, if it
    /// can hold what is shown.
    ///
    /// # Errors
    /// A sentence for the user; nothing is to be written before it is read.
    pub fn settle(&mut self) -> Result<(), Message> {
        let Some((_, ending)) = self.path.text.trim().rsplit_once('.') else {
            return Ok(());
        };
        let ending = format!(".{}", ending.to_ascii_lowercase());
        let has = |format: &&Format| format.ending().ends_with(&ending);
        if has(&&self.chosen()) {
            return Ok(());
        }
        let exactly = Format::ALL.iter().find(|format| format.ending() == ending);
        let Some(meant) = exactly.or_else(|| Format::ALL.iter().find(has)) else {
            return Ok(());
        };
        let name = meant.name();
        match self.formats.iter().position(|format| format == meant) {
            Some(place) => {
                (self.format, self.exists) = (place, false);
                Err(message![
                    outside(ending),
                    format!(" is of {name}, which is chosen now: "),
                    Command::WriteExport,
                    " writes it.",
                ])
            }
            None => Err(message![
                outside(ending),
                format!(" is of {name}, which can't hold what is shown: give it another name."),
            ]),
        }
    }

    /// Whether what is written can be opened again under its own names.
    pub(crate) fn is_a_copy(&self) -> bool {
        let format = self.chosen();
        let holds = matches!(
            format,
            Format::Pprof | Format::CpuProfile | Format::HeapProfile
        );
        holds && !self.anonymous
    }

    /// Moves the focus by one line.
    pub fn tab(&mut self, backwards: bool) {
        let at = FIELDS
            .iter()
            .position(|field| *field == self.field)
            .unwrap_or(0);
        let step = if backwards { FIELDS.len() - 1 } else { 1 };
        self.field = FIELDS
            .get((at + step) % FIELDS.len())
            .copied()
            .unwrap_or(ExportField::Format);
    }

    /// Changes the value of the line with the focus.
    pub fn change(&mut self, step: isize) {
        let last = self.formats.len().saturating_sub(1);
        match self.field {
            ExportField::Format => {
                self.altered(|dialog| {
                    dialog.format = dialog.format.saturating_add_signed(step).min(last)
                });
            }
            ExportField::What => self.toggle_whole(),
            ExportField::Names => self.altered(|dialog| dialog.anonymous = !dialog.anonymous),
            ExportField::File => {}
        }
    }

    /// Changes between the view and the whole capture.
    pub fn toggle_whole(&mut self) {
        self.altered(|dialog| dialog.whole = !dialog.whole);
    }

    /// Changes something that the proposed name depends on; a typed name stays.
    fn altered(&mut self, alter: impl FnOnce(&mut Self)) {
        let proposed = self.proposal() == self.path.text;
        alter(self);
        if proposed {
            self.propose();
        }
        self.exists = false;
    }

    fn proposal(&self) -> String {
        let format = self.chosen();
        let is_view = !format.is_screen();
        let part = if self.whole && is_view { "-whole" } else { "" };
        let [stem, nameless] = &self.stems;
        let stem = if self.anonymous && is_view {
            nameless
        } else {
            stem
        };
        format!("{stem}{part}{}", format.ending())
    }

    fn propose(&mut self) {
        self.path = Input::new(Purpose::Field, self.proposal());
        self.exists = false;
    }
}
