//! What a file is, by its first bytes.

use super::{Answer, Fault, folded};
use crate::model::printable::printable;

/// What begins like this.
pub(super) enum Kind {
    Gzip,
    Zstd,
    /// JSON of any kind.
    Json,
    /// Folded stacks.
    Folded,
    /// Anything else may be a pprof profile, which has no magic number.
    Pprof,
}

/// How many bytes are looked at: enough for the longest sentence the API has.
pub(super) const HEAD_BYTES: usize = 64 << 10;

/// Tells what a file is, or why it can't be a profile.
pub(super) fn kind(head: &[u8]) -> Result<Kind, Fault> {
    if head.is_empty() {
        return Err(Fault::Empty);
    }
    if head.starts_with(&[0x1f, 0x8b]) {
        return Ok(Kind::Gzip);
    }
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Ok(Kind::Zstd);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins = |tag: &str| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
    // A profile may begin with a line feed (field 1), but none goes on like any of these.
    match text {
        [b'{' | b'[', ..] => Ok(Kind::Json),
        _ if begins("<!doctype html") || begins("<html") => Err(Fault::Html),
        _ if begins("<svg") || begins("<!doctype svg") => Err(Fault::Svg),
        [b'<', ..] if find(text, b"<svg") => Err(Fault::Svg),
        [b'<', ..] if find(text, b"<html") => Err(Fault::Html),
        [b'<', b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] => Err(Fault::Xml),
        _ if folded::begins_like(head) => Ok(Kind::Folded),
        _ if is_text(head) => Err(Fault::Text),
        _ => Ok(Kind::Pprof),
    }
}

/// Whether it is written to be read: a profile's first bytes hold tags and lengths, which are control characters.
fn is_text(head: &[u8]) -> bool {
    let cut = |error: &std::str::Utf8Error| error.error_len().is_none();
    let whole = std::str::from_utf8(head).map_or_else(|error| cut(&error), |_| true);
    whole && !head.iter().any(|&byte| matches!(byte, 0..=8 | 11 | 12 | 14..=31 | 127))
}

/// The first error of an API answer, if the JSON is one.
pub(super) fn answer(head: &[u8]) -> Option<Answer> {
    let json: serde_json::Value = serde_json::from_slice(head).ok()?;
    let error = json.get("errors")?.get(0)?;
    let message = error.get("message")?.as_str()?;
    Some(Answer {
        code: error.get("code").and_then(serde_json::Value::as_i64),
        message: printable(message).into_owned(),
    })
}

fn find(text: &[u8], tag: &[u8]) -> bool {
    text.windows(tag.len()).any(|window| window.eq_ignore_ascii_case(tag))
}
