"""The engine as an object."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, TypeVar, cast

from . import _protocol as protocol
from ._program import find_program, not_found
from ._protocol import (
    Annotation,
    EngineTerminated,
    EngineTimeout,
    Game,
    Hint,
    Limits,
    Line,
    Moves,
    Option,
    Record,
    Request,
    SearchResult,
    State,
    Value,
    Variation,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

T = TypeVar("T")

QUIT_SECONDS = 5.0
"""The time for a closed engine to end before its process is killed."""

_BUFFER = 2 << 20
"""The bytes of a request that wait in the buffer of a pipe: an interrupted write goes on later."""


class Engine(protocol.Dialogue):
    """A running engine.

        with Engine("draughts") as engine:
            print(engine.play(["11-15", "23-19"], movetime=100).move)

    The process starts at once and ends with `close` or at the end of `with`; without both it ends
    when the engine is not used any more, at the latest with Python.

    A position is given as the `moves` that were played, from the start of the variant or from a
    `setup`; without both it is that of the last call. Moves are texts as in the protocol: `b8b6` or
    `b8-b6`, `11-15`, `22x15`, `0000` for a pass. The engine writes them in coordinates, such as `b8b6`
    and `f6e5`, or as `b8-b6` and `11-15` with the option `{"Move Format": "standard"}`. The moves of
    `state` and `read_games` have both, and can be given wherever texts can. Setups are those of the
    protocol as well.

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
        super().__init__(variant, options, timeout)
        self._turn = threading.Lock()
        self._owner: int | None = None
        """The thread that waits for an answer."""
        self._writing = threading.Lock()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        command, pipe = [program or find_program()], subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, bufsize=_BUFFER, stdin=pipe, stdout=pipe)
        except FileNotFoundError:
            raise not_found(program) from None
        self._end_process = weakref.finalize(self, end_process, self._process, os.getpid())
        assert self._process.stdout
        arguments = self._process.stdout, self._lines
        threading.Thread(target=read_all, args=arguments, daemon=True).start()
        try:
            self.options: Mapping[str, Option] = self._run(protocol.uci())
            """The options of the engine by name, with their default values."""
            self.configure(self._settings)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process; it is killed if it does not end by itself within 5 seconds."""
        self._end_process()

    # `AsyncEngine` has these methods too, with a coroutine as `_run`: each returns the result of it.

    def configure(self, options: Mapping[str, Value | None]) -> None:
        """Sets options by the names of the protocol; the value of a button is `None`.

        A new variant sets its start position.
        """
        lines = (protocol.option_line(name, value) for name, value in options.items())
        return self._run(protocol.order(*lines))

    def new_game(self) -> None:
        """Clears the results of earlier searches."""
        return self._run(protocol.order("ucinewgame"))

    def position(self, moves: Moves = None, *, setup: str | None = None) -> None:
        """Sets the position. Raises an `EngineError` if it is invalid or a move is illegal.

        Without arguments it is the start position.
        """
        lines = protocol.position_lines(() if moves is None else moves, setup)
        return self._run(protocol.order(*lines))

    def legal(self, moves: Moves = None, *, setup: str | None = None) -> list[str]:
        """The legal moves; none if the game is over."""
        return self._run(protocol.legal_moves(moves, setup))

    def state(self, moves: Moves = None, *, setup: str | None = None) -> State:
        """The board, the legal moves, and the result of a finished game."""
        return self._run(protocol.state(moves, setup))

    def play(
        self,
        moves: Moves = None,
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
        return self._run(protocol.search(moves, setup, limits, on_line), timeout)

    def analyse(
        self,
        moves: Moves = None,
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
        request = protocol.search(moves, setup, limits, on_line, lines=lines, is_analysis=True)
        return self._run(request, timeout)

    def hint(
        self,
        moves: Moves = None,
        *,
        setup: str | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: int | None = None,
        timeout: float | None = None,
    ) -> Hint:
        """The best move at full strength, with the reasons for it.

        The limits are those of `Limits`; without any, the search visits 200,000 positions. Raises an
        `EngineError` if the game is over.
        """
        limits = {"nodes": nodes, "depth": depth, "movetime": movetime}
        return self._run(protocol.hint(moves, setup, limits), timeout)

    def read_games(self, text: str, variant: str | None = None) -> tuple[list[Game], list[str]]:
        """Returns the games of a text, and an error for each of the first 64 unreadable parts.

        The text can be SGF, PDN, PGN, lists of moves, or any other format that `import` of the
        protocol reads, and of any length. `variant` applies to games whose variant the text does not
        determine.
        """
        return self._run(protocol.read_games(text, variant))

    def write_game(
        self,
        moves: Moves = None,
        *,
        setup: str | None = None,
        black: str | None = None,
        white: str | None = None,
        event: str | None = None,
        date: str | None = None,
        annotator: str | None = None,
        result: str | None = None,
        reason: str | None = None,
        headers: Iterable[tuple[str, str]] = (),
        variations: Iterable[Variation] = (),
        annotations: Iterable[Annotation] = (),
    ) -> Record:
        """The record of a game, in SGF for Lines of Action and in PDN for draughts.

        `result` is `black`, `white` or `draw`, for a game that did not end by the rules, and `reason`
        how it was won: `resignation`, `time` or `forfeit`. `headers` are those of a `Game`.
        """
        texts = {"black": black, "white": white, "event": event, "date": date}
        texts |= {"annotator": annotator, "result": result, "reason": reason}
        lists = {"headers": headers, "variations": variations, "annotations": annotations}
        return self._run(protocol.write_game(moves, setup, {**texts, **lists}))

    def _run(self, request: Request[T], timeout: float | None = None) -> T:
        """Returns the answer to a request; the timeout in seconds is that of a search."""
        if self._owner == threading.get_ident():
            # It would wait for itself.
            raise RuntimeError("the engine is searching: from on_line, only stop can be called")
        with self._turn:
            self._owner = threading.get_ident()
            try:
                self._exchange(request, timeout).send(None)
            except StopIteration as done:
                return cast(T, done.value)
            finally:
                self._owner = None
        raise AssertionError("only an event loop can continue the answer")

    def _send(self, data: bytes) -> None:
        try:
            with self._writing:
                assert self._process.stdin
                self._process.stdin.write(data)
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineTerminated(self._end()) from None

    async def _receive(self, take: Callable[[bytes], bool], timeout: float | None) -> None:
        deadline = None if timeout is None else time.monotonic() + timeout
        is_complete = False
        while not is_complete:
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                line = self._lines.get(timeout=rest)
            except queue.Empty:
                raise EngineTimeout(f"no answer within {timeout} seconds") from None
            if line is None:
                self._lines.put(None)  # for the next call
                raise EngineTerminated(self._end())
            is_complete = take(line)

    def _end(self) -> str:
        try:
            return protocol.ended(self._process.wait(1.0))
        except subprocess.TimeoutExpired:
            return protocol.ended(None)


# No methods: what runs for an engine would keep it in use.


def read_all(output: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Passes on the lines of a process, and `None` at their end."""
    with output:
        for line in output:
            lines.put(line)
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
