//! Choosing a Durable Object.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::capture::targets::{NamespaceDetails, measure};
use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::load::Load;
use crate::app::load::failure::Failure;
use crate::app::overlays::Overlay;
use crate::app::overlays::object_picker::{Objects, ObjectsEffect, ObjectsResponse};
use crate::app::overlays::picker::Picker;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::cloudflare::{Kind, Object, object_id64};

/// The next page is requested when the selection is this close to the end of the list.
const NEAR: usize = 20;

/// Opens the list of a class and requests its first page. If memory is what runs out, objects with most of it come first.
pub(crate) fn open(state: &mut State, class: &NamespaceDetails) -> Vec<Effect> {
    let metrics = state.workers.current().and_then(|worker| worker.metrics);
    let order = metrics
        .and_then(|metrics| metrics.suspect())
        .unwrap_or(Kind::Cpu);
    let mut rows: Vec<_> = class.named().cloned().map(Arc::new).collect();
    put_in_order(&mut rows, order);
    let known = rows.iter().map(|object| object.id.clone()).collect();
    let picker = Picker::objects(&rows, "", None, order);
    state.push_overlay(Overlay::Picker(picker));
    state.input = Some(Input::new(Purpose::Object, ""));
    state.objects = Some(Objects {
        namespace: class.namespace.clone(),
        rows,
        load: Load::Idle,
        order,
        next: None,
        asked: None,
        known,
    });
    let page = next_page(state);
    page.into_iter()
        .chain(requests::largest_objects(state))
        .collect()
}

/// Orders the list by the other of CPU time and memory, which decide between the two kinds of capture.
pub(crate) fn reorder(state: &mut State) -> Option<Effect> {
    let objects = state.objects.as_mut()?;
    objects.order = if objects.order == Kind::Cpu {
        Kind::Heap
    } else {
        Kind::Cpu
    };
    put_in_order(&mut objects.rows, objects.order);
    narrow(state, true);
    requests::largest_objects(state)
}

/// Sorts known values first, most first; the others keep their order.
fn put_in_order(rows: &mut [Arc<Object>], order: Kind) {
    rows.sort_by(|a, b| measure(order, b).total_cmp(&measure(order, a)));
}

/// Requests the next page, the first one at first.
fn next_page(state: &mut State) -> Option<Effect> {
    let id = state.fresh_id();
    let objects = state.objects.as_mut()?;
    objects.load = Load::Running(id);
    objects.asked = objects.next.take();
    let effect = ObjectsEffect::List(objects.namespace.id.clone(), objects.asked.clone());
    Some(Effect::Objects(id, effect))
}

/// Filters the list by what is typed. `typed`: the text has changed, so the first row is chosen; else the chosen row stays.
pub(crate) fn narrow(state: &mut State, typed: bool) {
    let Some(input) = state
        .input
        .as_ref()
        .filter(|input| input.purpose == Purpose::Object)
    else {
        return;
    };
    let (Some(Overlay::Picker(picker)), Some(objects)) = (state.overlays.top_mut(), &state.objects)
    else {
        return;
    };
    let keep = picker
        .object()
        .map(|object| object.id.clone())
        .filter(|_| !typed);
    let text = input.text.trim();
    if typed && picker.narrows(text, objects.order) {
        // What begins with the old text can only match what the old one matched.
        picker.narrow_objects(text);
        return;
    }
    *picker = Picker::objects(&objects.rows, text, keep.as_deref(), objects.order);
}

/// Adds a page of objects, or the objects with the most memory.
pub(crate) fn on_response(state: &mut State, id: RequestId, response: ObjectsResponse) {
    match response {
        ObjectsResponse::Page(page, next) => on_page(state, id, page, next),
        ObjectsResponse::Largest(namespace, largest) => on_largest(state, id, &namespace, &largest),
    }
}

/// Puts the objects with the most memory into the Worker's details, the form and the list that is open.
fn on_largest(state: &mut State, id: RequestId, namespace: &str, largest: &[Object]) {
    let waits = &mut state.workers.largest;
    if waits.take_if(|(requested, _)| *requested == id).is_none() {
        return;
    }
    state.workers.set_largest(namespace, largest);
    if let Some(form) = state.form_mut() {
        let mut classes = form.details.namespaces.iter_mut();
        if let Some(class) = classes.find(|class| class.namespace.id == namespace) {
            class.largest = Some(largest.to_vec());
        }
        form.offer_again();
    }
    if let Some(objects) = state
        .objects
        .as_mut()
        .filter(|objects| objects.namespace.id == namespace)
    {
        for object in largest {
            if objects.known.insert(object.id.clone()) {
                objects.rows.push(Arc::new(object.clone()));
            } else if let Some(known) = objects.rows.iter_mut().find(|known| known.id == object.id)
            {
                let stored = known.has_stored_data;
                *known = Arc::new(Object {
                    has_stored_data: stored,
                    ..object.clone()
                });
            }
        }
        put_in_order(&mut objects.rows, objects.order);
        narrow(state, false);
    }
}

fn on_page(state: &mut State, id: RequestId, page: Vec<Object>, next: Option<String>) {
    let Some(objects) = state
        .objects
        .as_mut()
        .filter(|objects| objects.load.awaits(id))
    else {
        return;
    };
    let known = objects.known.len();
    for object in page {
        if objects.known.insert(object.id.clone()) {
            objects.rows.push(Arc::new(object));
        } else if let Some(known) = objects.rows.iter_mut().find(|known| known.id == object.id) {
            Arc::make_mut(known).has_stored_data = object.has_stored_data;
        }
    }
    // The first page may have the busiest objects alone, which are known already.
    let repeats = objects.asked.is_some() && objects.known.len() == known;
    let is_cut = repeats && next.is_some();
    (objects.load, objects.next, objects.asked) =
        (Load::Ready(()), next.filter(|_| !repeats), None);
    narrow(state, false);
    if is_cut {
        state.warn("The list of objects may be incomplete: a page had no new objects.");
    }
}

/// A page could not be loaded; one can be chosen from the others.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    _: Moment,
) -> Result<Outcome, Failure> {
    match &mut state.objects {
        Some(objects) if objects.load.awaits(id) => {
            // The same page is requested again.
            objects.next = objects.asked.take();
            objects.load = Load::Failed(Box::new(failure));
            Ok(Outcome::default())
        }
        _ => Err(failure),
    }
}

/// Moves in the list; near its end the next page is requested.
pub(crate) fn walk(state: &mut State, step: isize) -> Option<Effect> {
    let Some(Overlay::Picker(picker)) = state.overlays.top_mut() else {
        return None;
    };
    picker.step(step);
    let near = picker.selected + NEAR >= picker.items.len();
    let objects = state.objects.as_ref()?;
    let more = match objects.load {
        Load::Ready(()) => objects.next.is_some(),
        // A page that failed is requested again, the first one too.
        Load::Failed(_) => true,
        Load::Running(_) | Load::Idle => false,
    };
    if near && more && step > 0 {
        next_page(state)
    } else {
        None
    }
}

/// Leads to the capture form on the object that is chosen, else on what was typed: the form says what is wrong with an id,
/// and looks a name up.
pub(crate) fn accept(state: &mut State, typed: &str) -> Outcome {
    let chosen = match state.overlays.top() {
        Some(Overlay::Picker(picker)) => picker.object().map(|object| object.id.clone()),
        _ => None,
    };
    let Some(objects) = state.objects.take() else {
        return Outcome::default();
    };
    state.clear_overlays();
    Outcome::from(Action::CaptureObject {
        namespace: Some(objects.namespace.id),
        object: chosen.unwrap_or_else(|| typed.trim().to_owned()),
        kind: Some(objects.order).filter(|order| *order == Kind::Heap),
    })
}

/// Leads to the capture form on an object whose id was pasted.
pub(crate) fn on_paste(state: &mut State, text: &str) -> Outcome {
    let text = text.trim();
    match object_id64(text) {
        Ok(object) => Outcome::from(Action::CaptureObject {
            namespace: None,
            object,
            kind: None,
        }),
        Err(_) => {
            if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                state.warn(format!(
                    "A Durable Object's id has 64 hexadecimal digits; what was pasted has {}.",
                    text.len()
                ));
            }
            Outcome::default()
        }
    }
}
