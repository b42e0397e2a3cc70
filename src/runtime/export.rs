//! Exports: writes a view to bytes and to a file.

use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::SystemTime;

use crate::app::{ComparedJob, ExportJob, Format, Hint, Source, headline_text};
use crate::export;
use crate::export::{
    About, Caption, Changes, ExportError, Findings, Judged, JudgedSide, REPORT_COLUMNS, Scene,
};
use crate::model::diff::{CompareError, Since, compare};
use crate::model::graph::aggregate;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::{View, ViewError};
use crate::model::insights::headline::headline;
use crate::model::insights::{Context, insights};
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable_lines;
use crate::model::text::units::noun;
use crate::model::verdict::Options;
use crate::runtime::files;
use crate::runtime::files::FileError;

/// Why a view could not be written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
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
    let path = files::typed(&job.path);
    files::check(&path, job.overwrite)?;
    files::write(&path, &bytes(job)?, job.overwrite)?;
    Ok(path)
}

/// Returns an export as a text for the clipboard: pasted into a shell, it must not run anything.
///
/// # Errors
/// [`WriteError`] if the format can't hold it.
pub fn clipboard_text(job: &ExportJob) -> Result<String, WriteError> {
    let text = bytes(job)?;
    Ok(printable_lines(&String::from_utf8_lossy(&text)).into_owned())
}

fn bytes(job: &ExportJob) -> Result<Vec<u8>, WriteError> {
    let format = format(job.format).ok_or(WriteError::Screen)?;
    match &job.compared {
        None => view(job, format),
        Some(compared) => changes(job, compared, format),
    }
}

/// Returns what a report says of a view, in the names that the profile has.
#[must_use]
pub fn findings(
    profile: &Profile,
    reading: &Reading,
    context: &Context,
    (since, taken): (Option<&Since>, Option<SystemTime>),
) -> Findings {
    let insights = insights(profile, reading, context);
    let headline = headline(profile, reading, context, &insights);
    let text = |columns| {
        let headline = headline.as_ref()?;
        Some(headline_text(headline, since, taken, columns))
    };
    let top = headline.as_ref().and_then(|headline| headline.top.as_ref());
    Findings {
        headline: text(usize::MAX),
        short: text(REPORT_COLUMNS),
        function: top.map(|top| top.function.clone()),
        hints: insights
            .into_iter()
            .filter(|insight| !headline.as_ref().is_some_and(|line| line.says(insight)))
            .map(|insight| Hint::new(insight).text)
            .collect(),
    }
}

/// Returns what a report says of where a profile comes from.
#[must_use]
pub fn about(source: &Source) -> About {
    About {
        title: source.report_title(REPORT_COLUMNS),
        facts: source.report_facts(),
        details: source.report_details(),
    }
}

/// Returns the bytes of a profile's export.
fn view(job: &ExportJob, format: export::Format) -> Result<Vec<u8>, WriteError> {
    let (whole, profile) = (whole(job), &job.source.profile);
    let all;
    let (view, reading, root) = if job.whole {
        all = aggregate::read(profile, &whole)?;
        (&whole, &all, NodeId::ROOT)
    } else {
        (&job.view, &*job.reading, job.root)
    };
    let capture = job.source.capture.as_ref();
    let taken = capture.map(|capture| capture.provenance.answered_at);
    let taken = taken.filter(|_| !job.anonymous);
    let since = job.since.as_ref().filter(|_| !job.anonymous);
    let findings_of = |profile: &Profile, reading: &Reading| match &job.context {
        Some(context) if format.is_report() => findings(profile, reading, context, (since, taken)),
        _ => Findings::default(),
    };
    let caption = Caption::taken(
        &job.source.target(),
        job.source.taken_at(),
        profile,
        view,
        reading,
    );
    let mut scene = Scene {
        profile,
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
            findings_of,
        )?);
    }
    let command = job.command.clone().filter(|_| !job.whole);
    let caption = Caption {
        command,
        findings: findings_of(profile, reading),
        about: Some(about(&job.source)).filter(|_| format.is_report()),
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
    let (base, new) = (&*compared.base.profile, &*job.source.profile);
    let whole = whole(job);
    let all;
    let (view, comparison, root) = if job.whole {
        let (normalise, width) = compared.wanted;
        all = compare(base, new, &whole, normalise, width)?;
        (&whole, &all, NodeId::ROOT)
    } else {
        (&job.view, &*compared.comparison, job.root)
    };
    let target = job.source.target();
    let names = (&*compared.base.target(), &*target);
    let title = job.source.comparison_title(&compared.base, REPORT_COLUMNS);
    let sides = [judged_side(&compared.base), judged_side(&job.source)];
    let (kind, unit) = new.type_names(compared.comparison.reading.sample_type);
    let judged = compared.assessment.as_ref().map(|assessment| Judged {
        title: &job.source.name,
        sides: &sides,
        assessment,
        options: Options::default(),
        noun: noun(&kind, &unit),
        notes: &[],
        rows: None,
    });
    let changes = Changes {
        base,
        new,
        names,
        view,
        comparison,
        root,
        rows: None,
        columns: None,
        command: job.command.as_deref(),
        judged: judged.as_ref(),
        title: Some(&title),
    };
    Ok(if job.anonymous {
        export::write_changes_anonymous(format, &changes, salt())?
    } else {
        export::write_changes(format, &changes)?
    })
}

/// Returns the captures of a side.
fn judged_side(source: &Source) -> JudgedSide {
    JudgedSide {
        what: source.report_target(),
        captures: source
            .captures()
            .map(|capture| capture.sha256.clone())
            .collect(),
        samples: 0,
    }
}

/// Returns the view of the whole capture, in the current sample type.
fn whole(job: &ExportJob) -> View {
    View {
        sample_type: job.view.sample_type,
        by: job.view.by,
        ..View::new(&job.source.profile)
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
        Format::Report => export::Format::Report,
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
