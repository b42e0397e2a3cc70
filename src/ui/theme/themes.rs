//! All themes there are, and how one is put together from the files it inherits from.

use std::collections::BTreeMap;

use crate::model::text::fuzzy::closest;
use crate::model::text::mistakes::Mistake;
use crate::ui::theme::file;
use crate::ui::theme::file::{Entry, ThemeFile};
use crate::ui::theme::{Depth, Ground, Loaded, Role, Theme, ThemeError, missing, style};

/// The themes that come with the program: name and text.
pub(super) const EMBEDDED: &[(&str, &str)] = &[
    (DEFAULT, include_str!("../../../themes/ember.toml")),
    ("daylight", include_str!("../../../themes/daylight.toml")),
    (
        "high-contrast",
        include_str!("../../../themes/high-contrast.toml"),
    ),
    (
        "colour-safe",
        include_str!("../../../themes/colour-safe.toml"),
    ),
    ("sixteen", include_str!("../../../themes/sixteen.toml")),
    (COLOURLESS, include_str!("../../../themes/mono.toml")),
];

/// The theme in force where none is named, and where one turns out to be unusable.
const DEFAULT: &str = "ember";

/// The theme that replaces all others without colours.
const COLOURLESS: &str = "mono";

/// A theme of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTheme {
    /// Its name.
    pub name: String,
    /// The file, as messages call it.
    pub file: String,
    /// What the file says.
    pub text: String,
}

/// All themes there are: the user's own, which go first, and those that come with the program.
#[derive(Debug, Clone, Default)]
pub struct Themes {
    own: Vec<OwnTheme>,
}

/// A file on the way from a theme to what it inherits from.
struct Step<'a> {
    file: String,
    text: &'a str,
    /// Whether it is the user's own.
    own: bool,
}

impl Themes {
    /// Returns the embedded themes and these.
    #[must_use]
    pub fn new(mut own: Vec<OwnTheme>) -> Self {
        own.sort_by(|a, b| a.name.cmp(&b.name));
        Self { own }
    }

    /// Returns the name of the theme in force where none is named.
    #[must_use]
    pub const fn first() -> &'static str {
        DEFAULT
    }

    /// Returns the names of all themes, the user's own first.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let own = self.own.iter().map(|theme| theme.name.clone());
        let embedded = EMBEDDED.iter().map(|(name, _)| (*name).to_owned());
        own.chain(embedded.filter(|name| self.own.iter().all(|theme| theme.name != *name)))
            .collect()
    }

    /// Loads a theme.
    ///
    /// # Errors
    /// If there is no theme of that name, its text is not TOML, or its parent does not exist.
    pub fn load(&self, name: &str, depth: Depth) -> Result<Loaded, ThemeError> {
        let first = self.find(name, false).ok_or_else(|| ThemeError::Unknown {
            name: name.to_owned(),
            nearest: self.nearest(name),
        })?;
        self.chain(name, first, depth)
    }

    /// Loads a theme, and the default one in its place where that can't be done: what is wrong is the first warning.
    #[must_use]
    pub fn load_anyhow(&self, name: &str, depth: Depth) -> Loaded {
        let error = match self.load(name, depth) {
            Ok(loaded) => return loaded,
            Err(error) => error,
        };
        let mistake = |file: &str, line, why: String| Mistake {
            file: file.to_owned(),
            line,
            message: format!("{why}; {DEFAULT} stands in"),
        };
        let warning = match &error {
            ThemeError::Syntax {
                file,
                line,
                message,
            } => mistake(file, *line, message.clone()),
            ThemeError::Parent {
                file, line, name, ..
            } => mistake(file, *line, format!("no theme is called `{name}`")),
            ThemeError::Circle { file, line } => {
                mistake(file, *line, "it inherits from itself".to_owned())
            }
            ThemeError::Unknown { name, .. } => {
                mistake(name, 1, "there is no such theme".to_owned())
            }
        };
        let fallback = Self::default()
            .load(DEFAULT, depth)
            .map(|loaded| loaded.theme);
        let theme = fallback.unwrap_or_else(|_| build("", depth, &[]).theme);
        Loaded {
            theme: Theme {
                name: name.to_owned(),
                ..theme
            },
            warnings: vec![warning],
        }
    }

    /// Reads a theme from a text that is in no folder.
    ///
    /// # Errors
    /// As [`Themes::load`].
    pub fn read(
        &self,
        name: &str,
        file: &str,
        text: &str,
        depth: Depth,
    ) -> Result<Loaded, ThemeError> {
        self.chain(
            name,
            Step {
                file: file.to_owned(),
                text,
                own: true,
            },
            depth,
        )
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let names = self.names();
        closest(name, names.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Returns the file of a theme: the user's own unless it is to be the embedded one.
    fn find(&self, name: &str, embedded: bool) -> Option<Step<'_>> {
        let own = self
            .own
            .iter()
            .find(|theme| theme.name == name && !embedded);
        own.map(|theme| Step {
            file: theme.file.clone(),
            text: &theme.text,
            own: true,
        })
        .or_else(|| {
            let (_, text) = EMBEDDED.iter().find(|(known, _)| *known == name)?;
            Some(Step {
                file: format!("themes/{name}.toml"),
                text,
                own: false,
            })
        })
    }

    /// Follows what a file inherits from to its end.
    fn chain(&self, name: &str, first: Step<'_>, depth: Depth) -> Result<Loaded, ThemeError> {
        let mut chain: Vec<(String, ThemeFile)> = Vec::new();
        let mut step = first;
        loop {
            let read = file::read(&step.file, step.text)?;
            let parent = read.inherits.clone();
            chain.push((step.file.clone(), read));
            let Some((parent, line)) = parent else { break };
            // A theme that has the name of an embedded one builds upon that.
            let same = step.own
                && self
                    .find(&parent, false)
                    .is_some_and(|next| next.file == step.file);
            let next = self.find(&parent, same).ok_or_else(|| ThemeError::Parent {
                file: step.file.clone(),
                line,
                nearest: self.nearest(&parent),
                name: parent.clone(),
            })?;
            if chain.iter().any(|(file, _)| *file == next.file) {
                return Err(ThemeError::Circle {
                    file: step.file,
                    line,
                });
            }
            step = next;
        }
        let most = chain
            .iter()
            .find_map(|(_, file)| file.colours)
            .unwrap_or(Depth::True);
        let depth = depth.at_most(most);
        if depth == Depth::None
            && let Some(Step { file, text, .. }) = self.find(COLOURLESS, true)
        {
            // A theme made of colours alone would leave frames without edges: the colourless one speaks for all.
            let colourless = file::read(&file, text)?;
            chain.insert(0, (file, colourless));
        }
        Ok(build(name, depth, &chain))
    }
}

/// Puts a line of files together, the youngest first.
fn build(name: &str, depth: Depth, chain: &[(String, ThemeFile)]) -> Loaded {
    let mut warnings: Vec<Mistake> = chain
        .iter()
        .flat_map(|(_, file)| file.warnings.iter().cloned())
        .collect();
    let mut palette: BTreeMap<&str, Entry> = BTreeMap::new();
    for (_, file) in chain.iter().rev() {
        palette.extend(
            file.palette
                .iter()
                .map(|(name, entry)| (name.as_str(), *entry)),
        );
    }
    let styles = Role::ALL.iter().map(|role| {
        let looks = chain
            .iter()
            .filter_map(|(file, read)| Some((file, read.roles.get(role.name())?)));
        looks
            .map(|(file, look)| {
                style(look, depth, &palette).map_err(|entry| missing(file, look, entry, &palette))
            })
            .find_map(|look| look.map_err(|warning| warnings.push(warning)).ok())
            .unwrap_or_default()
    });
    let styles = styles.collect();
    let matches_alike = chain
        .iter()
        .any(|(_, file)| file.roles.contains_key(Role::FrameMatch.name()));
    // The colourless one says how things look, not for which ground the theme was made.
    let stands_first = usize::from(depth == Depth::None && chain.len() > 1);
    let ground = chain
        .iter()
        .skip(stands_first)
        .find_map(|(_, file)| file.ground);
    let ground = ground.unwrap_or(Ground {
        bg: (0, 0, 0),
        fg: (0xcf, 0xcf, 0xcf),
    });
    Loaded {
        theme: Theme {
            name: name.to_owned(),
            depth,
            styles,
            matches_alike,
            ground,
        },
        warnings,
    }
}
