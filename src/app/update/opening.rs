//! Opening things: the capture form, captures, the written export.

use std::time::Duration;

use crate::app::core::clock::Moment;
use crate::app::core::load::Load;
use crate::app::core::session::{Origin, Screen};
use crate::app::effect::{Effect, ExportJob, PictureJob};
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::Form;
use crate::app::overlays::export_dialog::ExportField;
use crate::app::screens::profile::compare::CompareState;
use crate::app::screens::profile::source::Part;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::Section;
use crate::app::screens::workers::details::DetailRow;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::app::update::{
    hints, local_runtime, objects, other_instances, overlays, preselect, workers,
};
use crate::model::cloudflare::Kind;

/// Opens the capture form for what is selected.
pub(in crate::app) fn open_form(state: &mut State, now: Moment) -> Vec<Effect> {
    if state.session.origin == Origin::Offline {
        state.warn(
            "A capture needs a Cloudflare account: set CLOUDFLARE_API_TOKEN and start again.",
        );
        return Vec::new();
    }
    if state.screen == Screen::Workers
        && let Some(missing) = preselect::missing(state)
    {
        state.warn(missing);
        return Vec::new();
    }
    if state.is_local() {
        return local_runtime::open_form(state);
    }
    let worker = match state.screen {
        Screen::Workers => state.workers.current().map(|w| w.name.clone()),
        Screen::History => state.history.current().map(|c| c.worker.clone()),
        _ => state
            .profile
            .as_ref()
            .and_then(|p| p.source.common(|capture| Some(capture.worker.clone()))),
    };
    let Some(at) = worker
        .as_ref()
        .and_then(|name| state.workers.rows.iter().position(|w| w.name == *name))
    else {
        let text = preselect::without_worker(state, worker.as_deref());
        state.warn(text);
        return Vec::new();
    };
    let worker = state.workers.rows[at].clone();
    // What runs or is waited for comes back by the same key.
    if state
        .capturing
        .as_ref()
        .is_some_and(|running| running.request.worker == worker.name)
    {
        state.overlays.open(Overlay::CaptureProgress);
        return Vec::new();
    }
    if state
        .awaiting
        .as_ref()
        .is_some_and(|awaiting| awaiting.worker() == worker.name)
    {
        state.overlays.open(Overlay::TrafficWait);
        return Vec::new();
    }
    if worker.deployed_on.is_none() {
        state.warn(format!(
            "{} was never deployed: there is nothing to capture.",
            worker.name
        ));
        return Vec::new();
    }
    let known = state.workers.details_of(&worker.name).cloned();
    let asks = known.is_none();
    let mut form = Form::new(
        worker.name.clone(),
        known.unwrap_or_default(),
        state.workers.figures_of(&worker.name),
    );
    (form.kind, form.window) = (state.settings.kind, state.settings.window_place());
    match (state.screen, state.workers.section) {
        (Screen::Workers, Section::Details(at)) => match detail_rows(state).get(at) {
            Some(DetailRow::Version(chosen)) => {
                form.version = form
                    .details
                    .versions
                    .iter()
                    .position(|v| v.id == chosen.id)
                    .unwrap_or(0);
                form.suggest_kind();
            }
            Some(DetailRow::Namespace(chosen)) => {
                let place = form
                    .details
                    .namespaces
                    .iter()
                    .position(|n| n.namespace.id == chosen.namespace.id);
                if let Some(place) = place {
                    form.choose_class(place);
                }
            }
            _ => {}
        },
        (Screen::Workers, Section::List) => form.suggest_kind(),
        (Screen::History, _) => {
            form.kind = state
                .history
                .current()
                .and_then(|c| c.kind)
                .unwrap_or(Kind::Cpu)
        }
        (Screen::Profile, _) => {
            form.kind = state.profile.as_ref().map_or(Kind::Cpu, ProfileState::kind)
        }
        _ => {}
    }
    state.overlays.open(Overlay::CaptureForm(form));
    if let Some(place) = state.workers.order.iter().position(|&row| row == at) {
        state.workers.select(place);
    }
    let mut wishes = if asks {
        workers::ask_details(state, now.instant)
    } else {
        Vec::new()
    };
    wishes.push(other_instances::ask(state, Duration::ZERO));
    wishes.extend(objects::want_largest(state));
    wishes
}

pub(super) fn open(state: &mut State, now: Moment) -> Vec<Effect> {
    if let Some(Overlay::Picker(_)) = state.overlays.top() {
        // A theme is in force since it was previewed.
        overlays::close(state);
        let theme = state.theme.name.clone();
        if state.settings.colourless {
            state.say(
                "Nothing changes: no colours are sent (NO_COLOR, or this terminal has none), so all themes look alike."
                    .to_owned(),
            );
            return Vec::new();
        }
        if let Some(said_by) = &state.theme.said_by {
            // What was written down is not overridden by a key.
            state.say(format!(
                "Until you leave: {said_by} says otherwise for each start."
            ));
            return Vec::new();
        }
        state.say(format!("{theme} it is, from now on."));
        return vec![Effect::RememberTheme(state.fresh_id(), theme)];
    }
    let marked: Vec<Part> = state
        .history
        .marked()
        .into_iter()
        .map(|capture| Part::Kept(Box::new(capture.clone())))
        .collect();
    if state.screen == Screen::History && marked.len() > 1 {
        // They have served: the next Enter is about the selected row again.
        state.history.marked.clear();
        let id = state.fresh_id();
        state.opening = Some(id);
        return vec![Effect::OpenMerged(id, marked)];
    }
    let capture = match state.screen {
        Screen::History => state.history.current().cloned(),
        Screen::Workers => match state.workers.section {
            Section::List if preselect::missing(state).is_some() => {
                let missing = preselect::missing(state).unwrap_or_default();
                state.warn(missing);
                return Vec::new();
            }
            Section::List => {
                let known = state
                    .workers
                    .current_details()
                    .is_some_and(|l| matches!(l, Load::Ready(_) | Load::Running(_)));
                if !known && !state.is_local() {
                    // Walking has not asked for them: this does.
                    return workers::ask_details(state, now.instant);
                }
                if !detail_rows(state).is_empty() {
                    state.workers.section = Section::Details(0);
                } else if state.is_local() {
                    return open_form(state, now);
                }
                return Vec::new();
            }
            Section::Details(at) => match detail_rows(state).get(at) {
                Some(DetailRow::Capture(capture)) => Some((*capture).clone()),
                Some(DetailRow::Namespace(class)) => {
                    let class = (*class).clone();
                    return objects::open(state, &class);
                }
                Some(_) => return open_form(state, now),
                None => None,
            },
        },
        _ => None,
    };
    let Some(capture) = capture else {
        return Vec::new();
    };
    let id = state.fresh_id();
    state.opening = Some(id);
    vec![Effect::OpenCapture(id, Box::new(capture))]
}

pub(super) fn write_export(state: &mut State, now: Moment) -> Vec<Effect> {
    let id = state.fresh_id();
    let context = state
        .profile
        .as_ref()
        .filter(|profile| profile.tells_hints())
        .map(|p| hints::context(state, p, now));
    let (Some(Overlay::Export(dialog)), Some(profile)) = (state.overlays.top_mut(), &state.profile)
    else {
        return Vec::new();
    };
    if dialog.path.text.trim().is_empty() {
        dialog.field = ExportField::File;
        return Vec::new();
    }
    if let Err(told) = dialog.settle() {
        state.say(told);
        return Vec::new();
    }
    let (format, path, overwrite) = (
        dialog.chosen(),
        dialog.path.text.trim().into(),
        dialog.exists,
    );
    if format.is_screen() {
        return vec![Effect::Picture(
            id,
            PictureJob {
                format,
                path,
                overwrite,
            },
        )];
    }
    let job = ExportJob {
        format,
        whole: dialog.whole,
        anonymous: dialog.anonymous,
        path,
        overwrite,
        profile: std::sync::Arc::clone(&profile.source.profile),
        view: profile.read_view.clone(),
        reading: std::sync::Arc::clone(&profile.reading),
        root: profile.zoom,
        target: profile.source.target(),
        taken: profile.taken_at(),
        command: profile.command(),
        context,
        compared: profile.compare.as_ref().map(CompareState::export_job),
    };
    vec![Effect::Export(id, Box::new(job))]
}
