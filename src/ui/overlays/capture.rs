//! The sheets of a capture: its form, the countdown, waiting for traffic, why no profile came, leaving while it runs.

use crate::app::overlays::capture_form::percentage;
use crate::app::{
    Awaiting, Capturing, Command, Failure, Form, FormField, Origin, Stage, State, WINDOWS, age,
};
use crate::model::cloudflare::{CaptureRequest, Kind, short};
use crate::ui::overlays::{choices, field, place, wrapped};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::chrome::{Sheet, typed};

/// Draws the form.
pub(crate) fn form(c: &mut Canvas<'_>, state: &State, form: &Form) {
    let at = place(
        c,
        state,
        // A path wants more rows.
        if state.unkept.is_some() { 15 } else { 12 },
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
                let items = ["one version".to_owned(), "both, compared".to_owned()];
                choices(c, x, y, &items, usize::from(form.both), focused);
            }
            FormField::Count => {
                let x = field(c, &at, y, "in a row", focused);
                let count = if form.both { 1 } else { form.count };
                choices(c, x, y, &[count.to_string()], 0, focused);
            }
        }
        y += 1;
    }
    meaning(c, &at, y + 1, state, form);
}

fn version_line(c: &mut Canvas<'_>, form: &Form, x: u16, y: u16, at: &Sheet, focused: bool) {
    let Some(version) = form.chosen() else {
        let text = if form.trouble.is_some() {
            "not known"
        } else {
            "asking for its versions…"
        };
        c.put(x + 1, y, text, Role::Dim);
        return;
    };
    if let Some((larger, smaller)) = form.sides().filter(|_| form.both) {
        let end = c.put(x + 1, y, larger.short_id(), Role::Strong) + 1;
        let end = c.put(
            end,
            y,
            &format!("{} %", percentage(larger.percentage)),
            Role::Dim,
        ) + 2;
        let end = c.put(end, y, smaller.short_id(), Role::Strong) + 1;
        c.put(
            end,
            y,
            &format!("{} %", percentage(smaller.percentage)),
            Role::Dim,
        );
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
        "v{} · {} % of traffic · {}",
        version.number,
        percentage(version.percentage),
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

fn meaning(c: &mut Canvas<'_>, at: &Sheet, mut y: u16, state: &State, form: &Form) {
    let (warns, lines) = form.meaning();
    let mut x = at.x + 1;
    if warns {
        c.put(x, y, "!", Role::Warn);
        x += 2;
    }
    for line in lines {
        let line = state.settings.keys.told(&line);
        y = wrapped(
            c,
            x,
            y,
            (at.x + at.width).saturating_sub(x),
            at.end,
            &line,
            Role::Text,
        );
    }
    for text in state.unkept.clone().into_iter().chain(turn(state)) {
        if y >= at.end {
            break;
        }
        c.put(at.x + 1, y, "!", Role::Warn);
        y = wrapped(
            c,
            at.x + 3,
            y,
            at.width.saturating_sub(3),
            at.end,
            &text,
            Role::Text,
        );
    }
}

/// What has to end before another capture begins.
fn turn(state: &State) -> Option<String> {
    if let Some(running) = &state.capturing {
        let before = match state.waiting.len() {
            0 => String::new(),
            waiting => format!(
                " and {waiting} that {}",
                if waiting == 1 { "waits" } else { "wait" }
            ),
        };
        return Some(format!(
            "It waits for the capture of {}{before}: one at a time.",
            running.request.worker
        ));
    }
    let worker = state.elsewhere.as_ref()?;
    let what = if worker.is_empty() {
        "This account".to_owned()
    } else {
        worker.clone()
    };
    Some(format!(
        "{what} is being captured elsewhere; this one waits for its turn."
    ))
}

/// What a request is about, after its Worker's name.
fn about(state: &State, request: &CaptureRequest) -> String {
    let mut parts = vec![request.version.as_deref().map_or("local", short).to_owned()];
    let details = state.workers.details_of(&request.worker);
    if let Some(version) = details.and_then(|d| {
        d.versions
            .iter()
            .find(|v| Some(&v.id) == request.version.as_ref())
    }) {
        parts.push(format!("v{}", version.number));
        parts.push(format!("{} % of traffic", percentage(version.percentage)));
    }
    if let Some(object) = &request.object {
        parts.push(
            object
                .name
                .clone()
                .unwrap_or_else(|| short(&object.object_id).to_owned()),
        );
    }
    parts.join(" · ")
}

/// The first line of a sheet about a request.
fn target(c: &mut Canvas<'_>, state: &State, at: &Sheet, request: &CaptureRequest) {
    let x = c.put_in(at.x + 1, at.y, at.width / 2, &request.worker, Role::Strong);
    let room = (at.x + at.width).saturating_sub(x + 2);
    c.put_in(x + 2, at.y, room, &about(state, request), Role::Dim);
}

/// Draws the countdown of the running capture.
pub(crate) fn countdown(c: &mut Canvas<'_>, state: &State, running: &Capturing) {
    let request = &running.request;
    let what = if request.kind == Kind::Cpu {
        "Capturing CPU"
    } else {
        "Capturing heap"
    };
    let title = running.series.place().map_or_else(
        || what.to_owned(),
        |(at, all)| format!("{what}: {at} of {all}"),
    );
    let at = place(c, state, 8, &title, Role::Accent);
    target(c, state, &at, request);
    if running.stage == Stage::Waiting {
        let worker = running.behind.as_deref().unwrap_or("This account");
        let text = format!(
            "{worker} is being captured by another copy of flarescope. One at a time: this one begins then."
        );
        wrapped(
            c,
            at.x + 1,
            at.y + 2,
            at.width.saturating_sub(1),
            at.end,
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
    wrapped(c, at.x + 1, at.y + 5, at.width - 1, at.end, &how, Role::Dim);
}

/// Draws what is waited for.
pub(crate) fn awaiting(c: &mut Canvas<'_>, state: &State, awaiting: &Awaiting) {
    let at = place(c, state, 8, "Waiting for traffic", Role::Accent);
    if let Some(step) = awaiting.series.next() {
        target(c, state, &at, &step.request);
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
        |trouble| format!("The last look told nothing: {trouble}"),
    );
    wrapped(c, at.x + 1, at.y + 4, room, at.end, &text, Role::Dim);
}

/// Draws the question whether to leave while a capture runs.
pub(crate) fn ask_quit(c: &mut Canvas<'_>, state: &State) {
    let unsaved = "It could be written nowhere, and is lost when you leave.";
    let captures = state.capturing.is_some();
    let title = if captures {
        "A capture is running"
    } else {
        "A profile is in no file"
    };
    let at = place(c, state, 8, title, Role::ErrorRule);
    let (text, ends) = match state.session.origin {
        _ if !captures => (unsaved, true),
        // The stand-in is a part of this program.
        Origin::Demo => (
            "The demo ends with the program, and the capture with it.",
            true,
        ),
        _ => (
            "It goes on without you, and will be among the captures (C).",
            false,
        ),
    };
    let mut y = wrapped(c, at.x + 1, at.y, at.width - 1, at.end, text, Role::Strong);
    let left_out = match running_series(state) + state.waiting.len() {
        0 => None,
        1 => Some("One more that waits is not sent.".to_owned()),
        several => Some(format!("{several} more that wait are not sent.")),
    };
    if let Some(text) = left_out {
        y = wrapped(c, at.x + 1, y, at.width - 1, at.end, &text, Role::Text);
    }
    if captures && state.is_unsaved() {
        let text = format!("A profile is in no file. {unsaved}");
        y = wrapped(c, at.x + 1, y, at.width - 1, at.end, &text, Role::Text);
    }
    let leave = if !captures {
        "leave, the profile is lost"
    } else if ends {
        "leave, the capture is lost"
    } else {
        "leave, and let it go on"
    };
    let keys = &state.settings.keys;
    let to_file = format!("stay; {} writes it to a file", keys.name(Command::Export));
    let ways: &[(Command, &str)] = if captures {
        &[
            (Command::Quit, leave),
            (Command::CancelCapture, "cancel it"),
            (Command::Dismiss, "stay, and wait for it"),
        ]
    } else {
        &[(Command::Quit, leave), (Command::Dismiss, &to_file)]
    };
    for (command, text) in ways.iter().copied() {
        y += 1;
        if y >= at.end {
            break;
        }
        c.put(at.x + 1, y, &keys.name(command), Role::Key);
        c.put(at.x + 6, y, text, Role::Text);
    }
}

/// Captures of the running series that come after the running one.
fn running_series(state: &State) -> usize {
    let running = state.capturing.as_ref();
    running.map_or(0, |running| {
        running
            .series
            .steps
            .len()
            .saturating_sub(running.series.kept.len() + 1)
    })
}

/// Draws a failure and what can be done.
pub(crate) fn failure(c: &mut Canvas<'_>, state: &State, failure: &Failure) {
    let steps = steps(c, failure);
    let at = place(c, state, 12, failure.kind.title(), Role::ErrorRule);
    let room = at.width.saturating_sub(1);
    // What can be done is seen, however much there is to say.
    let last = at
        .end
        .saturating_sub(u16::try_from(steps.len()).unwrap_or(0));
    let mut y = wrapped(
        c,
        at.x + 1,
        at.y,
        room,
        last,
        &failure.message,
        Role::Strong,
    );
    if let Some(evidence) = &failure.evidence {
        y = wrapped(c, at.x + 1, y, room, last, evidence, Role::Dim);
    }
    if let Some(hint) = &failure.hint {
        y = wrapped(c, at.x + 1, y + 1, room, last, hint, Role::Text);
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

/// What can be done about a failure: the key's command, what it does, and whether it comes first.
fn steps(c: &Canvas<'_>, failure: &Failure) -> Vec<(Command, String, bool)> {
    let pause = failure
        .pause(c.now.instant)
        .map(|left| left.as_secs_f64().ceil());
    let mut steps = Vec::new();
    if let Some(step) = &failure.step {
        steps.push(match pause.filter(|_| step.is_again()) {
            Some(left) => (
                Command::NextStep,
                format!("{} in {left:.0} s", step.offer()),
                false,
            ),
            None => (Command::NextStep, step.offer().to_owned(), true),
        });
    }
    if failure.can_repeat()
        && !failure
            .step
            .as_ref()
            .is_some_and(crate::app::NextStep::is_again)
    {
        let part = failure
            .series
            .as_ref()
            .filter(|series| !series.kept.is_empty())
            .and_then(|series| series.place());
        let text = part.map_or_else(
            || "try the same again".to_owned(),
            |(at, all)| format!("try {at} of {all} again, and go on"),
        );
        steps.push((Command::Refresh, text, false));
    }
    steps.push((Command::CopyName, "copy this text".to_owned(), false));
    steps
}
