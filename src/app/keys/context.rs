//! Key contexts: which keys work where, and the help of each context.

use crate::app::keys::command::{Command, Scope};

/// Where the user is, as far as keys are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyContext {
    /// First start without credentials.
    Welcome,
    /// The list of Workers.
    Workers,
    /// The captures on disk.
    History,
    /// A profile, focus on its icicle.
    Icicle,
    /// A profile, one function between its callers and callees.
    Sandwich,
    /// The code of one function of a profile.
    Code,
    /// A profile, focus on its table.
    Table,
    /// A comparison, focus on its icicle.
    Compare,
    /// A comparison, focus on its table.
    CompareTable,
    /// The capture form, on a line of choices.
    Form,
    /// The capture form, on a line of text.
    FormText,
    /// The countdown.
    Capturing,
    /// Waiting for traffic.
    Awaiting,
    /// A failure.
    Failure,
    /// A failure that offers no retry.
    FailureOnce,
    /// The export dialog, on a field of choices.
    Export,
    /// The export dialog, on its file name.
    ExportText,
    /// The keys that work here.
    Help,
    /// A list to choose from.
    Picker,
    /// The palette's list, with its line open.
    Palette,
    /// The list of accounts, with its line open.
    Accounts,
    /// The list of Durable Objects, with its line open.
    Objects,
    /// The whole name of a frame.
    Details,
    /// All hints of a profile.
    Hints,
    /// Whether to leave although a capture runs.
    AskQuit,
    /// A line of text: a file's name.
    Line,
    /// The line of a capture's name or note.
    Note,
    /// The line of a list's filter.
    Filter,
    /// The line of a profile's search.
    Search,
}

impl KeyContext {
    /// All places.
    pub const ALL: &'static [Self] = &[
        Self::Welcome,
        Self::Workers,
        Self::History,
        Self::Icicle,
        Self::Sandwich,
        Self::Code,
        Self::Table,
        Self::Compare,
        Self::CompareTable,
        Self::Form,
        Self::FormText,
        Self::Capturing,
        Self::Awaiting,
        Self::Failure,
        Self::FailureOnce,
        Self::Export,
        Self::ExportText,
        Self::Help,
        Self::Picker,
        Self::Palette,
        Self::Accounts,
        Self::Objects,
        Self::Details,
        Self::Hints,
        Self::AskQuit,
        Self::Line,
        Self::Note,
        Self::Filter,
        Self::Search,
    ];

    /// Returns the scopes whose keys work here, the most special first.
    #[must_use]
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Help => &[Scope::Help, Scope::Any],
            Self::Welcome => &[Scope::Welcome, Scope::Any],
            Self::Details => &[Scope::Details, Scope::Any],
            Self::Hints => &[Scope::Hints, Scope::Any],
            Self::Code => &[Scope::Source, Scope::Any],
            Self::Workers => &[Scope::Workers, Scope::List, Scope::Any],
            Self::History => &[Scope::History, Scope::List, Scope::Any],
            Self::Icicle | Self::Sandwich => &[Scope::Icicle, Scope::Profile, Scope::Any],
            Self::Table => &[Scope::Table, Scope::Profile, Scope::Any],
            Self::Compare => &[Scope::Icicle, Scope::Compare, Scope::Any],
            Self::CompareTable => &[Scope::Table, Scope::Compare, Scope::Any],
            Self::Form => &[Scope::Form, Scope::Any],
            Self::Capturing | Self::Awaiting | Self::AskQuit => &[Scope::Capturing, Scope::Any],
            Self::Failure | Self::FailureOnce => &[Scope::Failure, Scope::Any],
            Self::Export => &[Scope::ExportDialog, Scope::Any],
            Self::Picker => &[Scope::Picker, Scope::Any],
            Self::FormText
            | Self::ExportText
            | Self::Palette
            | Self::Accounts
            | Self::Objects
            | Self::Line
            | Self::Note
            | Self::Filter
            | Self::Search => &[Scope::Text],
        }
    }

    /// Whether characters are typed here.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            Self::FormText
                | Self::ExportText
                | Self::Palette
                | Self::Accounts
                | Self::Objects
                | Self::Line
                | Self::Note
                | Self::Filter
                | Self::Search
        )
    }

    /// Returns the title of the help for this context.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Workers | Self::Welcome => "Workers",
            Self::History => "captures",
            Self::Icicle | Self::Sandwich | Self::Table => "profile view",
            Self::Compare | Self::CompareTable => "comparison",
            Self::Form | Self::FormText => "capture form",
            Self::Capturing => "running capture",
            Self::Awaiting => "waiting for traffic",
            Self::Failure | Self::FailureOnce => "message",
            Self::Export | Self::ExportText => "export",
            Self::Picker | Self::Palette | Self::Accounts | Self::Objects => "list",
            Self::Hints => "hints",
            Self::Code => "code",
            Self::Help | Self::Details | Self::AskQuit => "everywhere",
            Self::Line | Self::Note | Self::Filter | Self::Search => "typing",
        }
    }
}

impl Command {
    /// Whether it may be done in a window that is too small for any screen.
    pub(crate) const fn works_unseen(self) -> bool {
        matches!(
            self,
            Self::Quit | Self::Interrupt | Self::Suspend | Self::Redraw
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keys::command::COMMANDS;
    use crate::app::keys::footer::footer;
    use crate::app::keys::key::Key;
    use crate::app::keys::keymap::Bindings;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn no_key_means_two_things_at_one_place() {
        for context in KeyContext::ALL {
            for scope in context.scopes() {
                let mut seen: HashMap<Key, &str> = HashMap::new();
                for row in COMMANDS.iter().filter(|row| row.scopes.contains(scope)) {
                    for name in row.keys {
                        let key = Key::parse(name).unwrap_or_else(|| panic!("{name} is no key"));
                        if let Some(other) = seen.insert(key, row.name) {
                            panic!("{name} means {other} and {} in {scope:?}", row.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_table_is_tidy() {
        let mut names = HashSet::new();
        let mut commands = HashSet::new();
        for row in COMMANDS {
            assert!(names.insert(row.name), "{} twice", row.name);
            assert!(commands.insert(row.command), "{:?} twice", row.command);
            assert!(
                row.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                row.name
            );
            assert!(
                !row.help.ends_with('.') && !row.help.contains('\n'),
                "{}",
                row.help
            );
            assert!(!row.scopes.is_empty(), "{} works nowhere", row.name);
        }
    }

    #[test]
    fn every_footer_key_works_where_it_is_shown() {
        for context in KeyContext::ALL {
            for row in footer(*context) {
                for command in row.commands() {
                    let found = COMMANDS.iter().find(|row| row.command == *command).unwrap();
                    let key = Key::parse(found.keys[0]).unwrap();
                    assert!(
                        Bindings::default()
                            .find(*context, key)
                            .is_some_and(|row| row.command == *command),
                        "{key} ({}) does nothing at {context:?}",
                        row.label()
                    );
                }
            }
        }
    }
}
