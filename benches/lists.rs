//! Long lists: a typed letter over all of an account's Workers or a class's objects, to the end of the repaint, and the pages
//! that a list of 5,000 Workers comes in. `cargo bench --bench lists`; a name after `--` picks benches.
#![allow(clippy::expect_used)]

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant, SystemTime};

use divan::{Bencher, black_box};
use flarescope::api::{Client, Settings};
use flarescope::app;
use flarescope::app::{
    Action, Effect, Key, Moment, NamespaceDetails, ObjectsEffect, ObjectsResponse, Origin,
    RequestId, Response, Session, State, ThemeChoice, WorkerDetails, WorkersEffect,
    WorkersResponse,
};
use flarescope::demo::{DemoServer, Options};
use flarescope::model::cloudflare::{Metrics, Namespace, Object, Worker};
use flarescope::model::text::secret::Secret;
use flarescope::term::FrameWriter;
use flarescope::ui;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Theme};
use futures_util::StreamExt as _;
use ratatui::layout::Size;

const WORKERS: usize = 5_000;
const OBJECTS: u64 = 100_000;
const SIZE: (u16, u16) = (200, 50);

fn main() {
    divan::main();
}

/// A screen that is never shown: the state, and the writer that would send what changed.
struct Screen {
    state: State,
    writer: FrameWriter<io::Sink>,
    theme: Theme,
}

fn now() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    }
}

impl Screen {
    /// The list with all its Workers; a few hundred have traffic.
    fn workers() -> Self {
        const WORDS: [&str; 12] = [
            "api", "auth", "cache", "checkout", "edge", "feed", "geo", "hooks", "image", "mail",
            "queue", "search",
        ];
        let session = Session {
            origin: Origin::Cloudflare,
            account_name: "acme-prod".to_owned(),
            account_id: "4c1de0a55f0f4ef6a3c9d1b2e3f40516".to_owned(),
            ..Session::default()
        };
        let choice = ThemeChoice {
            name: "ember".to_owned(),
            known: vec!["ember".to_owned()],
            said_by: None,
        };
        let mut state = State::new(session, SIZE, choice);
        let rows: Vec<Worker> = (0..WORKERS)
            .map(|n| Worker {
                id: format!("{n:032x}"),
                name: format!("{}-{}-{n:05}", WORDS[n % 12], WORDS[n / 12 % 12]),
                deployed_on: Some(SystemTime::now() - Duration::from_secs(3_600)),
                metrics: None,
            })
            .collect();
        let busy = rows.iter().step_by(9).enumerate().map(|(at, row)| {
            let traffic = Metrics {
                requests_per_second: at as f64,
                cpu_p50_us: 900.0,
                cpu_p99_us: 8e3,
                ..Metrics::default()
            };
            (row.name.clone(), traffic)
        });
        let metrics = busy.collect();
        let first = state.first_effects();
        let mut screen = Self::new(state);
        for effect in first {
            match effect {
                Effect::Workers(id, WorkersEffect::List) => {
                    screen.answer(
                        id,
                        Response::Workers(WorkersResponse::Page {
                            rows: rows.clone(),
                            total: Some(WORKERS as u64),
                            last: true,
                        }),
                    );
                }
                Effect::Workers(id, WorkersEffect::Metrics) => {
                    screen.answer(
                        id,
                        Response::Workers(WorkersResponse::Metrics(std::clone::Clone::clone(
                            &metrics,
                        ))),
                    );
                }
                _ => {}
            }
        }
        screen
    }

    /// The list of a class, with all its objects: one in a hundred has a name.
    fn objects() -> Self {
        let mut screen = Self::workers();
        let namespace = Namespace {
            id: "e96f6022469a4499bdda090041bd0346".to_owned(),
            name: "checkout_Cart".to_owned(),
            script: Some("checkout".to_owned()),
            class: Some("Cart".to_owned()),
        };
        let classes = vec![NamespaceDetails {
            namespace,
            busiest: Vec::new(),
            largest: None,
        }];
        let details = WorkerDetails::new(Vec::new(), classes, Vec::new());
        let asked = screen.press("enter");
        let id = asked.into_iter().find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::Details(_)) = e {
                Some(id)
            } else {
                None
            }
        });
        screen.answer(
            id.expect("details were asked for"),
            Response::Workers(WorkersResponse::Details(Box::new(details))),
        );
        let asked = screen.press("enter enter");
        let id = asked.into_iter().find_map(|e| {
            if let Effect::Objects(id, ObjectsEffect::List(..)) = e {
                Some(id)
            } else {
                None
            }
        });
        let object = |n: u64| Object {
            // Spread over all digits, as the ids of real objects are.
            id: (0..4)
                .map(|part| {
                    format!(
                        "{:016x}",
                        (n * 4 + part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    )
                })
                .collect(),
            name: n.is_multiple_of(100).then(|| format!("cart:{n}")),
            has_stored_data: Some(true),
            cpu_seconds: None,
            memory_p99: None,
            version_id: None,
        };
        screen.answer(
            id.expect("objects were asked for"),
            Response::Objects(ObjectsResponse::Page(
                (0..OBJECTS).map(object).collect(),
                None,
            )),
        );
        screen
    }

    fn new(state: State) -> Self {
        let writer = FrameWriter::new(io::sink(), Size::new(SIZE.0, SIZE.1));
        let theme = Theme::load("ember", Depth::Indexed256)
            .expect("a theme of ours")
            .theme;
        Self {
            state,
            writer,
            theme,
        }
    }

    fn answer(&mut self, id: RequestId, answer: Response) {
        app::update(&mut self.state, Action::Done(id, Ok(answer)), now());
        self.paint();
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        let effects = app::update(&mut self.state, action, now());
        self.paint();
        effects
    }

    fn press(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in Key::script(keys).expect("keys") {
            if let Some(action) = app::interpret(&self.state, key) {
                effects.extend(self.act(action));
            }
        }
        effects
    }

    /// Draws, and writes what changed.
    fn paint(&mut self) {
        let (state, theme) = (&self.state, &self.theme);
        let sent = self
            .writer
            .draw(|buffer| ui::draw(buffer, state, theme, Glyphs::Unicode, now()));
        black_box(sent.expect("a sink takes everything"));
    }
}

/// A key, and what is to be undone of it before the next time.
fn key(
    bencher: Bencher<'_, '_>,
    screen: Screen,
    key: impl Fn(&mut Screen),
    undo: impl Fn(&mut Screen),
) {
    let screen = RefCell::new(screen);
    bencher
        .with_inputs(|| undo(&mut screen.borrow_mut()))
        .bench_local_values(|()| key(&mut screen.borrow_mut()));
}

/// The text without its last letter, and that letter.
fn last(typed: &str) -> (&str, char) {
    let (before, last) = typed.split_at(typed.len() - 1);
    (before, last.chars().next().expect("one letter"))
}

/// A letter over all Workers: the first, which most of them have, and those that narrow further.
#[divan::bench(args = ["e", "ea", "eap"])]
fn letter_over_workers(bencher: Bencher<'_, '_>, typed: &str) {
    let mut screen = Screen::workers();
    let (before, last) = last(typed);
    screen.press("/");
    before
        .chars()
        .chain(['x'])
        .for_each(|letter| drop(screen.act(Action::Type(letter))));
    key(
        bencher,
        screen,
        |screen| drop(screen.act(Action::Type(last))),
        |screen| drop(screen.press("backspace")),
    );
}

/// A letter taken back, which widens the list.
#[divan::bench(args = ["e", "ea", "eap"])]
fn backspace_over_workers(bencher: Bencher<'_, '_>, typed: &str) {
    let mut screen = Screen::workers();
    let (before, last) = last(typed);
    screen.press("/");
    before
        .chars()
        .for_each(|letter| drop(screen.act(Action::Type(letter))));
    key(
        bencher,
        screen,
        |screen| drop(screen.press("backspace")),
        |screen| drop(screen.act(Action::Type(last))),
    );
}

/// A digit over all objects: the first, which most ids have, and those that narrow further.
#[divan::bench(args = ["7", "7f", "7f4"])]
fn digit_over_objects(bencher: Bencher<'_, '_>, typed: &str) {
    let mut screen = Screen::objects();
    let (before, last) = last(typed);
    before
        .chars()
        .chain(['0'])
        .for_each(|digit| drop(screen.act(Action::Type(digit))));
    key(
        bencher,
        screen,
        |screen| drop(screen.act(Action::Type(last))),
        |screen| drop(screen.press("backspace")),
    );
}

/// A digit taken back.
#[divan::bench(args = ["7", "7f", "7f4"])]
fn backspace_over_objects(bencher: Bencher<'_, '_>, typed: &str) {
    let mut screen = Screen::objects();
    let (before, last) = last(typed);
    before
        .chars()
        .for_each(|digit| drop(screen.act(Action::Type(digit))));
    key(
        bencher,
        screen,
        |screen| drop(screen.press("backspace")),
        |screen| drop(screen.act(Action::Type(last))),
    );
}

/// A whole id pasted.
#[divan::bench]
fn id_pasted_over_objects(bencher: Bencher<'_, '_>) {
    let paste = |screen: &mut Screen| drop(screen.act(Action::Paste("0".repeat(64))));
    key(bencher, Screen::objects(), paste, |screen| {
        drop(screen.press("ctrl-u"))
    });
}

/// Sorting by the next column, all Workers shown.
#[divan::bench]
fn sort_workers(bencher: Bencher<'_, '_>) {
    let mut screen = Screen::workers();
    bencher.bench_local(|| screen.press("s"));
}

/// From the last row to the first and back.
#[divan::bench]
fn ends_of_workers(bencher: Bencher<'_, '_>) {
    let mut screen = Screen::workers();
    bencher.bench_local(|| screen.press("G g"));
}

/// The demo server's list, and a client of it.
fn listed() -> (DemoServer, Client, tokio::runtime::Runtime) {
    let server = DemoServer::start(&Options {
        workers: WORKERS,
        calls: 1_200,
        ..Options::default()
    })
    .expect("a port");
    let mut settings = Settings::new(
        &server.base_url,
        Secret::new(&server.token).expect("a token"),
    );
    settings.account = Some(server.account_id.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads");
    (server, Client::new(settings).expect("a client"), runtime)
}

/// The first of 50 pages.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn first_page(bencher: Bencher<'_, '_>) {
    let (_server, client, runtime) = listed();
    bencher.bench_local(|| runtime.block_on(client.workers_page(1)).expect("a page"));
}

/// All 50 pages, each taken into the list as it comes, and the list shown at most thirty times a second, as the screen does.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn all_pages(bencher: Bencher<'_, '_>) {
    const FRAME: Duration = Duration::from_millis(33);
    let (_server, client, runtime) = listed();
    let fresh = || {
        let mut screen = Screen::workers();
        screen.state.workers = app::Workers::default();
        screen.press("R");
        screen
    };
    bencher.with_inputs(fresh).bench_local_values(|mut screen| {
        let id = screen
            .state
            .workers
            .load
            .running()
            .expect("the list was asked for");
        runtime.block_on(async {
            let (sender, mut pages) = tokio::sync::mpsc::channel(64);
            let mut walk = client.workers_pages();
            tokio::spawn(async move {
                while let Some(page) = walk.next().await {
                    sender.send(page.expect("a page")).await.expect("a list");
                }
            });
            let mut drawn = Instant::now() - FRAME;
            while let Some(page) = pages.recv().await {
                let answer = Response::Workers(WorkersResponse::Page {
                    rows: page.items,
                    total: page.total,
                    last: false,
                });
                app::update(&mut screen.state, Action::Done(id, Ok(answer)), now());
                if drawn.elapsed() >= FRAME {
                    drawn = Instant::now();
                    screen.paint();
                }
            }
            screen.paint();
        });
        assert_eq!(screen.state.workers.rows.len(), WORKERS);
    });
}

/// The same pages at four at a time, and nothing done with them.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn all_pages_floor(bencher: Bencher<'_, '_>) {
    let (_server, client, runtime) = listed();
    bencher.bench_local(|| {
        runtime.block_on(async {
            let first = client.workers_page(1).await.expect("a page");
            let rest = futures_util::stream::iter(2..=50)
                .map(|number| client.workers_page(number))
                .buffer_unordered(4);
            black_box((first, rest.collect::<Vec<_>>().await));
        });
    });
}
