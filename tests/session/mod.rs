//! A session without a terminal: a state, its clock, and keys. Views are read at once, as no test is about waiting for
//! them; every other effect is handed to the test.
#![allow(
    dead_code,
    reason = "two test programs share this, and each uses a part"
)]

pub(crate) mod before;
pub(crate) mod world;

use flarescope::model::graph::aggregate;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use flarescope::app;
use flarescope::app::{
    AccountsEffect, AccountsPage, Action, CaptureEffect, CaptureResponse, Effect, Elsewhere,
    Failure, FailureKind, FunctionCode, HistoryEffect, HistoryResponse, Key, Message, Moment,
    Notice, ObjectsEffect, ObjectsResponse, Opened, Origin, Overlay, ProfileEffect,
    ProfileResponse, ProfileState, RequestId, Response, Selection, Source, State, ThemeChoice,
    WorkersEffect, WorkersResponse,
};
use flarescope::formats;
use flarescope::model::cloudflare::Capture;
use flarescope::model::graph::aggregate::Reading;
use flarescope::model::graph::frames::FunctionName;
use flarescope::model::graph::view::View;
use flarescope::model::insights::headline::headline;
use flarescope::model::insights::insights;
use flarescope::model::lines::costs::costs;
use flarescope::model::lines::lines;
use flarescope::model::profile::Profile;
use flarescope::runtime::{source_maps, source_text, symbolication};
use flarescope::ui;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The day of all tests: 2026-11-30, 03:12:40Z.
pub(crate) const TODAY: Duration = Duration::from_secs(1_796_008_360);

/// A session.
pub(crate) struct Session {
    pub(crate) state: State,
    pub(crate) now: Moment,
    /// Wishes that nobody waits for: long waits, lists to be kept.
    pub(crate) aside: Vec<Effect>,
    /// Looks at what goes on elsewhere are handed to the test.
    pub(crate) looks_elsewhere: bool,
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn moment() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: UNIX_EPOCH + TODAY,
    }
}

/// How long before the tests' day something was.
pub(crate) fn ago(seconds: u64) -> SystemTime {
    UNIX_EPOCH + TODAY - Duration::from_secs(seconds)
}

fn themes() -> ThemeChoice {
    ThemeChoice {
        name: "ember".to_owned(),
        known: Theme::names().map(str::to_owned).collect(),
        ..ThemeChoice::default()
    }
}

type Read = (Arc<Profile>, View, Arc<Reading>);

/// A file as the screen first shows it; `None`: it is no profile. Thousands of sessions share one reading.
pub(crate) fn read(file: &str) -> Option<Read> {
    static READ: LazyLock<Mutex<HashMap<String, Option<Read>>>> = LazyLock::new(Mutex::default);
    let read = || {
        let profile = formats::read(File::open(fixture(file)).unwrap(), file).ok()?;
        let view = View {
            hide_idle: true,
            ..View::new(&profile)
        };
        let reading = aggregate::read(&profile, &view).ok()?;
        Some((profile.into(), view, reading.into()))
    };
    READ.lock()
        .unwrap()
        .entry(file.to_owned())
        .or_insert_with(read)
        .clone()
}

/// A profile as the screen opens it.
pub(crate) fn opened(file: &str, name: &str, capture: Option<Capture>) -> Opened {
    let (profile, view, reading) = read(file).unwrap();
    Opened {
        source: Source {
            capture,
            ..Source::new(profile, name.to_owned())
        },
        view,
        reading,
        display: flarescope::app::OpenedDisplay::default(),
        source_root: None,
        warning: None,
    }
}

impl Session {
    /// A session that has asked for its first lists and got no answer yet.
    pub(crate) fn fresh(origin: Origin, size: (u16, u16)) -> (Self, Vec<Effect>) {
        let offline = origin == Origin::Offline;
        let session = app::Session {
            origin,
            account_name: if offline {
                String::new()
            } else {
                "acme-prod".to_owned()
            },
            account_id: if offline {
                String::new()
            } else {
                "4c1de0a55f0f4ef6a3c9d1b2e3f40516".to_owned()
            },
            ..app::Session::default()
        };
        let mut state = State::new(session, size, themes());
        let first = state.first_effects();
        (
            Self {
                state,
                now: moment(),
                aside: Vec::new(),
                looks_elsewhere: false,
            },
            first,
        )
    }

    /// A local runtime with its isolates, and the captures on disk.
    pub(crate) fn local(size: (u16, u16)) -> Self {
        let account_name = "127.0.0.1:9229".to_owned();
        let session = app::Session {
            origin: Origin::Inspector,
            account_name,
            ..app::Session::default()
        };
        let mut state = State::new(session, size, themes());
        let first = state.first_effects();
        let mut session = Self {
            state,
            now: moment(),
            aside: Vec::new(),
            looks_elsewhere: false,
        };
        for effect in first {
            assert!(session.serve(effect).is_empty());
        }
        session
    }

    /// A session with a token, and no account that anybody named.
    pub(crate) fn without_account(size: (u16, u16)) -> (Self, Vec<Effect>) {
        let session = app::Session {
            origin: Origin::Cloudflare,
            ..app::Session::default()
        };
        let mut state = State::new(session, size, themes());
        let first = state.first_effects();
        (
            Self {
                state,
                now: moment(),
                aside: Vec::new(),
                looks_elsewhere: false,
            },
            first,
        )
    }

    /// The list of 64 Workers, with traffic, the captures on disk, and the details of the first one.
    pub(crate) fn workers(size: (u16, u16)) -> Self {
        let (mut session, first) = Self::fresh(Origin::Demo, size);
        let mut rest = Vec::new();
        for effect in first {
            rest.extend(session.serve(effect));
        }
        let rested = only(rest);
        let details = only(session.serve(rested));
        session.serve(details);
        session
    }

    /// A file of the fixtures, opened from the command line.
    pub(crate) fn of_file(file: &str, size: (u16, u16)) -> Self {
        let name = file.rsplit('/').next().unwrap();
        let mut session = Self::fresh(Origin::Offline, size).0;
        session.state.show_opened(opened(file, name, None));
        session.act(Action::Tick);
        session
    }

    /// The recording of a Worker, captured just now from the list.
    pub(crate) fn captured(recording: &str, size: (u16, u16)) -> Self {
        let mut session = Self::workers(size);
        session.state.show_opened(world::opened_capture(recording));
        session.act(Action::Tick);
        session
    }

    /// Compares the open capture of `checkout-api` with the one before.
    pub(crate) fn compare(&mut self) {
        let before = before::capture();
        if self
            .state
            .history
            .captures
            .iter()
            .all(|capture| capture.path != before.path)
        {
            self.state.history.captures.push(before);
        }
        let wish = only(self.press("d"));
        self.serve(wish);
    }

    /// Gives the open profile the names by a map of the fixtures.
    pub(crate) fn name_by(&mut self, map: &str) {
        let wish = only(self.press("m \"maps\" enter"));
        let Effect::Profile(id, ProfileEffect::LoadMap(job)) = wish else {
            panic!("{wish:?}")
        };
        let maps = source_maps::load(&[fixture("maps").join(map)]).unwrap();
        let names = symbolication::names(&job.profile, &maps, &[map.into()]).unwrap();
        self.answer(
            id,
            Response::Profile(ProfileResponse::Mapped(Ok(Box::new(names)))),
        );
    }

    /// Answers an effect as the world of the tests would; hands on what follows from the answer.
    pub(crate) fn serve(&mut self, effect: Effect) -> Vec<Effect> {
        let (id, answer) = match effect {
            Effect::Workers(id, WorkersEffect::List) if self.state.is_local() => (
                id,
                Response::Workers(WorkersResponse::Isolates(world::runtime())),
            ),
            Effect::Workers(id, WorkersEffect::List) => (
                id,
                Response::Workers(WorkersResponse::Page {
                    rows: world::workers(),
                    total: Some(world::COUNT),
                    last: true,
                }),
            ),
            Effect::Objects(id, ObjectsEffect::List(_, cursor)) => {
                let (rows, next) = world::objects(cursor.as_deref());
                (id, Response::Objects(ObjectsResponse::Page(rows, next)))
            }
            Effect::Accounts(id, AccountsEffect::List) => (
                id,
                Response::Accounts(AccountsPage {
                    rows: world::accounts(),
                    total: Some(world::ACCOUNTS),
                    last: true,
                }),
            ),
            Effect::Workers(id, WorkersEffect::Metrics) => (
                id,
                Response::Workers(WorkersResponse::Metrics(world::metrics())),
            ),
            Effect::Workers(id, WorkersEffect::Details(worker)) => (
                id,
                Response::Workers(WorkersResponse::Details(Box::new(world::details(
                    &worker.name,
                )))),
            ),
            Effect::Workers(id, WorkersEffect::Rest(_)) => {
                (id, Response::Workers(WorkersResponse::Rested))
            }
            Effect::Capture(id, CaptureEffect::LookElsewhere(_)) => (
                id,
                Response::Capture(CaptureResponse::Elsewhere(Elsewhere::default())),
            ),
            Effect::History(id, HistoryEffect::List) => (
                id,
                Response::History(HistoryResponse::List(world::captures(), Vec::new())),
            ),
            Effect::Profile(id, ProfileEffect::Code(job)) => {
                let costs = costs(&job.profile, &job.view, &job.function)
                    .unwrap()
                    .unwrap();
                let FunctionName { name, file, .. } = job.function;
                let code = source_text::find(&file, &job.maps, job.root.as_deref());
                (
                    id,
                    Response::Profile(ProfileResponse::Code(Box::new(FunctionCode {
                        name,
                        file,
                        costs,
                        code,
                    }))),
                )
            }
            Effect::Profile(id, ProfileEffect::Compare(job)) => match before::answer(*job) {
                Ok(answer) => (id, answer),
                // Two of different kinds, as a random walk may choose them.
                Err(error) => return self.fail(id, FailureKind::File, &format!("{error:?}")),
            },
            other => panic!("nobody serves {other:?}"),
        };
        self.answer(id, answer)
    }

    /// Presses the keys of a script, and answers what was wished for; views are read at once.
    pub(crate) fn press(&mut self, script: &str) -> Vec<Effect> {
        let mut wishes = Vec::new();
        for key in Key::script(script).unwrap_or_else(|word| panic!("{word} is no key")) {
            if let Some(action) = app::interpret(&self.state, key) {
                wishes.extend(self.act(action));
            }
        }
        wishes
    }

    /// Does an action; views are read at once, and their hints found.
    pub(crate) fn act(&mut self, action: Action) -> Vec<Effect> {
        let mut left = Vec::new();
        for wish in app::update(&mut self.state, action, self.now) {
            match wish {
                Effect::Profile(id, ProfileEffect::Read(profile, view)) => {
                    let reading = aggregate::read(&profile, &view).unwrap().into();
                    left.extend(
                        self.answer(id, Response::Profile(ProfileResponse::Read(view, reading))),
                    );
                }
                Effect::Profile(id, ProfileEffect::Hints(profile, reading, context)) => {
                    let found = insights(&profile, &reading, &context);
                    let headline = headline(&profile, &reading, &context, &found).map(Box::new);
                    left.extend(self.answer(
                        id,
                        Response::Profile(ProfileResponse::Hints(found, headline)),
                    ));
                }
                Effect::Profile(id, ProfileEffect::Lines(profile, view, function)) => {
                    let lines = lines(&profile, &view, &function).unwrap();
                    left.extend(self.answer(id, Response::Profile(ProfileResponse::Lines(lines))));
                }
                Effect::Profile(id, ProfileEffect::Sandwich(profile, view, frame)) => {
                    let sandwich = aggregate::read(&profile, &view).unwrap().sandwich(frame);
                    left.extend(self.answer(
                        id,
                        Response::Profile(ProfileResponse::Sandwich(sandwich.into())),
                    ));
                }
                // Nothing goes on elsewhere, unless a test says so.
                Effect::Capture(id, CaptureEffect::LookElsewhere(_)) if !self.looks_elsewhere => {
                    left.extend(self.answer(
                        id,
                        Response::Capture(CaptureResponse::Elsewhere(Elsewhere::default())),
                    ));
                }
                Effect::Profile(id, ProfileEffect::Compare(job)) if job.view.is_some() => {
                    left.extend(self.answer(id, before::answer(*job).unwrap()));
                }
                effect @ (Effect::Workers(_, WorkersEffect::Later(..))
                | Effect::Workers(_, WorkersEffect::Keep(..))) => self.aside.push(effect),
                other => left.push(other),
            }
        }
        left
    }

    pub(crate) fn answer(&mut self, id: RequestId, answer: Response) -> Vec<Effect> {
        self.act(Action::Done(id, Ok(answer)))
    }

    pub(crate) fn fail(&mut self, id: RequestId, kind: FailureKind, message: &str) -> Vec<Effect> {
        self.act(Action::Done(
            id,
            Err(Failure::new(kind, message.to_owned())),
        ))
    }

    /// What is on the screen, without its looks.
    pub(crate) fn screen(&self) -> String {
        let theme = Theme::load(&self.state.theme.name, Depth::None)
            .unwrap()
            .theme;
        let (columns, rows) = self.state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        ui::draw(&mut buffer, &self.state, &theme, Glyphs::Unicode, self.now);
        ui::screenshot::text(&buffer)
    }

    /// Whether these words stand on the screen.
    pub(crate) fn shows(&self, words: &str) -> bool {
        self.screen().contains(words)
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.now.instant += time;
        self.now.wall += time;
    }

    /// Searches for a name and goes to its heaviest match; the search is taken away again.
    pub(crate) fn go_to(&mut self, name: &str) {
        self.press(&format!("/ \"{name}\" enter esc"));
        assert_eq!(self.selected(), name);
    }

    pub(crate) fn profile(&self) -> &ProfileState {
        self.state.profile.as_ref().unwrap()
    }

    /// The selected frame's name; `all` for the root, `+N` for collected frames.
    pub(crate) fn selected(&self) -> String {
        let profile = self.profile();
        match profile.selection {
            Selection::Collected(c) => format!("+{}", c.count),
            Selection::Node(node) => profile
                .reading
                .tree
                .frame(node)
                .map_or("all", |frame| profile.reading.frames.name(frame))
                .to_owned(),
        }
    }

    /// The name in the table's selected row.
    pub(crate) fn table_row(&self) -> String {
        let profile = self.profile();
        profile.table.current().map_or(String::new(), |row| {
            profile.reading.frames.name(row.frame).to_owned()
        })
    }

    /// The selected Worker's name.
    pub(crate) fn worker(&self) -> &str {
        &self.state.workers.current().unwrap().name
    }

    pub(crate) fn notice(&self) -> String {
        self.state
            .notice
            .as_ref()
            .map_or_else(String::new, |Notice { text, .. }| self.text(text))
    }

    /// A message with the keys in force.
    pub(crate) fn text(&self, message: &Message) -> String {
        self.state.settings.keys.expand_keys(message)
    }

    /// The failure's message, hint and next step, as they are drawn.
    pub(crate) fn failure_texts(&self) -> (String, Option<String>, Option<String>) {
        let failure = self.failure();
        (
            self.text(&failure.message),
            failure.hint.as_ref().map(|hint| self.text(hint)),
            failure.step.as_ref().map(|step| self.text(step.offer())),
        )
    }

    pub(crate) fn failure(&self) -> &Failure {
        match self.state.overlays.top() {
            Some(Overlay::Failure(failure)) => failure,
            other => panic!("no failure in front but {other:?}"),
        }
    }
}

/// The only effect that was wished for.
pub(crate) fn only(wishes: Vec<Effect>) -> Effect {
    let [wish] =
        <[Effect; 1]>::try_from(wishes).unwrap_or_else(|all| panic!("one wish expected: {all:?}"));
    wish
}
