//! The screen of one profile: [`state::ProfileState`], and one file for each thing that can be done in it.

pub(crate) mod command_line;
pub(crate) mod compare;
pub(crate) mod compare_job;
pub(crate) mod display;
pub(crate) mod effect;
pub(crate) mod facts;
pub(crate) mod filters;
pub(crate) mod frame_path;
pub(crate) mod headline;
pub(crate) mod hint;
pub(crate) mod hints;
pub(crate) mod merge;
pub(crate) mod navigation;
pub(crate) mod report;
pub(crate) mod requests;
pub(crate) mod sandwich;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod source_view;
pub(crate) mod state;
pub(crate) mod symbolication;
pub(crate) mod table;
pub(crate) mod views;
