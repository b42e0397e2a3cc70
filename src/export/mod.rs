//! A view of a profile, or of two compared → a file's bytes: pprof, folded stacks, a flame graph, a report, what other
//! viewers read.
//! Writes no files and reads no clock.
//!
//! What is exported is the view: the reading with its filters, from one node down. Per cents are of the whole capture, as
//! on the screen. Text from the profile is taken for hostile: no name can become markup, a script or a control character.

pub mod anonymous;
mod caption;
mod changes;
mod flame;
mod json;
mod markdown;
mod report;
mod rows;
mod sketch;
pub mod table;
mod text;
mod type_names;
mod verdicts;

use std::path::Path;

use anonymous::Pseudonyms;

use crate::formats::{Unfit, folded, pprof, speedscope, v8};
use crate::model::diff::CompareError;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::subset::Subset;
use crate::model::graph::view::{View, ViewError};
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;

pub use caption::{About, Caption, Findings};
pub use changes::{Changes, write_changes, write_changes_anonymous};
pub use flame::svg;
pub use json::json;
pub use markdown::{code_span, markdown};
pub use report::{REPORT_COLUMNS, report};
pub use text::text;
pub use type_names::TypeNames;
pub use verdicts::{Judged, JudgedSide};

/// The view to export.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The profile, for the names of its units.
    pub profile: &'a Profile,
    /// What is shown of it.
    pub reading: &'a Reading,
    /// The node the picture starts at: the root, or where the view is zoomed to.
    pub root: NodeId,
    /// The caption.
    pub caption: &'a Caption,
}

impl Scene<'_> {
    /// Returns the unit of the values, safe to print.
    fn unit(&self) -> String {
        let (_, unit) = self.profile.type_names(self.reading.sample_type);
        printable(&unit).into_owned()
    }
}

/// A file format that views are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// pprof's protocol buffer, gzipped.
    Pprof,
    /// Flame graph for a browser: a click zooms, Ctrl-F searches.
    Svg,
    /// Folded stacks, one a line.
    Folded,
    /// JSON for the web page of speedscope.
    Speedscope,
    /// Times for Chrome DevTools, Performance panel.
    #[value(name = "cpuprofile")]
    CpuProfile,
    /// Allocations for Chrome DevTools, Memory panel.
    #[value(name = "heapprofile")]
    HeapProfile,
    /// One JSON value: the functions and the call tree.
    Json,
    /// Report for a ticket: figures, table, icicle as text.
    Markdown,
    /// Short report for a chat: a dozen lines as a code block.
    Report,
    /// Plain text: icicle and table.
    Text,
}

impl Format {
    /// Whether it says what an expert would.
    #[must_use]
    pub const fn is_report(self) -> bool {
        matches!(self, Self::Markdown | Self::Report)
    }

    /// Returns the format that a file's name ends with; `None` if that says none.
    #[must_use]
    pub fn of_file(path: &Path) -> Option<Self> {
        const ENDINGS: [(&str, Format); 13] = [
            (".report.txt", Format::Report),
            (".pprof", Format::Pprof),
            (".pprof.gz", Format::Pprof),
            (".pb.gz", Format::Pprof),
            (".svg", Format::Svg),
            (".folded", Format::Folded),
            (".collapsed", Format::Folded),
            (".speedscope.json", Format::Speedscope),
            (".cpuprofile", Format::CpuProfile),
            (".heapprofile", Format::HeapProfile),
            (".json", Format::Json),
            (".md", Format::Markdown),
            (".txt", Format::Text),
        ];
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        ending.map(|(_, format)| *format)
    }
}

/// Writes a view at and below the scene's node as a file's bytes.
///
/// # Errors
/// [`ExportError`] if the view can't be taken or there is nothing to write.
pub fn write(format: Format, view: &View, scene: &Scene<'_>) -> Result<Vec<u8>, ExportError> {
    write_of(scene.profile, format, view, scene)
}

/// Writes a view under pseudonyms for all names, which `salt` decides. The title is replaced as well, and the command that
/// shows the view left out, as both would reveal names. `findings` finds what a report says.
///
/// # Errors
/// As [`write()`].
pub fn write_anonymous(
    format: Format,
    view: &View,
    scene: &Scene<'_>,
    salt: &[u8],
    findings: impl FnOnce(&Profile, &Reading) -> Findings,
) -> Result<Vec<u8>, ExportError> {
    let mut pseudonyms = Pseudonyms::new(salt, scene.profile);
    let (profile, mut reading) = (
        pseudonyms.profile(scene.profile),
        pseudonyms.reading(scene.reading, view.by),
    );
    // The ids of texts are new.
    reading.sample_type = profile
        .sample_types()
        .get(view.sample_type)
        .copied()
        .unwrap_or_default();
    let target = pseudonyms.target(&scene.caption.title);
    let nameless = View {
        filters: Vec::new(),
        ..view.clone()
    };
    let mut caption = Caption::new(&target, &profile, &nameless, &reading);
    if !view.filters.is_empty() {
        caption.facts += &format!(" · {} filters", view.filters.len());
    }
    caption.findings = findings(&profile, &reading);
    let scene_of_names = scene.profile;
    let scene = Scene {
        profile: &profile,
        reading: &reading,
        root: scene.root,
        caption: &caption,
    };
    write_of(scene_of_names, format, view, &scene)
}

/// Writes a view of a profile in the words of the scene's. The filters mean the profile's own names.
fn write_of(
    named: &Profile,
    format: Format,
    view: &View,
    scene: &Scene<'_>,
) -> Result<Vec<u8>, ExportError> {
    let Scene {
        profile,
        reading,
        root,
        ..
    } = *scene;
    let subset = || {
        let subset = Subset::new(
            named,
            view,
            (root != NodeId::ROOT).then_some((reading, root)),
        );
        subset.map(|subset| subset.with_names_of(profile))
    };
    let (kind, unit) = profile.type_names(reading.sample_type);
    match format {
        Format::Pprof => Ok(pprof::encode(&subset()?)),
        Format::CpuProfile => Ok(v8::cpuprofile(&subset()?, reading.samples_from)?.into_bytes()),
        Format::HeapProfile => Ok(v8::heapprofile(&subset()?, reading.samples_from)?.into_bytes()),
        Format::Speedscope => {
            Ok(
                speedscope::write(reading, root, &scene.caption.title, (&kind, &unit))?
                    .into_bytes(),
            )
        }
        Format::Svg => Ok(svg(scene)),
        Format::Json => json(scene),
        Format::Markdown => Ok(markdown(scene)),
        Format::Report => Ok(report(scene)),
        Format::Text => Ok(text(scene)),
        Format::Folded => {
            let text = folded::write(reading, root, (&kind, &unit));
            if text.is_empty() {
                Err(ExportError::Empty)
            } else {
                Ok(text.into_bytes())
            }
        }
    }
}

/// Why a view could not be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The value could not be written as JSON.
    #[error("the view could not be written as JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// The view can't be taken from the profile.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The two profiles can't be compared.
    #[error(transparent)]
    Difference(CompareError),
    /// A table could not be written; no input is known to cause this.
    #[error("the table could not be written: {0}")]
    Io(#[source] std::io::Error),
    /// The format can't hold it.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// No stacks are left.
    #[error("nothing to export: the profile, or what the filters leave of it, is empty")]
    Empty,
}
