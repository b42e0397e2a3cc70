//! The one table of commands: keys, footer, help screen, palette and the documentation's list of keys come from it.

/// Something the user can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Leave the program (asks while a capture runs).
    Quit,
    /// Stop what runs; with nothing running, leave the program.
    Interrupt,
    /// Close what is in front (a running capture is cancelled); never leaves the program.
    Dismiss,
    /// Show the keys that work here.
    Help,
    /// Find any command by name.
    Palette,
    /// Draw the whole screen again.
    Redraw,
    /// Go to the shell; fg comes back.
    Suspend,
    /// Turn the mouse on or off (palette, --mouse).
    Mouse,
    /// Go to the Workers.
    GoWorkers,
    /// Go to the captures on disk.
    GoCaptures,
    /// Choose another account.
    ChooseAccount,
    /// Open a profile from a file.
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
    /// Ask again; after a failure, try again.
    Refresh,
    /// Sort by the next column.
    Sort,
    /// Turn the sorting around.
    SortReverse,
    /// Try it on recorded profiles, without an account or a network.
    StartDemo,
    /// Open the capture form for this target.
    Capture,
    /// Open the selected row.
    Open,
    /// Close without doing anything.
    Close,
    /// Do what the message offers.
    NextStep,
    /// Start the capture.
    StartCapture,
    /// Take the version that serves most traffic.
    ServingVersion,
    /// One more capture in a row.
    OneMore,
    /// One capture in a row fewer.
    OneFewer,
    /// Leave the form without capturing.
    CloseForm,
    /// Cancel the capture.
    CancelCapture,
    /// Go on working while it captures.
    KeepRunning,
    /// Zoom into the selected frame.
    ZoomIn,
    /// Go to the heaviest place of this function in the icicle.
    GoToFrame,
    /// Undo the last zoom.
    ZoomOut,
    /// Show the whole capture again.
    ShowWhole,
    /// Stacked, side by side, icicle alone, table alone.
    Layout,
    /// Give the table more rows.
    TableLarger,
    /// Give the table fewer rows.
    TableSmaller,
    /// Order by weight or by name.
    Order,
    /// Show callers of what has self time.
    BottomUp,
    /// Show callers above and callees below this function.
    Sandwich,
    /// Rows by function, name, line, file or package.
    RowsBy,
    /// Colour by name, package or self share.
    Colours,
    /// Show the next sample type.
    SampleType,
    /// Per cents of the capture, the zoom or what is shown.
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
    /// Take this function out; its value goes to its caller.
    Hide,
    /// Cut everything above this function.
    ShowFrom,
    /// Fold direct recursion.
    FoldRecursion,
    /// Show or leave out idle time.
    ShowIdle,
    /// Take the last filter out.
    UndoFilter,
    /// Take all filters out.
    ClearFilters,
    /// Show the whole name, place and figures.
    Details,
    /// Show the code with the cost of its lines.
    SourceView,
    /// Close the code.
    CloseSource,
    /// Load a source map.
    LoadMap,
    /// Names of the map or of the bundle.
    OriginalNames,
    /// Go to the place of the next hint.
    NextHint,
    /// Show all hints.
    AllHints,
    /// Go to the place of the selected hint.
    GoToHint,
    /// Compare with a marked or the previous capture.
    Compare,
    /// Equal totals or raw values.
    Normalise,
    /// Widths by the larger, the new or the base.
    Width,
    /// Mark for comparing.
    Mark,
    /// Give the capture another name.
    Rename,
    /// Write a note on the capture.
    Note,
    /// Keep the capture from being pruned, or not any more.
    Pin,
    /// Delete the capture.
    Delete,
    /// Bring the last deleted capture back.
    UndoDelete,
    /// Export this view.
    Export,
    /// Copy the command that shows this view.
    CopyCommand,
    /// Copy the stack of the selected frame.
    CopyStack,
    /// Write the file.
    WriteExport,
    /// Export the view or the whole capture.
    WholeOrView,
    /// Keep what was typed.
    Accept,
    /// Leave the line as it was.
    CancelText,
    /// Substring, whole word, regular expression, fuzzy.
    MatchMode,
    /// Previous match or row while typing.
    PreviousRow,
    /// Next match or row while typing.
    NextRow,
    /// Move left in the line.
    CursorLeft,
    /// Move right in the line.
    CursorRight,
    /// Move to the line's beginning.
    CursorHome,
    /// Move to the line's end.
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

/// Where a command's keys work. Several scopes are live at once; no key stands twice among those.
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
    /// A failure's sheet.
    Failure,
    /// A list to choose from, in front of a screen.
    Picker,
    /// The export sheet.
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
    /// The word for it in the documentation's list of keys.
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
    /// Moving about.
    Walk,
    /// Search and filters.
    Find,
    /// What is shown, and how.
    See,
    /// The ranked table.
    Table,
    /// Copies and exports.
    HandOn,
    /// Other screens, captures.
    Go,
    /// The line that is typed.
    Line,
    /// Works everywhere.
    Always,
}

impl Group {
    /// The heading in the help screen.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Walk => "Walk",
            Self::Find => "Find",
            Self::See => "See",
            Self::Table => "Table",
            Self::HandOn => "Hand on",
            Self::Go => "Go",
            Self::Line => "While typing",
            Self::Always => "Always",
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

/// Every command there is. Digits, which repeat the next command, are read before this table.
#[rustfmt::skip]
pub const COMMANDS: &[Row] = &[
    row(Command::Quit, "quit", &["q"], &[Scope::Any], Group::Always, "Leave the program (asks while a capture runs)"),
    row(Command::Interrupt, "interrupt", &["ctrl-c"], &[Scope::Any, Scope::Text], Group::Always, "Stop what runs; with nothing running, leave the program"),
    row(Command::Dismiss, "dismiss", &["esc"], &[Scope::Any], Group::Always, "Close what is in front (a running capture is cancelled); never leaves the program"),
    row(Command::Help, "help", &["?", "f1"], &[Scope::Any], Group::Always, "Show the keys that work here"),
    row(Command::Palette, "palette", &[":"], &[Scope::Any], Group::Always, "Find any command by name"),
    row(Command::Redraw, "redraw", &["ctrl-l"], &[Scope::Any], Group::Always, "Draw the whole screen again"),
    row(Command::Suspend, "suspend", &["ctrl-z"], &[Scope::Any], Group::Always, "Go to the shell; fg comes back"),
    row(Command::Mouse, "mouse", &[], &[Scope::Any], Group::Always, "Turn the mouse on or off (palette, --mouse)"),
    row(Command::GoWorkers, "go-workers", &["w"], &[Scope::Any], Group::Go, "Go to the Workers"),
    row(Command::GoCaptures, "go-captures", &["C"], &[Scope::Any], Group::Go, "Go to the captures on disk"),
    row(Command::ChooseAccount, "choose-account", &["A"], &[Scope::Any], Group::Go, "Choose another account"),
    row(Command::OpenFile, "open-file", &["o"], &[Scope::Any], Group::Go, "Open a profile from a file"),
    row(Command::ChooseTheme, "choose-theme", &["T"], &[Scope::Any], Group::Always, "Choose a theme, with preview"),
    row(Command::Down, "down", &["j", "down"], &[Scope::Any], Group::Walk, "Next row; in the icicle the heaviest callee"),
    row(Command::Up, "up", &["k", "up"], &[Scope::Any], Group::Walk, "Previous row; in the icicle the caller"),
    row(Command::Left, "left", &["h", "left"], &[Scope::Any], Group::Walk, "Frame, pane or value to the left"),
    row(Command::Right, "right", &["l", "right"], &[Scope::Any], Group::Walk, "Frame, pane or value to the right"),
    row(Command::PageDown, "page-down", &["pgdn"], &[Scope::Any], Group::Walk, "One page down"),
    row(Command::PageUp, "page-up", &["pgup"], &[Scope::Any], Group::Walk, "One page up"),
    row(Command::HalfPageDown, "half-page-down", &["ctrl-d"], &[Scope::Any], Group::Walk, "Half a page down"),
    row(Command::HalfPageUp, "half-page-up", &["ctrl-u"], &[Scope::Any], Group::Walk, "Half a page up"),
    row(Command::First, "first", &["g", "home"], &[Scope::Any], Group::Walk, "First row; in the icicle the root"),
    row(Command::Last, "last", &["G", "end"], &[Scope::Any], Group::Walk, "Last row; in the icicle the deepest drawn"),
    row(Command::NextPane, "next-pane", &["tab"], &[Scope::Any], Group::Walk, "Next pane or field"),
    row(Command::PreviousPane, "previous-pane", &["shift-tab"], &[Scope::Any], Group::Walk, "Previous pane or field"),
    row(Command::Search, "search", &["/"], &[Scope::List, Scope::Profile, Scope::Compare, Scope::Source, Scope::Help, Scope::Picker], Group::Find, "Search or filter while typing"),
    row(Command::CopyName, "copy-name", &["y"], &[Scope::List, Scope::Profile, Scope::Compare, Scope::Failure, Scope::Details, Scope::Hints, Scope::Source], Group::HandOn, "Copy the name or id of the selected row"),
    row(Command::Refresh, "refresh", &["R"], &[Scope::List, Scope::Failure, Scope::Welcome], Group::Go, "Ask again; after a failure, try again"),
    row(Command::Sort, "sort", &["s"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Table, "Sort by the next column"),
    row(Command::SortReverse, "sort-reverse", &["S"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Table, "Turn the sorting around"),
    row(Command::StartDemo, "start-demo", &["d"], &[Scope::Welcome], Group::Go, "Try it on recorded profiles, without an account or a network"),
    row(Command::Capture, "capture", &["c"], &[Scope::Workers, Scope::History, Scope::Profile, Scope::Compare], Group::Go, "Open the capture form for this target"),
    row(Command::Open, "open", &["enter"], &[Scope::List, Scope::Picker], Group::Go, "Open the selected row; marked captures open as one"),
    row(Command::Close, "close", &["backspace"], &[Scope::Failure, Scope::Picker, Scope::ExportDialog, Scope::Hints], Group::Always, "Close without doing anything"),
    row(Command::NextStep, "next-step", &["enter"], &[Scope::Failure, Scope::Welcome], Group::Go, "Do what the message offers"),
    row(Command::StartCapture, "start-capture", &["enter"], &[Scope::Form], Group::Go, "Start the capture"),
    row(Command::ServingVersion, "serving-version", &["v"], &[Scope::Form], Group::Go, "Take the version that serves most traffic"),
    row(Command::OneMore, "one-more", &["+"], &[Scope::Form], Group::Go, "One more capture in a row"),
    row(Command::OneFewer, "one-fewer", &["-"], &[Scope::Form], Group::Go, "One capture in a row fewer"),
    row(Command::CloseForm, "close-form", &["backspace"], &[Scope::Form], Group::Go, "Leave the form without capturing"),
    row(Command::CancelCapture, "cancel-capture", &["x"], &[Scope::Capturing], Group::Go, "Cancel the capture"),
    row(Command::KeepRunning, "keep-running", &["b"], &[Scope::Capturing], Group::Go, "Go on working while it captures"),
    row(Command::ZoomIn, "zoom-in", &["enter"], &[Scope::Icicle], Group::Walk, "Zoom into the selected frame"),
    row(Command::GoToFrame, "go-to-frame", &["enter"], &[Scope::Table], Group::Table, "Go to the heaviest place of this function in the icicle"),
    row(Command::ZoomOut, "zoom-out", &["backspace"], &[Scope::Profile, Scope::Compare], Group::Walk, "Undo the last zoom"),
    row(Command::ShowWhole, "show-whole", &["z"], &[Scope::Profile, Scope::Compare], Group::Walk, "Show the whole capture again"),
    row(Command::Layout, "layout", &["t"], &[Scope::Profile, Scope::Compare], Group::See, "Stacked, side by side, icicle alone, table alone"),
    row(Command::TableLarger, "table-larger", &["+"], &[Scope::Profile, Scope::Compare], Group::See, "Give the table more rows"),
    row(Command::TableSmaller, "table-smaller", &["-"], &[Scope::Profile, Scope::Compare], Group::See, "Give the table fewer rows"),
    row(Command::Order, "order", &["a"], &[Scope::Profile, Scope::Compare], Group::See, "Order by weight or by name"),
    row(Command::BottomUp, "bottom-up", &["b"], &[Scope::Profile], Group::See, "Show callers of what has self time"),
    row(Command::Sandwich, "sandwich", &["B"], &[Scope::Profile], Group::See, "Show callers above and callees below this function"),
    row(Command::RowsBy, "rows-by", &["p"], &[Scope::Profile, Scope::Compare], Group::Table, "Rows by function, name, line, file or package"),
    row(Command::Colours, "colours", &["P"], &[Scope::Profile], Group::See, "Colour by name, package or self share"),
    row(Command::SampleType, "sample-type", &["V"], &[Scope::Profile, Scope::Compare], Group::See, "Show the next sample type"),
    row(Command::PercentBase, "percent-base", &["%"], &[Scope::Profile], Group::See, "Per cents of the capture, the zoom or what is shown"),
    row(Command::NextMatch, "next-match", &["n"], &[Scope::Profile, Scope::Compare, Scope::Source], Group::Find, "Next match or costly line, heaviest first"),
    row(Command::PreviousMatch, "previous-match", &["N"], &[Scope::Profile, Scope::Compare, Scope::Source], Group::Find, "Previous match"),
    row(Command::SearchSelected, "search-selected", &["*"], &[Scope::Profile, Scope::Compare], Group::Find, "Search for the selected function"),
    row(Command::Focus, "focus", &["f"], &[Scope::Profile, Scope::Compare], Group::Find, "Keep only stacks with this function"),
    row(Command::Ignore, "ignore", &["i"], &[Scope::Profile, Scope::Compare], Group::Find, "Drop stacks with this function"),
    row(Command::Hide, "hide", &["x"], &[Scope::Profile, Scope::Compare], Group::Find, "Take this function out; its value goes to its caller"),
    row(Command::ShowFrom, "show-from", &["F"], &[Scope::Profile, Scope::Compare], Group::Find, "Cut everything above this function"),
    row(Command::FoldRecursion, "fold-recursion", &["r"], &[Scope::Profile, Scope::Compare], Group::See, "Fold direct recursion"),
    row(Command::ShowIdle, "show-idle", &["I"], &[Scope::Profile, Scope::Compare], Group::See, "Show or leave out idle time"),
    row(Command::UndoFilter, "undo-filter", &["u"], &[Scope::Profile, Scope::Compare], Group::Find, "Take the last filter out"),
    row(Command::ClearFilters, "clear-filters", &["U"], &[Scope::Profile, Scope::Compare], Group::Find, "Take all filters out"),
    row(Command::Details, "details", &["D"], &[Scope::Profile], Group::See, "Show the whole name, place and figures"),
    row(Command::SourceView, "source-view", &["v"], &[Scope::Profile], Group::See, "Show the code with the cost of its lines"),
    row(Command::CloseSource, "close-source", &["v", "backspace"], &[Scope::Source], Group::See, "Close the code"),
    row(Command::LoadMap, "load-map", &["m"], &[Scope::Profile], Group::See, "Load a source map"),
    row(Command::OriginalNames, "original-names", &["M"], &[Scope::Profile], Group::See, "Names of the map or of the bundle"),
    row(Command::NextHint, "next-hint", &["!"], &[Scope::Profile], Group::See, "Go to the place of the next hint"),
    row(Command::AllHints, "all-hints", &["H"], &[Scope::Profile, Scope::Hints], Group::See, "Show all hints"),
    row(Command::GoToHint, "go-to-hint", &["enter"], &[Scope::Hints], Group::See, "Go to the place of this hint; a digit goes there at once"),
    row(Command::Compare, "compare", &["d"], &[Scope::Profile, Scope::History, Scope::Compare], Group::Go, "Compare with a marked or the previous capture"),
    row(Command::Normalise, "normalise", &["="], &[Scope::Compare], Group::See, "Equal totals or raw values"),
    row(Command::Width, "width", &["W"], &[Scope::Compare], Group::See, "Widths by the larger, the new or the base"),
    row(Command::Mark, "mark", &["space"], &[Scope::History], Group::Go, "Mark for comparing or opening as one"),
    row(Command::Rename, "rename", &["r"], &[Scope::History], Group::Go, "Rename this capture"),
    row(Command::Note, "note", &["a"], &[Scope::History], Group::Go, "Write a note"),
    row(Command::Pin, "pin", &["p"], &[Scope::History], Group::Go, "Keep this capture from being pruned"),
    row(Command::Delete, "delete", &["X"], &[Scope::History], Group::Go, "Delete this capture"),
    row(Command::UndoDelete, "undo-delete", &["u"], &[Scope::History], Group::Go, "Bring the last deleted capture back"),
    row(Command::Export, "export", &["e"], &[Scope::Profile, Scope::Compare, Scope::History], Group::HandOn, "Export this view"),
    row(Command::CopyCommand, "copy-command", &["E"], &[Scope::Profile], Group::HandOn, "Copy the command that shows this view"),
    row(Command::CopyStack, "copy-stack", &["Y"], &[Scope::Profile, Scope::Compare], Group::HandOn, "Copy the stack of the selected frame"),
    row(Command::WriteExport, "write-export", &["enter"], &[Scope::ExportDialog], Group::HandOn, "Write the file"),
    row(Command::WholeOrView, "whole-or-view", &["space"], &[Scope::ExportDialog], Group::HandOn, "Export the view or the whole capture"),
    row(Command::Accept, "accept", &["enter"], &[Scope::Text], Group::Line, "Keep what was typed"),
    row(Command::CancelText, "cancel-text", &["esc"], &[Scope::Text], Group::Line, "Leave the line as it was"),
    row(Command::MatchMode, "match-mode", &["tab"], &[Scope::Text], Group::Line, "Substring, whole word, regular expression, fuzzy"),
    row(Command::PreviousRow, "previous-row", &["up"], &[Scope::Text], Group::Line, "Previous match or row while typing"),
    row(Command::NextRow, "next-row", &["down"], &[Scope::Text], Group::Line, "Next match or row while typing"),
    row(Command::CursorLeft, "cursor-left", &["left"], &[Scope::Text], Group::Line, "Move left in the line"),
    row(Command::CursorRight, "cursor-right", &["right"], &[Scope::Text], Group::Line, "Move right in the line"),
    row(Command::CursorHome, "cursor-home", &["home"], &[Scope::Text], Group::Line, "Move to the line's beginning"),
    row(Command::CursorEnd, "cursor-end", &["end"], &[Scope::Text], Group::Line, "Move to the line's end"),
    row(Command::Erase, "erase", &["backspace"], &[Scope::Text], Group::Line, "Delete the character before the cursor"),
    row(Command::EraseNext, "erase-next", &["delete"], &[Scope::Text], Group::Line, "Delete the character under the cursor"),
    row(Command::EraseWord, "erase-word", &["ctrl-w"], &[Scope::Text], Group::Line, "Delete a word"),
    row(Command::EraseLine, "erase-line", &["ctrl-u"], &[Scope::Text], Group::Line, "Delete the line"),
];
