"""Types at the console in a pseudo-terminal: greeting, editing, history, Ctrl-C and Ctrl-D."""

import os
import pty
import select
import sys
import time

LIMIT = 30.0  # seconds


class Terminal:
    def __init__(self, engine: str, *arguments: str, kind: str = "xterm") -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {**os.environ, "TERM": kind, "HOME": "/nonexistent"}
            os.execve(engine, [engine, "console", *arguments], environment)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def expect(self, text: str) -> str:
        """Returns what was printed up to and including a text."""
        deadline = time.monotonic() + LIMIT
        while text not in self.seen:
            left = deadline - time.monotonic()
            assert left > 0, f"no {text!r} in {self.seen!r}"
            if select.select([self.fd], [], [], left)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode()
                except OSError:  # The program has ended.
                    assert text in self.seen, f"no {text!r} in {self.seen!r}"
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def status(self) -> int:
        deadline = time.monotonic() + LIMIT
        while (ended := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            assert time.monotonic() < deadline, f"still running after {self.seen!r}"
            time.sleep(0.01)
        return os.waitstatus_to_exitcode(ended[1])


def main() -> None:
    engine = sys.argv[1]

    terminal = Terminal(engine, "--time", "0.1")
    greeting = terminal.expect("Black> ")
    assert "level easy" in greeting and "60 moves" in greeting, greeting
    terminal.type("d1-b4\x7f3\r")  # A typing error, corrected by Backspace.
    terminal.expect("\n* ")
    terminal.expect("Black> ")
    terminal.type("moves\r")
    terminal.expect("Black> ")
    terminal.type("\x1b[A\x1b[A\r")  # Twice the arrow up: the move of before.
    assert "no " in terminal.expect("error: illegal move") + terminal.expect("Black> ")
    terminal.type("\x03")
    terminal.expect("quit or another Ctrl-C ends")
    terminal.expect("Black> ")
    terminal.type("resign\r")
    terminal.expect("* White wins.")
    terminal.expect("> ")
    terminal.type("\x04")
    assert terminal.status() == 0

    terminal = Terminal(engine, "--level", "full", "--time", "60")
    terminal.expect("Black> ")
    terminal.type("d1-b3\r")
    time.sleep(1.0)
    terminal.type("\x03")  # The engine moves at once.
    terminal.expect("* ")
    terminal.expect("quit or another Ctrl-C ends")
    terminal.type("\x03")
    assert terminal.status() == 0

    # Lines that are pasted, or typed while the engine thinks, are commands one after the other.
    terminal = Terminal(engine, "--time", "0.5")
    # The terminal is not asked to mark pasted text.
    assert "\x1b[?2004h" not in terminal.expect("Black> ")
    terminal.type("manual white\r")
    terminal.expect("Black> ")
    terminal.type("moves\rd1-b3\rdump\r")
    terminal.expect("Next move: white")
    terminal.type("\x04\x04")

    # A terminal without editing.
    terminal = Terminal(engine, "--time", "0.1", kind="dumb")
    terminal.expect("Black> ")
    terminal.type("d1-b3\n")
    terminal.expect("\n* ")
    terminal.expect("Black> ")
    terminal.type("quit\n")
    assert terminal.status() == 0

    # Ctrl-C ends a game of the engine against itself. At the usual level it would be over at once.
    terminal = Terminal(engine, "--level", "full", "--time", "0.3")
    terminal.expect("Black> ")
    terminal.type("auto black\r")
    terminal.expect("\n* ")
    terminal.type("\x03")
    terminal.expect("plays no side")
    terminal.type("undo 1\r")
    terminal.expect("Taken back")
    terminal.expect("> ")
    terminal.type("quit\r")
    assert terminal.status() == 0
    print("the console at a terminal: passed")


main()
