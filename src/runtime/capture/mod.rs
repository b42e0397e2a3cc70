//! Captures of the screen: in a worker process, else in this one. Keeps the profile and reports each stage. Those of commands
//! are in [`command`].

use std::convert::Infallible;

use tokio::sync::mpsc::{Sender, WeakSender};
use tokio::sync::oneshot;

use crate::api::{ApiError, Captured, Client, Step};
use crate::app;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use crate::app::{CaptureResponse, Failure, FailureKind, Refusal, RequestId, Response, Stage};
use crate::model::cloudflare::{Account, Capture, CaptureRequest, ObjectRef, Origin};
use crate::runtime::capture::steps::{CaptureSpec, Progress};
use crate::runtime::capture::worker::{CaptureWorker, Failed, Outcome, Profiled};
use crate::runtime::lists::client;
use crate::runtime::open::open;
use crate::runtime::tasks::{Done, EffectResult, blocking};
use crate::runtime::{Local, Services, failures, local};
use crate::store;
use crate::store::Store;

pub(super) mod command;
pub(super) mod steps;
pub(super) mod worker;
pub(super) mod worker_main;

/// A running capture.
pub(super) struct Job {
    pub(super) services: Services,
    pub(super) request: CaptureRequest,
    pub(super) id: RequestId,
    pub(super) answers: Sender<Done>,
    /// Held while this process writes the profile.
    pub(super) writes: WeakSender<Infallible>,
    /// Sent when the user cancels; only dropped when the program ends.
    pub(super) cancel: oneshot::Receiver<()>,
}

fn refused(error: &ApiError) -> Failure {
    failures::api(FailureKind::Capture, error)
}

/// Returns the failure to find an object by its name: the cause is of the search, not of the capture.
fn unfound(name: &str, error: &ApiError) -> Failure {
    let failure = refused(error);
    if matches!(
        failure.refusal,
        Some(Refusal::NoLogin | Refusal::LoginRenewed)
    ) {
        return failure;
    }
    let hint = "Its 64-digit id works without looking.".into();
    Failure {
        message: message![
            "Could not find the object ",
            outside(name),
            ". ",
            failure.message
        ],
        hint: Some(match failure.hint {
            Some(more) => message![hint, " ", more],
            None => hint,
        }),
        refusal: Some(Refusal::NoObject),
        ..failure
    }
}

impl Job {
    /// Captures and keeps the profile. Returns the capture on disk, or opens the profile if it could not be kept.
    pub(super) async fn run(mut self) -> EffectResult {
        let services = self.services.clone();
        if let Some(local) = services.local() {
            let spec = self.spec(None, Origin::Inspector);
            return match self.start(Profiled::Inspector(local), &spec).await {
                Some(worker) => self.follow(None, worker, spec).await,
                None => self.here_from(local, spec).await,
            };
        }
        let client = client(&services, FailureKind::Capture).await?;
        self.find_object(&client).await?;
        client
            .ready(Step::Capture)
            .await
            .map_err(|error| refused(&error))?;
        let (Some(access), Some(account)) = (services.access(), &services.account) else {
            return Err(Failure::new(
                FailureKind::Capture,
                "There is no Cloudflare account to ask.",
            ));
        };
        let origin = if access.origin == app::Origin::Demo {
            Origin::Demo
        } else {
            Origin::Cloudflare
        };
        let spec = self.spec(Some(account), origin);
        let asked = Profiled::Account {
            client: &client,
            base_url: &access.settings.base_url,
        };
        match self.start(asked, &spec).await {
            Some(worker) => self.follow(Some(&client), worker, spec).await,
            None => self.here(&client, spec).await,
        }
    }

    fn spec(&self, account: Option<&Account>, origin: Origin) -> CaptureSpec {
        CaptureSpec {
            request: self.request.clone(),
            account: account.cloned(),
            origin,
        }
    }

    /// Starts a capture worker. `None` if none can be started: this process then captures itself, as the profile matters
    /// most.
    async fn start(&self, asked: Profiled<'_>, spec: &CaptureSpec) -> Option<CaptureWorker> {
        let program = self.services.program.as_ref()?;
        CaptureWorker::start(program, asked, &self.services.store, spec)
            .await
            .ok()
    }

    /// Finds the object's id and the version it runs, unless both are known.
    async fn find_object(&mut self, client: &Client) -> Result<(), Failure> {
        let Some((namespace, object)) = self.request.find_object.take() else {
            return Ok(());
        };
        // An id works without analytics, on the version of the form.
        let target = &mut self.request.target;
        let has_id = target.object.is_some();
        if has_id && !self.services.may_ask_analytics() {
            return Ok(());
        }
        let found = match client.find_object(&namespace, &object).await {
            Ok(Some(found)) => found,
            Ok(None) | Err(_) if has_id => return Ok(()),
            Ok(None) => {
                return Err(Failure {
                    hint: Some(
                        "Only objects with recent traffic are found by name; its 64-digit id always works."
                            .into(),
                    ),
                    refusal: Some(Refusal::NoObject),
                    ..Failure::new(
                        FailureKind::Capture,
                        message!["No object named ", outside(object), " had traffic in this class."],
                    )
                });
            }
            Err(error) => return Err(unfound(&object, &error)),
        };
        if let Some(version) = found
            .version_id
            .filter(|version| target.version_id.as_ref() != Some(version))
        {
            let number = client.version(&target.worker, &version).await;
            target.version_number = number.ok().map(|version| version.number);
            target.percentage = None;
            target.version_id = Some(version);
        }
        target.object = Some(ObjectRef {
            namespace_id: namespace,
            object_id: found.id,
            name: found.name,
        });
        Ok(())
    }

    fn reporter(&self) -> impl FnMut(Progress) + Send + use<> {
        let (id, answers) = (self.id, self.answers.clone());
        move |progress| {
            let answer = match progress {
                Progress::Waiting(holder) => Response::Capture(CaptureResponse::Queued {
                    at_most: steps::longest_wait(&holder),
                    behind: (!holder.worker.is_empty()).then_some(holder.worker),
                }),
                Progress::Sent => Response::Capture(CaptureResponse::Stage(Stage::Sampling)),
                Progress::Arrived => Response::Capture(CaptureResponse::Stage(Stage::OnDisk)),
            };
            // If the channel is full, the next stage replaces this one.
            let _ = answers.try_send(Done::Answer(id, Ok(answer)));
        }
    }

    async fn follow(
        mut self,
        client: Option<&Client>,
        worker: CaptureWorker,
        spec: CaptureSpec,
    ) -> EffectResult {
        let mut report = self.reporter();
        let services = self.services.clone();
        let sent = client.map(|client| (client, client.active_login()));
        let followed = worker.follow(&mut report, &mut self.cancel).await;
        let outcome = match (followed.map_err(Failed::into_failure), sent) {
            (Ok(outcome), _) => outcome,
            // The worker has only the token; this process knows where to look for a newer one.
            (Err(failure), Some((client, sent))) if failure.refusal == Some(Refusal::NoLogin) => {
                return Err(if client.refresh_token(&sent).await {
                    Failure {
                        refusal: Some(Refusal::LoginRenewed),
                        ..failure
                    }
                } else {
                    Failure {
                        hint: client.token_advice().map(outside).or(failure.hint),
                        ..failure
                    }
                });
            }
            (Err(failure), _) => {
                if let Some((client, pause)) = client.zip(failure.retry_after) {
                    client.hold(Step::Capture, pause);
                }
                return Err(failure);
            }
        };
        match outcome {
            Outcome::Cancelled => Err(cancelled_failure()),
            Outcome::Kept(path, remark) => {
                let (id, answers) = (self.id, self.answers.clone());
                blocking(move || {
                    let found = services
                        .store
                        .find(&path.to_string_lossy())
                        .map_err(|error| failures::store(&error))?;
                    Ok(kept_response(&services.store, id, &answers, found, remark))
                })
                .await
            }
            Outcome::Unkept(captured, why) => {
                blocking(move || unkept(&services, &spec, &captured, &why)).await
            }
        }
    }

    /// Captures in this process; the capture is lost if the process ends.
    async fn here(mut self, client: &Client, spec: CaptureSpec) -> EffectResult {
        let mut report = self.reporter();
        let services = self.services.clone();
        let captured = tokio::select! {
            biased;
            Ok(()) = &mut self.cancel => return Err(cancelled_failure()),
            captured = steps::ask(client, &services.store, &spec, &mut report) => captured,
        };
        let captured = captured.map_err(|error| refused(&error))?;
        // Not earlier: shutdown must not wait for the network.
        let written = self.writes.upgrade();
        self.kept(spec, captured, written).await
    }

    /// Captures a local runtime in this process. Shutdown waits for it: the runtime must be told to stop, also when the
    /// program ends.
    async fn here_from(mut self, local: &Local, spec: CaptureSpec) -> EffectResult {
        let (mut report, held) = (self.reporter(), self.writes.upgrade());
        let cancelled = async {
            let _ = (&mut self.cancel).await;
        };
        let asked = local::ask(local, &self.services.store, &spec, &mut report, cancelled);
        let captured = asked
            .await
            .map_err(|error| failures::inspector(FailureKind::Capture, &error))?;
        match captured {
            None => Err(cancelled_failure()),
            Some(captured) => self.kept(spec, captured, held).await,
        }
    }

    /// Keeps the captured profile; `held` delays shutdown meanwhile.
    async fn kept(
        self,
        spec: CaptureSpec,
        captured: Captured,
        held: Option<Sender<Infallible>>,
    ) -> EffectResult {
        let Self {
            services,
            id,
            answers,
            ..
        } = self;
        blocking(move || {
            let _held = held;
            match steps::keep(&services.store, &spec, &captured) {
                Ok((kept, remark)) => {
                    Ok(kept_response(&services.store, id, &answers, kept, remark))
                }
                Err(error) => unkept(&services, &spec, &captured, &error.to_string()),
            }
        })
        .await
    }
}

/// Returns the response for a capture on disk, after sending the remark on it.
fn kept_response(
    store: &Store,
    id: RequestId,
    answers: &Sender<Done>,
    kept: Capture,
    remark: Option<String>,
) -> Response {
    if let Some(mut remark) = remark {
        // One on an eviction begins with a name.
        if !kept.path.starts_with(store.dir()) {
            remark = failures::sentence(&remark);
        }
        // The receiver is gone when the program ends.
        let _ = answers.blocking_send(Done::Answer(
            id,
            Ok(Response::Capture(CaptureResponse::Remark(remark))),
        ));
    }
    Response::Capture(CaptureResponse::Kept(Box::new(kept)))
}

/// Opens a profile that could not be kept on disk.
fn unkept(services: &Services, spec: &CaptureSpec, captured: &Captured, why: &str) -> EffectResult {
    let capture = store::unsaved(&captured.bytes, spec.provenance(captured));
    open(services, capture, &captured.bytes, Some(not_kept(why)))
}

/// Returns the warning on a profile that is not on disk.
fn not_kept(why: &str) -> Message {
    message![
        "It is in no file: no folder could take it (",
        outside(why),
        "). ",
        Command::Export,
        " writes it to one; otherwise it is lost when you quit.",
    ]
}

/// The result is ignored: the state dropped the request when it cancelled it.
fn cancelled_failure() -> Failure {
    Failure::new(FailureKind::Capture, "The capture was cancelled.")
}
