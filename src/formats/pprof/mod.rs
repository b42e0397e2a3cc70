//! pprof's protocol buffer, as `profile.proto` defines it.
//!
//! Read field by field as the bytes arrive, straight into the flat arrays of a profile: generated message types would
//! take twice the memory and time. Known weak point: text is taken as bytes, so a writer's wrong encoding shows late.

mod chunks;
mod decode;
mod encode;
mod ids;
mod wire;

pub(super) use decode::decode;
pub use encode::encode;
