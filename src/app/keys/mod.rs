//! Commands and keys: the one table of commands, the keys in force, and what footer and help say of them.

pub(crate) mod command;
pub(crate) mod context;
pub(crate) mod footer;
pub(crate) mod help;
pub(crate) mod key;
pub(crate) mod keymap;
pub(crate) mod message;
