//! The parts that every screen has: title, message line, keys, overlays.

use crate::app::{
    Command, Completions, FooterKeys, Input, Purpose, Stage, State, footer_of, key_context,
};
use crate::model::text::sanitize::printable;
use crate::model::text::units::thousands;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width, wrap};

/// Rows that a notice may take.
const NOTICE_ROWS: usize = 4;

/// Rows that the offers for a path may take.
const OFFER_ROWS: usize = 6;

/// Draws the title row: name, facts that fit, chips, and what is at the right.
pub(crate) fn title(
    c: &mut Canvas<'_>,
    name: &str,
    facts: &[String],
    chips: &[String],
    right: &[(String, Role)],
) {
    title_with(c, name, facts, None, chips, right);
}

/// As [`title`], with a last fact that stays when others give way: what is left out has to be shown.
pub(crate) fn title_with(
    c: &mut Canvas<'_>,
    name: &str,
    facts: &[String],
    stays: Option<&str>,
    chips: &[String],
    right: &[(String, Role)],
) {
    let mut end = c.columns().saturating_sub(1);
    for (text, role) in right.iter().rev() {
        end = c.right(end, 0, text, *role).saturating_sub(2);
    }
    let chip_room: u16 = chips.iter().map(|chip| width(chip) + 2).sum();
    let facts_end = end.saturating_sub(chip_room.min(end / 2));
    let mut x = c.put_in(1, 0, facts_end.saturating_sub(2), name, Role::Title);
    let stays_room = stays.map_or(0, |fact| width(fact) + 3);
    let fitting = facts.iter().scan(x, |end, fact| {
        *end += 3 + width(fact);
        (*end + stays_room <= facts_end).then_some(fact.as_str())
    });
    for fact in fitting.chain(stays) {
        x = c.put(x, 0, " · ", Role::Dim);
        x = c.put_in(x, 0, facts_end.saturating_sub(x), fact, Role::Dim);
    }
    for chip in chips {
        let room = end.saturating_sub(x + 2);
        if room < 4 {
            break;
        }
        x = c.put_in(x + 2, 0, room, chip, Role::Accent);
    }
}

/// Returns the cells that a title's facts take beside its name, chips and what is at the right.
pub(crate) fn title_width(
    name: &str,
    facts: &[String],
    chips: &[String],
    right: &[(String, Role)],
) -> u16 {
    let facts: u16 = facts.iter().map(|fact| width(fact) + 3).sum();
    let chips: u16 = chips.iter().map(|chip| width(chip) + 2).sum();
    let right: u16 = right.iter().map(|(text, _)| width(text) + 2).sum();
    2 + width(name) + facts + chips + right
}

/// Returns the chip of captures that run or wait while the user works elsewhere.
pub(crate) fn captures_chip(state: &State, c: &Canvas<'_>) -> Option<String> {
    if !state.overlays.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    if let Some(running) = &state.captures.running {
        let worker = &running.request.target.worker;
        let left = running.left(c.now.instant);
        let place = running
            .batch
            .place()
            .map_or_else(String::new, |(at, all)| format!(" {at} of {all}"));
        parts.push(if running.stage == Stage::Waiting {
            format!("{worker} waits for its turn")
        } else if left.is_zero() {
            format!("waiting for {worker}{place}")
        } else {
            format!(
                "capturing {worker}{place} {:.0} s",
                left.as_secs_f64().ceil()
            )
        });
    }
    match state.captures.waiting.len() {
        0 => {}
        waiting if state.captures.running.is_some() => parts.push(format!("{waiting} waiting")),
        waiting => parts.push(format!("{waiting} captures waiting")),
    }
    if let Some(awaiting) = &state.captures.traffic_wait {
        parts.push(format!("{} waits for traffic", awaiting.worker()));
    }
    (!parts.is_empty()).then(|| format!("[{}]", parts.join(" · ")))
}

/// Returns the rows of the last line that fit: extras are left out first, then others from the end.
fn fitting(mut rows: Vec<FooterKeys>, room: u16) -> Vec<FooterKeys> {
    let end = |rows: &[FooterKeys]| {
        let cells = |row: &FooterKeys| width(&row.keys) + width(&row.label) + 3;
        rows.iter().map(cells).sum::<u16>().saturating_sub(1)
    };
    while end(&rows) > room {
        let extra = rows.iter().rposition(|row| row.is_extra);
        rows.remove(extra.unwrap_or(rows.len() - 1));
    }
    rows
}

/// Draws the last row: the keys in force that fit; help always does.
pub(crate) fn keys(c: &mut Canvas<'_>, state: &State) {
    let y = c.rows().saturating_sub(1);
    let context = key_context(state);
    let keys = &state.settings.keys;
    // Where text is typed the key for help is a character.
    let help = Some(keys.name(Command::Help)).filter(|key| !context.is_text() && !key.is_empty());
    let end = c.columns().saturating_sub(1);
    let room = help.as_ref().map_or(end, |key| {
        end.saturating_sub(width(key) + width(" help") + 2)
    });
    let mut x = 1;
    for row in fitting(footer_of(state), room) {
        x = c.put(x, y, &row.keys, Role::Key);
        x = c.put(x + 1, y, &row.label, Role::Dim) + 2;
    }
    if let Some(key) = help {
        let at = c.right(end, y, "help", Role::Dim);
        c.right(at.saturating_sub(1), y, &key, Role::Key);
    }
}

/// Draws the message line: the line that is typed, else a notice. Returns whether it is shown.
pub(crate) fn message(c: &mut Canvas<'_>, state: &State, count: &str) -> bool {
    let y = c.rows().saturating_sub(2);
    if let Some(input) = &state.input {
        let offers = input.offers.as_ref();
        let warning = state.notice.as_ref().filter(|notice| notice.warns);
        let beside = warning
            .map(|notice| state.settings.keys.expand_keys(&notice.text))
            .or_else(|| offers.map(Completions::count));
        line(c, input, beside.as_deref().unwrap_or(count));
        if let Some(offers) = offers {
            offered(c, y, offers);
        }
        return true;
    }
    if let Some(n) = state.keys.count {
        c.right(
            c.columns().saturating_sub(1),
            y,
            &n.to_string(),
            Role::Accent,
        );
    }
    let Some(notice) = &state.notice else {
        return false;
    };
    let x = if notice.warns { 3 } else { 1 };
    let room = c.columns().saturating_sub(x + 1);
    let lines = wrap(&state.settings.keys.expand_keys(&notice.text), room);
    // What takes more than its line lies over the rows above until the next key.
    let more = u16::try_from(lines.len().min(NOTICE_ROWS))
        .unwrap_or(1)
        .saturating_sub(1)
        .min(y);
    let first = y - more;
    if more > 0 {
        c.clear(0, first, c.columns(), more);
    }
    if notice.warns {
        c.put(1, first, "!", Role::Warn);
    }
    for (row, line) in (first..=y).zip(lines) {
        c.put_in(x, row, room, &line, Role::Text);
    }
    true
}

/// Says how many rows of a list are out of sight above, if any, from a column of its head on. What has no room is left out.
pub(crate) fn above(c: &mut Canvas<'_>, x: u16, y: u16, end: u16, hidden: usize) {
    let text = format!("▴ {} more", thousands(hidden as i128));
    if hidden > 0 && x + width(&text) <= end {
        c.put(x, y, &text, Role::Dim);
    }
}

/// Draws the names that a path can go on as, over the rows above its line; those that find no room are counted.
fn offered(c: &mut Canvas<'_>, below: u16, offers: &Completions) {
    let room = c.columns().saturating_sub(2);
    let names: Vec<String> = offers
        .names
        .iter()
        .map(|name| printable(name).into_owned())
        .collect();
    let widest = names
        .iter()
        .map(|name| width(name))
        .max()
        .unwrap_or(0)
        .min(room);
    let columns = usize::from(((room + 2) / (widest + 2)).max(1));
    let rows = names
        .len()
        .div_ceil(columns)
        .min(OFFER_ROWS)
        .min(usize::from(below));
    let first = below - u16::try_from(rows).unwrap_or(0);
    c.clear(0, first, c.columns(), below - first);
    let shown = if rows * columns < names.len() {
        (rows * columns).saturating_sub(1)
    } else {
        names.len()
    };
    let more = names.len() - shown;
    let more_chip = (more > 0).then(|| format!("+{more}"));
    let cells = names
        .iter()
        .take(shown)
        .map(|name| (name, Role::Text))
        .chain(more_chip.iter().map(|more| (more, Role::Dim)));
    for (at, (text, role)) in cells.enumerate() {
        let row = first + u16::try_from(at / columns).unwrap_or(0);
        let x = 1 + u16::try_from(at % columns).unwrap_or(0) * (widest + 2);
        c.put_in(x, row, widest, text, role);
    }
}

fn line(c: &mut Canvas<'_>, input: &Input, count: &str) {
    let y = c.rows().saturating_sub(2);
    let end = c.columns().saturating_sub(1);
    // What is typed comes first, up to half of the line; what is said of it is cut rather than lying over that.
    let most = end.saturating_sub((width(&input.text) + 5).min(end / 2));
    let count_at = if count.is_empty() {
        end
    } else if width(count) > most {
        c.put_in(end - most, y, most, count, Role::Text);
        end - most
    } else {
        c.right(end, y, count, Role::Text)
    };
    let prompt = match input.purpose {
        Purpose::Search
        | Purpose::WorkerFilter
        | Purpose::CodeSearch
        | Purpose::HistoryFilter
        | Purpose::HelpFilter
        | Purpose::ThemeFilter => "/",
        Purpose::Rename => "name: ",
        Purpose::Note => "note: ",
        Purpose::OpenFile => "open file: ",
        Purpose::SourceMap => "source map: ",
        Purpose::Account => "account: ",
        Purpose::Object => "object: ",
        Purpose::Palette | Purpose::Field => ":",
    };
    let x = c.put(1, y, prompt, Role::Key);
    typed(c, x, y, count_at.saturating_sub(x + 2), input, true);
}

/// Draws a typed text with its cursor; of one that is too long, the part around the cursor.
pub(crate) fn typed(c: &mut Canvas<'_>, x: u16, y: u16, room: u16, input: &Input, focused: bool) {
    let (head, tail) = input.text.split_at(input.cursor.min(input.text.len()));
    let room = room.saturating_sub(1);
    let mut head_shown = head;
    let is_cut = width(head) > room;
    // What is left out in front is shown in one cell.
    while is_cut && width(head_shown) + 1 > room && !head_shown.is_empty() {
        let mut rest = head_shown.chars();
        rest.next();
        head_shown = rest.as_str();
    }
    let mut at = if is_cut {
        c.put(x, y, "…", Role::Dim)
    } else {
        x
    };
    at = c.put(at, y, head_shown, Role::Strong);
    if focused {
        at = c.put(at, y, "▏", Role::Accent);
    }
    let left = (x + room + 1).saturating_sub(at);
    c.put_in(at, y, left, tail, Role::Strong);
}

/// An overlay over the lower part of a screen: one rule with the title in it, no box.
pub(crate) struct Sheet {
    /// First column.
    pub(crate) x: u16,
    /// First row below the rule and a blank one.
    pub(crate) y: u16,
    /// Columns.
    pub(crate) width: u16,
    /// The row after the last.
    pub(crate) end: u16,
}

/// Clears the area of an overlay and draws its rule.
pub(crate) fn sheet(
    c: &mut Canvas<'_>,
    x: u16,
    y: u16,
    columns: u16,
    title: &str,
    role: Role,
) -> Sheet {
    let end = c.rows().saturating_sub(2);
    c.clear(
        x.saturating_sub(1),
        y,
        columns + 2,
        c.rows().saturating_sub(y + 1),
    );
    let rule = c.theme.style(role);
    c.put_styled(x, y, "── ", rule, u16::MAX);
    let after = c.put_in(x + 3, y, columns.saturating_sub(5), title, Role::Strong);
    let rest = (x + columns).saturating_sub(after + 1);
    c.put_styled(after + 1, y, &"─".repeat(usize::from(rest)), rule, u16::MAX);
    Sheet {
        x,
        y: y + 2,
        width: columns,
        end,
    }
}
