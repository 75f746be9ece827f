//! The header for the rules of a game, where these are not the usual ones:
//! `RU[Simultaneous Connection: draw; Move Limit: 50]` in SGF, `[Rules "Captures: optional"]` in PDN.
//!
//! Its text has the rule options of the game with their values, as the protocol names them, separated
//! by semicolons. Other programs write other texts into this header, of which no rules are read.

use super::record::Record;
use super::values::HeaderField;
use crate::game::{Game, RuleChoice, RuleSetting, RuleValues, Rules, Variant};
use crate::games::{GameVisitor, open};

/// The rule options of the game of a variant, by name.
fn options(variant: &Variant) -> Vec<(&'static str, RuleChoice)> {
    struct RuleOptions;
    impl GameVisitor for RuleOptions {
        type Output = Vec<(&'static str, RuleChoice)>;

        fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
            P::Rules::OPTIONS.iter().map(|option| (option.name, option.choice)).collect()
        }
    }
    open(variant.name, RuleOptions).unwrap_or_default()
}

/// Reads the rules in the text of a header; `None` if any part of it is not a rule of the game.
pub(super) fn read(variant: &Variant, text: &str) -> Option<Vec<RuleSetting>> {
    let options = options(variant);
    let mut settings: Vec<RuleSetting> = Vec::new();
    for part in text.split(';') {
        let (name, value) = part.split_once(':')?;
        let is_named = |(known, _): &&(&str, _)| known.eq_ignore_ascii_case(name.trim());
        let &(name, choice) = options.iter().find(is_named)?;
        if settings.iter().any(|setting| setting.name == name) {
            return None;
        }
        let value = choice.read(value.trim())?;
        settings.push(RuleSetting { name, value, text: choice.write(value) });
    }
    Some(settings)
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
        text.and_then(|text| read(self.variant, &text)).unwrap_or_default()
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
            && read(self.variant, text).is_some_and(|settings| settings == self.rules())
    }

    /// Whether a header with this text would be read as other rules than those of the game.
    pub(super) fn claims_rules(&self, name: &str, text: &str) -> bool {
        name == self.header(HeaderField::Rules)
            && (!self.rules().is_empty() || read(self.variant, text).is_some())
    }
}
