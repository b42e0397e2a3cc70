//! The real runtime: workerd with two Workers under load, captured through the program.
//!
//! It comes from npm into the build folder, unless it is there already. Without it the tests are ignored,
//! unless `FLARESCOPE_TEST_ALL` is set: then they fetch it, or fail.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod captures;
mod load;
mod server;
#[path = "../support/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use serde_json::Value;

use server::Server;
use tools::tool_test;

/// The runtime, and a folder for what is kept.
struct Place {
    server: Server,
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let program = program(&tools::install(FOLDER, &["--ignore-scripts", PACKAGE])).unwrap();
        Self {
            server: Server::start(&program),
            dir: tempfile::tempdir().unwrap(),
        }
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

const FOLDER: &str = "workerd";

/// The program in the package for this system, as far as one was installed.
fn program(dir: &Path) -> Option<PathBuf> {
    let packages = std::fs::read_dir(dir.join("node_modules/@cloudflare")).ok()?;
    let programs = packages
        .filter_map(Result::ok)
        .map(|package| package.path().join("bin/workerd"));
    programs.into_iter().find(|program| program.is_file())
}

fn main() -> ExitCode {
    let lacks = tools::lacks_packages(FOLDER, &[PACKAGE]);
    tools::run(vec![
        tool_test!(
            captures::cpu_and_heap_captures_name_the_functions_that_are_known_to_cost,
            lacks.clone()
        ),
        tool_test!(
            captures::a_cancelled_capture_leaves_an_isolate_that_can_be_captured_at_once,
            lacks.clone()
        ),
        tool_test!(
            captures::the_runtime_survives_a_second_client_while_a_profile_runs,
            lacks.clone()
        ),
    ])
}
