//! A local runtime, workerd or `wrangler dev`, and what can be profiled in it.

/// A local runtime and its isolates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Runtime {
    /// What it calls itself, such as `workerd` or `wrangler/v4.86.0`; empty if it has none.
    pub name: String,
    /// One a Worker, in the runtime's order.
    pub isolates: Vec<Isolate>,
}

/// One isolate: a Worker with all its Durable Objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolate {
    /// The runtime's own id.
    pub id: String,
    /// The Worker's name, or the runtime's title for it if it has no name.
    pub name: String,
    /// Whether `name` is only a title.
    pub is_titled: bool,
    /// What the runtime calls it, such as `workerd worker`.
    pub kind: String,
    /// Why it can't be profiled, if it can't.
    pub obstacle: Option<Obstacle>,
}

/// Why an isolate is listed but can't be profiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The runtime can't find a Worker by a name with a blank or a slash in it.
    Name,
    /// The runtime gives no address for it.
    Address,
}

impl Obstacle {
    /// Returns the reason, as the end of a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Name => "the runtime finds no Worker whose name has a blank or a slash",
            Self::Address => "the runtime gives no address for it",
        }
    }
}
