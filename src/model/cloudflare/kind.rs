//! What a capture samples.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a capture samples.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A stack each millisecond.
    Cpu,
    /// A stack per 512 kB allocated during the window; not retained memory.
    Heap,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Heap => "heap",
        })
    }
}
