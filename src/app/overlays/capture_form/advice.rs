//! What the choices of the capture form mean, in words: what will pass, what will be missed, which kind the figures suggest.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::overlays::capture_form::CaptureForm;
use crate::model::cloudflare::{Kind, Version, object_id64, short};
use crate::model::text::share::round_percentage;
use crate::model::text::units::thousands;

impl CaptureForm {
    /// Returns what the choice means, as lines for the user; the first says whether it is a warning.
    #[must_use]
    pub fn meaning(&self) -> (bool, Vec<Message>) {
        if let Some(complaint) = &self.complaint {
            return (true, vec![complaint.clone()]);
        }
        if self.is_local {
            return (false, messages(self.local_meaning()));
        }
        let Some(version) = self.chosen() else {
            if let Some(trouble) = &self.trouble {
                return (true, vec![trouble.clone()]);
            }
            return (false, vec!["Its versions are not known yet.".into()]);
        };
        if let Some((larger, smaller)) = self.sides().filter(|_| self.both) {
            return (false, messages(self.both_sides(larger, smaller)));
        }
        if let Some(pinned) = self
            .known_object()
            .and_then(|object| object.version_id.as_deref())
            && pinned != version.id
        {
            return (
                false,
                messages(self.pinned(pinned).into_iter().chain(self.of_object())),
            );
        }
        if version.percentage <= 0.0 && self.class == 0 {
            return (true, self.idle_version(version));
        }
        let seconds = self.length().as_secs();
        let rate = if self.class == 0 {
            self.rate(version)
        } else {
            None
        };
        let sampled = match rate {
            Some(rate) if rate <= 0.0 => {
                let warning = "No request came in the last 15 minutes: a capture may find nothing.";
                return (
                    true,
                    vec![
                        warning.into(),
                        "If none comes, it can wait for traffic.".into(),
                    ],
                );
            }
            _ if self.class > 0 => format!("For {seconds} s, the isolate of this object is"),
            _ => format!("For {seconds} s, one loaded isolate of this version is"),
        };
        let how = match self.kind {
            Kind::Cpu => "sampled each 1 ms. It keeps serving; no traffic is added.",
            Kind::Heap => "sampled each 512 kB it allocates. Memory held before is not seen.",
        };
        let mut lines = vec![format!("{sampled} {how}")];
        lines.extend(rate.map(|rate| {
            let (rate, unit) = if rate < 1.0 {
                (rate * 60.0, "min")
            } else {
                (rate, "s")
            };
            format!(
                "All its isolates together serve about {} requests/{unit}.",
                rounded(rate)
            )
        }));
        lines.extend(self.reason(version).or_else(|| self.of_object()));
        if self.count > 1 {
            let all = seconds * u64::from(self.count);
            lines.push(format!(
                "{} captures, about {all} s in all, then opened as one.",
                self.count
            ));
        }
        (false, messages(lines))
    }

    /// Returns a version's own requests a second, else its part of the Worker's.
    fn rate(&self, version: &Version) -> Option<f64> {
        let own = version.metrics.map(|f| f.requests_per_second);
        own.or(self
            .metrics
            .map(|f| f.requests_per_second * version.percentage / 100.0))
    }

    /// Returns what the figures say of the kind to choose, where they say anything.
    fn reason(&self, version: &Version) -> Option<String> {
        let metrics = version
            .metrics
            .or(self.metrics)
            .filter(|_| self.class == 0)?;
        let suspect = metrics.suspect()?;
        let used = metrics
            .memory_p99
            .map(|bytes| format!("{:.0} MB", bytes / 1e6));
        Some(match (suspect, self.kind, used) {
            (Kind::Heap, Kind::Heap, Some(used)) => {
                format!("Heap preselected: p99 memory is {used}.")
            }
            (Kind::Heap, Kind::Cpu, Some(used)) => {
                format!("p99 memory is {used}: a heap capture shows what allocates.")
            }
            (_, kind, _) => {
                let so_many = thousands(i128::from(metrics.exceeded));
                let requests = if metrics.exceeded == 1 {
                    "request"
                } else {
                    "requests"
                };
                let tells = if kind == Kind::Heap {
                    " A cpu capture tells more of that."
                } else {
                    ""
                };
                format!(
                    "{so_many} {requests} ran into a limit in 15 min; memory is not near it.{tells}"
                )
            }
        })
    }

    /// Returns what is known of the chosen object, by what this kind of capture is about.
    fn of_object(&self) -> Option<String> {
        let Some(object) = self.known_object() else {
            let class = self
                .chosen_class()
                .filter(|_| self.details.namespaces.len() > 1)?;
            let is_id = object_id64(&self.object.text).is_ok();
            // An id does not say which class it is of, and a wrong pair finds nothing.
            return is_id.then(|| {
                format!(
                    "Analytics do not name this object: make sure that it is a {}.",
                    class.class()
                )
            });
        };
        let is_first = self
            .chosen_class()?
            .first(self.kind)
            .is_some_and(|first| first.id == object.id);
        let most = if is_first {
            ", the most of its class"
        } else {
            ""
        };
        match self.kind {
            Kind::Cpu => object
                .cpu_seconds
                .map(|cpu| format!("It used {cpu:.1} s of CPU in 15 min{most}.")),
            Kind::Heap => object
                .memory_p99
                .map(|bytes| format!("Its isolate's p99 memory is {:.0} MB{most}.", bytes / 1e6)),
        }
    }

    fn both_sides(&self, larger: &Version, smaller: &Version) -> Vec<String> {
        let side = |version: &Version| {
            format!(
                "{} ({})",
                version.short_id(),
                round_percentage(version.percentage)
            )
        };
        let seconds = self.length().as_secs();
        vec![
            format!(
                "First {}, then {}, {seconds} s each.",
                side(larger),
                side(smaller)
            ),
            format!("Then they are compared; {} is the base.", larger.short_id()),
        ]
    }

    fn pinned(&self, pinned: &str) -> Vec<String> {
        let known = self
            .details
            .versions
            .iter()
            .find(|version| version.id == pinned);
        let number = known.map_or_else(String::new, |version| format!(" (v{})", version.number));
        vec![
            format!(
                "This object runs {}{number}: that version is captured.",
                short(pinned)
            ),
            "A deployment keeps each object on one of its versions.".to_owned(),
        ]
    }

    fn idle_version(&self, version: &Version) -> Vec<Message> {
        let mut lines =
            vec!["This version serves 0% of the traffic: a capture will find nothing.".into()];
        if self
            .details
            .latest()
            .is_some_and(|latest| latest.id == version.id)
        {
            lines.push("It is the latest upload and was not deployed.".into());
        }
        if let Some(serving) = self.details.serving() {
            lines.push(message![
                Command::ServingVersion,
                format!(
                    " takes {}, which serves {}",
                    short(&serving.id),
                    round_percentage(serving.percentage)
                ),
            ]);
        }
        lines
    }
}

/// Returns sentences that name no key as messages.
fn messages(sentences: impl IntoIterator<Item = String>) -> Vec<Message> {
    sentences.into_iter().map(Message::from).collect()
}

/// Returns a count to two figures with thousands' commas: it is an estimate.
fn rounded(count: f64) -> String {
    let step = 10_f64.powf((count.max(1.0).log10().floor() - 1.0).max(0.0));
    thousands(((count / step).round() * step) as i128)
}
