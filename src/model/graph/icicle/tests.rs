use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::model::graph::call_tree::Values;
use crate::model::graph::frames::{Entry, Family, FrameId};
use crate::model::graph::icicle::*;
use crate::model::profile::stack_trie::NONE;

/// Frames called `f0`, `f1`, …
fn frames(count: u32) -> Frames {
    let entry = |at: u32| Entry {
        name: format!("f{at}").into(),
        file: 0,
        line: 0,
        start: 0,
        column: 0,
        places: 1,
        family: Family::Own,
        original: None,
    };
    Frames {
        entries: (0..count).map(entry).collect(),
        files: vec!["".into()],
    }
}

/// A tree of nodes in preorder, each given by its depth, its frame and its own value.
fn tree(nodes: &[(u32, u32, i64)]) -> Tree {
    let (mut parent, mut frame) = (vec![0], vec![NONE]);
    let count = u32::try_from(nodes.len()).unwrap();
    let negative = nodes.iter().any(|(_, _, value)| *value < 0);
    let mut values = Values::new(nodes.len() + 1, 1..=count, negative);
    let mut path: Vec<u32> = vec![0];
    for (depth, name, value) in nodes {
        path.truncate(*depth as usize);
        let node = u32::try_from(frame.len()).unwrap();
        parent.push(*path.last().unwrap());
        frame.push(*name);
        values.add(node, *value, 1);
        path.push(node);
    }
    Tree::new(parent, frame, values)
}

fn window(columns: u16, order: Order) -> Window {
    Window {
        root: NodeId::ROOT,
        columns,
        first_row: 0,
        rows: 40,
        order,
        only: None,
    }
}

/// Nodes in preorder: each at most one level below the one before.
fn nodes() -> impl Strategy<Value = Vec<(u32, u32, i64)>> {
    let value = prop_oneof![4 => 0..3i64, 4 => 0..200i64, 1 => 0..100_000i64, 1 => -500..0i64];
    prop::collection::vec((0..6u32, 0..12u32, value), 1..120).prop_map(|mut nodes| {
        let mut deepest = 1;
        for node in &mut nodes {
            // One to six levels up from the deepest that can follow.
            node.0 = deepest.max(node.0 + 1) - node.0;
            deepest = node.0 + 1;
        }
        nodes
    })
}

fn parent_of(block: &Block, tree: &Tree) -> NodeId {
    match block.content {
        Content::Frame(node) => tree.parent(node),
        Content::Collected(collected) => collected.parent,
    }
}

/// What has to hold of the blocks below one caller.
fn check_below(
    layout: &Layout,
    tree: &Tree,
    frames: &Frames,
    window: &Window,
    caller: NodeId,
    row: u16,
) {
    let whole = Block {
        row: 0,
        start: 0,
        end_eighths: u32::from(window.columns) * 8,
        content: Content::Frame(caller),
    };
    let around = if caller == window.root {
        whole
    } else {
        *layout.find(caller).unwrap()
    };
    let below: Vec<&Block> = layout
        .row(row)
        .iter()
        .filter(|block| parent_of(block, tree) == caller)
        .collect();
    let mut drawn = 0;
    for (at, block) in below.iter().enumerate() {
        assert!(
            block.end_eighths >= (u32::from(block.start) + 1) * 8,
            "thinner than a cell: {block:?}"
        );
        assert!(
            block.start >= around.start && block.end_eighths <= around.end_eighths,
            "outside: {block:?} {around:?}"
        );
        if let Some(next) = below.get(at + 1) {
            assert_eq!(
                block.end_eighths,
                u32::from(next.start) * 8,
                "siblings do not touch: {block:?} {next:?}"
            );
        }
        drawn += match block.content {
            Content::Frame(node) => tree.weight(node),
            Content::Collected(collected) => {
                assert!(
                    collected.count > 1,
                    "one frame alone is drawn as itself: {block:?}"
                );
                assert_eq!(
                    block.end_eighths % 8,
                    0,
                    "a collection ends in mid-cell: {block:?}"
                );
                collected.weight(tree, frames, window.order)
            }
        };
    }
    let all: u64 = tree.unordered(caller).map(|child| tree.weight(child)).sum();
    assert_eq!(
        drawn, all,
        "something was lost or drawn twice below {caller:?}"
    );
}

fn check(tree: &Tree, frames: &Frames, window: &Window) {
    let layout = layout(tree, frames, window);
    if tree.weight(window.root) == 0 {
        assert!(layout.blocks.is_empty());
        return;
    }
    check_below(&layout, tree, frames, window, window.root, 0);
    for row in 0..layout.rows() {
        let blocks = layout.row(row);
        assert!(
            blocks.is_sorted_by(|one, other| one.end_eighths <= u32::from(other.start) * 8),
            "overlap in row {row}"
        );
        for block in blocks {
            if let Content::Frame(node) = block.content {
                check_below(&layout, tree, frames, window, node, row + 1);
            }
        }
    }
}

/// Cases that once failed, which every run begins with.
const FAILED: &str = "tests/proptest-regressions/icicle.txt";

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(FAILED))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn siblings_touch_stay_inside_and_nothing_is_lost(nodes in nodes(), columns in 1..130u16, by_name: bool) {
        let order = if by_name { Order::Name } else { Order::Weight };
        let (tree, frames) = (tree(&nodes), frames(12));
        check(&tree, &frames, &window(columns, order));
        for child in tree.unordered(NodeId::ROOT) {
            check(&tree, &frames, &Window { root: child, ..window(columns, order) });
        }
    }

    #[test]
    fn scrolling_shows_the_same_rows(nodes in nodes(), columns in 1..130u16, first_row in 0..8u16) {
        let (tree, frames) = (tree(&nodes), frames(12));
        let whole = layout(&tree, &frames, &window(columns, Order::Weight));
        let scrolled =
            layout(&tree, &frames, &Window { first_row: first_row.into(), ..window(columns, Order::Weight) });
        prop_assert_eq!(scrolled.rows(), whole.rows().saturating_sub(first_row));
        for row in 0..scrolled.rows() {
            let expected: Vec<Block> =
                whole.row(row + first_row).iter().map(|block| Block { row, ..*block }).collect();
            prop_assert_eq!(scrolled.row(row), expected.as_slice());
        }
    }

    #[test]
    fn a_wide_frame_is_as_wide_as_it_weighs(nodes in nodes(), columns in 1..130u16) {
        let (tree, frames) = (tree(&nodes), frames(12));
        let total = tree.weight(NodeId::ROOT);
        for block in layout(&tree, &frames, &window(columns, Order::Weight)).blocks {
            let Content::Frame(node) = block.content else { continue };
            let exact = tree.weight(node) as f64 * f64::from(columns) / total as f64;
            let drawn = f64::from(block.end_eighths) / 8.0 - f64::from(block.start);
            // Each edge is off by at most half a cell. On each level the last one may lend a cell to a collection.
            let lent = f64::from(block.row) + 1.0;
            prop_assert!(drawn >= exact - 1.01 - lent && drawn <= exact.max(1.0) + 1.01, "{drawn} for {exact}");
        }
    }
}

#[test]
fn a_child_is_as_wide_as_its_share_and_the_rest_is_blank() {
    // root 75 of its own, child 25.
    let (tree, frames) = (tree(&[(1, 0, 75), (2, 1, 25)]), frames(2));
    let layout = layout(&tree, &frames, &window(100, Order::Weight));
    let ends: Vec<(u16, u32)> = layout
        .blocks
        .iter()
        .map(|block| (block.start, block.end_eighths))
        .collect();
    assert_eq!(ends, [(0, 800), (0, 200)]);
    assert_eq!(
        (
            layout.row(0).len(),
            layout.row(1).len(),
            layout.row(2).len()
        ),
        (1, 1, 0)
    );
}

#[test]
fn an_end_with_nothing_to_its_right_is_exact_to_an_eighth() {
    let (tree, frames) = (tree(&[(1, 0, 1), (2, 1, 2)]), frames(2));
    let layout = layout(&tree, &frames, &window(10, Order::Weight));
    // Two thirds of ten cells: 6 5/8 and a bit.
    assert_eq!(layout.blocks[1].end_eighths, 53);
    assert_eq!(
        (layout.blocks[1].cells(), layout.blocks[1].whole_cells()),
        (7, 6)
    );
}

#[test]
fn thin_frames_are_collected_and_can_be_opened() {
    let mut nodes = vec![(1, 0, 1_000)];
    nodes.extend((1..=50).map(|frame| (1, frame, 2)));
    let (tree, frames) = (tree(&nodes), frames(51));
    let whole = window(20, Order::Weight);
    let layout_of = |window: &Window| layout(&tree, &frames, window);
    let collected = match layout_of(&whole).row(0) {
        [
            wide,
            Block {
                content: Content::Collected(collected),
                start,
                end_eighths,
                ..
            },
        ] => {
            assert_eq!((wide.end_eighths, *start, *end_eighths), (18 * 8, 18, 160));
            *collected
        }
        other => panic!("{other:?}"),
    };
    assert_eq!((collected.first, collected.count), (1, 50));
    assert_eq!(collected.weight(&tree, &frames, Order::Weight), 100);
    assert_eq!(collected.total(&tree, &frames, Order::Weight), 100);
    // Equal weights are ordered by name: f1, f10, f11, …
    let heaviest = collected.heaviest(&tree, &frames, Order::Weight).unwrap();
    assert_eq!(tree.frame(heaviest), Some(FrameId(1)));
    assert!(collected.contains(heaviest, &tree, &frames, Order::Weight));
    let opened = layout_of(&Window {
        columns: 100,
        only: Some(collected),
        ..whole
    });
    assert_eq!(opened.row(0).len(), 50);
    assert!(opened.row(0).iter().all(|block| block.cells() == 2));
}

#[test]
fn by_name_each_run_of_thin_frames_is_collected_by_itself() {
    let nodes = [
        (1, 0, 1),
        (1, 1, 1),
        (1, 2, 500),
        (1, 3, 1),
        (1, 4, 1),
        (1, 5, 500),
    ];
    let (tree, frames) = (tree(&nodes), frames(6));
    let layout = layout(&tree, &frames, &window(50, Order::Name));
    let kinds: Vec<Option<u32>> = layout
        .row(0)
        .iter()
        .map(|block| match block.content {
            Content::Collected(collected) => Some(collected.count),
            Content::Frame(_) => None,
        })
        .collect();
    assert_eq!(kinds, [Some(2), None, Some(2), None]);
}

#[test]
fn very_deep_and_very_wide_trees_are_laid_out() {
    let deep: Vec<(u32, u32, i64)> = (1..=10_000).map(|depth| (depth, depth % 7, 1)).collect();
    let deep = tree(&deep);
    let scrolled = Window {
        first_row: 9_990,
        ..window(200, Order::Weight)
    };
    let bottom = layout(&deep, &frames(7), &scrolled);
    // A child alone is drawn however thin it is.
    assert_eq!((bottom.rows(), bottom.blocks.len()), (10, 10));
    assert_eq!(bottom.blocks[9].content, Content::Frame(NodeId(10_000)));

    let wide: Vec<(u32, u32, i64)> = (0..50_000).map(|frame| (1, frame, 1)).collect();
    let layout = layout(&tree(&wide), &frames(50_000), &window(200, Order::Weight));
    assert!(matches!(
        layout.row(0),
        [Block {
            content: Content::Collected(Collected { count: 50_000, .. }),
            ..
        }]
    ));
}
