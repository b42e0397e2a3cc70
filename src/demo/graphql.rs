//! Parses the part of GraphQL that analytics queries use: nested fields with aliases, arguments and variables. Types of
//! variables are not checked, and errors have no message.

use serde_json::{Map, Value};

/// Deepest nesting of fields or values that is read.
const DEPTH_MAX: usize = 16;

/// A requested field.
#[derive(Debug, PartialEq)]
pub(super) struct Field {
    /// Its key in the response: its alias or name.
    pub(super) key: String,
    pub(super) name: String,
    /// With variables filled in; enum values are strings.
    pub(super) arguments: Map<String, Value>,
    pub(super) fields: Vec<Field>,
}

/// Returns a query's fields; `None` if it is invalid or no query.
pub(super) fn parse(query: &str, variables: &Map<String, Value>) -> Option<Vec<Field>> {
    let (head, _) = query.split_once('{')?;
    if !head.trim().is_empty() && !head.trim_start().starts_with("query") {
        return None;
    }
    let rest = &query[head.len()..];
    let mut reader = Reader { rest, variables };
    let fields = reader.fields(DEPTH_MAX)?;
    reader.rest.trim().is_empty().then_some(fields)
}

struct Reader<'a> {
    rest: &'a str,
    variables: &'a Map<String, Value>,
}

impl<'a> Reader<'a> {
    /// Skips a character if it comes next. Returns whether it did.
    fn take(&mut self, sign: char) -> bool {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Parses a name, a number or a constant.
    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word;
        (word, self.rest) = rest.split_at(end);
        (!word.is_empty()).then_some(word)
    }

    fn fields(&mut self, depth: usize) -> Option<Vec<Field>> {
        let depth = depth.checked_sub(1)?;
        if !self.take('{') {
            return None;
        }
        let mut fields = Vec::new();
        while !self.take('}') {
            let key = self.word()?;
            let name = if self.take(':') { self.word()? } else { key };
            let arguments = if self.take('(') {
                self.pairs(')', depth)?
            } else {
                Map::new()
            };
            let nested = if self.rest.trim_start().starts_with('{') {
                self.fields(depth)?
            } else {
                Vec::new()
            };
            fields.push(Field {
                key: key.to_owned(),
                name: name.to_owned(),
                arguments,
                fields: nested,
            });
        }
        (!fields.is_empty()).then_some(fields)
    }

    fn pairs(&mut self, end: char, depth: usize) -> Option<Map<String, Value>> {
        let mut pairs = Map::new();
        while !self.take(end) {
            let name = self.word()?;
            if !self.take(':') {
                return None;
            }
            pairs.insert(name.to_owned(), self.value(depth)?);
        }
        Some(pairs)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        if self.take('$') {
            return self.variables.get(self.word()?).cloned();
        }
        if self.take('{') {
            return self.pairs('}', depth).map(Value::Object);
        }
        if self.take('"') {
            let (text, after) = self.rest.split_once('"')?;
            self.rest = after;
            return Some(text.into());
        }
        if self.take('[') {
            let mut values = Vec::new();
            while !self.take(']') {
                values.push(self.value(depth)?);
            }
            return Some(values.into());
        }
        // Anything but a number or a constant is an enum value.
        let word = self.word()?;
        Some(serde_json::from_str(word).unwrap_or_else(|_| word.into()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(query: &str) -> Option<Vec<Field>> {
        let variables = json!({ "a": "acct", "n": 3 });
        parse(query, variables.as_object().unwrap())
    }

    #[test]
    fn fields_arguments_and_aliases_are_read() {
        let query = r#"query Q($a: string!, $n: Int, $l: [string!]) {
            viewer { one: accounts(filter: {tag: $a, n: [1, -2.5, $n], s: "x", e: SUM_DESC}) { id } } }"#;
        let fields = read(query).unwrap();
        let accounts = &fields[0].fields[0];
        assert_eq!(
            (accounts.key.as_str(), accounts.name.as_str()),
            ("one", "accounts")
        );
        let filter = json!({ "tag": "acct", "n": [1, -2.5, 3], "s": "x", "e": "SUM_DESC" });
        assert_eq!(accounts.arguments.get("filter"), Some(&filter));
        assert_eq!(accounts.fields[0].name, "id");
    }

    #[test]
    fn broken_queries_are_refused_and_never_overflow() {
        for bad in [
            "",
            "{",
            "{}",
            "mutation { a }",
            "{ a(",
            "{ a(b: $c) }",
            "{ a } b",
            "{ \"",
            "{ a(b: ]) }",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert_eq!(read(&"{ a ".repeat(100_000)), None);
        assert_eq!(read(&format!("{{ a(b: {} ) }}", "[".repeat(100_000))), None);
    }
}
