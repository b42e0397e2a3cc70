//! What has to go: by a quota, by age or size, or everything.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::model::cloudflare::Capture;
use crate::store::{Store, StoreError, files};

/// What [`Store::prune`] removes. Pinned captures stay in any case.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prune {
    /// Captures asked for before that.
    pub before: Option<SystemTime>,
    /// Those used longest ago, until the rest takes at most so many bytes.
    pub max_bytes: Option<u64>,
    /// Whether captures with damaged files are treated like others; otherwise they stay.
    pub damaged: bool,
}

/// What making room came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Eviction {
    /// What was removed, in this order.
    pub removed: Vec<Capture>,
    /// What all captures now take, in bytes, where that is still too much.
    pub over: Option<u64>,
    /// What they may take.
    pub quota: u64,
}

impl Store {
    /// Removes captures until the rest is within the quota: first those that were deleted anyway, then those used
    /// longest ago. Pinned captures, damaged ones and `new` stay.
    ///
    /// # Errors
    /// [`StoreError`] where the folder can't be read, or at the first capture that can't be removed.
    pub fn enforce_quota(&self, new: &Capture) -> Result<Eviction, StoreError> {
        self.evict_for(new)
            .inspect(|room| {
                if let Some(bytes) = room.over {
                    tracing::warn!(bytes, quota = room.quota, "cache-over-quota");
                }
            })
            .inspect_err(|error| tracing::warn!(%error, "cache-eviction-failed"))
    }

    fn evict_for(&self, new: &Capture) -> Result<Eviction, StoreError> {
        self.clean_up();
        let Some(quota) = self.quota.filter(|_| !self.steady) else {
            return Ok(Eviction::default());
        };
        // Sizes alone are cheap to come by; nearly always they say that there is nothing to do.
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

    /// Removes what `prune` says, and what nobody will miss.
    ///
    /// # Errors
    /// As [`Self::enforce_quota`].
    pub fn prune(&self, prune: Prune) -> Result<Vec<Capture>, StoreError> {
        self.clean_up();
        let _lock = files::lock(&self.profiles);
        let (mut removed, mut rest) = (Vec::new(), Vec::new());
        for capture in self.list()?.captures {
            if may_go(&capture, prune.damaged)
                && prune.before.is_some_and(|before| capture.asked_at < before)
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

    /// Takes everything off the disk that the program put there, rescued captures included, and answers how many captures
    /// that were.
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
            // A folder is none of ours, whatever it is called.
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
        let mut room = Eviction {
            quota: max,
            ..Eviction::default()
        };
        let mut total = self.bytes();
        if total > max {
            tracing::info!(total, quota = max, "cache-eviction");
        }
        for file in self.trashed() {
            if total <= max {
                return Ok(room);
            }
            files::remove(&file.path)?;
            tracing::info!(file = %files::shown(&file.path), bytes = file.bytes, "cache-removed");
            total = total.saturating_sub(file.bytes);
        }
        let mut order: Vec<Capture> = captures
            .into_iter()
            .filter(|capture| may_go(capture, damaged))
            .collect();
        order.sort_by_key(|capture| (capture.keeping.used_at, capture.asked_at));
        for capture in order {
            if total <= max {
                break;
            }
            self.remove_locked(&capture)?;
            total = total.saturating_sub(capture.bytes);
            room.removed.push(capture);
        }
        room.over = (total > max).then_some(total);
        Ok(room)
    }

    /// What all captures take, those that can be brought back too. Descriptions are small and not counted.
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

/// Whether a capture may be removed without having been named.
fn may_go(capture: &Capture, damaged: bool) -> bool {
    !capture.keeping.pinned && (damaged || capture.keeping.damage.is_none())
}
