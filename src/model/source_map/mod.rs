//! Source maps: from a place in a bundle to the place, and the name, that it has in the source.
//!
//! A map is taken at its word only where its positions fit the profile's functions: one of another build has names at those
//! positions too, and wrong ones. Weak point: a map without the sources' text, and without its bundle, leaves few ways to
//! tell.

mod apply;
mod bundle;
mod definition;
mod filters;
mod fit;
mod source_paths;

use std::sync::OnceLock;

use sourcemap::{DecodedMap, SourceMap as Decoded};

use crate::model::text::address::file_name;
use crate::model::text::source_text::{SCRIPT_LINE_ENDS, script_line_starts};

pub use apply::{Fit, Restored, Use, restore};
use bundle::Bundle;
pub use filters::renamed;

/// Columns and lines from here on are no real ones: what is below zero in a broken map ends up there.
const PLACE_MAX: u32 = 1 << 30;

/// Why a map can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The decoder refused it.
    #[error("it is no source map: {0}")]
    Broken(String),
    /// Its sections lie in other files.
    #[error("its sections are kept in other files, which are not followed")]
    Elsewhere,
    /// There is nothing in it.
    #[error("it maps nothing: there is not a single position in it")]
    Empty,
}

/// One position of the bundle with what the map says of it. Lines and columns count from 0, columns in UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    column: u32,
    /// Index of a source; [`Self::NONE`] for code that no source has.
    source: u32,
    source_line: u32,
    source_column: u32,
    /// Index of a name, or [`Self::NONE`].
    name: u32,
}

impl Segment {
    const NONE: u32 = u32::MAX;
}

/// A file that the bundle was made of.
#[derive(Debug)]
struct Source {
    /// Its path, without what leads up and out of the project.
    path: String,
    text: Option<String>,
    /// Where its lines begin, once someone asked.
    lines: OnceLock<Vec<usize>>,
}

/// A source map, and the text of its bundle where that is at hand.
#[derive(Debug)]
pub struct SourceMap {
    name: String,
    file: Option<String>,
    /// In the order of their positions.
    segments: Vec<Segment>,
    /// Where the segments of each line of the bundle begin, and at last where they end.
    lines: Vec<usize>,
    names: Vec<String>,
    sources: Vec<Source>,
    bundle: Option<Bundle>,
}

impl SourceMap {
    /// Decodes a map, plain or with sections. `name` is what people call it. The caller has looked at its size, and at
    /// how many of everything it claims.
    ///
    /// # Errors
    /// [`MapError`].
    pub fn decode(json: &[u8], name: &str) -> Result<Self, MapError> {
        let decoded =
            sourcemap::decode_slice(json).map_err(|error| MapError::Broken(error.to_string()))?;
        let mut builder = Builder::default();
        let file = match &decoded {
            DecodedMap::Regular(map) => {
                builder.add(map, (0, 0));
                map.get_file()
            }
            DecodedMap::Index(index) => {
                for section in index.sections() {
                    match section.get_sourcemap() {
                        Some(DecodedMap::Regular(map)) => builder.add(map, section.get_offset()),
                        _ => return Err(MapError::Elsewhere),
                    }
                }
                index.get_file()
            }
            DecodedMap::Hermes(_) => {
                return Err(MapError::Broken("it is one of React Native".to_owned()));
            }
        };
        builder.finish(name, file.map(str::to_owned))
    }

    /// The same map with the text of its bundle, which shows what stands at each position.
    #[must_use]
    pub fn with_bundle(self, text: &str) -> Self {
        Self {
            bundle: Some(Bundle::new(text)),
            ..self
        }
    }

    /// What people call it: its file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bundle's name, as the map has it.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether the bundle's text is at hand.
    #[must_use]
    pub fn has_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// The text of the bundle, if it is at hand and called so.
    #[must_use]
    pub fn bundle_text(&self, path: &str) -> Option<String> {
        let names = [
            self.file.as_deref().unwrap_or_default(),
            self.name.trim_end_matches(".map"),
        ];
        let is_it = names.iter().any(|name| file_name(name) == file_name(path));
        self.bundle.as_ref().filter(|_| is_it).map(Bundle::text)
    }

    /// The text of a source, by the path that restored functions have.
    #[must_use]
    pub fn text_of(&self, path: &str) -> Option<&str> {
        self.sources
            .iter()
            .find(|source| source.path == path)?
            .text
            .as_deref()
    }

    /// The segments of a line of the bundle; none for a line that it does not have.
    fn line(&self, line: u32) -> &[Segment] {
        let at = line as usize;
        let (Some(from), Some(to)) = (self.lines.get(at), self.lines.get(at + 1)) else {
            return &[];
        };
        &self.segments[*from..*to]
    }

    /// The segment that a position belongs to: the last one of its line that does not begin after it.
    fn at(&self, line: u32, column: u32) -> Option<&Segment> {
        let segments = self.line(line);
        // Of several that begin at one place the first counts, as other readers of maps have it.
        let after = segments.partition_point(|segment| segment.column <= column);
        let last = segments.get(after.checked_sub(1)?)?;
        let first = segments.partition_point(|segment| segment.column < last.column);
        segments.get(first)
    }

    /// The segment that begins at exactly this position.
    fn exactly(&self, line: u32, column: u32) -> Option<&Segment> {
        self.at(line, column)
            .filter(|segment| segment.column == column)
    }

    fn name_of(&self, segment: &Segment) -> Option<&str> {
        self.names
            .get(segment.name as usize)
            .map(String::as_str)
            .filter(|name| !name.is_empty())
    }
}

impl Source {
    /// A line of its text, from 0.
    fn line(&self, line: u32) -> Option<&str> {
        let text = self.text.as_deref()?;
        let starts = self.lines.get_or_init(|| script_line_starts(text));
        let from = *starts.get(line as usize)?;
        let to = starts.get(line as usize + 1).copied();
        let line = text.get(from..to.unwrap_or(text.len()))?;
        Some(line.trim_end_matches(SCRIPT_LINE_ENDS))
    }
}

/// What is collected of a map, or of its sections one after the other.
#[derive(Default)]
struct Builder {
    segments: Vec<(u32, Segment)>,
    names: Vec<String>,
    paths: Vec<String>,
    texts: Vec<Option<String>>,
}

impl Builder {
    fn add(&mut self, map: &Decoded, (line_offset, column_offset): (u32, u32)) {
        let index = |count: usize| u32::try_from(count).unwrap_or(Segment::NONE);
        let (names, sources) = (index(self.names.len()), index(self.paths.len()));
        self.names.extend(map.names().map(str::to_owned));
        self.paths.extend(map.sources().map(str::to_owned));
        let count = map.get_source_count();
        self.texts
            .extend((0..count).map(|at| map.get_source_contents(at).map(str::to_owned)));
        for token in map.tokens() {
            let (line, column) = token.get_dst();
            let moved = if line == 0 {
                column.checked_add(column_offset)
            } else {
                Some(column)
            };
            let (Some(line), Some(column)) = (line.checked_add(line_offset), moved) else {
                continue;
            };
            let (source_line, source_column) = token.get_src();
            // A source without a name says no more than none.
            let has_source = token.get_source().is_some_and(|source| !source.is_empty());
            let is_real = |place: u32| place < PLACE_MAX;
            if !is_real(line)
                || !is_real(column)
                || (has_source && !(is_real(source_line) && is_real(source_column)))
            {
                continue;
            }
            let id = |has: bool, from: u32, id: u32| {
                if has {
                    from.saturating_add(id)
                } else {
                    Segment::NONE
                }
            };
            let segment = Segment {
                column,
                source: id(has_source, sources, token.get_src_id()),
                source_line,
                source_column,
                name: id(token.has_name(), names, token.get_name_id()),
            };
            self.segments.push((line, segment));
        }
    }

    fn finish(mut self, name: &str, file: Option<String>) -> Result<SourceMap, MapError> {
        // Sections may come in any order, and overlap.
        self.segments
            .sort_by_key(|(line, segment)| (*line, segment.column));
        let Some((last, _)) = self.segments.last() else {
            return Err(MapError::Empty);
        };
        // One entry a line would let a map of one position far below take gigabytes; lines in between are looked up.
        let mut lines = Vec::new();
        if *last as usize > LINES_MAX {
            return Err(MapError::Broken(format!(
                "it names line {}, of a bundle larger than any",
                u64::from(*last) + 1
            )));
        }
        for (at, (line, _)) in self.segments.iter().enumerate() {
            while lines.len() <= *line as usize {
                lines.push(at);
            }
        }
        lines.push(self.segments.len());
        let segments = self
            .segments
            .into_iter()
            .map(|(_, segment)| segment)
            .collect();
        let paths = source_paths::cleaned(&self.paths);
        let sources = paths.into_iter().zip(self.texts);
        let sources = sources
            .map(|(path, text)| Source {
                path,
                text,
                lines: OnceLock::new(),
            })
            .collect();
        Ok(SourceMap {
            name: name.to_owned(),
            file,
            segments,
            lines,
            names: self.names,
            sources,
            bundle: None,
        })
    }
}

/// Lines of a bundle from which on a map is no real one.
const LINES_MAX: usize = 1 << 24;

#[cfg(test)]
mod tests;
