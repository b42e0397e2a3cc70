//! The binary: runs the library's command line and returns its exit code.
use std::process::ExitCode;

fn main() -> ExitCode {
    flarescope::run()
}
