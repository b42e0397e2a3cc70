//! Running the user's command that prints a token.

use std::io::Read;
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

use crate::config::ConfigError;
use crate::config::file::Command;

/// Longest answer that is read, in bytes. Tokens have about 50.
const ANSWER_MAX: u64 = 16 << 10;
/// Timeout of a command that is run again: its prompts are not visible.
const AGAIN_MAX: Duration = Duration::from_secs(20);
/// How often it is looked whether it has ended.
const EACH: Duration = Duration::from_millis(10);

/// Runs the command and returns what it printed. It may ask the user something: its errors and questions go to the
/// terminal, and it is waited for as long as it takes.
pub(super) fn run(command: &Command) -> Result<String, ConfigError> {
    let failed = |why: String| ConfigError::TokenCommand(why);
    let mut process = process(command)?;
    let mut child = process
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut answer = String::new();
    let read = child
        .stdout
        .take()
        .map(|out| out.take(ANSWER_MAX).read_to_string(&mut answer));
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    match read {
        _ if !status.success() => Err(failed(format!("it ended with {status}"))),
        Some(Err(_)) => Err(failed("it printed no text".to_owned())),
        _ => Ok(answer),
    }
}

/// Runs the command once more, while the terminal is not its own: it can ask nothing, and has [`AGAIN_MAX`] to answer.
pub(super) fn run_again(command: &Command) -> Option<String> {
    let mut process = process(command).ok()?;
    process
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    {
        // One that wants the keyboard all the same is stopped by the system instead of taking the screen's keys.
        use std::os::unix::process::CommandExt as _;
        process.process_group(0);
    }
    let mut child = process.spawn().ok()?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if began.elapsed() < AGAIN_MAX => std::thread::sleep(EACH),
            _ => {
                // What it would say is not waited for any more.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let mut answer = String::new();
    child
        .stdout
        .take()?
        .take(ANSWER_MAX)
        .read_to_string(&mut answer)
        .ok()?;
    status.success().then_some(answer)
}

fn process(command: &Command) -> Result<process::Command, ConfigError> {
    let failed = |why: &str| ConfigError::TokenCommand(why.to_owned());
    Ok(match command {
        Command::Line(line) => {
            let (shell, option) = if cfg!(windows) {
                ("cmd", "/C")
            } else {
                ("sh", "-c")
            };
            let mut process = process::Command::new(shell);
            process.args([option, line]);
            process
        }
        Command::Words(words) => {
            let (program, arguments) = words.split_first().ok_or_else(|| failed("it is empty"))?;
            let mut process = process::Command::new(program);
            process.args(arguments);
            process
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_what_it_prints_and_a_failure_is_told() {
        assert_eq!(
            run(&Command::Line("printf %s to; echo ken".to_owned())).unwrap(),
            "token\n"
        );
        assert_eq!(
            run_again(&Command::Line("cat; printf %s to; echo ken".to_owned())).unwrap(),
            "token\n"
        );
        let words =
            |words: &[&str]| Command::Words(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(run(&words(&["printf", "%s", "a b"])).unwrap(), "a b");
        for bad in [
            words(&[]),
            words(&["/nonexistent/x"]),
            words(&["false"]),
            Command::Line("exit 3".to_owned()),
        ] {
            assert!(
                matches!(run(&bad), Err(ConfigError::TokenCommand(_))),
                "{bad:?}"
            );
            assert_eq!(run_again(&bad), None, "{bad:?}");
        }
    }
}
