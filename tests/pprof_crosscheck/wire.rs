//! Writes pprof files by hand, so that shapes can be made that our own writer never makes.

use std::collections::HashMap;

/// A profile while it is being written: whole top-level fields, to be put in any order.
#[derive(Default)]
pub(crate) struct Writer {
    strings: Vec<Vec<u8>>,
    ids: HashMap<Vec<u8>, u64>,
    pub(crate) fields: Vec<Vec<u8>>,
}

/// The value of a tag.
#[derive(Clone, Copy)]
pub(crate) enum Tag<'a> {
    Text(&'a str),
    Number(i64, &'a str),
}

/// A function: name, name in the system, file, start line.
pub(crate) struct Function<'a>(
    pub(crate) &'a str,
    pub(crate) &'a str,
    pub(crate) &'a str,
    pub(crate) i64,
);

impl Writer {
    pub(crate) fn new(types: &[(&str, &str)]) -> Self {
        let mut writer = Self::default();
        writer.text("");
        for (kind, unit) in types {
            let message = writer.value_type(kind, unit);
            writer.fields.push(message_field(1, &message));
        }
        writer
    }

    fn text(&mut self, text: &str) -> u64 {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, text: &[u8]) -> u64 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.strings.len() as u64;
        self.strings.push(text.to_vec());
        self.ids.insert(text.to_vec(), id);
        id
    }

    fn value_type(&mut self, kind: &str, unit: &str) -> Vec<u8> {
        let (kind, unit) = (self.text(kind), self.text(unit));
        [number(1, kind), number(2, unit)].concat()
    }

    pub(crate) fn period(&mut self, kind: &str, unit: &str, period: i64) {
        let message = self.value_type(kind, unit);
        self.fields.extend([
            message_field(11, &message),
            number(12, period.cast_unsigned()),
        ]);
    }

    pub(crate) fn comment(&mut self, text: &str) {
        let id = self.text(text);
        self.fields.push(number(13, id));
    }

    /// A text of its own: 7 `drop_frames`, 8 `keep_frames`, 14 `default_sample_type`.
    pub(crate) fn named(&mut self, field: u64, text: &str) {
        let id = self.text(text);
        self.fields.push(number(field, id));
    }

    pub(crate) fn mapping(&mut self, id: u64, start: u64, limit: u64, file: &str, build_id: &str) {
        let (file, build_id) = (self.text(file), self.text(build_id));
        let message = [
            number(1, id),
            number(2, start),
            number(3, limit),
            number(5, file),
            number(6, build_id),
        ];
        self.fields.push(message_field(
            3,
            &[&message.concat(), &number(7, 1)[..]].concat(),
        ));
    }

    pub(crate) fn function(&mut self, id: u64, function: &Function<'_>) {
        let Function(name, system, file, start) = *function;
        let (name, system, file) = (self.text(name), self.text(system), self.text(file));
        let message = [
            number(1, id),
            number(2, name),
            number(3, system),
            number(4, file),
        ]
        .concat();
        self.fields.push(message_field(
            5,
            &[message, number(5, start.cast_unsigned())].concat(),
        ));
    }

    /// Lines are a function's id and a line, innermost first.
    pub(crate) fn location(
        &mut self,
        id: u64,
        mapping: u64,
        address: u64,
        lines: &[(u64, i64)],
        folded: bool,
    ) {
        let mut message = [number(1, id), number(2, mapping), number(3, address)].concat();
        for (function, line) in lines {
            message.extend(message_field(
                4,
                &[number(1, *function), number(2, line.cast_unsigned())].concat(),
            ));
        }
        message.extend(number(5, u64::from(folded)));
        self.fields.push(message_field(4, &message));
    }

    /// A stack, leaf first, with its values and tags.
    pub(crate) fn sample(&mut self, stack: &[u64], values: &[i64], tags: &[(&str, Tag<'_>)]) {
        let packed =
            |numbers: &mut dyn Iterator<Item = u64>| numbers.flat_map(varint).collect::<Vec<u8>>();
        let mut message = message_field(1, &packed(&mut stack.iter().copied()));
        message.extend(message_field(
            2,
            &packed(&mut values.iter().map(|value| value.cast_unsigned())),
        ));
        for (key, tag) in tags {
            let key = number(1, self.text(key));
            let value = match *tag {
                Tag::Text(text) => number(2, self.text(text)),
                Tag::Number(value, unit) => {
                    [number(3, value.cast_unsigned()), number(4, self.text(unit))].concat()
                }
            };
            message.extend(message_field(3, &[key, value].concat()));
        }
        self.fields.push(message_field(2, &message));
    }

    /// The strings' fields, which must stay in their order.
    pub(crate) fn finish(self) -> Vec<u8> {
        let strings = self.strings.iter().flat_map(|text| message_field(6, text));
        self.fields
            .iter()
            .flatten()
            .copied()
            .chain(strings)
            .collect()
    }
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).unwrap();
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A number, or nothing where it is 0.
fn number(field: u64, number: u64) -> Vec<u8> {
    if number == 0 {
        Vec::new()
    } else {
        [varint(field << 3), varint(number)].concat()
    }
}

fn message_field(field: u64, body: &[u8]) -> Vec<u8> {
    [
        varint(field << 3 | 2),
        varint(body.len() as u64),
        body.to_vec(),
    ]
    .concat()
}
