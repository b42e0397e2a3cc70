//! Runs effects as tasks, each under the id of its request; their results come back through one channel.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::{Answer, Effect, ExportJob, PictureJob, RequestId};
use crate::model::insights::hints;
use crate::runtime::capture::Job;
use crate::runtime::export::WriteError;
use crate::runtime::files::FileError;
use crate::runtime::tasks::{Done, EffectResult, Writes, blocking, panic_message};
use crate::runtime::{
    Services, analysis, export, failures, files, lists, local, merge, open, other_instances,
    path_completion, symbolication,
};
use crate::store::TRASH_RETENTION;

const DAY: u64 = 24 * 60 * 60;

/// Runs effects.
pub(super) struct Executor {
    services: Services,
    answers: Sender<Done>,
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
        answers: Sender<Done>,
        writes: Writes,
        skip_delays: bool,
    ) -> Self {
        Self {
            services,
            answers,
            tasks: HashMap::new(),
            cancels: HashMap::new(),
            writes,
            skip_delays,
        }
    }

    /// Starts an effect. Returns it if it belongs to the terminal or the program.
    pub(super) fn start(&mut self, effect: Effect) -> Option<Effect> {
        self.start_list(effect)
            .and_then(|effect| self.start_wait(effect))
            .and_then(|effect| self.start_capture(effect))
            .and_then(|effect| self.start_open(effect))
            .and_then(|effect| self.start_analysis(effect))
    }

    /// Starts an effect of this group: lists of the account, and the traffic of its Workers. Returns any other effect.
    fn start_list(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::ListAccounts(id) => {
                let answers = self.answers.clone();
                self.spawn(
                    id,
                    async move { lists::accounts(&services, id, &answers).await },
                );
            }
            Effect::UseAccount(account) => self.services.use_account(*account),
            Effect::RememberTheme(id, theme) => {
                self.spawn(
                    id,
                    blocking(move || lists::remember_theme(&services, &theme)),
                );
            }
            Effect::RememberAccount(id) => {
                self.spawn(id, blocking(move || lists::remember(&services)))
            }
            Effect::ListWorkers(id) => {
                let answers = self.answers.clone();
                self.spawn(id, async move {
                    match services.local() {
                        Some(local) => local::isolates(local).await,
                        None => lists::workers(&services, id, &answers).await,
                    }
                });
            }
            Effect::Figures(id) => self.spawn(id, async move { lists::figures(&services).await }),
            Effect::Details(id, worker) => {
                self.spawn(id, async move { lists::details(&services, &worker).await })
            }
            Effect::ListObjects(id, namespace, cursor) => {
                self.spawn(id, async move {
                    lists::objects(&services, &namespace, cursor.as_deref()).await
                });
            }
            Effect::LargestObjects(id, namespace) => {
                self.spawn(
                    id,
                    async move { lists::largest(&services, namespace).await },
                );
            }
            Effect::KeepWorkers(id, rows, as_of) => {
                self.spawn(
                    id,
                    blocking(move || Ok(lists::keep(&services, &rows, as_of))),
                );
            }
            other => return Some(other),
        }
        None
    }

    /// Starts an effect of this group: waits and periodic looks. Returns any other effect.
    fn start_wait(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::LookNearby(id) => self.spawn(id, local::nearby()),
            Effect::Rest(id, time) => {
                let time = if self.skip_delays {
                    Duration::ZERO
                } else {
                    time
                };
                let answers = self.answers.clone();
                self.spawn(id, async move {
                    tokio::time::sleep(time).await;
                    // What is left of the quota decides whether anything is requested.
                    if let Some(quota) = lists::quota(&services) {
                        let _ = answers.send(Done::Answer(id, Ok(quota))).await;
                    }
                    Ok(Answer::Rested)
                });
            }
            // Without a terminal nobody waits that long.
            Effect::Later(..) if self.skip_delays => {}
            Effect::Later(id, time) => self.spawn(id, async move {
                tokio::time::sleep(time).await;
                Ok(Answer::Due)
            }),
            Effect::LookForTraffic(id, after, look) => {
                let after = if self.skip_delays {
                    Duration::ZERO
                } else {
                    after
                };
                self.spawn(id, async move {
                    tokio::time::sleep(after).await;
                    other_instances::traffic(&services, &look).await
                });
            }
            Effect::LookElsewhere(id, after) => {
                self.spawn(id, async move {
                    tokio::time::sleep(after).await;
                    other_instances::look(&services).await
                });
            }
            other => return Some(other),
        }
        None
    }

    /// Starts an effect of this group: captures and the history. Returns any other effect.
    fn start_capture(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::ListCaptures(id) => self.spawn(id, blocking(move || list_captures(&services))),
            Effect::Capture(id, request, note) => {
                let (cancel, cancelled) = oneshot::channel();
                let job = Job {
                    services,
                    request: *request,
                    note: *note,
                    id,
                    answers: self.answers.clone(),
                    writes: self.writes.downgrade(),
                    cancel: cancelled,
                };
                self.cancels.insert(id, cancel);
                self.spawn(id, job.run());
            }
            Effect::Amend(id, capture, amendment) => self.write(id, move || {
                let capture = services
                    .store
                    .amend(&capture, &amendment)
                    .map_err(|error| failures::store(&error))?;
                Ok(Answer::Amended(Box::new(capture), amendment))
            }),
            Effect::Delete(id, capture) => self.write(id, move || {
                services
                    .store
                    .move_to_trash(&capture)
                    .map_err(|error| failures::store(&error))?;
                Ok(Answer::Deleted(capture, TRASH_RETENTION.as_secs() / DAY))
            }),
            Effect::BringBack(id) => self.write(id, move || {
                let capture = services
                    .store
                    .restore()
                    .map_err(|error| failures::store(&error))?;
                Ok(Answer::BroughtBack(capture.map(Box::new)))
            }),
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

    /// Starts an effect of this group: opening files and captures. Returns any other effect.
    fn start_open(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::OpenCapture(id, capture) => self.spawn(
                id,
                blocking(move || open::open_capture(&services, *capture)),
            ),
            Effect::CompletePath(id, typed) => self.spawn(
                id,
                blocking(move || {
                    let names = path_completion::fitting(&typed);
                    Ok(Answer::Paths(typed, names))
                }),
            ),
            Effect::OpenFile(id, path) => {
                self.spawn(id, blocking(move || open::open_file(&services, &path)))
            }
            Effect::OpenMerged(id, parts) => {
                self.spawn(id, blocking(move || merge::open(&services, parts)))
            }
            other => return Some(other),
        }
        None
    }

    /// Starts an effect of this group: computations on an open profile, and its exports. Returns any other effect.
    fn start_analysis(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::Read(id, profile, view) => {
                self.spawn(id, blocking(move || analysis::read(&profile, *view)))
            }
            Effect::Compare(id, job) => {
                self.spawn(id, blocking(move || analysis::compare(&services, *job)))
            }
            Effect::Hints(id, profile, reading, context) => {
                self.spawn(
                    id,
                    blocking(move || Ok(Answer::Hints(hints(&profile, &reading, &context)))),
                );
            }
            Effect::Sandwich(id, profile, view, frame) => {
                self.spawn(
                    id,
                    blocking(move || analysis::sandwich(&profile, &view, frame)),
                );
            }
            Effect::Lines(id, profile, view, function) => {
                self.spawn(
                    id,
                    blocking(move || analysis::lines_of(&profile, &view, &function)),
                );
            }
            Effect::Code(id, job) => self.spawn(id, blocking(move || analysis::source_view(&job))),
            Effect::LoadMap(id, job) => {
                self.spawn(id, blocking(move || symbolication::load(&services, &job)))
            }
            Effect::Export(id, job) => {
                self.write(id, move || write_export(&job));
            }
            other => return Some(other),
        }
        None
    }

    /// Writes a screenshot.
    pub(super) fn write_screenshot(&mut self, id: RequestId, job: PictureJob, drawn: String) {
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
        let answers = self.answers.clone();
        let task = tokio::spawn(async move {
            // A panic must not take the screen down: it becomes a message.
            let outcome = AssertUnwindSafe(work).catch_unwind().await;
            let outcome =
                outcome.unwrap_or_else(|panic| Err(failures::fault(&panic_message(&*panic))));
            // The receiver is gone when the program ends.
            let _ = answers.send(Done::Answer(id, outcome)).await;
            let _ = answers.send(Done::Ended(id)).await;
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
    Ok(Answer::Captures(listing.captures, listing.warnings))
}

/// Writes an export to its file.
fn write_export(job: &ExportJob) -> EffectResult {
    let made = files::missing_folder(&files::absolute(&job.path));
    exported(export::run(job), made)
}

/// Writes a screenshot to its file.
fn write_screenshot(job: &PictureJob, drawn: &str) -> EffectResult {
    let path = files::absolute(&job.path);
    let made = files::missing_folder(&path);
    let written = files::write(&path, drawn.as_bytes(), job.overwrite);
    exported(written.map(|()| path).map_err(WriteError::File), made)
}

/// Returns the response for a written file.
fn exported(written: Result<PathBuf, WriteError>, made: Option<PathBuf>) -> EffectResult {
    match written {
        Ok(path) => Ok(Answer::Exported(path, made)),
        Err(WriteError::File(FileError::Exists(path))) => Ok(Answer::Exists(path)),
        Err(error) => Err(failures::export(&error)),
    }
}
