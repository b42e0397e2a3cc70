//! The profile core: from bytes to what is drawn. `cargo bench --bench core`; a name after `--` picks benches.
//!
//! `floor` does the bare minimum in the plainest way, for a yardstick that moves with the machine: inflate, decode into
//! a flat array, sort whole paths, merge neighbours.
#![allow(
    clippy::expect_used,
    clippy::type_complexity,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)]

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

use divan::{Bencher, black_box};
use flarescope::formats;
use flarescope::formats::{folded, pprof};
use flarescope::model::diff::{Normalise, Width, compare};
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::hits::{Hits, Matched};
use flarescope::model::graph::icicle::{Order, Window, layout};
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::subset::Subset;
use flarescope::model::graph::view::View;
use flarescope::model::profile::Profile;
use flarescope::model::query::filter::{Filter, Pattern};
use flarescope::model::query::search::{Matcher, Mode, Query};

mod generator;

use generator::Shape;

/// Distinct stacks. A capture of 50 s can't hold more than 50,000 of them; a million is many captures merged.
const SIZES: [usize; 4] = [1_000, 50_000, 100_000, 1_000_000];

/// A profile in all its states.
struct Subject {
    bytes: Vec<u8>,
    profile: Profile,
    reading: Reading,
}

/// Makes each subject once: the large ones take seconds.
fn subject(shape: Shape, stacks: usize) -> Arc<Subject> {
    type Made = HashMap<(Shape, usize), Arc<Subject>>;
    static MADE: Mutex<Option<Made>> = Mutex::new(None);
    let mut made = MADE.lock().expect("no bench panicked");
    let made = made
        .get_or_insert_default()
        .entry((shape, stacks))
        .or_insert_with(|| {
            let bytes = generator::gzipped(shape, stacks);
            let profile = decoded(&bytes);
            let reading = read(&profile, &View::new(&profile)).expect("a plain view");
            Arc::new(Subject {
                bytes,
                profile,
                reading,
            })
        });
    Arc::clone(made)
}

fn decoded(bytes: &[u8]) -> Profile {
    formats::read(bytes, "bench").expect("a whole profile")
}

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES)]
fn floor(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    bencher.bench_local(|| plain_tree(&subject.bytes));
}

#[divan::bench(args = SIZES)]
fn open(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    bencher.bench_local(|| {
        let profile = decoded(&subject.bytes);
        read(&profile, &View::new(&profile))
    });
}

#[divan::bench(args = SIZES)]
fn decode(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    bencher.bench_local(|| decoded(&subject.bytes));
}

#[divan::bench(args = [Shape::Wide, Shape::Deep, Shape::Recursive])]
fn open_shape(bencher: Bencher<'_, '_>, shape: Shape) {
    let subject = subject(shape, if shape == Shape::Deep { 300 } else { 50_000 });
    bencher.bench_local(|| {
        let profile = decoded(&subject.bytes);
        read(&profile, &View::new(&profile))
    });
}

#[divan::bench(args = SIZES)]
fn tree(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let view = View::new(&subject.profile);
    bencher.bench_local(|| read(&subject.profile, &view));
}

#[divan::bench(args = SIZES)]
fn filtered_tree(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let mut view = View::new(&subject.profile);
    view.filters = vec![
        Filter::Focus(Pattern::new("method1").expect("a pattern")),
        Filter::Hide(Pattern::new("^Class3").expect("a pattern")),
    ];
    bencher.bench_local(|| read(&subject.profile, &view));
}

#[divan::bench(args = SIZES)]
fn ranking(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    bencher.bench_local(|| rank(&subject.reading, Sort::Samples, false));
}

/// A screen of 200×28 at the root: the children's order is known after the first time.
#[divan::bench(args = SIZES)]
fn icicle(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let Reading { tree, frames, .. } = &subject.reading;
    let window = Window {
        root: NodeId::ROOT,
        columns: 200,
        first_row: 0,
        rows: 28,
        order: Order::Weight,
        only: None,
    };
    bencher.bench_local(|| layout(black_box(tree), frames, &window));
}

/// The same for a tree that nobody has looked at yet.
#[divan::bench(args = SIZES, sample_count = 10, sample_size = 1)]
fn icicle_first(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let window = Window {
        root: NodeId::ROOT,
        columns: 200,
        first_row: 0,
        rows: 28,
        order: Order::Weight,
        only: None,
    };
    let fresh = || read(&subject.profile, &View::new(&subject.profile)).expect("a plain view");
    bencher
        .with_inputs(fresh)
        .bench_local_refs(|reading| layout(&reading.tree, &reading.frames, &window));
}

/// One more letter typed: names matched, the share under them counted.
#[divan::bench(args = SIZES)]
fn search(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let query = Query {
        text: "method1".to_owned(),
        mode: Mode::Substring,
    };
    bencher.bench_local(|| {
        let matcher = Matcher::new(&query).expect("a query");
        let matched = Matched::new(&subject.reading.frames, &matcher);
        Hits::new(&subject.reading.tree, &matched).share(&subject.reading.tree, NodeId::ROOT)
    });
}

/// Two profiles compared, beside `open` of one: from their bytes to the table of changes.
#[divan::bench(args = [1_000, 100_000])]
fn comparison(bencher: Bencher<'_, '_>, stacks: usize) {
    let (base, new) = (subject(Shape::Js, stacks), subject(Shape::Js, stacks + 1));
    bencher.bench_local(|| {
        let (base, new) = (decoded(&base.bytes), decoded(&new.bytes));
        let view = View::new(&new);
        compare(&base, &new, &view, Normalise::Never, Width::Larger)
            .map(|compared| compared.changes())
    });
}

#[divan::bench(args = SIZES)]
fn export_pprof(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    let view = View::new(&subject.profile);
    bencher.bench_local(|| {
        pprof::encode(&Subset::new(&subject.profile, &view, None).expect("a plain view"))
    });
}

#[divan::bench(args = SIZES)]
fn export_folded(bencher: Bencher<'_, '_>, stacks: usize) {
    let subject = subject(Shape::Js, stacks);
    bencher.bench_local(|| folded::write(&subject.reading, NodeId::ROOT, ("cpu", "nanoseconds")));
}

/// A tree in the plainest way: a flat array of paths, sorted, neighbours merged.
fn plain_tree(bytes: &[u8]) -> (Vec<u32>, Vec<u32>, Vec<i64>) {
    let mut raw = Vec::new();
    flate2::read::GzDecoder::new(bytes)
        .read_to_end(&mut raw)
        .expect("whole gzip data");
    let varint = |rest: &mut &[u8]| prost::encoding::decode_varint(rest).expect("a varint");
    let (mut steps, mut ends, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = raw.as_slice();
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let length = varint(&mut rest) as usize;
        if key & 7 != 2 {
            continue;
        }
        let mut message;
        (message, rest) = rest.split_at(length);
        if key >> 3 != 2 {
            continue;
        }
        let start = steps.len();
        while !message.is_empty() {
            let tag = varint(&mut message) >> 3;
            let mut packed;
            let length = varint(&mut message) as usize;
            (packed, message) = message.split_at(length);
            while !packed.is_empty() {
                let number = varint(&mut packed);
                if tag == 1 {
                    steps.push(number as u32);
                } else {
                    values.push(number as i64);
                }
            }
        }
        steps[start..].reverse();
        ends.push(steps.len());
    }
    let path = |at: u32| &steps[if at == 0 { 0 } else { ends[at as usize - 1] }..ends[at as usize]];
    let mut order: Vec<u32> = (0..ends.len() as u32).collect();
    order.sort_unstable_by(|one, other| path(*one).cmp(path(*other)));
    let (mut parent, mut step, mut total) = (vec![0], vec![u32::MAX], vec![0]);
    let mut chain: Vec<u32> = vec![0];
    let mut before: &[u32] = &[];
    for at in order {
        let path = path(at);
        let shared = path
            .iter()
            .zip(before)
            .take_while(|(one, other)| one == other)
            .count();
        chain.truncate(shared + 1);
        for next in &path[shared..] {
            parent.push(*chain.last().expect("the root"));
            step.push(*next);
            total.push(0);
            chain.push(step.len() as u32 - 1);
        }
        let value = values[at as usize * 2 + 1];
        for node in &chain {
            total[*node as usize] += value;
        }
        before = path;
    }
    (parent, step, total)
}
