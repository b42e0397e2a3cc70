//! Preselecting the Worker that was named at the start (`--worker`): it is selected
//! until the user moves, and nothing is done to another one in its place.

use crate::app::screens::workers::Workers;

/// Names that are suggested in place of one that no Worker has.
pub(crate) const OFFERED: usize = 3;

impl Workers {
    /// Selects a Worker by its name or id as soon as it arrives.
    pub fn open_on(&mut self, name: String) {
        self.wanted = Some(name);
    }

    /// Selects the Worker that was named, if it is among the shown rows. Returns whether it is.
    pub(crate) fn stand_on_wanted(&mut self) -> bool {
        let Some(wanted) = &self.wanted else {
            return false;
        };
        let place = self.order.iter().position(|&at| is(&self.rows[at], wanted));
        self.selected = place.unwrap_or(self.selected);
        place.is_some()
    }

    /// Returns the name that was given, if another Worker is selected.
    pub(crate) fn missed(&self) -> Option<&str> {
        let wanted = self.wanted.as_deref()?;
        let stands = self.current().is_some_and(|worker| is(worker, wanted));
        (!stands).then_some(wanted)
    }
}

pub(crate) fn is(worker: &crate::model::cloudflare::Worker, wanted: &str) -> bool {
    worker.name == wanted || worker.id == wanted
}
