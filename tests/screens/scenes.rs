//! How each scene comes about: by the keys a user would press.

use std::time::Duration;

use flarescope::app::{
    Action, CaptureEffect, CaptureResponse, Effect, Failure, FailureKind, Origin, Refusal,
    RequestId, Response, WorkersEffect, WorkersResponse,
};

use crate::session::{Session, only, world};

type Size = (u16, u16);

pub(crate) fn list(size: Size) -> Session {
    Session::workers(size)
}

pub(crate) fn local(size: Size) -> Session {
    Session::local(size)
}

/// The form of an isolate.
pub(crate) fn local_form(size: Size) -> Session {
    let mut session = Session::local(size);
    session.press("j c");
    session
}

/// A first start while a local runtime answers.
pub(crate) fn welcome_nearby(size: Size) -> Session {
    let (mut session, first) = Session::fresh(Origin::Offline, size);
    let id = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::LookNearby) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    session.answer(
        id,
        Response::Workers(WorkersResponse::Nearby(Some(world::nearby()))),
    );
    session
}

pub(crate) fn list_loading(size: Size) -> Session {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, size);
    let id = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let rows = world::workers().into_iter().take(10).collect();
    session.answer(
        id,
        flarescope::app::Response::Workers(WorkersResponse::Page {
            rows,
            total: Some(world::COUNT),
            last: false,
        }),
    );
    session
}

pub(crate) fn list_filtered(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("/ \"che\"");
    session
}

pub(crate) fn list_without_match(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("/ \"zzzz\" enter");
    session
}

/// The focus on a version in the right pane, a capture in the background.
pub(crate) fn list_pane(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("c enter b enter j");
    session.wait(Duration::from_millis(3_200));
    session
}

/// A version that serves nothing is chosen.
pub(crate) fn form(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("c j l l");
    session
}

pub(crate) fn form_object(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("enter tab c backspace backspace");
    session
}

fn capturing(session: &mut Session) -> RequestId {
    match only(session.press("c enter")) {
        Effect::Capture(id, CaptureEffect::Start(..)) => id,
        other => panic!("no capture but {other:?}"),
    }
}

pub(crate) fn countdown(size: Size) -> Session {
    let mut session = Session::workers(size);
    capturing(&mut session);
    session.wait(Duration::from_millis(5_800));
    session
}

/// Both sides of the gradual deployment are chosen, while a capture runs elsewhere.
pub(crate) fn form_canary(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("c j j j l");
    session.state.captures.elsewhere = Some("geo-router".to_owned());
    session
}

/// The second of three, with another one waiting.
pub(crate) fn countdown_row(size: Size) -> Session {
    let mut session = Session::workers(size);
    let Effect::Capture(first, CaptureEffect::Start(..)) = only(session.press("c + + enter"))
    else {
        panic!("no capture")
    };
    session.answer(
        first,
        Response::Capture(CaptureResponse::Kept(Box::new(world::capture_of(
            "checkout-api.cpu",
        )))),
    );
    session.wait(Duration::from_millis(5_800));
    session
}

/// Another copy of the program has the turn.
pub(crate) fn countdown_queued(size: Size) -> Session {
    let mut session = Session::workers(size);
    let id = capturing(&mut session);
    session.answer(
        id,
        Response::Capture(CaptureResponse::Queued {
            behind: Some("geo-router".to_owned()),
            at_most: Some(Duration::from_secs(105)),
        }),
    );
    session
}

/// The chip of what runs, what waits, and what waits for traffic.
pub(crate) fn list_chip(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("c + enter b");
    let rest = only(session.press("j"));
    let details = only(session.serve(rest));
    session.serve(details);
    session.press("c enter");
    session.wait(Duration::from_millis(3_200));
    session.press("k");
    session
}

/// A version that should have traffic has none: it is waited for.
pub(crate) fn awaiting(size: Size) -> Session {
    let mut session = refused(size, Refusal::NoTraffic, None);
    let Effect::Capture(id, CaptureEffect::LookForTraffic(..)) = only(session.press("enter"))
    else {
        panic!("no look")
    };
    session.wait(Duration::from_secs(30));
    session.answer(id, Response::Capture(CaptureResponse::Traffic(0)));
    session.wait(Duration::from_secs(6));
    session
}

/// A server that wants to be left alone, counted down.
pub(crate) fn failure_limited(size: Size) -> Session {
    let mut session = refused(size, Refusal::TooMany, Some(Duration::from_secs(42)));
    session.wait(Duration::from_millis(12_500));
    session.act(Action::Tick);
    session
}

/// The second of three was refused.
pub(crate) fn failure_row(size: Size) -> Session {
    let mut session = countdown_row(size);
    let id = session.state.captures.running.as_ref().unwrap().id;
    let failure = Failure {
        refusal: Some(Refusal::NotStarted),
        evidence: Some("code 10397 · HTTP 503 · ray 8f2c1d7e6b5a4930-FRA".to_owned()),
        ..Failure::new(
            FailureKind::Capture,
            "The Worker's runtime could not start the profiler.",
        )
    };
    session.act(Action::Done(id, Err(failure)));
    session
}

fn refused(size: Size, refusal: Refusal, retry_after: Option<Duration>) -> Session {
    let mut session = Session::workers(size);
    let id = capturing(&mut session);
    let failure = Failure {
        refusal: Some(refusal),
        retry_after,
        evidence: Some("HTTP 429 · ray 8f2c1d7e6b5a4930-FRA".to_owned()),
        ..Failure::new(
            FailureKind::Capture,
            "api.cloudflare.com wants no more calls for 42 s (HTTP 429).",
        )
    };
    session.act(Action::Done(id, Err(failure)));
    session
}

pub(crate) fn ask_quit(size: Size) -> Session {
    let mut session = countdown(size);
    session.press("q");
    session
}

pub(crate) fn failure(size: Size) -> Session {
    let mut session = Session::workers(size);
    session.press("c j l l");
    let Effect::Capture(id, CaptureEffect::Start(..)) = only(session.press("enter")) else {
        panic!("no capture")
    };
    let refused = Failure {
        refusal: Some(Refusal::NoTraffic),
        evidence: Some("code 10393 · HTTP 400 · ray 8f2c1d7e6b5a4930-FRA".to_owned()),
        ..Failure::new(
            FailureKind::Capture,
            "No traffic was found on this script during the capture.",
        )
    };
    session.act(Action::Done(id, Err(refused)));
    session
}

pub(crate) fn profile(size: Size) -> Session {
    Session::captured("checkout-api.cpu", size)
}

pub(crate) fn too_small(size: Size) -> Session {
    profile(size)
}

pub(crate) fn zoom(size: Size) -> Session {
    let mut session = Session::captured("edge-metrics.cpu", size);
    session.press("g j j enter");
    session
}

pub(crate) fn search(size: Size) -> Session {
    let mut session = Session::captured("monolith.cpu", size);
    session.press("/ \"render\"");
    session
}

pub(crate) fn collected(size: Size) -> Session {
    let mut session = Session::of_file("cases/a12-many-small.pb", size);
    session.press("g G");
    session
}

pub(crate) fn filters(size: Size) -> Session {
    let mut session = Session::captured("checkout-api.cpu", size);
    session.go_to("handleCheckout");
    session.press("f");
    session.go_to("validateAddress");
    session.press("x");
    session
}

pub(crate) fn sandwich(size: Size) -> Session {
    let mut session = Session::captured("monolith.cpu", size);
    session.go_to("computeLocale");
    session.press("B k");
    session
}

pub(crate) fn hints(size: Size) -> Session {
    let mut session = Session::captured("r2-binding.cpu", size);
    session.press("H j");
    session
}

pub(crate) fn heap_table(size: Size) -> Session {
    let mut session = Session::captured("edge-metrics.heap", size);
    session.press("tab j");
    session
}

pub(crate) fn deep(size: Size) -> Session {
    let mut session = Session::captured("deep-parser.cpu", size);
    session.press("g 4 0 j");
    session
}

/// A name of 300 letters.
pub(crate) fn details(size: Size) -> Session {
    let mut session = Session::of_file("cases/a18-name-300.pb", size);
    session.press("D");
    session
}

pub(crate) fn export(size: Size) -> Session {
    let mut session = Session::captured("checkout-api.cpu", size);
    session.press("e l");
    session
}

pub(crate) fn help(size: Size) -> Session {
    let mut session = Session::captured("checkout-api.cpu", size);
    session.press("?");
    session
}

pub(crate) fn palette(size: Size) -> Session {
    let mut session = Session::captured("checkout-api.cpu", size);
    session.press(": \"exp\"");
    session
}

pub(crate) fn history(size: Size) -> Session {
    let mut session = Session::workers(size);
    let list = only(session.press("C"));
    session.serve(list);
    session
        .state
        .history
        .captures
        .push(crate::session::before::capture());
    let captures = &mut session.state.history.captures;
    captures[0].keeping.title = Some("before the fix".to_owned());
    captures[1].keeping.note = Some("after the campaign began, both colos".to_owned());
    captures[1].keeping.pinned = true;
    captures[4].keeping.damage = Some("its description is missing".to_owned());
    session.press("s s s s j");
    session
}

pub(crate) fn history_by_time(size: Size) -> Session {
    let mut session = history(size);
    session.press("s j");
    session
}

pub(crate) fn history_note(size: Size) -> Session {
    let mut session = history(size);
    session.press("a");
    session
}

pub(crate) fn compare(size: Size) -> Session {
    let mut session = Session::captured("checkout-api.cpu", size);
    session.compare();
    session
}

/// Two versions of one Worker: as it was, and mended.
pub(crate) fn compare_fix(size: Size) -> Session {
    let mut session = history(size);
    session.state.history.captures = crate::session::before::fix().to_vec();
    session.press("s s s s g");
    let wish = only(session.press("d"));
    session.serve(wish);
    session
}

pub(crate) fn compare_table(size: Size) -> Session {
    let mut session = compare(size);
    session.press("tab s = j");
    session
}

pub(crate) fn marks(size: Size) -> Session {
    let mut session = history(size);
    session.press("space j space");
    session
}

pub(crate) fn welcome(size: Size) -> Session {
    Session::fresh(Origin::Offline, size).0
}

pub(crate) fn empty_profile(size: Size) -> Session {
    Session::captured("no-traffic.cpu", size)
}

pub(crate) fn wide_names(size: Size) -> Session {
    let mut session = Session::of_file("malformed/n04-wide-and-emoji.pb", size);
    session.press("g j l");
    session
}

pub(crate) fn accounts(size: Size) -> Session {
    let mut session = Session::workers(size);
    let asked = only(session.press("A"));
    session.serve(asked);
    session.press("down down");
    session
}

pub(crate) fn accounts_typed(size: Size) -> Session {
    let (mut session, first) = Session::without_account(size);
    for effect in first {
        session.serve(effect);
    }
    session.press("\"unit-4\"");
    session
}

/// The code of the heaviest function, by a recording's ticks and its source map.
pub(crate) fn code(size: (u16, u16)) -> Session {
    let mut session = Session::of_file("v8/chat-rooms.cpuprofile.gz", size);
    session.name_by("chat-rooms.js.map");
    let frames = &session.profile().reading.frames;
    assert!(
        frames
            .ids()
            .any(|frame| frames.name(frame) == "#postMessage")
    );
    session.press("/ \"#postMessage\" enter n esc");
    let wish = super::session::only(session.press("v"));
    session.serve(wish);
    session
}

/// The one line of a bundle, around the function.
pub(crate) fn code_of_a_bundle(size: (u16, u16)) -> Session {
    let mut session = Session::of_file("recordings/geo-router.cpu.pprof.gz", size);
    let root = super::session::fixture("maps/geo-router");
    session.state.profile.as_mut().unwrap().source_root = Some(root);
    let wish = super::session::only(session.press("v"));
    session.serve(wish);
    session
}

pub(crate) fn objects(size: Size) -> Session {
    let mut session = Session::workers(size);
    let asked = only(session.press("enter tab enter"));
    session.serve(asked);
    session
}
