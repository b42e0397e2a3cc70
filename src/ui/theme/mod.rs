//! Themes: how each situation on the screen looks, read from TOML.
//!
//! Owns the theme files and their colours; the user's own come in as texts, as this room reads no files. Widgets never name a colour: they ask for a [`Role`]. A theme knows nothing
//! of the screen's contents. Weak point: the sixteen named colours are the user's own, so their contrast can't be
//! promised.

mod depth;
mod file;
mod role;
mod themes;

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};

pub use depth::Depth;
pub use role::Role;
pub use themes::{OwnTheme, Themes};

use crate::model::text::fuzzy::did_you_mean;
use crate::model::text::mistakes::Mistake;
use crate::ui::glyphs::Glyphs;
use file::{Entry, Look};

/// Why a theme could not be had at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThemeError {
    /// No theme has this name.
    #[error("no theme is called `{name}`{}", .nearest.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// The requested name.
        name: String,
        /// A known name that may be meant.
        nearest: Option<String>,
    },
    /// The file inherits from a theme that there is not.
    #[error("{file}:{line}: no theme is called `{name}`{}", .nearest.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default())]
    Parent {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The name it inherits from.
        name: String,
        /// A known name that may be meant.
        nearest: Option<String>,
    },
    /// The file inherits from itself, over however many others.
    #[error("{file}:{line}: it inherits from itself")]
    Circle {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// The file is no TOML.
    #[error("{file}:{line}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
}

/// A theme with what was wrong in its files.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The theme, complete.
    pub theme: Theme,
    /// Mistakes that were passed over.
    pub warnings: Vec<Mistake>,
}

/// A theme in one depth of colour: the style of each role.
#[derive(Debug, Clone)]
pub struct Theme {
    name: String,
    depth: Depth,
    styles: Vec<Style>,
    matches_alike: bool,
    ground: Ground,
}

/// The terminal's own two colours, which no theme sets: what a picture is drawn on, and plain text in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Colour of the empty screen.
    pub bg: (u8, u8, u8),
    /// Colour of plain text.
    pub fg: (u8, u8, u8),
}

impl Theme {
    /// Lists the names of the embedded themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        themes::EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// Loads an embedded theme.
    ///
    /// # Errors
    /// [`ThemeError::Unknown`] if there is no theme of that name.
    pub fn load(name: &str, depth: Depth) -> Result<Loaded, ThemeError> {
        Themes::default().load(name, depth)
    }

    /// Returns the theme's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the depth its colours are in.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the ground it is made for, for pictures.
    #[must_use]
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// Returns how a role looks. Without colours the style holds modifiers only.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// Returns how a frame of this role looks when the search found it: as ever, or, where colours can't tell matches
    /// from the rest, all alike.
    #[must_use]
    pub fn match_style(&self, role: Role) -> Style {
        self.style(if self.matches_alike {
            Role::FrameMatch
        } else {
            role
        })
    }

    /// Returns the ink that draws a frame's ground on the bare ground, for an end in eighths of a cell.
    #[must_use]
    pub fn end_style(&self, role: Role) -> Style {
        end_ink(self.style(role))
    }

    /// Returns how the label of the selected frame looks on a frame of this style.
    #[must_use]
    pub fn selected_on(&self, frame: Style) -> Style {
        let hollow = frame.bg.is_none() && !frame.add_modifier.contains(Modifier::REVERSED);
        self.style(if hollow {
            Role::SelectedHollow
        } else {
            Role::Selected
        })
    }

    /// Returns what to draw in the last, partly filled cell of a frame whose style is `frame`; `None` leaves it bare.
    ///
    /// `eighths` is how much of the cell the frame fills, 1 to 7. A frame that shows by its outline only, and any frame
    /// in ASCII, has no part of a cell: its end is rounded.
    #[must_use]
    pub fn end(&self, frame: Style, eighths: u8, glyphs: Glyphs) -> Option<(&'static str, Style)> {
        let filled = frame.bg.is_some() || frame.add_modifier.contains(Modifier::REVERSED);
        match glyphs.eighths(eighths) {
            Some(part) if filled => Some((part, end_ink(frame))),
            _ if eighths >= 4 => Some((" ", frame.remove_modifier(Modifier::BOLD))),
            _ => None,
        }
    }
}

/// Returns the ground of a frame as ink. A reversed frame's ground is the terminal's own ink.
fn end_ink(frame: Style) -> Style {
    Style {
        fg: frame.bg,
        ..Style::default()
    }
}

fn missing(file: &str, look: &Look, entry: &str, palette: &BTreeMap<&str, Entry>) -> Mistake {
    let hint = did_you_mean(entry, palette.keys().copied());
    Mistake {
        file: file.to_owned(),
        line: look.line,
        message: format!("no palette entry is called `{entry}`{hint}"),
    }
}

/// Resolves a look in one depth; fails with the palette entry that is not there.
fn style<'a>(
    look: &'a Look,
    depth: Depth,
    palette: &BTreeMap<&str, Entry>,
) -> Result<Style, &'a str> {
    let colour = |name: &'a Option<String>| -> Result<Option<Color>, &'a str> {
        let Some(name) = name else { return Ok(None) };
        let entry = palette.get(name.as_str()).ok_or(name.as_str())?;
        Ok(match depth {
            Depth::True => Some(entry.rgb),
            Depth::Indexed256 => Some(Color::Indexed(entry.index)),
            Depth::Sixteen => Some(entry.named),
            Depth::None => None,
        })
    };
    let style = Style {
        fg: colour(&look.fg)?,
        bg: colour(&look.bg)?,
        ..Style::default()
    };
    Ok(style.add_modifier(look.modifiers))
}
