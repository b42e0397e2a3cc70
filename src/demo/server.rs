//! The demo server: its address, its routes, and the headers of every response.

use std::fmt::Write as _;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::json;
use tokio::sync::oneshot;

use crate::demo::account_data::ACCOUNT_ID;
use crate::demo::connection::{Closable, Connection};
use crate::demo::envelope::{refusal, refused_with};
use crate::demo::state::{Options, QUOTA, QUOTA_WINDOW, Server, ServerState};
use crate::demo::{analytics, profile, reads, scripts};

/// The only token it accepts.
pub const TOKEN: &str = "cfut_flarescope-demo-not-a-secret";

/// A running demo server. Dropping it stops the server.
#[derive(Debug)]
pub struct DemoServer {
    /// The base address for clients, with `/client/v4`.
    pub base_url: String,
    /// The token it accepts.
    pub token: String,
    /// The account's id.
    pub account_id: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl DemoServer {
    /// Starts the server on its own thread. It listens when this returns.
    ///
    /// # Errors
    /// If the address is in use or isn't this machine's.
    pub fn start(options: &Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.addr)?;
        listener.set_nonblocking(true)?;
        let addr = listener.local_addr()?;
        let routes = routes(ServerState::new(options));
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let serving = async {
                let listener = Closable(tokio::net::TcpListener::from_std(listener)?);
                let service = routes.into_make_service_with_connect_info::<Connection>();
                let server = axum::serve(listener, service).with_graceful_shutdown(async {
                    // Dropping the sender stops it as well.
                    let _ = stopped.await;
                });
                server.await
            };
            runtime.block_on(serving)
        };
        let thread = std::thread::Builder::new()
            .name("demo-server".to_owned())
            .spawn(serve)?;
        Ok(Self {
            base_url: format!("http://{addr}/client/v4"),
            token: TOKEN.to_owned(),
            account_id: ACCOUNT_ID.to_owned(),
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        // Doesn't wait for open connections, such as a running capture. The thread ends with the process.
        drop(self.stop.take());
        drop(self.thread.take());
    }
}

fn routes(server: Server) -> Router {
    let account = Router::new()
        .route("/", get(reads::account))
        .route("/tokens/verify", get(reads::verify))
        .route("/workers/workers", get(reads::workers))
        .route("/workers/workers/{worker}", get(reads::worker))
        .route("/workers/workers/{worker}/versions", get(reads::versions))
        .route(
            "/workers/workers/{worker}/versions/{version}",
            get(reads::version),
        )
        .route(
            "/workers/workers/{worker}/versions/{version}/profile",
            post(profile::profile),
        )
        .route("/workers/scripts", get(scripts::scripts))
        .route(
            "/workers/scripts/{script}/deployments",
            get(scripts::deployments),
        )
        .route(
            "/workers/scripts/{script}/deployments/{deployment}",
            get(scripts::deployment),
        )
        .route("/workers/scripts/{script}/versions", get(scripts::versions))
        .route(
            "/workers/scripts/{script}/versions/{version}",
            get(scripts::version),
        )
        .route("/workers/services/{script}", get(scripts::service))
        .route(
            "/workers/durable_objects/namespaces",
            get(reads::namespaces),
        )
        .route(
            "/workers/durable_objects/namespaces/{namespace}/objects",
            get(reads::objects),
        );
    let all = Router::new()
        .route("/user", get(reads::user))
        .route("/user/tokens/verify", get(reads::verify))
        .route("/accounts", get(reads::accounts))
        .route("/graphql", post(analytics::analytics))
        .route("/memberships", get(reads::memberships))
        .nest("/accounts/{account}", account)
        .fallback(|request: Request| async move { no_route(&request) })
        .method_not_allowed_fallback(|| async {
            refusal(
                405,
                10_405,
                "Method not allowed for this authentication scheme",
            )
        });
    Router::new()
        .nest("/client/v4", all)
        .fallback(|request: Request| async move { no_route(&request) })
        .layer(middleware::from_fn_with_state(Arc::clone(&server), gate))
        .with_state(server)
}

/// Checks the token and the account before each call, and adds the headers of every response after it.
async fn gate(
    State(server): State<Server>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    request: Request,
    next: Next,
) -> Response {
    let (left, seconds) = server.count_call();
    let mut response = match (left, admit(&request)) {
        (None, _) => {
            let mut refused = refusal(
                429,
                971,
                "Please wait and consider throttling your request speed",
            );
            refused
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds + 1));
            refused
        }
        (Some(_), Err(refused)) => *refused,
        (Some(_), Ok(())) => {
            server
                .faults
                .respond(server.time_scale, &connection, request, next)
                .await
        }
    };
    let number = server.responses.fetch_add(1, Ordering::Relaxed);
    let headers = response.headers_mut();
    set(headers, "cf-ray", &ray(number));
    set(
        headers,
        "ratelimit",
        &format!("\"default\";r={};t={seconds}", left.unwrap_or(0)),
    );
    set(
        headers,
        "ratelimit-policy",
        &format!("\"default\";q={QUOTA};w={}", QUOTA_WINDOW.as_secs()),
    );
    response
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Returns a response's number as a ray: 16 hexadecimal digits and a location.
fn ray(number: u64) -> String {
    let mut ray = crate::demo::account_data::hex("ray", &number.to_string(), 16);
    let _ = write!(ray, "-DEM");
    ray
}

fn admit(request: &Request) -> Result<(), Box<Response>> {
    let authorization = request
        .headers()
        .get(header::AUTHORIZATION)
        .map(|value| value.to_str().unwrap_or_default());
    match authorization {
        Some(value) => match value.split_once(' ') {
            Some((scheme, token))
                if scheme.eq_ignore_ascii_case("bearer") && token.trim() == TOKEN => {}
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("bearer") => {
                return Err(Box::new(refusal(401, 10_000, "Authentication error")));
            }
            _ => {
                let chain =
                    json!([{ "code": 6111, "message": "Invalid format for Authorization header" }]);
                let error = json!({ "code": 6003, "message": "Invalid request headers", "error_chain": chain });
                return Err(Box::new(refused_with(400, &error)));
            }
        },
        None => return Err(Box::new(refusal(401, 10_000, "Authentication error"))),
    }
    let mut segments = request
        .uri()
        .path()
        .trim_start_matches("/client/v4/")
        .split('/');
    if segments.next() == Some("accounts")
        && let Some(account) = segments.next().filter(|account| !account.is_empty())
        && account != ACCOUNT_ID
    {
        let known = account.len() == 32 && account.bytes().all(|byte| byte.is_ascii_hexdigit());
        return Err(if known {
            Box::new(refusal(403, 10_000, "Authentication error"))
        } else {
            Box::new(no_route(request))
        });
    }
    Ok(())
}

/// Returns the error for an unknown route.
fn no_route(request: &Request) -> Response {
    let path = request.uri().path();
    let path = path.strip_prefix("/client/v4").unwrap_or(path);
    let message = format!("Could not route to {path}, perhaps your object identifier is invalid?");
    let code = if *request.method() == Method::GET {
        7003
    } else {
        7000
    };
    refusal(404, code, &message)
}
