//! One file a screen, or a pane of one.

pub(crate) mod compare;
pub(crate) mod compare_table;
pub(crate) mod details;
pub(crate) mod history;
pub(crate) mod history_details;
pub(crate) mod icicle;
pub(crate) mod local_runtime;
pub(crate) mod profile;
pub(crate) mod sandwich;
pub(crate) mod source_view;
pub(crate) mod table;
pub(crate) mod welcome;
pub(crate) mod worker_panel;
pub(crate) mod worker_rows;
pub(crate) mod workers;
