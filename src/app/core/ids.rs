//! Ids of requests.

/// Identifies a request and its responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);
