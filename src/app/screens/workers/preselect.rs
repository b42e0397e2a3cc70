//! Which Worker a capture would be of, and why there is none. The one that was named at the start (`--worker`) is stood on
//! until somebody moves by hand, and nothing is done to another one in its place.

use crate::app::screens::workers::Workers;

/// So many names are offered in place of one that no Worker has.
pub(crate) const OFFERED: usize = 3;

impl Workers {
    /// Selects a Worker by its name or id as soon as it comes.
    pub fn open_on(&mut self, name: String) {
        self.wanted = Some(name);
    }

    /// Stands on the Worker that was named, if it is among the rows that are shown. Answers whether it is.
    pub(crate) fn stand_on_wanted(&mut self) -> bool {
        let Some(wanted) = &self.wanted else {
            return false;
        };
        let place = self.order.iter().position(|&at| is(&self.rows[at], wanted));
        self.selected = place.unwrap_or(self.selected);
        place.is_some()
    }

    /// The name that was asked for, where the list does not stand on it.
    pub(crate) fn missed(&self) -> Option<&str> {
        let wanted = self.wanted.as_deref()?;
        let stands = self.current().is_some_and(|worker| is(worker, wanted));
        (!stands).then_some(wanted)
    }
}

pub(crate) fn is(worker: &crate::model::cloudflare::Worker, wanted: &str) -> bool {
    worker.name == wanted || worker.id == wanted
}
