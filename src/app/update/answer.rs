//! What comes back from the runtime, each answer to its own request; late ones are dropped.

use super::keeping;
use crate::app::action::{Answer, Opened};
use crate::app::state::Moment;
use crate::app::{
    Effect, Failure, FailureKind, Front, Load, NextStep, Origin, Pane, RequestId, SandwichState, Screen, Stage, State,
    accounts, capture, compare, traffic, workers,
};

/// Takes an effect's answer.
pub(super) fn answer(state: &mut State, id: RequestId, result: Result<Answer, Failure>, now: Moment) -> Vec<Effect> {
    match result {
        Ok(answer) => took(state, id, answer, now),
        // Newer figures that don't come leave the old ones, and the next turn.
        Err(failure) if state.workers.traffic.newer == Some(id) => {
            Vec::from_iter(traffic::came(state, Some(&failure), now))
        }
        Err(failure) if state.workers.figures.awaits(id) => {
            let next = traffic::came(state, Some(&failure), now);
            // Columns stay blank; the reason stands once in the title. Everything else works.
            state.workers.figures = Load::Failed(Box::new(failure));
            state.workers.without_figures();
            Vec::from_iter(next)
        }
        Err(failure) => {
            failed(state, id, failure, now);
            Vec::new()
        }
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
        Answer::Quota { remaining, limit, resets_in } => {
            let until = resets_in.map(|time| now.instant + time);
            state.quota = Some(crate::app::Quota { remaining, limit, until });
            Vec::new()
        }
        Answer::Due => traffic::due(state, id, now),
        Answer::Figures(figures) => {
            let first = state.workers.figures.awaits(id);
            if !first && state.workers.traffic.newer != Some(id) {
                return Vec::new();
            }
            state.workers.set_figures(figures, first);
            let mut wishes = Vec::from_iter(traffic::came(state, None, now));
            wishes.extend(workers::keep(state));
            if first && !state.workers.rows.is_empty() {
                wishes.extend(workers::rest(state, now.instant));
            }
            wishes
        }
        Answer::Details(details) => {
            let details = *details;
            if workers::put_details(&mut state.workers, id, Ok(details.clone()), now.instant)
                && let Some(Front::Form(form)) = &mut state.front
                && state.workers.current().is_some_and(|w| w.name == form.worker)
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
            keeping::amended(state, *capture, &amendment);
            Vec::new()
        }
        Answer::Deleted(capture, days) => {
            keeping::deleted(state, &capture, days);
            Vec::new()
        }
        Answer::BroughtBack(capture) => {
            keeping::brought_back(state, capture.map(|capture| *capture));
            Vec::new()
        }
        Answer::Stage(stage) => {
            if let Some(running) = state.capturing.as_mut().filter(|c| c.id == id) {
                running.stage = stage;
            }
            Vec::new()
        }
        Answer::Kept(kept) => {
            if let Some(running) = state.capturing.as_mut().filter(|c| c.id == id) {
                running.stage = Stage::Open;
            }
            state.history.put_one(*kept);
            Vec::new()
        }
        Answer::Opened(opened) => match keeping::opened_for_export(state, id, *opened) {
            Some(opened) => open(state, id, opened),
            None => Vec::new(),
        },
        Answer::Read(view, reading) => {
            if let Some(profile) = &mut state.profile
                && profile.pending == Some(id)
            {
                let same_names = profile.view.by == view.by && profile.reading.frames.len() == reading.frames.len();
                profile.take(*view, reading);
                // What was between its callers and callees is so still, under the new filters.
                let frame = profile.sandwich.take().map(|s| s.sandwich.frame).filter(|_| same_names);
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
        Answer::Exported(path) => {
            if matches!(state.front, Some(Front::Export(_))) {
                state.front = None;
            }
            state.say(format!("Written: {}", path.display()));
            Vec::new()
        }
        Answer::Exists(_) => {
            if let Some(Front::Export(dialog)) = &mut state.front {
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

/// Shows a profile that was read; one that was captured in the background only announces itself.
fn open(state: &mut State, id: RequestId, opened: Opened) -> Vec<Effect> {
    let captured = state.capturing.as_ref().is_some_and(|c| c.id == id);
    if !captured && state.opening != Some(id) {
        return Vec::new();
    }
    let waits = match (&state.front, &state.beneath) {
        (Some(Front::Capturing | Front::AskQuit), _) => true,
        // Reading the keys is waiting too; whoever types or chooses is not to be interrupted.
        (Some(Front::Help(_)), Some(Front::Capturing)) => true,
        _ => false,
    };
    let in_front = state.opening == Some(id) || waits;
    if captured {
        state.capturing = None;
    } else {
        state.opening = None;
    }
    let refresh = state.fresh_id();
    let wishes = vec![state.history.ask(refresh)];
    if !in_front {
        state.say(format!("{} is captured; C shows it among the captures.", opened.name));
        return wishes;
    }
    let aside = state.aside.take().map(|aside| *aside);
    let old = state.profile.take().filter(|old| old.compare.is_none()).or(aside);
    (state.front, state.beneath, state.input) = (None, None, None);
    state.open_at_once(opened);
    if let (Some(profile), Some(old)) = (&mut state.profile, old) {
        profile.inherit(&old, state.size);
    }
    wishes
}

fn failed(state: &mut State, id: RequestId, failure: Failure, now: Moment) {
    if state.capturing.as_ref().is_some_and(|c| c.id == id) {
        return capture::failed(state, failure);
    }
    if state.opening == Some(id) {
        state.opening = None;
        (state.front, state.beneath, state.input) = (Some(Front::Failure(failure)), None, None);
        return;
    }
    if state.accounts.load.awaits(id) {
        return accounts_failed(state, id, failure);
    }
    if state.exporting == Some(id) {
        state.exporting = None;
        state.front = Some(Front::Failure(failure));
        return;
    }
    if state.workers.load.awaits(id) {
        let mut failure = failure;
        failure.again = Some(Box::new(Effect::ListWorkers(id)));
        failure.step.get_or_insert(NextStep::Again { offer: "ask for the list again".to_owned() });
        state.workers.load = Load::Failed(Box::new(failure.clone()));
        if state.screen == Screen::Workers && state.front.is_none() {
            state.front = Some(Front::Failure(failure));
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
    let message = failure.message.clone();
    if workers::put_details(&mut state.workers, id, Err(Box::new(failure.clone())), now.instant) {
        return;
    }
    match failure.kind {
        FailureKind::File if matches!(state.front, Some(Front::Export(_))) => {
            state.front = Some(Front::Failure(failure))
        }
        _ => state.warn(message),
    }
}

/// The accounts did not come: without one in force nothing can go on, else the line says so.
fn accounts_failed(state: &mut State, id: RequestId, mut failure: Failure) {
    state.accounts.load = Load::Failed(Box::new(failure.clone()));
    if !state.session.account_id.is_empty() {
        return state.warn(format!("The accounts did not come: {}", failure.message));
    }
    failure.again = Some(Box::new(Effect::ListAccounts(id)));
    failure.step = Some(NextStep::Account { offer: "type the id of an account".to_owned() });
    (state.front, state.beneath, state.input) = (Some(Front::Failure(failure)), None, None);
}

/// What `R` does in a failure's sheet: the same request under a new number.
pub(super) fn again(state: &mut State, failure: Failure, now: Moment) -> Vec<Effect> {
    match failure.again.map(|effect| *effect) {
        Some(Effect::Capture(_, request, note)) => capture::send(state, *request, *note, now.instant),
        Some(Effect::ListAccounts(_)) => vec![accounts::ask(state)],
        Some(Effect::ListWorkers(_)) if state.session.origin != Origin::Offline => workers::ask(state),
        Some(Effect::OpenFile(_, path)) => {
            let id = state.fresh_id();
            state.opening = Some(id);
            vec![Effect::OpenFile(id, path)]
        }
        Some(Effect::OpenCapture(_, capture)) => {
            let id = state.fresh_id();
            state.opening = Some(id);
            vec![Effect::OpenCapture(id, capture)]
        }
        _ => Vec::new(),
    }
}

/// Does what a failure's sheet offers first.
pub(super) fn next_step(state: &mut State, failure: Failure, now: Moment) -> Vec<Effect> {
    match (&failure.step, failure.again.as_deref()) {
        (Some(NextStep::ServingVersion { .. }), Some(Effect::Capture(_, request, _))) => {
            let details = state.workers.details_of(&request.worker).cloned().unwrap_or_default();
            let mut form =
                crate::app::Form::new(request.worker.clone(), details, state.workers.rate_of(&request.worker));
            form.kind = request.kind;
            form.window =
                crate::app::WINDOWS.iter().position(|s| *s == request.window.as_secs()).unwrap_or(form.window);
            form.choose_serving();
            state.front = Some(Front::Form(form));
            Vec::new()
        }
        (Some(NextStep::Again { .. }), _) => again(state, failure, now),
        (Some(NextStep::Account { .. }), _) => accounts::open(state),
        _ => Vec::new(),
    }
}
