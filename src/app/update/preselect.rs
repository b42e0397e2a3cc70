//! Selecting the Worker that was named at the start.

use crate::app::core::load::Load;
use crate::app::core::session::Screen;
use crate::app::screens::workers::preselect::OFFERED;
use crate::app::state::State;
use crate::model::text::fuzzy;

/// The list is whole: says so where the Worker that was asked for is not in it.
pub(crate) fn tell(state: &mut State) {
    if state.screen == Screen::Workers
        && let Some(text) = missing(state)
    {
        state.warn(text);
    }
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
