//! The GraphQL analytics: three datasets with their documented and known fields, and an error for any other.

use std::time::{Duration, SystemTime};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use crate::demo::account_data::ACCOUNT_ID;
use crate::demo::datasets;
use crate::demo::datasets::{DATASETS, Dataset, Row};
use crate::demo::envelope::{graphql_refusal, json_response};
use crate::demo::graphql;
use crate::demo::graphql::Field;
use crate::demo::state::Server;

/// Most fields in a query, as observed.
const FIELDS_MAX: usize = 30;
/// Most groups in a response.
const PAGE_MAX: u64 = 10_000;
/// The longest time range of a query.
const DURATION_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How far back the data goes.
const NOT_OLDER_THAN: Duration = Duration::from_secs(31 * 24 * 60 * 60);

/// An error for a query.
#[derive(Debug)]
struct Refused {
    status: u16,
    message: String,
    path: Vec<String>,
}

impl Refused {
    fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            path: vec![],
        }
    }

    fn unknown(field: &str, path: &[&str]) -> Self {
        let path = path.iter().map(|part| (*part).to_owned()).collect();
        Self {
            status: 400,
            message: format!("unknown field \"{field}\""),
            path,
        }
    }
}

/// `POST /graphql`.
pub(super) async fn analytics(State(server): State<Server>, body: Bytes) -> Response {
    match respond(&server, &body, SystemTime::now()) {
        Ok(data) => json_response(StatusCode::OK, &json!({ "data": data, "errors": null })),
        Err(refused) => graphql_refusal(refused.status, &refused.message, &refused.path),
    }
}

fn respond(server: &Server, body: &[u8], now: SystemTime) -> Result<Value, Refused> {
    let request: Value =
        serde_json::from_slice(body).map_err(|_| Refused::new(400, "error parsing body"))?;
    let query = request
        .get("query")
        .and_then(Value::as_str)
        .ok_or_else(|| Refused::new(400, "query is missing"))?;
    let none = Map::new();
    let variables = request
        .get("variables")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let fields =
        graphql::parse(query, variables).ok_or_else(|| Refused::new(400, "error parsing args"))?;
    let viewers = each(&fields, &[], |field, path| match field.name.as_str() {
        "viewer" => each(&field.fields, path, |field, path| {
            match field.name.as_str() {
                "accounts" => accounts(server, field, path, now),
                other => Err(Refused::unknown(other, path)),
            }
        }),
        other => Err(Refused::unknown(other, path)),
    })?;
    Ok(viewers)
}

/// Returns the value of each field, under its alias.
fn each(
    fields: &[Field],
    path: &[&str],
    one: impl Fn(&Field, &[&str]) -> Result<Value, Refused>,
) -> Result<Value, Refused> {
    let mut values = Map::new();
    for field in fields {
        let path: Vec<&str> = path.iter().copied().chain([field.key.as_str()]).collect();
        values.insert(field.key.clone(), one(field, &path)?);
    }
    Ok(Value::Object(values))
}

fn accounts(
    server: &Server,
    field: &Field,
    path: &[&str],
    now: SystemTime,
) -> Result<Value, Refused> {
    let tag = field
        .arguments
        .get("filter")
        .and_then(|filter| filter.get("accountTag"));
    if tag.and_then(Value::as_str) != Some(ACCOUNT_ID) {
        return Err(Refused::new(403, "not authorized for that account"));
    }
    let account = each(&field.fields, path, |field, path| {
        match field.name.as_str() {
            "settings" => each(&field.fields, path, settings),
            name => match DATASETS.iter().find(|dataset| dataset.name == name) {
                Some(dataset) => groups(server, dataset, field, path, now),
                None => Err(Refused::unknown(name, path)),
            },
        }
    })?;
    Ok(json!([account]))
}

fn settings(field: &Field, path: &[&str]) -> Result<Value, Refused> {
    if !DATASETS.iter().any(|dataset| dataset.name == field.name) {
        return Err(Refused::unknown(&field.name, path));
    }
    each(&field.fields, path, |field, path| {
        match field.name.as_str() {
            "enabled" => Ok(json!(true)),
            "maxDuration" => Ok(json!(DURATION_MAX.as_secs())),
            "maxNumberOfFields" => Ok(json!(FIELDS_MAX)),
            "maxPageSize" => Ok(json!(PAGE_MAX)),
            "notOlderThan" => Ok(json!(NOT_OLDER_THAN.as_secs())),
            other => Err(Refused::unknown(other, path)),
        }
    })
}

fn groups(
    server: &Server,
    dataset: &Dataset,
    field: &Field,
    path: &[&str],
    now: SystemTime,
) -> Result<Value, Refused> {
    let none = json!({});
    let filter = field.arguments.get("filter").unwrap_or(&none);
    let asked: usize = field
        .fields
        .iter()
        .map(|part| part.fields.len().max(1))
        .sum();
    if asked > FIELDS_MAX {
        return Err(Refused::new(
            400,
            format!("number of fields can't be more than {FIELDS_MAX}"),
        ));
    }
    let limit = field.arguments.get("limit").map(|limit| {
        limit
            .as_u64()
            .filter(|limit| (1..=PAGE_MAX).contains(limit))
    });
    let limit = match limit {
        Some(Some(limit)) => usize::try_from(limit).unwrap_or(usize::MAX),
        Some(None) => {
            return Err(Refused::new(
                400,
                format!("limit must be from 1 to {PAGE_MAX}"),
            ));
        }
        None => return Err(Refused::new(400, "limit must be specified")),
    };
    let window = window(filter, now)?;
    let dimensions = names(field, "dimensions", dataset.dimensions, path)?;
    let sums = names(field, "sum", dataset.sums, path)?;
    let quantiles = names(field, "quantiles", dataset.quantiles, path)?;
    if let Some(other) = field
        .fields
        .iter()
        .find(|part| !matches!(part.name.as_str(), "dimensions" | "sum" | "quantiles"))
    {
        return Err(Refused::unknown(&other.name, path));
    }
    let mut rows = (dataset.rows)(&server.data, window);
    for (name, wanted) in filter.as_object().into_iter().flatten() {
        if !name.starts_with("datetime") {
            narrow(&mut rows, dataset, name, wanted, path)?;
        }
    }
    let mut rows = datasets::group(rows, &dimensions);
    if let Some(order) = field.arguments.get("orderBy") {
        sort(&mut rows, dataset, order, path)?;
    }
    rows.truncate(limit);
    let value = |row: &Row| {
        let mut value = Map::new();
        for part in &field.fields {
            let names: &[&str] = match part.name.as_str() {
                "dimensions" => &dimensions,
                "sum" => &sums,
                _ => &quantiles,
            };
            let values: Map<String, Value> = names
                .iter()
                .map(|name| ((*name).to_owned(), row.value(name)))
                .collect();
            value.insert(part.key.clone(), Value::Object(values));
        }
        Value::Object(value)
    };
    Ok(rows.iter().map(value).collect())
}

/// Returns the requested fields of one part of a group.
fn names<'a>(
    field: &Field,
    part: &str,
    known: &[&'a str],
    path: &[&str],
) -> Result<Vec<&'a str>, Refused> {
    let asked = field
        .fields
        .iter()
        .filter(|field| field.name == part)
        .flat_map(|field| &field.fields);
    asked
        .map(|asked| {
            let found = known.iter().copied().find(|known| *known == asked.name);
            let path: Vec<&str> = path.iter().copied().chain([part]).collect();
            found.ok_or_else(|| Refused::unknown(&asked.name, &path))
        })
        .collect()
}

/// Returns the time range of a filter.
fn window(filter: &Value, now: SystemTime) -> Result<Duration, Refused> {
    let time = |names: [&str; 2]| {
        let text = names
            .iter()
            .find_map(|name| filter.get(*name))?
            .as_str()
            .unwrap_or_default();
        Some(
            humantime::parse_rfc3339(text)
                .map_err(|_| Refused::new(400, format!("error parsing args: {text:?} is no Time"))),
        )
    };
    let start = time(["datetime_geq", "datetime_gt"])
        .ok_or_else(|| Refused::new(400, "datetime_geq must be specified"))??;
    let end = time(["datetime_leq", "datetime_lt"])
        .transpose()?
        .unwrap_or(now)
        .min(now);
    let window = end.duration_since(start).unwrap_or_default();
    if window > DURATION_MAX {
        return Err(Refused::new(400, "query time range is too large"));
    }
    if now.duration_since(start).unwrap_or_default() > NOT_OLDER_THAN {
        return Err(Refused::new(400, "cannot request data older than 31 days"));
    }
    Ok(window)
}

/// Keeps the rows that one entry of the filter allows.
fn narrow(
    rows: &mut Vec<Row>,
    dataset: &Dataset,
    name: &str,
    wanted: &Value,
    path: &[&str],
) -> Result<(), Refused> {
    let (dimension, list) = name
        .strip_suffix("_in")
        .map_or((name, false), |dimension| (dimension, true));
    let (dimension, not) = dimension
        .strip_suffix("_neq")
        .map_or((dimension, false), |dimension| (dimension, true));
    let dimension = dataset
        .dimensions
        .iter()
        .find(|known| **known == dimension)
        .ok_or_else(|| Refused::unknown(name, path))?;
    rows.retain(|row| {
        let value = row.value(dimension);
        let equal = if list {
            wanted
                .as_array()
                .is_some_and(|wanted| wanted.contains(&value))
        } else {
            value == *wanted
        };
        equal != not
    });
    Ok(())
}

/// Sorts by orders such as `sum_requests_DESC`; the first of several is the primary one.
fn sort(rows: &mut [Row], dataset: &Dataset, order: &Value, path: &[&str]) -> Result<(), Refused> {
    let orders = match order {
        Value::Array(orders) => orders.as_slice(),
        one => std::slice::from_ref(one),
    };
    for order in orders.iter().rev() {
        let order = order.as_str().unwrap_or_default();
        let (field, descending) = match (order.strip_suffix("_DESC"), order.strip_suffix("_ASC")) {
            (Some(field), _) => (field, true),
            (_, Some(field)) => (field, false),
            _ => return Err(Refused::unknown(order, path)),
        };
        let name = field
            .strip_prefix("sum_")
            .or_else(|| field.strip_prefix("quantiles_"))
            .unwrap_or(field);
        let known = [dataset.dimensions, dataset.sums, dataset.quantiles]
            .concat()
            .contains(&name);
        if !known {
            return Err(Refused::unknown(order, path));
        }
        rows.sort_by(|a, b| {
            let (a, b) = if descending { (b, a) } else { (a, b) };
            a.compare(b, name)
        });
    }
    Ok(())
}
