//! What making room for a capture came to, in words.

use crate::model::text::units;
use crate::store::Room;

/// What is to be told; `None` where everything had its place.
#[must_use]
pub fn told(room: &Room) -> Option<String> {
    let size = |bytes: u64| units::value(i128::from(bytes), "bytes");
    let removed = match room.removed.as_slice() {
        [] => None,
        [one] => Some(format!(
            "{}, the capture used longest ago ({}), was removed",
            one.worker,
            size(one.bytes)
        )),
        more => Some(format!(
            "{} captures used longest ago ({}) were removed",
            more.len(),
            size(more.iter().map(|capture| capture.bytes).sum())
        )),
    };
    let quota = size(room.quota);
    match (removed, room.over) {
        (None, None) => None,
        (Some(removed), None) => Some(format!("{removed}, as all of them may take {quota}.")),
        (None, Some(now)) => Some(format!(
            "The captures take {} of {quota}: the rest is pinned or damaged.",
            size(now)
        )),
        (Some(removed), Some(now)) => Some(format!(
            "{removed}; the rest still takes {} of {quota} and is pinned or damaged.",
            size(now)
        )),
    }
}
