//! Pseudonyms for names, so that a profile can be given to somebody who is not to learn what the code is about.
//!
//! A pseudonym is made of a hash of the name with a secret salt: under one salt a name has the same pseudonym wherever it
//! stands, and without the salt it can't be found out by trying names. What the runtime itself is called stays: it reveals
//! nothing. Line numbers, addresses and the figures stay as well.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};

use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::{Family, is_nameless};
use crate::model::graph::view::Identity;
use crate::model::profile::Profile;
use crate::model::profile::merge::LABEL;
use crate::model::profile::rename::Named;
use crate::model::profile::{BASE_LABEL, BASE_TEXT};
use crate::model::text::units;

/// V8's names for what is no function, and ours for what has no name or file.
const NO_FUNCTIONS: [&str; 8] = [
    "(garbage collector)",
    "(idle)",
    "(program)",
    "(root)",
    "(no stack)",
    "(runtime)",
    "(no file)",
    "(unresolved function)",
];
/// How the runtime names the compiled code of a regular expression, whose source follows.
const REGEXP: &str = "RegExp: ";
/// Endings of files that say no more than which language it is.
const ENDINGS: [&str; 14] = [
    "js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "json", "wasm", "go", "rs", "py", "c", "cpp",
];
/// Digits of a pseudonym: consonants, of which no word is made.
const DIGITS: &[u8; 16] = b"bcdfghjkmnpqrstv";
/// How many digits a pseudonym has, as long as no other name has the same.
const LENGTH: usize = 8;

/// The pseudonyms of one salt.
pub struct Pseudonyms<'a> {
    salt: &'a [u8],
    /// Functions that are called in files of the user's.
    own: HashSet<String>,
    known: HashMap<(&'static str, String), String>,
    /// Pseudonyms that are taken.
    taken: HashSet<String>,
}

impl<'a> Pseudonyms<'a> {
    /// No pseudonyms yet, for the names of a profile.
    #[must_use]
    pub fn new(salt: &'a [u8], profile: &Profile) -> Self {
        let own = profile
            .functions()
            .iter()
            .filter(|function| !is_runtime(&profile.text(function.file)));
        let names = own.flat_map(|function| [function.name, function.system_name]);
        let own = names.map(|name| profile.text(name).into_owned()).collect();
        Self {
            salt,
            own,
            known: HashMap::new(),
            taken: HashSet::new(),
        }
    }

    /// The profile under pseudonyms.
    #[must_use]
    pub fn profile(&mut self, profile: &Profile) -> Profile {
        profile.renamed(&mut |named| self.name(named))
    }

    /// A reading under pseudonyms; its view identified frames by `by`.
    #[must_use]
    pub fn reading(&mut self, reading: &Reading, by: Identity) -> Reading {
        reading.renamed(by, &mut |named| self.name(named))
    }

    /// What a target is called instead.
    #[must_use]
    pub fn target(&mut self, name: &str) -> String {
        self.pseudonym("target", name)
    }

    fn name(&mut self, named: Named<'_>) -> String {
        match named {
            Named::Function { name, file } => self.function(name, file),
            Named::File(path) => self.file(path),
            Named::Package(name) if NO_FUNCTIONS.contains(&name) => name.to_owned(),
            Named::Package(name) => self.pseudonym("package", name),
            Named::Mapping(path) => self.pseudonym("mapping", path),
            Named::BuildId(id) => self.pseudonym("build", id),
            // Ours, and what distinguishes the captures; pprof's own.
            Named::LabelKey(LABEL) => LABEL.to_owned(),
            Named::LabelKey(BASE_LABEL) => BASE_LABEL.to_owned(),
            Named::BaseMark(text) if text == BASE_TEXT => BASE_TEXT.to_owned(),
            Named::BaseMark(text) => self.pseudonym("value", text),
            Named::LabelKey(key) => self.pseudonym("label", key),
            Named::LabelText(text) => self.pseudonym("value", text),
            Named::LabelUnit(unit) if units::is_known(unit) => unit.to_owned(),
            Named::LabelUnit(unit) => self.pseudonym("unit", unit),
            Named::Capture(name) => self.pseudonym("capture", name),
            Named::Comment(text) => self.pseudonym("comment", text),
        }
    }

    fn function(&mut self, name: &str, file: &str) -> String {
        if NO_FUNCTIONS.contains(&name) || is_nameless(name) || is_address(name) {
            return name.to_owned();
        }
        if is_runtime(file) && !self.own.contains(name) {
            return name.to_owned();
        }
        match name.strip_prefix(REGEXP) {
            Some(source) => format!("{REGEXP}{}", self.pseudonym("regexp", source)),
            None => self.pseudonym("fn", name),
        }
    }

    /// A file, still recognizable as the runtime's or a dependency's.
    fn file(&mut self, path: &str) -> String {
        if is_runtime(path) {
            return path.to_owned();
        }
        let ending = path
            .rsplit_once('.')
            .map(|(_, ending)| ending)
            .filter(|ending| ENDINGS.contains(ending));
        let file = self.pseudonym("file", path);
        let file = ending.map_or_else(|| file.clone(), |ending| format!("{file}.{ending}"));
        let Some((_, inside)) = path.rsplit_once("node_modules/") else {
            return file;
        };
        let mut segments = inside.splitn(3, '/');
        let first = segments.next().unwrap_or_default();
        let package = match segments.next() {
            Some(second) if first.starts_with('@') => format!("{first}/{second}"),
            _ => first.to_owned(),
        };
        format!(
            "node_modules/{}/{file}",
            self.pseudonym("package", &package)
        )
    }

    fn pseudonym(&mut self, kind: &'static str, name: &str) -> String {
        if let Some(known) = self.known.get(&(kind, name.to_owned())) {
            return known.clone();
        }
        let mut hash = Sha256::new();
        // The salt's length separates it from the name.
        hash.update(
            u64::try_from(self.salt.len())
                .unwrap_or(u64::MAX)
                .to_le_bytes(),
        );
        for part in [self.salt, kind.as_bytes(), b"\0", name.as_bytes()] {
            hash.update(part);
        }
        let digits: String = hash
            .finalize()
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect();
        let lengths = LENGTH..=digits.len();
        let mut candidates =
            lengths.map(|length| format!("{kind}_{}", digits.get(..length).unwrap_or(&digits)));
        let free = candidates
            .find(|candidate| !self.taken.contains(candidate))
            .unwrap_or(digits);
        self.taken.insert(free.clone());
        self.known.insert((kind, name.to_owned()), free.clone());
        free
    }
}

fn digit(value: u8) -> char {
    DIGITS
        .get(usize::from(value))
        .copied()
        .map_or('x', char::from)
}

/// Whether a file is the runtime's own. What has no file is not known to be.
fn is_runtime(file: &str) -> bool {
    !file.is_empty() && Family::of("", file) == Family::Runtime
}

/// Whether a name is one of ours for a function without one, with its address.
fn is_address(name: &str) -> bool {
    let digits = name.strip_prefix("(anonymous) 0x");
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Parts;

    fn names(salt: &[u8], named: &[Named<'_>]) -> Vec<String> {
        let profile = Profile::new(Parts::default());
        let mut pseudonyms = Pseudonyms::new(salt, &profile);
        named.iter().map(|named| pseudonyms.name(*named)).collect()
    }

    #[test]
    fn a_name_has_one_pseudonym_under_one_salt() {
        let function = Named::Function {
            name: "validateAddress",
            file: "a.js",
        };
        let [one, again] = &names(b"salt", &[function, function])[..] else {
            panic!("two were asked for")
        };
        assert_eq!(one, again);
        assert_eq!(names(b"salt", &[function]), names(b"salt", &[function]));
        assert_ne!(names(b"salt", &[function]), names(b"other", &[function]));
        // The same text in another place is another name.
        assert_ne!(
            names(b"salt", &[Named::File("x")]),
            names(b"salt", &[Named::Mapping("x")])
        );
    }

    #[test]
    fn what_says_nothing_of_the_user_stays() {
        for (name, file) in [
            ("(garbage collector)", ""),
            ("(idle)", ""),
            ("(anonymous)", "worker.js"),
            ("(anonymous) 0x1f00", ""),
            ("from", "node:buffer"),
            ("run", "cloudflare-internal:workflows"),
        ] {
            assert_eq!(names(b"s", &[Named::Function { name, file }]), [name]);
        }
        assert_eq!(names(b"s", &[Named::File("node:buffer")]), ["node:buffer"]);
        // Without a file it may be anybody's: folded stacks have none at all.
        let [folded, regexp] = &names(
            b"s",
            &[
                Named::Function {
                    name: "fetch",
                    file: "",
                },
                Named::Function {
                    name: "RegExp: ^card",
                    file: "",
                },
            ],
        )[..] else {
            panic!("two were asked for")
        };
        assert!(folded.starts_with("fn_"), "{folded}");
        assert!(
            regexp.starts_with("RegExp: regexp_") && !regexp.contains("card"),
            "{regexp}"
        );
    }

    #[test]
    fn dependencies_and_languages_can_still_be_distinguished() {
        let named = [
            Named::File("/app/node_modules/@acme/pay/dist/a.mjs"),
            Named::File("/x/node_modules/@acme/pay/b.ts"),
            Named::File("src/secret.plan"),
        ];
        let [one, other, own] = &names(b"s", &named)[..] else {
            panic!("three were asked for")
        };
        let package = |path: &str| path.rsplit_once('/').unwrap().0.to_owned();
        assert!(
            one.starts_with("node_modules/package_") && one.ends_with(".mjs"),
            "{one}"
        );
        assert_eq!(package(one), package(other));
        assert!(own.starts_with("file_") && !own.contains("plan"), "{own}");
    }
}
