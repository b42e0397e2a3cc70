//! Metrics and places as columns have them.

use crate::model::diff::Pair;
use crate::model::text::share;
use crate::model::text::units::{thousands, value};
use crate::ui::theme::Role;

/// Requests a second: whole from ten on, else one decimal, so that a quiet Worker is not a silent one.
pub(crate) fn rate(per_second: f64) -> String {
    let whole = (per_second - per_second.round()).abs() < 0.05;
    if per_second >= 9.95 || per_second == 0.0 || (whole && per_second >= 0.95) {
        thousands(per_second.round() as i128)
    } else if per_second < 0.05 {
        "<0.1".to_owned()
    } else {
        format!("{per_second:.1}")
    }
}

/// Returns bytes as whole MB of a million, as the limit is written.
pub(crate) fn megabytes(bytes: f64) -> String {
    thousands((bytes / 1e6).round() as i128)
}

/// Microseconds as milliseconds with one decimal.
pub(crate) fn millis(us: f64) -> String {
    let tenths = (us / 100.0).round() as i128;
    format!("{}.{}", thousands(tenths / 10), tenths % 10)
}

/// Returns a change with its direction, and as a factor or a percentage.
pub(crate) fn change(pair: Pair, unit: &str) -> String {
    let change = i128::from(pair.change());
    let mark = match change {
        0 => return "no change".to_owned(),
        1.. => "▴ ",
        _ => "▾ ",
    };
    let relative = share::change(pair.base.into(), pair.new.into());
    let relative = relative.map_or_else(String::new, |change| format!("  {change}"));
    format!("{mark}{}{relative}", signed(change, unit))
}

/// Returns a change with its sign and unit.
pub(crate) fn signed(change: i128, unit: &str) -> String {
    plus(change, value(change, unit))
}

/// Returns a figure with its sign, also where it is more.
pub(crate) fn plus(change: i128, text: String) -> String {
    if change > 0 { format!("+{text}") } else { text }
}

/// Returns the role of a changed value.
pub(crate) const fn change_role(change: i64) -> Role {
    match change {
        0 => Role::Dim,
        1.. => Role::More,
        _ => Role::Less,
    }
}
