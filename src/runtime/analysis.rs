//! Computations on open profiles: views, sandwiches, lines, source views and comparisons.

use std::sync::Arc;

use crate::app::{
    CodeJob, CompareJob, CompareSide, Compared, Failure, FailureKind, FunctionCode,
    ProfileResponse, Response,
};
use crate::model::diff;
use crate::model::graph::aggregate;
use crate::model::graph::frames::{FrameId, FunctionName};
use crate::model::graph::view::View;
use crate::model::lines::costs::costs;
use crate::model::lines::lines;
use crate::model::profile::Profile;
use crate::runtime::tasks::EffectResult;
use crate::runtime::{Services, failures, merge, source_text, symbolication, verdicts};

/// Aggregates a profile under a view.
pub(super) fn read(profile: &Profile, view: View) -> EffectResult {
    let reading = aggregate::read(profile, &view).map_err(|error| failures::view(&error))?;
    Ok(Response::Profile(ProfileResponse::Read(
        Box::new(view),
        Arc::new(reading),
    )))
}

/// Returns the callers and callees of a frame.
pub(super) fn sandwich(profile: &Profile, view: &View, frame: FrameId) -> EffectResult {
    let reading = aggregate::read(profile, view).map_err(|error| failures::view(&error))?;
    Ok(Response::Profile(ProfileResponse::Sandwich(Arc::new(
        reading.sandwich(frame),
    ))))
}

/// Returns the lines of a function with their values.
pub(super) fn lines_of(profile: &Profile, view: &View, function: &FunctionName) -> EffectResult {
    lines(profile, view, function)
        .map(|lines| Response::Profile(ProfileResponse::Lines(lines)))
        .map_err(|error| failures::view(&error))
}

/// Returns the source view of a function: its text and the cost of each line.
pub(super) fn source_view(job: &CodeJob) -> EffectResult {
    let CodeJob {
        profile,
        view,
        function,
        maps,
        root,
    } = job;
    let FunctionName { name, file, .. } = function;
    let costs = costs(profile, view, function).map_err(|error| failures::view(&error))?;
    let costs = costs
        .ok_or_else(|| Failure::new(FailureKind::File, format!("{name} is not in this view.")))?;
    let code = source_text::find(file, maps, root.as_deref());
    Ok(Response::Profile(ProfileResponse::Code(Box::new(
        FunctionCode {
            name: name.clone(),
            file: file.clone(),
            costs,
            code,
        },
    ))))
}

/// Compares two profiles and reads those that are not open yet.
pub(super) fn compare(services: &Services, job: CompareJob) -> EffectResult {
    let store = &services.store;
    let side = |side: CompareSide| match side {
        CompareSide::Open(source) => Ok(*source),
        CompareSide::Kept(capture) => merge::kept(store, *capture),
        CompareSide::Several(captures) => merge::several(store, captures),
    };
    let (base, new) = (side(job.base)?, side(job.new)?);
    let (base, new) = symbolication::alike(&services.store, base, new);
    let CompareJob {
        normalise, width, ..
    } = job;
    let view = job.view.unwrap_or_else(|| View {
        hide_idle: true,
        ..View::new(&new.profile)
    });
    let comparison = diff::compare(&base.profile, &new.profile, &view, normalise, width)
        .map_err(|error| {
            Failure::new(
                FailureKind::File,
                format!("These can't be compared: {error}."),
            )
        })?
        .into();
    let assessment = verdicts::assess(store, &base, &new, &view);
    Ok(Response::Profile(ProfileResponse::Compared(Box::new(
        Compared {
            assessment: assessment.map(Box::new),
            base,
            new,
            view,
            normalise,
            width,
            comparison,
        },
    ))))
}
