//! How many colours are sent, from what the environment says.

/// How colours are sent to the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Depth {
    /// 24 bits.
    True,
    /// An index into the palette of 256.
    Indexed256,
    /// The sixteen named colours, as the user set them.
    Sixteen,
    /// No colour at all: bold, underline and reverse only.
    None,
}

/// Words in `TERM` of terminals that know the 256 indices without saying so in their name.
const KNOWS_256: &[&str] = &[
    "256",
    "direct",
    "kitty",
    "ghostty",
    "alacritty",
    "wezterm",
    "foot",
    "iterm",
];

/// Beginnings of `TERM` of terminals without colours.
const COLOURLESS: &[&str] = &[
    "dumb",
    "vt1",
    "vt2",
    "vt3",
    "vt4",
    "vt5",
    "ansi-m",
    "xterm-mono",
    "hurd",
    "cons25-m",
];

impl Depth {
    /// Returns the depth itself, or the other where that has fewer colours.
    #[must_use]
    pub fn at_most(self, most: Self) -> Self {
        let rank = |depth| match depth {
            Self::True => 3,
            Self::Indexed256 => 2,
            Self::Sixteen => 1,
            Self::None => 0,
        };
        if rank(most) < rank(self) { most } else { self }
    }

    /// Reads the depth from environment variables, looked up through `variable`.
    ///
    /// `COLORTERM` is not read: SSH doesn't carry it, and the 256 indices look nearly the same for a quarter fewer
    /// bytes. 24 bits are sent only on request (`truecolor`), and a request beats `NO_COLOR`. An empty variable counts
    /// as unset.
    #[must_use]
    pub fn detect(variable: impl Fn(&str) -> Option<String>, truecolor: bool) -> Self {
        let value = |name: &str| variable(name).filter(|text| !text.is_empty());
        if truecolor {
            return Self::True;
        }
        let forced = value("CLICOLOR_FORCE")
            .or_else(|| value("FORCE_COLOR"))
            .is_some_and(|text| text != "0");
        if value("NO_COLOR").is_some() || (value("CLICOLOR").as_deref() == Some("0") && !forced) {
            return Self::None;
        }
        match value("TERM") {
            Some(term) if KNOWS_256.iter().any(|word| term.contains(word)) => Self::Indexed256,
            Some(term) if COLOURLESS.iter().any(|word| term.starts_with(word)) => Self::None,
            Some(_) => Self::Sixteen,
            // The Windows console has no TERM and knows the indices.
            None if cfg!(windows) => Self::Indexed256,
            None => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(pairs: &[(&str, &str)], truecolor: bool) -> Depth {
        let find = |name: &str| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        };
        Depth::detect(find, truecolor)
    }

    #[test]
    fn term_decides_and_colorterm_is_not_asked() {
        for (term, depth) in [
            ("xterm-256color", Depth::Indexed256),
            ("tmux-256color", Depth::Indexed256),
            ("xterm-kitty", Depth::Indexed256),
            ("xterm", Depth::Sixteen),
            ("linux", Depth::Sixteen),
            ("screen", Depth::Sixteen),
            ("vt220", Depth::None),
            ("dumb", Depth::None),
        ] {
            assert_eq!(
                detect(&[("TERM", term), ("COLORTERM", "truecolor")], false),
                depth,
                "{term}"
            );
        }
    }

    #[test]
    fn no_color_wins_unless_24_bits_were_asked_for() {
        let plain = ("TERM", "xterm-256color");
        assert_eq!(detect(&[plain, ("NO_COLOR", "1")], false), Depth::None);
        assert_eq!(
            detect(&[plain, ("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
            Depth::None
        );
        assert_eq!(
            detect(&[plain, ("NO_COLOR", "")], false),
            Depth::Indexed256,
            "empty is unset"
        );
        assert_eq!(detect(&[plain, ("NO_COLOR", "1")], true), Depth::True);
        assert_eq!(detect(&[plain, ("CLICOLOR", "0")], false), Depth::None);
        assert_eq!(
            detect(&[plain, ("CLICOLOR", "0"), ("CLICOLOR_FORCE", "1")], false),
            Depth::Indexed256
        );
    }
}
