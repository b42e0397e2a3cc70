//! Go's regular expressions in Rust's syntax, so that a filter means here what it means to `go tool pprof`.
//!
//! An expression is read by Go's grammar and written anew, for much that both languages allow means something else in
//! the other: `\w \d \s \b` know ASCII only, `{` is itself where it counts nothing, in a class `[` `&&` `--` `~~` are
//! plain characters; what Go refuses is refused here, though Rust would take it. Groups are written as ones that capture
//! nothing: nobody asks what they caught.
//!
//! Weak point: the classes of Unicode are those of the matcher's version of it, which has newer letters than an old Go.

use std::borrow::Cow;

mod class;
mod escape;

/// The largest count that a repetition may have, alone or multiplied with those around it.
const REPEAT_MAX: u32 = 1000;
/// How deep groups may lie in each other: the matcher follows them by recursion.
const DEPTH_MAX: usize = 100;
/// How much of an expression a fault names.
const GIVEN_MAX: usize = 24;
/// The flags of an expression, in the order they are written.
const FLAGS: [char; 4] = ['i', 'm', 's', 'U'];

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is wrong, as the rest of a sentence.
    pub(crate) what: String,
    /// The character it is about, counted from 1.
    pub(crate) at: usize,
}

/// What of an expression is still to be read.
#[derive(Debug, Clone, Copy)]
struct Source<'s> {
    all: &'s str,
    rest: &'s str,
}

impl<'s> Source<'s> {
    const fn new(all: &'s str) -> Self {
        Self { all, rest: all }
    }

    fn next(&mut self) -> Option<char> {
        let mut rest = self.rest.chars();
        let c = rest.next();
        self.rest = rest.as_str();
        c
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes a text, if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes everything before a text, and the text; nothing if it does not come.
    fn until(&mut self, end: &str) -> Option<&'s str> {
        let (before, after) = self.rest.split_once(end)?;
        self.rest = after;
        Some(before)
    }

    /// What was read since.
    fn since(&self, earlier: &Self) -> &'s str {
        &earlier.rest[..earlier.rest.len() - self.rest.len()]
    }

    /// What was read since, to be named in a sentence: the beginning of it, if it is long.
    fn given(&self, earlier: &Self) -> String {
        brief(self.since(earlier), GIVEN_MAX)
    }

    /// What is wrong with what comes next.
    fn fault(&self, what: impl Into<String>) -> Fault {
        let before = self.all.len() - self.rest.len();
        Fault {
            what: what.into(),
            at: self.all[..before].chars().count() + 1,
        }
    }
}

/// Rewrites an expression.
///
/// # Errors
/// [`Fault`] for one that Go refuses.
pub(crate) fn translate(source: &str) -> Result<String, Fault> {
    let mut parser = Parser {
        source: Source::new(source),
        out: String::with_capacity(source.len() + 16),
        flags: [false; 4],
        groups: Vec::new(),
        last: None,
        most: 0,
        repeated: false,
    };
    while parser.source.peek().is_some() {
        parser.step()?;
    }
    match parser.groups.pop() {
        Some(group) => Err(group.opened.fault("`(` is never closed")),
        None => Ok(parser.out),
    }
}

struct Parser<'s> {
    source: Source<'s>,
    out: String,
    /// Which flags are on here, in the order of [`FLAGS`].
    flags: [bool; 4],
    /// The groups that are open, outermost first.
    groups: Vec<Group<'s>>,
    /// What a repetition would repeat.
    last: Option<Item>,
    /// The largest count in the group that is open, but the last item's.
    most: u32,
    /// Whether what was read last is a repetition.
    repeated: bool,
}

struct Group<'s> {
    opened: Source<'s>,
    /// Where its text starts in what is written.
    start: usize,
    /// The flags and the largest count around it.
    flags: [bool; 4],
    most: u32,
}

/// What can be repeated: a range of what is written.
#[derive(Clone, Copy)]
struct Item {
    start: usize,
    end: usize,
    /// How many repetitions it ends in already.
    repetitions: usize,
    /// The largest count inside, multiplied through.
    count: u32,
}

impl<'s> Parser<'s> {
    fn step(&mut self) -> Result<(), Fault> {
        let here = self.source;
        let after_repetition = std::mem::take(&mut self.repeated);
        let Some(c) = self.source.next() else {
            return Ok(());
        };
        match c {
            '(' => return self.open(here),
            ')' => return self.close(here),
            '|' => {
                self.settle();
                self.out.push('|');
            }
            '^' | '$' | '.' => self.item(c.encode_utf8(&mut [0; 4])),
            '[' => {
                let class = class::bracketed(&mut self.source, here)?;
                self.item(&class);
            }
            '*' | '+' | '?' => {
                return self.repeat(here, after_repetition, c.encode_utf8(&mut [0; 4]), 1);
            }
            '{' => match Count::read(&mut self.source) {
                Some(count) => {
                    let (text, most) = count.checked(&here)?;
                    return self.repeat(here, after_repetition, &text, most);
                }
                None => self.literal('{'),
            },
            '\\' => return self.escape(here),
            _ => self.literal(c),
        }
        Ok(())
    }

    /// Writes something that can be repeated.
    fn item(&mut self, text: &str) {
        self.settle();
        let start = self.out.len();
        self.out.push_str(text);
        self.last = Some(Item {
            start,
            end: self.out.len(),
            repetitions: 0,
            count: 1,
        });
    }

    /// Ends the item before: nothing repeats it any more.
    fn settle(&mut self) {
        let count = self.last.take().map_or(0, |item| item.count);
        self.most = self.most.max(count);
    }

    fn literal(&mut self, c: char) {
        self.item(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    fn escape(&mut self, here: Source<'s>) -> Result<(), Fault> {
        if let Some(class) = class::escaped(&mut self.source, here)? {
            self.item(&class::bracket(&class, false));
            return Ok(());
        }
        match self.source.peek() {
            Some('A') => self.item(r"\A"),
            Some('z') => self.item(r"\z"),
            Some('b') => self.item(r"(?-u:\b)"),
            // Also between two characters, whole ones: the second part is never true within one.
            Some('B') => self.item(r"(?:(?-u:\B)(?:\b|\B))"),
            Some('Q') => {
                self.source.next();
                let rest = self.source.rest;
                let quoted = self.source.until(r"\E").unwrap_or_else(|| {
                    self.source.rest = "";
                    rest
                });
                quoted.chars().for_each(|c| self.literal(c));
                return Ok(());
            }
            _ => {
                let point = escape::point(&mut self.source, here)?;
                // Half of a surrogate pair is in no text.
                match char::from_u32(point) {
                    Some(c) => self.literal(c),
                    None => self.item(&class::bracket("", false)),
                }
                return Ok(());
            }
        }
        self.source.next();
        Ok(())
    }

    /// Reads what follows an opening parenthesis: a group, or flags for the rest of the one that is open.
    fn open(&mut self, here: Source<'s>) -> Result<(), Fault> {
        let mut flags = self.flags;
        if self.source.eat("?P<") || self.source.eat("?<") {
            let name = self.source.until(">").unwrap_or_default();
            if name.is_empty()
                || !name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                return Err(here.fault("a group's name is of letters, digits and `_`"));
            }
        } else if self.source.eat("?") && !self.read_flags(&mut flags, here)? {
            self.flags = flags;
            self.out.push_str(&format!("(?{})", written(flags)));
            return Ok(());
        }
        if self.groups.len() >= DEPTH_MAX {
            return Err(here.fault(format!(
                "groups lie in each other more than {DEPTH_MAX} deep"
            )));
        }
        self.settle();
        self.groups.push(Group {
            opened: here,
            start: self.out.len(),
            flags: self.flags,
            most: self.most,
        });
        self.flags = flags;
        self.out.push_str(&format!("(?{}:", written(flags)));
        self.most = 0;
        Ok(())
    }

    /// Reads `i-s:` or `i-s)`, and tells whether a group begins.
    fn read_flags(&mut self, flags: &mut [bool; 4], here: Source<'s>) -> Result<bool, Fault> {
        let mut on = true;
        let mut wanted = false;
        while let Some(c) = self.source.next() {
            match (c, FLAGS.iter().position(|flag| *flag == c)) {
                (_, Some(at)) => (flags[at], wanted) = (on, false),
                ('-', _) if on => (on, wanted) = (false, true),
                (':' | ')', _) if !wanted => return Ok(c == ':'),
                _ => break,
            }
        }
        Err(here.fault(format!(
            "`{}` is no group and no flags of `imsU`",
            self.source.given(&here)
        )))
    }

    fn close(&mut self, here: Source<'s>) -> Result<(), Fault> {
        let Some(group) = self.groups.pop() else {
            return Err(here.fault("`)` closes nothing"));
        };
        self.settle();
        self.out.push(')');
        self.last = Some(Item {
            start: group.start,
            end: self.out.len(),
            repetitions: 0,
            count: self.most,
        });
        (self.flags, self.most) = (group.flags, group.most);
        Ok(())
    }

    /// Repeats the item before, at most so many times; once for those without an end.
    fn repeat(
        &mut self,
        here: Source<'s>,
        after_repetition: bool,
        text: &str,
        most: u32,
    ) -> Result<(), Fault> {
        let lazy = self.source.eat("?");
        if after_repetition {
            return Err(here.fault(format!(
                "`{}` follows another repetition",
                self.source.given(&here)
            )));
        }
        let Some(mut item) = self.last else {
            return Err(here.fault(format!(
                "there is nothing before `{}` to repeat",
                self.source.given(&here)
            )));
        };
        // Flags may stand between an item and what repeats it, so this need not be the end of what is written.
        let mut text = format!("{text}{}", if lazy { "?" } else { "" });
        if item.repetitions > 0 {
            self.out.insert_str(item.start, "(?:");
            item.end += 3;
            text.insert(0, ')');
        }
        self.out.insert_str(item.end, &text);
        item.end += text.len();
        item.repetitions += 1;
        item.count = item.count.saturating_mul(most);
        if item.count > REPEAT_MAX {
            return Err(here.fault(format!(
                "counts go to {REPEAT_MAX} here, nested ones multiplied"
            )));
        }
        if item.repetitions > DEPTH_MAX {
            return Err(here.fault(format!(
                "something is repeated more than {DEPTH_MAX} times over"
            )));
        }
        (self.last, self.repeated) = (Some(item), true);
        Ok(())
    }
}

/// The beginning of a text, which says by `…` that there is more.
pub(crate) fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// All flags as text, so that nothing depends on what is in force around.
fn written(flags: [bool; 4]) -> String {
    let named = |on: bool| {
        FLAGS
            .iter()
            .zip(flags)
            .filter(move |(_, is)| *is == on)
            .map(|(flag, _)| *flag)
    };
    let off: String = named(false).collect();
    let dash = if off.is_empty() { "" } else { "-" };
    named(true).chain(dash.chars()).chain(off.chars()).collect()
}

/// A counted repetition; `None` for a number too large to be one.
struct Count {
    least: Option<u32>,
    /// `None` for no limit.
    most: Option<Option<u32>>,
}

impl Count {
    /// Reads `3}`, `3,}` or `3,5}`. Anything else is no count, and nothing of it is read.
    fn read(source: &mut Source<'_>) -> Option<Self> {
        let mut ahead = *source;
        let least = number(&mut ahead)?;
        let most = if !ahead.eat(",") {
            Some(least)
        } else if ahead.peek() == Some('}') {
            None
        } else {
            Some(number(&mut ahead)?)
        };
        ahead.eat("}").then(|| {
            *source = ahead;
            Self { least, most }
        })
    }

    /// Its text, and how often it repeats at most, or at least if that has no end.
    fn checked(&self, here: &Source<'_>) -> Result<(Cow<'static, str>, u32), Fault> {
        let known = |number: Option<u32>| number.filter(|number| *number <= REPEAT_MAX);
        let too_large = || here.fault(format!("a count goes to {REPEAT_MAX}"));
        let least = known(self.least).ok_or_else(too_large)?;
        let Some(most) = self.most else {
            return Ok((format!("{{{least},}}").into(), least.max(1)));
        };
        let most = known(most).ok_or_else(too_large)?;
        if most < least {
            return Err(here.fault("a count ends below where it begins"));
        }
        Ok((format!("{{{least},{most}}}").into(), most))
    }
}

/// Reads a number without leading zeros; within, `None` if it is too large to be kept.
fn number(source: &mut Source<'_>) -> Option<Option<u32>> {
    let rest = source.rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &source.rest[..source.rest.len() - rest.len()];
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    source.rest = rest;
    Some(digits.parse().ok())
}

#[cfg(test)]
mod tests;
