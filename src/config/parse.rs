//! Parses the configuration. Every mistake is reported with its line and the closest valid name.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::app;
use crate::app::{Bindings, COMMANDS, Column, Key, WINDOWS, why_not};
use crate::config::file::{Command, File};
use crate::config::{ConfigError, size};
use crate::model::cloudflare::{Kind, id32};
use crate::model::text::fuzzy::closest;
use crate::model::text::mistakes::{Mistake, Mistakes};

const TOP: &[&str] = &[
    "account",
    "ascii",
    "capture",
    "keys",
    "mouse",
    "quota",
    "table",
    "theme",
    "token_command",
    "truecolor",
];
const CAPTURE: &[&str] = &["duration", "kind"];
const TABLE: &[&str] = &["columns"];

/// Parses the text of a configuration. Messages name `path`.
///
/// # Errors
/// [`ConfigError::Mistakes`].
pub(super) fn parse(path: &Path, text: &str) -> Result<File, ConfigError> {
    let shown = path.display().to_string();
    let mut reader = Reader {
        mistakes: Mistakes::new(&shown, text),
        warnings: Mistakes::new(&shown, text),
        file: File {
            path: Some(path.to_owned()),
            ..File::default()
        },
    };
    match DeTable::parse(text) {
        Ok(table) => reader.top(table.get_ref()),
        Err(error) => {
            let span = error.span().unwrap_or_default();
            let line = text.lines().nth(reader.mistakes.line(&span) - 1);
            let message = blank_in_name(line.unwrap_or_default())
                .unwrap_or_else(|| error.message().to_owned());
            reader.mistakes.add(span, message);
        }
    }
    let in_order = |mut list: Vec<Mistake>| {
        list.sort_by_key(|mistake| mistake.line);
        list
    };
    let mistakes = in_order(reader.mistakes.list);
    if !mistakes.is_empty() {
        return Err(ConfigError::Mistakes(mistakes));
    }
    Ok(File {
        warnings: in_order(reader.warnings.list),
        ..reader.file
    })
}

/// Returns the message for a name with blanks, as the palette shows the names of commands: TOML ends a name there.
fn blank_in_name(line: &str) -> Option<String> {
    let (name, _) = line.split_once('=')?;
    let written = name.split_whitespace().collect::<Vec<_>>().join("-");
    let plain = name
        .trim()
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    let meant = closest(&written, COMMANDS.iter().map(|row| row.name))?;
    (plain && written != name.trim()).then(|| format!("a name has no blanks: write `{meant}`"))
}

struct Reader<'a> {
    mistakes: Mistakes<'a>,
    warnings: Mistakes<'a>,
    file: File,
}

impl Reader<'_> {
    fn top(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            self.found(name, &key.span());
            match name {
                "account" => {
                    let id = self.text_of(name, value);
                    match id.as_deref().map(id32) {
                        Some(Ok(id)) => self.file.account = Some(id),
                        Some(Err(error)) => self
                            .mistakes
                            .add(value.span(), format!("`account`: {error}")),
                        None => {}
                    }
                }
                "theme" => self.file.theme = self.text_of(name, value),
                "truecolor" => self.file.truecolor = self.bool_of(name, value),
                "ascii" => self.file.ascii = self.bool_of(name, value),
                "mouse" => self.file.mouse = self.bool_of(name, value),
                "quota" => self.file.quota = self.quota(value),
                "token_command" => self.file.token_command = self.command(value),
                "capture" => self.table(name, value, Self::capture),
                "table" => self.table(name, value, Self::columns),
                "keys" => self.table(name, value, Self::keys),
                "token" | "api_token" => {
                    let message = format!(
                        "`{name}`: tokens are not stored in the file; use `token_command`, a command that prints it"
                    );
                    self.mistakes.add(key.span(), message);
                }
                // A newer version may have it.
                word if matches!(value.get_ref(), DeValue::Table(_)) => {
                    self.warnings
                        .unknown(key.span(), "table", word, TOP.iter().copied());
                }
                word => self
                    .mistakes
                    .unknown(key.span(), "key", word, TOP.iter().copied()),
            }
        }
    }

    fn found(&mut self, entry: &str, span: &Range<usize>) {
        let line = self.mistakes.line(span);
        self.file.lines.insert(entry.to_owned(), line);
    }

    fn table(
        &mut self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        read: impl FnOnce(&mut Self, &DeTable<'_>),
    ) {
        match value.get_ref() {
            DeValue::Table(table) => read(self, table),
            _ => self.mistakes.add(
                value.span(),
                format!("`{name}` is a table: write its entries below [{name}]"),
            ),
        }
    }

    fn text_of(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.mistakes
                .add(value.span(), format!("`{name}` is a text in quotes"));
        }
        text
    }

    fn bool_of(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let value_of = value.get_ref().as_bool();
        if value_of.is_none() {
            self.mistakes
                .add(value.span(), format!("`{name}` is true or false"));
        }
        value_of
    }

    fn quota(&mut self, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::String(text) => text.to_string(),
            _ => String::new(),
        };
        match size(&text) {
            Ok(bytes) => Some(bytes),
            Err(why) => {
                self.mistakes.add(
                    value.span(),
                    format!("`quota` is a size such as \"1GiB\": {why}"),
                );
                None
            }
        }
    }

    fn command(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Command> {
        let words = |array: &toml::de::DeArray<'_>| {
            array
                .iter()
                .map(|word| word.get_ref().as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
        };
        let command = match value.get_ref() {
            DeValue::String(line) => Some(Command::Line(line.to_string())),
            DeValue::Array(array) => words(array).map(Command::Words),
            _ => None,
        };
        let command = command.filter(|command| !command.program().is_empty());
        if command.is_none() {
            let message = "`token_command` is a text for the shell, or a program and its arguments: [\"op\", \"read\", …]";
            self.mistakes.add(value.span(), message.to_owned());
        }
        command
    }

    fn capture(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            self.found(&format!("capture.{name}"), &key.span());
            match (name, value.get_ref().as_str()) {
                ("kind", Some("cpu")) => self.file.kind = Some(Kind::Cpu),
                ("kind", Some("heap")) => self.file.kind = Some(Kind::Heap),
                ("kind", _) => self
                    .mistakes
                    .add(value.span(), "`kind` is \"cpu\" or \"heap\"".to_owned()),
                ("duration", text) => {
                    let window = text.and_then(|text| humantime::parse_duration(text).ok());
                    if window.is_some_and(|window| {
                        WINDOWS.iter().any(|s| Duration::from_secs(*s) == window)
                    }) {
                        self.file.window = window;
                    } else {
                        let all: Vec<_> = WINDOWS
                            .iter()
                            .map(|seconds| format!("\"{seconds}s\""))
                            .collect();
                        self.mistakes.add(
                            value.span(),
                            format!("`duration` is one of {}", all.join(", ")),
                        );
                    }
                }
                (word, _) => self.mistakes.unknown(
                    key.span(),
                    "key of [capture]",
                    word,
                    CAPTURE.iter().copied(),
                ),
            }
        }
    }

    fn columns(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.found(&format!("table.{}", key.get_ref()), &key.span());
            if key.get_ref() != "columns" {
                self.mistakes.unknown(
                    key.span(),
                    "key of [table]",
                    key.get_ref(),
                    TABLE.iter().copied(),
                );
                continue;
            }
            let Some(array) = value.get_ref().as_array() else {
                self.mistakes.add(
                    value.span(),
                    "`columns` is a list of names: [\"samples\", \"self%\", \"function\"]"
                        .to_owned(),
                );
                continue;
            };
            let mut chosen = Vec::new();
            for word in array.iter() {
                let name = word.get_ref().as_str().unwrap_or_default();
                match Column::ALL.iter().find(|column| column.name() == name) {
                    Some(column) => chosen.push(*column),
                    None => self.mistakes.unknown(
                        word.span(),
                        "column",
                        name,
                        Column::ALL.iter().map(|column| column.name()),
                    ),
                }
            }
            if !chosen.contains(&Column::Function) {
                self.mistakes.add(
                    value.span(),
                    "`columns` needs \"function\": a row without a name says nothing".to_owned(),
                );
            }
            self.file.columns = Some(
                Column::ALL
                    .iter()
                    .copied()
                    .filter(|column| chosen.contains(column))
                    .collect(),
            );
        }
    }

    fn keys(&mut self, table: &DeTable<'_>) {
        let mut own = HashMap::new();
        for (key, value) in table {
            // The palette has blanks where the table has hyphens.
            let name = key.get_ref().replace(' ', "-");
            let name = name.as_str();
            let Some(row) = COMMANDS.iter().find(|row| row.name == name) else {
                self.mistakes.unknown(
                    key.span(),
                    "command",
                    name,
                    COMMANDS.iter().map(|row| row.name),
                );
                continue;
            };
            self.found(&format!("keys.{name}"), &key.span());
            let one = std::slice::from_ref(value);
            let words: Vec<_> = match value.get_ref() {
                DeValue::Array(array) => array.iter().collect(),
                _ => one.iter().collect(),
            };
            let mut keys: Vec<Key> = Vec::new();
            for word in words {
                let Some(text) = word.get_ref().as_str() else {
                    self.mistakes.add(
                        word.span(),
                        format!("`{name}` is a key in quotes, or a list of keys"),
                    );
                    continue;
                };
                match Key::parse(text) {
                    None => self.mistakes.unknown(
                        word.span(),
                        "key",
                        text,
                        app::KEY_NAMES.iter().copied(),
                    ),
                    Some(key) => match why_not(row, key) {
                        Some(why) => self.mistakes.add(
                            word.span(),
                            format!("`{text}` can't be a key of {name}: {why}"),
                        ),
                        None => keys.push(key),
                    },
                }
            }
            own.insert(row.command, keys);
        }
        let bindings = Bindings::new(own);
        self.conflicts(&bindings);
        self.file.keys = bindings;
    }

    /// Reports keys that two commands share, at the line of the entry in the file.
    fn conflicts(&mut self, bindings: &Bindings) {
        let name = |command| {
            COMMANDS
                .iter()
                .find(|row| row.command == command)
                .map_or("", |row| row.name)
        };
        for conflict in bindings.conflicts() {
            let (first, second) = (name(conflict.first), name(conflict.second));
            let line = [first, second]
                .iter()
                .filter_map(|name| self.file.lines.get(&format!("keys.{name}")))
                .max();
            let message = format!(
                "`{}` is a key of both {first} and {second} ({}): give one of them another key",
                conflict.key,
                conflict.context.title()
            );
            self.mistakes.list.push(Mistake {
                file: self
                    .file
                    .path
                    .as_ref()
                    .map_or_else(String::new, |path| path.display().to_string()),
                line: line.copied().unwrap_or(1),
                message,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app;
    use crate::wording::wording;

    fn mistakes(text: &str) -> Vec<String> {
        match parse(Path::new("c.toml"), text) {
            Ok(file) => panic!("{file:?}"),
            Err(error) => error.to_string().lines().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn everything_there_is_can_be_said() {
        let text = "\
account = \"0123456789abcdef0123456789abcdef\"
theme = \"daylight\"
truecolor = true
ascii = false
mouse = true
quota = \"2GiB\"
token_command = \"pass cloudflare\"

[capture]
kind = \"heap\"
duration = \"20s\"

[table]
columns = [\"function\", \"self%\", \"samples\"]

[keys]
zoom-in = [\"enter\", \"ctrl-g\"]
mouse = \"ctrl-r\"
show-idle = []
";
        let file = parse(Path::new("c.toml"), text).unwrap();
        assert_eq!(
            (
                file.theme.as_deref(),
                file.truecolor,
                file.ascii,
                file.mouse
            ),
            (Some("daylight"), Some(true), Some(false), Some(true))
        );
        assert_eq!(
            (file.quota, file.kind, file.window),
            (
                Some(2 << 30),
                Some(Kind::Heap),
                Some(Duration::from_secs(20))
            )
        );
        assert_eq!(
            file.columns,
            Some(vec![Column::Samples, Column::SelfShare, Column::Function]),
            "in their own order"
        );
        assert_eq!(
            file.keys.own(app::Command::ZoomIn),
            Some([Key::Enter, Key::Ctrl('g')].as_slice())
        );
        assert_eq!(file.keys.own(app::Command::ShowIdle), Some([].as_slice()));
        assert_eq!(file.spot("capture.kind").as_deref(), Some("c.toml:10"));
        assert_eq!(file.spot("keys.mouse").as_deref(), Some("c.toml:18"));
        assert_eq!(file.spot("capture.nothing"), None);
    }

    #[test]
    fn mistakes_are_reported_with_line_and_nearest_name() {
        let mut wording = wording!();
        let text = "\
them = \"ember\"
account = \"abc\"
quota = \"1TiB\"
truecolor = \"yes\"
token_command = []
[capture]
kind = \"cpus\"
duration = \"15s\"
durations = 1
[table]
columns = [\"selfs\", \"total\"]
[keys]
zoom-im = \"L\"
zoom-in = \"entre\"
quit = [\"ctrl-c\", 3]
sort = \"7\"
";
        let lines = mistakes(text);
        let spots: Vec<u64> = lines
            .iter()
            .filter_map(|line| {
                line.strip_prefix("c.toml:")?
                    .split(':')
                    .next()?
                    .parse()
                    .ok()
            })
            .collect();
        assert_eq!(spots, [1, 2, 3, 4, 5, 7, 8, 9, 11, 11, 13, 14, 15, 15, 16]);
        wording.add(lines.join("\n"));
    }

    #[test]
    fn tables_of_a_newer_version_are_ignored_with_a_warning() {
        let text = "theme = \"ember\"\n[push.prod]\nurl = 1\n[captures]\nkind = \"cpu\"\n";
        let file = parse(Path::new("c.toml"), text).unwrap();
        assert_eq!(file.theme.as_deref(), Some("ember"));
        let warnings = file.warnings.iter();
        assert_eq!(
            warnings.map(|warning| warning.line).collect::<Vec<_>>(),
            [2, 4]
        );
        assert!(
            file.warnings[1].message.contains("`capture`"),
            "{:?}",
            file.warnings
        );
        assert_eq!(mistakes("captures = 1").len(), 1, "an entry is a mistake");
    }

    #[test]
    fn conflicts_and_broken_text_have_a_line() {
        let mut wording = wording!();
        let found = mistakes("[keys]\nsort = \"y\"\n\ngo-workers = \"r\"\n");
        assert!(found.iter().any(|line| line.starts_with("c.toml:4: `r`")));
        assert!(found.iter().any(|line| line.starts_with("c.toml:2: `y`")));
        wording.add(found.join("\n"));
        let broken = mistakes("theme = \"ember\"\nquota = [\n");
        assert!(
            broken[0].starts_with("c.toml:2: ") || broken[0].starts_with("c.toml:3: "),
            "{broken:?}"
        );
        // An unknown token is named without its value.
        let secret = mistakes("token = \"s3cret\"");
        assert!(!secret.concat().contains("s3cret"));
        wording.add(secret.join("\n"));
    }
}
