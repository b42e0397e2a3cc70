//! Tag filters of every form, and frames that a producer wants dropped or kept, where the two could differ.

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::view::View;
use flarescope::model::profile::Profile;

use super::check::{Compared, Options, ask, check, filters, in_file};
use super::labels::GRANULARITIES;
use super::reference::Pprof;
use super::wire::{Function, Tag, Writer};

/// The tags of each record.
#[rustfmt::skip]
const RECORDS: [&[(&str, Tag<'_>)]; 39] = [
    &[("kind", Tag::Text("slow"))],
    &[("kind", Tag::Text("fast"))],
    &[("kind", Tag::Text("slow")), ("kind", Tag::Text("fast"))],
    &[("bytes", Tag::Number(4096, "bytes"))],
    &[("bytes", Tag::Number(4, "kilobytes"))],
    &[("bytes", Tag::Number(1 << 20, "bytes"))],
    &[("request", Tag::Number(8192, ""))],
    &[("offset", Tag::Number(2, "seconds"))],
    &[("offset", Tag::Number(1500, "milliseconds"))],
    &[("", Tag::Text("x"))],
    &[("", Tag::Number(5, ""))],
    &[("a=b", Tag::Text("c"))],
    &[("k", Tag::Text("a,b"))],
    &[("k", Tag::Text("4kb"))],
    &[("k", Tag::Text(""))],
    &[("z", Tag::Number(0, ""))],
    &[("z", Tag::Number(0, "bytes"))],
    &[("neg", Tag::Number(-5, "bytes"))],
    &[("neg", Tag::Number(-4096, "bytes"))],
    &[("g", Tag::Number(5, "GCU"))],
    &[("g2", Tag::Number(5, "kGCU"))],
    &[("g3", Tag::Number(5, "kiloGCU"))],
    &[("big", Tag::Number(i64::MAX, "bytes"))],
    &[("big", Tag::Number(i64::MIN, "bytes"))],
    &[("t", Tag::Number(3, "hours"))],
    &[("t", Tag::Number(3, "days"))],
    &[("w", Tag::Number(5, "widgets"))],
    &[("cnt", Tag::Number(5, "count"))],
    &[("m", Tag::Number(1, "minutes"))],
    &[("u", Tag::Number(7, "µs"))],
    &[("u", Tag::Number(7, "μs"))],
    &[("thread id", Tag::Number(7, ""))],
    &[],
    &[("b", Tag::Number(5, "Bytes"))],
    &[("b", Tag::Number(5, "KiB"))],
    &[("q", Tag::Number(1, "bytes")), ("q", Tag::Number(2, ""))],
    &[("kind", Tag::Text("slow")), ("bytes", Tag::Number(4096, "bytes"))],
    &[("bytes", Tag::Number(5, "")), ("bytes", Tag::Number(5, "seconds"))],
    &[("alignment", Tag::Number(16, ""))],
];

#[rustfmt::skip]
const TAGS: &[&str] = &[
    "slow", "kind=slow", "=slow", "kind=", "kind", "kind:", "^kind:slow$", "kind=^slow$", "kind=slow,fast",
    "kind:slow,kind:fast", "slow,", "=", "==", "=5", "=4kb:", "=slow,fast", "a=b=c", "4kb", "bytes=4kb", "4kb:", "4kb:1mb",
    ":4kb", "bytes=4kb:8kb", "4096:", "4096", "1:10", "5", "+5", "-5", "-5:", "-5:5", "-5b:", ":-1b", "-4kb", "z=0", "z=0b",
    "0", "offset=1s:2s", "offset=:1s", "1s:5kb", "g=5", "g=5gcu", "5gcu:", "g2=5kgcu", "g2=5", "g3=5kilogcu", "g3=5000gcu",
    "1gcu:", "big=9223372036854775807", "big=-9223372036854775808", "t=3hours", "t=10800s", "t=3days", "w=5widgets", "w=5",
    "5widgets", "cnt=5", "cnt=5count", "m=60s", "m=1minutes", "u=7us", "u=7", "thread id=7", "7", "b=5", "b=5B", "b=5kib",
    "q=1", "q=2", "q=1:2", "request=8kb", "k=a,b", "k=^$", "k=4kb", "k:4kb", "1:2:3", "::", ":5:", "5:3", "12-14", "^$",
    "5minimum", "5auto", "cnt=5auto", "bytes=5auto:", "alignment=16b", "16", "x", "=x",
    r"kind=\p{L}{4}", "kind=SLOW", "kind=(?i)SLOW",
];

pub(crate) fn tags_of_every_form_are_told_apart_alike() {
    let pprof = Pprof::find();
    let mut w = Writer::new(&[("n", "count")]);
    w.function(1, &Function("main", "main", "m.go", 0));
    w.location(1, 0, 0, &[(1, 1)], false);
    for (at, tags) in RECORDS.iter().enumerate() {
        // A bit each: the sum tells which are there.
        w.sample(&[1], &[1 << at], tags);
    }
    let sets: Vec<Options> = TAGS
        .iter()
        .flat_map(|tag| ["tagfocus", "tagignore"].map(|option| vec![(option, (*tag).to_owned())]))
        .collect();
    assert!(
        sets.iter().all(|set| filters(set).is_some()),
        "one of them is refused"
    );
    let bytes = w.finish();
    let compared = checked(&pprof, bytes.clone(), &sets, "tags");
    assert!(compared.filtered > 100, "{compared:?}");
    // Where nothing is left, the reference makes no table: it must be nothing here, too.
    let profile = formats::read(bytes.as_slice(), "tags").unwrap();
    let file = in_file(&bytes);
    let mut session = pprof.session([file.path()]);
    for set in &sets {
        let mut question = ask(&profile, 0, "functions", "top");
        question.options.extend(set.iter().cloned());
        session.ask(&question);
    }
    let reports = session.run();
    for (number, set) in sets.iter().enumerate() {
        let view = View {
            filters: filters(set).unwrap(),
            ..View::new(&profile)
        };
        let theirs = reports
            .table(number)
            .map_or(0, |table| i128::from(table.shown));
        assert_eq!(read(&profile, &view).unwrap().shown, theirs, "{set:?}");
    }
}

pub(crate) fn frames_are_dropped_and_kept_alike() {
    let pprof = Pprof::find();
    let names = [
        "main",
        "work",
        "runtime.malloc",
        "runtime.gc2",
        "x-y",
        "(x)",
        "a(int)",
        "λ",
        "(anonymous namespace)::go()",
    ];
    for (drop, keep) in [
        (r"runtime\.\p{L}+", ""),
        (r"runtime\.[\w-.]+", ""),
        (r"[\w-.]+", "main|work"),
        (r"runtime\..*", "("),
        ("(", "work"),
        ("", "work"),
        ("a)|(x-y", ""),
        (".*", "main|work"),
        ("|a", ""),
        ("x{1,2}|a{2|x-y", ""),
        (r"\p{Greek}", ""),
    ] {
        let mut w = Writer::new(&[("n", "count")]);
        w.named(7, drop);
        w.named(8, keep);
        for (id, name) in (1..).zip(names) {
            w.function(id, &Function(name, name, "m.go", 0));
            w.location(id, 0, 0, &[(id, 1)], false);
        }
        w.location(20, 0, 0, &[(3, 1), (2, 2)], false);
        for id in 3..=9 {
            w.sample(&[id, 2, 1], &[1 << id], &[]);
            w.sample(&[2, id, 2, 1], &[1 << (id + 10)], &[]);
            w.sample(&[id, 20, 1], &[1 << (id + 20)], &[]);
        }
        checked(
            &pprof,
            w.finish(),
            &[Options::new()],
            &format!("{drop} but {keep}"),
        );
    }
}

fn checked(pprof: &Pprof, bytes: Vec<u8>, sets: &[Options], what: &str) -> Compared {
    let profile: Profile = formats::read(bytes.as_slice(), what).unwrap();
    let compared = check(
        pprof,
        in_file(&bytes).path(),
        &profile,
        sets,
        &GRANULARITIES[..1],
        what,
    );
    assert!(compared.tables > 0, "{what}");
    compared
}
