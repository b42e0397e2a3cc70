//! Runs the user's command that prints a token.

use std::io::Read;
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

use crate::config::ConfigError;
use crate::config::file::Command;

/// Longest output that is read, in bytes. Tokens have about 50.
const OUTPUT_MAX: u64 = 16 << 10;
/// Timeout of a command that is run again: its prompts are not visible.
const AGAIN_MAX: Duration = Duration::from_secs(20);
/// How often its end is checked.
const POLL: Duration = Duration::from_millis(10);

/// Runs the command and returns its output. It may prompt: its errors and prompts go to the terminal, and it may take as
/// long as it needs.
pub(super) fn run(command: &Command) -> Result<String, ConfigError> {
    let failed = |why: String| ConfigError::TokenCommand(why);
    let mut process = process(command)?;
    let mut child = process
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut output = String::new();
    let read = child
        .stdout
        .take()
        .map(|out| out.take(OUTPUT_MAX).read_to_string(&mut output));
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    match read {
        _ if !status.success() => Err(failed(format!("it ended with {status}"))),
        Some(Err(_)) => Err(failed("its output is not UTF-8".to_owned())),
        _ => Ok(output),
    }
}

/// Runs the command again, without the terminal: it can't prompt, and is ended after [`AGAIN_MAX`].
pub(super) fn run_again(command: &Command) -> Option<String> {
    let mut process = process(command).ok()?;
    process
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    {
        // The system then stops a command that reads the keyboard, so it can't take the screen's keys.
        use std::os::unix::process::CommandExt as _;
        process.process_group(0);
    }
    let mut child = process.spawn().ok()?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if began.elapsed() < AGAIN_MAX => std::thread::sleep(POLL),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let mut output = String::new();
    child
        .stdout
        .take()?
        .take(OUTPUT_MAX)
        .read_to_string(&mut output)
        .ok()?;
    status.success().then_some(output)
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
    fn the_token_is_what_it_prints_and_a_failure_is_reported() {
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
