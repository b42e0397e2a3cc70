//! Numbers for people: values with their unit, and counts.

/// U+2212: as wide as a plus, and no hyphen to break a line at.
const MINUS: char = '\u{2212}';

/// A unit that values are shown in: how many of the profile's own units it holds.
#[derive(Debug, Copy, Clone, PartialEq)]
pub struct Scaled {
    /// Its symbol.
    pub symbol: &'static str,
    /// How many of the profile's units it holds.
    pub factor: f64,
    /// Decimals in a column.
    pub decimals: usize,
}

/// What a profile's unit measures.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Measure {
    /// Time, in so many nanoseconds.
    Time(u64),
    /// Memory, in so many bytes.
    Memory(u64),
    /// Anything else, by its own name.
    Other,
}

fn measure(unit: &str) -> Measure {
    match unit.to_ascii_lowercase().as_str() {
        "nanoseconds" | "nanosecond" | "ns" => Measure::Time(1),
        "microseconds" | "microsecond" | "us" | "µs" => Measure::Time(1_000),
        "milliseconds" | "millisecond" | "ms" => Measure::Time(1_000_000),
        "seconds" | "second" | "sec" | "s" => Measure::Time(1_000_000_000),
        "bytes" | "byte" | "b" => Measure::Memory(1),
        "kilobytes" | "kilobyte" | "kb" | "kib" => Measure::Memory(1 << 10),
        "megabytes" | "megabyte" | "mb" | "mib" => Measure::Memory(1 << 20),
        "gigabytes" | "gigabyte" | "gb" | "gib" => Measure::Memory(1 << 30),
        _ => Measure::Other,
    }
}

/// A value in running text, with three figures and the unit that fits: `5.09 s`, `412 ms`, `1.24 GiB`, `1,234 widgets`.
#[must_use]
pub fn value(value: i128, unit: &str) -> String {
    let steps: &[(&str, f64)] = match measure(unit) {
        Measure::Time(_) => &[("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)],
        Measure::Memory(_) => &[
            ("TiB", 1_099_511_627_776.0),
            ("GiB", 1_073_741_824.0),
            ("MiB", 1_048_576.0),
            ("KiB", 1_024.0),
            ("B", 1.0),
        ],
        Measure::Other if unit.is_empty() || unit == "count" => return thousands(value),
        Measure::Other => return format!("{} {unit}", thousands(value)),
    };
    if value == 0 {
        // As pprof does: nothing is nothing in any unit.
        return "0".to_owned();
    }
    let base = match measure(unit) {
        Measure::Time(base) | Measure::Memory(base) => base,
        Measure::Other => 1,
    };
    #[expect(clippy::cast_precision_loss, reason = "three figures are shown")]
    let exact = value.unsigned_abs() as f64 * base as f64;
    let sign = if value < 0 {
        MINUS.to_string()
    } else {
        String::new()
    };
    // A figure that rounds up to the next unit is shown in it: 999.7 ms is 1.00 s, not 1000 ms.
    let fits = |&&(_, size): &&(&str, f64)| exact / size >= 0.9995;
    let (symbol, size) = steps
        .iter()
        .find(fits)
        .or(steps.last())
        .copied()
        .unwrap_or(("", 1.0));
    format!("{sign}{} {symbol}", three_figures(exact / size))
}

/// Whether a unit is one of time or memory, or says no more than that something is counted.
#[must_use]
pub fn is_known(unit: &str) -> bool {
    !matches!(measure(unit), Measure::Other) || matches!(unit, "count" | "objects" | "samples")
}

/// Returns a value in nanoseconds; `None` if the unit is not a unit of time.
#[must_use]
pub fn nanoseconds(value: i128, unit: &str) -> Option<i128> {
    match measure(unit) {
        Measure::Time(base) => value.checked_mul(i128::from(base)),
        Measure::Memory(_) | Measure::Other => None,
    }
}

/// Returns a value in bytes; `None` if the unit is not a unit of memory.
#[must_use]
pub fn bytes(value: i128, unit: &str) -> Option<i128> {
    match measure(unit) {
        Measure::Memory(base) => value.checked_mul(i128::from(base)),
        Measure::Time(_) | Measure::Other => None,
    }
}

/// Tells whether a unit is one of memory.
#[must_use]
pub fn is_memory(unit: &str) -> bool {
    matches!(measure(unit), Measure::Memory(_))
}

/// Returns what sentences call the values of a type: `CPU`, `wall time`, `bytes`.
#[must_use]
pub fn noun(name: &str, unit: &str) -> &'static str {
    match name {
        "wall" => "wall time",
        _ if is_memory(unit) => "bytes",
        _ => "CPU",
    }
}

/// The unit for a column whose largest absolute value is given; every row then uses it.
#[must_use]
pub fn column_unit(largest: u64, unit: &str) -> Option<Scaled> {
    #[expect(clippy::cast_precision_loss, reason = "a unit is chosen")]
    let scaled = |symbol, size: f64, base: u64, decimals| Scaled {
        symbol,
        factor: size / base as f64,
        decimals,
    };
    match measure(unit) {
        // Seconds and MiB, unless even the largest value would be all zeroes in them.
        Measure::Time(base) => Some(match u128::from(largest) * u128::from(base) {
            0..10_000 => scaled("ns", 1.0, base, 0),
            10_000..10_000_000 => scaled("ms", 1e6, base, 3),
            _ => scaled("s", 1e9, base, 3),
        }),
        Measure::Memory(base) => Some(match u128::from(largest) * u128::from(base) {
            0..10_240 => scaled("B", 1.0, base, 0),
            10_240..1_048_576 => scaled("KiB", 1_024.0, base, 1),
            _ => scaled("MiB", 1_048_576.0, base, 1),
        }),
        Measure::Other => None,
    }
}

/// A value in a column, in the column's unit; in the profile's own unit if it has none.
#[must_use]
pub fn column(value: i128, unit: Option<Scaled>) -> String {
    let Some(Scaled {
        factor, decimals, ..
    }) = unit
    else {
        return thousands(value);
    };
    #[expect(clippy::cast_precision_loss, reason = "few decimals are shown")]
    let text = format!("{:.decimals$}", value.unsigned_abs() as f64 / factor);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if value < 0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        "\u{2212}"
    } else {
        ""
    };
    let dot = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{dot}{fraction}", grouped(whole))
}

/// A whole number with a comma at every thousand.
#[must_use]
pub fn thousands(number: i128) -> String {
    let sign = if number < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", grouped(&number.unsigned_abs().to_string()))
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn three_figures(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        number if number.fract() == 0.0 && number < 1000.0 => format!("{number:.0}"),
        number if number < 9.995 => format!("{number:.2}"),
        number if number < 99.95 => format!("{number:.1}"),
        number => grouped(&format!("{number:.0}")),
    }
}

/// A number with the name of what is counted, for one of them and for several: `1 frame`, `2,000 frames`.
#[must_use]
pub fn counted(number: i128, one: &str) -> String {
    let ending = match one {
        _ if number == 1 => "",
        _ if one.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {one}{ending}", thousands(number))
}

/// Returns requests a second: whole from ten on, else with one decimal, so that a quiet Worker is not a silent one.
#[must_use]
pub fn rate(per_second: f64) -> String {
    let whole = (per_second - per_second.round()).abs() < 0.05;
    if per_second >= 9.95 || per_second == 0.0 || (whole && per_second >= 0.95) {
        thousands(per_second.round() as i128)
    } else if per_second < 0.05 {
        "<0.1".to_owned()
    } else {
        format!("{per_second:.1}")
    }
}

/// Returns bytes as whole MB of a million, as the limit is written.
#[must_use]
pub fn megabytes(bytes: f64) -> String {
    thousands((bytes / 1e6).round() as i128)
}

/// Returns microseconds as milliseconds with one decimal.
#[must_use]
pub fn millis(us: f64) -> String {
    let tenths = (us / 100.0).round() as i128;
    format!("{}.{}", thousands(tenths / 10), tenths % 10)
}

/// Returns a change with its sign and unit.
#[must_use]
pub fn signed(change: i128, unit: &str) -> String {
    plus(change, value(change, unit))
}

/// Returns the text of a number with a plus sign if it is positive; that of a negative one has its sign already.
#[must_use]
pub fn plus(number: i128, text: String) -> String {
    if number > 0 { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_text_has_three_figures() {
        for (number, unit, expected) in [
            (5_094_511_000, "nanoseconds", "5.09 s"),
            (411_900_000, "nanoseconds", "412 ms"),
            (999_700_000, "nanoseconds", "1.00 s"),
            (12_345, "microseconds", "12.3 ms"),
            (-487_000_000, "nanoseconds", "\u{2212}487 ms"),
            (0, "nanoseconds", "0"),
            (0, "bytes", "0"),
            (0, "count", "0"),
            (1_331_439_862, "bytes", "1.24 GiB"),
            (512, "bytes", "512 B"),
            (1_234, "widgets", "1,234 widgets"),
            (3_324, "count", "3,324"),
            (12_000_000_000_000, "nanoseconds", "12,000 s"),
        ] {
            assert_eq!(value(number, unit), expected);
        }
    }

    #[test]
    fn a_column_keeps_one_unit() {
        let seconds = column_unit(7_000_000_000, "nanoseconds");
        assert_eq!(column(5_094_511_000, seconds), "5.095");
        assert_eq!(column(-2_173_000, seconds), "\u{2212}0.002");
        assert_eq!(column(-100_000, seconds), "0.000");
        let memory = column_unit(2_000_000_000_000, "bytes");
        assert_eq!(column(1_331_439_862_000, memory), "1,269,760.0");
        assert_eq!(column(-100, column_unit(250, "bytes")), "\u{2212}100");
        assert_eq!(column(1_234_567, None), "1,234,567");
    }

    #[test]
    fn one_of_a_thing_is_no_several() {
        let cases = [
            (0, "frame", "0 frames"),
            (1, "frame", "1 frame"),
            (1, "class", "1 class"),
            (2, "class", "2 classes"),
        ];
        for (number, one, text) in cases {
            assert_eq!(counted(number, one), text);
        }
        assert_eq!(counted(12_904, "object"), "12,904 objects");
    }
}
