//! What is asked of a profile: filters, as pprof has them, and searches.

pub mod filter;
pub mod pattern;
pub mod search;
pub(crate) mod tags;

mod go_syntax;
