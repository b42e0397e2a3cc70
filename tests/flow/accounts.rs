//! Which account: the only one, one of several, one that was chosen before, one that refuses.

use flarescope::app::{
    AccountsEffect, AccountsPage, Effect, Failure, FailureKind, Load, NextStep, Origin, Overlay,
    PickerItem, RequestId, Response, Screen, WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Account;

use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn account(number: u64) -> Account {
    Account {
        id: format!("{number:032x}"),
        name: format!("acme {number}"),
    }
}

fn page(rows: impl Iterator<Item = u64>, total: Option<u64>, last: bool) -> Response {
    Response::Accounts(AccountsPage {
        rows: rows.map(account).collect(),
        total,
        last,
    })
}

/// A session whose account nobody named, and its request for the list.
fn unnamed() -> (Session, RequestId) {
    let (session, first) = Session::without_account(SIZE);
    let asked = first.iter().find_map(|e| {
        if let Effect::Accounts(id, AccountsEffect::List) = e {
            Some(*id)
        } else {
            None
        }
    });
    assert!(
        !first
            .iter()
            .any(|e| matches!(e, Effect::Workers(_, WorkersEffect::List))),
        "{first:?}"
    );
    (session, asked.unwrap())
}

fn shown(session: &Session) -> Vec<String> {
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!("no list: {:?}", session.state.overlays.top())
    };
    let name = |item: &PickerItem| match item {
        PickerItem::Account(account) => account.name.clone(),
        other => panic!("{other:?}"),
    };
    picker.items.iter().map(name).collect()
}

fn used(wishes: &[Effect]) -> &Account {
    wishes
        .iter()
        .find_map(|e| {
            if let Effect::UseAccount(account) = e {
                Some(account)
            } else {
                None
            }
        })
        .unwrap()
}

#[test]
fn the_only_account_is_taken_without_a_question() {
    let (mut session, id) = unnamed();
    assert!(session.answer(id, page(1..=1, Some(1), false)).is_empty());
    let wishes = session.answer(id, page(0..0, None, true));
    assert_eq!(used(&wishes), &account(1));
    assert!(
        matches!(
            wishes[1..],
            [
                Effect::Workers(_, WorkersEffect::List),
                Effect::Workers(_, WorkersEffect::Metrics)
            ]
        ),
        "{wishes:?}"
    );
    assert_eq!(
        (
            session.state.session.account_name.as_str(),
            session.state.overlays.is_empty()
        ),
        ("acme 1", true)
    );
}

#[test]
fn of_several_accounts_the_user_chooses_and_the_last_of_45_is_found_while_typing() {
    let (mut session, id) = unnamed();
    session.answer(id, page(1..=20, Some(45), false));
    assert_eq!(shown(&session).len(), 20, "the first page is shown at once");
    session.press("down down");
    session.answer(id, page(21..=40, Some(45), false));
    session.answer(id, page(41..=45, Some(45), true));
    assert_eq!(shown(&session).len(), 45);
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!()
    };
    assert_eq!(
        picker.account(),
        Some(&account(3)),
        "what comes later leaves the chosen row"
    );
    session.press("\"45\"");
    assert_eq!(shown(&session)[0], "acme 45");
    let wishes = session.press("enter");
    assert_eq!(used(&wishes), &account(45));
    let list = wishes
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let page = || {
        Response::Workers(WorkersResponse::Page {
            rows: world::workers(),
            total: Some(world::COUNT),
            last: false,
        })
    };
    assert!(
        matches!(
            only(session.answer(list, page())),
            Effect::Accounts(_, AccountsEffect::Remember)
        ),
        "it answered"
    );
    assert!(
        session.answer(list, page()).is_empty(),
        "and is remembered once"
    );
    assert!(session.state.overlays.is_empty() && session.state.input.is_none());
    assert_eq!(session.state.screen, Screen::Workers);
}

#[test]
fn an_id_can_be_typed_where_the_token_may_list_nothing() {
    let (mut session, id) = unnamed();
    session.answer(id, page(0..0, Some(0), true));
    assert!(session.notice().contains("id"), "{}", session.notice());
    session.press("\"4C1DE0A55F0F4EF6A3C9D1B2E3F4051\" enter");
    assert!(
        session.notice().contains("32"),
        "31 digits are none: {}",
        session.notice()
    );
    let wishes = session.press("\"6\" enter");
    assert_eq!(used(&wishes).id, "4c1de0a55f0f4ef6a3c9d1b2e3f40516");
}

#[test]
fn a_refused_list_of_accounts_offers_to_type_one() {
    let (mut session, id) = unnamed();
    session.fail(
        id,
        FailureKind::List,
        "The API token may not list the accounts.",
    );
    assert!(matches!(session.failure().step, Some(NextStep::Account(_))));
    assert!(
        matches!(only(session.press("R")), Effect::Accounts(again, AccountsEffect::List) if again != id)
    );
    let (mut session, id) = unnamed();
    session.fail(
        id,
        FailureKind::List,
        "The API token may not list the accounts.",
    );
    session.press("enter");
    let wishes = session.press(&format!("\"{}\" enter", account(7).id));
    assert_eq!(used(&wishes).id, account(7).id);
}

#[test]
fn another_account_drops_the_old_ones_answers_and_rows() {
    let mut session = Session::workers(SIZE);
    session.press("s j");
    let old = session.press("R");
    let Effect::Workers(late, WorkersEffect::List) = old[0] else {
        panic!("{old:?}")
    };
    let asked = only(session.press("A"));
    let Effect::Accounts(id, AccountsEffect::List) = asked else {
        panic!("{asked:?}")
    };
    session.answer(id, page(1..=3, Some(3), true));
    session.press("down");
    let wishes = session.press("enter");
    assert_eq!(used(&wishes), &account(2));
    assert!(
        wishes
            .iter()
            .any(|e| matches!(e, Effect::Cancel(cancelled) if *cancelled == late)),
        "{wishes:?}"
    );
    assert!(
        session.state.workers.rows.is_empty()
            && session.state.workers.details_of("checkout-api").is_none()
    );
    session.answer(
        late,
        Response::Workers(WorkersResponse::Page {
            rows: world::workers(),
            total: Some(world::COUNT),
            last: true,
        }),
    );
    assert!(
        session.state.workers.rows.is_empty(),
        "the old account's answer is late"
    );
    assert_eq!(
        session.state.workers.sort,
        flarescope::app::WorkerSort::Requests,
        "how it is sorted stays"
    );
}

#[test]
fn leaving_the_list_leaves_everything_as_it_was() {
    let mut session = Session::workers(SIZE);
    session.press("A");
    assert!(session.press("\"x\" esc").is_empty());
    assert_eq!(session.state.workers.rows.len() as u64, world::COUNT);
    session.press("A");
    assert!(
        session.press("ctrl-c").is_empty(),
        "it closes the list, not the program"
    );
    // Only the account in force is there: taking it again asks for nothing.
    let asked = only(session.press("A"));
    let Effect::Accounts(id, AccountsEffect::List) = asked else {
        panic!("{asked:?}")
    };
    let here = Account {
        id: session.state.session.account_id.clone(),
        name: "acme-prod".to_owned(),
    };
    session.answer(
        id,
        Response::Accounts(AccountsPage {
            rows: vec![here],
            total: Some(1),
            last: true,
        }),
    );
    assert!(session.press("enter").is_empty());
    assert_eq!(session.state.workers.rows.len() as u64, world::COUNT);
}

#[test]
fn an_account_that_refuses_is_named_and_another_can_be_chosen() {
    let (mut session, id) = unnamed();
    session.answer(id, page(1..=2, Some(2), true));
    let wishes = session.press("down enter");
    let Some(Effect::Workers(list, WorkersEffect::List)) = wishes
        .iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::List)))
    else {
        panic!()
    };
    let step = NextStep::Account("choose another account".into());
    let refused = Failure {
        step: Some(step),
        ..Failure::new(FailureKind::List, "Not on this account.")
    };
    assert!(
        session
            .act(flarescope::app::Action::Done(*list, Err(refused)))
            .is_empty(),
        "nothing to remember"
    );
    assert!(
        matches!(session.failure().step, Some(NextStep::Account(_))),
        "{:?}",
        session.failure()
    );
    session.press("enter");
    assert_eq!(shown(&session).len(), 2);
    let wishes = session.press("up enter");
    assert_eq!(used(&wishes), &account(1));
    assert!(matches!(session.state.workers.load, Load::Running(_)));
}

#[test]
fn without_a_login_the_key_says_so() {
    let mut wording = wording!();
    let (mut session, _) = Session::fresh(Origin::Offline, SIZE);
    assert!(session.press("A").is_empty());
    wording.add(session.notice());
}

#[test]
fn a_second_look_for_a_login_that_finds_none_says_so() {
    let (mut session, _) = Session::fresh(flarescope::app::Origin::Offline, (80, 24));
    assert!(session.state.notice.is_none());
    session.state.tell_of_second_look();
    assert!(
        session
            .state
            .notice
            .as_ref()
            .is_some_and(|notice| notice.warns)
    );
    let (mut session, _) = Session::fresh(flarescope::app::Origin::Cloudflare, (80, 24));
    session.state.tell_of_second_look();
    assert!(session.state.notice.is_none(), "a login was found");
}
