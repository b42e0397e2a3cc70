//! The only room with an event loop, tasks, channels and a clock: runs effects, turns their results into actions, draws.
//!
//! The loop awaits only its own sources, so a dead network never delays a key. It draws only when something changed, at
//! most thirty times a second, and keeps a timer only while a countdown runs: an idle screen writes nothing to the
//! terminal. Limitation: a long computation holds a thread of the blocking pool; its result can be dropped, but it can't
//! be stopped.

mod analysis;
mod capture;
mod clipboard;
mod editor;
mod event_loop;
mod executor;
mod export;
mod failures;
pub mod files;
mod headless;
mod input;
mod lists;
mod local;
pub mod log;
mod merge;
mod open;
mod other_instances;
mod path_completion;
mod screenshot;
mod services;
mod signals;
pub mod since;
pub mod source_maps;
pub mod source_text;
mod storage_notes;
pub mod symbolication;
mod tasks;
mod verdicts;

pub use capture::command::{Taken, take};
pub use capture::steps::{CaptureSpec, Progress, decode, longest_wait};
pub use capture::worker::{CommandFailure, Profiled};
pub use capture::worker_main::{WorkerError, run_worker};
pub use event_loop::{Ending, Opening, RunError, Start, run};
pub use export::{WriteError, about, clipboard_text, findings, salt};
pub use headless::{Headless, LeftOut, headless};
pub use screenshot::Painter;
pub use services::{Access, Local, Services, Source};
pub use storage_notes::{destination_note, eviction_note, rescue_note, still_rescued};
pub use tasks::panic_message;
