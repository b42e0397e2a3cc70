//! Verdicts over several captures a side: is a function worse, better, the same, or can't the captures tell?
//!
//! The unit is the capture, not the sample: isolates of one build differ by more than sampling explains, so that more samples
//! of one isolate say nothing about the next. The spread between isolates is estimated over all functions at once, a
//! function's own spread is moderated towards it, and the findings are corrected for their number (Holm). Knows no clock
//! and no file. Weak point: shares are judged relative to the functions that did not change; where everything changed, the
//! median ratio means little.

mod estimate;
mod holm;
mod judge;
mod student;
mod sums;
mod words;

pub use judge::{
    Assessment, CantTell, FunctionVerdict, LeftOut, Options, Overall, SAMPLES_MIN, SIDE_MIN,
    Verdict, judge,
};
pub use sums::{CaptureSums, Words};
