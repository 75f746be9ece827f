"""Tests the search in archives."""

from __future__ import annotations

from pathlib import Path

import pytest
from soucie import EngineError, find, tree

CLUB = """
[Event "Club"]
[Black "Ann"]
[White "Ben"]
[Date "1998.03.07"]
[Result "1-0"]
1. 11-15 23-19 2. 8-11 1-0

[Black "Cy"]
[White "Ann"]
[Result "1/2-1/2"]
1. 11-15 22-18 1/2-1/2
"""


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.pdn"
    path.write_text(CLUB)
    return path


def test_games_are_found(club: Path) -> None:
    (game,) = find(club, black="ann", moves="11-15", since=1998, result="won")
    assert (game.game, game.white, game.event, game.ply, game.next) == (1, "Ben", "Club", 1, "23-19")
    assert [game.game for game in find(club, player="ann")] == [1, 2]
    assert [game.file for game in find(club, club, result="draw")] == [str(club)] * 2
    (again, _) = find(club, club, duplicates=True)
    assert again.same_as == {"game": 1, "file": str(club)}
    # The rest need not be read.
    assert next(find(*[club] * 50)).game == 1


def test_moves_have_their_results(club: Path) -> None:
    moves = {move.move: move for move in tree(club, moves="11-15", nodes=1000)}
    assert sorted(moves) == ["22-18", "23-19"]
    move = moves["23-19"]
    assert (move.games, move.black, move.white, move.draws, move.year) == (1, 1, 0, 0, 1998)
    # White is to move.
    assert move.percent == 0.0 and move.interval is not None and 0.0 < move.interval[1] < 100.0
    assert move.score is not None


def test_errors_are_raised_after_the_games(club: Path) -> None:
    club.write_text(CLUB + "\n[Black \"Ann\"]\n1. 11-15 11-15 *\n")
    games = find(club, moves="11-15")
    assert [next(games).game for _ in range(3)] == [1, 2, 3]
    with pytest.raises(EngineError, match="line 15, column 10"):
        next(games)
    with pytest.raises(EngineError):
        list(find(club, moves="nonsense"))
    with pytest.raises(FileNotFoundError, match="program="):
        list(find(club, program="no such program"))
