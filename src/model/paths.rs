//! Many paths (a stack each) as one tree of shared beginnings, built by sorting: no hash map, no recursion.

/// Marks the root's step and other places where there is nothing.
pub(super) const NONE: u32 = u32::MAX;

/// A tree of steps in preorder: a node's descendants are the nodes after it up to its end. Node 0 is the root.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// The node above; the root is its own parent.
    pub(super) parent: Vec<u32>,
    /// What leads from the parent to here; [`NONE`] for the root.
    pub(super) step: Vec<u32>,
    /// The first node that is no descendant any more.
    pub(super) end: Vec<u32>,
}

/// Paths that share their first steps, sorted by the next ones and being turned into nodes from first to last.
struct Group {
    next: usize,
    to: usize,
    /// How many steps are shared.
    depth: usize,
    /// The node those lead to.
    node: u32,
    /// The nodes of the path in hand below that.
    chain: [u32; STEPS_MAX],
    /// The steps that led to them.
    key: u128,
}

/// Bits of an entry that hold the path's number; the steps it is sorted by stand above them.
const NUMBER_BITS: u32 = 32;
/// At most so many steps fit above the number, if each takes 8 bits.
const STEPS_MAX: usize = 12;

/// How steps are packed into the entries that are sorted.
#[derive(Clone, Copy)]
struct Packing {
    bits: u32,
    steps: usize,
}

impl Packing {
    /// As many steps as fit, given the largest.
    fn new(largest: u32) -> Self {
        // One more than the step itself, as 0 stands for the path's end.
        let bits = (u64::from(largest) + 2).next_power_of_two().trailing_zeros().max(8);
        Self { bits, steps: ((u128::BITS - NUMBER_BITS) / bits) as usize }
    }

    /// The entry of a path for the steps from a depth on.
    fn pack(self, path: &[u32], depth: usize, number: u128) -> u128 {
        let rest = path.get(depth..).unwrap_or_default();
        let mut key = 0;
        for at in 0..self.steps {
            key = key << self.bits | rest.get(at).map_or(0, |step| u128::from(*step) + 1);
        }
        key << NUMBER_BITS | number
    }

    /// How many first steps two keys have in common.
    fn shared(self, one: u128, other: u128) -> usize {
        let unused = u128::BITS - self.bits * self.steps as u32;
        ((((one ^ other).leading_zeros() - unused) / self.bits) as usize).min(self.steps)
    }

    /// Whether the path goes on after the key's last step.
    fn goes_on(self, key: u128) -> bool {
        key & ((1 << self.bits) - 1) != 0
    }
}

impl Paths {
    /// Merges paths by their beginnings. Path `i` is `steps[ends[i - 1]..ends[i]]`, root first. Answers the tree and, for
    /// each path, the node where it ends.
    ///
    /// Sorts by several steps at once and goes deeper only where all of them are equal, so that a path is looked at a
    /// few times, not once for each of its steps.
    pub(super) fn merge(steps: &[u32], ends: &[u32]) -> (Self, Vec<u32>) {
        let path = |number: u128| {
            let at = (number & u128::from(u32::MAX)) as usize;
            let start = if at == 0 { 0 } else { ends[at - 1] as usize };
            &steps[start..ends[at] as usize]
        };
        let packing = Packing::new(steps.iter().copied().max().unwrap_or(0));
        let mut tree = Self { parent: vec![0], step: vec![NONE], end: Vec::new() };
        let mut last = vec![0; ends.len()];
        let mut order: Vec<u128> = (0..ends.len() as u128).collect();
        let sort = |members: &mut [u128], depth: usize| {
            for member in members.iter_mut() {
                *member = packing.pack(path(*member), depth, *member & u128::from(u32::MAX));
            }
            members.sort_unstable();
        };
        let group = |next, to, depth, node| Group { next, to, depth, node, chain: [node; STEPS_MAX], key: 0 };
        sort(&mut order, 0);
        let mut groups = vec![group(0, order.len(), 0, 0)];
        while let Some(top) = groups.last_mut() {
            let Some(&first) = order[top.next..top.to].first() else {
                groups.pop();
                continue;
            };
            let key = first >> NUMBER_BITS;
            // Before the first path of a group there is none to share nodes with, only what the group shares.
            let shared = if top.key == 0 { 0 } else { packing.shared(top.key, key) };
            let mut node = if shared == 0 { top.node } else { top.chain[shared - 1] };
            let rest = path(first).get(top.depth..).unwrap_or_default();
            for (at, step) in rest.iter().enumerate().take(packing.steps).skip(shared) {
                node = tree.push(node, *step);
                top.chain[at] = node;
            }
            let from = top.next;
            let same = order[from..top.to].iter().take_while(|member| **member >> NUMBER_BITS == key).count();
            (top.next, top.key) = (from + same, key);
            let depth = top.depth + packing.steps;
            if same > 1 && packing.goes_on(key) {
                sort(&mut order[from..from + same], depth);
                groups.push(group(from, from + same, depth, node));
            } else {
                for step in rest.get(packing.steps..).unwrap_or_default() {
                    node = tree.push(node, *step);
                }
                for member in &order[from..from + same] {
                    last[(member & u128::from(u32::MAX)) as usize] = node;
                }
            }
        }
        tree.close();
        (tree, last)
    }

    /// Counts the nodes, the root among them.
    pub(super) fn len(&self) -> usize {
        self.step.len()
    }

    /// The nodes directly below one, in the order of their steps.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end[node as usize];
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end[child as usize];
            Some(child)
        })
    }

    fn push(&mut self, parent: u32, step: u32) -> u32 {
        let node = u32::try_from(self.step.len()).unwrap_or(NONE);
        self.parent.push(parent);
        self.step.push(step);
        node
    }

    fn close(&mut self) {
        self.end = ends_of(&self.parent);
    }
}

/// For nodes in preorder, the first node after each one's descendants.
pub(super) fn ends_of(parent: &[u32]) -> Vec<u32> {
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
                .map(|i| (0..i % 47).map(|j| [0, 1, largest][((i >> (j % 7)) % 3) as usize]).collect())
                .collect();
            let slices: Vec<&[u32]> = paths.iter().map(Vec::as_slice).collect();
            let (tree, _) = merge(&slices);
            let mut beginnings: Vec<&[u32]> =
                slices.iter().flat_map(|path| (1..=path.len()).map(|to| &path[..to])).collect();
            beginnings.sort_unstable();
            beginnings.dedup();
            assert_eq!(tree.len(), beginnings.len() + 1, "{largest}");
        }
    }

    #[test]
    fn paths_can_be_read_back() {
        let paths: Vec<Vec<u32>> =
            (0..2_000u32).map(|i| (0..i % 61).map(|j| (i * 7 + j * j) % (2 + j / 9)).collect()).collect();
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
    }
}
