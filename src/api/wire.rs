//! The shapes of the API's responses. Everything but ids is optional: the resources are young and change often.

use std::collections::HashMap;
use std::time::SystemTime;

use serde::Deserialize;

use crate::api::envelope::text;
use crate::api::time;
use crate::model::cloudflare;

#[derive(Debug, Deserialize)]
pub(super) struct Account {
    id: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Worker {
    id: Option<String>,
    name: Option<String>,
    deployed_on: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Version {
    id: Option<String>,
    number: Option<u64>,
    created_on: Option<String>,
    author_email: Option<String>,
    author_id: Option<String>,
    source: Option<String>,
    annotations: Option<HashMap<String, Option<String>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Deployments {
    #[serde(default)]
    pub(super) deployments: Vec<Deployment>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Deployment {
    pub(super) id: Option<String>,
    pub(super) created_on: Option<String>,
    #[serde(default)]
    pub(super) versions: Vec<Share>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Share {
    pub(super) version_id: String,
    pub(super) percentage: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Namespace {
    id: Option<String>,
    name: Option<String>,
    script: Option<String>,
    class: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Object {
    id: Option<String>,
    #[serde(rename = "hasStoredData")]
    has_stored_data: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Token {
    pub(super) status: Option<String>,
    pub(super) expires_on: Option<String>,
}

/// Returns a time; `None` if it is missing or unreadable.
pub(super) fn time_of(text: Option<&str>) -> Option<SystemTime> {
    text.and_then(time::parse)
}

impl Account {
    pub(super) fn into_model(self) -> Option<cloudflare::Account> {
        let id = self.id?;
        Some(cloudflare::Account {
            name: self.name.unwrap_or_else(|| id.clone()),
            id,
        })
    }
}

impl Worker {
    pub(super) fn into_model(self) -> Option<cloudflare::Worker> {
        let name = self.name?;
        // Every path takes the name as well.
        let id = self.id.unwrap_or_else(|| name.clone());
        Some(cloudflare::Worker {
            id,
            name,
            deployed_on: time_of(self.deployed_on.as_deref()),
            metrics: None,
        })
    }
}

impl Version {
    pub(super) fn into_model(self) -> Option<cloudflare::Version> {
        let mut annotations = self.annotations.unwrap_or_default();
        let mut annotation = |name: &str| {
            annotations
                .remove(name)
                .flatten()
                .filter(|value| !value.is_empty())
        };
        Some(cloudflare::Version {
            id: self.id?,
            number: self.number.unwrap_or(0),
            created_on: time_of(self.created_on.as_deref()).unwrap_or(SystemTime::UNIX_EPOCH),
            author: self
                .author_email
                .filter(|email| !email.is_empty())
                .or(self.author_id),
            message: annotation("workers/message"),
            tag: annotation("workers/tag"),
            source: self.source,
            triggered_by: annotation("workers/triggered_by"),
            percentage: 0.0,
            metrics: None,
        })
    }
}

impl Namespace {
    pub(super) fn into_model(self) -> Option<cloudflare::Namespace> {
        let id = self.id?;
        let name = self.name.unwrap_or_else(|| id.clone());
        Some(cloudflare::Namespace {
            id,
            name,
            script: self.script.filter(|script| !script.is_empty()),
            class: self.class,
        })
    }
}

impl Object {
    pub(super) fn into_model(self) -> Option<cloudflare::Object> {
        Some(cloudflare::Object {
            id: self.id?,
            name: None,
            has_stored_data: self.has_stored_data,
            cpu_seconds: None,
            memory_p99: None,
            version_id: None,
        })
    }
}

impl Token {
    /// Returns the state without control characters.
    pub(super) fn status(&self) -> String {
        text(self.status.as_deref().unwrap_or("unknown"))
    }
}
