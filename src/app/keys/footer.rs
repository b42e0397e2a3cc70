//! Which commands the last line shows in each context, and the labels it gives them. Their keys come from the keymap.

use FooterRow::{Digits, Extra, Keys};

use crate::app::keys::command::Command as C;
use crate::app::keys::context::KeyContext;

/// What the last line says of one or more commands: whose keys are shown, and what they do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FooterRow {
    /// Keys with a blank between them.
    Keys(&'static [C], &'static str),
    /// The same, left out first where there is no room for all.
    Extra(&'static [C], &'static str),
    /// Keys that are drawn without a blank where each is one character, as `hjkl`.
    Joined(&'static [C], &'static str),
    /// The digits, which are read before the table of commands.
    Digits(&'static str),
}

/// Moving in all four directions.
const MOVE: FooterRow = FooterRow::Joined(&[C::Left, C::Down, C::Up, C::Right], "move");

/// Moving from row to row.
const MOVE_ROWS: FooterRow = FooterRow::Joined(&[C::Down, C::Up], "move");

impl FooterRow {
    /// Returns the commands whose keys are shown.
    pub(crate) const fn commands(&self) -> &'static [C] {
        match self {
            Self::Keys(commands, _) | Self::Extra(commands, _) | Self::Joined(commands, _) => {
                commands
            }
            Self::Digits(_) => &[],
        }
    }

    /// Returns what the table says that the commands do in its context.
    pub(crate) const fn label(&self) -> &'static str {
        match self {
            Self::Keys(_, label)
            | Self::Extra(_, label)
            | Self::Joined(_, label)
            | Self::Digits(label) => label,
        }
    }
}

/// Returns the rows of the last line in a context, the most useful first.
#[must_use]
pub(crate) const fn footer(context: KeyContext) -> &'static [FooterRow] {
    match context {
        KeyContext::Welcome => WELCOME,
        KeyContext::Workers => WORKERS,
        KeyContext::History => HISTORY,
        KeyContext::Icicle => ICICLE,
        KeyContext::Code => CODE,
        KeyContext::Sandwich => SANDWICH,
        KeyContext::Table => TABLE,
        KeyContext::Compare => COMPARE,
        KeyContext::CompareTable => COMPARE_TABLE,
        KeyContext::Form => FORM,
        KeyContext::FormText => FORM_TEXT,
        KeyContext::Capturing => CAPTURING,
        KeyContext::Awaiting => AWAITING,
        KeyContext::Failure => FAILURE,
        KeyContext::FailureOnce => FAILURE_ONCE,
        KeyContext::Export => EXPORT,
        KeyContext::ExportText => EXPORT_TEXT,
        KeyContext::Help => HELP,
        KeyContext::Picker => PICKER,
        KeyContext::Objects => OBJECTS,
        KeyContext::Accounts => ACCOUNTS,
        KeyContext::Palette => PALETTE,
        KeyContext::Hints => HINTS,
        KeyContext::Details => DETAILS,
        KeyContext::AskQuit => ASK_QUIT,
        KeyContext::Line => LINE,
        KeyContext::Note => NOTE,
        KeyContext::Filter => FILTER,
        KeyContext::Search => SEARCH,
    }
}

const WELCOME: &[FooterRow] = &[
    Keys(&[C::StartDemo], "demo"),
    Keys(&[C::OpenFile], "open file"),
    Keys(&[C::Refresh], "retry"),
    Keys(&[C::GoCaptures], "history"),
    Keys(&[C::Quit], "quit"),
];

const WORKERS: &[FooterRow] = &[
    Keys(&[C::Capture], "capture"),
    Keys(&[C::Open], "open"),
    Keys(&[C::Search], "filter"),
    Keys(&[C::Sort], "sort"),
    Keys(&[C::NextPane], "pane"),
    Keys(&[C::GoCaptures], "history"),
    Keys(&[C::OpenFile], "open file"),
    Keys(&[C::ChooseAccount], "account"),
    Keys(&[C::ChooseTheme], "theme"),
    Keys(&[C::Quit], "quit"),
];

const HISTORY: &[FooterRow] = &[
    Keys(&[C::Open], "open"),
    Keys(&[C::Dismiss], "clear marks"),
    Keys(&[C::Search], "filter"),
    Keys(&[C::Sort], "sort"),
    Keys(&[C::Mark], "mark"),
    Keys(&[C::Compare], "compare"),
    Keys(&[C::Export], "export"),
    Keys(&[C::Rename], "rename"),
    Keys(&[C::Note], "note"),
    Keys(&[C::Pin], "pin"),
    Keys(&[C::Delete], "delete"),
    Keys(&[C::UndoDelete], "undo"),
    Keys(&[C::GoWorkers], "Workers"),
    Keys(&[C::Capture], "capture again"),
    Keys(&[C::Quit], "quit"),
];

const ICICLE: &[FooterRow] = &[
    MOVE,
    Keys(&[C::ZoomIn], "zoom"),
    Extra(&[C::ZoomOut], "out"),
    Keys(&[C::NextMatch, C::PreviousMatch], "next match"),
    Keys(&[C::Dismiss], "clear search"),
    Keys(&[C::UndoFilter], "undo filter"),
    Keys(&[C::Search], "search"),
    Keys(&[C::CopyReport], "report"),
    Keys(&[C::Compare], "compare"),
    Extra(&[C::SourceView], "code"),
    Extra(&[C::Focus], "focus"),
    Keys(&[C::Export], "export"),
    Keys(&[C::GoWorkers], "Workers"),
    Extra(&[C::NextPane], "table"),
    Extra(&[C::Hide], "hide"),
    Extra(&[C::BottomUp], "callers"),
    Extra(&[C::Sandwich], "both ways"),
    Extra(&[C::AllHints], "hints"),
    Extra(&[C::Layout], "layout"),
];

const CODE: &[FooterRow] = &[
    MOVE_ROWS,
    Keys(&[C::NextMatch], "costly line"),
    Keys(&[C::Search], "search"),
    Keys(&[C::CopyName], "copy line"),
    Keys(&[C::Left, C::Right], "left and right"),
    Keys(&[C::CloseSource], "close"),
];

const SANDWICH: &[FooterRow] = &[
    MOVE,
    Keys(&[C::ZoomIn], "go there"),
    Keys(&[C::Sandwich], "back"),
    Keys(&[C::Search], "search"),
    Keys(&[C::Focus], "focus"),
    Keys(&[C::Hide], "hide"),
    Keys(&[C::CopyName], "copy name"),
    Keys(&[C::Export], "export"),
    Keys(&[C::GoWorkers], "Workers"),
];

const TABLE: &[FooterRow] = &[
    MOVE_ROWS,
    Keys(&[C::GoToFrame], "go there"),
    Keys(&[C::NextMatch, C::PreviousMatch], "next match"),
    Keys(&[C::Dismiss], "clear search"),
    Keys(&[C::UndoFilter], "undo filter"),
    Keys(&[C::Search], "search"),
    Keys(&[C::CopyReport], "report"),
    Keys(&[C::Sort], "sort"),
    Extra(&[C::RowsBy], "rows by"),
    Extra(&[C::Focus], "focus"),
    Extra(&[C::Hide], "hide"),
    Keys(&[C::Export], "export"),
    Keys(&[C::GoWorkers], "Workers"),
    Extra(&[C::NextPane], "icicle"),
];

const COMPARE: &[FooterRow] = &[
    MOVE,
    Keys(&[C::ZoomIn], "zoom"),
    Keys(&[C::ZoomOut], "out"),
    Keys(&[C::NextMatch, C::PreviousMatch], "next match"),
    Keys(&[C::Dismiss], "clear search"),
    Keys(&[C::UndoFilter], "undo filter"),
    Keys(&[C::Compare], "close"),
    Keys(&[C::Normalise], "normalize"),
    Keys(&[C::Width], "widths"),
    Keys(&[C::Search], "search"),
    Keys(&[C::NextPane], "table"),
    Keys(&[C::Focus], "focus"),
    Keys(&[C::Hide], "hide"),
    Keys(&[C::Layout], "layout"),
];

const COMPARE_TABLE: &[FooterRow] = &[
    MOVE_ROWS,
    Keys(&[C::GoToFrame], "go there"),
    Keys(&[C::NextMatch, C::PreviousMatch], "next match"),
    Keys(&[C::Dismiss], "clear search"),
    Keys(&[C::UndoFilter], "undo filter"),
    Keys(&[C::Compare], "close"),
    Keys(&[C::Normalise], "normalize"),
    Keys(&[C::Width], "widths"),
    Keys(&[C::Search], "search"),
    Keys(&[C::Sort], "sort"),
    Keys(&[C::RowsBy], "rows by"),
    Keys(&[C::NextPane], "icicle"),
];

const FORM: &[FooterRow] = &[
    Keys(&[C::StartCapture], "start"),
    Keys(&[C::Down, C::Up], "field"),
    Keys(&[C::Left, C::Right], "change"),
    Keys(&[C::ServingVersion], "serving version"),
    Keys(&[C::OtherKind], "kind"),
    Keys(&[C::NextClass], "busiest object"),
    Keys(&[C::OneMore, C::OneFewer], "repeat"),
    Keys(&[C::Dismiss], "cancel"),
];

const FORM_TEXT: &[FooterRow] = &[
    Keys(&[C::Accept], "start"),
    Keys(&[C::MatchMode], "field"),
    Keys(&[C::PreviousRow, C::NextRow], "field"),
    Keys(&[C::CancelText], "cancel"),
];

const CAPTURING: &[FooterRow] = &[
    Keys(
        &[C::Dismiss, C::CancelCapture],
        "cancel: what was sampled is lost",
    ),
    Keys(&[C::KeepRunning], "keep running"),
];

const AWAITING: &[FooterRow] = &[
    Keys(&[C::Dismiss, C::CancelCapture], "give up: nothing was sent"),
    Keys(&[C::KeepRunning], "keep running"),
];

const FAILURE: &[FooterRow] = &[
    Keys(&[C::NextStep], "next step"),
    Keys(&[C::Refresh], "again"),
    Keys(&[C::CopyName], "copy"),
    Keys(&[C::Dismiss], "back"),
];

const FAILURE_ONCE: &[FooterRow] = &[
    Keys(&[C::NextStep], "next step"),
    Keys(&[C::CopyName], "copy"),
    Keys(&[C::Dismiss], "back"),
];

const EXPORT: &[FooterRow] = &[
    Keys(&[C::WriteExport], "write"),
    Keys(&[C::CopyExport], "copy"),
    Keys(&[C::Down, C::Up], "field"),
    Keys(&[C::Left, C::Right], "change"),
    Keys(&[C::WholeOrView], "view or whole"),
    Keys(&[C::Dismiss], "cancel"),
];

const EXPORT_TEXT: &[FooterRow] = &[
    Keys(&[C::Accept], "write"),
    Keys(&[C::MatchMode], "field"),
    Keys(&[C::CancelText], "cancel"),
];

const HELP: &[FooterRow] = &[
    Keys(&[C::Dismiss], "close"),
    Keys(&[C::Down, C::Up], "scroll"),
    Keys(&[C::Search], "search"),
    Keys(&[C::Palette], "every command"),
    Keys(&[C::Quit], "quit"),
];

const PICKER: &[FooterRow] = &[
    Keys(&[C::Open], "choose"),
    Keys(&[C::Down, C::Up], "move"),
    Keys(&[C::Search], "filter"),
    Keys(&[C::Dismiss], "leave as it was"),
];

const OBJECTS: &[FooterRow] = &[
    Keys(&[C::Accept], "capture it"),
    Keys(&[C::PreviousRow, C::NextRow], "move"),
    Keys(&[C::MatchMode], "by CPU or memory"),
    Keys(&[C::CancelText], "close"),
];

const ACCOUNTS: &[FooterRow] = &[
    Keys(&[C::Accept], "choose"),
    Keys(&[C::PreviousRow, C::NextRow], "move"),
    Keys(&[C::CancelText], "leave as it was"),
];

const PALETTE: &[FooterRow] = &[
    Keys(&[C::Accept], "run"),
    Keys(&[C::PreviousRow, C::NextRow], "move"),
    Keys(&[C::CancelText], "close"),
];

const HINTS: &[FooterRow] = &[
    Digits("go there"),
    Keys(&[C::Down, C::Up], "move"),
    Keys(&[C::GoToHint], "go there"),
    Keys(&[C::CopyName], "copy text"),
    Keys(&[C::AllHints], "close"),
];

const DETAILS: &[FooterRow] = &[
    Keys(&[C::Dismiss], "close"),
    Keys(&[C::Down, C::Up], "scroll"),
    Keys(&[C::CopyName], "copy name"),
];

const ASK_QUIT: &[FooterRow] = &[
    Keys(&[C::Quit], "leave"),
    Keys(&[C::CancelCapture], "cancel the capture"),
    Keys(&[C::Dismiss], "stay"),
];

const LINE: &[FooterRow] = &[
    Keys(&[C::Accept], "open"),
    Keys(&[C::MatchMode], "complete"),
    Keys(&[C::CancelText], "drop"),
];

const NOTE: &[FooterRow] = &[Keys(&[C::Accept], "keep"), Keys(&[C::CancelText], "drop")];

const FILTER: &[FooterRow] = &[
    Keys(&[C::Accept], "keep"),
    Keys(&[C::CancelText], "drop"),
    Keys(&[C::PreviousRow, C::NextRow], "move"),
];

const SEARCH: &[FooterRow] = &[
    Keys(&[C::Accept], "keep"),
    Keys(&[C::CancelText], "drop"),
    Keys(&[C::PreviousRow, C::NextRow], "next"),
    Keys(&[C::MatchMode], "mode"),
];
