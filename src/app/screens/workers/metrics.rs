//! The metrics: refreshed while the user looks, at most once a minute.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use std::time::Instant;

use crate::app::core::ids::RequestId;
use crate::app::load::failure::{Failure, Refusal};

/// When metrics were loaded, and when they are refreshed.
#[derive(Debug, Default)]
pub struct Renewal {
    /// When they were last loaded, or failed.
    pub(crate) last_at: Option<Instant>,
    /// The request for newer ones, while the old ones are still shown.
    pub(crate) newer: Option<RequestId>,
    /// The wait for the next refresh.
    pub(crate) due: Option<RequestId>,
    /// This token can't read them: another request would only cost calls.
    pub(crate) lasting: bool,
}

/// Returns why there are no metrics, and what helps.
pub(crate) fn describe(failure: &Failure) -> Message {
    if failure.refusal == Some(Refusal::NotAllowed) {
        let evidence = failure
            .evidence
            .as_ref()
            .map_or_else(String::new, |evidence| format!(" [{evidence}]"));
        return message![
            "No traffic columns: the token lacks Account Analytics Read. Everything else works; ",
            Command::ChooseAccount,
            " chooses another account.",
            outside(evidence),
        ];
    }
    message![
        "No traffic columns (",
        Command::Refresh,
        " asks again). ",
        failure.brief(),
    ]
}
