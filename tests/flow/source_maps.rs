//! A source map for the open profile: asked for, taken, refused, and turned off again.

use std::path::PathBuf;
use std::sync::Arc;

use flarescope::app::{
    Effect, FailureKind, ProfileEffect, ProfileResponse, RequestId, Response, Screen,
};
use flarescope::formats::source_map::{Found, read};
use flarescope::model::insights::InsightKind;
use flarescope::model::source_map::SourceMap;
use flarescope::runtime::symbolication::names;

use crate::session::{Session, fixture, only};
use crate::wording::wording;

const SIZE: (u16, u16) = (160, 40);

fn map(path: &str) -> Arc<SourceMap> {
    let bytes = std::fs::read(fixture(&format!("maps/{path}"))).unwrap();
    match read(&bytes, path.rsplit('/').next().unwrap()).unwrap() {
        Found::Map(map) => Arc::new(*map),
        Found::Elsewhere(url) => panic!("{url}"),
    }
}

/// Types a path behind `m`, and answers as the runtime would.
pub(crate) fn load(session: &mut Session, path: &str) -> Vec<Effect> {
    let wish = only(session.press(&format!("m ctrl-u \"{path}\" enter")));
    let Effect::Profile(id, ProfileEffect::LoadMap(job)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(job.path, PathBuf::from(path));
    let answer = names(&job.profile, &[map(path)], &[job.path]).map(Box::new);
    session.answer(id, Response::Profile(ProfileResponse::Mapped(answer)))
}

fn selected(session: &Session) -> String {
    let profile = session.profile();
    profile
        .reading
        .frames
        .name(profile.selected_frame().unwrap())
        .to_owned()
}

#[test]
fn names_change_and_the_place_stays() {
    let mut wording = wording!();
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    session.press("k k enter");
    let (zoom, before) = (session.profile().zoom, session.profile().stack());
    assert_eq!(before.last().map(String::as_str), Some("v"));
    load(&mut session, "geo-router/worker.js.map");
    wording.add(session.notice());
    assert_eq!(
        session.profile().stack(),
        [
            "fetch",
            "route",
            "pickOrigin",
            "nearestOrigin",
            "scoreOrigin"
        ]
    );
    assert_eq!(session.profile().zoom, zoom);
    session.press("M");
    wording.add(session.notice());
    assert_eq!(session.profile().stack(), before);
    session.press("M");
    assert_eq!(selected(&session), "scoreOrigin");
    let info = session
        .profile()
        .reading
        .frames
        .info(session.profile().selected_frame().unwrap());
    let original = info.original.unwrap();
    assert_eq!(
        (original.name.as_str(), original.line, original.column),
        ("v", Some(1), Some(718))
    );
}

#[test]
fn filters_follow_their_function() {
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    assert_eq!(selected(&session), "b");
    session.press("f");
    let shown = session.profile().reading.shown;
    load(&mut session, "geo-router/worker.js.map");
    let name = |session: &Session| {
        let chip = session.profile().view.filters[0].chip();
        chip.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(name(&session), "haversineKm");
    assert_eq!(session.profile().reading.shown, shown);
    session.press("M");
    assert_eq!(name(&session), "b");
    assert_eq!(session.profile().reading.shown, shown);
    session.press("M U");
    assert!(session.profile().view.filters.is_empty());
}

#[test]
fn the_command_that_shows_the_view_has_the_map() {
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    session.state.profile.as_mut().unwrap().source.path = Some("geo.pprof".into());
    load(&mut session, "geo-router/worker.js.map");
    let command = |session: &Session| session.profile().command().unwrap();
    assert_eq!(
        command(&session),
        "flarescope open geo.pprof --source-map geo-router/worker.js.map"
    );
    session.press("M");
    assert_eq!(command(&session), "flarescope open geo.pprof");
}

#[test]
fn a_map_that_does_not_fit_is_reported_and_changes_nothing() {
    let mut wording = wording!();
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    load(&mut session, "namer.js.map");
    wording.add(session.notice());
    assert_eq!(selected(&session), "b");
    assert!(session.press("M").is_empty());
    wording.add(session.notice());
    let wish = only(session.press("m \"nowhere.map\" enter"));
    let Effect::Profile(id, ProfileEffect::LoadMap(_)) = wish else {
        panic!("{wish:?}")
    };
    session.fail(id, FailureKind::File, "nowhere.map: there is none.");
    assert_eq!(session.notice(), "nowhere.map: there is none.");
    assert_eq!(session.state.screen, Screen::Profile);
    assert!(
        session.press("m enter").is_empty(),
        "an empty line asks for nothing"
    );
}

#[test]
fn late_names_are_dropped() {
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    let profile = Arc::clone(session.profile().source.bundle());
    let late = names(&profile, &[map("geo-router/worker.js.map")], &[]).map(Box::new);
    session.answer(
        RequestId(9_999),
        Response::Profile(ProfileResponse::Mapped(late)),
    );
    assert_eq!(selected(&session), "b");
}

#[test]
fn the_hint_of_minified_names_offers_the_line() {
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    let at = session
        .profile()
        .hints
        .list
        .iter()
        .position(|hint| hint.insight.kind == InsightKind::Minified)
        .unwrap();
    session.press(&format!("H {}", at + 1));
    assert!(
        session.state.input.is_some(),
        "the path can be typed at once"
    );
    session.press("esc");
    load(&mut session, "geo-router/worker.js.map");
    assert!(
        session
            .profile()
            .hints
            .list
            .iter()
            .all(|hint| hint.insight.kind != InsightKind::Minified)
    );
}

#[test]
fn code_is_walked_searched_copied_and_closed() {
    let mut wording = wording!();
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", SIZE);
    load(&mut session, "geo-router/worker.js.map");
    let open = |session: &mut Session| {
        let wish = only(session.press("v"));
        session.serve(wish);
    };
    open(&mut session);
    let line = |session: &Session| {
        session
            .profile()
            .code
            .as_ref()
            .unwrap()
            .line()
            .unwrap()
            .to_owned()
    };
    assert!(
        line(&session).starts_with("export function haversineKm("),
        "{}",
        line(&session)
    );
    session.press("j");
    assert_eq!(session.profile().code.as_ref().unwrap().selected, 6);
    session.press("G");
    let last = session.profile().code.as_ref().unwrap().selected;
    assert_eq!(last, session.profile().code.as_ref().unwrap().last());
    session.press("g n");
    wording.add(session.notice());
    assert_eq!(session.profile().code.as_ref().unwrap().selected, 5);
    session.press("/ \"scoreorigin\" enter");
    assert!(line(&session).contains("scoreOrigin"), "{}", line(&session));
    let Effect::Copy(_, copied) = only(session.press("y")) else {
        panic!()
    };
    assert!(
        copied.contains("scoreOrigin") && !copied.starts_with(' '),
        "{copied}"
    );
    session.press("esc");
    assert!(
        session.profile().code.is_some(),
        "the first takes the search away"
    );
    session.press("x f p");
    assert!(
        session.profile().view.filters.is_empty(),
        "no key of the profile works behind the code"
    );
    session.press("backspace");
    assert!(session.profile().code.is_none());
    open(&mut session);
    session.press("v");
    assert!(session.profile().code.is_none());
    session.press("p p");
    session.press("p v");
    wording.add(session.notice());
}
