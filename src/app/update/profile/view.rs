//! Changing how a profile is shown: zoom, layout, filters, identity, direction.

use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::Message;
use crate::app::screens::profile::compare::CompareState;
use crate::app::screens::profile::display::{ColourBy, PercentBase};
use crate::app::screens::profile::search::Search;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::profile::compare;
use crate::app::update::requests;
use crate::model::graph::icicle::Order;
use crate::model::query::filter::{Filter, Pattern};
use crate::model::query::search::{Mode, Query};

/// Runs a command that changes what is shown, and requests the view if it has to be computed again.
pub(crate) fn change(state: &mut State, command: Command, times: u32) -> Option<Effect> {
    let size = state.size;
    let profile = state.profile.as_mut()?;
    if let Some((is_changed, said)) = change_view(profile, command) {
        if let Some(said) = said {
            state.say(said);
        }
        return if is_changed {
            requests::view(state)
        } else {
            None
        };
    }
    let said = match command {
        Command::ZoomOut => {
            let is_root = (0..times).any(|_| !profile.zoom_out());
            if is_root && profile.compare.is_some() {
                compare::end(state);
                return None;
            }
            is_root.then(|| "This is the whole capture.".into())
        }
        _ => change_display(profile, command, times, size),
    };
    if let Some(said) = said {
        state.say(said);
    }
    None
}

/// Changes what the view is computed of. Returns whether that has changed, and what to say; `None` for other commands.
fn change_view(profile: &mut ProfileState, command: Command) -> Option<(bool, Option<Message>)> {
    use Command as C;
    let is_changed = match command {
        C::Focus => return Some(add_filter(profile, Filter::Focus)),
        C::Ignore => return Some(add_filter(profile, Filter::Ignore)),
        C::Hide => return Some(add_filter(profile, Filter::Hide)),
        C::ShowFrom => return Some(add_filter(profile, Filter::ShowFrom)),
        C::OwnCode => return Some((profile.toggle_own_code(), None)),
        C::UndoFilter => {
            let is_undone = profile.undo_filter();
            return Some((is_undone, (!is_undone).then(|| "No filter is set.".into())));
        }
        C::SampleType => {
            let is_next = profile.next_sample_type();
            let said = (!is_next).then(|| "This profile has one sample type only.".into());
            return Some((is_next, said));
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
        _ => return None,
    };
    Some((is_changed, None))
}

fn add_filter(profile: &mut ProfileState, make: fn(Pattern) -> Filter) -> (bool, Option<Message>) {
    let is_set = profile.add_filter(make);
    (is_set, (!is_set).then(|| profile.why_no_filter()))
}

/// Changes how the same values are shown. Returns what to say.
fn change_display(
    profile: &mut ProfileState,
    command: Command,
    times: u32,
    size: (u16, u16),
) -> Option<Message> {
    use Command as C;
    match command {
        C::ZoomIn => profile.zoom_in(),
        C::ShowWhole => profile.show_whole(),
        C::GoToFrame => {
            let frame = profile.table.current()?.frame;
            profile.show_in_icicle(frame, size);
        }
        C::Layout => return Some(profile.next_shape(size).into()),
        C::TableLarger | C::TableSmaller => {
            let step = if command == C::TableLarger { 1 } else { -1 };
            profile.make_larger(step * i16::try_from(times).unwrap_or(1));
        }
        C::Order => {
            profile.order = if profile.order == Order::Weight {
                Order::Name
            } else {
                Order::Weight
            };
            profile.only = None;
            profile.lay_out();
        }
        C::Colours => {
            profile.colours = match profile.colours {
                ColourBy::Name => ColourBy::Package,
                ColourBy::Package => ColourBy::SelfShare,
                ColourBy::SelfShare => ColourBy::Name,
            };
        }
        C::PercentBase => {
            profile.percent_base = match profile.percent_base {
                PercentBase::Capture => PercentBase::Zoom,
                PercentBase::Zoom => PercentBase::Shown,
                PercentBase::Shown => PercentBase::Capture,
            };
            profile.rank_rows(profile.selected_frame());
            return Some(format!("percentages {}", profile.base().1).into());
        }
        C::SearchSelected => {
            let frame = profile.selected_frame()?;
            let query = Query {
                text: profile.reading.frames.info(frame).identity(),
                mode: Mode::Function,
            };
            profile.search = Some(Search::new(query, &profile.reading, profile.zoom));
            profile.table.filter(profile.search.as_ref(), Some(frame));
        }
        _ => {}
    }
    None
}
