//! A quick hash for our own tables. Not for keys an adversary could choose to collide at scale: every table it serves is
//! bounded by the limits of `formats`, so the worst a crafted file gets is a slow, bounded look-up.

use std::hash::{BuildHasher, Hasher};

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Builds [`QuickHasher`]s.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Quick;

impl BuildHasher for Quick {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher(0)
    }
}

/// Folds a 128-bit product for each word: every input bit reaches both the bucket and the tag bits.
#[derive(Debug)]
pub(super) struct QuickHasher(u64);

impl QuickHasher {
    fn word(&mut self, word: u64) {
        let product =
            u128::from(self.0.rotate_left(23) ^ word ^ MULTIPLIER) * u128::from(MULTIPLIER);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves are meant")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.0 = low ^ high;
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        // The length tells "a" from "a\0".
        self.word(u64::from_le_bytes(last) ^ (bytes.len() as u64).rotate_left(56));
    }

    fn write_u32(&mut self, word: u32) {
        self.word(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.word(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.word(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
