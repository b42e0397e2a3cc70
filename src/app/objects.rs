//! The Durable Objects of a class, to choose one to capture: the busy ones first, the others as pages are asked for.

use std::collections::HashSet;

use super::details::NamespaceDetails;
use super::state::Moment;
use super::update::{leave_sheet, open_form, over};
use super::{Effect, Failure, Form, Front, Input, Load, Picker, PickerItem, Purpose, RequestId, State};
use crate::model::target::{Namespace, Object, object_id64};

/// So near its end the next page of the list is asked for.
const NEAR: usize = 20;

/// The objects of one class.
#[derive(Debug)]
pub struct Objects {
    /// The class.
    pub namespace: Namespace,
    /// Those that have come: the busy ones, then the others in the API's order.
    pub rows: Vec<Object>,
    /// Whether a page is asked for, there, or failed.
    pub load: Load<()>,
    /// Where the next page begins; `None` once all are there.
    next: Option<String>,
    /// Where the page under way begins.
    asked: Option<String>,
    known: HashSet<String>,
}

impl Objects {
    /// Whether there are more than have come.
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.next.is_some() || matches!(self.load, Load::Running(_))
    }
}

/// Opens the list of a class and asks for its first page.
pub(super) fn open(state: &mut State, class: &NamespaceDetails) -> Vec<Effect> {
    let rows = class.busiest.clone();
    let known = rows.iter().map(|object| object.id.clone()).collect();
    let namespace = class.namespace.clone();
    over(state, Front::Picker(Picker::objects(&rows, "", None)));
    state.input = Some(Input::new(Purpose::Object, ""));
    state.objects = Some(Objects { namespace, rows, load: Load::Idle, next: None, asked: None, known });
    Vec::from_iter(ask(state))
}

/// Asks for the next page, the first one at first.
fn ask(state: &mut State) -> Option<Effect> {
    let id = state.fresh_id();
    let objects = state.objects.as_mut()?;
    objects.load = Load::Running(id);
    objects.asked = objects.next.take();
    Some(Effect::ListObjects(id, objects.namespace.id.clone(), objects.asked.clone()))
}

/// Brings the list in front in line with what was typed and with what has come.
pub(super) fn narrow(state: &mut State, typed: bool) {
    let Some(input) = state.input.as_ref().filter(|input| input.purpose == Purpose::Object) else { return };
    let (Some(Front::Picker(picker)), Some(objects)) = (&state.front, &state.objects) else { return };
    let keep = picker.object().map(|object| object.id.clone()).filter(|_| !typed);
    state.front = Some(Front::Picker(Picker::objects(&objects.rows, input.text.trim(), keep.as_deref())));
}

/// Takes a page of objects.
pub(super) fn took(state: &mut State, id: RequestId, page: Vec<Object>, next: Option<String>) {
    let Some(objects) = state.objects.as_mut().filter(|objects| objects.load.awaits(id)) else { return };
    for object in page {
        if objects.known.insert(object.id.clone()) {
            objects.rows.push(object);
        } else if let Some(known) = objects.rows.iter_mut().find(|known| known.id == object.id) {
            known.has_stored_data = object.has_stored_data;
        }
    }
    (objects.load, objects.next, objects.asked) = (Load::Ready(()), next, None);
    narrow(state, false);
}

/// A page did not come; what has come can be chosen from. Answers whether it was waited for.
pub(super) fn failed(state: &mut State, id: RequestId, failure: &Failure) -> bool {
    let Some(objects) = state.objects.as_mut().filter(|objects| objects.load.awaits(id)) else { return false };
    // The same page is asked for again.
    objects.next = objects.asked.take();
    objects.load = Load::Failed(Box::new(failure.clone()));
    true
}

/// Moves in the list; near its end the next page is asked for.
pub(super) fn walk(state: &mut State, step: isize) -> Vec<Effect> {
    let Some(Front::Picker(picker)) = &mut state.front else { return Vec::new() };
    picker.step(step);
    let near = picker.selected + NEAR >= picker.items.len();
    let more = state.objects.as_ref().is_some_and(|objects| match objects.load {
        Load::Ready(()) => objects.next.is_some(),
        // A page that did not come is asked for again, the first one too.
        Load::Failed(_) => true,
        Load::Running(_) | Load::Idle => false,
    });
    if near && more && step > 0 { Vec::from_iter(ask(state)) } else { Vec::new() }
}

/// Opens the capture form on the object that is chosen, else on what was typed: the form tells what is wrong with an id, and
/// has a name looked for.
pub(super) fn accept(state: &mut State, typed: &str, now: Moment) -> Vec<Effect> {
    let chosen = match &state.front {
        Some(Front::Picker(picker)) => picker.object().map(|object| object.id.clone()),
        _ => None,
    };
    let text = chosen.unwrap_or_else(|| typed.trim().to_owned());
    let Some(objects) = state.objects.take() else { return Vec::new() };
    leave_sheet(state);
    on_object(state, Some(&objects.namespace.id), &text, now)
}

/// A pasted id of an object opens the form on it.
pub(super) fn pasted(state: &mut State, text: &str, now: Moment) -> Vec<Effect> {
    let text = text.trim();
    let Ok(id) = object_id64(text) else {
        if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            state.warn(format!("A Durable Object's id has 64 hexadecimal digits; what was pasted has {}.", text.len()));
        }
        return Vec::new();
    };
    on_object(state, None, &id, now)
}

fn on_object(state: &mut State, namespace: Option<&str>, text: &str, now: Moment) -> Vec<Effect> {
    let wishes = open_form(state, now);
    let Some(Front::Form(form)) = &mut state.front else { return wishes };
    if !take_object(form, namespace, text) {
        let worker = form.worker.clone();
        state.front = None;
        state.warn(format!("{worker} has no Durable Object class that is known: an object's id has no place there."));
    }
    wishes
}

/// Puts an object's id or name where it belongs. Answers whether there is a class it can be of.
pub(super) fn take_object(form: &mut Form, namespace: Option<&str>, text: &str) -> bool {
    let classes = &form.details.namespaces;
    let named = classes.iter().position(|class| Some(class.namespace.id.as_str()) == namespace);
    let busy = || classes.iter().position(|class| class.busiest.iter().any(|object| object.id == text));
    let chosen = form.class.checked_sub(1);
    let Some(place) = named.or_else(busy).or(chosen).or((!classes.is_empty()).then_some(0)) else { return false };
    form.choose_class(place);
    form.object = Input::new(Purpose::Field, text);
    form.complaint = None;
    true
}

/// The object that a typed whole id stands for, where the list has none that fits: it can't be checked here.
pub(super) fn typed(text: &str) -> Option<PickerItem> {
    let id = object_id64(text).ok()?;
    Some(PickerItem::Object(Object {
        id,
        name: None,
        has_stored_data: None,
        cpu_seconds: None,
        memory_p99: None,
        version_id: None,
    }))
}
