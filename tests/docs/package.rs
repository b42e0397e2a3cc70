//! What is packed for others: everything that is needed to build and to test, and nothing that only lay about.

use std::fs;
use std::process::Command;

use crate::root;

/// Most bytes that all files may have together; ten megabytes, compressed, is what can be published.
const SIZE_MAX: u64 = 10 << 20;

#[test]
fn the_package_holds_what_is_needed_and_nothing_else() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["package", "--list", "--allow-dirty"])
        .current_dir(root())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && !told.contains("warning"),
        "{told}"
    );
    let listed = String::from_utf8(output.stdout).unwrap();
    let files: Vec<&str> = listed.lines().collect();
    for needed in [
        "Cargo.lock",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "demo.tape",
        "docs/RUNBOOK.md",
        "src/config/config.toml",
        "src/demo/recordings/checkout-api.cpu.pprof.gz",
        "themes/ember.toml",
    ] {
        assert!(files.contains(&needed), "{needed} is not packed");
    }
    let mut size = 0;
    for file in files {
        let strange = file.starts_with(".ci")
            || file.starts_with(".github")
            || file.ends_with(".new")
            || file.ends_with(".orig");
        assert!(!strange || file == "Cargo.toml.orig", "{file} is packed");
        // Two files are made while packing.
        size += fs::metadata(root().join(file)).map_or(0, |found| found.len());
    }
    assert!((1 << 20..SIZE_MAX).contains(&size), "{size} bytes");
}
