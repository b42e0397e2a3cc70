//! What comes back from the runtime, each answer to its own request; late ones are dropped.

use crate::app::action::{Answer, Opened};
use crate::app::core::clock::Moment;
use crate::app::core::failure::{Failure, FailureKind, NextStep};
use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::overlays::Overlay;
use crate::app::screens::profile::display::Pane;
use crate::app::screens::profile::sandwich::SandwichState;
use crate::app::screens::profile::source::MapNames;
use crate::app::screens::profile::source_view::CodeState;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::{
    accounts, capture, compare, history, local_runtime, metrics, other_instances, overlays,
    preselect, traffic_wait, workers,
};

/// Takes an effect's answer.
pub(crate) fn answer(
    state: &mut State,
    id: RequestId,
    result: Result<Answer, Failure>,
    now: Moment,
) -> Vec<Effect> {
    match result {
        Ok(answer) => took(state, id, answer, now),
        Err(failure) if crate::app::update::objects::failed(state, id, &failure) => Vec::new(),
        // Newer figures that don't come leave the old ones, and the next turn.
        Err(failure) if state.workers.renewal.newer == Some(id) => {
            Vec::from_iter(metrics::came(state, Some(&failure), now))
        }
        Err(failure) if state.workers.figures.awaits(id) => {
            let next = metrics::came(state, Some(&failure), now);
            // Columns stay blank; the reason stands once in the title. Everything else works.
            if state.overlays.is_empty() && !matches!(state.workers.load, Load::Failed(_)) {
                state.warn(crate::app::screens::workers::metrics::describe(&failure));
            }
            state.workers.figures = Load::Failed(Box::new(failure));
            state.workers.without_figures();
            let mut wishes = Vec::from_iter(next);
            // The order of the rows is final now.
            if !state.workers.rows.is_empty() {
                wishes.extend(workers::rest(state, now.instant));
            }
            wishes
        }
        Err(failure) => failed(state, id, failure, now),
    }
}

fn took(state: &mut State, id: RequestId, answer: Answer, now: Moment) -> Vec<Effect> {
    match answer {
        Answer::Accounts { rows, total, last } => accounts::took(state, id, rows, total, last),
        Answer::Remembered => Vec::new(),
        Answer::Workers { rows, total, last } => {
            if !state.workers.load.awaits(id) {
                return Vec::new();
            }
            state.workers.add(rows, total, now.wall);
            let mut wishes = Vec::from_iter(accounts::proven(state));
            if last {
                state.workers.load = Load::Ready(());
                state.workers.complete();
                preselect::tell(state);
                wishes.extend(workers::keep(state));
            }
            let waits_for_traffic = matches!(state.workers.figures, Load::Running(_));
            // The row that will be on top is known once traffic is: its details are asked for then, once.
            if last && !waits_for_traffic {
                wishes.extend(workers::rest(state, now.instant));
            }
            wishes
        }
        Answer::KnownWorkers(rows, as_of) => {
            if state.workers.load.awaits(id) {
                state.workers.show_known(rows, as_of);
            }
            Vec::new()
        }
        Answer::Quota {
            remaining,
            limit,
            resets_in,
        } => {
            let until = resets_in.map(|time| now.instant + time);
            state.quota = Some(crate::app::core::rate_limit::Quota {
                remaining,
                limit,
                until,
            });
            Vec::new()
        }
        Answer::Objects(rows, next) => {
            crate::app::update::objects::took(state, id, rows, next);
            Vec::new()
        }
        Answer::LargestObjects(namespace, largest) => {
            crate::app::update::objects::took_largest(state, id, &namespace, &largest);
            Vec::new()
        }
        Answer::Due => metrics::due(state, id, now),
        Answer::Isolates(runtime) => {
            local_runtime::put(state, id, runtime, now.wall);
            Vec::new()
        }
        Answer::Nearby(found) => {
            if state.nearby.awaits(id) {
                state.nearby = found.map_or(Load::Idle, Load::Ready);
            }
            Vec::new()
        }
        Answer::Figures(figures) => {
            let first = state.workers.figures.awaits(id);
            if !first && state.workers.renewal.newer != Some(id) {
                return Vec::new();
            }
            state.workers.set_figures(figures, first);
            let mut wishes = Vec::from_iter(crate::app::update::metrics::came(state, None, now));
            wishes.extend(workers::keep(state));
            if first && !state.workers.rows.is_empty() {
                wishes.extend(workers::rest(state, now.instant));
            }
            wishes
        }
        Answer::Details(details) => {
            let details = *details;
            if crate::app::screens::workers::put_details(
                &mut state.workers,
                id,
                Ok(details.clone()),
                now.instant,
            ) && let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut()
                && state
                    .workers
                    .current()
                    .is_some_and(|w| w.name == form.worker)
            {
                form.take_details(details);
            }
            Vec::new()
        }
        Answer::Rested => workers::rested(state, id, now.instant),
        Answer::Captures(captures, warnings) => {
            if state.history.load.awaits(id) {
                state.history.put(captures, warnings);
            }
            Vec::new()
        }
        Answer::Amended(capture, amendment) => {
            history::amended(state, *capture, &amendment);
            Vec::new()
        }
        Answer::Deleted(capture, days) => {
            history::deleted(state, &capture, days);
            Vec::new()
        }
        Answer::BroughtBack(capture) => {
            history::brought_back(state, capture.map(|capture| *capture));
            Vec::new()
        }
        Answer::Stage(stage) => {
            capture::at_stage(state, id, stage, now.instant);
            Vec::new()
        }
        Answer::Queued { behind } => {
            capture::queued(state, id, behind);
            Vec::new()
        }
        Answer::Remark(remark) => {
            capture::remark(state, id, remark);
            Vec::new()
        }
        Answer::Kept(kept) => capture::kept(state, id, *kept, now.instant),
        Answer::Traffic(requests) => traffic_wait::looked(state, id, requests, now.instant),
        Answer::Elsewhere(found) => other_instances::took(state, id, found, now),
        Answer::Paths(typed, names) => {
            crate::app::update::path_completion::took(state, id, &typed, names);
            Vec::new()
        }
        Answer::Opened(opened) => match history::opened_for_export(state, id, *opened) {
            Some(opened) => open(state, id, opened, now),
            None => Vec::new(),
        },
        Answer::Read(view, reading) => {
            if let Some(profile) = &mut state.profile
                && profile.pending == Some(id)
            {
                let same_names = profile.view.by == view.by
                    && profile.reading.frames.len() == reading.frames.len();
                profile.take(*view, reading);
                // What was between its callers and callees is so still, under the new filters.
                let frame = profile
                    .sandwich
                    .take()
                    .map(|s| s.sandwich.frame)
                    .filter(|_| same_names);
                if let Some(frame) = frame {
                    return vec![state.slice(frame)];
                }
            }
            Vec::new()
        }
        Answer::Sandwich(sandwich) => {
            if let Some(profile) = state.profile.as_mut().filter(|p| p.slicing == Some(id)) {
                profile.slicing = None;
                profile.pane = Pane::Icicle;
                profile.sandwich = Some(SandwichState::new(sandwich));
            }
            Vec::new()
        }
        Answer::Compared(compared) => {
            compare::took(state, id, *compared);
            Vec::new()
        }
        Answer::Hints(list) => {
            if let Some(profile) = &mut state.profile {
                profile.hints.take(id, list);
            }
            Vec::new()
        }
        Answer::Lines(lines) => {
            if let Some(profile) = state.profile.as_mut().filter(|p| p.lines.awaits(id)) {
                profile.lines = Load::Ready(lines);
            }
            Vec::new()
        }
        Answer::Code(code) => {
            let size = state.size;
            if let Some(profile) = state
                .profile
                .as_mut()
                .filter(|profile| profile.coding == Some(id))
            {
                profile.coding = None;
                profile.code = Some(CodeState::new(code, size));
            }
            Vec::new()
        }
        Answer::Mapped(answer) => mapped(state, id, answer),
        Answer::Exported(path, made) => {
            if let Some(Overlay::Export(dialog)) = state.overlays.top() {
                if let Some(profile) = state.profile.as_mut().filter(|_| dialog.is_a_copy()) {
                    profile.saved(&path);
                }
                state.overlays.clear();
            }
            let made = made.map_or_else(String::new, |made| {
                format!("; the folder {} was made for it", made.display())
            });
            state.say(format!("Written: {}{made}", path.display()));
            Vec::new()
        }
        Answer::Exists(_) => {
            if let Some(Overlay::Export(dialog)) = state.overlays.top_mut() {
                dialog.exists = true;
            }
            Vec::new()
        }
        Answer::Copied(how) => {
            state.say(how);
            Vec::new()
        }
    }
}

/// Takes the names that a source map gave, or tells why it gave none.
fn mapped(state: &mut State, id: RequestId, answer: Result<Box<MapNames>, String>) -> Vec<Effect> {
    let next = state.fresh_id();
    let Some(profile) = state
        .profile
        .as_mut()
        .filter(|profile| profile.mapping == Some(id))
    else {
        return Vec::new();
    };
    profile.mapping = None;
    match answer {
        Ok(names) => {
            let told = names.told.clone();
            profile.adopt(*names);
            let asked = profile.ask(next);
            state.say(told);
            vec![asked]
        }
        Err(why) => {
            state.warn(why);
            Vec::new()
        }
    }
}

/// Shows a profile that was read; one that was captured in the background only announces itself.
fn open(state: &mut State, id: RequestId, opened: Opened, now: Moment) -> Vec<Effect> {
    // One that could be kept nowhere comes as it is.
    let captured = state.capturing.take_if(|c| c.id == id).is_some();
    if !captured && state.opening != Some(id) {
        return Vec::new();
    }
    let in_front =
        state.opening.take_if(|opening| *opening == id).is_some() || capture::is_watched(state);
    let refresh = state.fresh_id();
    let mut wishes = vec![state.history.ask(refresh)];
    if captured {
        wishes.extend(capture::next_waiting(state, now.instant));
    }
    if !in_front {
        hold(state, opened);
        return wishes;
    }
    let aside = state.aside.take().map(|aside| *aside);
    let old = state
        .profile
        .take()
        .filter(|old| old.compare.is_none())
        .or(aside);
    state.clear_overlays();
    state.open_at_once(opened);
    if let (Some(profile), Some(old)) = (&mut state.profile, &old) {
        profile.inherit(old, state.size);
    }
    state.hold(old);
    wishes
}

/// Holds a profile that could be kept nowhere while the user does something else, and says how to come to it.
fn hold(state: &mut State, opened: Opened) {
    let name = opened.name.clone();
    let (shown, screen, notice) = (state.profile.take(), state.screen, state.notice.take());
    state.open_at_once(opened);
    let held = std::mem::replace(&mut state.profile, shown);
    (state.screen, state.notice) = (screen, notice);
    state.hold(held);
    state.warn(message![
        outside(name),
        " is captured, but no folder could take it: ",
        Command::Quit,
        " asks first, and ",
        Command::Dismiss,
        " then shows it.",
    ]);
}

fn failed(state: &mut State, id: RequestId, mut failure: Failure, now: Moment) -> Vec<Effect> {
    if state.capturing.as_ref().is_some_and(|c| c.id == id) {
        return capture::failed(state, failure, now.instant);
    }
    if state
        .awaiting
        .as_ref()
        .is_some_and(|awaiting| awaiting.id == id)
    {
        return traffic_wait::failed(state, failure, now.instant);
    }
    failure.until = failure
        .retry_after
        .and_then(|wait| now.instant.checked_add(wait));
    failed_else(state, id, failure, now);
    Vec::new()
}

/// The failure of anything but a capture.
fn failed_else(state: &mut State, id: RequestId, failure: Failure, now: Moment) {
    if state.opening == Some(id) {
        state.opening = None;
        // Which two are compared is of no interest where they are not.
        state.notice = None;
        state.clear_overlays();
        state.overlays.open(Overlay::Failure(failure.with_step()));
        return;
    }
    if state.accounts.load.awaits(id) {
        return accounts_failed(state, id, failure);
    }
    if state.exporting == Some(id) {
        state.exporting = None;
        state.overlays.push(Overlay::Failure(failure.with_step()));
        return;
    }
    if state.workers.load.awaits(id) {
        let mut failure = failure;
        failure.again = Some(Box::new(Effect::ListWorkers(id)));
        failure.step.get_or_insert(NextStep::Again {
            offer: "ask for the list again".to_owned(),
        });
        state.workers.load = Load::Failed(Box::new(failure.clone()));
        if state.screen == Screen::Workers && state.overlays.is_empty() {
            state.overlays.open(Overlay::Failure(failure));
        }
        return;
    }
    if state.history.load.awaits(id) {
        state.history.load = Load::Failed(Box::new(failure));
        return;
    }
    if let Some(profile) = &mut state.profile
        && (profile.pending == Some(id) || profile.slicing == Some(id))
    {
        profile.give_up_pending();
        state.warn(failure.message);
        return;
    }
    let asked =
        |profile: &&mut ProfileState| profile.mapping == Some(id) || profile.coding == Some(id);
    if let Some(profile) = state.profile.as_mut().filter(asked) {
        (profile.mapping, profile.coding) = (None, None);
        state.warn(failure.message);
        return;
    }
    let message = failure.message.clone();
    if crate::app::screens::workers::put_details(
        &mut state.workers,
        id,
        Err(Box::new(failure.clone())),
        now.instant,
    ) {
        if let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut()
            && state
                .workers
                .current()
                .is_some_and(|w| w.name == form.worker)
        {
            form.miss_details(&failure);
        }
        return;
    }
    match failure.kind {
        FailureKind::File if matches!(state.overlays.top(), Some(Overlay::Export(_))) => {
            // What was chosen comes back when the message is closed.
            let offer = "choose another place or format".to_owned();
            let failure = Failure {
                step: Some(NextStep::Back { offer }),
                ..failure
            };
            overlays::push(state, Overlay::Failure(failure));
        }
        _ => state.warn(message),
    }
}

/// The accounts did not come: without one in force nothing can go on, else the line says so.
fn accounts_failed(state: &mut State, id: RequestId, mut failure: Failure) {
    state.accounts.load = Load::Failed(Box::new(failure.clone()));
    if !state.session.account_id.is_empty() {
        // The list that is open says why; else it has only been asked for a name.
        return;
    }
    failure.again = Some(Box::new(Effect::ListAccounts(id)));
    failure.step = Some(NextStep::Account {
        offer: "type the id of an account".to_owned(),
    });
    state.clear_overlays();
    state.overlays.open(Overlay::Failure(failure));
}
