//! `flarescope render`: one frame of the screen, as drawn, without a terminal.

use std::io;
use std::io::Write as _;
use std::path::PathBuf;

use crate::app::{Format, Key, Settings, State};
use crate::cli::screen::{Look, Place};
use crate::cli::view_args::ViewArgs;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect};
use crate::config::Environment;
use crate::model::text::sanitize::printable;
use crate::runtime::{LeftOut, Local, Painter, headless};
use crate::ui::theme::Depth;

/// Captures of the demo server take a fiftieth of their time: nobody watches the countdown.
#[cfg(feature = "demo")]
const DEMO_TIME_SCALE: f64 = 0.02;
/// The largest screen that is drawn, in columns and rows.
const SIZE_MAX: u16 = 1_000;

/// Draw one frame of the screen without a terminal
#[derive(Debug, clap::Args)]
pub(super) struct RenderArgs {
    /// Profiles (files, -, or hashes of captures) or the word demo; the account's Workers by default
    #[arg(value_name = "FILE|HASH|demo")]
    what: Vec<PathBuf>,
    /// Columns and rows
    #[arg(long, value_name = "CxR", default_value = "120x40", value_parser = size)]
    size: (u16, u16),
    /// Keys pressed before the frame is drawn: names separated by spaces, text in double quotes
    #[arg(
        long,
        value_name = "KEYS",
        default_value = "",
        allow_hyphen_values = true
    )]
    keys: String,
    /// How to write it
    #[arg(long, value_enum, default_value = "text")]
    format: Picture,
    #[command(flatten)]
    view: ViewArgs,
}

/// How a frame is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Picture {
    /// The characters alone
    Text,
    /// With the terminal's colour codes
    Ansi,
    /// A picture for a browser
    Svg,
}

impl From<Picture> for Format {
    fn from(picture: Picture) -> Self {
        match picture {
            Picture::Text => Self::ScreenText,
            Picture::Ansi => Self::ScreenAnsi,
            Picture::Svg => Self::ScreenSvg,
        }
    }
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let parsed = text
        .split_once(['x', '×'])
        .and_then(|(c, r)| Some((c.parse::<u16>().ok()?, r.parse::<u16>().ok()?)));
    match parsed {
        Some((columns, rows))
            if (1..=SIZE_MAX).contains(&columns) && (1..=SIZE_MAX).contains(&rows) =>
        {
            Ok((columns, rows))
        }
        _ => Err(format!("write it as 120x40, up to {SIZE_MAX}x{SIZE_MAX}")),
    }
}

/// Draws the frame.
///
/// # Errors
/// [`CliError::Usage`] for an unknown key or theme, [`CliError::Failed`] for a file that is not a profile.
pub(super) fn run(args: &RenderArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    let keys = Key::script(&args.keys)
        .map_err(|word| CliError::Usage(format!("--keys: `{word}` is no key")))?;
    let environment = Environment::of_process();
    let mut drawn_with = Look::new(look, &environment, &connect::configuration(&environment)?)?;
    if environment.get("NO_COLOR").is_none() {
        // There is no terminal to ask: a picture has all colours, text for a terminal those that most can show.
        drawn_with.depth = match (args.format, drawn_with.depth) {
            (Picture::Svg, _) => Depth::True,
            (_, Depth::None) => Depth::Indexed256,
            (_, depth) => depth,
        };
    }
    let is_demo = matches!(args.what.as_slice(), [what] if what.as_os_str() == "demo");
    let place = place(args, is_demo, account, &environment)?;
    let mut state = State::new(place.session(), args.size, drawn_with.choice());
    state.settings = Settings {
        colourless: drawn_with.depth == Depth::None,
        ..drawn_with.settings.clone()
    };
    let first = state.first_effects();
    if !args.what.is_empty() && !is_demo {
        state.show_opened(args.view.open(&args.what)?);
    }
    let painter = Painter {
        themes: &drawn_with.themes,
        depth: drawn_with.depth,
        glyphs: drawn_with.glyphs,
    };
    let drawn = headless(state, place.services(), first, &keys)?;
    for LeftOut { key, what } in &drawn.left_out {
        connect::note(&format!(
            "--keys: {key} would have {what}; render only draws, so that was left out"
        ));
    }
    for warning in &drawn_with
        .themes
        .load_anyhow(&drawn.state.theme.name, drawn_with.depth)
        .warnings
    {
        connect::note(&printable(&warning.to_string()));
    }
    let text = painter.paint(&drawn.state, args.format.into(), drawn.now);
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// Returns the source of the screen's lists: the demo server, the account, or none for files.
fn place(
    args: &RenderArgs,
    is_demo: bool,
    account: &AccountArgs,
    environment: &Environment,
) -> Result<Place, CliError> {
    #[cfg(feature = "demo")]
    if is_demo {
        let options = crate::demo::Options {
            time_scale: DEMO_TIME_SCALE,
            ..crate::demo::Options::default()
        };
        return Place::of_demo(&options, environment);
    }
    #[cfg(not(feature = "demo"))]
    if is_demo {
        return Err(CliError::failed(
            "this build has no demo server (feature `demo`)",
        ));
    }
    match account.local.inspector()? {
        Some(inspector) => Place::of_inspector(
            Local {
                inspector,
                label: None,
            },
            environment,
        ),
        None if !args.what.is_empty() => Place::of_nothing(environment),
        None => Place::of_cloudflare(account, environment),
    }
}
