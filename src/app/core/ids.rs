//! Ids that tell requests apart.

/// Tells requests and their answers apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);
