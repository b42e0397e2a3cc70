//! Why there is no Worker to capture: the one that was named at the start, or the list, is missing.

use crate::app::core::session::Screen;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use crate::app::load::Load;
use crate::app::screens::workers::preselect::OFFERED;
use crate::app::state::State;
use crate::model::text::fuzzy;

/// Warns that the Worker that was named at the start is not in the list.
pub(crate) fn warn_if_missing(state: &mut State) {
    if state.screen == Screen::Workers
        && let Some(text) = missing(state)
    {
        state.warn(text);
    }
}

/// Returns why nothing is done to the selected Worker: another one was named at the start and is not there. `None` if it is.
pub(crate) fn missing(state: &State) -> Option<Message> {
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
            message![
                format!("No Worker of {among} is called "),
                outside(wanted),
                ".",
                outside(near),
                " ",
                Command::Search,
                " looks for a name, ",
                Command::Down,
                " and ",
                Command::Up,
                " go on without it.",
            ]
        }
        Load::Failed(_) => message![
            outside(wanted),
            " is not among the Workers that were loaded; ",
            Command::Refresh,
            " loads the list again.",
        ],
        Load::Running(_) | Load::Idle => message![
            outside(wanted),
            " is not loaded yet. Press the key again when the cursor is on it.",
        ],
    })
}

/// Returns why there is no Worker to capture, and what helps. `named` is the Worker of the selected capture or open profile.
pub(crate) fn without_worker(state: &State, named: Option<&str>) -> Message {
    let local = state.is_local();
    let workers = &state.workers;
    match (&workers.load, named) {
        _ if state.session.account_id.is_empty() && !local => message![
            "No account is chosen yet; ",
            Command::ChooseAccount,
            " chooses one, then its Workers are loaded.",
        ],
        (Load::Running(_) | Load::Idle, Some(name)) => message![
            outside(name),
            " is not loaded yet. Press the key again in a moment.",
        ],
        (Load::Running(_) | Load::Idle, None) => "Workers are still loading.".into(),
        (Load::Failed(_), _) if state.screen == Screen::Workers => message![
            "Could not load the list of Workers; ",
            Command::Refresh,
            " retries.",
        ],
        (Load::Failed(_), _) => message![
            "Could not load the list of Workers; ",
            Command::GoWorkers,
            " and ",
            Command::Refresh,
            " retry.",
        ],
        (Load::Ready(()), Some(name)) if local => message![
            "No Worker of this runtime is called ",
            outside(name),
            "; ",
            Command::GoWorkers,
            " lists its Workers.",
        ],
        (Load::Ready(()), Some(name)) => message![
            "No Worker of ",
            outside(state.session.account_name.as_str()),
            " is called ",
            outside(name),
            "; ",
            Command::GoWorkers,
            " lists its Workers, ",
            Command::ChooseAccount,
            " other accounts.",
        ],
        (Load::Ready(()), None) if !workers.filter.is_empty() => message![
            "No Worker's name matches ",
            outside(workers.filter.as_str()),
            "; ",
            Command::Dismiss,
            " shows all again.",
        ],
        (Load::Ready(()), None) if state.screen == Screen::Profile => message![
            "The Worker of this profile is not known; ",
            Command::GoWorkers,
            " lists those that can be captured.",
        ],
        (Load::Ready(()), None) if state.screen == Screen::History => message![
            "No capture is selected; ",
            Command::GoWorkers,
            " goes to the Workers.",
        ],
        (Load::Ready(()), None) if local => message![
            "This runtime has no Workers; ",
            Command::Refresh,
            " asks again.",
        ],
        (Load::Ready(()), None) => message![
            "This account has no Workers; deploy one, then press ",
            Command::Refresh,
            ".",
        ],
    }
}
