//! The terminal: entering it, restoring it in every case, its keys and its character set.
//!
//! One function undoes everything that was switched on, for quitting, errors, panics and signals alike. Its own errors are
//! ignored, as there is no way left to report them.

mod keys;
mod screen;
mod writer;

pub use keys::{Decoder, Event};
pub use screen::{Screen, TermError, abandon, restore};
pub use writer::{FrameWriter, encode};

use crate::ui::glyphs::Glyphs;

/// Returns the glyphs that the locale's character set has; `variable` looks up an environment variable.
#[must_use]
pub fn glyphs(variable: impl Fn(&str) -> Option<String>, ascii: bool) -> Glyphs {
    let value = |name: &str| variable(name).filter(|text| !text.is_empty());
    if ascii || value("FLARESCOPE_ASCII").is_some_and(|v| v != "0") {
        return Glyphs::Ascii;
    }
    // As in the C library: the first of these that is set decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value);
    match locale.map(|l| l.to_ascii_lowercase()) {
        Some(locale) if locale.contains("utf-8") || locale.contains("utf8") => Glyphs::Unicode,
        // A bare container has no locale; its terminal is the user's own, which has UTF-8.
        None => Glyphs::Unicode,
        Some(_) if cfg!(windows) => Glyphs::Unicode,
        Some(_) => Glyphs::Ascii,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_about_signs() {
        let with = |pairs: &'static [(&str, &str)]| {
            glyphs(
                |name| {
                    pairs
                        .iter()
                        .find(|(k, _)| *k == name)
                        .map(|(_, v)| (*v).to_owned())
                },
                false,
            )
        };
        assert_eq!(with(&[("LANG", "en_US.UTF-8")]), Glyphs::Unicode);
        assert_eq!(
            with(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")]),
            Glyphs::Ascii
        );
        assert_eq!(
            with(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]),
            Glyphs::Unicode
        );
        assert_eq!(with(&[("LC_CTYPE", "ISO-8859-1")]), Glyphs::Ascii);
        assert_eq!(with(&[]), Glyphs::Unicode);
        assert_eq!(with(&[("FLARESCOPE_ASCII", "1")]), Glyphs::Ascii);
    }
}
