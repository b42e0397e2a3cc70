//! The capture form.

use crate::app::{CaptureForm, FormField, State, WINDOWS, age};
use crate::model::cloudflare::Kind;
use crate::model::text::share::round_percentage;
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};
use crate::ui::widgets::chrome::{Sheet, typed};
use crate::ui::widgets::form::{choices, field};

/// Draws the form.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, form: &CaptureForm) {
    let at = place(
        c,
        state,
        // A path wants more rows.
        if state.captures.unkept.is_some() {
            15
        } else {
            12
        },
        &format!("Capture a profile of {}", form.worker),
        Role::Accent,
    );
    let mut y = at.y;
    for line in form.fields() {
        let focused = line == form.field;
        match line {
            FormField::Kind => {
                let x = field(c, &at, y, "kind", focused);
                choices(
                    c,
                    x,
                    y,
                    &["cpu".to_owned(), "heap".to_owned()],
                    usize::from(form.kind == Kind::Heap),
                    focused,
                );
            }
            FormField::Window => {
                let x = field(c, &at, y, "window", focused);
                let items: Vec<String> = WINDOWS.iter().map(|s| format!("{s} s")).collect();
                choices(c, x, y, &items, form.window, focused);
            }
            FormField::Version => {
                let x = field(c, &at, y, "version", focused);
                version_line(c, form, x, y, &at, focused);
            }
            FormField::Class => {
                let x = field(c, &at, y, "object", focused);
                let any = std::iter::once("any isolate".to_owned());
                let items: Vec<String> = any
                    .chain(form.details.namespaces.iter().map(|n| n.class().to_owned()))
                    .collect();
                choices(c, x, y, &items, form.class, focused);
            }
            FormField::Object => {
                let x = field(c, &at, y, "name/id", focused);
                typed(
                    c,
                    x + 1,
                    y,
                    at.width.saturating_sub(12),
                    &form.object,
                    focused,
                );
            }
            FormField::Sides => {
                let x = field(c, &at, y, "canary", focused);
                let items = ["no".to_owned(), "compare both versions".to_owned()];
                choices(c, x, y, &items, usize::from(form.both), focused);
            }
            FormField::Count => {
                let x = field(c, &at, y, "repeat", focused);
                let count = if form.both { 1 } else { form.count };
                choices(c, x, y, &[count.to_string()], 0, focused);
            }
        }
        y += 1;
    }
    meaning(c, &at, y + 1, state, form);
}

fn version_line(c: &mut Canvas<'_>, form: &CaptureForm, x: u16, y: u16, at: &Sheet, focused: bool) {
    let Some(version) = form.chosen() else {
        let text = if form.trouble.is_some() {
            "not known"
        } else {
            "loading its versions…"
        };
        c.put(x + 1, y, text, Role::Dim);
        return;
    };
    if let Some((larger, smaller)) = form.sides().filter(|_| form.both) {
        let end = c.put(x + 1, y, larger.short_id(), Role::Strong) + 1;
        let end = c.put(end, y, &round_percentage(larger.percentage), Role::Dim) + 2;
        let end = c.put(end, y, smaller.short_id(), Role::Strong) + 1;
        c.put(end, y, &round_percentage(smaller.percentage), Role::Dim);
        return;
    }
    let end = if focused {
        c.put(
            x,
            y,
            &format!("[{}]", version.short_id()),
            Role::SelectedRow,
        )
    } else {
        c.put(x + 1, y, version.short_id(), Role::Strong) + 1
    };
    let about = format!(
        "v{} · {} of traffic · {}",
        version.number,
        round_percentage(version.percentage),
        age(version.created_on, c.now.wall)
    );
    c.put_in(
        end + 1,
        y,
        (at.x + at.width).saturating_sub(end + 1),
        &about,
        Role::Dim,
    );
}

fn meaning(c: &mut Canvas<'_>, at: &Sheet, mut y: u16, state: &State, form: &CaptureForm) {
    let (warns, lines) = form.meaning();
    let mut x = at.x + 1;
    if warns {
        c.put(x, y, "!", Role::Warn);
        x += 2;
    }
    for line in lines {
        let line = state.settings.keys.expand_keys(&line);
        y = c.put_wrapped(
            Room {
                x,
                y,
                width: (at.x + at.width).saturating_sub(x),
                end: at.end,
            },
            &line,
            Role::Text,
        );
    }
    for text in state.captures.unkept.clone().into_iter().chain(turn(state)) {
        if y >= at.end {
            break;
        }
        c.put(at.x + 1, y, "!", Role::Warn);
        y = c.put_wrapped(
            Room {
                x: at.x + 3,
                y,
                width: at.width.saturating_sub(3),
                end: at.end,
            },
            &text,
            Role::Text,
        );
    }
}

/// Returns what has to end before another capture begins.
fn turn(state: &State) -> Option<String> {
    if let Some(running) = &state.captures.running {
        let before = match state.captures.waiting.len() {
            0 => String::new(),
            waiting => format!(
                " and {waiting} that {}",
                if waiting == 1 { "waits" } else { "wait" }
            ),
        };
        return Some(format!(
            "It waits for the capture of {}{before}: one at a time.",
            running.request.target.worker
        ));
    }
    let worker = state.captures.elsewhere.as_ref()?;
    let what = if worker.is_empty() {
        "This account".to_owned()
    } else {
        worker.clone()
    };
    Some(format!(
        "{what} is being captured elsewhere; this one waits for its turn."
    ))
}
