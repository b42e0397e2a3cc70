//! The table of changes, for a terminal and as Markdown.

use crate::export::Judged;
use crate::export::table::{Align, TextTable};
use crate::model::diff::{Change, Comparison, Noise, Pair, Status};
use crate::model::profile::Profile;
use crate::model::text::share;
use crate::model::text::units;
use crate::model::text::units::plus;

/// Heads of the figures; `#` is the unit.
const HEADS: [&str; 8] = [
    "base#",
    "% of base",
    "new#",
    "% of new",
    "change#",
    "factor",
    "noise",
    "total change#",
];

/// Returns the table of changes, the figures of all rows in one unit.
pub(super) fn table(
    new: &Profile,
    comparison: &Comparison,
    changes: &[Change],
    judged: Option<&Judged<'_>>,
) -> TextTable {
    let (_, unit) = new.type_names(comparison.reading.sample_type);
    let amounts = |pair: Pair| [pair.base, pair.new, pair.change()];
    let all = changes
        .iter()
        .flat_map(|row| [amounts(row.own), amounts(row.total)])
        .flatten();
    let column = units::column_unit(all.map(i64::unsigned_abs).max().unwrap_or(0), &unit);
    let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
    let figure = |value: i64| units::column(value.into(), column);
    let signed = |value: i64| {
        let text = figure(value);
        let is_zero = !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
        if is_zero {
            text
        } else {
            plus(value.into(), text)
        }
    };
    let chance = comparison.chance();
    let row = |change: &Change| {
        let info = comparison.reading.frames.info(change.frame);
        let side = |value: i64, whole: i128, other: Status| match change.status {
            status if status == other => ["–".to_owned(), "–".to_owned()],
            _ => [figure(value), share::per_cent(value.into(), whole)],
        };
        let [base, base_share] = side(change.own.base, comparison.base.whole, Status::New);
        let [new, new_share] = side(change.own.new, comparison.new.whole, Status::Gone);
        let (own, total) = (signed(change.own.change()), signed(change.total.change()));
        let mut cells = vec![
            base,
            base_share,
            new,
            new_share,
            own,
            change.factor(),
            match judged {
                None => noise(chance.map(|chance| chance.noise(change))),
                Some(judged) => {
                    let verdict = judged.verdict(&info.identity());
                    verdict.map_or("", |row| row.verdict.word()).to_owned()
                }
            },
            total,
        ];
        cells.extend([info.name.to_owned(), info.place()]);
        cells
    };
    let figures = HEADS.map(|head| match head {
        "noise" if judged.is_some() => "verdict".to_owned(),
        "noise" if chance.is_none() => String::new(),
        _ => head.replace('#', &symbol),
    });
    let mut head: Vec<(&str, Align)> = figures
        .iter()
        .map(|figure| (figure.as_str(), Align::Right))
        .collect();
    head.extend([("function", Align::Name), ("location", Align::Place)]);
    let rows: Vec<Vec<String>> = changes.iter().map(row).collect();
    // On a narrow terminal the totals go, then the share that follows from the factor.
    TextTable::new(&head, &rows).giving_way(&[7, 3])
}

/// How far chance goes, and whether the change is within; nothing where samples were not counted.
fn noise(noise: Option<Option<Noise>>) -> String {
    match noise {
        None => String::new(),
        Some(None) => "–".to_owned(),
        Some(Some(Noise { level, is_within })) => {
            let word = if is_within { "within" } else { "beyond" };
            format!("{} {word}", share::factor(level))
        }
    }
}
