//! Counts a target's requests since a time, for waiting for traffic.

use std::time::SystemTime;

use serde_json::json;

use crate::api::analytics::{Invocations, Objects, whole};
use crate::api::client::Client;
use crate::api::error::ApiError;

impl Client {
    /// Returns the requests of a Worker's version since a time, as far as they are counted: analytics are some minutes behind.
    ///
    /// # Errors
    /// [`crate::api::ErrorKind::Forbidden`] if the token may not read analytics.
    pub async fn version_requests_since(
        &self,
        script: &str,
        version: &str,
        since: SystemTime,
    ) -> Result<u64, ApiError> {
        let query = "query ($a: string!, $s: Time!, $u: Time!, $n: string!) { viewer { accounts(filter: \
                     {accountTag: $a}) { workersInvocationsAdaptive(limit: 100, filter: {datetime_geq: $s, \
                     datetime_leq: $u, scriptName: $n}, orderBy: [sum_requests_DESC]) { dimensions { scriptVersion } \
                     sum { requests } } } } }";
        let found: Invocations = self.ask_since(query, json!({ "n": script }), since).await?;
        let own = found
            .groups
            .iter()
            .filter(|group| group.dimensions.script_version.as_deref() == Some(version));
        Ok(whole(own.filter_map(|group| group.sum.requests).sum()))
    }

    /// Returns the requests of a Durable Object since a time, as far as they are counted.
    ///
    /// # Errors
    /// [`crate::api::ErrorKind::Forbidden`] if the token may not read analytics.
    pub async fn object_requests_since(
        &self,
        namespace: &str,
        object: &str,
        since: SystemTime,
    ) -> Result<u64, ApiError> {
        let query = "query ($a: string!, $s: Time!, $u: Time!, $n: string!, $o: string!) { viewer { accounts(filter: \
                     {accountTag: $a}) { durableObjectsInvocationsAdaptiveGroups(limit: 10, filter: {datetime_geq: $s, \
                     datetime_leq: $u, namespaceId: $n, objectId: $o}, orderBy: [sum_requests_DESC]) { dimensions { \
                     objectId } sum { requests } } } } }";
        let found: Objects = self
            .ask_since(query, json!({ "n": namespace, "o": object }), since)
            .await?;
        Ok(whole(
            found
                .invocations
                .iter()
                .filter_map(|group| group.sum.requests)
                .sum(),
        ))
    }
}
