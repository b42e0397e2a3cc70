//! The only place with a loop, tasks, channels and a clock: runs effects, turns their ends into actions, draws.
//!
//! Nothing is awaited in the loop but the loop's own sources, so a dead network never delays a key. It draws only when
//! something changed, at most thirty times a second, and keeps a timer only while a countdown runs: at rest not a byte
//! goes to the terminal. Weak point: an effect that computes for long holds a thread of the blocking pool; it can be
//! forgotten, not stopped.

mod capture;
mod clipboard;
pub mod code;
mod elsewhere;
mod executor;
mod export;
mod failures;
pub mod files;
mod headless;
mod lists;
mod local;
pub mod log;
mod looped;
mod merged;
pub mod names;
mod paths;
mod picture;
mod relay;
mod room;
mod services;
mod signals;
pub mod source_maps;
mod taking;

pub use export::salt;
pub use headless::{Headless, LeftOut, headless};
pub use looped::{Ending, Opening, RunError, Start, run};
pub use picture::Painter;
pub use relay::{RelayError, relay};
pub use room::{
    elsewhere as told_elsewhere, rescued as told_rescued, still_rescued, told as room_told,
};
pub use services::{Access, Local, Services, Source};
pub use taking::{decode, local_turn, turn};
