//! Signs before changed values.

/// Returns `text` with a plus sign if `number` is positive; a negative text has its sign already.
pub(super) fn plus(number: i128, text: String) -> String {
    if number > 0 { format!("+{text}") } else { text }
}
