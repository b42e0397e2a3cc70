//! The screen: state in, cells out. One file a pane.
//!
//! [`draw`] is a function of the state and the time: it changes nothing, asks for nothing and knows no terminal. Panes
//! draw in Unicode; [`glyphs`] turns a finished screen into ASCII where that is wanted.

pub mod glyphs;
mod overlays;
mod screens;
pub mod screenshot;
pub mod sgr;
pub mod theme;
mod widgets;

use ratatui::buffer::Buffer;
use ratatui::style::Color;

use crate::app::{Command, MIN_COLUMNS, MIN_ROWS, Moment, Overlay, Screen, State, is_too_small};
use crate::ui::glyphs::Glyphs;
use crate::ui::overlays::{capture_facts, help};
use crate::ui::screens::{history, profile, welcome, workers};
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::canvas::{Canvas, Mark, width, wrap};
use crate::ui::widgets::{chrome, first_steps};

/// Draws the whole screen into a buffer that is as large as the state says.
pub fn draw(buffer: &mut Buffer, state: &State, theme: &Theme, glyphs: Glyphs, now: Moment) {
    draw_marked(buffer, state, theme, glyphs, now);
    glyphs.apply(buffer);
}

/// Draws the whole screen for reading without colours: a frame whose end meets bare ground is closed with `▏`, one that the
/// search found begins with `*`.
pub fn draw_plain(buffer: &mut Buffer, state: &State, theme: &Theme, glyphs: Glyphs, now: Moment) {
    for (x, y, mark) in draw_marked(buffer, state, theme, glyphs, now) {
        let Some(cell) = buffer.cell_mut((x, y)) else {
            continue;
        };
        match mark {
            Mark::End if cell.symbol() == " " && cell.bg == Color::Reset => {
                cell.set_symbol("▏");
            }
            Mark::Match if cell.symbol() == "▏" => {
                cell.set_symbol("*");
            }
            Mark::End | Mark::Match => {}
        }
    }
    glyphs.apply(buffer);
}

fn draw_marked(
    buffer: &mut Buffer,
    state: &State,
    theme: &Theme,
    glyphs: Glyphs,
    now: Moment,
) -> Vec<(u16, u16, Mark)> {
    buffer.reset();
    let mut c = Canvas {
        buffer,
        theme,
        glyphs,
        now,
        marks: Vec::new(),
    };
    if is_too_small((c.columns(), c.rows())) {
        too_small(&mut c, state);
    } else {
        screen(&mut c, state);
    }
    c.marks
}

fn screen(c: &mut Canvas<'_>, state: &State) {
    match (state.overlays.top(), state.screen, &state.profile) {
        (Some(Overlay::Help(sheet)), ..) => return help::draw(c, state, sheet),
        (Some(Overlay::Details(scroll)), _, Some(profile)) if !capture_facts::is_meant(profile) => {
            return overlays::details::draw(c, state, profile, *scroll);
        }
        (_, Screen::Profile, Some(profile)) => profile::draw(c, state, profile),
        (_, Screen::History, _) => history::draw(c, state),
        (_, Screen::Workers, _) => workers::draw(c, state),
        (_, Screen::Welcome | Screen::Profile, _) => welcome::draw(c, state),
    }
    if !state.overlays.is_empty() {
        overlays::draw(c, state);
        chrome::message(c, state, &overlays::picker::counted(state));
        chrome::keys(c, state);
    }
    if state.first_steps && state.overlays.is_empty() && state.input.is_none() {
        first_steps::draw(c, state);
    }
    if state.profiles.opening.is_some()
        && state.overlays.is_empty()
        && state.input.is_none()
        && state.notice.is_none()
    {
        let y = c.rows().saturating_sub(2);
        c.put(1, y, "reading the profile…", Role::Dim);
    }
}

/// In the middle, in as many rows as it takes: how large the screen has to be. Where that is more than there is, in short.
fn too_small(c: &mut Canvas<'_>, state: &State) {
    let quit = state.settings.keys.name(Command::Quit);
    let size = format!(
        "flarescope needs {MIN_COLUMNS}×{MIN_ROWS}, this window is {}×{}",
        c.columns(),
        c.rows()
    );
    let long = match state.overlays.top() {
        Some(Overlay::ConfirmQuit) if state.captures.running.is_none() => {
            format!("{size}. A profile is in no file: {quit} leaves.")
        }
        Some(Overlay::ConfirmQuit) => format!("{size}. A capture is running: {quit} leaves."),
        _ => size,
    };
    let texts = [
        long,
        format!("{MIN_COLUMNS}×{MIN_ROWS} needed"),
        format!("{MIN_COLUMNS}×{MIN_ROWS}"),
    ];
    let laid = texts.iter().map(|text| wrap(text, c.columns()));
    let fits = |lines: &Vec<String>| {
        lines.len() <= usize::from(c.rows()) && lines.iter().all(|line| width(line) <= c.columns())
    };
    let Some(lines) = laid.into_iter().find(fits) else {
        return;
    };
    let first = (c.rows() - u16::try_from(lines.len()).unwrap_or(0)) / 2;
    for (y, line) in (first..).zip(&lines) {
        c.put(
            c.columns().saturating_sub(width(line)) / 2,
            y,
            line,
            Role::Text,
        );
    }
}
