//! The isolates of a local runtime.

use serde_json::{Value, json};

use crate::cli::CliError;
use crate::cli::list::table::Listed;
use crate::inspector::{Inspector, Target};

/// Lists everything that the runtime reports, including what can't be profiled.
pub(super) async fn list(inspector: &Inspector) -> Result<Listed, CliError> {
    let targets = inspector.targets().await?;
    let row = |target: &Target| {
        let isolate = &target.isolate;
        let note = isolate.obstacle.map_or_else(String::new, |why| {
            format!("can't be profiled: {}", why.words())
        });
        vec![isolate.name.clone(), isolate.kind.clone(), note]
    };
    let value = |target: &Target| -> Value {
        let isolate = &target.isolate;
        json!({
            "id": isolate.id, "name": isolate.name, "description": isolate.kind,
            "obstacle": isolate.obstacle.map(|why| why.words()), "runtime": targets.runtime,
        })
    };
    Ok(Listed::new(
        &targets.list,
        &["worker", "kind", ""],
        row,
        value,
    ))
}

/// Returns the error for anything else to list.
pub(super) fn only_workers() -> CliError {
    CliError::Usage("a local runtime has only workers to list".to_owned())
}
