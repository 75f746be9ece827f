"""The engine as an object."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, TypeVar

from . import _protocol as protocol
from ._closing import Closing
from ._program import find_program
from ._protocol import (
    Annotation,
    EngineTerminated,
    EngineTimeout,
    Game,
    Limits,
    Line,
    Option,
    Record,
    Request,
    SearchResult,
    State,
    Value,
    Variation,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

QUIT_SECONDS = 5.0
"""The time for a closed engine to end before its process is killed."""


class Engine(Closing):
    """A running engine.

        with Engine("draughts") as engine:
            print(engine.play(["11-15", "23-19"], movetime=100).move)

    The process starts at once and ends with `close` or at the end of `with`; without both it ends
    when the engine is not used any more, at the latest with Python.

    A position is given as the `moves` that were played, from the start of the variant or from a
    `setup`; without both it is that of the last call. Moves are texts as in the protocol: `b8b6` or
    `b8-b6`, `11-15`, `22x15`, `0000` for a pass. The engine writes them in coordinates, such as `b8b6`
    and `f6e5`, or as `b8-b6` and `11-15` with the option `{"Move Format": "standard"}`; the moves of
    `state` and `read_games` have both. Setups are those of the protocol as well.

    The methods can be called from several threads, and then wait for each other. From `on_line`
    only `stop` and `close` can be called. All raise

    - `EngineError` if the engine refuses a command, with its error line as the text. After a refused
      position, calls that use the position fail until one is set.
    - `EngineTerminated` at once if the process has ended.
    - `EngineTimeout` if there is no answer in time. The search is then stopped. The process keeps
      running, and the next call waits until it has answered.
    - `TypeError` and `ValueError` for arguments that the protocol cannot represent.
    - `RuntimeError` if they are called from `on_line`.
    """

    def __init__(
        self,
        variant: str | None = None,
        *,
        options: Mapping[str, Value] | None = None,
        program: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        """Starts an engine.

        `variant` is `linesofaction` (the default), `scrambledeggs` or `englishdraughts`; `options`
        are set after it, by the names of the protocol. `program` is the path of a program to use
        instead of that of this package. `timeout` is the time in seconds for answers that need no
        search.
        """
        self._timeout = timeout
        self._turn = threading.Lock()
        self._owner: int | None = None
        """The thread that waits for an answer."""
        self._writing = threading.Lock()
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._is_abandoned_end: Callable[[str], bool] | None = None
        self._process = subprocess.Popen(
            [program or find_program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._end_process = weakref.finalize(self, end_process, self._process, os.getpid())
        assert self._process.stdout
        arguments = self._process.stdout, self._lines
        threading.Thread(target=read_all, args=arguments, daemon=True).start()
        try:
            self.options: Mapping[str, Option] = self._run(protocol.uci())
            """The options of the engine by name, with their default values."""
            if variant is not None:
                self.configure({"UCI_Variant": variant})
            self.configure(options or {})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the process; it is killed if it does not end by itself within 5 seconds."""
        self._end_process()

    def configure(self, options: Mapping[str, Value | None]) -> None:
        """Sets options by the names of the protocol; the value of a button is `None`.

        A new variant sets its start position.
        """
        self._run(protocol.set_options(options))

    def new_game(self) -> None:
        """Clears the results of earlier searches."""
        self._run(protocol.command("ucinewgame"))

    def position(self, moves: Iterable[str] | None = None, *, setup: str | None = None) -> None:
        """Sets the position. Raises an `EngineError` if it is invalid or a move is illegal.

        Without arguments it is the start position.
        """
        self._run(protocol.set_position(() if moves is None else moves, setup))

    def legal(self, moves: Iterable[str] | None = None, *, setup: str | None = None) -> list[str]:
        """The legal moves; none if the game is over."""
        return self._run(protocol.legal_moves(moves, setup))

    def state(self, moves: Iterable[str] | None = None, *, setup: str | None = None) -> State:
        """The board, the legal moves, and the result of a finished game."""
        return self._run(protocol.state(moves, setup))

    def play(
        self,
        moves: Iterable[str] | None = None,
        *,
        setup: str | None = None,
        timeout: float | None = None,
        on_line: Callable[[Line], None] | None = None,
        **limits: Unpack[Limits],
    ) -> SearchResult:
        """Searches for the move to play; it is `None` if the game is over.

        At least one limit is needed: see `Limits`. `timeout` is the time in seconds that the answer
        may take; by default it may take as long as the search. `on_line` is called with each line as
        soon as it arrives.
        """
        return self._run(protocol.play(moves, setup, limits, on_line), timeout)

    def analyse(
        self,
        moves: Iterable[str] | None = None,
        *,
        setup: str | None = None,
        lines: int = 1,
        timeout: float | None = None,
        on_line: Callable[[Line], None] | None = None,
        **limits: Unpack[Limits],
    ) -> SearchResult:
        """Searches for the best `lines` moves at full strength.

        The other arguments are those of `play`.
        """
        return self._run(protocol.analyse(moves, setup, lines, limits, on_line), timeout)

    def stop(self) -> None:
        """Stops the search, which returns its result so far. For `on_line` and other threads."""
        self._write(["stop"])

    def read_games(self, text: str, variant: str | None = None) -> tuple[list[Game], list[str]]:
        """Returns the games of a text, and an error for each of the first 64 unreadable parts.

        The text can be SGF, PDN, PGN, lists of moves, or any other format that `import` of the
        protocol reads, and of any length. `variant` applies to games whose variant the text does not
        determine.
        """
        return self._run(protocol.read_games(text, variant))

    def write_game(
        self,
        moves: Iterable[str] | None = None,
        *,
        setup: str | None = None,
        black: str | None = None,
        white: str | None = None,
        event: str | None = None,
        date: str | None = None,
        result: str | None = None,
        headers: Iterable[tuple[str, str]] = (),
        variations: Iterable[Variation] = (),
        annotations: Iterable[Annotation] = (),
    ) -> Record:
        """The record of a game, in SGF for Lines of Action and in PDN for draughts.

        `result` is `black`, `white` or `draw`, for a game that did not end by the rules. `headers`
        are those of a `Game`.
        """
        own = {"black": black, "white": white, "event": event, "date": date, "result": result}
        request = protocol.write_game(moves, setup, own, headers, variations, annotations)
        return self._run(request)

    def _run(self, request: Request[T], timeout: float | None = None) -> T:
        """Returns the answer to a request; the timeout in seconds is that of a search."""
        if self._owner == threading.get_ident():
            # It would wait for itself.
            raise RuntimeError("the engine is searching: from on_line, only stop can be called")
        with self._turn:
            self._owner = threading.get_ident()
            try:
                return request.parse(self._answer(request, timeout))
            finally:
                self._owner = None

    def _answer(self, request: Request[T], timeout: float | None) -> list[str]:
        """Returns the lines of an answer."""
        limit = timeout if request.is_search else self._timeout
        if self._is_abandoned_end is not None:
            self._receive([], self._is_abandoned_end, self._timeout)
            self._is_abandoned_end = None
        whole: list[str] = []
        for lines in (request.lines, *request.others):
            self._write(lines)
            answer: list[str] = []
            try:
                self._receive(answer, request.is_last, limit, request.on_text)
            except EngineTerminated:
                raise
            except BaseException:
                if protocol.is_complete(answer, request.is_last):
                    raise
                # This includes a keyboard interrupt. The next call skips the rest of the answer.
                self._is_abandoned_end = request.is_last
                if request.is_search:
                    self._write(["stop"])
                raise
            whole += answer
        return whole

    def _write(self, lines: list[str]) -> None:
        data = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
        try:
            with self._writing:
                assert self._process.stdin
                self._process.stdin.write(data)
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineTerminated(self._end()) from None

    def _receive(
        self,
        answer: list[str],
        is_last: Callable[[str], bool],
        timeout: float | None,
        on_text: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Reads the lines up to the last one of an answer."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not protocol.is_complete(answer, is_last):
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                line = self._lines.get(timeout=rest)
            except queue.Empty:
                raise EngineTimeout(f"no answer within {timeout} seconds") from None
            if line is None:
                self._lines.put(None)  # for the next call
                raise EngineTerminated(self._end())
            answer.append(line)
            on_text(line)

    def _end(self) -> str:
        try:
            return protocol.ended(self._process.wait(1.0))
        except subprocess.TimeoutExpired:
            return protocol.ended(None)


# No methods: what runs for an engine would keep it in use.


def read_all(output: IO[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Passes on the lines of a process, and `None` at their end."""
    with output:
        for line in output:
            lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
    lines.put(None)


def end_process(process: subprocess.Popen[bytes], owner: int) -> None:
    """Ends the process of an engine, unless this is a copy of the process that started it."""
    if os.getpid() != owner:
        return
    assert process.stdin
    try:
        process.stdin.write(b"quit\n")
        process.stdin.close()
    except (OSError, ValueError):
        pass
    try:
        process.wait(QUIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
