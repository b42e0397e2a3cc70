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

/// Commands in one row of a profile's help, and in short what they do, in order.
type Pair = (&'static [Command], &'static str);

/// The groups of a profile's help, which is one page on any screen: three at the left, three at the right.
const PAGE: [(&str, &[Pair]); 6] = {
    use Command as C;
    [
        (
            "Walk",
            &[
                (
                    &[C::Left, C::Down, C::Up, C::Right],
                    "left, callee, caller, right",
                ),
                (&[C::First, C::Last], "root, deepest frame"),
                (&[C::HalfPageDown, C::HalfPageUp], "half a page down, up"),
                (&[C::PageDown, C::PageUp], "a page down, up"),
                (&[C::NextPane], "next pane"),
                (&[C::ZoomIn, C::GoToFrame], "zoom, or go to the frame"),
                (&[C::ZoomOut, C::ShowWhole], "zoom out or back, all"),
            ],
        ),
        (
            "Find",
            &[
                (&[C::Search, C::SearchSelected], "search, selected function"),
                (&[C::NextMatch, C::PreviousMatch], "next, previous match"),
                (&[C::NextHint, C::AllHints], "next hint, all hints"),
            ],
        ),
        (
            "Filter",
            &[
                (&[C::Focus, C::Ignore], "focus, ignore"),
                (
                    &[C::Hide, C::ShowFrom, C::OwnCode],
                    "hide, show from, own code",
                ),
                (&[C::FoldRecursion, C::ShowIdle], "fold recursion, idle"),
                (
                    &[C::UndoFilter, C::ClearFilters],
                    "undo last filter, clear all",
                ),
            ],
        ),
        (
            "View",
            &[
                (
                    &[C::Layout, C::TableLarger, C::TableSmaller],
                    "layout, table height",
                ),
                (&[C::BottomUp, C::Sandwich], "bottom-up, sandwich"),
                (&[C::Order, C::Sort, C::SortReverse], "order, sort, reverse"),
                (&[C::RowsBy, C::Colours], "rows by, colour by"),
                (&[C::SampleType, C::PercentBase], "sample type, base of %"),
                (&[C::Details, C::SourceView], "details, code"),
                (&[C::LoadMap, C::OriginalNames], "source map, names"),
                (&[C::ViewBack, C::ViewForward], "view before, after"),
                (&[C::Normalise, C::Width], "totals, widths"),
            ],
        ),
        (
            "Share",
            &[
                (&[C::Capture, C::Compare], "capture, compare"),
                (&[C::Export, C::CopyCommand], "export, copy command"),
                (&[C::CopyName, C::CopyReport], "copy name, report"),
            ],
        ),
        (
            "Go",
            &[
                (&[C::GoWorkers, C::GoCaptures], "Workers, history"),
                (
                    &[C::ChooseAccount, C::OpenFile, C::ChooseTheme],
                    "account, file, theme",
                ),
                (&[C::Palette, C::Dismiss], "all commands, close"),
                (&[C::Quit, C::Suspend], "quit, to the shell"),
                (&[C::Interrupt, C::Redraw], "stop what runs, redraw"),
            ],
        ),
    ]
};

/// A heading with its rows: keys, and what they do.
pub type HelpGroup = (&'static str, Vec<(String, &'static str)>);

/// Returns the help of a profile's context on one page: six groups of keys in pairs; `None` for other contexts.
#[must_use]
pub fn help_page(context: KeyContext, keys: &Bindings) -> Option<Vec<HelpGroup>> {
    use KeyContext as K;
    if !matches!(
        context,
        K::Icicle | K::Table | K::Compare | K::CompareTable | K::Sandwich
    ) {
        return None;
    }
    let key = |command: &Command| {
        let row = COMMANDS.iter().find(|row| row.command == *command)?;
        let first = keys.of(row).into_iter().next()?;
        works(context, keys, first, *command).then(|| keys.name(*command))
    };
    let groups = PAGE.iter().map(|(title, pairs)| {
        let rows = pairs.iter().filter_map(|(commands, words)| {
            let names: Vec<String> = commands.iter().filter_map(key).collect();
            (!names.is_empty()).then(|| (names.join(" "), *words))
        });
        (*title, rows.collect())
    });
    Some(groups.collect())
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
