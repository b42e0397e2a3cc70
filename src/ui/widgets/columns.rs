//! Changes as columns have them.

use crate::model::diff::Pair;
use crate::model::text::share;
use crate::model::text::units::signed;
use crate::ui::theme::Role;

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

/// Returns the role of a changed value.
pub(crate) const fn change_role(change: i64) -> Role {
    match change {
        0 => Role::Dim,
        1.. => Role::More,
        _ => Role::Less,
    }
}
