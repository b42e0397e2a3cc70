//! The account's Workers: rows as they come, filter, order, selection, and the details of the selected one.

pub(crate) mod effect;
pub(crate) mod local_runtime;
pub(crate) mod metrics;
pub(crate) mod preselect;

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::time::{Instant, SystemTime};

use crate::app::capture::targets::{NamespaceDetails, WorkerDetails};
use crate::app::core::ids::RequestId;
use crate::app::core::rate_limit::Quota;
use crate::app::load::Load;
use crate::app::load::failure::Failure;
use crate::app::screens::workers::local_runtime::Nearby;
use crate::app::screens::workers::metrics::Renewal;
use crate::model::cloudflare::local_runtime::{Isolate, Runtime};
use crate::model::cloudflare::{Capture, Metrics, Object, Version, Worker};
use crate::model::text::fuzzy;

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
    /// Part of the requests that failed.
    Errors,
    /// 99th percentile of the isolates' memory.
    Memory,
    /// Name.
    Name,
}

impl WorkerSort {
    const fn next(self) -> Self {
        match self {
            Self::Cpu => Self::Requests,
            Self::Requests => Self::P99,
            Self::P99 => Self::Errors,
            Self::Errors => Self::Memory,
            Self::Memory => Self::Name,
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

/// One row of the right pane.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DetailRow<'a> {
    /// A version.
    Version(&'a Version),
    /// A Durable Object class.
    Namespace(&'a NamespaceDetails),
    /// A capture on disk.
    Capture(&'a Capture),
}

/// The list of Workers.
#[derive(Debug, Default)]
pub struct Workers {
    /// How far the rows are loaded.
    pub load: Load<()>,
    /// All rows that have arrived.
    pub rows: Vec<Worker>,
    /// How many there are in all, if Cloudflare says so.
    pub total: Option<u64>,
    /// When the last row arrived.
    pub as_of: Option<SystemTime>,
    /// How far the metrics are loaded.
    pub metrics: Load<HashMap<String, Metrics>>,
    /// The shown rows, as places in `rows`.
    pub order: Vec<usize>,
    /// Place in `order`.
    pub selected: usize,
    /// First row on the screen, as a place in `order`.
    pub offset: usize,
    /// The filter, fuzzy over names.
    pub filter: String,
    /// The column the rows are sorted by.
    pub sort: WorkerSort,
    /// In reverse.
    pub reverse: bool,
    /// Where the focus is.
    pub section: Section,
    /// The rows are those of an earlier session; since when.
    pub stale: Option<SystemTime>,
    /// When metrics are refreshed.
    pub renewal: Renewal,
    /// What is left of the shared rate limit, as far as it is known.
    pub quota: Option<Quota>,
    /// The selected Worker's details were not requested, to spare the calls that are left.
    pub held: bool,
    /// Places in `rows`, by id.
    places: HashMap<String, usize>,
    /// The ids that the running list request has returned so far.
    pub(crate) named: HashSet<String>,
    /// The user has moved in the list: it selects nothing by itself any more.
    moved: bool,
    pub(crate) details: HashMap<String, Details>,
    pub(crate) resting: Option<RequestId>,
    /// The request for the objects with the most memory, and their namespace.
    pub(crate) largest: Option<(RequestId, String)>,
    /// The Worker to select, by name or id, until the user moves.
    pub(crate) wanted: Option<String>,
    /// The local runtime whose isolates are the rows, if one is profiled.
    pub runtime: Runtime,
    /// A local runtime that the welcome screen offers.
    pub nearby: Load<Nearby>,
}

/// What is known of one Worker beyond its row.
#[derive(Debug)]
pub(crate) struct Details {
    pub(crate) load: Load<WorkerDetails>,
    /// When they arrived, or were first requested.
    pub(crate) at: Instant,
    /// The request for newer ones, while the old ones are still shown.
    pub(crate) newer: Option<RequestId>,
}

impl Workers {
    /// Returns the isolate of a row.
    #[must_use]
    pub fn isolate(&self, name: &str) -> Option<&Isolate> {
        self.runtime
            .isolates
            .iter()
            .find(|isolate| isolate.name == name)
    }

    /// Returns the selected Worker.
    #[must_use]
    pub fn current(&self) -> Option<&Worker> {
        self.order
            .get(self.selected)
            .and_then(|&at| self.rows.get(at))
    }

    /// Returns versions and objects of the selected Worker, as far as known.
    #[must_use]
    pub fn current_details(&self) -> Option<&Load<WorkerDetails>> {
        self.details
            .get(&self.current()?.id)
            .map(|details| &details.load)
    }

    /// Returns traffic of a Worker by name, if known.
    #[must_use]
    pub fn metrics_of(&self, name: &str) -> Option<Metrics> {
        self.rows.iter().find(|w| w.name == name)?.metrics
    }

    /// Returns a Durable Object class that some Worker's details have.
    pub(crate) fn class(&self, namespace: &str) -> Option<&NamespaceDetails> {
        let known = self
            .details
            .values()
            .filter_map(|details| details.load.ready());
        known
            .flat_map(|details| &details.namespaces)
            .find(|class| class.namespace.id == namespace)
    }

    /// Notes the objects of a class with the most memory.
    pub(crate) fn set_largest(&mut self, namespace: &str, largest: &[Object]) {
        for details in self.details.values_mut() {
            let Load::Ready(known) = &mut details.load else {
                continue;
            };
            let class = known
                .namespaces
                .iter_mut()
                .find(|class| class.namespace.id == namespace);
            class
                .into_iter()
                .for_each(|class| class.largest = Some(largest.to_vec()));
        }
    }

    /// Returns versions and objects of a Worker by name.
    #[must_use]
    pub fn details_of(&self, name: &str) -> Option<&WorkerDetails> {
        let worker = self.rows.iter().find(|w| w.name == name)?;
        self.details.get(&worker.id)?.load.ready()
    }

    /// Sorts and filters the rows again; the selected Worker stays selected.
    pub(crate) fn arrange(&mut self) {
        self.arrange_from((0..self.rows.len()).collect());
    }

    /// Filters by another text. One that begins with the old one can only fit what the old one fitted.
    pub(crate) fn filter_by(&mut self, text: String) {
        let narrower = !self.filter.is_empty() && text.starts_with(&self.filter);
        self.filter = text;
        (self.moved, self.wanted) = (true, None);
        match narrower {
            true => {
                let from = std::mem::take(&mut self.order);
                self.arrange_from(from);
            }
            false => self.arrange(),
        }
        self.selected = 0;
    }

    fn arrange_from(&mut self, from: Vec<usize>) {
        let anchor = self.anchor();
        let mut scored: Vec<(i64, usize)> = from
            .into_iter()
            .filter_map(|at| Some((fuzzy::fuzzy(&self.rows.get(at)?.name, &self.filter)?, at)))
            .collect();
        scored.sort_by(|a, b| {
            let (x, y) = (&self.rows[a.1], &self.rows[b.1]);
            let by_sort = compare(self.sort, x, y);
            let by_sort = if self.reverse {
                by_sort.reverse()
            } else {
                by_sort
            };
            b.0.cmp(&a.0)
                .then(by_sort)
                .then_with(|| x.name.cmp(&y.name))
        });
        self.order = scored.into_iter().map(|(_, at)| at).collect();
        self.restore(anchor);
    }

    /// Returns the selected Worker and its row on the screen.
    fn anchor(&self) -> Option<(String, usize)> {
        Some((
            self.current()?.id.clone(),
            self.selected.saturating_sub(self.offset),
        ))
    }

    /// Selects that Worker again, on the same row of the screen, wherever it is in the order by now.
    fn restore(&mut self, anchor: Option<(String, usize)>) {
        let place = |id: &str| self.order.iter().position(|&at| self.rows[at].id == id);
        match anchor.and_then(|(id, row)| Some((place(&id)?, row))) {
            Some((place, row)) => (self.selected, self.offset) = (place, place.saturating_sub(row)),
            None => self.selected = 0,
        }
    }

    pub(crate) fn next_sort(&mut self) {
        self.sort = self.sort.next();
        self.reverse = false;
    }

    pub(crate) fn add(&mut self, rows: Vec<Worker>, total: Option<u64>, now: SystemTime) {
        for mut row in rows {
            self.named.insert(row.id.clone());
            let known = self
                .places
                .get(&row.id)
                .and_then(|&at| self.rows.get_mut(at));
            // Metrics of an earlier session stay until the new ones arrive.
            let old = known.as_ref().and_then(|known| known.metrics);
            row.metrics = self
                .metrics
                .ready()
                .map(|all| traffic(all, &row.name))
                .or(old);
            match known {
                Some(known) => *known = row,
                None => {
                    self.places.insert(row.id.clone(), self.rows.len());
                    self.rows.push(row);
                }
            }
        }
        self.total = total.or(self.total);
        self.as_of = Some(now);
        self.arrange();
        self.stay_first();
    }

    /// Shows the rows of an earlier session while the new ones load.
    pub(crate) fn show_known(&mut self, rows: Vec<Worker>, as_of: SystemTime) {
        if !self.rows.is_empty() || rows.is_empty() {
            return;
        }
        self.rows = rows;
        (self.stale, self.as_of) = (Some(as_of), Some(as_of));
        self.find_places();
        self.arrange();
        self.stay_first();
    }

    /// The list is complete: rows that it did not return are gone.
    pub(crate) fn complete(&mut self) {
        let named = std::mem::take(&mut self.named);
        let anchor = self.anchor();
        self.rows.retain(|row| named.contains(&row.id));
        self.total = Some(self.rows.len() as u64);
        self.stale = None;
        self.order.clear();
        self.find_places();
        self.arrange();
        self.restore(anchor);
        self.stand_on_wanted();
    }

    fn find_places(&mut self) {
        self.places = self
            .rows
            .iter()
            .enumerate()
            .map(|(at, row)| (row.id.clone(), at))
            .collect();
    }

    /// Returns the running requests about this account.
    pub(crate) fn running(&self) -> Vec<RequestId> {
        let lists = [self.load.running(), self.metrics.running(), self.resting];
        let details = self
            .details
            .values()
            .map(|details| details.load.running().or(details.newer));
        lists.into_iter().chain(details).flatten().collect()
    }

    /// Drops everything that belongs to the account; the sorting and the preselected Worker stay.
    pub(crate) fn forget(&mut self) {
        let wanted = self.wanted.take();
        *self = Self {
            sort: self.sort,
            reverse: self.reverse,
            wanted,
            ..Self::default()
        };
    }

    /// Until the user moves, the first row or the preselected Worker is selected.
    fn stay_first(&mut self) {
        if !self.stand_on_wanted() && !self.moved && self.section == Section::List {
            self.selected = 0;
        }
    }

    pub(crate) fn set_metrics(&mut self, metrics: HashMap<String, Metrics>, first: bool) {
        for row in &mut self.rows {
            row.metrics = Some(traffic(&metrics, &row.name));
        }
        self.metrics = Load::Ready(metrics);
        self.arrange();
        // Newer metrics reorder the list and keep the selection.
        if first {
            self.stay_first();
        } else {
            self.moved = true;
        }
    }

    /// Removes the metrics: those of an earlier session are too old to rank by.
    pub(crate) fn without_metrics(&mut self) {
        for row in &mut self.rows {
            row.metrics = None;
        }
        self.arrange();
    }

    /// Selects a row for the user.
    pub(crate) fn select(&mut self, place: usize) {
        (self.moved, self.wanted) = (true, None);
        self.selected = place.min(self.order.len().saturating_sub(1));
    }
}

/// Returns a Worker's traffic; one that analytics do not name had none.
pub(crate) fn traffic(all: &HashMap<String, Metrics>, name: &str) -> Metrics {
    all.get(name).copied().unwrap_or_default()
}

/// Biggest first; Workers without figures last.
fn compare(sort: WorkerSort, a: &Worker, b: &Worker) -> Ordering {
    let figure = |w: &Worker| {
        w.metrics.map_or(-1.0, |f| match sort {
            WorkerSort::Cpu => f.cores(),
            WorkerSort::Requests => f.requests_per_second,
            WorkerSort::P99 => f.cpu_p99_us,
            WorkerSort::Errors => f.error_share(),
            WorkerSort::Memory => f.memory_p99.unwrap_or(-0.5),
            WorkerSort::Name => 0.0,
        })
    };
    match sort {
        WorkerSort::Name => a.name.cmp(&b.name),
        _ => figure(b).total_cmp(&figure(a)),
    }
}

/// Stores details of a Worker. Returns whether they were awaited.
pub(crate) fn put_details(
    workers: &mut Workers,
    id: RequestId,
    found: Result<WorkerDetails, Box<Failure>>,
    now: Instant,
) -> bool {
    let mut all = workers.details.values_mut();
    let Some(slot) = all.find(|details| details.load.awaits(id) || details.newer == Some(id))
    else {
        return false;
    };
    *slot = match (found, slot.newer) {
        // If newer ones failed, the old ones stay for another while.
        (Err(_), Some(_)) => Details {
            load: std::mem::take(&mut slot.load),
            at: now,
            newer: None,
        },
        (found, _) => Details {
            load: found.map_or_else(Load::Failed, Load::Ready),
            at: now,
            newer: None,
        },
    };
    true
}
