//! Why a target or a window can't be used.

use std::time::Duration;

/// Why a target or a window can't be used. The texts are whole sentences for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The window is outside 1 to 50 seconds.
    #[error("a capture takes 1 s to 50 s; {} s is outside of that", .0.as_secs_f64())]
    Window(Duration),
    /// A Durable Object's id is not 64 hexadecimal digits.
    #[error("a Durable Object's id has 64 hexadecimal digits; this one has {digits}{}", if *.hex { "" } else { " and other characters" })]
    ObjectId {
        /// How many characters were given.
        digits: usize,
        /// Whether all of them were hexadecimal.
        hex: bool,
    },
    /// A version is neither `latest`, an id nor a prefix of at least eight digits.
    #[error(
        "`{0}` is no version: give `deployed`, `latest`, an id, or at least its first 8 digits"
    )]
    Version(String),
    /// An account's or namespace's id is not 32 hexadecimal digits.
    #[error("`{0}` is no id: it needs 32 hexadecimal digits")]
    Id32(String),
}
