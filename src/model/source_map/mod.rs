//! Source maps: from a position in a bundle to its position, and name, in the source.
//!
//! A map is used only if its positions fit the profile's functions: one of another build has names at those positions too, and
//! wrong ones. Weak point: without the sources' text and without its bundle, a map can hardly be judged.

mod apply;
mod bundle;
mod definition;
mod filters;
mod fit;
mod script;
mod source_paths;

use std::sync::OnceLock;

use sourcemap::{DecodedMap, SourceMap as Decoded};

use crate::model::text::address::file_name;
use crate::model::text::source_text::{SCRIPT_LINE_ENDS, script_line_starts};

pub use apply::{Restored, Use, restore};
use bundle::Bundle;
pub use filters::renamed;
pub use script::Fit;

/// Larger columns and lines are not real: negative ones in a broken map end up there.
const PLACE_MAX: u32 = 1 << 30;

/// Why a map can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The decoder refused it.
    #[error("it is no source map: {0}")]
    Broken(String),
    /// Its sections are in other files.
    #[error("its sections are kept in other files, which are not followed")]
    Elsewhere,
    /// It is empty.
    #[error("it maps nothing: there is not a single position in it")]
    Empty,
}

/// One position of the bundle with its position in the source. Lines and columns count from 0, columns in UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    column: u32,
    /// Index of a source, or [`Self::NONE`].
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
    /// Its path, without the part that leads out of the project.
    path: String,
    text: Option<String>,
    /// Where its lines begin, computed on first use.
    lines: OnceLock<Vec<usize>>,
}

/// A source map, with the text of its bundle if it was found.
#[derive(Debug)]
pub struct SourceMap {
    name: String,
    file: Option<String>,
    /// In the order of their positions.
    segments: Vec<Segment>,
    /// Where the segments of each line of the bundle begin, and where the last ones end.
    lines: Vec<usize>,
    names: Vec<String>,
    sources: Vec<Source>,
    bundle: Option<Bundle>,
}

impl SourceMap {
    /// Decodes a map, plain or with sections. `name` is for people. The caller has checked its size and counts.
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

    /// Returns the map with the text of its bundle, by which it can be judged.
    #[must_use]
    pub fn with_bundle(self, text: &str) -> Self {
        Self {
            bundle: Some(Bundle::new(text)),
            ..self
        }
    }

    /// Returns its name for people: its file's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the bundle's name, as the map has it.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether it has the bundle's text.
    #[must_use]
    pub fn has_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// Returns the text of the bundle, if it has that and the bundle has this file name.
    #[must_use]
    pub fn bundle_text(&self, path: &str) -> Option<String> {
        let bundle = self.bundle.as_ref().filter(|_| self.is_of(path));
        bundle.map(Bundle::text)
    }

    /// Whether its bundle has the file name of a path.
    fn is_of(&self, path: &str) -> bool {
        let names = [
            self.file.as_deref().unwrap_or_default(),
            self.name.trim_end_matches(".map"),
        ];
        names.iter().any(|name| file_name(name) == file_name(path))
    }

    /// Returns the text of a source, by the path that restored functions have.
    #[must_use]
    pub fn text_of(&self, path: &str) -> Option<&str> {
        self.sources
            .iter()
            .find(|source| source.path == path)?
            .text
            .as_deref()
    }

    /// Returns the segments of a line of the bundle; none for a line that it doesn't have.
    fn line(&self, line: u32) -> &[Segment] {
        let at = line as usize;
        let (Some(from), Some(to)) = (self.lines.get(at), self.lines.get(at + 1)) else {
            return &[];
        };
        &self.segments[*from..*to]
    }

    /// Returns the segment of a position: the last one of its line that doesn't begin after it.
    fn at(&self, line: u32, column: u32) -> Option<&Segment> {
        let segments = self.line(line);
        // Of several that begin at one position the first counts, as in other readers of maps.
        let after = segments.partition_point(|segment| segment.column <= column);
        let last = segments.get(after.checked_sub(1)?)?;
        let first = segments.partition_point(|segment| segment.column < last.column);
        segments.get(first)
    }

    /// Returns the segment that begins at exactly this position.
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
    /// Returns a line of its text, from 0.
    fn line(&self, line: u32) -> Option<&str> {
        let text = self.text.as_deref()?;
        let starts = self.lines.get_or_init(|| script_line_starts(text));
        let from = *starts.get(line as usize)?;
        let to = starts.get(line as usize + 1).copied();
        let line = text.get(from..to.unwrap_or(text.len()))?;
        Some(line.trim_end_matches(SCRIPT_LINE_ENDS))
    }
}

/// Collects a map, or its sections one after the other.
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
        // A map of one position on a huge line must not take gigabytes.
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

/// Most lines of a real bundle.
const LINES_MAX: usize = 1 << 24;

#[cfg(test)]
mod tests;
