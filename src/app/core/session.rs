//! The account, and which screen is shown.

/// Where the lists come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// Cloudflare's API.
    Cloudflare,
    /// The embedded demo server.
    Demo,
    /// A local runtime's inspector.
    Inspector,
    /// Nowhere: files and captures on disk only.
    #[default]
    Offline,
}

/// The account that is shown.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// Where the lists come from.
    pub origin: Origin,
    /// The account's name, or its id while the name is not known.
    pub account_name: String,
    /// 32 hexadecimal digits; empty when offline, and until one is chosen.
    pub account_id: String,
    /// What selected that account, in a few words; empty if the user named it.
    pub account_from: String,
    /// Where the token was found, in a few words; empty if that is not shown.
    pub token_from: String,
    /// Why there is no account, when offline.
    pub offline: Option<String>,
}

/// The screen behind all overlays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// First start without credentials.
    Welcome,
    /// The account's Workers.
    Workers,
    /// The captures on disk.
    History,
    /// One profile.
    Profile,
}
