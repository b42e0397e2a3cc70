//! `flarescope config`: shows the configuration and its sources, and writes a template.

use std::io;
use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use serde::Serialize;

use crate::app::COMMANDS;
use crate::cli::output::{print_json, print_path};
use crate::cli::screen::Look;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect};
use crate::config;
use crate::config::{Environment, File};
use crate::model::cloudflare::Kind;
use crate::model::text::sanitize::{json_safe, printable};
use crate::ui::theme::{Depth, Themes};

/// Show the configuration and where each value comes from, or write a template
#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print the path of the configuration file, even if it does not exist
    Path,
    /// Print each value in effect and where it comes from
    Show {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Write a configuration with everything commented out; never overwrites one
    Init,
}

impl ConfigArgs {
    /// Returns whether failures are printed as JSON.
    pub(super) const fn wants_json(&self) -> bool {
        matches!(self.act, Act::Show { json: true })
    }
}

/// A value in effect.
#[derive(Debug, Serialize)]
struct Row {
    key: String,
    /// As the file would have it; `null` if there is none.
    value: Option<serde_json::Value>,
    source: String,
}

/// Runs the command.
///
/// # Errors
/// [`CliError::Usage`] for a configuration with mistakes, [`CliError::Failed`] if a file can't be written.
pub(super) fn run(args: &ConfigArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    let environment = Environment::of_process();
    let mut out = io::stdout().lock();
    match &args.act {
        Act::Path => print_path(&mut out, &place(&environment)?)?,
        Act::Init => print_path(&mut out, &init(&environment)?)?,
        Act::Show { json } => {
            let file = connect::configuration(&environment)?;
            let rows = rows(account, look, &environment, &file)?;
            for warning in theme_mistakes(&environment) {
                connect::note(&printable(&warning));
            }
            if *json {
                print_json(&mut out, &rows)?;
            } else {
                write_rows(&mut out, &rows)?;
            }
        }
    }
    Ok(())
}

fn place(environment: &Environment) -> Result<PathBuf, CliError> {
    let none = || CliError::Usage("no home folder: set FLARESCOPE_CONFIG to a file".to_owned());
    File::place(environment).ok_or_else(none)
}

fn init(environment: &Environment) -> Result<PathBuf, CliError> {
    let path = place(environment)?;
    match config::write_template(&path) {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(CliError::failed(format!(
                "{} already exists; flarescope config show prints the values in effect",
                path.display()
            )))
        }
        Err(error) => Err(CliError::failed(format!("{}: {error}", path.display()))),
    }
}

/// Returns every setting with its value and its source: flag, variable, line of the file, default.
fn rows(
    account: &AccountArgs,
    look: &LookArgs,
    environment: &Environment,
    file: &File,
) -> Result<Vec<Row>, CliError> {
    let mut effective = Look::new(look, environment, file)?;
    let last_theme = effective
        .take_last_theme(environment)
        .then(|| "the last choice".to_owned());
    let spot = |key: &str| file.spot(key);
    let or_default = |key: &str| spot(key).unwrap_or_else(|| "default".to_owned());
    let flag = |given: bool, name: &str| given.then(|| name.to_owned());
    let variable = |name: &str| environment.get(name).map(|_| name.to_owned());
    let mut rows = Vec::new();
    let mut row = |key: &str, value: serde_json::Value, source: String| {
        let value = Some(value).filter(|value| !value.is_null());
        rows.push(Row {
            key: key.to_owned(),
            value,
            source,
        });
    };
    // A remembered account is not part of the configuration.
    let named = config::account(account.account.as_deref(), environment, file, None)?;
    let named = named.map(|found| found.account.id);
    let source = flag(account.account.is_some(), "--account")
        .or_else(|| variable("CLOUDFLARE_ACCOUNT_ID"))
        .or_else(|| variable("CF_ACCOUNT_ID"));
    row(
        "account",
        named.into(),
        source.unwrap_or_else(|| or_default("account")),
    );
    // Its arguments may be secrets.
    let command = file
        .token_command
        .as_ref()
        .map(|command| format!("{} …", command.program()));
    row("token_command", command.into(), or_default("token_command"));
    let quota = config::written_size(file.quota.unwrap_or(config::QUOTA));
    row("quota", quota.into(), or_default("quota"));
    let theme = flag(look.theme.is_some(), "--theme");
    row(
        "theme",
        effective.theme.clone().into(),
        theme.or(last_theme).unwrap_or_else(|| or_default("theme")),
    );
    let truecolor = flag(look.truecolor, "--truecolor")
        .or_else(|| variable("NO_COLOR").filter(|_| file.truecolor == Some(true)));
    row(
        "truecolor",
        (effective.depth == Depth::True).into(),
        truecolor.unwrap_or_else(|| or_default("truecolor")),
    );
    let ascii = flag(look.ascii, "--ascii").or_else(|| variable("FLARESCOPE_ASCII"));
    let by_locale = effective.ascii() && file.ascii != Some(true);
    let ascii = ascii.or_else(|| by_locale.then(|| "the locale".to_owned()));
    row(
        "ascii",
        effective.ascii().into(),
        ascii.unwrap_or_else(|| or_default("ascii")),
    );
    let mouse = flag(look.mouse, "--mouse").or_else(|| variable("FLARESCOPE_MOUSE"));
    row(
        "mouse",
        effective.mouse.into(),
        mouse.unwrap_or_else(|| or_default("mouse")),
    );
    let settings = &effective.settings;
    let kind = if settings.kind == Kind::Heap {
        "heap"
    } else {
        "cpu"
    };
    row("capture.kind", kind.into(), or_default("capture.kind"));
    let window = format!("{}s", settings.window.as_secs());
    row(
        "capture.duration",
        window.into(),
        or_default("capture.duration"),
    );
    let names: Vec<_> = settings
        .columns
        .iter()
        .map(|column| column.name())
        .collect();
    row("table.columns", names.into(), or_default("table.columns"));
    for command in COMMANDS {
        if let Some(keys) = settings.keys.own(command.command) {
            let names: Vec<_> = keys.iter().map(ToString::to_string).collect();
            let key = format!("keys.{}", command.name);
            row(&key, names.into(), or_default(&key));
        }
    }
    Ok(rows)
}

/// Prints the values as the file would have them, each with its source.
fn write_rows(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut table = "";
    for row in rows {
        let (of, key) = row.key.split_once('.').unwrap_or(("", &row.key));
        if of != table {
            writeln!(out, "\n[{of}]")?;
            table = of;
        }
        let source = printable(&row.source);
        match &row.value {
            // Strings, booleans and lists have the same syntax in both formats.
            Some(value) => {
                let value = json_safe(value.to_string());
                writeln!(out, "{key} = {value} # {source}")?;
            }
            None => writeln!(out, "# {key}: none ({source})")?,
        }
    }
    Ok(())
}

/// Returns the mistakes in the user's own themes.
fn theme_mistakes(environment: &Environment) -> Vec<String> {
    let themes = crate::cli::themes::themes(environment);
    let own = config::own_themes(environment);
    let mistakes =
        |themes: &Themes, name: &str| themes.load_anyhow(name, Depth::Indexed256).warnings;
    own.iter()
        .flat_map(|theme| mistakes(&themes, &theme.name))
        .map(|warning| warning.to_string())
        .collect()
}
