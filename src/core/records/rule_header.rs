//! The header for the rules of a game, where these are not the usual ones:
//! `RU[Simultaneous Connection: draw; Move Limit: 50]` in SGF, `[Rules "Captures: optional"]` in PDN.
//!
//! Its text has the rule options of the game with their values, as the protocol names them, separated
//! by semicolons. Other programs write other texts into this header, of which no rules are read: see
//! [`Record::rules_fault`].

use super::error::shorten;
use super::record::Record;
use super::values::HeaderField;
use crate::game::{Game, RuleChoice, RuleSetting, RuleValues, Rules, Variant};
use crate::games::variant_named;
use crate::with_game;

/// The rule options of the game of a variant, by name.
fn options(variant: &Variant) -> Vec<(&'static str, RuleChoice)> {
    fn of<P: Game>() -> Vec<(&'static str, RuleChoice)> {
        P::Rules::OPTIONS.iter().map(|option| (option.name, option.choice)).collect()
    }
    with_game!(variant.name, |P, _variant| of::<P>()).unwrap_or_default()
}

/// The values of a rule, for error messages.
fn allowed(choice: RuleChoice) -> String {
    match choice {
        RuleChoice::Named(names) => names.join(" or "),
        RuleChoice::Number { min, max, .. } => format!("a number from {min} to {max}"),
    }
}

/// Reads the rules in the text of a header. The error names the part that is not a rule of the
/// game, and what was expected.
pub(super) fn read(variant: &Variant, text: &str) -> Result<Vec<RuleSetting>, String> {
    let options = options(variant);
    let mut settings: Vec<RuleSetting> = Vec::new();
    for part in text.split(';').map(str::trim) {
        let expected = |what: &str| format!("expected {what}, found '{}'", shorten(part));
        let (name, value) = part.split_once(':').ok_or_else(|| expected("NAME: VALUE"))?;
        let is_named = |(known, _): &&(&str, _)| known.eq_ignore_ascii_case(name.trim());
        let &(name, choice) = options.iter().find(is_named).ok_or_else(|| {
            let names: Vec<_> = options.iter().map(|&(name, _)| name).collect();
            expected(&format!("one of {}", names.join(", ")))
        })?;
        if settings.iter().any(|setting| setting.name == name) {
            return Err(expected("each rule once"));
        }
        let value = choice.read(value.trim()).ok_or_else(|| expected(&allowed(choice)))?;
        settings.push(RuleSetting { name, value, text: choice.write(value) });
    }
    Ok(settings)
}

/// The text for the rules that are not the usual ones; empty if all are.
fn write(variant: &Variant, values: RuleValues) -> String {
    let other = |(name, choice): (&str, RuleChoice)| {
        let value = values(name).filter(|value| *value != choice.default())?;
        Some(format!("{name}: {}", choice.write(value)))
    };
    options(variant).into_iter().filter_map(other).collect::<Vec<_>>().join("; ")
}

impl Record {
    /// The rules in the header, in its order; those that it does not name are the usual ones. Empty
    /// without such a header.
    pub fn rules(&self) -> Vec<RuleSetting> {
        let text = self.info(HeaderField::Rules);
        text.and_then(|text| read(self.variant, &text).ok()).unwrap_or_default()
    }

    /// Why no rules are read from the header, although it has a text. `None`
    /// if the text is only a name of the game.
    pub fn rules_fault(&self) -> Option<String> {
        let text = self.info(HeaderField::Rules)?;
        let error = read(self.variant, &text).err()?;
        let is_name = variant_named(&text).is_some_and(|found| found.name == self.variant.name);
        let name = self.header(HeaderField::Rules);
        (!is_name).then(|| format!("{name}: {error}; no rules are read"))
    }

    /// Writes the rules that are not the usual ones into the header. No effect if there is a header
    /// already.
    pub fn set_rules(&mut self, values: RuleValues) {
        if self.info(HeaderField::Rules).is_none() {
            self.set_info(HeaderField::Rules, &write(self.variant, values));
        }
    }

    /// Whether the text of a header is that of the rules in [`Self::rules`].
    pub(super) fn is_rules(&self, name: &str, text: &str) -> bool {
        name == self.header(HeaderField::Rules)
            && read(self.variant, text).is_ok_and(|settings| settings == self.rules())
    }

    /// Whether a header with this text would be read as other rules than those of the game.
    pub(super) fn claims_rules(&self, name: &str, text: &str) -> bool {
        name == self.header(HeaderField::Rules)
            && (!self.rules().is_empty() || read(self.variant, text).is_ok())
    }
}
