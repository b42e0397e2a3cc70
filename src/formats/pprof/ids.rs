//! A file's own ids, which may be any numbers and may be named before they are defined, as indices.

use std::collections::HashMap;

use crate::formats::{Fault, limits};

/// Ids below this are looked up in a table; writers count from 1.
const DIRECT: u64 = 1 << 20;
const UNKNOWN: u32 = u32::MAX;

/// Indices given to ids in the order they are met.
pub(super) struct Ids {
    what: &'static str,
    limit: usize,
    direct: Vec<u32>,
    others: HashMap<u64, u32>,
    ids: Vec<u64>,
}

impl Ids {
    pub(super) fn new(what: &'static str, limit: usize) -> Self {
        Self {
            what,
            limit,
            direct: Vec::new(),
            others: HashMap::new(),
            ids: Vec::new(),
        }
    }

    /// The index of an id.
    #[inline]
    pub(super) fn index(&mut self, id: u64) -> Result<u32, Fault> {
        match usize::try_from(id).ok().and_then(|at| self.direct.get(at)) {
            Some(&index) if index != UNKNOWN => Ok(index),
            _ => self.meet(id),
        }
    }

    /// The id behind an index.
    pub(super) fn id(&self, index: usize) -> u64 {
        self.ids.get(index).copied().unwrap_or_default()
    }

    /// How many ids were met.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    fn meet(&mut self, id: u64) -> Result<u32, Fault> {
        if let Some(index) = self.others.get(&id) {
            return Ok(*index);
        }
        limits::check(self.ids.len() + 1, self.limit, self.what)?;
        let index = u32::try_from(self.ids.len()).unwrap_or(UNKNOWN);
        self.ids.push(id);
        if id < DIRECT {
            let at = usize::try_from(id).unwrap_or_default();
            if at >= self.direct.len() {
                self.direct.resize((at + 1).next_power_of_two(), UNKNOWN);
            }
            if let Some(slot) = self.direct.get_mut(at) {
                *slot = index;
            }
        } else {
            self.others.insert(id, index);
        }
        Ok(index)
    }
}
