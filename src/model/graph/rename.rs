//! A reading with other names.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::Frames;
use crate::model::graph::view::Identity;
use crate::model::profile::rename::{Named, Rename};

impl Reading {
    /// Returns the reading with other names; `by` is its view's identity.
    #[must_use]
    pub fn renamed(&self, by: Identity, rename: Rename<'_>) -> Self {
        let mut reading = self.clone();
        let Frames { entries, files } = &mut reading.frames;
        for entry in entries {
            entry.original = None;
            let file = files.get(entry.file as usize).map_or("", |file| file);
            // A frame without a file or package has a name in brackets, which is not the producer's.
            let named = match by {
                Identity::Function | Identity::Name | Identity::Line => Named::Function {
                    name: &entry.name,
                    file,
                },
                Identity::File if file.is_empty() => continue,
                Identity::File => Named::File(&entry.name),
                Identity::Package => Named::Package(&entry.name),
            };
            entry.name = rename(named).into_boxed_str();
        }
        for file in files.iter_mut().filter(|file| !file.is_empty()) {
            *file = rename(Named::File(file)).into_boxed_str();
        }
        for capture in reading
            .spread
            .iter_mut()
            .flat_map(|spread| &mut spread.captures)
        {
            capture.name = rename(Named::Capture(&capture.name));
        }
        reading
    }
}
