//! Reads a response's body up to a limit.

/// Largest JSON response that is read. A page of a hundred Workers takes about 200 kB.
pub(super) const JSON_BODY_MAX: usize = 32 << 20;

/// Why a body could not be read whole.
#[derive(Debug)]
pub(super) enum BodyError {
    /// It is larger than the limit, in bytes.
    TooLarge(usize),
    /// The connection or the encoding broke, after this many bytes.
    Broken(reqwest::Error, usize),
}

/// Reads the whole body, at most `limit` bytes after an HTTP content encoding is undone.
pub(super) async fn read(
    mut response: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, BodyError> {
    let announced = response.content_length().unwrap_or(0);
    if announced > limit as u64 {
        return Err(BodyError::TooLarge(limit));
    }
    // The length is the server's claim: trust it for a small first buffer only.
    let mut bytes = Vec::with_capacity(usize::try_from(announced).unwrap_or(0).min(1 << 20));
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > limit => {
                return Err(BodyError::TooLarge(limit));
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(bytes),
            Err(error) => return Err(BodyError::Broken(error, bytes.len())),
        }
    }
}
