//! Determines the version and object of a capture, with warnings before it starts.

use std::time::Duration;

use crate::cli::capture::args::CaptureArgs;
use crate::cli::connect::Session;
use crate::cli::{CliError, list};
use crate::model::cloudflare;
use crate::model::cloudflare::{
    CaptureRequest, ObjectRef, Target, TargetError, Version, VersionChoice, Worker,
};
use crate::model::text::sanitize::printable;

/// A capture to send, with warnings on it.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) request: CaptureRequest,
    pub(super) warnings: Vec<String>,
}

/// Determines the version and object of a capture, with warnings.
pub(super) async fn plan(
    args: &CaptureArgs,
    worker: &str,
    session: &Session,
    window: Duration,
    choice: &VersionChoice,
) -> Result<Plan, CliError> {
    let worker = session.worker(worker).await?;
    let versions = session.client.versions_with_shares(&worker).await?;
    let mut warnings = Vec::new();
    let object = match (&args.namespace, &args.object) {
        (Some(namespace), Some(object)) => {
            Some(find_object(session, &worker, namespace, object).await?)
        }
        _ => None,
    };
    let pinned = object.as_ref().and_then(|(_, version)| version.as_deref());
    let version = choose(&versions, choice, pinned, &worker)?.clone();
    if let Some(pinned) = pinned.filter(|pinned| *pinned != version.id) {
        warnings.push(format!(
            "this object runs version {}, not {}",
            cloudflare::short(pinned),
            version.short_id()
        ));
    } else if object.is_none() && version.percentage == 0.0 {
        warnings.push(format!(
            "version {} serves 0% of the traffic: a capture will most likely find nothing",
            version.short_id()
        ));
    }
    let mut request = request(args, &worker, &version, window);
    request.target.object = object.map(|(object, _)| object);
    Ok(Plan { request, warnings })
}

fn request(
    args: &CaptureArgs,
    worker: &Worker,
    version: &Version,
    window: Duration,
) -> CaptureRequest {
    CaptureRequest {
        target: Target {
            worker: worker.name.clone(),
            version_id: Some(version.id.clone()),
            version_number: Some(version.number),
            author: version.author.clone(),
            message: version.message.clone(),
            percentage: Some(version.percentage),
            metrics: None,
            object: None,
        },
        kind: args.kind(),
        window,
        find_object: None,
    }
}

/// Returns both versions that serve a Worker, the larger share first: it is the baseline.
///
/// # Errors
/// [`CliError::Failed`] unless exactly two versions serve it.
pub(super) async fn both_sides(
    args: &CaptureArgs,
    worker: &str,
    session: &Session,
    window: Duration,
) -> Result<[Plan; 2], CliError> {
    let worker = session.worker(worker).await?;
    let mut serving = session.client.versions_with_shares(&worker).await?;
    serving.retain(|version| version.percentage > 0.0);
    // Of equal shares the older one is what the newer is compared with.
    serving.sort_by(|a, b| {
        b.percentage
            .total_cmp(&a.percentage)
            .then(a.number.cmp(&b.number))
    });
    let count = serving.len();
    let sides: [Version; 2] = serving.try_into().map_err(|_| {
        let name = printable(&worker.name);
        CliError::failed(format!(
            "{name} has no gradual deployment: {count} of its versions serve, and --canary needs two"
        ))
    })?;
    Ok(sides.map(|version| Plan {
        request: request(args, &worker, &version, window),
        warnings: Vec::new(),
    }))
}

/// Returns the chosen version. For an object it is the one it runs, if known.
fn choose<'a>(
    versions: &'a [Version],
    choice: &VersionChoice,
    pinned: Option<&str>,
    worker: &Worker,
) -> Result<&'a Version, CliError> {
    let name = printable(&worker.name);
    match choice {
        VersionChoice::Deployed => {
            let serving = || {
                versions
                    .iter()
                    .filter(|version| version.percentage > 0.0)
                    .max_by(|a, b| a.percentage.total_cmp(&b.percentage))
            };
            let pinned = pinned.and_then(|id| versions.iter().find(|version| version.id == id));
            pinned.or_else(serving).ok_or_else(|| {
                CliError::failed(format!(
                    "{name} was never deployed, so there is nothing to capture"
                ))
            })
        }
        VersionChoice::Latest => versions
            .first()
            .ok_or_else(|| CliError::failed(format!("{name} has no version to capture"))),
        VersionChoice::Id(prefix) => {
            let mut matching = versions
                .iter()
                .filter(|version| version.id.starts_with(prefix.as_str()));
            let first = matching.next().ok_or_else(|| {
                CliError::failed(format!(
                    "{name} has no version {prefix}: flarescope list versions --worker {name} shows those it has"
                ))
            })?;
            match matching.next() {
                None => Ok(first),
                Some(_) => Err(CliError::Usage(format!(
                    "several versions begin with {prefix}: give more digits"
                ))),
            }
        }
    }
}

/// Returns the object, and the version it runs if analytics know it.
async fn find_object(
    session: &Session,
    worker: &Worker,
    namespace: &str,
    object: &str,
) -> Result<(ObjectRef, Option<String>), CliError> {
    let client = &session.client;
    let namespace = list::find_namespace(client, namespace, Some(&worker.name)).await?;
    match &namespace.script {
        Some(script) if *script == worker.name => {}
        Some(script) => {
            return Err(CliError::Usage(format!(
                "{} belongs to the Worker {}: give that one with --worker",
                printable(&namespace.name),
                printable(script)
            )));
        }
        None => {
            return Err(CliError::failed(format!(
                "no Worker owns {} any more, so its objects can't be captured",
                printable(&namespace.name)
            )));
        }
    }
    // An id works without analytics, which know the version.
    let found = client.find_object(&namespace.id, object);
    let (id, name, version) = match cloudflare::object_id64(object) {
        Ok(id) => {
            let found = found.await.ok().flatten();
            (id, None, found.and_then(|found| found.version_id))
        }
        // Nearly an id: a slip, not a name.
        Err(
            error @ TargetError::ObjectId {
                digits: 56..=72,
                hex: true,
            },
        ) => return Err(error.into()),
        Err(_) => {
            let found = found.await?.ok_or_else(|| {
                CliError::failed(format!(
                    "no object named `{}` had recent traffic; its 64-digit id works too",
                    printable(object)
                ))
            })?;
            (found.id, Some(object.to_owned()), found.version_id)
        }
    };
    Ok((ObjectRef::new(&namespace.id, &id, name)?, version))
}
