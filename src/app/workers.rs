//! The account's Workers: rows as they come, filter, order, selection, and the details of the selected one.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use super::details::DetailRow;
use super::{Effect, Load, RequestId, State, WorkerDetails};
use crate::model::names;
use crate::model::runtime::Runtime;
use crate::model::target::{Figures, Worker};

/// How long the selection has to rest on a Worker before its details are asked for: walking must not spend the quota.
const REST: Duration = Duration::from_millis(300);
/// How long details stay good.
const DETAILS_KEEP: Duration = Duration::from_secs(60);

/// What the list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WorkerSort {
    /// Estimated cores kept busy: the costly ones first.
    #[default]
    Cpu,
    /// Requests a second.
    Requests,
    /// 99th percentile of CPU time a request.
    P99,
    /// Name.
    Name,
}

impl WorkerSort {
    const fn next(self) -> Self {
        match self {
            Self::Cpu => Self::Requests,
            Self::Requests => Self::P99,
            Self::P99 => Self::Name,
            Self::Name => Self::Cpu,
        }
    }
}

/// Where the focus is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    /// The list itself.
    #[default]
    List,
    /// The right pane: a row counted through versions, objects and captures.
    Details(usize),
}

/// The list of Workers.
#[derive(Debug, Default)]
pub struct Workers {
    /// Whether the rows are asked for, there, or failed.
    pub load: Load<()>,
    /// All rows that have come.
    pub rows: Vec<Worker>,
    /// How many there are in all, where the answer said.
    pub total: Option<u64>,
    /// When the last row came.
    pub as_of: Option<SystemTime>,
    /// Whether traffic figures are asked for, there, or failed.
    pub figures: Load<HashMap<String, Figures>>,
    /// Rows that are shown, as places in `rows`.
    pub order: Vec<usize>,
    /// Place in `order`.
    pub selected: usize,
    /// First row on the screen, as a place in `order`.
    pub offset: usize,
    /// The filter, fuzzy over names.
    pub filter: String,
    /// The column the rows are sorted by.
    pub sort: WorkerSort,
    /// The other way round.
    pub reverse: bool,
    /// Where the focus is.
    pub section: Section,
    details: HashMap<String, (Load<WorkerDetails>, Instant)>,
    resting: Option<RequestId>,
    /// A Worker to select as soon as it comes.
    wanted: Option<String>,
    /// The local runtime whose isolates the rows stand for, where that is what is profiled.
    pub runtime: Runtime,
}

impl Workers {
    /// The selected Worker.
    #[must_use]
    pub fn current(&self) -> Option<&Worker> {
        self.order.get(self.selected).and_then(|&at| self.rows.get(at))
    }

    /// Versions and objects of the selected Worker, as far as they are known.
    #[must_use]
    pub fn current_details(&self) -> Option<&Load<WorkerDetails>> {
        self.details.get(&self.current()?.id).map(|(load, _)| load)
    }

    /// Requests a second of a Worker by name, where they are known.
    #[must_use]
    pub fn rate_of(&self, name: &str) -> Option<f64> {
        let worker = self.rows.iter().find(|w| w.name == name)?;
        worker.figures.map(|f| f.requests_per_second)
    }

    /// Versions and objects of a Worker by name.
    #[must_use]
    pub fn details_of(&self, name: &str) -> Option<&WorkerDetails> {
        let worker = self.rows.iter().find(|w| w.name == name)?;
        self.details.get(&worker.id)?.0.ready()
    }

    /// Sorts and filters the rows again; the selected Worker stays selected.
    pub(super) fn arrange(&mut self) {
        let keep = self.current().map(|w| w.id.clone());
        let mut scored: Vec<(i64, usize)> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(at, worker)| Some((names::fuzzy(&worker.name, &self.filter)?, at)))
            .collect();
        scored.sort_by(|a, b| {
            let (x, y) = (&self.rows[a.1], &self.rows[b.1]);
            let by_sort = compare(self.sort, x, y);
            let by_sort = if self.reverse { by_sort.reverse() } else { by_sort };
            b.0.cmp(&a.0).then(by_sort).then_with(|| x.name.cmp(&y.name))
        });
        self.order = scored.into_iter().map(|(_, at)| at).collect();
        let place = keep.and_then(|id| self.order.iter().position(|&at| self.rows[at].id == id));
        self.selected = place.unwrap_or(0);
    }

    pub(super) fn next_sort(&mut self) {
        self.sort = self.sort.next();
        self.reverse = false;
        self.arrange();
    }

    pub(super) fn add(&mut self, rows: Vec<Worker>, total: Option<u64>, now: SystemTime) {
        for mut row in rows {
            row.figures = self.figures.ready().map(|all| traffic(all, &row.name));
            match self.rows.iter_mut().find(|known| known.id == row.id) {
                Some(known) => *known = row,
                None => self.rows.push(row),
            }
        }
        self.total = total.or(self.total);
        self.as_of = Some(now);
        let was_first = self.selected == 0 && self.section == Section::List;
        self.arrange();
        self.stay_first(was_first);
    }

    /// The requests that are under way about this account.
    pub(super) fn running(&self) -> Vec<RequestId> {
        let lists = [self.load.running(), self.figures.running(), self.resting];
        let details = self.details.values().map(|(load, _)| load.running());
        lists.into_iter().chain(details).flatten().collect()
    }

    /// Drops everything that belongs to the account; how the list is sorted, and what it is to open on, stay.
    pub(super) fn forget(&mut self) {
        let wanted = self.wanted.take();
        *self = Self { sort: self.sort, reverse: self.reverse, wanted, ..Self::default() };
    }

    /// Selects a Worker by name as soon as it comes.
    pub fn open_on(&mut self, name: String) {
        self.wanted = Some(name);
    }

    /// While nobody has moved, the list opens on what is first now, or on the Worker that was asked for.
    fn stay_first(&mut self, was_first: bool) {
        let place = |name: &String| self.order.iter().position(|&at| self.rows[at].name == *name);
        if let Some(place) = self.wanted.as_ref().and_then(place) {
            self.selected = place;
            self.wanted = None;
        } else if was_first {
            self.selected = 0;
        }
    }

    pub(super) fn set_figures(&mut self, figures: HashMap<String, Figures>) {
        for row in &mut self.rows {
            row.figures = Some(traffic(&figures, &row.name));
        }
        self.figures = Load::Ready(figures);
        let was_first = self.selected == 0;
        self.arrange();
        self.stay_first(was_first);
    }
}

/// A Worker's traffic; one that analytics do not name had none.
fn traffic(all: &HashMap<String, Figures>, name: &str) -> Figures {
    all.get(name).copied().unwrap_or_default()
}

/// Biggest first; Workers without figures last.
fn compare(sort: WorkerSort, a: &Worker, b: &Worker) -> Ordering {
    let figure = |w: &Worker| {
        w.figures.map_or(-1.0, |f| match sort {
            WorkerSort::Cpu => f.cores(),
            WorkerSort::Requests => f.requests_per_second,
            WorkerSort::P99 => f.cpu_p99_us,
            WorkerSort::Name => 0.0,
        })
    };
    match sort {
        WorkerSort::Name => a.name.cmp(&b.name),
        _ => figure(b).total_cmp(&figure(a)),
    }
}

/// Asks for the Workers and their traffic.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let list = state.fresh_id();
    state.workers.load = Load::Running(list);
    if state.is_local() {
        return vec![Effect::ListWorkers(list)];
    }
    let figures = state.fresh_id();
    state.workers.figures = Load::Running(figures);
    vec![Effect::ListWorkers(list), Effect::Figures(figures)]
}

/// Starts to wait until the selection has rested, unless the selected Worker's details are there.
pub(super) fn rest(state: &mut State, now: Instant) -> Vec<Effect> {
    // Of a local runtime the list says all there is.
    let Some(worker) = state.workers.current().filter(|_| !state.is_local()) else { return Vec::new() };
    if let Some((load, at)) = state.workers.details.get(&worker.id)
        && (matches!(load, Load::Running(_)) || now.duration_since(*at) < DETAILS_KEEP)
    {
        return Vec::new();
    }
    let id = state.fresh_id();
    state.workers.resting = Some(id);
    vec![Effect::Rest(id, REST)]
}

/// The selection rested: asks for the details of the selected Worker.
pub(super) fn rested(state: &mut State, id: RequestId, now: Instant) -> Vec<Effect> {
    if state.workers.resting != Some(id) {
        return Vec::new();
    }
    state.workers.resting = None;
    ask_details(state, now)
}

/// Asks for the details of the selected Worker at once.
pub(super) fn ask_details(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(worker) = state.workers.current().filter(|_| !state.is_local()).cloned() else { return Vec::new() };
    let id = state.fresh_id();
    state.workers.details.insert(worker.id.clone(), (Load::Running(id), now));
    vec![Effect::Details(id, Box::new(worker))]
}

/// Puts details in their place; answers whether they were waited for.
pub(super) fn put_details(
    workers: &mut Workers,
    id: RequestId,
    found: Result<WorkerDetails, Box<super::Failure>>,
    now: Instant,
) -> bool {
    let Some(slot) = workers.details.values_mut().find(|(load, _)| load.awaits(id)) else { return false };
    *slot = (found.map_or_else(Load::Failed, Load::Ready), now);
    true
}

/// The rows of the right pane: versions, objects, captures on disk of the selected Worker.
#[must_use]
pub(crate) fn detail_rows(state: &State) -> Vec<DetailRow<'_>> {
    let Some(worker) = state.workers.current() else { return Vec::new() };
    let mut rows = Vec::new();
    if let Some(Load::Ready(details)) = state.workers.current_details() {
        rows.extend(details.versions.iter().map(DetailRow::Version));
        rows.extend(details.namespaces.iter().map(DetailRow::Namespace));
    }
    rows.extend(state.history.of_worker(&worker.name).map(DetailRow::Capture));
    rows
}

/// The next section's first row for Tab: list, versions, objects, captures, list.
pub(super) fn next_section(state: &State, backwards: bool) -> Section {
    let rows = detail_rows(state);
    let class = |row: &DetailRow<'_>| match row {
        DetailRow::Version(_) => 0,
        DetailRow::Namespace(_) => 1,
        DetailRow::Capture(_) => 2,
    };
    let mut starts = vec![Section::List];
    for (at, row) in rows.iter().enumerate() {
        if at == 0 || class(row) != class(&rows[at - 1]) {
            starts.push(Section::Details(at));
        }
    }
    let here = match state.workers.section {
        Section::List => 0,
        Section::Details(at) => {
            starts.iter().rposition(|start| matches!(start, Section::Details(first) if *first <= at)).unwrap_or(0)
        }
    };
    let step = if backwards { starts.len() - 1 } else { 1 };
    starts[(here + step) % starts.len()]
}
