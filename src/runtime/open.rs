//! Opens captures and files: decodes the profile and computes its first view.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::keys::message::{message, outside};
use crate::app::{Failure, Opened, OpenedDisplay, ProfileResponse, Response, Retry, Source};
use crate::formats;
use crate::model::cloudflare::Capture;
use crate::model::graph::aggregate;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::profile::Profile;
use crate::runtime::capture::steps;
use crate::runtime::tasks::EffectResult;
use crate::runtime::{Services, failures, files, symbolication};

/// Opens a capture of the history.
pub(super) fn open_capture(services: &Services, capture: Capture) -> EffectResult {
    let bytes = services.store.read(&capture).map_err(|error| Failure {
        retry: Some(Retry::Capture(Box::new(capture.clone()))),
        ..failures::store(&error)
    })?;
    services.store.touch(&capture);
    open(services, capture, &bytes, None)
}

/// Opens a capture from its bytes, and stores its summary if it has none.
pub(super) fn open(
    services: &Services,
    mut capture: Capture,
    bytes: &[u8],
    warning: Option<crate::app::Message>,
) -> EffectResult {
    let profile = steps::decode(bytes, &capture.target().worker).map_err(|error| {
        let kept = (!capture.path.as_os_str().is_empty()).then(|| {
            message![
                "The bytes are kept: ",
                outside(capture.path.to_string_lossy())
            ]
        });
        Failure {
            hint: kept,
            ..failures::format(&error)
        }
    })?;
    let (profile, view, reading) = first_view(profile)?;
    if capture.summary.is_none() {
        let summary = summarise(&profile, &reading);
        // Only the lists show it; a read-only folder has been reported already.
        let _ = services.store.set_summary(&capture, summary.clone());
        capture.summary = Some(summary);
    }
    let source = Source::of_capture(profile, capture);
    // The summary keeps the names of the bundle: the list of captures applies no source map.
    let (source, failed) = symbolication::recall(&services.store, source);
    let reading = if source.names.is_some() {
        Arc::new(aggregate::read(&source.profile, &view).map_err(|error| failures::view(&error))?)
    } else {
        reading
    };
    Ok(opened(
        source,
        view,
        reading,
        warning.or(failed.map(Into::into)),
    ))
}

/// Opens a file; if it is a copy of a capture, that capture.
pub(super) fn open_file(services: &Services, path: &Path) -> EffectResult {
    let path: PathBuf = files::typed(path);
    if let Some(capture) = services.store.like(&path) {
        return open_capture(services, capture);
    }
    let again = |failure: Failure| Failure {
        retry: Some(Retry::File(path.clone())),
        ..failure
    };
    let file = File::open(&path).map_err(|error| again(failures::file(&path, &error)))?;
    let name = path
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let profile = formats::read(file, &name).map_err(|error| again(failures::format(&error)))?;
    let (profile, view, reading) = first_view(profile)?;
    let source = Source::of_file(profile, path.clone());
    Ok(opened(source, view, reading, None))
}

/// Returns the view a profile opens with, which hides idle time.
pub(super) fn first_view(profile: Profile) -> Result<(Arc<Profile>, View, Arc<Reading>), Failure> {
    let view = View {
        hide_idle: true,
        ..View::new(&profile)
    };
    let reading = aggregate::read(&profile, &view).map_err(|error| failures::view(&error))?;
    Ok((Arc::new(profile), view, Arc::new(reading)))
}

/// Returns the response for an opened profile.
pub(super) fn opened(
    source: Source,
    view: View,
    reading: Arc<Reading>,
    warning: Option<crate::app::Message>,
) -> Response {
    Response::Profile(ProfileResponse::Opened(Box::new(Opened {
        source,
        source_root: None,
        view,
        reading,
        display: OpenedDisplay::default(),
        warning,
    })))
}
