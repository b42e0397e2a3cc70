//! Text for the user's clipboard, also through SSH and tmux.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::app;
use crate::app::keys::message::{Message, message};

/// Terminals drop longer texts, some silently.
const CLIPBOARD_MAX: usize = 70_000;

/// How a text reaches the clipboard.
pub(super) enum Way {
    /// tmux accepted it and passes it on.
    Tmux,
    /// The terminal gets it by an escape sequence.
    Terminal,
    /// It is too long for an escape sequence.
    TooLong,
}

/// Tries tmux if the program runs in it, since tmux drops the escape sequence by default.
pub(super) fn copy(text: &str) -> Way {
    if std::env::var_os("TMUX").is_some() && tmux(text).is_ok_and(|took| took) {
        return Way::Tmux;
    }
    if text.len() > CLIPBOARD_MAX {
        Way::TooLong
    } else {
        Way::Terminal
    }
}

fn tmux(text: &str) -> std::io::Result<bool> {
    let mut child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    Ok(child.wait()?.success())
}

impl Way {
    /// Returns the message for the user.
    pub(super) fn message(&self) -> Message {
        match self {
            Self::Tmux => {
                "Copied to tmux's buffer, and to the clipboard if the terminal allows it.".into()
            }
            Self::Terminal => "Sent to the clipboard, if the terminal allows it.".into(),
            Self::TooLong => message![
                "Too long for the clipboard; ",
                app::Command::Export,
                " writes it to a file.",
            ],
        }
    }
}
