//! Captures: takes the window's time, then returns a recording, or an error as the service does.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::time::Instant;

use crate::demo::account_data::{AccountData, Worker};
use crate::demo::envelope::refusal;
use crate::demo::reads::{no_version, no_worker};
use crate::demo::state::Server;
use crate::model::cloudflare;
use crate::model::cloudflare::{Kind, WINDOW_MAX, WINDOW_MIN};

/// The window of the rate limit, before the time scale.
const LIMIT_WINDOW: Duration = Duration::from_secs(60);

/// The media type of a profile.
const PROFILE: &str = "application/vnd.google.protobuf";

/// The parameters of a capture.
#[derive(Debug)]
struct Asked {
    window: Duration,
    kind: Kind,
    /// Namespace and object.
    object: Option<(String, String)>,
}

/// `POST …/workers/workers/{worker}/versions/{version}/profile`.
pub(super) async fn profile(
    State(server): State<Server>,
    Path((_, worker, version)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    let asked = match read(&body) {
        Ok(asked) => asked,
        Err(message) => return refusal(400, 10_001, &message),
    };
    let Some(worker) = server.data.worker(&worker) else {
        return no_worker();
    };
    let Some(version) = worker.version(&version) else {
        return no_version();
    };
    let wait_limit = LIMIT_WINDOW.mul_f64(server.time_scale);
    if let Err(wait) = server.captures.admit(Instant::now(), wait_limit) {
        let mut response = refusal(
            429,
            971,
            "Please wait and consider throttling your request speed",
        );
        let seconds = HeaderValue::from(wait.as_secs() + 1);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
        return response;
    }
    let active = match &asked.object {
        Some((namespace, object)) => {
            match is_active(&server.data, worker, &version.id, namespace, object) {
                Ok(active) => active,
                Err(refusal) => return *refusal,
            }
        }
        None => worker.rps > 0.0 && worker.share(&version.id) > 0,
    };
    if !active {
        return refusal(
            404,
            10_393,
            "No recent executions were found for this Worker.",
        );
    }
    tokio::time::sleep(asked.window.mul_f64(server.time_scale)).await;
    match worker
        .recording
        .profile(asked.kind, worker.is_earlier(version))
    {
        Ok(profile) => ([(header::CONTENT_TYPE, PROFILE)], profile).into_response(),
        Err(error) => refusal(
            500,
            10_002,
            &format!("the recording can't be read: {error}"),
        ),
    }
}

/// Returns whether an object of this Worker runs on that version and had recent traffic.
fn is_active(
    data: &AccountData,
    worker: &Worker,
    version: &str,
    namespace: &str,
    object: &str,
) -> Result<bool, Box<Response>> {
    let namespace = data
        .namespace(namespace)
        .filter(|namespace| namespace.script == worker.name)
        .ok_or_else(|| {
            Box::new(refusal(
                404,
                10_066,
                &format!("Durable Object namespace ID '{namespace}' not found."),
            ))
        })?;
    let index = namespace
        .busy
        .iter()
        .map(|(index, _)| *index)
        .find(|index| namespace.object_id(*index) == object);
    Ok(index.is_some_and(|index| namespace.object_version(worker, index) == Some(version)))
}

/// Parses the request's body.
///
/// # Errors
/// The error message for invalid parameters.
fn read(body: &[u8]) -> Result<Asked, String> {
    let body: Value =
        serde_json::from_slice(body).map_err(|_| "Invalid JSON in the request body".to_owned())?;
    let duration = body.get("duration_ms").ok_or("duration_ms: Required")?;
    let duration = duration.as_u64().ok_or("duration_ms: Expected integer")?;
    let window = Duration::from_millis(duration);
    if window < WINDOW_MIN {
        return Err(format!(
            "duration_ms: Number must be greater than or equal to {}",
            WINDOW_MIN.as_millis()
        ));
    }
    if window > WINDOW_MAX {
        return Err(format!(
            "duration_ms: Number must be less than or equal to {}",
            WINDOW_MAX.as_millis()
        ));
    }
    let kind = match body
        .get("profile_type")
        .map(|kind| kind.as_str().unwrap_or_default())
    {
        None | Some("cpu") => Kind::Cpu,
        Some("heap") => Kind::Heap,
        Some(_) => {
            return Err("profile_type: Invalid enum value. Expected 'cpu' | 'heap'".to_owned());
        }
    };
    let text = |name: &str| match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("{name}: Expected string")),
    };
    let object = match (text("namespace_id")?, text("actor_id")?) {
        (None, None) => None,
        (Some(namespace), Some(object)) => {
            let namespace =
                cloudflare::id32(&namespace).map_err(|_| "namespace_id: Invalid".to_owned())?;
            let object =
                cloudflare::object_id64(&object).map_err(|_| "actor_id: Invalid".to_owned())?;
            Some((namespace, object))
        }
        _ => return Err("namespace_id and actor_id must be given together".to_owned()),
    };
    Ok(Asked {
        window,
        kind,
        object,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_read_as_documented() {
        for good in [
            r#"{"duration_ms":1000}"#,
            r#"{"duration_ms":50000,"profile_type":"heap","actor_id":null}"#,
        ] {
            assert!(read(good.as_bytes()).is_ok(), "{good}");
        }
        for bad in [
            "",
            "{}",
            r#"{"duration_ms":999}"#,
            r#"{"duration_ms":50001}"#,
            r#"{"duration_ms":1500.5}"#,
            r#"{"duration_ms":"1000"}"#,
            r#"{"duration_ms":1000,"profile_type":"wall"}"#,
            r#"{"duration_ms":1000,"actor_id":"00"}"#,
            r#"{"duration_ms":1000,"namespace_id":"e96f6022469a4499bdda090041bd0346"}"#,
        ] {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
