//! Colours of a terminal as they look on most screens.

use ratatui::style::Color;

/// The sixteen named colours as xterm has them.
const NAMED: [(u8, u8, u8); 16] = [
    (0x00, 0x00, 0x00),
    (0xcd, 0x00, 0x00),
    (0x00, 0xcd, 0x00),
    (0xcd, 0xcd, 0x00),
    (0x00, 0x00, 0xee),
    (0xcd, 0x00, 0xcd),
    (0x00, 0xcd, 0xcd),
    (0xe5, 0xe5, 0xe5),
    (0x7f, 0x7f, 0x7f),
    (0xff, 0x00, 0x00),
    (0x00, 0xff, 0x00),
    (0xff, 0xff, 0x00),
    (0x5c, 0x5c, 0xff),
    (0xff, 0x00, 0xff),
    (0x00, 0xff, 0xff),
    (0xff, 0xff, 0xff),
];

/// Levels of one channel in the cube of 6 × 6 × 6 indices.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns red, green and blue of a colour; `None` for the terminal's own.
pub(crate) fn rgb(colour: Color) -> Option<(u8, u8, u8)> {
    let index = match colour {
        Color::Reset => return None,
        Color::Rgb(red, green, blue) => return Some((red, green, blue)),
        Color::Indexed(index) => index,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    Some(indexed(index))
}

fn indexed(index: u8) -> (u8, u8, u8) {
    let level = |step: u8| CUBE.get(usize::from(step % 6)).copied().unwrap_or_default();
    match index {
        0..16 => NAMED.get(usize::from(index)).copied().unwrap_or_default(),
        16..232 => (
            level((index - 16) / 36),
            level((index - 16) / 6),
            level(index - 16),
        ),
        232..=255 => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_xterm() {
        assert_eq!(rgb(Color::Indexed(16)), Some((0, 0, 0)));
        assert_eq!(rgb(Color::Indexed(137)), Some((0xaf, 0x87, 0x5f)));
        assert_eq!(rgb(Color::Indexed(208)), Some((0xff, 0x87, 0x00)));
        assert_eq!(rgb(Color::Indexed(231)), Some((0xff, 0xff, 0xff)));
        assert_eq!(rgb(Color::Indexed(232)), Some((8, 8, 8)));
        assert_eq!(rgb(Color::Indexed(255)), Some((0xee, 0xee, 0xee)));
        assert_eq!(rgb(Color::Reset), None);
    }
}
