"""The engine for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import os
import weakref
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from . import _protocol as protocol
from ._engine import QUIT_SECONDS
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
    from typing_extensions import Self, Unpack

T = TypeVar("T")

_LINE_LIMIT = 1 << 30
"""The longest answer in bytes: a record of many games is one line."""


class AsyncEngine:
    """An `Engine` for asyncio, with the same methods and errors.

        async with AsyncEngine("draughts") as engine:
            print((await engine.play(["11-15", "23-19"], movetime=100)).move)

    The process starts at `async with` or with `start`. Calls from several tasks wait for each other.
    A call that is cancelled stops its search. The process of an engine that is not closed is killed
    when the engine is not used any more.
    """

    options: Mapping[str, Option]
    """The options of the engine by name, with their default values."""

    def __init__(
        self,
        variant: str | None = None,
        *,
        options: Mapping[str, Value] | None = None,
        program: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        """Prepares an engine: see `Engine`."""
        self._program = program
        self._settings: dict[str, Value] = {} if variant is None else {"UCI_Variant": variant}
        self._settings |= options or {}
        self._timeout = timeout
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._is_abandoned_end: Callable[[str], bool] | None = None
        self.options = {}

    async def start(self) -> None:
        """Starts the process."""
        if self._process is not None:
            raise RuntimeError("the engine was started before")
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            self._program or find_program(), stdin=pipe, stdout=pipe, limit=_LINE_LIMIT
        )
        weakref.finalize(self, kill_process, self._process, os.getpid())
        try:
            self.options = await self._run(protocol.uci())
            await self.configure(self._settings)
        except BaseException:
            await self.close()
            raise

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the process: see `Engine.close`."""
        if self._process is None:
            return
        try:
            self._write(["quit"])
        except EngineTerminated:
            pass
        try:
            await asyncio.wait_for(self._read_all(), QUIT_SECONDS)
        except asyncio.TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def configure(self, options: Mapping[str, Value | None]) -> None:
        """See `Engine.configure`."""
        await self._run(protocol.set_options(options))

    async def new_game(self) -> None:
        """See `Engine.new_game`."""
        await self._run(protocol.command("ucinewgame"))

    async def position(
        self, moves: Iterable[str] | None = None, *, setup: str | None = None
    ) -> None:
        """See `Engine.position`."""
        await self._run(protocol.set_position(() if moves is None else moves, setup))

    async def legal(
        self, moves: Iterable[str] | None = None, *, setup: str | None = None
    ) -> list[str]:
        """See `Engine.legal`."""
        return await self._run(protocol.legal_moves(moves, setup))

    async def state(self, moves: Iterable[str] | None = None, *, setup: str | None = None) -> State:
        """See `Engine.state`."""
        return await self._run(protocol.state(moves, setup))

    async def play(
        self,
        moves: Iterable[str] | None = None,
        *,
        setup: str | None = None,
        timeout: float | None = None,
        on_line: Callable[[Line], None] | None = None,
        **limits: Unpack[Limits],
    ) -> SearchResult:
        """See `Engine.play`."""
        return await self._run(protocol.play(moves, setup, limits, on_line), timeout)

    async def analyse(
        self,
        moves: Iterable[str] | None = None,
        *,
        setup: str | None = None,
        lines: int = 1,
        timeout: float | None = None,
        on_line: Callable[[Line], None] | None = None,
        **limits: Unpack[Limits],
    ) -> SearchResult:
        """See `Engine.analyse`."""
        return await self._run(protocol.analyse(moves, setup, lines, limits, on_line), timeout)

    def stop(self) -> None:
        """See `Engine.stop`."""
        self._write(["stop"])

    async def read_games(
        self, text: str, variant: str | None = None
    ) -> tuple[list[Game], list[str]]:
        """See `Engine.read_games`."""
        return await self._run(protocol.read_games(text, variant))

    async def write_game(
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
        """See `Engine.write_game`."""
        own = {"black": black, "white": white, "event": event, "date": date, "result": result}
        request = protocol.write_game(moves, setup, own, headers, variations, annotations)
        return await self._run(request)

    async def _run(self, request: Request[T], timeout: float | None = None) -> T:
        """Returns the answer to a request; the timeout in seconds is that of a search."""
        limit = timeout if request.is_search else self._timeout
        async with self._turn:
            if self._is_abandoned_end is not None:
                await self._receive([], self._is_abandoned_end, self._timeout)
                self._is_abandoned_end = None
            whole: list[str] = []
            for lines in (request.lines, *request.others):
                self._write(lines)
                answer: list[str] = []
                try:
                    await self._receive(answer, request.is_last, limit, request.on_text)
                except EngineTerminated:
                    raise
                except BaseException:
                    if protocol.is_complete(answer, request.is_last):
                        raise
                    # This includes a cancelled task. The next call skips the rest of the answer.
                    self._is_abandoned_end = request.is_last
                    if request.is_search:
                        self._write(["stop"])
                    raise
                whole += answer
        return request.parse(whole)

    async def _read_all(self) -> None:
        """Reads the rest of the output: a process may not end until it is read."""
        assert self._process
        # The calls of other tasks end first, now that the process does.
        async with self._turn:
            await self._process.communicate()

    def _write(self, lines: list[str]) -> None:
        if self._process is None:
            raise EngineTerminated("the engine was not started")
        assert self._process.stdin
        if self._process.returncode is not None or self._process.stdin.is_closing():
            raise EngineTerminated(protocol.ended(self._process.returncode))
        self._process.stdin.write("".join(line + "\n" for line in lines).encode("utf-8", "replace"))

    async def _receive(
        self,
        answer: list[str],
        is_last: Callable[[str], bool],
        timeout: float | None,
        on_text: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Reads the lines up to the last one of an answer."""
        try:
            await asyncio.wait_for(self._collect(answer, is_last, on_text), timeout)
        except asyncio.TimeoutError:
            raise EngineTimeout(f"no answer within {timeout} seconds") from None

    async def _collect(
        self,
        answer: list[str],
        is_last: Callable[[str], bool],
        on_text: Callable[[str], None],
    ) -> None:
        assert self._process and self._process.stdout
        while not protocol.is_complete(answer, is_last):
            line = await self._process.stdout.readline()
            if not line.endswith(b"\n"):
                await self._process.wait()
                raise EngineTerminated(protocol.ended(self._process.returncode))
            answer.append(line.decode("utf-8", "replace").rstrip("\r\n"))
            on_text(answer[-1])


def kill_process(process: asyncio.subprocess.Process, owner: int) -> None:
    """Kills the process of an engine that was not closed. There may be no event loop any more."""
    if process.returncode is None and os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError, RuntimeError):
            process.kill()
