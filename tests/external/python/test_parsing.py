"""Malformed lines are skipped or refused with an `EngineError`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from soucie import EngineError, Line, Option, Score, SearchResult
from soucie import _protocol as protocol

LINES: list[tuple[str, Line | None]] = [
    ("info depth 6 score cp -5 nodes 9 time 1 pv a b", Line(Score(-5), 6, nodes=9, time=1, pv=("a", "b"))),
    ("info depth 0 score mate 0", Line(Score(mate=0), 0)),
    ("info score mate -3 lowerbound wdl 0 1 999", Line(Score(mate=-3, bound="lowerbound"), wdl=(0, 1, 999))),
    ("info depth 3 currmove d1b3 currmovenumber 2", None),
    ("info string score cp 3", None),
    ("info", None),
    ("info score", None),
    ("info score cp", None),
    ("info score cp x", None),
    ("info score yards 3", None),
    ("info depth score cp 3", None),
    ("info score cp 3 wdl 1 2", None),
    ("bestmove d1b3", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), LINES)
def test_info_lines(text: str, line: Line | None) -> None:
    assert protocol.parse_info(text) == line


OPTIONS: list[tuple[str, Option | None]] = [
    ("option name Hash type spin default 16 min 1 max 9", Option("Hash", "spin", 16, 1, 9)),
    ("option name Clear Hash type button", Option("Clear Hash", "button")),
    ("option name A B type check default true", Option("A B", "check", True)),
    (
        "option name N type combo default a b var a b var c",
        Option("N", "combo", "a b", values=("a b", "c")),
    ),
    ("option name P type string default <empty>", Option("P", "string", "<empty>")),
    ("option name P type string default", Option("P", "string")),
    ("option name Hash type spin default x min 1 max 9", None),
    ("option name Hash type spin", None),
    ("option name", None),
    ("id name Soucie", None),
]


@pytest.mark.parametrize(("text", "option"), OPTIONS)
def test_option_lines(text: str, option: Option | None) -> None:
    assert protocol.parse_option(text) == option


def test_fields_of_later_versions_are_left_out() -> None:
    move = {"coordinate": "a1a3", "standard": "a1-a3", "path": ["a1", "a3"], "captures": [], "x": 1}
    piece = {"square": "a1", "side": "black", "kind": "man", "x": 1}
    outcome = {"winner": None, "code": "agreed", "reason": "by agreement", "x": 1}
    texts = {"variant": "linesofaction", "start": "", "setup": "", "side": "black", "plies": 0}
    state = {**texts, "pieces": [piece], "last": None, "legal": [move], "result": outcome, "x": 1}
    parsed = protocol.parse_state(state)
    assert (parsed.legal[0].path, parsed.pieces[0].kind) == (("a1", "a3"), "man")
    assert parsed.result == protocol.Outcome(None, "agreed", "by agreement")
    variation = {"line": 0, "ply": 1, "moves": [move], "x": 1}
    annotation = {"line": 0, "ply": 1, "comment": "", "nags": [1], "x": 1}
    lines = {"moves": [move], "variations": [variation], "annotations": [annotation]}
    names = dict.fromkeys(["black", "white", "event", "date", "result", "ending", "error"])
    game = protocol.parse_game({"variant": "linesofaction", "setup": None, **lines, **names, "x": 1})
    assert game.variations[0].moves == game.moves and game.annotations[0].nags == (1,)


def test_each_move_has_one_line() -> None:
    rows = [(1, 1, "a"), (1, 2, "b"), (1, 3, "c"), (2, 1, "c"), (3, 1, "c"), (3, 1, "b")]
    lines = [f"info depth {depth} multipv {rank} score cp 0 pv {move}" for depth, rank, move in rows]
    found = protocol.parse_search([*lines, "bestmove b"]).lines
    assert [(line.depth, line.pv) for line in found] == [(3, ("b",)), (2, ("c",)), (1, ("a",))]


def test_best_moves() -> None:
    rows: list[tuple[str, str | None, str | None]] = [
        ("bestmove d1b3 ponder h4f2", "d1b3", "h4f2"),
        ("bestmove d1b3", "d1b3", None),
        ("bestmove (none)", None, None),
        ("bestmove", None, None),
        ("bestmove d1b3 ponder", "d1b3", None),
    ]
    for line, move, ponder in rows:
        assert protocol.parse_search([line]) == SearchResult(move, ponder)


def noise(rng: random.Random, text: str) -> str:
    """Returns the text with words removed, repeated, replaced, truncated or damaged."""
    words = text.split(" ")
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(words))
        words[at : at + 1] = rng.choice(
            [
                [],
                [words[at]] * 2,
                [rng.choice(words)],
                [words[at][: rng.randrange(9)]],
                [rng.choice(["-1", "1e9", "\x00", "\u202e", "9" * 30, "[]", "{", "null", '"x"'])],
            ]
        )
        words = words or [""]
    return " ".join(words)


STATE = (
    '{"variant": "englishdraughts", "start": "B:W18:B14", "setup": "W:W :B23", "plies": 1, '
    '"side": "white", "pieces": [ {"square": "e3", "side": "black", "kind": "man"} ], "last": '
    '{"coordinate": "c5e3", "standard": "14x23", "path": ["c5", "e3"], "captures": ["d4"]} , '
    '"legal": [], "result": {"winner": null, "code": "x", "reason": "x"} }'
)
GAMES = (
    '{"games": [ {"variant": "l", "setup": null, "moves": [], "variations": '
    '[ {"line": 0, "ply": 1, "moves": []} ], "annotations": [ {"line": 0, "ply": 1, "comment": "x", '
    '"nags": [1]} ], "black": null, "white": null, "event": null, "date": null, "result": "draw", '
    '"ending": null, "error": null} ], "errors": []}'
)
ANSWERS: list[tuple[str, Callable[[list[str]], Any]]] = [
    (LINES[0][0] + " wdl 1 2 3 lowerbound", lambda lines: protocol.parse_info(lines[0])),
    (OPTIONS[3][0], protocol.uci().parse),
    ("bestmove d1b3 ponder h4f2", protocol.parse_search),
    ("moves d1b3", lambda lines: protocol.legal_moves(None, None).parse([*lines, "readyok"])),
    (f"state {STATE}", lambda lines: protocol.state(None, None).parse([*lines, "readyok"])),
    (f"import {GAMES}", lambda lines: protocol.read_games("", None).parse([*lines, "readyok"])),
    (
        'export {"format": "sgf", "text": "x"}',
        lambda lines: protocol.write_game(None, None, {}).parse([*lines, "readyok"]),
    ),
]


@pytest.mark.parametrize(("text", "parse"), ANSWERS)
def test_noise(text: str, parse: Callable[[list[str]], Any]) -> None:
    parse([text])
    rng = random.Random(1)
    refused = 0
    for _ in range(2000):
        try:
            parse([noise(rng, text)])
        except EngineError:
            refused += 1
    assert refused < 2000
