//! The text of a profile, as bytes until it is shown: some producers' names are not UTF-8.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::hash::Quick;

/// A string of a profile.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd, Default)]
pub struct StrId(pub u32);

impl StrId {
    /// The empty string, which also means "not given".
    pub const EMPTY: Self = Self(0);
}

/// A table of byte strings, addressed by [`StrId`].
#[derive(Debug, Clone)]
pub struct Strings {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Default for Strings {
    fn default() -> Self {
        Self::new()
    }
}

impl Strings {
    /// Returns a table of only the empty string, as id 0.
    #[must_use]
    pub fn new() -> Self {
        Self {
            bytes: Vec::new(),
            ends: vec![0],
        }
    }

    /// Returns an empty table, for a file with its own string 0.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Appends a string, even if the table has it already. The caller bounds the table's size.
    pub fn push(&mut self, text: &[u8]) -> StrId {
        let id = StrId(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.bytes.extend_from_slice(text);
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
        id
    }

    /// Counts the strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Counts the bytes of all strings.
    #[must_use]
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no string.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the bytes of a string; none for an id that is not in the table.
    #[must_use]
    pub fn bytes(&self, id: StrId) -> &[u8] {
        let at = id.0 as usize;
        let end = self.ends.get(at).copied().unwrap_or(0) as usize;
        let start = at
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0) as usize;
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns the text of a string, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn text(&self, id: StrId) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(id))
    }

    /// Returns, for each string, the first one with the same bytes, so that ids can be compared instead of texts.
    #[must_use]
    pub(crate) fn firsts(&self) -> Vec<StrId> {
        let mut seen: HashMap<&[u8], StrId, Quick> =
            HashMap::with_capacity_and_hasher(self.len(), Quick::default());
        (0..self.len())
            .map(|at| StrId(u32::try_from(at).unwrap_or(u32::MAX)))
            .map(|id| *seen.entry(self.bytes(id)).or_insert(id))
            .collect()
    }
}

/// Collects strings once each, for writers and for formats without a string table.
#[derive(Debug, Default)]
pub struct Interner {
    strings: Strings,
    ids: HashMap<Vec<u8>, StrId, Quick>,
}

impl Interner {
    /// Returns the id of a text, which is added if it is new. The empty text is id 0.
    pub fn id(&mut self, text: &[u8]) -> StrId {
        if text.is_empty() {
            return StrId::EMPTY;
        }
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.strings.push(text);
        self.ids.insert(text.to_vec(), id);
        id
    }

    /// Returns the table collected so far.
    #[must_use]
    pub fn finish(self) -> Strings {
        self.strings
    }
}
