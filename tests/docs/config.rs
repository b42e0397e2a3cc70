//! docs/CONFIG.md says what can be configured, and its examples are taken as they stand.

use std::process::Command;

use flarescope::config::TEMPLATE;
use flarescope::ui::theme::{Depth, Themes};

use crate::document;

/// The fenced blocks of a document in this language.
pub(crate) fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| Some(rest.split("```").next()?.to_owned()))
        .collect()
}

#[test]
fn every_key_of_the_first_file_is_in_the_table_and_none_else() {
    let text = document("docs/CONFIG.md");
    let mut table = String::new();
    let mut keys = Vec::new();
    for line in TEMPLATE.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = format!("{}.", name.trim_end_matches(']'));
        } else if let Some((key, _)) = line.trim_start_matches("# ").split_once(" = ")
            && key
                .chars()
                .all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
        {
            keys.push(if table == "keys." {
                "keys.COMMAND".to_owned()
            } else {
                format!("{table}{key}")
            });
        }
    }
    keys.dedup();
    keys.sort();
    let rows = text
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned()));
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    assert_eq!(keys, rows);
}

#[test]
fn its_configurations_are_taken_without_a_word_and_its_theme_too() {
    let text = document("docs/CONFIG.md");
    let examples = blocks(&text, "toml");
    assert!(
        examples.iter().any(|example| example == TEMPLATE),
        "the first file is not what `config init` writes"
    );
    let folder = tempfile::tempdir().unwrap();
    let (mut configurations, mut themes) = (0, 0);
    for example in examples {
        if example.contains("[palette]") {
            let loaded = Themes::default()
                .read("x", "x.toml", &example, Depth::True)
                .unwrap();
            assert_eq!(loaded.warnings, []);
            themes += 1;
            continue;
        }
        let file = folder.path().join("config.toml");
        std::fs::write(&file, &example).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        command
            .args(["config", "show"])
            .env("FLARESCOPE_CONFIG", &file)
            .env("XDG_CONFIG_HOME", folder.path());
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{example}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stderr.is_empty());
        configurations += 1;
    }
    assert!(configurations >= 2 && themes >= 1);
}
