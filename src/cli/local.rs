//! The local runtime that `--inspector` names.

use crate::cli::CliError;
use crate::inspector::{
    Address, AddressError, Inspector, InspectorError, Settings, Target, Targets,
};
use crate::model::text::sanitize::printable;

/// A local runtime instead of Cloudflare.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LocalArgs {
    /// Profile a local workerd or `wrangler dev`: the URL, host:port or port of its inspector
    #[arg(
        long,
        value_name = "URL",
        global = true,
        help_heading = "Local runtime"
    )]
    pub inspector: Option<String>,
    /// Let the inspector be on another machine, unencrypted
    #[arg(long, global = true, help_heading = "Local runtime")]
    pub inspector_remote: bool,
}

impl LocalArgs {
    /// Returns the inspector that is given; `None` without one.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an invalid address, or one on another machine without the option that allows it.
    pub(super) fn inspector(&self) -> Result<Option<Inspector>, CliError> {
        let Some(text) = &self.inspector else {
            return Ok(None);
        };
        let address = Address::parse(text, self.inspector_remote)?;
        Ok(Some(Inspector::new(address, Settings::default())))
    }
}

/// Returns the isolate of that name, or the only one if no name is given.
///
/// # Errors
/// [`CliError`] if there is none, none of that name, or several.
pub(super) fn choose<'a>(
    targets: &'a Targets,
    name: Option<&str>,
    inspector: &Inspector,
) -> Result<&'a Target, CliError> {
    let address = inspector.address();
    let named = name.and_then(|name| targets.find(name));
    match (named, name, targets.list.as_slice()) {
        (Some(target), ..) => Ok(target),
        (None, _, []) => Err(CliError::failed(format!(
            "the runtime at {address} runs no Worker"
        ))),
        (None, None, [only]) => Ok(only),
        (None, None, several) => {
            let known: String = several
                .iter()
                .map(|target| format!("\n  {}", shown(target)))
                .collect();
            Err(CliError::Usage(format!(
                "the runtime at {address} runs several Workers: choose one with --worker{known}"
            )))
        }
        (None, Some(name), several) => {
            let known: Vec<_> = several.iter().map(shown).collect();
            Err(CliError::failed(format!(
                "the runtime at {address} runs no Worker {}; it has {}",
                printable(name),
                known.join(", ")
            )))
        }
    }
}

fn shown(target: &Target) -> String {
    printable(&target.isolate.name).into_owned()
}

impl From<AddressError> for CliError {
    fn from(error: AddressError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<InspectorError> for CliError {
    fn from(error: InspectorError) -> Self {
        let hint = error.hint();
        match Self::failed(error.to_string()) {
            Self::Failed(failed) => Self::Failed(crate::cli::failure::Failed { hint, ..failed }),
            other => other,
        }
    }
}
