//! Lists to choose from: commands, themes, accounts, Durable Objects.

use std::sync::Arc;

use crate::app::keys::command::{COMMANDS, Command, Scope};
use crate::model::cloudflare::{Account, Kind, Object, id32, object_id64, short};
use crate::model::text::fuzzy;

/// A row of a picker.
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
    /// The title.
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

/// Returns what the list of objects is called: by what they are ordered.
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

    /// Returns the accounts whose name or id fits what was typed, best first, with `chosen` chosen where it is among them. An id
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
            items.extend(typed_account(typed).map(PickerItem::Account));
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

    /// Returns the objects whose name or id holds what was typed, in their order, with `chosen` chosen where it is among them. A
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
            items.extend(typed_object(typed).map(PickerItem::Object));
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
                .extend(typed_object(typed).map(PickerItem::Object));
        }
        self.selected = 0;
        self.held = Some(typed.to_owned());
    }

    /// Returns the chosen object, where objects are chosen from.
    #[must_use]
    pub fn object(&self) -> Option<&Object> {
        match self.items.get(self.selected)? {
            PickerItem::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the chosen account, where accounts are chosen from.
    #[must_use]
    pub fn account(&self) -> Option<&Account> {
        match self.items.get(self.selected)? {
            PickerItem::Account(account) => Some(account),
            _ => None,
        }
    }

    /// Returns the themes, with the one in force chosen. Without colours all of them look alike, which the title says.
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

/// Returns the account that a whole id stands for: a narrow token may use an account that it can't list.
fn typed_account(text: &str) -> Option<Account> {
    id32(text).ok().map(|id| Account {
        name: format!("account {}", short(&id)),
        id,
    })
}

/// Returns the object that a whole id stands for, where the list has none that matches: it can't be checked here.
fn typed_object(text: &str) -> Option<Arc<Object>> {
    let unknown = Object {
        id: object_id64(text).ok()?,
        name: None,
        has_stored_data: None,
        cpu_seconds: None,
        memory_p99: None,
        version_id: None,
    };
    Some(Arc::new(unknown))
}
