//! Accounts.

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::error::TargetError;

/// An account the token can see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// 32 hexadecimal digits.
    pub id: String,
    /// Its name, or its id if the name is unknown.
    pub name: String,
}

/// Checks the id of an account or namespace: 32 hexadecimal digits, returned in lower case.
///
/// # Errors
/// [`TargetError::Id32`].
pub fn id32(text: &str) -> Result<String, TargetError> {
    let text = text.trim();
    if text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(TargetError::Id32(text.to_owned()))
    }
}
