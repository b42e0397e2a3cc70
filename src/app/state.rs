//! Everything the screen is drawn from.

use std::time::Instant;

use crate::app::capture::Captures;
use crate::app::core::clock::LastClick;
use crate::app::core::ids::RequestId;
use crate::app::core::layout::workers_geometry;
use crate::app::core::session::{Origin, Screen, Session};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::keys::message::Message;
use crate::app::load::Load;
use crate::app::overlays::account_picker::Accounts;
use crate::app::overlays::capture_form::CaptureForm;
use crate::app::overlays::export_dialog::format::Format;
use crate::app::overlays::object_picker::Objects;
use crate::app::overlays::picker::Picker;
use crate::app::overlays::{Overlay, Overlays};
use crate::app::screens::history::History;
use crate::app::screens::profile::effect::Opened;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::{DetailRow, Section, Workers};
use crate::app::settings::Settings;

/// One line that says what just happened; the next key clears it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A sentence.
    pub text: Message,
    /// Whether something is wrong.
    pub warns: bool,
}

/// What was typed before the next command.
#[derive(Debug, Default)]
pub struct KeyState {
    /// The count for the next command, while digits are typed.
    pub count: Option<u32>,
    /// When the last key was pressed or the mouse used.
    pub(super) last_input_at: Option<Instant>,
}

/// The mouse.
#[derive(Debug, Default)]
pub struct Mouse {
    /// Whether the terminal reports it.
    pub is_on: bool,
    /// The last click, to recognize double clicks.
    pub(super) last_click: Option<LastClick>,
}

/// The profiles beside the open one, and those being opened.
#[derive(Debug, Default)]
pub struct Profiles {
    /// The file or capture that is being opened.
    pub opening: Option<RequestId>,
    /// The capture that is being read for its export, from the history.
    pub exporting: Option<RequestId>,
    /// The format that was exported last.
    pub(super) last_format: Option<Format>,
    /// The profile that comes back when a comparison ends.
    pub(super) suspended: Option<Box<ProfileState>>,
    /// Profiles that are in no file and not on the screen.
    pub(super) held: Vec<ProfileState>,
}

/// The whole state of the program. Only [`crate::app::update()`] changes it.
#[derive(Debug)]
pub struct State {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The account.
    pub session: Session,
    /// The screen behind all overlays.
    pub screen: Screen,
    /// The overlays.
    pub overlays: Overlays,
    /// The line that is being typed.
    pub input: Option<Input>,
    /// What was typed before the next command.
    pub keys: KeyState,
    /// The accounts that the token can see.
    pub accounts: Accounts,
    /// The account's Workers.
    pub workers: Workers,
    /// The objects of a class, while one is chosen from them.
    pub objects: Option<Objects>,
    /// The captures on disk.
    pub history: History,
    /// The captures that run or wait.
    pub captures: Captures,
    /// The open profile.
    pub profile: Option<ProfileState>,
    /// Other profiles.
    pub profiles: Profiles,
    /// What just happened.
    pub notice: Option<Notice>,
    /// The mouse.
    pub mouse: Mouse,
    /// The theme in force, and all there are.
    pub theme: ThemeChoice,
    /// Whether to show the first steps: until the first key, if the screen was never opened before.
    pub first_steps: bool,
    /// What the user has configured for all sessions.
    pub settings: Settings,
    next_request: u64,
}

/// The theme in force, by name, and the names to choose from.
#[derive(Debug, Clone, Default)]
pub struct ThemeChoice {
    /// The theme that is drawn with.
    pub name: String,
    /// All themes there are.
    pub known: Vec<String>,
    /// What sets the theme of each start, such as a line of the configuration: then none is remembered.
    pub said_by: Option<String>,
}

impl State {
    /// Makes the state of a fresh start.
    #[must_use]
    pub fn new(session: Session, size: (u16, u16), theme: ThemeChoice) -> Self {
        let screen = if session.origin == Origin::Offline {
            Screen::Welcome
        } else {
            Screen::Workers
        };
        Self {
            size,
            session,
            screen,
            overlays: Overlays::default(),
            input: None,
            keys: KeyState::default(),
            accounts: Accounts::default(),
            workers: Workers::default(),
            objects: None,
            history: History::default(),
            captures: Captures::default(),
            profile: None,
            profiles: Profiles::default(),
            notice: None,
            mouse: Mouse::default(),
            theme,
            first_steps: false,
            settings: Settings::default(),
            next_request: 0,
        }
    }

    /// Shows a profile that was opened.
    pub fn show_opened(&mut self, opened: Opened) {
        let Opened {
            source,
            source_root,
            view,
            reading,
            display,
            warning,
        } = opened;
        let summary = source.names.as_ref().map(|names| names.summary.clone());
        let mut profile = ProfileState::new(source, view, reading, self.size);
        profile.source_root = source_root;
        // One that replaces another leads back to where that one did.
        profile.back = match (self.screen, &self.profile) {
            (Screen::Profile, Some(old)) => old.back,
            (screen, _) => screen,
        };
        profile.open_as(display, self.size);
        self.profile = Some(profile);
        self.screen = Screen::Profile;
        if let Some(warning) = warning {
            self.warn(warning);
        } else if let Some(summary) = summary {
            self.say(summary);
        }
    }

    /// Whether leaving would lose a profile, because it is in no file.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        let shown = self
            .profile
            .iter()
            .chain(self.profiles.suspended.as_deref());
        !self.profiles.held.is_empty() || shown.into_iter().any(ProfileState::is_unsaved)
    }

    /// Keeps a profile that another one replaces, if it is in no file.
    pub(super) fn hold(&mut self, profile: Option<ProfileState>) {
        self.profiles
            .held
            .extend(profile.filter(ProfileState::is_unsaved));
    }

    /// Shows a profile again that is in no file, unless the one on the screen is in none either.
    pub(super) fn show_held(&mut self) {
        if self.profile.as_ref().is_some_and(ProfileState::is_unsaved) {
            return;
        }
        if let Some(held) = self.profiles.held.pop() {
            (self.profile, self.profiles.suspended) = (Some(held), None);
            self.screen = Screen::Profile;
        }
    }

    /// Whether the line that is typed has this purpose.
    #[must_use]
    pub fn types(&self, purpose: Purpose) -> bool {
        self.input
            .as_ref()
            .is_some_and(|input| input.purpose == purpose)
    }

    /// Calls a function with the state as it is without overlays.
    pub fn without_overlays<T>(&mut self, look: impl FnOnce(&Self) -> T) -> T {
        let (overlays, input) = (std::mem::take(&mut self.overlays), self.input.take());
        let seen = look(self);
        (self.overlays, self.input) = (overlays, input);
        seen
    }

    /// Opens an overlay over the one in front, which comes back if it holds work. The line that is typed closes: the keys are
    /// the overlay's now.
    pub(super) fn push_overlay(&mut self, overlay: Overlay) {
        self.drop_preview();
        self.overlays.push(overlay);
        self.input = None;
    }

    /// Closes the overlay in front and returns it; the one beneath comes back, unless what it is about has ended.
    pub(super) fn close_overlay(&mut self) -> Option<Overlay> {
        let closed = self.overlays.close();
        while match self.overlays.top() {
            Some(Overlay::CaptureProgress) => self.captures.running.is_none(),
            Some(Overlay::TrafficWait) => self.captures.traffic_wait.is_none(),
            _ => false,
        } {
            self.overlays.close();
        }
        closed
    }

    /// Closes all overlays and the line that is typed; a running capture continues in the header.
    pub(super) fn clear_overlays(&mut self) {
        self.drop_preview();
        self.overlays.clear();
        self.input = None;
    }

    /// Goes back to the theme in force from one that is previewed.
    pub(super) fn drop_preview(&mut self) {
        if let Some(Overlay::Picker(Picker {
            before: Some(before),
            ..
        })) = self.overlays.top()
        {
            self.theme.name.clone_from(before);
        }
    }

    /// Returns the capture form, if it is in front.
    pub(super) fn form_mut(&mut self) -> Option<&mut CaptureForm> {
        match self.overlays.top_mut() {
            Some(Overlay::CaptureForm(form)) => Some(form),
            _ => None,
        }
    }

    /// Whether the user watches the running capture; otherwise its end must not interrupt what is typed or chosen.
    pub(super) fn is_capture_watched(&self) -> bool {
        match (self.overlays.top(), self.overlays.beneath()) {
            (Some(Overlay::CaptureProgress | Overlay::ConfirmQuit), _) => true,
            // Reading the keys is waiting too.
            (Some(Overlay::Help(_)), Some(Overlay::CaptureProgress)) => true,
            _ => false,
        }
    }

    /// Returns the rows of the right pane: versions, objects, captures on disk of the selected Worker.
    #[must_use]
    pub(crate) fn detail_rows(&self) -> Vec<DetailRow<'_>> {
        let Some(worker) = self.workers.current() else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        if let Some(Load::Ready(details)) = self.workers.current_details() {
            rows.extend(details.versions.iter().map(DetailRow::Version));
            rows.extend(details.namespaces.iter().map(DetailRow::Namespace));
        }
        rows.extend(self.history.of_worker(&worker.name).map(DetailRow::Capture));
        rows
    }

    /// Whether the pane of the selected Worker is shown instead of the list: it has the focus, and there is no room beside the
    /// list or below it.
    #[must_use]
    pub fn is_list_hidden(&self) -> bool {
        let (_, pane) = workers_geometry(self.size);
        pane.height == 0 && self.workers.section != Section::List && !self.detail_rows().is_empty()
    }

    /// Warns of the mistakes in the files of a theme that was just loaded; the rest of it is in force.
    pub fn warn_of_theme(&mut self, mistakes: Vec<String>) {
        let Some(first) = mistakes.first() else {
            return;
        };
        let more = mistakes.len() - 1;
        let more = if more > 0 {
            format!(" ({more} more: flarescope config show)")
        } else {
            String::new()
        };
        self.warn(format!("{first}{more}"));
    }

    /// Returns an id that no other request has.
    pub const fn fresh_id(&mut self) -> RequestId {
        self.next_request += 1;
        RequestId(self.next_request)
    }

    /// Whether something on the screen changes with time: only then a timer runs.
    #[must_use]
    pub fn is_counting(&self) -> bool {
        let counts = match self.overlays.top() {
            Some(Overlay::TrafficWait) => true,
            Some(Overlay::Failure(failure)) => failure.until.is_some(),
            _ => false,
        };
        counts || self.captures.running.is_some() || !self.captures.waiting.is_empty()
    }

    /// Returns whether the list of Workers has the keys, and no row to show yet because it is still loading.
    #[must_use]
    pub fn awaits_workers(&self) -> bool {
        self.screen == Screen::Workers
            && self.input.is_none()
            && self.overlays.top().is_none()
            && self.workers.order.is_empty()
            && matches!(self.workers.load, Load::Running(_))
    }

    pub(super) fn say(&mut self, text: impl Into<Message>) {
        self.notice = Some(Notice {
            text: text.into(),
            warns: false,
        });
    }

    pub(super) fn warn(&mut self, text: impl Into<Message>) {
        self.notice = Some(Notice {
            text: text.into(),
            warns: true,
        });
    }

    /// Whether a local runtime is profiled instead of an account.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.session.origin == Origin::Inspector
    }
}
