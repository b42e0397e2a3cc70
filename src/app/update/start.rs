//! What a start requests, and what is opened without a key.

use std::path::PathBuf;
use std::time::Duration;

use crate::app::capture::batch::Batch;
use crate::app::core::session::Origin;
use crate::app::effect::Effect;
use crate::app::load::Load;
use crate::app::screens::workers::effect::WorkersEffect;
use crate::app::state::State;
use crate::app::update::requests;

impl State {
    /// Returns what a start requests: the captures on disk, and the Workers of the account if there is one, else the accounts.
    pub fn first_effects(&mut self) -> Vec<Effect> {
        let mut effects = vec![requests::list_captures(self)];
        match (self.session.origin, self.session.account_id.is_empty()) {
            (Origin::Offline, _) if self.session.offline.is_some() => {}
            (Origin::Offline, _) => {
                let id = self.fresh_id();
                self.workers.nearby = Load::Running(id);
                effects.push(Effect::Workers(id, WorkersEffect::LookNearby));
            }
            (Origin::Cloudflare | Origin::Demo, true) => {
                effects.push(requests::list_accounts(self));
            }
            _ => effects.extend(requests::list_workers(self)),
        }
        effects.push(requests::look_elsewhere(self, Duration::ZERO));
        effects
    }

    /// Says that there still is no login, if that is so. The environment of a running program does not change, files do.
    pub fn tell_of_second_look(&mut self) {
        if self.session.origin == Origin::Offline {
            self.warn(
                "Still no login: run `npx wrangler login` in another terminal, or quit and set CLOUDFLARE_API_TOKEN.",
            );
        }
    }

    /// Opens a file.
    pub fn open_file(&mut self, path: PathBuf) -> Effect {
        requests::open_file(self, path)
    }

    /// Opens captures that belong together: merged, or one compared with the other.
    pub fn open_batch(&mut self, batch: &Batch) -> Option<Effect> {
        requests::open_batch(self, batch)
    }
}
