//! Progress bars.

use std::fmt::{self, Write};
use std::time::Duration;

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use soucie::files::paths::Endpoint;

/// Returns a progress bar on standard error, hidden if that is not a terminal. `{left}` in the
/// template stands for the remaining time, such as `, 5m left`, and is empty until that can be
/// estimated; `{rate}` for the speed, such as `40,084 a second`.
pub fn progress_bar(length: Option<u64>, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let left = |state: &ProgressState, out: &mut dyn Write| {
        // The callback cannot return an error.
        let _ = write_left(state.elapsed(), remaining(state), out);
    };
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{} a second", HumanCount(state.per_sec().round() as u64));
    };
    let style = style.with_key("left", left).with_key("rate", rate);
    ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style)
}

/// Returns a progress bar for inputs, with the first template if these are files. Their items are counted in
/// advance, so that the remaining time can be estimated; those of other inputs can be read only once.
pub fn counting_bar<E>(
    sources: &[Endpoint],
    [countable, other]: [&str; 2],
    count: impl FnOnce() -> Result<u64, E>,
) -> Result<ProgressBar, E> {
    let is_file = |source: &Endpoint| matches!(source, Endpoint::File(path) if path.is_file());
    let is_countable = sources.iter().all(is_file);
    let bar = progress_bar(None, if is_countable { countable } else { other });
    if is_countable && !bar.is_hidden() {
        bar.set_length(count()?);
    }
    Ok(bar)
}

/// The remaining time at the recent speed or, if work comes in steps with long pauses between them, at
/// the average speed so far.
fn remaining(state: &ProgressState) -> Duration {
    let left = state.eta();
    if !left.is_zero() {
        return left;
    }
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    let part = all.saturating_sub(done) as f64 / done as f64;
    Duration::try_from_secs_f64(state.elapsed().as_secs_f64() * part).unwrap_or_default()
}

fn write_left(elapsed: Duration, left: Duration, out: &mut dyn Write) -> fmt::Result {
    /// An earlier estimate is not reliable.
    const SOONEST: Duration = Duration::from_secs(2);
    if elapsed < SOONEST || left.as_secs() == 0 {
        return Ok(());
    }
    write!(out, ", {:#} left", HumanDuration(left))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_is_hidden_until_it_can_be_estimated() {
        for (elapsed, left, shown) in [(0, 0, ""), (1, 5, ""), (3, 0, ""), (3, 300, ", 5m left")] {
            let mut text = String::new();
            let [elapsed, left] = [elapsed, left].map(Duration::from_secs);
            write_left(elapsed, left, &mut text).unwrap();
            assert_eq!(text, shown);
        }
    }
}
