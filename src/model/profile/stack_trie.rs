//! Stacks merged by prefix into one tree, built by sorting: no hash map, no recursion.

/// Marks the root's step, and absent values.
pub(crate) const NONE: u32 = u32::MAX;

/// A tree of steps in preorder: a node's descendants are the nodes after it up to its end. Node 0 is the root.
#[derive(Debug, Clone)]
pub(crate) struct Paths {
    /// Each node's parent; the root is its own.
    pub(crate) parent: Vec<u32>,
    /// Each node's step from its parent; [`NONE`] for the root.
    pub(crate) step: Vec<u32>,
    /// The first node after each node's descendants.
    pub(crate) end: Vec<u32>,
}

/// Paths that share their first steps, sorted by the next ones, to be turned into nodes in order.
struct Group {
    next: usize,
    to: usize,
    /// Shared steps.
    depth: usize,
    /// The node they lead to.
    node: u32,
    /// The nodes of the current path below it.
    chain: [u32; STEPS_MAX],
    /// The steps that led to them.
    key: u128,
}

/// Bits of an entry for the path's number; the steps it is sorted by are above them.
const NUMBER_BITS: u32 = 32;
/// Most steps that fit above the number, at 8 bits each.
const STEPS_MAX: usize = 12;

/// How steps are packed into the sorted entries.
#[derive(Clone, Copy)]
struct Packing {
    bits: u32,
    steps: usize,
}

impl Packing {
    /// Packs as many steps as fit, given the largest one.
    fn new(largest: u32) -> Self {
        // One more than the step itself, as 0 stands for the path's end.
        let bits = (u64::from(largest) + 2)
            .next_power_of_two()
            .trailing_zeros()
            .max(8);
        Self {
            bits,
            steps: ((u128::BITS - NUMBER_BITS) / bits) as usize,
        }
    }

    /// Returns the entry of a path for the steps from a depth on.
    fn pack(self, path: &[u32], depth: usize, number: u128) -> u128 {
        let rest = path.get(depth..).unwrap_or_default();
        let mut key = 0;
        for at in 0..self.steps {
            key = key << self.bits | rest.get(at).map_or(0, |step| u128::from(*step) + 1);
        }
        key << NUMBER_BITS | number
    }

    /// Counts the first steps that two keys share.
    fn shared(self, one: u128, other: u128) -> usize {
        let unused = u128::BITS - self.bits * self.steps as u32;
        ((((one ^ other).leading_zeros() - unused) / self.bits) as usize).min(self.steps)
    }

    /// Whether the path goes on after the key's last step.
    fn goes_on(self, key: u128) -> bool {
        key & ((1 << self.bits) - 1) != 0
    }
}

/// Most paths that are sorted whole.
const FEW: usize = 16;
/// From so many paths on, a second thread pays.
const PARALLEL_FROM: usize = 10_000;

/// The paths to merge.
#[derive(Clone, Copy)]
struct Merger<'a> {
    steps: &'a [u32],
    ends: &'a [u32],
    packing: Packing,
}

/// Nodes in preorder, as they are built.
struct Branch {
    parent: Vec<u32>,
    step: Vec<u32>,
}

impl Merger<'_> {
    /// Returns the path whose number is in an entry.
    fn path(&self, entry: u128) -> &[u32] {
        let at = number(entry);
        let start = if at == 0 {
            0
        } else {
            self.ends[at - 1] as usize
        };
        &self.steps[start..self.ends[at] as usize]
    }

    /// Counts the first steps that all paths share.
    fn common(&self) -> usize {
        let first = self.path(0);
        let shared = |common: usize, other: u128| {
            let both = first[..common].iter().zip(self.path(other));
            both.take_while(|(one, other)| one == other).count()
        };
        (1..self.ends.len() as u128).fold(first.len(), shared)
    }

    /// Sorts paths by their steps from a depth on, as many as fit an entry.
    fn sort(&self, entries: &mut [u128], depth: usize) {
        for entry in entries.iter_mut() {
            *entry = self
                .packing
                .pack(self.path(*entry), depth, *entry & u128::from(u32::MAX));
        }
        entries.sort_unstable();
    }

    /// Merges paths that are sorted from a depth on, below the branch's last node. Each entry then holds the path's number
    /// and, above it, its node. Returns the nodes of the last path, as far as its entry goes.
    fn grow(&self, branch: &mut Branch, entries: &mut [u128], depth: usize) -> [u32; STEPS_MAX] {
        let top = branch.last();
        let mut last_chain = [top; STEPS_MAX];
        let group = |next, to, depth, node| Group {
            next,
            to,
            depth,
            node,
            chain: [node; STEPS_MAX],
            key: 0,
        };
        let mut groups = vec![group(0, entries.len(), depth, top)];
        while let Some(top) = groups.last_mut() {
            let Some(&first) = entries[top.next..top.to].first() else {
                last_chain = top.chain;
                groups.pop();
                continue;
            };
            let key = first >> NUMBER_BITS;
            // The first path of a group has no other one to share nodes with, only the group's shared steps.
            let shared = if top.key == 0 {
                0
            } else {
                self.packing.shared(top.key, key)
            };
            let mut node = if shared == 0 {
                top.node
            } else {
                top.chain[shared - 1]
            };
            let rest = self.path(first).get(top.depth..).unwrap_or_default();
            for (at, step) in rest
                .iter()
                .enumerate()
                .take(self.packing.steps)
                .skip(shared)
            {
                node = branch.push(node, *step);
                top.chain[at] = node;
            }
            let from = top.next;
            let same = entries[from..top.to]
                .iter()
                .take_while(|entry| **entry >> NUMBER_BITS == key)
                .count();
            (top.next, top.key) = (from + same, key);
            let depth = top.depth + self.packing.steps;
            let same = &mut entries[from..from + same];
            if same.len() > FEW && self.packing.goes_on(key) {
                self.sort(same, depth);
                groups.push(group(from, from + same.len(), depth, node));
            } else {
                self.grow_few(branch, same, depth, node);
            }
        }
        last_chain
    }

    /// Merges few paths, or equal ones, below a node: whole paths are sorted and compared with their neighbours.
    fn grow_few(&self, branch: &mut Branch, entries: &mut [u128], depth: usize, node: u32) {
        let rest = |entry: u128| self.path(entry).get(depth..).unwrap_or_default();
        if entries.len() > 1 {
            entries.sort_unstable_by(|one, other| rest(*one).cmp(rest(*other)));
        }
        let mut before: &[u32] = &[];
        let mut last = node;
        for entry in entries {
            let rest = rest(*entry);
            let shared = before
                .iter()
                .zip(rest)
                .take_while(|(one, other)| one == other)
                .count();
            // The nodes of the previous path are a chain of parents; the part that is not shared is left.
            for _ in shared..before.len() {
                last = branch.parent[last as usize];
            }
            for step in &rest[shared..] {
                last = branch.push(last, *step);
            }
            *entry = u128::from(last) << NUMBER_BITS | *entry & u128::from(u32::MAX);
            before = rest;
        }
    }
}

impl Branch {
    /// Returns the root alone.
    fn new() -> Self {
        Self {
            parent: vec![0],
            step: vec![NONE],
        }
    }

    fn last(&self) -> u32 {
        u32::try_from(self.step.len() - 1).unwrap_or(NONE)
    }

    fn push(&mut self, parent: u32, step: u32) -> u32 {
        let node = u32::try_from(self.step.len()).unwrap_or(NONE);
        self.parent.push(parent);
        self.step.push(step);
        node
    }

    /// Appends what another thread built below `top`. Its first nodes, `known`, are here already. Returns the numbers of its
    /// nodes here.
    fn append<'a>(
        &mut self,
        other: &Self,
        top: u32,
        known: &'a [u32],
    ) -> impl Fn(u32) -> u32 + use<'a> {
        let base = u32::try_from(self.step.len() - known.len()).unwrap_or(NONE);
        let here = move |node: u32| match node.checked_sub(1) {
            None => top,
            Some(at) => known.get(at as usize).copied().unwrap_or(base + at),
        };
        self.step.extend_from_slice(&other.step[1 + known.len()..]);
        self.parent.extend(
            other.parent[1 + known.len()..]
                .iter()
                .map(|node| here(*node)),
        );
        here
    }

    fn close(self) -> Paths {
        Paths {
            end: ends_of(&self.parent),
            parent: self.parent,
            step: self.step,
        }
    }
}

/// Returns the node that [`Merger::grow`] noted in an entry.
fn node_in(entry: u128) -> u32 {
    u32::try_from(entry >> NUMBER_BITS).unwrap_or(NONE)
}

/// Returns the number in an entry.
fn number(entry: u128) -> usize {
    (entry & u128::from(u32::MAX)) as usize
}

impl Paths {
    /// Merges paths by prefix. Path `i` is `steps[ends[i - 1]..ends[i]]`, root first. Returns the tree and, for each path, the
    /// node where it ends.
    ///
    /// Sorts by several steps at once and goes deeper only where all of them are equal, so a path is visited a few times, not
    /// once for each of its steps. Two threads share the work.
    pub(crate) fn merge(steps: &[u32], ends: &[u32]) -> (Self, Vec<u32>) {
        let mut branch = Branch::new();
        let mut last = vec![0; ends.len()];
        if ends.is_empty() {
            return (branch.close(), last);
        }
        let packing = Packing::new(steps.iter().copied().max().unwrap_or(0));
        let merger = Merger {
            steps,
            ends,
            packing,
        };
        let depth = merger.common();
        for step in &merger.path(0)[..depth] {
            branch.push(branch.last(), *step);
        }
        let top = branch.last();
        let mut entries: Vec<u128> = (0..ends.len() as u128).collect();
        merger.sort(&mut entries, depth);

        let middle = middle(&entries);
        let (left, right) = entries.split_at_mut(middle);
        let shared = match (left.last(), right.first()) {
            (Some(left), Some(right)) => packing.shared(left >> NUMBER_BITS, right >> NUMBER_BITS),
            _ => 0,
        };
        let (chain, other) = std::thread::scope(|scope| {
            let other = (!right.is_empty()).then(|| {
                scope.spawn(|| {
                    let mut branch = Branch::new();
                    merger.grow(&mut branch, right, depth);
                    branch
                })
            });
            let chain = merger.grow(&mut branch, left, depth);
            (
                chain,
                other.map(|other| {
                    other
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }),
            )
        });
        for entry in left {
            last[number(*entry)] = node_in(*entry);
        }
        if let Some(other) = other {
            let here = branch.append(&other, top, &chain[..shared]);
            for entry in right {
                last[number(*entry)] = here(node_in(*entry));
            }
        }
        (branch.close(), last)
    }

    /// Counts the nodes, the root included.
    pub(crate) fn len(&self) -> usize {
        self.step.len()
    }

    /// Returns the nodes directly below one, in the order of their steps.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end[node as usize];
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end[child as usize];
            Some(child)
        })
    }
}

/// Returns where to split the entries for two threads: near the middle, between two that differ; at the end if they are few
/// or all equal.
fn middle(entries: &[u128]) -> usize {
    if entries.len() < PARALLEL_FROM {
        return entries.len();
    }
    let half = entries.len() / 2;
    let key = entries[half] >> NUMBER_BITS;
    let before = entries[..half]
        .iter()
        .rposition(|entry| entry >> NUMBER_BITS != key)
        .map(|at| at + 1);
    let after = entries[half..]
        .iter()
        .position(|entry| entry >> NUMBER_BITS != key)
        .map(|at| half + at);
    match (before, after) {
        (Some(before), Some(after)) => {
            if half - before < after - half {
                before
            } else {
                after
            }
        }
        (before, after) => before.or(after).unwrap_or(entries.len()),
    }
}

/// Returns the first node after each node's descendants, for nodes in preorder.
pub(crate) fn ends_of(parent: &[u32]) -> Vec<u32> {
    let mut end: Vec<u32> = (1..).take(parent.len()).collect();
    for node in (1..parent.len()).rev() {
        let above = parent[node] as usize;
        end[above] = end[above].max(end[node]);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(paths: &[&[u32]]) -> (Paths, Vec<u32>) {
        let mut steps = Vec::new();
        let mut ends = Vec::new();
        for path in paths {
            steps.extend_from_slice(path);
            ends.push(u32::try_from(steps.len()).unwrap());
        }
        Paths::merge(&steps, &ends)
    }

    #[test]
    fn shared_beginnings_become_one_node() {
        let (tree, last) = merge(&[&[1, 2, 3], &[1, 2], &[1, 4], &[], &[1, 2, 3]]);
        assert_eq!(tree.step, [NONE, 1, 2, 3, 4]);
        assert_eq!(tree.parent, [0, 0, 1, 2, 1]);
        assert_eq!(tree.end, [5, 5, 4, 4, 5]);
        assert_eq!(last, [3, 2, 4, 0, 3]);
        assert_eq!(tree.children(1).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn no_paths_leave_the_root_alone() {
        let (tree, last) = merge(&[]);
        assert_eq!((tree.len(), last.len(), tree.end[0]), (1, 0, 1));
    }

    #[test]
    fn no_beginning_is_there_twice_whatever_the_steps() {
        for largest in [3, 300, 70_000, u32::MAX - 2] {
            let paths: Vec<Vec<u32>> = (0..3_000u32)
                .map(|i| {
                    (0..i % 47)
                        .map(|j| [0, 1, largest][((i >> (j % 7)) % 3) as usize])
                        .collect()
                })
                .collect();
            let slices: Vec<&[u32]> = paths.iter().map(Vec::as_slice).collect();
            let (tree, _) = merge(&slices);
            let mut beginnings: Vec<&[u32]> = slices
                .iter()
                .flat_map(|path| (1..=path.len()).map(|to| &path[..to]))
                .collect();
            beginnings.sort_unstable();
            beginnings.dedup();
            assert_eq!(tree.len(), beginnings.len() + 1, "{largest}");
        }
    }

    #[test]
    fn paths_can_be_read_back_after_any_merge() {
        const { assert!(PARALLEL_FROM < 30_000, "too few paths for two threads") };
        let paths: Vec<Vec<u32>> = (0..30_000u32)
            .map(|i| (0..i % 61).map(|j| (i * 7 + j * j) % (2 + j / 9)).collect())
            .collect();
        let slices: Vec<&[u32]> = paths.iter().map(Vec::as_slice).collect();
        let (tree, last) = merge(&slices);
        for (path, &end) in paths.iter().zip(&last) {
            let mut read = Vec::new();
            let mut node = end;
            while node != 0 {
                read.push(tree.step[node as usize]);
                node = tree.parent[node as usize];
            }
            read.reverse();
            assert_eq!(&read, path);
        }
        for node in 1..tree.len() {
            assert!(tree.parent[node] < node as u32, "not in preorder");
        }
        let mut pairs: Vec<_> = tree.parent.iter().zip(&tree.step).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), tree.len(), "one caller has a callee twice");
    }
}
