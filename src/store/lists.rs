//! The last list of Workers of each account, shown at the next start until the new one arrives.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::{Metrics, Worker};
use crate::store::{Store, StoreError, files};

/// Largest list that is read, in bytes: a hundred thousand Workers.
const LIST_MAX: u64 = 32 << 20;
/// The format that this program writes. Files of another format are ignored.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    version: u32,
    #[serde(with = "time")]
    as_of: SystemTime,
    workers: Vec<StoredWorker>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredWorker {
    id: String,
    name: String,
    #[serde(default, with = "optional_time")]
    deployed_on: Option<SystemTime>,
    #[serde(default, rename = "figures")]
    metrics: Option<Metrics>,
}

mod time {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(
        time: &std::time::SystemTime,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(&humantime::format_rfc3339_millis(*time))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<std::time::SystemTime, D::Error> {
        humantime::parse_rfc3339(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

mod optional_time {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(
        time: &Option<std::time::SystemTime>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::time::serialize(time, to),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<std::time::SystemTime>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| humantime::parse_rfc3339(&text).map_err(D::Error::custom))
            .transpose()
    }
}

impl Store {
    /// Returns the last list of an account's Workers and its time; `None` if it is missing or can't be read.
    #[must_use]
    pub fn workers(&self, account: &str) -> Option<(Vec<Worker>, SystemTime)> {
        let path = self.list_path(account)?;
        let small =
            fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LIST_MAX);
        let bytes = small.then(|| fs::read(&path).ok()).flatten()?;
        let stored: Stored = serde_json::from_slice(&bytes).ok()?;
        let workers = stored
            .workers
            .into_iter()
            .map(StoredWorker::into_worker)
            .collect();
        (stored.version == VERSION).then_some((workers, stored.as_of))
    }

    /// Keeps the Workers of an account for the next start.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn keep_workers(
        &self,
        account: &str,
        workers: &[Worker],
        as_of: SystemTime,
    ) -> Result<(), StoreError> {
        let Some(path) = self.list_path(account) else {
            return Ok(());
        };
        let workers = workers.iter().map(StoredWorker::of).collect();
        let stored = Stored {
            version: VERSION,
            as_of,
            workers,
        };
        let text =
            serde_json::to_vec(&stored).map_err(|error| StoreError::write(&path, error.into()))?;
        files::create_private_dir(&self.lists_dir())?;
        files::write(&path, &text)
    }

    /// Removes all lists. Errors are ignored: the next list replaces the file anyway.
    pub(super) fn forget_lists(&self) {
        for entry in fs::read_dir(self.lists_dir())
            .into_iter()
            .flatten()
            .filter_map(Result::ok)
        {
            if entry.file_name().to_string_lossy().starts_with("workers-") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn lists_dir(&self) -> PathBuf {
        self.dir().join("lists")
    }

    /// Returns the path of an account's list; `None` for an id that could lead out of the folder.
    fn list_path(&self, account: &str) -> Option<PathBuf> {
        let plain = !account.is_empty()
            && account.len() <= 64
            && account.bytes().all(|b| b.is_ascii_alphanumeric());
        plain.then(|| self.lists_dir().join(format!("workers-{account}.json")))
    }
}

impl StoredWorker {
    fn of(worker: &Worker) -> Self {
        Self {
            id: worker.id.clone(),
            name: worker.name.clone(),
            deployed_on: worker.deployed_on,
            metrics: worker.metrics,
        }
    }

    fn into_worker(self) -> Worker {
        Worker {
            id: self.id,
            name: self.name,
            deployed_on: self.deployed_on,
            metrics: self.metrics,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_list_comes_back_as_it_was_and_each_account_has_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path());
        let as_of = UNIX_EPOCH + Duration::from_secs(1_796_008_360);
        let metrics = Metrics {
            requests_per_second: 4.5,
            memory_p99: Some(1e6),
            exceeded: 3,
            ..Metrics::default()
        };
        let workers = vec![
            Worker {
                id: "1".into(),
                name: "a\u{1b}[m".into(),
                deployed_on: Some(as_of),
                metrics: Some(metrics),
            },
            Worker {
                id: "2".into(),
                name: "b".into(),
                deployed_on: None,
                metrics: None,
            },
        ];
        store.keep_workers("abc", &workers, as_of).unwrap();
        assert_eq!(store.workers("abc"), Some((workers, as_of)));
        assert_eq!(store.workers("def"), None);
        store.forget_lists();
        assert_eq!(store.workers("abc"), None);
    }

    #[test]
    fn broken_lists_and_ids_that_lead_elsewhere_are_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path());
        store.keep_workers("../x", &[], UNIX_EPOCH).unwrap();
        assert_eq!(
            (store.workers("../x"), dir.path().join("lists").exists()),
            (None, false)
        );
        store.keep_workers("abc", &[], UNIX_EPOCH).unwrap();
        for text in [
            "",
            "{",
            r#"{"version":2,"as_of":"2026-01-01T00:00:00Z","workers":[]}"#,
            r#"{"version":1}"#,
        ] {
            fs::write(store.list_path("abc").unwrap(), text).unwrap();
            assert_eq!(store.workers("abc"), None, "{text}");
        }
    }
}
