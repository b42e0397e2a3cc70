//! A token that can't be printed by accident.

use std::fmt;

/// Why a token can't be sent. The texts name the fault and never the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// Nothing but blanks.
    #[error("the API token is empty")]
    Empty,
    /// A line break, an escape or another control character inside of it.
    #[error(
        "the API token has a control character inside (character {0}): copy it again, in one line"
    )]
    Control(usize),
    /// Bytes that are no text.
    #[error("the API token is not UTF-8: copy it again, as plain text")]
    NotText,
    /// A global API key.
    #[error(
        "this is a global API key, which can do everything; flarescope takes only API tokens (cfut_… or cfat_…)"
    )]
    GlobalKey,
    /// A whole `Authorization` header.
    #[error("this is an Authorization header: give the token alone, without `Bearer`")]
    Header,
    /// A blank inside of it.
    #[error("the API token has a blank inside (character {0}): copy it again, alone")]
    Blank(usize),
    /// Quotes around it.
    #[error("the API token has quotes around it: leave them out")]
    Quoted,
    /// A character that no HTTP header can carry, such as a typographic quote.
    #[error(
        "the API token has a character that can't be sent (character {0}, above U+00FF): copy it again, as plain text"
    )]
    Character(usize),
}

/// An API token. Its `Debug` form prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a token, without the white space around it.
    ///
    /// # Errors
    /// [`SecretError`] if it is empty, can't be sent in a header, or is something else than a token.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SecretError::Empty);
        }
        let starts = |prefix: &str| {
            text.get(..prefix.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        if starts("bearer ") || starts("authorization:") {
            return Err(SecretError::Header);
        }
        // Keys had 37 hexadecimal digits before they had a prefix.
        if starts("cfk_") || text.len() == 37 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(SecretError::GlobalKey);
        }
        if text.len() > 1
            && ['"', '\'']
                .iter()
                .any(|quote| text.starts_with(*quote) && text.ends_with(*quote))
        {
            return Err(SecretError::Quoted);
        }
        for (index, character) in text.chars().enumerate() {
            if character == ' ' {
                return Err(SecretError::Blank(index + 1));
            }
            if character.is_control() {
                return Err(SecretError::Control(index + 1));
            }
            if u32::from(character) > 0xff {
                return Err(SecretError::Character(index + 1));
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// The token itself, for the one header that carries it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes the token out of a text that came from outside, in case a server repeats it.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, "[token]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_around_a_token_is_dropped() {
        assert_eq!(
            Secret::new(" example-token\r\n").unwrap().reveal(),
            "example-token"
        );
    }

    #[test]
    fn what_a_header_cannot_carry_is_refused_without_naming_it() {
        for (text, error) in [
            ("", SecretError::Empty),
            (" \n", SecretError::Empty),
            ("ab\ncd", SecretError::Control(3)),
            ("ab\u{7f}", SecretError::Control(3)),
            ("“token”", SecretError::Character(1)),
            ("cfk_token", SecretError::GlobalKey),
            (&("0a".repeat(18) + "f"), SecretError::GlobalKey),
            ("Bearer token", SecretError::Header),
            ("authorization: bearer token", SecretError::Header),
            ("export TOKEN=token”", SecretError::Blank(7)),
            ("\"token\"", SecretError::Quoted),
            ("'token'", SecretError::Quoted),
        ] {
            assert_eq!(Secret::new(text), Err(error));
            assert!(!error.to_string().contains("token”") && !error.to_string().contains("0a0a"));
        }
    }

    #[test]
    fn debug_prints_nothing_of_it() {
        assert_eq!(
            format!("{:?}", Secret::new("cfut_abcdef").unwrap()),
            "Secret"
        );
    }
}
