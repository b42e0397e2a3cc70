//! Every row, call and stack of every profile in the fixtures, of shapes that producers write, and of random ones, against
//! the reference implementation: `go tool pprof -top`, `-peek` and `-traces`.
//!
//! Skipped, with a word, where Go is not installed; with FLARESCOPE_TEST_ALL=1 that fails.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of a test fail the test, and say what they skip"
)]

mod check;
mod expressions;
mod files;
mod labels;
mod producers;
mod random;
mod reference;
mod told;
mod wire;
