//! What a start requests, and what is opened without a key.

use crate::app::core::session::Origin;
use crate::app::state::State;
use std::time::Duration;

use crate::app::capture::batch::Series;
use crate::app::core::load::Load;
use crate::app::effect::Effect;
use crate::model::graph::frames::FrameId;

impl State {
    /// What a fresh start asks for: the captures on disk, and the Workers where there is an account, else the accounts.
    pub fn first_wishes(&mut self) -> Vec<Effect> {
        let id = self.next_request_id();
        let mut wishes = vec![self.history.ask(id)];
        match (self.session.origin, self.session.account_id.is_empty()) {
            (Origin::Offline, _) if self.session.offline.is_some() => {}
            (Origin::Offline, _) => {
                let id = self.next_request_id();
                self.nearby = Load::Running(id);
                wishes.push(Effect::LookNearby(id));
            }
            (Origin::Cloudflare | Origin::Demo, true) => {
                wishes.push(crate::app::update::accounts::ask(self))
            }
            _ => wishes.extend(crate::app::update::workers::ask(self)),
        }
        wishes.push(crate::app::update::other_instances::ask(
            self,
            Duration::ZERO,
        ));
        wishes
    }

    /// Asks for a file to be opened.
    pub fn open_file(&mut self, path: std::path::PathBuf) -> Effect {
        let id = self.next_request_id();
        self.opening = Some(id);
        Effect::OpenFile(id, path)
    }

    /// Asks for captures that belong together to be opened: several as one, or one compared with the other.
    pub fn open_series(&mut self, series: &Series) -> Option<Effect> {
        crate::app::update::capture::open(self, series)
    }

    /// Asks for a function between its callers and its callees.
    pub(super) fn slice(&mut self, frame: FrameId) -> Effect {
        let id = self.next_request_id();
        match &mut self.profile {
            Some(profile) => profile.ask_sandwich(id, frame),
            None => Effect::Redraw,
        }
    }
}
