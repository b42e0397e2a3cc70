//! The facts of an open profile: its unit, kind, window and time, for the title, the details and the names of exports.

use std::time::{Duration, SystemTime};

use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::model::cloudflare::Kind;
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::profile::SampleType;
use crate::model::text::sanitize::printable;
use crate::model::text::units::{is_memory, noun, value};

/// Endings that an export's name replaces, the outer ones first.
const ENDINGS: &[&str] = &[
    ".gz",
    ".zst",
    ".pprof",
    ".pb",
    ".cpuprofile",
    ".heapprofile",
];

impl ProfileState {
    /// Returns the unit of the values shown.
    #[must_use]
    pub fn unit(&self) -> String {
        let types = self.source.profile.sample_types();
        types
            .get(self.read_view.sample_type)
            .map_or(String::new(), |t| {
                self.source.profile.text(t.unit).into_owned()
            })
    }

    /// Returns what sentences call the values shown.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        noun(&self.sample_type(), &self.unit())
    }

    /// Returns the name of the sample type shown.
    #[must_use]
    pub fn sample_type(&self) -> String {
        let types = self.source.profile.sample_types();
        types
            .get(self.read_view.sample_type)
            .map_or(String::new(), |t| {
                self.source.profile.text(t.kind).into_owned()
            })
    }

    /// Returns what the samples are called: the name of the type that counts them, else records.
    #[must_use]
    pub fn counts(&self, number: i64) -> String {
        let types = self.source.profile.sample_types();
        let name = match self.reading.samples_from {
            SamplesFrom::Type(at) => types
                .get(at)
                .map_or("samples".into(), |t| self.source.profile.text(t.kind)),
            SamplesFrom::Records => "records".into(),
        };
        // Types are named `samples`, `sample`, `objects`, `alloc_objects`: the last word counts, in the plural.
        let word = name.rsplit(['_', '-']).next().unwrap_or(&name);
        let singular = word.strip_suffix('s').unwrap_or(word);
        if number == 1 {
            singular.to_owned()
        } else {
            format!("{singular}s")
        }
    }

    /// CPU or heap.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.source.kind()
    }

    /// Returns the sampled window.
    #[must_use]
    pub fn window(&self) -> Option<Duration> {
        self.source.window()
    }

    /// Returns the facts of the title after its name: version or object, kind and window.
    #[must_use]
    pub fn facts(&self) -> Vec<String> {
        self.source.facts()
    }

    /// Returns when it was captured.
    #[must_use]
    pub fn taken_at(&self) -> Option<SystemTime> {
        self.source.taken_at()
    }

    /// Returns the chips of the title for the filters in force.
    #[must_use]
    pub fn filter_chips(&self) -> Vec<String> {
        let filters = self.view.filters.iter();
        let mut chips: Vec<String> = filters
            .map(|filter| format!("[{}]", filter.chip()))
            .collect();
        if self.view.fold_recursion {
            chips.push("[recursion folded]".to_owned());
        }
        chips
    }
}

impl Source {
    /// CPU or heap: as the capture says, else by what the profile's types measure, whichever is shown.
    #[must_use]
    pub fn kind(&self) -> Kind {
        let recorded = self.common(|capture| capture.provenance.kind);
        let profile = &self.profile;
        let mut types = profile.sample_types().iter();
        recorded.unwrap_or(if types.any(|of| is_memory(&profile.text(of.unit))) {
            Kind::Heap
        } else {
            Kind::Cpu
        })
    }

    /// The kind in words: what a profile of other values than CPU time or memory holds is called as its types are.
    pub(crate) fn kind_name(&self) -> String {
        let profile = &self.profile;
        let is_other = |of: &SampleType| {
            !matches!(
                &*profile.text(of.kind),
                "cpu" | "wall" | "samples" | "sample" | "count"
            )
        };
        let kind = self.kind();
        let recorded = self.common(|capture| capture.provenance.kind).is_some();
        match profile.sample_types().first() {
            Some(first) if kind == Kind::Cpu && !recorded && is_other(first) => {
                printable(&profile.text(first.kind)).into_owned()
            }
            _ => kind.to_string(),
        }
    }

    /// Returns the sampled window: as requested, else as the profile says; of several captures their sum.
    #[must_use]
    pub fn window(&self) -> Option<Duration> {
        let asked = if self.captures().next().is_some()
            && self.members.iter().all(|m| m.capture.is_some())
        {
            self.captures()
                .map(|capture| capture.provenance.window)
                .sum()
        } else {
            None
        };
        asked.or_else(|| self.profile.duration())
    }

    /// Returns the facts of the title after its name: version or object, kind and window.
    #[must_use]
    pub fn facts(&self) -> Vec<String> {
        let mut facts = self.target_facts();
        let window = self
            .window()
            .map_or(String::new(), |w| format!(" {}", seconds(w)));
        facts.push(format!("{}{window}", self.kind_name()));
        facts
    }

    /// Returns a file name for exports, without folder and ending: safe in any shell.
    #[must_use]
    pub fn file_stem(&self) -> String {
        let name = self.name.as_str();
        let bare = ENDINGS.iter().fold(name, |name, ending| {
            name.strip_suffix(ending).unwrap_or(name)
        });
        // Of several with other names the title has their number: `api +1`.
        let bare = match bare.rsplit_once(" +") {
            Some((first, others)) if !self.members.is_empty() => {
                format!("{first}-and-{others}-more")
            }
            _ => bare.to_owned(),
        };
        let mut parts = vec![bare];
        parts.extend(self.facts().into_iter().map(|fact| fact.replace(' ', "")));
        let text = parts.join("-");
        let safe: String = text
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        safe.trim_start_matches(['.', '-'])
            .chars()
            .take(100)
            .collect()
    }

    /// Returns when it was captured: when requested, else as the profile says. Of several captures the first one's time.
    #[must_use]
    pub fn taken_at(&self) -> Option<SystemTime> {
        self.asked_at().or_else(|| self.profile.time())
    }
}

/// Returns a window as it is written: `10 s`, `3.2 s`, `23 ms`.
pub(crate) fn seconds(window: Duration) -> String {
    if window < Duration::from_secs(1) {
        let nanoseconds = window.as_nanos().try_into().unwrap_or(0);
        return value(nanoseconds, "nanoseconds");
    }
    let seconds = window.as_secs_f64();
    let tenths = (seconds * 10.0).round() / 10.0;
    if (tenths - tenths.round()).abs() < 0.05 {
        format!("{tenths:.0} s")
    } else {
        format!("{tenths:.1} s")
    }
}
