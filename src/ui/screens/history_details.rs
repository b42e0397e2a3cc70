//! What is known of the capture that is selected in the history.

use crate::app::core::dates::{date, day_of};
use crate::app::screens::history::baseline::version;
use crate::app::screens::profile::facts::seconds;
use crate::app::{age, clock};
use crate::model::cloudflare::{Capture, short};
use crate::model::text::share::round_percentage;
use crate::model::text::units;
use crate::model::text::units::{millis, rate};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width};

/// Returns what the samples of a capture are called.
pub(crate) fn counts(capture: &Capture) -> &'static str {
    match &capture.summary {
        Some(summary) if summary.sample_type.1 == "bytes" => {
            if summary.samples == 1 {
                "object"
            } else {
                "objects"
            }
        }
        Some(summary) if summary.samples == 1 => "sample",
        _ => "samples",
    }
}

/// Draws all that is known of the selected capture: what it is of, when and from where, and what was noted.
pub(crate) fn draw(c: &mut Canvas<'_>, capture: &Capture, y: u16, lines: u16) {
    if lines == 0 {
        return;
    }
    let room = c.columns().saturating_sub(2);
    let keeping = &capture.keeping;
    let named = keeping.title.as_ref();
    let x = c.put_in(
        1,
        y,
        room / 2,
        named.unwrap_or(&capture.target().worker),
        Role::Strong,
    );
    let mut facts: Vec<String> = named
        .map(|_| capture.target().worker.clone())
        .into_iter()
        .collect();
    facts.extend(
        version(capture).map(|version| match capture.target().percentage {
            Some(share) => format!("{version}, {} of traffic", round_percentage(share)),
            None => version,
        }),
    );
    facts.extend(capture.target().object.as_ref().map(|object| {
        object
            .name
            .clone()
            .unwrap_or_else(|| object.object_id.clone())
    }));
    let kind = capture.provenance.kind.map(|kind| kind.to_string());
    facts.extend(
        [kind, capture.provenance.window.map(seconds)]
            .into_iter()
            .flatten()
            .reduce(|kind, window| format!("{kind} {window}")),
    );
    facts.extend(capture.summary.as_ref().map(|s| {
        format!(
            "{} {}",
            units::thousands(i128::from(s.samples)),
            counts(capture)
        )
    }));
    // What has no room is left out whole; half a number would be another number.
    let room_here = room.saturating_sub(x + 1);
    if width(&facts.join(" · ")) > room_here
        && let Some(version) = version(capture)
    {
        facts
            .iter_mut()
            .filter(|fact| fact.starts_with(&version))
            .for_each(|fact| fact.clone_from(&version));
    }
    while facts.len() > 1 && width(&facts.join(" · ")) > room_here {
        facts.pop();
    }
    c.put_in(x + 2, y, room_here, &facts.join(" · "), Role::Dim);
    if lines == 1 {
        return;
    }
    let mut facts = vec![
        format!(
            "{} {}",
            date(day_of(capture.provenance.answered_at)),
            clock(capture.provenance.answered_at)
        ),
        format!("{} ago", age(capture.provenance.answered_at, c.now.wall)),
        units::value(i128::from(capture.bytes), "bytes"),
    ];
    facts.extend(capture.target().metrics.map(|f| {
        format!(
            "then {} req/s, p99 {} ms",
            rate(f.requests_per_second),
            millis(f.cpu_p99_us)
        )
    }));
    facts.extend(capture.provenance.account_name.clone().or_else(|| {
        capture
            .provenance
            .account_id
            .as_deref()
            .map(|id| short(id).to_owned())
    }));
    facts.extend(keeping.pinned.then(|| "pinned".to_owned()));
    while facts.len() > 1 && width(&facts.join(" · ")) > room {
        facts.pop();
    }
    c.put_in(1, y + 1, room, &facts.join(" · "), Role::Dim);
    let mut x = 1;
    if let Some(damage) = &keeping.damage {
        c.put(x, y + 2, "!", Role::Warn);
        x = c.put_in(3, y + 2, room.saturating_sub(2), damage, Role::Text) + 2;
    }
    if let Some(note) = &keeping.note {
        c.put_in(x, y + 2, (room + 1).saturating_sub(x), note, Role::Text);
    }
}
