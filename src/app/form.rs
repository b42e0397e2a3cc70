//! The capture form: what is to be sampled, checked before anything is sent.

use std::time::Duration;

use super::effect::CaptureNote;
use super::series::{ROW_MAX, Series, Step};
use super::{Input, Purpose, WorkerDetails};
use crate::model::target::{
    CaptureRequest, Figures, Kind, MEMORY_LIMIT, Object, ObjectRef, TargetError, VERSION_PREFIX_MIN, Version,
    object_id64, short,
};
use crate::model::units::thousands;

/// The windows to choose from, in seconds.
pub const WINDOWS: &[u64] = &[1, 5, 10, 20, 50];
/// The window that is chosen at first: 10 s, as in Cloudflare's dashboard.
const WINDOW_FIRST: usize = 2;

/// A line of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormField {
    /// CPU or heap.
    Kind,
    /// How long.
    Window,
    /// Which version.
    Version,
    /// Any isolate, or the objects of one class.
    Class,
    /// Which object of that class.
    Object,
    /// One version, or both that serve.
    Sides,
    /// How many captures in a row.
    Count,
}

/// The capture form.
#[derive(Debug, Clone)]
pub struct Form {
    /// The Worker's name.
    pub worker: String,
    /// The line with the focus.
    pub field: FormField,
    /// CPU or heap.
    pub kind: Kind,
    /// Place in [`WINDOWS`].
    pub window: usize,
    /// What can be chosen; as it was when the form opened, or when the details came.
    pub details: WorkerDetails,
    /// Place in the details' versions.
    pub version: usize,
    /// 0: any isolate; else 1 + place in the details' namespaces.
    pub class: usize,
    /// The object's id or name.
    pub object: Input,
    /// Both serving versions are captured and compared, instead of one.
    pub both: bool,
    /// How many captures in a row.
    pub count: u8,
    /// Traffic of the whole Worker, where it is known.
    pub figures: Option<Figures>,
    /// The object that the form itself put into its line: as long as it stands there, another kind or class puts another.
    pub(super) offered: Option<String>,
    /// An isolate of a local runtime: there is no version and no object to choose.
    pub is_local: bool,
    /// What is wrong with the form, after Enter.
    pub complaint: Option<String>,
    /// Why the versions to choose from did not come.
    pub trouble: Option<String>,
}

impl Form {
    /// Opens the form on the version that serves most traffic.
    #[must_use]
    pub fn new(worker: String, details: WorkerDetails, figures: Option<Figures>) -> Self {
        Self {
            worker,
            field: FormField::Window,
            kind: Kind::Cpu,
            window: WINDOW_FIRST,
            details,
            version: 0,
            class: 0,
            object: Input::new(Purpose::Field, ""),
            both: false,
            count: 1,
            figures,
            offered: None,
            is_local: false,
            complaint: None,
            trouble: None,
        }
    }

    /// Takes the heap for what is sampled where memory is near its limit: the figures decide, and the form says so.
    pub(super) fn suggest_kind(&mut self) {
        let figures = self.chosen().and_then(|version| version.figures).or(self.figures);
        if figures.and_then(|figures| figures.suspect()) == Some(Kind::Heap) {
            self.kind = Kind::Heap;
        }
    }

    /// The chosen version.
    #[must_use]
    pub fn chosen(&self) -> Option<&Version> {
        self.details.versions.get(self.version)
    }

    /// The window's length.
    #[must_use]
    pub fn length(&self) -> Duration {
        Duration::from_secs(WINDOWS.get(self.window).copied().unwrap_or(10))
    }

    /// The lines there are: the object's only where a class is chosen, the class only where there is one.
    #[must_use]
    pub fn fields(&self) -> Vec<FormField> {
        let mut fields = vec![FormField::Kind, FormField::Window];
        if !self.is_local {
            fields.push(FormField::Version);
        }
        if !self.details.namespaces.is_empty() {
            fields.push(FormField::Class);
        }
        if self.class > 0 {
            fields.push(FormField::Object);
        } else if self.sides().is_some() {
            fields.push(FormField::Sides);
        }
        fields.push(FormField::Count);
        fields
    }

    /// The two versions that serve, the larger share first; `None`: not exactly two do.
    #[must_use]
    pub fn sides(&self) -> Option<(&Version, &Version)> {
        let mut serving = self.details.versions.iter().filter(|version| version.percentage > 0.0);
        match (serving.next(), serving.next(), serving.next()) {
            // Of equal shares the older one is what the newer is to be compared with.
            (Some(one), Some(other), None) if (one.percentage - other.percentage).abs() < f64::EPSILON => {
                Some(if one.number < other.number { (one, other) } else { (other, one) })
            }
            (Some(larger), Some(smaller), None) => Some((larger, smaller)),
            _ => None,
        }
    }

    /// Moves the focus by `step` lines, without going round.
    pub fn move_focus(&mut self, step: isize) {
        let fields = self.fields();
        let here = fields.iter().position(|f| *f == self.field).unwrap_or(0);
        let there = here.saturating_add_signed(step).min(fields.len() - 1);
        self.field = fields[there];
    }

    /// Moves the focus to the next line, and from the last to the first.
    pub fn tab(&mut self, backwards: bool) {
        let fields = self.fields();
        let here = fields.iter().position(|f| *f == self.field).unwrap_or(0);
        let step = if backwards { fields.len() - 1 } else { 1 };
        self.field = fields[(here + step) % fields.len()];
    }

    /// Changes the value of the line with the focus.
    pub fn change(&mut self, step: isize) {
        let within = |at: usize, count: usize| at.saturating_add_signed(step).min(count.saturating_sub(1));
        self.complaint = None;
        match self.field {
            FormField::Kind => {
                self.kind = if step > 0 { Kind::Heap } else { Kind::Cpu };
                self.offer_again();
            }
            FormField::Window => self.window = within(self.window, WINDOWS.len()),
            FormField::Version => {
                self.version = within(self.version, self.details.versions.len());
                self.both = false;
            }
            FormField::Class => {
                self.class = within(self.class, self.details.namespaces.len() + 1);
                self.both = false;
                self.offer_again();
            }
            FormField::Object => {}
            FormField::Sides => self.both = step > 0,
            FormField::Count => self.add(step),
        }
    }

    /// So many captures in a row more, or fewer.
    pub fn add(&mut self, step: isize) {
        let count = isize::from(self.count).saturating_add(step).clamp(1, isize::from(ROW_MAX));
        self.count = u8::try_from(count).unwrap_or(1);
        self.complaint = None;
    }

    /// Takes the choices that a request was made of.
    pub fn choose(&mut self, request: &CaptureRequest) {
        self.kind = request.kind;
        let window = WINDOWS.iter().position(|seconds| *seconds == request.window.as_secs());
        self.window = window.unwrap_or(self.window);
        let version = self.details.versions.iter().position(|version| Some(&version.id) == request.version.as_ref());
        self.version = version.unwrap_or(0);
        if let Some(object) = &request.object
            && let Some(class) =
                self.details.namespaces.iter().position(|class| class.namespace.id == object.namespace_id)
        {
            self.class = class + 1;
            self.object = Input::new(Purpose::Field, object.name.as_ref().unwrap_or(&object.object_id).clone());
        }
    }

    /// Chooses a class by its place and offers its busiest object.
    pub fn choose_class(&mut self, namespace: usize) {
        self.both = false;
        self.class = namespace + 1;
        self.field = FormField::Object;
        self.offer_first();
    }

    /// Offers the object that comes first for this kind of capture.
    fn offer_first(&mut self) {
        let first = self.chosen_class().and_then(|class| class.first(self.kind));
        let text = first.map_or(String::new(), |o| o.name.clone().unwrap_or_else(|| o.id.clone()));
        self.offered = Some(text.clone());
        self.object = Input::new(Purpose::Field, text);
    }

    /// The same where the order may be another one by now, unless the user chose an object.
    pub(super) fn offer_again(&mut self) {
        if self.object.text.is_empty() || self.offered.as_ref() == Some(&self.object.text) {
            self.offer_first();
        }
    }

    /// The chosen class with its busiest objects.
    #[must_use]
    pub fn chosen_class(&self) -> Option<&super::details::NamespaceDetails> {
        self.details.namespaces.get(self.class.checked_sub(1)?)
    }

    /// Chooses the version that serves the largest share of the traffic.
    pub fn choose_serving(&mut self) {
        (self.version, self.both) = (0, false);
        self.complaint = None;
    }

    /// Takes details that came while the form was open; the choices stay.
    pub fn take_details(&mut self, details: WorkerDetails) {
        let chosen = self.chosen().map(|v| v.id.clone());
        self.version = chosen.and_then(|id| details.versions.iter().position(|v| v.id == id)).unwrap_or(0);
        self.details = details;
        self.offer_again();
        self.both &= self.sides().is_some();
        // What was missing may be there now.
        (self.complaint, self.trouble) = (None, None);
    }

    /// The details did not come while the form was open.
    pub fn miss_details(&mut self, failure: &super::Failure) {
        let hint = failure.hint.as_ref().map_or_else(String::new, |hint| format!(" {hint}"));
        let told = format!("Its versions did not come; {{start-capture}} asks again. {}{hint}", failure.brief());
        (self.complaint, self.trouble) = (None, Some(told));
    }

    /// The captures that the form stands for.
    ///
    /// # Errors
    /// A sentence that says what is missing or wrong.
    pub fn series(&self) -> Result<Series, String> {
        let (request, note) = self.request()?;
        if let Some((larger, smaller)) = self.sides().filter(|_| self.both) {
            let side = |version: &Version| Step {
                request: CaptureRequest { version: Some(version.id.clone()), object: None, ..request.clone() },
                note: CaptureNote {
                    version_number: Some(version.number),
                    percentage: Some(version.percentage),
                    figures: version.figures,
                    find_object: None,
                },
            };
            return Ok(Series::both_sides(side(larger), side(smaller)));
        }
        Ok(Series::row(request, note, self.count))
    }

    /// The request that the form stands for.
    ///
    /// # Errors
    /// A sentence that says what is missing or wrong.
    pub fn request(&self) -> Result<(CaptureRequest, CaptureNote), String> {
        if self.is_local {
            return Ok(self.local_request());
        }
        let version = self.chosen().ok_or("No version is known yet: a moment, or {refresh} in the list asks again.")?;
        debug_assert!(version.id.len() >= VERSION_PREFIX_MIN);
        let mut note = CaptureNote {
            version_number: Some(version.number),
            percentage: Some(version.percentage),
            figures: version.figures.or(self.figures).filter(|_| self.class == 0),
            find_object: None,
        };
        let mut version_id = version.id.clone();
        let object = match self.chosen_class() {
            None => None,
            Some(class) => {
                let typed = self.object.text.trim();
                let known = self.known_object();
                let namespace_id = class.namespace.id.clone();
                match (known, object_id64(typed)) {
                    (Some(object), _) => {
                        // An object is pinned to one version of a deployment: that one is sampled.
                        if let Some(pinned) = &object.version_id {
                            version_id.clone_from(pinned);
                        }
                        Some(ObjectRef { namespace_id, object_id: object.id.clone(), name: object.name.clone() })
                    }
                    (None, Ok(object_id)) => Some(ObjectRef { namespace_id, object_id, name: None }),
                    (None, Err(_)) if typed.is_empty() => {
                        return Err("Type the object's name or its 64-digit id, or choose any isolate.".to_owned());
                    }
                    (None, Err(error @ TargetError::ObjectId { hex: true, digits: 40.. })) => {
                        return Err(format!("{error}."));
                    }
                    (None, Err(_)) => {
                        note.find_object = Some((namespace_id, typed.to_owned()));
                        None
                    }
                }
            }
        };
        if version_id != version.id {
            let pinned = self.details.versions.iter().find(|v| v.id == version_id);
            note.version_number = pinned.map(|v| v.number);
            note.percentage = pinned.map(|v| v.percentage);
        }
        let request = CaptureRequest {
            worker: self.worker.clone(),
            version: Some(version_id),
            kind: self.kind,
            window: self.length(),
            object,
        };
        Ok((request, note))
    }

    /// The chosen object, where analytics know it.
    fn known_object(&self) -> Option<&Object> {
        let typed = self.object.text.trim();
        self.chosen_class()?.named().find(|object| object.id == typed || object.name.as_deref() == Some(typed))
    }

    /// What the choice means, as lines for the user; the first says whether it is a warning.
    #[must_use]
    pub fn meaning(&self) -> (bool, Vec<String>) {
        if let Some(complaint) = &self.complaint {
            return (true, vec![complaint.clone()]);
        }
        if self.is_local {
            return (false, self.local_meaning());
        }
        let Some(version) = self.chosen() else {
            if let Some(trouble) = &self.trouble {
                return (true, vec![trouble.clone()]);
            }
            return (false, vec!["Its versions are not known yet.".to_owned()]);
        };
        if let Some((larger, smaller)) = self.sides().filter(|_| self.both) {
            return (false, self.both_sides(larger, smaller));
        }
        if let Some(pinned) = self.known_object().and_then(|object| object.version_id.as_deref())
            && pinned != version.id
        {
            return (false, self.pinned(pinned).into_iter().chain(self.of_object()).collect());
        }
        if version.percentage <= 0.0 && self.class == 0 {
            return (true, self.idle_version(version));
        }
        let seconds = self.length().as_secs();
        let rate = if self.class == 0 { self.rate(version) } else { None };
        let passing = match rate {
            Some(rate) if rate > 0.0 => {
                let count = rounded(rate * seconds as f64);
                format!("About {count} requests will pass while one loaded isolate is")
            }
            Some(_) => {
                let warning = "No request came in the last 15 minutes: a capture may find nothing.";
                return (true, vec![warning.to_owned(), "If none comes, it can wait for traffic.".to_owned()]);
            }
            None if self.class > 0 => format!("For {seconds} s, the isolate of this object is"),
            None => format!("For {seconds} s, one loaded isolate of this version is"),
        };
        let how = match self.kind {
            Kind::Cpu => "sampled each 1 ms. It keeps serving; no traffic is added.",
            Kind::Heap => "sampled each 512 kB it allocates. Memory held before is not seen.",
        };
        let mut lines = vec![format!("{passing} {how}")];
        lines.extend(self.reason(version).or_else(|| self.of_object()));
        if self.count > 1 {
            let all = seconds * u64::from(self.count);
            lines.push(format!("{} in a row, about {all} s in all, then opened as one.", self.count));
        }
        (false, lines)
    }

    /// A version's own requests a second, else its part of the Worker's.
    fn rate(&self, version: &Version) -> Option<f64> {
        let own = version.figures.map(|f| f.requests_per_second);
        own.or(self.figures.map(|f| f.requests_per_second * version.percentage / 100.0))
    }

    /// What the figures say of the kind to choose, where they say anything.
    fn reason(&self, version: &Version) -> Option<String> {
        let figures = version.figures.or(self.figures).filter(|_| self.class == 0)?;
        let suspect = figures.suspect()?;
        let used = figures.memory_p99.map(|bytes| format!("{:.0} of {:.0} MB", bytes / 1e6, MEMORY_LIMIT / 1e6));
        Some(match (suspect, self.kind, used) {
            (Kind::Heap, Kind::Heap, Some(used)) => format!("Heap, as its memory p99 is {used}."),
            (Kind::Heap, Kind::Cpu, Some(used)) => {
                format!("Memory p99 is {used}: heap tells what fills it.")
            }
            (_, kind, _) => {
                let so_many = thousands(i128::from(figures.exceeded));
                let requests = if figures.exceeded == 1 { "request" } else { "requests" };
                let tells = if kind == Kind::Heap { " A cpu capture tells more of that." } else { "" };
                format!("{so_many} {requests} ran into a limit in 15 min; memory is not near it.{tells}")
            }
        })
    }

    /// What is known of the chosen object, by what this kind of capture is about.
    fn of_object(&self) -> Option<String> {
        let Some(object) = self.known_object() else {
            let class = self.chosen_class().filter(|_| self.details.namespaces.len() > 1)?;
            let is_id = object_id64(&self.object.text).is_ok();
            // An id does not say which class it is of, and a wrong pair finds nothing.
            return is_id
                .then(|| format!("Analytics do not name this object: make sure that it is a {}.", class.class()));
        };
        let is_first = self.chosen_class()?.first(self.kind).is_some_and(|first| first.id == object.id);
        let most = if is_first { ", the most of its class" } else { "" };
        match self.kind {
            Kind::Cpu => object.cpu_seconds.map(|cpu| format!("It used {cpu:.1} s of CPU in 15 min{most}.")),
            Kind::Heap => object.memory_p99.map(|bytes| {
                format!("Its isolate's memory: p99 {:.0} of {:.0} MB{most}.", bytes / 1e6, MEMORY_LIMIT / 1e6)
            }),
        }
    }

    fn both_sides(&self, larger: &Version, smaller: &Version) -> Vec<String> {
        let side = |version: &Version| format!("{} ({} %)", version.short_id(), percentage(version.percentage));
        let seconds = self.length().as_secs();
        vec![
            format!("First {}, then {}, {seconds} s each.", side(larger), side(smaller)),
            format!("Then they are compared; {} is the base.", larger.short_id()),
        ]
    }

    fn pinned(&self, pinned: &str) -> Vec<String> {
        let known = self.details.versions.iter().find(|version| version.id == pinned);
        let number = known.map_or_else(String::new, |version| format!(" (v{})", version.number));
        vec![
            format!("This object runs {}{number}: that version is captured.", short(pinned)),
            "A deployment keeps each object on one of its versions.".to_owned(),
        ]
    }

    fn idle_version(&self, version: &Version) -> Vec<String> {
        let mut lines = vec!["This version serves 0 % of the traffic: a capture will find nothing.".to_owned()];
        if self.details.latest().is_some_and(|latest| latest.id == version.id) {
            lines.push("It is the latest upload and was not deployed.".to_owned());
        }
        if let Some(serving) = self.details.serving() {
            lines.push(format!(
                "{{serving-version}} takes {}, which serves {} %",
                short(&serving.id),
                percentage(serving.percentage)
            ));
        }
        lines
    }
}

/// A share of traffic as it is written: whole where it is whole.
#[must_use]
pub(crate) fn percentage(share: f64) -> String {
    if (share - share.round()).abs() < 0.05 { format!("{share:.0}") } else { format!("{share:.1}") }
}

/// A count to two figures with thousands' commas: it is an estimate.
fn rounded(count: f64) -> String {
    let step = 10_f64.powf((count.max(1.0).log10().floor() - 1.0).max(0.0));
    thousands(((count / step).round() * step) as i128)
}
