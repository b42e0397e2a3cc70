//! A capture in a process of its own: what the screen tells it, what it tells the screen.
//!
//! The process is this program again, as `flarescope capture … --relay`, in a session of its own: a closed window, a dead
//! link or a killed screen does not end it, and what it brings is on the disk. What is captured stands in its arguments;
//! who asks, the token above all, or which local runtime is asked, comes through its standard input. It answers in lines of JSON. Weak point: a system
//! that ends all of a user's processes when the user leaves ends this one too.

mod child;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;

pub use child::{RelayError, relay};

use crate::api::{CAPTURE_BODY_MAX, Client};
use crate::app::{Failure, FailureKind, Refusal};
use crate::model::cloudflare::{ObjectRef, Origin};
use crate::runtime::taking::{Order, Progress};
use crate::runtime::{Local, log};
use crate::store::{LockOwner, Store, Traffic};

/// How long a process that has kept its profile is waited for.
const LAST_NOTE: Duration = Duration::from_secs(2);
/// How long a process is waited for that tells a runtime to stop.
const FAREWELL: Duration = Duration::from_secs(5);
/// Longest line that either side reads, in bytes.
const LINE_MAX: u64 = 256 << 10;

/// What is asked and by whom, and what is known of the target already: everything that does not stand in the arguments.
#[derive(Serialize, Deserialize)]
struct Handover {
    /// Both sides are one program; a file that was replaced meanwhile must not be taken for it.
    program: String,
    cache: PathBuf,
    quota: Option<u64>,
    /// Where a capture goes that the cache can't take.
    rescue: Vec<PathBuf>,
    source: Source,
    version_number: Option<u64>,
    percentage: Option<f64>,
    traffic: Option<Traffic>,
    object_name: Option<String>,
}

/// Where the profile is to come from.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Source {
    /// Cloudflare's API or its stand-in.
    Account {
        token: String,
        base_url: String,
        id: String,
        name: String,
        is_demo: bool,
    },
    /// A local runtime: its address, and the user's name for its only Worker.
    Inspector {
        address: String,
        label: Option<String>,
    },
}

/// Who is asked for a profile.
pub(super) enum Asked<'a> {
    /// Cloudflare's API or its stand-in.
    Account {
        client: &'a Client,
        base_url: &'a str,
    },
    /// A local runtime.
    Inspector(&'a Local),
}

/// The one word that the process is told after the handover: the profile is not wanted any more. That nobody is there to
/// say it any more is none.
const CANCEL: &str = "cancel";

/// What the process says, one line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
enum Word {
    /// Another capture of the account has to end first.
    Waiting {
        worker: String,
        until: Option<SystemTime>,
    },
    /// The window is open.
    Sent,
    /// The answer is whole.
    Arrived,
    /// The profile is on the disk, and what is to be told besides.
    Kept {
        path: PathBuf,
        remark: Option<String>,
    },
    /// It could not be put on the disk: so many bytes follow the line.
    Unkept {
        bytes: u64,
        why: String,
        asked_at: SystemTime,
        answered_at: SystemTime,
    },
    /// No profile came.
    Failed(Failed),
}

/// A failure on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Failed {
    message: String,
    evidence: Option<String>,
    hint: Option<String>,
    retry_after: Option<Duration>,
    refusal: Option<Refusal>,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        let Failure {
            message,
            evidence,
            hint,
            retry_after,
            refusal,
            ..
        } = failure;
        Self {
            message,
            evidence,
            hint,
            retry_after,
            refusal,
        }
    }
}

impl Failed {
    fn arrived(self) -> Failure {
        let Self {
            message,
            evidence,
            hint,
            retry_after,
            refusal,
        } = self;
        Failure {
            evidence,
            hint,
            retry_after,
            refusal,
            ..Failure::new(FailureKind::Capture, message)
        }
    }
}

/// What a process brought.
pub(super) enum Brought {
    /// The profile lies there, and what is to be told besides.
    Kept(PathBuf, Option<String>),
    /// The profile is here only, and why.
    Unkept {
        bytes: Vec<u8>,
        why: String,
        asked_at: SystemTime,
        answered_at: SystemTime,
    },
    /// The user did not want it any more.
    Cancelled,
}

/// A process that captures.
pub(super) struct Relay {
    child: Child,
    words: BufReader<ChildStdout>,
    input: ChildStdin,
    /// It has to tell a runtime to stop before it ends.
    says_farewell: bool,
}

impl Relay {
    /// Starts the program again and hands over who asks: the client's token is written to a pipe.
    pub(super) async fn start(
        program: &Path,
        asked: Asked<'_>,
        store: &Store,
        order: &Order,
    ) -> io::Result<Self> {
        let mut child = command(program, order)
            .spawn()
            .inspect_err(|error| tracing::warn!(%error, "capture-worker-not-started"))?;
        tracing::info!(worker_pid = child.id(), "capture-worker-started");
        let says_farewell = matches!(asked, Asked::Inspector(_));
        let handover = Handover {
            program: PROGRAM.to_owned(),
            cache: std::path::absolute(store.dir())?,
            quota: store.quota(),
            rescue: store
                .rescue_folders()
                .iter()
                .map(std::path::absolute)
                .collect::<io::Result<_>>()?,
            source: match asked {
                Asked::Account { client, base_url } => Source::Account {
                    token: client.in_force().secret().reveal().to_owned(),
                    base_url: base_url.to_owned(),
                    id: order.account_id.clone().unwrap_or_default(),
                    name: order.account_name.clone().unwrap_or_default(),
                    is_demo: order.origin == Origin::Demo,
                },
                Asked::Inspector(Local { inspector, label }) => Source::Inspector {
                    address: inspector.address().to_string(),
                    label: label.clone(),
                },
            },
            version_number: order.version_number,
            percentage: order.percentage,
            traffic: order.figures.map(Traffic::from),
            object_name: order
                .request
                .object
                .as_ref()
                .and_then(|object| object.name.clone()),
        };
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let mut line = serde_json::to_vec(&handover)?;
        line.push(b'\n');
        if let Err(error) = input.write_all(&line).await {
            // It ended before it listened.
            let _ = child.kill().await;
            return Err(error);
        }
        Ok(Self {
            child,
            words: BufReader::new(output),
            input,
            says_farewell,
        })
    }

    /// Follows the process to its end. When `cancel` is sent the process is ended; when it is only dropped, as when the
    /// program is left, the process goes on.
    pub(super) async fn follow(
        mut self,
        tell: &mut (dyn FnMut(Progress) + Send),
        cancel: &mut oneshot::Receiver<()>,
    ) -> Result<Brought, Failure> {
        let brought = tokio::select! {
            biased;
            () = cancelled(cancel) => Ok(Brought::Cancelled),
            brought = listen(&mut self.words, tell) => brought,
        };
        if matches!(brought, Ok(Brought::Cancelled)) {
            tracing::info!(stage = "cancelled", "capture");
            if self.says_farewell
                && self
                    .input
                    .write_all(format!("{CANCEL}\n").as_bytes())
                    .await
                    .is_ok()
            {
                let _ = tokio::time::timeout(FAREWELL, self.child.wait()).await;
            }
            // Ending the process drops its connection, which is all the cancelling that the service offers.
            let _ = self.child.kill().await;
        } else {
            // It has said its last word, and notes beside the profile what that says: the lists want it.
            if tokio::time::timeout(LAST_NOTE, self.child.wait())
                .await
                .is_err()
            {
                // Waited for, so that no dead process stays behind.
                tokio::spawn(async move { self.child.wait().await });
            }
        }
        brought
    }
}

/// Resolves when the word is sent. A sender that was dropped never does.
async fn cancelled(cancel: &mut oneshot::Receiver<()>) {
    if cancel.await.is_err() {
        std::future::pending().await
    }
}

/// What makes both sides one program.
const PROGRAM: &str = concat!("flarescope ", env!("CARGO_PKG_VERSION"));

fn command(program: &Path, order: &Order) -> Command {
    let request = &order.request;
    // A local runtime has none.
    let version =
        (order.origin != Origin::Inspector).then(|| request.version.as_deref().unwrap_or("latest"));
    let mut command = Command::new(program);
    command.arg("capture");
    // One word each: a name may begin with a dash.
    for (name, value) in [
        ("worker", Some(request.worker.as_str())),
        ("version", version),
        ("type", Some(&*request.kind.to_string())),
        (
            "duration",
            Some(&*format!("{}ms", request.window.as_millis())),
        ),
    ] {
        command.args(value.map(|value| format!("--{name}={value}")));
    }
    if let Some(ObjectRef {
        namespace_id,
        object_id,
        ..
    }) = &request.object
    {
        command.args([
            format!("--namespace={namespace_id}"),
            format!("--object={object_id}"),
        ]);
    }
    command
        .arg("--relay")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    command.arg0("flarescope");
    command.envs(log::file().map(|path| ("FLARESCOPE_LOG", path)));
    // The token is handed over; none of its other places is to be looked at.
    command
        .env_remove("CLOUDFLARE_API_TOKEN")
        .env_remove("CF_API_TOKEN");
    command
}

/// Reads the process's words to the last one.
async fn listen(
    words: &mut (impl AsyncBufRead + Unpin),
    tell: &mut (dyn FnMut(Progress) + Send),
) -> Result<Brought, Failure> {
    loop {
        let mut line = Vec::new();
        let read = (&mut *words)
            .take(LINE_MAX)
            .read_until(b'\n', &mut line)
            .await;
        let word = read
            .ok()
            .filter(|count| *count > 0)
            .and_then(|_| serde_json::from_slice(&line).ok());
        match word {
            Some(Word::Waiting { worker, until }) => {
                tell(Progress::Waiting(LockOwner { worker, until }))
            }
            Some(Word::Sent) => tell(Progress::Sent),
            Some(Word::Arrived) => tell(Progress::Arrived),
            Some(Word::Kept { path, remark }) => return Ok(Brought::Kept(path, remark)),
            Some(Word::Failed(failed)) => return Err(failed.arrived()),
            Some(Word::Unkept {
                bytes,
                why,
                asked_at,
                answered_at,
            }) if bytes <= CAPTURE_BODY_MAX as u64 => {
                let mut profile = Vec::new();
                match (&mut *words).take(bytes).read_to_end(&mut profile).await {
                    Ok(count) if count as u64 == bytes => {
                        return Ok(Brought::Unkept {
                            bytes: profile,
                            why,
                            asked_at,
                            answered_at,
                        });
                    }
                    _ => return Err(silent()),
                }
            }
            Some(Word::Unkept { .. }) | None => return Err(silent()),
        }
    }
}

/// The process ended, or was ended, before it said what came of it.
fn silent() -> Failure {
    tracing::warn!("capture-worker-ended-early");
    Failure {
        hint: Some("Something ended it from outside. If the profile had arrived, it is among the captures.".to_owned()),
        ..Failure::new(FailureKind::Capture, "The process that captured ended without a word.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    async fn heard(text: &[u8]) -> (Vec<Progress>, Result<Brought, Failure>) {
        let mut told = Vec::new();
        let mut words = text;
        let brought = listen(&mut words, &mut |progress| told.push(progress)).await;
        (told, brought)
    }

    fn line(word: &Word) -> Vec<u8> {
        [serde_json::to_vec(word).unwrap(), b"\n".to_vec()].concat()
    }

    #[tokio::test]
    async fn words_are_heard_to_the_last_one() {
        let kept = Word::Kept {
            path: "/x/y.pprof".into(),
            remark: None,
        };
        let text = [
            line(&Word::Sent),
            line(&Word::Arrived),
            line(&kept),
            b"more".to_vec(),
        ]
        .concat();
        let (told, brought) = heard(&text).await;
        assert_eq!(told, [Progress::Sent, Progress::Arrived]);
        assert!(
            matches!(brought, Ok(Brought::Kept(path, None)) if path == Path::new("/x/y.pprof"))
        );
    }

    #[tokio::test]
    async fn a_profile_that_could_not_be_kept_comes_through_whole_or_not_at_all() {
        let time = SystemTime::UNIX_EPOCH;
        let word = Word::Unkept {
            bytes: 5,
            why: "full".to_owned(),
            asked_at: time,
            answered_at: time,
        };
        let (_, brought) = heard(&[line(&word), b"\n\0{}\n".to_vec()].concat()).await;
        assert!(matches!(brought, Ok(Brought::Unkept { bytes, .. }) if bytes == b"\n\0{}\n"));
        let (_, brought) = heard(&[line(&word), b"1234".to_vec()].concat()).await;
        assert!(brought.is_err());
        let huge = Word::Unkept {
            bytes: u64::MAX,
            why: String::new(),
            asked_at: time,
            answered_at: time,
        };
        assert!(heard(&line(&huge)).await.1.is_err());
    }

    #[tokio::test]
    async fn an_end_without_a_word_and_what_is_no_word_are_failures() {
        let mut wording = wording!();
        for text in [
            &b""[..],
            b"{\"word\":\"sent\"}\n",
            b"panicked at\n",
            b"{\"word\":\"kept\"}\n",
        ] {
            let Err(failure) = heard(text).await.1 else {
                panic!("{text:?}")
            };
            wording.add(failure.message);
        }
    }
}
