//! A comparison of two profiles: red and blue frames, what is selected on both sides, the largest changes.

use crate::app::screens::profile::facts::seconds;
use crate::app::{CompareState, Pane, ProfileState, Purpose, Selection, Source, State, age};
use crate::model::cloudflare::short;
use crate::model::diff::{Change, Pair, Width};
use crate::model::graph::view::Identity;
use crate::model::text::units::signed;
use crate::model::text::units::{counted as counted_of, value};
use crate::model::verdict::Options;
use crate::ui::screens::{compare_table, icicle};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, cut, width};
use crate::ui::widgets::chrome;
use crate::ui::widgets::columns::{change, change_role};
use crate::ui::widgets::search_line::{faulty_search, kept_search};

/// From this many columns on, both sides have their age, and the colours a legend.
const WIDE: u16 = 100;

/// Most cells of a side's name in the title.
const NAME: u16 = 20;

/// Draws the screen of a comparison.
pub(crate) fn draw(
    c: &mut Canvas<'_>,
    state: &State,
    profile: &ProfileState,
    compare: &CompareState,
) {
    title(c, state, profile, compare);
    icicle::draw(c, profile);
    details(c, profile, compare);
    compare_table::draw(c, profile, compare);
    let count = if state.types(Purpose::Search) {
        counted(profile)
    } else {
        String::new()
    };
    let is_taken = chrome::message(c, state, &count);
    if !is_taken
        && state.keys.count.is_none()
        && state.profiles.opening.is_none()
        && !kept_search(c, profile)
    {
        largest(c, profile, compare);
    }
    faulty_search(c, state, profile);
    chrome::keys(c, state);
}

fn title(c: &mut Canvas<'_>, state: &State, profile: &ProfileState, compare: &CompareState) {
    let alike = compare.base.name == profile.source.name;
    let version = |side: &Source| version(side, alike);
    let aged = |side: &Source| match &side.capture {
        Some(capture) => format!(
            "{} {} ago",
            version(side),
            age(capture.provenance.answered_at, c.now.wall)
        ),
        None => version(side),
    };
    let window = profile
        .window()
        .map_or_else(String::new, |window| format!(" {}", seconds(window)));
    let both = format!("{} → {}", version(&compare.base), version(&profile.source));
    // Of two targets neither is the title: a narrow row has room for both, but not for one of them twice.
    let (name, mut facts) = if c.columns() >= WIDE {
        let sides = vec![
            format!("base {}", aged(&compare.base)),
            format!("new {}", aged(&profile.source)),
        ];
        (profile.source.name.clone(), sides)
    } else if alike {
        (profile.source.name.clone(), vec![both])
    } else {
        (both, Vec::new())
    };
    facts.push(format!("{}{window}", profile.source.kind_name()));
    let chips = profile.filter_chips();
    let mut right = Vec::new();
    if let Some(chip) = chrome::captures_chip(state, c) {
        right.push((chip, Role::Accent));
    }
    let mut dim = |text: &str| right.push((text.to_owned(), Role::Dim));
    if profile.pending.is_some() {
        dim("reading…");
    }
    match profile.view.by {
        Identity::Function => {}
        Identity::Name => dim("by name"),
        Identity::Line => dim("by line"),
        Identity::File => dim("by file"),
        Identity::Package => dim("by package"),
    }
    dim(&profile.sample_type());
    dim(if compare.comparison.is_normalised() {
        "equal totals"
    } else {
        "as recorded"
    });
    let has_idle = profile.view.hide_idle && compare.comparison.has_idle();
    let idle = has_idle.then_some("idle hidden");
    chrome::title_with(c, &name, &facts, idle, &chips, &right);
}

/// Returns what a side of the title is called: its version, beside its name where the sides have two, and how many captures
/// it was merged from.
fn version(side: &Source, alike: bool) -> String {
    let name = cut(&side.name, NAME);
    let number = side.common(|capture| capture.target().version_number);
    let id = side.common(|capture| capture.target().version_id.clone());
    let id = id.as_deref().map(short);
    let version = match (number, id) {
        (Some(number), Some(_)) if !side.members.is_empty() => Some(format!("v{number}")),
        (_, id) => id.map(str::to_owned),
    };
    let called = match version {
        Some(version) if alike => version,
        Some(version) => format!("{name} {version}"),
        None => name.into_owned(),
    };
    match side.members.len() {
        0 => called,
        count => format!("{called}, {}", counted_of(count as i128, "capture")),
    }
}

/// What is selected on both sides, and what the colours mean.
fn details(c: &mut Canvas<'_>, profile: &ProfileState, compare: &CompareState) {
    let area = profile.geometry.details;
    if area.height == 0 {
        return;
    }
    let end = legend(c, profile, compare, area.x + area.width, area.y);
    let unit = profile.unit();
    let frames = &profile.reading.frames;
    let of_row = profile
        .table
        .current()
        .filter(|_| profile.pane == Pane::Table)
        .map(|row| row.frame);
    let (name, total, own) = match (of_row, profile.selection) {
        (Some(frame), _) => {
            let Some(change) = compare.change(frame) else {
                return;
            };
            (
                frames.label(frame).into_owned(),
                change.total,
                Some(change.own),
            )
        }
        (None, Selection::Node(node)) => {
            let name = profile
                .reading
                .tree
                .frame(node)
                .map_or("all that is shown".into(), |frame| frames.label(frame));
            (
                name.into_owned(),
                compare.comparison.total(node),
                Some(compare.comparison.own(node)),
            )
        }
        (None, Selection::Collected(collected)) => {
            let nodes = collected.nodes(&profile.reading.tree, frames, profile.order);
            let sum = nodes
                .iter()
                .map(|node| compare.comparison.total(*node))
                .fold(Pair::default(), |sum, pair| Pair {
                    base: sum.base + pair.base,
                    new: sum.new + pair.new,
                });
            (
                format!(
                    "{} under one cell",
                    counted_of(i128::from(collected.count), "frame")
                ),
                sum,
                None,
            )
        }
    };
    let both = |pair: Pair| {
        format!(
            "{} → {}",
            value(pair.base.into(), &unit),
            value(pair.new.into(), &unit)
        )
    };
    let x = c.put_in(
        area.x,
        area.y,
        end.saturating_sub(area.x),
        &name,
        Role::Strong,
    );
    let x = c.put_in(
        x + 2,
        area.y,
        end.saturating_sub(x + 2),
        &both(total),
        Role::Text,
    );
    c.put_in(
        x + 3,
        area.y,
        end.saturating_sub(x + 3),
        &change(total, &unit),
        change_role(total.change()),
    );
    if area.height >= 2 {
        let y = area.y + 1;
        let below = match profile.rows_below() {
            0 => String::new(),
            1 => "▾ 1 row".to_owned(),
            rows => format!("▾ {}", counted_of(i128::from(rows), "row")),
        };
        c.right(area.x + area.width, y, &below, Role::Dim);
        if let Some(own) = own {
            let x = c.put(area.x, y, "self", Role::Dim);
            let x = c.put(x + 1, y, &both(own), Role::Text);
            c.put(x + 3, y, &change(own, &unit), change_role(own.change()));
        }
    }
}

/// The colours from less to more, and what widths tell; answers the column before which there is room.
fn legend(
    c: &mut Canvas<'_>,
    profile: &ProfileState,
    compare: &CompareState,
    end: u16,
    y: u16,
) -> u16 {
    let width = match compare.width() {
        Width::Larger => "width larger",
        Width::New => "width new",
        Width::Base => "width base",
    };
    let mut x = c.right(end, y, width, Role::Dim);
    if profile.geometry.details.width + 2 < WIDE {
        return x.saturating_sub(2);
    }
    let steps = [
        (" more ", Role::DiffMore3),
        ("  ", Role::DiffMore2),
        ("  ", Role::DiffMore1),
        (" same ", Role::DiffSame),
        ("  ", Role::DiffLess1),
        ("  ", Role::DiffLess2),
        (" less ", Role::DiffLess3),
    ];
    x = x.saturating_sub(1);
    for (text, role) in steps {
        x = c.right(x, y, text, role);
    }
    x.saturating_sub(2)
}

/// Returns the largest changes of self values, if there is no other message.
fn largest(c: &mut Canvas<'_>, profile: &ProfileState, compare: &CompareState) {
    let unit = profile.unit();
    let (up, down) = &compare.largest;
    let describe = |change: &Change| {
        let name = profile.reading.frames.label(change.frame);
        format!("{} in {name}", signed(change.own.change().into(), &unit))
    };
    let both: Vec<String> = [up, down].into_iter().flatten().map(describe).collect();
    let chance = compare.comparison.chance();
    let text = if profile.table.rows.is_empty() {
        "Nothing is shown of either.".to_owned()
    } else if both.is_empty() {
        "No change: every function has the same values in both.".to_owned()
    } else if let Some(assessment) = &compare.assessment {
        let noun = profile.noun();
        assessment.sentence(Options::default(), noun)
    } else if let Some(chance) = chance {
        let chance = chance.to_string();
        let with = format!("{}; {chance}", both.join("; "));
        // What chance can do comes first: without it the largest changes mislead.
        if width(&with) + 4 <= c.columns() {
            with
        } else {
            chance
        }
    } else {
        both.join("; ")
    };
    let y = c.rows().saturating_sub(2);
    let x = c.put(1, y, "!", Role::Warn);
    c.put_in(
        x + 1,
        y,
        c.columns().saturating_sub(x + 2),
        &text,
        Role::Text,
    );
}

/// What stands at the right of the search line.
fn counted(profile: &ProfileState) -> String {
    let Some(search) = &profile.search else {
        return String::new();
    };
    if search.error.is_some() || search.query.text.is_empty() {
        return String::new();
    }
    let functions = counted_of(search.functions as i128, "function");
    format!(
        "{functions}, {}",
        counted_of(search.whole.frames as i128, "frame")
    )
}
