//! Writing profiles and screenshots to files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::effect::{Effect, ExportEffect, ExportJob, ScreenshotJob};
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::load::failure::{Failure, FailureKind, NextStep};
use crate::app::overlays::Overlay;
use crate::app::overlays::export_dialog::ExportField;
use crate::app::overlays::export_dialog::format::Format;
use crate::app::screens::profile::compare::CompareState;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;

/// Runs a command of the export dialog.
pub(crate) fn run(state: &mut State, command: Command, now: Moment) -> Option<Effect> {
    match command {
        Command::WriteExport => return write(state, now),
        Command::CopyExport => return copy(state, now),
        _ => {}
    }
    if let Some(Overlay::Export(dialog)) = state.overlays.top_mut() {
        dialog.toggle_whole();
    }
    None
}

fn write(state: &mut State, now: Moment) -> Option<Effect> {
    let id = state.fresh_id();
    let Some(Overlay::Export(dialog)) = state.overlays.top_mut() else {
        return None;
    };
    if dialog.path.text.trim().is_empty() {
        dialog.field = ExportField::File;
        return None;
    }
    if let Err(why) = dialog.settle() {
        state.say(why);
        return None;
    }
    let (format, overwrite) = (dialog.chosen(), dialog.exists);
    let path = dialog.path.text.trim().into();
    let effect = if format.is_screen() {
        ExportEffect::Screenshot(ScreenshotJob {
            format,
            path,
            overwrite,
        })
    } else {
        let (whole, anonymous) = (dialog.whole, dialog.anonymous);
        let job = job(state, now, format)?;
        ExportEffect::File(Box::new(ExportJob {
            whole,
            anonymous,
            path,
            overwrite,
            ..job
        }))
    };
    state.profiles.last_format = Some(format);
    Some(Effect::Export(id, effect))
}

/// Copies what the dialog would write, if it is text.
fn copy(state: &mut State, now: Moment) -> Option<Effect> {
    let Some(Overlay::Export(dialog)) = state.overlays.top() else {
        return None;
    };
    let (format, whole, anonymous) = (dialog.chosen(), dialog.whole, dialog.anonymous);
    if !format.is_text() {
        let name = format.name();
        state.say(message![
            format!("A clipboard can't take {name}; "),
            Command::WriteExport,
            " writes it.",
        ]);
        return None;
    }
    let job = ExportJob {
        whole,
        anonymous,
        ..job(state, now, format)?
    };
    state.profiles.last_format = Some(format);
    state.overlays.clear();
    let id = state.fresh_id();
    Some(Effect::Export(id, ExportEffect::Copy(Box::new(job))))
}

/// Copies the report of what is shown.
pub(crate) fn copy_report(state: &mut State, now: Moment) -> Option<Effect> {
    let job = job(state, now, Format::Report)?;
    let id = state.fresh_id();
    Some(Effect::Export(id, ExportEffect::Copy(Box::new(job))))
}

/// Returns the open profile's view as a job: named, not written anywhere yet.
fn job(state: &State, now: Moment, format: Format) -> Option<ExportJob> {
    let profile = state.profile.as_ref()?;
    let context = profile
        .tells_hints()
        .then(|| requests::context(state, profile, now));
    Some(ExportJob {
        format,
        whole: false,
        anonymous: false,
        path: PathBuf::new(),
        overwrite: false,
        source: profile.source.clone(),
        view: profile.read_view.clone(),
        reading: Arc::clone(&profile.reading),
        root: profile.zoom,
        command: profile.portable_command(),
        since: profile.headline.since.clone(),
        context,
        compared: profile.compare.as_ref().map(CompareState::export_job),
    })
}

/// A file was written, and perhaps a folder created for it.
pub(crate) fn on_written(state: &mut State, path: &Path, created: Option<&Path>) {
    if let Some(Overlay::Export(dialog)) = state.overlays.top() {
        if let Some(profile) = state.profile.as_mut().filter(|_| dialog.is_a_copy()) {
            profile.saved(path);
        }
        state.overlays.clear();
    }
    let written = message!["Written: ", outside(path.to_string_lossy())];
    state.say(match created {
        Some(folder) => message![
            written,
            "; the folder ",
            outside(folder.to_string_lossy()),
            " was made for it"
        ],
        None => written,
    });
}

/// The file exists already: only the next confirmation replaces it.
pub(crate) fn on_exists(state: &mut State) {
    if let Some(Overlay::Export(dialog)) = state.overlays.top_mut() {
        dialog.exists = true;
    }
}

/// The file could not be written. The choices come back when the message is closed.
pub(crate) fn on_failure(
    state: &mut State,
    _: RequestId,
    failure: Failure,
    _: Moment,
) -> Result<Outcome, Failure> {
    let is_export = matches!(state.overlays.top(), Some(Overlay::Export(_)));
    if failure.kind != FailureKind::File || !is_export {
        return Err(failure);
    }
    state.push_overlay(Overlay::Failure(Failure {
        step: Some(NextStep::Back("choose another place or format".into())),
        ..failure
    }));
    Ok(Outcome::default())
}
