//! Fields of a protocol buffer message, one after the other.

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use crate::formats::Fault;

/// A field's content on the wire.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The rest of a message.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// Reads a whole message; `what` names it in faults.
    pub(super) fn of(message: &'a [u8], what: &'static str) -> Self {
        Self {
            rest: message,
            what,
        }
    }

    /// The next field that is a number or bytes, with its tag. What a newer writer may have added is skipped.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(u32, Value<'a>)>, Fault> {
        while !self.rest.is_empty() {
            let (tag, wire_type) = self.checked(decode_key)?;
            match wire_type {
                WireType::Varint => {
                    return Ok(Some((tag, Value::Number(self.checked(decode_varint)?))));
                }
                WireType::LengthDelimited => {
                    let length = self.checked(decode_varint)?;
                    let parts = usize::try_from(length)
                        .ok()
                        .and_then(|length| self.rest.split_at_checked(length));
                    let Some((bytes, rest)) = parts else {
                        return Err(self.broken("a field is longer than it"));
                    };
                    self.rest = rest;
                    return Ok(Some((tag, Value::Bytes(bytes))));
                }
                _ => {
                    self.checked(|rest| skip_field(wire_type, tag, rest, DecodeContext::default()))?
                }
            }
        }
        Ok(None)
    }

    fn checked<T>(
        &mut self,
        read: impl FnOnce(&mut &'a [u8]) -> Result<T, prost::DecodeError>,
    ) -> Result<T, Fault> {
        read(&mut self.rest).map_err(|error| self.broken(&error.to_string()))
    }

    fn broken(&self, reason: &str) -> Fault {
        broken(self.what, reason)
    }
}

/// A message that breaks the rules of the wire.
pub(super) fn broken(what: &str, reason: &str) -> Fault {
    let reason = reason
        .strip_prefix("failed to decode Protobuf message: ")
        .unwrap_or(reason);
    Fault::Malformed(format!(
        "this pprof profile is damaged: {what} is broken ({reason})"
    ))
}

impl<'a> Value<'a> {
    /// The number a field must be.
    pub(super) fn number(self, what: &'static str) -> Result<u64, Fault> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Bytes(_) => Err(broken(what, "bytes where a number belongs")),
        }
    }

    /// The signed number a field must be.
    pub(super) fn signed(self, what: &'static str) -> Result<i64, Fault> {
        self.number(what).map(u64::cast_signed)
    }

    /// The bytes a field must be.
    pub(super) fn bytes(self, what: &'static str) -> Result<&'a [u8], Fault> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Number(_) => Err(broken(what, "a number where bytes belong")),
        }
    }

    /// Each number of a repeated field: one, or many packed.
    #[inline]
    pub(super) fn each(
        self,
        what: &'static str,
        mut take: impl FnMut(u64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        match self {
            Self::Number(number) => take(number),
            Self::Bytes(mut packed) => {
                while let Some((&first, rest)) = packed.split_first() {
                    if first < 0x80 {
                        packed = rest;
                        take(u64::from(first))?;
                    } else {
                        take(
                            decode_varint(&mut packed)
                                .map_err(|error| broken(what, &error.to_string()))?,
                        )?;
                    }
                }
                Ok(())
            }
        }
    }
}
