//! What can be captured of a Worker: its versions and Durable Objects.

use crate::app::keys::message::Message;
use crate::model::cloudflare::{Kind, Namespace, Object, Version};

/// Busy objects that are requested at most.
pub(crate) const HOT_OBJECTS_MAX: usize = 50;

/// A namespace with its busiest objects.
#[derive(Debug, Clone, PartialEq)]
pub struct NamespaceDetails {
    /// The class.
    pub namespace: Namespace,
    /// The busiest objects, most CPU first, where analytics may be read.
    pub busiest: Vec<Object>,
    /// The objects with the most memory first; `None` if not requested.
    pub largest: Option<Vec<Object>>,
}

impl NamespaceDetails {
    /// Returns the busiest object and its share of the CPU time of all that analytics named, 0…1.
    #[must_use]
    pub fn hottest(&self) -> Option<(&Object, f64)> {
        let first = self.busiest.first()?;
        let all: f64 = self.busiest.iter().filter_map(|o| o.cpu_seconds).sum();
        let share = first
            .cpu_seconds
            .filter(|_| all > 0.0)
            .map_or(0.0, |cpu| cpu / all);
        Some((first, share))
    }

    /// Returns what to capture first: for CPU the busiest object, for the heap the one whose isolate holds the most memory.
    #[must_use]
    pub fn first(&self, kind: Kind) -> Option<&Object> {
        match (kind, &self.largest) {
            (Kind::Cpu, _) => self.busiest.first(),
            (Kind::Heap, Some(largest)) if !largest.is_empty() => largest.first(),
            (Kind::Heap, _) => {
                // The first of several with the same: they are the busiest first.
                let more = |a: &&Object, b: &&Object| measure(kind, a).total_cmp(&measure(kind, b));
                self.busiest.iter().rev().max_by(more)
            }
        }
    }

    /// Returns all objects that analytics named, each once.
    pub fn named(&self) -> impl Iterator<Item = &Object> {
        let more = self.largest.iter().flatten();
        self.busiest
            .iter()
            .chain(more.filter(|object| self.busiest.iter().all(|known| known.id != object.id)))
    }

    /// Whether objects with more memory than those that are known may be among those that are not.
    #[must_use]
    pub fn may_have_larger(&self) -> bool {
        self.largest.is_none() && self.active().1
    }

    /// Returns how many objects had recent traffic, and whether there may be more: analytics have a limit.
    #[must_use]
    pub fn active(&self) -> (usize, bool) {
        (self.busiest.len(), self.busiest.len() >= HOT_OBJECTS_MAX)
    }

    /// Returns the class's name, or the namespace's if Cloudflare names no class.
    #[must_use]
    pub fn class(&self) -> &str {
        self.namespace
            .class
            .as_deref()
            .unwrap_or(&self.namespace.name)
    }
}

/// Returns what objects are ordered by for a capture of this kind: CPU time or memory. Below zero where it is not known.
pub(crate) fn measure(kind: Kind, object: &Object) -> f64 {
    let known = match kind {
        Kind::Cpu => object.cpu_seconds,
        Kind::Heap => object.memory_p99,
    };
    known.unwrap_or(-1.0)
}

/// Versions and objects of one Worker.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkerDetails {
    /// Its versions: those that serve first, by share, then the newest.
    pub versions: Vec<Version>,
    /// The Durable Object classes it owns.
    pub namespaces: Vec<NamespaceDetails>,
    /// What could not be had, and why.
    pub notes: Vec<Message>,
}

impl WorkerDetails {
    /// Puts versions into the order they are shown in.
    #[must_use]
    pub fn new(
        mut versions: Vec<Version>,
        namespaces: Vec<NamespaceDetails>,
        notes: Vec<Message>,
    ) -> Self {
        versions.sort_by(|a, b| {
            b.percentage
                .total_cmp(&a.percentage)
                .then(b.number.cmp(&a.number))
        });
        Self {
            versions,
            namespaces,
            notes,
        }
    }

    /// Returns the version that serves the largest share of the traffic.
    #[must_use]
    pub fn serving(&self) -> Option<&Version> {
        self.versions.first().filter(|v| v.percentage > 0.0)
    }

    /// Returns the version that was uploaded last.
    #[must_use]
    pub fn latest(&self) -> Option<&Version> {
        self.versions.iter().max_by_key(|v| v.number)
    }
}
