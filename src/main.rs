//! The thin binary: arguments in, failure to exit code.
use std::process::ExitCode;

fn main() -> ExitCode {
    flarescope::run()
}
