//! The hash of our own tables: quick, with a seed of its own in each process.
//!
//! Some of these tables are keyed by what a file says: its strings (`strings`), its functions, places and mappings
//! (`merge`, `equal`, `identity`), its paths (`identity`). The seed keeps a crafted file from choosing keys that collide,
//! for it is read once and learns nothing of the seed. The other tables are keyed by numbers that we give. No result
//! depends on the order in which a table is walked.

pub(super) use foldhash::fast::RandomState as Quick;
