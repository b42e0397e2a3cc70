//! What an expression matches: Go's own answers about hundreds of expressions and random ones, against ours.

use std::io::Write as _;
use std::process::{Command, Stdio};

use flarescope::model::query::filter::Pattern;

use super::random::Random;

/// Says in which names Go finds an expression: the reference hands its expressions to the same library.
const PROGRAM: &str = include_str!("expressions.go");
/// How many random expressions are tried.
const RANDOM: usize = 4_000;

/// Names in which the expressions are looked for, of which some are no text.
#[rustfmt::skip]
const NAMES: &[&[u8]] = &[
    b"a", b"aa", b"aaa", b"ab", b"b", b"a.b", b"a-b", b"a_b", b"a b", b"A", b"\xc3\xa9", b"\xc3\x89", b"k",
    b"\xe2\x84\xaa", b"s", b"\xc5\xbf", b"a{2", b"a{01}", b"a{2}", b"a{1,2", b"[", b"]", b"[:", b"x[:y", b"-", b".",
    b"/", b"`", b"!", b"\x0a", b"a\x0ab", b"b\x0aa", b"\x09", b"a\\b", b"_", b"-x", b"main", b"pkg.(*T).Run",
    b"\xce\xbb", b"\xce\x9b", b"\xce\xb1", b"1", b"\xd9\xa3", b"a+", b"{", b"}", b"{1", b"<init>", b"init", b"a&b",
    b"&", b"~", b"^", b"$", b"a$", b"ac", b"abc", b"\xff", b"a\xffb", b"\xef\xbf\xbd", b"a\x0d\x0ab", b"x=1", b"#",
    b"%", b"@", b"'", b"\"", b"(", b")", b"*", b"?", b",", b";", b":", b"~~", b"--", b"\x0b", b"\x00z", b"0", b"9z",
    b"\xc3\xa91", b"", b"a\xc3\xa9b", b"\xe2\x82A", b"\xed\xa0\x80", b"\xc3\x9f", b"\xf0\x9f\x98\x80", b"aaaa",
    b"a\xe9", b"\xcd\xb8", b"Stra\xc3\x9fe",
];

/// Expressions that the two languages read in different ways, and others beside them.
#[rustfmt::skip]
const EXPRESSIONS: &[&str] = &[
    r"[\w-.]", r"^[\w-.]+$", r"^[\s-x]$", r"^[\w-z]$", r"^[\d-x]$", r"^[\s-/]+$", r"^[\w-]+$", "a{2", "a{1,2",
    "^a{01}$", "a{2}", "^[--/]$", "^[+--]$", "[[:]", "[[:x]", "[x[:]y", r"^\pL$", r"^\PL$", r"\p{Greek}", "^.$",
    "^[^a]$", "a.b", "(?s)^.$", "(?s)a.b", "�", r"\x{FFFD}", "(?m)^b$", "(?m)a$", "^a$", "a$", "(?U)a+", "(?i)K",
    "(?i)S", "(?i)É", "(?i)λ", r"(?i)^\w$", r"(?i)^\W$", r"^\W$", r"^\S$", r"^\D$", r"^\w$", "a|", "|a", "(|a)b",
    "()", "^(|b)$", "^$", r"\_", r"\-", r"\/", r"\'", r#"\""#, r"\%", r"\@", r"\#", r"\!", r"\,", r"\;", r"\:", r"\=",
    r"\`", r"\~", r"\&", r"\<", r"\>", r"\}", r"\]", r"\x61", r"\x{61}", r"a\z", r"\Aa", r"\Qa.b\E", r"\Q", r"\Qa{2",
    r"\Qa\E+b", "(?P<n>a)", "(?i-s:A)", "(?i)(?-i)A", "[[:alpha:]]", "^[[:^alpha:]]$", "^[[:word:]]$", "[:alpha:]",
    "[a&&b]", "^[a~~b]$", "^[a-z-[aeiou]]$", "[]a]", "[^]a]", "[]-a]", "^*", r"\b*", r"\ba\b", r"\Ba", "a{1000}", "{1",
    "}", "{", "a{,2}", "a{2,}", "a{ 2 }", "a{2 }", "(?i)[^k]", r"^[^\W]$", r"^[\W\d]$", r"[\D-x]", r"^[\W-z]$",
    r"^[\w-\d]$", r"\v", r"[\v]", r"\a", r"\p{L}", r"\p{Latin}", r"\pZ", r"\pN", r"\p{Nd}", r"^[\<\>]$", "[a-c-e]",
    "^[a-c-]$", "[^^]", "[^-]", "[-]", "[--]", "^[---]$", "^[-a]$", "^[%--]$", "[&&]", "[a-z--m]",
    "a\u{0}b", "(?m)^$", r"(?m)\r$", r"(?m)^\n", "$a", "a^", "(?-m)^b", "(a|b|)+$", r"(?s:.)\z", r"\Q\\E", "(?i)ß",
    "", ".*.*.*=", "[É-é]", "[\u{80}-\u{10ffff}]", r"^[^\x00-\x7F]+$", r"[^\x00-\x{10FFFF}]", r"\pL*1", r"\x{1F600}",
    r"\p{Lu}", "(?:a{40}){25}", r"^\B$", r"\B", "a(?i)b|C", "(?:(?i)a)B", "[[:alpha:]-z]", "x{0}",
    "(?s)(?-s).", "{{closure}}", r"^{closure}#\d+$", "[^[]", r"[\]]", r"[\[\]]", r"[\^a]", r"\w+\.\(\*\w\)\.Run",
    r"^pkg\.", "main|init", r"^(?:a|b)+?$", r"[[:alpha:][:digit:]_]+", r"[\p{L}\d-]+$", r"[\x{61}-\x63]", r"[\t-\r]",
];

/// What random expressions are made of: what people write, and nothing that only one of the two languages takes.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "b", ".", r"\w", r"\d", r"\s", r"\W", r"\S", r"\D", r"\b", r"\B", "^", "$", r"\A", r"\z", "é", "λ", "(?i:A)",
    r"\Qa.\E", r"\.", r"\-", r"\[", "{", "}", "]", "-", "_", " ", r"\n", r"\x41", r"\x{3BB}", r"\pL", r"\PL", r"\pN",
    r"\p{Greek}", r"\P{Lu}", "[[:alpha:]]", "[[:^digit:]]", "()", "(?:)", "<", r"\<", "&", "~", "K", "s", "{a", "{,2}",
    "{01}", "\n",
];
/// Flags for the rest of a group: nothing can repeat them.
const FLAGS: &[&str] = &["(?i)", "(?s)", "(?m)", "(?-i)", "(?U)", "(?i-s)"];
#[rustfmt::skip]
const IN_CLASSES: &[&str] = &[
    "a", "b", "z", "A", "-", "-", "0-9", "a-z", r"\w", r"\d", r"\s", r"\W", r"\D", "q", "^", "&", "&&", "~~", "--",
    "[", "[:", "[:alpha:]", "[:^space:]", ".", r"\]", r"\-", "é", ":", r"\pL", r"\P{Greek}", r"\x41", "/", "!", r"\n",
    r"\<",
];
#[rustfmt::skip]
const COUNTS: &[&str] = &[
    "", "", "", "", "", "", "", "", "*", "+", "?", "*?", "{2}", "{1,2}", "{1,}", "{,2}", "{a",
];

/// Returns Go's answers: `None` for an expression that it refuses, else whether each name has it.
fn answers(expressions: &[String]) -> Vec<Option<Vec<bool>>> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("expressions.go");
    std::fs::write(&program, PROGRAM).unwrap();
    let digits = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let names: Vec<String> = NAMES.iter().map(|name| digits(name)).collect();
    let mut asked = names.join(" ") + "\n";
    expressions
        .iter()
        .for_each(|expression| asked += &(digits(expression.as_bytes()) + "\n"));
    let mut child = Command::new("go")
        .arg("run")
        .arg(&program)
        .env("GOCACHE", folder.path().join("cache"))
        .env("GOFLAGS", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Written beside the reading: the answers fill the pipe before all is asked.
    let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    lines
        .lines()
        .map(|line| (line != "refused").then(|| line.chars().map(|c| c == '1').collect()))
        .collect()
}

fn random_expression(random: &mut Random, depth: usize) -> String {
    let mut expression = if random.once_in(4) {
        "^".to_owned()
    } else {
        String::new()
    };
    for _ in 0..=random.below(5) {
        match random.below(20) {
            8 => {
                expression += random.of(FLAGS);
                continue;
            }
            0..3 if depth < 2 => {
                expression += "(";
                match random.of(&["", "?:", "?P", "?i:", "?s-m:", "?-i:", "?U:", "?m:"]) {
                    // Go takes a name twice.
                    "?P" => expression += &format!("?P<n{}>", random.below(1 << 30)),
                    open => expression += open,
                }
                expression += &random_expression(random, depth + 1);
                expression += ")";
            }
            0..8 => {
                expression += random.of(&["[", "[^"]);
                (0..=random.below(4)).for_each(|_| expression += random.of(IN_CLASSES));
                expression += "]";
            }
            _ => expression += random.of(PIECES),
        }
        expression += random.of(COUNTS);
    }
    if random.once_in(5) && depth < 3 {
        expression += "|";
        expression += &random_expression(random, depth + 1);
    }
    if random.once_in(4) {
        expression += "$";
    }
    expression
}

pub(crate) fn an_expression_is_found_where_go_finds_it() {
    let mut random = Random::new(20);
    let mut expressions: Vec<String> = EXPRESSIONS
        .iter()
        .map(|&expression| expression.to_owned())
        .collect();
    expressions.extend((0..RANDOM).map(|_| random_expression(&mut random, 0)));
    let answers = answers(&expressions);
    assert_eq!(answers.len(), expressions.len());
    let mut found = 0;
    for (at, (expression, theirs)) in expressions.iter().zip(answers).enumerate() {
        let Some(theirs) = theirs else {
            assert!(at >= EXPRESSIONS.len(), "Go refuses {expression:?}");
            continue;
        };
        let ours = Pattern::new(expression)
            .unwrap_or_else(|error| panic!("Go takes {expression:?}, but: {error}"));
        for (name, theirs) in NAMES.iter().zip(theirs) {
            assert_eq!(
                ours.matches(name),
                theirs,
                "{expression:?} on {:?}",
                name.escape_ascii().to_string()
            );
        }
        found += 1;
    }
    assert!(found > 2_000, "Go took {found} only");
}

/// Rows that `go tool pprof` 1.19 leaves of a profile with a function for each of the first 81 names.
pub(crate) fn the_reference_s_own_figures_are_ours() {
    for (expression, rows) in [
        (r"\p{L}", 43),
        (r"\p{Lu}", 5),
        (r"\p{Greek}", 3),
        (r"\p{Any}", 81),
        (r"^[\s-x]$", 3),
        (r"^[\s-/]+$", 5),
        (r"^[^\s-x]$", 43),
        (r"^[--/]$", 3),
        (r"[a-z--m]", 53),
        (r"^.$", 45),
    ] {
        let pattern = Pattern::new(expression).unwrap();
        assert_eq!(
            NAMES[..81]
                .iter()
                .filter(|name| pattern.matches(name))
                .count(),
            rows,
            "{expression}"
        );
    }
}
