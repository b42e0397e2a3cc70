//! The protocol's messages: encodes commands and parses replies.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::inspector::InspectorError;
use crate::model::text::sanitize::printable;

/// Longest quoted part of an invalid message.
const TOLD_MAX: usize = 80;

/// A command on the wire.
pub(super) fn command(id: u64, method: &str, params: Option<&serde_json::Value>) -> String {
    match params {
        Some(params) => json!({ "id": id, "method": method, "params": params }).to_string(),
        None => json!({ "id": id, "method": method }).to_string(),
    }
}

/// The relevant parts of a message. A reply is recognized by its id alone: workerd replies to some commands with the command
/// itself and without a result.
#[derive(Debug, Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<Refusal>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct WithProfile<'a> {
    #[serde(borrow, default)]
    profile: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    /// Parses a message.
    ///
    /// # Errors
    /// [`InspectorError::Garbled`].
    pub(super) fn parse(text: &'a str) -> Result<Self, InspectorError> {
        serde_json::from_str(text).map_err(|_| {
            let beginning: String = text.chars().take(TOLD_MAX).collect();
            InspectorError::Garbled(printable(&beginning).into_owned())
        })
    }

    /// Returns whether it is the reply to this command. Others are events, or replies to other clients of a proxy.
    pub(super) fn is_reply_to(&self, id: u64) -> bool {
        self.id.is_some_and(|found| found.get() == id.to_string())
    }

    /// Returns the command's error.
    pub(super) fn refusal(&self) -> Option<String> {
        self.error
            .as_ref()
            .map(|error| printable(&error.message).into_owned())
    }

    /// Returns the profile's bytes, exactly as in the message.
    pub(super) fn profile(&self) -> Option<&'a str> {
        let result: WithProfile<'a> = serde_json::from_str(self.result?.get()).ok()?;
        result.profile.map(RawValue::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_reported_by_their_id_alone() {
        let echo = Message::parse(r#"{"id":7,"method":"Profiler.stop","params":{}}"#).unwrap();
        assert!(echo.is_reply_to(7) && !echo.is_reply_to(70));
        assert_eq!((echo.profile(), echo.refusal()), (None, None));
        for other in [
            r#"{"id":100000005,"result":{}}"#,
            r#"{"method":"Runtime.x","params":{}}"#,
            r#"{"id":"7"}"#,
        ] {
            assert!(!Message::parse(other).unwrap().is_reply_to(7), "{other}");
        }
        assert!(Message::parse("<html>").is_err());
    }

    #[test]
    fn the_profile_is_what_stands_in_the_reply() {
        let text =
            r#"{"id":4,"result":{"other":[1], "profile" : {"nodes": [ ],"startTime":1e3} }}"#;
        assert_eq!(
            Message::parse(text).unwrap().profile(),
            Some(r#"{"nodes": [ ],"startTime":1e3}"#)
        );
        let refused =
            Message::parse(r#"{"id":4,"error":{"code":-32601,"message":"no such\u001b[2J"}}"#)
                .unwrap();
        assert_eq!(refused.refusal().unwrap(), "no such␛[2J");
        assert_eq!(
            Message::parse(r#"{"id":4,"result":{"profile":null}}"#)
                .unwrap()
                .profile(),
            None
        );
    }

    #[test]
    fn a_command_has_params_only_where_there_are_some() {
        assert_eq!(
            command(1, "Profiler.stop", None),
            r#"{"id":1,"method":"Profiler.stop"}"#
        );
        assert_eq!(
            command(
                2,
                "Profiler.setSamplingInterval",
                Some(&json!({ "interval": 1000 }))
            ),
            r#"{"id":2,"method":"Profiler.setSamplingInterval","params":{"interval":1000}}"#
        );
    }
}
