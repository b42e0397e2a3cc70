//! The terminal: what is sent to it.

pub mod writer;
