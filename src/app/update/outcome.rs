//! What an update leads to.

use crate::app::action::Action;
use crate::app::effect::Effect;

/// Effects for the runtime, and what happens next in another feature: no feature calls another one.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) effects: Vec<Effect>,
    pub(crate) then: Option<Action>,
}

impl Outcome {
    /// Returns the outcome with more effects.
    pub(crate) fn and(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.effects.extend(effects);
        self
    }

    /// Returns the outcome with what happens next.
    pub(crate) fn then(self, action: Action) -> Self {
        Self {
            then: Some(action),
            ..self
        }
    }
}

impl From<Effect> for Outcome {
    fn from(effect: Effect) -> Self {
        Self::default().and([effect])
    }
}

impl From<Option<Effect>> for Outcome {
    fn from(effect: Option<Effect>) -> Self {
        Self::default().and(effect)
    }
}

impl From<Vec<Effect>> for Outcome {
    fn from(effects: Vec<Effect>) -> Self {
        Self::default().and(effects)
    }
}

impl From<Action> for Outcome {
    fn from(action: Action) -> Self {
        Self::default().then(action)
    }
}
