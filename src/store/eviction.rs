//! Eviction: removes captures by quota, by age or size, or all of them.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::model::cloudflare::Capture;
use crate::store::{Store, StoreError, files};

/// What [`Store::prune`] removes. Pinned captures always stay.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prune {
    /// Captures started before this time.
    pub before: Option<SystemTime>,
    /// The least recently used captures, until the rest takes at most this many bytes.
    pub max_bytes: Option<u64>,
    /// Whether damaged captures are removed like others; otherwise they stay.
    pub damaged: bool,
}

/// The outcome of an eviction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Eviction {
    /// The removed captures, in order of removal.
    pub removed: Vec<Capture>,
    /// The size of all captures in bytes, if it is still over the quota.
    pub over: Option<u64>,
    /// The quota in bytes.
    pub quota: u64,
}

impl Store {
    /// Removes captures until the rest is within the quota: the trash first, then the least recently used ones. Pinned
    /// captures, damaged ones and `new` stay.
    ///
    /// # Errors
    /// [`StoreError`] if the folder can't be read, or at the first capture that can't be removed.
    pub fn enforce_quota(&self, new: &Capture) -> Result<Eviction, StoreError> {
        self.evict_for(new)
            .inspect(|eviction| {
                if let Some(bytes) = eviction.over {
                    tracing::warn!(bytes, quota = eviction.quota, "cache-over-quota");
                }
            })
            .inspect_err(|error| tracing::warn!(%error, "cache-eviction-failed"))
    }

    fn evict_for(&self, new: &Capture) -> Result<Eviction, StoreError> {
        self.clean_up();
        let Some(quota) = self.quota.filter(|_| !self.steady) else {
            return Ok(Eviction::default());
        };
        // Sizes are cheap to read, and nearly always within the quota.
        if self.bytes() <= quota {
            return Ok(Eviction {
                quota,
                ..Eviction::default()
            });
        }
        let _lock = files::lock(&self.profiles);
        let mut captures = self.list()?.captures;
        captures.retain(|capture| capture.path != new.path);
        self.shrink(captures, quota, false)
    }

    /// Removes what `prune` selects, after [`Self::clean_up`].
    ///
    /// # Errors
    /// As [`Self::enforce_quota`].
    pub fn prune(&self, prune: Prune) -> Result<Vec<Capture>, StoreError> {
        self.clean_up();
        let _lock = files::lock(&self.profiles);
        let (mut removed, mut rest) = (Vec::new(), Vec::new());
        for capture in self.list()?.captures {
            if is_removable(&capture, prune.damaged)
                && prune
                    .before
                    .is_some_and(|before| capture.provenance.asked_at < before)
            {
                self.remove_locked(&capture)?;
                removed.push(capture);
            } else {
                rest.push(capture);
            }
        }
        if let Some(max) = prune.max_bytes {
            removed.extend(self.shrink(rest, max, prune.damaged)?.removed);
        }
        Ok(removed)
    }

    /// Removes everything that the program wrote, rescued captures included. Returns the number of removed captures.
    ///
    /// # Errors
    /// [`StoreError::Write`] at the first file that can't be removed.
    pub fn clear(&self) -> Result<usize, StoreError> {
        let rescued = self.rescued();
        for capture in &rescued {
            self.remove_rescued(capture)?;
        }
        Ok(rescued.len() + self.clear_own()?)
    }

    fn clear_own(&self) -> Result<usize, StoreError> {
        let _lock = files::lock(&self.profiles);
        let names = self.names()?;
        let mut removed = 0;
        for name in &names {
            let ours = files::profile_stem(name).is_some();
            let path = self.profiles.join(name);
            // The program makes no folders here: one with such a name is not ours.
            if (ours || files::is_description(name)) && !path.is_dir() {
                files::remove(&path)?;
                removed += usize::from(ours);
            }
        }
        for file in self.trashed() {
            files::remove(&file.path)?;
        }
        self.forget_lists();
        self.forget_source_maps()?;
        self.sweep(Duration::ZERO);
        Ok(removed)
    }

    fn shrink(
        &self,
        captures: Vec<Capture>,
        max: u64,
        damaged: bool,
    ) -> Result<Eviction, StoreError> {
        let mut eviction = Eviction {
            quota: max,
            ..Eviction::default()
        };
        let mut total = self.bytes();
        if total > max {
            tracing::info!(total, quota = max, "cache-eviction");
        }
        for file in self.trashed() {
            if total <= max {
                return Ok(eviction);
            }
            files::remove(&file.path)?;
            tracing::info!(file = %files::shown(&file.path), bytes = file.bytes, "cache-removed");
            total = total.saturating_sub(file.bytes);
        }
        let mut order: Vec<Capture> = captures
            .into_iter()
            .filter(|capture| is_removable(capture, damaged))
            .collect();
        order.sort_by_key(|capture| (capture.keeping.used_at, capture.provenance.asked_at));
        for capture in order {
            if total <= max {
                break;
            }
            self.remove_locked(&capture)?;
            total = total.saturating_sub(capture.bytes);
            eviction.removed.push(capture);
        }
        eviction.over = (total > max).then_some(total);
        Ok(eviction)
    }

    /// Returns the size of all captures, including the trash. Descriptions are small and not counted.
    fn bytes(&self) -> u64 {
        let names = self.names().unwrap_or_default();
        let sizes = names
            .iter()
            .filter(|name| files::profile_stem(name).is_some())
            .filter_map(|name| fs::symlink_metadata(self.profiles.join(name)).ok())
            .filter(fs::Metadata::is_file)
            .map(|found| found.len());
        sizes
            .chain(self.trashed().iter().map(|file| file.bytes))
            .sum()
    }
}

/// Returns whether a capture may be removed without being named by the user.
fn is_removable(capture: &Capture, damaged: bool) -> bool {
    !capture.keeping.pinned && (damaged || capture.keeping.damage.is_none())
}
