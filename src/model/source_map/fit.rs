//! What a map says of one function, and whether that fits the profile.
//!
//! A map's name at a function's position is the function's own only if its name in the bundle is just left of it; for `x=>`
//! it is the parameter's.

use crate::model::source_map::Segment;
use crate::model::source_map::SourceMap;
use crate::model::source_map::bundle::Left;
use crate::model::source_map::definition::defines;

/// Gaps between a function's name and its parameters, in UTF-16 units: none, `=`, `:`, then the longer ones, `= `, ` = `, `=async `, `=function`, ` = async `, `=function* `, ` = function `, ` = async function `.
const GAPS: [u32; 13] = [0, 1, 2, 3, 6, 7, 9, 10, 11, 12, 15, 18, 19];
/// Gaps up to here leave no room for a word between.
const CLOSE: u32 = 1;

/// A place in a source. Lines and columns count from 1; 0: not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourcePosition {
    pub(crate) source: u32,
    pub(crate) line: i64,
    pub(crate) column: i64,
}

/// Whether a map fits a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// The function is there by its name.
    Right,
    /// Something begins where it should.
    Likely,
    /// Neither.
    None,
    /// Something else is there.
    Wrong,
}

/// What a map says of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judgement<'a> {
    pub(crate) place: Option<SourcePosition>,
    /// Its name in the source, if the map has one.
    pub(crate) name: Option<&'a str>,
    pub(crate) evidence: Evidence,
}

impl Judgement<'_> {
    /// The map has no such line.
    pub(crate) const OUTSIDE: Self = Self {
        place: None,
        name: None,
        evidence: Evidence::Wrong,
    };
}

impl SourceMap {
    /// Judges the function whose parameters begin at a position. Line and column count from 0 here.
    pub(crate) fn judge(&self, line: u32, column: u32, name: &str) -> Judgement<'_> {
        let place = self
            .at(line, column)
            .and_then(|segment| self.place(segment));
        let Some(name) = plain(name) else {
            // Nameless functions, and names that V8 made up, are nowhere in the text.
            let evidence = if self.line(line).is_empty() {
                Evidence::Wrong
            } else {
                Evidence::None
            };
            return Judgement {
                place,
                name: None,
                evidence,
            };
        };
        if let Some(bundle) = &self.bundle {
            return match bundle.left_of(line, column, name) {
                Left::Named(start) => {
                    let own = self
                        .exactly(line, start)
                        .and_then(|segment| self.name_of(segment));
                    Judgement {
                        place,
                        name: own,
                        evidence: Evidence::Right,
                    }
                }
                Left::Unsure => Judgement {
                    place,
                    name: None,
                    evidence: Evidence::None,
                },
                Left::Other => Judgement {
                    place,
                    name: None,
                    evidence: Evidence::Wrong,
                },
            };
        }
        let (own, evidence) = self.by_segments(line, column, name);
        Judgement {
            place,
            name: own,
            evidence,
        }
    }

    /// Without the bundle's text: a name is an unbroken word, so a segment that begins exactly as far left as it is long
    /// is its own.
    fn by_segments(&self, line: u32, column: u32, name: &str) -> (Option<&str>, Evidence) {
        let length = u32::try_from(name.encode_utf16().count()).unwrap_or(u32::MAX);
        for gap in GAPS {
            let Some(start) = column.checked_sub(gap.saturating_add(length)) else {
                break;
            };
            let Some(segment) = self.exactly(line, start) else {
                continue;
            };
            let own = self.name_of(segment);
            match self.defines(segment, own.unwrap_or(name)) {
                Some(true) => return (own, Evidence::Right),
                Some(false) => {}
                // Without the source's text, only what leaves no room for anything else counts.
                None if gap <= CLOSE && self.is_alone(line, start, column) => {
                    return (own, Evidence::Likely);
                }
                None => {}
            }
        }
        (None, Evidence::Wrong)
    }

    /// Whether nothing begins between two columns.
    fn is_alone(&self, line: u32, from: u32, to: u32) -> bool {
        self.at(line, to.saturating_sub(1))
            .is_some_and(|segment| segment.column == from)
    }

    /// Whether the source defines a function of that name where a segment leads; `None` if its text is not there.
    fn defines(&self, segment: &Segment, name: &str) -> Option<bool> {
        let source = self.sources.get(segment.source as usize)?;
        source.text.as_ref()?;
        Some(
            source
                .line(segment.source_line)
                .is_some_and(|line| defines(line, segment.source_column, name)),
        )
    }

    /// Judges a function of which only the line is known, by what all positions of that line agree on.
    pub(crate) fn judge_line(&self, line: u32, name: &str) -> Judgement<'_> {
        let segments = self.line(line);
        if segments.is_empty() {
            return Judgement::OUTSIDE;
        }
        let place = self.line_place(line);
        let (Some(agreed), Some(name)) = (place, plain(name)) else {
            return Judgement {
                place,
                name: None,
                evidence: Evidence::None,
            };
        };
        // The one function that the line defines, whatever the source calls it.
        let defining = |segment: &&Segment| {
            self.defines(segment, self.name_of(segment).unwrap_or(name)) == Some(true)
        };
        let mut all = segments.iter().filter(defining);
        let only = all.next().filter(|first| {
            // One function may have two segments: at its word and at its name.
            all.all(|other| {
                (other.source_line, self.name_of(other)) == (first.source_line, self.name_of(first))
            })
        });
        if let Some(segment) = only {
            let place = self
                .place(segment)
                .map(|place| SourcePosition { column: 0, ..place });
            return Judgement {
                place,
                name: self.name_of(segment),
                evidence: Evidence::Right,
            };
        }
        let has_text = self
            .sources
            .get(agreed.source as usize)
            .is_some_and(|source| source.text.is_some());
        Judgement {
            place,
            name: None,
            evidence: if has_text {
                Evidence::Wrong
            } else {
                Evidence::None
            },
        }
    }

    /// Returns what all positions of a line agree on: the source, and the line of it or 0.
    pub(crate) fn line_place(&self, line: u32) -> Option<SourcePosition> {
        let mut mapped = self
            .line(line)
            .iter()
            .filter(|segment| segment.source != Segment::NONE);
        let first = mapped.next()?;
        let mut place = SourcePosition {
            column: 0,
            ..self.place(first)?
        };
        for other in mapped {
            if other.source != first.source {
                return None;
            }
            if other.source_line != first.source_line {
                place.line = 0;
            }
        }
        Some(place)
    }

    fn place(&self, segment: &Segment) -> Option<SourcePosition> {
        (segment.source != Segment::NONE).then(|| SourcePosition {
            source: segment.source,
            line: i64::from(segment.source_line) + 1,
            column: i64::from(segment.source_column) + 1,
        })
    }
}

/// Returns a function's name without the words that V8 puts before it; `None` if no source text could hold it.
pub(crate) fn plain(name: &str) -> Option<&str> {
    let bare = bare(name);
    let mut signs = bare.strip_prefix('#').unwrap_or(bare).chars();
    let begins = signs
        .next()
        .is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$'));
    (begins
        && signs.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}')))
    .then_some(bare)
}

/// Returns a name without `get `, `set ` and the like.
pub(crate) fn bare(name: &str) -> &str {
    ["get ", "set ", "static ", "async "]
        .iter()
        .fold(name, |name, word| name.strip_prefix(word).unwrap_or(name))
}
