//! Theme files: TOML into palette and roles, with a line for everything that is wrong.
//!
//! A mistake in an entry is reported and the entry is left out, so that the parent's value stays in force; only a file that
//! is no TOML at all, or that inherits from nothing we have, is refused.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::model::text::mistakes::{Mistake, Mistakes};
use crate::ui::theme::role::Role;
use crate::ui::theme::{Depth, Ground, ThemeError};

/// One colour in the three depths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) rgb: Color,
    pub(super) index: u8,
    pub(super) named: Color,
}

/// How a role looks, in names of palette entries.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub(super) fg: Option<String>,
    pub(super) bg: Option<String>,
    pub(super) modifiers: Modifier,
    /// The line of the role, for a palette entry that turns out to be missing.
    pub(super) line: usize,
}

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct ThemeFile {
    /// The theme it builds upon, and the line that says so.
    pub(super) inherits: Option<(String, usize)>,
    /// The most colours it is made for.
    pub(super) colours: Option<Depth>,
    /// The ground it is made for.
    pub(super) ground: Option<Ground>,
    pub(super) palette: BTreeMap<String, Entry>,
    pub(super) roles: BTreeMap<&'static str, Look>,
    pub(super) warnings: Vec<Mistake>,
}

const TOP: &[&str] = &["name", "inherits", "colours", "ground", "palette", "roles"];
const GROUND: &str =
    "`ground` is the screen's ground and its text, for pictures: [\"#rrggbb\", \"#rrggbb\"]";
const PARTS: &[&str] = &["fg", "bg", "mods"];
const MODIFIERS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
    ("italic", Modifier::ITALIC),
];
const NAMED: &[(&str, Color)] = &[
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright_black", Color::DarkGray),
    ("bright_red", Color::LightRed),
    ("bright_green", Color::LightGreen),
    ("bright_yellow", Color::LightYellow),
    ("bright_blue", Color::LightBlue),
    ("bright_magenta", Color::LightMagenta),
    ("bright_cyan", Color::LightCyan),
    ("bright_white", Color::White),
];

/// Reads one theme file. `file` is how messages call it.
///
/// # Errors
/// [`ThemeError::Syntax`] if the text is no TOML.
pub(super) fn read(file: &str, text: &str) -> Result<ThemeFile, ThemeError> {
    let mistakes = Mistakes::new(file, text);
    let table = DeTable::parse(text).map_err(|error| ThemeError::Syntax {
        file: file.to_owned(),
        line: mistakes.line(&error.span().unwrap_or_default()),
        message: error.message().to_owned(),
    })?;
    let mut reader = Reader {
        mistakes,
        out: ThemeFile::default(),
    };
    reader.top(table.get_ref());
    Ok(ThemeFile {
        warnings: reader.mistakes.list,
        ..reader.out
    })
}

struct Reader<'a> {
    mistakes: Mistakes<'a>,
    out: ThemeFile,
}

impl Reader<'_> {
    fn top(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                // The file's own name decides; the key is there for the reader.
                ("name", DeValue::String(_)) => {}
                ("inherits", DeValue::String(parent)) => {
                    self.out.inherits = Some((parent.to_string(), self.mistakes.line(&key.span())));
                }
                ("colours", most) => {
                    let number = most
                        .as_integer()
                        .and_then(|number| number.as_str().parse::<u16>().ok());
                    self.out.colours = match number {
                        Some(16) => Some(Depth::Sixteen),
                        Some(256) => Some(Depth::Indexed256),
                        _ => {
                            self.mistakes.add(
                                value.span(),
                                "`colours` is 16 or 256: the most the theme is made for".to_owned(),
                            );
                            None
                        }
                    };
                }
                ("ground", DeValue::Array(pair)) => {
                    let colours: Vec<_> = pair
                        .iter()
                        .map(|part| part.get_ref().as_str().and_then(channels))
                        .collect();
                    match colours.as_slice() {
                        [Some(bg), Some(fg)] => self.out.ground = Some(Ground { bg: *bg, fg: *fg }),
                        _ => self.mistakes.add(value.span(), GROUND.to_owned()),
                    }
                }
                ("ground", _) => self.mistakes.add(value.span(), GROUND.to_owned()),
                ("palette", DeValue::Table(entries)) => self.palette(entries),
                ("roles", DeValue::Table(roles)) => self.roles(roles),
                (known, _) if TOP.contains(&known) => {
                    let wanted = if matches!(known, "palette" | "roles") {
                        "a table"
                    } else {
                        "text in quotes"
                    };
                    self.mistakes
                        .add(value.span(), format!("`{known}` must be {wanted}"));
                }
                (word, _) => self
                    .mistakes
                    .unknown(key.span(), "key", word, TOP.iter().copied()),
            }
        }
    }

    fn palette(&mut self, entries: &DeTable<'_>) {
        for (key, value) in entries {
            if let Some(entry) = self.entry(key.get_ref(), value) {
                self.out.palette.insert(key.get_ref().to_string(), entry);
            }
        }
    }

    fn entry(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<Entry> {
        let parts = value
            .get_ref()
            .as_array()
            .map(|array| array.iter().collect::<Vec<_>>());
        let Some([rgb, index, named]) = parts.as_deref() else {
            self.mistakes.add(
                value.span(),
                format!("colour `{name}` must be [\"#rrggbb\", index, \"name\"]"),
            );
            return None;
        };
        let Some(rgb) = rgb.get_ref().as_str().and_then(parse_rgb) else {
            self.mistakes.add(
                rgb.span(),
                format!("colour `{name}`: 24 bits are written \"#rrggbb\""),
            );
            return None;
        };
        let digits = index
            .get_ref()
            .as_integer()
            .filter(|integer| integer.radix() == 10);
        let Some(index) = digits.and_then(|integer| integer.as_str().parse::<u8>().ok()) else {
            self.mistakes.add(
                index.span(),
                format!("colour `{name}`: the index is a number from 0 to 255"),
            );
            return None;
        };
        let word = named.get_ref().as_str().unwrap_or_default();
        let Some((_, named)) = NAMED.iter().find(|(known, _)| *known == word) else {
            self.mistakes.unknown(
                named.span(),
                "name of one of the sixteen colours",
                word,
                NAMED.iter().map(|(known, _)| *known),
            );
            return None;
        };
        Some(Entry {
            rgb,
            index,
            named: *named,
        })
    }

    fn roles(&mut self, roles: &DeTable<'_>) {
        for (key, value) in roles {
            let word = key.get_ref().as_ref();
            let Some(role) = Role::ALL.iter().find(|role| role.name() == word) else {
                self.mistakes.unknown(
                    key.span(),
                    "role",
                    word,
                    Role::ALL.iter().map(|role| role.name()),
                );
                continue;
            };
            if let Some(look) = self.look(word, value) {
                self.out.roles.insert(role.name(), look);
            }
        }
    }

    /// Reads a role; a mistake in it leaves the whole role to the parent, as half a pair of colours may not be readable.
    fn look(&mut self, role: &str, value: &Spanned<DeValue<'_>>) -> Option<Look> {
        let Some(parts) = value.get_ref().as_table() else {
            self.mistakes.add(
                value.span(),
                format!("role `{role}` must be {{ fg = …, bg = …, mods = […] }}"),
            );
            return None;
        };
        let mut look = Look {
            line: self.mistakes.line(&value.span()),
            ..Look::default()
        };
        for (key, part) in parts {
            match (key.get_ref().as_ref(), part.get_ref()) {
                ("fg", DeValue::String(name)) => look.fg = Some(name.to_string()),
                ("bg", DeValue::String(name)) => look.bg = Some(name.to_string()),
                ("mods", DeValue::Array(words)) => {
                    for word in words.iter() {
                        let text = word.get_ref().as_str().unwrap_or_default();
                        let Some((_, modifier)) =
                            MODIFIERS.iter().find(|(known, _)| *known == text)
                        else {
                            self.mistakes.unknown(
                                word.span(),
                                "modifier",
                                text,
                                MODIFIERS.iter().map(|(known, _)| *known),
                            );
                            return None;
                        };
                        look.modifiers |= *modifier;
                    }
                }
                (known, _) if PARTS.contains(&known) => {
                    let wanted = if known == "mods" {
                        "a list of words"
                    } else {
                        "the name of a palette entry"
                    };
                    self.mistakes.add(
                        part.span(),
                        format!("`{known}` of role `{role}` must be {wanted}"),
                    );
                    return None;
                }
                (word, _) => {
                    self.mistakes.unknown(
                        key.span(),
                        "part of a role",
                        word,
                        PARTS.iter().copied(),
                    );
                    return None;
                }
            }
        }
        Some(look)
    }
}

fn parse_rgb(text: &str) -> Option<Color> {
    channels(text).map(|(red, green, blue)| Color::Rgb(red, green, blue))
}

fn channels(text: &str) -> Option<(u8, u8, u8)> {
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some((red, green, blue))
}
