//! The countdown of the running capture.

use std::time::Instant;

use crate::app::{Capturing, Stage, State};
use crate::model::cloudflare::{CaptureRequest, Kind, short};
use crate::model::text::share::round_percentage;
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};
use crate::ui::widgets::chrome::Sheet;

/// Draws the countdown of the running capture.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, running: &Capturing) {
    let request = &running.request;
    let what = if request.kind == Kind::Cpu {
        "Capturing CPU"
    } else {
        "Capturing heap"
    };
    let title = running.batch.place().map_or_else(
        || what.to_owned(),
        |(at, all)| format!("{what}: {at} of {all}"),
    );
    let at = place(c, state, 8, &title, Role::Accent);
    target(c, state, &at, request);
    if running.stage == Stage::Waiting {
        let text = queued(running, c.now.instant);
        c.put_wrapped(
            Room {
                x: at.x + 1,
                y: at.y + 2,
                width: at.width.saturating_sub(1),
                end: at.end,
            },
            &text,
            Role::Text,
        );
        return;
    }

    let left = running.left(c.now.instant);
    let cells = at.width.saturating_sub(14);
    let window = request.window.as_secs_f64();
    let done = if window > 0.0 {
        1.0 - left.as_secs_f64() / window
    } else {
        1.0
    };
    let used = c.bar(at.x + 1, at.y + 2, cells, done, Role::BarHot);
    let rest = usize::from(cells - used.min(cells));
    c.put(at.x + 1 + used, at.y + 2, &"─".repeat(rest), Role::Rule);
    let text = if left.is_zero() {
        format!(
            "{:.1} s waited",
            running.waited(c.now.instant).as_secs_f64()
        )
    } else {
        format!("{:.1} s left", left.as_secs_f64())
    };
    c.right(at.x + at.width, at.y + 2, &text, Role::Strong);

    let stage = if running.stage == Stage::Sampling && left.is_zero() {
        Stage::Answer
    } else {
        running.stage
    };
    let mut x = at.x + 1;
    for (step, word) in [
        (Stage::Sampling, "sampling"),
        (Stage::Answer, "answer"),
        (Stage::OnDisk, "on disk"),
        (Stage::Open, "open"),
    ] {
        let now = step == stage;
        x = c.put(
            x,
            at.y + 4,
            if now { "●" } else { "·" },
            if now { Role::Accent } else { Role::Dim },
        );
        x = c.put(
            x + 1,
            at.y + 4,
            word,
            if step <= stage { Role::Text } else { Role::Dim },
        ) + 3;
    }
    let whose = if state.is_local() {
        "Its isolate"
    } else {
        "One loaded isolate"
    };
    let how = match request.kind {
        Kind::Cpu => format!("{whose}, a sample each 1 ms; it keeps serving."),
        Kind::Heap => format!("{whose}, a sample each 512 kB allocated; it keeps serving."),
    };
    c.put_wrapped(
        Room {
            x: at.x + 1,
            y: at.y + 5,
            width: at.width - 1,
            end: at.end,
        },
        &how,
        Role::Dim,
    );
}

/// The first line of an overlay about a request.
pub(crate) fn target(c: &mut Canvas<'_>, state: &State, at: &Sheet, request: &CaptureRequest) {
    let x = c.put_in(
        at.x + 1,
        at.y,
        at.width / 2,
        &request.target.worker,
        Role::Strong,
    );
    let room = (at.x + at.width).saturating_sub(x + 2);
    c.put_in(x + 2, at.y, room, &about(state, request), Role::Dim);
}

/// Returns what a request is about, after its Worker's name.
fn about(state: &State, request: &CaptureRequest) -> String {
    let mut parts = vec![
        request
            .target
            .version_id
            .as_deref()
            .map_or("local", short)
            .to_owned(),
    ];
    let details = state.workers.details_of(&request.target.worker);
    if let Some(version) = details.and_then(|d| {
        d.versions
            .iter()
            .find(|v| Some(&v.id) == request.target.version_id.as_ref())
    }) {
        parts.push(format!("v{}", version.number));
        parts.push(format!(
            "{} of traffic",
            round_percentage(version.percentage)
        ));
    }
    if let Some(object) = &request.target.object {
        parts.push(
            object
                .name
                .clone()
                .unwrap_or_else(|| short(&object.object_id).to_owned()),
        );
    }
    parts.join(" · ")
}

/// Returns what a capture waits for.
fn queued(running: &Capturing, now: Instant) -> String {
    let worker = running.behind.as_deref().unwrap_or("this account");
    let left = running
        .free_by
        .and_then(|end| end.checked_duration_since(now))
        .map(|left| format!(", {:.0} s at most", left.as_secs_f64().ceil()));
    format!(
        "Another flarescope is capturing {worker}. Waiting for it to finish{}.",
        left.unwrap_or_default()
    )
}
