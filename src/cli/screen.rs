//! `flarescope`, `flarescope open` and `flarescope demo`: the full screen.

use std::path::PathBuf;

#[cfg(feature = "demo")]
use crate::api::Settings;
use crate::app::{Batch, Origin, Session, ThemeChoice};
use crate::cli::connect::Credentials;
use crate::cli::view_args::ViewArgs;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect};
use crate::config::{ConfigError, Environment, File, FoundAccount};
#[cfg(feature = "demo")]
use crate::demo;
use crate::inspector::{Address, Inspector};
use crate::model::cloudflare::{Account, Capture, short};
use crate::runtime::{Access, Ending, Local, Opening, RunError, Services, Source, Start, run};
use crate::store::{Choice, Store};
use crate::term::{Screen, TermError};
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{Depth, ThemeError, Themes};
use crate::{app, config, inspector, term};

/// Open profiles: pprof, V8's, folded stacks; - is standard input
#[derive(Debug, clap::Args)]
pub(super) struct OpenArgs {
    /// Profiles, several as one: files, - for standard input, or hash prefixes of captures
    #[arg(value_name = "FILE|-|HASH", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    view: ViewArgs,
}

/// How the screen is drawn and behaves, from flags, environment and configuration.
pub(super) struct Look {
    pub(super) theme: String,
    pub(super) depth: Depth,
    pub(super) glyphs: Glyphs,
    pub(super) mouse: bool,
    pub(super) themes: Themes,
    pub(super) settings: app::Settings,
    /// The flag or the line of the configuration that sets the theme.
    pub(super) theme_said_by: Option<String>,
}

impl Look {
    /// Determines how to draw. Precedence: flags, environment, configuration.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an unknown theme.
    pub(super) fn new(
        args: &LookArgs,
        environment: &Environment,
        file: &File,
    ) -> Result<Self, CliError> {
        let variable = |name: &str| environment.get(name).map(str::to_owned);
        let wished = |wish: Option<bool>, unless: &str| {
            wish == Some(true) && environment.get(unless).is_none()
        };
        let depth = Depth::detect(
            variable,
            args.truecolor || wished(file.truecolor, "NO_COLOR"),
        );
        let glyphs = term::glyphs(
            variable,
            args.ascii || wished(file.ascii, "FLARESCOPE_ASCII"),
        );
        let mouse = environment
            .get("FLARESCOPE_MOUSE")
            .map(|value| value != "0")
            .or(file.mouse);
        let named = args.theme.clone().or_else(|| file.theme.clone());
        let theme = named.unwrap_or_else(|| Themes::first().to_owned());
        let themes = crate::cli::themes::themes(environment);
        if let Err(error @ ThemeError::Unknown { .. }) = themes.load(&theme, depth) {
            return Err(CliError::Usage(error.to_string()));
        }
        let said = args.theme.is_some().then(|| "--theme".to_owned());
        let theme_said_by = said.or_else(|| file.spot("theme"));
        let settings = app::Settings::default();
        let settings = app::Settings {
            keys: file.keys.clone(),
            kind: file.kind.unwrap_or(settings.kind),
            window: file.window.unwrap_or(settings.window),
            columns: file.columns.clone().unwrap_or(settings.columns),
            colourless: depth == Depth::None,
        };
        Ok(Self {
            theme,
            depth,
            glyphs,
            mouse: args.mouse || mouse == Some(true),
            themes,
            settings,
            theme_said_by,
        })
    }

    /// Uses the theme chosen last on the screen if none is set; a missing one is forgotten.
    /// Returns whether there is one.
    pub(super) fn take_last_theme(&mut self, environment: &Environment) -> bool {
        let last = connect::choice(environment).filter(|_| self.theme_said_by.is_none());
        let last = last
            .and_then(|choice| choice.theme())
            .filter(|name| self.themes.names().contains(name));
        let is_there = last.is_some();
        if let Some(last) = last {
            self.theme = last;
        }
        is_there
    }

    /// Returns whether only ASCII is drawn.
    pub(super) fn ascii(&self) -> bool {
        self.glyphs == Glyphs::Ascii
    }

    /// Returns the active theme and all themes.
    pub(super) fn choice(&self) -> ThemeChoice {
        ThemeChoice {
            name: self.theme.clone(),
            known: self.themes.names(),
            said_by: self.theme_said_by.clone(),
        }
    }
}

/// Where the screen's lists come from.
enum Lists {
    Cloudflare,
    Inspector(Local),
    #[cfg(feature = "demo")]
    Demo(demo::Options),
}

impl Lists {
    /// Returns the local runtime if one is given, else Cloudflare.
    fn of(account: &AccountArgs, worker: Option<&str>) -> Result<Self, CliError> {
        let local = |inspector| {
            Self::Inspector(Local {
                inspector,
                label: worker.map(str::to_owned),
            })
        };
        Ok(account.local.inspector()?.map_or(Self::Cloudflare, local))
    }
}

/// Opens on the account's Workers.
///
/// # Errors
/// [`CliError::Usage`] if standard output is not a terminal, or several accounts are possible.
pub(super) fn workers(account: &AccountArgs, look: &LookArgs, worker: Option<String>) -> CliResult {
    needs_terminal()?;
    let lists = Lists::of(account, worker.as_deref())?;
    show(account, look, lists, None, worker)
}

/// Opens on a profile.
///
/// # Errors
/// [`CliError::Failed`] for a file that is not a profile, before the screen starts.
pub(super) fn open(args: &OpenArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    needs_terminal()?;
    let opening = Opening::Profile(Box::new(args.view.open(&args.files)?));
    show(
        account,
        look,
        Lists::of(account, None)?,
        Some(opening),
        None,
    )
}

/// Opens on a capture that was just taken.
///
/// # Errors
/// As [`open`].
pub(super) fn captured(capture: Capture, account: &AccountArgs, look: &LookArgs) -> CliResult {
    let mut opened = ViewArgs::default().open(std::slice::from_ref(&capture.path))?;
    let worker = &capture.target().worker;
    let lists = Lists::of(account, Some(worker))?;
    opened.source.name.clone_from(worker);
    opened.source.path = None;
    opened.source.capture = Some(capture);
    let opening = Opening::Profile(Box::new(opened));
    show(account, look, lists, Some(opening), None)
}

/// Opens on captures that were just taken: merged, or compared with each other.
///
/// # Errors
/// As [`open`].
pub(super) fn series(batch: Batch, account: &AccountArgs, look: &LookArgs) -> CliResult {
    let opening = Opening::Batch(Box::new(batch));
    show(account, look, Lists::Cloudflare, Some(opening), None)
}

/// Opens on the demo server's Workers.
///
/// # Errors
/// As [`workers`].
#[cfg(feature = "demo")]
pub(super) fn demo(options: demo::Options, look: &LookArgs) -> CliResult {
    needs_terminal()?;
    let account = AccountArgs::default();
    show(&account, look, Lists::Demo(options), None, None)
}

/// Rejects a standard output that can't show the screen.
///
/// # Errors
/// [`CliError::Usage`].
pub(super) fn needs_terminal() -> Result<(), CliError> {
    Screen::check().map_err(|error| CliError::Usage(error.to_string()))
}

fn show(
    account: &AccountArgs,
    look: &LookArgs,
    mut lists: Lists,
    mut open: Option<Opening>,
    worker: Option<String>,
) -> CliResult {
    let environment = Environment::of_process();
    let mut look = Look::new(look, &environment, &connect::configuration(&environment)?)?;
    // Only the terminal can keep the screen from opening now.
    let mut is_first = config::is_first_run(&environment);
    let mut is_second_look = false;
    loop {
        look.take_last_theme(&environment);
        // The server stops when it is dropped.
        let place = match &lists {
            Lists::Cloudflare if open.is_some() => Place::of_files(account, &environment)?,
            Lists::Cloudflare => Place::of_cloudflare(account, &environment)?,
            Lists::Inspector(local) => Place::of_inspector(local.clone(), &environment)?,
            #[cfg(feature = "demo")]
            Lists::Demo(options) => Place::of_demo(options, &environment)?,
        };
        let start = Start {
            session: place.session(),
            services: place.services().with_capture_worker(),
            themes: look.themes.clone(),
            theme: look.choice(),
            settings: look.settings.clone(),
            is_first: std::mem::take(&mut is_first),
            is_second_look: std::mem::take(&mut is_second_look),
            depth: look.depth,
            glyphs: look.glyphs,
            open: open.take(),
            worker: worker.clone(),
            mouse: look.mouse,
        };
        match run(start).map_err(CliError::from)? {
            Ending::Quit => return Ok(()),
            Ending::Signal(number) => return Err(CliError::Signal(number)),
            #[cfg(feature = "demo")]
            Ending::Demo => lists = Lists::Demo(demo::Options::default()),
            #[cfg(not(feature = "demo"))]
            Ending::Demo => {
                return Err(CliError::failed(
                    "this build has no demo server (feature `demo`)",
                ));
            }
            Ending::Nearby => {
                let inspector = Inspector::new(Address::usual(), inspector::Settings::default());
                lists = Lists::Inspector(Local {
                    inspector,
                    label: None,
                });
            }
            Ending::Again => {
                lists = Lists::Cloudflare;
                is_second_look = true;
            }
        }
    }
}

/// The account or the reason for having none, and the cache.
pub(super) struct Place {
    session: Session,
    source: Option<Source>,
    account: Option<Account>,
    store: Store,
    choice: Option<Choice>,
    #[cfg(feature = "demo")]
    _server: Option<demo::DemoServer>,
}

impl Place {
    /// Returns the account that was named or chosen before; without one the screen asks. Sends nothing yet. Without a token,
    /// only the captures on disk are available.
    pub(super) fn of_cloudflare(
        args: &AccountArgs,
        environment: &Environment,
    ) -> Result<Self, CliError> {
        let credentials = match Credentials::find(args, environment) {
            Ok(credentials) => credentials,
            Err(ConfigError::NoToken(why)) => {
                let mut place = Self::of_nothing(environment)?;
                // The message names the command that renews an expired login.
                let why = why.trim_start_matches(['.', ' ']);
                place.session.offline = (!why.is_empty()).then(|| why.to_owned());
                return Ok(place);
            }
            Err(error) => return Err(error.into()),
        };
        let Credentials {
            settings,
            token_source,
            account,
        } = credentials;
        let mut session = Session {
            origin: Origin::Cloudflare,
            token_from: token_source.brief(),
            ..Session::default()
        };
        if let Some(FoundAccount { account, source }) = &account {
            session.account_name = match &account.name {
                id if *id == account.id => format!("account {}", short(id)),
                name => name.clone(),
            };
            session.account_id.clone_from(&account.id);
            source.brief().clone_into(&mut session.account_from);
        }
        Ok(Self {
            session,
            source: Some(Source::Cloudflare(Access {
                settings,
                origin: Origin::Cloudflare,
            })),
            account: account.map(|found| found.account),
            ..Self::of_nothing(environment)?
        })
    }

    /// Returns the place for reading files: with an account only if one is named.
    fn of_files(args: &AccountArgs, environment: &Environment) -> Result<Self, CliError> {
        let named = config::account(args.account.as_deref(), environment, &File::default(), None);
        if matches!(named, Ok(Some(_)))
            && let Ok(place) = Self::of_cloudflare(args, environment)
        {
            return Ok(place);
        }
        Self::of_nothing(environment)
    }

    /// Returns the place for files and captures on disk only.
    pub(super) fn of_nothing(environment: &Environment) -> Result<Self, CliError> {
        Ok(Self {
            session: Session::default(),
            source: None,
            account: None,
            store: connect::store(environment)?,
            choice: connect::choice(environment),
            #[cfg(feature = "demo")]
            _server: None,
        })
    }

    /// Returns the place for the demo server.
    #[cfg(feature = "demo")]
    pub(super) fn of_demo(
        options: &demo::Options,
        environment: &Environment,
    ) -> Result<Self, CliError> {
        let server = demo::DemoServer::start(options)
            .map_err(|error| CliError::failed(format!("the demo server can't start: {error}")))?;
        let secret = crate::model::text::secret::Secret::new(&server.token).map_err(|error| {
            CliError::Fault(format!("the demo server's token is invalid: {error}"))
        })?;
        let settings = Settings::new(server.base_url.clone(), secret);
        let account = Account {
            id: server.account_id.clone(),
            name: demo::ACCOUNT_NAME.to_owned(),
        };
        let session = Session {
            origin: Origin::Demo,
            account_name: account.name.clone(),
            account_id: account.id.clone(),
            ..Session::default()
        };
        Ok(Self {
            session,
            source: Some(Source::Cloudflare(Access {
                settings,
                origin: Origin::Demo,
            })),
            account: Some(account),
            _server: Some(server),
            ..Self::of_nothing(environment)?
        })
    }

    /// Returns the place for a local runtime.
    pub(super) fn of_inspector(local: Local, environment: &Environment) -> Result<Self, CliError> {
        let account_name = local.inspector.address().to_string();
        Ok(Self {
            session: Session {
                origin: Origin::Inspector,
                account_name,
                ..Session::default()
            },
            source: Some(Source::Inspector(local)),
            ..Self::of_nothing(environment)?
        })
    }

    /// Describes it to the screen.
    pub(super) fn session(&self) -> Session {
        self.session.clone()
    }

    /// The services for effects.
    pub(super) fn services(&self) -> Services {
        Services::new(
            self.source.clone(),
            self.account.clone(),
            self.store.clone(),
            self.choice.clone(),
        )
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Terminal(TermError::NoTerminal | TermError::Dumb(_)) => {
                Self::Usage(error.to_string())
            }
            other => Self::failed(other.to_string()),
        }
    }
}
