//! The messages inside a profile, each → its place in the parts.

use crate::formats::pprof::decode::Decoder;
use crate::formats::pprof::ids::Ids;
use crate::formats::pprof::wire::Fields;
use crate::formats::{Fault, limits};
use crate::model::profile::{
    Function, Label, LabelValue, Line, Location, Mapping, SampleType, StrId,
};

impl Decoder {
    pub(super) fn sample_type(&mut self, message: &[u8]) -> Result<SampleType, Fault> {
        const WHAT: &str = "a sample type";
        let mut sample_type = SampleType::default();
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => sample_type.kind = self.named(value, WHAT)?,
                2 => sample_type.unit = self.named(value, WHAT)?,
                _ => {}
            }
        }
        Ok(sample_type)
    }

    pub(super) fn sample(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a sample";
        self.records += 1;
        limits::check(self.records, limits::RECORDS, "samples")?;
        let (stacks, values) = (self.parts.stacks.len(), self.parts.values.len());
        let labels = self.parts.labels.len();
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => {
                    let (ids, stacks) = (&mut self.location_ids, &mut self.parts.stacks);
                    value.each(WHAT, |id| {
                        stacks.push(ids.index(id)?);
                        Ok(())
                    })?;
                }
                2 => value.each(WHAT, |number| {
                    self.parts.values.push(number.cast_signed());
                    Ok(())
                })?,
                3 => self.label(value.bytes("a label")?)?,
                _ => {}
            }
        }
        let together = self.parts.stacks.len();
        limits::stack(together - stacks, together, limits::STACK_ENTRIES)?;
        // The wire has the leaf first; a tree grows from the root.
        if let Some(stack) = self.parts.stacks.get_mut(stacks..) {
            stack.reverse();
        }
        self.parts
            .stack_ends
            .push(u32::try_from(self.parts.stacks.len()).unwrap_or(u32::MAX));
        let width = self.parts.values.len() - values;
        if *self.width.get_or_insert(width) != width {
            return Err(self.wrong_width(width));
        }
        if labels < self.parts.labels.len() {
            self.parts
                .label_ends
                .resize(self.records - 1, u32::try_from(labels).unwrap_or(u32::MAX));
            self.parts
                .label_ends
                .push(u32::try_from(self.parts.labels.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    pub(super) fn wrong_width(&self, width: usize) -> Fault {
        let (record, types) = (self.records, self.parts.sample_types.len());
        Fault::Malformed(format!(
            "sample {record} has {width} values, but there are {types} sample types"
        ))
    }

    fn label(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a label";
        let (mut key, mut text, mut number, mut unit) =
            (StrId::EMPTY, StrId::EMPTY, 0, StrId::EMPTY);
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => key = self.named(value, WHAT)?,
                2 => text = self.named(value, WHAT)?,
                3 => number = value.signed(WHAT)?,
                4 => unit = self.named(value, WHAT)?,
                _ => {}
            }
        }
        let value = match (text, number, unit) {
            (StrId::EMPTY, 0, StrId::EMPTY) => return Ok(()),
            (StrId::EMPTY, ..) => LabelValue::Number(number, unit),
            (text, ..) => LabelValue::Text(text),
        };
        self.parts.labels.push(Label { key, value });
        limits::check(self.parts.labels.len(), limits::LABELS, "labels")
    }

    pub(super) fn mapping(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a mapping";
        let mut mapping = Mapping::default();
        let mut id = 0;
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => mapping.start = value.number(WHAT)?,
                3 => mapping.limit = value.number(WHAT)?,
                4 => mapping.offset = value.number(WHAT)?,
                5 => mapping.file = self.named(value, WHAT)?,
                6 => mapping.build_id = self.named(value, WHAT)?,
                7..=10 => {
                    if let Some(resolved) = mapping.resolved.get_mut(tag as usize - 7) {
                        *resolved = value.number(WHAT)? != 0;
                    }
                }
                _ => {}
            }
        }
        define(
            &mut self.mappings,
            &mut self.mapping_ids,
            id,
            mapping,
            "mappings",
        )
    }

    pub(super) fn location(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a location";
        let lines_from = u32::try_from(self.parts.lines.len()).unwrap_or(u32::MAX);
        let (mut id, mut mapping, mut address, mut folded) = (0, 0, 0, false);
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => mapping = value.number(WHAT)?,
                3 => address = value.number(WHAT)?,
                4 => self.line(value.bytes("a line")?)?,
                5 => folded = value.number(WHAT)? != 0,
                _ => {}
            }
        }
        let lines_to = u32::try_from(self.parts.lines.len()).unwrap_or(u32::MAX);
        let mapping = (mapping != 0)
            .then(|| self.mapping_ids.index(mapping))
            .transpose()?;
        let location = Location {
            mapping,
            address,
            lines_from,
            lines_to,
            folded,
        };
        define(
            &mut self.locations,
            &mut self.location_ids,
            id,
            location,
            "locations",
        )
    }

    fn line(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a line";
        let mut line = Line {
            function: None,
            line: 0,
            column: 0,
        };
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => {
                    let id = value.number(WHAT)?;
                    line.function = (id != 0).then(|| self.function_ids.index(id)).transpose()?;
                }
                2 => line.line = value.signed(WHAT)?,
                3 => line.column = value.signed(WHAT)?,
                _ => {}
            }
        }
        self.parts.lines.push(line);
        limits::check(
            self.parts.lines.len(),
            limits::LOCATIONS,
            "lines of locations",
        )
    }

    pub(super) fn function(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a function";
        let mut function = Function::default();
        let mut id = 0;
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => function.name = self.named(value, WHAT)?,
                3 => function.system_name = self.named(value, WHAT)?,
                4 => function.file = self.named(value, WHAT)?,
                5 => function.start_line = value.signed(WHAT)?,
                _ => {}
            }
        }
        define(
            &mut self.functions,
            &mut self.function_ids,
            id,
            function,
            "functions",
        )
    }
}

/// Puts something under its id.
fn define<T: Clone>(
    table: &mut Vec<Option<T>>,
    ids: &mut Ids,
    id: u64,
    defined: T,
    what: &'static str,
) -> Result<(), Fault> {
    if id == 0 {
        // Reserved for "none", so nothing can name it; some writers define it all the same.
        return Ok(());
    }
    let at = ids.index(id)? as usize;
    if at >= table.len() {
        table.resize(at + 1, None);
    }
    match table.get_mut(at) {
        Some(Some(_)) => Err(Fault::Malformed(format!(
            "there are two {what} with the id {id}"
        ))),
        Some(slot) => {
            *slot = Some(defined);
            Ok(())
        }
        None => Ok(()),
    }
}
