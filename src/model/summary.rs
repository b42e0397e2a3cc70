//! What a list shows of a capture without opening it.

use super::profile::Profile;
use super::ranking::{Sort, rank};
use super::target::Summary;
use super::view::{View, ViewError, read};

impl Summary {
    /// Sums up a profile: the type it wants to be shown first, nothing left out.
    ///
    /// # Errors
    /// [`ViewError`] where its values can't be added up.
    pub fn of(profile: &Profile) -> Result<Self, ViewError> {
        let reading = read(profile, &View::new(profile))?;
        let busy = rank(&reading, Sort::SelfValue, false)
            .into_iter()
            .find(|row| row.self_value != 0 && reading.frames.name(row.frame) != "(idle)");
        Ok(Self {
            sample_type: profile.type_names(reading.sample_type),
            // Reading has made sure that even the absolute values fit.
            total: i64::try_from(reading.total).unwrap_or(i64::MAX),
            samples: reading.all_samples,
            top: busy.map(|row| (reading.frames.name(row.frame).to_owned(), row.self_value)),
        })
    }
}
