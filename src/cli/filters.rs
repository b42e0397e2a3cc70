//! Filters: the options that `top`, `export` and `render` share.

use std::io;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::{Source, map_outcome};
use crate::cli::{CliError, profile_input};
use crate::config::Environment;
use crate::model::graph::aggregate;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::view::View;
use crate::model::insights::Context;
use crate::model::profile::Profile;
use crate::model::query::filter::{Filter, Pattern, PatternError, TagPattern};
use crate::model::source_map::{Fit, Use, restore};
use crate::model::text::sanitize::printable;
use crate::runtime::{source_maps, symbolication};

/// Filters on stacks and frames. Each may be given several times.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Keep stacks with a frame whose name, file or mapping matches
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    focus: Vec<String>,
    /// Drop stacks with a frame that matches
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    ignore: Vec<String>,
    /// Hide matching frames; their callers keep the value
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    hide: Vec<String>,
    /// Start stacks at the first frame that matches; drop stacks without one
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    show_from: Vec<String>,
    /// Keep stacks with exactly this function
    #[arg(long, value_name = "NAME@FILE:LINE", allow_hyphen_values = true, value_parser = expression)]
    focus_function: Vec<String>,
    /// Drop stacks with exactly this function
    #[arg(long, value_name = "NAME@FILE:LINE", allow_hyphen_values = true, value_parser = expression)]
    ignore_function: Vec<String>,
    /// Hide exactly this function; its callers keep the value
    #[arg(long, value_name = "NAME@FILE:LINE", allow_hyphen_values = true, value_parser = expression)]
    hide_function: Vec<String>,
    /// Start stacks at exactly this function; drop stacks without it
    #[arg(long, value_name = "NAME@FILE:LINE", allow_hyphen_values = true, value_parser = expression)]
    show_from_function: Vec<String>,
    /// Keep samples with a tag that matches: RE, KEY=RE or a range such as KEY=4kb:1mb
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    tag_focus: Vec<String>,
    /// Drop samples with a tag that matches
    #[arg(long, value_name = "RE", allow_hyphen_values = true, value_parser = expression)]
    tag_ignore: Vec<String>,
    /// Only the user's own code: runtime and dependencies are charged to their callers
    #[arg(long)]
    own_code: bool,
    /// Drop stacks in (idle)
    #[arg(long)]
    no_idle: bool,
    /// Fold direct recursion into one frame
    #[arg(long)]
    fold_recursion: bool,
    /// Give functions the names and places of the source: a source map, a bundle with one, or a folder
    #[arg(long, value_name = "FILE")]
    source_map: Vec<PathBuf>,
}

impl FilterArgs {
    /// Adds these filters to a view.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a faulty regular expression, naming its option.
    pub fn apply(&self, view: &mut View) -> Result<(), CliError> {
        type Make = fn(&str) -> Result<Filter, PatternError>;
        let all: [(&str, &[String], Make); 10] = [
            ("focus", &self.focus, |text| {
                Pattern::new(text).map(Filter::Focus)
            }),
            ("ignore", &self.ignore, |text| {
                Pattern::new(text).map(Filter::Ignore)
            }),
            ("hide", &self.hide, |text| {
                Pattern::new(text).map(Filter::Hide)
            }),
            ("show-from", &self.show_from, |text| {
                Pattern::new(text).map(Filter::ShowFrom)
            }),
            ("focus-function", &self.focus_function, |text| {
                Pattern::function(text).map(Filter::Focus)
            }),
            ("ignore-function", &self.ignore_function, |text| {
                Pattern::function(text).map(Filter::Ignore)
            }),
            ("hide-function", &self.hide_function, |text| {
                Pattern::function(text).map(Filter::Hide)
            }),
            ("show-from-function", &self.show_from_function, |text| {
                Pattern::function(text).map(Filter::ShowFrom)
            }),
            ("tag-focus", &self.tag_focus, |text| {
                TagPattern::new(text).map(Filter::TagFocus)
            }),
            ("tag-ignore", &self.tag_ignore, |text| {
                TagPattern::new(text).map(Filter::TagIgnore)
            }),
        ];
        for (option, texts, make) in all {
            // As in pprof, an empty expression is none.
            for text in texts.iter().filter(|text| !text.is_empty()) {
                view.filters.push(
                    make(text).map_err(|error| CliError::Usage(format!("--{option}: {error}")))?,
                );
            }
        }
        view.filters
            .extend(self.own_code.then_some(Filter::OwnCode));
        view.hide_idle |= self.no_idle;
        view.fold_recursion |= self.fold_recursion;
        Ok(())
    }

    /// Loads files, `-` or captures as one profile, with the names of its source if source maps are given.
    /// Prints what could not be merged or symbolicated on stderr.
    ///
    /// # Errors
    /// [`CliError`], naming the file that can't be read, or saying why they can't be merged.
    pub fn load(&self, paths: &[PathBuf]) -> Result<Named, CliError> {
        let (source, names) = self.source(paths)?;
        Ok(Named {
            profile: source.profile,
            names,
        })
    }

    /// As [`Self::load`], with the profile's provenance.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn source(&self, paths: &[PathBuf]) -> Result<(Source, Vec<String>), CliError> {
        let (source, warning) = profile_input::load(paths)?;
        if let Some(warning) = warning {
            writeln!(io::stderr().lock(), "{}", printable(&warning))?;
        }
        let Named { profile, names } = self.restore(Arc::clone(&source.profile))?;
        Ok((Source { profile, ..source }, names))
    }

    /// Gives a profile the names of its source, if source maps are given.
    ///
    /// # Errors
    /// [`CliError::Failed`], naming the map that can't be read.
    pub fn restore(&self, profile: Arc<Profile>) -> Result<Named, CliError> {
        if self.source_map.is_empty() {
            return Ok(Named {
                profile,
                names: Vec::new(),
            });
        }
        let maps = source_maps::load(&self.source_map)
            .map_err(|error| CliError::failed(error.to_string()))?;
        let restored = restore(&profile, &maps);
        Ok(Named {
            profile: restored.profile.map_or(profile, Arc::new),
            names: note_fits(&restored.uses),
        })
    }

    /// Symbolicates the screen's profile: by the given source maps, else by the last one of the capture's Worker. Also returns
    /// why that failed, if it did.
    ///
    /// # Errors
    /// [`CliError::Failed`], naming the map that can't be read.
    pub(super) fn name(&self, source: Source) -> Result<(Source, Option<String>), CliError> {
        if self.source_map.is_empty() {
            if source.captures().next().is_none() {
                return Ok((source, None));
            }
            let store = crate::cli::connect::store(&Environment::of_process())?;
            return Ok(symbolication::recall(&store, source));
        }
        let maps = source_maps::load(&self.source_map)
            .map_err(|error| CliError::failed(error.to_string()))?;
        Ok(
            match symbolication::names(&source.profile, &maps, &self.source_map) {
                Ok(names) => (source.with_names(names), None),
                Err(why) => (source, Some(why)),
            },
        )
    }

    /// Returns what is known of a profile besides its bytes, given the notes on the maps that were applied.
    pub(super) fn context(&self, source: &Source, names: &[String]) -> Context {
        Context {
            has_source_map: !names.is_empty(),
            ..source.capture.as_ref().map(Context::of).unwrap_or_default()
        }
    }

    /// Loads the given source maps.
    #[must_use]
    pub fn source_maps(&self) -> &[PathBuf] {
        &self.source_map
    }
}

/// A profile with notes on its symbolication.
pub struct Named {
    /// The profile.
    pub profile: Arc<Profile>,
    /// A sentence for each source map that was applied.
    pub names: Vec<String>,
}

/// Returns the notes on source maps that were applied. If none was, prints the notes on the others to stderr.
pub fn note_fits(uses: &[Use]) -> Vec<String> {
    let (fitting, others): (Vec<&Use>, Vec<&Use>) =
        uses.iter().partition(|made| made.fit == Fit::Fits);
    let sentence = |made: &&Use| printable(&map_outcome(made)).into_owned();
    if fitting.is_empty() {
        others
            .iter()
            .for_each(|made| crate::cli::connect::note(&sentence(made)));
    }
    fitting.iter().map(sentence).collect()
}

/// Accepts an expression that begins with a dash, but not an option: then the expression is missing.
fn expression(text: &str) -> Result<String, String> {
    let name = text
        .strip_prefix("--")
        .map(|rest| rest.split_once('=').map_or(rest, |(name, _)| name));
    let is_option = name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    if is_option
        && name.is_some_and(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        })
    {
        return Err(format!(
            "this is an option; as an expression, write it as \\{text}"
        ));
    }
    Ok(text.to_owned())
}

/// Returns the sample type of a name.
///
/// # Errors
/// [`CliError::Usage`], listing the profile's types.
pub fn sample_type(profile: &Profile, name: &str) -> Result<usize, CliError> {
    profile.sample_type_named(name).ok_or_else(|| {
        let names: Vec<String> = profile
            .sample_types()
            .iter()
            .map(|sample_type| printable(&profile.text(sample_type.kind)).into_owned())
            .collect();
        let (name, names) = (printable(name), names.join(", "));
        CliError::Usage(format!(
            "--sample-type: this profile has no `{name}`, but: {names}"
        ))
    })
}

/// Aggregates a file's profile.
///
/// # Errors
/// [`CliError::Failed`], naming the file, for instance for values that overflow.
pub fn read(profile: &Profile, view: &View, paths: &[PathBuf]) -> Result<Reading, CliError> {
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    aggregate::read(profile, view)
        .map_err(|error| CliError::failed(format!("{}: {error}", printable(&names.join(", ")))))
}
