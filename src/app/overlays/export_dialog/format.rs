//! The file formats that the screen writes.

use crate::model::text::units;

/// A file format the screen writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A gzipped pprof profile.
    Pprof,
    /// A flame graph for a browser.
    Svg,
    /// Folded stacks.
    Folded,
    /// speedscope's JSON.
    Speedscope,
    /// V8's JSON for times.
    CpuProfile,
    /// V8's JSON for allocations.
    HeapProfile,
    /// Functions and call tree as JSON.
    Json,
    /// A report for a ticket.
    Markdown,
    /// A short report for a chat.
    Report,
    /// Icicle and table as plain text.
    Text,
    /// The screen as it is drawn, the characters alone.
    ScreenText,
    /// The screen as it is drawn, with the terminal's colour codes.
    ScreenAnsi,
    /// The screen as it is drawn, as a picture for a browser.
    ScreenSvg,
}

impl Format {
    /// All formats, in the order they are offered.
    pub const ALL: &'static [Self] = &[
        Self::Pprof,
        Self::Svg,
        Self::Folded,
        Self::Speedscope,
        Self::CpuProfile,
        Self::HeapProfile,
        Self::Json,
        Self::Markdown,
        Self::Report,
        Self::Text,
        Self::ScreenText,
        Self::ScreenAnsi,
        Self::ScreenSvg,
    ];

    /// Returns the name in the dialog, which is the command line's where that has the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pprof => "pprof",
            Self::Svg => "svg",
            Self::Folded => "folded",
            Self::Speedscope => "speedscope",
            Self::CpuProfile => "cpuprofile",
            Self::HeapProfile => "heapprofile",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Report => "report",
            Self::Text => "text",
            Self::ScreenText => "screen",
            Self::ScreenAnsi => "screen.ansi",
            Self::ScreenSvg => "screen.svg",
        }
    }

    /// Returns the file name's ending.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pprof => ".pprof",
            Self::Svg => ".svg",
            Self::Folded => ".folded.txt",
            Self::Speedscope => ".speedscope.json",
            Self::CpuProfile => ".cpuprofile",
            Self::HeapProfile => ".heapprofile",
            Self::Json => ".json",
            Self::Markdown => ".md",
            Self::Report => ".report.txt",
            Self::Text => ".txt",
            Self::ScreenText => ".screen.txt",
            Self::ScreenAnsi => ".screen.ansi",
            Self::ScreenSvg => ".screen.svg",
        }
    }

    /// Returns what it is good for, in one line.
    pub(crate) const fn purpose(self) -> &'static str {
        match self {
            Self::Pprof => {
                "For go tool pprof, speedscope and every pprof viewer; can be opened here again."
            }
            Self::Svg => "A flame graph for a browser: click zooms, ctrl-f searches.",
            Self::Folded => {
                "One stack a line with its value, for scripts and other flame graph tools."
            }
            Self::Speedscope => {
                "For speedscope's web page; stacks stand in the order of their weight, not of time."
            }
            Self::CpuProfile => {
                "For Chrome DevTools, Performance panel, and VS Code; can be opened here again."
            }
            Self::HeapProfile => "For Chrome DevTools, Memory panel; can be opened here again.",
            Self::Json => "Functions and call tree as one value, for scripts.",
            Self::Markdown => {
                "A report for a ticket: findings, table, icicle, the command for this view."
            }
            Self::Report => "A short report for a chat: a dozen lines as a code block.",
            Self::Text => "Icicle and whole table as plain text.",
            Self::ScreenText => "This screen as it is, without the sheet; the characters alone.",
            Self::ScreenAnsi => {
                "This screen as it is, without the sheet; cat shows it in a terminal."
            }
            Self::ScreenSvg => "This screen as it is, without the sheet; a picture for a browser.",
        }
    }

    /// Returns what it is good for where it holds what changed from one profile to another.
    pub(crate) const fn purpose_of_changes(self) -> &'static str {
        match self {
            Self::Pprof => {
                "New minus base, as go tool pprof -diff_base has it; can be opened here again."
            }
            Self::Svg => {
                "A flame graph for a browser, red where there is more, blue where there is less."
            }
            Self::Folded => {
                "One stack a line with both values, for other tools that draw differences."
            }
            Self::Json => {
                "The table of changes as one value, for scripts; what diff --json prints."
            }
            Self::Markdown => {
                "The largest changes as a table, for a ticket; what diff --markdown prints."
            }
            Self::Report => "The largest changes for a chat: a dozen lines as a code block.",
            Self::Text => "The whole table of changes as plain text; what diff prints.",
            other => other.purpose(),
        }
    }

    /// Whether it can hold values of this unit: V8's formats hold one unit each, and neither they nor speedscope's the
    /// changes of a comparison.
    pub(crate) fn can_hold(self, unit: &str, of_changes: bool) -> bool {
        match self {
            Self::Speedscope | Self::CpuProfile | Self::HeapProfile if of_changes => false,
            Self::CpuProfile => units::nanoseconds(0, unit).is_some(),
            Self::HeapProfile => units::bytes(0, unit).is_some(),
            _ => true,
        }
    }

    /// Whether it is text that a clipboard can take.
    pub(crate) const fn is_text(self) -> bool {
        !matches!(self, Self::Pprof) && !self.is_screen()
    }

    /// Whether it is a picture of the screen, not a view of the profile.
    #[must_use]
    pub const fn is_screen(self) -> bool {
        matches!(self, Self::ScreenText | Self::ScreenAnsi | Self::ScreenSvg)
    }
}
