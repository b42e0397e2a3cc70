//! Choosing a Durable Object.

use std::sync::Arc;

use crate::app::core::clock::Moment;
use crate::app::core::failure::Failure;
use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::object_picker::{Objects, take_object};
use crate::app::overlays::picker::Picker;
use crate::app::screens::workers::details::{NamespaceDetails, measure};
use crate::app::state::State;
use crate::app::update::opening::open_form;
use crate::app::update::overlays;
use crate::model::cloudflare::{Kind, Object, object_id64};

/// So near its end the next page of the list is asked for.
const NEAR: usize = 20;

/// Opens the list of a class and asks for its first page. Where memory is what runs out, those with the most of it come first.
pub(crate) fn open(state: &mut State, class: &NamespaceDetails) -> Vec<Effect> {
    let figures = state.workers.current().and_then(|worker| worker.figures);
    let order = figures
        .and_then(|figures| figures.suspect())
        .unwrap_or(Kind::Cpu);
    let mut rows: Vec<_> = class.named().cloned().map(Arc::new).collect();
    put_in_order(&mut rows, order);
    let known = rows.iter().map(|object| object.id.clone()).collect();
    let namespace = class.namespace.clone();
    overlays::push(
        state,
        Overlay::Picker(Picker::objects(&rows, "", None, order)),
    );
    state.input = Some(Input::new(Purpose::Object, ""));
    state.objects = Some(Objects {
        namespace,
        rows,
        load: Load::Idle,
        order,
        next: None,
        asked: None,
        known,
    });
    let mut wishes = Vec::from_iter(ask(state));
    wishes.extend(want_largest(state));
    wishes
}

/// Orders the list by the other of CPU time and memory, which decide between the two kinds of capture.
pub(crate) fn reorder(state: &mut State) -> Vec<Effect> {
    let Some(objects) = &mut state.objects else {
        return Vec::new();
    };
    objects.order = if objects.order == Kind::Cpu {
        Kind::Heap
    } else {
        Kind::Cpu
    };
    put_in_order(&mut objects.rows, objects.order);
    narrow(state, true);
    Vec::from_iter(want_largest(state))
}

/// Those of which it is known first, most first; the others stay in the order they came in.
fn put_in_order(rows: &mut [Arc<Object>], order: Kind) {
    rows.sort_by(|a, b| measure(order, b).total_cmp(&measure(order, a)));
}

/// Asks for the objects with the most memory where a heap capture is prepared and the busiest are not all there are.
pub(crate) fn want_largest(state: &mut State) -> Option<Effect> {
    let namespace = match (state.overlays.top(), &state.objects) {
        (_, Some(objects)) if objects.order == Kind::Heap => &objects.namespace.id,
        (Some(Overlay::CaptureForm(form)), None) if form.kind == Kind::Heap => {
            &form.chosen_class()?.namespace.id
        }
        _ => return None,
    };
    let namespace = namespace.clone();
    let is_asked = state
        .largest
        .as_ref()
        .is_some_and(|(_, asked)| *asked == namespace);
    let wanted = state
        .workers
        .class(&namespace)
        .is_some_and(NamespaceDetails::may_have_larger);
    if is_asked || !wanted {
        return None;
    }
    let id = state.fresh_id();
    state.largest = Some((id, namespace.clone()));
    Some(Effect::LargestObjects(id, namespace))
}

/// Takes the objects with the most memory: for the Worker's details, the form and the list that is open.
pub(crate) fn took_largest(state: &mut State, id: RequestId, namespace: &str, largest: &[Object]) {
    if state.largest.take_if(|(asked, _)| *asked == id).is_none() {
        return;
    }
    state.workers.set_largest(namespace, largest);
    if let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut() {
        let class = form
            .details
            .namespaces
            .iter_mut()
            .find(|class| class.namespace.id == namespace);
        class
            .into_iter()
            .for_each(|class| class.largest = Some(largest.to_vec()));
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

/// Asks for the next page, the first one at first.
fn ask(state: &mut State) -> Option<Effect> {
    let id = state.fresh_id();
    let objects = state.objects.as_mut()?;
    objects.load = Load::Running(id);
    objects.asked = objects.next.take();
    Some(Effect::ListObjects(
        id,
        objects.namespace.id.clone(),
        objects.asked.clone(),
    ))
}

/// Brings the list in front in line with what was typed and with what has come.
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
        // What begins with the old text can only fit what the old one fitted.
        picker.narrow_objects(text);
        return;
    }
    *picker = Picker::objects(&objects.rows, text, keep.as_deref(), objects.order);
}

/// Takes a page of objects.
pub(crate) fn took(state: &mut State, id: RequestId, page: Vec<Object>, next: Option<String>) {
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

/// A page did not come; what has come can be chosen from. Answers whether it was waited for.
pub(crate) fn failed(state: &mut State, id: RequestId, failure: &Failure) -> bool {
    let Some(objects) = state
        .objects
        .as_mut()
        .filter(|objects| objects.load.awaits(id))
    else {
        return false;
    };
    // The same page is asked for again.
    objects.next = objects.asked.take();
    objects.load = Load::Failed(Box::new(failure.clone()));
    true
}

/// Moves in the list; near its end the next page is asked for.
pub(crate) fn walk(state: &mut State, step: isize) -> Vec<Effect> {
    let Some(Overlay::Picker(picker)) = state.overlays.top_mut() else {
        return Vec::new();
    };
    picker.step(step);
    let near = picker.selected + NEAR >= picker.items.len();
    let more = state
        .objects
        .as_ref()
        .is_some_and(|objects| match objects.load {
            Load::Ready(()) => objects.next.is_some(),
            // A page that did not come is asked for again, the first one too.
            Load::Failed(_) => true,
            Load::Running(_) | Load::Idle => false,
        });
    if near && more && step > 0 {
        Vec::from_iter(ask(state))
    } else {
        Vec::new()
    }
}

/// Opens the capture form on the object that is chosen, else on what was typed: the form tells what is wrong with an id, and
/// has a name looked for.
pub(crate) fn accept(state: &mut State, typed: &str, now: Moment) -> Vec<Effect> {
    let chosen = match state.overlays.top() {
        Some(Overlay::Picker(picker)) => picker.object().map(|object| object.id.clone()),
        _ => None,
    };
    let text = chosen.unwrap_or_else(|| typed.trim().to_owned());
    let Some(objects) = state.objects.take() else {
        return Vec::new();
    };
    overlays::clear(state);
    let mut wishes = on_object(state, Some(&objects.namespace.id), &text, now);
    if objects.order == Kind::Heap
        && let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut()
    {
        form.kind = Kind::Heap;
        wishes.extend(want_largest(state));
    }
    wishes
}

/// A pasted id of an object opens the form on it.
pub(crate) fn pasted(state: &mut State, text: &str, now: Moment) -> Vec<Effect> {
    let text = text.trim();
    let Ok(id) = object_id64(text) else {
        if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            state.warn(format!(
                "A Durable Object's id has 64 hexadecimal digits; what was pasted has {}.",
                text.len()
            ));
        }
        return Vec::new();
    };
    on_object(state, None, &id, now)
}

fn on_object(state: &mut State, namespace: Option<&str>, text: &str, now: Moment) -> Vec<Effect> {
    let wishes = open_form(state, now);
    let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut() else {
        return wishes;
    };
    if !take_object(form, namespace, text) {
        let is_known = state.workers.details_of(&form.worker).is_some();
        state.overlays.clear();
        state.warn(if is_known {
            "This Worker has no Durable Object class: an object's id has no place there."
        } else {
            "Its classes have not come yet: paste the id again in a moment."
        });
    }
    wishes
}
