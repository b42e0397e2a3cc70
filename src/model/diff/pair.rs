//! One value on both sides of a comparison.

/// A value of the base and the one of the new profile in the same place, in the unit of the sample type.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct Pair {
    /// In the base.
    pub base: i64,
    /// In the new profile, scaled if that was asked for.
    pub new: i64,
}

impl Pair {
    /// How much more the new profile holds. Fits, as both sides' absolute sums together fit.
    #[must_use]
    pub fn change(self) -> i64 {
        self.new - self.base
    }
}
