//! Holds tests to facts: no assertion compares with a sentence of the program, and each accepted wording has its test.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Sentences that are not the program's: where they stand, how they begin, and whose they are.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "tests/architecture.rs",
        "let x = ",
        "code that the guard of the rooms reads",
    ),
    (
        "docs/licences.rs",
        "MIT AND",
        "a licence expression that is read",
    ),
    (
        "tape/language.rs",
        "line 2: ",
        "the refusal of a tape, which this test program itself reads",
    ),
];

/// How many words make a sentence.
const SENTENCE: usize = 4;

/// Calls whose text is looked for, and how many arguments of each are compared.
const COMPARED: &[(&str, usize)] = &[
    ("assert!(", 1),
    ("assert_eq!(", 2),
    ("assert_ne!(", 2),
    (".contains(", 1),
    (".starts_with(", 1),
    (".ends_with(", 1),
    (".shows(", 1),
    (".has(", 1),
    (".wait_for(", 1),
    (".wait_for_row(", 1),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Lists the sources below a folder, with their texts.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut left = vec![root().join(folder)];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let place = path.strip_prefix(root()).unwrap().display().to_string();
            found.push((place, fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// Lists the tests: all of `tests/`, and what stands behind `#[cfg(test)]` in `src/`.
fn tests() -> Vec<(String, String)> {
    let mut all = sources("tests");
    all.extend(sources("src").into_iter().filter_map(|(place, text)| {
        let is_test = place.ends_with("tests.rs");
        let at = if is_test {
            0
        } else {
            text.find("#[cfg(test)]\nmod tests")?
        };
        Some((place, text[at..].to_owned()))
    }));
    all
}

/// Splits a source: itself with comments and the contents of strings blanked, and where those contents are.
fn split(source: &str) -> (String, Vec<Range<usize>>) {
    let bytes = source.as_bytes();
    let (mut code, mut strings) = (bytes.to_vec(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source.as_bytes()[at..];
        let end_of = |marker: &str, from: usize| {
            source
                .get(from..)
                .and_then(|text| text.find(marker))
                .map_or(bytes.len(), |end| from + end)
        };
        let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
        if rest.starts_with(b"//") {
            let end = end_of("\n", at);
            code[at..end].fill(b' ');
            at = end;
        } else if rest[0] == b'r' && rest.get(1 + hashes) == Some(&b'"') {
            let start = at + hashes + 2;
            let end = end_of(&format!("\"{}", "#".repeat(hashes)), start);
            code[start..end].fill(b' ');
            strings.push(start..end);
            at = end + 1 + hashes;
        } else if rest[0] == b'"' {
            let start = at + 1;
            let mut end = start;
            while end < bytes.len() && bytes[end] != b'"' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            code[start..end].fill(b' ');
            strings.push(start..end);
            at = end + 1;
        } else if rest.starts_with(b"'\"'") || rest.starts_with(b"'('") || rest.starts_with(b"')'")
        {
            code[at..at + 3].fill(b' ');
            at += 3;
        } else if rest.starts_with(b"'\\") {
            let end = end_of("'", at + 3) + 1;
            code[at..end].fill(b' ');
            at = end;
        } else {
            at += 1;
        }
    }
    (String::from_utf8(code).unwrap(), strings)
}

/// Finds the end of a call's first arguments.
fn end_of_arguments(code: &str, from: usize, count: usize) -> usize {
    let (mut depth, mut left) = (0_usize, count);
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                left -= 1;
                if left == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Lists the sentences that a source compares with what the program says. What a test has itself put in is none of them:
/// keys to press, and what stands outside of assertions as well, such as a name or the message of a made-up failure.
fn compared(source: &str) -> Vec<&str> {
    let (code, strings) = split(source);
    let mut found: Vec<&Range<usize>> = Vec::new();
    for (call, count) in COMPARED {
        for (at, _) in code.match_indices(call) {
            let start = at + call.len();
            let end = end_of_arguments(&code, start, *count);
            let inside = |one: &&Range<usize>| start <= one.start && one.end <= end;
            found.extend(strings.iter().filter(inside));
        }
    }
    found.sort_by_key(|one| one.start);
    found.dedup();
    let is_own = |text: &str| {
        let mut others = strings.iter().filter(|one| !found.contains(one));
        others.any(|one| {
            source
                .get((*one).clone())
                .is_some_and(|other| other.contains(text))
        })
    };
    let are_keys = |one: &Range<usize>| code[..one.start].ends_with(".press(\"");
    let texts = found.iter().filter(|one| !are_keys(one));
    let texts = texts.filter_map(|one| source.get((*one).clone()));
    texts
        .filter(|text| is_sentence(text) && !is_own(text))
        .collect()
}

fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', '.', ':', ';', '?', '!']);
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'))
    };
    text.split_whitespace().filter(is_word).count() >= SENTENCE
}

#[test]
fn no_assertion_compares_with_a_sentence() {
    let mut found = Vec::new();
    let mut used = vec![false; ALLOWED.len()];
    for (place, text) in tests() {
        for sentence in compared(&text) {
            let allowed = ALLOWED
                .iter()
                .position(|(file, begin, _)| place.ends_with(file) && sentence.starts_with(begin));
            match allowed {
                Some(at) => used[at] = true,
                None => found.push(format!("{place}: {sentence}")),
            }
        }
    }
    assert!(
        found.is_empty(),
        "a fact, or `wording!`, in place of\n{}",
        found.join("\n")
    );
    assert!(
        used.iter().all(|used| *used),
        "allowed and not there: {used:?}"
    );
}

#[test]
fn every_accepted_wording_has_its_test() {
    let tests = tests();
    let has_test = |name: &str| {
        let (program, test) = name.split_once('-')?;
        let folder = if program == "flarescope" {
            "src/".to_owned()
        } else {
            format!("tests/{program}")
        };
        let head = format!("fn {test}()");
        let mut bodies = tests
            .iter()
            .filter(|(place, _)| place.starts_with(&folder))
            .filter_map(|(_, text)| text.split(&head).nth(1));
        let body = bodies.next()?;
        // Names are those of files, so there is one test of each.
        (bodies.next().is_none() && body.split("#[test]").next()?.contains("wording!()"))
            .then_some(())
    };
    let mut unknown: Vec<PathBuf> = fs::read_dir(root().join("tests/wording"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // What a failed test has just written for the reviewer is named `.snap.new`.
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "snap")
        })
        .collect();
    assert!(unknown.len() > 100, "the snapshots are elsewhere");
    unknown.retain(|path| has_test(&path.file_stem().unwrap().to_string_lossy()).is_none());
    assert!(unknown.is_empty(), "no test names {unknown:#?}");
}

#[test]
fn the_search_for_sentences_sees_what_it_must() {
    let text = r##"
        // assert!(text.contains("a comment is no assertion at all"));
        let free = "this is said nowhere by the program";
        assert!(text.contains("four words are enough"), "but a message may be long");
        assert_eq!(text, r#"raw ones are "seen" too"#);
        terminal.wait_for("what is waited for counts");
        session.fail("this failure is made up");
        assert_eq!(session.notice(), "this failure is made up");
        assert!(session.press("j k l m n").is_empty());
        assert!(text.contains("three words only") && text.contains("a.js b.js c.js d.js"));
    "##;
    assert_eq!(
        compared(text),
        [
            ["four", "words", "are", "enough"].join(" "),
            ["raw", "ones", "are", "\"seen\"", "too"].join(" "),
            ["what", "is", "waited", "for", "counts"].join(" "),
        ]
    );
}
