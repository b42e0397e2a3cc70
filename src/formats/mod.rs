//! Bytes from outside ↔ [`crate::model`]: one file a format. Every count, length and depth that a file can claim is bounded here.
