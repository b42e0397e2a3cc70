//! The language of VHS tapes, as far as `demo.tape` uses it: every line is understood or refused with its number.

use std::time::Duration;

/// One thing that a tape says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Where the film goes.
    Output(String),
    /// A program that has to be there.
    Require(String),
    /// How the film looks.
    Set(String, String),
    /// What follows is not filmed.
    Hide,
    /// What follows is.
    Show,
    /// Text, letter by letter.
    Type(String, Option<Duration>),
    /// A key, several times.
    Press(Press, usize, Option<Duration>),
    /// Nothing for a while.
    Sleep(Duration),
    /// Until the pattern is there.
    Wait(Where, Option<Duration>, Option<String>),
    /// A picture of the screen.
    Screenshot(String),
}

/// A key that is no letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Press {
    Enter,
    Tab,
    Space,
    Backspace,
    Escape,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Control(char),
}

/// Where a pattern is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    Screen,
    /// The last line that is not empty.
    Line,
}

const PRESSES: &[(&str, Press)] = &[
    ("Enter", Press::Enter),
    ("Tab", Press::Tab),
    ("Space", Press::Space),
    ("Backspace", Press::Backspace),
    ("Escape", Press::Escape),
    ("Up", Press::Up),
    ("Down", Press::Down),
    ("Left", Press::Left),
    ("Right", Press::Right),
    ("PageUp", Press::PageUp),
    ("PageDown", Press::PageDown),
];

/// What `Set` takes, and whether a number is wanted.
const SETTINGS: &[&str] = &[
    "Shell",
    "FontSize",
    "Width",
    "Height",
    "Padding",
    "Theme",
    "TypingSpeed",
    "WaitTimeout",
    "Framerate",
];

/// What a film can be written as; a name that ends in `/` is a folder of frames.
const FILMS: &[&str] = &[".gif", ".mp4", ".webm", ".txt", ".ascii", ".test", "/"];

/// Reads a tape.
///
/// # Errors
/// The first line that is no VHS, with its number.
pub(crate) fn read(tape: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    for (at, line) in tape.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let step = step(line)
            .ok_or_else(|| format!("line {}: `{line}` is nothing that a tape can say", at + 1))?;
        let early =
            |step: &Step| matches!(step, Step::Output(_) | Step::Require(_) | Step::Set(..));
        // VHS passes over settings that come late.
        let speed = matches!(&step, Step::Set(name, _) if name == "TypingSpeed");
        if early(&step) && !speed && !steps.iter().all(early) {
            return Err(format!(
                "line {}: `{line}` comes too late: nothing but TypingSpeed is set once it runs",
                at + 1
            ));
        }
        steps.push(step);
    }
    Ok(steps)
}

fn step(line: &str) -> Option<Step> {
    let (word, rest) = line
        .split_once(' ')
        .map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let (word, every) = match word.split_once('@') {
        Some((word, time)) => (word, Some(duration(time)?)),
        None => (word, None),
    };
    let pressed = |press| {
        Some(Step::Press(
            press,
            if rest.is_empty() {
                1
            } else {
                rest.parse().ok()?
            },
            every,
        ))
    };
    if let Some((_, press)) = PRESSES.iter().find(|(name, _)| *name == word) {
        return pressed(*press);
    }
    if let Some(letter) = word.strip_prefix("Ctrl+") {
        let mut letters = letter.chars();
        let letter = letters
            .next()
            .filter(|c| c.is_ascii_alphabetic() && letters.next().is_none())?;
        return pressed(Press::Control(letter.to_ascii_lowercase()));
    }
    match (word, every) {
        ("Type", _) => Some(Step::Type(quoted(rest)?, every)),
        ("Wait" | "Wait+Line" | "Wait+Screen", _) => {
            let place = if word == "Wait+Screen" {
                Where::Screen
            } else {
                Where::Line
            };
            let pattern = match rest {
                "" => None,
                _ => Some(rest.strip_prefix('/')?.strip_suffix('/')?.to_owned()),
            };
            Some(Step::Wait(place, every, pattern))
        }
        (_, Some(_)) => None,
        ("Hide", None) if rest.is_empty() => Some(Step::Hide),
        ("Show", None) if rest.is_empty() => Some(Step::Show),
        ("Sleep", None) => Some(Step::Sleep(duration(rest)?)),
        ("Screenshot", None) => Some(Step::Screenshot(
            rest.strip_suffix(".png").map(|_| rest.to_owned())?,
        )),
        ("Output", None) => FILMS
            .iter()
            .any(|film| rest.ends_with(film))
            .then(|| Step::Output(rest.to_owned())),
        ("Require", None) => (!rest.is_empty()).then(|| Step::Require(rest.to_owned())),
        ("Set", None) => {
            let (name, value) = rest.split_once(' ')?;
            let value = value.trim();
            let right = match name {
                "FontSize" | "Width" | "Height" | "Padding" | "Framerate" => {
                    value.parse::<u32>().is_ok()
                }
                "TypingSpeed" | "WaitTimeout" => duration(value).is_some(),
                _ => SETTINGS.contains(&name),
            };
            right.then(|| Step::Set(name.to_owned(), value.to_owned()))
        }
        _ => None,
    }
}

/// A text in one of the three kinds of quotes.
fn quoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| "\"'`".contains(*c))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote)).then(|| inner.to_owned())
}

/// `500ms`, `2s`, `20m`, or seconds without a unit.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok().filter(|number| *number >= 0.0)?;
    let seconds = match text.get(digits.len()..)? {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" => number * 60.0,
        _ => return None,
    };
    Some(Duration::from_secs_f64(seconds))
}

#[test]
fn every_command_of_the_language_is_read() {
    let tape = "\
# a comment
Output docs/demo.gif
Require flarescope
Set FontSize 17
Set WaitTimeout 30s

Type \"it's\"
Type@600ms 'a \"b\"'
Enter
Down@100ms 3
Ctrl+C
Wait
Wait+Screen@20s /a +b$/
Hide
Show
Sleep 500ms
Sleep 0.5
Set TypingSpeed 90ms
Screenshot docs/a.png
";
    let half = Duration::from_millis(500);
    assert_eq!(
        read(tape).unwrap(),
        [
            Step::Output("docs/demo.gif".into()),
            Step::Require("flarescope".into()),
            Step::Set("FontSize".into(), "17".into()),
            Step::Set("WaitTimeout".into(), "30s".into()),
            Step::Type("it's".into(), None),
            Step::Type("a \"b\"".into(), Some(Duration::from_millis(600))),
            Step::Press(Press::Enter, 1, None),
            Step::Press(Press::Down, 3, Some(Duration::from_millis(100))),
            Step::Press(Press::Control('c'), 1, None),
            Step::Wait(Where::Line, None, None),
            Step::Wait(
                Where::Screen,
                Some(Duration::from_secs(20)),
                Some("a +b$".into())
            ),
            Step::Hide,
            Step::Show,
            Step::Sleep(half),
            Step::Sleep(half),
            Step::Set("TypingSpeed".into(), "90ms".into()),
            Step::Screenshot("docs/a.png".into()),
        ]
    );
}

#[test]
fn what_is_no_vhs_is_refused_with_its_line() {
    for wrong in [
        "Home",
        "F1",
        "Types \"a\"",
        "Type a",
        "Type \"a",
        "Enter twice",
        "Sleep",
        "Sleep soon",
        "Wait+Screen a",
        "Wait+Window /a/",
        "Screenshot a.svg",
        "Output a.png",
        "Set Colour red",
        "Set Width wide",
        "Hide now",
        "Enter@",
        "Ctrl+",
        "Sleep@2s 1s",
        "Screenshot",
    ] {
        assert_eq!(
            read(&format!("\n{wrong}")),
            Err(format!("line 2: `{wrong}` is nothing that a tape can say"))
        );
    }
    assert!(
        read("Enter\nSet Width 10")
            .unwrap_err()
            .starts_with("line 2: ")
    );
}
