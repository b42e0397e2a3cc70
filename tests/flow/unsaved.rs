//! Captures that the cache could not take: what is said of them, and that none is lost by leaving.

use std::path::PathBuf;

use flarescope::app::{
    CaptureEffect, CaptureResponse, Effect, Elsewhere, ExportEffect, Opened, Origin, Overlay,
    ProfileEffect, ProfileResponse, Response, Screen,
};

use crate::capture::sent;
use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// A capture that no folder could take.
fn unkept() -> Response {
    let mut opened: Opened = world::opened_capture("checkout-api.cpu");
    if let Some(capture) = &mut opened.source.capture {
        capture.path = PathBuf::new();
    }
    opened.warning = Some("It is in no file.".into());
    Response::Profile(ProfileResponse::Opened(Box::new(opened)))
}

/// Such a one on the screen.
fn shown() -> Session {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.answer(id, unkept());
    assert_eq!(session.state.screen, Screen::Profile);
    session
}

fn asks(session: &Session) -> bool {
    matches!(session.state.overlays.top(), Some(Overlay::ConfirmQuit))
}

#[test]
fn leaving_with_a_profile_in_no_file_asks_first() {
    let mut wording = wording!();
    for keys in ["q", "ctrl-c"] {
        let mut session = shown();
        assert!(session.press(keys).is_empty() && asks(&session), "{keys}");
        wording.case(keys, session.screen());
        assert!(!session.shows("cancel"), "there is no capture to cancel");
        assert!(session.press("esc").is_empty() && !asks(&session));
        assert!(session.press(keys).is_empty() && asks(&session));
        assert!(matches!(only(session.press(keys)), Effect::Quit), "{keys}");
    }
}

#[test]
fn once_it_is_exported_nothing_is_asked() {
    let mut session = shown();
    let Effect::Export(id, ExportEffect::File(_)) = only(session.press("e enter")) else {
        panic!("nothing is written")
    };
    session.answer(id, Response::Exported(PathBuf::from("/home/x.pprof"), None));
    assert!(matches!(only(session.press("q")), Effect::Quit));
}

#[test]
fn a_picture_of_it_is_no_copy() {
    let mut session = shown();
    let Effect::Export(id, ExportEffect::File(_)) = only(session.press("e l enter")) else {
        panic!("nothing is written")
    };
    session.answer(id, Response::Exported(PathBuf::from("/home/x.svg"), None));
    assert!(session.press("q").is_empty() && asks(&session));
}

#[test]
fn another_profile_in_its_place_does_not_lose_it() {
    let mut session = shown();
    let (id, _) = sent(&mut session, "c enter");
    session.answer(id, unkept());
    assert!(session.press("q").is_empty() && asks(&session));
    session.press("esc");
    let mut session = shown();
    session.press("C");
    let wishes = session.press("enter");
    let Effect::Profile(id, ProfileEffect::OpenCapture(_)) = only(wishes) else {
        panic!("nothing is opened")
    };
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(world::opened_capture(
            "geo-router.cpu",
        )))),
    );
    assert!(session.press("q").is_empty() && asks(&session));
    session.press("esc");
    let shown = session.profile().source.capture.as_ref().unwrap();
    assert_eq!(
        (
            &*shown.provenance.target.worker,
            shown.path.as_os_str().len()
        ),
        ("checkout-api", 0)
    );
}

#[test]
fn one_that_comes_while_the_user_does_something_else_is_held() {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.press("b");
    session.answer(id, unkept());
    assert_eq!(session.state.screen, Screen::Workers);
    let mut wording = wording!();
    wording.add(session.notice());
    session.press("q esc");
    assert_eq!(session.state.screen, Screen::Profile);
}

#[test]
fn rescued_captures_are_named_once_and_the_form_says_where_the_next_goes() {
    let found = || Elsewhere {
        rescued: vec![(
            PathBuf::from("/state/x.pprof"),
            "A capture that the cache could not take is still at /state/x.pprof.".to_owned(),
        )],
        unkept: Some("The cache may have no place for the capture.".to_owned()),
        ..Elsewhere::default()
    };
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    session.looks_elsewhere = true;
    let look = |wishes: &[Effect]| {
        wishes.iter().find_map(|wish| match wish {
            Effect::Capture(id, CaptureEffect::LookElsewhere(_)) => Some(*id),
            _ => None,
        })
    };
    session.answer(
        look(&first).unwrap(),
        Response::Capture(CaptureResponse::Elsewhere(found())),
    );
    assert!(session.notice().contains("/state/x.pprof"));
    let wishes = session.press("C");
    session.answer(
        look(&wishes).unwrap(),
        Response::Capture(CaptureResponse::Elsewhere(found())),
    );
    assert_eq!(session.notice(), "", "once");

    let mut session = Session::workers(SIZE);
    session.looks_elsewhere = true;
    let wishes = session.press("c");
    session.answer(
        look(&wishes).unwrap(),
        Response::Capture(CaptureResponse::Elsewhere(found())),
    );
    assert!(session.shows("The cache may have no place for the capture."));
}
