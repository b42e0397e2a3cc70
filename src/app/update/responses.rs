//! Hands each response, and each failure, to the feature that waits for it; late ones are dropped.

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::load::failure::Failure;
use crate::app::response::Response;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::{
    accounts, capture, export, history, objects, path_completion, profile, workers,
};

/// Applies the response to a request.
pub(crate) fn on_response(
    state: &mut State,
    id: RequestId,
    response: Response,
    now: Moment,
) -> Outcome {
    match response {
        Response::Accounts(page) => return accounts::on_page(state, id, page),
        Response::Workers(response) => {
            return workers::on_response(state, id, response, now).into();
        }
        Response::Capture(response) => {
            return capture::on_response(state, id, response, now).into();
        }
        Response::Profile(response) => return profile::on_response(state, id, response),
        Response::Objects(response) => objects::on_response(state, id, response),
        Response::History(response) => history::on_response(state, id, response),
        Response::Exported(path, created) => export::on_written(state, &path, created.as_deref()),
        Response::Exists(_) => export::on_exists(state),
        Response::Paths(typed, names) => path_completion::on_names(state, id, &typed, names),
        Response::Copied(how) => state.say(how),
        Response::Remembered => {}
    }
    Outcome::default()
}

/// Handles the failure of a request that it waits for; hands others back.
type OnFailure = fn(&mut State, RequestId, Failure, Moment) -> Result<Outcome, Failure>;

/// Applies the failure of a request.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    now: Moment,
) -> Outcome {
    const FEATURES: &[OnFailure] = &[
        objects::on_failure,
        capture::on_failure,
        profile::on_failure,
        accounts::on_failure,
        workers::on_failure,
        history::on_failure,
        export::on_failure,
    ];
    let until = failure
        .retry_after
        .and_then(|wait| now.instant.checked_add(wait));
    let mut failure = Failure { until, ..failure };
    for feature in FEATURES {
        match feature(state, id, failure, now) {
            Ok(outcome) => return outcome,
            Err(other) => failure = other,
        }
    }
    state.warn(failure.message);
    Outcome::default()
}
