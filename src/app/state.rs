//! Everything the screen is drawn from.

use std::collections::VecDeque;
use std::time::Instant;

use crate::app::action::Opened;
use crate::app::capture::batch::Series;
use crate::app::capture::running::Capturing;
use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::rate_limit::Quota;
use crate::app::core::session::{Origin, Screen, Session};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::keys::message::Message;
use crate::app::overlays::account_picker::Accounts;
use crate::app::overlays::object_picker::Objects;
use crate::app::overlays::traffic_wait::Awaiting;
use crate::app::overlays::{Overlay, Overlays};
use crate::app::screens::history::History;
use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::Workers;
use crate::app::screens::workers::local_runtime::Nearby;
use crate::app::settings::Settings;

/// One line that says what just happened; the next key takes it away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A sentence.
    pub text: Message,
    /// Whether something is wrong.
    pub warns: bool,
}

/// The whole state of the program. Only [`crate::app::update()`] changes it.
#[derive(Debug)]
pub struct State {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Whose account this is.
    pub session: Session,
    /// The screen behind every sheet.
    pub screen: Screen,
    /// What stands in front of it.
    pub overlays: Overlays,
    /// The line that is being typed.
    pub input: Option<Input>,
    /// How often the next command is to be done, while digits are typed.
    pub count: Option<u32>,
    /// What is left of the shared calls, as far as it was told.
    pub quota: Option<Quota>,
    /// When somebody last did anything.
    pub(super) touched: Option<Instant>,
    /// The objects that are chosen from.
    pub objects: Option<Objects>,
    /// The question for the objects with the most memory that is under way, and their namespace.
    pub(super) largest: Option<(RequestId, String)>,
    /// The accounts that the token can see.
    pub accounts: Accounts,
    /// The account's Workers.
    pub workers: Workers,
    /// The captures on disk.
    pub history: History,
    /// The profile that is open.
    pub profile: Option<ProfileState>,
    /// The profile that comes back when a comparison ends.
    pub(super) aside: Option<Box<ProfileState>>,
    /// The file or capture that is being read.
    pub opening: Option<RequestId>,
    /// The capture that is being read for its export, from the history.
    pub exporting: Option<RequestId>,
    /// The capture that runs.
    pub capturing: Option<Capturing>,
    /// What is captured after it, in this order.
    pub waiting: VecDeque<Series>,
    /// No capture is sent before: the server wanted to be left alone.
    pub pause: Option<Instant>,
    /// The capture that is sent once its target has traffic.
    pub awaiting: Option<Awaiting>,
    /// A Worker of this account that another copy of the program captures.
    pub elsewhere: Option<String>,
    pub(super) asks_elsewhere: Option<RequestId>,
    /// Where the next capture goes if the cache can't take it.
    pub unkept: Option<String>,
    /// Rescued captures that were named in this session.
    pub(super) rescued: Vec<std::path::PathBuf>,
    /// Profiles that are in no file and not on the screen.
    pub(super) held: Vec<ProfileState>,
    /// Waiting for what fits a path that is typed.
    pub(super) asks_paths: Option<RequestId>,
    /// A local runtime that the welcome offers.
    pub nearby: Load<Nearby>,
    /// What just happened.
    pub notice: Option<Notice>,
    /// Whether the terminal reports the mouse.
    pub mouse: bool,
    /// The last click, to tell double clicks.
    pub last_click: Option<crate::app::core::clock::LastClick>,
    /// The theme in force, and all there are.
    pub theme: ThemeChoice,
    /// Whether to say how to begin: until the first key, where the screen was never opened before.
    pub first_steps: bool,
    /// What the user has set once for all sessions.
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
    /// What says which theme each start has, such as a line of the configuration: then none is remembered.
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
            count: None,
            objects: None,
            largest: None,
            quota: None,
            touched: None,
            accounts: Accounts::default(),
            workers: Workers::default(),
            history: History::default(),
            profile: None,
            aside: None,
            opening: None,
            exporting: None,
            capturing: None,
            waiting: VecDeque::new(),
            pause: None,
            awaiting: None,
            elsewhere: None,
            asks_elsewhere: None,
            unkept: None,
            rescued: Vec::new(),
            held: Vec::new(),
            asks_paths: None,
            nearby: Load::Idle,
            notice: None,
            mouse: false,
            last_click: None,
            theme,
            first_steps: false,
            settings: Settings::default(),
            next_request: 0,
        }
    }

    /// Opens a profile that was read before the screen began.
    pub fn open_at_once(&mut self, opened: Opened) {
        let Opened {
            profile,
            capture,
            name,
            path,
            members,
            names,
            source_root,
            ..
        } = opened;
        let told = names.as_ref().map(|names| names.told.clone());
        let source = Source {
            profile,
            capture,
            name,
            path,
            members,
            names,
        };
        let mut profile = ProfileState::new(source, opened.view, opened.reading, self.size);
        profile.source_root = source_root;
        if let Some(root) = opened.root {
            profile.open_zoomed(root);
        }
        self.profile = Some(profile);
        self.screen = Screen::Profile;
        if let Some(warning) = opened.warning {
            self.warn(warning);
        } else if let Some(told) = told {
            self.say(told);
        }
    }

    /// Whether leaving would lose a profile, because it is in no file.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        let shown = self.profile.iter().chain(self.aside.as_deref());
        !self.held.is_empty() || shown.into_iter().any(ProfileState::is_unsaved)
    }

    /// Keeps a profile in memory that another one takes the place of, if it is in no file.
    pub(super) fn hold(&mut self, profile: Option<ProfileState>) {
        self.held.extend(profile.filter(ProfileState::is_unsaved));
    }

    /// Shows a profile again that is in no file, unless the one on the screen is such a one.
    pub(super) fn show_held(&mut self) {
        if self.profile.as_ref().is_some_and(ProfileState::is_unsaved) {
            return;
        }
        if let Some(held) = self.held.pop() {
            (self.profile, self.aside) = (Some(held), None);
            self.screen = Screen::Profile;
        }
    }

    /// Whether the line that is typed is for this.
    #[must_use]
    pub fn types(&self, purpose: Purpose) -> bool {
        self.input
            .as_ref()
            .is_some_and(|input| input.purpose == purpose)
    }

    /// Lets somebody look at the screen as it is with nothing in front of it.
    pub fn without_overlays<T>(&mut self, look: impl FnOnce(&Self) -> T) -> T {
        let (overlays, input) = (std::mem::take(&mut self.overlays), self.input.take());
        let seen = look(self);
        (self.overlays, self.input) = (overlays, input);
        seen
    }

    /// Closes all that stands in front of the screen, and the line that is typed with it.
    pub(super) fn clear_overlays(&mut self) {
        self.overlays.clear();
        self.input = None;
    }

    /// Says what is wrong in the files of a theme that was just taken; it is drawn with what is right in them.
    pub fn tell_theme(&mut self, mistakes: Vec<String>) {
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

    /// A number no other request has.
    pub fn fresh_id(&mut self) -> RequestId {
        self.next_request_id()
    }

    pub(crate) const fn next_request_id(&mut self) -> RequestId {
        self.next_request += 1;
        RequestId(self.next_request)
    }

    /// Whether something on the screen changes by itself: only then does a timer run.
    #[must_use]
    pub fn is_counting(&self) -> bool {
        let counts = match self.overlays.top() {
            Some(Overlay::TrafficWait) => true,
            Some(Overlay::Failure(failure)) => failure.until.is_some(),
            _ => false,
        };
        counts || self.capturing.is_some() || !self.waiting.is_empty()
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
}

impl State {
    /// Whether a local runtime is profiled instead of an account.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.session.origin == Origin::Inspector
    }
}
