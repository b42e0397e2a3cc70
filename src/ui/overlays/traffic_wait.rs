//! Waiting for traffic before a capture is sent.

use crate::app::{State, TrafficWait};
use crate::ui::overlays::capture_progress::target;
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};

/// Draws what is waited for.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, awaiting: &TrafficWait) {
    let at = place(c, state, 8, "Waiting for traffic", Role::Accent);
    if let Some(request) = awaiting.batch.next() {
        target(c, state, &at, request);
    }
    let looks = match awaiting.looks {
        0 => "Not looked yet".to_owned(),
        1 => "Looked once: none so far".to_owned(),
        looks => format!("Looked {looks} times: none so far"),
    };
    let left = awaiting.left(c.now.instant).as_secs_f64().ceil();
    let next = if left > 0.0 {
        format!("next look in {left:.0} s")
    } else {
        "looking…".to_owned()
    };
    c.put_in(
        at.x + 1,
        at.y + 2,
        at.width - 1,
        &format!("{looks} · {next}"),
        Role::Strong,
    );
    let room = at.width.saturating_sub(1);
    let text = awaiting.trouble.as_ref().map_or_else(
        || "As soon as analytics count a request, the capture is sent, once. They are some minutes behind.".to_owned(),
        |trouble| {
            let trouble = state.settings.keys.expand_keys(trouble);
            format!("The last look failed: {trouble}")
        },
    );
    c.put_wrapped(
        Room {
            x: at.x + 1,
            y: at.y + 4,
            width: room,
            end: at.end,
        },
        &text,
        Role::Dim,
    );
}
