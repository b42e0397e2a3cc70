//! The real runtime: workerd with two Workers under load, captured through the program.
//!
//! It comes from npm into the build folder, unless it is there already. Where npm can't be had the tests say that they were
//! skipped, unless `FLARESCOPE_TEST_ALL` is set: then a skip is a failure.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper of a test fails the test"
)]

mod captures;
mod load;
mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use server::Server;

/// The runtime, and a folder for what is kept.
struct Place {
    server: Server,
    dir: tempfile::TempDir,
}

impl Place {
    /// `None`: the runtime can't be had, and that was told.
    fn new() -> Option<Self> {
        Some(Self {
            server: Server::start(&installed()?),
            dir: tempfile::tempdir().unwrap(),
        })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        command
            .args(arguments)
            .args(["--inspector", &self.server.inspector.to_string()]);
        command
            .env_clear()
            .env("HOME", self.dir.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// The runtime's version that the tests are made for.
const PACKAGE: &str = "workerd@1.20261117.1";

/// Installs the runtime into the build folder once, and answers its program.
fn installed() -> Option<PathBuf> {
    static ONCE: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    ONCE.get_or_init(install).clone()
}

fn install() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm-workerd");
    if let Some(found) = program(&dir) {
        return Some(found);
    }
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("package.json"), "{\"private\":true}").unwrap();
    // The program itself comes in a package of its own for each system: no script has to run.
    let arguments = [
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        PACKAGE,
    ];
    let why = match Command::new("npm")
        .args(arguments)
        .current_dir(&dir)
        .output()
    {
        Ok(output) if output.status.success() => match program(&dir) {
            Some(found) => return Some(found),
            None => "there is none for this system".to_owned(),
        },
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    assert!(
        std::env::var_os("FLARESCOPE_TEST_ALL").is_none(),
        "{PACKAGE} can't be had from npm: {why}"
    );
    println!("skipped: {PACKAGE} can't be had from npm: {why}");
    None
}

/// The program in the package for this system, as far as one was installed.
fn program(dir: &Path) -> Option<PathBuf> {
    let packages = std::fs::read_dir(dir.join("node_modules/@cloudflare")).ok()?;
    let programs = packages
        .filter_map(Result::ok)
        .map(|package| package.path().join("bin/workerd"));
    programs.into_iter().find(|program| program.is_file())
}
