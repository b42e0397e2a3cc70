//! Which account is in force: the list to choose from, and what becomes of everything that belonged to another one.

use crate::app::load::Load;
use crate::model::cloudflare::Account;

/// The accounts that the token can see.
#[derive(Debug, Default)]
pub struct Accounts {
    /// How far they are loaded.
    pub load: Load<()>,
    /// Those that have arrived, in the API's order.
    pub rows: Vec<Account>,
    /// How many there are in all, if Cloudflare says so.
    pub total: Option<u64>,
    /// The one in force was just chosen and has not responded yet: it may refuse this token.
    pub(crate) unproven: bool,
}

/// A request about accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountsEffect {
    /// List all accounts of the token, page by page.
    List,
    /// Remember the account in force for the next start.
    Remember,
}

/// Some of the accounts; pages come as they arrive.
#[derive(Debug)]
pub struct AccountsPage {
    /// The page's rows.
    pub rows: Vec<Account>,
    /// How many there are in all, where Cloudflare says.
    pub total: Option<u64>,
    /// Whether this was the last page.
    pub last: bool,
}
