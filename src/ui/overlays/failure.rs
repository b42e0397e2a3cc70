//! What went wrong, and what can be done.

use crate::app::{Command, Failure, State};
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};

/// Draws a failure and what can be done.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, failure: &Failure) {
    let steps = steps(c, state, failure);
    let at = place(c, state, 12, failure.kind.title(), Role::ErrorRule);
    let room = at.width.saturating_sub(1);
    // What can be done is seen, however much there is to say.
    let last = at
        .end
        .saturating_sub(u16::try_from(steps.len()).unwrap_or(0));
    let mut y = c.put_wrapped(
        Room {
            x: at.x + 1,
            y: at.y,
            width: room,
            end: last,
        },
        &state.settings.keys.expand_keys(&failure.message),
        Role::Strong,
    );
    if let Some(evidence) = &failure.evidence {
        y = c.put_wrapped(
            Room {
                x: at.x + 1,
                y,
                width: room,
                end: last,
            },
            evidence,
            Role::Dim,
        );
    }
    if let Some(hint) = &failure.hint {
        y = c.put_wrapped(
            Room {
                x: at.x + 1,
                y: y + 1,
                width: room,
                end: last,
            },
            &state.settings.keys.expand_keys(hint),
            Role::Text,
        );
    }
    y = (y + 1).min(last);
    for (command, text, first) in steps {
        c.put(at.x + 1, y, &state.settings.keys.name(command), Role::Key);
        c.put_in(
            at.x + 8,
            y,
            room.saturating_sub(7),
            &text,
            if first { Role::Strong } else { Role::Text },
        );
        y += 1;
    }
}

/// Returns what can be done about a failure: the key's command, what it does, and whether it comes first.
fn steps(c: &Canvas<'_>, state: &State, failure: &Failure) -> Vec<(Command, String, bool)> {
    let pause = failure
        .pause(c.now.instant)
        .map(|left| left.as_secs_f64().ceil());
    let mut steps = Vec::new();
    if let Some(step) = &failure.step {
        let offer = state.settings.keys.expand_keys(step.offer());
        steps.push(match pause.filter(|_| step.is_again()) {
            Some(left) => (Command::NextStep, format!("{offer} in {left:.0} s"), false),
            None => (Command::NextStep, offer, true),
        });
    }
    if failure.retry.is_some()
        && !failure
            .step
            .as_ref()
            .is_some_and(crate::app::NextStep::is_again)
    {
        let part = failure
            .batch()
            .filter(|batch| !batch.kept.is_empty())
            .and_then(|batch| batch.place());
        let text = part.map_or_else(
            || "try the same again".to_owned(),
            |(at, all)| format!("try {at} of {all} again, and go on"),
        );
        steps.push((Command::Refresh, text, false));
    }
    steps.push((Command::CopyName, "copy this text".to_owned(), false));
    steps
}
