use serde::Serialize;

use super::terms::RecordedTerms;
use crate::game::RuleSetting;

/// A problem to check.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Problem {
    pub name: String,
    /// The file and the line, for errors; empty for a setup on the command line.
    #[serde(skip)]
    pub place: String,
    pub variant: &'static str,
    /// The setup, of which a report has the standard form.
    pub setup: String,
    /// The terms; `None` if the record has no result.
    pub terms: Option<RecordedTerms>,
    /// The published first moves.
    pub keys: Vec<String>,
    pub solution: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleSetting>,
    /// Why no rules are read from the header of the record, although it has a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_fault: Option<String>,
}

impl Problem {
    /// The name, which a report prints, with the fault of the header for rules: the problem may have been
    /// meant with other rules.
    pub fn title(&self) -> String {
        with_fault(self.name.clone(), self.rules_fault.as_deref())
    }
}

/// A text about a record, which may have been meant with other rules than those that are read.
pub fn with_fault(text: String, rules_fault: Option<&str>) -> String {
    let texts = [Some(text.as_str()).filter(|text| !text.is_empty()), rules_fault];
    texts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
