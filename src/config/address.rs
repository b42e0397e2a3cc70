//! The API's base URL.

use crate::config::{ConfigError, Environment};

/// Cloudflare's public API.
const PUBLIC: &str = "https://api.cloudflare.com/client/v4";
/// The API of FedRAMP High accounts.
const FEDRAMP: &str = "https://api.fed.cloudflare.com/client/v4";

/// Returns the base address: `CLOUDFLARE_API_BASE_URL`, then `CF_API_BASE_URL`, then that of the compliance region.
///
/// # Errors
/// [`ConfigError::Region`] if the region is unknown. The client checks the address itself.
pub fn base_url(environment: &Environment) -> Result<String, ConfigError> {
    let named = environment
        .get("CLOUDFLARE_API_BASE_URL")
        .or_else(|| environment.get("CF_API_BASE_URL"));
    if let Some(address) = named {
        return Ok(address.trim().to_owned());
    }
    match environment.get("CLOUDFLARE_COMPLIANCE_REGION") {
        None | Some("public") => Ok(PUBLIC.to_owned()),
        Some("fedramp_high" | "fedramp-high") => Ok(FEDRAMP.to_owned()),
        Some(other) => Err(ConfigError::Region(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_address_goes_before_the_region() {
        let region = ("CLOUDFLARE_COMPLIANCE_REGION", "fedramp_high");
        assert_eq!(base_url(&Environment::default()).unwrap(), PUBLIC);
        assert_eq!(base_url(&Environment::of(&[region])).unwrap(), FEDRAMP);
        let named = Environment::of(&[
            region,
            ("CLOUDFLARE_API_BASE_URL", "http://127.0.0.1:1/client/v4"),
        ]);
        assert_eq!(base_url(&named).unwrap(), "http://127.0.0.1:1/client/v4");
        assert!(
            base_url(&Environment::of(&[(
                "CLOUDFLARE_COMPLIANCE_REGION",
                "mars"
            )]))
            .is_err()
        );
    }
}
