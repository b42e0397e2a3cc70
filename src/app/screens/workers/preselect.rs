//! Which Worker a capture would be of, and why there is none. The one that was named at the start (`--worker`) is stood on
//! until somebody moves by hand, and nothing is done to another one in its place.

use crate::app::core::load::Load;
use crate::app::screens::workers::Workers;
use crate::app::state::{Screen, State};
use crate::model::text::fuzzy;

/// So many names are offered in place of one that no Worker has.
const OFFERED: usize = 3;

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
    fn missed(&self) -> Option<&str> {
        let wanted = self.wanted.as_deref()?;
        let stands = self.current().is_some_and(|worker| is(worker, wanted));
        (!stands).then_some(wanted)
    }
}

fn is(worker: &crate::model::cloudflare::Worker, wanted: &str) -> bool {
    worker.name == wanted || worker.id == wanted
}

/// Why nothing is done to the selected Worker: another one was asked for at the start, and is not there. `None`: it is.
pub(crate) fn missing(state: &State) -> Option<String> {
    let wanted = state.workers.missed()?;
    Some(match &state.workers.load {
        Load::Ready(()) => {
            let among = if state.is_local() {
                "this runtime"
            } else {
                "this account"
            };
            let names = state.workers.rows.iter().map(|worker| worker.name.as_str());
            let near = fuzzy::nearest(wanted, names, OFFERED);
            let near = if near.is_empty() {
                String::new()
            } else {
                format!(" Nearest: {}.", near.join(", "))
            };
            format!(
                "No Worker of {among} is called {wanted}.{near} {{search}} looks for a name, {{down}} and {{up}} go on without it."
            )
        }
        Load::Failed(_) => format!(
            "{wanted} is not among the Workers that came; {{refresh}} asks for the list again."
        ),
        Load::Running(_) | Load::Idle => {
            format!(
                "{wanted} has not come yet: the list is still loading. Press the key again when it stands on it."
            )
        }
    })
}

/// Why there is no Worker to capture from, and what helps. `named`: the one that the selected capture or the open profile is of.
pub(crate) fn without_worker(state: &State, named: Option<&str>) -> String {
    let local = state.is_local();
    let workers = &state.workers;
    let here = if state.screen == Screen::Workers {
        "{refresh} asks"
    } else {
        "{go-workers} and {refresh} ask"
    };
    match (&workers.load, named) {
        _ if state.session.account_id.is_empty() && !local => {
            "No account is chosen yet: {choose-account} chooses one, then its Workers come.".to_owned()
        }
        (Load::Running(_) | Load::Idle, Some(name)) => {
            format!("{name} has not come yet: the list of Workers is still loading. Press the key again in a moment.")
        }
        (Load::Running(_) | Load::Idle, None) => {
            "The Workers have not come yet: press the key again when one is selected.".to_owned()
        }
        (Load::Failed(_), _) => format!("The list of Workers did not come: {here} for it again."),
        (Load::Ready(()), Some(name)) if local => {
            format!("No Worker of this runtime is called {name}: {{go-workers}} shows those that are there.")
        }
        (Load::Ready(()), Some(name)) => format!(
            "No Worker of {} is called {name}: {{go-workers}} shows those that are there, {{choose-account}} other accounts.",
            state.session.account_name
        ),
        (Load::Ready(()), None) if !workers.filter.is_empty() => {
            format!("No Worker's name fits {}: {{dismiss}} shows all again.", workers.filter)
        }
        (Load::Ready(()), None) if state.screen == Screen::Profile => {
            "This profile is of no Worker that is known: {go-workers} leads to those that can be captured.".to_owned()
        }
        (Load::Ready(()), None) if state.screen == Screen::History => {
            "No capture is selected: {go-workers} leads to the Workers.".to_owned()
        }
        (Load::Ready(()), None) if local => "This runtime has no Workers: {refresh} asks again.".to_owned(),
        (Load::Ready(()), None) => {
            "This account has no Workers: one that is deployed shows here after {refresh}.".to_owned()
        }
    }
}

/// The list is whole: says so where the Worker that was asked for is not in it.
pub(crate) fn tell(state: &mut State) {
    if state.screen == Screen::Workers
        && let Some(text) = missing(state)
    {
        state.warn(text);
    }
}
