//! Colours as they are seen with the three deficiencies of colour vision, after Machado, Oliveira and Fernandes, "A
//! Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15(6), 2009), severity 1.0, in linear
//! RGB. Distances are in OKLab times 100: 2 is just visible side by side, under 8 can be mistaken.

use flarescope::ui::theme::{Depth, Role};

use crate::{shown, theme};

type Matrix = [[f64; 3]; 3];

const PROTAN: Matrix = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
];
const DEUTAN: Matrix = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
];
const TRITAN: Matrix = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
];
const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Under this, two colours can be mistaken for each other.
const APART: f64 = 8.0;

fn linear(colour: (u8, u8, u8)) -> [f64; 3] {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    [channel(colour.0), channel(colour.1), channel(colour.2)]
}

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

/// OKLab of what an eye makes of a colour.
fn seen(colour: (u8, u8, u8), eye: &Matrix) -> [f64; 3] {
    let linear = times(eye, linear(colour)).map(|channel| channel.clamp(0.0, 1.0));
    let cones = times(
        &[
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ],
        linear,
    )
    .map(f64::cbrt);
    times(
        &[
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ],
        cones,
    )
}

/// The smallest distance between the grounds of any role of one kind and any of another.
fn apart(name: &str, depth: Depth, eye: &Matrix, some: &[Role], others: &[Role]) -> f64 {
    let theme = theme(name, depth);
    let ground = |role: &Role| seen(shown(theme.style(*role).bg.unwrap()), eye);
    let distance = |a: [f64; 3], b: [f64; 3]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt()
            * 100.0
    };
    let pairs = some
        .iter()
        .flat_map(|a| others.iter().map(move |b| distance(ground(a), ground(b))));
    pairs.fold(f64::INFINITY, f64::min)
}

const MORE: &[Role] = &[Role::DiffMore2, Role::DiffMore3];
const LESS: &[Role] = &[Role::DiffLess2, Role::DiffLess3];
const CHANGED: &[Role] = &[
    Role::DiffMore2,
    Role::DiffMore3,
    Role::DiffLess2,
    Role::DiffLess3,
];
const OWN: &[Role] = &[
    Role::FrameWarm1,
    Role::FrameWarm2,
    Role::FrameWarm3,
    Role::FrameWarm4,
];
const RUNTIME: &[Role] = &[Role::FrameCool1, Role::FrameCool2];
const FRAMES: &[Role] = &[
    Role::FrameWarm1,
    Role::FrameWarm2,
    Role::FrameWarm3,
    Role::FrameWarm4,
    Role::FrameHot,
    Role::FrameCool1,
    Role::FrameCool2,
    Role::FrameGc,
    Role::DiffMore3,
    Role::DiffLess3,
];

#[test]
fn the_simulation_is_the_published_one() {
    // Reckoned independently from the published matrices: the least distance of "far more" and "far less" of the theme.
    for (eye, expected) in [
        (&NORMAL, 29.0),
        (&PROTAN, 26.0),
        (&DEUTAN, 30.0),
        (&TRITAN, 26.0),
    ] {
        assert_eq!(
            apart("colour-safe", Depth::True, eye, MORE, LESS).round(),
            expected
        );
    }
    for (eye, expected) in [
        (&NORMAL, 26.0),
        (&PROTAN, 22.0),
        (&DEUTAN, 24.0),
        (&TRITAN, 27.0),
    ] {
        assert_eq!(
            apart("ember", Depth::Indexed256, eye, MORE, LESS).round(),
            expected
        );
    }
    // White stays white, and red and green come close for who sees no red.
    let white = seen((255, 255, 255), &DEUTAN);
    assert!(
        (white[0] - 1.0).abs() < 1e-3 && white[1].abs() < 1e-3 && white[2].abs() < 1e-3,
        "{white:?}"
    );
}

#[test]
fn colour_safe_distinguishes_what_matters_in_every_eye() {
    for depth in [Depth::True, Depth::Indexed256] {
        for (eye, name) in [
            (&NORMAL, "normal"),
            (&PROTAN, "protan"),
            (&DEUTAN, "deutan"),
            (&TRITAN, "tritan"),
        ] {
            for (what, some, others) in [
                ("more and less", MORE, LESS),
                (
                    "somewhat more and somewhat less",
                    &[Role::DiffMore1],
                    &[Role::DiffLess1],
                ),
                ("changed and the same", CHANGED, &[Role::DiffSame]),
                ("own code and the runtime", OWN, RUNTIME),
                ("a caller and its callee", &OWN[..2], &OWN[2..]),
                ("the selection and any frame", &[Role::Selected], FRAMES),
            ] {
                let reached = apart("colour-safe", depth, eye, some, others);
                assert!(
                    reached >= APART,
                    "{depth:?}, {name}: {what} are {reached:.1} apart"
                );
            }
        }
    }
}

#[test]
fn more_and_less_are_distinguished_in_every_theme_and_every_eye() {
    for theme in ["ember", "daylight", "high-contrast", "colour-safe"] {
        for depth in [Depth::True, Depth::Indexed256] {
            for eye in [&NORMAL, &PROTAN, &DEUTAN, &TRITAN] {
                let reached = apart(theme, depth, eye, MORE, LESS);
                assert!(reached >= APART, "{theme} {depth:?}: {reached:.1}");
            }
        }
    }
}
