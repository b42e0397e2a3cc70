//! What the screen knows and how it changes: [`State`], [`Action`], [`Effect`], [`update()`], and the one table of commands.
//!
//! Only [`update()`] changes the state. Time comes in as an argument and wishes go out as a list of effects, so a whole
//! session is a unit test. This room knows no clock, no input or output and no terminal type; it reads [`crate::model`].

mod accounts;
mod action;
mod bindings;
mod capture;
pub(crate) mod code;
mod command;
pub(crate) mod compare;
pub(crate) mod dates;
pub(crate) mod details;
mod dialog;
pub(crate) mod effect;
mod elsewhere;
mod export;
mod failure;
mod figures;
mod filters;
mod footer;
pub(crate) mod form;
pub(crate) mod geometry;
mod help;
pub(crate) mod hints;
pub(crate) mod history;
mod input;
mod key;
pub(crate) mod keymap;
mod load;
pub(crate) mod local;
mod meaning;
pub(crate) mod merged;
pub(crate) mod mouse;
mod names;
pub(crate) mod natural;
mod objects;
mod paths;
pub(crate) mod profile;
mod quota;
mod refusal;
pub(crate) mod sandwich;
mod search;
pub(crate) mod series;
mod settings;
pub(crate) mod state;
mod table;
mod traffic;
mod update;
mod view_command;
mod walk;
mod wanted;
pub(crate) mod workers;

pub use accounts::Accounts;
pub use action::{Action, Answer, Compared, Opened};
pub use bindings::{Bindings, Conflict, why_not};
pub use capture::{Capturing, Stage};
pub use code::{CodeJob, CodeState, FunctionCode};
pub use command::{COMMANDS, Command, Group, Row, Scope};
pub use compare::CompareState;
pub use dates::{age, clock};
pub use details::{NamespaceDetails, WorkerDetails};
pub use dialog::{Front, HelpSheet, Picker, PickerItem};
pub use effect::{
    CaptureNote, CompareJob, CompareSide, ComparedJob, Effect, ExportJob, PictureJob, RequestId,
    TrafficLook,
};
pub use elsewhere::{Elsewhere, Ended};
pub use export::{ExportDialog, ExportField, Format};
pub use failure::{Failure, FailureKind, NextStep, Refusal};
pub use form::{Form, FormField, WINDOWS};
pub use geometry::{
    HistoryGeometry, MIN_COLUMNS, MIN_ROWS, ProfileGeometry, history_geometry, is_tall,
    is_too_small, profile_geometry, workers_geometry,
};
pub use hints::Hints;
pub use history::{History, HistoryLine, HistorySort};
pub use input::{Input, Purpose};
pub use key::{KEY_NAMES, Key};
pub use keymap::{Place, help_rows, interpret, is_offered, place, place_behind, place_of_help};
pub use load::Load;
pub use local::Nearby;
pub use merged::{Member, Part, merge_sources};
pub use names::{MapJob, MapNames};
pub use natural::Natural;
pub use objects::Objects;
pub use paths::Offers;
pub use profile::{ColourBy, Pane, PercentBase, ProfileState, Selection, Shape, Source};
pub use quota::Quota;
pub use sandwich::{SandwichState, Side};
pub use search::Search;
pub use series::{Aim, Series, Step};
pub use settings::{Column, Settings};
pub use state::{Moment, Notice, Origin, Screen, Session, State, ThemeChoice};
pub use table::TableState;
pub use traffic::Awaiting;
pub use update::update;
pub use view_command::open_command;
pub use workers::{Section, WorkerSort, Workers, pane_in_place};
