//! From a profile and a view to a call tree with totals, and to what is drawn of it: ranking, sandwich, icicle.

pub mod aggregate;
pub mod base;
pub mod call_tree;
pub mod frame_stats;
pub mod frames;
pub mod function_filter;
pub mod hits;
pub mod icicle;
pub mod match_cursor;
pub mod ranking;
pub mod sample_values;
pub mod sandwich;
pub mod spread;
pub mod subset;
pub mod view;

mod build_tree;
pub(crate) mod filter_eval;
pub(crate) mod frame_key;
mod rename;
