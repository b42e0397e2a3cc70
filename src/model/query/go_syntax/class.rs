//! Classes of characters: `[a-z]`, `\d`, `[:alpha:]`, `\pL`, `\p{Greek}`.
//!
//! Inside, a class is the text between the brackets of a Rust class; an empty one holds nothing.

use crate::model::query::go_syntax::escape::point;
use crate::model::query::go_syntax::{Fault, Source};

/// Every character, as a class's content.
const ALL: &str = r"\x{0}-\x{10FFFF}";

/// Classes of ASCII by name. What Rust's stand for is the same.
const ASCII: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// Unicode's categories that Go knows, but those that have no match in text or differ: `C` and `Cs`.
const CATEGORIES: &str = "Cc Cf Co L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs";

/// Unicode's scripts. Go knows them by these names alone; Rust would take short ones and any case, too.
const SCRIPTS: &str = "\
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki \
    Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee \
    Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan \
    Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi \
    Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited \
    Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi \
    Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian \
    Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui \
    Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari \
    Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic \
    Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage \
    Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan \
    Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri \
    Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh \
    Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/// A class's content in brackets.
pub(crate) fn bracket(content: &str, negated: bool) -> String {
    match (content.is_empty(), negated) {
        (true, false) => format!("[^{ALL}]"),
        (true, true) => format!("[{ALL}]"),
        (false, false) => format!("[{content}]"),
        (false, true) => format!("[^{content}]"),
    }
}

/// Reads a class whose opening bracket has been read, and writes it in brackets.
///
/// # Errors
/// [`Fault`] for one that is not closed, and for what is wrong with what is in it.
pub(crate) fn bracketed(source: &mut Source<'_>, here: Source<'_>) -> Result<String, Fault> {
    let negated = source.eat("^");
    let mut content = String::new();
    let mut first = true;
    // A bracket that comes first is one of the characters.
    while first || !source.eat("]") {
        first = false;
        let at = *source;
        if let Some(named) = named(source)? {
            content.push_str(&named);
            continue;
        }
        if source.eat("\\")
            && let Some(class) = escaped(source, at)?
        {
            content.push_str(&class);
            continue;
        }
        *source = at;
        let from = character(source, here)?;
        let mut to = from;
        // Before the end, a dash is one of the characters.
        let dash = *source;
        if source.eat("-") {
            if source.peek() == Some(']') {
                *source = dash;
            } else {
                to = character(source, here)?;
            }
        }
        if to < from {
            return Err(at.fault(format!("the range `{}` runs backwards", source.given(&at))));
        }
        push_range(&mut content, from, to);
    }
    Ok(bracket(&content, negated))
}

/// Reads one character of a class, which may be escaped.
fn character(source: &mut Source<'_>, class: Source<'_>) -> Result<u32, Fault> {
    let at = *source;
    match source.next() {
        None => Err(class.fault("`[` is never closed")),
        Some('\\') => point(source, at),
        Some(c) => Ok(u32::from(c)),
    }
}

/// Writes a range, without the surrogates, which are in no text and which Rust does not write.
fn push_range(content: &mut String, from: u32, to: u32) {
    let from = if (0xd800..=0xdfff).contains(&from) {
        0xe000
    } else {
        from
    };
    let to = if (0xd800..=0xdfff).contains(&to) {
        0xd7ff
    } else {
        to
    };
    if from <= to {
        content.push_str(&format!(r"\x{{{from:X}}}-\x{{{to:X}}}"));
    }
}

/// Reads `[:alpha:]`, if such a thing comes next.
fn named(source: &mut Source<'_>) -> Result<Option<String>, Fault> {
    let at = *source;
    let Some(name) = source.eat("[:").then(|| source.until(":]")).flatten() else {
        *source = at;
        return Ok(None);
    };
    if ASCII.contains(&name.strip_prefix('^').unwrap_or(name)) {
        Ok(Some(format!("[:{name}:]")))
    } else {
        Err(at.fault(format!("`{}` is no class", source.given(&at))))
    }
}

/// Reads what follows a backslash, if it is a class: `d`, `pL`, `p{Greek}`.
///
/// # Errors
/// [`Fault`] for a property that is none.
pub(crate) fn escaped(source: &mut Source<'_>, here: Source<'_>) -> Result<Option<String>, Fault> {
    let Some(c) = source.peek() else {
        return Ok(None);
    };
    let content = match c.to_ascii_lowercase() {
        'd' => "0-9".to_owned(),
        'w' => "0-9A-Za-z_".to_owned(),
        's' => r"\t\n\f\r ".to_owned(),
        'p' => {
            source.next();
            return property(source, here, c == 'P').map(Some);
        }
        _ => return Ok(None),
    };
    source.next();
    Ok(Some(if c.is_ascii_uppercase() {
        bracket(&content, true)
    } else {
        content
    }))
}

/// Reads a property's name: one letter, or more in braces.
fn property(source: &mut Source<'_>, here: Source<'_>, mut negated: bool) -> Result<String, Fault> {
    let at = *source;
    let name = if source.eat("{") {
        let Some(name) = source.until("}") else {
            return Err(at.fault("`{` is never closed"));
        };
        negated ^= name.starts_with('^');
        name.strip_prefix('^').unwrap_or(name)
    } else {
        source.next();
        source.since(&at)
    };
    let is_one_of = |names: &str| names.split_ascii_whitespace().any(|known| known == name);
    let content = match name {
        "Any" => ALL.to_owned(),
        // Without the code points that stand for nothing yet.
        "C" => r"\p{Cc}\p{Cf}\p{Co}".to_owned(),
        "Cs" => String::new(),
        name if is_one_of(CATEGORIES) => format!(r"\p{{{name}}}"),
        name if is_one_of(SCRIPTS) => format!(r"\p{{Script={name}}}"),
        _ => {
            let given = source.given(&here);
            return Err(here.fault(format!("`{given}` is no category and no script")));
        }
    };
    Ok(if negated {
        bracket(&content, true)
    } else {
        content
    })
}
