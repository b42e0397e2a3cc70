//! Why a capture brought no profile: each refusal in its own words, with its own next step.

use std::time::Instant;

use crate::app::capture::running::Capturing;
use crate::app::core::failure::{Failure, FailureKind, NextStep, Refusal};
use crate::app::screens::workers::details::WorkerDetails;
use crate::app::state::State;
use crate::model::cloudflare::{Version, short};
use crate::model::text::share::round_percentage;
use crate::model::text::units::thousands;

/// Tells a failed capture as the person who asked for it needs it: what happened, what it means, what Enter does.
pub(crate) fn explain(
    state: &State,
    running: &Capturing,
    mut failure: Failure,
    now: Instant,
) -> Failure {
    failure.kind = FailureKind::Capture;
    failure.until = failure.retry_after.and_then(|wait| now.checked_add(wait));
    match failure.refusal {
        Some(Refusal::NoTraffic) => no_traffic(state, running, &mut failure),
        Some(Refusal::NoIsolate) => {
            failure.hint = Some("The next requests load it again. Nothing was lost.".to_owned());
            failure.step = Some(wait_for_traffic());
        }
        Some(Refusal::Unavailable) => {
            let account = &state.session.account_name;
            failure.hint = Some(format!(
                "Ask Cloudflare whether Worker profiling is enabled for {account}; support wants the ray above."
            ));
            failure.step = Some(other_worker());
        }
        Some(Refusal::Unsupported) => {
            failure.hint =
                Some("Other Workers of the account can be captured all the same.".to_owned());
            failure.step = Some(other_worker());
        }
        Some(Refusal::NotStarted) => {
            again(&mut failure, "This one passes by itself.", "try once more")
        }
        Some(Refusal::TooMany) => {
            again(
                &mut failure,
                "Captures are limited; this one is not sent again by itself.",
                "send it again",
            );
        }
        Some(Refusal::NotAllowed) => {
            let hint = not_allowed(state);
            again(&mut failure, &hint, "try again, once it is granted");
        }
        Some(Refusal::NoWorker) => {
            failure.hint = Some("It was deleted or renamed meanwhile.".to_owned());
            failure.step = Some(other_worker());
        }
        Some(Refusal::NoVersion) => {
            failure.hint =
                Some("The versions that are listed may be older than what is deployed.".to_owned());
            failure.step = serving(state, running).or_else(|| Some(form("choose another version")));
        }
        Some(Refusal::NoObject) => failure.step = Some(form("choose another object")),
        Some(Refusal::TimedOut) => {
            failure.hint = Some("Nothing was kept, and it may count against the limit.".to_owned());
            failure.step = Some(form("choose a shorter window"));
        }
        Some(Refusal::NoLogin) => {
            failure.step = Some(NextStep::Again {
                offer: "try again, once there is a new token".to_owned(),
            });
        }
        Some(Refusal::LoginRenewed) => {
            failure.hint = Some(
                "A newer login was found meanwhile. A capture is never sent twice by itself, so this one was not."
                    .to_owned(),
            );
            failure.step = Some(NextStep::Again {
                offer: "go again with the newer login".to_owned(),
            });
        }
        None => {}
    }
    if failure.step.is_none() {
        failure.step = Some(NextStep::Again {
            offer: "try the same again".to_owned(),
        });
    }
    tell_kept(running, &mut failure);
    failure.series = Some(Box::new(running.series.clone()));
    failure
}

fn again(failure: &mut Failure, hint: &str, offer: &str) {
    failure.hint = Some(hint.to_owned());
    failure.step = Some(NextStep::Again {
        offer: offer.to_owned(),
    });
}

fn wait_for_traffic() -> NextStep {
    NextStep::WaitForTraffic {
        offer: "wait for traffic, then send it once".to_owned(),
    }
}

fn other_worker() -> NextStep {
    NextStep::OtherWorker {
        offer: "choose another Worker".to_owned(),
    }
}

fn form(offer: &str) -> NextStep {
    NextStep::Form {
        offer: offer.to_owned(),
    }
}

fn not_allowed(state: &State) -> String {
    let crate::app::core::session::Session {
        account_name,
        account_id,
        ..
    } = &state.session;
    let account = if account_id.is_empty() {
        "this account".to_owned()
    } else {
        format!("{account_name} ({account_id})")
    };
    format!(
        "Grant the token Workers Scripts Read on {account}. If it has that, the profiling feature may not be enabled \
         there: ask Cloudflare."
    )
}

/// Nothing to sample: on a version that serves nobody, on an object, or on a version that should have traffic.
fn no_traffic(state: &State, running: &Capturing, failure: &mut Failure) {
    let request = &running.request;
    let details = state.workers.details_of(&request.worker);
    let id = request.version.as_deref().unwrap_or_default();
    let asked = details.and_then(|details| details.versions.iter().find(|v| v.id == id));
    let version = short(id);
    if let Some(object) = &request.object {
        let name = object
            .name
            .as_deref()
            .unwrap_or_else(|| short(&object.object_id));
        failure.message = format!("Cloudflare found no recent executions of {name} on {version}.");
        failure.hint = Some(
            match pinned(details, &object.object_id).filter(|pinned| *pinned != id) {
                Some(pinned) => format!(
                    "Analytics saw it on {} lately: capture it there.",
                    short(pinned)
                ),
                None => {
                    "An object has to be active, and on this very version, while it is captured."
                        .to_owned()
                }
            },
        );
        failure.step = Some(wait_for_traffic());
        return;
    }
    failure.message = "Cloudflare found no recent executions of this version.".to_owned();
    match asked {
        Some(asked) if asked.percentage <= 0.0 => {
            failure.hint = Some(format!(
                "{version} (v{}) serves 0% of the traffic: it is not deployed. Nothing was lost.",
                asked.number
            ));
            failure.step = serving(state, running).or_else(|| Some(wait_for_traffic()));
        }
        asked => {
            failure.hint = Some(traffic_of(state, asked, &request.worker));
            failure.step = Some(wait_for_traffic());
        }
    }
}

/// The version that analytics saw an object on.
fn pinned<'a>(details: Option<&'a WorkerDetails>, object_id: &str) -> Option<&'a str> {
    let objects = details?
        .namespaces
        .iter()
        .flat_map(crate::app::screens::workers::details::NamespaceDetails::named);
    objects
        .filter(|object| object.id == object_id)
        .find_map(|object| object.version_id.as_deref())
}

fn traffic_of(state: &State, version: Option<&Version>, worker: &str) -> String {
    let share = version.map_or(100.0, |version| version.percentage);
    let own = version
        .and_then(|version| version.figures)
        .map(|figures| figures.requests_per_second);
    match own.or_else(|| {
        state
            .workers
            .figures_of(worker)
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

/// The version that serves most, if it is another one.
fn serving(state: &State, running: &Capturing) -> Option<NextStep> {
    let serving = state
        .workers
        .details_of(&running.request.worker)?
        .serving()?;
    (Some(&serving.id) != running.request.version.as_ref()).then(|| NextStep::ServingVersion {
        offer: format!(
            "take {}, which serves {}",
            short(&serving.id),
            round_percentage(serving.percentage)
        ),
    })
}

/// In the middle of a series: what is there stays, and is what is offered first.
fn tell_kept(running: &Capturing, failure: &mut Failure) {
    let kept = running.series.kept.len();
    let Some((_, all)) = running.series.place().filter(|_| kept > 0) else {
        return;
    };
    let told = match kept {
        1 => format!("1 capture of {all} arrived and is kept."),
        kept => format!("{kept} captures of {all} arrived and are kept."),
    };
    failure.hint = Some(
        failure
            .hint
            .take()
            .map_or_else(|| told.clone(), |hint| format!("{told} {hint}")),
    );
    let offer = if kept == 1 {
        "open the one that is there".to_owned()
    } else {
        format!("open the {kept} that are there")
    };
    failure.step = Some(NextStep::OpenKept { offer });
}
