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

/// Records that share the first `depth` steps, which lead to `parent`.
struct Group {
    from: usize,
    to: usize,
    depth: usize,
    parent: u32,
}

impl Paths {
    /// Merges paths by their beginnings. Path `i` is `steps[ends[i - 1]..ends[i]]`, root first. Answers the tree and, for
    /// each path, the node where it ends.
    pub(super) fn merge(steps: &[u32], ends: &[u32]) -> (Self, Vec<u32>) {
        let path = |record: u64| {
            let at = (record & u64::from(u32::MAX)) as usize;
            let start = if at == 0 { 0 } else { ends[at - 1] as usize };
            &steps[start..ends[at] as usize]
        };
        let mut tree = Self { parent: vec![0], step: vec![NONE], end: Vec::new() };
        let mut last = vec![0; ends.len()];
        // The low half of an entry is the path's number, the high half the step it is being sorted by.
        let mut order: Vec<u64> = (0..ends.len() as u64).collect();
        let mut groups = vec![Group { from: 0, to: order.len(), depth: 0, parent: 0 }];
        while let Some(group) = groups.pop() {
            let Some((&first, others)) = order[group.from..group.to].split_first() else { continue };
            let first = path(first);
            let mut common = first.len();
            for &other in others {
                common = group.depth + shared(&first[group.depth..common], &path(other)[group.depth..]);
                if common == group.depth {
                    break;
                }
            }
            let mut node = group.parent;
            for &step in &first[group.depth..common] {
                node = tree.push(node, step);
            }
            let members = &mut order[group.from..group.to];
            for member in members.iter_mut() {
                // A path that ends here sorts before all that go on.
                let key = path(*member).get(common).map_or(0, |step| u64::from(*step) + 1);
                *member = key << 32 | (*member & u64::from(u32::MAX));
            }
            members.sort_unstable();
            let mut run_end = members.len();
            while run_end > 0 {
                let key = members[run_end - 1] >> 32;
                let run = members[..run_end].iter().rposition(|member| member >> 32 != key).map_or(0, |at| at + 1);
                if key == 0 {
                    for member in &members[run..run_end] {
                        last[(member & u64::from(u32::MAX)) as usize] = node;
                    }
                } else {
                    // Pushed last to first, so that the first is popped next and nodes come out in preorder.
                    groups.push(Group {
                        from: group.from + run,
                        to: group.from + run_end,
                        depth: common,
                        parent: node,
                    });
                }
                run_end = run;
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

/// How many first steps two paths have in common.
fn shared(one: &[u32], other: &[u32]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
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
    fn paths_can_be_read_back() {
        let paths: Vec<Vec<u32>> =
            (0..500u32).map(|i| (0..i % 13).map(|j| (i * 7 + j * j) % (2 + j)).collect()).collect();
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
