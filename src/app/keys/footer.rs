//! What the last row says at each place, before the user's own keys are put in.

use std::borrow::Cow;

use crate::app::keys::context::Place;
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::Form;
use crate::app::screens::workers::Section;
use crate::app::screens::workers::details::DetailRow;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::model::graph::call_tree::NodeId;
use crate::model::text::sanitize::printable;

/// Letters of a filter that the last row repeats at most.
const REPEATED: usize = 16;

/// Whether keys of the last row lead anywhere in this state. They are told by their word, as the keys may be the user's own.
#[must_use]
pub(crate) fn leads_on(state: &State, place: Place, word: &str) -> bool {
    match (place, word) {
        (Place::Form, "serving version") => {
            form(state).is_some_and(|f| !f.is_local && (f.version > 0 || f.both))
        }
        // Both sides of a canary are captured once each.
        (Place::Form, "in a row") => form(state).is_some_and(|form| !form.both),
        (Place::Workers, "open" | "capture") => state.workers.current().is_some(),
        (Place::Workers, "pane") => !detail_rows(state).is_empty(),
        // A local runtime's isolates have no figures to be sorted by.
        (Place::Workers, "sort") => !state.is_local(),
        (Place::Code, "move") => {
            let code = state
                .profile
                .as_ref()
                .and_then(|profile| profile.code.as_ref());
            code.is_some_and(|code| code.last() > 1)
        }
        (
            Place::Icicle | Place::Table,
            "move" | "zoom" | "go there" | "focus" | "hide" | "both ways",
        ) => state
            .profile
            .as_ref()
            .is_some_and(|profile| profile.reading.tree.weight(NodeId::ROOT) > 0),
        (Place::AskQuit, "cancel the capture") => state.capturing.is_some(),
        (Place::History, "clear marks") => !state.history.marked.is_empty(),
        (_, "next match" | "clear search") => {
            let search = state
                .profile
                .as_ref()
                .and_then(|profile| profile.search.as_ref());
            search.is_some_and(|search| !search.query.text.is_empty())
        }
        (_, "undo filter") => state
            .profile
            .as_ref()
            .is_some_and(|profile| !profile.view.filters.is_empty()),
        _ => true,
    }
}

/// What the last row says of a key in this state, where that depends on more than the place.
#[must_use]
pub(crate) fn worded(state: &State, place: Place, word: &'static str) -> Cow<'static, str> {
    match (place, word) {
        (Place::History, "open") if state.history.marked.len() > 1 => {
            format!("open {} marked", state.history.marked.len()).into()
        }
        (Place::Workers, "open") => match state.workers.section {
            Section::Details(at) => match detail_rows(state).get(at) {
                Some(DetailRow::Version(_)) => "capture it".into(),
                Some(DetailRow::Namespace(_)) => "objects".into(),
                Some(DetailRow::Capture(_)) | None => word.into(),
            },
            Section::List => word.into(),
        },
        // Esc leaves the line as it was before it was opened.
        (Place::Filter | Place::Search, "drop") => match before(state) {
            Some(before) if before.chars().count() <= REPEATED => {
                format!("keep {}", printable(before)).into()
            }
            Some(_) => "leave as it was".into(),
            None => word.into(),
        },
        (Place::Note, "drop") if before(state).is_some() => "leave as it was".into(),
        _ => word.into(),
    }
}

/// What the line that is typed held when it was opened, if anything.
fn before(state: &State) -> Option<&str> {
    state
        .input
        .as_ref()
        .map(|input| input.before.as_str())
        .filter(|before| !before.is_empty())
}

fn form(state: &State) -> Option<&Form> {
    match state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => Some(form),
        _ => None,
    }
}

/// The keys of the last row as the table has them: key and word, the most useful first.
#[must_use]
pub(crate) fn footer(place: Place) -> &'static [(&'static str, &'static str)] {
    match place {
        Place::Welcome => &[
            ("d", "demo"),
            ("o", "open file"),
            ("R", "retry"),
            ("C", "history"),
            ("q", "quit"),
        ],
        Place::Workers => &[
            ("c", "capture"),
            ("enter", "open"),
            ("/", "filter"),
            ("s", "sort"),
            ("tab", "pane"),
            ("C", "history"),
            ("o", "open file"),
            ("A", "account"),
            ("T", "theme"),
            ("q", "quit"),
        ],
        Place::History => &[
            ("enter", "open"),
            ("esc", "clear marks"),
            ("/", "filter"),
            ("s", "sort"),
            ("space", "mark"),
            ("d", "compare"),
            ("e", "export"),
            ("r", "rename"),
            ("a", "note"),
            ("p", "pin"),
            ("X", "delete"),
            ("u", "undo"),
            ("w", "Workers"),
            ("c", "capture again"),
            ("q", "quit"),
        ],
        Place::Icicle => &[
            ("hjkl", "move"),
            ("enter", "zoom"),
            ("bksp", "out"),
            ("n N", "next match"),
            ("esc", "clear search"),
            ("u", "undo filter"),
            ("/", "search"),
            ("tab", "table"),
            ("f", "focus"),
            ("x", "hide"),
            ("b", "callers"),
            ("d", "compare"),
            ("e", "export"),
            ("B", "both ways"),
            ("H", "hints"),
            ("t", "layout"),
            ("w", "Workers"),
        ],
        Place::Code => &[
            ("jk", "move"),
            ("n", "costly line"),
            ("/", "search"),
            ("y", "copy line"),
            ("h l", "left and right"),
            ("v", "close"),
        ],
        Place::Sandwich => &[
            ("hjkl", "move"),
            ("enter", "go there"),
            ("B", "back"),
            ("/", "search"),
            ("f", "focus"),
            ("x", "hide"),
            ("y", "copy name"),
            ("e", "export"),
            ("w", "Workers"),
        ],
        Place::Table => &[
            ("jk", "move"),
            ("enter", "go there"),
            ("n N", "next match"),
            ("esc", "clear search"),
            ("u", "undo filter"),
            ("/", "search"),
            ("s", "sort"),
            ("p", "rows by"),
            ("tab", "icicle"),
            ("f", "focus"),
            ("x", "hide"),
            ("e", "export"),
            ("w", "Workers"),
        ],
        Place::Compare => &[
            ("hjkl", "move"),
            ("enter", "zoom"),
            ("bksp", "out"),
            ("n N", "next match"),
            ("esc", "clear search"),
            ("u", "undo filter"),
            ("d", "end"),
            ("=", "totals"),
            ("W", "width"),
            ("/", "search"),
            ("tab", "table"),
            ("f", "focus"),
            ("x", "hide"),
            ("t", "layout"),
        ],
        Place::CompareTable => &[
            ("jk", "move"),
            ("enter", "go there"),
            ("n N", "next match"),
            ("esc", "clear search"),
            ("u", "undo filter"),
            ("d", "end"),
            ("=", "totals"),
            ("W", "width"),
            ("/", "search"),
            ("s", "sort"),
            ("p", "rows by"),
            ("tab", "icicle"),
        ],
        Place::Form => &[
            ("enter", "start"),
            ("j k", "field"),
            ("h l", "change"),
            ("v", "serving version"),
            ("+ -", "in a row"),
            ("esc", "cancel"),
        ],
        Place::FormText => &[
            ("enter", "start"),
            ("tab", "field"),
            ("up down", "field"),
            ("esc", "cancel"),
        ],
        Place::Capturing => &[
            ("esc x", "cancel: what was sampled is lost"),
            ("b", "go on working meanwhile"),
        ],
        Place::Awaiting => &[
            ("esc x", "give up: nothing was sent"),
            ("b", "go on working meanwhile"),
        ],
        Place::Failure => &[
            ("enter", "next step"),
            ("R", "again"),
            ("y", "copy"),
            ("esc", "back"),
        ],
        Place::FailureOnce => &[("enter", "next step"), ("y", "copy"), ("esc", "back")],
        Place::Export => &[
            ("enter", "write"),
            ("j k", "field"),
            ("h l", "change"),
            ("space", "view or whole"),
            ("esc", "cancel"),
        ],
        Place::ExportText => &[("enter", "write"), ("tab", "field"), ("esc", "cancel")],
        Place::Help => &[
            ("esc", "close"),
            ("j k", "scroll"),
            ("/", "search"),
            (":", "every command"),
            ("q", "quit"),
        ],
        Place::Picker => &[
            ("enter", "choose"),
            ("j k", "move"),
            ("/", "filter"),
            ("esc", "leave as it was"),
        ],
        Place::Objects => &[
            ("enter", "capture it"),
            ("up down", "move"),
            ("tab", "by CPU or memory"),
            ("esc", "close"),
        ],
        Place::Accounts => &[
            ("enter", "choose"),
            ("up down", "move"),
            ("esc", "leave as it was"),
        ],
        Place::Palette => &[("enter", "run"), ("up down", "move"), ("esc", "close")],
        Place::Hints => &[
            ("1-9", "go there"),
            ("j k", "move"),
            ("enter", "go there"),
            ("y", "copy text"),
            ("H", "close"),
        ],
        Place::Details => &[("esc", "close"), ("j k", "scroll"), ("y", "copy name")],
        Place::AskQuit => &[("q", "leave"), ("x", "cancel the capture"), ("esc", "stay")],
        Place::Line => &[("enter", "open"), ("tab", "complete"), ("esc", "drop")],
        Place::Note => &[("enter", "keep"), ("esc", "drop")],
        Place::Filter => &[("enter", "keep"), ("esc", "drop"), ("up down", "move")],
        Place::Search => &[
            ("enter", "keep"),
            ("esc", "drop"),
            ("up down", "next"),
            ("tab", "mode"),
        ],
    }
}
