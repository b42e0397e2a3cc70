//! Escapes that stand for one character, inside classes and outside.

use crate::model::query::go_syntax::{Fault, Source};

/// The largest code point there is.
const POINT_MAX: u32 = 0x0010_ffff;

/// Reads what follows a backslash as one code point, which may be half of a surrogate pair.
///
/// # Errors
/// [`Fault`] for anything else.
pub(crate) fn point(source: &mut Source<'_>, here: Source<'_>) -> Result<u32, Fault> {
    let Some(c) = source.next() else {
        return Err(here.fault("a backslash at the end escapes nothing"));
    };
    let found = match c {
        'a' => Some(0x07),
        'f' => Some(0x0c),
        'n' => Some(0x0a),
        'r' => Some(0x0d),
        't' => Some(0x09),
        'v' => Some(0x0b),
        'x' => hexadecimal(source),
        // A digit alone would be what a group caught before, which Go does not know.
        '0' => Some(octal(source, 0)),
        '1'..='7' if source.peek().is_some_and(|c| c.is_digit(8)) => {
            Some(octal(source, c.to_digit(8).unwrap_or(0)))
        }
        _ if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
        _ => None,
    };
    found.ok_or_else(|| here.fault(format!("`{}` stands for nothing", source.given(&here))))
}

/// Reads two more octal digits, if there are any.
fn octal(source: &mut Source<'_>, first: u32) -> u32 {
    let mut value = first;
    for _ in 0..2 {
        let Some(digit) = source.peek().and_then(|c| c.to_digit(8)) else {
            break;
        };
        source.next();
        value = value * 8 + digit;
    }
    value
}

/// Reads two hexadecimal digits, or some in braces.
fn hexadecimal(source: &mut Source<'_>) -> Option<u32> {
    let mut value = 0;
    if !source.eat("{") {
        for _ in 0..2 {
            value = value * 16 + source.next()?.to_digit(16)?;
        }
        return Some(value);
    }
    for count in 0.. {
        let c = source.next()?;
        if c == '}' {
            return (count > 0).then_some(value);
        }
        value = value * 16 + c.to_digit(16)?;
        if value > POINT_MAX {
            break;
        }
    }
    None
}
