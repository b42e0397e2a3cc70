//! Which account is in force: the list to choose from, and what becomes of everything that belonged to another one.

use crate::app::core::load::Load;
use crate::model::cloudflare::{Account, id32};

/// The accounts that the token can see.
#[derive(Debug, Default)]
pub struct Accounts {
    /// Whether they are asked for, there, or failed.
    pub load: Load<()>,
    /// Those that have come, in the API's order.
    pub rows: Vec<Account>,
    /// How many there are in all, where the answer said.
    pub total: Option<u64>,
    /// The one in force was chosen just now, and has answered nothing yet: it may refuse this token.
    pub(crate) unproven: bool,
}

/// The account that a typed text is the id of, where the list has none that fits.
pub(crate) fn typed(text: &str) -> Option<Account> {
    id32(text).ok().map(|id| Account {
        name: format!("account {}", crate::model::cloudflare::short(&id)),
        id,
    })
}
