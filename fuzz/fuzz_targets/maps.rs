//! Any bytes as a source map, and as the mappings of one.
//!
//! `cargo +nightly fuzz run maps fuzz/corpus/maps tests/fixtures/maps`
#![no_main]

mod check_map;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check_map::check(bytes));
