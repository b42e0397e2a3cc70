//! What the user has set once for all sessions.

use std::time::Duration;

use crate::app::keys::keymap::Bindings;
use crate::app::overlays::capture_form::WINDOWS;
use crate::model::cloudflare::Kind;

/// A column of the ranked table, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// Samples, or objects.
    Samples,
    /// Self value.
    SelfValue,
    /// Self percentage.
    SelfShare,
    /// The 95% confidence interval of the percentage.
    Interval,
    /// The lowest and the highest own share, where several captures were opened as one.
    Spread,
    /// The self value as a bar.
    Bar,
    /// Total value, with all callees.
    Total,
    /// Total percentage.
    TotalShare,
    /// The function's name; always there.
    Function,
    /// File and line.
    Location,
}

impl Column {
    /// All of them, in their order.
    pub const ALL: &'static [Self] = &[
        Self::Samples,
        Self::SelfValue,
        Self::SelfShare,
        Self::Interval,
        Self::Spread,
        Self::Bar,
        Self::Total,
        Self::TotalShare,
        Self::Function,
        Self::Location,
    ];

    /// Returns its name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::SelfValue => "self",
            Self::SelfShare => "self%",
            Self::Interval => "interval",
            Self::Spread => "spread",
            Self::Bar => "bar",
            Self::Total => "total",
            Self::TotalShare => "total%",
            Self::Function => "function",
            Self::Location => "location",
        }
    }
}

/// The user's settings, as far as the screen's behaviour goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The keys in force.
    pub keys: Bindings,
    /// What the capture form begins with.
    pub kind: Kind,
    /// How long its window is at first; one of [`WINDOWS`].
    pub window: Duration,
    /// The columns that the table may show.
    pub columns: Vec<Column>,
    /// No colours are sent, whatever the theme.
    pub colourless: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            keys: Bindings::default(),
            kind: Kind::Cpu,
            // As in Cloudflare's dashboard.
            window: Duration::from_secs(10),
            columns: Column::ALL.to_vec(),
            colourless: false,
        }
    }
}

impl Settings {
    /// Returns the place of the first window in [`WINDOWS`].
    pub(super) fn window_place(&self) -> usize {
        WINDOWS
            .iter()
            .position(|seconds| Duration::from_secs(*seconds) == self.window)
            .unwrap_or(0)
    }
}
