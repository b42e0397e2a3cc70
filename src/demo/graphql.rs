//! A reader for the part of GraphQL that analytics queries use: one query, variables, arguments, nested fields, aliases.

use serde_json::{Map, Value};

/// Deepest nesting of fields or values that is read.
const DEPTH_MAX: usize = 16;

/// A field that was asked for.
#[derive(Debug, PartialEq)]
pub(super) struct Field {
    /// What the answer calls it: its alias or its name.
    pub(super) key: String,
    pub(super) name: String,
    /// Variables are filled in; names of enumerations are texts.
    pub(super) arguments: Map<String, Value>,
    pub(super) fields: Vec<Field>,
}

/// Reads a query's fields.
///
/// # Errors
/// A message as a GraphQL server gives it.
pub(super) fn parse(query: &str, variables: &Map<String, Value>) -> Result<Vec<Field>, String> {
    let mut parser = Parser {
        tokens: tokens(query)?,
        at: 0,
        variables,
    };
    match parser.peek() {
        Some(Token::Name("query")) => {
            parser.at += 1;
            if matches!(parser.peek(), Some(Token::Name(_))) {
                parser.at += 1;
            }
            if parser.take(Token::Sign('(')) {
                parser.declarations()?;
            }
        }
        Some(Token::Sign('{')) => {}
        _ => return Err("only queries are answered".to_owned()),
    }
    let fields = parser.fields(DEPTH_MAX)?;
    match parser.peek() {
        None => Ok(fields),
        Some(token) => Err(format!("unexpected {token:?} after the query")),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token<'a> {
    Name(&'a str),
    Number(&'a str),
    Text(String),
    Sign(char),
}

fn tokens(query: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let split = |while_true: fn(char) -> bool| {
            let end = rest.find(|c| !while_true(c)).unwrap_or(rest.len());
            rest.split_at(end)
        };
        match first {
            c if c.is_whitespace() || c == ',' || c == '\u{feff}' => {
                rest = rest.get(c.len_utf8()..).unwrap_or_default()
            }
            '#' => rest = split(|c| c != '\n').1,
            c if c.is_ascii_alphabetic() || c == '_' => {
                let (name, after) = split(|c| c.is_ascii_alphanumeric() || c == '_');
                tokens.push(Token::Name(name));
                rest = after;
            }
            c if c.is_ascii_digit() || c == '-' => {
                let (number, after) =
                    split(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | 'e' | 'E' | '+'));
                tokens.push(Token::Number(number));
                rest = after;
            }
            '"' => {
                // A JSON text reads every escape that GraphQL has but the braced one.
                let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                let text = texts
                    .next()
                    .and_then(Result::ok)
                    .ok_or("unterminated string")?;
                rest = rest.get(texts.byte_offset()..).unwrap_or_default();
                tokens.push(Token::Text(text));
            }
            c if "{}()[]:$!=".contains(c) => {
                tokens.push(Token::Sign(c));
                rest = rest.get(1..).unwrap_or_default();
            }
            c => return Err(format!("unexpected character {c:?}")),
        }
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    variables: &'a Map<String, Value>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == Some(&token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(Token::Sign(sign)) {
            Ok(())
        } else {
            Err(format!("expected {sign:?}, found {:?}", self.peek()))
        }
    }

    fn name(&mut self) -> Result<&'a str, String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = *name;
                self.at += 1;
                Ok(name)
            }
            other => Err(format!("expected a name, found {other:?}")),
        }
    }

    /// `$a: string!, $n: [string!] = "x"` up to the closing bracket. The types are not checked, only that each variable
    /// that must be there is.
    fn declarations(&mut self) -> Result<(), String> {
        while !self.take(Token::Sign(')')) {
            self.expect('$')?;
            let name = self.name()?;
            self.expect(':')?;
            let list = self.take(Token::Sign('['));
            self.name()?;
            let mut required = self.take(Token::Sign('!'));
            if list {
                self.expect(']')?;
                required = self.take(Token::Sign('!'));
            }
            if self.take(Token::Sign('=')) {
                return Err("defaults of variables are not supported".to_owned());
            }
            if required && self.variables.get(name).is_none_or(Value::is_null) {
                return Err(format!("variable \"{name}\" is required"));
            }
        }
        Ok(())
    }

    fn fields(&mut self, depth: usize) -> Result<Vec<Field>, String> {
        let depth = depth
            .checked_sub(1)
            .ok_or("the query is nested too deeply")?;
        self.expect('{')?;
        let mut fields = Vec::new();
        while !self.take(Token::Sign('}')) {
            let first = self.name()?;
            let name = if self.take(Token::Sign(':')) {
                self.name()?
            } else {
                first
            };
            let arguments = if self.take(Token::Sign('(')) {
                self.pairs(')', depth)?
            } else {
                Map::new()
            };
            let nested = if self.peek() == Some(&Token::Sign('{')) {
                self.fields(depth)?
            } else {
                vec![]
            };
            fields.push(Field {
                key: first.to_owned(),
                name: name.to_owned(),
                arguments,
                fields: nested,
            });
        }
        if fields.is_empty() {
            Err("an empty selection".to_owned())
        } else {
            Ok(fields)
        }
    }

    fn pairs(&mut self, end: char, depth: usize) -> Result<Map<String, Value>, String> {
        let mut pairs = Map::new();
        while !self.take(Token::Sign(end)) {
            let name = self.name()?;
            self.expect(':')?;
            let value = self.value(depth)?;
            pairs.insert(name.to_owned(), value);
        }
        Ok(pairs)
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        let depth = depth
            .checked_sub(1)
            .ok_or("the query is nested too deeply")?;
        let token = self.peek().cloned().ok_or("the query ends too early")?;
        self.at += 1;
        match token {
            Token::Name("true") => Ok(Value::Bool(true)),
            Token::Name("false") => Ok(Value::Bool(false)),
            Token::Name("null") => Ok(Value::Null),
            Token::Name(name) => Ok(Value::from(name)),
            Token::Text(text) => Ok(Value::from(text)),
            Token::Number(number) => {
                serde_json::from_str(number).map_err(|_| format!("{number:?} is no number"))
            }
            Token::Sign('$') => {
                let name = self.name()?;
                self.variables
                    .get(name)
                    .cloned()
                    .ok_or_else(|| format!("unknown variable \"{name}\""))
            }
            Token::Sign('{') => Ok(Value::Object(self.pairs('}', depth)?)),
            Token::Sign('[') => {
                let mut values = Vec::new();
                while !self.take(Token::Sign(']')) {
                    values.push(self.value(depth)?);
                }
                Ok(Value::Array(values))
            }
            Token::Sign(sign) => Err(format!("unexpected {sign:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(query: &str) -> Result<Vec<Field>, String> {
        let variables = json!({ "a": "acct", "n": 3 });
        parse(query, variables.as_object().unwrap())
    }

    #[test]
    fn fields_arguments_and_aliases_are_read() {
        let query = r#"query Q($a: string!, $n: Int, $l: [string!]) { # a comment
            viewer { one: accounts(filter: {tag: $a, n: [1, -2.5, $n], s: "x\n", e: SUM_DESC}) { id } } }"#;
        let fields = read(query).unwrap();
        let accounts = &fields[0].fields[0];
        assert_eq!(
            (accounts.key.as_str(), accounts.name.as_str()),
            ("one", "accounts")
        );
        let filter = json!({ "tag": "acct", "n": [1, -2.5, 3], "s": "x\n", "e": "SUM_DESC" });
        assert_eq!(accounts.arguments.get("filter"), Some(&filter));
        assert_eq!(accounts.fields[0].name, "id");
    }

    #[test]
    fn broken_queries_are_told_and_never_overflow() {
        for bad in [
            "",
            "{",
            "{}",
            "mutation { a }",
            "{ a(",
            "{ a(b: $c) }",
            "query ($z: Int!) { a }",
            "{ a } b",
            "{ \"",
            "{ a(b: ]) }",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read(&"{ a ".repeat(100_000)).is_err());
        assert!(read(&format!("{{ a(b: {} ) }}", "[".repeat(100_000))).is_err());
    }
}
