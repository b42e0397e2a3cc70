//! Something that is requested and arrives later, or fails.

pub(crate) mod failure;

use crate::app::core::ids::RequestId;
use crate::app::load::failure::Failure;

/// What is known of a thing that has to be fetched.
#[derive(Debug, Clone, Default)]
pub enum Load<T> {
    /// Not asked for.
    #[default]
    Idle,
    /// Asked for; an answer with another id is late and dropped.
    Running(RequestId),
    /// There.
    Ready(T),
    /// It could not be had.
    Failed(Box<Failure>),
}

impl<T> Load<T> {
    /// What is there.
    pub const fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            _ => None,
        }
    }

    /// The request that is waited for.
    pub const fn running(&self) -> Option<RequestId> {
        match self {
            Self::Running(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether this is the request that is waited for.
    pub fn awaits(&self, id: RequestId) -> bool {
        matches!(self, Self::Running(running) if *running == id)
    }
}
