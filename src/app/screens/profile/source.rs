//! What a profile on the screen was read from: a file or a capture, several of them, and the names it got.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::cloudflare::Capture;
use crate::model::profile::Profile;
use crate::model::source_map::SourceMap;

/// What the screen knows of where the profile comes from.
#[derive(Debug, Clone)]
pub struct Source {
    /// The decoded profile.
    pub profile: Arc<Profile>,
    /// The capture it belongs to, if it is one.
    pub capture: Option<Capture>,
    /// The Worker's or the file's name.
    pub name: String,
    /// The file it was read from, if it is no capture.
    pub path: Option<PathBuf>,
    /// What it was made of, if it is several captures or files as one.
    pub members: Vec<Member>,
    /// What source maps gave it, where they did.
    pub names: Option<Arc<MapNames>>,
}

impl Source {
    /// Whether it, or something it was made of, is a capture in no file.
    pub(crate) fn is_unsaved(&self) -> bool {
        let members = self
            .members
            .iter()
            .filter_map(|member| member.capture.as_ref());
        let mut captures = self.capture.iter().chain(members);
        self.path.is_none() && captures.any(|capture| capture.path.as_os_str().is_empty())
    }
}

/// What is to be opened as one with others.
#[derive(Debug, Clone)]
pub enum Part {
    /// A capture on disk.
    Kept(Box<Capture>),
    /// A file.
    File(PathBuf),
    /// A profile that is open, or could not be kept on disk.
    Open(Box<Source>),
}

/// One of the captures or files that an open profile was made of.
#[derive(Debug, Clone)]
pub struct Member {
    /// What its records are labelled with.
    pub name: String,
    /// The capture, if it is one.
    pub capture: Option<Capture>,
    /// The file, if it is no capture.
    pub path: Option<PathBuf>,
}

/// What source maps gave a profile.
#[derive(Debug)]
pub struct MapNames {
    /// The profile with the names of its bundle.
    pub bundle: Arc<Profile>,
    /// The same profile with the names of its source.
    pub restored: Arc<Profile>,
    /// The maps that were used, with the text of the sources.
    pub maps: Vec<Arc<SourceMap>>,
    /// Where they were read from.
    pub paths: Vec<PathBuf>,
    /// Their result, in few words. Safe to print.
    pub summary: String,
}

/// A source map to be read for the open profile.
#[derive(Debug, Clone)]
pub struct MapJob {
    /// The map's file, a bundle's, or a folder; `~` is the home folder.
    pub path: PathBuf,
    /// The profile with the names of its bundle.
    pub profile: Arc<Profile>,
    /// The capture whose Worker it is remembered for, if the profile is one.
    pub capture: Option<Box<Capture>>,
}

impl MapNames {
    /// Whose names they are, in fewer words. Text from outside.
    #[must_use]
    pub fn by(&self) -> String {
        let first = self.maps.first().map_or("", |map| map.name());
        let more = self.maps.len().saturating_sub(1);
        if more == 0 {
            format!("names by {first}")
        } else {
            format!("names by {first} +{more}")
        }
    }
}
