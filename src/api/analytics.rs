//! Metrics from the GraphQL analytics. They need a permission of their own, so everything works without them.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::api::client::Client;
use crate::api::envelope::Refusal;
use crate::api::error::{ApiError, ErrorKind, Step};
use crate::api::exchange::Raw;
use crate::api::path::Path;
use crate::api::time;
use crate::model::cloudflare::{Kind, Metrics, Object, object_id64};

/// The time that metrics cover. The last minutes are still being counted, so a shorter time would mislead.
pub const ANALYTICS_WINDOW: Duration = Duration::from_secs(15 * 60);

/// The limit of groups and the quantiles: with undocumented fields that are in use, and as documented.
const RICH: (u32, &str) = (5000, "cpuTimeP50 cpuTimeP99 memoryUsageBytesP99");
const PLAIN: (u32, &str) = (1000, "cpuTimeP50 cpuTimeP99");
const GRAPHQL: Path<'static> = Path {
    template: "/graphql",
    values: &[],
};
/// Namespaces in one query: each takes seven of the thirty fields that a query may have.
const NAMESPACES_AT_ONCE: usize = 4;

#[derive(Debug, Deserialize)]
struct Reply<T> {
    data: Option<Data<T>>,
}

#[derive(Debug, Deserialize)]
struct Data<T> {
    viewer: Option<Viewer<T>>,
}

#[derive(Debug, Deserialize)]
struct Viewer<T> {
    accounts: Option<Vec<T>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Invocations {
    #[serde(rename = "workersInvocationsAdaptive")]
    pub(super) groups: Vec<Group>,
    exceeded: Vec<Group>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Objects {
    #[serde(rename = "durableObjectsPeriodicGroups")]
    periods: Vec<Group>,
    #[serde(rename = "durableObjectsInvocationsAdaptiveGroups")]
    pub(super) invocations: Vec<Group>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Group {
    pub(super) dimensions: Dimensions,
    pub(super) sum: Sum,
    quantiles: Quantiles,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Dimensions {
    script_name: Option<String>,
    pub(super) script_version: Option<String>,
    object_id: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Sum {
    pub(super) requests: Option<f64>,
    errors: Option<f64>,
    cpu_time: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Quantiles {
    #[serde(rename = "cpuTimeP50")]
    cpu_p50: Option<f64>,
    #[serde(rename = "cpuTimeP99")]
    cpu_p99: Option<f64>,
    #[serde(rename = "memoryUsageBytesP99")]
    memory_p99: Option<f64>,
}

impl Client {
    /// Returns the metrics of every Worker that had traffic, by script name.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] if the token may not read analytics; callers go on without metrics.
    pub async fn worker_metrics(&self) -> Result<HashMap<String, Metrics>, ApiError> {
        self.metrics("scriptName", None, |dimensions| {
            dimensions.script_name.clone()
        })
        .await
    }

    /// Returns the metrics of each version of a Worker, by version id.
    ///
    /// # Errors
    /// As [`Self::worker_metrics`].
    pub async fn version_metrics(
        &self,
        script: &str,
    ) -> Result<HashMap<String, Metrics>, ApiError> {
        self.metrics("scriptVersion", Some(script), |dimensions| {
            dimensions.script_version.clone()
        })
        .await
    }

    /// Returns the objects of a namespace that used the most CPU, busiest first, with their names, if any, and versions. At
    /// most 50.
    ///
    /// # Errors
    /// As [`Self::worker_metrics`].
    pub async fn hot_objects(&self, namespace: &str) -> Result<Vec<Object>, ApiError> {
        Ok(self
            .hot_objects_of(&[namespace])
            .await?
            .pop()
            .unwrap_or_default())
    }

    /// Returns the objects of a namespace whose isolates hold the most memory, largest first. At most 50.
    ///
    /// # Errors
    /// As [`Self::hot_objects`].
    pub async fn largest_objects(&self, namespace: &str) -> Result<Vec<Object>, ApiError> {
        Ok(self
            .ranked_objects(&[namespace], Kind::Heap)
            .await?
            .pop()
            .unwrap_or_default())
    }

    /// As [`Self::hot_objects`] for several namespaces, in their order, in as few queries as the limit of fields allows.
    ///
    /// # Errors
    /// As [`Self::hot_objects`].
    pub async fn hot_objects_of(&self, namespaces: &[&str]) -> Result<Vec<Vec<Object>>, ApiError> {
        self.ranked_objects(namespaces, Kind::Cpu).await
    }

    /// Returns the objects of each namespace to capture first with this kind.
    async fn ranked_objects(
        &self,
        namespaces: &[&str],
        kind: Kind,
    ) -> Result<Vec<Vec<Object>>, ApiError> {
        let order = match kind {
            Kind::Cpu => ", orderBy: [sum_cpuTime_DESC]",
            Kind::Heap => ", orderBy: [quantiles_memoryUsageBytesP99_DESC]",
        };
        let mut all = Vec::with_capacity(namespaces.len());
        for some in namespaces.chunks(NAMESPACES_AT_ONCE) {
            let variables: serde_json::Map<String, Value> = some
                .iter()
                .enumerate()
                .map(|(at, namespace)| (format!("n{at}"), json!(namespace)))
                .collect();
            let variables = Value::Object(variables);
            let ordered = hot_query(some.len(), order);
            let mut response: HashMap<String, Vec<Group>> =
                match self.ask(&ordered, variables.clone()).await {
                    // These orders are analogies to a documented one; if rejected, only the sorting below applies.
                    Err(error) if *error.kind() == ErrorKind::Query => {
                        self.ask(&hot_query(some.len(), ""), variables).await?
                    }
                    response => response?,
                };
            let mut take = |key: String| response.remove(&key).unwrap_or_default();
            all.extend((0..some.len()).map(|at| {
                let groups = Objects {
                    periods: take(format!("periods{at}")),
                    invocations: take(format!("versions{at}")),
                };
                merge(groups, kind)
            }));
        }
        Ok(all)
    }

    /// Returns the object with this name or 64-digit id, with the version it runs; `None` if it had no recent traffic. An id
    /// can't be computed from a name: the key is Cloudflare's.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] if the token may not read analytics.
    pub async fn find_object(
        &self,
        namespace: &str,
        object: &str,
    ) -> Result<Option<Object>, ApiError> {
        let id = object_id64(object).ok();
        let dimension = if id.is_some() { "objectId" } else { "name" };
        let query = format!(
            "query ($a: string!, $s: Time!, $u: Time!, $n: string!, $o: string!) {{ viewer {{ \
             accounts(filter: {{accountTag: $a}}) {{ durableObjectsInvocationsAdaptiveGroups(limit: 10, filter: \
             {{datetime_geq: $s, datetime_leq: $u, namespaceId: $n, {dimension}: $o}}, orderBy: [sum_requests_DESC]) {{ \
             dimensions {{ objectId name scriptVersion }} sum {{ requests }} }} }} }} }}"
        );
        let object = id.as_deref().unwrap_or(object);
        let found: Objects = self
            .ask(&query, json!({ "n": namespace, "o": object }))
            .await?;
        let dimensions = found.invocations.into_iter().map(|group| group.dimensions);
        Ok(dimensions
            .filter_map(|dimensions| {
                Some(Object {
                    id: dimensions.object_id?,
                    name: dimensions.name.filter(|name| !name.is_empty()),
                    has_stored_data: None,
                    cpu_seconds: None,
                    memory_p99: None,
                    version_id: dimensions.script_version.filter(|id| !id.is_empty()),
                })
            })
            .next())
    }

    async fn metrics(
        &self,
        dimension: &str,
        script: Option<&str>,
        key: impl Fn(&Dimensions) -> Option<String>,
    ) -> Result<HashMap<String, Metrics>, ApiError> {
        let variables = script.map_or_else(|| json!({}), |script| json!({ "n": script }));
        let plain = || metrics_query(dimension, script.is_some(), PLAIN, false);
        let response = if self.shared.plain_figures.load(Ordering::Relaxed) {
            self.ask(&plain(), variables).await
        } else {
            match self
                .ask(
                    &metrics_query(dimension, script.is_some(), RICH, true),
                    variables.clone(),
                )
                .await
            {
                Err(error) if *error.kind() == ErrorKind::Query => {
                    self.shared.plain_figures.store(true, Ordering::Relaxed);
                    self.ask(&plain(), variables).await
                }
                response => response,
            }
        };
        let Invocations { groups, exceeded } = response?;
        let mut metrics: HashMap<String, Metrics> = groups
            .iter()
            .filter_map(|group| Some((key(&group.dimensions)?, group.metrics())))
            .collect();
        for group in &exceeded {
            if let Some(metrics) = key(&group.dimensions).and_then(|key| metrics.get_mut(&key)) {
                metrics.exceeded = group.sum.requests.map_or(0, whole);
            }
        }
        Ok(metrics)
    }

    /// Queries the chosen account over the last [`ANALYTICS_WINDOW`].
    async fn ask<T: DeserializeOwned + Default>(
        &self,
        query: &str,
        variables: Value,
    ) -> Result<T, ApiError> {
        self.ask_since(query, variables, SystemTime::now() - ANALYTICS_WINDOW)
            .await
    }

    /// Queries the chosen account from a time up to now.
    pub(super) async fn ask_since<T: DeserializeOwned + Default>(
        &self,
        query: &str,
        mut variables: Value,
        since: SystemTime,
    ) -> Result<T, ApiError> {
        if let Some(variables) = variables.as_object_mut() {
            variables.insert("a".to_owned(), json!(self.account(Step::Analytics)?));
            variables.insert("s".to_owned(), json!(time::format(since)));
            variables.insert("u".to_owned(), json!(time::format(SystemTime::now())));
        }
        let raw = self
            .post(
                Step::Analytics,
                GRAPHQL,
                &json!({ "query": query, "variables": variables }),
            )
            .await?;
        self.graphql(&raw)
    }

    /// Decodes a response. Errors may come with any status, even 200, and without `success`.
    fn graphql<T: DeserializeOwned + Default>(&self, raw: &Raw) -> Result<T, ApiError> {
        if Refusal::parse(&raw.body).is_some() || !raw.status.is_success() {
            return Err(self.refused(Step::Analytics, raw));
        }
        let reply: Reply<T> = serde_json::from_slice(&raw.body)
            .map_err(|error| self.unreadable(Step::Analytics, raw, &error.to_string()))?;
        let accounts = reply
            .data
            .and_then(|data| data.viewer)
            .and_then(|viewer| viewer.accounts)
            .unwrap_or_default();
        Ok(accounts.into_iter().next().unwrap_or_default())
    }
}

fn metrics_query(
    dimension: &str,
    one_script: bool,
    (limit, quantiles): (u32, &str),
    exceeded: bool,
) -> String {
    let (declare, narrow) = if one_script {
        (", $n: string!", ", scriptName: $n")
    } else {
        ("", "")
    };
    let dataset = "workersInvocationsAdaptive";
    let times = "datetime_geq: $s, datetime_leq: $u";
    let extra = if exceeded {
        format!(
            " exceeded: {dataset}(limit: {limit}, filter: {{{times}{narrow}, status: \"exceededResources\"}}, \
             orderBy: [sum_requests_DESC]) {{ dimensions {{ {dimension} }} sum {{ requests }} }}"
        )
    } else {
        String::new()
    };
    format!(
        "query ($a: string!, $s: Time!, $u: Time!{declare}) {{ viewer {{ accounts(filter: {{accountTag: $a}}) {{ \
         {dataset}(limit: {limit}, filter: {{{times}{narrow}}}, orderBy: [sum_requests_DESC]) \
         {{ dimensions {{ {dimension} }} sum {{ requests errors }} quantiles {{ {quantiles} }} }}{extra} }} }} }}"
    )
}

/// Returns the query for the objects of this many namespaces, the variables `n0`, `n1`, …
fn hot_query(namespaces: usize, order: &str) -> String {
    let declared: String = (0..namespaces)
        .map(|at| format!(", $n{at}: string!"))
        .collect();
    let parts: String = (0..namespaces)
        .map(|at| {
            let filter = format!("{{datetime_geq: $s, datetime_leq: $u, namespaceId: $n{at}}}");
            format!(
                " periods{at}: durableObjectsPeriodicGroups(limit: 50, filter: {filter}{order}) \
                 {{ dimensions {{ objectId name }} sum {{ cpuTime }} quantiles {{ memoryUsageBytesP99 }} }} \
                 versions{at}: durableObjectsInvocationsAdaptiveGroups(limit: 200, filter: {filter}, \
                 orderBy: [sum_requests_DESC]) {{ dimensions {{ objectId scriptVersion }} sum {{ requests }} }}"
            )
        })
        .collect();
    format!(
        "query ($a: string!, $s: Time!, $u: Time!{declared}) {{ viewer {{ accounts(filter: {{accountTag: $a}}) {{{parts} }} }} }}"
    )
}

impl Group {
    fn metrics(&self) -> Metrics {
        let seconds = ANALYTICS_WINDOW.as_secs_f64();
        Metrics {
            requests_per_second: self.sum.requests.unwrap_or(0.0) / seconds,
            errors_per_second: self.sum.errors.unwrap_or(0.0) / seconds,
            cpu_p50_us: self.quantiles.cpu_p50.unwrap_or(0.0),
            cpu_p99_us: self.quantiles.cpu_p99.unwrap_or(0.0),
            memory_p99: self.quantiles.memory_p99,
            exceeded: 0,
        }
    }
}

/// Returns the objects by CPU time or memory, each with the version that most of its requests ran.
fn merge(groups: Objects, kind: Kind) -> Vec<Object> {
    let mut versions: HashMap<String, String> = HashMap::new();
    for group in groups.invocations {
        if let (Some(id), Some(version)) =
            (group.dimensions.object_id, group.dimensions.script_version)
        {
            versions.entry(id).or_insert(version);
        }
    }
    let objects = groups.periods.into_iter().filter_map(|group| {
        let id = group.dimensions.object_id?;
        Some(Object {
            name: group.dimensions.name.filter(|name| !name.is_empty()),
            has_stored_data: None,
            cpu_seconds: group.sum.cpu_time.map(|microseconds| microseconds / 1e6),
            memory_p99: group.quantiles.memory_p99,
            version_id: versions.get(&id).cloned(),
            id,
        })
    });
    let mut objects: Vec<Object> = objects.collect();
    let measure = |object: &Object| match kind {
        Kind::Cpu => object.cpu_seconds.unwrap_or(0.0),
        Kind::Heap => object.memory_p99.unwrap_or(0.0),
    };
    objects.sort_by(|a, b| measure(b).total_cmp(&measure(a)));
    objects
}

/// Rounds a sampled count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as intended"
)]
pub(super) fn whole(count: f64) -> u64 {
    count.round() as u64
}
