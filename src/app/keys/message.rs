//! Sentences for people: fixed text, words from outside, and keys, which are filled in when the sentence is drawn.

use std::borrow::Cow;

use crate::app::keys::command::Command;

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MessagePart {
    /// Words of our own.
    Text(Cow<'static, str>),
    /// A name or a text from outside.
    Outside(String),
    /// The key of a command.
    Key(Command),
}

/// A text for people. No part is a template: a folder called `{quit}` is drawn as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    parts: Vec<MessagePart>,
}

impl Message {
    /// Returns the message with another one after it.
    #[must_use]
    pub(crate) fn and(mut self, next: impl Into<Self>) -> Self {
        self.parts.extend(next.into().parts);
        self
    }

    /// Returns the pieces in order.
    pub(crate) fn parts(&self) -> &[MessagePart] {
        &self.parts
    }

    /// Whether the message has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| match part {
            MessagePart::Text(text) => text.is_empty(),
            MessagePart::Outside(text) => text.is_empty(),
            MessagePart::Key(_) => false,
        })
    }
}

/// Returns a message of a text from outside; control characters are drawn as visible ones.
pub(crate) fn outside(text: impl Into<String>) -> Message {
    MessagePart::Outside(text.into()).into()
}

impl From<MessagePart> for Message {
    fn from(part: MessagePart) -> Self {
        Self { parts: vec![part] }
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        MessagePart::Text(text.into()).into()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        MessagePart::Text(text.into()).into()
    }
}

impl From<Command> for Message {
    fn from(command: Command) -> Self {
        MessagePart::Key(command).into()
    }
}

/// Makes a [`Message`] of its parts: texts, commands for their keys, `outside(name)`, and messages.
macro_rules! message {
    ($($part:expr),+ $(,)?) => {
        $crate::app::keys::message::Message::default()$(.and($part))+
    };
}
pub(crate) use message;
