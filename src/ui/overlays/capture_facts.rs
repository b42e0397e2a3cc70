//! What is known of the capture, or the file, as a whole: the details of the root.

use crate::app::{ProfileState, Selection, State, ago, clock, date, day_of};
use crate::model::cloudflare::{Capture, Metrics};
use crate::model::graph::call_tree::NodeId;
use crate::model::text::share::round_percentage;
use crate::model::text::units::megabytes;
use crate::model::text::units::{counted, thousands, value};
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;

/// Columns of the facts' names.
const NAME: u16 = 11;

/// A fact: its name, its value, and what is dimmed behind that.
type Fact = (&'static str, String, String);

/// Returns whether the details are those of the whole: the root is selected.
pub(crate) fn is_meant(profile: &ProfileState) -> bool {
    profile.selected_frame().is_none() && profile.selection == Selection::Node(NodeId::ROOT)
}

/// Draws the facts over the details and the table; those that find no room are left out from the end.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, profile: &ProfileState) {
    let facts = facts(c, profile);
    let rows = u16::try_from(facts.len()).unwrap_or(u16::MAX) + 1;
    let sheet = place(c, state, rows, "This capture", Role::Accent);
    let end = sheet.x + sheet.width;
    // The blank row below the rule is the first to give way.
    let first = sheet.y - u16::from(sheet.y + rows > sheet.end + 1);
    for (y, (name, value, more)) in (first..sheet.end).zip(facts) {
        c.put_in(sheet.x, y, NAME, name, Role::Dim);
        let x = sheet.x + NAME;
        let x = c.put_in(x, y, end.saturating_sub(x), &value, Role::Text);
        if !more.is_empty() {
            let more = format!(" · {more}");
            c.put_in(x, y, end.saturating_sub(x), &more, Role::Dim);
        }
    }
}

fn facts(c: &Canvas<'_>, profile: &ProfileState) -> Vec<Fact> {
    let source = &profile.source;
    let captures: Vec<&Capture> = source.captures().collect();
    let single = captures.first().filter(|_| source.members.is_empty());
    let mut facts: Vec<Fact> = Vec::new();
    let account = source.common(|capture| capture.provenance.account_name.clone());
    let what = if captures.is_empty() {
        "profile"
    } else {
        "Worker"
    };
    facts.push((what, source.name.clone(), account.unwrap_or_default()));
    if !source.members.is_empty() {
        let many = i128::try_from(source.members.len()).unwrap_or(0);
        facts.push(("of", counted(many, "capture"), String::new()));
    }
    if let Some(number) = source.common(|capture| capture.target().version_number) {
        let share = source.common(|capture| capture.target().percentage);
        let share = share.map(|share| round_percentage(share) + " of traffic at the time");
        facts.push(("version", format!("v{number}"), share.unwrap_or_default()));
    }
    if let Some(id) = source.common(|capture| capture.target().version_id.clone()) {
        facts.push(("id", id, String::new()));
    }
    if let Some(object) = source.common(|capture| capture.target().object.clone()) {
        let name = object.name.unwrap_or_default();
        facts.push(("object", object.object_id, name));
    }
    if let Some(then) = profile.taken_at() {
        let time = format!("{} {}", date(day_of(then)), clock(then));
        facts.push(("taken", time, ago(then, c.now.wall)));
    }
    facts.extend(values(profile));
    if let Some(capture) = single {
        facts.extend(capture.target().metrics.as_ref().map(traffic));
        if let Some(note) = &capture.keeping.note {
            facts.push(("note", note.clone(), String::new()));
        }
        let size = value(capture.bytes.into(), "bytes");
        let path = capture.path.to_string_lossy().into_owned();
        let path = if path.is_empty() {
            "in no file yet: export it".to_owned()
        } else {
            path
        };
        facts.push(("file", size, path));
        facts.push(("sha256", capture.sha256.clone(), String::new()));
    } else if let Some(path) = &source.path {
        let path = path.to_string_lossy().into_owned();
        facts.push(("file", path, String::new()));
    }
    facts
}

/// Returns what the profile itself has: window, samples, busy and idle time, names.
fn values(profile: &ProfileState) -> Vec<Fact> {
    let (reading, unit) = (&profile.reading, profile.unit());
    let window = profile.window().map(|window| {
        let nanoseconds = i128::try_from(window.as_nanos()).unwrap_or(0);
        value(nanoseconds, "nanoseconds")
    });
    let samples = i128::from(reading.samples);
    let functions = i128::try_from(profile.table.rows.len()).unwrap_or(0);
    let share = reading.of_capture().share(reading.shown);
    let idle = (reading.idle != 0).then(|| value(reading.idle, &unit) + " idle hidden");
    let names = profile
        .source
        .names
        .as_ref()
        .map(|names| names.summary.clone());
    vec![
        (
            "window",
            profile.kind().to_string(),
            window.unwrap_or_default(),
        ),
        (
            "samples",
            format!("{} {}", thousands(samples), profile.counts(reading.samples)),
            format!(
                "{}, {} deep",
                counted(functions, "row"),
                reading.tree.height(NodeId::ROOT)
            ),
        ),
        (
            "shown",
            format!("{}, {share} of capture", value(reading.shown, &unit)),
            idle.unwrap_or_default(),
        ),
        (
            "names",
            names.unwrap_or_else(|| "as in the profile".to_owned()),
            String::new(),
        ),
    ]
}

/// Returns the traffic of all isolates when the capture was taken.
fn traffic(metrics: &Metrics) -> Fact {
    let time = |microseconds: f64| value((microseconds * 1e3) as i128, "nanoseconds");
    let memory = metrics
        .memory_p99
        .map(|bytes| format!(" · memory p99 {} MB", megabytes(bytes)));
    (
        "traffic",
        format!("{:.1} req/s", metrics.requests_per_second),
        format!(
            "CPU p50 {}, p99 {}{}",
            time(metrics.cpu_p50_us),
            time(metrics.cpu_p99_us),
            memory.unwrap_or_default()
        ),
    )
}
