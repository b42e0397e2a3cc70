//! Queries on a profile: pprof's filters, and searches.

pub mod filter;
pub mod search;
pub(crate) mod tags;
