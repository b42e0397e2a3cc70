//! A view, or a comparison of two, as a flame graph: an SVG picture with zoom and search for a browser.
//!
//! Every box, label and figure is written here, so the picture can be read without scripts. The script (the same in
//! every file) only moves the boxes; text from a profile is XML text and is never run.

mod boxes;
mod colours;

use std::collections::HashSet;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::export::Scene;
use crate::export::flame::boxes::{Boxes, Content, FrameBox};
use crate::model::diff::{Comparison, Pair, Step};
use crate::model::graph::call_tree::NodeId;
use crate::model::text::cut::cut_name;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units;

const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 10.0;
/// From the top of a box to that of the row below.
const ROW: u32 = 16;
const FONT: &str = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace";
/// Width of a letter at 12 pixels.
const LETTER: f64 = 7.23;
/// Between the edge of a box and its label.
const PADDING: f64 = 3.0;
/// Letters in a line of the heading, and in one of the facts below it. Both fit windows of 1,000 pixels; the heading
/// leaves room for the search.
const HEADING: usize = 56;
const FACTS: usize = 134;
const INK: &str = "#1c1917";
const GROUND: &str = "#ffffff";

/// Draws a view as a flame graph, callers above and callees below.
#[must_use]
pub fn svg(scene: &Scene<'_>) -> Vec<u8> {
    Picture::new(scene, None).draw().into_bytes()
}

/// Draws a comparison, whose reading is the scene's: red where there is more, blue where there is less.
pub(super) fn of_changes(scene: &Scene<'_>, comparison: &Comparison) -> Vec<u8> {
    Picture::new(scene, Some(comparison)).draw().into_bytes()
}

/// What is drawn, and what is written of it.
struct Picture<'a> {
    scene: &'a Scene<'a>,
    comparison: Option<&'a Comparison>,
    unit: String,
    boxes: Boxes,
    out: String,
    /// The colours drawn so far.
    fills: HashSet<&'static str>,
}

impl<'a> Picture<'a> {
    fn new(scene: &'a Scene<'a>, comparison: Option<&'a Comparison>) -> Self {
        Self {
            scene,
            comparison,
            unit: scene.unit(),
            boxes: Boxes::new(scene),
            out: String::new(),
            fills: HashSet::new(),
        }
    }

    fn draw(mut self) -> String {
        let title = wrapped(&self.scene.caption.title, HEADING);
        let facts = wrapped(&self.facts(), FACTS);
        let head = 20 + 20 * lines(&title) + 16 * lines(&facts) + 44;
        let rows = self.boxes.all.iter().map(|one| one.depth + 1).max();
        let height = head + rows.unwrap_or(2) * ROW + 20;
        let boxes = std::mem::take(&mut self.boxes.all);
        for one in &boxes {
            self.frame(one, boxes.first().map_or(1, |root| root.weight), head);
        }
        let frames = std::mem::take(&mut self.out);
        self.open(height);
        self.text("title", &title, (27, 20, 15));
        self.text("facts", &facts, (30 + 20 * lines(&title), 16, 12));
        self.legend(head - 32);
        if boxes.is_empty() {
            let nothing = ["Nothing to draw: this view holds no samples.".to_owned()];
            self.text("facts", &nothing, (head + ROW, ROW, 12));
        } else {
            self.text("details", &[String::new()], (head - 7, ROW, 12));
            self.out += "<g class=\"frames\">\n";
            self.out += &frames;
            self.out += "</g>\n<script><![CDATA[\n";
            self.out += include_str!("flame.js");
            self.out += "]]></script>\n";
        }
        self.out += "</svg>\n";
        self.out
    }

    /// What is written below the title.
    fn facts(&self) -> String {
        let mut facts = Vec::new();
        facts.extend(Some(self.scene.caption.facts.clone()).filter(|facts| !facts.is_empty()));
        if self.boxes.left_out > 0 {
            let left_out = i128::try_from(self.boxes.left_out).unwrap_or(i128::MAX);
            let least = units::value(
                i128::from(self.scene.reading.tree.weight(self.scene.root) / boxes::PARTS),
                &self.unit,
            );
            let deep = self.boxes.rows.map_or_else(String::new, |rows| {
                format!(
                    " or deeper than {}",
                    units::counted(i128::from(rows), "row")
                )
            });
            facts.push(format!(
                "{} narrower than {least}{deep} not drawn",
                units::counted(left_out, "frame")
            ));
        }
        facts.push(concat!("flarescope\u{a0}", env!("CARGO_PKG_VERSION")).to_owned());
        facts.join(" · ")
    }

    /// The root element with what the script has to know, the style and the ground.
    fn open(&mut self, height: u32) {
        let reading = self.scene.reading;
        let weight = reading.tree.weight(self.scene.root);
        // Shares of a search are of the capture where widths are values, else of the picture.
        let (whole, of) = match u64::try_from(reading.base) {
            Ok(base @ 1..) if self.comparison.is_none() && !reading.tree.has_negative() => {
                (base, "of the capture")
            }
            _ => (weight.max(1), "of the width"),
        };
        let zero = share::per_cent(0, 1);
        // Writing to a string can't fail, here and below.
        let _ = write!(
            self.out,
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" "#,
                r#"viewBox="0 0 {WIDTH} {height}" xml:space="preserve" font-family="{FONT}" font-size="12" fill="{INK}" "#,
                r#"data-margin="{MARGIN}" data-row="{ROW}" data-letter="{LETTER}" data-padding="{PADDING}" "#,
                r#"data-whole="{whole}" data-of="{of}" data-percent="{zero}">"#,
                "\n<title>"
            ),
            WIDTH = WIDTH,
            height = height,
            FONT = FONT,
            INK = INK,
            MARGIN = MARGIN,
            ROW = ROW,
            LETTER = LETTER,
            PADDING = PADDING,
            whole = whole,
            of = of,
            zero = zero
        );
        xml(&self.scene.caption.title, &mut self.out);
        self.out += "</title>\n<style><![CDATA[\n";
        self.out += include_str!("flame.css");
        let _ = writeln!(
            self.out,
            "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"{GROUND}\"/>"
        );
    }

    /// Lines of text at the left edge: the first baseline, from one to the next, and the size.
    fn text(&mut self, class: &str, lines: &[String], (mut y, step, size): (u32, u32, u32)) {
        for line in lines {
            let _ = write!(
                self.out,
                r#"<text class="{class}" x="{MARGIN}" y="{y}" font-size="{size}">"#
            );
            xml(line, &mut self.out);
            self.out += "</text>\n";
            y += step;
        }
    }

    /// What the colours of the picture mean.
    fn legend(&mut self, y: u32) {
        let mut x = MARGIN;
        self.out += "<g class=\"legend\">\n";
        for (fills, meaning) in colours::legend() {
            if fills.iter().all(|fill| !self.fills.contains(fill)) {
                continue;
            }
            for fill in fills {
                let _ = write!(
                    self.out,
                    r#"<rect x="{x:.1}" y="{}" width="10" height="10" fill="{fill}"/>"#,
                    y - 9
                );
                x += 11.0;
            }
            x += 4.0;
            let _ = write!(self.out, r#"<text x="{x:.1}" y="{y}">{meaning}</text>"#);
            x += pixels(meaning.width()) + 18.0;
        }
        self.out += "\n</g>\n";
    }

    /// One box with its title and label.
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn frame(&mut self, one: &FrameBox, total: u64, top: u32) {
        let scale = (WIDTH - 2.0 * MARGIN) / total as f64;
        let (x, width) = (MARGIN + one.start as f64 * scale, one.weight as f64 * scale);
        let y = top + one.depth * ROW;
        let named = self.named(one);
        self.fills.insert(named.fill);
        let out = &mut self.out;
        let _ = write!(
            out,
            r#"<g data-x="{}" data-w="{}" data-share="{}""#,
            one.start, one.weight, named.share
        );
        if let Some(mark) = named.mark {
            let _ = write!(out, r#" data-mark="{mark}""#);
        }
        *out += match one.content {
            Content::Rest(_) => r#" class="rest""#,
            Content::Frame(NodeId::ROOT) => r#" class="all""#,
            Content::Frame(_) => "",
        };
        *out += "><title>";
        for (at, line) in named.title.iter().enumerate() {
            *out += if at == 0 { "" } else { "\n" };
            xml(line, out);
        }
        let gap = if width > 1.5 { 0.5 } else { 0.0 };
        let _ = write!(
            out,
            r#"</title><rect x="{x:.2}" y="{y}" width="{:.2}" height="{}" fill="{}"/>"#,
            width - gap,
            ROW - 1,
            named.fill
        );
        let label = named.label(((width - 2.0 * PADDING) / LETTER).max(0.0) as usize);
        if !label.is_empty() {
            let _ = write!(out, r#"<text x="{:.2}" y="{}">"#, x + PADDING, y + 12);
            xml(&label, out);
            *out += "</text>";
        }
        *out += "</g>\n";
    }

    fn named(&self, one: &FrameBox) -> Named {
        let (reading, root) = (self.scene.reading, self.scene.root);
        match &one.content {
            Content::Frame(node) => {
                let frame = reading.tree.frame(*node);
                let total = self.total(&[*node]);
                let own = match self.comparison {
                    Some(comparison) => comparison.own(*node),
                    None => of_new(reading.tree.self_value(*node)),
                };
                let name = frame.map_or("all".into(), |frame| reading.frames.label(frame));
                let mut title = vec![
                    name.into_owned(),
                    format!("total {}", self.figures(total)),
                    format!("self {}", self.figures(own)),
                ];
                title.extend(frame.map(|frame| reading.frames.info(frame).place()));
                let step = self.comparison.map(|comparison| comparison.step(*node));
                Named {
                    title,
                    share: self.share(total),
                    mark: match step {
                        Some(Step::More(_)) => Some('▴'),
                        Some(Step::Less(_)) => Some('▾'),
                        Some(Step::Same) | None => None,
                    },
                    fill: match (step, frame) {
                        (Some(_), _) if *node == root => colours::ALL,
                        (Some(step), _) => colours::of_step(step),
                        (None, _) if total.new < 0 => colours::BELOW_ZERO,
                        (None, Some(frame)) => colours::of(reading, frame),
                        (None, None) => colours::ALL,
                    },
                }
            }
            Content::Rest(nodes) => {
                let total = self.total(nodes);
                let count: usize = nodes
                    .iter()
                    .map(|node| boxes::count(&reading.tree, *node))
                    .sum();
                let count = units::counted(i128::try_from(count).unwrap_or(i128::MAX), "frame");
                Named {
                    title: vec![
                        format!("+{count}"),
                        format!("total {}", self.figures(total)),
                        "too narrow or too deep to draw".to_owned(),
                    ],
                    share: self.share(total),
                    mark: None,
                    fill: colours::REST,
                }
            }
        }
    }

    /// What several nodes hold with all they call; a view has no base.
    fn total(&self, nodes: &[NodeId]) -> Pair {
        let each = nodes.iter().map(|node| match self.comparison {
            Some(comparison) => comparison.total(*node),
            None => of_new(self.scene.reading.tree.total(*node)),
        });
        each.fold(Pair::default(), |sum, pair| Pair {
            base: sum.base + pair.base,
            new: sum.new + pair.new,
        })
    }

    /// A value and its share of the capture; of a comparison both, and the change.
    fn figures(&self, pair: Pair) -> String {
        let value = |value: i64| units::value(value.into(), &self.unit);
        let share = self.share(pair);
        if self.comparison.is_none() {
            return format!("{}, {share}", value(pair.new));
        }
        let change = units::signed(pair.change().into(), &self.unit);
        format!(
            "{} → {}, {change}, {share}",
            value(pair.base),
            value(pair.new)
        )
    }

    fn share(&self, pair: Pair) -> String {
        let share = |value: i64, whole| share::per_cent(value.into(), whole);
        match self.comparison {
            None => share(pair.new, self.scene.reading.base),
            Some(Comparison { base, new, .. }) => format!(
                "{} → {}",
                share(pair.base, base.whole),
                share(pair.new, new.whole)
            ),
        }
    }
}

fn of_new(new: i64) -> Pair {
    Pair { base: 0, new }
}

/// What is written of a box.
struct Named {
    /// The name, then lines of figures.
    title: Vec<String>,
    share: String,
    /// What became of it, for those who don't see the colours.
    mark: Option<char>,
    fill: &'static str,
}

impl Named {
    /// As much of mark, name and share as so many letters hold.
    fn label(&self, letters: usize) -> String {
        if letters < 3 {
            return String::new();
        }
        let mark = self
            .mark
            .map_or_else(String::new, |mark| format!("{mark} "));
        let name = mark + &printable(self.title.first().map_or("", String::as_str));
        let whole = format!("{name}  {}", self.share);
        if whole.width() <= letters {
            whole
        } else {
            cut_name(&name, letters).into_owned()
        }
    }
}

/// Breaks a text into lines of so many letters, after a blank or a slash where there is one.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive([' ', '/']) {
        if !line.is_empty() && line.width() + word.trim_end().width() > letters {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            if line.width() >= letters && character != ' ' {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

fn lines(text: &[String]) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn pixels(letters: usize) -> f64 {
    letters as f64 * LETTER
}

/// Appends text from outside as XML: only what XML can't hold, or a terminal would obey, is replaced.
fn xml(text: &str, out: &mut String) {
    for character in printable(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
}
