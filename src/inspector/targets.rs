//! An inspector's list of isolates, over plain HTTP.

use std::error::Error as _;
use std::io;
use std::time::Instant;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::inspector::{Inspector, InspectorError};
use crate::model::cloudflare::local_runtime::{Isolate, Obstacle, Runtime};
use crate::model::text::sanitize::printable;

/// Largest list that is read, in bytes. An entry takes about 500.
const LIST_MAX: usize = 4 << 20;

/// A listed isolate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its description.
    pub isolate: Isolate,
    /// The path of its WebSocket at the inspector's address: only the runtime may know the listed host.
    pub(super) path: String,
}

/// The targets of an inspector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// The runtime's name and version; empty if not reported.
    pub runtime: String,
    /// In the runtime's order.
    pub list: Vec<Target>,
}

/// An entry of the list. Every field is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Entry {
    id: String,
    title: String,
    r#type: String,
    description: String,
    web_socket_debugger_url: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Version {
    browser: String,
}

impl Targets {
    /// Returns the runtime as shown to users.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        Runtime {
            name: self.runtime.clone(),
            isolates: self
                .list
                .iter()
                .map(|target| target.isolate.clone())
                .collect(),
        }
    }

    /// Renames the only isolate to the user's name for it, if the runtime has only a title.
    #[must_use]
    pub fn called(mut self, name: Option<&str>) -> Self {
        if let (Some(name), [only]) = (name, self.list.as_mut_slice())
            && only.isolate.is_titled
        {
            only.isolate.name = name.to_owned();
        }
        self
    }

    /// Returns the isolate of the Worker with this name or id.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Target> {
        self.list
            .iter()
            .find(|target| target.isolate.name == name || target.isolate.id == name)
    }
}

impl Inspector {
    /// Returns what can be profiled.
    ///
    /// # Errors
    /// Any [`InspectorError`]: nothing listens there, or something else does.
    pub async fn targets(&self) -> Result<Targets, InspectorError> {
        // No User-Agent and no Origin: `wrangler dev` rejects clients with either as web pages.
        // Fails only if the process has chosen a provider already, which then serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            // Certificates are not needed and slow to load.
            .tls_certs_only([])
            // A runtime may close a connection after its response, so none is reused.
            .pool_max_idle_per_host(0)
            .timeout(self.settings.connect_timeout)
            .build()
            .map_err(|error| InspectorError::Client(error.to_string()))?;
        let entries: Vec<Entry> = self.read(&client, "json").await?;
        // Optional: an old runtime may not have it.
        let version: Version = self.read(&client, "json/version").await.unwrap_or_default();
        Ok(Targets {
            runtime: printable(&version.browser).into_owned(),
            list: entries.into_iter().map(Entry::target).collect(),
        })
    }

    async fn read<T: DeserializeOwned>(
        &self,
        client: &reqwest::Client,
        path: &str,
    ) -> Result<T, InspectorError> {
        let begun = Instant::now();
        let read = self.fetch(client, path).await;
        tracing::info!(
            path,
            ms = begun.elapsed().as_millis(),
            error = read.as_ref().err().map(tracing::field::display),
            "inspector-list"
        );
        read
    }

    async fn fetch<T: DeserializeOwned>(
        &self,
        client: &reqwest::Client,
        path: &str,
    ) -> Result<T, InspectorError> {
        let other = |why: String| InspectorError::NotAnInspector {
            address: self.address.to_string(),
            why,
        };
        let response = client
            .get(format!("http://{}/{path}", self.address))
            .send()
            .await;
        let mut response = response.map_err(|error| self.failed(&error))?;
        if !response.status().is_success() {
            return Err(other(format!(
                "/{path} returned HTTP status {}",
                response.status().as_u16()
            )));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.failed(&error))?
        {
            if bytes.len() + chunk.len() > LIST_MAX {
                return Err(InspectorError::TooLarge {
                    what: "the list of isolates",
                    limit: LIST_MAX,
                });
            }
            bytes.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&bytes)
            .map_err(|_| other(format!("/{path} returned no list of isolates")))
    }

    fn failed(&self, error: &reqwest::Error) -> InspectorError {
        if error.is_timeout() {
            return InspectorError::TimedOut {
                what: "the list of isolates",
                limit: self.settings.connect_timeout,
            };
        }
        let address = self.address.to_string();
        if error.is_connect() {
            return InspectorError::NoAnswer {
                address,
                source: cause(error),
            };
        }
        InspectorError::NotAnInspector {
            address,
            why: "it does not speak HTTP".to_owned(),
        }
    }
}

/// Returns the system's message for a failed connection.
fn cause(error: &reqwest::Error) -> io::Error {
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(found) = inner.downcast_ref::<io::Error>() {
            return io::Error::new(found.kind(), found.kind().to_string());
        }
        source = inner.source();
    }
    io::Error::other("it can't be reached")
}

impl Entry {
    fn target(self) -> Target {
        let path = self.path();
        let (name, is_titled) = self.name(&path);
        let obstacle = if path.is_empty() {
            Some(Obstacle::Address)
        } else if name.contains(|c: char| c.is_whitespace() || c == '/')
            && path == format!("/{name}")
        {
            Some(Obstacle::Name)
        } else {
            None
        };
        let kind = if self.description.is_empty() {
            self.r#type
        } else {
            self.description
        };
        Target {
            isolate: Isolate {
                id: self.id,
                name,
                is_titled,
                kind,
                obstacle,
            },
            path,
        }
    }

    /// Returns the part after the host; empty without an address.
    fn path(&self) -> String {
        let rest = self
            .web_socket_debugger_url
            .strip_prefix("ws://")
            .unwrap_or_default();
        rest.find('/')
            .and_then(|at| rest.get(at..))
            .unwrap_or_default()
            .to_owned()
    }

    /// Returns the name, and whether it is only a title. workerd's id is the Worker's name. Others generate ids: if several
    /// Workers run, the name follows the id in the address; otherwise the title is used.
    fn name(&self, path: &str) -> (String, bool) {
        let last = path.trim_start_matches('/');
        let own = self.id == last && !is_made_up(&self.id);
        let named = !last.is_empty() && self.id.ends_with(&format!("-{last}"));
        match (own || named, self.title.is_empty()) {
            (true, _) => (last.to_owned(), false),
            (false, false) => (self.title.clone(), true),
            (false, true) => (self.id.clone(), true),
        }
    }
}

/// Returns whether an id is a UUID.
fn is_made_up(id: &str) -> bool {
    let groups: Vec<usize> = id.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(json: &str) -> Target {
        serde_json::from_str::<Entry>(json).unwrap().target()
    }

    #[test]
    fn a_name_is_the_id_where_the_runtime_has_names() {
        // A response of workerd 2026-11-17.
        let workerd = target(
            r#"{"id":"checkout-api","title":"workerd: worker checkout-api","type":"node","description":"workerd worker","webSocketDebuggerUrl":"ws://127.0.0.1:41233/checkout-api","url":"https://workers.dev"}"#,
        );
        assert_eq!(
            (workerd.isolate.name.as_str(), workerd.path.as_str()),
            ("checkout-api", "/checkout-api")
        );
        assert_eq!(
            (workerd.isolate.kind.as_str(), workerd.isolate.obstacle),
            ("workerd worker", None)
        );
        // A response of wrangler 4.86.
        let wrangler = target(
            r#"{"id":"1ea8c366-6b75-47cc-b913-9818e2e83993","type":"node","description":"workers","webSocketDebuggerUrl":"ws://127.0.0.1:9339/ws","title":"Cloudflare Worker"}"#,
        );
        assert_eq!(
            (wrangler.isolate.name.as_str(), wrangler.path.as_str()),
            ("Cloudflare Worker", "/ws")
        );
        assert!(wrangler.isolate.is_titled && !workerd.isolate.is_titled);
        let called = |list: &[Target], name| {
            let targets = Targets {
                runtime: String::new(),
                list: list.to_vec(),
            }
            .called(name);
            targets
                .list
                .first()
                .map(|target| target.isolate.name.clone())
                .unwrap()
        };
        assert_eq!(
            called(std::slice::from_ref(&wrangler), Some("mine")),
            "mine"
        );
        assert_eq!(
            called(std::slice::from_ref(&wrangler), None),
            "Cloudflare Worker"
        );
        assert_eq!(
            called(std::slice::from_ref(&workerd), Some("mine")),
            "checkout-api"
        );
        // A response of miniflare with several Workers.
        let several = target(
            r#"{"id":"1ea8c366-6b75-47cc-b913-9818e2e83993-geo-router","type":"node","webSocketDebuggerUrl":"ws://localhost:9229/geo-router","title":"Cloudflare Worker: geo-router"}"#,
        );
        assert_eq!(
            (several.isolate.name.as_str(), several.isolate.kind.as_str()),
            ("geo-router", "node")
        );
    }

    #[test]
    fn what_can_not_be_reached_is_listed_with_the_reason() {
        for (name, obstacle) in [
            ("with blank", Obstacle::Name),
            ("with/slash", Obstacle::Name),
        ] {
            let json =
                format!(r#"{{"id":"{name}","webSocketDebuggerUrl":"ws://127.0.0.1:1/{name}"}}"#);
            assert_eq!(target(&json).isolate.obstacle, Some(obstacle), "{name}");
        }
        assert_eq!(
            target(r#"{"id":"a","title":"b"}"#).isolate.obstacle,
            Some(Obstacle::Address)
        );
        assert_eq!(
            target(r#"{"id":"a","webSocketDebuggerUrl":"http://x/"}"#).path,
            ""
        );
    }
}
