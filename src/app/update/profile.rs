//! Commands that only a profile has.

use crate::app::effect::Effect;
use crate::app::interpret::{behind, is_offered};
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::overlays::Overlay;
use crate::app::overlays::export_dialog::ExportDialog;
use crate::app::screens::profile::compare::CompareState;
use crate::app::screens::profile::display::{ColourBy, PercentBase};
use crate::app::screens::profile::search::Search;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::commands::copy;
use crate::app::update::{compare, hints, overlays};
use crate::model::graph::icicle::Order;
use crate::model::query::filter::Filter;
use crate::model::query::search::{Mode, Query};

/// Goes to the next match, heaviest first.
pub(super) fn next_match(state: &mut State, backwards: bool) {
    let Some(profile) = &mut state.profile else {
        return;
    };
    let zoom = profile.zoom;
    let Some(search) = &mut profile.search else {
        return;
    };
    match search.step(&profile.reading, zoom, backwards) {
        Some(node) => {
            let place = search.place();
            let (search, zooms) = (profile.search.take(), profile.zoom);
            profile.go_to(node);
            profile.search = search;
            if profile.zoom != zooms
                && let Some(search) = &mut profile.search
            {
                search.set_zoom(&profile.reading, profile.zoom);
                profile.rank_rows(profile.selected_frame());
            }
            if let Some((at, of)) = place {
                state.say(format!("match {at} of {of}, heaviest first"));
            }
        }
        None => state.say("No frame matches here."),
    }
}

/// What keys mean while the code of a function is shown; `None`: it is not.
fn in_code(state: &mut State, command: Command, times: u32) -> Option<Vec<Effect>> {
    let size = state.size;
    let profile = state.profile.as_mut()?;
    let code = profile.code.as_mut()?;
    match command {
        Command::NextMatch | Command::PreviousMatch => {
            let mut said = String::new();
            for _ in 0..times.min(1_000) {
                said = code.next(command == Command::PreviousMatch, size);
            }
            state.say(said);
        }
        Command::CloseSource => profile.code = None,
        _ => {}
    }
    Some(Vec::new())
}

/// What the keys for zooming and for the other panes mean between callers and callees; `None`: what they always mean.
fn in_sandwich(state: &mut State, command: Command) -> Option<Vec<Effect>> {
    let profile = state.profile.as_mut()?;
    let frame = profile.selected_frame();
    let Some(sandwich) = &profile.sandwich else {
        if command == Command::Sandwich {
            return Some(frame.map_or_else(Vec::new, |frame| vec![state.slice(frame)]));
        }
        return None;
    };
    match command {
        Command::ZoomIn => {
            let other = frame.filter(|frame| *frame != sandwich.sandwich.frame);
            Some(other.map_or_else(Vec::new, |frame| vec![state.slice(frame)]))
        }
        Command::Sandwich | Command::ZoomOut | Command::ShowWhole | Command::Layout => {
            profile.sandwich = None;
            Some(Vec::new())
        }
        // There is no table beside it, nor a zoom that matches could be brought into.
        Command::TableLarger
        | Command::TableSmaller
        | Command::NextMatch
        | Command::PreviousMatch => Some(Vec::new()),
        _ => None,
    }
}

/// Commands that only a profile has.
pub(super) fn in_profile(state: &mut State, command: Command, times: u32) -> Vec<Effect> {
    use Command as C;
    let compares = state
        .profile
        .as_ref()
        .is_some_and(|profile| profile.compare.is_some());
    if compares && !is_offered(behind(state), command) {
        // Its reading is one of changes, which hints and the like would take for values.
        return Vec::new();
    }
    if let Some(wishes) = in_code(state, command, times) {
        return wishes;
    }
    if let Some(wishes) = in_sandwich(state, command) {
        return wishes;
    }
    match command {
        C::NextMatch | C::PreviousMatch => {
            if state.profile.as_ref().is_some_and(|p| p.search.is_none()) {
                state.say(message![
                    "No search yet: ",
                    C::Search,
                    " starts one, ",
                    C::SearchSelected,
                    " searches for the selected function.",
                ]);
            }
            for _ in 0..times.min(1_000) {
                next_match(state, command == C::PreviousMatch);
            }
            return Vec::new();
        }
        C::Export => {
            if let Some(dialog) = state.profile.as_ref().map(ExportDialog::new) {
                state.overlays.open(Overlay::Export(dialog));
            }
            return Vec::new();
        }
        C::Details => {
            let id = state.fresh_id();
            let asked = state
                .profile
                .as_mut()
                .and_then(|profile| profile.ask_lines(id));
            overlays::push(state, Overlay::Details(0));
            return asked.into_iter().collect();
        }
        C::SourceView => {
            let id = state.fresh_id();
            let Some(profile) = &mut state.profile else {
                return Vec::new();
            };
            return match profile.ask_code(id) {
                Ok(asked) => vec![asked],
                Err(why) => {
                    state.say(why);
                    Vec::new()
                }
            };
        }
        C::LoadMap => {
            crate::app::update::prompt::type_map(state);
            return Vec::new();
        }
        C::OriginalNames => {
            let id = state.fresh_id();
            let Some(profile) = &mut state.profile else {
                return Vec::new();
            };
            let Some(said) = profile.turn_names() else {
                state.say(message![
                    "No source map is loaded; ",
                    C::LoadMap,
                    " loads one.",
                ]);
                return Vec::new();
            };
            let asked = profile.ask(id);
            state.say(said);
            return vec![asked];
        }
        C::NextHint => return hints::next(state),
        C::AllHints => {
            hints::all(state);
            return Vec::new();
        }
        C::GoToHint => {
            return match state.overlays.top() {
                Some(&Overlay::Hints(at)) => hints::go_to(state, at),
                _ => Vec::new(),
            };
        }
        C::CopyCommand => {
            let command = state.profile.as_ref().and_then(ProfileState::command);
            if command.is_none() {
                state.say("What came from standard input has no command that shows it again.");
            }
            return copy(state, command);
        }
        C::CopyStack => {
            let stack = state.profile.as_ref().map(|p| p.stack().join("\n"));
            return copy(state, stack);
        }
        _ => {}
    }
    let Some(profile) = &mut state.profile else {
        return Vec::new();
    };
    let mut said: Option<Message> = None;
    let reads = match command {
        C::ZoomIn => {
            profile.zoom_in();
            false
        }
        C::GoToFrame => {
            if let Some(frame) = profile.table.current().map(|row| row.frame) {
                profile.show_in_icicle(frame, state.size);
            }
            false
        }
        C::ZoomOut => {
            for _ in 0..times {
                if !profile.zoom_out() {
                    if profile.compare.is_some() {
                        compare::end(state);
                        return Vec::new();
                    }
                    said = Some("This is the whole capture.".into());
                    break;
                }
            }
            false
        }
        C::ShowWhole => {
            profile.show_whole();
            false
        }
        C::Layout => {
            said = Some(profile.next_shape(state.size).into());
            false
        }
        C::TableLarger | C::TableSmaller => {
            let step = if command == C::TableLarger { 1 } else { -1 };
            profile.make_larger(step * i16::try_from(times).unwrap_or(1));
            false
        }
        C::Order => {
            profile.order = if profile.order == Order::Weight {
                Order::Name
            } else {
                Order::Weight
            };
            profile.only = None;
            profile.lay_out();
            false
        }
        C::Colours => {
            profile.colours = match profile.colours {
                ColourBy::Name => ColourBy::Package,
                ColourBy::Package => ColourBy::SelfShare,
                ColourBy::SelfShare => ColourBy::Name,
            };
            false
        }
        C::PercentBase => {
            profile.percent_base = match profile.percent_base {
                PercentBase::Capture => PercentBase::Zoom,
                PercentBase::Zoom => PercentBase::Shown,
                PercentBase::Shown => PercentBase::Capture,
            };
            profile.rank_rows(profile.selected_frame());
            said = Some(format!("percentages {}", profile.base().1).into());
            false
        }
        C::SearchSelected => {
            if let Some(frame) = profile.selected_frame() {
                let text = profile.reading.frames.name(frame).to_owned();
                let query = Query {
                    text,
                    mode: Mode::Substring,
                };
                profile.search = Some(Search::new(query, &profile.reading, profile.zoom));
                profile.table.filter(profile.search.as_ref(), Some(frame));
            }
            false
        }
        C::Focus | C::Ignore | C::Hide | C::ShowFrom => {
            let set = profile.add_filter(match command {
                C::Focus => Filter::Focus,
                C::Ignore => Filter::Ignore,
                C::Hide => Filter::Hide,
                _ => Filter::ShowFrom,
            });
            said = (!set).then(|| profile.why_no_filter());
            set
        }
        C::UndoFilter => {
            let undone = profile.undo_filter();
            if !undone {
                said = Some("No filter is set.".into());
            }
            undone
        }
        C::ClearFilters => profile.clear_filters(),
        C::FoldRecursion => {
            profile.view.fold_recursion = !profile.view.fold_recursion;
            true
        }
        C::ShowIdle => {
            profile.view.hide_idle = !profile.view.hide_idle;
            true
        }
        C::SampleType => {
            let more = profile.next_sample_type();
            if !more {
                said = Some("This profile has one sample type only.".into());
            }
            more
        }
        C::Normalise => profile
            .compare
            .as_mut()
            .is_some_and(CompareState::switch_totals),
        C::Width => profile
            .compare
            .as_mut()
            .is_some_and(CompareState::next_width),
        C::RowsBy => {
            profile.next_identity();
            true
        }
        C::BottomUp => {
            profile.turn();
            true
        }
        _ => false,
    };
    let id = state.fresh_id();
    let mut wishes = Vec::new();
    if reads && let Some(profile) = &mut state.profile {
        wishes.push(profile.ask(id));
    }
    if let Some(said) = said {
        state.say(said);
    }
    wishes
}
