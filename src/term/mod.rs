//! The terminal: taking it, giving it back whatever happens, its keys, and what it can show.
//!
//! Everything that was switched on is switched off by one function, which serves quitting, errors, panics and signals
//! alike. Its own errors are ignored: there is nobody left to tell.

mod keys;
mod screen;
mod writer;

pub use keys::{ESCAPE_WAIT, Rejoin, keys};
pub use screen::{Screen, TermError, abandon, restore};
pub use writer::{FrameWriter, encode};

use crate::ui::glyphs::Glyphs;

/// Which signs the environment's character set has; `variable` looks an environment variable up.
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
        // A bare container has no locale at all, and its terminal is the user's own, which knows UTF-8.
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
