//! Something that is requested and arrives later, or fails.

pub(crate) mod failure;

use crate::app::core::ids::RequestId;
use crate::app::load::failure::Failure;

/// The state of something that has to be loaded.
#[derive(Debug, Clone, Default)]
pub enum Load<T> {
    /// Not requested.
    #[default]
    Idle,
    /// Requested; a response with another id is outdated and dropped.
    Running(RequestId),
    /// Loaded.
    Ready(T),
    /// It could not be loaded.
    Failed(Box<Failure>),
}

impl<T> Load<T> {
    /// Returns the value, if it is loaded.
    pub const fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the request that is awaited.
    pub const fn running(&self) -> Option<RequestId> {
        match self {
            Self::Running(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether this is the request that is awaited.
    pub fn awaits(&self, id: RequestId) -> bool {
        matches!(self, Self::Running(running) if *running == id)
    }
}
