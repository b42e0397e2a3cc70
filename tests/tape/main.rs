//! `demo.tape`, played in a real pseudo-terminal: the keys do what the film is to show, the waits come true, and the
//! pictures of docs/ are what is on the screen then. VHS itself is not needed.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

mod language;
mod screen;
#[path = "../pty/terminal.rs"]
mod terminal;

use std::fs;
use std::path::Path;
use std::time::Duration;

use flarescope::ui::screenshot;
use flarescope::ui::theme::{Depth, Theme};
use regex::Regex;

use language::{Press, Step, Where, duration};
use terminal::Terminal;

/// Columns and rows that the tape's pixels come to.
const SIZE: (u16, u16) = (120, 40);
/// Shortest and longest that a film may be.
const LENGTH: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(50));
/// Keys are pressed no slower than this, and pauses are no longer: nobody looks.
const HASTE: Duration = Duration::from_millis(25);
/// Longer than a terminal program waits for the rest of an escape sequence.
const ESCAPE: Duration = Duration::from_millis(90);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn tape() -> Vec<Step> {
    language::read(&fs::read_to_string(root().join("demo.tape")).unwrap()).unwrap()
}

/// What a terminal sends for a key.
fn bytes(press: Press) -> String {
    let fixed = match press {
        Press::Enter => "\r",
        Press::Tab => "\t",
        Press::Space => " ",
        Press::Backspace => "\x7f",
        Press::Escape => "\x1b",
        Press::Up => "\x1b[A",
        Press::Down => "\x1b[B",
        Press::Right => "\x1b[C",
        Press::Left => "\x1b[D",
        Press::PageUp => "\x1b[5~",
        Press::PageDown => "\x1b[6~",
        Press::Control(letter) => return char::from(letter as u8 & 0x1f).to_string(),
    };
    fixed.to_owned()
}

/// The value of a setting, if the tape has it.
fn setting<'a>(steps: &'a [Step], wanted: &str) -> Option<&'a str> {
    steps.iter().find_map(|step| match step {
        Step::Set(name, value) if name == wanted => Some(value.as_str()),
        _ => None,
    })
}

#[test]
fn the_film_is_as_long_as_it_says() {
    let steps = tape();
    let mut speed = Duration::from_millis(50);
    let mut length = Duration::ZERO;
    let mut filmed = true;
    for step in &steps {
        let took = match step {
            Step::Set(name, value) if name == "TypingSpeed" => {
                speed = duration(value).unwrap();
                Duration::ZERO
            }
            Step::Hide | Step::Show => {
                filmed = matches!(step, Step::Show);
                Duration::ZERO
            }
            Step::Type(text, every) => every.unwrap_or(speed) * text.chars().count() as u32,
            Step::Press(_, times, every) => every.unwrap_or(speed) * *times as u32,
            Step::Sleep(time) => *time,
            // The captures' four seconds are the only wait of any length; it is named in the tape.
            _ => Duration::ZERO,
        };
        if filmed {
            length += took;
        }
    }
    let length = length + Duration::from_secs(5);
    assert!(
        LENGTH.0 <= length && length <= LENGTH.1,
        "the film is {length:?} long"
    );
    assert!(
        steps
            .iter()
            .any(|step| matches!(step, Step::Output(film) if film.ends_with(".gif")))
    );
}

#[test]
fn the_tape_plays_and_the_screens_are_those_in_the_documents() {
    let steps = tape();
    let program = Path::new(terminal::PROGRAM)
        .parent()
        .unwrap()
        .display()
        .to_string();
    assert_eq!(setting(&steps, "Shell"), Some("bash"));
    let shell = format!("PATH={program}:$PATH exec bash --norc --noprofile -i");
    let mut terminal = Terminal::shell(SIZE.0, SIZE.1, &shell);
    let patience = setting(&steps, "WaitTimeout").and_then(duration).unwrap();
    let mut pictures = Vec::new();
    for step in &steps {
        match step {
            Step::Output(_) | Step::Set(..) | Step::Hide | Step::Show => {}
            Step::Require(needed) => assert_eq!(needed, "flarescope", "nothing else is needed"),
            Step::Type(text, _) => text.chars().for_each(|c| {
                terminal.send(c.encode_utf8(&mut [0; 4]));
                std::thread::sleep(HASTE);
            }),
            Step::Press(press, times, _) => (0..*times).for_each(|_| {
                terminal.send(&bytes(*press));
                std::thread::sleep(if *press == Press::Escape {
                    ESCAPE
                } else {
                    HASTE
                });
            }),
            Step::Sleep(_) => std::thread::sleep(HASTE),
            Step::Wait(place, most, pattern) => {
                // Machines that build beside this are slow: the tape's time is the least that is waited.
                let most = most.unwrap_or(patience).max(Duration::from_secs(40));
                let pattern = pattern.as_deref().unwrap_or(">$");
                wait(&terminal, *place, most, pattern);
            }
            Step::Screenshot(path) => {
                terminal.settle();
                pictures.push(picture_of(&terminal, path));
            }
        }
    }
    assert!(pictures.len() >= 6, "{pictures:?}");
    // Every picture of the folder is one of the tape's.
    let kept = fs::read_dir(root().join("docs/pictures")).unwrap();
    for entry in kept {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            pictures.contains(&format!("docs/pictures/{name}")),
            "no tape makes docs/pictures/{name}"
        );
    }
}

fn wait(terminal: &Terminal, place: Where, most: Duration, pattern: &str) {
    let regex = Regex::new(&format!("(?m){pattern}")).unwrap();
    let found = |text: &str| match place {
        Where::Screen => regex.is_match(text),
        Where::Line => text
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| regex.is_match(line)),
    };
    terminal.wait_within(most, &format!("/{pattern}/"), |screen| {
        found(&screen.contents())
    });
}

/// Compares the screen with the accepted one and with the picture in the documents; answers the picture's path.
fn picture_of(terminal: &Terminal, path: &str) -> String {
    let buffer = screen::buffer(terminal);
    let name = Path::new(path)
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_debug_snapshot!(name.clone(), buffer));
    let svg = path
        .strip_suffix(".png")
        .map(|stem| format!("{stem}.svg"))
        .unwrap();
    let ground = Theme::load("ember", Depth::True).unwrap().theme.ground();
    let drawn = screenshot::svg(&buffer, &ground);
    let file = root().join(&svg);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &drawn).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == drawn,
        "{svg} is behind the screen: UPDATE_DOCS=1 cargo test --test tape draws it anew"
    );
    svg
}
