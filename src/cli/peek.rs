//! `flarescope peek`: one function with its callers and its callees, as pprof's -peek has them.

use std::io;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::filters::FilterArgs;
use crate::cli::output::{print_json, terminal_columns};
use crate::cli::{CliError, CliResult, filters};
use crate::export::TypeNames;
use crate::export::table::{Align, TextTable};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::FrameId;
use crate::model::graph::view::View;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::model::text::share::per_cent;
use crate::model::text::units;

/// Arguments of `peek`.
#[derive(Debug, clap::Args)]
pub(super) struct PeekArgs {
    /// Profiles to read, several as one; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The function: its name, or NAME@FILE:LINE where several have it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    function: String,
    /// Print one JSON value
    #[arg(long)]
    pub(super) json: bool,
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Prints the function between its callers and callees.
///
/// # Errors
/// [`CliError`] if the profile can't be read, or has no such function.
pub(super) fn run(args: &PeekArgs) -> CliResult {
    let source = args.filters.source(&args.files)?.0;
    let profile = &*source.profile;
    let mut view = View::new(profile);
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(profile, name)?;
    }
    args.filters.apply(&mut view)?;
    let reading = filters::read(profile, &view, &args.files)?;
    let frame = reading
        .heaviest_with_identity(&args.function)
        .ok_or_else(|| {
            let name = printable(&args.function);
            CliError::failed(format!("no frame is called `{name}`"))
        })?;
    let peek = Peek::new(&reading, frame);
    let mut out = io::stdout().lock();
    if args.json {
        return print_json(&mut out, &peek.json(profile));
    }
    Ok(out.write_all(peek.text(profile).as_bytes())?)
}

/// A function with what it holds under each caller, and what each callee holds under it.
struct Peek<'a> {
    reading: &'a Reading,
    frame: FrameId,
    total: i64,
    own: i64,
    /// The heaviest first; `None` is the root.
    callers: Vec<(Option<FrameId>, i64)>,
    callees: Vec<(FrameId, i64)>,
}

impl<'a> Peek<'a> {
    fn new(reading: &'a Reading, frame: FrameId) -> Self {
        let sandwich = reading.sandwich(frame);
        let (callers, callees) = (&sandwich.callers, &sandwich.callees);
        let direct = |tree: &Tree| -> Vec<(FrameId, i64)> {
            let below = tree.nodes().filter(|node| tree.depth(*node) == 1);
            let mut direct: Vec<(FrameId, i64)> = below
                .filter_map(|node| Some((tree.frame(node)?, tree.total(node))))
                .collect();
            direct.sort_by_key(|(frame, value)| (std::cmp::Reverse(value.unsigned_abs()), *frame));
            direct
        };
        let total = callers.total(NodeId::ROOT);
        let mut of_callers: Vec<(Option<FrameId>, i64)> = direct(callers)
            .into_iter()
            .map(|(frame, value)| (Some(frame), value))
            .collect();
        let uncalled = callers.self_value(NodeId::ROOT);
        if uncalled != 0 {
            of_callers.push((None, uncalled));
        }
        Self {
            reading,
            frame,
            total,
            own: reading.stat(frame).self_value,
            callers: of_callers,
            callees: direct(callees),
        }
    }

    fn text(&self, profile: &Profile) -> String {
        let (kind, unit) = profile.type_names(self.reading.sample_type);
        let column = units::column_unit(self.total.unsigned_abs(), &printable(&unit));
        let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
        let base = self.reading.of_capture();
        let row = |role: &str, frame: Option<FrameId>, value: i64| {
            let info = frame.map(|frame| self.reading.frames.info(frame));
            vec![
                role.to_owned(),
                units::column(value.into(), column),
                base.share(value),
                per_cent(value.into(), self.total.into()),
                info.map_or_else(|| "(root)".to_owned(), |info| info.name.to_owned()),
                info.map_or_else(String::new, |info| info.place()),
            ]
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        rows.extend(
            self.callers
                .iter()
                .map(|(frame, value)| row("caller", *frame, *value)),
        );
        rows.push(row("function", Some(self.frame), self.total));
        rows.push(row("self", Some(self.frame), self.own));
        rows.extend(
            self.callees
                .iter()
                .map(|(frame, value)| row("callee", Some(*frame), *value)),
        );
        let value = format!("{}{symbol}", printable(&kind));
        let head = [
            ("", Align::Left),
            (value.as_str(), Align::Right),
            ("of capture", Align::Right),
            ("of function", Align::Right),
            ("function", Align::Name),
            ("location", Align::Place),
        ];
        TextTable::new(&head, &rows).text(terminal_columns())
    }

    fn json(&self, profile: &Profile) -> Value {
        let (kind, unit) = profile.type_names(self.reading.sample_type);
        let of = |frame: Option<FrameId>, value: i64| {
            let info = frame.map(|frame| self.reading.frames.info(frame));
            json!({
                "function": info.map(|info| info.name), "file": info.map(|info| info.file),
                "line": info.and_then(|info| info.start), "value": value,
            })
        };
        let callers: Vec<Value> = self
            .callers
            .iter()
            .map(|(f, value)| of(*f, *value))
            .collect();
        let callees: Vec<Value> = self
            .callees
            .iter()
            .map(|(f, value)| of(Some(*f), *value))
            .collect();
        let info = self.reading.frames.info(self.frame);
        json!({
            "sample_type": TypeNames { kind, unit }, "base": self.reading.base,
            "function": info.name, "file": info.file, "line": info.start,
            "self": self.own, "total": self.total, "callers": callers, "callees": callees,
        })
    }
}
