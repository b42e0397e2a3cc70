//! The list of Workers.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use std::time::{Duration, SystemTime};

use crate::app::core::layout::ALL_METRICS;
use crate::app::{
    Load, Origin, Overlay, Purpose, Refusal, Screen, Section, State, WorkerSort, age, clock,
    workers_geometry,
};
use crate::model::cloudflare::Worker;
use crate::model::text::share::points;
use crate::model::text::units::thousands;
use crate::model::text::units::{megabytes, millis, rate};
use crate::ui::screens::local_runtime;
use crate::ui::screens::worker_panel;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};
use crate::ui::widgets::chrome;
use crate::ui::widgets::list_rows::selected;

/// Cells of the bar of estimated cores.
const BAR: u16 = 8;
/// Cells of the columns for memory and errors.
const EXTRA: u16 = 17;

/// Draws the screen of the Workers.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    if state.is_local() {
        return local_runtime::draw(c, state);
    }
    let workers = &state.workers;
    let session = &state.session;
    let mut facts = vec![
        match (session.account_id.is_empty(), session.account_from.as_str()) {
            (true, _) => "no account chosen yet".to_owned(),
            (false, "") => session.account_name.clone(),
            (false, from) => format!("{} ({from})", session.account_name),
        },
    ];
    if !session.account_id.is_empty() {
        facts.push(counted(state));
        facts.push(match &workers.metrics {
            // The one place where a missing right is named; the columns stay blank.
            Load::Failed(failure) if failure.refusal == Some(Refusal::NotAllowed) => {
                "no figures: Account Analytics Read is missing".to_owned()
            }
            // The message line says why.
            Load::Failed(_) => "no figures".to_owned(),
            _ => "last 15 min".to_owned(),
        });
    }
    if !session.token_from.is_empty() {
        facts.push(format!("token: {}", session.token_from));
    }
    let mut right = Vec::new();
    if let Some(chip) = chrome::captures_chip(state, c) {
        right.push((chip, Role::Accent));
    }
    match (workers.stale, workers.as_of, &workers.load) {
        // Rows of an earlier session: shown at once, and never taken for today's.
        (Some(at), _, Load::Running(_)) => {
            right.push((format!("as of {}, loading", moment(at, c)), Role::Accent))
        }
        (Some(at), ..) => right.push((format!("still as of {}", moment(at, c)), Role::Accent)),
        (None, Some(at), Load::Running(_)) => {
            right.push((format!("loading {}", clock(at)), Role::Dim))
        }
        (None, Some(at), _) => right.push((format!("as of {}", clock(at)), Role::Dim)),
        (None, None, _) => {}
    }
    if state.session.origin == Origin::Demo {
        right.push(("demo".to_owned(), Role::Accent));
    }
    chrome::title(c, "flarescope", &facts, &[], &right);

    let (list, pane) = workers_geometry(state.size);
    if state.is_list_hidden() {
        worker_panel::draw(c, state, list, false);
    } else {
        rows(c, state, list.x, list.y, list.width, list.height);
        if pane.height > 0 {
            worker_panel::draw(c, state, pane, false);
        }
    }
    let count = if state.types(Purpose::WorkerFilter) {
        found(state)
    } else {
        String::new()
    };
    chrome::message(c, state, &count);
    chrome::keys(c, state);
}

/// A time of an earlier session: with its age, where the clock alone could be today's.
fn moment(at: SystemTime, c: &Canvas<'_>) -> String {
    let old = c.now.wall.duration_since(at).unwrap_or_default() > Duration::from_secs(60 * 60);
    if old {
        format!("{} ago", age(at, c.now.wall))
    } else {
        clock(at)
    }
}

/// How many there are, and how many of them have come.
fn counted(state: &State) -> String {
    let workers = &state.workers;
    let all = number(workers.total.unwrap_or(workers.rows.len() as u64));
    let come = number(workers.rows.len() as u64);
    let coming = matches!(workers.load, Load::Running(_)) && workers.stale.is_none();
    match workers.load {
        _ if !workers.filter.is_empty() && state.screen == Screen::Workers => {
            let fitting = number(workers.order.len() as u64);
            let among = if coming {
                format!("{come} so far")
            } else {
                format!("{all} Workers")
            };
            format!("{fitting} of {among} match {}", workers.filter)
        }
        Load::Running(_) if workers.rows.is_empty() => "loading Workers…".to_owned(),
        Load::Failed(_) if workers.rows.is_empty() => "could not load the Workers".to_owned(),
        Load::Failed(_)
            if workers
                .total
                .is_some_and(|total| total > workers.rows.len() as u64) =>
        {
            format!("{come} of {all} Workers came")
        }
        Load::Running(_) if coming => format!("{come} of {all} Workers so far"),
        _ => format!("{all} {}", if all == "1" { "Worker" } else { "Workers" }),
    }
}

/// What stands beside the filter's line: how many fit, of how many, and whether there will be more.
fn found(state: &State) -> String {
    let workers = &state.workers;
    let all = workers.total.unwrap_or(workers.rows.len() as u64);
    let (fitting, come) = (
        number(workers.order.len() as u64),
        workers.rows.len() as u64,
    );
    match workers.load {
        Load::Running(_) if workers.stale.is_none() && come < all => {
            format!(
                "{fitting} of {} so far, {} are coming",
                number(come),
                number(all - come)
            )
        }
        Load::Running(_) => format!("{fitting} of {}, more are coming", number(come)),
        _ => format!("{fitting} of {}", number(all)),
    }
}

fn number(count: u64) -> String {
    thousands(i128::from(count))
}

fn rows(c: &mut Canvas<'_>, state: &State, x: u16, y: u16, width: u16, height: u16) {
    let workers = &state.workers;
    let extra = if c.columns() >= ALL_METRICS { EXTRA } else { 0 };
    let names = width.saturating_sub(2 + 6 + 2 + 7 + 2 + extra + BAR);
    let p99 = x + names + 17;
    let columns = Columns {
        x,
        requests: x + names + 8,
        p99,
        extra: (extra > 0).then_some((p99 + 9, p99 + EXTRA)),
        bar: p99 + extra + 2,
        sort: workers.sort,
        reverse: workers.reverse,
    };
    let name_end = head(c, &columns, y);
    chrome::above(c, name_end + 4, y, x + names, workers.offset);
    let room = usize::from(height.saturating_sub(2));
    let top = workers
        .rows
        .iter()
        .filter_map(|w| w.metrics.map(|f| f.cores()))
        .fold(0.0, f64::max);
    for (place, worker) in shown(state).skip(workers.offset).take(room) {
        let row = y + 1 + u16::try_from(place - workers.offset).unwrap_or(0);
        let quiet = worker.metrics.is_some_and(|f| f.requests_per_second <= 0.0)
            || worker.deployed_on.is_none();
        let role = if quiet { Role::Dim } else { Role::Text };
        if place == workers.selected {
            selected(
                c,
                x,
                row,
                names,
                &worker.name,
                workers.section == Section::List && state.input.is_none(),
            );
        } else {
            // What runs out of something is seen before it is walked to.
            if worker.metrics.is_some_and(|f| f.suspect().is_some()) {
                c.put(x, row, "!", Role::Warn);
            }
            c.put_in(x + 1, row, names - 1, &worker.name, role);
        }
        metrics(c, worker, row, &columns, role);
        let cores = worker.metrics.map_or(0.0, |f| f.cores());
        if cores > 0.0 && top > 0.0 {
            let hot = (cores - top).abs() < f64::EPSILON;
            c.bar(
                columns.bar,
                row,
                BAR,
                cores / top,
                if hot { Role::BarHot } else { Role::BarWarm },
            );
        }
    }
    below(c, state, x, y + height.saturating_sub(1), room);
}

fn shown(state: &State) -> impl Iterator<Item = (usize, &Worker)> {
    let workers = &state.workers;
    workers
        .order
        .iter()
        .enumerate()
        .filter_map(|(place, &at)| Some((place, workers.rows.get(at)?)))
}

/// Where the columns of the list are, and what it is sorted by.
struct Columns {
    /// The first column of the names.
    x: u16,
    /// The column after the requests.
    requests: u16,
    /// The column after the p99, or after what it gives way to.
    p99: u16,
    /// The columns after memory and after errors, where there is room for both.
    extra: Option<(u16, u16)>,
    /// The first column of the bars.
    bar: u16,
    sort: WorkerSort,
    reverse: bool,
}

/// Draws the names of the columns and returns the column after that of the names.
fn head(c: &mut Canvas<'_>, columns: &Columns, y: u16) -> u16 {
    let &Columns {
        x,
        requests,
        p99,
        extra,
        bar,
        sort,
        reverse,
    } = columns;
    let role = |by| if sort == by { Role::Strong } else { Role::Dim };
    let mark = if reverse { "▴" } else { "▾" };
    let name_end = c.put(x + 1, y, "Worker", role(WorkerSort::Name));
    c.right(requests, y, "req/s", role(WorkerSort::Requests));
    // One column shows what is sorted by, of those that share it.
    let (third, by) = match sort {
        WorkerSort::Errors if extra.is_none() => ("err %", WorkerSort::Errors),
        WorkerSort::Memory if extra.is_none() => ("mem MB", WorkerSort::Memory),
        _ => ("p99 ms", WorkerSort::P99),
    };
    c.right(p99, y, third, role(by));
    let (memory, errors) = extra.unwrap_or((p99, p99));
    if extra.is_some() {
        c.right(memory, y, "mem MB", role(WorkerSort::Memory));
        c.right(errors, y, "err %", role(WorkerSort::Errors));
    }
    let bar_end = c.put(bar, y, "≈ cpu", role(WorkerSort::Cpu));
    let at = match sort {
        WorkerSort::Name => name_end + 1,
        WorkerSort::Requests => requests,
        WorkerSort::P99 => p99,
        WorkerSort::Memory => memory,
        WorkerSort::Errors => errors,
        WorkerSort::Cpu => bar_end + 1,
    };
    c.put(at, y, mark, Role::Accent);
    name_end
}

fn metrics(c: &mut Canvas<'_>, worker: &Worker, y: u16, columns: &Columns, role: Role) {
    let &Columns {
        requests,
        p99,
        extra,
        sort,
        ..
    } = columns;
    match worker.metrics {
        Some(metrics) => {
            c.right(requests, y, &rate(metrics.requests_per_second), role);
            let text = |by| match by {
                _ if metrics.requests_per_second <= 0.0 => "–".to_owned(),
                WorkerSort::Errors => points(metrics.error_share()),
                WorkerSort::Memory => metrics.memory_p99.map_or_else(|| "–".to_owned(), megabytes),
                _ => millis(metrics.cpu_p99_us),
            };
            let Some((memory, errors)) = extra else {
                c.right(p99, y, &text(sort), role);
                return;
            };
            c.right(p99, y, &text(WorkerSort::P99), role);
            c.right(memory, y, &text(WorkerSort::Memory), role);
            c.right(errors, y, &text(WorkerSort::Errors), role);
        }
        None if worker.deployed_on.is_none() => {
            c.right(p99, y, "not deployed", Role::Dim);
        }
        None => {}
    }
}

fn below(c: &mut Canvas<'_>, state: &State, x: u16, y: u16, room: usize) {
    let workers = &state.workers;
    let hidden = workers.order.len().saturating_sub(workers.offset + room);
    if hidden > 0 {
        c.put(
            x + 1,
            y,
            &format!("▾ {} more", number(hidden as u64)),
            Role::Dim,
        );
        return;
    }
    if workers.order.is_empty() {
        let text = match &workers.load {
            _ if state.session.account_id.is_empty() => match &state.accounts.load {
                Load::Running(_) => "asking which accounts there are…".into(),
                Load::Failed(failure) => message![
                    "Could not load the accounts; ",
                    Command::ChooseAccount,
                    " retries, and takes a typed id. ",
                    failure.brief(),
                ],
                _ => message![Command::ChooseAccount, " chooses an account."],
            },
            Load::Ready(()) if !workers.filter.is_empty() => {
                message![
                    "No Worker's name matches; ",
                    Command::Dismiss,
                    " shows all again."
                ]
            }
            Load::Running(_) if !workers.filter.is_empty() => {
                "No match among the Workers loaded so far; more are loading.".into()
            }
            Load::Ready(()) => {
                message![
                    "This account has no Workers; deploy one, then press ",
                    Command::Refresh,
                    ".",
                ]
            }
            // The sheet in front says why, and what helps.
            Load::Failed(_) if matches!(state.overlays.top(), Some(Overlay::Failure(_))) => {
                "Could not load the list.".into()
            }
            Load::Failed(failure) => message![
                "Could not load the list; ",
                Command::Refresh,
                " retries. ",
                failure.brief(),
            ],
            _ => Message::default(),
        };
        let text = state.settings.keys.expand_keys(&text);
        let top = y.saturating_sub(u16::try_from(room).unwrap_or(0)) + 1;
        // A sheet beside the list has the rest of the row.
        let (list, _) = workers_geometry(state.size);
        let columns = if !state.overlays.is_empty() {
            list.width
        } else {
            c.columns()
        };
        c.put_wrapped(
            Room {
                x: x + 1,
                y: top,
                width: columns.saturating_sub(x + 2),
                end: y + 1,
            },
            &text,
            Role::Dim,
        );
    }
}
