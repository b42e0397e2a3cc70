//! What things are: profiles, call trees, icicles, rankings, searches, Workers. Knows no bytes, no network, no terminal and
//! no clock.
//!
//! A [`profile::Profile`] is what was recorded. A [`graph::view::View`] says how to look at it, and
//! [`graph::aggregate::read`] returns the [`graph::aggregate::Reading`]: the call tree, its functions and the totals.
//! Icicle, table and search work on a reading alone. The layers, each of which knows those above it:
//! `text` ← `profile` ← `query` ← `graph` ← `diff`, `lines`, `source_map`, `insights`, `verdict`; `cloudflare` stands beside them.

pub mod cloudflare;
pub mod diff;
pub mod graph;
pub mod insights;
pub mod lines;
pub mod profile;
pub mod query;
pub mod source_map;
pub mod text;
pub mod verdict;

mod hash;
