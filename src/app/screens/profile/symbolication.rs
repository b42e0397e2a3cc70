//! Names of the source or of the bundle: what source maps gave the open profile, and turning between the two.

use crate::app::screens::profile::source::MapJob;
use crate::app::screens::profile::source::MapNames;
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::core::ids::RequestId;
use crate::app::screens::profile::effect::ProfileEffect;
use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::model::profile::Profile;
use crate::model::source_map::{Fit, Use, renamed};

/// Returns the outcome of a source map as a sentence, with names from outside: print it through
/// [`crate::model::text::sanitize`].
#[must_use]
pub fn map_outcome(outcome: &Use) -> String {
    let Use {
        map,
        file,
        restored,
        of,
        ..
    } = outcome;
    match outcome.fit {
        Fit::Fits if outcome.without_columns => {
            let rest = if restored < of {
                ": the profile has no columns, so only what is beyond doubt"
            } else {
                ""
            };
            format!("names by {map} ({restored} of {of} restored{rest})")
        }
        Fit::Fits => format!("names by {map} ({restored} of {of} restored)"),
        Fit::OtherBuild { found, judged } => format!(
            "{map} is of another build: {found} of {judged} functions of {file} are where it says; names stay the bundle's"
        ),
        Fit::NoColumns => format!(
            "{map} can't help: the profile has no columns, and functions share lines in {file}; \
             with the bundle beside the map, those with a unique name can be named"
        ),
        Fit::NoBundle => {
            format!("{map} can't help: no function of this profile comes from a bundle")
        }
    }
}

impl Source {
    /// Whether names are the bundle's although a source map has others.
    #[must_use]
    pub fn has_bundle_names(&self) -> bool {
        self.names
            .as_ref()
            .is_some_and(|names| Arc::ptr_eq(&names.bundle, &self.profile))
    }

    /// Returns the source maps whose names are shown.
    #[must_use]
    pub fn map_paths(&self) -> &[PathBuf] {
        self.names
            .as_ref()
            .filter(|_| !self.has_bundle_names())
            .map_or(&[], |names| &names.paths)
    }

    /// Returns the profile with the names of its bundle.
    #[must_use]
    pub fn bundle(&self) -> &Arc<Profile> {
        self.names
            .as_ref()
            .map_or(&self.profile, |names| &names.bundle)
    }

    /// Returns the same with the names that maps gave it.
    #[must_use]
    pub fn with_names(self, names: MapNames) -> Self {
        Self {
            profile: Arc::clone(&names.restored),
            names: Some(Arc::new(names)),
            ..self
        }
    }
}

impl ProfileState {
    /// Requests a source map.
    pub(crate) fn request_map(&mut self, id: RequestId, path: PathBuf) -> ProfileEffect {
        self.mapping = Some(id);
        let capture = self.source.captures().next().cloned().map(Box::new);
        ProfileEffect::LoadMap(Box::new(MapJob {
            path,
            profile: Arc::clone(self.source.bundle()),
            capture,
        }))
    }

    /// Switches to the names that maps gave; the view with them is still to be requested.
    pub(crate) fn adopt(&mut self, names: MapNames) {
        self.want_names(&names, true);
        self.source.names = Some(Arc::new(names));
    }

    /// Wants the other names; `None` where no map gave any.
    pub(crate) fn turn_names(&mut self) -> Option<&'static str> {
        let names = Arc::clone(self.source.names.as_ref()?);
        let now = self.next_profile.as_ref().unwrap_or(&self.source.profile);
        let to_source = Arc::ptr_eq(now, &names.bundle);
        self.want_names(&names, to_source);
        Some(if to_source {
            "names of the source"
        } else {
            "names of the bundle"
        })
    }

    fn want_names(&mut self, names: &MapNames, of_source: bool) {
        let now = self.next_profile.as_ref().unwrap_or(&self.source.profile);
        let were_of_source = self.source.names.is_some() && !Arc::ptr_eq(now, self.source.bundle());
        if of_source != were_of_source {
            // Filters on a function stay filters on that function.
            self.view.filters = renamed(&self.view.filters, &names.restored, of_source);
        }
        self.next_profile = Some(Arc::clone(if of_source {
            &names.restored
        } else {
            &names.bundle
        }));
    }
}
