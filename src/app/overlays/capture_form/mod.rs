//! The capture form: what is to be sampled, checked before anything is sent.

mod advice;

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use std::time::Duration;

use crate::app::capture::batch::{Batch, ROW_MAX};
use crate::app::capture::targets::{NamespaceDetails, WorkerDetails};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::load::failure::Failure;
use crate::model::cloudflare::{
    CaptureRequest, Kind, Metrics, Object, ObjectRef, Target, TargetError, VERSION_PREFIX_MIN,
    Version, object_id64,
};

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
    /// How many times the capture is repeated.
    Count,
}

/// The capture form.
#[derive(Debug, Clone)]
pub struct CaptureForm {
    /// The Worker's name.
    pub worker: String,
    /// The line with the focus.
    pub field: FormField,
    /// CPU or heap.
    pub kind: Kind,
    /// Place in [`WINDOWS`].
    pub window: usize,
    /// What can be chosen.
    pub details: WorkerDetails,
    /// Place in the details' versions.
    pub version: usize,
    /// 0: any isolate; else 1 + place in the details' namespaces.
    pub class: usize,
    /// The object's id or name.
    pub object: Input,
    /// Both serving versions are captured and compared, instead of one.
    pub both: bool,
    /// How many times the capture is repeated.
    pub count: u8,
    /// Traffic of the whole Worker, if known.
    pub metrics: Option<Metrics>,
    /// The object that the form proposed: unless the user changes it, another kind or class replaces it.
    pub(crate) offered: Option<String>,
    /// An isolate of a local runtime: there is no version and no object to choose.
    pub is_local: bool,
    /// What is wrong with the form, after Enter.
    pub complaint: Option<Message>,
    /// Why the versions could not be loaded.
    pub trouble: Option<Message>,
}

impl CaptureForm {
    /// Opens the form on the version that serves most traffic.
    #[must_use]
    pub fn new(worker: String, details: WorkerDetails, metrics: Option<Metrics>) -> Self {
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
            metrics,
            offered: None,
            is_local: false,
            complaint: None,
            trouble: None,
        }
    }

    /// Takes the heap for what is sampled where memory is near its limit: the figures decide, and the form says so.
    pub(crate) fn suggest_kind(&mut self) {
        let metrics = self
            .chosen()
            .and_then(|version| version.metrics)
            .or(self.metrics);
        if metrics.and_then(|metrics| metrics.suspect()) == Some(Kind::Heap) {
            self.kind = Kind::Heap;
        }
    }

    /// Returns the chosen version.
    #[must_use]
    pub fn chosen(&self) -> Option<&Version> {
        self.details.versions.get(self.version)
    }

    /// Returns the window's length.
    #[must_use]
    pub fn length(&self) -> Duration {
        Duration::from_secs(WINDOWS.get(self.window).copied().unwrap_or(10))
    }

    /// Returns the lines there are: the object's only where a class is chosen, the class only where there is one.
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

    /// Returns the two versions that serve, the larger share first; `None` if not exactly two do.
    #[must_use]
    pub fn sides(&self) -> Option<(&Version, &Version)> {
        let mut serving = self
            .details
            .versions
            .iter()
            .filter(|version| version.percentage > 0.0);
        match (serving.next(), serving.next(), serving.next()) {
            // Of equal shares the older one is what the newer is to be compared with.
            (Some(one), Some(other), None)
                if (one.percentage - other.percentage).abs() < f64::EPSILON =>
            {
                Some(if one.number < other.number {
                    (one, other)
                } else {
                    (other, one)
                })
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
        let within =
            |at: usize, count: usize| at.saturating_add_signed(step).min(count.saturating_sub(1));
        self.complaint = None;
        match self.field {
            FormField::Kind => {
                self.set_kind(if step > 0 { Kind::Heap } else { Kind::Cpu });
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

    fn set_kind(&mut self, kind: Kind) {
        self.kind = kind;
        self.complaint = None;
        self.offer_again();
    }

    /// Changes a CPU capture into a heap capture, and back.
    pub fn switch_kind(&mut self) {
        self.set_kind(match self.kind {
            Kind::Cpu => Kind::Heap,
            Kind::Heap => Kind::Cpu,
        });
    }

    /// Chooses the next class, after the last one the first, and offers its busiest object.
    /// The focus stays where it is.
    pub fn next_class(&mut self) {
        let classes = self.details.namespaces.len();
        if classes > 0 {
            // The keys stay commands: the id is a text field.
            let field = self.field;
            self.choose_class(self.class % classes);
            (self.field, self.complaint) = (field, None);
        }
    }

    /// Changes the number of captures.
    pub fn add(&mut self, step: isize) {
        let count = isize::from(self.count)
            .saturating_add(step)
            .clamp(1, isize::from(ROW_MAX));
        self.count = u8::try_from(count).unwrap_or(1);
        self.complaint = None;
    }

    /// Takes the choices that a request was made of.
    pub fn choose(&mut self, request: &CaptureRequest) {
        self.kind = request.kind;
        let window = WINDOWS
            .iter()
            .position(|seconds| *seconds == request.window.as_secs());
        self.window = window.unwrap_or(self.window);
        let version = self
            .details
            .versions
            .iter()
            .position(|version| Some(&version.id) == request.target.version_id.as_ref());
        self.version = version.unwrap_or(0);
        if let Some(object) = &request.target.object
            && let Some(class) = self
                .details
                .namespaces
                .iter()
                .position(|class| class.namespace.id == object.namespace_id)
        {
            self.class = class + 1;
            self.object = Input::new(
                Purpose::Field,
                object.name.as_ref().unwrap_or(&object.object_id).clone(),
            );
        }
    }

    /// Chooses a class by its place and offers its busiest object.
    pub fn choose_class(&mut self, namespace: usize) {
        self.both = false;
        self.class = namespace + 1;
        self.field = FormField::Object;
        self.offer_first();
    }

    /// Completions the object that comes first for this kind of capture.
    fn offer_first(&mut self) {
        let first = self.chosen_class().and_then(|class| class.first(self.kind));
        let text = first.map_or(String::new(), |o| {
            o.name.clone().unwrap_or_else(|| o.id.clone())
        });
        self.offered = Some(text.clone());
        self.object = Input::new(Purpose::Field, text);
    }

    /// The same where the order may be another one by now, unless the user chose an object.
    pub(crate) fn offer_again(&mut self) {
        if self.object.text.is_empty() || self.offered.as_ref() == Some(&self.object.text) {
            self.offer_first();
        }
    }

    /// Returns the chosen class with its busiest objects.
    #[must_use]
    pub fn chosen_class(&self) -> Option<&NamespaceDetails> {
        self.details.namespaces.get(self.class.checked_sub(1)?)
    }

    /// Chooses an object by its id or name. Returns whether there is a class that it can be of.
    pub(crate) fn choose_object(&mut self, namespace: Option<&str>, text: &str) -> bool {
        let classes = &self.details.namespaces;
        let named = classes
            .iter()
            .position(|class| Some(class.namespace.id.as_str()) == namespace);
        let busy = || {
            classes
                .iter()
                .position(|class| class.named().any(|object| object.id == text))
        };
        let chosen = self.class.checked_sub(1);
        let Some(place) = named
            .or_else(busy)
            .or(chosen)
            .or((!classes.is_empty()).then_some(0))
        else {
            return false;
        };
        self.choose_class(place);
        self.object = Input::new(Purpose::Field, text);
        self.complaint = None;
        true
    }

    /// Chooses the version that serves the largest share of the traffic.
    pub fn choose_serving(&mut self) {
        (self.version, self.both) = (0, false);
        self.complaint = None;
    }

    /// Sets the details that arrived while the form was open; the choices stay.
    pub fn set_details(&mut self, details: WorkerDetails) {
        let chosen = self.chosen().map(|v| v.id.clone());
        self.version = chosen
            .and_then(|id| details.versions.iter().position(|v| v.id == id))
            .unwrap_or(0);
        self.details = details;
        self.offer_again();
        self.both &= self.sides().is_some();
        // What was missing may be there now.
        (self.complaint, self.trouble) = (None, None);
    }

    /// The details could not be loaded while the form was open.
    pub fn miss_details(&mut self, failure: &Failure) {
        let trouble = message![
            "Could not load its versions; ",
            Command::StartCapture,
            " retries. ",
            failure.brief(),
        ];
        let trouble = match &failure.hint {
            Some(hint) => message![trouble, " ", hint.clone()],
            None => trouble,
        };
        (self.complaint, self.trouble) = (None, Some(trouble));
    }

    /// Returns the captures that the form describes.
    ///
    /// # Errors
    /// A sentence on what is missing or wrong.
    pub fn batch(&self) -> Result<Batch, Message> {
        let request = self.request()?;
        if let Some((larger, smaller)) = self.sides().filter(|_| self.both) {
            let side = |version: &Version| CaptureRequest {
                target: self.target(Some(version), None),
                ..request.clone()
            };
            return Ok(Batch::both_sides(side(larger), side(smaller)));
        }
        Ok(Batch::row(request, self.count))
    }

    /// Returns the request that the form describes.
    ///
    /// # Errors
    /// A sentence on what is missing or wrong.
    pub fn request(&self) -> Result<CaptureRequest, Message> {
        let request = |target, find_object| CaptureRequest {
            target,
            kind: self.kind,
            window: self.length(),
            find_object,
        };
        if self.is_local {
            return Ok(request(self.target(None, None), None));
        }
        let version = self.chosen().ok_or_else(|| {
            message![
                "Its versions are still loading; ",
                Command::Refresh,
                " in the list asks again."
            ]
        })?;
        debug_assert!(version.id.len() >= VERSION_PREFIX_MIN);
        let Some(class) = self.chosen_class() else {
            let mut target = self.target(Some(version), None);
            target.metrics = target.metrics.or(self.metrics);
            return Ok(request(target, None));
        };
        let typed = self.object.text.trim();
        let namespace_id = class.namespace.id.clone();
        let object = |object_id, name| ObjectRef {
            namespace_id: namespace_id.clone(),
            object_id,
            name,
        };
        if let Some(known) = self.known_object() {
            let found = Some(object(known.id.clone(), known.name.clone()));
            // An object is pinned to one version of a deployment: that one is sampled.
            let Some(pinned) = &known.version_id else {
                let lookup = Some((namespace_id.clone(), known.id.clone()));
                return Ok(request(self.target(Some(version), found), lookup));
            };
            let version = self.details.versions.iter().find(|v| v.id == *pinned);
            let mut target = self.target(version, found);
            target.version_id = Some(pinned.clone());
            return Ok(request(target, None));
        }
        let (object, find_object) = match object_id64(typed) {
            Ok(object_id) => {
                let lookup = Some((namespace_id.clone(), object_id.clone()));
                (Some(object(object_id, None)), lookup)
            }
            Err(_) if typed.is_empty() => {
                return Err(
                    "Type the object's name or its 64-digit id, or choose any isolate.".into(),
                );
            }
            Err(
                error @ TargetError::ObjectId {
                    hex: true,
                    digits: 40..,
                },
            ) => return Err(format!("{error}.").into()),
            Err(_) => (None, Some((namespace_id.clone(), typed.to_owned()))),
        };
        Ok(request(self.target(Some(version), object), find_object))
    }

    /// Returns the target for a version and an object.
    fn target(&self, version: Option<&Version>, object: Option<ObjectRef>) -> Target {
        Target {
            worker: self.worker.clone(),
            version_id: version.map(|version| version.id.clone()),
            version_number: version.map(|version| version.number),
            author: version.and_then(|version| version.author.clone()),
            message: version.and_then(|version| version.message.clone()),
            percentage: version.map(|version| version.percentage),
            // Requests of an object are not counted as its Worker's.
            metrics: version
                .and_then(|version| version.metrics)
                .filter(|_| self.class == 0),
            object,
        }
    }

    /// Returns the chosen object, where analytics know it.
    pub(crate) fn known_object(&self) -> Option<&Object> {
        let typed = self.object.text.trim();
        self.chosen_class()?
            .named()
            .find(|object| object.id == typed || object.name.as_deref() == Some(typed))
    }
}

impl CaptureForm {
    /// Opens the form on an isolate of a local runtime.
    #[must_use]
    pub fn local(worker: String) -> Self {
        Self {
            is_local: true,
            ..Self::new(worker, WorkerDetails::default(), None)
        }
    }

    /// Returns what the choice means.
    pub(crate) fn local_meaning(&self) -> Vec<String> {
        let how = match self.kind {
            Kind::Cpu => "sampled each 1 ms",
            Kind::Heap => "sampled each 512 kB it allocates",
        };
        vec![
            format!(
                "For {} s its isolate is {how}, with all its Durable Objects.",
                self.length().as_secs()
            ),
            "Send it requests meanwhile: nothing else makes any.".to_owned(),
        ]
    }
}
