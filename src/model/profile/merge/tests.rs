use crate::model::graph::aggregate::read;
use crate::model::graph::spread::Held;
use crate::model::graph::view::{Identity, View};
use crate::model::profile::merge::merger::index;
use crate::model::profile::merge::*;
use crate::model::profile::{Function, Interner, Line, Location, Mapping, Parts, StrId};
use crate::model::query::filter::{Filter, TagPattern};
use crate::wording::wording;

/// Returns a profile of the given sample types, with one function a stack frame and one value for all types of a record.
fn profile(types: &[(&str, &str)], stacks: &[(&[&str], i64)]) -> Profile {
    let mut strings = Interner::default();
    let mut parts = Parts::default();
    for (kind, unit) in types {
        let sample_type = SampleType {
            kind: strings.id(kind.as_bytes()),
            unit: strings.id(unit.as_bytes()),
        };
        parts.sample_types.push(sample_type);
    }
    for (stack, value) in stacks {
        for name in *stack {
            let at = index(parts.functions.len());
            parts.functions.push(Function {
                name: strings.id(name.as_bytes()),
                ..Function::default()
            });
            parts.lines.push(Line {
                function: Some(at),
                line: 0,
                column: 0,
            });
            parts.locations.push(Location {
                mapping: None,
                address: 0,
                lines_from: at,
                lines_to: at + 1,
                folded: false,
            });
            parts.stacks.push(at);
        }
        parts.stack_ends.push(index(parts.stacks.len()));
        parts.values.extend(types.iter().map(|_| *value));
    }
    Profile::new(Parts {
        strings: strings.finish(),
        ..parts
    })
}

const CPU: &[(&str, &str)] = &[("samples", "count"), ("cpu", "nanoseconds")];

fn named<'a>(profile: &'a Profile, name: &'a str) -> Member<'a> {
    Member { profile, name }
}

#[test]
fn the_same_place_in_two_captures_is_one() {
    let one = profile(CPU, &[(&["main", "work"], 3), (&["main"], 1)]);
    let other = profile(CPU, &[(&["main", "work"], 5), (&["main", "rest"], 2)]);
    let merged = merge(&[named(&one, "a"), named(&other, "b")])
        .unwrap()
        .profile;
    assert_eq!(
        (
            merged.functions().len(),
            merged.locations().len(),
            merged.record_count()
        ),
        (3, 3, 4)
    );
    let reading = read(&merged, &View::new(&merged)).unwrap();
    assert_eq!(
        (reading.total, reading.tree.len()),
        (11, 4),
        "the root, main, work and rest"
    );
}

#[test]
fn a_filter_on_the_label_takes_a_capture_out_again() {
    let one = profile(CPU, &[(&["work"], 3)]);
    let other = profile(CPU, &[(&["work"], 5)]);
    let merged = merge(&[named(&one, "monday"), named(&other, "monday")]).unwrap();
    assert_eq!(merged.names, ["monday", "monday #2"]);
    for (filter, expected) in [("capture=^monday$", 3), ("capture=#2", 5)] {
        let filters = vec![Filter::TagFocus(TagPattern::new(filter).unwrap())];
        let view = View {
            filters,
            ..View::new(&merged.profile)
        };
        assert_eq!(
            read(&merged.profile, &view).unwrap().shown,
            expected,
            "{filter}"
        );
    }
}

#[test]
fn what_was_merged_before_keeps_its_captures() {
    let (one, two, three) = (
        profile(CPU, &[(&["f"], 1)]),
        profile(CPU, &[(&["f"], 2)]),
        profile(CPU, &[(&["f"], 3)]),
    );
    let merged = merge(&[named(&one, "one"), named(&two, "two")])
        .unwrap()
        .profile;
    let again = merge(&[named(&merged, "both"), named(&three, "three")])
        .unwrap()
        .profile;
    let spread = read(&again, &View::new(&again)).unwrap().spread.unwrap();
    let names: Vec<&str> = spread
        .captures
        .iter()
        .map(|capture| capture.name.as_str())
        .collect();
    assert_eq!(names, ["one", "two", "three"]);
}

#[test]
fn values_that_not_all_have_are_left_out_and_reported() {
    let one = profile(
        &[
            ("samples", "count"),
            ("cpu", "nanoseconds"),
            ("wall", "nanoseconds"),
        ],
        &[(&["f"], 7)],
    );
    let other = profile(
        &[
            ("cpu", "nanoseconds"),
            ("cpu", "count"),
            ("samples", "count"),
        ],
        &[(&["f"], 9)],
    );
    let merged = merge(&[named(&one, "a"), named(&other, "b")]).unwrap();
    let types: Vec<_> = merged
        .profile
        .sample_types()
        .iter()
        .map(|own| merged.profile.type_names(*own))
        .collect();
    let expected = [("samples", "count"), ("cpu", "nanoseconds")]
        .map(|(kind, unit)| (kind.to_owned(), unit.to_owned()));
    assert_eq!(types, expected);
    assert_eq!(merged.left_out, ["wall (nanoseconds)", "cpu (count)"]);
}

#[test]
fn kinds_that_differ_are_refused_in_words() {
    let mut wording = wording!();
    let cpu = profile(CPU, &[(&["f"], 1)]);
    let heap = profile(&[("objects", "count"), ("space", "bytes")], &[(&["f"], 1)]);
    let error = merge(&[
        named(&cpu, "one"),
        named(&cpu, "two"),
        named(&heap, "three"),
    ])
    .unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("one") && message.contains("three") && !message.contains("two"),
        "{message}"
    );
    wording.add(message);
    // The unit counts as well: pprof's `cpu` in microseconds is no `cpu` in nanoseconds.
    let micro = profile(&[("cpu", "microseconds")], &[(&["f"], 1)]);
    assert!(matches!(
        merge(&[named(&cpu, "a"), named(&micro, "b")]),
        Err(MergeError::Kinds { .. })
    ));
    assert_eq!(merge(&[]).unwrap_err(), MergeError::Nothing);
}

#[test]
fn times_are_the_earliest_and_windows_add_up() {
    let timed = |time_nanos, duration_nanos| {
        let parts = profile(CPU, &[]).parts().clone();
        Profile::new(Parts {
            time_nanos,
            duration_nanos,
            ..parts
        })
    };
    let (late, early, unknown) = (timed(900, 30), timed(100, 12), timed(0, 0));
    let merged = merge(&[named(&late, "a"), named(&unknown, "b"), named(&early, "c")])
        .unwrap()
        .profile;
    assert_eq!(
        (merged.parts().time_nanos, merged.parts().duration_nanos),
        (100, 42)
    );
}

#[test]
fn mappings_that_a_loader_moved_are_one() {
    let mapped = |start: u64| {
        let mut strings = Interner::default();
        let file = strings.id(b"/lib/x.so");
        let kind = strings.id(b"cpu");
        let mut parts = Parts {
            sample_types: vec![SampleType {
                kind,
                unit: StrId::EMPTY,
            }],
            ..Parts::default()
        };
        let limit = start + 0x2000;
        parts.mappings.push(Mapping {
            start,
            limit,
            file,
            ..Mapping::default()
        });
        let address = start + 0x10;
        parts.locations.push(Location {
            mapping: Some(0),
            address,
            lines_from: 0,
            lines_to: 0,
            folded: false,
        });
        (parts.stacks, parts.stack_ends, parts.values) = (vec![0], vec![1], vec![1]);
        Profile::new(Parts {
            strings: strings.finish(),
            ..parts
        })
    };
    let (low, high) = (mapped(0x1000), mapped(0x7000));
    let merged = merge(&[named(&high, "a"), named(&low, "b")])
        .unwrap()
        .profile;
    assert_eq!((merged.mappings().len(), merged.locations().len()), (1, 1));
    assert_eq!(merged.locations()[0].address, 0x7010);
}

#[test]
fn each_capture_holds_what_it_holds_alone() {
    let one = profile(
        CPU,
        &[
            (&["main", "work"], 60),
            (&["main", "work", "main", "work"], 30),
            (&["(idle)"], 10),
        ],
    );
    let other = profile(CPU, &[(&["main", "work"], 20), (&["main", "rest"], 20)]);
    let merged = merge(&[named(&one, "a"), named(&other, "b")])
        .unwrap()
        .profile;
    for by in [Identity::Function, Identity::Name, Identity::File] {
        let view = View {
            by,
            hide_idle: true,
            ..View::new(&merged)
        };
        let reading = read(&merged, &view).unwrap();
        let spread = reading.spread.as_ref().unwrap();
        for (place, name) in ["a", "b"].into_iter().enumerate() {
            let filters = vec![Filter::TagFocus(
                TagPattern::new(&format!("capture=^{name}$")).unwrap(),
            )];
            let alone = read(
                &merged,
                &View {
                    filters,
                    ..view.clone()
                },
            )
            .unwrap();
            for frame in reading.frames.ids() {
                let stat = alone.stat(frame);
                assert_eq!(
                    spread.held(frame)[place],
                    Held {
                        own: stat.self_value,
                        total: stat.total
                    }
                );
            }
        }
    }
    let reading = read(
        &merged,
        &View {
            hide_idle: true,
            ..View::new(&merged)
        },
    )
    .unwrap();
    let work = reading
        .tree
        .frame(reading.heaviest_named("work").unwrap())
        .unwrap();
    let spread = reading.spread.unwrap();
    // Of all there is, idle included: 90 of 100, and 20 of 40.
    let own = spread.own(work).unwrap();
    assert!(
        (own.highest - 0.9).abs() < 1e-9 && (own.lowest - 0.5).abs() < 1e-9,
        "{own:?}"
    );
    assert!(
        (spread.total(work).unwrap().highest - 0.9).abs() < 1e-9,
        "recursion counts once"
    );
}

#[test]
fn captures_without_end_are_not_distinguished() {
    let one = profile(CPU, &[(&["f"], 1)]);
    let names: Vec<String> = (0..65).map(|at| at.to_string()).collect();
    let many: Vec<Member<'_>> = names.iter().map(|name| named(&one, name)).collect();
    let merged = merge(&many).unwrap().profile;
    assert!(read(&merged, &View::new(&merged)).unwrap().spread.is_none());
    let fewer = merge(&many[..64]).unwrap().profile;
    assert!(read(&fewer, &View::new(&fewer)).unwrap().spread.is_some());
}
