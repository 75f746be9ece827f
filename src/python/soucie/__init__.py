"""Soucie: an engine that plays Lines of Action and English draughts.

    from soucie import Engine

    with Engine() as engine:
        moves: list[str] = []
        while move := engine.play(moves, movetime=100).move:
            moves.append(move)

`Engine` and, for asyncio, `AsyncEngine` run the program of this package. The modules for other
packages, each with an extra of the same name (`pip install soucie[chess]`):

- `soucie.chess_boards` (extra `chess`): boards for `chess.engine` of python-chess.
- `soucie.openspiel`: a bot for the games `lines_of_action` and `checkers` of OpenSpiel.
- `soucie.kaggle`: an agent for the same games of kaggle-environments.
- `soucie.textarena`: an opponent for Lines of Action and checkers in TextArena.
"""

from ._aio import AsyncEngine
from ._engine import Engine
from ._program import find_program
from ._protocol import (
    Annotation,
    EngineError,
    EngineTerminated,
    EngineTimeout,
    Game,
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
    "Game",
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
    "Variation",
    "find_program",
]
