//! Choosing an account, and what happens to everything that belonged to the one before.

use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::message;
use crate::app::overlays::Overlay;
use crate::app::overlays::picker::Picker;
use crate::app::state::State;
use crate::app::update::{overlays, workers};
use crate::model::cloudflare::Account;

/// Asks for the accounts.
pub(crate) fn ask(state: &mut State) -> Effect {
    let id = state.fresh_id();
    state.accounts.load = Load::Running(id);
    Effect::ListAccounts(id)
}

/// Opens the list to choose from, and asks for it anew.
pub(crate) fn open(state: &mut State) -> Vec<Effect> {
    if state.session.origin == Origin::Offline {
        state.warn(message![
            "No login yet, so there are no accounts to list; ",
            Command::Refresh,
            " on the first screen looks for one.",
        ]);
        return Vec::new();
    }
    if state.is_local() {
        state.warn("A local runtime has no accounts.");
        return Vec::new();
    }
    show(state);
    vec![ask(state)]
}

fn show(state: &mut State) {
    overlays::push(
        state,
        Overlay::Picker(Picker::accounts(
            &state.accounts.rows,
            "",
            Some(&state.session.account_id),
        )),
    );
    state.input = Some(Input::new(Purpose::Account, ""));
}

/// Whether the list is in front.
fn is_open(state: &State) -> bool {
    state
        .input
        .as_ref()
        .is_some_and(|input| input.purpose == Purpose::Account)
}

/// Brings the list in front in line with what was typed and with what has come. `typed`: the text is another one, so the
/// best row is chosen; else the chosen row stays chosen.
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

/// Takes a page of accounts. Where none is in force yet, the only one is taken; of several the user has to choose.
pub(crate) fn took(
    state: &mut State,
    id: RequestId,
    rows: Vec<Account>,
    total: Option<u64>,
    last: bool,
) -> Vec<Effect> {
    if !state.accounts.load.awaits(id) {
        return Vec::new();
    }
    let accounts = &mut state.accounts;
    for row in rows {
        match accounts.rows.iter_mut().find(|known| known.id == row.id) {
            Some(known) => *known = row,
            None => accounts.rows.push(row),
        }
    }
    accounts.total = total.or(accounts.total);
    if last {
        accounts.load = Load::Ready(());
    }
    // An account that was known by its id only has a name from now on.
    if let Some(known) = state
        .accounts
        .rows
        .iter()
        .find(|known| known.id == state.session.account_id)
    {
        state.session.account_name.clone_from(&known.name);
    }
    if is_open(state) {
        narrow(state, false);
    } else if state.session.account_id.is_empty() {
        return begin(state, last);
    }
    Vec::new()
}

/// What the first answer leads to while no account is in force.
fn begin(state: &mut State, last: bool) -> Vec<Effect> {
    let many = state.accounts.rows.len() > 1 || state.accounts.total.is_some_and(|total| total > 1);
    match state.accounts.rows.as_slice() {
        _ if many => show(state),
        [only] if last => {
            let only = only.clone();
            // No choice was made that could be remembered.
            return take(state, only);
        }
        [] if last => {
            show(state);
            state.warn("This token can list no account. Type the id of one: the dashboard's address has it.");
        }
        _ => {}
    }
    Vec::new()
}

/// Takes the account that is chosen in the list.
pub(crate) fn accept(state: &mut State) -> Vec<Effect> {
    let chosen = match state.overlays.top() {
        Some(Overlay::Picker(picker)) => picker.account().cloned(),
        _ => None,
    };
    let Some(chosen) = chosen else {
        state.warn("No account fits. An id has 32 hexadecimal digits.");
        return Vec::new();
    };
    overlays::clear(state);
    state.screen = Screen::Workers;
    if chosen.id == state.session.account_id {
        return Vec::new();
    }
    state.accounts.unproven = true;
    take(state, chosen)
}

/// Puts an account in force: what was asked about another one is not waited for any more, and nothing of it stays.
fn take(state: &mut State, account: Account) -> Vec<Effect> {
    let mut wishes: Vec<Effect> = state
        .workers
        .running()
        .into_iter()
        .map(Effect::Cancel)
        .collect();
    wishes.extend(crate::app::update::capture::leave_account(state));
    state.workers.forget();
    state.session.account_name.clone_from(&account.name);
    state.session.account_id.clone_from(&account.id);
    state.session.account_from.clear();
    wishes.push(Effect::UseAccount(Box::new(account)));
    wishes.extend(workers::ask(state));
    wishes
}

/// The account in force answered: a choice that works is remembered.
pub(crate) fn proven(state: &mut State) -> Option<Effect> {
    std::mem::take(&mut state.accounts.unproven).then(|| Effect::RememberAccount(state.fresh_id()))
}
