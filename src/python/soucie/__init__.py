"""Soucie: an engine that plays Lines of Action and English draughts.

    from soucie import Engine

    with Engine() as engine:
        moves: list[str] = []
        while move := engine.play(moves, movetime=100).move:
            moves.append(move)

`Engine` and, for asyncio, `AsyncEngine` run the program of this package. `find` and `tree` search
archives of games. `soucie.chess_boards` has boards for `chess.engine` of python-chess
(`pip install soucie[chess]`). The opponents for OpenSpiel, kaggle-environments and TextArena are
examples, in the folder `src/python/examples` of the sources.
"""

from ._aio import AsyncEngine
from ._archives import FoundGame, TreeMove, find, tree
from ._engine import Engine
from ._program import find_program
from ._protocol import (
    Annotation,
    EngineError,
    EngineTerminated,
    EngineTimeout,
    Fact,
    Game,
    Hint,
    Limits,
    Line,
    Move,
    Option,
    Outcome,
    Piece,
    Record,
    Score,
    SearchResult,
    State,
    Variation,
)

__all__ = [
    "Annotation",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "EngineTerminated",
    "EngineTimeout",
    "Fact",
    "FoundGame",
    "Game",
    "Hint",
    "Limits",
    "Line",
    "Move",
    "Option",
    "Outcome",
    "Piece",
    "Record",
    "Score",
    "SearchResult",
    "State",
    "TreeMove",
    "Variation",
    "find",
    "find_program",
    "tree",
]
