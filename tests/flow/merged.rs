//! Several captures opened as one.

use flarescope::app::{Opened, ProfileResponse, Response, Source, merge_sources};
use flarescope::model::graph::aggregate;
use flarescope::model::graph::view::View;

use crate::session::{Session, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// Two captures of one Worker, or of two, as one.
fn merged(recordings: [&str; 2]) -> Source {
    let sources = recordings.map(|recording| world::opened_capture(recording).source);
    merge_sources(sources.into()).unwrap().0
}

fn open(session: &mut Session, source: Source) {
    let view = View {
        hide_idle: true,
        ..View::new(&source.profile)
    };
    let reading = aggregate::read(&source.profile, &view).unwrap().into();
    let opened = Opened {
        source,
        source_root: None,
        view,
        reading,
        display: flarescope::app::OpenedDisplay::default(),
        warning: None,
    };
    let id = session.state.fresh_id();
    session.state.profiles.opening = Some(id);
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(opened))),
    );
}

#[test]
fn several_captures_of_one_worker_keep_its_name_and_what_they_share() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    open(
        &mut session,
        merged(["checkout-api.cpu", "checkout-api.cpu"]),
    );
    assert_eq!(session.profile().source.name, "checkout-api");
    wording.add(session.profile().facts().join("\n"));
    assert_eq!(
        session.profile().source.file_stem(),
        "checkout-api-7c1f2a9e-2captures-cpu20s"
    );
    let command = session.profile().command().unwrap();
    let hash = &world::capture_of("checkout-api.cpu").sha256[..16];
    assert_eq!(command, format!("flarescope open {hash} {hash}"));
    // A further capture is one of that Worker.
    session.press("c");
    assert!(
        matches!(session.state.overlays.top(), Some(flarescope::app::Overlay::CaptureForm(form)) if form.worker == "checkout-api")
    );
}

#[test]
fn captures_of_two_workers_are_distinguished() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    open(&mut session, merged(["checkout-api.cpu", "monolith.cpu"]));
    assert_eq!(session.profile().source.name, "checkout-api +1");
    assert_eq!(
        session.profile().source.file_stem(),
        "checkout-api-and-1-more-7c1f2a9e-2captures-cpu20s"
    );
    let names: Vec<&str> = session
        .profile()
        .source
        .members
        .iter()
        .map(|member| member.name.as_str())
        .collect();
    assert!(
        names[0].starts_with("checkout-api ") && names[1].starts_with("monolith "),
        "{names:?}"
    );
    assert!(session.press("d").is_empty());
    wording.add(session.notice());
}

#[test]
fn one_alone_stays_what_it_is() {
    let source = world::opened_capture("checkout-api.cpu").source;
    let (same, warning) = merge_sources(vec![source]).unwrap();
    assert!(same.capture.is_some() && same.members.is_empty() && warning.is_none());
}
