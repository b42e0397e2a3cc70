//! Whole sessions without a terminal: keys in, state and wishes out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

#[path = "../session/mod.rs"]
mod session;

mod accounts;
mod both_ways;
mod capture;
mod compare;
mod copied_command;
mod cursors;
mod elsewhere;
mod filter;
mod hand_on;
mod help;
mod history;
mod list;
mod lists;
mod local;
mod merged;
mod messages;
mod metrics;
mod mouse;
mod objects;
mod percentages;
mod places;
mod refusals;
mod search;
mod series;
mod source_maps;
mod traffic;
mod unsaved;
mod walk;
mod wanted;
#[path = "../support/wording.rs"]
mod wording;
