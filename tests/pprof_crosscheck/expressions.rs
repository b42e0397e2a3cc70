//! What an expression means: Go's own answers about hundreds of expressions and random ones, against ours.

use std::io::Write as _;
use std::process::{Command, Stdio};

use flarescope::model::query::filter::Pattern;

use super::random::Random;
use super::reference::Pprof;

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

/// Expressions that one of the two languages reads in its own way, and others beside them.
#[rustfmt::skip]
const EXPRESSIONS: &[&str] = &[
    r"[\w-.]", r"^[\w-.]+$", r"^[\s-x]$", r"^[\w-z]$", r"^[\d-x]$", r"^[\s-/]+$", r"^[\w-]+$", "a{2", "a{1,2",
    "^a{01}$", "a{2}", "^[--/]$", "^[+--]$", "[[:]", "[[:x]", "[x[:]y", r"\p{^Greek}", r"^[\p{^Greek}]$",
    r"\P{^Greek}", r"^\pL$", r"^\PL$", r"\p{Greek}", "^.$", "^[^a]$", "a.b", "(?s)^.$", "(?s)a.b", "�", r"\x{FFFD}",
    "(?m)^b$", "(?m)a$", "^a$", "a$", "(?U)a+", "(?i)K", "(?i)S", "(?i)É", "(?i)λ", r"(?i)^\w$", r"(?i)^\W$", r"^\W$",
    r"^\S$", r"^\D$", r"^\w$", "a++", "a*+", "a?+", "a**", "a{2}{3}", "a|", "|a", "(|a)b", "()", "^(|b)$", "^$",
    r"\_", r"\-", r"\ ", r"\/", r"\'", r#"\""#, r"\%", r"\@", r"\#", r"\!", r"\,", r"\;", r"\:", r"\=", r"\`", r"\~",
    r"\&", r"\<", r"\>", r"\}", r"\]", r"\1", r"\12", r"\012", r"\0", r"\8", r"\x61", r"\x{61}", r"\x6", r"\u0061",
    r"\U00000061", r"\z", r"a\z", r"\Z", r"\Aa", r"\C", r"\Qa.b\E", r"\Q", r"\Qa{2", r"\E", r"\Qa\E+b", "(?x)a b",
    "(?P<n>a)", "(?R)a", "(?u)a", "(?-u)a", "(?i-s:A)", "(?i)(?-i)A", "[[:alpha:]]", "^[[:^alpha:]]$", "^[[:word:]]$",
    "[[:foo:]]", "[[:Alpha:]]", "[:alpha:]", "[a&&b]", "^[a~~b]$", "^[a-z-[aeiou]]$", "[]a]", "[^]a]", "[]-a]", "[a",
    "(", ")", "a)", "*", "+a", "^*", r"\b*", r"\ba\b", r"\Ba", "a{1001}", "a{1000}", "(?:a{1000}){2}", "{", "{1", "}",
    "{2}", "a{2,1}", "a{,2}", "a{2,}", "a{ 2 }", "a{2 }", "(?i)[^k]", r"^[^\W]$", r"^[\W\d]$", r"[\D-x]", r"^[\W-z]$",
    r"^[\w-\d]$", r"[a-\d]", r"[!-\w]", r"[\Qa\E]", r"[\b]", r"\v", r"[\v]", r"\a", r"\e", r"\R", r"\h", r"\X", r"\G",
    r"\K", r"\N", r"\p{Letter}", r"\p{L}", r"\p{greek}", r"\p{Script=Greek}", r"\p{Latin}", r"\p{Any}",
    r"\p{Alphabetic}", r"\pZ", r"^\pC$", r"\p{Cn}", r"\pN", r"\p{Nd}", "(?#c)a", "(?=a)", "a(?!b)", "(?>a)", "(?i:a",
    "(?ii)a", "(?i-i)a", "(?-)a", "(?)a", "(?i-)a", "(?-i-i)a", "(?P<n>a)(?P<n>b)", "(?P<1>a)", "(?P<é>a)",
    "(?P<n.x>a)", "(?P=n)", r"\b{start}a", r"\b{2}", r"\<a", r"^[\<\>]$", "[[.a.]]", "[[=a=]]", "[a-c-e]", "^[a-c-]$",
    "[^^]", "^[^-]$", "[-]", "[--]", "^[---]$", "^[-a]$", "^[%--]$", "[&&]", "[a--b]", "[a-z--m]", "a\u{0}b", "\\\n",
    "(?m)^$", r"(?m)\r$", r"(?m)^\n", "$a", "a^", "(?-m)^b", "(a|b|)+$", r"(?s:.)\z", r"\x{110000}", r"\x{D800}",
    r"\777", r"\400", r"[\012]", r"[\1]", r"\00061", r"\Q\\E", r"\Q\E*", r"a\Q\E*", "(?i)ß", "", ".*.*.*=", "[é-É]",
    "[É-é]", "[\u{80}-\u{10ffff}]", r"^[^\x00-\x7F]+$", r"[^\x00-\x{10FFFF}]", r"\p{^L}", r"\p{^Lu}", r"\pL*1", r"\é",
    r"\x{1F600}", r"\p{Lu}", "(?i-s-m)a", "a|(?i)*", "a*(?i)*", "a(?i)*", "((a{1000}){0}){1000}", "(?:a{40}){26}",
    "(?:a{40}){25}", r"\PCs", r"\p{Cs}", r"[\p{Cs}]", r"[^\p{Cs}]", r"[\PCs]", r"^\B$", r"\B", r"[^\x{D800}]",
    r"[\x{D800}-\x{FFFF}]", "a(?i)b|C", "(?:(?i)a)B", r"\p", r"\p{", r"\P{^}", "(?P<a", "(?P<>a)", "(?P", "(?", "(?i",
    "(?:", "[", "[^", "[]", "[^]", "[[:x] foo:]]", "[[:alpha:]-z]", r"a*\Q\E*", r"\x{}", r"\x{0000000000041}", "a{5,",
    "x{0}", "(?s)(?-s).",
];

/// What random expressions are made of.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "b", ".", r"\w", r"\d", r"\s", r"\W", r"\S", r"\D", r"\b", r"\B", "^", "$", r"\A", r"\z", "é", "λ", "(?i:A)",
    r"\Qa.\E", r"\.", r"\-", r"\[", "{", "}", "]", "-", "_", " ", r"\n", r"\x41", r"\101", r"\pL", r"\PL", r"\pN",
    r"\p{Greek}", r"\P{^Lu}", "[[:alpha:]]", "[[:^digit:]]", "(?i)", "(?s)", "(?m)", "(?-i)", "(?U)", "(?i-i)", "()",
    "(?:)", r"\Q\E", "<", r"\<", "&", "~", "K", "s", "(", ")", "(?", "(?:", "(?P<x>", "|", "[", "[^", r"\", r"\p{L",
    r"\x{", "{1", "{2}", "{1,2}", "*", "+", "?", "*?", "{,2}", "{01}", "{1001}", "^*", r"\1", r"\12", "\n",
];
#[rustfmt::skip]
const IN_CLASSES: &[&str] = &[
    "a", "b", "z", "A", "-", "-", "0-9", "a-z", r"\w", r"\d", r"\s", r"\W", r"\D", "q", "]", "^", "&", "&&", "~~",
    "--", "[", "[:", "[:alpha:]", "[:^space:]", ".", r"\]", r"\-", "é", ":", r"\pL", r"\P{Greek}", r"\x41", "/", "!",
    r"\n", r"\Q", r"\b",
];
#[rustfmt::skip]
const COUNTS: &[&str] = &[
    "", "", "", "", "", "", "", "", "*", "+", "?", "*?", "{2}", "{1,2}", "{1,}", "{,2}", "{a",
];

/// The answers of Go: `None` for an expression that it refuses, else whether each name has it.
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
            0..3 if depth < 2 => {
                expression += "(";
                expression += random.of(&["", "?:", "?P<n>", "?i:", "?s-m:", "?-i:", "?U:", "?m:"]);
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

#[test]
fn an_expression_is_found_where_go_finds_it_and_refused_where_go_refuses_it() {
    if Pprof::find().is_none() {
        return;
    }
    let mut random = Random::new(20);
    let mut expressions: Vec<String> = EXPRESSIONS
        .iter()
        .map(|&expression| expression.to_owned())
        .collect();
    expressions.extend((0..RANDOM).map(|_| random_expression(&mut random, 0)));
    let answers = answers(&expressions);
    assert_eq!(answers.len(), expressions.len());
    let (mut found, mut refused) = (0, 0);
    for (expression, theirs) in expressions.iter().zip(answers) {
        let ours = Pattern::new(expression);
        match theirs {
            Some(theirs) => {
                let ours =
                    ours.unwrap_or_else(|fault| panic!("Go takes {expression:?}, but: {fault}"));
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
            None => {
                let fault = ours
                    .err()
                    .unwrap_or_else(|| panic!("Go refuses {expression:?}"));
                let told = fault.to_string();
                assert!(
                    !told.contains(char::is_control) && told.chars().count() < 220,
                    "{told:?}"
                );
                refused += 1;
            }
        }
    }
    assert!(
        found > 1_000 && refused > 1_000,
        "{found} were taken, {refused} refused"
    );
}

/// Rows that `go tool pprof` 1.19 leaves of a profile with a function for each of the first 81 names.
#[test]
fn the_reference_s_own_figures_are_ours() {
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
