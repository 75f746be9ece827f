//! What several commands read from the command line in the same way.

/// Reads `NAME=VALUE`.
pub fn read_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("say NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}
