//! Text and numbers as people read them: names made safe to print, values with their unit, fuzzy matching.

pub mod address;
pub mod cut;
pub mod fuzzy;
mod go_syntax;
pub mod mistakes;
pub mod pattern;
pub mod sanitize;
pub mod secret;
pub mod share;
pub mod source_text;
pub mod units;
