//! The text of a bundle, and what is left of a function's position in it.
//!
//! V8 puts a function at its parameter list: at `(`, or at the parameter of an arrow function without parentheses.

use std::collections::HashMap;

/// The text in UTF-16 units, as V8 and source maps count columns.
#[derive(Debug)]
pub(super) struct Bundle {
    units: Vec<u16>,
    /// Where each line begins, and where the text ends.
    lines: Vec<usize>,
}

/// What is left of a function's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// Its name, beginning at this column.
    Named(u32),
    /// No name, but something that V8 names functions after: a class, a computed key.
    Unsure,
    /// Something else: the text is not the one that ran.
    Other,
}

impl Bundle {
    pub(super) fn new(text: &str) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let ends = (1..=units.len()).filter(|end| match (units[end - 1], units.get(*end)) {
            (CARRIAGE_RETURN, Some(&NEWLINE)) => false,
            (unit, _) => LINE_ENDS.contains(&unit),
        });
        let lines = std::iter::once(0)
            .chain(ends)
            .chain([units.len()])
            .collect();
        Self { units, lines }
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> String {
        String::from_utf16_lossy(&self.units)
    }

    fn line(&self, line: u32) -> &[u16] {
        let at = line as usize;
        let (Some(from), Some(to)) = (self.lines.get(at), self.lines.get(at + 1)) else {
            return &[];
        };
        self.units.get(*from..*to).unwrap_or_default()
    }

    /// Returns what is left of a position where a function of that name should be.
    pub(super) fn left_of(&self, line: u32, column: u32, name: &str) -> Left {
        let text = self.line(line);
        let (Some(before), Some(first)) = (text.get(..column as usize), text.get(column as usize))
        else {
            return Left::Other;
        };
        if *first != u16::from(b'(') && !is_word(*first) && !b"[{".map(u16::from).contains(first) {
            // A class without a constructor has the position of its first word.
            return Left::Other;
        }
        let mut rest = Rest(before);
        rest.blanks();
        if let Some(start) = rest.ends_with_name(name) {
            return Left::Named(start);
        }
        let is_constructor = rest.word("constructor");
        if is_constructor
            || rest.sign(b']')
            || *first == u16::from(b'c') && text[column as usize..].starts_with(&CLASS)
        {
            return Left::Unsure;
        }
        // `name = async function* (`, in this order from right to left, as much of it as there is.
        rest.sign(b'*');
        rest.word("function");
        rest.word("async");
        rest.sign(b'(');
        if rest.sign(b'=') || rest.sign(b':') {
            rest.quote();
            if let Some(start) = rest.ends_with_name(name) {
                return Left::Named(start);
            }
        }
        Left::Other
    }

    /// Returns where the only function of each name on a line begins, without names of none or several.
    pub(super) fn only_definitions(&self, line: u32, names: &[&str]) -> HashMap<String, u32> {
        let text = self.line(line);
        let mut found: HashMap<String, Option<u32>> = names
            .iter()
            .map(|name| ((*name).to_owned(), None))
            .collect();
        let mut again: Vec<String> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let end = at + text[at..].iter().take_while(|unit| is_word(**unit)).count();
            if end == at {
                at += 1;
                continue;
            }
            if end - at <= NAME_MAX
                && let Ok(word) = String::from_utf16(&text[at..end])
                && let Some(known) = found.get_mut(&word)
                && let Some(start) = definition(text, at, end)
            {
                if known.is_some() {
                    again.push(word);
                } else {
                    *known = u32::try_from(start).ok();
                }
            }
            at = end;
        }
        found
            .into_iter()
            .filter(|(name, _)| !again.contains(name))
            .filter_map(|(name, at)| Some((name, at?)))
            .collect()
    }
}

const NEWLINE: u16 = b'\n' as u16;
const CARRIAGE_RETURN: u16 = b'\r' as u16;
/// What ends a line, as V8 counts.
const LINE_ENDS: [u16; 4] = [NEWLINE, CARRIAGE_RETURN, 0x2028, 0x2029];
/// `class`, in units.
const CLASS: [u16; 5] = [
    b'c' as u16,
    b'l' as u16,
    b'a' as u16,
    b's' as u16,
    b's' as u16,
];
/// Longer names are ignored.
const NAME_MAX: usize = 256;

/// Whether a unit can be in a name; `#` begins private ones.
fn is_word(unit: u16) -> bool {
    let ascii = u8::try_from(unit).ok().filter(u8::is_ascii);
    ascii.is_none_or(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#'))
}

fn is_blank(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_whitespace())
}

/// The text left of a position, from which things are taken off at its end.
struct Rest<'a>(&'a [u16]);

impl Rest<'_> {
    fn blanks(&mut self) {
        while let [rest @ .., last] = self.0
            && is_blank(*last)
        {
            self.0 = rest;
        }
    }

    /// Strips a sign, and the blanks before it.
    fn sign(&mut self, sign: u8) -> bool {
        match self.0 {
            [rest @ .., last] if *last == u16::from(sign) => {
                self.0 = rest;
                self.blanks();
                true
            }
            _ => false,
        }
    }

    fn quote(&mut self) {
        let _ = self.sign(b'"') || self.sign(b'\'');
    }

    /// Strips a whole word, and the blanks before it.
    fn word(&mut self, word: &str) -> bool {
        let Some(start) = self.ends_with_name(word) else {
            return false;
        };
        self.0 = &self.0[..start as usize];
        self.blanks();
        true
    }

    /// Returns where a name begins that the text ends with, as a whole word.
    fn ends_with_name(&self, name: &str) -> Option<u32> {
        let length = name.encode_utf16().count();
        let start = self.0.len().checked_sub(length).filter(|_| length > 0)?;
        let is_it = self.0[start..].iter().copied().eq(name.encode_utf16());
        let is_whole = start == 0 || !is_word(self.0[start - 1]);
        (is_it && is_whole)
            .then(|| u32::try_from(start).ok())
            .flatten()
    }
}

/// Returns where the parameters of the function with the name at `from..to` begin; `None` if the name is only a use.
fn definition(text: &[u16], from: usize, to: usize) -> Option<usize> {
    let blanks = |at: usize| {
        at + text[at..]
            .iter()
            .take_while(|unit| is_blank(**unit))
            .count()
    };
    let is = |at: usize, sign: u8| text.get(at).is_some_and(|unit| *unit == u16::from(sign));
    let word = |at: usize, word: &str| {
        let end = at + word.len();
        let is_it = text
            .get(at..end)
            .is_some_and(|units| units.iter().copied().eq(word.encode_utf16()));
        (is_it && !text.get(end).is_some_and(|unit| is_word(*unit))).then(|| blanks(end))
    };
    let mut before = Rest(&text[..from]);
    before.blanks();
    let after = blanks(to);
    if is(after, b'(') {
        let is_star = before.sign(b'*');
        if before.word("function") {
            return Some(after);
        }
        // A method: after its parameters comes its body, and before it nothing that a value could follow.
        let modifiers = ["async", "static", "get", "set"]
            .iter()
            .any(|modifier| before.word(modifier));
        let can_begin = match before.0.last() {
            None => true,
            Some(unit) => b"{};,".map(u16::from).contains(unit),
        };
        let body = closing(text, after)
            .map(|end| blanks(end + 1))
            .is_some_and(|at| is(at, b'{'));
        return (body && (is_star || modifiers || can_begin)).then_some(after);
    }
    // A word between blanks, not the end of `x.name=` or the value of something.
    if before.0.last().is_some_and(|unit| *unit == u16::from(b'.')) {
        return None;
    }
    let assigned = is(after, b'=') && !is(after + 1, b'=') && !is(after + 1, b'>');
    if !assigned && !is(after, b':') {
        return None;
    }
    let mut at = blanks(after + 1);
    at = word(at, "async").unwrap_or(at);
    if let Some(after) = word(at, "function") {
        let after = if is(after, b'*') {
            blanks(after + 1)
        } else {
            after
        };
        // It has a name of its own otherwise.
        return is(after, b'(').then_some(after);
    }
    let parameters = if is(at, b'(') {
        closing(text, at)? + 1
    } else {
        at + text
            .get(at..)?
            .iter()
            .take_while(|unit| is_word(**unit))
            .count()
    };
    let arrow = blanks(parameters);
    (parameters > at && is(arrow, b'=') && is(arrow + 1, b'>')).then_some(at)
}

/// Returns where the bracket opened at an index is closed. Brackets in strings count too, but minified code has few.
fn closing(text: &[u16], open: usize) -> Option<usize> {
    /// Parameter lists are shorter.
    const FAR: usize = 4_096;
    let mut depth = 0_usize;
    for (at, unit) in text.iter().enumerate().skip(open).take(FAR) {
        match u8::try_from(*unit) {
            Ok(b'(') => depth += 1,
            Ok(b')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_left_of_its_function() {
        for (text, name, expected) in [
            ("};function d§(n){return n", "d", Left::Named(11)),
            ("}var c=§n=>n*Math.PI", "c", Left::Named(5)),
            ("V={fetch:§n=>T", "fetch", Left::Named(3)),
            ("V={\"a\":§n=>T", "a", Left::Named(4)),
            ("this.#t(),i}#t§(){let e", "#t", Left::Named(12)),
            (
                "x = async § (a) => 1".replace("§ ", "§").as_str(),
                "x",
                Left::Named(0),
            ),
            ("x=async function*§(a){}", "x", Left::Named(0)),
            ("async §a=>1", "async", Left::Named(0)),
            ("u=class{constructor§(e){", "u", Left::Unsure),
            ("u=§class{a=1}", "u", Left::Unsure),
            ("[Symbol.iterator]§(){", "q", Left::Unsure),
            ("ab§(n)", "b", Left::Other),
            ("b(c§+d)", "c", Left::Other),
            ("b(§n=>1)", "b", Left::Other),
            ("", "b", Left::Other),
            ("é𝄞=1;function ü§(n){}", "ü", Left::Named(15)),
        ] {
            let column = text
                .split('§')
                .next()
                .unwrap_or_default()
                .encode_utf16()
                .count();
            let bundle = Bundle::new(&text.replace('§', ""));
            assert_eq!(
                bundle.left_of(0, u32::try_from(column).unwrap(), name),
                expected,
                "{text}"
            );
        }
        assert_eq!(Bundle::new("f(").left_of(7, 1, "f"), Left::Other);
        assert_eq!(Bundle::new("f(").left_of(0, u32::MAX, "f"), Left::Other);
    }

    #[test]
    fn a_function_is_found_by_its_name_where_there_is_one_of_it() {
        let text = "function b(n){return b(n)}var c=n=>b(n),d={e:function(){},async f(a){},g};c(1);if(x){h(1)}i=function j(){};k=(a,b)=>{};k=l=>1;o.p=q=>1;class Z{r(){}static *s(){}}";
        let asked = [
            "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "n", "p", "q", "r", "s",
        ];
        let found = Bundle::new(text).only_definitions(0, &asked);
        let mut found: Vec<(&str, char)> = found
            .iter()
            .map(|(name, at)| (name.as_str(), text.chars().nth(*at as usize).unwrap()))
            .collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                ("b", '('),
                ("c", 'n'),
                ("e", '('),
                ("f", '('),
                ("j", '('),
                ("r", '('),
                ("s", '(')
            ]
        );
    }
}
