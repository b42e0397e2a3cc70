//! The codes that switch colours and modifiers of a terminal ("select graphic rendition").

use std::fmt::Write as _;

use ratatui::style::{Color, Modifier};

/// Modifiers with the codes that turn them on and off. Bold and dim share the code that turns them off.
const MODIFIERS: &[(Modifier, u8, u8)] = &[
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// Modifiers that show on a blank cell.
pub const SHOWN_ON_BLANK: Modifier = Modifier::REVERSED
    .union(Modifier::UNDERLINED)
    .union(Modifier::SLOW_BLINK)
    .union(Modifier::RAPID_BLINK)
    .union(Modifier::CROSSED_OUT);

/// Modifiers under which a blank's ink shows.
pub const INK_ON_BLANK: Modifier = Modifier::REVERSED
    .union(Modifier::UNDERLINED)
    .union(Modifier::CROSSED_OUT);

/// Ink, ground and modifiers: what the terminal writes with, or is to write with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pen {
    /// Colour of the text.
    pub ink: Color,
    /// Colour behind the text.
    pub ground: Color,
    /// Bold, underline and so on.
    pub modifiers: Modifier,
}

impl Pen {
    /// The pen after a reset.
    pub const PLAIN: Self = Self {
        ink: Color::Reset,
        ground: Color::Reset,
        modifiers: Modifier::empty(),
    };

    /// Appends the one sequence that turns this pen into `next`: only what differs, or a reset where that is shorter.
    pub fn switch(self, next: Self, out: &mut String) {
        if self == next {
            return;
        }
        let (mut changed, mut from_plain) = (String::new(), String::new());
        self.changes(next, &mut changed);
        Self::PLAIN.changes(next, &mut from_plain);
        // A lone reset is written without its 0; with more behind it, the empty first parameter is a 0 as well.
        let reset = if from_plain.is_empty() {
            0
        } else {
            from_plain.len() + 1
        };
        if reset < changed.len() {
            let _ = if from_plain.is_empty() {
                write!(out, "\x1b[m")
            } else {
                write!(out, "\x1b[;{from_plain}m")
            };
        } else {
            let _ = write!(out, "\x1b[{changed}m");
        }
    }

    fn changes(self, next: Self, out: &mut String) {
        let mut code = |args: std::fmt::Arguments<'_>| {
            if !out.is_empty() {
                out.push(';');
            }
            let _ = out.write_fmt(args);
        };
        let mut kept = self.modifiers;
        let mut last_off = 0;
        for (modifier, _, off) in MODIFIERS {
            if self.modifiers.contains(*modifier) && !next.modifiers.contains(*modifier) {
                if last_off != *off {
                    code(format_args!("{off}"));
                }
                last_off = *off;
                // What shares the code is turned off with it and must be turned on again.
                kept -= MODIFIERS
                    .iter()
                    .filter(|(_, _, other)| other == off)
                    .map(|(one, _, _)| *one)
                    .collect();
            }
        }
        for (modifier, on, _) in MODIFIERS {
            if next.modifiers.contains(*modifier) && !kept.contains(*modifier) {
                code(format_args!("{on}"));
            }
        }
        if self.ink != next.ink {
            colour(next.ink, 30, &mut code);
        }
        if self.ground != next.ground {
            colour(next.ground, 40, &mut code);
        }
    }
}

/// Writes the code of a colour; `base` is 30 for ink and 40 for ground.
fn colour(colour: Color, base: u8, code: &mut impl FnMut(std::fmt::Arguments<'_>)) {
    let named = match colour {
        Color::Reset => 9,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Indexed(index) => return code(format_args!("{};5;{index}", base + 8)),
        Color::Rgb(red, green, blue) => {
            return code(format_args!("{};2;{red};{green};{blue}", base + 8));
        }
    };
    code(format_args!("{}", base + named));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pen(ink: Color, ground: Color, modifiers: Modifier) -> Pen {
        Pen {
            ink,
            ground,
            modifiers,
        }
    }

    fn switch(from: Pen, to: Pen) -> String {
        let mut out = String::new();
        from.switch(to, &mut out);
        out
    }

    #[test]
    fn only_what_differs_is_sent() {
        let ink = Color::Indexed(16);
        let bold = pen(ink, Color::Indexed(208), Modifier::BOLD);
        let plain = pen(ink, Color::Indexed(137), Modifier::empty());
        assert_eq!(
            switch(plain, pen(ink, Color::Indexed(173), Modifier::empty())),
            "\x1b[48;5;173m"
        );
        assert_eq!(switch(plain, bold), "\x1b[1;48;5;208m");
        assert_eq!(switch(bold, plain), "\x1b[22;48;5;137m");
        assert_eq!(switch(plain, plain), "");
    }

    #[test]
    fn a_reset_is_taken_where_it_is_shorter() {
        let loud = pen(
            Color::Red,
            Color::Blue,
            Modifier::BOLD | Modifier::UNDERLINED,
        );
        assert_eq!(switch(loud, Pen::PLAIN), "\x1b[m");
        assert_eq!(
            switch(loud, pen(Color::Red, Color::Reset, Modifier::empty())),
            "\x1b[;31m"
        );
    }

    #[test]
    fn what_shares_a_code_is_turned_on_again() {
        let both = pen(Color::Reset, Color::Reset, Modifier::BOLD | Modifier::DIM);
        let dim = pen(Color::Reset, Color::Reset, Modifier::DIM);
        assert_eq!(switch(both, dim), "\x1b[;2m");
        let coloured = |modifiers| pen(Color::Rgb(1, 2, 3), Color::Indexed(200), modifiers);
        assert_eq!(
            switch(coloured(both.modifiers), coloured(dim.modifiers)),
            "\x1b[22;2m"
        );
    }

    #[test]
    fn named_colours_have_their_own_codes() {
        assert_eq!(
            switch(
                Pen::PLAIN,
                pen(Color::Gray, Color::White, Modifier::empty())
            ),
            "\x1b[37;107m"
        );
        assert_eq!(
            switch(
                Pen::PLAIN,
                pen(Color::DarkGray, Color::Black, Modifier::empty())
            ),
            "\x1b[90;40m"
        );
    }
}
