//! Durable Object namespaces, and the objects in one.

use std::collections::HashMap;

use serde_json::json;

use crate::api::Client;
use crate::cli::CliError;
use crate::cli::connect::Session;
use crate::cli::list::table::{Listed, known};
use crate::model::cloudflare::{Namespace, Object, id32};
use crate::model::text::sanitize::printable;

/// Lists all namespaces, or those of one Worker.
pub(super) async fn namespaces(
    session: &Session,
    worker: Option<&str>,
) -> Result<Listed, CliError> {
    let mut namespaces = session.client.namespaces().await?;
    if let Some(worker) = worker {
        let worker = session.worker(worker).await?;
        namespaces.retain(|namespace| namespace.script.as_deref() == Some(&worker.name));
    }
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    let row = |namespace: &Namespace| {
        let (id, name) = (namespace.id.clone(), namespace.name.clone());
        vec![id, name, text(&namespace.script), text(&namespace.class)]
    };
    let value = |namespace: &Namespace| {
        json!({
            "id": namespace.id, "name": namespace.name, "script": namespace.script, "class": namespace.class,
        })
    };
    let head = &["namespace", "name", "worker", "class"];
    Ok(Listed::new(&namespaces, head, row, value))
}

/// Returns the namespace with this id, name or class.
///
/// # Errors
/// [`CliError::Usage`] if the class is not unique, [`CliError::Failed`] if there is none.
pub(in crate::cli) async fn find_namespace(
    client: &Client,
    text: &str,
    worker: Option<&str>,
) -> Result<Namespace, CliError> {
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
            printable(text)
        ))
    })?;
    if matching.next().is_some() {
        return Err(CliError::Usage(format!(
            "several Workers have a class `{}`: give the namespace's name or id",
            printable(text)
        )));
    }
    Ok(first)
}

/// Lists up to `limit` objects of a namespace, busiest first. If a Worker is given, a class is searched in it alone.
pub(super) async fn list(
    session: &Session,
    namespace: &str,
    worker: Option<&str>,
    limit: usize,
) -> Result<Listed, CliError> {
    let client = &session.client;
    let namespace = match id32(namespace) {
        Ok(id) => id,
        Err(_) => find_namespace(client, namespace, worker).await?.id,
    };
    // Analytics, if available, rank the busy ones; the others are in the API's order.
    let mut objects = known(client.hot_objects(&namespace).await).unwrap_or_default();
    let places: HashMap<String, usize> = objects
        .iter()
        .enumerate()
        .map(|(place, object)| (object.id.clone(), place))
        .collect();
    for object in client.first_objects(&namespace, limit).await? {
        match places
            .get(&object.id)
            .and_then(|place| objects.get_mut(*place))
        {
            Some(busy) => busy.has_stored_data = object.has_stored_data,
            None => objects.push(object),
        }
    }
    objects.truncate(limit);
    let row = |object: &Object| {
        vec![
            object.id.clone(),
            object.name.clone().unwrap_or_default(),
            object
                .cpu_seconds
                .map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}")),
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
    // The name selects an object as well as its id.
    let narrow = |object: &Object, row: Vec<String>| {
        let name = object.name.as_ref().unwrap_or(&object.id);
        let rest = row.into_iter().skip(2).take(2);
        std::iter::once(name.clone()).chain(rest).collect()
    };
    let head = &["object", "name", "cpu s>", "stored", "version"];
    Ok(Listed::new(&objects, head, row, value).or_narrow(
        &objects,
        &["object", "cpu s>", "stored"],
        narrow,
    ))
}
