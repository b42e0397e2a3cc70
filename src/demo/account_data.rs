//! The demo server's account: Workers, versions, deployments and Durable Objects, generated from names and ages.
//!
//! Ids are hashes of names, so they are the same at every start. Ages count back from the start.

use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::demo::fixtures;
use crate::demo::fixtures::Role;
use crate::demo::recordings::Recording;

/// The account's id, the same at every start.
pub const ACCOUNT_ID: &str = "4c1de0a55f0f4ef6a3c9d1b2e3f40516";
/// The account's name.
pub const ACCOUNT_NAME: &str = "acme-prod";
/// The user that the token belongs to.
pub(super) const USER_EMAIL: &str = "dana@acme.example";

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Everything that the demo server serves.
#[derive(Debug)]
pub(super) struct AccountData {
    pub(super) workers: Vec<Worker>,
    pub(super) namespaces: Vec<Namespace>,
}

#[derive(Debug)]
pub(super) struct Worker {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) created: SystemTime,
    pub(super) deployed: Option<SystemTime>,
    /// Requests per second; a capture of a Worker without any finds nothing.
    pub(super) rps: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    /// Newest first.
    pub(super) versions: Vec<Version>,
    /// The serving one first.
    pub(super) deployments: Vec<Deployment>,
    pub(super) recording: Recording,
}

#[derive(Debug)]
pub(super) struct Version {
    pub(super) id: String,
    pub(super) number: u64,
    pub(super) created: SystemTime,
    pub(super) author: &'static str,
    pub(super) message: &'static str,
    pub(super) source: &'static str,
    pub(super) triggered_by: &'static str,
}

#[derive(Debug)]
pub(super) struct Deployment {
    pub(super) id: String,
    pub(super) created: SystemTime,
    pub(super) author: &'static str,
    pub(super) message: &'static str,
    /// Version ids and their percentages.
    pub(super) shares: Vec<(String, u32)>,
}

#[derive(Debug)]
pub(super) struct Namespace {
    pub(super) id: String,
    pub(super) name: String,
    /// The owning Worker; empty if it was deleted.
    pub(super) script: &'static str,
    pub(super) class: &'static str,
    pub(super) prefix: &'static str,
    pub(super) objects: u64,
    /// The objects with traffic, busiest first: number, and share of the namespace's CPU time in thousandths.
    pub(super) busy: Vec<(u64, u64)>,
    /// CPU of the whole namespace, in cores.
    pub(super) cores: f64,
}

impl AccountData {
    /// Creates the account as of `now` with this many Workers; those beyond the fixtures have no traffic.
    pub(super) fn new(now: SystemTime, count: usize) -> Self {
        let named = fixtures::WORKERS
            .iter()
            .map(|role| Worker::new(role, role.name, now));
        let extras = (fixtures::WORKERS.len()..count)
            .map(|at| Worker::new(&fixtures::EXTRA, &fixtures::extra_name(at), now));
        let workers = named.chain(extras).take(count).collect();
        let mut namespaces: Vec<Namespace> = fixtures::NAMESPACES
            .iter()
            .map(|&(script, class, prefix, objects, cores, busy)| Namespace {
                id: hex("namespace", &format!("{script}_{class}"), 32),
                name: format!("{script}_{class}"),
                script,
                class,
                prefix,
                objects,
                busy: busy
                    .iter()
                    .copied()
                    .chain(fixtures::quiet_objects(class, objects))
                    .collect(),
                cores,
            })
            .collect();
        // As a class leaves behind when its Worker is deleted or renamed without a migration.
        namespaces.push(Namespace {
            id: hex("namespace", fixtures::ORPHAN, 32),
            name: fixtures::ORPHAN.to_owned(),
            script: "",
            class: "Basket",
            prefix: "basket",
            objects: 41,
            busy: vec![],
            cores: 0.0,
        });
        Self {
            workers,
            namespaces,
        }
    }

    /// Returns a Worker by its name or id.
    pub(super) fn worker(&self, name_or_id: &str) -> Option<&Worker> {
        self.workers
            .iter()
            .find(|worker| worker.name == name_or_id || worker.id == name_or_id)
    }

    pub(super) fn namespace(&self, id: &str) -> Option<&Namespace> {
        self.namespaces.iter().find(|namespace| namespace.id == id)
    }
}

impl Worker {
    fn new(role: &Role, name: &str, now: SystemTime) -> Self {
        let seed = number(name);
        let days = 20 + u32::try_from(seed % 600).unwrap_or(0);
        let versions = if name == "checkout-api" {
            checkout_versions(now)
        } else {
            versions(name, seed, now)
        };
        let deployments = if name == "checkout-api" {
            checkout_deployments(&versions)
        } else {
            deployments(role, &versions)
        };
        Self {
            id: hex("worker", name, 32),
            name: name.to_owned(),
            created: now - DAY * days,
            deployed: deployments.first().map(|deployment| deployment.created),
            rps: role.rps,
            p50_ms: role.p50_ms,
            p99_ms: role.p99_ms,
            versions,
            deployments,
            recording: role.recording,
        }
    }

    /// Returns a version's share of the traffic, as a percentage.
    pub(super) fn share(&self, version: &str) -> u32 {
        let serving = self
            .deployments
            .first()
            .map_or(&[][..], |deployment| &deployment.shares);
        serving
            .iter()
            .find(|(id, _)| id == version)
            .map_or(0, |(_, share)| *share)
    }

    /// Returns whether a version is older than the one with the largest share.
    pub(super) fn is_earlier(&self, version: &Version) -> bool {
        let serving = self
            .deployments
            .first()
            .and_then(|deployment| deployment.shares.first());
        let serving =
            serving.and_then(|(id, _)| self.versions.iter().find(|version| version.id == *id));
        serving.is_some_and(|serving| version.number < serving.number)
    }

    /// Returns a version by its id, a prefix of at least eight characters, or `latest`.
    pub(super) fn version(&self, asked: &str) -> Option<&Version> {
        match asked {
            "latest" => self.versions.first(),
            prefix if prefix.len() >= 8 => self
                .versions
                .iter()
                .find(|version| version.id.starts_with(&prefix.to_ascii_lowercase())),
            _ => None,
        }
    }
}

impl Namespace {
    /// Returns the name of an object.
    pub(super) fn object_name(&self, index: u64) -> String {
        format!("{}:{index}", self.prefix)
    }

    /// Returns the id of an object.
    pub(super) fn object_id(&self, index: u64) -> String {
        hex(&self.id, &self.object_name(index), 64)
    }

    /// Returns the version that an object runs: an object stays on one version of a deployment.
    pub(super) fn object_version<'a>(&self, worker: &'a Worker, index: u64) -> Option<&'a str> {
        let shares = &worker.deployments.first()?.shares;
        let second = shares.get(1).filter(|_| index % 10 == 3);
        second.or_else(|| shares.first()).map(|(id, _)| id.as_str())
    }
}

fn checkout_versions(now: SystemTime) -> Vec<Version> {
    let named = [
        (
            "9e77c0d1-3b52-4c8e-9a14-6f0d2b7e8c35",
            129,
            MINUTE * 4,
            "dana",
            "uploaded, not deployed",
            "upload",
        ),
        (
            "7c1f2a9e-8d04-4b6a-b1c7-25e93f60a4d8",
            128,
            HOUR * 2,
            "dana",
            "retry payment on 409",
            "upload",
        ),
        (
            "51d0b7aa-0e93-4f25-8c6b-9d47a1e2f306",
            127,
            DAY * 3,
            "ben",
            "baseline",
            "upload",
        ),
    ];
    let mut versions: Vec<Version> = named
        .into_iter()
        .map(|(id, number, age, author, message, triggered_by)| Version {
            id: id.to_owned(),
            number,
            created: now - age,
            author,
            message,
            source: "wrangler",
            triggered_by,
        })
        .collect();
    versions.extend(
        (89..127)
            .rev()
            .map(|number| version("checkout-api", number, now - DAY * (4 + 2 * (126 - number)))),
    );
    versions
}

fn checkout_deployments(versions: &[Version]) -> Vec<Deployment> {
    let [_, new, old, before, ..] = versions else {
        return vec![];
    };
    let deployment = |name: &str, version: &Version, shares: &[(&Version, u32)]| Deployment {
        id: uuid("deployment", name),
        created: version.created + MINUTE,
        author: version.author,
        message: version.message,
        shares: shares
            .iter()
            .map(|(version, share)| (version.id.clone(), *share))
            .collect(),
    };
    vec![
        deployment("checkout-api 2", new, &[(new, 90), (old, 10)]),
        deployment("checkout-api 1", old, &[(old, 100)]),
        deployment("checkout-api 0", before, &[(before, 100)]),
    ]
}

fn versions(name: &str, seed: u64, now: SystemTime) -> Vec<Version> {
    let kept = 1 + u32::try_from(seed % 7).unwrap_or(0);
    let newest = kept + u32::try_from(seed / 7 % 40).unwrap_or(0);
    let age = HOUR * (3 + u32::try_from(seed / 11 % 200).unwrap_or(0));
    (0..kept)
        .map(|back| version(name, newest - back, now - age - DAY * (5 * back)))
        .collect()
}

fn version(script: &str, number: u32, created: SystemTime) -> Version {
    let seed = crate::demo::account_data::number(&format!("{script} v{number}"));
    let pick = |words: &'static [&'static str], salt: u64| {
        words
            .get(usize::try_from((seed / salt) % words.len() as u64).unwrap_or(0))
            .copied()
            .unwrap_or_default()
    };
    Version {
        id: uuid("version", &format!("{script} v{number}")),
        number: number.into(),
        created,
        author: pick(fixtures::AUTHORS, 1),
        message: pick(fixtures::MESSAGES, 7),
        source: pick(fixtures::SOURCES, 31),
        triggered_by: "upload",
    }
}

fn deployments(role: &Role, versions: &[Version]) -> Vec<Deployment> {
    // If the newest version is only uploaded, the one before it serves.
    let skip = usize::from(role.newest_waits && versions.len() > 1);
    let deployed = if role.never_deployed {
        &[]
    } else {
        versions.get(skip..).unwrap_or_default()
    };
    let made = deployed.iter().enumerate().map(|(at, version)| Deployment {
        id: uuid("deployment", &version.id),
        created: version.created + MINUTE,
        author: version.author,
        message: version.message,
        shares: match deployed.get(1) {
            // A version with another recording is deployed gradually, so that both can be captured.
            Some(before) if at == 0 && role.recording == Recording::R2Images => {
                vec![(version.id.clone(), 90), (before.id.clone(), 10)]
            }
            _ => vec![(version.id.clone(), 100)],
        },
    });
    made.take(10).collect()
}

/// Returns the first `digits` hexadecimal digits of a hash.
pub(super) fn hex(kind: &str, name: &str, digits: usize) -> String {
    let hash = Sha256::digest(format!("{kind}\0{name}"));
    let mut text = data_encoding::HEXLOWER.encode(&hash);
    text.truncate(digits);
    text
}

/// Returns a random-style UUID from a hash.
pub(super) fn uuid(kind: &str, name: &str) -> String {
    let hex = hex(kind, name, 32);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-4{}-a{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}

/// Returns a number from a name, to choose by.
pub(super) fn number(name: &str) -> u64 {
    Sha256::digest(name)
        .iter()
        .take(7)
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}
