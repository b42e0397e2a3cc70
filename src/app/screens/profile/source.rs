//! Where an open profile comes from: a file, a capture, or several; and its names by source maps.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::cloudflare::Capture;
use crate::model::profile::Profile;
use crate::model::source_map::SourceMap;

/// A profile, and where it comes from.
#[derive(Debug, Clone)]
pub struct Source {
    /// The decoded profile.
    pub profile: Arc<Profile>,
    /// The capture it belongs to, if it is one.
    pub capture: Option<Capture>,
    /// The Worker's or the file's name.
    pub name: String,
    /// Its file, if it is not a capture.
    pub path: Option<PathBuf>,
    /// The captures or files that it was merged from.
    pub members: Vec<Member>,
    /// Its names by source maps, if it has them.
    pub names: Option<Arc<MapNames>>,
}

impl Source {
    /// Returns the source of a profile that is in no file.
    #[must_use]
    pub fn new(profile: impl Into<Arc<Profile>>, name: String) -> Self {
        Self {
            profile: profile.into(),
            capture: None,
            name,
            path: None,
            members: Vec::new(),
            names: None,
        }
    }

    /// Returns the source of a file's profile.
    #[must_use]
    pub fn of_file(profile: impl Into<Arc<Profile>>, path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        Self {
            path: Some(path),
            ..Self::new(profile, name)
        }
    }

    /// Returns the source of a capture's profile.
    #[must_use]
    pub fn of_capture(profile: impl Into<Arc<Profile>>, capture: Capture) -> Self {
        let name = capture.target().worker.clone();
        Self {
            capture: Some(capture),
            ..Self::new(profile, name)
        }
    }

    /// Whether it is, or has been merged from, a capture in no file.
    pub(crate) fn is_unsaved(&self) -> bool {
        let mut captures = self.captures();
        self.path.is_none() && captures.any(|capture| capture.path.as_os_str().is_empty())
    }
}

/// A part of what is to be opened merged.
#[derive(Debug, Clone)]
pub enum Part {
    /// A capture on disk.
    Kept(Box<Capture>),
    /// A file.
    File(PathBuf),
    /// A profile that is open, or could not be kept on disk.
    Open(Box<Source>),
}

/// One of the captures or files that an open profile was merged from.
#[derive(Debug, Clone)]
pub struct Member {
    /// The label of its records.
    pub name: String,
    /// The capture, if it is one.
    pub capture: Option<Capture>,
    /// The file, if it is no capture.
    pub path: Option<PathBuf>,
}

/// The names of a profile by source maps.
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

/// A source map to load for the open profile.
#[derive(Debug, Clone)]
pub struct MapJob {
    /// The map's file, a bundle's, or a folder; `~` is the home folder.
    pub path: PathBuf,
    /// The profile with the names of its bundle.
    pub profile: Arc<Profile>,
    /// The capture whose Worker it is remembered for.
    pub capture: Option<Box<Capture>>,
}

impl MapNames {
    /// Returns the maps' names, in fewer words. Text from outside.
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
