"""Commands and answers of the protocol, without input and output.

A request consists of the lines to send and a parser of the answer; a `Dialogue` is a sequence of
requests and answers. `Engine` and `AsyncEngine` only transfer the lines to and from the process.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, Literal, TypedDict, TypeVar

Side = Literal["black", "white"]
Value = str | int | bool
T = TypeVar("T")

_ERROR = "info string error "
_PART = 80_000
"""The characters of a part of a text: in JSON each has at most 12 bytes, and a line at most 1 MiB."""


class EngineError(RuntimeError):
    """The engine refused a command, or could not answer. The text is the engine's error line."""


class EngineTerminated(EngineError):
    """The process of the engine has ended, so it cannot answer any more."""


class EngineTimeout(EngineError, TimeoutError):
    """The engine did not answer in time. Its search is stopped, and it remains usable."""


@dataclass(frozen=True)
class Score:
    """A score for the side to move. Exactly one of `cp` and `mate` is a number."""

    cp: int | None = None
    """Centipawns; 100 is an expected score of 75 %."""
    mate: int | None = None
    """A proved result: the number of the winner's moves to the end of the game, negative if the
    side to move loses. 0: it has lost already."""
    bound: Literal["lowerbound", "upperbound"] | None = None
    """Whether the score is only known to be at least, or at most, this."""


@dataclass(frozen=True)
class Line:
    """The result of a search for one move and its continuation."""

    score: Score
    depth: int = 0
    """Plies; 0 in a finished game."""
    seldepth: int | None = None
    """The maximum depth reached, in plies."""
    multipv: int = 1
    """The rank of the line, from 1."""
    wdl: tuple[int, int, int] | None = None
    """Expected wins, draws and losses per thousand games, with the option `UCI_ShowWDL`."""
    chances: int | None = None
    """Expected points in thousand games between players of a level, with the option `Chances`."""
    nodes: int = 0
    """Positions visited."""
    nps: int | None = None
    """Positions a second."""
    hashfull: int | None = None
    """The used part of the transposition table, in thousandths."""
    tbhits: int | None = None
    """Positions found in endgame tables."""
    time: int = 0
    """Milliseconds since the start of the search."""
    pv: tuple[str, ...] = ()
    """The principal variation: moves, of which the first one is the line's own."""


@dataclass(frozen=True)
class SearchResult:
    """The answer to a search."""

    move: str | None
    """The best move; `None` if the game is over."""
    ponder: str | None = None
    """The expected reply, if there is one."""
    lines: tuple[Line, ...] = ()
    """The last line of each move, the best one first: those of the last depth, then others."""
    history: tuple[Line, ...] = field(default=(), repr=False)
    """All lines in the order of the search."""

    @property
    def score(self) -> Score | None:
        """The score of the best move."""
        return self.lines[0].score if self.lines else None


@dataclass(frozen=True)
class Fact:
    """A fact about a move, counted or proved."""

    code: str
    """The stable name, for programs: `captures`."""
    text: str
    """The fact in words: `captures a man`."""


@dataclass(frozen=True)
class Option:
    """An option of the engine."""

    name: str
    type: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: Value | None = None
    min: int | None = None
    max: int | None = None
    values: tuple[str, ...] = ()
    """The values of a `combo`."""


@dataclass(frozen=True)
class Move:
    """A move in both notations."""

    coordinate: str
    """The squares on which the piece stands one after the other; `0000` for a pass."""
    standard: str
    """The notation of the game: `b8-b6`, `11-15`."""
    path: tuple[str, ...]
    captures: tuple[str, ...]
    """The squares of the captured pieces."""
    side: Side | None = None
    """The side that moved, in the moves of a `Game`."""


@dataclass(frozen=True)
class Hint:
    """The best move of a position, with the reasons for it."""

    move: Move
    score: Score
    """The score of the move for the side that makes it."""
    wdl: tuple[int, int, int]
    """Expected wins, draws and losses of this side per thousand games."""
    facts: tuple[Fact, ...]
    """The weightiest facts about the move, at least one."""
    reason: str
    """The facts as a phrase that follows the move."""


Moves = Iterable[Move | str] | None
"""The moves of a game, those of the engine or as text in any notation; `None` for the current ones."""


@dataclass(frozen=True)
class Piece:
    """A piece on the board."""

    square: str
    side: Side
    kind: str
    """`man` or `king`."""


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game."""

    winner: Side | None
    """`None` if the game is drawn."""
    code: str
    """The stable name of the reason, for programs: `connected`."""
    reason: str
    """The reason in words."""


@dataclass(frozen=True)
class State:
    """A position and the game that led to it."""

    variant: str
    start: str
    """The setup before the first move."""
    setup: str
    """The setup of the position."""
    plies: int
    """The number of moves since the start."""
    side: Side
    """The side to move, also in a finished game."""
    pieces: tuple[Piece, ...]
    last: Move | None
    legal: tuple[Move, ...]
    """The legal moves; none in a finished game."""
    result: Outcome | None
    """`None` if the game is not over."""


@dataclass(frozen=True)
class Variation:
    """Moves in place of those of an earlier line, from one ply on."""

    line: int
    """The earlier line: 0 is the main line, N the Nth variation."""
    ply: int
    """The ply of the first move, from 1. The earlier line has another move there."""
    moves: Sequence[Move | str]
    """As text in any notation of the game, where you write them."""


@dataclass(frozen=True)
class Annotation:
    """A comment and marks of a move."""

    line: int
    """0 is the main line, N the Nth variation."""
    ply: int
    """The ply of the move; 0 is before the first move."""
    comment: str = ""
    nags: Sequence[int] = ()
    """Numeric annotation glyphs: 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`."""
    recorded: Mapping[str, Any] = field(default_factory=dict)
    """Clocks, time and evaluation in the record, as in the JSON of `import`."""


@dataclass(frozen=True)
class Game:
    """A game of a record."""

    variant: str
    setup: str | None
    """`None` for the start position of the variant."""
    moves: tuple[Move, ...]
    variations: tuple[Variation, ...]
    annotations: tuple[Annotation, ...]
    black: str | None
    white: str | None
    event: str | None
    date: str | None
    result: Literal["black", "white", "draw"] | None
    """The result in the record."""
    ending: Outcome | None
    """The result by the rules, if the moves end the game."""
    error: str | None
    """Why the rest of the record could not be played."""
    headers: tuple[tuple[str, str], ...] = ()
    """The names and texts of the other headers."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """The rule options that the record names, with their values."""


@dataclass(frozen=True)
class Record:
    """The text of a game record."""

    format: Literal["sgf", "pdn"]
    text: str


class Limits(TypedDict, total=False):
    """Limits of a search. All that are given apply; the first one reached ends it."""

    depth: int
    """Plies."""
    nodes: int
    """Positions."""
    movetime: int
    """Milliseconds for this move."""
    btime: int
    """Milliseconds on Black's clock."""
    wtime: int
    """Milliseconds on White's clock."""
    binc: int
    """Milliseconds that Black's clock gains with each move."""
    winc: int
    """Milliseconds that White's clock gains with each move."""
    movestogo: int
    """Moves until the next time control."""
    mate: int
    """Looks for a win in at most this number of moves."""
    infinite: bool
    """Searches until `stop`."""
    searchmoves: Sequence[Move | str]
    """Searches only these moves. This alone is no limit."""


@dataclass(frozen=True)
class Request(Generic[T]):
    """Lines to send, and functions that recognise the end of the answer and parse it."""

    lines: list[str]
    is_last: Callable[[str], bool]
    parse: Callable[[list[str]], T]
    is_search: bool = False
    """Whether `stop` ends the wait for the answer."""
    on_text: Callable[[str], None] = lambda _: None
    """Called with each line of the answer as soon as it arrives."""
    others: Sequence[list[str]] = ()
    """More lines to send, each list after the answer to those before. Their answers follow it."""


class Dialogue:
    """Requests to a process, one after the other.

    `_exchange` is a coroutine that waits only in `_receive`. Where `_receive` waits for an event loop,
    so does `_exchange`; where it blocks, `_exchange` ends at its first step and needs no event loop.
    """

    def __init__(
        self, variant: str | None, options: Mapping[str, Value] | None, timeout: float
    ) -> None:
        self._settings: dict[str, Value] = {} if variant is None else {"UCI_Variant": variant}
        self._settings |= options or {}
        self._timeout = timeout
        """The time in seconds for an answer that needs no search."""
        self._is_last: Callable[[str], bool] | None = None
        """Recognises the last line of an answer that has not come yet."""

    def stop(self) -> None:
        """Stops the search, which returns its result so far. For `on_line` and other threads."""
        self._write(["stop"])

    def _write(self, lines: list[str]) -> None:
        self._send("".join(line + "\n" for line in lines).encode("utf-8", "replace"))

    def _send(self, data: bytes) -> None:
        raise NotImplementedError

    async def _receive(self, take: Callable[[bytes], bool], timeout: float | None) -> None:
        """Passes on lines until `take` returns true. Raises `EngineTimeout` and `EngineTerminated`."""
        raise NotImplementedError

    async def _exchange(self, request: Request[T], timeout: float | None) -> T:
        """Returns the answer to a request; the timeout in seconds is that of a search."""
        self._write([])  # the rest of an interrupted write
        if self._is_last is not None:
            # An answer was abandoned: its rest comes first.
            await self._receive(lambda line: self._ends_with(_text(line)), self._timeout)
        answer: list[str] = []

        def take(line: bytes) -> bool:
            answer.append(_text(line))
            has_ended = self._ends_with(answer[-1])
            request.on_text(answer[-1])
            return has_ended

        for lines in (request.lines, *request.others):
            self._is_last = request.is_last
            try:
                self._write(lines)
                await self._receive(take, timeout if request.is_search else self._timeout)
            except BaseException:
                # This includes keyboard interrupts and cancelled tasks.
                if self._is_last is not None and request.is_search:
                    with contextlib.suppress(EngineTerminated):
                        self._write(["stop"])
                raise
        return request.parse(answer)

    def _ends_with(self, line: str) -> bool:
        """Whether the answer is complete, now that this line has come."""
        if self._is_last is not None and self._is_last(line):
            self._is_last = None
        return self._is_last is None


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")


def ended(status: int | None) -> str:
    """The text of an `EngineTerminated`."""
    return "the engine has ended" + ("" if status is None else f" with the status {status}")


def is_single_line(text: str) -> bool:
    """Whether a text cannot begin another command."""
    return not re.search(r"[\r\n\0]", text)


def position_lines(moves: Moves, setup: str | None) -> list[str]:
    """The command that sets a position; none for the current one."""
    if moves is None and setup is None:
        return []
    played = _texts("a setup or a move", moves or ())
    _texts("a setup or a move", [setup or "startpos"])
    line = "position startpos" if setup is None else f"position fen {setup}"
    return [" ".join([line, *(["moves"] if played else []), *played])]


def _texts(what: str, moves: Iterable[Move | str]) -> list[str]:
    """Moves that a command can contain."""
    if isinstance(moves, str):
        raise TypeError(f"expected a list of moves, found the text {moves!r}")
    texts = [move.coordinate if isinstance(move, Move) else move for move in moves]
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"expected {what}, found {text!r}")
        if not text.strip() or not is_single_line(text):
            raise ValueError(f"not {what}: {text!r}")
    return texts


def option_line(name: str, value: Value | None) -> str:
    """The command that sets an option; the value is `None` for a button."""
    if isinstance(value, bool):
        value = str(value).lower()
    line = f"setoption name {name}" + ("" if value is None else f" value {value}")
    if not is_single_line(line):
        raise ValueError(f"not an option: {line!r}")
    return line


def go_line(limits: Limits) -> str:
    """The command that starts a search."""
    words, moves = ["go"], _texts("a move", limits.get("searchmoves", ()))
    for name, value in limits.items():
        if name == "infinite":
            words += [name] if value else []
        elif name not in Limits.__annotations__:
            raise TypeError(f"unknown limit '{name}'")
        elif name != "searchmoves":
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name}: expected a whole number, found {value!r}")
            words += [name, str(value)]
    if len(words) == 1:
        raise ValueError("a search needs a limit, such as movetime=100")
    # The moves come last: the engine reads the words after them as moves.
    return " ".join(words + (["searchmoves", *moves] if moves else []))


def errors(lines: Iterable[str]) -> list[str]:
    """The texts of the error lines."""
    return [line[len(_ERROR) :] for line in lines if line.startswith(_ERROR)]


def check(lines: Iterable[str]) -> None:
    """Raises an `EngineError` if a command was refused."""
    for error in errors(lines):
        raise EngineError(error)


def _is_ready(line: str) -> bool:
    return line == "readyok"


def command(lines: Iterable[str], read: Callable[[list[str]], T]) -> Request[T]:
    """Commands that are answered at once, and a function that reads the lines of their answers."""

    def parse(answer: list[str]) -> T:
        check(answer)
        try:
            return read(answer[:-1])
        except (KeyError, TypeError, AttributeError) as error:
            raise EngineError(f"cannot read the answer: {error!r}") from None

    return Request([*lines, "isready"], _is_ready, parse)


def order(*lines: str) -> Request[None]:
    """Commands without an answer."""
    return command(lines, lambda _: None)


def _answer(word: str, lines: Iterable[str]) -> str:
    """The rest of the line that begins with the word of its command."""
    for line in lines:
        first, _, rest = line.partition(" ")
        if first == word:
            return rest
    raise EngineError(f"no answer to '{word}'")


def _json(word: str, lines: Iterable[str]) -> Any:
    text = _answer(word, lines)
    try:
        return json.loads(text)
    except ValueError as error:
        raise EngineError(f"cannot read the answer to '{word}': {error}") from None


def uci() -> Request[Mapping[str, Option]]:
    """The options by name."""

    def parse(lines: list[str]) -> Mapping[str, Option]:
        options = map(parse_option, lines)
        return {option.name: option for option in options if option}

    return Request(["uci"], lambda line: line == "uciok", parse)


def legal_moves(moves: Moves, setup: str | None) -> Request[list[str]]:
    """The legal moves."""
    lines = [*position_lines(moves, setup), "moves"]
    return command(lines, lambda answer: _answer("moves", answer).split())


def state(moves: Moves, setup: str | None) -> Request[State]:
    """The position and its game."""
    lines = [*position_lines(moves, setup), "state"]
    return command(lines, lambda answer: parse_state(_json("state", answer)))


def read_games(text: str, variant: str | None) -> Request[tuple[list[Game], list[str]]]:
    """The games of a record, and the errors."""
    of_variant = {} if variant is None else {"variant": variant}
    texts = [text[at : at + _PART] for at in range(0, len(text), _PART)] or [""]
    # The number of the first part ends another text that was abandoned.
    fields = [
        {"text": part, "part": number, "more": number < len(texts)} | of_variant
        for number, part in enumerate(texts, 1)
    ]

    def read(lines: list[str]) -> tuple[list[Game], list[str]]:
        answers = [line for line in lines if line.partition(" ")[0] == "import"] or [""]
        values = [_json("import", [line]) for line in answers]
        games = [parse_game(game) for value in values for game in value["games"]]
        return games, [str(error) for value in values for error in value["errors"]]

    first, *others = ([f"import {json.dumps(part)}"] for part in fields)
    return replace(command(first, read), others=[[*lines, "isready"] for lines in others])


def write_game(
    moves: Moves, setup: str | None, fields: Mapping[str, Any]
) -> Request[Record]:
    """The record of a game with these fields of `export`; one that is `None` is left out."""
    given = {name: value for name, value in fields.items() if value is not None}
    text = json.dumps(given, default=_plain)
    lines = [*position_lines(moves, setup), f"export {text}"]
    return command(lines, lambda answer: Record(**_json("export", answer)))


def _plain(value: Any) -> Any:
    """A value in JSON."""
    if isinstance(value, Move):
        return value.coordinate
    if isinstance(value, (Variation, Annotation)):
        return vars(value)
    return dict(value) if isinstance(value, Mapping) else list(value)


def search(
    moves: Moves,
    setup: str | None,
    limits: Limits,
    on_line: Callable[[Line], None] | None,
    *,
    lines: int = 1,
    is_analysis: bool = False,
) -> Request[SearchResult]:
    """A search for several lines; an analysis is at full strength."""

    def on_text(text: str) -> None:
        if on_line and (line := parse_info(text)):
            on_line(line)

    return Request(
        [
            option_line("MultiPV", lines),
            option_line("UCI_AnalyseMode", is_analysis),
            *position_lines(moves, setup),
            go_line(limits),
        ],
        is_last=lambda line: line.split()[:1] == ["bestmove"],
        parse=parse_search,
        is_search=True,
        on_text=on_text,
    )


def hint(moves: Moves, setup: str | None, limits: Mapping[str, int | None]) -> Request[Hint]:
    """The hint for a position; limits that are `None` are left out."""
    given = {name: value for name, value in limits.items() if value is not None}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name}: expected a whole number, found {value!r}")

    def parse(lines: list[str]) -> Hint:
        check(lines)
        try:
            return parse_hint(_json("hint", lines))
        except (KeyError, TypeError, AttributeError) as error:
            raise EngineError(f"cannot read the answer: {error!r}") from None

    return Request(
        [*position_lines(moves, setup), f"hint {json.dumps(given)}"],
        is_last=lambda line: line.split()[:1] == ["hint"],
        parse=parse,
        is_search=True,
    )


def parse_hint(value: Mapping[str, Any]) -> Hint:
    """The object of `hint`."""
    wins, draws, losses = value["wdl"]
    return _object(
        Hint,
        value,
        move=parse_move(value["move"]),
        score=_object(Score, value["score"]),
        wdl=(wins, draws, losses),
        facts=tuple(_object(Fact, fact) for fact in value["facts"]),
    )


def parse_search(lines: list[str]) -> SearchResult:
    """The result of the lines up to `bestmove`."""
    check(lines)
    history = tuple(line for line in map(parse_info, lines) if line)
    words = lines[-1].split()
    best = words[1] if len(words) > 1 and words[1] != "(none)" else None
    ponder = words[3] if len(words) > 3 and words[2] == "ponder" else None
    return SearchResult(best, ponder, best_lines(history), history)


def best_lines(history: Sequence[Line]) -> tuple[Line, ...]:
    """The last line of each move, as many as there are ranks. Those of the last depth come first: a
    stopped search may not have reached it with all moves."""
    best: dict[tuple[str, ...], Line] = {}
    ranks: set[tuple[int, int]] = set()
    for line in reversed(history):
        if line.pv[:1] not in best and (line.depth, line.multipv) not in ranks:
            best[line.pv[:1]] = line
        ranks.add((line.depth, line.multipv))
    ordered = sorted(best.values(), key=lambda line: (-line.depth, line.multipv))
    return tuple(ordered[: max((line.multipv for line in history), default=0)])


_NUMBERS = {"depth", "seldepth", "multipv", "chances", "nodes", "nps", "hashfull", "tbhits", "time"}


def parse_info(line: str) -> Line | None:
    """The line of an `info` with a score; `None` for any other line."""
    words = iter(line.split())
    if next(words, None) != "info":
        return None
    fields: dict[str, Any] = {}
    score: dict[str, Any] = {}
    try:
        for word in words:
            if word == "string":
                return None
            if word in _NUMBERS:
                fields[word] = int(next(words))
            elif word == "score":
                unit = next(words)
                score[unit] = int(next(words))
            elif word in ("lowerbound", "upperbound"):
                score["bound"] = word
            elif word == "wdl":
                fields["wdl"] = (int(next(words)), int(next(words)), int(next(words)))
            elif word == "pv":
                fields["pv"] = tuple(words)
        return Line(Score(**score), **fields) if score.keys() & {"cp", "mate"} else None
    except (StopIteration, ValueError, TypeError):
        return None


def parse_option(line: str) -> Option | None:
    """The option of a line of the answer to `uci`; `None` for any other line."""
    found = re.fullmatch(r"option name (.+?) type (\w+)(.*)", line)
    if not found:
        return None
    name, kind, rest = found.groups()
    # Values can contain spaces: each ends at the next key.
    pairs = re.findall(r" (default|min|max|var) (.*?)(?= (?:default|min|max|var) |$)", rest)
    values = tuple(value for key, value in pairs if key == "var")
    texts = {key: value for key, value in pairs if key != "var"}
    default: Value | None = texts.get("default")
    try:
        if kind == "spin":
            default = int(texts["default"])
        elif kind == "check":
            default = texts["default"] == "true"
        low, high = (int(texts[key]) if key in texts else None for key in ("min", "max"))
    except (KeyError, ValueError):
        return None
    return Option(name, kind, default, low, high, values)


def _object(kind: type[T], value: Mapping[str, Any], **parsed: Any) -> T:
    """An object with the fields of `value`, some of which are `parsed`.

    A later version of the engine can send fields that `kind` does not have: they are left out.
    """
    known = {it.name for it in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: it for name, it in value.items() if name in known} | parsed)


def parse_move(value: Mapping[str, Any]) -> Move:
    """A move in JSON."""
    return _object(Move, value, path=tuple(value["path"]), captures=tuple(value["captures"]))


def _parse_outcome(value: Mapping[str, Any] | None) -> Outcome | None:
    return None if value is None else _object(Outcome, value)


def parse_state(value: Mapping[str, Any]) -> State:
    """The object of `state`."""
    return _object(
        State,
        value,
        pieces=tuple(_object(Piece, piece) for piece in value["pieces"]),
        last=value["last"] and parse_move(value["last"]),
        legal=tuple(map(parse_move, value["legal"])),
        result=_parse_outcome(value["result"]),
    )


def parse_game(value: Mapping[str, Any]) -> Game:
    """A game in the object of `import`."""

    def moves(value: Mapping[str, Any]) -> tuple[Move, ...]:
        return tuple(map(parse_move, value["moves"]))

    return _object(
        Game,
        value,
        moves=moves(value),
        variations=tuple(_object(Variation, it, moves=moves(it)) for it in value["variations"]),
        annotations=tuple(
            _object(Annotation, it, nags=tuple(it["nags"])) for it in value["annotations"]
        ),
        ending=_parse_outcome(value["ending"]),
        headers=tuple((name, text) for name, text in value.get("headers", ())),
    )
