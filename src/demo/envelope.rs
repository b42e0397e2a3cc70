//! The API's response envelope, and paging.

use std::collections::HashMap;
use std::time::SystemTime;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The query of an address.
pub(super) type Parameters = HashMap<String, String>;

/// Returns a successful response.
pub(super) fn success(result: &Value) -> Response {
    json_response(
        StatusCode::OK,
        &json!({ "success": true, "errors": [], "messages": [], "result": result }),
    )
}

/// Returns a page of a list.
pub(super) fn listed(result: &[Value], info: &Value) -> Response {
    listed_in(&json!(result), info)
}

/// Returns a page of a list that is nested in the result.
pub(super) fn listed_in(result: &Value, info: &Value) -> Response {
    let body = json!({ "success": true, "errors": [], "messages": [], "result": result, "result_info": info });
    json_response(StatusCode::OK, &body)
}

/// Returns an error.
pub(super) fn refusal(status: u16, code: i64, message: &str) -> Response {
    let error = json!({ "code": code, "message": message });
    refused_with(status, &error)
}

/// Returns an error with more fields than code and message.
pub(super) fn refused_with(status: u16, error: &Value) -> Response {
    let body = json!({ "success": false, "errors": [error], "messages": [], "result": null });
    json_response(
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        &body,
    )
}

/// Returns an error in GraphQL's format.
pub(super) fn graphql_refusal(status: u16, message: &str, path: &[String]) -> Response {
    let code = match status {
        403 => "authz",
        429 => "budget",
        _ => "validation",
    };
    let path = if path.is_empty() {
        Value::Null
    } else {
        json!(path)
    };
    let extensions = json!({ "code": code, "timestamp": time(SystemTime::now()) });
    let body = json!({ "data": null, "errors": [{ "message": message, "path": path, "extensions": extensions }] });
    json_response(
        StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST),
        &body,
    )
}

/// Returns JSON.
pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = (status, body.to_string()).into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}

/// Formats a time as the API does.
pub(super) fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_micros(time).to_string()
}

/// The page sizes of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The default.
    pub(super) usual: u64,
    /// The largest; larger ones are reduced silently, as the API does.
    pub(super) most: u64,
}

/// Returns the response with one page of `items`, or the error for invalid parameters.
pub(super) fn paged(items: &[Value], parameters: &Parameters, bounds: Bounds) -> Response {
    match page(items, parameters, bounds) {
        Ok((shown, info)) => listed(shown, &info),
        Err(refusal) => *refusal,
    }
}

/// Returns one page of `items` and its `result_info`.
///
/// # Errors
/// The response for invalid parameters.
pub(super) fn page<'a, T>(
    items: &'a [T],
    parameters: &Parameters,
    bounds: Bounds,
) -> Result<(&'a [T], Value), Box<Response>> {
    let number = |name: &str, usual: u64| match parameters.get(name) {
        None => Ok(usual),
        Some(text) => match text.parse::<u64>() {
            Ok(number) if number >= 1 => Ok(number),
            Ok(_) => Err(format!("{name}: Number must be greater than or equal to 1")),
            Err(_) => Err(format!("{name}: Expected number, received string")),
        }
        .map_err(|message| Box::new(refusal(400, 10_001, &message))),
    };
    let page = number("page", 1)?;
    let per_page = number("per_page", bounds.usual)?.min(bounds.most);
    let total = items.len() as u64;
    let start = (page - 1).saturating_mul(per_page).min(total);
    let end = (start + per_page).min(total);
    let range = usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
    let shown = items.get(range).unwrap_or_default();
    let info = json!({
        "page": page, "per_page": per_page, "count": shown.len(), "total_count": total,
        "total_pages": total.div_ceil(per_page),
    });
    Ok((shown, info))
}
