//! The screen of one profile: title, icicle, details, table, message line, keys.

use crate::app::{ColourBy, ProfileState, Purpose, State, ago, minute};
use crate::model::graph::icicle::Order;
use crate::model::graph::view::{Direction, Identity};
use crate::model::query::search::Mode;
use crate::model::text::share::round_percentage;
use crate::model::text::units::{thousands, value};
use crate::ui::overlays::hints_list;
use crate::ui::screens::{compare, details, icicle, sandwich, source_view, table};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::chrome;
use crate::ui::widgets::search_line::{faulty_search, kept_search};

/// From this many columns on the title has room for all facts of a source map.
const LONG_TITLE: u16 = 140;

/// How often the facts of the title can be made fewer.
const LEAST_FACTS: u8 = 7;

/// Draws the screen of a profile.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, profile: &ProfileState) {
    if let Some(compare) = &profile.compare {
        return compare::draw(c, state, profile, compare);
    }
    title(c, state, profile);
    if let Some(shown) = &profile.code {
        source_view::draw(c, profile, shown);
        chrome::message(c, state, "");
        return chrome::keys(c, state);
    }
    if profile.is_empty() {
        icicle::draw(c, profile);
        details::empty(c, profile, &state.settings.keys);
    } else if let Some(slices) = &profile.sandwich {
        sandwich::draw(c, profile, slices);
    } else {
        icicle::draw(c, profile);
        details::draw(c, profile);
        table::draw(c, profile, &state.settings.columns);
    }
    let count = if state.types(Purpose::Search) {
        counted(c, profile)
    } else {
        String::new()
    };
    let is_taken = chrome::message(c, state, &count);
    if !is_taken
        && state.keys.count.is_none()
        && state.profiles.opening.is_none()
        && !kept_search(c, profile)
    {
        hints_list::line(c, profile, &state.settings.keys);
    }
    faulty_search(c, state, profile);
    chrome::keys(c, state);
}

fn title(c: &mut Canvas<'_>, state: &State, profile: &ProfileState) {
    let chips = profile.filter_chips();
    let name = &profile.source.name;
    let mut right = right(c, state, profile);
    let mut least = 0;
    let mut shown = facts(c, profile, least);
    while least < LEAST_FACTS
        && chrome::title_width(name, &shown, &chips, &right) > c.columns().saturating_sub(1)
    {
        least += 1;
        if least == 4 {
            // The sample type: with others to choose from it says so in the help as well.
            right.pop();
        }
        shown = facts(c, profile, least);
    }
    let idle = (profile.reading.idle != 0).then(|| shown.pop()).flatten();
    chrome::title_with(c, name, &shown, idle.as_deref(), &chips, &right);
}

/// Returns the facts of the title. The higher `least`, the fewer: first the idle time gives way, then the share of the
/// traffic, the samples, (the sample type,) the version's id, the age, the names' source.
fn facts(c: &Canvas<'_>, profile: &ProfileState, least: u8) -> Vec<String> {
    let (source, reading) = (&profile.source, &profile.reading);
    let number = source.common(|capture| capture.target().version_number);
    let id = source.common(|capture| capture.target().version_id.clone());
    let mut facts = profile.facts();
    // The kind and the window stand behind the time.
    let kind = facts.pop();
    if let (Some(number), Some(id)) = (number, id)
        && let Some(fact) = facts.iter_mut().find(|fact| id.starts_with(fact.as_str()))
    {
        *fact = if least < 5 {
            format!("v{number} {fact}")
        } else {
            format!("v{number}")
        };
    }
    if least < 2
        && let Some(share) = source.common(|capture| capture.target().percentage)
    {
        facts.push(format!("{} of traffic", round_percentage(share)));
    }
    // The time of a file of its own is among its facts: its title is the same on any day.
    let then = profile
        .taken_at()
        .filter(|_| source.captures().next().is_some());
    if let Some(then) = then {
        let now = c.now.wall;
        let time = minute(then, now);
        facts.push(if least < 6 {
            format!("{time}, {}", ago(then, now))
        } else {
            time
        });
    }
    facts.extend(kind);
    if least < 3 {
        let samples = thousands(i128::from(reading.samples));
        facts.push(format!("{samples} {}", profile.counts(reading.samples)));
    }
    if let Some(names) = source.names.as_ref().filter(|_| !source.has_bundle_names())
        && least < LEAST_FACTS
    {
        // The whole of it stands in the message line when it comes, and in the details.
        facts.push(if c.columns() >= LONG_TITLE {
            names.summary.clone()
        } else {
            names.by()
        });
    }
    if reading.idle != 0 {
        facts.push(if least < 1 {
            format!("{} idle hidden", value(reading.idle, &profile.unit()))
        } else {
            "idle hidden".to_owned()
        });
    }
    facts
}

/// Returns what is at the right of the title: what runs, and how the view differs from the usual one.
fn right(c: &Canvas<'_>, state: &State, profile: &ProfileState) -> Vec<(String, Role)> {
    let mut right = Vec::new();
    if let Some(chip) = chrome::captures_chip(state, c) {
        right.push((chip, Role::Accent));
    }
    if profile.pending.is_some() || profile.mapping.is_some() {
        right.push(("reading…".to_owned(), Role::Dim));
    }
    let mut dim = |text: &str| right.push((text.to_owned(), Role::Dim));
    if profile.sandwich.is_some() {
        dim("callers and callees");
    } else if profile.view.direction == Direction::BottomUp {
        dim("callers");
    }
    if profile.order == Order::Name {
        dim("A–Z");
    }
    match profile.colours {
        ColourBy::Name => {}
        ColourBy::Package => dim("colour by package"),
        ColourBy::SelfShare => dim("colour by self"),
    }
    match profile.view.by {
        Identity::Function => {}
        Identity::Name => dim("by name"),
        Identity::Line => dim("by line"),
        Identity::File => dim("by file"),
        Identity::Package => dim("by package"),
    }
    if profile.source.has_bundle_names() {
        dim("names of the bundle");
    }
    let more = profile.source.profile.sample_types().len() > 1;
    dim(&format!(
        "{}{}",
        profile.sample_type(),
        if more { " ▾" } else { "" }
    ));
    right
}

/// What stands at the right of the search line.
fn counted(c: &Canvas<'_>, profile: &ProfileState) -> String {
    let Some(search) = &profile.search else {
        return String::new();
    };
    let mode = match search.query.mode {
        Mode::Substring | Mode::Function => "",
        Mode::Word => "whole word   ",
        Mode::Regex => "regex   ",
        Mode::Fuzzy => "fuzzy   ",
    };
    if search.query.text.is_empty() || search.error.is_some() {
        return mode.trim_end().to_owned();
    }
    let reading = &profile.reading;
    let whole = reading.of_capture().share(search.whole.weight);
    let zoom = reading.of_node(profile.zoom).share(search.zoom.weight);
    let plural = |count: usize, one: &str| {
        format!(
            "{} {one}{}",
            thousands(count as i128),
            if count == 1 { "" } else { "s" }
        )
    };
    let frames = plural(search.whole.frames, "frame");
    let shares = if profile.zoom == crate::model::graph::call_tree::NodeId::ROOT {
        format!("{whole} of capture")
    } else {
        format!("{whole} of capture, {zoom} of zoom")
    };
    if c.columns() >= 100 {
        format!(
            "{mode}{}  {frames}   {shares}",
            plural(search.functions, "function")
        )
    } else {
        format!("{mode}{frames}  {shares}")
    }
}
