//! The table of changes: values of both sides, the change, and bars from a centre line.

use crate::app::{CompareState, Pane, ProfileState};
use crate::model::diff::{Chance, Change, Noise, Pair, Status};
use crate::model::graph::frames::Family;
use crate::model::graph::ranking::Sort;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units::plus;
use crate::model::text::units::{Scaled, column, column_unit};
use crate::model::verdict::{FunctionVerdict, Verdict};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, cut_name, halves, width};
use crate::ui::widgets::columns::change_role;
use crate::ui::widgets::list_rows::selected;

/// Columns of the table: least cells of a value and of a change, and one half of a bar; two cells between values.
const VALUE: u16 = 8;
const CHANGE: u16 = 9;
const BAR: u16 = 8;
/// Most cells of a function's name where its location stands behind it, and least of both.
const FUNCTION: u16 = 44;
const LOCATION: u16 = 16;
/// Cells of a factor, and of what chance says of it: `×1.23 beyond ▴`.
const FACTOR: u16 = 8;
const NOISE: u16 = 14;
/// Cells of a verdict with its glyph.
const VERDICT: u16 = 9;
/// From this width on there is room for change and bars beside factor and noise.
const ALL: u16 = 98;
/// Least cells of a function's name beside a location and noise.
const NAME: u16 = 20;

/// What the columns of the table share.
struct Scale {
    unit: Option<Scaled>,
    /// The change that a full bar stands for.
    full: u64,
    /// Totals instead of own values.
    totals: bool,
    /// Where the columns end or begin, from the table's left edge.
    base_end: u16,
    new_end: u16,
    change_end: Option<u16>,
    /// The end of the factors, and the begin of what chance or verdicts say; own values alone have that.
    judged: Option<(u16, u16)>,
    /// What chance can do, where there is one capture a side.
    chance: Option<Chance>,
    centre: Option<u16>,
    name: u16,
    function: u16,
    location: u16,
}

impl Scale {
    /// Returns the verdict on a row, where there are verdicts.
    fn verdict<'a>(
        &self,
        compare: &'a CompareState,
        profile: &ProfileState,
        change: &Change,
    ) -> Option<&'a FunctionVerdict> {
        let assessment = compare.assessment.as_ref().filter(|_| !self.totals)?;
        assessment.of(&profile.reading.frames.info(change.frame).identity())
    }

    fn pair(&self, change: &Change) -> Pair {
        if self.totals {
            change.total
        } else {
            change.own
        }
    }
}

/// A change in the table, with its sign; zero where it is too small for the unit.
fn signed(change: i64, unit: Option<Scaled>) -> String {
    let text = column(change.into(), unit);
    if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        plus(change.into(), text)
    } else {
        text
    }
}

/// Draws head and rows.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState, compare: &CompareState) {
    let area = profile.geometry.table;
    if area.height == 0 {
        return;
    }
    let scale = scale(profile, compare);
    head(c, profile, &scale);
    let table = &profile.table;
    let rows = usize::from(area.height.saturating_sub(1));
    let start = table.offset.min(table.shown.len().saturating_sub(1));
    let in_icicle = profile.selected_frame();
    for (place, &at) in table.shown.iter().enumerate().skip(start).take(rows) {
        let Some(change) = table.rows.get(at).and_then(|row| compare.change(row.frame)) else {
            continue;
        };
        let y = area.y + 1 + u16::try_from(place - start).unwrap_or(0);
        let focused = profile.pane == Pane::Table;
        let chosen = if focused {
            place == table.selected
        } else {
            in_icicle == Some(change.frame)
        };
        row(c, (profile, compare), &scale, change, y, (chosen, focused));
    }
    if table.shown.is_empty() {
        c.put_in(
            area.x,
            area.y + 1,
            area.width,
            "No function to compare.",
            Role::Dim,
        );
    }
}

fn scale(profile: &ProfileState, compare: &CompareState) -> Scale {
    let totals = profile.table.sort == Sort::Total;
    let pair = |change: &Change| if totals { change.total } else { change.own };
    let pairs = || {
        profile
            .table
            .rows
            .iter()
            .filter_map(|row| compare.change(row.frame))
            .map(pair)
    };
    let most = |of: fn(Pair) -> i64| pairs().map(of).max_by_key(|value| value.unsigned_abs());
    let most = |of| most(of).unwrap_or(0);
    let (base, new, change) = (
        most(|pair| pair.base),
        most(|pair| pair.new),
        most(Pair::change),
    );
    let largest = base.unsigned_abs().max(new.unsigned_abs());
    let unit = column_unit(largest, &profile.unit());
    let symbol = unit.map_or_else(|| profile.unit(), |unit| unit.symbol.to_owned());
    let head = |word: &str| width(word) + 1 + width(&symbol);
    let cells = |value: i64, word: &str| width(&column(value.into(), unit)).max(head(word));
    let base_end = cells(base, "base").max(VALUE);
    let new_end = base_end + 2 + cells(new, "new").max(VALUE);
    // A sign more than the largest change has none.
    let change_end = new_end + 2 + cells(change, "change").max(CHANGE - 1) + 1;
    let room = profile.geometry.table.width;
    let is_judged = compare.assessment.is_some() && !totals;
    let chance = compare.comparison.chance();
    let chance = chance.filter(|_| !totals && !is_judged);
    let has_judged = is_judged || chance.is_some();
    let has_change = !has_judged || room >= ALL;
    let mut end = if has_change { change_end } else { new_end };
    let judged = has_judged.then(|| {
        let factor_end = end + 2 + FACTOR;
        let noise = factor_end + 3;
        end = noise + if is_judged { VERDICT } else { NOISE };
        (factor_end, noise)
    });
    let centre = has_change.then_some(end + 3 + BAR);
    let name = centre.map_or(end + 2, |centre| centre + 1 + BAR + 3);
    let room = room.saturating_sub(name);
    let least = if judged.is_some() { NAME } else { FUNCTION };
    let (function, location) = if has_change && room >= least + 2 + LOCATION {
        let function = least.max((room - 2) * 3 / 5).min(FUNCTION);
        (function, room - function - 2)
    } else {
        (room, 0)
    };
    Scale {
        unit,
        full: change.unsigned_abs(),
        totals,
        base_end,
        new_end,
        change_end: has_change.then_some(change_end),
        judged,
        chance,
        centre,
        name,
        function,
        location,
    }
}

fn head(c: &mut Canvas<'_>, profile: &ProfileState, scale: &Scale) {
    let area = profile.geometry.table;
    let unit = scale
        .unit
        .map_or_else(|| profile.unit(), |unit| unit.symbol.to_owned());
    let (x, y) = (area.x, area.y);
    let by_name = profile.table.sort == Sort::Name;
    let mark = if profile.table.reverse { "▴" } else { "▾" };
    c.right(x + scale.base_end, y, &format!("base {unit}"), Role::Dim);
    c.right(x + scale.new_end, y, &format!("new {unit}"), Role::Dim);
    let role = if by_name { Role::Dim } else { Role::Strong };
    let mut sorted_end = scale.new_end;
    if let Some((factor_end, noise)) = scale.judged {
        let of_factor = if scale.change_end.is_none() {
            role
        } else {
            Role::Dim
        };
        c.right(x + factor_end, y, "factor", of_factor);
        let word = if scale.chance.is_some() {
            "noise"
        } else {
            "verdict"
        };
        c.put(x + noise, y, word, Role::Dim);
        sorted_end = factor_end;
    }
    if let Some(end) = scale.change_end {
        c.right(x + end, y, &format!("change {unit}"), role);
        sorted_end = end;
    }
    if let Some(centre) = scale.centre {
        c.right(x + centre, y, "less", Role::Dim);
        c.put(x + centre + 1, y, "more", Role::Dim);
    }
    let what = if scale.totals {
        "function, with all it calls"
    } else {
        "function, its own lines"
    };
    let role = if by_name { Role::Strong } else { Role::Dim };
    let end = c.put_in(x + scale.name, y, scale.function, what, role);
    crate::ui::widgets::chrome::above(
        c,
        end + 3,
        y,
        x + scale.name + scale.function,
        profile.table.offset,
    );
    c.put(
        if by_name { end + 1 } else { x + sorted_end + 1 },
        y,
        mark,
        Role::Accent,
    );
    if scale.location > 0 {
        c.put(
            x + scale.name + scale.function + 2,
            y,
            "location",
            Role::Dim,
        );
    }
}

fn row(
    c: &mut Canvas<'_>,
    (profile, compare): (&ProfileState, &CompareState),
    scale: &Scale,
    change: &Change,
    y: u16,
    (chosen, focused): (bool, bool),
) {
    let x = profile.geometry.table.x;
    let pair = scale.pair(change);
    let figure = |value: i64, gone: bool| {
        if gone {
            "–".to_owned()
        } else {
            column(value.into(), scale.unit)
        }
    };
    c.right(
        x + scale.base_end,
        y,
        &figure(pair.base, change.status == Status::New),
        Role::Text,
    );
    c.right(
        x + scale.new_end,
        y,
        &figure(pair.new, change.status == Status::Gone),
        Role::Text,
    );
    let text = signed(pair.change(), scale.unit);
    let noise = scale.chance.and_then(|chance| chance.noise(change));
    let verdict = scale.verdict(compare, profile, change);
    let is_within = noise.is_some_and(|noise| noise.is_within)
        || scale.judged.is_some() && scale.chance.is_none() && !is_finding(verdict);
    let role = if text.starts_with(['+', '\u{2212}']) && !is_within {
        change_role(pair.change())
    } else {
        Role::Dim
    };
    if let Some((factor_end, at)) = scale.judged {
        c.right(x + factor_end, y, &change.factor(), role);
        let text = match scale.chance {
            Some(_) => noise_text(change, noise),
            None => verdict_text(verdict).to_owned(),
        };
        c.put_in(x + at, y, NOISE, &text, role);
    }
    if let Some(end) = scale.change_end {
        c.right(x + end, y, &text, role);
    }
    if let Some(centre) = scale.centre {
        bar(c, x + centre, y, pair.change(), scale.full);
    }

    let info = profile.reading.frames.info(change.frame);
    let word = match change.status {
        _ if scale.judged.is_some() => "",
        Status::New => "  new",
        Status::Gone => "  gone",
        _ => "",
    };
    let room = scale.function.saturating_sub(width(word));
    let family = profile.reading.frames.family(change.frame);
    let own = matches!(family, Family::Own | Family::Dependency);
    let name = if scale.location > 0 {
        printable(info.name)
    } else {
        info.fitting_label(|label| width(label) <= room)
    };
    let name = cut_name(&name, room).into_owned() + word;
    let at = x + scale.name;
    if chosen && focused {
        selected(c, at - 1, y, scale.function + 1, &name, true);
    } else {
        c.put_in(
            at,
            y,
            scale.function,
            &name,
            if own { Role::Text } else { Role::Dim },
        );
        if chosen {
            c.put(at - 1, y, "▸", Role::Accent);
        }
    }
    if scale.location > 0 {
        c.put_place(
            at + scale.function + 2,
            y,
            scale.location,
            &info.short_place(),
            Role::Dim,
        );
    }
}

/// The factor that chance reaches, and whether the change is within it.
fn noise_text(change: &Change, noise: Option<Noise>) -> String {
    let Some(Noise { level, is_within }) = noise else {
        return String::new();
    };
    let word = match change.own.change() {
        _ if is_within => "within",
        1.. => "beyond ▴",
        _ => "beyond ▾",
    };
    format!("{} {word}", share::factor(level))
}

/// Whether a function is worse or better.
fn is_finding(verdict: Option<&FunctionVerdict>) -> bool {
    let verdict = verdict.map(|row| row.verdict);
    matches!(verdict, Some(Verdict::Worse | Verdict::Better))
}

/// The verdict with its glyph.
fn verdict_text(verdict: Option<&FunctionVerdict>) -> &'static str {
    match verdict.map(|row| row.verdict) {
        Some(Verdict::Worse) => "worse ▴",
        Some(Verdict::Better) => "better ▾",
        Some(Verdict::Unclear) => "unclear ?",
        Some(Verdict::Moved) => "moved →",
        Some(Verdict::Same) => "same",
        None => "",
    }
}

/// A bar from the centre line: to the right for more, to the left for less.
fn bar(c: &mut Canvas<'_>, centre: u16, y: u16, change: i64, full: u64) {
    c.put(centre, y, "│", Role::Dim);
    let share = if full == 0 {
        0.0
    } else {
        change.unsigned_abs() as f64 / full as f64
    };
    if change >= 0 {
        c.bar(centre + 1, y, BAR, share, Role::More);
        return;
    }
    let halves = halves(BAR, share);
    let text =
        (if halves % 2 == 1 { "╺" } else { "" }).to_owned() + &"━".repeat(usize::from(halves / 2));
    c.right(centre, y, &text, Role::Less);
}
