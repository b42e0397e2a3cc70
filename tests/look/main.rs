//! Themes, signs and pictures: complete, readable, and without colour where none may be sent.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod sight;
#[path = "../support/wording.rs"]
mod wording;

use crate::wording::wording;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::screenshot;
use flarescope::ui::screenshot::Ground;
use flarescope::ui::theme::{Depth, OwnTheme, Role, Theme, ThemeError, Themes};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

const DEPTHS: [Depth; 4] = [Depth::True, Depth::Indexed256, Depth::Sixteen, Depth::None];

fn theme(name: &str, depth: Depth) -> Theme {
    Theme::load(name, depth).unwrap().theme
}

#[test]
fn every_theme_loads_in_every_depth_without_a_warning() {
    assert_eq!(
        Theme::names().collect::<Vec<_>>(),
        [
            "ember",
            "daylight",
            "high-contrast",
            "colour-safe",
            "sixteen",
            "mono"
        ]
    );
    for name in Theme::names() {
        for depth in DEPTHS {
            let loaded = Theme::load(name, depth).unwrap();
            assert_eq!(loaded.warnings, [], "{name}");
            let depth = if name == "sixteen" {
                depth.at_most(Depth::Sixteen)
            } else {
                depth
            };
            assert_eq!((loaded.theme.name(), loaded.theme.depth()), (name, depth));
        }
    }
}

#[test]
fn every_role_of_ember_is_in_its_file() {
    let text = include_str!("../../themes/ember.toml");
    for role in Role::ALL {
        // Only themes that show all matches alike have this one.
        if *role != Role::FrameMatch {
            assert!(
                text.lines()
                    .any(|line| line.split('=').next().unwrap().trim() == role.name()),
                "{}",
                role.name()
            );
        }
    }
}

#[test]
fn the_depth_picks_one_of_the_three_colours() {
    let ground = |depth| theme("ember", depth).style(Role::FrameHot).bg;
    assert_eq!(ground(Depth::True), Some(Color::Rgb(0xff, 0x7f, 0x28)));
    assert_eq!(ground(Depth::Indexed256), Some(Color::Indexed(208)));
    assert_eq!(ground(Depth::Sixteen), Some(Color::LightRed));
    assert_eq!(ground(Depth::None), None);
}

#[test]
fn without_colours_no_theme_names_one_and_frames_still_show() {
    for name in Theme::names() {
        let plain = theme(name, Depth::None);
        for role in Role::ALL {
            let style = plain.style(*role);
            assert_eq!(
                (style.fg, style.bg),
                (None, None),
                "{name}: {}",
                role.name()
            );
        }
        assert_eq!(plain.style(Role::FrameWarm1), Style::new().reversed());
        assert_eq!(plain.style(Role::FrameCool1), Style::new().underlined());
        assert_eq!(
            plain.match_style(Role::FrameCool1),
            Style::new().reversed(),
            "a match is solid, whatever its family"
        );
    }
}

#[test]
fn with_colours_a_match_keeps_its_own() {
    let ember = theme("ember", Depth::Indexed256);
    assert_eq!(
        ember.match_style(Role::FrameCool1),
        ember.style(Role::FrameCool1)
    );
}

#[test]
fn an_end_is_the_ground_as_ink_and_rounded_where_there_are_no_parts_of_a_cell() {
    let ember = theme("ember", Depth::Indexed256);
    let frame = ember.style(Role::FrameHot);
    assert_eq!(
        ember.end(frame, 3, Glyphs::Unicode),
        Some(("▍", Style::new().fg(Color::Indexed(208))))
    );
    assert_eq!(
        ember.end_style(Role::FrameHot),
        Style::new().fg(Color::Indexed(208))
    );
    assert_eq!(ember.end(frame, 3, Glyphs::Ascii), None);
    let (sign, style) = ember.end(frame, 4, Glyphs::Ascii).unwrap();
    assert_eq!((sign, style.bg), (" ", Some(Color::Indexed(208))));

    let plain = theme("ember", Depth::None);
    let (solid, hollow) = (plain.style(Role::FrameWarm1), plain.style(Role::FrameCool1));
    assert_eq!(
        plain.end(solid, 3, Glyphs::Unicode),
        Some(("▍", Style::new()))
    );
    assert_eq!(plain.end(hollow, 3, Glyphs::Unicode), None);
    assert_eq!(
        plain.end(hollow, 5, Glyphs::Unicode),
        Some((" ", hollow.remove_modifier(Modifier::BOLD)))
    );
    assert_eq!(plain.selected_on(solid), plain.style(Role::Selected));
    assert_eq!(plain.selected_on(hollow), plain.style(Role::SelectedHollow));
}

#[test]
fn unknown_theme_names_the_nearest() {
    let mut wording = wording!();
    let error = Theme::load("embr", Depth::True).unwrap_err();
    assert_eq!(
        error,
        ThemeError::Unknown {
            name: "embr".into(),
            nearest: Some("ember".into())
        }
    );
    wording.add(error.to_string());
    wording.add(
        Theme::load("qqqqqqqqqq", Depth::True)
            .unwrap_err()
            .to_string(),
    );
}

#[test]
fn mistakes_are_reported_with_line_and_nearest_name_and_the_parent_stays_in_force() {
    let mut wording = wording!();
    let text = "\
name = \"mine\"
inherits = \"ember\"
colours = 1

[palette]
ink = [\"#12345\", 16, \"black\"]
umber = [\"#a27c53\", 256, \"yellow\"]
clay = [\"#cb8a68\", 173, \"bright_yelow\"]
flame = [\"#00ff00\", 46, \"green\"]

[roles]
titel = { fg = \"flame\" }
dim = { fg = \"gray\" }
key = { fg = \"flame\", mods = [\"bolt\"] }
warn = { colour = \"gold\" }
accent = \"flame\"
";
    let loaded = Themes::default()
        .read("mine", "mine.toml", text, Depth::Indexed256)
        .unwrap();
    let mut told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    told.sort();
    wording.add(told.join("\n"));
    let ember = theme("ember", Depth::Indexed256);
    assert_eq!(loaded.theme.style(Role::Dim), ember.style(Role::Dim));
    assert_eq!(
        loaded.theme.style(Role::FrameWarm1),
        ember.style(Role::FrameWarm1)
    );
    assert_eq!(
        loaded.theme.style(Role::Key),
        Style::new().fg(Color::Indexed(46)),
        "the palette that is right counts"
    );
}

#[test]
fn broken_toml_and_unknown_parents_are_refused() {
    let mut wording = wording!();
    let broken = Themes::default()
        .read("x", "x.toml", "[palette]\nink = [", Depth::True)
        .unwrap_err();
    assert!(broken.to_string().starts_with("x.toml:2: "), "{broken}");
    let orphan = Themes::default()
        .read("x", "x.toml", "inherits = \"embers\"", Depth::True)
        .unwrap_err();
    wording.add(orphan.to_string());
}

/// Relative luminance by WCAG 2.2.
fn luminance(colour: (u8, u8, u8)) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Themes with the user's own before those that come with the program.
fn with_own(own: &[(&str, &str)]) -> Themes {
    let theme = |(name, text): &(&str, &str)| OwnTheme {
        name: (*name).to_owned(),
        file: format!("/own/{name}.toml"),
        text: (*text).to_owned(),
    };
    Themes::new(own.iter().map(theme).collect())
}

#[test]
fn own_themes_go_first_and_build_upon_others() {
    let palette = "[palette]\nflame = [\"#00ff00\", 46, \"green\"]\n";
    let themes = with_own(&[
        (
            "night",
            "inherits = \"mine\"\n[roles]\ndim = { fg = \"flame\" }",
        ),
        ("mine", &format!("inherits = \"daylight\"\n{palette}")),
        // One that has an embedded theme's name builds upon that.
        ("ember", &format!("inherits = \"ember\"\n{palette}")),
    ]);
    assert_eq!(
        themes.names(),
        [
            "ember",
            "mine",
            "night",
            "daylight",
            "high-contrast",
            "colour-safe",
            "sixteen",
            "mono"
        ]
    );
    let load = |name: &str| themes.load(name, Depth::Indexed256).unwrap().theme;
    let green = Some(Color::Indexed(46));
    assert_eq!(
        (
            load("ember").style(Role::Key).fg,
            load("night").style(Role::Dim).fg
        ),
        (green, green)
    );
    assert_eq!(
        load("night").style(Role::FrameWarm1),
        theme("daylight", Depth::Indexed256).style(Role::FrameWarm1)
    );
    assert_eq!(
        load("night").ground(),
        theme("daylight", Depth::True).ground()
    );
    let plain = themes.load("night", Depth::None).unwrap().theme;
    assert_eq!(
        (plain.style(Role::Dim), plain.ground()),
        (Style::new(), load("night").ground())
    );
    assert_eq!(
        themes
            .load("sixteen", Depth::True)
            .unwrap()
            .theme
            .style(Role::Key)
            .fg,
        Some(Color::Green)
    );
}

#[test]
fn a_theme_that_is_broken_or_inherits_from_itself_is_reported_and_the_default_is_used() {
    let mut wording = wording!();
    let themes = with_own(&[
        ("broken", "[palette]\nink = ["),
        ("a", "inherits = \"b\""),
        ("b", "\ninherits = \"a\""),
        ("self", "inherits = \"self\""),
        ("orphan", "inherits = \"nobody-at-all\""),
    ]);
    let ember = theme("ember", Depth::Indexed256);
    for (name, told) in [
        ("broken", "/own/broken.toml:2: "),
        ("a", "/own/b.toml:2: "),
        ("self", "/own/self.toml:1: "),
        ("orphan", "/own/orphan.toml:1: "),
    ] {
        assert!(themes.load(name, Depth::Indexed256).is_err(), "{name}");
        let loaded = themes.load_anyhow(name, Depth::Indexed256);
        let warning = loaded.warnings.first().unwrap().to_string();
        wording.add(&warning);
        assert!(warning.starts_with(told), "{warning}");
        assert_eq!(
            loaded.theme.name(),
            name,
            "it is not loaded again at each frame"
        );
        assert_eq!(
            loaded.theme.style(Role::FrameHot),
            ember.style(Role::FrameHot)
        );
    }
}

/// Reads a colour as the picture of a screen shows it, so that the test and the eye see the same.
fn shown(colour: Color) -> (u8, u8, u8) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer.set_string(0, 0, " ", Style::new().bg(colour));
    let picture = screenshot::svg(&buffer, &theme("ember", Depth::True).ground());
    let rect = picture
        .lines()
        .find(|line| line.starts_with("<rect x="))
        .unwrap();
    let digits = rect.split("fill=\"#").nth(1).unwrap();
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (channel(0), channel(2), channel(4))
}

#[test]
fn text_reaches_aa_on_its_ground_in_24_bits_and_in_256_and_aaa_in_high_contrast() {
    // What terminals are set to out of the box: black, VS Code, One Dark, Solarized, Ubuntu; white, paper, Solarized.
    let dark = [
        (0, 0, 0),
        (0x1e, 0x1e, 0x1e),
        (0x28, 0x2c, 0x34),
        (0x00, 0x2b, 0x36),
        (0x30, 0x0a, 0x24),
    ];
    let light = [(0xff, 0xff, 0xff), (0xf8, 0xf8, 0xf2), (0xfd, 0xf6, 0xe3)];
    // Not text: hairlines, rules, dots; and bars, which are large and need 3.
    let marks = [
        Role::Rule,
        Role::FrameRest,
        Role::FrameRestMatch,
        Role::FrameDim,
    ];
    for name in ["ember", "daylight", "high-contrast", "colour-safe"] {
        let needed = if name == "high-contrast" { 7.0 } else { 4.5 };
        let grounds: &[_] = if name == "daylight" { &light } else { &dark };
        let mut pairs = 0;
        for depth in [Depth::True, Depth::Indexed256] {
            let theme = theme(name, depth);
            for role in Role::ALL.iter().filter(|role| !marks.contains(role)) {
                let style = theme.style(*role);
                let Some(ink) = style.fg.map(shown) else {
                    continue;
                };
                let needed = if role.name().starts_with("bar_") {
                    3.0
                } else {
                    needed
                };
                let behind = style
                    .bg
                    .map_or(grounds.to_vec(), |ground| vec![shown(ground)]);
                for ground in behind {
                    let reached = contrast(ink, ground);
                    assert!(
                        reached >= needed,
                        "{name} {depth:?} {}: {reached:.2} on {ground:?}",
                        role.name()
                    );
                    pairs += 1;
                }
            }
        }
        assert!(pairs > 80, "{name}: {pairs} pairs");
    }
}

#[test]
fn a_picture_is_well_formed_and_places_every_sign() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
    let frame = Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(137));
    buffer.set_string(0, 0, "▏a<&\"日 b", frame);
    buffer.set_string(0, 1, "bold", Style::new().bold().underlined());
    buffer.set_string(5, 1, "rev", Style::new().reversed());
    let ground = Ground {
        bg: (1, 2, 3),
        fg: (4, 5, 6),
    };
    let svg = screenshot::svg(&buffer, &ground);
    assert_eq!(
        svg.lines().skip(1).collect::<Vec<_>>(),
        [
            r##"<rect width="148" height="70" fill="#010203"/>"##,
            r##"<rect x="14" y="14" width="90" height="21" fill="#af875f"/>"##,
            r##"<rect x="14" y="14" width="1.25" height="21" fill="#000000"/>"##,
            r##"<text x="24 34 44 54 64 94" y="29.6" fill="#000000">a&lt;&amp;"日b</text>"##,
            r##"<rect x="64" y="35" width="30" height="21" fill="#040506"/>"##,
            r##"<text x="14 24 34 44" y="50.6" fill="#040506" font-weight="700">bold</text>"##,
            r##"<text x="64 74 84" y="50.6" fill="#010203">rev</text>"##,
            r##"<rect x="14" y="53.6" width="40" height="1.2" fill="#040506"/>"##,
            "</svg>",
        ]
    );
}
