"""The dialogue of both engines, with a process that is a list of lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from soucie import EngineError, EngineTerminated, EngineTimeout, Line
from soucie import _protocol as protocol

INFO = "info depth 1 score cp 3 pv a"
SEARCH = ["setoption name MultiPV value 1", "setoption name UCI_AnalyseMode value false"]
SEARCH += ["position startpos", "go depth 1"]
LEGAL = ["position startpos", "moves", "isready"]


class Scripted(protocol.Dialogue):
    """Answers with these lines; an error among them is raised."""

    def __init__(self, lines: list[str | BaseException]) -> None:
        super().__init__(None, None, 60.0)
        self.lines = lines
        self.written: list[str] = []
        self.errors: dict[str, BaseException] = {}
        """Raised once, when these lines are written."""

    def _send(self, data: bytes) -> None:
        self.written += data.decode().splitlines()
        if data and self.written[-1] in self.errors:
            raise self.errors.pop(self.written[-1])

    async def _receive(self, take: Callable[[bytes], bool], timeout: float | None) -> None:
        has_ended = False
        while not has_ended:
            line = self.lines.pop(0)
            if isinstance(line, BaseException):
                raise line
            has_ended = take(line.encode() + b"\n")

    def run(self, request: protocol.Request[Any]) -> Any:
        """The answer, or the error, of a request."""
        try:
            self._exchange(request, None).send(None)
        except StopIteration as done:
            return done.value
        except (Exception, KeyboardInterrupt) as error:
            return type(error)


def search(on_line: Callable[[Line], None] | None = None) -> protocol.Request[Any]:
    return protocol.search([], None, {"depth": 1}, on_line)


def legal() -> protocol.Request[Any]:
    return protocol.legal_moves([], None)


def fail(error: BaseException) -> Callable[[Line], None]:
    def on_line(_: Line) -> None:
        raise error

    return on_line


# A first request, the lines of the process, the first answer, and what is written before the next
# request. That one is always answered with the moves `b` and `c`, the last lines.
ABANDONED: dict[str, tuple[protocol.Request[Any], list[str | BaseException], Any, list[str]]] = {
    "an answer": (legal(), ["moves a", "readyok"], ["a"], LEGAL),
    "a refusal": (legal(), ["info string error x", "readyok"], EngineError, LEGAL),
    "a late answer": (legal(), [EngineTimeout(), "moves a", "readyok"], EngineTimeout, LEGAL),
    "half an answer": (legal(), ["moves a", EngineTimeout(), "readyok"], EngineTimeout, LEGAL),
    "a long search": (
        search(), [INFO, EngineTimeout(), INFO, "bestmove a"], EngineTimeout, [*SEARCH, "stop"],
    ),
    "an interrupted search": (
        search(), [KeyboardInterrupt(), "bestmove a"], KeyboardInterrupt, [*SEARCH, "stop"],
    ),
    "an error of on_line": (
        search(fail(KeyError())), [INFO, INFO, "bestmove a"], KeyError, [*SEARCH, "stop"],
    ),
    "another engine that ended": (
        search(fail(EngineTerminated())), [INFO, "bestmove a"], EngineTerminated, [*SEARCH, "stop"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ABANDONED)
def test_the_next_answer_is_that_of_the_next_request(name: str) -> None:
    request, lines, answer, written = ABANDONED[name]
    process = Scripted([*lines, "moves b c", "readyok"])
    assert process.run(request) == answer
    assert process.run(legal()) == ["b", "c"]
    assert process.written == [*written, *LEGAL] and process.lines == []


def test_a_late_answer_may_come_too_late_again() -> None:
    late = [EngineTimeout(), EngineTimeout(), EngineTimeout()]
    process = Scripted([*late, "moves a", "readyok", "moves b", "readyok"])
    assert [process.run(legal()) for _ in late] == [EngineTimeout] * 3
    assert process.run(legal()) == ["b"] and process.written == 2 * LEGAL


def test_an_error_at_the_last_line_of_a_search_stops_nothing() -> None:
    def on_text(text: str) -> None:
        raise KeyError(text)

    process = Scripted(["bestmove a", "moves b", "readyok"])
    assert process.run(replace(search(), on_text=on_text)) is KeyError
    assert process.run(legal()) == ["b"] and process.written == [*SEARCH, *LEGAL]


def test_a_request_that_was_interrupted_while_it_was_written() -> None:
    process = Scripted(["moves a", "readyok", "bestmove a", "moves b", "readyok"])
    process.errors = {"isready": KeyboardInterrupt(), "go depth 1": KeyboardInterrupt()}
    for request in (legal(), search()):
        assert process.run(request) is KeyboardInterrupt
    assert process.run(legal()) == ["b"] and process.lines == []
    assert process.written == [*LEGAL, *SEARCH, "stop", *LEGAL]


def test_the_end_of_the_process_does_not_replace_an_error_of_on_line() -> None:
    process = Scripted([INFO])
    process.errors = {"stop": EngineTerminated()}
    assert process.run(search(fail(KeyError()))) is KeyError


def test_a_text_of_several_parts() -> None:
    request = protocol.read_games("x" * 200_000, None)
    parts = [[f'import {{"games": [], "errors": ["{part}"]}}', "readyok"] for part in "abc"]
    process = Scripted([*parts[0], *parts[1], EngineTimeout(), *parts[2], *sum(parts, [])])
    assert process.run(request) is EngineTimeout
    assert process.run(request) == ([], ["a", "b", "c"]) and process.lines == []
    parsed = [json.loads(line[7:]) for line in process.written if line != "isready"]
    assert [(it["part"], it["more"]) for it in parsed] == 2 * [(1, True), (2, True), (3, False)]
