//! Addresses of files: their paths without query, fragment and percent signs.

use std::borrow::Cow;

/// Returns the path in an address: without query and fragment, percent signs decoded, U+FFFD for what is no text.
#[must_use]
pub fn path(address: &str) -> Cow<'_, str> {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    match percent_decoded(&address[..end]) {
        Cow::Borrowed(_) => Cow::Borrowed(&address[..end]),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Returns the last part of the path in an address.
#[must_use]
pub fn file_name(address: &str) -> String {
    let path = path(address);
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.to_owned()
}

/// Returns the bytes that a text with percent signs stands for. A sign that begins no escape stays as it is.
#[must_use]
pub fn percent_decoded(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'%') {
        return Cow::Borrowed(bytes);
    }
    let digit = |at: usize| {
        let digit = char::from(*bytes.get(at)?).to_digit(16)?;
        u8::try_from(digit).ok()
    };
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(high << 4 | low);
                at += 3;
            }
            _ => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_path_that_is_on_disk() {
        for (address, expected) in [
            ("src/a.ts", "src/a.ts"),
            ("my%20app/ma%C3%AFn.js", "my app/maïn.js"),
            ("worker.mjs?v=3", "worker.mjs"),
            ("worker.js#main", "worker.js"),
            ("100%.js", "100%.js"),
            ("%zz%2", "%zz%2"),
            ("%ff", "\u{fffd}"),
            ("%2e%2e%2fa", "../a"),
        ] {
            assert_eq!(path(address), expected);
        }
        assert_eq!(file_name("file:///srv/my%20app/a.js?v=3"), "a.js");
    }
}
