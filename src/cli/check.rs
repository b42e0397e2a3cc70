//! `flarescope check`: verdicts over several captures a side, with exit codes for CI.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::cli::filters::FilterArgs;
use crate::cli::output::Output;
use crate::cli::sides::{Asked, Choice, Reading, Side, parse, read, unlike};
use crate::cli::{AccountArgs, CliError, CliResult, connect};
use crate::config::Environment;
use crate::export::Judged;
use crate::model::cloudflare::Kind;
use crate::model::graph::view::Identity;
use crate::model::text::sanitize::printable;
use crate::model::text::units::noun;
use crate::model::verdict::{Options, Overall, judge};

/// Something is worse than allowed.
const WORSE: u8 = 3;
/// The captures can't tell, or there are none.
const CANT_TELL: u8 = 4;

/// Judge whether a version got worse: exit code 0 ok, 3 worse, 4 can't tell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A side is version:ID, version:deployed, version:previous, range:START/END (RFC 3339, or as -1h/now), \
                  files:A,B,C, before or after (the last deployment). Versions and times are looked up among the captures \
                  on this machine. Three captures a side are needed, each with 200 busy samples."
)]
pub(super) struct CheckArgs {
    /// The Worker whose captures are judged
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// One Durable Object: its id or name
    #[arg(long, value_name = "OBJECT", requires = "worker")]
    object: Option<String>,
    /// What is compared with
    #[arg(long, value_name = "SIDE", default_value = "version:previous")]
    baseline: String,
    /// What is judged
    #[arg(long, value_name = "SIDE", default_value = "version:deployed")]
    candidate: String,
    /// Growth of a function's share that is allowed, as a part of it
    #[arg(long, value_name = "PERCENT", default_value = "10%")]
    fail_above: String,
    /// Share below which a function is not judged, and growth of the whole that matters
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    min: String,
    /// Confidence of intervals and verdicts, in percent
    #[arg(long, value_name = "PERCENT", default_value = "95")]
    confidence: String,
    /// What is judged: functions, files or packages
    #[arg(long, value_enum, default_value_t)]
    by: Identity,
    /// CPU or heap captures
    #[arg(long = "type", value_enum, value_name = "KIND", default_value = "cpu")]
    kind: Kind,
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    /// Print at most N rows
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// Print one JSON value
    #[arg(long, conflicts_with_all = ["markdown", "github"])]
    json: bool,
    /// Print Markdown for a comment
    #[arg(long, conflicts_with = "github")]
    markdown: bool,
    /// Print annotations for GitHub, and add Markdown to its step summary
    #[arg(long)]
    github: bool,
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    filters: FilterArgs,
}

impl CheckArgs {
    /// Returns whether failures are printed as JSON.
    pub(super) const fn wants_json(&self) -> bool {
        self.json
    }

    /// Returns what is judged against.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a number out of range.
    fn options(&self) -> Result<Options, CliError> {
        let threshold = percent("fail-above", &self.fail_above, (0.1, 1000.0))?;
        let min = percent("min", &self.min, (0.01, 50.0))?;
        let confidence = percent("confidence", &self.confidence, (50.0, 99.99))?;
        Ok(Options {
            threshold,
            min,
            alpha: 1.0 - confidence,
        })
    }
}

/// Reads a percentage between two limits as a part of 1.
fn percent(option: &str, text: &str, (low, high): (f64, f64)) -> Result<f64, CliError> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number / 100.0),
        _ => Err(CliError::Usage(format!(
            "--{option}: `{}` is not a percentage from {low} to {high}",
            printable(text)
        ))),
    }
}

/// Judges the candidate.
///
/// # Errors
/// [`CliError::Exit`] with 3 if it is worse and 4 if that can't be told; other [`CliError`]s for files that can't be read.
pub(super) fn run(args: &CheckArgs, account: &AccountArgs) -> CliResult {
    let options = args.options()?;
    let now = SystemTime::now();
    let asked = |name: &str, text: &str| {
        parse(text, now).map_err(|error| CliError::Usage(format!("--{name}: {error}")))
    };
    let (base, new) = (
        asked("baseline", &args.baseline)?,
        asked("candidate", &args.candidate)?,
    );
    let output = Output::new(&args.output, false, false)?;
    let (choice, notes) = choice(args, account, [&base, &new])?;
    let how = Reading {
        filters: &args.filters,
        by: args.by,
        sample_type: args.sample_type.as_deref(),
    };
    let side = |asked: &Asked| {
        let (what, files) = choice.side(asked);
        read(&what, &files, &how)
    };
    let (base, new) = (side(&base)?, side(&new)?);
    if let Some(why) = not_comparable(&base, &new)? {
        return cant_tell(&why);
    }
    let assessment = judge(&base.sums, &new.sums, options);
    let kind = base.sample_type.clone().unwrap_or_default();
    let sides = [base.judged, new.judged];
    let judged = Judged {
        title: args.worker.as_deref().unwrap_or("captures"),
        sides: &sides,
        assessment: &assessment,
        options,
        noun: noun(&kind.0, &kind.1),
        notes: &notes,
        rows: args.n,
    };
    let text = if args.json {
        judged.json(&kind.0)
    } else if args.markdown {
        judged.markdown()
    } else if args.github {
        summarise(&judged.markdown())?;
        judged.annotations()
    } else {
        judged.text(output.columns())
    };
    output.write(text.as_bytes())?;
    match assessment.overall {
        Overall::Ok => Ok(()),
        Overall::Worse => Err(CliError::Exit(WORSE)),
        Overall::Unclear => Err(CliError::Exit(CANT_TELL)),
    }
}

/// Lists the captures to choose from, where a side is not of files. Asks Cloudflare which version serves if a side needs it
/// and there is a login; also returns a note where it was guessed.
fn choice(
    args: &CheckArgs,
    account: &AccountArgs,
    asked: [&Asked; 2],
) -> Result<(Choice, Vec<String>), CliError> {
    let is_listed = asked.iter().any(|side| !matches!(side, Asked::Files(_)));
    if !is_listed {
        let choice = Choice {
            captures: Vec::new(),
            deployed: None,
        };
        return Ok((choice, Vec::new()));
    }
    let Some(worker) = &args.worker else {
        return Err(CliError::Usage(
            "--worker NAME is needed where a side is not files:A,B,…".to_owned(),
        ));
    };
    let mut choice = Choice::of(worker, args.kind, args.object.as_deref())?;
    let mut notes = Vec::new();
    let needs_deployed = asked
        .iter()
        .any(|side| matches!(side, Asked::Deployed | Asked::Previous));
    if needs_deployed {
        match connect::block_on(deployed(worker, account))? {
            Ok(deployed) => choice.deployed = deployed,
            Err(error) => notes.push(format!(
                "the version captured last stands for the deployed one, as Cloudflare could not be asked: {}",
                error.message()
            )),
        }
    }
    Ok((choice, notes))
}

/// Asks Cloudflare for the version that serves most.
async fn deployed(worker: &str, account: &AccountArgs) -> Result<Option<String>, CliError> {
    let session = connect::connect(account, &Environment::of_process()).await?;
    let worker = session.worker(worker).await?;
    let versions = session.client.versions_with_shares(&worker).await?;
    let serving = versions
        .iter()
        .filter(|version| version.percentage > 0.0)
        .max_by(|a, b| a.percentage.total_cmp(&b.percentage));
    Ok(serving.map(|version| version.id.clone()))
}

/// Returns why two sides can't be judged: one is empty, they share a capture.
///
/// # Errors
/// [`CliError::Failed`] if they hold values of two kinds.
fn not_comparable(base: &Side, new: &Side) -> Result<Option<String>, CliError> {
    for side in [base, new] {
        if side.sums.is_empty() {
            return Ok(Some(format!(
                "there are no captures of {}",
                printable(&side.judged.what)
            )));
        }
    }
    if let (Some(one), Some(other)) = (&base.sample_type, &new.sample_type)
        && one != other
    {
        return Err(unlike(&new.judged.what, other, one));
    }
    let of_base: BTreeSet<&String> = base.judged.captures.iter().collect();
    let is_in_both = |hash: &&String| of_base.contains(hash);
    let shared = new.judged.captures.iter().find(is_in_both);
    Ok(shared.map(|hash| {
        let hash = hash.get(..8).unwrap_or(hash);
        format!("the capture {} is on both sides", printable(hash))
    }))
}

/// Says why nothing can be told; never success.
fn cant_tell(why: &str) -> CliResult {
    connect::note(why);
    Err(CliError::Exit(CANT_TELL))
}

/// Adds Markdown to the summary of GitHub's step.
///
/// # Errors
/// [`CliError`] if it can't be written.
fn summarise(markdown: &str) -> CliResult {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") else {
        return Ok(());
    };
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?;
    Ok(file.write_all(markdown.as_bytes())?)
}
