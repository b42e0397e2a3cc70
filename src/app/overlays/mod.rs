//! What can stand in front of a screen, and lists to choose from.

pub(crate) mod account_picker;
pub(crate) mod capture_form;
pub(crate) mod export_dialog;
pub(crate) mod object_picker;
pub(crate) mod path_completion;
pub(crate) mod traffic_wait;

use std::sync::Arc;

use crate::app::core::failure::Failure;
use crate::app::keys::command::Command;
use crate::app::keys::command::{COMMANDS, Row, Scope};
use crate::app::keys::context::Place;
use crate::app::overlays::capture_form::Form;
use crate::app::overlays::export_dialog::ExportDialog;
use crate::model::cloudflare::{Account, Kind, Object};
use crate::model::text::fuzzy;

/// What stands in front of a screen.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// The capture form.
    CaptureForm(Form),
    /// The countdown of the running capture.
    CaptureProgress,
    /// A capture that is sent once there is traffic.
    TrafficWait,
    /// Something went wrong.
    Failure(Failure),
    /// The export sheet.
    Export(ExportDialog),
    /// The keys that work here.
    Help(HelpSheet),
    /// A list to choose from.
    Picker(Picker),
    /// The selected frame's whole name and figures; the first line shown.
    Details(usize),
    /// All hints of the profile; the selected one.
    Hints(usize),
    /// Whether to leave although a capture runs.
    ConfirmQuit,
}

impl Overlay {
    /// Whether it comes back when what was opened over it is closed: a question must not cost a filled form.
    const fn comes_back(&self) -> bool {
        match self {
            Self::CaptureForm(_)
            | Self::CaptureProgress
            | Self::TrafficWait
            | Self::Failure(_)
            | Self::Export(_) => true,
            Self::Help(_)
            | Self::Picker(_)
            | Self::Details(_)
            | Self::Hints(_)
            | Self::ConfirmQuit => false,
        }
    }
}

/// What stands in front of a screen, one over the other. The keys are those of the top one, and only it is drawn.
#[derive(Debug, Clone, Default)]
pub struct Overlays(Vec<Overlay>);

impl Overlays {
    /// Returns the one in front, `None` if nothing hides the screen.
    #[must_use]
    pub fn top(&self) -> Option<&Overlay> {
        self.0.last()
    }

    /// Returns the one in front, to be changed.
    pub fn top_mut(&mut self) -> Option<&mut Overlay> {
        self.0.last_mut()
    }

    /// Returns the one that comes back when the one in front is closed.
    #[must_use]
    pub fn beneath(&self) -> Option<&Overlay> {
        self.0.iter().nth_back(1)
    }

    /// Returns the one that comes back when the one in front is closed, to be changed.
    pub fn beneath_mut(&mut self) -> Option<&mut Overlay> {
        self.0.iter_mut().nth_back(1)
    }

    /// Whether nothing stands in front of the screen.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Opens one in place of all that are open.
    pub fn open(&mut self, overlay: Overlay) {
        self.0.clear();
        self.0.push(overlay);
    }

    /// Opens one over the one in front, or in its place if that one doesn't come back.
    pub fn push(&mut self, overlay: Overlay) {
        self.0.pop_if(|top| !top.comes_back());
        self.0.push(overlay);
    }

    /// Closes the one in front and returns it.
    pub fn close(&mut self) -> Option<Overlay> {
        self.0.pop()
    }

    /// Closes all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The keys that work here, as far as they are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelpSheet {
    /// The first row shown.
    pub row: usize,
    /// What is looked for; empty: everything is shown.
    pub filter: String,
}

impl HelpSheet {
    /// Whether a command fits what is looked for: a part of its name, its help or one of its keys.
    #[must_use]
    pub fn fits(&self, row: &Row, place: Place, keys: &str) -> bool {
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        has(row.name)
            || has(&row.name.replace('-', " "))
            || has(row.help_at(place))
            || keys.split(' ').any(|key| key == self.filter)
    }
}

/// What a picker's row stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum PickerItem {
    /// A command, from the palette.
    Command(Command),
    /// A theme.
    Theme(String),
    /// An account.
    Account(Account),
    /// A Durable Object; shared, as there may be a hundred thousand.
    Object(Arc<Object>),
}

/// A list to choose from.
#[derive(Debug, Clone)]
pub struct Picker {
    /// The sheet's title.
    pub title: &'static str,
    /// What can be chosen now.
    pub items: Vec<PickerItem>,
    /// How many there are without the filter.
    pub all: usize,
    /// The chosen row.
    pub selected: usize,
    /// What was in force before, for a preview that is given up.
    pub before: Option<String>,
    /// Of objects, the text that those listed hold.
    held: Option<String>,
}

/// Whether an object's name or id holds a text.
fn holds(object: &Object, typed: &str, lower: &str) -> bool {
    object.id.contains(lower)
        || object
            .name
            .as_deref()
            .is_some_and(|name| name.contains(typed))
}

/// What the list of objects is called: by what they are ordered.
const fn objects_title(order: Kind) -> &'static str {
    match order {
        Kind::Cpu => "Durable Objects, most CPU first",
        Kind::Heap => "Durable Objects, most memory first",
    }
}

impl Picker {
    /// Every command whose name or help fits what was typed: those that work here first, the best of each first.
    #[must_use]
    pub fn commands(typed: &str, works: impl Fn(Command) -> bool) -> Self {
        let rows: Vec<_> = COMMANDS
            .iter()
            .filter(|row| row.command != Command::Palette)
            .collect();
        let mut fitting: Vec<_> = rows
            .iter()
            .filter_map(|row| {
                let by_name = fuzzy::fuzzy(&row.name.replace('-', " "), typed);
                let by_help = fuzzy::fuzzy(row.help, typed).map(|score| score / 2);
                Some((by_name.max(by_help)?, row.command))
            })
            .collect();
        // What works everywhere is known soonest, and comes after what is for this place alone.
        let everywhere = |command| {
            rows.iter()
                .any(|row| row.command == command && row.scopes.contains(&Scope::Any))
        };
        fitting.sort_by_key(|&(score, command)| {
            (
                !works(command),
                std::cmp::Reverse(score),
                everywhere(command),
            )
        });
        Self {
            title: "Commands",
            items: fitting
                .into_iter()
                .map(|(_, command)| PickerItem::Command(command))
                .collect(),
            all: rows.len(),
            selected: 0,
            before: None,
            held: None,
        }
    }

    /// The accounts whose name or id fits what was typed, best first, with `chosen` chosen where it is among them. An id
    /// that none of them has can be taken all the same: a narrow token may use an account that it can't list.
    #[must_use]
    pub fn accounts(known: &[Account], typed: &str, chosen: Option<&str>) -> Self {
        let mut fitting: Vec<(i64, &Account)> = known
            .iter()
            .filter_map(|account| {
                let by_id = account
                    .id
                    .contains(&typed.to_ascii_lowercase())
                    .then_some(0);
                Some((fuzzy::fuzzy(&account.name, typed).max(by_id)?, account))
            })
            .collect();
        fitting.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let mut items: Vec<_> = fitting
            .into_iter()
            .map(|(_, account)| PickerItem::Account(account.clone()))
            .collect();
        if items.is_empty() {
            items.extend(
                crate::app::overlays::account_picker::typed(typed).map(PickerItem::Account),
            );
        }
        let place = |id: &str| {
            items
                .iter()
                .position(|item| matches!(item, PickerItem::Account(a) if a.id == id))
        };
        let selected = chosen.and_then(place).unwrap_or(0);
        Self {
            title: "Account",
            items,
            all: known.len(),
            selected,
            before: None,
            held: None,
        }
    }

    /// The objects whose name or id holds what was typed, in their order, with `chosen` chosen where it is among them. A
    /// whole id that none of them has can be taken all the same.
    #[must_use]
    pub fn objects(known: &[Arc<Object>], typed: &str, chosen: Option<&str>, order: Kind) -> Self {
        let lower = typed.to_ascii_lowercase();
        let fits = |object: &&Arc<Object>| typed.is_empty() || holds(object, typed, &lower);
        let mut items: Vec<_> = known
            .iter()
            .filter(fits)
            .cloned()
            .map(PickerItem::Object)
            .collect();
        if items.is_empty() {
            items.extend(crate::app::overlays::object_picker::typed(typed));
        }
        let place = |id: &str| {
            items
                .iter()
                .position(|item| matches!(item, PickerItem::Object(o) if o.id == id))
        };
        let selected = chosen.and_then(place).unwrap_or(0);
        let title = objects_title(order);
        Self {
            title,
            items,
            all: known.len(),
            selected,
            before: None,
            held: Some(typed.to_owned()),
        }
    }

    /// Whether objects for this text are among those that are listed.
    #[must_use]
    pub fn narrows(&self, typed: &str, order: Kind) -> bool {
        self.title == objects_title(order)
            && self
                .held
                .as_deref()
                .is_some_and(|held| typed.starts_with(held))
    }

    /// Leaves those of the listed objects that hold what was typed; the first one is chosen.
    pub fn narrow_objects(&mut self, typed: &str) {
        let lower = typed.to_ascii_lowercase();
        self.items.retain(
            |item| matches!(item, PickerItem::Object(object) if holds(object, typed, &lower)),
        );
        if self.items.is_empty() {
            self.items
                .extend(crate::app::overlays::object_picker::typed(typed));
        }
        self.selected = 0;
        self.held = Some(typed.to_owned());
    }

    /// The chosen object, where objects are chosen from.
    #[must_use]
    pub fn object(&self) -> Option<&Object> {
        match self.items.get(self.selected)? {
            PickerItem::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The chosen account, where accounts are chosen from.
    #[must_use]
    pub fn account(&self) -> Option<&Account> {
        match self.items.get(self.selected)? {
            PickerItem::Account(account) => Some(account),
            _ => None,
        }
    }

    /// The themes, with the one in force chosen. Without colours all of them look alike, which the title says.
    #[must_use]
    pub fn themes(known: &[String], current: &str, colourless: bool) -> Self {
        Self {
            title: if colourless {
                "Theme, all alike without colours"
            } else {
                "Theme"
            },
            items: known.iter().cloned().map(PickerItem::Theme).collect(),
            all: known.len(),
            selected: known.iter().position(|name| name == current).unwrap_or(0),
            before: Some(current.to_owned()),
            held: None,
        }
    }

    /// The themes whose names fit what was typed, with the one in force chosen if it is among them.
    pub fn narrow_themes(&mut self, known: &[String], current: &str, typed: &str) {
        let fits = |name: &&String| fuzzy::fuzzy(name, typed).is_some();
        let fitting: Vec<String> = known.iter().filter(fits).cloned().collect();
        self.selected = fitting.iter().position(|name| name == current).unwrap_or(0);
        self.items = fitting.into_iter().map(PickerItem::Theme).collect();
    }

    /// Moves the choice, without going round.
    pub fn step(&mut self, by: isize) {
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.items.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(overlays: &Overlays) -> Vec<&'static str> {
        let name = |overlay: &Overlay| match overlay {
            Overlay::CaptureProgress => "progress",
            Overlay::TrafficWait => "wait",
            Overlay::Help(_) => "help",
            Overlay::ConfirmQuit => "quit",
            _ => "other",
        };
        overlays.0.iter().map(name).collect()
    }

    #[test]
    fn what_holds_work_comes_back_from_under_all_that_was_opened_over_it() {
        let mut overlays = Overlays::default();
        overlays.push(Overlay::TrafficWait);
        overlays.push(Overlay::CaptureProgress);
        overlays.push(Overlay::Help(HelpSheet::default()));
        overlays.push(Overlay::ConfirmQuit);
        assert_eq!(names(&overlays), ["wait", "progress", "quit"]);
        assert!(matches!(overlays.beneath(), Some(Overlay::CaptureProgress)));
        assert!(matches!(overlays.close(), Some(Overlay::ConfirmQuit)));
        assert!(matches!(overlays.close(), Some(Overlay::CaptureProgress)));
        assert!(matches!(overlays.top(), Some(Overlay::TrafficWait)));
        assert!(overlays.beneath().is_none());
    }

    #[test]
    fn opening_one_leaves_no_other() {
        let mut overlays = Overlays::default();
        overlays.push(Overlay::TrafficWait);
        overlays.open(Overlay::CaptureProgress);
        assert_eq!(names(&overlays), ["progress"]);
        overlays.clear();
        assert!(overlays.is_empty() && overlays.top().is_none());
    }
}
