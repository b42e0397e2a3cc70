//! What the screen knows and how it changes: [`State`], [`Action`], [`Effect`], [`update()`], and the one table of commands.
//!
//! Only [`update()`] changes the state. Time comes in as an argument and effects go out as a list, so a whole session is a
//! unit test. This room knows no clock, no input or output and no terminal type; it reads [`crate::model`]. Its layers:
//! `keys` ← `core` ← `capture` ← `load` ← `screens`, `overlays` ← `state` ← `update`.

mod action;
pub(crate) mod capture;
pub(crate) mod core;
pub(crate) mod effect;
mod footer;
mod interpret;
pub(crate) mod keys;
pub(crate) mod load;
pub(crate) mod overlays;
pub(crate) mod response;
pub(crate) mod screens;
mod settings;
pub(crate) mod state;
mod update;

pub use action::Action;
pub use capture::Captures;
pub use capture::batch::{Aim, Batch};
pub use capture::effect::{CaptureEffect, CaptureResponse};
pub use capture::other_instances::{Elsewhere, Ended};
pub use capture::running::Capturing;
pub use capture::stage::Stage;
pub use capture::targets::{NamespaceDetails, WorkerDetails};
pub use capture::traffic_wait::TrafficWait;
pub use core::clock::Moment;
pub use core::dates::{age, ago, clock, minute};
pub(crate) use core::dates::{date, day_of};
pub use core::ids::RequestId;
pub use core::layout::{
    HistoryGeometry, MIN_COLUMNS, MIN_ROWS, ProfileGeometry, Shape, history_geometry, is_tall,
    is_too_small, profile_geometry, workers_geometry,
};
pub use core::rate_limit::Quota;
pub use core::session::{Origin, Screen, Session};
pub use core::text_input::{Completions, Input, Purpose};
pub use effect::{EditorJob, Effect, ExportEffect, ExportJob, ScreenshotJob};
pub use footer::{FooterKeys, footer_of};
pub use interpret::{help_context, interpret, is_offered, key_context, screen_context};
pub use keys::command::{COMMANDS, Command, Group, Row, Scope};
pub use keys::context::KeyContext;
pub use keys::help::{HelpGroup, help_page, help_rows};
pub use keys::key::{KEY_NAMES, Key};
pub use keys::keymap::{Bindings, Conflict, why_not};
pub use keys::message::Message;
pub use load::Load;
pub use load::failure::{Failure, FailureKind, NextStep, Refusal, Retry};
pub use overlays::account_picker::{Accounts, AccountsEffect, AccountsPage};
pub use overlays::capture_form::{CaptureForm, FormField, WINDOWS};
pub use overlays::export_dialog::format::Format;
pub use overlays::export_dialog::{ExportDialog, ExportField};
pub use overlays::help::HelpSheet;
pub use overlays::object_picker::{Objects, ObjectsEffect, ObjectsResponse};
pub use overlays::picker::{Picker, PickerItem};
pub use overlays::{Overlay, Overlays};
pub use response::Response;
pub use screens::history::effect::{HistoryEffect, HistoryResponse};
pub use screens::history::{History, HistoryLine, HistorySort};
pub use screens::profile::command_line::open_command;
pub use screens::profile::compare::CompareState;
pub use screens::profile::compare_job::{CompareJob, CompareSide, ComparedJob};
pub use screens::profile::display::{ColourBy, Pane, PercentBase, Selection};
pub use screens::profile::effect::{
    Compared, Opened, OpenedDisplay, ProfileEffect, ProfileResponse, SinceJob,
};
pub use screens::profile::headline::{HeadlineState, headline_text};
pub use screens::profile::hint::Hint;
pub use screens::profile::hints::Hints;
pub use screens::profile::merge::merge_sources;
pub use screens::profile::sandwich::{SandwichState, Side};
pub use screens::profile::search::Search;
pub use screens::profile::source::{MapJob, MapNames, Member, Part, Source};
pub use screens::profile::source_view::{CodeJob, CodeState, FunctionCode};
pub use screens::profile::state::ProfileState;
pub use screens::profile::symbolication::map_outcome;
pub use screens::profile::table::TableState;
pub use screens::workers::effect::{WorkersEffect, WorkersResponse};
pub use screens::workers::local_runtime::Nearby;
pub use screens::workers::{Section, WorkerSort, Workers};
pub use settings::{Column, Settings};
pub use state::{Mouse, Notice, Profiles, State, ThemeChoice};
pub use update::update;
