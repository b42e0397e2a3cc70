//! Choosing an account.

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::message;
use crate::app::load::Load;
use crate::app::load::failure::{Failure, NextStep, Retry};
use crate::app::overlays::Overlay;
use crate::app::overlays::account_picker::AccountsPage;
use crate::app::overlays::picker::Picker;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::cloudflare::Account;

/// Opens the list to choose from, and requests it again.
pub(crate) fn open(state: &mut State) -> Option<Effect> {
    if state.session.origin == Origin::Offline {
        state.warn(message![
            "No login yet, so there are no accounts to list; ",
            Command::Refresh,
            " on the first screen looks for one.",
        ]);
        return None;
    }
    if state.is_local() {
        state.warn("A local runtime has no accounts.");
        return None;
    }
    show(state);
    Some(requests::list_accounts(state))
}

fn show(state: &mut State) {
    let current = Some(state.session.account_id.as_str());
    let picker = Picker::accounts(&state.accounts.rows, "", current);
    state.push_overlay(Overlay::Picker(picker));
    state.input = Some(Input::new(Purpose::Account, ""));
}

/// Filters the list by what is typed. `typed`: the text has changed, so the best row is chosen; else the chosen row stays.
pub(crate) fn narrow(state: &mut State, typed: bool) {
    let Some(input) = state
        .input
        .as_ref()
        .filter(|input| input.purpose == Purpose::Account)
    else {
        return;
    };
    let Some(Overlay::Picker(picker)) = state.overlays.top_mut() else {
        return;
    };
    let keep = picker
        .account()
        .map(|account| account.id.clone())
        .filter(|_| !typed);
    *picker = Picker::accounts(&state.accounts.rows, input.text.trim(), keep.as_deref());
}

/// Adds a page of accounts. If none is in force yet, the only one is used; of several the user has to choose.
pub(crate) fn on_page(state: &mut State, id: RequestId, page: AccountsPage) -> Outcome {
    let accounts = &mut state.accounts;
    if !accounts.load.awaits(id) {
        return Outcome::default();
    }
    for row in page.rows {
        match accounts.rows.iter_mut().find(|known| known.id == row.id) {
            Some(known) => *known = row,
            None => accounts.rows.push(row),
        }
    }
    accounts.total = page.total.or(accounts.total);
    if page.last {
        accounts.load = Load::Ready(());
    }
    // An account that was known by its id only has a name from now on.
    let session = &mut state.session;
    if let Some(known) = accounts
        .rows
        .iter()
        .find(|known| known.id == session.account_id)
    {
        session.account_name.clone_from(&known.name);
    }
    if state.types(Purpose::Account) {
        narrow(state, false);
    } else if state.session.account_id.is_empty() {
        return begin(state, page.last);
    }
    Outcome::default()
}

/// Chooses the first account of the session, or lets the user choose.
fn begin(state: &mut State, last: bool) -> Outcome {
    let many = state.accounts.rows.len() > 1 || state.accounts.total.is_some_and(|total| total > 1);
    match state.accounts.rows.as_slice() {
        _ if many => show(state),
        [only] if last => {
            let only = only.clone();
            // No choice was made that could be remembered.
            return switch_to(state, only);
        }
        [] if last => {
            show(state);
            state.warn(
                "This token can list no account. Type the id of one: the dashboard's address has it.",
            );
        }
        _ => {}
    }
    Outcome::default()
}

/// Switches to the account that is chosen in the list.
pub(crate) fn accept(state: &mut State) -> Outcome {
    let chosen = match state.overlays.top() {
        Some(Overlay::Picker(picker)) => picker.account().cloned(),
        _ => None,
    };
    let Some(chosen) = chosen else {
        state.warn("No account fits. An id has 32 hexadecimal digits.");
        return Outcome::default();
    };
    state.clear_overlays();
    state.screen = Screen::Workers;
    if chosen.id == state.session.account_id {
        return Outcome::default();
    }
    state.accounts.unproven = true;
    switch_to(state, chosen)
}

/// Switches to an account: requests about another one are cancelled, and nothing of it stays.
fn switch_to(state: &mut State, account: Account) -> Outcome {
    let running = state.workers.running().into_iter();
    let mut effects: Vec<Effect> = running.map(Effect::Cancel).collect();
    state.workers.forget();
    state.session.account_name.clone_from(&account.name);
    state.session.account_id.clone_from(&account.id);
    state.session.account_from.clear();
    effects.push(Effect::UseAccount(Box::new(account)));
    effects.extend(requests::list_workers(state));
    Outcome::from(effects).then(Action::LeaveAccount)
}

/// The accounts could not be loaded. Without one in force nothing can go on.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    mut failure: Failure,
    _: Moment,
) -> Result<Outcome, Failure> {
    if !state.accounts.load.awaits(id) {
        return Err(failure);
    }
    state.accounts.load = Load::Failed(Box::new(failure.clone()));
    // With one in force, the list that is open says why; else only a name was requested.
    if state.session.account_id.is_empty() {
        failure.retry = Some(Retry::Accounts);
        failure.step = Some(NextStep::Account("type the id of an account".into()));
        state.clear_overlays();
        state.overlays.open(Overlay::Failure(failure));
    }
    Ok(Outcome::default())
}
