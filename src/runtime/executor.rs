//! Runs effects as tasks, each under the id of its request; their results come back through one channel.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::{
    AccountsEffect, CaptureEffect, Effect, ExportEffect, ExportJob, HistoryEffect, HistoryResponse,
    ObjectsEffect, ProfileEffect, ProfileResponse, RequestId, Response, ScreenshotJob,
    WorkersEffect, WorkersResponse,
};
use crate::model::insights::headline::headline;
use crate::model::insights::insights;
use crate::runtime::capture::Job;
use crate::runtime::export::WriteError;
use crate::runtime::files::FileError;
use crate::runtime::tasks::{Done, EffectResult, Writes, blocking, panic_message};
use crate::runtime::{
    Services, analysis, clipboard, export, failures, files, lists, local, merge, open,
    other_instances, path_completion, since, symbolication,
};
use crate::store::TRASH_RETENTION;

const DAY: u64 = 24 * 60 * 60;
/// How long a profile rests before an earlier capture is read: that must not compete with its first frames.
const SINCE_REST: Duration = Duration::from_millis(300);

/// Runs effects.
pub(super) struct Executor {
    services: Services,
    responses: Sender<Done>,
    /// Running tasks, until their end is reported.
    tasks: HashMap<RequestId, JoinHandle<()>>,
    /// Cancels the captures among them.
    cancels: HashMap<RequestId, oneshot::Sender<()>>,
    /// Held by tasks that write to disk, so that shutdown waits for these alone.
    writes: Writes,
    /// Skips delays: without a terminal nobody moves through a list.
    skip_delays: bool,
}

impl Executor {
    pub(super) fn new(
        services: Services,
        responses: Sender<Done>,
        writes: Writes,
        skip_delays: bool,
    ) -> Self {
        Self {
            services,
            responses,
            tasks: HashMap::new(),
            cancels: HashMap::new(),
            writes,
            skip_delays,
        }
    }

    /// Starts an effect. Returns it if it belongs to the terminal or the program.
    pub(super) fn start(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::Accounts(id, effect) => self.start_accounts(id, effect),
            Effect::Workers(id, effect) => self.start_workers(id, effect),
            Effect::Objects(id, effect) => self.start_objects(id, effect),
            Effect::History(id, effect) => self.start_history(id, effect),
            Effect::Capture(id, effect) => self.start_capture(id, effect),
            Effect::Profile(id, effect) => self.start_profile(id, effect),
            Effect::Export(id, ExportEffect::File(job)) => {
                self.write(id, move || write_export(&job));
            }
            Effect::Export(id, ExportEffect::Copy(job)) => self.copy_export(id, job),
            Effect::CompletePath(id, typed) => {
                let complete = move || {
                    let names = path_completion::fitting(&typed);
                    Ok(Response::Paths(typed, names))
                };
                self.spawn(id, blocking(complete));
            }
            Effect::RememberTheme(id, theme) => {
                let remember = move || lists::remember_theme(&services, &theme);
                self.spawn(id, blocking(remember));
            }
            Effect::UseAccount(account) => self.services.use_account(*account),
            Effect::Cancel(id) => {
                if let Some(cancel) = self.cancels.remove(&id) {
                    // The task ends what it has started, and then itself.
                    let _ = cancel.send(());
                } else if let Some(task) = self.tasks.remove(&id) {
                    task.abort();
                }
            }
            other => return Some(other),
        }
        None
    }

    fn start_accounts(&mut self, id: RequestId, effect: AccountsEffect) {
        let (services, responses) = (self.services.clone(), self.responses.clone());
        match effect {
            AccountsEffect::List => {
                self.spawn(id, async move {
                    lists::accounts(&services, id, &responses).await
                });
            }
            AccountsEffect::Remember => {
                self.spawn(id, blocking(move || lists::remember(&services)));
            }
        }
    }

    fn start_workers(&mut self, id: RequestId, effect: WorkersEffect) {
        let (services, responses) = (self.services.clone(), self.responses.clone());
        match effect {
            WorkersEffect::List => self.spawn(id, async move {
                match services.local() {
                    Some(local) => local::isolates(local).await,
                    None => lists::workers(&services, id, &responses).await,
                }
            }),
            WorkersEffect::Keep(rows, as_of) => {
                let keep = move || Ok(lists::keep(&services, &rows, as_of));
                self.spawn(id, blocking(keep));
            }
            WorkersEffect::Metrics => {
                self.spawn(id, async move { lists::metrics(&services).await });
            }
            WorkersEffect::Details(worker) => {
                self.spawn(id, async move { lists::details(&services, &worker).await });
            }
            WorkersEffect::Rest(time) => {
                let time = self.delay(time);
                self.spawn(id, async move {
                    tokio::time::sleep(time).await;
                    // What is left of the quota decides whether anything is requested.
                    if let Some(quota) = lists::quota(&services) {
                        let _ = responses.send(Done::Answer(id, Ok(quota))).await;
                    }
                    Ok(Response::Workers(WorkersResponse::Rested))
                });
            }
            // Without a terminal nobody waits that long.
            WorkersEffect::Later(_) if self.skip_delays => {}
            WorkersEffect::Later(time) => self.spawn(id, async move {
                tokio::time::sleep(time).await;
                Ok(Response::Workers(WorkersResponse::Due))
            }),
            WorkersEffect::LookNearby => self.spawn(id, local::nearby()),
        }
    }

    fn start_objects(&mut self, id: RequestId, effect: ObjectsEffect) {
        let services = self.services.clone();
        self.spawn(id, async move {
            match effect {
                ObjectsEffect::List(namespace, cursor) => {
                    lists::objects(&services, &namespace, cursor.as_deref()).await
                }
                ObjectsEffect::Largest(namespace) => lists::largest(&services, namespace).await,
            }
        });
    }

    fn start_history(&mut self, id: RequestId, effect: HistoryEffect) {
        let services = self.services.clone();
        if matches!(effect, HistoryEffect::List) {
            return self.spawn(id, blocking(move || list_captures(&services)));
        }
        self.write(id, move || {
            let store = &services.store;
            let response = match effect {
                HistoryEffect::List => return list_captures(&services),
                HistoryEffect::Amend(capture, amendment) => {
                    let amended = store.amend(&capture, &amendment);
                    amended.map(|capture| HistoryResponse::Amended(Box::new(capture), amendment))
                }
                HistoryEffect::Delete(capture) => store
                    .move_to_trash(&capture)
                    .map(|()| HistoryResponse::Deleted(capture, TRASH_RETENTION.as_secs() / DAY)),
                HistoryEffect::Restore => {
                    let restored = store.restore();
                    restored.map(|capture| HistoryResponse::Restored(capture.map(Box::new)))
                }
            };
            let response = response.map_err(|error| failures::store(&error))?;
            Ok(Response::History(response))
        });
    }

    fn start_capture(&mut self, id: RequestId, effect: CaptureEffect) {
        let services = self.services.clone();
        match effect {
            CaptureEffect::Start(request) => {
                let (cancel, cancelled) = oneshot::channel();
                let job = Job {
                    services,
                    request: *request,
                    id,
                    answers: self.responses.clone(),
                    writes: self.writes.downgrade(),
                    cancel: cancelled,
                };
                self.cancels.insert(id, cancel);
                self.spawn(id, job.run());
            }
            CaptureEffect::LookForTraffic(after, target, since) => {
                let after = self.delay(after);
                self.spawn(id, async move {
                    tokio::time::sleep(after).await;
                    other_instances::traffic(&services, &target, since).await
                });
            }
            CaptureEffect::LookElsewhere(after) => self.spawn(id, async move {
                tokio::time::sleep(after).await;
                other_instances::look(&services).await
            }),
        }
    }

    fn start_profile(&mut self, id: RequestId, effect: ProfileEffect) {
        let services = self.services.clone();
        let is_late = matches!(effect, ProfileEffect::Since(_));
        let work = move || match effect {
            ProfileEffect::OpenCapture(capture) => open::open_capture(&services, *capture),
            ProfileEffect::OpenFile(path) => open::open_file(&services, &path),
            ProfileEffect::OpenMerged(parts) => merge::open(&services, parts),
            ProfileEffect::Read(profile, view) => analysis::read(&profile, *view),
            ProfileEffect::Compare(job) => analysis::compare(&services, *job),
            ProfileEffect::Hints(profile, reading, context) => {
                let found = insights(&profile, &reading, &context);
                let headline = headline(&profile, &reading, &context, &found);
                Ok(Response::Profile(ProfileResponse::Hints(
                    found,
                    headline.map(Box::new),
                )))
            }
            ProfileEffect::Since(job) => Ok(since::find(&services.store, &job)),
            ProfileEffect::Sandwich(profile, view, frame) => {
                analysis::sandwich(&profile, &view, frame)
            }
            ProfileEffect::Lines(profile, view, function) => {
                analysis::lines_of(&profile, &view, &function)
            }
            ProfileEffect::Code(job) => analysis::source_view(&job),
            ProfileEffect::LoadMap(job) => symbolication::load(&services, &job),
        };
        let after = if is_late {
            self.delay(SINCE_REST)
        } else {
            Duration::ZERO
        };
        self.spawn(id, async move {
            tokio::time::sleep(after).await;
            blocking(work).await
        });
    }

    fn delay(&self, time: Duration) -> Duration {
        if self.skip_delays {
            Duration::ZERO
        } else {
            time
        }
    }

    /// Copies a text to the clipboard.
    pub(super) fn copy(&mut self, id: RequestId, text: String) {
        let responses = self.responses.clone();
        self.spawn(id, clipboard::copy(text, responses));
    }

    /// Copies an export to the clipboard.
    fn copy_export(&mut self, id: RequestId, job: Box<ExportJob>) {
        let responses = self.responses.clone();
        self.spawn(id, async move {
            let text = tokio::task::spawn_blocking(move || export::clipboard_text(&job)).await;
            match text {
                Ok(Ok(text)) => clipboard::copy(text, responses).await,
                Ok(Err(error)) => Err(failures::export(&error)),
                Err(_) => Err(failures::fault("it was stopped")),
            }
        });
    }

    /// Writes a screenshot.
    pub(super) fn write_screenshot(&mut self, id: RequestId, job: ScreenshotJob, drawn: String) {
        let written = self.writes.clone();
        let write = move || {
            let _held = written;
            write_screenshot(&job, &drawn)
        };
        self.spawn(id, blocking(write));
    }

    /// Returns whether any effect is still running.
    pub(super) fn is_busy(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Removes an effect that has ended.
    pub(super) fn remove(&mut self, id: RequestId) {
        self.tasks.remove(&id);
        self.cancels.remove(&id);
    }

    /// Starts work that writes to disk; shutdown waits for it.
    fn write(&mut self, id: RequestId, work: impl FnOnce() -> EffectResult + Send + 'static) {
        let written = self.writes.clone();
        self.spawn(
            id,
            blocking(move || {
                let _held = written;
                work()
            }),
        );
    }

    fn spawn(&mut self, id: RequestId, work: impl Future<Output = EffectResult> + Send + 'static) {
        let responses = self.responses.clone();
        // Boxed, so that the task is compiled once and not for each kind of work.
        let work = work.boxed();
        let task = tokio::spawn(async move {
            // A panic must not take the screen down: it becomes a message.
            let outcome = AssertUnwindSafe(work).catch_unwind().await;
            let outcome =
                outcome.unwrap_or_else(|panic| Err(failures::fault(&panic_message(&*panic))));
            // The receiver is gone when the program ends.
            let _ = responses.send(Done::Answer(id, outcome)).await;
            let _ = responses.send(Done::Ended(id)).await;
        });
        self.tasks.insert(id, task);
    }
}

/// Cleans up the cache and lists its captures.
fn list_captures(services: &Services) -> EffectResult {
    services.store.clean_up();
    let listing = services
        .store
        .list()
        .map_err(|error| failures::store(&error))?;
    Ok(Response::History(HistoryResponse::List(
        listing.captures,
        listing.warnings,
    )))
}

/// Writes an export to its file.
fn write_export(job: &ExportJob) -> EffectResult {
    let made = files::missing_folder(&files::typed(&job.path));
    exported(export::run(job), made)
}

/// Writes a screenshot to its file.
fn write_screenshot(job: &ScreenshotJob, drawn: &str) -> EffectResult {
    let path = files::typed(&job.path);
    let made = files::missing_folder(&path);
    let written = files::write(&path, drawn.as_bytes(), job.overwrite);
    exported(written.map(|()| path).map_err(WriteError::File), made)
}

/// Returns the response for a written file.
fn exported(written: Result<PathBuf, WriteError>, made: Option<PathBuf>) -> EffectResult {
    match written {
        Ok(path) => Ok(Response::Exported(path, made)),
        Err(WriteError::File(FileError::Exists(path))) => Ok(Response::Exists(path)),
        Err(error) => Err(failures::export(&error)),
    }
}
