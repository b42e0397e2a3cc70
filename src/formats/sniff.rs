//! What a file is, by its first bytes.

use crate::formats::utf16::{ByteOrder, byte_order};
use crate::formats::{Answer, Fault, Foreign, folded};
use crate::model::text::sanitize::printable;

/// What begins like this.
pub(super) enum Kind {
    Gzip,
    Zstd,
    Utf16(ByteOrder),
    /// JSON of any kind.
    Json,
    /// Folded stacks.
    Folded,
    /// Anything else may be a pprof profile, which has no magic number.
    Pprof,
}

/// Begins a zstd frame.
pub(super) const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How many bytes are looked at: enough for the longest sentence the API has.
pub(super) const HEAD_BYTES: usize = 64 << 10;

/// Returns what a file is, or why it can't be a profile.
pub(super) fn kind(head: &[u8]) -> Result<Kind, Fault> {
    if head.is_empty() {
        return Err(Fault::Empty);
    }
    if head.starts_with(&[0x1f, 0x8b]) {
        return Ok(Kind::Gzip);
    }
    if head.starts_with(&ZSTD) || is_skipped_by_zstd(head) {
        return Ok(Kind::Zstd);
    }
    if let Some(order) = byte_order(head) {
        return Ok(Kind::Utf16(order));
    }
    let head = without_mark(head);
    if let Some(foreign) = Foreign::of(head) {
        return Err(Fault::Foreign(foreign));
    }
    let text = head.trim_ascii_start();
    let begins = |tag: &str| {
        text.get(..tag.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
    };
    let foreign = match text {
        [b'{', ..] if goes_on_with(text, b"\"}") => return Ok(Kind::Json),
        _ if begins("<!doctype html") || begins("<html") => Foreign::Html,
        _ if begins("<svg") || begins("<!doctype svg") => Foreign::Svg,
        // Names may be in brackets of any kind, and a line that ends in a number is neither JSON nor a tag.
        _ if folded::begins_like(head) => return Ok(Kind::Folded),
        [b'{' | b'[', ..] => return Ok(Kind::Json),
        [b'<', ..] if find(text, b"<svg") => Foreign::Svg,
        [b'<', ..] if find(text, b"<html") => Foreign::Html,
        [b'<', b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] => Foreign::Xml,
        _ if is_text(head) => Foreign::Text,
        _ => return Ok(Kind::Pprof),
    };
    Err(Fault::Foreign(foreign))
}

/// A frame that readers of zstd skip: pzstd writes such.
pub(super) fn is_skipped_by_zstd(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// A file without the mark that some editors put before UTF-8.
pub(super) fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)
}

/// Whether one of these follows the first byte and blanks after it.
fn goes_on_with(text: &[u8], any: &[u8]) -> bool {
    text.get(1..)
        .unwrap_or_default()
        .trim_ascii_start()
        .first()
        .is_none_or(|byte| any.contains(byte))
}

/// Whether these are lines of text. No pprof profile begins like this: its first field has control characters within a few
/// bytes.
fn is_text(head: &[u8]) -> bool {
    let is_whole = |error: std::str::Utf8Error| error.error_len().is_none();
    head.iter()
        .all(|byte| *byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r'))
        && std::str::from_utf8(head).map_or_else(is_whole, |_| true)
}

/// Returns whether these are several values of JSON, each on a line of its own.
pub(super) fn are_json_lines(head: &[u8]) -> bool {
    let text = without_mark(head).trim_ascii_start();
    let Some(end) = text.iter().position(|byte| *byte == b'\n') else {
        // A first line this long may be all there is, or the first of a log: as a log both are read.
        return head.len() == HEAD_BYTES && text.starts_with(b"{");
    };
    let (first, rest) = text.split_at(end);
    // Between the messages a log may have text.
    let mut lines = rest.split(|byte| *byte == b'\n');
    lines.any(|line| line.trim_ascii_start().starts_with(b"{"))
        && serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok()
}

/// Returns the first error of an API answer, or that of an answer of the debugging protocol, if the JSON is one.
pub(super) fn answer(head: &[u8]) -> Option<Answer> {
    let json: serde_json::Value = serde_json::from_slice(head).ok()?;
    let first = json.get("errors").and_then(|errors| errors.get(0));
    let error = first.or_else(|| json.get("error"))?;
    let message = error.get("message")?.as_str()?;
    Some(Answer {
        code: error.get("code").and_then(serde_json::Value::as_i64),
        message: printable(message).into_owned(),
    })
}

fn find(text: &[u8], tag: &[u8]) -> bool {
    text.windows(tag.len())
        .any(|window| window.eq_ignore_ascii_case(tag))
}
