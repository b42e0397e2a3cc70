//! `flarescope doctor`: checks everything that a capture needs, and says what to do if something is missing.

mod cloudflare;
mod local;

use std::io;
use std::io::Write;

use serde::Serialize;

use crate::api::ApiError;
use crate::cli::output::{print_json, terminal_columns};
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect};
use crate::config::Environment;
use crate::inspector::Inspector;
use crate::model::text::cut::wrap_whole;
use crate::model::text::sanitize::printable;
use crate::model::text::units::counted;

/// Columns of the texts on any terminal.
const LEAST: usize = 20;

/// Check token, permissions, account, network, clock, terminal and cache
#[derive(Debug, clap::Args)]
pub(super) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    /// Works with limits.
    Warning,
    /// Captures are impossible.
    Failed,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Status,
    message: String,
    hint: Option<String>,
    /// `cf-ray` of the response.
    ray: Option<String>,
}

impl Check {
    fn new(name: &'static str, status: Status, message: impl Into<String>) -> Self {
        Self {
            name,
            status,
            message: message.into(),
            hint: None,
            ray: None,
        }
    }

    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, Status::Ok, message)
    }

    fn warning(name: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..Self::new(name, Status::Warning, message)
        }
    }

    fn failed(name: &'static str, message: impl Into<String>, hint: Option<String>) -> Self {
        Self {
            hint,
            ..Self::new(name, Status::Failed, message)
        }
    }

    fn refused(name: &'static str, error: &ApiError) -> Self {
        let ray = error.ray().map(str::to_owned);
        Self {
            ray,
            ..Self::failed(name, error.to_string(), error.hint())
        }
    }

    /// Returns a warning for an error that captures can do without; `hint` says so.
    fn missing(name: &'static str, error: &ApiError, hint: String) -> Self {
        Self {
            status: Status::Warning,
            hint: Some(hint),
            ..Self::refused(name, error)
        }
    }
}

impl Check {
    /// Returns the check for people, in lines that fit into a terminal's columns.
    fn text(&self, columns: Option<usize>) -> String {
        let word = match self.status {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Failed => "FAILED",
        };
        let ray = self
            .ray
            .as_ref()
            .map(|ray| format!("Cloudflare's support can look it up by its cf-ray {ray}"));
        let said = [Some(&self.message), self.hint.as_ref(), ray.as_ref()];
        let mut text = format!("{word:<8} {:<12} ", self.name);
        let indent = text.len();
        let room = columns.map(|columns| columns.saturating_sub(indent).max(LEAST));
        let lines = said.into_iter().flatten().flat_map(|text| text.lines());
        let lines: Vec<String> = lines
            .flat_map(|line| match room {
                Some(room) => wrap_whole(&printable(line), room),
                None => vec![printable(line).into_owned()],
            })
            .collect();
        text += &lines.join(&format!("\n{:indent$}", ""));
        text.truncate(text.trim_end().len());
        text + "\n"
    }
}

/// Runs the command.
///
/// # Errors
/// [`CliError::Failed`] if a check failed that captures need; all results are printed first.
pub(super) fn run(args: &DoctorArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    let environment = Environment::of_process();
    let configuration = connect::configuration(&environment);
    let mut checks = match account.local.inspector()? {
        Some(inspector) => vec![connect::block_on(runtime(&inspector))?],
        None => connect::block_on(cloudflare::checks(
            account,
            &environment,
            configuration.as_ref().ok(),
        ))?,
    };
    checks.extend(local::checks(&environment, look, configuration));
    let failed = checks
        .iter()
        .filter(|check| check.status == Status::Failed)
        .count();
    let mut out = io::stdout().lock();
    if args.json {
        let value = serde_json::json!({ "ok": failed == 0, "checks": checks });
        print_json(&mut out, &value)?;
    } else {
        let columns = terminal_columns();
        for check in &checks {
            out.write_all(check.text(columns).as_bytes())?;
        }
    }
    // The report is printed already.
    if failed == 0 {
        Ok(())
    } else {
        Err(CliError::Reported)
    }
}

/// Checks that the local runtime responds and has something to profile.
async fn runtime(inspector: &Inspector) -> Check {
    let targets = match inspector.targets().await {
        Ok(targets) => targets,
        Err(error) => return Check::failed("inspector", error.to_string(), error.hint()),
    };
    let name = if targets.runtime.is_empty() {
        "a runtime"
    } else {
        &targets.runtime
    };
    let all = targets.list.len();
    let message = format!(
        "{name} at {} runs {}",
        inspector.address(),
        counted(all as i128, "Worker")
    );
    match targets
        .list
        .iter()
        .find_map(|target| Some((&target.isolate.name, target.isolate.obstacle?)))
    {
        Some((name, why)) => Check::warning(
            "inspector",
            message,
            format!("{name} can't be profiled: {}.", why.words()),
        ),
        None => Check::ok("inspector", message),
    }
}
