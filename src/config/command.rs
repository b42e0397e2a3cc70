//! Running the user's command that prints a token.

use std::io::Read;
use std::process::{self, Stdio};

use super::ConfigError;
use super::file::Command;

/// Longest answer that is read, in bytes. Tokens have about 50.
const ANSWER_MAX: u64 = 16 << 10;

/// Runs the command and answers what it printed. It may ask the user something: its errors and questions go to the
/// terminal, and it is waited for as long as it takes.
pub(super) fn run(command: &Command) -> Result<String, ConfigError> {
    let failed = |why: String| ConfigError::TokenCommand(why);
    let mut process = match command {
        Command::Line(line) => {
            let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
            let mut process = process::Command::new(shell);
            process.args([option, line]);
            process
        }
        Command::Words(words) => {
            let (program, arguments) = words.split_first().ok_or_else(|| failed("it is empty".to_owned()))?;
            let mut process = process::Command::new(program);
            process.args(arguments);
            process
        }
    };
    let mut child = process.stdout(Stdio::piped()).spawn().map_err(|error| failed(error.to_string()))?;
    let mut answer = String::new();
    let read = child.stdout.take().map(|out| out.take(ANSWER_MAX).read_to_string(&mut answer));
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    match read {
        _ if !status.success() => Err(failed(format!("it ended with {status}"))),
        Some(Err(_)) => Err(failed("it printed no text".to_owned())),
        _ => Ok(answer),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_what_it_prints_and_a_failure_is_told() {
        assert_eq!(run(&Command::Line("printf %s to; echo ken".to_owned())).unwrap(), "token\n");
        let words = |words: &[&str]| Command::Words(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(run(&words(&["printf", "%s", "a b"])).unwrap(), "a b");
        for bad in [words(&[]), words(&["/nonexistent/x"]), words(&["false"]), Command::Line("exit 3".to_owned())] {
            assert!(matches!(run(&bad), Err(ConfigError::TokenCommand(_))), "{bad:?}");
        }
    }
}
