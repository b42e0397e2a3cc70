//! What the screen hands on: everything that any command copies, on hostile functions, Workers and messages.

use std::path::Path;
use std::process::Command;

use flarescope::app::{
    Action, COMMANDS, Effect, ExportEffect, FailureKind, Format, Origin, Response, Scope,
    WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Worker;
use flarescope::model::text::sanitize::printable;

use crate::session::{self, Session};
use crate::{Files, MARK, NAMES, PAYLOAD, assert_safe};

/// A session with the hostile profile open, its table in front, and one of the hostile functions selected.
fn on_function(file: &Path, at: usize) -> Session {
    let mut opened = session::opened(file.to_str().unwrap(), PAYLOAD, None);
    opened.source.path = Some(file.to_owned());
    let mut session = Session::fresh(Origin::Offline, (120, 40)).0;
    session.state.show_opened(opened);
    session.act(Action::Tick);
    session.press("tab");
    for _ in 0..at {
        session.press("j");
    }
    assert_eq!(session.table_row(), NAMES[at]);
    session
}

/// What keys copy.
fn copied(session: &mut Session, keys: &str) -> Vec<String> {
    let wishes = session.press(keys).into_iter();
    wishes
        .filter_map(|wish| match wish {
            Effect::Copy(_, text) => Some(text),
            Effect::Export(_, ExportEffect::Copy(job)) => {
                Some(flarescope::runtime::clipboard_text(&job).unwrap())
            }
            _ => None,
        })
        .collect()
}

fn one(session: &mut Session, keys: &str) -> String {
    let texts = copied(session, keys);
    assert_eq!(texts.len(), 1, "{keys}: {texts:?}");
    texts.concat()
}

#[test]
fn no_key_copies_what_a_terminal_or_a_shell_obeys() {
    let folder = tempfile::tempdir().unwrap();
    let file = Files::new(folder.path()).cpu;
    // Whatever copies in a profile, found by trying all there is.
    let mut copying = Vec::new();
    for row in COMMANDS {
        let works = |scope: &Scope| {
            matches!(
                scope,
                Scope::Any | Scope::Profile | Scope::Table | Scope::Icicle
            )
        };
        let Some(key) = row.keys.first().filter(|_| row.scopes.iter().any(works)) else {
            continue;
        };
        let texts = copied(&mut on_function(&file, 1), key);
        texts.iter().for_each(|text| assert_safe(row.name, text));
        assert!(
            !texts.is_empty() || !row.name.starts_with("copy-"),
            "{} copies nothing",
            row.name
        );
        copying.extend((!texts.is_empty()).then_some(*key));
    }
    assert!(copying.len() >= 3, "{copying:?}");
    // In every state that changes what is copied.
    for (at, name) in NAMES.iter().enumerate() {
        for state in [
            "",
            "f",
            "i",
            "x",
            "F",
            "enter",
            "enter enter",
            "B",
            "b",
            "*",
            "D",
            "H",
            "v",
        ] {
            let mut session = on_function(&file, at);
            session.press(state);
            for key in &copying {
                for text in copied(&mut session, key) {
                    assert_safe(&format!("{state} {key} on {name:?}"), &text);
                    assert!(*key != "E" || text.lines().count() == 1, "{text}");
                }
            }
        }
        // A line for each function, whatever its name holds.
        let mut session = on_function(&file, at);
        session.press("enter");
        let wishes = session.act(Action::Run(flarescope::app::Command::CopyStack));
        let [Effect::Copy(_, stack)] = &wishes[..] else {
            panic!("no stack but {wishes:?}")
        };
        assert_eq!(*stack, format!("Mk\n{}", printable(name)));
    }
}

#[test]
fn the_copied_command_means_the_same_view_in_a_shell_and_runs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = Files::new(folder.path()).cpu;
    for (at, name) in NAMES.iter().enumerate() {
        let focused = one(&mut on_function(&file, at), "f E");
        let zoomed = one(&mut on_function(&file, at), "enter enter E");
        for (command, option) in [(&focused, "--focus-function"), (&zoomed, "--root")] {
            let arguments = in_shell("bash", command, folder.path());
            assert_eq!(
                arguments[..2],
                ["open", file.to_str().unwrap()],
                "{command}"
            );
            let value = match arguments[2].split_once('=') {
                Some((name, value)) if name == option => value.to_owned(),
                _ => {
                    assert_eq!(arguments[2], option, "{command}");
                    arguments[3].clone()
                }
            };
            if option == "--root" {
                assert_eq!(value, name.replace('\0', "␀"));
            } else {
                // The function as the screen shows it.
                let shown = format!("{}@", printable(name));
                assert!(value.starts_with(&shown), "{value}");
            }
            // A shell that knows less may take another word for it, but does nothing else.
            in_shell("sh", command, folder.path());
        }
    }
    assert!(!folder.path().join("pwned").exists());
}

/// The words that a shell hands to the program.
fn in_shell(shell: &str, command: &str, folder: &Path) -> Vec<String> {
    let script = format!("flarescope() {{ printf '%s\\0' \"$@\"; }}\n{command}\n");
    let output = Command::new(shell)
        .args(["-c", &script])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{command}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn names_of_workers_and_messages_are_copied_safely() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, (120, 40));
    let rows: Vec<Worker> = (0_u64..)
        .zip(NAMES)
        .map(|(id, name)| Worker {
            id: format!("{id:032x}"),
            name: name.to_owned(),
            deployed_on: Some(session::ago(60)),
            metrics: None,
        })
        .collect();
    for effect in first {
        if let Effect::Workers(id, WorkersEffect::List) = effect {
            let (rows, total) = (rows.clone(), Some(NAMES.len() as u64));
            session.answer(
                id,
                Response::Workers(WorkersResponse::Page {
                    rows,
                    total,
                    last: true,
                }),
            );
        }
    }
    for _ in NAMES {
        let text = one(&mut session, "y");
        assert_safe("a Worker", &text);
        assert!(text.contains(MARK) && text.lines().count() == 1, "{text}");
        assert_safe("the list", &session.screen());
        session.press("j");
    }
    let wishes = session.press("R");
    let id = wishes.iter().find_map(|wish| match wish {
        Effect::Workers(id, WorkersEffect::List) => Some(*id),
        _ => None,
    });
    session.fail(id.unwrap(), FailureKind::List, PAYLOAD);
    assert_safe("a failure", &session.screen());
    for text in copied(&mut session, "y") {
        assert_safe("a failure", &text);
    }
}

#[test]
fn every_format_of_the_screen_is_one_of_the_commands() {
    use clap::CommandFactory as _;
    let command = flarescope::cli::Cli::command();
    let values = |name: &str, option: &str| -> Vec<String> {
        let command = command.find_subcommand(name).unwrap();
        let argument = command
            .get_arguments()
            .find(|a| a.get_long() == Some(option));
        let values = argument.unwrap().get_possible_values();
        values
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect()
    };
    // So what is tried through them is tried for the screen.
    let (exports, pictures) = (values("export", "to"), values("render", "format"));
    for format in Format::ALL {
        if format.is_screen() {
            let ending = format
                .name()
                .trim_start_matches("screen")
                .trim_start_matches('.');
            let picture = if ending.is_empty() { "text" } else { ending };
            assert!(
                pictures.iter().any(|name| name == picture),
                "{}",
                format.name()
            );
        } else {
            assert!(
                exports.iter().any(|name| name == format.name()),
                "{}",
                format.name()
            );
        }
    }
}
