//! Themes: how each situation on the screen looks, read from TOML.
//!
//! Owns the theme files and their colours. Widgets never name a colour: they ask for a [`Role`]. A theme knows nothing
//! of the screen's contents. Weak point: the sixteen named colours are the user's own, so their contrast can't be
//! promised.

mod depth;
mod file;
mod role;

use std::collections::BTreeMap;
use std::fmt;

use ratatui::style::{Color, Modifier, Style};

pub use depth::Depth;
pub use role::Role;

use super::glyphs::Glyphs;
use file::{Entry, Look, ThemeFile};

/// The themes that come with the program: name and text.
const EMBEDDED: &[(&str, &str)] = &[
    ("ember", include_str!("../../../themes/ember.toml")),
    ("daylight", include_str!("../../../themes/daylight.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
    ("colour-safe", include_str!("../../../themes/colour-safe.toml")),
    (COLOURLESS, include_str!("../../../themes/mono.toml")),
];

/// The theme whose looks stand in for any other where no colour may be sent.
const COLOURLESS: &str = "mono";

/// Why a theme could not be had at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThemeError {
    /// No theme has this name.
    #[error("no theme is called `{name}`{}", .nearest.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// A known name that may be meant.
        nearest: Option<&'static str>,
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

/// A mistake in a theme file that was passed over: the parent's value is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, with the nearest known word.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// A theme with what was wrong in its files.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The theme, complete.
    pub theme: Theme,
    /// Mistakes that were passed over.
    pub warnings: Vec<Warning>,
}

/// A theme in one depth of colour: answers how a role looks.
#[derive(Debug, Clone)]
pub struct Theme {
    name: String,
    depth: Depth,
    styles: Vec<Style>,
    matches_alike: bool,
}

impl Theme {
    /// Lists the names of the embedded themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// Loads an embedded theme.
    ///
    /// # Errors
    /// [`ThemeError::Unknown`] if there is none of that name.
    pub fn load(name: &str, depth: Depth) -> Result<Loaded, ThemeError> {
        Self::read(name, &file_name(name), embedded(name)?, depth)
    }

    /// Reads a theme from the text of a file; what it inherits from are embedded themes.
    ///
    /// # Errors
    /// If the text is no TOML, or inherits from an unknown theme.
    pub fn read(name: &str, file: &str, text: &str, depth: Depth) -> Result<Loaded, ThemeError> {
        let mut chain = vec![(file.to_owned(), file::read(file, text)?)];
        if depth == Depth::None {
            // A theme made of colours alone would leave frames without edges: the colourless one speaks for all.
            chain.push((file_name(COLOURLESS), file::read(&file_name(COLOURLESS), embedded(COLOURLESS)?)?));
            chain.swap(0, 1);
        }
        while let Some(parent) = chain.last().and_then(|(_, file)| file.inherits.clone()) {
            let file = file_name(&parent);
            let read = file::read(&file, embedded(&parent)?)?;
            chain.push((file, read));
        }
        Ok(build(name, depth, &chain))
    }

    /// Answers the theme's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Answers the depth its colours are in.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Answers how a role looks. Without colours the style holds modifiers only.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// Answers how a frame of this role looks when the search found it: as ever, or, where colours can't tell matches
    /// from the rest, all alike.
    #[must_use]
    pub fn match_style(&self, role: Role) -> Style {
        self.style(if self.matches_alike { Role::FrameMatch } else { role })
    }

    /// Answers the ink that draws a frame's ground on the bare ground, for an end in eighths of a cell.
    #[must_use]
    pub fn end_style(&self, role: Role) -> Style {
        end_ink(self.style(role))
    }

    /// Answers how the label of the selected frame looks on a frame of this style.
    #[must_use]
    pub fn selected_on(&self, frame: Style) -> Style {
        let hollow = frame.bg.is_none() && !frame.add_modifier.contains(Modifier::REVERSED);
        self.style(if hollow { Role::SelectedHollow } else { Role::Selected })
    }

    /// Answers what to draw in the last, partly filled cell of a frame whose style is `frame`; `None` leaves it bare.
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

/// The ground of a frame as ink. A reversed frame's ground is the terminal's own ink.
fn end_ink(frame: Style) -> Style {
    Style { fg: frame.bg, ..Style::default() }
}

fn file_name(theme: &str) -> String {
    format!("themes/{theme}.toml")
}

fn embedded(name: &str) -> Result<&'static str, ThemeError> {
    let found = EMBEDDED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| ThemeError::Unknown {
        name: name.to_owned(),
        nearest: file::nearest(name, EMBEDDED.iter().map(|(known, _)| *known)),
    })
}

/// Puts a line of files together, the youngest first.
fn build(name: &str, depth: Depth, chain: &[(String, ThemeFile)]) -> Loaded {
    let mut warnings: Vec<Warning> = chain.iter().flat_map(|(_, file)| file.warnings.iter().cloned()).collect();
    let mut palette: BTreeMap<&str, Entry> = BTreeMap::new();
    for (_, file) in chain.iter().rev() {
        palette.extend(file.palette.iter().map(|(name, entry)| (name.as_str(), *entry)));
    }
    let styles = Role::ALL.iter().map(|role| {
        let looks = chain.iter().filter_map(|(file, read)| Some((file, read.roles.get(role.name())?)));
        looks
            .map(|(file, look)| style(look, depth, &palette).map_err(|entry| missing(file, look, entry, &palette)))
            .find_map(|look| look.map_err(|warning| warnings.push(warning)).ok())
            .unwrap_or_default()
    });
    let styles = styles.collect();
    let matches_alike = chain.iter().any(|(_, file)| file.roles.contains_key(Role::FrameMatch.name()));
    Loaded { theme: Theme { name: name.to_owned(), depth, styles, matches_alike }, warnings }
}

fn missing(file: &str, look: &Look, entry: &str, palette: &BTreeMap<&str, Entry>) -> Warning {
    let near = file::nearest(entry, palette.keys().copied());
    let hint = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
    Warning { file: file.to_owned(), line: look.line, message: format!("no palette entry is called `{entry}`{hint}") }
}

/// Resolves a look in one depth; fails with the palette entry that is not there.
fn style<'a>(look: &'a Look, depth: Depth, palette: &BTreeMap<&str, Entry>) -> Result<Style, &'a str> {
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
    let style = Style { fg: colour(&look.fg)?, bg: colour(&look.bg)?, ..Style::default() };
    Ok(style.add_modifier(look.modifiers))
}
