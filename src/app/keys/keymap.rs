//! The keys in force: those of the table of commands, with the user's own instead.

use std::collections::HashMap;

use crate::app::keys::command::{COMMANDS, Command, Row, Scope};
use crate::app::keys::context::KeyContext;
use crate::app::keys::footer::FooterRow;
use crate::app::keys::key::Key;
use crate::app::keys::message::{Message, MessagePart};
use crate::model::text::sanitize::printable;

/// Which keys each command has. By default those of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bindings {
    /// Commands whose keys are the user's own.
    own: HashMap<Command, Vec<Key>>,
}

/// Two commands that would have one key where both work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conflict {
    /// The key.
    pub key: Key,
    /// Where.
    pub context: KeyContext,
    /// The one that is nearer, and would win.
    pub first: Command,
    /// The other.
    pub second: Command,
}

/// Returns the row of a command. Every command has one.
fn row(command: Command) -> Option<&'static Row> {
    COMMANDS.iter().find(|row| row.command == command)
}

impl Bindings {
    /// Returns the table's keys, with these instead for some commands. A command without any key is still in the palette.
    #[must_use]
    pub fn new(own: HashMap<Command, Vec<Key>>) -> Self {
        Self { own }
    }

    /// Returns the user's own keys of a command, if there are any.
    #[must_use]
    pub fn own(&self, command: Command) -> Option<&[Key]> {
        self.own.get(&command).map(Vec::as_slice)
    }

    /// Returns the keys of a command.
    #[must_use]
    pub fn of(&self, row: &Row) -> Vec<Key> {
        let own = self.own.get(&row.command).cloned();
        own.unwrap_or_else(|| {
            row.keys
                .iter()
                .filter_map(|name| Key::parse(name))
                .collect()
        })
    }

    fn has(&self, row: &Row, key: Key) -> bool {
        match self.own.get(&row.command) {
            Some(own) => own.contains(&key),
            None => row.keys.iter().any(|name| Key::parse(name) == Some(key)),
        }
    }

    /// Returns the table's row for a key at a context, the nearest scope first.
    pub(crate) fn find(&self, context: KeyContext, key: Key) -> Option<&'static Row> {
        context.scopes().iter().find_map(|scope| {
            COMMANDS
                .iter()
                .find(|row| row.scopes.contains(scope) && self.has(row, key))
        })
    }

    /// Returns the keys of a row as they are written on the screen: short.
    #[must_use]
    pub fn names(&self, row: &Row) -> String {
        self.of(row)
            .into_iter()
            .map(short)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns the first key of a command as it is written on the screen; empty where it has none.
    #[must_use]
    pub fn name(&self, command: Command) -> String {
        row(command)
            .and_then(|row| self.of(row).first().copied())
            .map(short)
            .unwrap_or_default()
    }

    /// Returns the keys in force of a row of the last line; `None` if its commands have none.
    pub(crate) fn keys_of(&self, row: &FooterRow) -> Option<String> {
        let glue = |names: &[String]| match row {
            FooterRow::Joined(..) if names.iter().all(|name| name.chars().count() == 1) => "",
            _ => " ",
        };
        if matches!(row, FooterRow::Digits(_)) {
            return Some("1-9".to_owned());
        }
        let names = row.commands().iter().map(|command| self.name(*command));
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        (!names.is_empty()).then(|| names.join(glue(&names)))
    }

    /// Returns a message as it is drawn: with the first key in force of each command that it names, and with text from
    /// outside made printable. Nothing is expanded in either.
    #[must_use]
    pub fn expand_keys(&self, message: &Message) -> String {
        let mut expanded = String::new();
        for part in message.parts() {
            match part {
                MessagePart::Text(text) => expanded.push_str(text),
                MessagePart::Outside(text) => expanded.push_str(&printable(text)),
                MessagePart::Key(command) => expanded.push_str(&self.key_or_name(*command)),
            }
        }
        expanded
    }

    /// Returns the first key of a command. One that was left without a key is still in the palette: then its name there.
    fn key_or_name(&self, command: Command) -> String {
        let key = self.name(command);
        match row(command) {
            Some(row) if key.is_empty() => format!(":{}", row.name),
            _ => key,
        }
    }

    /// Returns where one of the user's own keys means two things at once, the first of each pair.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut found: Vec<Conflict> = Vec::new();
        for context in KeyContext::ALL {
            let live = |row: &&Row| {
                row.scopes
                    .iter()
                    .any(|scope| context.scopes().contains(scope))
            };
            let rows: Vec<&Row> = COMMANDS.iter().filter(live).collect();
            for (at, first) in rows.iter().enumerate() {
                for second in &rows[at + 1..] {
                    if self
                        .own(first.command)
                        .or(self.own(second.command))
                        .is_none()
                    {
                        continue;
                    }
                    let same =
                        |c: &Conflict| (c.first, c.second) == (first.command, second.command);
                    if let Some(key) = self
                        .of(first)
                        .into_iter()
                        .find(|key| self.has(second, *key))
                        && !found.iter().any(same)
                    {
                        found.push(Conflict {
                            key,
                            context: *context,
                            first: first.command,
                            second: second.command,
                        });
                    }
                }
            }
        }
        found
    }
}

/// Returns why a key can't be a command's own; `None` if it can.
#[must_use]
pub fn why_not(row: &Row, key: Key) -> Option<&'static str> {
    match key {
        Key::Ctrl('c') if row.command != Command::Interrupt => {
            Some("ctrl-c always stops what runs")
        }
        Key::Ctrl('i') => Some("terminals send it for tab"),
        Key::Ctrl('j' | 'm') => Some("terminals send it for enter"),
        Key::Char(c) if c.is_ascii_digit() => Some("digits repeat the next command"),
        Key::Char(_) if row.scopes == [Scope::Text] => Some("characters are typed there"),
        _ => None,
    }
}

/// Returns a key as it is written on the screen.
pub(crate) fn short(key: Key) -> String {
    match key {
        Key::Backspace => "bksp".to_owned(),
        Key::Ctrl(letter) => format!("^{letter}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keys::footer::footer;
    use crate::app::keys::message::{message, outside};

    fn own(pairs: &[(Command, &[Key])]) -> Bindings {
        Bindings::new(
            pairs
                .iter()
                .map(|(command, keys)| (*command, keys.to_vec()))
                .collect(),
        )
    }

    #[test]
    fn own_keys_take_the_place_of_the_table_s() {
        let bindings = own(&[
            (Command::ZoomIn, &[Key::Char('L'), Key::Enter]),
            (Command::Help, &[]),
        ]);
        let meant = |key| {
            bindings
                .find(KeyContext::Icicle, key)
                .map(|row| row.command)
        };
        assert_eq!(meant(Key::Char('L')), Some(Command::ZoomIn));
        assert_eq!(meant(Key::Enter), Some(Command::ZoomIn));
        assert_eq!(
            (meant(Key::F(1)), meant(Key::Char('?'))),
            (None, None),
            "its keys are taken away"
        );
        assert_eq!(meant(Key::Char('j')), Some(Command::Down));
        assert_eq!(
            (bindings.name(Command::ZoomIn), bindings.name(Command::Help)),
            ("L".to_owned(), String::new())
        );
        assert_eq!(bindings.name(Command::ZoomOut), "bksp");
    }

    /// Returns the keys and the label of each row of a context.
    fn rows(bindings: &Bindings, context: KeyContext) -> Vec<(String, &'static str)> {
        let rows = footer(context).iter();
        rows.filter_map(|row| Some((bindings.keys_of(row)?, row.label())))
            .collect()
    }

    #[test]
    fn the_footer_has_the_keys_in_force() {
        let default = Bindings::default();
        for (context, first) in [
            (KeyContext::Icicle, "hjkl"),
            (KeyContext::Table, "jk"),
            (KeyContext::Hints, "1-9"),
            (KeyContext::Capturing, "esc x"),
        ] {
            assert_eq!(rows(&default, context)[0].0, first, "{context:?}");
        }
        assert!(rows(&default, KeyContext::Picker).contains(&("j k".to_owned(), "move")));
        assert!(rows(&default, KeyContext::Icicle).contains(&("bksp".to_owned(), "out")));
        let bindings = own(&[
            (Command::Down, &[Key::Ctrl('n')]),
            (Command::ZoomOut, &[Key::Char('-')]),
            (Command::Search, &[]),
            (Command::Right, &[Key::Char(';')]),
        ]);
        let footer = rows(&bindings, KeyContext::Icicle);
        assert_eq!(
            footer[..3],
            [
                ("h ^n k ;".to_owned(), "move"),
                ("enter".to_owned(), "zoom"),
                ("-".to_owned(), "out")
            ]
        );
        assert!(footer.iter().all(|(_, word)| *word != "search"));
        let letters = own(&[(Command::Right, &[Key::Char(';')])]);
        assert_eq!(rows(&letters, KeyContext::Icicle)[0].0, "hjk;");
    }

    #[test]
    fn conflicts_are_found_across_the_scopes_of_a_place() {
        assert_eq!(Bindings::default().conflicts(), []);
        let found = own(&[(Command::GoWorkers, &[Key::Char('r')])]).conflicts();
        let pairs: Vec<_> = found.iter().map(|c| (c.key, c.first, c.second)).collect();
        assert!(
            pairs.contains(&(Key::Char('r'), Command::GoWorkers, Command::FoldRecursion)),
            "{pairs:?}"
        );
        // Two places that are never live together may share a key.
        assert_eq!(
            own(&[(Command::ServingVersion, &[Key::Char('z')])]).conflicts(),
            []
        );
        // A swap is no conflict.
        let swap = [
            (Command::ZoomIn, [Key::Backspace].as_slice()),
            (Command::ZoomOut, &[Key::Enter]),
        ];
        let found = own(&swap).conflicts();
        assert_eq!(
            found
                .iter()
                .map(|c| (c.first, c.second))
                .collect::<Vec<_>>(),
            [(Command::GoToFrame, Command::ZoomOut)]
        );
    }

    #[test]
    fn messages_name_the_keys_in_force() {
        let bindings = own(&[
            (Command::UndoFilter, &[Key::Ctrl('z')]),
            (Command::ClearFilters, &[]),
        ]);
        let message = message![
            Command::UndoFilter,
            "·",
            Command::ClearFilters,
            "·",
            Command::ZoomOut,
        ];
        assert_eq!(Bindings::default().expand_keys(&message), "u·U·bksp");
        assert_eq!(bindings.expand_keys(&message), "^z·:clear-filters·bksp");
    }

    #[test]
    fn text_is_never_expanded() {
        let default = Bindings::default();
        for text in ["{quit}", "a {zoom-in} c", "{", "}{quit", "{{quit}}"] {
            assert_eq!(default.expand_keys(&text.into()), text);
            assert_eq!(default.expand_keys(&text.to_owned().into()), text);
            assert_eq!(default.expand_keys(&outside(text)), text);
        }
        assert_eq!(default.expand_keys(&outside("a\u{1b}b")), "a␛b");
    }

    #[test]
    fn some_keys_cannot_be_had() {
        let row = |command| row(command).unwrap();
        assert!(why_not(row(Command::ZoomIn), Key::Ctrl('m')).is_some());
        assert!(why_not(row(Command::ZoomIn), Key::Char('3')).is_some());
        assert!(why_not(row(Command::Quit), Key::Ctrl('c')).is_some());
        assert!(why_not(row(Command::EraseWord), Key::Char('x')).is_some());
        assert_eq!(why_not(row(Command::EraseWord), Key::Ctrl('g')), None);
        assert_eq!(why_not(row(Command::Interrupt), Key::Ctrl('c')), None);
    }
}
