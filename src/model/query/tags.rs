//! Filters on a record's tags, with pprof's meaning: regular expressions on texts, ranges on numbers.

use std::collections::HashMap;

use crate::model::profile::{Label, LabelValue, Profile};
use crate::model::text::pattern::{Pattern, PatternError};

/// A filter on tags: `RE` on `key:value`, `KEY=RE` on the value, or a range such as `4kb:1mb` on numbers.
#[derive(Debug, Clone)]
pub struct TagPattern {
    key: Option<String>,
    test: Test,
    source: String,
}

#[derive(Debug, Clone)]
enum Test {
    Texts(Vec<Pattern>),
    Range(Range),
}

/// A range of numbers in one unit, both ends included.
#[derive(Debug, Clone, PartialEq)]
struct Range {
    from: f64,
    to: f64,
    unit: String,
}

/// The unit of each numeric tag: the first one found, else what its name suggests.
pub(crate) struct TagUnits<'a> {
    profile: &'a Profile,
    units: HashMap<&'a [u8], String>,
}

impl<'a> TagUnits<'a> {
    pub(crate) fn new(profile: &'a Profile) -> Self {
        let mut units: HashMap<&[u8], String> = HashMap::new();
        // pprof drops records without values first.
        let counting = (0..profile.record_count())
            .filter(|record| profile.values(*record).iter().any(|value| *value != 0));
        for label in counting.flat_map(|record| profile.labels(record)) {
            let LabelValue::Number(_, unit) = label.value else {
                continue;
            };
            let (key, unit) = (profile.bytes(label.key), profile.text(unit));
            let known = units.entry(key).or_default();
            if known.is_empty() {
                *known = unit.into_owned();
            }
        }
        for (key, unit) in units.iter_mut().filter(|(_, unit)| unit.is_empty()) {
            *unit = match *key {
                b"alignment" | b"request" => "bytes".to_owned(),
                key => String::from_utf8_lossy(key).into_owned(),
            };
        }
        Self { profile, units }
    }

    fn of(&self, key: &[u8]) -> &str {
        self.units.get(key).map_or("", String::as_str)
    }
}

impl TagPattern {
    /// Parses a tag filter: a range, or regular expressions separated by commas; after `key=` for one tag.
    ///
    /// # Errors
    /// [`PatternError`] with the reason.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let (key, wanted) = match source.split_once('=') {
            // An empty key means any.
            Some((key, wanted)) => (Some(key.to_owned()).filter(|key| !key.is_empty()), wanted),
            None => (None, source),
        };
        let test = match range(wanted) {
            Some(range) => Test::Range(range),
            None => Test::Texts(
                wanted
                    .split(',')
                    .map(Pattern::new)
                    .collect::<Result<_, _>>()?,
            ),
        };
        Ok(Self {
            key,
            test,
            source: source.to_owned(),
        })
    }

    /// Returns the filter as given.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether a record with these labels matches. Of several expressions one must match a value of the key; without
    /// a key, each must match some `key:value`.
    pub(crate) fn matches(&self, labels: &[Label], units: &TagUnits<'_>) -> bool {
        let profile = units.profile;
        let meant = |key: &[u8]| {
            self.key
                .as_ref()
                .is_none_or(|wanted| wanted.as_bytes() == key)
        };
        match &self.test {
            Test::Range(range) => labels.iter().any(|label| match label.value {
                LabelValue::Number(number, _) => {
                    let key = profile.bytes(label.key);
                    meant(key) && range.holds(number, units.of(key))
                }
                LabelValue::Text(_) => false,
            }),
            Test::Texts(patterns) => {
                let texts = || {
                    labels.iter().filter_map(|label| match label.value {
                        LabelValue::Text(text) => {
                            Some((profile.bytes(label.key), profile.bytes(text)))
                        }
                        LabelValue::Number(..) => None,
                    })
                };
                if self.key.is_some() {
                    let mut values = texts().filter(|(key, _)| meant(key));
                    values.any(|(_, value)| patterns.iter().any(|pattern| pattern.matches(value)))
                } else {
                    let both = |pattern: &Pattern, (key, value): (&[u8], &[u8])| {
                        pattern.matches(&[key, b":", value].concat())
                    };
                    patterns
                        .iter()
                        .all(|pattern| texts().any(|text| both(pattern, text)))
                }
            }
        }
    }
}

impl Range {
    fn holds(&self, number: i64, unit: &str) -> bool {
        let (number, unit) = scale(number, unit, &self.unit);
        unit == self.unit && (self.from..=self.to).contains(&number)
    }
}

/// Parses `32kb`, `:32kb`, `32kb:` or `4kb:32kb`; `None` for anything else.
fn range(text: &str) -> Option<Range> {
    if let Some(most) = text.strip_prefix(':') {
        let (number, unit) = bound(most)?;
        let (to, unit) = scale(number, unit, unit);
        return Some(Range {
            from: f64::NEG_INFINITY,
            to,
            unit,
        });
    }
    let (least, most) = text
        .split_once(':')
        .map_or((text, None), |(least, most)| (least, Some(most)));
    let (number, unit) = bound(least)?;
    let (from, unit) = scale(number, unit, unit);
    match most {
        None => Some(Range {
            from,
            to: from,
            unit,
        }),
        Some("") => Some(Range {
            from,
            to: f64::INFINITY,
            unit,
        }),
        Some(most) => {
            let (number, other) = bound(most)?;
            let (to, other) = scale(number, other, &unit);
            (unit == other).then_some(Range { from, to, unit })
        }
    }
}

/// Parses a number with an optional unit of letters.
fn bound(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let unit = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.get(..text.len() - unit.len())?;
    (unit.len() < digits.len() && unit.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .then(|| number.parse().ok().map(|number| (number, unit)))?
}

/// One kind of unit: its names with their size, and the default.
struct Units {
    names: &'static [(&'static str, &'static [&'static str], f64)],
    otherwise: (&'static str, f64),
}

const MEMORY: Units = Units {
    names: &[
        ("B", &["b", "byte"], 1.0),
        ("kB", &["kb", "kbyte", "kilobyte"], 1024.0),
        ("MB", &["mb", "mbyte", "megabyte"], 1_048_576.0),
        ("GB", &["gb", "gbyte", "gigabyte"], 1_073_741_824.0),
        ("TB", &["tb", "tbyte", "terabyte"], 1_099_511_627_776.0),
        ("PB", &["pb", "pbyte", "petabyte"], 1_125_899_906_842_624.0),
    ],
    otherwise: ("B", 1.0),
};

const TIME: Units = Units {
    names: &[
        ("ns", &["ns", "nanosecond"], 1.0),
        ("us", &["μs", "us", "microsecond"], 1e3),
        ("ms", &["ms", "millisecond"], 1e6),
        ("s", &["s", "sec", "second"], 1e9),
        ("hrs", &["hour", "hr"], 3.6e12),
    ],
    otherwise: ("s", 1e9),
};

/// Google's unit of computing.
const COMPUTING: Units = Units {
    names: &[
        ("n*GCU", &["nanogcu"], 1e-9),
        ("u*GCU", &["microgcu"], 1e-6),
        ("m*GCU", &["milligcu"], 1e-3),
        ("GCU", &["gcu"], 1.0),
        ("k*GCU", &["kilogcu"], 1e3),
        ("M*GCU", &["megagcu"], 1e6),
        ("G*GCU", &["gigagcu"], 1e9),
        ("T*GCU", &["teragcu"], 1e12),
        ("P*GCU", &["petagcu"], 1e15),
    ],
    otherwise: ("GCU", 1.0),
};

impl Units {
    fn find(&self, name: &str) -> Option<(&'static str, f64)> {
        let name = name.to_lowercase();
        let name = if name.len() > 2 {
            name.strip_suffix('s').unwrap_or(&name)
        } else {
            &name
        };
        self.names
            .iter()
            .find(|(_, aliases, _)| aliases.contains(&name))
            .map(|(symbol, _, size)| (*symbol, *size))
    }
}

/// Returns a number in another unit, and that unit's symbol.
fn scale(number: i64, from: &str, to: &str) -> (f64, String) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the reference compares such numbers as doubles, too"
    )]
    let exact = number as f64;
    for units in [MEMORY, TIME, COMPUTING] {
        if let Some((_, size)) = units.find(from) {
            let (symbol, target) = units.find(to).unwrap_or(units.otherwise);
            return (exact * size / target, symbol.to_owned());
        }
    }
    match to {
        "count" | "sample" | "unit" | "minimum" | "auto" => (exact, String::new()),
        _ => (exact, to.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::strings::Strings;
    use crate::model::profile::{Parts, SampleType, StrId};

    #[test]
    fn ranges_are_distinguished_from_expressions() {
        for (text, expected) in [
            ("32kb", Some((32.0, 32.0, "kB"))),
            (":64KB", Some((f64::NEG_INFINITY, 64.0, "kB"))),
            ("4mb:", Some((4.0, f64::INFINITY, "MB"))),
            ("1s:90000ms", Some((1.0, 90.0, "s"))),
            ("12", Some((12.0, 12.0, ""))),
            ("-5:5", Some((-5.0, 5.0, ""))),
            ("1s:5kb", None),
            ("abc12", None),
            ("12-14", None),
            ("", None),
            (":", None),
        ] {
            let found = range(text);
            let found = found
                .as_ref()
                .map(|range| (range.from, range.to, range.unit.as_str()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn many_keys_take_no_more_than_their_number() {
        let mut parts = Parts {
            strings: Strings::new(),
            ..Parts::default()
        };
        parts.sample_types.push(SampleType::default());
        for at in 0..100_000_u32 {
            let key = parts.strings.push(format!("key{at}").as_bytes());
            parts.labels.push(Label {
                key,
                value: LabelValue::Number(i64::from(at), StrId::EMPTY),
            });
            parts.label_ends.push(at + 1);
            parts.stack_ends.push(0);
            parts.values.push(1);
        }
        let profile = Profile::new(parts);
        let began = std::time::Instant::now();
        let units = TagUnits::new(&profile);
        let filter = TagPattern::new("99998:").unwrap();
        let kept = (0..profile.record_count())
            .filter(|record| filter.matches(profile.labels(*record), &units))
            .count();
        assert_eq!(kept, 2);
        assert!(
            began.elapsed().as_secs() < 20,
            "each key looks at all others"
        );
    }

    #[test]
    fn a_number_is_compared_in_the_range_s_unit() {
        let kilobytes = range("4kb:8kb").unwrap();
        assert!(kilobytes.holds(4096, "bytes") && kilobytes.holds(8192, "bytes"));
        assert!(!kilobytes.holds(8193, "bytes") && !kilobytes.holds(5, "seconds"));
    }
}
