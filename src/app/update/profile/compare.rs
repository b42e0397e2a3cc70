//! Opening and closing a comparison.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use std::sync::Arc;

use crate::app::core::dates::{clock, day_of, short_date};
use crate::app::core::ids::RequestId;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::screens::history::baseline::{reason, version};
use crate::app::screens::profile::compare::{CompareState, Sides};
use crate::app::screens::profile::compare_job::CompareSide;
use crate::app::screens::profile::display::Selection;
use crate::app::screens::profile::effect::Compared;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::requests;
use crate::model::cloudflare::{Capture, DefaultBaseline};
use crate::model::graph::ranking::Sort;
use crate::model::text::units::counted;

/// Compares the two marked captures, or what is selected or open with its default baseline; ends a comparison that is shown.
pub(crate) fn run(state: &mut State) -> Option<Effect> {
    let is_shown = |profile: &ProfileState| profile.compare.is_some();
    if state.screen == Screen::Profile && state.profile.as_ref().is_some_and(is_shown) {
        end(state);
        return None;
    }
    let pair = match state.screen {
        Screen::History => of_history(state),
        _ => of_profile(state),
    };
    match pair {
        Ok((base, new, which)) => {
            state.say(which);
            Some(requests::compare(state, base, new))
        }
        Err(why) => {
            state.warn(why);
            None
        }
    }
}

fn of_history(state: &State) -> Result<Sides, Message> {
    let history = &state.history;
    let marked = history.marked();
    let current = history.current().ok_or("There is no capture to compare.")?;
    match marked.as_slice() {
        [] => default_pair(state, current, kept(current)),
        [one] if one.path == current.path => default_pair(state, current, kept(current)),
        [one] => Ok(pair(one, current)),
        [one, other] => Ok(pair(one, other)),
        more => versions(more).ok_or_else(|| {
            message![
                format!("{} captures are marked: ", more.len()),
                "two can be compared, or several of two versions of one Worker; ",
                Command::Mark,
                " removes a mark.",
            ]
        }),
    }
}

/// Returns the captures of two versions of one target as two sides, the earlier version as the base. `None` if they are of
/// more versions, or of several targets.
fn versions(marked: &[&Capture]) -> Option<Sides> {
    let first = marked.first()?;
    let is_alike = |capture: &&&Capture| {
        let (one, other) = (capture.target(), first.target());
        (&one.worker, &one.object) == (&other.worker, &other.object)
            && capture.provenance.kind == first.provenance.kind
    };
    let id = |capture: &Capture| capture.target().version_id.clone();
    let is_first = |capture: &&&Capture| id(capture) == id(first);
    let (base, new): (Vec<&Capture>, Vec<&Capture>) = marked.iter().partition(is_first);
    let is_one = new.iter().all(|capture| id(capture) == id(new[0]));
    if new.is_empty() || !is_one || !marked.iter().all(|capture| is_alike(&capture)) {
        return None;
    }
    let rank = |side: &[&Capture]| {
        let number = side
            .iter()
            .find_map(|capture| capture.target().version_number);
        (
            number,
            side.iter()
                .map(|capture| capture.provenance.answered_at)
                .min(),
        )
    };
    let (base, new) = if rank(&base) <= rank(&new) {
        (base, new)
    } else {
        (new, base)
    };
    let name = |side: &[&Capture]| {
        let count = counted(side.len() as i128, "capture");
        format!(
            "{count} of {}",
            side[0].target().version_number.map_or_else(
                || version(side[0]).unwrap_or_default(),
                |number| format!("v{number}"),
            )
        )
    };
    let which = message![
        "The base: ",
        outside(name(&base)),
        "; compared with it: ",
        outside(name(&new)),
        ".",
    ];
    Some((several(&base), several(&new), which))
}

fn several(captures: &[&Capture]) -> CompareSide {
    match captures {
        [one] => kept(one),
        _ => CompareSide::Several(captures.iter().map(|capture| (*capture).clone()).collect()),
    }
}

fn of_profile(state: &State) -> Result<Sides, Message> {
    let profile = state
        .profile
        .as_ref()
        .ok_or("There is no profile to compare.")?;
    let open = CompareSide::Open(Box::new(profile.source.clone()));
    let here = profile.source.capture.as_ref();
    // One mark in the history names the other one; several were meant for something else.
    if let [marked] = state.history.marked().as_slice()
        && here.is_none_or(|capture| capture.path != marked.path)
    {
        let is_base = here
            .is_none_or(|capture| marked.provenance.answered_at <= capture.provenance.answered_at);
        let which = message![
            "Compared with ",
            outside(named(marked)),
            ", which is marked"
        ];
        return Ok(if is_base {
            (kept(marked), open, which.and("."))
        } else {
            (
                open,
                kept(marked),
                which.and(" and newer: this one is the base."),
            )
        });
    }
    match here {
        _ if !profile.source.members.is_empty() => Err(message![
            "Captures opened as one have no earlier one to compare with; ",
            Command::GoCaptures,
            " lists all, ",
            Command::Mark,
            " marks two.",
        ]),
        Some(capture) => default_pair(state, capture, open),
        None => Err(message![
            "A file has no earlier capture to compare with: mark one in the history (",
            Command::GoCaptures,
            ", ",
            Command::Mark,
            "), then press ",
            Command::Compare,
            " here.",
        ]),
    }
}

fn kept(capture: &Capture) -> CompareSide {
    CompareSide::Kept(Box::new(capture.clone()))
}

fn pair(one: &Capture, other: &Capture) -> Sides {
    let (base, new) = if one.provenance.answered_at <= other.provenance.answered_at {
        (one, other)
    } else {
        (other, one)
    };
    (
        kept(base),
        kept(new),
        message!["The older one is the base: ", outside(named(base)), "."],
    )
}

/// Returns the capture to compare with where none is named, and a word on which one that is.
fn default_pair(state: &State, capture: &Capture, new: CompareSide) -> Result<Sides, Message> {
    let Some((other, why)) = state.history.default_baseline(capture) else {
        let kind = capture
            .provenance
            .kind
            .map_or_else(|| "other".to_owned(), |kind| kind.to_string());
        return Err(message![
            format!("There is no earlier {kind} capture of "),
            outside(capture.target().worker.as_str()),
            " to compare with; ",
            Command::Capture,
            " captures another version, or both of a canary.",
        ]);
    };
    let which = message![
        "Compared with ",
        outside(named(other)),
        format!(": {}.", reason(why)),
    ];
    Ok(if why == DefaultBaseline::VersionAfter {
        (new, kept(other), which)
    } else {
        (kept(other), new, which)
    })
}

/// Returns a capture as a sentence names it: its version where known, its day and time.
fn named(capture: &Capture) -> String {
    let answered_at = capture.provenance.answered_at;
    let day = short_date(day_of(answered_at));
    let clock = clock(answered_at);
    let when = format!(
        "{} {}",
        day.trim_start(),
        clock.get(..5).unwrap_or_default()
    );
    let name = capture.keeping.title.clone().or_else(|| version(capture));
    name.map_or_else(
        || format!("the one of {when}"),
        |name| format!("{name} of {when}"),
    )
}

/// Shows a comparison, or updates the one that is shown. The open profile comes back when it ends.
pub(crate) fn on_compared(state: &mut State, id: RequestId, compared: Compared) {
    let Compared {
        base,
        new,
        view,
        normalise,
        width,
        comparison,
        assessment,
    } = compared;
    let reading = Arc::clone(&comparison.reading);
    let is_normalised = comparison.is_normalised();
    if state.profiles.opening == Some(id) {
        state.profiles.opening = None;
        let compare = CompareState::new(base, comparison, (normalise, width), state.screen)
            .judged(assessment);
        // Its values are changes: it opens on the function that changed most, which may have many frames.
        let largest = compare.most_changed();
        let mut profile = ProfileState::new(new, view, reading, state.size);
        if let Some(node) = largest.and_then(|frame| profile.heaviest_place(frame)) {
            profile.select(Selection::Node(node));
        }
        let selected = profile.selected_frame();
        profile.table.sort = Sort::SelfValue;
        profile.rank_rows(selected);
        profile.compare = Some(compare);
        if let Some(old) = state.profile.take().filter(|old| old.compare.is_none()) {
            state.profiles.suspended = Some(Box::new(old));
        }
        state.clear_overlays();
        state.profile = Some(profile);
        state.screen = Screen::Profile;
        if is_normalised {
            let which = state
                .notice
                .take()
                .map(|notice| notice.text.and(" "))
                .unwrap_or_default();
            state.say(
                which
                    .and("The windows differ, so values are normalized; ")
                    .and(Command::Normalise)
                    .and(" shows them as recorded."),
            );
        }
        return;
    }
    let Some(profile) = state
        .profile
        .as_mut()
        .filter(|profile| profile.pending == Some(id))
    else {
        return;
    };
    if let Some(back) = profile.compare.as_ref().map(|compare| compare.back) {
        let compare = CompareState::new(base, comparison, (normalise, width), back);
        profile.compare = Some(compare.judged(assessment));
        profile.take(view, reading);
    }
}

/// Returns to the screen where the comparison began.
pub(crate) fn end(state: &mut State) {
    let Some(compare) = state.profile.take().and_then(|profile| profile.compare) else {
        return;
    };
    state.profile = state.profiles.suspended.take().map(|suspended| *suspended);
    state.screen = if state.profile.is_none() {
        Screen::History
    } else {
        compare.back
    };
}
