//! Why a capture failed: each refusal in its own words, with its own next step.

use crate::app::capture::running::Capturing;
use crate::app::capture::targets::{NamespaceDetails, WorkerDetails};
use crate::app::core::session::Session;
use crate::app::keys::message::{Message, message, outside};
use crate::app::load::failure::{Failure, FailureKind, NextStep, Refusal, Retry};
use crate::app::state::State;
use crate::model::cloudflare::{Version, short};
use crate::model::text::share::round_percentage;
use crate::model::text::units::thousands;

/// Completes the failure of a capture: what happened, what it means, what to do next.
pub(crate) fn explain(state: &State, running: &Capturing, mut failure: Failure) -> Failure {
    failure.kind = FailureKind::Capture;
    if let Some(refusal) = failure.refusal {
        let (message, hint, step) = words(state, running, refusal);
        failure.message = message.unwrap_or(failure.message);
        failure.hint = hint.or(failure.hint);
        failure.step = step.or(failure.step);
    }
    failure
        .step
        .get_or_insert_with(|| NextStep::Again("try the same again".into()));
    offer_kept(running, &mut failure);
    failure.retry = Some(Retry::Batch(Box::new(running.batch.clone())));
    failure
}

/// Another message, a hint and the next step, where a refusal has them.
type Words = (Option<Message>, Option<Message>, Option<NextStep>);

fn words(state: &State, running: &Capturing, refusal: Refusal) -> Words {
    let other_worker = || NextStep::OtherWorker("choose another Worker".into());
    let (hint, step) = match refusal {
        Refusal::NoTraffic => return no_traffic(state, running),
        Refusal::NoObject => return (None, None, Some(form("choose another object"))),
        Refusal::NoLogin => {
            let step = NextStep::Again("try again, once there is a new token".into());
            return (None, None, Some(step));
        }
        Refusal::NoIsolate => (
            "The next requests load it again. Nothing was lost.".into(),
            wait_for_traffic(),
        ),
        Refusal::Unavailable => (
            message![
                "Ask Cloudflare whether Worker profiling is enabled for ",
                outside(&state.session.account_name),
                "; support wants the ray above."
            ],
            other_worker(),
        ),
        Refusal::Unsupported => (
            "Other Workers of the account can be captured all the same.".into(),
            other_worker(),
        ),
        Refusal::NotStarted => (
            "This one passes by itself.".into(),
            NextStep::Again("try once more".into()),
        ),
        Refusal::TooMany => (
            "Captures are limited; this one is not sent again by itself.".into(),
            NextStep::Again("send it again".into()),
        ),
        Refusal::NotAllowed => (
            not_allowed(&state.session),
            NextStep::Again("try again, once it is granted".into()),
        ),
        Refusal::NoWorker => (
            "It was deleted or renamed meanwhile.".into(),
            other_worker(),
        ),
        Refusal::NoVersion => (
            "The versions that are listed may be older than what is deployed.".into(),
            serving(state, running).unwrap_or_else(|| form("choose another version")),
        ),
        Refusal::TimedOut => (
            "Nothing was kept, and it may count against the limit.".into(),
            form("choose a shorter window"),
        ),
        Refusal::LoginRenewed => (
            "A newer login was found meanwhile. A capture is never sent twice by itself, so this one was not.".into(),
            NextStep::Again("go again with the newer login".into()),
        ),
    };
    (None, Some(hint), Some(step))
}

fn wait_for_traffic() -> NextStep {
    NextStep::WaitForTraffic("wait for traffic, then send it once".into())
}

fn form(offer: &'static str) -> NextStep {
    NextStep::Form(offer.into())
}

fn not_allowed(session: &Session) -> Message {
    let account = if session.account_id.is_empty() {
        "this account".into()
    } else {
        message![
            outside(&session.account_name),
            format!(" ({})", session.account_id)
        ]
    };
    message![
        "Grant the token Workers Scripts Read on ",
        account,
        ". If it has that, the profiling feature may not be enabled there: ask Cloudflare."
    ]
}

/// Nothing to sample: on a version that is not deployed, on an object, or on a version that should have traffic.
fn no_traffic(state: &State, running: &Capturing) -> Words {
    let request = &running.request;
    let details = state.workers.details_of(&request.target.worker);
    let id = request.target.version_id.as_deref().unwrap_or_default();
    let version = short(id);
    if let Some(object) = &request.target.object {
        let name = object
            .name
            .as_deref()
            .unwrap_or_else(|| short(&object.object_id));
        let message = message![
            "Cloudflare found no recent executions of ",
            outside(name),
            format!(" on {version}.")
        ];
        let elsewhere = pinned(details, &object.object_id).filter(|pinned| *pinned != id);
        let hint = elsewhere.map_or_else(
            || {
                "An object has to be active, and on this very version, while it is captured."
                    .to_owned()
            },
            |pinned| {
                format!(
                    "Analytics saw it on {} lately: capture it there.",
                    short(pinned)
                )
            },
        );
        return (Some(message), Some(hint.into()), Some(wait_for_traffic()));
    }
    let message = "Cloudflare found no recent executions of this version.".into();
    let listed = details.and_then(|details| details.versions.iter().find(|v| v.id == id));
    let (hint, step) = match listed {
        Some(listed) if listed.percentage <= 0.0 => (
            format!(
                "{version} (v{}) serves 0% of the traffic: it is not deployed. Nothing was lost.",
                listed.number
            ),
            serving(state, running).unwrap_or_else(wait_for_traffic),
        ),
        listed => (
            traffic_of(state, listed, &request.target.worker),
            wait_for_traffic(),
        ),
    };
    (Some(message), Some(hint.into()), Some(step))
}

/// Returns the version that analytics saw an object on.
fn pinned<'a>(details: Option<&'a WorkerDetails>, object_id: &str) -> Option<&'a str> {
    let objects = details?.namespaces.iter().flat_map(NamespaceDetails::named);
    objects
        .filter(|object| object.id == object_id)
        .find_map(|object| object.version_id.as_deref())
}

fn traffic_of(state: &State, version: Option<&Version>, worker: &str) -> String {
    let share = version.map_or(100.0, |version| version.percentage);
    let own = version
        .and_then(|version| version.metrics)
        .map(|metrics| metrics.requests_per_second);
    match own.or_else(|| {
        state
            .workers
            .metrics_of(worker)
            .map(|all| all.requests_per_second * share / 100.0)
    }) {
        Some(rate) if rate > 0.0 => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "an estimate, as a whole number"
            )]
            let count = (rate * 15.0 * 60.0).round().max(1.0) as i128;
            format!(
                "Analytics count about {} requests in the last 15 min, but it has none now.",
                thousands(count)
            )
        }
        Some(_) => "No request came in the last 15 minutes.".to_owned(),
        None => {
            "Whether it has traffic at all is not known here: the token may not read analytics."
                .to_owned()
        }
    }
}

/// Returns the step to the version that serves most traffic, if it is another one.
fn serving(state: &State, running: &Capturing) -> Option<NextStep> {
    let serving = state
        .workers
        .details_of(&running.request.target.worker)?
        .serving()?;
    let offer = format!(
        "take {}, which serves {}",
        short(&serving.id),
        round_percentage(serving.percentage)
    );
    (Some(&serving.id) != running.request.target.version_id.as_ref())
        .then(|| NextStep::ServingVersion(offer.into()))
}

/// In the middle of a batch, offers what was captured so far before anything else.
fn offer_kept(running: &Capturing, failure: &mut Failure) {
    let kept = running.batch.kept.len();
    let Some((_, all)) = running.batch.place().filter(|_| kept > 0) else {
        return;
    };
    let (arrived, offer) = match kept {
        1 => (
            format!("1 capture of {all} arrived and is kept."),
            "open the one that is there".into(),
        ),
        kept => (
            format!("{kept} captures of {all} arrived and are kept."),
            format!("open the {kept} that are there").into(),
        ),
    };
    failure.hint = Some(match failure.hint.take() {
        Some(hint) => message![arrived, " ", hint],
        None => arrived.into(),
    });
    failure.step = Some(NextStep::OpenKept(offer));
}
