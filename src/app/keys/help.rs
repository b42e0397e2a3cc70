//! What the help says of a command: at a context that it means one thing, not all that it means anywhere.

use crate::app::keys::command::COMMANDS;
use crate::app::keys::command::Group;
use crate::app::keys::command::{Command, Row};
use crate::app::keys::context::KeyContext;
use crate::app::keys::key::Key;
use crate::app::keys::keymap::Bindings;

impl Row {
    /// Returns what the command does at a context, in one line.
    #[must_use]
    pub fn help_at(&self, context: KeyContext) -> &'static str {
        let on_choices = matches!(context, KeyContext::Form | KeyContext::Export);
        match (self.command, context) {
            (Command::Down, KeyContext::Icicle | KeyContext::Compare) => "The heaviest callee",
            (Command::Up, KeyContext::Icicle | KeyContext::Compare) => "The caller",
            (Command::First, KeyContext::Icicle | KeyContext::Compare) => "The root",
            (Command::Last, KeyContext::Icicle | KeyContext::Compare) => {
                "The deepest frame that is drawn"
            }
            (Command::Left, KeyContext::Icicle | KeyContext::Compare) => "Frame to the left",
            (Command::Right, KeyContext::Icicle | KeyContext::Compare) => "Frame to the right",
            (Command::Down, _) if on_choices => "Next field",
            (Command::Up, _) if on_choices => "Previous field",
            (Command::Left, _) if on_choices => "Value to the left",
            (Command::Right, _) if on_choices => "Value to the right",
            (Command::Left, KeyContext::Workers) => "Pane to the left",
            (Command::Right, KeyContext::Workers) => "Pane to the right",
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
            (Command::Open, KeyContext::History) => self.help,
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

/// Returns the commands of a context by group, as the help shows them: those of the context first, what works everywhere last.
#[must_use]
pub fn help_rows(context: KeyContext, keys: &Bindings) -> Vec<(Group, Vec<&'static Row>)> {
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
                    row.group == *group && row.scopes.iter().any(|s| context.scopes().contains(s))
                })
                // A key that means something nearer here must not be promised for its wider meaning.
                .filter(|row| {
                    keys.of(row)
                        .into_iter()
                        .any(|key| works(context, keys, key, row.command))
                })
                .collect::<Vec<_>>();
            (*group, rows)
        })
        .filter(|(_, rows)| !rows.is_empty())
        .collect()
}

fn works(context: KeyContext, keys: &Bindings, key: Key, command: Command) -> bool {
    keys.find(context, key)
        .is_some_and(|row| row.command == command)
}

#[cfg(test)]
mod tests {
    use crate::app::keys::command::{COMMANDS, Command};
    use crate::app::keys::context::KeyContext;
    use crate::wording::wording;

    #[test]
    fn the_icicle_is_spoken_of_in_the_icicle_alone() {
        let mut wording = wording!();
        let help = |command, context| {
            COMMANDS
                .iter()
                .find(|row| row.command == command)
                .map(|row| row.help_at(context))
                .unwrap_or_default()
        };
        wording.add(help(Command::Down, KeyContext::Icicle));
        for context in KeyContext::ALL
            .iter()
            .filter(|context| !matches!(context, KeyContext::Icicle | KeyContext::Compare))
        {
            for row in COMMANDS.iter().filter(|row| {
                matches!(
                    row.command,
                    Command::Down | Command::Up | Command::First | Command::Last
                )
            }) {
                assert!(
                    !row.help_at(*context).contains("icicle"),
                    "{context:?}: {}",
                    row.help_at(*context)
                );
            }
        }
        wording.add(help(Command::Down, KeyContext::Workers));
        wording.add(help(Command::Down, KeyContext::Form));
        wording.add(help(Command::Left, KeyContext::Workers));
        wording.add(help(Command::Open, KeyContext::Workers));
        wording.add(help(Command::Open, KeyContext::History));
    }
}
