//! The table of commands. Keys, footer, help screen, palette and docs/KEYS.md come from it.
//!
//! The palette matches names and help lines, so a help line also has the words that users try first.

/// Something the user can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Quit, exit (asks while a capture runs).
    Quit,
    /// Stop what runs; with nothing running, quit.
    Interrupt,
    /// Close the overlay (cancels a running capture); never quits.
    Dismiss,
    /// Show the keys that work here.
    Help,
    /// Find any command by name.
    Palette,
    /// Redraw the screen.
    Redraw,
    /// Suspend to the shell; fg resumes.
    Suspend,
    /// Turn the mouse on or off (palette, --mouse).
    Mouse,
    /// Go to the Workers.
    GoWorkers,
    /// Go to the captures (history).
    GoCaptures,
    /// Choose another account.
    ChooseAccount,
    /// Open a profile file.
    OpenFile,
    /// Choose a theme, with preview.
    ChooseTheme,
    /// Next row; in the icicle the heaviest callee.
    Down,
    /// Previous row; in the icicle the caller.
    Up,
    /// Frame, pane or value to the left.
    Left,
    /// Frame, pane or value to the right.
    Right,
    /// One page down.
    PageDown,
    /// One page up.
    PageUp,
    /// Half a page down.
    HalfPageDown,
    /// Half a page up.
    HalfPageUp,
    /// First row; in the icicle the root.
    First,
    /// Last row; in the icicle the deepest drawn.
    Last,
    /// Next pane or field.
    NextPane,
    /// Previous pane or field.
    PreviousPane,
    /// Search or filter while typing.
    Search,
    /// Copy the name or id of the selected row.
    CopyName,
    /// Refresh; after a failure, retry.
    Refresh,
    /// Sort by the next column.
    Sort,
    /// Reverse sort.
    SortReverse,
    /// Try it on recorded profiles, without an account or a network.
    StartDemo,
    /// Open the capture form for this target.
    Capture,
    /// Open the selected row.
    Open,
    /// Close without changes.
    Close,
    /// Do what the message suggests.
    NextStep,
    /// Start the capture.
    StartCapture,
    /// Use the version that serves most traffic.
    ServingVersion,
    /// Kind: CPU or heap.
    OtherKind,
    /// Busiest object of the next Durable Object class.
    NextClass,
    /// Repeat: one more capture.
    OneMore,
    /// Repeat: one capture fewer.
    OneFewer,
    /// Close the form without capturing.
    CloseForm,
    /// Cancel the capture.
    CancelCapture,
    /// Continue the capture in the background.
    KeepRunning,
    /// Zoom into the selected frame.
    ZoomIn,
    /// Go to this function's heaviest frame in the icicle.
    GoToFrame,
    /// Undo the last zoom; at the root go back to where the profile was opened from.
    ZoomOut,
    /// Reset zoom.
    ShowWhole,
    /// Layout: stacked, side by side, icicle (flame graph) or table only.
    Layout,
    /// Enlarge the table.
    TableLarger,
    /// Shrink the table.
    TableSmaller,
    /// Order frames by weight or by name.
    Order,
    /// Bottom-up (inverted).
    BottomUp,
    /// Sandwich: peek at callers and callees of this function.
    Sandwich,
    /// Rows by function, name, line, file or package.
    RowsBy,
    /// Colour by name, package or self share.
    Colours,
    /// Next sample type.
    SampleType,
    /// Percentages of the capture, the zoom or the view.
    PercentBase,
    /// Next match or costly line, heaviest first.
    NextMatch,
    /// Previous match.
    PreviousMatch,
    /// Search for the selected function.
    SearchSelected,
    /// Keep only stacks with this function.
    Focus,
    /// Drop stacks with this function.
    Ignore,
    /// Show own code only.
    OwnCode,
    /// Hide this function (merge into caller).
    Hide,
    /// Show from this function: cut the frames above it.
    ShowFrom,
    /// Fold (collapse) direct recursion.
    FoldRecursion,
    /// Show or hide idle time.
    ShowIdle,
    /// Undo last filter.
    UndoFilter,
    /// Clear all filters.
    ClearFilters,
    /// Details: full name, location and values.
    Details,
    /// Show the source with the cost of each line.
    SourceView,
    /// Close the source view.
    CloseSource,
    /// Load a source map.
    LoadMap,
    /// Switch between source-map and bundle names.
    OriginalNames,
    /// Go back to the view before.
    ViewBack,
    /// Go forward to the view after.
    ViewForward,
    /// Open the editor at the line.
    OpenEditor,
    /// Go to the next hint.
    NextHint,
    /// Show all hints.
    AllHints,
    /// Go to this hint's frame; a digit goes there directly.
    GoToHint,
    /// Compare (diff) with the marked or the previous capture as baseline.
    Compare,
    /// Normalize: equal totals or raw values.
    Normalise,
    /// Widths by the larger, the new or the baseline.
    Width,
    /// Mark for comparing.
    Mark,
    /// Give the capture another name.
    Rename,
    /// Write a note on the capture.
    Note,
    /// Pin: protect this capture from eviction.
    Pin,
    /// Delete the capture.
    Delete,
    /// Restore the last deleted capture.
    UndoDelete,
    /// Export: save (download) this view.
    Export,
    /// Copy the command that reproduces this view.
    CopyCommand,
    /// Copy a short report to share in a chat.
    CopyReport,
    /// Copy the stack of the selected frame.
    CopyStack,
    /// Save the file.
    WriteExport,
    /// Copy the text instead of writing a file.
    CopyExport,
    /// Switch between the view and the whole capture.
    WholeOrView,
    /// Accept the text.
    Accept,
    /// Cancel the edit.
    CancelText,
    /// Match mode: substring, whole word, regular expression, fuzzy.
    MatchMode,
    /// Previous match or row while typing.
    PreviousRow,
    /// Next match or row while typing.
    NextRow,
    /// Move left.
    CursorLeft,
    /// Move right.
    CursorRight,
    /// Move to the start of the line.
    CursorHome,
    /// Move to the end of the line.
    CursorEnd,
    /// Delete the character before the cursor.
    Erase,
    /// Delete the character under the cursor.
    EraseNext,
    /// Delete a word.
    EraseWord,
    /// Delete the line.
    EraseLine,
}

/// Where a command's keys work. Several scopes can be live at once; no key is bound twice among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Wherever no text is typed.
    Any,
    /// The lists: Workers and history.
    List,
    /// The list of Workers.
    Workers,
    /// The captures on disk.
    History,
    /// A profile, whichever pane has the focus.
    Profile,
    /// A profile's icicle.
    Icicle,
    /// A profile's table.
    Table,
    /// A comparison, whichever pane has the focus.
    Compare,
    /// The capture form.
    Form,
    /// A running capture.
    Capturing,
    /// A failure.
    Failure,
    /// A list to choose from, in front of a screen.
    Picker,
    /// The export dialog.
    ExportDialog,
    /// A line that is being typed.
    Text,
    /// The first screen, without an account.
    Welcome,
    /// The whole name of a frame.
    Details,
    /// All hints of a profile.
    Hints,
    /// The keys that work here.
    Help,
    /// The code of a function.
    Source,
}

impl Scope {
    /// Returns the word for it in the documentation's list of keys.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::List => "list",
            Self::Workers => "workers",
            Self::History => "history",
            Self::Profile => "profile",
            Self::Icicle => "icicle",
            Self::Table => "table",
            Self::Compare => "compare",
            Self::Form => "form",
            Self::Capturing => "capturing",
            Self::Failure => "failure",
            Self::Picker => "picker",
            Self::ExportDialog => "export",
            Self::Text => "text",
            Self::Welcome => "welcome",
            Self::Details => "details",
            Self::Hints => "hints",
            Self::Source => "source",
            Self::Help => "help",
        }
    }
}

/// How the help screen groups commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Movement and zoom.
    Move,
    /// Search and filters.
    Find,
    /// What is shown, and how.
    View,
    /// The ranked table.
    Table,
    /// Copies and exports.
    Share,
    /// Other screens, captures.
    Go,
    /// Editing a line of text.
    Line,
    /// Works everywhere.
    Always,
}

impl Group {
    /// Returns the heading in the help screen.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Find => "Search and filter",
            Self::View => "View",
            Self::Table => "Table",
            Self::Share => "Copy and export",
            Self::Go => "Screens and captures",
            Self::Line => "While typing",
            Self::Always => "General",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// What it does.
    pub command: Command,
    /// Its name in the palette and in the configuration, in kebab case.
    pub name: &'static str,
    /// The names of its keys.
    pub keys: &'static [&'static str],
    /// Where the keys work.
    pub scopes: &'static [Scope],
    /// Where the help lists it.
    pub group: Group,
    /// One line for the help.
    pub help: &'static str,
}

const fn row(
    command: Command,
    name: &'static str,
    keys: &'static [&'static str],
    scopes: &'static [Scope],
    group: Group,
    help: &'static str,
) -> Row {
    Row {
        command,
        name,
        keys,
        scopes,
        group,
        help,
    }
}

/// Every command. Digits repeat the next command and are handled before this table.
#[rustfmt::skip]
pub const COMMANDS: &[Row] = &[
    row(Command::Quit, "quit", &["q"], &[Scope::Any], Group::Always, "Quit, exit (asks while a capture runs)"),
    row(Command::Interrupt, "interrupt", &["ctrl-c"], &[Scope::Any, Scope::Text], Group::Always, "Stop what runs; with nothing running, quit"),
    row(Command::Dismiss, "dismiss", &["esc"], &[Scope::Any], Group::Always, "Close the overlay (cancels a running capture); never quits"),
    row(Command::Help, "help", &["?", "f1"], &[Scope::Any], Group::Always, "Show the keys that work here"),
    row(Command::Palette, "palette", &[":"], &[Scope::Any], Group::Always, "Find any command by name"),
    row(Command::Redraw, "redraw", &["ctrl-l"], &[Scope::Any], Group::Always, "Redraw the screen"),
    row(Command::Suspend, "suspend", &["ctrl-z"], &[Scope::Any], Group::Always, "Suspend to the shell; fg resumes"),
    row(Command::Mouse, "mouse", &[], &[Scope::Any], Group::Always, "Turn the mouse on or off (palette, --mouse)"),
    row(Command::GoWorkers, "go-workers", &["w"], &[Scope::Any], Group::Go, "Go to the Workers"),
    row(Command::GoCaptures, "go-captures", &["C"], &[Scope::Any], Group::Go, "Go to the captures (history)"),
    row(Command::ChooseAccount, "choose-account", &["A"], &[Scope::Any], Group::Go, "Choose another account"),
    row(Command::OpenFile, "open-file", &["o"], &[Scope::Any], Group::Go, "Open a profile file"),
    row(Command::ChooseTheme, "choose-theme", &["T"], &[Scope::Any], Group::Always, "Choose a theme, with preview"),
    row(Command::Down, "down", &["j", "down"], &[Scope::Any], Group::Move, "Next row; in the icicle the heaviest callee"),
    row(Command::Up, "up", &["k", "up"], &[Scope::Any], Group::Move, "Previous row; in the icicle the caller"),
    row(Command::Left, "left", &["h", "left"], &[Scope::Any], Group::Move, "Frame, pane or value to the left"),
    row(Command::Right, "right", &["l", "right"], &[Scope::Any], Group::Move, "Frame, pane or value to the right"),
    row(Command::PageDown, "page-down", &["pgdn"], &[Scope::Any], Group::Move, "One page down"),
    row(Command::PageUp, "page-up", &["pgup"], &[Scope::Any], Group::Move, "One page up"),
    row(Command::HalfPageDown, "half-page-down", &["ctrl-d"], &[Scope::Any], Group::Move, "Half a page down"),
    row(Command::HalfPageUp, "half-page-up", &["ctrl-u"], &[Scope::Any], Group::Move, "Half a page up"),
    row(Command::First, "first", &["g", "home"], &[Scope::Any], Group::Move, "First row; in the icicle the root"),
    row(Command::Last, "last", &["G", "end"], &[Scope::Any], Group::Move, "Last row; in the icicle the deepest drawn"),
    row(Command::NextPane, "next-pane", &["tab"], &[Scope::Any], Group::Move, "Next pane or field"),
    row(Command::PreviousPane, "previous-pane", &["shift-tab"], &[Scope::Any], Group::Move, "Previous pane or field"),
    row(Command::Search, "search", &["/"], &[Scope::List, Scope::Profile, Scope::Compare, Scope::Source, Scope::Help, Scope::Picker], Group::Find, "Search or filter while typing"),
    row(Command::CopyName, "copy-name", &["y"], &[Scope::List, Scope::Profile, Scope::Compare, Scope::Failure, Scope::Details, Scope::Hints, Scope::Source], Group::Share, "Copy the name or id of the selected row"),
    row(Command::Refresh, "refresh", &["R"], &[Scope::List, Scope::Failure, Scope::Welcome], Group::Go, "Refresh; after a failure, retry"),
    row(Command::Sort, "sort", &["s"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Table, "Sort by the next column"),
    row(Command::SortReverse, "sort-reverse", &["S"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Table, "Reverse sort"),
    row(Command::StartDemo, "start-demo", &["d"], &[Scope::Welcome], Group::Go, "Try it on recorded profiles, without an account or a network"),
    row(Command::Capture, "capture", &["c"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Go, "Open the capture form for this target"),
    row(Command::Open, "open", &["enter"], &[Scope::List, Scope::Picker], Group::Go, "Open the selected row; marked captures open as one"),
    row(Command::Close, "close", &["backspace"], &[Scope::Failure, Scope::Picker, Scope::ExportDialog, Scope::Hints], Group::Always, "Close without changes"),
    row(Command::NextStep, "next-step", &["enter"], &[Scope::Failure, Scope::Welcome], Group::Go, "Do what the message suggests"),
    row(Command::StartCapture, "start-capture", &["enter"], &[Scope::Form], Group::Go, "Start the capture"),
    row(Command::ServingVersion, "serving-version", &["v"], &[Scope::Form], Group::Go, "Use the version that serves most traffic"),
    row(Command::OtherKind, "other-kind", &["t"], &[Scope::Form], Group::Go, "Kind: CPU or heap"),
    row(Command::NextClass, "next-class", &["b"], &[Scope::Form], Group::Go, "Busiest object of the next Durable Object class"),
    row(Command::OneMore, "one-more", &["+"], &[Scope::Form], Group::Go, "Repeat: one more capture"),
    row(Command::OneFewer, "one-fewer", &["-"], &[Scope::Form], Group::Go, "Repeat: one capture fewer"),
    row(Command::CloseForm, "close-form", &["backspace"], &[Scope::Form], Group::Go, "Close the form without capturing"),
    row(Command::CancelCapture, "cancel-capture", &["x"], &[Scope::Capturing], Group::Go, "Cancel the capture"),
    row(Command::KeepRunning, "keep-running", &["b"], &[Scope::Capturing], Group::Go, "Continue the capture in the background"),
    row(Command::ZoomIn, "zoom-in", &["enter"], &[Scope::Icicle], Group::Move, "Zoom into the selected frame"),
    row(Command::GoToFrame, "go-to-frame", &["enter"], &[Scope::Table], Group::Table, "Go to this function's heaviest frame in the icicle"),
    row(Command::ZoomOut, "zoom-out", &["backspace"], &[Scope::Profile, Scope::Compare], Group::Move, "Undo the last zoom (out); at the root go back to where this profile was opened from"),
    row(Command::ShowWhole, "show-whole", &["z"], &[Scope::Profile, Scope::Compare], Group::Move, "Reset zoom"),
    row(Command::Layout, "layout", &["t"], &[Scope::Profile, Scope::Compare], Group::View, "Layout: stacked, side by side, icicle (flame graph) or table only"),
    row(Command::TableLarger, "table-larger", &["+"], &[Scope::Profile, Scope::Compare], Group::View, "Enlarge the table"),
    row(Command::TableSmaller, "table-smaller", &["-"], &[Scope::Profile, Scope::Compare], Group::View, "Shrink the table"),
    row(Command::Order, "order", &["a"], &[Scope::Profile, Scope::Compare], Group::View, "Order frames by weight or by name"),
    row(Command::BottomUp, "bottom-up", &["b"], &[Scope::Profile], Group::View, "Bottom-up (inverted)"),
    row(Command::Sandwich, "sandwich", &["B"], &[Scope::Profile], Group::View, "Sandwich: peek at callers and callees of this function"),
    row(Command::RowsBy, "rows-by", &["p"], &[Scope::Profile, Scope::Compare], Group::Table, "Rows by function, name, line, file or package"),
    row(Command::Colours, "colours", &["P"], &[Scope::Profile], Group::View, "Colour by name, package or self share"),
    row(Command::SampleType, "sample-type", &["V"], &[Scope::Profile, Scope::Compare], Group::View, "Next sample type"),
    row(Command::PercentBase, "percent-base", &["%"], &[Scope::Profile], Group::View, "Percentages of the capture, the zoom or the view"),
    row(Command::NextMatch, "next-match", &["n"], &[Scope::Profile, Scope::Compare, Scope::Source], Group::Find, "Next match or costly line, heaviest first"),
    row(Command::PreviousMatch, "previous-match", &["N"], &[Scope::Profile, Scope::Compare, Scope::Source], Group::Find, "Previous match"),
    row(Command::SearchSelected, "search-selected", &["*"], &[Scope::Profile, Scope::Compare], Group::Find, "Search for the selected function"),
    row(Command::Focus, "focus", &["f"], &[Scope::Profile, Scope::Compare], Group::Find, "Keep only stacks with this function"),
    row(Command::Ignore, "ignore", &["i"], &[Scope::Profile, Scope::Compare], Group::Find, "Drop stacks with this function"),
    row(Command::Hide, "hide", &["x"], &[Scope::Profile, Scope::Compare], Group::Find, "Hide this function (merge into caller)"),
    row(Command::OwnCode, "own-code", &["O"], &[Scope::Profile, Scope::Compare], Group::Find, "Own code only: runtime and dependencies count as their callers'"),
    row(Command::ShowFrom, "show-from", &["F"], &[Scope::Profile, Scope::Compare], Group::Find, "Show from this function: cut the frames above it"),
    row(Command::FoldRecursion, "fold-recursion", &["r"], &[Scope::Profile, Scope::Compare], Group::View, "Fold (collapse) direct recursion"),
    row(Command::ShowIdle, "show-idle", &["I"], &[Scope::Profile, Scope::Compare], Group::View, "Show or hide idle time"),
    row(Command::UndoFilter, "undo-filter", &["u"], &[Scope::Profile, Scope::Compare], Group::Find, "Undo last filter"),
    row(Command::ClearFilters, "clear-filters", &["U"], &[Scope::Profile, Scope::Compare], Group::Find, "Clear all filters"),
    row(Command::Details, "details", &["D"], &[Scope::Profile], Group::View, "Details: full name, location and values"),
    row(Command::SourceView, "source-view", &["v"], &[Scope::Profile], Group::View, "Show the source with the cost of each line"),
    row(Command::CloseSource, "close-source", &["v", "backspace"], &[Scope::Source], Group::View, "Close the source view"),
    row(Command::LoadMap, "load-map", &["m"], &[Scope::Profile], Group::View, "Load a source map"),
    row(Command::OriginalNames, "original-names", &["M"], &[Scope::Profile], Group::View, "Switch between source-map and bundle names"),
    row(Command::ViewBack, "view-back", &["<", "["], &[Scope::Profile, Scope::Compare], Group::View, "Back to the view before (filters, zoom, rows, direction)"),
    row(Command::ViewForward, "view-forward", &[">", "]"], &[Scope::Profile, Scope::Compare], Group::View, "Forward to the view after"),
    row(Command::OpenEditor, "open-editor", &["ctrl-o"], &[Scope::Profile, Scope::Compare, Scope::Source, Scope::Details], Group::Share, "Open $EDITOR at this line, or copy the place"),
    row(Command::NextHint, "next-hint", &["!"], &[Scope::Profile], Group::View, "Go to the next hint"),
    row(Command::AllHints, "all-hints", &["H"], &[Scope::Profile, Scope::Hints], Group::View, "Show all hints"),
    row(Command::GoToHint, "go-to-hint", &["enter"], &[Scope::Hints], Group::View, "Go to this hint's frame; a digit goes there directly"),
    row(Command::Compare, "compare", &["d"], &[Scope::Profile, Scope::History, Scope::Compare], Group::Go, "Compare (diff) with the marked or the previous capture as baseline"),
    row(Command::Normalise, "normalise", &["="], &[Scope::Compare], Group::View, "Normalize: equal totals or raw values"),
    row(Command::Width, "width", &["W"], &[Scope::Compare], Group::View, "Widths by the larger, the new or the baseline"),
    row(Command::Mark, "mark", &["space"], &[Scope::History], Group::Go, "Mark for comparing or opening as one"),
    row(Command::Rename, "rename", &["r"], &[Scope::History], Group::Go, "Rename this capture"),
    row(Command::Note, "note", &["a"], &[Scope::History], Group::Go, "Write a note"),
    row(Command::Pin, "pin", &["p"], &[Scope::History], Group::Go, "Pin: protect this capture from eviction"),
    row(Command::Delete, "delete", &["X"], &[Scope::History], Group::Go, "Delete this capture"),
    row(Command::UndoDelete, "undo-delete", &["u"], &[Scope::History], Group::Go, "Restore the last deleted capture"),
    row(Command::Export, "export", &["e"], &[Scope::Profile, Scope::Compare, Scope::History], Group::Share, "Export: save (download) this view"),
    row(Command::CopyCommand, "copy-command", &["E"], &[Scope::Profile, Scope::Compare], Group::Share, "Copy the command that reproduces this view"),
    row(Command::CopyReport, "copy-report", &["Y"], &[Scope::Profile, Scope::Compare, Scope::Details], Group::Share, "Copy a short report for a chat (share)"),
    row(Command::CopyStack, "copy-stack", &[], &[Scope::Profile, Scope::Compare], Group::Share, "Copy the stack of the selected frame"),
    row(Command::WriteExport, "write-export", &["enter"], &[Scope::ExportDialog], Group::Share, "Save the file"),
    row(Command::CopyExport, "copy-export", &["y"], &[Scope::ExportDialog], Group::Share, "Copy the text instead of writing a file"),
    row(Command::WholeOrView, "whole-or-view", &["space"], &[Scope::ExportDialog], Group::Share, "Switch between the view and the whole capture"),
    row(Command::Accept, "accept", &["enter"], &[Scope::Text], Group::Line, "Accept the text"),
    row(Command::CancelText, "cancel-text", &["esc"], &[Scope::Text], Group::Line, "Cancel the edit"),
    row(Command::MatchMode, "match-mode", &["tab"], &[Scope::Text], Group::Line, "Match mode: substring, whole word, regular expression, fuzzy"),
    row(Command::PreviousRow, "previous-row", &["up"], &[Scope::Text], Group::Line, "Previous match or row while typing"),
    row(Command::NextRow, "next-row", &["down"], &[Scope::Text], Group::Line, "Next match or row while typing"),
    row(Command::CursorLeft, "cursor-left", &["left"], &[Scope::Text], Group::Line, "Move left"),
    row(Command::CursorRight, "cursor-right", &["right"], &[Scope::Text], Group::Line, "Move right"),
    row(Command::CursorHome, "cursor-home", &["home"], &[Scope::Text], Group::Line, "Move to the start of the line"),
    row(Command::CursorEnd, "cursor-end", &["end"], &[Scope::Text], Group::Line, "Move to the end of the line"),
    row(Command::Erase, "erase", &["backspace"], &[Scope::Text], Group::Line, "Delete the character before the cursor"),
    row(Command::EraseNext, "erase-next", &["delete"], &[Scope::Text], Group::Line, "Delete the character under the cursor"),
    row(Command::EraseWord, "erase-word", &["ctrl-w"], &[Scope::Text], Group::Line, "Delete a word"),
    row(Command::EraseLine, "erase-line", &["ctrl-u"], &[Scope::Text], Group::Line, "Delete the line"),
];
