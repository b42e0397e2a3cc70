//! Writing profiles and screenshots to files.

use std::path::Path;
use std::sync::Arc;

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::effect::{Effect, ExportEffect, ExportJob, ScreenshotJob};
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::load::failure::{Failure, FailureKind, NextStep};
use crate::app::overlays::Overlay;
use crate::app::overlays::export_dialog::ExportField;
use crate::app::screens::profile::compare::CompareState;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;

/// Runs a command of the export dialog.
pub(crate) fn run(state: &mut State, command: Command, now: Moment) -> Option<Effect> {
    if command == Command::WriteExport {
        return write(state, now);
    }
    if let Some(Overlay::Export(dialog)) = state.overlays.top_mut() {
        dialog.toggle_whole();
    }
    None
}

fn write(state: &mut State, now: Moment) -> Option<Effect> {
    let id = state.fresh_id();
    let context = state
        .profile
        .as_ref()
        .filter(|profile| profile.tells_hints())
        .map(|profile| requests::context(state, profile, now));
    let (Some(Overlay::Export(dialog)), Some(profile)) = (state.overlays.top_mut(), &state.profile)
    else {
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
        ExportEffect::File(Box::new(ExportJob {
            format,
            whole: dialog.whole,
            anonymous: dialog.anonymous,
            path,
            overwrite,
            profile: Arc::clone(&profile.source.profile),
            view: profile.read_view.clone(),
            reading: Arc::clone(&profile.reading),
            root: profile.zoom,
            target: profile.source.target(),
            taken: profile.taken_at(),
            command: profile.command(),
            context,
            compared: profile.compare.as_ref().map(CompareState::export_job),
        }))
    };
    Some(Effect::Export(id, effect))
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
