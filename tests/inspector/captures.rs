//! Captures: what is said in which order, what is kept, and what each misfortune is called.

use flarescope::model::graph::aggregate;
use std::io::Cursor;
use std::time::Duration;

use flarescope::formats;
use flarescope::inspector::InspectorError;
use flarescope::model::cloudflare::Kind;
use flarescope::model::graph::view::View;

use super::fake::{Fake, Script, Turn};
use super::{WINDOW, capture, inspector, mishap};
use crate::wording::wording;

const CPU: [&str; 7] = [
    "attach /checkout-api",
    "Profiler.stop",
    "Profiler.enable",
    r#"Profiler.setSamplingInterval {"interval":1000}"#,
    "Profiler.start",
    "Profiler.stop",
    "close 1000",
];

#[tokio::test]
async fn a_cpu_capture_stops_first_enables_once_and_keeps_the_bytes_as_they_came() {
    let script = Script::default();
    let fake = Fake::start(script.clone()).await;
    let before = std::time::SystemTime::now();
    let captured = capture(&fake, Kind::Cpu).await.unwrap();
    assert_eq!(fake.log(), CPU);
    assert_eq!(String::from_utf8(captured.bytes).unwrap(), script.cpu);
    assert!(captured.asked_at >= before && captured.answered_at >= captured.asked_at + WINDOW);
}

#[tokio::test]
async fn a_heap_capture_asks_for_collected_objects_and_names_no_depth() {
    let script = Script::default();
    let fake = Fake::start(script.clone()).await;
    let captured = capture(&fake, Kind::Heap).await.unwrap();
    let start = r#"HeapProfiler.startSampling {"includeObjectsCollectedByMajorGC":true,"includeObjectsCollectedByMinorGC":true,"samplingInterval":524288}"#;
    assert_eq!(
        fake.log(),
        [
            "attach /checkout-api",
            start,
            "HeapProfiler.stopSampling",
            "close 1000"
        ]
    );
    assert_eq!(String::from_utf8(captured.bytes).unwrap(), script.heap);
}

#[tokio::test]
async fn a_profile_that_a_dead_client_left_running_is_stopped_before_anything_is_enabled() {
    let fake = Fake::start(Script {
        left_running: true,
        ..Script::default()
    })
    .await;
    capture(&fake, Kind::Cpu).await.unwrap();
    assert_eq!(fake.log(), CPU);
}

#[tokio::test]
async fn replies_to_others_and_events_are_passed_over() {
    let script = Script {
        strays: true,
        ..Script::default()
    };
    let fake = Fake::start(script.clone()).await;
    assert_eq!(
        capture(&fake, Kind::Cpu).await.unwrap().bytes,
        script.cpu.as_bytes()
    );
    assert_eq!(fake.log(), CPU);
}

#[tokio::test]
async fn that_nothing_was_there_to_be_stopped_may_be_an_error_of_the_runtime() {
    let mut wording = wording!();
    let turn = Some(("Profiler.stop", Turn::Refuse("No recording profiles found")));
    let fake = Fake::start(Script {
        turn,
        ..Script::default()
    })
    .await;
    capture(&fake, Kind::Cpu).await.unwrap();
    let (error, log) = mishap("Profiler.start", 1, Turn::Refuse("Profiler is not enabled")).await;
    assert!(
        matches!(
            &error,
            InspectorError::Said {
                method: "Profiler.start",
                ..
            }
        ),
        "{error:?}"
    );
    wording.add(error.to_string());
    assert_eq!(log.last().unwrap(), "close 1000");
}

#[tokio::test]
async fn a_reply_may_wait_for_running_javascript_but_not_for_ever() {
    let mut wording = wording!();
    let turn = Some(("Profiler.stop", Turn::Late(Duration::from_millis(400))));
    let fake = Fake::start(Script {
        turn,
        occurrence: 2,
        ..Script::default()
    })
    .await;
    capture(&fake, Kind::Cpu).await.unwrap();
    for (command, occurrence) in [
        ("Profiler.stop", 1),
        ("Profiler.start", 1),
        ("Profiler.stop", 2),
    ] {
        let (error, log) = mishap(command, occurrence, Turn::Silence).await;
        assert!(
            matches!(error, InspectorError::TimedOut { .. }),
            "{command}: {error:?}"
        );
        wording.add(error.hint().unwrap());
        assert_eq!(
            log[log.len() - 2..],
            ["Profiler.stop", "close 1000"],
            "{command}: it is stopped and left"
        );
    }
}

#[tokio::test]
async fn an_echo_without_a_result_is_no_profile() {
    let (error, _) = mishap("Profiler.stop", 2, Turn::Echo).await;
    assert!(matches!(error, InspectorError::NoProfile), "{error:?}");
}

#[tokio::test]
async fn the_second_client_learns_why_it_ended() {
    let mut wording = wording!();
    let (busy, _) = mishap("Profiler.stop", 1, Turn::Close(1013, "Too many clients")).await;
    assert!(matches!(busy, InspectorError::Busy), "{busy:?}");
    let (taken, _) = mishap(
        "Profiler.start",
        1,
        Turn::Close(1000, "client closed connection"),
    )
    .await;
    assert!(matches!(taken, InspectorError::Taken), "{taken:?}");
    for error in [busy, taken] {
        wording.add(error.to_string());
        wording.add(error.hint().unwrap());
    }
    let (other, _) = mishap(
        "Profiler.enable",
        1,
        Turn::Close(1011, "runtime\u{1b}[2J gone"),
    )
    .await;
    wording.add(other.to_string());
}

#[tokio::test]
async fn two_clients_of_one_isolate_end_each_other() {
    let fake = Fake::start(Script {
        exclusive: true,
        ..Script::default()
    })
    .await;
    let first = async {
        let inspector = inspector(&fake);
        let targets = inspector.targets().await.unwrap();
        inspector
            .capture(
                &targets.list[0],
                Kind::Cpu,
                Duration::from_secs(60),
                std::future::pending(),
            )
            .await
    };
    let second = async {
        fake.until("Profiler.start").await;
        capture(&fake, Kind::Cpu).await
    };
    let (first, second) = tokio::join!(first, second);
    assert!(matches!(first.unwrap_err(), InspectorError::Taken));
    assert!(matches!(second.unwrap_err(), InspectorError::Taken));
}

#[tokio::test]
async fn a_runtime_that_dies_in_the_middle_is_noticed_at_once() {
    let turn = Some(("Profiler.start", Turn::Reset));
    let fake = Fake::start(Script {
        turn,
        ..Script::default()
    })
    .await;
    let inspector = inspector(&fake);
    let targets = inspector.targets().await.unwrap();
    let long = Duration::from_secs(600);
    let captured = inspector.capture(&targets.list[0], Kind::Cpu, long, std::future::pending());
    let error = tokio::time::timeout(Duration::from_secs(5), captured)
        .await
        .unwrap()
        .unwrap_err();
    assert!(matches!(error, InspectorError::Lost), "{error:?}");
}

#[tokio::test]
async fn what_is_not_of_the_protocol_is_reported_and_not_believed() {
    let mut wording = wording!();
    let (error, _) = mishap("Profiler.start", 1, Turn::Text("<h1>\u{1b}]0;hi\u{7}</h1>")).await;
    assert!(
        matches!(&error, InspectorError::Garbled(text) if text == "<h1>␛]0;hi␇</h1>"),
        "{error:?}"
    );
    let (error, _) = mishap("Profiler.stop", 2, Turn::Huge).await;
    assert!(
        matches!(
            error,
            InspectorError::TooLarge {
                limit: 67_108_864,
                ..
            }
        ),
        "{error:?}"
    );
    wording.add(error.hint().unwrap());
}

#[tokio::test]
async fn a_target_that_is_not_there_any_more_is_refused() {
    let fake = Fake::start(Script {
        attach: 404,
        ..Script::default()
    })
    .await;
    let error = capture(&fake, Kind::Cpu).await.unwrap_err();
    assert!(matches!(error, InspectorError::Refused(404)), "{error:?}");
}

#[tokio::test]
async fn cancelling_stops_the_profile_and_says_goodbye() {
    for (kind, start, stop) in [
        (Kind::Cpu, "Profiler.start", "Profiler.stop"),
        (
            Kind::Heap,
            "HeapProfiler.startSampling",
            "HeapProfiler.stopSampling",
        ),
    ] {
        let fake = Fake::start(Script::default()).await;
        let inspector = inspector(&fake);
        let targets = inspector.targets().await.unwrap();
        let cancelled = fake.until(start);
        let error = inspector
            .capture(&targets.list[0], kind, Duration::from_secs(60), cancelled)
            .await
            .unwrap_err();
        assert!(matches!(error, InspectorError::Cancelled), "{error:?}");
        let log = fake.log();
        assert_eq!(log[log.len() - 2..], [stop, "close 1000"]);
        assert!(!fake.is_recording());
        // And the next one finds an isolate that can be profiled.
        capture(&fake, kind).await.unwrap();
    }
}

#[tokio::test]
async fn cancelling_before_anything_is_recorded_leaves_no_trace() {
    let fake = Fake::start(Script::default()).await;
    let inspector = inspector(&fake);
    let targets = inspector.targets().await.unwrap();
    let error = inspector
        .capture(&targets.list[0], Kind::Cpu, WINDOW, async {})
        .await
        .unwrap_err();
    assert!(matches!(error, InspectorError::Cancelled), "{error:?}");
    assert!(fake.log().is_empty());
}

/// Four samples in 3 ms: the second a microsecond before the first, and one of them that no hit was counted for.
const ODD: &str = r#"{"nodes":[
    {"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
    {"id":2,"callFrame":{"functionName":"spin","scriptId":"7","url":"worker.js","lineNumber":0,"columnNumber":4},"hitCount":3}
],"startTime":1000,"endTime":4000,"samples":[2,2,2,2],"timeDeltas":[1000,-1,1001,1000]}"#;

#[tokio::test]
async fn a_clock_that_steps_back_and_hits_that_were_not_counted_are_read_all_the_same() {
    let fake = Fake::start(Script {
        cpu: ODD.to_owned(),
        ..Script::default()
    })
    .await;
    let captured = capture(&fake, Kind::Cpu).await.unwrap();
    let profile = formats::read(Cursor::new(captured.bytes), "odd").unwrap();
    let reading = aggregate::read(&profile, &View::new(&profile)).unwrap();
    // From 1,000 to 4,000 microseconds: the step back is taken from what follows.
    assert_eq!(
        reading
            .tree
            .total(flarescope::model::graph::call_tree::NodeId::ROOT),
        3_000_000
    );
}
