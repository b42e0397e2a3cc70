//! Runs effects as tasks, each under its request's number; their ends come back through one channel.

use crate::model::graph::aggregate;
use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::{
    Answer, CodeJob, CompareJob, CompareSide, Compared, Effect, ExportJob, Failure, FailureKind,
    FunctionCode, Opened, PictureJob, RequestId, Source,
};
use crate::formats;
use crate::model::cloudflare::Capture;
use crate::model::diff;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::FrameId;
use crate::model::graph::view::View;
use crate::model::insights::hints;
use crate::model::insights::summary::summarise;
use crate::model::lines::costs::costs;
use crate::model::lines::lines;
use crate::model::profile::Profile;
use crate::runtime::capture::Job;
use crate::runtime::export;
use crate::runtime::export::WriteError;
use crate::runtime::files;
use crate::runtime::files::FileError;
use crate::runtime::{
    Services, code, elsewhere, failures, lists, local, merged, names, paths, taking,
};
use crate::store::TRASH_RETENTION;

const DAY: u64 = 24 * 60 * 60;

/// What comes back of an effect, under its request's number.
pub(super) enum Done {
    /// An answer; a capture sends several.
    Answer(RequestId, Outcome),
    /// Nothing more will come.
    Ended(RequestId),
}

/// Nothing is ever sent through it: that nobody holds it any more says that all is written.
pub(super) type Writes = Sender<Infallible>;

pub(super) type Outcome = Result<Answer, Failure>;

/// Runs effects.
pub(super) struct Executor {
    services: Services,
    answers: Sender<Done>,
    /// Those under way, until their end was told.
    tasks: HashMap<RequestId, JoinHandle<()>>,
    /// How the captures among them are told to end.
    cancels: HashMap<RequestId, oneshot::Sender<()>>,
    /// Held by what writes to disk, so that an ending can wait for that alone.
    writes: Writes,
    /// Rests are cut short: nobody walks through a list without a terminal.
    hasty: bool,
}

impl Executor {
    pub(super) fn new(
        services: Services,
        answers: Sender<Done>,
        writes: Writes,
        hasty: bool,
    ) -> Self {
        Self {
            services,
            answers,
            tasks: HashMap::new(),
            cancels: HashMap::new(),
            writes,
            hasty,
        }
    }

    /// Starts an effect. Those that belong to the terminal are none of ours and are handed back.
    pub(super) fn start(&mut self, effect: Effect) -> Option<Effect> {
        let services = self.services.clone();
        match effect {
            Effect::LookNearby(id) => self.spawn(id, local::nearby()),
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
            Effect::Rest(id, time) => {
                let time = if self.hasty { Duration::ZERO } else { time };
                let answers = self.answers.clone();
                self.spawn(id, async move {
                    tokio::time::sleep(time).await;
                    // Whoever rested decides by what is left whether anything is asked for.
                    if let Some(quota) = lists::quota(&services) {
                        let _ = answers.send(Done::Answer(id, Ok(quota))).await;
                    }
                    Ok(Answer::Rested)
                });
            }
            // Without a terminal nobody waits so long.
            Effect::Later(..) if self.hasty => {}
            Effect::Later(id, time) => self.spawn(id, async move {
                tokio::time::sleep(time).await;
                Ok(Answer::Due)
            }),
            Effect::LookForTraffic(id, after, look) => {
                let after = if self.hasty { Duration::ZERO } else { after };
                self.spawn(id, async move {
                    tokio::time::sleep(after).await;
                    elsewhere::traffic(&services, &look).await
                });
            }
            Effect::LookElsewhere(id, after) => {
                self.spawn(id, async move {
                    tokio::time::sleep(after).await;
                    elsewhere::look(&services).await
                });
            }
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
                    // It ends what it has started, and then itself.
                    let _ = cancel.send(());
                } else if let Some(task) = self.tasks.remove(&id) {
                    task.abort();
                }
            }
            Effect::OpenCapture(id, capture) => {
                self.spawn(id, blocking(move || open_capture(&services, *capture)))
            }
            Effect::CompletePath(id, typed) => self.spawn(
                id,
                blocking(move || {
                    let names = paths::fitting(&typed);
                    Ok(Answer::Paths(typed, names))
                }),
            ),
            Effect::OpenFile(id, path) => {
                self.spawn(id, blocking(move || open_file(&services, &path)))
            }
            Effect::OpenMerged(id, parts) => {
                self.spawn(id, blocking(move || merged::open(&services, parts)))
            }
            Effect::Read(id, profile, view) => {
                self.spawn(id, blocking(move || read(&profile, *view)))
            }
            Effect::Compare(id, job) => self.spawn(id, blocking(move || compare(&services, *job))),
            Effect::Hints(id, profile, reading, context) => {
                self.spawn(
                    id,
                    blocking(move || Ok(Answer::Hints(hints(&profile, &reading, &context)))),
                );
            }
            Effect::Sandwich(id, profile, view, frame) => {
                self.spawn(id, blocking(move || sandwich(&profile, &view, frame)));
            }
            Effect::Lines(id, profile, view, (name, file)) => {
                self.spawn(
                    id,
                    blocking(move || lines_of(&profile, &view, &name, &file)),
                );
            }
            Effect::Code(id, job) => self.spawn(id, blocking(move || code_of(&job))),
            Effect::LoadMap(id, job) => {
                self.spawn(id, blocking(move || names::load(&services, &job)))
            }
            Effect::Export(id, job) => {
                self.write(id, move || write_export(&job));
            }
            other => return Some(other),
        }
        None
    }

    /// Writes a picture of the screen.
    pub(super) fn write_picture(&mut self, id: RequestId, job: PictureJob, drawn: String) {
        let written = self.writes.clone();
        let write = move || {
            let _held = written;
            write_picture(&job, &drawn)
        };
        self.spawn(id, blocking(write));
    }

    /// Whether any effect is still under way.
    pub(super) fn is_busy(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Takes note of an effect's end.
    pub(super) fn ended(&mut self, id: RequestId) {
        self.tasks.remove(&id);
        self.cancels.remove(&id);
    }

    /// Starts what writes to disk: leaving waits for it.
    fn write(&mut self, id: RequestId, work: impl FnOnce() -> Outcome + Send + 'static) {
        let written = self.writes.clone();
        self.spawn(
            id,
            blocking(move || {
                let _held = written;
                work()
            }),
        );
    }

    fn spawn(&mut self, id: RequestId, work: impl Future<Output = Outcome> + Send + 'static) {
        let answers = self.answers.clone();
        let task = tokio::spawn(async move {
            // A task that breaks down must not take the screen with it: it becomes a message.
            let outcome = AssertUnwindSafe(work).catch_unwind().await;
            let outcome = outcome.unwrap_or_else(|panic| Err(failures::fault(&words(&*panic))));
            // Nobody listens any more when the program ends.
            let _ = answers.send(Done::Answer(id, outcome)).await;
            let _ = answers.send(Done::Ended(id)).await;
        });
        self.tasks.insert(id, task);
    }
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}

/// Runs what computes or reads files beside the tasks that wait.
pub(super) async fn blocking(work: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_panic() => Err(failures::fault(&words(&*error.into_panic()))),
        Err(_) => Err(failures::fault("it was stopped")),
    }
}

fn list_captures(services: &Services) -> Outcome {
    services.store.clean_up();
    let listing = services
        .store
        .list()
        .map_err(|error| failures::store(&error))?;
    Ok(Answer::Captures(listing.captures, listing.warnings))
}

fn open_capture(services: &Services, capture: Capture) -> Outcome {
    let bytes = services.store.read(&capture).map_err(|error| {
        let again = Effect::OpenCapture(RequestId(0), Box::new(capture.clone()));
        Failure {
            again: Some(Box::new(again)),
            ..failures::store(&error)
        }
    })?;
    services.store.touch(&capture);
    open(services, capture, &bytes, None)
}

/// Reads a capture's bytes, and notes beside them what they say.
pub(super) fn open(
    services: &Services,
    mut capture: Capture,
    bytes: &[u8],
    warning: Option<crate::app::Message>,
) -> Outcome {
    let profile = taking::decode(bytes, &capture.worker).map_err(|error| {
        let kept = (!capture.path.as_os_str().is_empty())
            .then(|| format!("The bytes are kept: {}", capture.path.display()));
        Failure {
            hint: kept,
            ..failures::format(&error)
        }
    })?;
    let name = capture.worker.clone();
    let (profile, view, reading) = first_view(profile)?;
    if capture.summary.is_none() {
        let summary = summarise(&profile, &reading);
        // Only the lists' words depend on it; a read-only folder has been told of already.
        let _ = services.store.set_summary(&capture, summary.clone());
        capture.summary = Some(summary);
    }
    let source = Source {
        profile,
        capture: Some(capture),
        name,
        path: None,
        members: Vec::new(),
        names: None,
    };
    // Its figures are those of the bundle's names: the list of captures is no place for a map.
    let (source, told) = names::recall(&services.store, source);
    let reading = if source.names.is_some() {
        Arc::new(aggregate::read(&source.profile, &view).map_err(|error| failures::view(&error))?)
    } else {
        reading
    };
    Ok(opened(
        source,
        view,
        reading,
        warning.or(told.map(Into::into)),
    ))
}

fn open_file(services: &Services, path: &Path) -> Outcome {
    let path: PathBuf = files::absolute(path);
    if let Some(capture) = services.store.like(&path) {
        return open_capture(services, capture);
    }
    let again = |failure: Failure| Failure {
        again: Some(Box::new(Effect::OpenFile(RequestId(0), path.clone()))),
        ..failure
    };
    let file = File::open(&path).map_err(|error| again(failures::file(&path, &error)))?;
    let name = path
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let profile = formats::read(file, &name).map_err(|error| again(failures::format(&error)))?;
    let (profile, view, reading) = first_view(profile)?;
    let source = Source {
        profile,
        capture: None,
        name,
        path: Some(path.clone()),
        members: Vec::new(),
        names: None,
    };
    Ok(opened(source, view, reading, None))
}

/// The view a profile opens with: idle time left out.
pub(super) fn first_view(profile: Profile) -> Result<(Arc<Profile>, View, Arc<Reading>), Failure> {
    let view = View {
        hide_idle: true,
        ..View::new(&profile)
    };
    let reading = aggregate::read(&profile, &view).map_err(|error| failures::view(&error))?;
    Ok((Arc::new(profile), view, Arc::new(reading)))
}

pub(super) fn opened(
    source: Source,
    view: View,
    reading: Arc<Reading>,
    warning: Option<crate::app::Message>,
) -> Answer {
    let Source {
        profile,
        capture,
        name,
        path,
        members,
        names,
    } = source;
    Answer::Opened(Box::new(Opened {
        profile,
        capture,
        name,
        path,
        members,
        names,
        source_root: None,
        view,
        reading,
        root: None,
        warning,
    }))
}

fn read(profile: &Profile, view: View) -> Outcome {
    let reading = aggregate::read(profile, &view).map_err(|error| failures::view(&error))?;
    Ok(Answer::Read(Box::new(view), Arc::new(reading)))
}

fn sandwich(profile: &Profile, view: &View, frame: FrameId) -> Outcome {
    let reading = aggregate::read(profile, view).map_err(|error| failures::view(&error))?;
    Ok(Answer::Sandwich(Arc::new(reading.sandwich(frame))))
}

fn lines_of(profile: &Profile, view: &View, name: &str, file: &str) -> Outcome {
    lines(profile, view, name, file)
        .map(Answer::Lines)
        .map_err(|error| failures::view(&error))
}

/// The code of a function with what its lines cost.
fn code_of(job: &CodeJob) -> Outcome {
    let CodeJob {
        profile,
        view,
        name,
        file,
        maps,
        root,
    } = job;
    let costs = costs(profile, view, name, file).map_err(|error| failures::view(&error))?;
    let costs = costs
        .ok_or_else(|| Failure::new(FailureKind::File, format!("{name} is not in this view.")))?;
    let code = code::find(file, maps, root.as_deref());
    Ok(Answer::Code(Box::new(FunctionCode {
        name: name.clone(),
        file: file.clone(),
        costs,
        code,
    })))
}

/// Compares two profiles, reading those that are not open yet.
fn compare(services: &Services, job: CompareJob) -> Outcome {
    let side = |side: CompareSide| match side {
        CompareSide::Open(source) => Ok(*source),
        CompareSide::Kept(capture) => merged::kept(services, *capture),
    };
    let (base, new) = (side(job.base)?, side(job.new)?);
    let (base, new) = names::alike(&services.store, base, new);
    let CompareJob {
        normalise, width, ..
    } = job;
    let view = job.view.unwrap_or_else(|| View {
        hide_idle: true,
        ..View::new(&new.profile)
    });
    let comparison = diff::compare(&base.profile, &new.profile, &view, normalise, width)
        .map_err(|error| {
            Failure::new(
                FailureKind::File,
                format!("These can't be compared: {error}."),
            )
        })?
        .into();
    Ok(Answer::Compared(Box::new(Compared {
        base,
        new,
        view,
        normalise,
        width,
        comparison,
    })))
}

fn write_export(job: &ExportJob) -> Outcome {
    let made = files::missing_folder(&files::absolute(&job.path));
    exported(export::run(job), made)
}

fn write_picture(job: &PictureJob, drawn: &str) -> Outcome {
    let path = files::absolute(&job.path);
    let made = files::missing_folder(&path);
    let written = files::write(&path, drawn.as_bytes(), job.overwrite);
    exported(written.map(|()| path).map_err(WriteError::File), made)
}

fn exported(written: Result<PathBuf, WriteError>, made: Option<PathBuf>) -> Outcome {
    match written {
        Ok(path) => Ok(Answer::Exported(path, made)),
        Err(WriteError::File(FileError::Exists(path))) => Ok(Answer::Exists(path)),
        Err(error) => Err(failures::export(&error)),
    }
}
