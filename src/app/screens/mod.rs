//! One module a screen: what it shows and where its cursor is. No screen names another one.

pub(crate) mod history;
pub(crate) mod profile;
pub(crate) mod workers;
