//! What the help says of a command: at a place that it means one thing, not all that it means anywhere.

use crate::app::keys::command::COMMANDS;
use crate::app::keys::command::Group;
use crate::app::keys::command::{Command, Row};
use crate::app::keys::context::Place;
use crate::app::keys::key::Key;
use crate::app::keys::keymap::Bindings;

impl Row {
    /// What the command does at a place, in one line.
    #[must_use]
    pub fn help_at(&self, place: Place) -> &'static str {
        let on_choices = matches!(place, Place::Form | Place::Export);
        match (self.command, place) {
            (Command::Down, Place::Icicle | Place::Compare) => "The heaviest callee",
            (Command::Up, Place::Icicle | Place::Compare) => "The caller",
            (Command::First, Place::Icicle | Place::Compare) => "The root",
            (Command::Last, Place::Icicle | Place::Compare) => "The deepest frame that is drawn",
            (Command::Left, Place::Icicle | Place::Compare) => "Frame to the left",
            (Command::Right, Place::Icicle | Place::Compare) => "Frame to the right",
            (Command::Down, _) if on_choices => "Next field",
            (Command::Up, _) if on_choices => "Previous field",
            (Command::Left, _) if on_choices => "Value to the left",
            (Command::Right, _) if on_choices => "Value to the right",
            (Command::Left, Place::Workers) => "Pane to the left",
            (Command::Right, Place::Workers) => "Pane to the right",
            (Command::NextPane, _) => {
                if on_choices {
                    "Next field"
                } else {
                    "Next pane"
                }
            }
            (Command::PreviousPane, _) => {
                if on_choices {
                    "Previous field"
                } else {
                    "Previous pane"
                }
            }
            (Command::Open, Place::History) => self.help,
            (Command::Open, _) => "Open the selected row",
            // Elsewhere than in the icicle the first half is what they do.
            (Command::Down | Command::Up | Command::First | Command::Last, _) => self
                .help
                .split_once(';')
                .map_or(self.help, |(rows, _)| rows),
            _ => self.help,
        }
    }
}

/// The commands of a place by group, as the help shows them: those of the place first, what works everywhere last.
#[must_use]
pub fn help_rows(place: Place, keys: &Bindings) -> Vec<(Group, Vec<&'static Row>)> {
    const GROUPS: &[Group] = &[
        Group::Move,
        Group::Find,
        Group::View,
        Group::Table,
        Group::Share,
        Group::Go,
        Group::Line,
        Group::Always,
    ];
    GROUPS
        .iter()
        .map(|group| {
            let rows = COMMANDS
                .iter()
                .filter(|row| {
                    row.group == *group && row.scopes.iter().any(|s| place.scopes().contains(s))
                })
                // A key that means something nearer here must not be promised for its wider meaning.
                .filter(|row| {
                    keys.of(row)
                        .into_iter()
                        .any(|key| works(place, keys, key, row.command))
                })
                .collect::<Vec<_>>();
            (*group, rows)
        })
        .filter(|(_, rows)| !rows.is_empty())
        .collect()
}

fn works(place: Place, keys: &Bindings, key: Key, command: Command) -> bool {
    keys.find(place, key)
        .is_some_and(|row| row.command == command)
}

#[cfg(test)]
mod tests {
    use crate::app::keys::command::{COMMANDS, Command};
    use crate::app::keys::context::Place;
    use crate::wording::wording;

    #[test]
    fn the_icicle_is_spoken_of_in_the_icicle_alone() {
        let mut wording = wording!();
        let told = |command, place| {
            COMMANDS
                .iter()
                .find(|row| row.command == command)
                .map(|row| row.help_at(place))
                .unwrap_or_default()
        };
        wording.add(told(Command::Down, Place::Icicle));
        for place in Place::ALL
            .iter()
            .filter(|place| !matches!(place, Place::Icicle | Place::Compare))
        {
            for row in COMMANDS.iter().filter(|row| {
                matches!(
                    row.command,
                    Command::Down | Command::Up | Command::First | Command::Last
                )
            }) {
                assert!(
                    !row.help_at(*place).contains("icicle"),
                    "{place:?}: {}",
                    row.help_at(*place)
                );
            }
        }
        wording.add(told(Command::Down, Place::Workers));
        wording.add(told(Command::Down, Place::Form));
        wording.add(told(Command::Left, Place::Workers));
        wording.add(told(Command::Open, Place::Workers));
        wording.add(told(Command::Open, Place::History));
    }
}
