//! Tests that need other people's programs. Where one is missing, `cargo test` lists the test as ignored, with what it
//! needs; with `FLARESCOPE_TEST_ALL=1` it fails instead. Nothing is fetched from npm without that variable either.
#![allow(
    dead_code,
    reason = "four test programs share this, and each uses a part"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

/// Returns a test of that name, for [`run`]; `lacks` is what it needs and is not there.
macro_rules! tool_test {
    ($($name:ident)::+, $lacks:expr) => {
        $crate::tools::test(stringify!($($name)::+), $lacks, $($name)::+)
    };
}
pub(crate) use tool_test;

/// Whether no test may be left out, and what it takes may be fetched.
pub(crate) fn all() -> bool {
    std::env::var_os("FLARESCOPE_TEST_ALL").is_some()
}

pub(crate) fn test(name: &str, lacks: Option<String>, run: fn()) -> Trial {
    let name = name.replace(' ', "");
    match lacks {
        None => Trial::test(name, move || {
            run();
            Ok(())
        }),
        Some(lacks) => {
            let kind = format!("needs {lacks}");
            let why = kind.clone();
            Trial::test(name, move || Err(why.into()))
                .with_kind(kind)
                .with_ignored_flag(!all())
        }
    }
}

pub(crate) fn run(tests: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// Returns the program's name, if it can't be run.
pub(crate) fn lacks_program(name: &str) -> Option<String> {
    let is_there = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()));
    (!is_there).then(|| name.to_owned())
}

/// The folder inside the build folder that a package from npm is installed into.
pub(crate) fn npm_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("npm-{name}"))
}

/// Returns what is missing, if packages were not installed yet and may not be fetched.
pub(crate) fn lacks_packages(folder: &str, packages: &[&str]) -> Option<String> {
    let is_there = npm_folder(folder).join("installed").is_file();
    (!is_there && !all()).then(|| format!("{} from npm", packages.join(", ")))
}

/// Installs packages from npm once, and returns their folder.
pub(crate) fn install(folder: &str, packages: &[&str]) -> PathBuf {
    let dir = npm_folder(folder);
    std::fs::create_dir_all(&dir).unwrap();
    // Several tests want the packages, each in a process or a thread of its own.
    let lock = std::fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    if dir.join("installed").is_file() {
        return dir;
    }
    assert!(
        all(),
        "{packages:?} may be fetched with FLARESCOPE_TEST_ALL=1 alone"
    );
    let package = "{\"private\":true,\"type\":\"module\"}";
    std::fs::write(dir.join("package.json"), package).unwrap();
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund"])
        .args(packages)
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "npm gives no {packages:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::write(dir.join("installed"), "").unwrap();
    dir
}
