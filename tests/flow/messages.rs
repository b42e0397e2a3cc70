//! Texts name the keys in force, and names from outside are never taken for keys.

use std::collections::HashMap;

use flarescope::app::{
    Bindings, COMMANDS, Command, Effect, ExportEffect, FailureKind, Key, KeyContext, Overlay,
    ProfileEffect, Response, help_rows,
};

use crate::session::{Session, only, world};

const SIZE: (u16, u16) = (160, 40);

/// Gives commands other keys.
fn rebind(session: &mut Session, keys: &[(Command, Key)]) {
    let own: HashMap<_, _> = keys
        .iter()
        .map(|(command, key)| (*command, vec![*key]))
        .collect();
    session.state.settings.keys = Bindings::new(own);
}

/// The keys that the footer shows for a label.
fn footer(session: &Session, label: &str) -> Option<String> {
    let rows = flarescope::app::footer_of(&session.state);
    rows.into_iter()
        .find_map(|row| (row.label == label).then_some(row.keys))
}

#[test]
fn a_changed_key_is_named_in_notice_footer_and_help() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    assert_eq!(footer(&session, "search").as_deref(), Some("/"));
    rebind(
        &mut session,
        &[
            (Command::Search, Key::Ctrl('f')),
            (Command::LoadMap, Key::Ctrl('o')),
        ],
    );
    session.press("n");
    let notice = session.notice();
    assert!(notice.contains("^f ") && !notice.contains('/'), "{notice}");
    assert_eq!(footer(&session, "search").as_deref(), Some("^f"));
    session.press("M");
    let notice = session.notice();
    assert!(notice.contains(" ^o "), "{notice}");
    let keys = &session.state.settings.keys;
    let row = help_rows(KeyContext::Icicle, keys)
        .into_iter()
        .flat_map(|(_, rows)| rows)
        .find(|row| row.command == Command::Search)
        .unwrap();
    assert_eq!(keys.names(row), "^f");
}

#[test]
fn a_changed_key_is_named_where_a_list_is_empty() {
    let mut session = Session::workers(SIZE);
    rebind(&mut session, &[(Command::Dismiss, Key::Ctrl('g'))]);
    session.press("/ \"no such Worker\" enter");
    assert!(session.shows("; ^g "), "{}", session.screen());
}

#[test]
fn a_command_without_a_key_is_named_as_the_palette_has_it() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let none = HashMap::from([(Command::LoadMap, Vec::new())]);
    session.state.settings.keys = Bindings::new(none);
    session.press("M");
    assert!(
        session.notice().contains(":load-map"),
        "{}",
        session.notice()
    );
}

#[test]
fn a_folder_called_like_a_command_is_drawn_as_it_is() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e");
    let Effect::Export(id, ExportEffect::File(_)) = only(session.press("enter")) else {
        panic!("no export")
    };
    session.answer(id, Response::Exported("/tmp/{quit}/a.pprof".into(), None));
    assert!(session.notice().contains("/tmp/{quit}/a.pprof"));
    assert!(session.shows("/tmp/{quit}/a.pprof"), "{}", session.screen());

    let mut unkept = world::opened_capture("checkout-api.cpu");
    unkept.warning = Some("{quit}: no space left".to_owned().into());
    session.state.show_opened(unkept);
    assert!(
        session.shows("{quit}: no space left"),
        "{}",
        session.screen()
    );
}

#[test]
fn names_from_outside_are_drawn_as_they_are_in_sheets_and_footers() {
    let mut session = Session::workers(SIZE);
    for row in COMMANDS.iter().filter(|row| row.name.len() < 14) {
        let name = format!("{{{}}}", row.name);
        session.press(&format!("/ ctrl-u \"{name}\" enter /"));
        let label = format!("keep {name}");
        assert!(footer(&session, &label).is_some(), "{label}");
        assert!(session.shows(&label), "{}", session.screen());
        session.press("esc");
    }
    // With nothing selected the key for a capture says why, and names the filter.
    session.press("/ ctrl-u \"{zoom-in}\" enter c");
    assert!(
        session.notice().contains("{zoom-in}"),
        "{}",
        session.notice()
    );

    session.press("esc o \"a.pprof\"");
    let Effect::Profile(id, ProfileEffect::OpenFile(_)) = only(session.press("enter")) else {
        panic!("no file")
    };
    session.fail(
        id,
        FailureKind::File,
        "{quit}/{zoom-in}.pprof is no profile.",
    );
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::Failure(_))
    ));
    assert!(
        session.shows("{quit}/{zoom-in}.pprof is no profile."),
        "{}",
        session.screen()
    );
}
