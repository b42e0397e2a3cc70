//! The event loop of the full-screen program.

use std::io;
use std::time::{Duration, Instant, SystemTime};

use crossterm::clipboard::CopyToClipboard;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::app::{
    Action, Batch, Effect, ExportEffect, Failure, FailureKind, Moment, RequestId, Session, State,
};
use crate::model::text::sanitize::printable_lines;
use crate::runtime::editor::Editor;
use crate::runtime::executor::Executor;
use crate::runtime::input::Input;
use crate::runtime::signals::{HANGUP, JobControl, Jobs, Signals};
use crate::runtime::tasks::{Done, Writes};
use crate::runtime::{Painter, Services};
use crate::term::{Event, Screen, TermError};
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{Depth, Theme, Themes};
use crate::{app, term, ui};

/// Shortest time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// Time between two steps of a countdown.
const TICK: Duration = Duration::from_millis(250);
/// Capacity of the response channel; tasks wait while it is full.
const ANSWERS: usize = 64;
/// Most keys that are kept for a list that is loading.
const TYPED_AHEAD_MAX: usize = 256;
/// How long shutdown waits for disk writes.
const LAST_WRITES: Duration = Duration::from_secs(5);
/// How long the loop may take to end and to restore the terminal after a signal.
const ENDING: Duration = Duration::from_millis(500);
/// How long to wait for a blocked terminal to accept its last bytes.
const FAREWELL: Duration = Duration::from_millis(200);

/// What the screen starts with.
pub struct Start {
    /// The account.
    pub session: Session,
    /// The services: the account's API, the cache.
    pub services: Services,
    /// All themes.
    pub themes: Themes,
    /// The name of the active theme.
    pub theme: app::ThemeChoice,
    /// The user's configuration.
    pub settings: app::Settings,
    /// Whether the screen was never opened on this machine before.
    pub is_first: bool,
    /// Whether the user had a login looked for once more.
    pub is_second_look: bool,
    /// The colour depth.
    pub depth: Depth,
    /// The set of glyphs.
    pub glyphs: Glyphs,
    /// What to open at the start.
    pub open: Option<Opening>,
    /// The Worker to select at the start.
    pub worker: Option<String>,
    /// Whether the terminal reports the mouse.
    pub mouse: bool,
}

/// What to open at the start.
pub enum Opening {
    /// A profile that is already loaded.
    Profile(Box<app::Opened>),
    /// A file.
    File(std::path::PathBuf),
    /// Captures that belong together: merged, or compared with each other.
    Batch(Box<Batch>),
}

/// How the screen ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The user quit.
    Quit,
    /// A signal ended it, with the signal's number.
    Signal(u8),
    /// The user switches to the demo server.
    Demo,
    /// The user switches to the local runtime that was found.
    Nearby,
    /// The user wants to look for credentials again.
    Again,
}

/// Why the screen stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The terminal.
    #[error(transparent)]
    Terminal(#[from] TermError),
    /// The system.
    #[error("the program could not go on: {0}")]
    Io(#[from] io::Error),
}

fn now() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    }
}

/// Takes over the terminal and runs until the user quits or a signal arrives.
///
/// # Errors
/// [`RunError`]; the terminal is restored.
pub fn run(start: Start) -> Result<Ending, RunError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let (signals, jobs, input) = {
        let _inside = runtime.enter();
        let input = Input::open().map_err(TermError::Io)?;
        (Signals::listen()?, Jobs::listen()?, input)
    };
    let (tell, received) = mpsc::channel(1);
    let guard = runtime.spawn(end_in_time(signals, tell));
    let mut screen = Screen::take()?;
    let (held, mut writes) = mpsc::channel(1);
    let ending = runtime.block_on(Loop::new(start, held).run(&mut screen, received, jobs, input));
    drop(screen);
    guard.abort();
    // Shutdown waits for disk writes, but not for a DNS lookup or a file that blocks.
    let _ = runtime.block_on(async { timeout(LAST_WRITES, writes.recv()).await });
    runtime.shutdown_background();
    ending
}

/// Passes the signal that ends the program to the loop. If the loop doesn't end, because it waits for a terminal that
/// accepts nothing more, the program exits anyway; capture workers continue without it.
async fn end_in_time(mut signals: Signals, tell: mpsc::Sender<u8>) {
    let number = signals.next().await;
    // The receiver is gone if the loop is ending anyway.
    let _ = tell.send(number).await;
    sleep(ENDING).await;
    term::abandon(FAREWELL);
    std::process::exit(128 + i32::from(number));
}

struct Loop {
    state: State,
    executor: Executor,
    answers: mpsc::Receiver<Done>,
    themes: Themes,
    theme: Theme,
    depth: Depth,
    glyphs: Glyphs,
    ending: Option<Ending>,
    first: Vec<Effect>,
    /// Keys for a row of a list that is still loading.
    typed_ahead: Vec<app::Key>,
}

/// What woke the loop.
enum Woken {
    Draw,
    Terminal(io::Result<Event>),
    Answer(Done),
    Tick,
    Signal(u8),
    Job(JobControl),
}

impl Loop {
    fn new(start: Start, writes: Writes) -> Self {
        let (sender, answers) = mpsc::channel(ANSWERS);
        let loaded = start.themes.load_anyhow(&start.theme.name, start.depth);
        let mut state = State::new(start.session, Screen::size(), start.theme);
        state.settings = start.settings;
        state.first_steps = start.is_first;
        if start.is_second_look {
            state.tell_of_second_look();
        }
        let mut first = state.first_effects();
        if let Some(worker) = start.worker {
            state.workers.open_on(worker);
        }
        if start.mouse {
            state.mouse.is_on = true;
            first.push(Effect::Mouse(true));
        }
        match start.open {
            Some(Opening::Profile(opened)) => state.show_opened(*opened),
            Some(Opening::File(path)) => first.push(state.open_file(path)),
            Some(Opening::Batch(series)) => first.extend(state.open_batch(&series)),
            None => {}
        }
        let executor = Executor::new(start.services, sender, writes, false);
        state.warn_of_theme(loaded.warnings.iter().map(ToString::to_string).collect());
        Self {
            state,
            executor,
            answers,
            themes: start.themes,
            theme: loaded.theme,
            depth: start.depth,
            glyphs: start.glyphs,
            ending: None,
            first,
            typed_ahead: Vec::new(),
        }
    }

    /// Runs the loop. It fails only if the terminal is gone.
    async fn run(
        self,
        screen: &mut Screen,
        received: mpsc::Receiver<u8>,
        jobs: Jobs,
        input: Input,
    ) -> Result<Ending, RunError> {
        match self.go_on(screen, received, jobs, input).await {
            Err(RunError::Io(_)) => Ok(Ending::Signal(HANGUP)),
            ended => ended,
        }
    }

    async fn go_on(
        mut self,
        screen: &mut Screen,
        mut received: mpsc::Receiver<u8>,
        mut jobs: Jobs,
        mut input: Input,
    ) -> Result<Ending, RunError> {
        let mut frame = interval(FRAME);
        let mut tick = interval(TICK);
        // No burst of frames after a pause.
        frame.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut dirty = true;
        for effect in std::mem::take(&mut self.first) {
            self.perform(effect, screen)?;
        }
        while self.ending.is_none() {
            let woken = tokio::select! {
                biased; // Drawing first: its timer bounds it, so that it can't starve input; input could starve it.
                _ = frame.tick(), if dirty => Woken::Draw,
                Some(number) = received.recv() => Woken::Signal(number),
                job = jobs.next() => Woken::Job(job),
                event = input.next() => Woken::Terminal(event),
                Some(done) = self.answers.recv() => Woken::Answer(done),
                _ = tick.tick(), if self.state.is_counting() => Woken::Tick,
            };
            match woken {
                Woken::Draw => {
                    self.draw(screen)?;
                    dirty = false;
                    continue;
                }
                Woken::Signal(number) => self.ending = Some(Ending::Signal(number)),
                Woken::Job(JobControl::Stop) => {
                    self.perform(Effect::Suspend, screen)?;
                    dirty = true;
                }
                Woken::Job(JobControl::Continue) => {
                    if screen.continued()? {
                        self.resized(screen)?;
                        dirty = true;
                    }
                }
                // The terminal is gone: nothing more can be shown.
                Woken::Terminal(Err(_)) => self.ending = Some(Ending::Signal(HANGUP)),
                Woken::Terminal(Ok(event)) => dirty |= self.event(event, screen)?,
                Woken::Answer(Done::Answer(id, outcome)) => {
                    self.apply(Action::Done(id, outcome), screen)?;
                    self.replay(screen)?;
                    dirty = true;
                }
                Woken::Answer(Done::Clipboard(text)) => {
                    screen.write(CopyToClipboard::to_clipboard_from(text))?;
                }
                Woken::Answer(Done::Ended(id)) => self.executor.remove(id),
                Woken::Tick => {
                    self.apply(Action::Tick, screen)?;
                    dirty = true;
                }
            }
        }
        Ok(self.ending.unwrap_or(Ending::Quit))
    }

    /// Handles an event of the terminal. Returns whether the screen may have changed.
    fn event(&mut self, event: Event, screen: &mut Screen) -> Result<bool, RunError> {
        let action = match event {
            Event::Key(key) => {
                // Enter arrives like that if it was typed before the screen had the terminal.
                let enter = (key == app::Key::Ctrl('j')).then_some(app::Key::Enter);
                let meant = |key| app::interpret(&self.state, key);
                let action = meant(key).or_else(|| enter.and_then(meant));
                self.keep_typed_ahead(key, action.as_ref());
                action
            }
            Event::Paste(text) => Some(Action::Paste(text)),
            Event::Click(x, y) => Some(Action::Click(x, y)),
            Event::Wheel { down, x, y } => Some(Action::Wheel { down, x, y }),
            Event::Resize => {
                self.resized(screen)?;
                return Ok(true);
            }
        };
        let Some(action) = action else {
            return Ok(false);
        };
        self.apply(action, screen)?;
        Ok(true)
    }

    /// Keeps a key that is for a row if the Workers are still loading: without any it does nothing but say so. Another key ends
    /// what was typed ahead.
    fn keep_typed_ahead(&mut self, key: app::Key, action: Option<&Action>) {
        use app::Command as C;
        if !self.state.awaits_workers() {
            return;
        }
        let is_for_row = matches!(
            action,
            Some(Action::Run(
                C::Down
                    | C::Up
                    | C::PageDown
                    | C::PageUp
                    | C::HalfPageDown
                    | C::HalfPageUp
                    | C::First
                    | C::Last
                    | C::Open
                    | C::CopyName
                    | C::Capture
            ))
        );
        if !is_for_row {
            self.typed_ahead.clear();
        } else if self.typed_ahead.len() < TYPED_AHEAD_MAX {
            self.typed_ahead.push(key);
        }
    }

    /// Presses the keys that were kept, once there are rows; without any they mean something else.
    fn replay(&mut self, screen: &mut Screen) -> Result<(), RunError> {
        if self.typed_ahead.is_empty() || self.state.awaits_workers() {
            return Ok(());
        }
        let keys = std::mem::take(&mut self.typed_ahead);
        if !self.state.workers.order.is_empty() {
            for key in keys {
                self.event(Event::Key(key), screen)?;
            }
        }
        Ok(())
    }

    /// Adopts the terminal's current size.
    fn resized(&mut self, screen: &mut Screen) -> Result<(), RunError> {
        let (columns, rows) = Screen::size();
        screen.resize(columns, rows);
        self.apply(Action::Resize(columns, rows), screen)
    }

    fn apply(&mut self, action: Action, screen: &mut Screen) -> Result<(), RunError> {
        for effect in app::update(&mut self.state, action, now()) {
            self.perform(effect, screen)?;
        }
        Ok(())
    }

    /// Runs an effect that belongs to the terminal or the program; the executor runs all others.
    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Result<(), RunError> {
        match self.executor.start(effect) {
            Some(Effect::Copy(id, text)) => {
                self.executor.copy(id, text);
            }
            Some(Effect::Export(id, ExportEffect::Screenshot(job))) => {
                let painter = Painter {
                    themes: &self.themes,
                    depth: self.depth,
                    glyphs: self.glyphs,
                };
                let drawn = self
                    .state
                    .without_overlays(|state| painter.paint(state, job.format, now()));
                self.executor.write_screenshot(id, job, drawn);
            }
            Some(Effect::Redraw) => screen.forget(),
            Some(Effect::Mouse(on)) => screen.set_mouse(on)?,
            Some(Effect::Suspend) => {
                screen.suspend()?;
                let (columns, rows) = Screen::size();
                self.apply(Action::Resize(columns, rows), screen)?;
            }
            Some(Effect::OpenEditor(id, job)) => match Editor::find(&job) {
                Some(editor) => self.edit(id, &editor, screen)?,
                None => self
                    .executor
                    .copy(id, printable_lines(&job.place).into_owned()),
            },
            Some(Effect::Quit) => self.ending = Some(Ending::Quit),
            Some(Effect::StartDemo) => self.ending = Some(Ending::Demo),
            Some(Effect::UseNearby) => self.ending = Some(Ending::Nearby),
            Some(Effect::LookForLogin) => self.ending = Some(Ending::Again),
            _ => {}
        }
        Ok(())
    }

    /// Gives the terminal to an editor until it ends.
    fn edit(
        &mut self,
        id: RequestId,
        editor: &Editor,
        screen: &mut Screen,
    ) -> Result<(), RunError> {
        let ended = screen.lend(|| editor.run())?;
        self.resized(screen)?;
        if let Err(why) = ended {
            let failure = Failure::new(FailureKind::File, why);
            self.apply(Action::Done(id, Err(failure)), screen)?;
        }
        Ok(())
    }

    fn draw(&mut self, screen: &mut Screen) -> Result<(), RunError> {
        if self.theme.name() != self.state.theme.name {
            let loaded = self.themes.load_anyhow(&self.state.theme.name, self.depth);
            self.theme = loaded.theme;
            self.state
                .warn_of_theme(loaded.warnings.iter().map(ToString::to_string).collect());
        }
        let (state, theme, glyphs) = (&self.state, &self.theme, self.glyphs);
        Ok(screen.draw(|buffer| ui::draw(buffer, state, theme, glyphs, now()))?)
    }
}
