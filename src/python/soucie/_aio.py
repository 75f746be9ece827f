"""The engine for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import weakref
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from . import _protocol as protocol
from ._engine import QUIT_SECONDS, Engine
from ._program import find_program, not_found
from ._protocol import EngineTerminated, EngineTimeout, Option, Request, Value

if TYPE_CHECKING:
    from typing_extensions import Self

P = ParamSpec("P")
T = TypeVar("T")

_LINE_LIMIT = 1 << 30
"""The longest answer in bytes: a record of many games is one line."""


def _awaited(
    method: Callable[Concatenate[Engine, P], T],
) -> Callable[Concatenate[AsyncEngine, P], Coroutine[Any, Any, T]]:
    """A method of `Engine` for an `AsyncEngine`, whose `_run` is a coroutine."""

    @functools.wraps(method)
    async def call(self: AsyncEngine, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answer: Any = method(cast(Engine, self), *args, **kwargs)
        return cast(T, await answer)

    return call


class AsyncEngine(protocol.Dialogue):
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
        super().__init__(variant, options, timeout)
        self._program = program
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self.options = {}

    async def start(self) -> None:
        """Starts the process."""
        if self._process is not None:
            raise RuntimeError("the engine was started before")
        program, pipe = self._program or find_program(), asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                program, stdin=pipe, stdout=pipe, limit=_LINE_LIMIT
            )
        except FileNotFoundError:
            raise not_found(program) from None
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

    async def __aexit__(self, *_: object) -> None:
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

    configure = _awaited(Engine.configure)
    new_game = _awaited(Engine.new_game)
    position = _awaited(Engine.position)
    legal = _awaited(Engine.legal)
    state = _awaited(Engine.state)
    play = _awaited(Engine.play)
    analyse = _awaited(Engine.analyse)
    hint = _awaited(Engine.hint)
    read_games = _awaited(Engine.read_games)
    write_game = _awaited(Engine.write_game)

    async def _run(self, request: Request[T], timeout: float | None = None) -> T:
        """Returns the answer to a request; the timeout in seconds is that of a search."""
        async with self._turn:
            return await self._exchange(request, timeout)

    async def _read_all(self) -> None:
        """Reads the rest of the output: a process may not end until it is read."""
        assert self._process
        # The calls of other tasks end first, now that the process does.
        async with self._turn:
            await self._process.communicate()

    def _send(self, data: bytes) -> None:
        if self._process is None:
            raise EngineTerminated("the engine was not started")
        assert self._process.stdin
        if self._process.returncode is not None or self._process.stdin.is_closing():
            raise EngineTerminated(protocol.ended(self._process.returncode))
        self._process.stdin.write(data)

    async def _receive(self, take: Callable[[bytes], bool], timeout: float | None) -> None:
        try:
            await asyncio.wait_for(self._collect(take), timeout)
        except asyncio.TimeoutError:
            raise EngineTimeout(f"no answer within {timeout} seconds") from None

    async def _collect(self, take: Callable[[bytes], bool]) -> None:
        assert self._process and self._process.stdout
        is_complete = False
        while not is_complete:
            line = await self._process.stdout.readline()
            if not line.endswith(b"\n"):
                await self._process.wait()
                raise EngineTerminated(protocol.ended(self._process.returncode))
            is_complete = take(line)


def kill_process(process: asyncio.subprocess.Process, owner: int) -> None:
    """Kills the process of an engine that was not closed. There may be no event loop any more."""
    if process.returncode is None and os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError, RuntimeError):
            process.kill()
