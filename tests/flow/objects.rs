//! The Durable Objects of a class: the busy ones first, all pages, what is typed and pasted.

use flarescope::app::{Action, Answer, Effect, Form, Front, PickerItem};

use crate::session::{Session, only, world};

const SIZE: (u16, u16) = (120, 40);

/// The list of the class, with its first page.
fn listed() -> Session {
    let mut session = Session::workers(SIZE);
    let asked = only(session.press("enter tab enter"));
    assert!(matches!(&asked, Effect::ListObjects(_, _, None)));
    session.serve(asked);
    session
}

fn ids(session: &Session) -> Vec<String> {
    let Some(Front::Picker(picker)) = &session.state.front else { panic!("no list: {:?}", session.state.front) };
    let id = |item: &PickerItem| match item {
        PickerItem::Object(object) => object.id.clone(),
        other => panic!("{other:?}"),
    };
    picker.items.iter().map(id).collect()
}

fn form(session: &Session) -> &Form {
    match &session.state.front {
        Some(Front::Form(form)) => form,
        other => panic!("no form but {other:?}: {}", session.notice()),
    }
}

#[test]
fn the_busy_ones_stand_first_and_all_pages_are_reached() {
    let mut session = listed();
    let shown = ids(&session);
    assert_eq!(shown[0], format!("{:064x}", 8812), "the busiest");
    assert_eq!(shown.len(), 3 + 29, "17 is on the page too, and listed once");
    for _ in 0..100 {
        for wish in session.press("down") {
            session.serve(wish);
        }
    }
    assert_eq!(ids(&session).len(), 90 + 2);
    let Some(objects) = &session.state.objects else { panic!() };
    assert!(!objects.has_more());
    let without = objects.rows.iter().filter(|object| object.has_stored_data == Some(false)).count();
    assert_eq!(without, (0..90).filter(|n| n % 7 == 3).count(), "those without data are known");
}

#[test]
fn a_part_of_a_name_or_id_finds_an_object_and_enter_opens_the_form_on_it() {
    let mut session = listed();
    session.press("\"4001\"");
    assert_eq!(ids(&session), [format!("{:064x}", 4001)]);
    session.press("enter");
    let form = form(&session);
    assert_eq!((form.class, form.object.text.as_str()), (1, format!("{:064x}", 4001).as_str()));
    let (request, _) = form.request().unwrap();
    assert_eq!(request.version.as_deref(), Some(world::SERVING), "the version that it is pinned to");
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
    assert!(form(&session).request().unwrap_err().contains("63"));

    let mut session = listed();
    session.press("\"cart:unseen\" enter");
    let (_, note) = form(&session).request().unwrap();
    assert_eq!(note.find_object.map(|(_, name)| name).as_deref(), Some("cart:unseen"));
}

#[test]
fn a_pasted_id_opens_the_form_of_the_selected_worker() {
    let id = "cd".repeat(32);
    let mut session = Session::workers(SIZE);
    session.act(Action::Paste(id.clone()));
    assert_eq!((form(&session).class, form(&session).object.text.as_str()), (1, id.as_str()));
    // In a form it goes to the object's field, whichever has the focus.
    let mut session = Session::workers(SIZE);
    session.press("c");
    session.act(Action::Paste(id.clone()));
    assert_eq!(form(&session).object.text, id);

    let mut session = Session::workers(SIZE);
    session.act(Action::Paste(id[1..].to_owned()));
    assert!(session.state.front.is_none() && session.notice().contains("63"), "{}", session.notice());
    session.act(Action::Paste("just words".to_owned()));
    assert!(session.state.front.is_none());
}

#[test]
fn a_page_that_does_not_come_leaves_what_has() {
    let mut session = Session::workers(SIZE);
    let Effect::ListObjects(id, ..) = only(session.press("enter tab enter")) else { panic!() };
    session.fail(id, flarescope::app::FailureKind::List, "The API has a fault.");
    assert_eq!(ids(&session).len(), 3, "the busy ones");
    let Effect::ListObjects(id, _, None) = only(session.press("down")) else { panic!("the first page again") };
    assert!(session.press("down").is_empty(), "once");
    let (rows, next) = world::objects(None);
    session.answer(id, Answer::Objects(rows, next.clone()));
    let all = ids(&session).len();
    let mut second = Vec::new();
    while second.is_empty() {
        second = session.press("down");
    }
    let Effect::ListObjects(id, _, asked) = only(second) else { panic!() };
    assert_eq!(asked, next);
    session.fail(id, flarescope::app::FailureKind::List, "The API has a fault.");
    assert_eq!(ids(&session).len(), all);
    let Effect::ListObjects(_, _, asked) = only(session.press("down")) else { panic!() };
    assert_eq!(asked, next, "and the same page again");
    session.press("esc");
    assert!(session.state.front.is_none() && session.state.objects.is_none());
}
