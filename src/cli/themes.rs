//! The themes that the screen can use.

use crate::config;
use crate::config::Environment;
use crate::ui::theme::{OwnTheme, Themes};

/// Returns all themes: the user's own, then the built-in ones.
pub(super) fn themes(environment: &Environment) -> Themes {
    let own = config::own_themes(environment).into_iter();
    Themes::new(
        own.map(|theme| OwnTheme {
            name: theme.name,
            file: theme.path.display().to_string(),
            text: theme.text,
        })
        .collect(),
    )
}
