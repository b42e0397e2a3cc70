//! Text for the user's clipboard, also through SSH and tmux.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use crate::app;
use crate::app::Response;
use crate::app::keys::message::{Message, message};
use crate::runtime::tasks::{Done, EffectResult};

/// Terminals drop longer texts, some silently.
const CLIPBOARD_MAX: usize = 70_000;

/// How long tmux may take: its server may hang.
const TMUX_WAIT: Duration = Duration::from_millis(500);

/// How a text reaches the clipboard.
enum Way {
    /// tmux accepted it and passes it on.
    Tmux,
    /// The terminal gets it by an escape sequence.
    Terminal,
    /// It is too long for an escape sequence.
    TooLong,
}

/// Tries tmux if the program runs in it, since tmux drops the escape sequence by default; otherwise hands the text to the loop,
/// which writes it to the terminal.
pub(super) async fn copy(text: String, responses: Sender<Done>) -> EffectResult {
    let way = if std::env::var_os("TMUX").is_some()
        && matches!(timeout(TMUX_WAIT, tmux(&text)).await, Ok(Ok(true)))
    {
        Way::Tmux
    } else if text.len() > CLIPBOARD_MAX {
        Way::TooLong
    } else {
        // The receiver is gone when the program ends.
        let _ = responses.send(Done::Clipboard(text)).await;
        Way::Terminal
    };
    Ok(Response::Copied(way.message()))
}

/// Returns whether tmux accepted the text. It is ended if nobody waits for it any longer.
async fn tmux(text: &str) -> io::Result<bool> {
    let mut child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).await?;
    }
    Ok(child.wait().await?.success())
}

impl Way {
    /// Returns the message for the user.
    fn message(&self) -> Message {
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
