//! Checks of this machine: the configuration, the cache, the log, the terminal.

use std::collections::BTreeSet;
use std::io;
use std::io::IsTerminal;
use std::path::Path;

use crate::cli::doctor::Check;
use crate::cli::screen::Look;
use crate::cli::{LookArgs, connect};
use crate::config;
use crate::config::{ConfigError, Environment, File, written_size};
use crate::model::text::sanitize::shell_word;
use crate::model::text::units;
use crate::runtime::log;
use crate::store::Store;
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::Depth;

/// Checks the configuration, the cache, the log and the terminal. A configuration with mistakes is ignored by the others.
pub(super) fn checks(
    environment: &Environment,
    look: &LookArgs,
    configuration: Result<File, ConfigError>,
) -> Vec<Check> {
    let (check, file) = match configuration {
        Ok(file) => (settled(environment, &file), Some(file)),
        Err(error) => {
            let hint = "flarescope won't start until it is fixed; flarescope config show then prints the values.";
            (
                Check::failed("config", error.to_string(), Some(hint.to_owned())),
                None,
            )
        }
    };
    let mut checks = vec![check, cache(environment, file.as_ref())];
    checks.extend(rescued(environment));
    checks.push(log());
    checks.push(terminal(environment, look, &file.unwrap_or_default()));
    checks
}

fn settled(environment: &Environment, file: &File) -> Check {
    match (&file.path, File::place(environment)) {
        (Some(path), _) => Check::ok("config", format!("{}: ok", path.display())),
        (None, Some(place)) => Check::ok(
            "config",
            format!("no config file at {}; using defaults", place.display()),
        ),
        (None, None) => Check::ok("config", "no home folder for a config file; using defaults"),
    }
}

fn cache(environment: &Environment, file: Option<&File>) -> Check {
    let Ok(dir) = config::cache_dir(environment) else {
        let hint = "Set FLARESCOPE_CACHE_DIR; until then captures last as long as the program.";
        return Check::warning("cache", "no home folder", hint);
    };
    // The quota is unknown if the configuration can't be read.
    let store = Store::open(dir).with_quota(file.map(|file| file.quota.unwrap_or(config::QUOTA)));
    if let Err(error) = store.probe() {
        return Check::warning(
            "cache",
            error.to_string(),
            "Captures go to a rescue folder, which `flarescope capture` names, or where -o says.",
        );
    }
    match store.list() {
        Ok(listing) => {
            let bytes: u64 = listing.captures.iter().map(|capture| capture.bytes).sum();
            let most = store
                .quota()
                .map_or_else(String::new, |quota| format!(" of {}", written_size(quota)));
            let count = units::counted(listing.captures.len() as i128, "capture");
            let size = units::value(i128::from(bytes), "bytes");
            let message = format!("{}: {count}, {size}{most}", store.dir().display());
            let files = listing
                .captures
                .iter()
                .map(|capture| capture.path.as_path());
            if let Some(open) = std::iter::once(store.dir())
                .chain(files)
                .find(|path| is_open_to_others(path))
            {
                let hint = format!(
                    "Others on this machine may read {}: chmod -R go= {} closes it.",
                    open.display(),
                    store.dir().display()
                );
                return Check::warning("cache", message, hint);
            }
            match listing.warnings.len() {
                0 => Check::ok("cache", message),
                1 => Check::warning(
                    "cache",
                    message,
                    "One file is unusable: flarescope cache list names it.",
                ),
                odd => Check::warning(
                    "cache",
                    message,
                    format!("{odd} files are unusable: flarescope cache list names them."),
                ),
            }
        }
        Err(error) => Check::warning("cache", error.to_string(), "The history can't be shown."),
    }
}

/// Returns a warning if captures that the cache could not take still lie in rescue folders.
fn rescued(environment: &Environment) -> Option<Check> {
    let dir = config::cache_dir(environment).ok()?;
    let store = Store::open(dir).with_rescue(connect::rescue_folders(environment));
    let rescued = store.rescued();
    let (first, others) = rescued.split_first()?;
    let count = units::counted(rescued.len() as i128, "capture");
    let folders: BTreeSet<_> = rescued
        .iter()
        .filter_map(|capture| capture.path.parent())
        .map(|folder| folder.display().to_string())
        .collect();
    let folders = Vec::from_iter(folders).join(", ");
    let path = shell_word(&first.path.to_string_lossy());
    let more = if others.is_empty() {
        ""
    } else {
        ", and so for the others"
    };
    Some(Check::warning(
        "rescued",
        format!("{count} that the cache could not take: {folders}"),
        format!("flarescope cache import {path} takes it in{more}."),
    ))
}

fn log() -> Check {
    let Some(path) = log::file() else {
        return Check::ok("log", "none; --log FILE or FLARESCOPE_LOG=FILE writes one");
    };
    let size = |path: &Path| std::fs::metadata(path).map(|found| i128::from(found.len()));
    let shown = |bytes| units::value(bytes, "bytes");
    let rotated = log::rotated(path);
    let earlier = size(&rotated).map_or_else(
        |_| String::new(),
        |bytes| format!("; earlier {}: {}", rotated.display(), shown(bytes)),
    );
    let now = shown(size(path).unwrap_or(0));
    Check::ok("log", format!("{}: {now}{earlier}", path.display()))
}

/// Returns whether others than the owner may read or enter it.
#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

/// On other systems a user's folders are private by default.
#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

fn terminal(environment: &Environment, look: &LookArgs, file: &File) -> Check {
    if !io::stdout().is_terminal() {
        return Check::ok(
            "terminal",
            "standard output is not a terminal; the commands work without one",
        );
    }
    let Look { depth, glyphs, .. } = match Look::new(look, environment, file) {
        Ok(look) => look,
        Err(error) => {
            return Check::warning(
                "terminal",
                error.message(),
                "The screen can't open with these settings.",
            );
        }
    };
    let colours = match depth {
        Depth::True => "24-bit colours",
        Depth::Indexed256 => "256 colours",
        Depth::Sixteen => "16 colours",
        Depth::None => "no colours",
    };
    let signs = match glyphs {
        Glyphs::Unicode => "line signs",
        Glyphs::Ascii => "ASCII signs",
    };
    let term = environment.get("TERM").unwrap_or("none");
    let size = crossterm::terminal::size().unwrap_or((0, 0));
    // Both keep copied text to themselves by default.
    let within = match (environment.get("TMUX"), environment.get("STY")) {
        (Some(_), _) => ", in tmux (copying needs set-clipboard on)",
        (_, Some(_)) => ", in screen (no copying through it)",
        _ => "",
    };
    let message = format!(
        "TERM={term}, {}×{}, {colours}, {signs}{within}",
        size.0, size.1
    );
    if term == "dumb" || term == "none" && !cfg!(windows) {
        return Check::warning(
            "terminal",
            message,
            "The screen needs a terminal with cursor movement; the commands work.",
        );
    }
    if size.0 < 60 || size.1 < 15 {
        return Check::warning("terminal", message, "The screen needs at least 60×15.");
    }
    Check::ok("terminal", message)
}
