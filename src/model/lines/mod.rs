//! The lines of one function with their values, if the profile has lines.

pub mod costs;

use crate::model::graph::aggregate::read;
use crate::model::graph::frames::FunctionName;
use crate::model::graph::ranking::{Sort, rank};
use crate::model::graph::view::{Direction, Identity, View, ViewError};
use crate::model::profile::Profile;

/// One line of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineShare {
    /// The line, from 1.
    pub line: i64,
    /// Net self value.
    pub own: i64,
    /// Net total; recursion counts once.
    pub total: i64,
}

/// Returns the lines of a function, the largest total first. V8's pprof has only the line that a function starts on.
///
/// # Errors
/// [`ViewError`], as for every view.
pub fn lines(
    profile: &Profile,
    view: &View,
    function: &FunctionName,
) -> Result<Vec<LineShare>, ViewError> {
    // By line, nameless functions of one line are one row: each of them has that line only.
    let is_crowded = function.column.is_some();
    let by_line = View {
        by: if is_crowded {
            Identity::Function
        } else {
            Identity::Line
        },
        direction: Direction::TopDown,
        ..view.clone()
    };
    let reading = read(profile, &by_line)?;
    let of_it = rank(&reading, Sort::Total, false)
        .into_iter()
        .filter_map(|row| {
            let info = reading.frames.info(row.frame);
            let line = info.line?;
            let is_it = if is_crowded {
                function.is(&info)
            } else {
                function.fits(info.name, info.file, line)
            };
            if !is_it {
                return None;
            }
            Some(LineShare {
                line,
                own: row.self_value,
                total: row.total,
            })
        });
    Ok(of_it.collect())
}
