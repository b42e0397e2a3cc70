use crate::model::query::filter::{Pattern, compile};
use crate::model::query::go_syntax::translate;

#[test]
fn an_expression_means_what_it_means_to_go() {
    for (expression, matching, other) in [
        (r"^\w+$", "fetch_1", "обработать"),
        (r"^\W+$", "обработать", "fetch"),
        (r"^\d$", "7", "٣"),
        (r"^[\w.]+$", "a.b", "é"),
        (r"^[\W]$", "é", "a"),
        (r"^\Qa.b(c\E$", "a.b(c", "axb(c"),
        (r"\Q{closure}", "{closure}", "closure"),
        (r"^{closure}#1$", "{closure}#1", "closure#1"),
        (r"^a{2}$", "aa", "a{2}"),
        (r"^a{,2}$", "a{,2}", "aa"),
        (r"^a{01}$", "a{01}", "a"),
        (r"^a{1,2", "a{1,2", "a"),
        (r"^{1", "{1", "1"),
        (r"^[[]x]?$", "[x]", "x"),
        (r"^[]a]+$", "]a", "b"),
        (r"^[a&&b]+$", "a&b", "c"),
        (r"^[a~~b]$", "~", "c"),
        (r"^[[:]x[:y]$", ":xy", "ax["),
        (r"^[[:alpha:]]+$", "Ab", "1"),
        (r"^[[:^alpha:]]+$", "1é", "a"),
        (r"^\<init\>$", "<init>", "init"),
        (r"\bmain\b", "a main b", "mainly"),
        (r"^a\B", "aa", "aé"),
        (r"\B", "aa", "aéb"),
        (r"[^\s]", "x", " "),
        (r"^(?i)PARSE", "parse", "xparse"),
        (r"^[\s-x]$", "-", "a"),
        (r"^[\w-.]+$", "a-b.c", "a/b"),
        (r"^[--/]$", ".", ","),
        (r"^[a-z--m]$", "G", ","),
        (r"^[a-c-e]$", "-", "d"),
        (r"^\p{Greek}\p{^Greek}\PL$", "λa1", "aλ1"),
        (r"^[\p{^Greek}]$", "a", "λ"),
        (r"^[\P{Lu}]$", "a", "A"),
        (r"^\pC$", "\u{7}", "\u{378}"),
        (r"^\x{1F600}\x41\101\012$", "😀AA\n", "😀aa\n"),
        (r"^\x{D800}?a$", "a", "\u{d7ff}a"),
        (r"^[\x{D800}-\x{E001}]$", "\u{e000}", "\u{d7ff}"),
        (r"(?)a", "a", "b"),
        (r"(?ii)a", "A", "b"),
        (r"(?i-i)a", "a", "A"),
        (r"^a(?i)*$", "aa", "AA"),
        (r"^(?:a(?i)b|C)$", "c", "A"),
        (r"^(?:(?i)a)B$", "AB", "ab"),
        (r"^a*(?m)*$", "aaa", "b"),
        (r"^(?P<n>a)(?P<n>b)(?P<1>c)$", "abc", "ab"),
        (r"(?m)^b$", "a\nb\nc", "a\nbc"),
        (r"a$", "a", "a\n"),
        (r"^.$", "\r", "\n"),
        (r"(?s)^.$", "\n", ""),
        (r"^(|b)$", "b", "c"),
        (r"^((a{1000}){0}){1000}$", "", "a"),
    ] {
        let regex = compile(expression).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(regex.is_match(matching), "{expression} on {matching}");
        assert!(!regex.is_match(other), "{expression} on {other}");
    }
}

#[test]
fn what_go_refuses_is_refused_in_one_sentence() {
    for (expression, what, at) in [
        ("(", "`(` is never closed", 1),
        ("é(a|(b)", "`(` is never closed", 2),
        ("a)", "`)` closes nothing", 2),
        ("[a", "`[` is never closed", 1),
        ("[a-", "`[` is never closed", 1),
        ("[]", "`[` is never closed", 1),
        (r"a\", "a backslash at the end escapes nothing", 2),
        ("*", "there is nothing before `*` to repeat", 1),
        ("a|{2,}?", "there is nothing before `{2,}?` to repeat", 3),
        ("a++", "`+` follows another repetition", 3),
        ("a**(", "`*` follows another repetition", 3),
        ("a{2}{3}", "`{3}` follows another repetition", 5),
        ("a{1001}", "a count goes to 1000", 2),
        ("a{99999999999}", "a count goes to 1000", 2),
        ("a{2,1}", "a count ends below where it begins", 2),
        (
            "(?:a{40}){26}",
            "counts go to 1000 here, nested ones multiplied",
            10,
        ),
        (r"\1", r"`\1` stands for nothing", 1),
        (r"\u0061", r"`\u` stands for nothing", 1),
        (r"\é", r"`\é` stands for nothing", 1),
        (r"\C", r"`\C` stands for nothing", 1),
        (r"\x{110000}", r"`\x{110000` stands for nothing", 1),
        (r"[\Qa\E]", r"`\Q` stands for nothing", 2),
        (r"[!-\w]", r"`\w` stands for nothing", 4),
        ("[z-a]", "the range `z-a` runs backwards", 2),
        ("[[:foo:]]", "`[:foo:]` is no class", 2),
        ("[[:Alpha:]]", "`[:Alpha:]` is no class", 2),
        (r"\p{greek}", r"`\p{greek}` is no category and no script", 1),
        (
            r"\p{Letter}",
            r"`\p{Letter}` is no category and no script",
            1,
        ),
        (r"\p{Lu", "`{` is never closed", 3),
        ("(?x)a", "`(?x` is no group and no flags of `imsU`", 1),
        ("(?i-)a", "`(?i-)` is no group and no flags of `imsU`", 1),
        ("(?=a)", "`(?=` is no group and no flags of `imsU`", 1),
        (
            "(?P<n.x>a)",
            "a group's name is of letters, digits and `_`",
            1,
        ),
        ("(?P<n", "a group's name is of letters, digits and `_`", 1),
    ] {
        let fault = translate(expression).unwrap_err();
        assert_eq!((fault.what.as_str(), fault.at), (what, at), "{expression}");
    }
}

#[test]
fn depth_and_size_have_limits() {
    let deep = |depth: usize| format!("{}a{}", "(b*".repeat(depth), ")+".repeat(depth));
    assert!(Pattern::new(&deep(100)).unwrap().matches(b"a"));
    for (expression, part) in [
        (
            deep(101),
            "groups lie in each other more than 100 deep, at character 301",
        ),
        (
            format!("a{}", "*(?i)".repeat(300)),
            "repeated more than 100 times over",
        ),
        (
            format!(
                "{}a{}",
                "(b|c".repeat(90),
                ")*(?i)*(?i)*(?i)*(?i)*".repeat(90)
            ),
            "parts of it lie too deep in each other",
        ),
        (
            r"(?:\pL{500}){2}\pL{1000}".to_owned(),
            "matching it would take more than 10 MiB",
        ),
    ] {
        let told = Pattern::new(&expression).unwrap_err().to_string();
        assert!(told.contains(part), "{told}");
        assert!(
            told.chars().count() < 200 && told.lines().count() == 1,
            "{told}"
        );
    }
}
