//! The screen: state in, cells out.

pub mod glyphs;
pub mod picture;
pub mod sgr;
pub mod theme;
