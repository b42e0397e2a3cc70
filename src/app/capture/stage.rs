//! How far a capture is.

/// How far a capture has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Another copy of the program captures from this account: one at a time.
    Waiting,
    /// The window is open; no response before it ends.
    Sampling,
    /// The response is arriving.
    Answer,
    /// The raw bytes are safe.
    OnDisk,
    /// The profile is being read.
    Open,
}
