//! Whole programs beside those that a user could run instead, one after the other in the same minutes:
//! `cargo bench --profile dist --bench whole -- 1000 100000` for so many distinct stacks.
//!
//! Commands are measured against `go tool pprof`, the screen against flamelens, each where it is found on the PATH. Written
//! as Markdown: medians, and how many times our figure the other one is. Bytes are what a program writes to its terminal
//! of 200×50, from a key to the end of its repaint.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::cast_precision_loss)]

use std::fs;
use std::path::{Path, PathBuf};

mod commands;
#[path = "../generator/mod.rs"]
#[allow(dead_code, reason = "the benches of the core use all of it")]
mod generator;
mod terminal;

use generator::Shape;

/// Distinct stacks unless numbers are given: small, the most a capture can hold, and many captures in one.
const SIZES: [usize; 3] = [1_000, 50_000, 100_000];

/// The program as it was built for this.
const PROGRAM: &str = env!("CARGO_BIN_EXE_flarescope");

/// Files with one made-up profile, in each form that somebody reads.
struct Inputs {
    pprof: PathBuf,
    /// The same size from another seed.
    other: PathBuf,
    folded: PathBuf,
}

fn main() {
    // Cargo adds an argument of its own, and running all benches as tests must not take minutes.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let sizes: Vec<usize> = arguments
        .iter()
        .filter_map(|argument| argument.replace('_', "").parse().ok())
        .collect();
    let folder = tempfile::tempdir().expect("a folder for the inputs");
    for stacks in if sizes.is_empty() {
        SIZES.to_vec()
    } else {
        sizes
    } {
        let inputs = inputs(folder.path(), stacks);
        println!(
            "\n## {stacks} stacks, {} kB gzipped\n",
            size(&inputs.pprof) / 1_000
        );
        commands::measure(&inputs);
        terminal::measure(&inputs);
    }
}

fn inputs(folder: &Path, stacks: usize) -> Inputs {
    let file = |name: &str| folder.join(format!("{stacks}-{name}"));
    let inputs = Inputs {
        pprof: file("one.pb.gz"),
        other: file("other.pb.gz"),
        folded: file("one.folded"),
    };
    fs::write(&inputs.pprof, generator::gzipped(Shape::Js, stacks)).expect("room for the inputs");
    fs::write(&inputs.other, generator::gzipped(Shape::Js, stacks + 1))
        .expect("room for the inputs");
    commands::run(&[
        PROGRAM,
        "export",
        text(&inputs.pprof),
        "--to",
        "folded",
        "-o",
        text(&inputs.folded),
    ]);
    inputs
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The file of a program on the PATH.
fn found(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// The middle one; of an even number the larger of both in the middle.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
