//! What things are: targets, profiles, trees, icicles, rankings, searches. Knows no bytes, no network, no terminal, no clock.
//!
//! A [`profile::Profile`] is what was recorded; [`view::read`] looks at it in one way ([`view::View`]) and answers a
//! [`view::Reading`]: the call tree, the functions in it and the totals. Icicle, table and search work on a reading alone.

pub mod compare;
pub mod filter;
pub mod frames;
pub mod hints;
pub mod icicle;
pub mod lines;
pub mod merge;
pub mod names;
pub mod printable;
pub mod profile;
pub mod ranking;
pub mod renamed;
pub mod runtime;
pub mod search;
pub mod secret;
pub mod source_map;
pub mod summary;
pub mod target;
pub mod tree;
pub mod units;
pub mod view;

mod equal;
mod go_syntax;
mod hash;
mod identity;
mod paths;
mod prune;
mod selection;
mod strings;
mod tags;
