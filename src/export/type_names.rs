//! What values mean, as all JSON that is written for other programs says it.

use serde::Serialize;

/// A sample type's name and unit, as the profile has them.
#[derive(Debug, Serialize)]
pub struct TypeNames {
    /// Its name, under the key `type`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its unit.
    pub unit: String,
}
