//! What things are: targets, profiles, trees, icicles, rankings, searches. Knows no bytes, no network, no terminal, no clock.

pub mod secret;
pub mod target;
