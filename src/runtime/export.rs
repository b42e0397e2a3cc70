//! Exports: writes a view to bytes and to a file.

use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::app::{ComparedJob, ExportJob, Format, Hint};
use crate::export;
use crate::export::{Caption, Changes, ExportError, Scene};
use crate::model::diff::{CompareError, compare};
use crate::model::graph::aggregate;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::{View, ViewError};
use crate::model::insights::insights;
use crate::model::profile::Profile;
use crate::runtime::files;
use crate::runtime::files::FileError;

/// Why a view could not be written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum WriteError {
    /// The view could not be written as bytes.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The whole capture can't be aggregated.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The whole captures can't be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A screenshot, which the event loop draws.
    #[error("a picture of the screen is no view of a profile")]
    Screen,
}

/// Runs an export. Returns the file's absolute path.
pub(super) fn run(job: &ExportJob) -> Result<PathBuf, WriteError> {
    let format = format(job.format).ok_or(WriteError::Screen)?;
    let path = files::typed(&job.path);
    files::check(&path, job.overwrite)?;
    let bytes = match &job.compared {
        None => view(job, format)?,
        Some(compared) => changes(job, compared, format)?,
    };
    files::write(&path, &bytes, job.overwrite)?;
    Ok(path)
}

/// Returns the bytes of a profile's export.
fn view(job: &ExportJob, format: export::Format) -> Result<Vec<u8>, WriteError> {
    let whole = whole(job);
    let all;
    let (view, reading, root) = if job.whole {
        all = aggregate::read(&job.profile, &whole)?;
        (&whole, &all, NodeId::ROOT)
    } else {
        (&job.view, &*job.reading, job.root)
    };
    let hints_of = |profile: &Profile, reading: &Reading| match &job.context {
        Some(context) if format == export::Format::Markdown => insights(profile, reading, context)
            .into_iter()
            .map(|insight| Hint::new(insight).text)
            .collect(),
        _ => Vec::new(),
    };
    let caption = Caption::taken(&job.target, job.taken, &job.profile, view, reading);
    let mut scene = Scene {
        profile: &job.profile,
        reading,
        root,
        caption: &caption,
    };
    if job.anonymous {
        return Ok(export::write_anonymous(
            format,
            view,
            &scene,
            salt(),
            hints_of,
        )?);
    }
    let command = job.command.clone().filter(|_| !job.whole);
    let caption = Caption {
        command,
        hints: hints_of(&job.profile, reading),
        ..caption.clone()
    };
    scene.caption = &caption;
    Ok(export::write(format, view, &scene)?)
}

/// Returns the bytes of a comparison's export.
fn changes(
    job: &ExportJob,
    compared: &ComparedJob,
    format: export::Format,
) -> Result<Vec<u8>, WriteError> {
    let (base, new) = (&*compared.base, &*job.profile);
    let whole = whole(job);
    let all;
    let (view, comparison, root) = if job.whole {
        let (normalise, width) = compared.wanted;
        all = compare(base, new, &whole, normalise, width)?;
        (&whole, &all, NodeId::ROOT)
    } else {
        (&job.view, &*compared.comparison, job.root)
    };
    let names = (&*compared.target, &*job.target);
    let changes = Changes {
        base,
        new,
        names,
        view,
        comparison,
        root,
        rows: None,
        columns: None,
    };
    Ok(if job.anonymous {
        export::write_changes_anonymous(format, &changes, salt())?
    } else {
        export::write_changes(format, &changes)?
    })
}

/// Returns the view of the whole capture, in the current sample type.
fn whole(job: &ExportJob) -> View {
    View {
        sample_type: job.view.sample_type,
        by: job.view.by,
        ..View::new(&job.profile)
    }
}

const fn format(format: Format) -> Option<export::Format> {
    Some(match format {
        Format::Pprof => export::Format::Pprof,
        Format::Svg => export::Format::Svg,
        Format::Folded => export::Format::Folded,
        Format::Speedscope => export::Format::Speedscope,
        Format::CpuProfile => export::Format::CpuProfile,
        Format::HeapProfile => export::Format::HeapProfile,
        Format::Json => export::Format::Json,
        Format::Markdown => export::Format::Markdown,
        Format::Text => export::Format::Text,
        Format::ScreenText | Format::ScreenAnsi | Format::ScreenSvg => return None,
    })
}

/// Returns the secret salt of this run's pseudonyms: all files of one run have the same names.
pub fn salt() -> &'static [u8] {
    static SALT: OnceLock<Vec<u8>> = OnceLock::new();
    SALT.get_or_init(|| {
        // The system's randomness, as the standard library hands it out: a keyed hash of numbers.
        let state = RandomState::new();
        (0..4_u8)
            .flat_map(|part| state.hash_one(part).to_le_bytes())
            .collect()
    })
}
