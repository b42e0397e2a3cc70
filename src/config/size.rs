//! Sizes in bytes, as users write them.

/// Parses a size: a whole number of bytes, or of 1024, 1024² or 1024³ of them with K, M or G.
///
/// # Errors
/// A sentence that says how a size is written.
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text
        .get(digits.len()..)
        .unwrap_or_default()
        .to_ascii_uppercase()
        .as_str()
    {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err("a size is a number, with K, M or G if you like".to_owned()),
    };
    let number: u64 = digits
        .trim_end()
        .parse()
        .map_err(|_| "a size begins with a whole number".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "that is more than any disk holds".to_owned())
}

/// Formats a size so that [`size`] parses it, in the largest unit that keeps it whole.
#[must_use]
pub fn written_size(bytes: u64) -> String {
    let unit = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(shift, _)| {
            let unit = 1_u64 << shift;
            bytes >= unit && bytes.is_multiple_of(unit)
        });
    unit.map_or_else(
        || format!("{bytes}"),
        |(shift, name)| format!("{}{name}", bytes >> shift),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_1024() {
        for (text, bytes) in [
            ("0", 0),
            ("12", 12),
            ("3K", 3 << 10),
            ("500MB", 500 << 20),
            ("1gib", 1 << 30),
            (" 2 GiB ", 2 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for bad in [
            "",
            "K",
            "-1",
            "1.5G",
            "1T",
            "99999999999999999999",
            "18446744073709551615K",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn written_sizes_are_read_back() {
        for (bytes, text) in [
            (1 << 30, "1GiB"),
            (1536 << 20, "1536MiB"),
            (5 << 10, "5KiB"),
            (1000, "1000"),
            (0, "0"),
        ] {
            assert_eq!(written_size(bytes), text);
            assert_eq!(size(text), Ok(bytes));
        }
    }
}
