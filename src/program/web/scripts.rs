//! The scripts of the page as one, for which a browser sends one request instead of thirty.
//!
//! A module becomes a function that returns what the module exports. The functions are called in the order in
//! which the modules need each other. `import { a } from "./module.js";` and `export` before a declaration, at
//! the beginning of a line, are the only forms that the modules use.

/// Joins a module and all that it imports, directly or not. `text_of` finds the text of a module by its name.
pub fn join<'a>(name: &str, text_of: &impl Fn(&str) -> &'a str) -> String {
    let mut joined = Joined { text: String::new(), names: Vec::new() };
    joined.add(name, text_of);
    joined.text
}

struct Joined {
    text: String,
    /// The names of the modules that the text has.
    names: Vec<String>,
}

impl Joined {
    fn add<'a>(&mut self, name: &str, text_of: &impl Fn(&str) -> &'a str) {
        if self.names.iter().any(|known| known == name) {
            return;
        }
        self.names.push(name.to_string());
        let text = format!("\n{}", text_of(name));
        let (mut body, mut rest) = (String::new(), text.as_str());
        while let Some((before, import)) = rest.split_once("\nimport {")
            && let Some((imported, after)) = import.split_once("} from \"./")
            && let Some((module, after)) = after.split_once("\";")
        {
            self.add(module, text_of);
            body += &format!("{before}\nconst {{{imported}}} = {};", variable(module));
            rest = after;
        }
        body += rest;
        let exported: Vec<&str> = body.split("\nexport ").skip(1).map(declared).collect();
        let (exported, body) = (exported.join(", "), body.replace("\nexport ", "\n"));
        let variable = variable(name);
        self.text +=
            &format!("const {variable} = (() => {{{body}\nreturn {{ {exported} }};\n}})();\n");
    }
}

/// The name that a declaration gives: `a` of `async function* a(`.
fn declared(declaration: &str) -> &str {
    let keywords = ["async", "function", "class", "const"];
    let mut words = declaration.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| !word.is_empty() && !keywords.contains(word)).unwrap_or_default()
}

/// The variable with what a module exports.
fn variable(module: &str) -> String {
    format!("${}", module.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_joined_in_the_order_of_their_imports() {
        let text_of = |name: &str| match name {
            "a.js" => {
                "/** A. */\nimport { f } from \"./b.js\";\nimport {\n  C,\n  D,\n} from \"./c.js\";\nf(C);\n"
            }
            "b.js" => {
                "import { C } from \"./c.js\";\n\nexport async function* f(x) {\n  export_it(C);\n}\n"
            }
            _ => "export class C {}\nexport const D = 1;\n",
        };
        let expected = "const $c = (() => {\nclass C {}\nconst D = 1;\n\nreturn { C, D };\n})();\n\
                        const $b = (() => {\nconst { C } = $c;\n\nasync function* f(x) {\n  export_it(C);\n}\n\n\
                        return { f };\n})();\n\
                        const $a = (() => {\n/** A. */\nconst { f } = $b;\nconst {\n  C,\n  D,\n} = $c;\nf(C);\n\n\
                        return {  };\n})();\n";
        assert_eq!(join("a.js", &text_of), expected);
    }
}
