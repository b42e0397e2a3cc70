//! The keys that work here, and what is looked for among them.

use crate::app::keys::command::Row;
use crate::app::keys::context::KeyContext;

/// The keys that work here, as far as they are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelpSheet {
    /// The first row shown.
    pub row: usize,
    /// What is looked for; empty: everything is shown.
    pub filter: String,
}

impl HelpSheet {
    /// Whether a command fits what is looked for: a part of its name, its help or one of its keys.
    #[must_use]
    pub fn fits(&self, row: &Row, context: KeyContext, keys: &str) -> bool {
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        has(row.name)
            || has(&row.name.replace('-', " "))
            || has(row.help_at(context))
            || keys.split(' ').any(|key| key == self.filter)
    }
}
