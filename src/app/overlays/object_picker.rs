//! The Durable Objects of a class, to choose one to capture: the busy ones first, the others page by page.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::load::Load;
use crate::model::cloudflare::{Kind, Namespace, Object};

/// The objects of one class.
#[derive(Debug)]
pub struct Objects {
    /// The class.
    pub namespace: Namespace,
    /// Those that have arrived: the busy ones, then the others in the API's order.
    pub rows: Vec<Arc<Object>>,
    /// How far the last page is loaded.
    pub load: Load<()>,
    /// What they are ordered by: CPU time, or memory for a heap capture.
    pub order: Kind,
    /// Where the next page begins; `None` once all are there.
    pub(crate) next: Option<String>,
    /// Where the page under way begins.
    pub(crate) asked: Option<String>,
    pub(crate) known: HashSet<String>,
}

impl Objects {
    /// Whether there are more than have arrived.
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.next.is_some() || matches!(self.load, Load::Running(_))
    }
}

/// A request about the objects of a namespace, given by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectsEffect {
    /// Get a page of objects, from a cursor on or from the beginning.
    List(String, Option<String>),
    /// Get the objects with the most memory.
    Largest(String),
}

/// A response about the objects of a namespace.
#[derive(Debug)]
pub enum ObjectsResponse {
    /// A page of objects, and where the next one begins.
    Page(Vec<Object>, Option<String>),
    /// The objects of a namespace with the most memory, most first.
    Largest(String, Vec<Object>),
}
