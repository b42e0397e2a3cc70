//! The Durable Objects of a class: the busy ones first, all pages, what is typed and pasted.

use flarescope::app::{
    Action, CaptureForm, Effect, ObjectsEffect, ObjectsResponse, Origin, Overlay, PickerItem,
    Response, WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::{Kind, Object};

use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// The list of the class, with its first page.
fn listed() -> Session {
    let mut session = Session::workers(SIZE);
    let asked = only(session.press("enter tab enter"));
    assert!(matches!(
        &asked,
        Effect::Objects(_, ObjectsEffect::List(_, None))
    ));
    session.serve(asked);
    session
}

fn ids(session: &Session) -> Vec<String> {
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!("no list: {:?}", session.state.overlays.top())
    };
    let id = |item: &PickerItem| match item {
        PickerItem::Object(object) => object.id.clone(),
        other => panic!("{other:?}"),
    };
    picker.items.iter().map(id).collect()
}

fn form(session: &Session) -> &CaptureForm {
    match session.state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => form,
        other => panic!("no form but {other:?}: {}", session.notice()),
    }
}

#[test]
fn the_busy_ones_stand_first_and_all_pages_are_reached() {
    let mut session = listed();
    let shown = ids(&session);
    assert_eq!(shown[0], format!("{:064x}", 8812), "the busiest");
    assert_eq!(
        shown.len(),
        3 + 29,
        "17 is on the page too, and listed once"
    );
    for _ in 0..100 {
        for wish in session.press("down") {
            session.serve(wish);
        }
    }
    assert_eq!(ids(&session).len(), 90 + 2);
    let Some(objects) = &session.state.objects else {
        panic!()
    };
    assert!(!objects.has_more());
    let without = objects
        .rows
        .iter()
        .filter(|object| object.has_stored_data == Some(false))
        .count();
    assert_eq!(
        without,
        (0..90).filter(|n| n % 7 == 3).count(),
        "those without data are known"
    );
}

fn object(number: u64, cpu: f64, memory: f64) -> Object {
    Object {
        id: format!("{number:064x}"),
        name: Some(format!("cart:{number}")),
        has_stored_data: None,
        cpu_seconds: Some(cpu),
        memory_p99: Some(memory),
        version_id: Some(world::SERVING.to_owned()),
    }
}

/// A class with so many busy objects, the busiest first: the more CPU, the less memory.
fn with_busy(count: u64) -> Session {
    let (mut session, first) = Session::fresh(Origin::Demo, SIZE);
    let mut rest = Vec::new();
    for effect in first {
        rest.extend(session.serve(effect));
    }
    let Effect::Workers(id, WorkersEffect::Details(worker)) = only(session.serve(only(rest)))
    else {
        panic!("no details")
    };
    let mut details = world::details(&worker.name);
    details.namespaces[0].busiest = (0..count)
        .map(|n| object(n, 100.0 - n as f64, (30 + n) as f64 * 1e6))
        .collect();
    session.answer(
        id,
        Response::Workers(WorkersResponse::Details(Box::new(details))),
    );
    session
}

#[test]
fn a_heap_capture_is_of_the_object_with_the_most_memory_and_a_cpu_capture_of_the_busiest() {
    let mut wording = wording!();
    let mut session = with_busy(20);
    assert!(
        session
            .press("enter tab c")
            .iter()
            .all(|wish| !matches!(wish, Effect::Objects(_, ObjectsEffect::Largest(..))))
    );
    assert_eq!(form(&session).object.text, "cart:0");
    wording.add(crate::capture::advice(&session).join("\n"));
    // All that had traffic are known: nothing is asked for.
    assert!(session.press("up up up up right").is_empty());
    assert_eq!(
        (form(&session).kind, form(&session).object.text.as_str()),
        (Kind::Heap, "cart:19")
    );
    wording.add(crate::capture::advice(&session).join("\n"));
    session.press("left");
    assert_eq!(form(&session).object.text, "cart:0", "and back");
    session.press("t");
    assert_eq!(
        (form(&session).kind, form(&session).object.text.as_str()),
        (Kind::Heap, "cart:19"),
        "the kind has a key of its own"
    );
    session.press("t");
    assert_eq!(form(&session).kind, Kind::Cpu);
    session.press("down down down down ctrl-u \"cart:7\" up up up up right");
    assert_eq!(form(&session).object.text, "cart:7", "what was typed stays");
}

#[test]
fn the_busiest_object_is_one_key_away_from_the_form() {
    let mut session = with_busy(20);
    session.press("c");
    let field = form(&session).field;
    assert!(form(&session).class == 0 && form(&session).object.text.is_empty());
    session.press("b");
    assert_eq!(form(&session).object.text, "cart:0");
    assert_eq!(form(&session).field, field, "keys are still commands");
    session.press("t b");
    assert_eq!(
        (form(&session).class, form(&session).object.text.as_str()),
        (1, "cart:19"),
        "after the last class the first, for this kind"
    );
    let request = form(&session).request().unwrap();
    assert_eq!(
        request.target.object.unwrap().object_id,
        format!("{:064x}", 19)
    );
    assert_eq!(session.press("enter").len(), 1, "it starts");
}

#[test]
fn a_larger_object_that_is_not_known_yet_is_asked_for_by_those_keys_too() {
    let mut session = with_busy(50);
    session.press("c t");
    let Effect::Objects(_, ObjectsEffect::Largest(_)) = only(session.press("b")) else {
        panic!()
    };
}

#[test]
fn where_the_busiest_are_not_all_there_are_the_largest_are_asked_for_once() {
    let mut session = with_busy(50);
    session.press("enter tab c");
    let Effect::Objects(id, ObjectsEffect::Largest(namespace)) =
        only(session.press("up up up up right"))
    else {
        panic!()
    };
    assert_eq!(
        form(&session).object.text,
        "cart:49",
        "the largest of those that are known"
    );
    session.answer(
        id,
        Response::Objects(ObjectsResponse::Largest(
            namespace,
            vec![object(7_000, 0.1, 125e6), object(7_001, 0.1, 124e6)],
        )),
    );
    assert_eq!(form(&session).object.text, "cart:7000");
    let request = form(&session).request().unwrap();
    assert_eq!(
        request.target.object.unwrap().object_id,
        format!("{:064x}", 7_000)
    );
    assert!(
        session.press("left right left right").is_empty(),
        "it is known by now"
    );
}

#[test]
fn the_list_is_ordered_by_cpu_or_memory_and_says_which_and_the_form_follows() {
    let mut wording = wording!();
    let mut session = with_busy(50);
    session.press("enter tab enter");
    wording.lines(&session.screen(), "── ");
    assert_eq!(ids(&session)[0], format!("{:064x}", 0));
    let Effect::Objects(id, ObjectsEffect::Largest(namespace)) = only(session.press("tab")) else {
        panic!()
    };
    wording.lines(&session.screen(), "── ");
    assert_eq!(ids(&session)[0], format!("{:064x}", 49));
    session.answer(
        id,
        Response::Objects(ObjectsResponse::Largest(
            namespace,
            vec![object(7_000, 0.1, 125e6), object(3, 97.0, 33e6)],
        )),
    );
    assert_eq!(ids(&session)[0], format!("{:064x}", 7_000));
    session.press("tab");
    assert_eq!(ids(&session)[0], format!("{:064x}", 0), "by CPU again");
    session.press("tab");
    assert_eq!(ids(&session).len(), 51, "3 was known");
    session.press("enter");
    assert_eq!(
        (form(&session).kind, form(&session).object.text.clone()),
        (Kind::Heap, format!("{:064x}", 7_000))
    );
}

#[test]
fn leaving_the_list_changes_nothing_but_the_list() {
    let mut session = listed();
    let theme = session.state.theme.name.clone();
    session.press("\"4001\" esc");
    assert!(session.state.overlays.is_empty() && session.state.objects.is_none());
    assert_eq!(session.state.theme.name, theme);
}

#[test]
fn a_part_of_a_name_or_id_finds_an_object_and_enter_opens_the_form_on_it() {
    let mut session = listed();
    session.press("\"4001\"");
    assert_eq!(ids(&session), [format!("{:064x}", 4001)]);
    session.press("enter");
    let form = form(&session);
    assert_eq!(
        (form.class, form.object.text.as_str()),
        (1, format!("{:064x}", 4001).as_str())
    );
    let request = form.request().unwrap();
    assert_eq!(
        request.target.version_id.as_deref(),
        Some(world::SERVING),
        "the version that it is pinned to"
    );
}

#[test]
fn whole_ids_are_taken_too_short_ones_explained_and_names_looked_for() {
    let id = "ab".repeat(32);
    let mut session = listed();
    session.act(Action::Paste(format!("{}\n", id.to_uppercase())));
    assert_eq!(ids(&session), std::slice::from_ref(&id));
    session.press("enter");
    assert_eq!(form(&session).object.text, id);

    let mut session = listed();
    session.act(Action::Paste(id[1..].to_owned()));
    assert!(ids(&session).is_empty());
    session.press("enter");
    let missing = form(&session).request().unwrap_err();
    assert!(session.text(&missing).contains("63"));

    let mut session = listed();
    session.press("\"cart:unseen\" enter");
    let request = form(&session).request().unwrap();
    assert_eq!(
        request.find_object.map(|(_, name)| name).as_deref(),
        Some("cart:unseen")
    );
}

#[test]
fn a_pasted_id_opens_the_form_of_the_selected_worker() {
    let mut wording = wording!();
    let id = "cd".repeat(32);
    let mut session = Session::workers(SIZE);
    session.act(Action::Paste(id.clone()));
    assert_eq!(
        (form(&session).class, form(&session).object.text.as_str()),
        (1, id.as_str())
    );
    // In a form it goes to the object's field, whichever has the focus.
    let mut session = Session::workers(SIZE);
    session.press("c");
    session.act(Action::Paste(id.clone()));
    assert_eq!(form(&session).object.text, id);

    // Of several classes none is known to have it: the form says so, and takes what is chosen.
    let mut session = Session::workers(SIZE);
    let asks = session.press("R").into_iter();
    let asked = asks
        .filter_map(|wish| {
            if let Effect::Workers(id, WorkersEffect::Details(worker)) = wish {
                Some((id, worker))
            } else {
                None
            }
        })
        .next();
    let (asked, worker) = asked.unwrap();
    let mut details = world::details(&worker.name);
    let mut other = details.namespaces[0].clone();
    other.namespace.class = Some("Session".to_owned());
    details.namespaces.push(other);
    session.answer(
        asked,
        Response::Workers(WorkersResponse::Details(Box::new(details))),
    );
    session.act(Action::Paste(id.clone()));
    wording.add(crate::capture::advice(&session).join("\n"));
    session.press("up right");
    assert_eq!(
        (form(&session).class, form(&session).object.text.as_str()),
        (2, id.as_str())
    );

    let mut session = Session::workers(SIZE);
    session.act(Action::Paste(id[1..].to_owned()));
    assert!(
        session.state.overlays.is_empty() && session.notice().contains("63"),
        "{}",
        session.notice()
    );
    session.act(Action::Paste("just words".to_owned()));
    assert!(session.state.overlays.is_empty());
}

#[test]
fn a_page_that_does_not_come_leaves_what_has() {
    let mut session = Session::workers(SIZE);
    let Effect::Objects(id, ObjectsEffect::List(..)) = only(session.press("enter tab enter"))
    else {
        panic!()
    };
    session.fail(
        id,
        flarescope::app::FailureKind::List,
        "The API has a fault.",
    );
    assert_eq!(ids(&session).len(), 3, "the busy ones");
    let Effect::Objects(id, ObjectsEffect::List(_, None)) = only(session.press("down")) else {
        panic!("the first page again")
    };
    assert!(session.press("down").is_empty(), "once");
    let (rows, next) = world::objects(None);
    session.answer(
        id,
        Response::Objects(ObjectsResponse::Page(rows, next.clone())),
    );
    let all = ids(&session).len();
    let mut second = Vec::new();
    while second.is_empty() {
        second = session.press("down");
    }
    let Effect::Objects(id, ObjectsEffect::List(_, asked)) = only(second) else {
        panic!()
    };
    assert_eq!(asked, next);
    session.fail(
        id,
        flarescope::app::FailureKind::List,
        "The API has a fault.",
    );
    assert_eq!(ids(&session).len(), all);
    let Effect::Objects(_, ObjectsEffect::List(_, asked)) = only(session.press("down")) else {
        panic!()
    };
    assert_eq!(asked, next, "and the same page again");
    session.press("esc");
    assert!(session.state.overlays.is_empty() && session.state.objects.is_none());
}
