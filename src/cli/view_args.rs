//! View options that `open` and `render` share. The screen also writes them
//! down, for others to open the same view.

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::app::{Opened, OpenedDisplay, PercentBase};
use crate::cli::filters::FilterArgs;
use crate::cli::{CliError, filters, profile_input};
use crate::model::graph::aggregate;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::icicle::Order;
use crate::model::graph::ranking::Sort;
use crate::model::graph::sandwich::Sandwich;
use crate::model::graph::view::{Direction, Identity, View};
use crate::model::profile::Profile;

/// The view that the screen opens with.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct ViewArgs {
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    /// How to group code into frames
    #[arg(long, value_enum, default_value_t)]
    by: Identity,
    /// Zoom into the heaviest frame of this name
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    root: Option<String>,
    /// Bottom-up (inverted): start from self time and show callers
    #[arg(long)]
    bottom_up: bool,
    /// Show idle time
    #[arg(long, conflicts_with = "no_idle")]
    idle: bool,
    /// Show a function between its callers and callees: NAME@FILE, and :LINE of a nameless one
    #[arg(long, value_name = "FUNCTION", allow_hyphen_values = true)]
    sandwich: Option<String>,
    /// What percentages are of
    #[arg(long, value_name = "BASE", value_parser = percent_bases(), default_value = PercentBase::Capture.word())]
    percent_of: PercentBase,
    /// Order frames by name instead of by weight
    #[arg(long)]
    alphabetical: bool,
    /// The order of the table
    #[arg(long, value_enum, default_value_t)]
    sort: Sort,
    /// Reverse the order of the table
    #[arg(long)]
    reverse: bool,
    /// A folder with the source files, for the source view
    #[arg(long, value_name = "DIR")]
    source_root: Option<PathBuf>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Returns the parser of the bases of percentages.
fn percent_bases() -> impl TypedValueParser<Value = PercentBase> {
    let words = PossibleValuesParser::new(PercentBase::ALL.map(PercentBase::word));
    words.map(|word| {
        let named = PercentBase::ALL
            .into_iter()
            .find(|base| base.word() == word);
        named.unwrap_or_default()
    })
}

impl ViewArgs {
    /// Opens files as one profile with this view.
    ///
    /// # Errors
    /// [`CliError`] if a file is not a profile or an option does not fit it.
    pub(super) fn open(&self, files: &[PathBuf]) -> Result<Opened, CliError> {
        let (source, mut warning) = profile_input::load(files)?;
        let (source, unnamed) = self.filters.name(source)?;
        warning = warning.or(unnamed);
        let profile = &source.profile;
        let mut view = View {
            hide_idle: !self.idle,
            by: self.by,
            ..View::new(profile)
        };
        if let Some(name) = &self.sample_type {
            view.sample_type = filters::sample_type(profile, name)?;
        }
        if self.bottom_up {
            view.direction = Direction::BottomUp;
        }
        self.filters.apply(&mut view)?;
        let reading = aggregate::read(profile, &view)
            .map_err(|error| CliError::failed(format!("{}: {error}", source.name)))?;
        let root = match &self.root {
            Some(name) => Some(
                reading
                    .heaviest_named(name)
                    .ok_or_else(|| CliError::failed(format!("no frame is called `{name}`")))?,
            ),
            None => None,
        };
        let source_root = self.source_root.clone();
        let sandwich = self.sandwich(profile, &view, &reading)?;
        Ok(Opened {
            source,
            source_root,
            view,
            reading: reading.into(),
            display: OpenedDisplay {
                root,
                sandwich,
                percent_base: self.percent_of,
                order: if self.alphabetical {
                    Order::Name
                } else {
                    Order::Weight
                },
                sort: self.sort,
                reverse: self.reverse,
            },
            warning: warning.map(Into::into),
        })
    }

    /// Returns the sandwich of the function that is named, as it is within the view's filters.
    fn sandwich(
        &self,
        profile: &Profile,
        view: &View,
        reading: &Reading,
    ) -> Result<Option<Arc<Sandwich>>, CliError> {
        let Some(identity) = &self.sandwich else {
            return Ok(None);
        };
        let named = |reading: &Reading| {
            let frame = reading.heaviest_with_identity(identity)?;
            Some(Arc::new(reading.sandwich(frame)))
        };
        let found = if view.direction == Direction::TopDown {
            named(reading)
        } else {
            let view = View {
                direction: Direction::TopDown,
                ..view.clone()
            };
            let reading = aggregate::read(profile, &view)
                .map_err(|error| CliError::failed(error.to_string()))?;
            named(&reading)
        };
        let unknown = || CliError::failed(format!("no function is `{identity}`"));
        found.map(Some).ok_or_else(unknown)
    }
}
