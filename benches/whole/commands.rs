//! Commands that end by themselves: time on the clock and on the processors, from start to end.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Inputs, PROGRAM, found, median, text};

/// How often each is run; programs take turns, so that all meet the same machine.
const RUNS: usize = 7;
/// Clock ticks a second in what Linux tells of a process.
pub(crate) const TICKS: f64 = 100.0;

/// What is done, with which command, and with which one else.
struct Task {
    what: &'static str,
    ours: Vec<String>,
    peer: Option<Vec<String>>,
}

/// Runs the tasks and prints their table.
pub(crate) fn measure(inputs: &Inputs) {
    let out = tempfile::tempdir().expect("a folder for exports");
    let file = |name: &str| text(&out.path().join(name)).to_owned();
    let (one, other) = (text(&inputs.pprof), text(&inputs.other));
    let ours = |arguments: &[&str]| words(&[&[PROGRAM], arguments].concat());
    let pprof = |arguments: &[&str]| {
        found("go")?;
        Some(words(
            &[
                &["go", "tool", "pprof", "-symbolize=none"],
                arguments,
                &[one],
            ]
            .concat(),
        ))
    };
    let export = |format: &str| {
        ours(&[
            "export",
            one,
            "--to",
            format,
            "-o",
            &file(format),
            "--force",
        ])
    };
    let opened = ours(&["top", one, "-n", "20"]);
    let tasks = [
        Task {
            what: "table",
            ours: opened.clone(),
            peer: pprof(&["-top", "-nodecount=20"]),
        },
        Task {
            what: "pprof export",
            ours: export("pprof"),
            peer: pprof(&["-proto", &format!("-output={}", file("proto"))]),
        },
        Task {
            what: "SVG export",
            ours: export("svg"),
            peer: None,
        },
        Task {
            what: "folded export",
            ours: export("folded"),
            peer: None,
        },
        Task {
            what: "comparison; beside it opening one",
            ours: ours(&["diff", one, other, "-n", "20"]),
            peer: Some(opened),
        },
    ];
    println!("| command | ours: clock, CPU | other: clock, CPU | other / ours |");
    println!("|---|---|---|---|");
    for task in tasks {
        let (mut ours, mut peers) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            ours.push(timed(&task.ours));
            peers.extend(task.peer.as_deref().map(timed));
        }
        let (ours, peer) = (medians(&ours), (!peers.is_empty()).then(|| medians(&peers)));
        let figures = |(clock, cpu): (f64, f64)| format!("{clock:.0} ms, {cpu:.0} ms");
        let times = |peer: f64, ours: f64| {
            if ours > 0.0 {
                format!("{:.2}", peer / ours)
            } else {
                "–".to_owned()
            }
        };
        let ratio =
            |peer: (f64, f64)| format!("{}, {}", times(peer.0, ours.0), times(peer.1, ours.1));
        let [other, ratio] = peer.map_or(["–".to_owned(), "–".to_owned()], |peer| {
            [figures(peer), ratio(peer)]
        });
        println!("| {} | {} | {other} | {ratio} |", task.what, figures(ours));
    }
    println!();
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Runs a command whose output nobody reads.
pub(crate) fn run(argv: &[&str]) {
    let [program, arguments @ ..] = argv else {
        return;
    };
    let ended = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(
        ended.is_ok_and(|status| status.success()),
        "{argv:?} failed"
    );
}

/// Milliseconds on the clock and on the processors.
fn timed(argv: &[String]) -> (f64, f64) {
    let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
    let (began, before) = (Instant::now(), childrens_ticks());
    run(&argv);
    (
        began.elapsed().as_secs_f64() * 1e3,
        (childrens_ticks() - before) * 1e3 / TICKS,
    )
}

/// Processor time of all children that have ended, user and system.
fn childrens_ticks() -> f64 {
    ticks(
        &fs::read_to_string("/proc/self/stat").unwrap_or_default(),
        13,
    )
}

/// User and system time in a process's `stat`: two fields, so many behind its name, which may hold blanks.
pub(crate) fn ticks(stat: &str, behind: usize) -> f64 {
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(behind)
        .take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum()
}

fn medians(figures: &[(f64, f64)]) -> (f64, f64) {
    (
        median(figures.iter().map(|(clock, _)| *clock).collect()),
        median(figures.iter().map(|(_, cpu)| *cpu).collect()),
    )
}
