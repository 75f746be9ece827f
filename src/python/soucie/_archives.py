"""Games in archives, by the command `soucie find`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

from ._program import find_program, not_found
from ._protocol import EngineError, Score, Side, _object


@dataclass(frozen=True)
class FoundGame:
    """A game that `find` has found."""

    game: int
    """Its number in the archive, from 1."""
    line: int
    """Its first line in the archive, from 1."""
    variant: str
    file: str | None = None
    """The archive, if there are several."""
    setup: str | None = None
    black: str | None = None
    white: str | None = None
    event: str | None = None
    date: str | None = None
    result: str | None = None
    """`Black won`, `White won` or `draw`; None if it is unknown."""
    ply: int | None = None
    """The plies before the position, if one is wanted."""
    side: Side | None = None
    """The side to move."""
    number: int | None = None
    """The number of its move, from 1."""
    next: str | None = None
    """The move that was played."""
    same_as: Mapping[str, Any] | None = None
    """With `duplicates=True` an earlier game with the same moves: its `game` and `file`."""


@dataclass(frozen=True)
class TreeMove:
    """A move that the games of `tree` have from the position."""

    move: str
    games: int
    black: int
    """The games that Black has won."""
    white: int
    draws: int
    percent: float | None = None
    """The points of the side to move in 100 games; None if no result is known."""
    interval: tuple[float, float] | None = None
    """The 95 % interval of the points."""
    year: int | None = None
    """The year of the latest game."""
    score: Score | None = None
    """The score for the side to move, with `nodes`."""


def find(
    *archives: str | PathLike[str], program: str | None = None, **query: str | int
) -> Iterator[FoundGame]:
    """Yields the games of archives in SGF or PDN that have all that is asked for.

        for game in find("games.pdn", black="Tinsley", moves="11-15 23-19", since=1950):
            print(game.white, game.number)

    The names of the query are the options of `soucie find`, such as `fen`, `moves`, `player`, `opening`,
    `result` and `ending`. After the games, errors in the archives are raised as an `EngineError`.
    """
    for value in _lines(archives, program, [], query):
        yield _object(FoundGame, value)


def tree(
    *archives: str | PathLike[str], program: str | None = None, **query: str | int
) -> Iterator[TreeMove]:
    """Yields the moves that games have from a position, the most frequent one first.

    The query is that of `find` and needs a position: `fen`, `moves`, `opening`, or `variant` for its
    start. `nodes` is the number of positions of a search of each move. Errors are as those of `find`.
    """
    for value in _lines(archives, program, ["--tree"], query):
        score = Score(**value["score"]) if "score" in value else None
        interval = tuple(value["interval"]) if value["interval"] else None
        yield _object(TreeMove, value, score=score, interval=interval)


def _lines(
    archives: tuple[str | PathLike[str], ...],
    program: str | None,
    flags: list[str],
    query: dict[str, str | int],
) -> Iterator[dict[str, Any]]:
    command = [program or find_program(), "find", "--json", *flags]
    for name, value in query.items():
        command.append(f"--{name}" if value is True else f"--{name}={value}")
    command += ["--", *(fspath(archive) for archive in archives)]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
    except FileNotFoundError:
        raise not_found(program) from None
    errors: list[str] = []
    with process:
        try:
            for line in process.stdout or ():
                value = json.loads(line)
                if "error" in value:
                    errors.append(f"{value.get('file', archives[0])}: {value['error']}")
                else:
                    yield value
        except BaseException:
            # The caller does not need the rest.
            process.kill()
            raise
    if errors or process.returncode != 0:
        raise EngineError("\n".join(errors) or "soucie find failed: see standard error")
