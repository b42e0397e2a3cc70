//! Folded stacks as other tools write them, and what becomes of our own when they are read again.

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::View;

use crate::table;
use crate::wording::wording;

#[test]
fn comments_line_ends_and_blanks_are_taken_as_meant() {
    let text = "# from another tool\r\n\r\nmain;operator new 3;get x 12\r\nmain;operator new 3 8\r\n# end\r\nmain 1";
    let profile = formats::read(text.as_bytes(), "file").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let rows = table(&reading);
    let row = |name: &str| rows[&(name.to_owned(), String::new())];
    assert_eq!(
        (row("get x"), row("operator new 3"), row("main")),
        ((12, 12, 12), (8, 20, 8), (1, 21, 1))
    );
    assert_eq!(
        (
            reading.total,
            reading.samples,
            reading.tree.height(NodeId::ROOT)
        ),
        (21, 21, 3)
    );
}

#[test]
fn a_line_without_a_value_is_refused_by_its_number() {
    let mut wording = wording!();
    let huge = "99999999999999999999";
    for text in [
        "a;b 1\n# c\na;b\n",
        "a 1\nb 1.5",
        &format!("a 1\nb {huge}\n"),
    ] {
        let error = formats::read(text.as_bytes(), "file")
            .unwrap_err()
            .to_string();
        wording.add(error);
    }
}

#[test]
fn lines_longer_than_what_is_read_at_a_time_stay_whole() {
    let names: Vec<String> = (0..40_000).map(|at| format!("f{at}")).collect();
    let text = format!("{} 5\nlast 1\n", names.join(";"));
    let profile = formats::read(text.as_bytes(), "file").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert_eq!(
        (reading.total, reading.tree.height(NodeId::ROOT)),
        (6, 40_000)
    );
}
