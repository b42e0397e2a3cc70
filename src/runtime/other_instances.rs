//! Watches for captures of other instances, results that arrived after their screen ended, and traffic.

use std::time::SystemTime;

use crate::api::ErrorKind;
use crate::app::{CaptureResponse, Elsewhere, Ended, Failure, FailureKind, Refusal, Response};
use crate::model::cloudflare::Target;
use crate::runtime::capture::steps;
use crate::runtime::lists::client;
use crate::runtime::tasks::{EffectResult, blocking};
use crate::runtime::{Services, failures, storage_notes};
use crate::store::{DetachedResult, Store};

/// Reads the capture locks and the detached results. Sends no request.
pub(super) async fn look(services: &Services) -> EffectResult {
    // An unusable address is reported by the calls that need it.
    let key = match services.client().await {
        Some(Ok(client)) => Some(steps::lock_key(&client)),
        _ => None,
    };
    let store = services.store.clone();
    // Without a source nothing is captured.
    let captures = services.source.is_some();
    blocking(move || {
        let unkept = captures
            .then(|| storage_notes::destination_note(&store.destination()))
            .flatten();
        let unkept = unkept.map(|note| failures::sentence(&note));
        Ok(Response::Capture(CaptureResponse::Elsewhere(Elsewhere {
            unkept,
            ..found(&store, key.as_deref())
        })))
    })
    .await
}

fn found(store: &Store, key: Option<&str>) -> Elsewhere {
    let holder = key.and_then(|key| store.capture_lock_owner(key));
    let ended = store.drain_detached_results().into_iter();
    let rescued = store.rescued().into_iter().map(|capture| {
        let note = failures::sentence(&storage_notes::still_rescued(&capture.path));
        (capture.path, note)
    });
    Elsewhere {
        unkept: None,
        rescued: rescued.collect(),
        until: holder.as_ref().and_then(|holder| holder.until),
        runs: holder.map(|holder| holder.worker),
        ended: ended
            .map(
                |DetachedResult {
                     worker,
                     at,
                     outcome,
                 }| Ended {
                    worker,
                    at,
                    outcome,
                },
            )
            .collect(),
    }
}

/// Returns how many requests analytics count for a target since a time.
pub(super) async fn traffic(
    services: &Services,
    target: &Target,
    since: SystemTime,
) -> EffectResult {
    let client = client(services, FailureKind::Capture).await?;
    let counted = match &target.object {
        Some(object) => {
            client
                .object_requests_since(&object.namespace_id, &object.object_id, since)
                .await
        }
        None => {
            client
                .version_requests_since(
                    &target.worker,
                    target.version_id.as_deref().unwrap_or_default(),
                    since,
                )
                .await
        }
    };
    counted
        .map(|requests| Response::Capture(CaptureResponse::Traffic(requests)))
        .map_err(|error| {
            let failure = failures::api(FailureKind::Capture, &error);
            // Without this permission a retry is useless.
            let refusal = (*error.kind() == ErrorKind::Forbidden).then_some(Refusal::NotAllowed);
            Failure {
                refusal: refusal.or(failure.refusal),
                ..failure
            }
        })
}
