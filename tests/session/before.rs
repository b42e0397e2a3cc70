//! The capture before the one that is open: `checkout-api` as it was a version ago.

use std::path::PathBuf;

use flarescope::app::{CompareJob, CompareSide, Compared, ProfileResponse, Response, Source};
use flarescope::model::cloudflare::Capture;
use flarescope::model::diff::{CompareError, compare};
use flarescope::model::graph::view::View;
use flarescope::model::profile::{Function, Line, Location, Parts, Profile};

use super::{ago, read, world};

const AGE: u64 = 26 * 60 * 60;

/// What is known of it.
pub(crate) fn capture() -> Capture {
    let mut capture = world::capture_of("checkout-api.cpu");
    capture.path = PathBuf::from("/cache/captures/before.pprof.gz");
    capture.provenance.target.version_id = Some(world::OLD.to_owned());
    capture.provenance.target.version_number = Some(127);
    capture.provenance.answered_at = ago(AGE);
    capture.provenance.asked_at = ago(AGE + 10);
    capture
}

/// Captures of two versions of `r2-images`, the newer one first: mended, and as it was.
pub(crate) fn fix() -> [Capture; 2] {
    let of = |recording: &str, version: &str, number: u64, age: u64| {
        let mut capture = world::capture_of("r2-binding.cpu");
        capture.path = PathBuf::from(format!("/cache/captures/{recording}.cpu.pprof.gz"));
        capture.provenance.target.version_id = Some(version.to_owned());
        capture.provenance.target.version_number = Some(number);
        capture.provenance.target.worker = "r2-images".to_owned();
        capture.provenance.answered_at = ago(age);
        capture.provenance.asked_at = ago(age + 8);
        capture
    };
    [
        of("r2-images-after", world::SERVING, 41, 300),
        of("r2-images-before", world::OLD, 40, 900),
    ]
}

/// The recording with other values: `validateAddress` at four tenths, `parseCart` doubled, no `priceCart`, and a function
/// that is gone today.
fn profile() -> Profile {
    let (today, ..) = read("recordings/checkout-api.cpu.pprof.gz").unwrap();
    let mut parts = Parts {
        values: Vec::new(),
        label_ends: Vec::new(),
        labels: Vec::new(),
        ..today.parts().clone()
    };
    let gone = u32::try_from(parts.functions.len()).unwrap();
    let name = parts.strings.push(b"verifySignature");
    let file = parts
        .functions
        .iter()
        .find(|function| today.text(function.name) == "validateAddress")
        .unwrap()
        .file;
    parts.functions.push(Function {
        name,
        file,
        start_line: 90,
        ..Function::default()
    });
    let line = u32::try_from(parts.lines.len()).unwrap();
    parts.lines.push(Line {
        function: Some(gone),
        line: 90,
        column: 0,
    });
    let location = u32::try_from(parts.locations.len()).unwrap();
    parts.locations.push(Location {
        mapping: None,
        address: 0,
        lines_from: line,
        lines_to: line + 1,
        folded: false,
    });
    for record in 0..today.record_count() {
        let mut stack: Vec<u32> = today.stack(record).collect();
        stack.reverse();
        let name = |at: &u32| {
            let function = today.lines(&today.locations()[*at as usize])[0]
                .function
                .unwrap();
            today.text(today.functions()[function as usize].name)
        };
        let tenths = match stack.last().map(name).as_deref() {
            Some("validateAddress") => 4,
            Some("parseCart") => 20,
            Some("priceCart") => {
                // What it took goes to the function that is gone.
                stack.pop();
                stack.push(location);
                15
            }
            _ if stack.iter().any(|at| name(at) == "priceCart") => 0,
            _ => 10,
        };
        parts.stacks.extend(stack);
        parts
            .stack_ends
            .push(u32::try_from(parts.stacks.len()).unwrap());
        parts
            .values
            .extend(today.values(record).iter().map(|value| value * tenths / 10));
    }
    Profile::new(parts)
}

/// What the program would answer.
pub(crate) fn answer(job: CompareJob) -> Result<Response, CompareError> {
    let side = |side: CompareSide| match side {
        CompareSide::Open(source) => *source,
        CompareSide::Several(_) => unreachable!("no test answers several"),
        CompareSide::Kept(capture) => {
            let file = capture.path.file_name().unwrap().to_string_lossy();
            let profile = match &*file {
                "before.pprof.gz" => profile().into(),
                file if file.starts_with("r2-images-") => read(&format!("pair/{file}")).unwrap().0,
                file => read(&format!("recordings/{file}")).unwrap().0,
            };
            Source::of_capture(profile, *capture)
        }
    };
    let (base, new) = (side(job.base), side(job.new));
    let CompareJob {
        normalise, width, ..
    } = job;
    let view = job.view.unwrap_or_else(|| View {
        hide_idle: true,
        ..View::new(&new.profile)
    });
    let comparison = compare(&base.profile, &new.profile, &view, normalise, width)?.into();
    Ok(Response::Profile(ProfileResponse::Compared(Box::new(
        Compared {
            base,
            new,
            view,
            normalise,
            width,
            comparison,
            assessment: None,
        },
    ))))
}
