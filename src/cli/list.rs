//! `flarescope list`: accounts, Workers, versions, Durable Objects, captures.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::SystemTime;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::connect::{self, Credentials, Session, note};
use super::{AccountArgs, CliError, CliResult, columns};
use crate::api::{ApiError, Client, ErrorKind};
use crate::config::Environment;
use crate::model::target::{Account, Capture, Figures, Namespace, Object, Version, Worker, id32};

/// Objects listed without `--limit`.
const OBJECTS: usize = 100;

/// List what the account has, or the captures on this machine
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// What to list
    what: What,
    /// The Worker whose versions, namespaces or captures are meant
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// The Durable Object namespace (id, name or class) whose objects are meant
    #[arg(long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// List at most this many (objects: 100 unless given)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON array
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Accounts the token can see
    Accounts,
    /// Workers of the account, the costly ones first
    Workers,
    /// Versions of a Worker with their shares of the traffic
    Versions,
    /// Durable Object namespaces
    Namespaces,
    /// Objects of a namespace, the busy ones first
    Objects,
    /// Captures on this machine
    Captures,
}

/// Rows as people read them and as programs do.
struct Listed {
    head: &'static [&'static str],
    rows: Vec<Vec<String>>,
    json: Vec<Value>,
}

/// Runs the command.
///
/// # Errors
/// Everything that can fail on the way; see [`CliError`].
pub(super) fn run(args: &ListArgs, account: &AccountArgs) -> CliResult {
    let environment = Environment::of_process();
    let mut listed = if args.what == What::Captures {
        captures(args, &environment)?
    } else {
        connect::runtime()?.block_on(remote(args, account, &environment))?
    };
    if let Some(limit) = args.limit {
        listed.rows.truncate(limit);
        listed.json.truncate(limit);
    }
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &listed.json).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        columns::write(&mut out, listed.head, &listed.rows)?;
    }
    Ok(())
}

async fn remote(args: &ListArgs, account: &AccountArgs, environment: &Environment) -> Result<Listed, CliError> {
    if args.what == What::Accounts {
        let client = Client::new(Credentials::find(account, environment)?.settings)?;
        return Ok(accounts(&client.accounts().await?));
    }
    let worker = || {
        let usage = || CliError::Usage("say of which Worker: --worker NAME".to_owned());
        args.worker.as_deref().ok_or_else(usage)
    };
    let namespace = || {
        let usage = || CliError::Usage("say of which namespace: --namespace NAMESPACE".to_owned());
        args.namespace.as_deref().ok_or_else(usage)
    };
    // What is missing is told before anything is sent.
    match args.what {
        What::Versions => worker().map(drop)?,
        What::Objects => namespace().map(drop)?,
        _ => {}
    }
    let session = connect::connect(account, environment).await?;
    match args.what {
        What::Workers => workers(&session).await,
        What::Versions => versions(&session, worker()?).await,
        What::Namespaces => namespaces(&session, args.worker.as_deref()).await,
        _ => objects(&session, namespace()?, args.limit.unwrap_or(OBJECTS)).await,
    }
}

fn accounts(accounts: &[Account]) -> Listed {
    Listed {
        head: &["id", "name"],
        rows: accounts.iter().map(|account| vec![account.id.clone(), account.name.clone()]).collect(),
        json: accounts.iter().map(|account| json!({ "id": account.id, "name": account.name })).collect(),
    }
}

async fn workers(session: &Session) -> Result<Listed, CliError> {
    let (workers, figures) = tokio::join!(session.client.workers(), session.client.worker_figures());
    let mut workers = workers?;
    let figures = known(figures);
    for worker in &mut workers {
        // A Worker that analytics don't name had no traffic.
        worker.figures = figures.as_ref().map(|figures| figures.get(&worker.name).copied().unwrap_or_default());
    }
    let cores = |worker: &Worker| worker.figures.map_or(0.0, |figures| figures.cores());
    workers.sort_by(|a, b| cores(b).total_cmp(&cores(a)).then_with(|| a.name.cmp(&b.name)));
    let row = |worker: &Worker| {
        let mut row = vec![worker.name.clone()];
        row.extend(figure_cells(worker.figures));
        row.push(worker.deployed_on.map_or_else(|| "never deployed".to_owned(), time));
        row
    };
    let value = |worker: &Worker| {
        let deployed = worker.deployed_on.map(time);
        with_figures(json!({ "id": worker.id, "name": worker.name, "deployed_on": deployed }), worker.figures)
    };
    Ok(Listed {
        head: &["worker", "req/s>", "p50 ms>", "p99 ms>", "deployed"],
        rows: workers.iter().map(row).collect(),
        json: workers.iter().map(value).collect(),
    })
}

async fn versions(session: &Session, worker: &str) -> Result<Listed, CliError> {
    let worker = session.client.worker(worker).await?;
    let (versions, figures) =
        tokio::join!(session.client.versions_with_shares(&worker), session.client.version_figures(&worker.name));
    let mut versions = versions?;
    let figures = known(figures);
    for version in &mut versions {
        version.figures = figures.as_ref().map(|figures| figures.get(&version.id).copied().unwrap_or_default());
    }
    let row = |version: &Version| {
        let mut row = vec![
            version.id.clone(),
            format!("v{}", version.number),
            format!("{} %", version.percentage),
            time(version.created_on),
        ];
        row.extend([&version.author, &version.message].map(|text| text.clone().unwrap_or_default()));
        row
    };
    let value = |version: &Version| {
        let annotations = [
            ("workers/message", &version.message),
            ("workers/tag", &version.tag),
            ("workers/triggered_by", &version.triggered_by),
        ];
        let annotations: serde_json::Map<String, Value> = annotations
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), json!(value.as_ref()?))))
            .collect();
        let value = json!({
            "id": version.id, "number": version.number, "created_on": time(version.created_on),
            "author_email": version.author, "source": version.source, "annotations": annotations,
            "percentage": version.percentage,
        });
        with_figures(value, version.figures)
    };
    Ok(Listed {
        head: &["version", "number>", "share>", "uploaded", "author", "message"],
        rows: versions.iter().map(row).collect(),
        json: versions.iter().map(value).collect(),
    })
}

async fn namespaces(session: &Session, worker: Option<&str>) -> Result<Listed, CliError> {
    let mut namespaces = session.client.namespaces().await?;
    if let Some(worker) = worker {
        let worker = session.client.worker(worker).await?;
        namespaces.retain(|namespace| namespace.script.as_deref() == Some(&worker.name));
    }
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    Ok(Listed {
        head: &["namespace", "name", "worker", "class"],
        rows: namespaces
            .iter()
            .map(|namespace| {
                vec![namespace.id.clone(), namespace.name.clone(), text(&namespace.script), text(&namespace.class)]
            })
            .collect(),
        json: namespaces
            .iter()
            .map(|namespace| {
                json!({
                    "id": namespace.id, "name": namespace.name, "script": namespace.script, "class": namespace.class,
                })
            })
            .collect(),
    })
}

/// The namespace with this id, name or class.
///
/// # Errors
/// [`CliError::Usage`] where a class is not unique, [`CliError::Failed`] where there is none.
pub(super) async fn find_namespace(client: &Client, text: &str, worker: Option<&str>) -> Result<Namespace, CliError> {
    let namespaces = client.namespaces().await?;
    let id = id32(text).ok();
    let mut matching = namespaces.into_iter().filter(|namespace| {
        let owned = worker.is_none_or(|worker| namespace.script.as_deref() == Some(worker));
        let named = namespace.name == text || owned && namespace.class.as_deref() == Some(text);
        Some(&namespace.id) == id.as_ref() || named
    });
    let first = matching.next().ok_or_else(|| {
        CliError::failed(format!(
            "there is no Durable Object namespace `{}`: flarescope list namespaces shows them",
            columns::clean(text)
        ))
    })?;
    if matching.next().is_some() {
        return Err(CliError::Usage(format!(
            "several Workers have a class `{}`: give the namespace's name or id",
            columns::clean(text)
        )));
    }
    Ok(first)
}

async fn objects(session: &Session, namespace: &str, limit: usize) -> Result<Listed, CliError> {
    let client = &session.client;
    let namespace = match id32(namespace) {
        Ok(id) => id,
        Err(_) => find_namespace(client, namespace, None).await?.id,
    };
    // The busy ones come from analytics, which may be missing; the others in the order the API has them.
    let mut objects = known(client.hot_objects(&namespace).await).unwrap_or_default();
    let places: HashMap<String, usize> =
        objects.iter().enumerate().map(|(place, object)| (object.id.clone(), place)).collect();
    let mut cursor: Option<String> = None;
    loop {
        let wanted = limit.saturating_sub(objects.len()).max(1) as u64;
        let page = client.objects(&namespace, cursor.as_deref(), wanted).await?;
        for object in page.objects {
            match places.get(&object.id).and_then(|place| objects.get_mut(*place)) {
                Some(busy) => busy.has_stored_data = object.has_stored_data,
                None => objects.push(object),
            }
        }
        cursor = page.next;
        if cursor.is_none() || objects.len() >= limit {
            break;
        }
    }
    objects.truncate(limit);
    let row = |object: &Object| {
        vec![
            object.id.clone(),
            object.name.clone().unwrap_or_default(),
            object.cpu_seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}")),
            match object.has_stored_data {
                Some(true) => "yes".to_owned(),
                Some(false) => "no".to_owned(),
                None => "–".to_owned(),
            },
            object.version_id.clone().unwrap_or_default(),
        ]
    };
    let value = |object: &Object| {
        json!({
            "id": object.id, "hasStoredData": object.has_stored_data, "name": object.name,
            "version_id": object.version_id, "cpu_seconds": object.cpu_seconds, "memory_p99_bytes": object.memory_p99,
        })
    };
    Ok(Listed {
        head: &["object", "name", "cpu s>", "stored", "version"],
        rows: objects.iter().map(row).collect(),
        json: objects.iter().map(value).collect(),
    })
}

fn captures(args: &ListArgs, environment: &Environment) -> Result<Listed, CliError> {
    let listing = connect::store(environment)?.list()?;
    for warning in &listing.warnings {
        note(&columns::clean(warning));
    }
    let mut captures = listing.captures;
    if let Some(worker) = &args.worker {
        captures.retain(|capture| capture.worker == *worker);
    }
    let row = |capture: &Capture| {
        vec![
            time(capture.asked_at),
            capture.kind.map_or_else(|| "–".to_owned(), |kind| kind.to_string()),
            capture.window.map_or_else(|| "–".to_owned(), |window| humantime::format_duration(window).to_string()),
            capture.worker.clone(),
            capture
                .version_id
                .as_deref()
                .map_or_else(|| "–".to_owned(), |id| crate::model::target::short(id).to_owned()),
            capture.summary.as_ref().map_or_else(|| "–".to_owned(), |summary| summary.samples.to_string()),
            capture.path.display().to_string(),
        ]
    };
    Ok(Listed {
        head: &["asked", "kind", "window>", "worker", "version", "samples>", "path"],
        rows: captures.iter().map(row).collect(),
        json: captures.iter().map(capture_json).collect(),
    })
}

/// A capture as the lists and `capture --json` print it.
pub(super) fn capture_json(capture: &Capture) -> Value {
    let object = capture.object.as_ref();
    let summary = capture.summary.as_ref();
    let sample_type = summary.map(|summary| json!({ "type": summary.sample_type.0, "unit": summary.sample_type.1 }));
    json!({
        "path": capture.path, "sha256": capture.sha256, "bytes": capture.bytes,
        "kind": capture.kind.map(|kind| kind.to_string()),
        "duration_ms": capture.window.map(|window| u64::try_from(window.as_millis()).unwrap_or(u64::MAX)),
        "worker": capture.worker, "version_id": capture.version_id, "version_number": capture.version_number,
        "percentage": capture.percentage, "namespace_id": object.map(|object| &object.namespace_id),
        "object_id": object.map(|object| &object.object_id),
        "account_id": capture.account_id, "account_name": capture.account_name,
        "asked_at": time(capture.asked_at), "answered_at": time(capture.answered_at), "origin": capture.origin.word(),
        "sample_type": sample_type, "total": summary.map(|summary| summary.total),
        "samples": summary.map(|summary| summary.samples),
        "top": summary.and_then(|summary| summary.top.as_ref()).map(|(name, value)| json!({ "function": name, "self": value })),
    })
}

/// Figures where there are any; where not, the reason is told and the work goes on.
fn known<T>(figures: Result<T, ApiError>) -> Option<T> {
    match figures {
        Ok(figures) => Some(figures),
        Err(error) => {
            note(&error.to_string());
            if *error.kind() == ErrorKind::Forbidden {
                note("the columns of the traffic figures stay empty; Account Analytics Read would fill them");
            }
            None
        }
    }
}

fn figure_cells(figures: Option<Figures>) -> [String; 3] {
    figures.map_or([const { String::new() }; 3].map(|_| "–".to_owned()), |figures| {
        let quiet = figures.requests_per_second == 0.0;
        let ms = |us: f64| if quiet { "–".to_owned() } else { format!("{:.1}", us / 1000.0) };
        let rate = figures.requests_per_second;
        let rate = if rate == 0.0 || rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.2}") };
        [rate, ms(figures.cpu_p50_us), ms(figures.cpu_p99_us)]
    })
}

/// Adds the figures, null where they are not to be had.
fn with_figures(mut value: Value, figures: Option<Figures>) -> Value {
    if let Some(fields) = value.as_object_mut() {
        let quiet = figures.is_some_and(|figures| figures.requests_per_second == 0.0);
        let quantile = |value: fn(Figures) -> f64| figures.filter(|_| !quiet).map(value);
        fields.insert("requests_per_second".to_owned(), json!(figures.map(|figures| figures.requests_per_second)));
        fields.insert("errors_per_second".to_owned(), json!(figures.map(|figures| figures.errors_per_second)));
        fields.insert("cpu_p50_us".to_owned(), json!(quantile(|figures| figures.cpu_p50_us)));
        fields.insert("cpu_p99_us".to_owned(), json!(quantile(|figures| figures.cpu_p99_us)));
        fields.insert("memory_p99_bytes".to_owned(), json!(figures.and_then(|figures| figures.memory_p99)));
    }
    value
}

fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
