//! The Durable Objects of a class, to choose one to capture: the busy ones first, the others as pages are asked for.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::core::load::Load;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::overlays::capture_form::Form;
use crate::model::cloudflare::{Kind, Namespace, Object, object_id64};

/// The objects of one class.
#[derive(Debug)]
pub struct Objects {
    /// The class.
    pub namespace: Namespace,
    /// Those that have come: the busy ones, then the others in the API's order.
    pub rows: Vec<Arc<Object>>,
    /// Whether a page is asked for, there, or failed.
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
    /// Whether there are more than have come.
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.next.is_some() || matches!(self.load, Load::Running(_))
    }
}

/// Puts an object's id or name where it belongs. Answers whether there is a class it can be of.
pub(crate) fn take_object(form: &mut Form, namespace: Option<&str>, text: &str) -> bool {
    let classes = &form.details.namespaces;
    let named = classes
        .iter()
        .position(|class| Some(class.namespace.id.as_str()) == namespace);
    let busy = || {
        classes
            .iter()
            .position(|class| class.named().any(|object| object.id == text))
    };
    let chosen = form.class.checked_sub(1);
    let Some(place) = named
        .or_else(busy)
        .or(chosen)
        .or((!classes.is_empty()).then_some(0))
    else {
        return false;
    };
    form.choose_class(place);
    form.object = Input::new(Purpose::Field, text);
    form.complaint = None;
    true
}

/// The object that a typed whole id stands for, where the list has none that fits: it can't be checked here.
pub(crate) fn typed(text: &str) -> Option<Arc<Object>> {
    let id = object_id64(text).ok()?;
    let unknown = Object {
        id,
        name: None,
        has_stored_data: None,
        cpu_seconds: None,
        memory_p99: None,
        version_id: None,
    };
    Some(Arc::new(unknown))
}
