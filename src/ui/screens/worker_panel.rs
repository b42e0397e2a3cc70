//! What is known of the selected Worker: traffic, versions, Durable Objects, captures on disk.

use crate::app::core::layout::Area;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::screens::workers::DetailRow;
use crate::app::{Failure, Load, Section, State};
use crate::model::cloudflare::{Kind, Metrics};
use crate::model::text::share::percentage;
use crate::model::text::units::thousands;
use crate::model::text::units::{megabytes, millis, rate};
use crate::ui::screens::worker_rows::{Spot, capture, namespace, version};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width};
use crate::ui::widgets::chrome;

/// Versions that stay above a sheet.
const VERSIONS_ABOVE_SHEET: usize = 3;
/// The class of the rows that stand for Durable Objects.
const OBJECTS: usize = 1;
/// Cells that section names take on a low screen, where they stand beside their rows.
const GUTTER: u16 = 10;

/// Draws the pane; `brief`: the versions only, as a sheet lies below. Returns the first free row.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, pane: Area, brief: bool) -> u16 {
    let Some(worker) = state.workers.current() else {
        return pane.y;
    };
    let tall = state.size.0 >= 100;
    let name_end = c.put_in(pane.x, pane.y, pane.width, &worker.name, Role::Strong);
    // Where a version has the focus, the figures are its own.
    let version = match (
        state.detail_rows().get(focused_row(state)),
        state.workers.section,
    ) {
        (Some(DetailRow::Version(version)), Section::Details(_)) => {
            version.metrics.map(|f| (f, version.number))
        }
        _ => None,
    };
    let name_end = match version {
        Some((_, number)) => c.put(name_end, pane.y, &format!(" v{number}"), Role::Strong),
        None => name_end,
    };
    let metrics = version.map(|(metrics, _)| metrics).or(worker.metrics);
    if let Some(f) = metrics {
        let text = if f.requests_per_second > 0.0 {
            format!(
                "{} req/s · p50 {} · p99 {} ms · ≈ {:.1} cores",
                rate(f.requests_per_second),
                millis(f.cpu_p50_us),
                millis(f.cpu_p99_us),
                f.cores()
            )
        } else {
            "no requests in the last 15 min".to_owned()
        };
        if name_end + 2 + width(&text) <= pane.x + pane.width {
            c.right(pane.x + pane.width, pane.y, &text, Role::Dim);
        }
    }
    let mut y = pane.y + if tall { 2 } else { 1 };
    if let Some((warns, text)) = metrics
        .and_then(|f| health(f, pane.width.saturating_sub(2)))
        .filter(|(warns, _)| *warns || tall)
    {
        let row = pane.y + 1;
        let x = if warns {
            c.put(pane.x, row, "!", Role::Warn) + 1
        } else {
            pane.x
        };
        c.put_in(
            x,
            row,
            (pane.x + pane.width).saturating_sub(x),
            &text,
            if warns { Role::Text } else { Role::Dim },
        );
        y += 1;
    }
    if state.workers.held {
        y = held(c, state, pane, y) + u16::from(tall);
    }
    match state.workers.current_details() {
        _ if state.is_local() => y = local_isolate(c, state, pane, y),
        None | Some(Load::Idle) => return y,
        Some(Load::Running(_)) => {
            c.put(pane.x, y, "loading its versions…", Role::Dim);
            y += 2;
        }
        Some(Load::Failed(failure)) => {
            y = missing(c, state, pane, y, failure) + 1;
        }
        Some(Load::Ready(_)) if worker.deployed_on.is_none() => {
            c.put_in(
                pane.x,
                y,
                pane.width,
                "Never deployed: there is nothing to profile.",
                Role::Text,
            );
            y += 2;
        }
        Some(Load::Ready(_)) => {}
    }
    let notes = state
        .workers
        .current_details()
        .and_then(Load::ready)
        .map_or(&[][..], |details| &details.notes);
    let notes = if brief { &[][..] } else { notes };
    // What could not be loaded is shown however many rows there are.
    let panel = Panel {
        area: pane,
        tall,
        brief,
        notes,
    };
    sections(c, state, &panel, y)
}

/// The pane as it is drawn.
struct Panel<'a> {
    area: Area,
    /// Whether each section has a heading of its own row.
    tall: bool,
    /// The versions only, as an overlay lies below.
    brief: bool,
    /// What can't be had of the Durable Objects.
    notes: &'a [Message],
}

/// Draws what can't be had of the Durable Objects, with their rows. Returns the row after it.
fn left_out(c: &mut Canvas<'_>, state: &State, at: Area, mut y: u16, notes: &[Message]) -> u16 {
    for note in notes {
        let note = state.settings.keys.expand_keys(note);
        y = c.put_wrapped(
            Room {
                x: at.x,
                y,
                width: at.width,
                end: at.y + at.height,
            },
            &note,
            Role::Dim,
        );
    }
    y
}

/// Why there are no versions, and what helps. Returns the row after it.
fn missing(c: &mut Canvas<'_>, state: &State, pane: Area, y: u16, failure: &Failure) -> u16 {
    let end = pane.y + pane.height;
    let at = c.put(pane.x, y, "!", Role::Warn) + 1;
    let room = (pane.x + pane.width).saturating_sub(at);
    let text = state.settings.keys.expand_keys(&message![
        "Could not load its versions; ",
        Command::Refresh,
        " retries. ",
        failure.brief(),
    ]);
    let y = c.put_wrapped(
        Room {
            x: at,
            y,
            width: room,
            end,
        },
        &text,
        Role::Text,
    );
    failure.hint.as_ref().map_or(y, |hint| {
        c.put_wrapped(
            Room {
                x: at,
                y,
                width: room,
                end,
            },
            &state.settings.keys.expand_keys(hint),
            Role::Dim,
        )
    })
}

/// Says of the selected isolate what a capture of it means. Returns the first free row.
fn local_isolate(c: &mut Canvas<'_>, state: &State, pane: Area, y: u16) -> u16 {
    let Some(found) = state
        .workers
        .current()
        .and_then(|row| state.workers.isolate(&row.name))
    else {
        return y;
    };
    let text = match found.obstacle {
        Some(why) => format!("It can't be profiled: {}.", why.words()),
        None => {
            "One isolate, with all Durable Objects of this Worker. Send it requests while it is captured.".to_owned()
        }
    };
    c.put_wrapped(
        Room {
            x: pane.x,
            y,
            width: pane.width,
            end: pane.y + pane.height,
        },
        &text,
        Role::Dim,
    ) + 1
}

/// The row of the pane that has the focus.
const fn focused_row(state: &State) -> usize {
    match state.workers.section {
        Section::Details(at) => at,
        Section::List => 0,
    }
}

/// What tells CPU from heap: errors, memory against its limit, requests that ran out of something, as far as there is room. And
/// whether it warns.
fn health(f: Metrics, room: u16) -> Option<(bool, String)> {
    if f.requests_per_second <= 0.0 {
        return None;
    }
    let errors = format!("{} errors", percentage(f.error_share()));
    let memory = f
        .memory_p99
        .map(|bytes| format!("memory p99 {} MB", megabytes(bytes)));
    let exceeded =
        (f.exceeded > 0).then(|| format!("{} over a limit", thousands(i128::from(f.exceeded))));
    let suspect = f.suspect();
    // What decides comes first: a narrow pane leaves out the rest.
    let parts = match suspect {
        Some(Kind::Heap) => [memory, exceeded, Some(errors)],
        Some(Kind::Cpu) => [exceeded, memory, Some(errors)],
        None => [Some(errors), memory, exceeded],
    };
    let what = suspect.map_or_else(String::new, |kind| format!("capture {kind}: "));
    let mut parts: Vec<String> = parts.into_iter().flatten().collect();
    while parts.len() > 1 && width(&what) + width(&parts.join(" · ")) > room {
        parts.pop();
    }
    Some((suspect.is_some(), format!("{what}{}", parts.join(" · "))))
}

/// Why nothing more is shown: the calls that are left are spared.
fn held(c: &mut Canvas<'_>, state: &State, pane: Area, y: u16) -> u16 {
    let left = state.workers.quota.map_or_else(String::new, |quota| {
        let until = quota
            .resets_in(c.now.instant)
            .map(|time| format!(", for the next {} s", time.as_secs()));
        let (left, all) = (
            thousands(i128::from(quota.remaining)),
            thousands(i128::from(quota.limit)),
        );
        format!(
            "{left} of the {all} API calls of all your tools are left{}. ",
            until.unwrap_or_default()
        )
    });
    let text = state.settings.keys.expand_keys(&message![
        "Details are not loaded while you move: ",
        Command::Open,
        " or ",
        Command::Refresh,
        " loads those of this Worker.",
    ]);
    let text = format!("{left}{text}");
    let x = c.put(pane.x, y, "!", Role::Warn) + 1;
    c.put_wrapped(
        Room {
            x,
            y,
            width: (pane.x + pane.width).saturating_sub(x),
            end: pane.y + pane.height,
        },
        &text,
        Role::Text,
    )
}

fn sections(c: &mut Canvas<'_>, state: &State, panel: &Panel<'_>, mut y: u16) -> u16 {
    let &Panel {
        area: pane,
        tall,
        brief,
        notes,
    } = panel;
    let rows = state.detail_rows();
    let focus = match state.workers.section {
        Section::Details(at) => Some(at),
        Section::List => None,
    };
    let end = pane.y + pane.height;
    let classes = [
        rows.iter()
            .take_while(|r| matches!(r, DetailRow::Version(_)))
            .count(),
        rows.iter()
            .filter(|r| matches!(r, DetailRow::Namespace(_)))
            .count(),
        rows.iter()
            .filter(|r| matches!(r, DetailRow::Capture(_)))
            .count(),
    ];
    let focused = focus.map(|at| match rows.get(at) {
        Some(DetailRow::Version(_)) => 0,
        Some(DetailRow::Namespace(_)) => 1,
        _ => 2,
    });
    // Over the whole width also on a low screen: a failure with its reason and its ray takes all of it.
    let beside = Area {
        x: pane.x + 1,
        width: pane.width.saturating_sub(1),
        ..pane
    };
    let text: u16 = notes
        .iter()
        .map(|note| width(&state.settings.keys.expand_keys(note)) / beside.width.max(1) + 1)
        .sum();
    let free = end
        .saturating_sub(y)
        .saturating_sub(text.min(pane.height / 3));
    let mut room = shares(classes, usize::from(free), tall, focused);
    if brief {
        room = [room[0].min(VERSIONS_ABOVE_SHEET), 0, 0];
    }
    let mut first = 0;
    for (class, &count) in classes.iter().enumerate() {
        let shown = room[class].min(count);
        let notes = if class == OBJECTS { notes } else { &[] };
        if shown == 0 || y >= end {
            first += count;
            let after = left_out(c, state, beside, y, notes);
            y = after + u16::from(tall && after > y);
            continue;
        }
        // The selected row is always among those shown.
        let here = focus
            .and_then(|at| at.checked_sub(first))
            .filter(|at| *at < count);
        let start = here.map_or(0, |at| (at + 1).saturating_sub(shown));
        let hidden = count - start - shown;
        if !tall && shown > 1 {
            gutter(c, pane.x, y + 1, start, hidden);
        }
        y = heading(c, state, panel, y, class, (count, start));
        for (at, row) in rows.iter().enumerate().skip(first + start).take(shown) {
            let x = pane.x + if tall { 0 } else { GUTTER };
            let spot = Spot {
                x,
                y,
                end: pane.x + pane.width,
                focused: focus == Some(at),
            };
            match row {
                DetailRow::Version(v) => version(c, state, v, spot, at == 0),
                DetailRow::Namespace(n) => namespace(c, n, spot),
                DetailRow::Capture(kept) => capture(c, kept, spot),
            }
            y += 1;
        }
        if hidden > 0 && tall && !brief && y < end {
            c.put(pane.x + 1, y, &format!("▾ {hidden} more"), Role::Dim);
            y += 1;
        }
        y = left_out(c, state, beside, y, notes);
        y += u16::from(tall && class < 2);
        first += count;
    }
    y
}

/// How many rows are out of sight above and below, in the gutter under a section's name.
fn gutter(c: &mut Canvas<'_>, x: u16, y: u16, above: usize, below: usize) {
    let text = match (above, below) {
        (0, 0) => return,
        (above, 0) => format!("▴ {above} more"),
        (0, below) => format!("▾ {below} more"),
        (above, below) => format!("▴{above} ▾{below}"),
    };
    c.put_in(x, y, GUTTER, &text, Role::Dim);
}

/// Rows that a section without the focus takes at most: old versions must not push the captures off the screen.
const UNFOCUSED: [usize; 3] = [5, 5, 8];
/// The same on a low screen.
const UNFOCUSED_LOW: [usize; 3] = [3, 1, 2];

/// How many rows each section gets: those with the focus as many as there are, the others a few, as far as there is room.
fn shares(counts: [usize; 3], room: usize, tall: bool, focused: Option<usize>) -> [usize; 3] {
    let few = if tall { UNFOCUSED } else { UNFOCUSED_LOW };
    let wanted: [usize; 3] = std::array::from_fn(|i| {
        if focused == Some(i) {
            counts[i]
        } else {
            counts[i].min(few[i])
        }
    });
    // On a high screen each section that is there costs its heading, a blank row and a line that counts the rest.
    let overhead = if tall {
        counts.iter().filter(|n| **n > 0).count() * 3
    } else {
        0
    };
    let mut left = room.saturating_sub(overhead);
    let mut given = [0; 3];
    while left > 0 && (0..3).any(|i| given[i] < wanted[i]) {
        for i in 0..3 {
            if given[i] < wanted[i] && left > 0 {
                given[i] += 1;
                left -= 1;
            }
        }
    }
    if tall {
        // What nobody else needs goes to the first that is cut.
        for (given, count) in given.iter_mut().zip(counts) {
            let more = (count - *given).min(left);
            *given += more;
            left -= more;
        }
    }
    given
}

fn heading(
    c: &mut Canvas<'_>,
    state: &State,
    panel: &Panel<'_>,
    y: u16,
    class: usize,
    (count, above): (usize, usize),
) -> u16 {
    let &Panel {
        area: pane, tall, ..
    } = panel;
    let name = ["Versions", "Durable Objects", "Captures"][class.min(2)];
    if !tall {
        c.put(
            pane.x,
            y,
            ["versions", "objects", "captures"][class.min(2)],
            Role::Accent,
        );
        return y;
    }
    let name_end = c.put(pane.x, y, name, Role::Accent);
    chrome::above(c, name_end + 2, y, pane.x + pane.width / 2, above);
    let note = match class {
        0 => {
            let details = state.workers.current_details().and_then(Load::ready);
            let serving = details.map_or(0, |d| {
                d.versions.iter().filter(|v| v.percentage > 0.0).count()
            });
            format!("{count} kept, {serving} serving")
        }
        1 => format!("{count} {}", if count == 1 { "class" } else { "classes" }),
        _ => format!("{count} on disk"),
    };
    c.right(pane.x + pane.width, y, &note, Role::Dim);
    y + 1
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn a_section_is_cut_only_where_room_is_short() {
        assert_eq!(shares([12, 0, 3], 40, true, None), [12, 0, 3]);
        assert_eq!(shares([12, 0, 3], 16, true, None), [7, 0, 3]);
        assert_eq!(shares([12, 0, 9], 19, true, None), [5, 0, 8]);
        assert_eq!(shares([12, 0, 3], 10, false, None), [3, 0, 2]);
    }
}
