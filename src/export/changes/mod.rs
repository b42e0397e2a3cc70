//! Two profiles compared → a file's bytes: the table of changes as text, Markdown or JSON, a red and blue flame graph,
//! folded stacks with both values, and the difference as a pprof profile.
//!
//! The formats of V8 and of speedscope hold no values below zero, so they hold no changes either.

mod json;
mod report;
mod table;

use crate::export::anonymous::Pseudonyms;
use crate::export::{Caption, ExportError, Format, Judged, Scene, flame};
use crate::formats::{Unfit, folded, pprof};
use crate::model::diff::{Comparison, Difference};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::subset::Subset;
use crate::model::graph::view::View;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;

/// Rows of a report unless a number is given: what a ticket shows at once.
const MARKDOWN_ROWS: usize = 15;

/// What is exported of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Changes<'a> {
    /// What is compared with.
    pub base: &'a Profile,
    /// What is compared.
    pub new: &'a Profile,
    /// What both are called.
    pub names: (&'a str, &'a str),
    /// How both are looked at.
    pub view: &'a View,
    /// The comparison.
    pub comparison: &'a Comparison,
    /// Only what is at and below this node.
    pub root: NodeId,
    /// At most so many rows; `None`: 15 in Markdown, else all.
    pub rows: Option<usize>,
    /// The columns of a terminal that the text must fit into, if it goes to one.
    pub columns: Option<usize>,
    /// The command that shows the same again, if there is one.
    pub command: Option<&'a str>,
    /// What a report for a chat begins with; `None`: the names.
    pub title: Option<&'a str>,
    /// The verdicts, where there are several captures a side.
    pub judged: Option<&'a Judged<'a>>,
}

/// Writes a comparison as a file's bytes.
///
/// # Errors
/// [`ExportError`] if the format can't hold it, or there is nothing to write.
pub fn write_changes(format: Format, changes: &Changes<'_>) -> Result<Vec<u8>, ExportError> {
    match format {
        Format::Pprof => {
            let difference = difference(changes)?;
            Ok(pprof::encode(&subset(changes, &difference)?))
        }
        _ => write_text(format, changes),
    }
}

/// Writes a comparison under pseudonyms for all names, which `salt` decides.
///
/// # Errors
/// As [`write_changes`].
pub fn write_changes_anonymous(
    format: Format,
    changes: &Changes<'_>,
    salt: &[u8],
) -> Result<Vec<u8>, ExportError> {
    let difference = difference(changes)?;
    let mut pseudonyms = Pseudonyms::new(salt, &difference.labelled);
    if format == Format::Pprof {
        let renamed = pseudonyms.profile(&difference.labelled);
        return Ok(pprof::encode(
            &subset(changes, &difference)?.with_names_of(&renamed),
        ));
    }
    let comparison = changes.comparison;
    let comparison =
        comparison.with_names_of(pseudonyms.reading(&comparison.reading, changes.view.by));
    let (base, new) = (
        pseudonyms.target(changes.names.0),
        pseudonyms.target(changes.names.1),
    );
    write_text(
        format,
        &Changes {
            names: (&base, &new),
            comparison: &comparison,
            command: None,
            judged: None,
            title: None,
            ..*changes
        },
    )
}

/// Writes what needs no more than the comparison.
fn write_text(format: Format, changes: &Changes<'_>) -> Result<Vec<u8>, ExportError> {
    let all = changes.comparison.changes_within(changes.root);
    let most = changes
        .rows
        .or((format == Format::Markdown).then_some(MARKDOWN_ROWS));
    let rows = most.and_then(|most| all.get(..most)).unwrap_or(&all);
    match format {
        Format::Json => Ok(json::json(changes, rows)?.into_bytes()),
        Format::Markdown => Ok(report::markdown(changes, &all, rows).into_bytes()),
        Format::Text => Ok(report::text(changes, &all, rows).into_bytes()),
        Format::Report => Ok(report::for_chat(changes, &all)),
        Format::Svg => {
            let summary = report::summary(changes, &all);
            let mut facts = summary.trim_end().replace('\n', " · ");
            if let (Some(base), Some(new)) = (changes.base.time(), changes.new.time()) {
                let date = humantime::format_rfc3339_seconds;
                facts += &format!(" · {} → {}", date(base), date(new));
            }
            let title = format!(
                "{} → {}",
                printable(changes.names.0),
                printable(changes.names.1)
            );
            let caption = Caption {
                title,
                facts,
                ..Caption::default()
            };
            let (comparison, root) = (changes.comparison, changes.root);
            let scene = Scene {
                profile: changes.new,
                reading: &comparison.reading,
                root,
                caption: &caption,
            };
            Ok(flame::of_changes(&scene, comparison))
        }
        Format::Folded => {
            let text = folded::write_both(changes.comparison, changes.root);
            if text.is_empty() {
                Err(ExportError::Empty)
            } else {
                Ok(text.into_bytes())
            }
        }
        Format::Pprof | Format::Speedscope | Format::CpuProfile | Format::HeapProfile => {
            Err(Unfit::Negative.into())
        }
    }
}

fn difference(changes: &Changes<'_>) -> Result<Difference, ExportError> {
    let Changes {
        base,
        new,
        view,
        comparison,
        ..
    } = *changes;
    comparison
        .difference(base, new, view)
        .map_err(ExportError::Difference)
}

fn subset<'a>(
    changes: &Changes<'_>,
    difference: &'a Difference,
) -> Result<Subset<'a>, ExportError> {
    let reading = &*changes.comparison.reading;
    let root = (changes.root != NodeId::ROOT).then_some((reading, changes.root));
    Ok(Subset::new(&difference.plain, &difference.view, root)?.with_names_of(&difference.labelled))
}
