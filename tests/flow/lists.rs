//! The list over time: what an earlier session left, what is gone, figures that grow old, calls that run out.

use std::time::Duration;

use flarescope::app::{
    Action, Effect, FailureKind, Load, Origin, Response, Section, WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Worker;

use crate::session::{Session, ago, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn list_of(first: &[Effect]) -> flarescope::app::RequestId {
    first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap()
}

fn page(rows: Vec<Worker>, last: bool) -> Response {
    Response::Workers(WorkersResponse::Page {
        rows,
        total: Some(world::COUNT),
        last,
    })
}

#[test]
fn an_earlier_list_is_shown_at_once_marked_and_replaced() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let list = list_of(&first);
    let mut old = world::workers();
    old.push(Worker {
        id: "f".repeat(32),
        name: "gone-since".to_owned(),
        deployed_on: None,
        metrics: None,
    });
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(old, ago(3600))),
    );
    let workers = &session.state.workers;
    assert_eq!(
        (workers.rows.len(), workers.stale),
        (world::COUNT as usize + 1, Some(ago(3600)))
    );
    let mut rows = world::workers();
    let rest = rows.split_off(30);
    session.answer(list, page(rows, false));
    assert_eq!(
        session.state.workers.rows.len(),
        world::COUNT as usize + 1,
        "nothing vanishes while pages come"
    );
    session.answer(list, page(rest, false));
    session.answer(list, page(Vec::new(), true));
    let workers = &session.state.workers;
    assert_eq!(
        (workers.rows.len(), workers.stale),
        (world::COUNT as usize, None)
    );
    assert!(
        workers
            .rows
            .iter()
            .all(|worker| worker.name != "gone-since"),
        "what the new list has not is gone"
    );
    let metrics = first
        .into_iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics)))
        .unwrap();
    session.serve(metrics);
    let kept = session.aside.iter().find_map(|e| {
        if let Effect::Workers(_, WorkersEffect::Keep(rows, _)) = e {
            Some(rows)
        } else {
            None
        }
    });
    assert_eq!(
        kept.map(Vec::len),
        Some(world::COUNT as usize),
        "the whole list is kept for the next start"
    );
}

#[test]
fn an_earlier_list_that_comes_late_changes_nothing() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let list = list_of(&first);
    session.answer(list, page(world::workers(), false));
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(vec![], ago(60))),
    );
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(world::workers(), ago(60))),
    );
    assert_eq!(session.state.workers.stale, None);
    session.answer(list, page(Vec::new(), true));
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(world::workers(), ago(60))),
    );
    assert_eq!(session.state.workers.stale, None);
}

#[test]
fn rows_that_are_gone_go_with_a_new_list_too_and_the_selected_one_stays() {
    let mut session = Session::workers(SIZE);
    session.press("j j");
    let here = session.worker().to_owned();
    let list = list_of(&session.press("R"));
    let rows: Vec<Worker> = world::workers()
        .into_iter()
        .filter(|worker| worker.name != "chat-rooms")
        .collect();
    session.answer(list, page(rows, true));
    assert_eq!(session.worker(), here);
    assert_eq!(session.state.workers.rows.len() as u64, world::COUNT - 1);
}

/// The waits for newer figures since the last look.
fn later(session: &mut Session) -> Vec<flarescope::app::RequestId> {
    let ids = session.aside.drain(..).filter_map(|e| match e {
        Effect::Workers(id, WorkersEffect::Later(time)) => {
            assert!(time >= Duration::from_secs(30), "{time:?}");
            Some(id)
        }
        _ => None,
    });
    ids.collect()
}

#[test]
fn figures_are_asked_for_once_a_minute_while_somebody_looks() {
    let mut session = Session::workers(SIZE);
    let [due] = later(&mut session)[..] else {
        panic!("one wait")
    };
    session.wait(Duration::from_secs(60));
    let Effect::Workers(id, WorkersEffect::Metrics) =
        only(session.answer(due, Response::Workers(WorkersResponse::Due)))
    else {
        panic!()
    };
    assert!(
        session.state.workers.metrics.ready().is_some(),
        "the old ones are shown meanwhile"
    );
    let here = session.worker().to_owned();
    let mut newer = world::metrics();
    newer.get_mut("status-page").unwrap().requests_per_second = 1e6;
    session.answer(id, Response::Workers(WorkersResponse::Metrics(newer)));
    assert_eq!(
        session.worker(),
        here,
        "the list is reordered, the user stays"
    );
    let [due] = later(&mut session)[..] else {
        panic!("the next wait")
    };
    session.wait(Duration::from_secs(60));
    let Effect::Workers(id, WorkersEffect::Metrics) =
        only(session.answer(due, Response::Workers(WorkersResponse::Due)))
    else {
        panic!()
    };
    session.fail(id, FailureKind::List, "The API has a fault.");
    assert!(
        session.state.workers.metrics.ready().is_some() && session.notice().is_empty(),
        "the old ones stay"
    );
    assert_eq!(later(&mut session).len(), 1, "and the next turn comes");
}

#[test]
fn nothing_is_asked_for_while_nobody_looks_and_the_first_key_makes_up_for_it() {
    let mut session = Session::workers(SIZE);
    let [due] = later(&mut session)[..] else {
        panic!("one wait")
    };
    session.wait(Duration::from_secs(600));
    assert!(
        session
            .answer(due, Response::Workers(WorkersResponse::Due))
            .is_empty(),
        "no key for ten minutes"
    );
    assert!(later(&mut session).is_empty(), "no timer runs");
    let wishes = session.press("j");
    assert_eq!(
        wishes
            .iter()
            .filter(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics)))
            .count(),
        1,
        "{wishes:?}"
    );
    assert!(
        !session
            .press("k")
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics))),
        "once"
    );

    let mut session = Session::workers(SIZE);
    let [due] = later(&mut session)[..] else {
        panic!("one wait")
    };
    session.press("C");
    session.wait(Duration::from_secs(61));
    assert!(
        session
            .answer(due, Response::Workers(WorkersResponse::Due))
            .is_empty(),
        "another screen is in front"
    );
    let wishes = session.press("w");
    assert!(
        wishes
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics))),
        "{wishes:?}"
    );

    let mut session = Session::workers(SIZE);
    let [due] = later(&mut session)[..] else {
        panic!("one wait")
    };
    session.act(Action::Resize(20, 5));
    session.wait(Duration::from_secs(61));
    assert!(
        session
            .answer(due, Response::Workers(WorkersResponse::Due))
            .is_empty(),
        "nothing can be read in so small a window"
    );
}

#[test]
fn figures_that_this_token_may_not_have_are_not_asked_for_again() {
    let mut wording = wording!();
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let metrics = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::Metrics) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    session.answer(list_of(&first), page(world::workers(), true));
    let refused = flarescope::app::Failure {
        refusal: Some(flarescope::app::Refusal::NotAllowed),
        ..flarescope::app::Failure::new(FailureKind::List, "It may not read the traffic figures.")
    };
    session.act(Action::Done(metrics, Err(refused)));
    assert!(
        matches!(session.state.workers.metrics, Load::Failed(_))
            && session.state.overlays.is_empty()
    );
    wording.add(session.notice());
    assert!(later(&mut session).is_empty());
    session.wait(Duration::from_secs(120));
    assert!(
        !session
            .press("j")
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics)))
    );
}

fn low(session: &mut Session) {
    let id = session.state.fresh_id();
    let quota = Response::Workers(WorkersResponse::Quota {
        remaining: 37,
        limit: 1200,
        resets_in: Some(Duration::from_secs(200)),
    });
    session.answer(id, quota);
}

#[test]
fn the_last_tenth_of_the_calls_is_for_what_is_asked_for_by_hand() {
    let mut session = Session::workers(SIZE);
    low(&mut session);
    let rest = only(session.press("j"));
    assert!(session.serve(rest).is_empty(), "walking asks for nothing");
    assert!(session.state.workers.held);
    let asked = only(session.press("enter"));
    assert!(
        matches!(&asked, Effect::Workers(_, WorkersEffect::Details(worker)) if worker.name == session.worker())
    );
    assert!(!session.state.workers.held);
    session.serve(asked);
    session.press("enter");
    assert_eq!(
        session.state.workers.section,
        Section::Details(0),
        "then enter goes in"
    );
    session.press("esc j");
    let asked = session.press("R");
    assert!(
        asked
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::Details(..)))),
        "{asked:?}"
    );

    let mut session = Session::workers(SIZE);
    low(&mut session);
    session.wait(Duration::from_secs(201));
    let rest = session
        .press("j")
        .into_iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::Rest(..))))
        .unwrap();
    assert!(
        matches!(
            only(session.serve(rest)),
            Effect::Workers(_, WorkersEffect::Details(..))
        ),
        "the window has ended"
    );
}

#[test]
fn details_stay_while_newer_ones_are_on_their_way_and_if_those_do_not_come() {
    let mut session = Session::workers(SIZE);
    session.wait(Duration::from_secs(61));
    session.press("j");
    let rest = session
        .press("k")
        .into_iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::Rest(..))))
        .unwrap();
    let Effect::Workers(id, WorkersEffect::Details(_)) = only(session.serve(rest)) else {
        panic!()
    };
    let shown = |session: &Session| {
        session
            .state
            .workers
            .details_of("checkout-api")
            .map(|d| d.versions.len())
    };
    assert_eq!(shown(&session), Some(4));
    session.fail(id, FailureKind::List, "The API has a fault.");
    assert_eq!(shown(&session), Some(4));
    session.press("j");
    assert!(
        !session
            .press("k")
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::Rest(..)))),
        "not again at once"
    );
}

#[test]
fn a_filter_narrows_what_it_had_and_widens_again() {
    let mut session = Session::workers(SIZE);
    let shown = |session: &Session| {
        let workers = &session.state.workers;
        let mut names: Vec<String> = workers
            .order
            .iter()
            .map(|&at| workers.rows[at].name.clone())
            .collect();
        names.sort();
        names
    };
    for keys in [
        "/ \"c\"",
        "\"h\"",
        "\"e\"",
        "backspace backspace",
        "\"r\"",
        "ctrl-u",
        "\"ck\"",
    ] {
        session.press(keys);
        let narrowed = shown(&session);
        let text = session.state.workers.filter.clone();
        let mut whole = Session::workers(SIZE);
        whole.press("/");
        whole.act(Action::Paste(text));
        assert_eq!(narrowed, shown(&whole), "after {keys}");
    }
}

/// Workers whose names begin at a place of the alphabet that other pages come before and after.
fn named(letter: char, count: usize) -> Vec<Worker> {
    let worker = |n: usize| Worker {
        id: format!("{:032x}", u32::from(letter) as usize * 1_000 + n),
        name: format!("{letter}-{n:03}"),
        deployed_on: Some(ago(60)),
        metrics: None,
    };
    (0..count).map(worker).collect()
}

#[test]
fn pages_and_metrics_that_arrive_leave_the_user_on_the_worker_and_the_row_where_he_is() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let list = list_of(&first);
    let answer = |rows, last| {
        Response::Workers(WorkersResponse::Page {
            rows,
            total: Some(300),
            last,
        })
    };
    session.answer(list, answer(named('m', 100), false));
    session.press("1 5 j");
    let (here, row) = (
        session.worker().to_owned(),
        session.state.workers.selected - session.state.workers.offset,
    );
    assert_eq!((here.as_str(), row), ("m-015", 15));
    let at = |session: &Session| {
        let workers = &session.state.workers;
        (
            session.worker().to_owned(),
            workers.selected - workers.offset,
        )
    };
    session.answer(list, answer(named('z', 100), false));
    assert_eq!(
        at(&session),
        (here.clone(), row),
        "what comes below moves nothing"
    );
    session.answer(list, answer(named('a', 100), false));
    assert_eq!(
        at(&session),
        (here.clone(), row),
        "what comes above scrolls under him"
    );
    assert_eq!(session.state.workers.selected, 115);
    session.answer(list, answer(Vec::new(), true));
    assert_eq!(at(&session), (here.clone(), row), "the last page");
    let metrics = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::Metrics) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let busy = ["z-007", "m-015", "a-001"].map(|name| {
        let metrics = flarescope::model::cloudflare::Metrics {
            requests_per_second: 9.0,
            ..Default::default()
        };
        (
            name.to_owned(),
            flarescope::model::cloudflare::Metrics {
                cpu_p50_us: 900.0,
                ..metrics
            },
        )
    });
    session.answer(
        metrics,
        Response::Workers(WorkersResponse::Metrics(busy.into())),
    );
    assert_eq!(
        session.worker(),
        here,
        "figures put him among the first, where there is no such row"
    );
    assert_eq!(session.state.workers.offset, 0);
}

#[test]
fn while_pages_come_the_filter_says_that_there_will_be_more() {
    let mut wording = wording!();
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let list = list_of(&first);
    session.answer(
        list,
        Response::Workers(WorkersResponse::Page {
            rows: named('m', 100),
            total: Some(5_000),
            last: false,
        }),
    );
    session.press("/ \"099\"");
    wording.lines(&session.screen(), "100 ");
    session.press("enter");
    wording.lines(&session.screen(), "100 ");
    session.answer(
        list,
        Response::Workers(WorkersResponse::Page {
            rows: named('z', 100),
            total: Some(200),
            last: true,
        }),
    );
    wording.lines(&session.screen(), "200 ");
    session.press("esc");
    wording.lines(&session.screen(), "200 ");
}

#[test]
fn hostile_and_wide_names_stay_on_their_rows_at_every_size() {
    let names = [
        "\u{202e}evil\u{2066}",
        "a\u{1b}[31mred\u{7}",
        "商店チェックアウト商店チェックアウト商店チェックアウト商店チェックアウト",
        "e\u{301}e\u{301}e\u{301}",
        "👩\u{200d}👩\u{200d}👧\u{200d}👦-family",
        "line\nbreak\ttab",
        "",
    ];
    let worker = |(at, name): (usize, &&str)| Worker {
        id: format!("{at:032x}"),
        name: (*name).to_owned(),
        deployed_on: Some(ago(60)),
        metrics: None,
    };
    let rows: Vec<Worker> = names.iter().enumerate().map(worker).collect();
    for size in [(60, 15), (80, 24), (120, 40), (200, 50)] {
        let (mut session, first) = Session::fresh(Origin::Cloudflare, size);
        let total = Some(rows.len() as u64);
        session.answer(
            list_of(&first),
            Response::Workers(WorkersResponse::Page {
                rows: rows.clone(),
                total,
                last: true,
            }),
        );
        for _ in 0..names.len() {
            let screen = session.screen();
            assert_eq!(screen.lines().count(), usize::from(size.1), "{screen}");
            assert!(
                !screen
                    .chars()
                    .any(|c| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c)),
                "{screen}"
            );
            session.press("c esc j");
        }
    }
}

#[test]
fn an_account_without_workers_has_nothing_to_capture_and_its_last_row_does_not_say_so() {
    let mut wording = wording!();
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    session.answer(
        list_of(&first),
        Response::Workers(WorkersResponse::Page {
            rows: Vec::new(),
            total: Some(0),
            last: true,
        }),
    );
    wording.add(session.screen());
    session.press("c");
    wording.add(session.notice());
}
