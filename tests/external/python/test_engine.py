"""Tests the package with its own program."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from soucie import (
    Annotation,
    AsyncEngine,
    Engine,
    EngineError,
    EngineTerminated,
    EngineTimeout,
    Fact,
    Line,
    Move,
    Outcome,
    Piece,
    Variation,
    find_program,
)

WON = "8/8/8/3l4/3l4/8/8/L6L w - - 0 1"
KINGS = "W:WK14,K15,K18:BK1,K6"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture
def draughts() -> Iterator[Engine]:
    with Engine("draughts") as engine:
        yield engine


def test_the_program_is_that_of_the_package() -> None:
    program = find_program()
    assert Path(program).parent == Path(sysconfig.get_path("scripts")).resolve()
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("soucie ")


def test_options_of_the_engine(engine: Engine) -> None:
    names = {"Hash": ("spin", 16), "UCI_ShowWDL": ("check", False), "Clear Hash": ("button", None)}
    for name, (kind, default) in names.items():
        option = engine.options[name]
        assert (option.name, option.type, option.default) == (name, kind, default)
    assert (engine.options["Hash"].min, engine.options["Hash"].max) == (1, 1048576)
    variant = engine.options["UCI_Variant"]
    assert variant.values == ("linesofaction", "scrambledeggs", "englishdraughts")
    assert variant.default == "linesofaction"


def test_a_whole_game(draughts: Engine) -> None:
    moves: list[str] = []
    while move := draughts.play(moves, depth=4).move:
        assert move in draughts.legal(moves)
        moves.append(move)
    state = draughts.state()
    assert state.plies == len(moves) > 20
    assert state.result is not None and state.legal == () and draughts.legal() == []


def test_analysis(engine: Engine) -> None:
    engine.configure({"UCI_ShowWDL": True, "Chances": "easy", "UCI_LimitStrength": True, "UCI_Elo": 1500})
    seen: list[Line] = []
    result = engine.analyse(["d1b3"], lines=3, depth=6, on_line=seen.append)
    assert [line.multipv for line in result.lines] == [1, 2, 3]
    assert [line.depth for line in result.lines] == [6, 6, 6]
    assert result.move == result.lines[0].pv[0] and result.score == result.lines[0].score
    scores = [line.score.cp for line in result.lines if line.score.cp is not None]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)
    assert all(line.wdl and sum(line.wdl) == 1000 and line.chances and line.nodes > 0 for line in result.lines)
    assert tuple(seen) == result.history and len(seen) >= 18
    # The next search has one line again.
    assert [line.multipv for line in engine.play(depth=3).lines] == [1]


def test_hints(draughts: Engine) -> None:
    draughts.configure({"UCI_LimitStrength": True})
    hint = draughts.hint(setup="B:W16,23,32:B12", nodes=1000)
    assert hint.move.standard == "12x26" and hint.score.mate is None and sum(hint.wdl) == 1000
    assert hint.facts[0] == Fact("only-move", "is the only legal move")
    assert hint.reason == "is the only legal move and captures two men"
    assert draughts.hint(["11-15"], depth=4).facts
    with pytest.raises(EngineError, match="^hint: the game is over$"):
        draughts.hint(setup="W:W:B1")
    with pytest.raises(TypeError):
        draughts.hint(depth="4")  # type: ignore[arg-type]


def test_mate_scores_and_finished_games(engine: Engine) -> None:
    mate = engine.analyse(setup="8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b", depth=12).score
    assert mate is not None and mate.cp is None and mate.mate and mate.mate > 0
    over = engine.play(setup=WON, depth=1)
    assert over.move is None and over.score is not None and over.score.mate == 0
    assert engine.state().result == Outcome("black", "connected", "all its stones are connected")


def test_states(draughts: Engine) -> None:
    state = draughts.state(["14x23"], setup="B:WK10,18:B1,14")
    assert (state.variant, state.side, state.plies) == ("englishdraughts", "white", 1)
    assert (state.start, state.setup) == ("B:WK10,18:B1,14", "W:WK10:B1,23")
    assert state.pieces[1] == Piece("d6", "white", "king")
    assert state.last == Move("c5e3", "14x23", ("c5", "e3"), ("d4",))
    assert state.legal[0].standard == "10-6" and state.result is None


def test_the_position_stays_until_another_is_set(engine: Engine) -> None:
    assert len(engine.legal()) == 36
    engine.position(["d1b3"])
    first = engine.state()
    assert first.plies == 1 == engine.state().plies and engine.play(nodes=100).move
    engine.position()
    assert engine.state().plies == 0
    assert engine.state(setup=first.setup).plies == 0


def test_records(engine: Engine) -> None:
    moves = ["d1b3", "h4f2", "b1b4"]
    record = engine.write_game(moves, black="Anna", date="2026-01-31", result="white")
    assert record.format == "sgf" and "PB[Anna]" in record.text
    [game], errors = engine.read_games(record.text)
    assert ([move.coordinate for move in game.moves], game.black, game.white) == (
        moves,
        "Anna",
        None,
    )
    assert (game.result, game.date, game.error, errors) == ("white", "2026-01-31", None, [])
    assert game.ending is None
    assert [move.side for move in game.moves] == ["black", "white", "black"]
    variations = [Variation(0, 2, ["h5g4", "b1b4"]), Variation(1, 3, ["c1c3"])]
    annotations = [Annotation(0, 0, "a ] b"), Annotation(2, 3, nags=[1])]
    record = engine.write_game(moves, variations=variations, annotations=annotations)
    [game], _ = engine.read_games(record.text)
    again = engine.write_game(moves, variations=game.variations, annotations=game.annotations)
    assert again == record and "C[a \\] b]" in record.text
    assert [(it.line, it.ply, len(it.moves)) for it in game.variations] == [(0, 2, 2), (1, 3, 1)]
    assert [(it.line, it.ply, it.nags) for it in game.annotations] == [(0, 0, ()), (2, 3, (1,))]
    played = engine.write_game(game.moves, result="black", reason="time", annotator="Bo")
    assert "RE[B+T]" in played.text and "AN[Bo]" in played.text
    assert engine.legal(game.moves) == engine.legal(moves)
    best = engine.state().legal[0]
    assert engine.play(nodes=100, searchmoves=[best]).move == best.coordinate
    given = [("PC", "Oslo"), ("RE", "W+Resign"), ("RO", "3 (final)")]
    record = engine.write_game(moves, result="white", headers=given)
    [game], _ = engine.read_games(record.text)
    assert sorted(game.headers) == given
    games, errors = engine.read_games("11-15 23-19\n\nwhat is this\n", variant="englishdraughts")
    assert games[0].variant == "englishdraughts" and len(errors) == 1
    [game], _ = engine.read_games(f"{KINGS}\n", variant="englishdraughts")
    assert game.setup == "W:WK14,K15,K18:BK1,K6"


def test_records_of_any_size(engine: Engine) -> None:
    one = '[Black "\u0141\U0001f600 %d"]\n[GameType "21"]\n\n1. 11-15 23-19 {%s} 2. 8-11 *\n\n'
    text = "".join(one % (number, "x" * (number % 900)) for number in range(5_000))
    assert len(text) > 2 << 20
    games, errors = engine.read_games(text)
    assert errors == [] and [len(game.moves) for game in games] == [3] * 5_000
    assert [game.black for game in games] == [f"\u0141\U0001f600 {n}" for n in range(5_000)]
    assert [len(game.annotations) for game in games] == [int(n % 900 > 0) for n in range(5_000)]
    with pytest.raises(EngineError, match="^import: variant: expected one of "):
        engine.read_games(text, variant="chess")
    [game], _ = engine.read_games("11-15")
    assert len(game.moves) == 1


def test_errors_have_the_message_of_the_engine(engine: Engine) -> None:
    calls: list[tuple[str, Any]] = [
        ("illegal move d1d4 in ", lambda: engine.play(["d1d4"], depth=1)),
        ("the last position was refused: illegal move d1d4 in", lambda: engine.play(depth=1)),
        ("illegal move d1d9 in ", lambda: engine.legal(["d1d9"])),
        ("setup: expected 8 ranks", lambda: engine.position(setup="8/8 b")),
        ("option 'Hash': expected a whole", lambda: engine.configure({"Hash": 0})),
        ("unknown option 'Hush'", lambda: engine.configure({"Hush": 1})),
        ("import: line 1: setup: ", lambda: engine.read_games("W:WK14:BK1 and no more")),
        ("export: result: expected black", lambda: engine.write_game([], result="blue")),
    ]
    for text, call in calls:
        with pytest.raises(EngineError, match=f"^{text}") as raised:
            call()
        assert type(raised.value) is EngineError
    assert engine.play([], depth=1).move


def test_arguments_that_the_protocol_cannot_represent_are_refused(engine: Engine) -> None:
    any_engine: Any = engine
    calls: list[Any] = [
        lambda: engine.play([]),
        lambda: engine.play([], searchmoves=["d1b3"]),
        lambda: any_engine.play([], depth="3"),
        lambda: any_engine.play([], depth=True),
        lambda: any_engine.play([], seconds=3),
        lambda: engine.play(["d1b3\nquit"], depth=1),
        lambda: engine.play([""], depth=1),
        lambda: engine.play("d1b3", depth=1),
        lambda: engine.state(setup="8/8\nquit"),
        lambda: engine.configure({"Hash": "1\rquit"}),
        lambda: engine.play([], depth=1, searchmoves=["d1b3\nquit"]),
        lambda: engine.play([], depth=1, searchmoves="d1b3"),
        lambda: engine.play([], depth=1, searchmoves=[""]),
        lambda: any_engine.play([1], depth=1),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError)):
            call()
    assert engine.play([], depth=1, searchmoves=["d1b3"]).move == "d1b3"


def test_a_search_is_stopped_at_its_timeout(engine: Engine) -> None:
    start = time.monotonic()
    with pytest.raises(EngineTimeout):
        engine.play([], infinite=True, timeout=0.2)
    assert engine.play(["d1b3"], depth=2).move in engine.legal()
    assert time.monotonic() - start < 10


def test_an_interrupted_search_is_stopped(engine: Engine) -> None:
    def interrupt(line: Line) -> None:
        if line.depth == 3:
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            engine.play([], infinite=True, on_line=interrupt)
    assert engine.play([], depth=2, searchmoves=["d1b3"]).move == "d1b3"


has_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has other interrupts")


def interrupt_later() -> None:
    # A process in the background of a shell ignores interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()


@has_signals
def test_an_interrupted_wait_leaves_a_usable_engine(engine: Engine) -> None:
    interrupt_later()
    with pytest.raises(KeyboardInterrupt):
        engine.play([], infinite=True)
    assert engine.play([], depth=2, searchmoves=["d1b3"]).move == "d1b3"


@has_signals
def test_an_interrupted_write_goes_on_later(engine: Engine) -> None:
    text = "".join(f'[GameType "21"]\n\n1. 11-15 {{{n}}} *\n\n' for n in range(5_000))
    engine._process.send_signal(signal.SIGSTOP)
    interrupt_later()
    with pytest.raises(KeyboardInterrupt):
        engine.read_games(text)
    engine._process.send_signal(signal.SIGCONT)
    assert len(engine.legal([])) == 36
    games, errors = engine.read_games(text)
    assert (len(games), errors) == (5_000, [])


def test_another_engine_that_ends_does_not_end_this_one(engine: Engine) -> None:
    with Engine() as other:
        kill(other)
        with pytest.raises(EngineTerminated):
            engine.play([], infinite=True, on_line=lambda _: other.new_game())
    assert engine.play([], depth=2, searchmoves=["d1b3"]).move == "d1b3"


def test_stop_works_from_the_line_callback_and_from_other_threads(engine: Engine) -> None:
    result = engine.play(
        [], infinite=True, on_line=lambda line: engine.stop() if line.depth == 4 else None
    )
    assert result.move and result.history[-1].depth >= 4
    threading.Timer(0.2, engine.stop).start()
    assert engine.analyse([], infinite=True).move


def test_calls_from_the_line_callback_are_refused(engine: Engine) -> None:
    calls: list[Any] = [
        engine.legal,
        engine.state,
        engine.new_game,
        engine.position,
        lambda: engine.configure({"Hash": 2}),
        lambda: engine.play(depth=1),
        lambda: engine.analyse(depth=1),
        lambda: engine.read_games("b1b3"),
        engine.write_game,
    ]
    for call in calls:
        refused: list[str] = []

        def on_line(_: Line, call: Any = call, refused: list[str] = refused) -> None:
            with pytest.raises(RuntimeError) as raised:
                call()
            refused.append(str(raised.value))

        for search in (engine.play, engine.analyse):
            assert search([], depth=2, on_line=on_line).move
        assert refused and all("only stop" in text for text in refused)
        # An error of the callback ends the search.
        with pytest.raises(RuntimeError, match="only stop"):
            engine.play([], infinite=True, on_line=lambda _: call())
    assert engine.legal([])
    # `close` ends the search.
    assert engine.play([], infinite=True, on_line=lambda _: engine.close()).move


def test_threads_wait_for_each_other(engine: Engine) -> None:
    found: dict[str, str | None] = {}

    def search(move: str) -> None:
        found[move] = engine.play([], depth=5, searchmoves=[move]).move

    threads = [threading.Thread(target=search, args=(move,)) for move in engine.legal([])[:8]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 8 and all(move == best for move, best in found.items())


def kill(engine: Engine) -> None:
    engine._process.kill()


def test_a_dead_process_raises_at_once(engine: Engine) -> None:
    threading.Timer(0.3, kill, [engine]).start()
    start = time.monotonic()
    with pytest.raises(EngineTerminated, match="the engine has ended with the status -9"):
        engine.play([], infinite=True)
    for call in (engine.legal, engine.stop, lambda: engine.play([], depth=1)):
        with pytest.raises(EngineTerminated):
            call()
    engine.close()
    assert time.monotonic() - start < 5


def test_programs_that_are_not_engines() -> None:
    with pytest.raises(FileNotFoundError, match="program='/no/such/program'"):
        Engine(program="/no/such/program")
    with pytest.raises(EngineTerminated):
        Engine(program=os.devnull if os.name == "nt" else "true")
    with pytest.raises(EngineError, match="unknown variant|option 'UCI_Variant'"):
        Engine("chess")
    silent = Path(sys.executable).with_name("silent")
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    start = time.monotonic()
    with pytest.raises(EngineTimeout):
        Engine(program=str(silent), timeout=0.3)
    assert time.monotonic() - start < 30


def test_closing(engine: Engine) -> None:
    engine.close()
    engine.close()
    assert engine._process.poll() == 0
    with pytest.raises(EngineTerminated):
        engine.play([], depth=1)


def has_ended(pid: int) -> bool:
    """Whether a process ends within some seconds; it is killed if it does not."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    return False


ENGINE = "import asyncio, os, sys\nfrom soucie import AsyncEngine, Engine\n"
DEAD_END = "e = Engine()\nprint(e._process.pid, flush=True)\n"
SEARCHING = "import threading\nsearch = lambda: e.play([], infinite=True)\n"
SEARCHING += "threading.Thread(target=search, daemon=True).start()\n"
ASYNC = """
async def main():
    global e
    e = AsyncEngine()
    await e.start()
    print(e._process.pid, flush=True)
    {}
asyncio.run(main())
"""
UNCLOSED = {
    "at the end": DEAD_END + "e.legal()",
    "during a search": DEAD_END + SEARCHING,
    "after an error": DEAD_END + "raise SystemExit(0)",
    "async": ASYNC.format("await e.legal()"),
    "async during a search": ASYNC.format("asyncio.create_task(e.play([], infinite=True))"),
}


@pytest.mark.parametrize("name", UNCLOSED)
def test_no_process_is_left_at_the_end_of_python(name: str) -> None:
    script = ENGINE + UNCLOSED[name]
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert has_ended(int(done.stdout))


def test_an_engine_that_is_not_used_any_more_has_no_process() -> None:
    engine = Engine()
    seen: list[Line] = []
    engine.play([], depth=2, on_line=seen.append)
    pid = engine._process.pid
    del engine
    gc.collect()
    assert has_ended(pid)

    async def main() -> int:
        engine = AsyncEngine()
        await engine.start()
        await engine.play([], depth=2)
        assert engine._process
        pid = engine._process.pid
        del engine
        gc.collect()
        # The event loop reads the status.
        await asyncio.sleep(0.5)
        return pid

    assert has_ended(asyncio.run(main()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no copies of processes")
def test_a_copy_of_the_process_does_not_end_the_engine(engine: Engine) -> None:
    script = ENGINE + DEAD_END + "pid = os.fork()\nif pid == 0: sys.exit()\nos.waitpid(pid, 0)\n"
    script += "print(e.play([], depth=1).move)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and len(done.stdout.split()) == 2, done.stderr


def test_asyncio() -> None:
    async def main() -> None:
        async with AsyncEngine("draughts", options={"Hash": 4}) as engine:
            assert engine.options["Hash"].default == 16
            moves = ["11-15", "23-19"]
            assert (await engine.state(moves)).plies == 2
            legal = await engine.legal()
            results = await asyncio.gather(
                *(engine.play(moves, depth=3, searchmoves=[move]) for move in legal)
            )
            assert [result.move for result in results] == legal
            result = await engine.analyse([], lines=2, depth=5)
            assert [line.multipv for line in result.lines] == [1, 2]
            record = await engine.write_game(moves)
            [game], _ = await engine.read_games(record.text)
            assert [move.standard for move in game.moves] == moves
            await engine.new_game()
            await engine.configure({"Clear Hash": None})
            with pytest.raises(EngineError, match="illegal move"):
                await engine.position(["11-31"])

    asyncio.run(main())


def test_both_engines_have_the_same_methods() -> None:
    names = [name for name in vars(Engine) if not name.startswith("_")]
    assert len(names) == 11
    for name in names:
        one, other = getattr(Engine, name), getattr(AsyncEngine, name)
        assert inspect.iscoroutinefunction(other) and not inspect.iscoroutinefunction(one), name
        assert inspect.signature(one) == inspect.signature(other), name
        assert inspect.getdoc(other), name
    assert Engine.stop is AsyncEngine.stop


def test_an_engine_within_a_running_event_loop() -> None:
    async def main() -> None:
        with Engine() as engine:
            assert engine.play([], depth=2, searchmoves=["d1b3"]).move == "d1b3"
            async with AsyncEngine() as other:
                assert await other.legal() == engine.legal([])

    asyncio.run(main())


def test_asyncio_engines_that_are_not_started() -> None:
    async def main() -> None:
        engine = AsyncEngine(timeout=10.0)
        await engine.close()
        for _ in range(2):
            with pytest.raises(EngineTerminated, match="was not started"):
                await engine.legal([])
            with pytest.raises(EngineTerminated, match="was not started"):
                engine.stop()
        async with engine:
            assert len(await engine.legal([])) == 36
            with pytest.raises(RuntimeError, match="started before"):
                await engine.start()
        with pytest.raises(EngineTerminated):
            await engine.legal([])

    asyncio.run(main())


def test_asyncio_searches_that_do_not_end() -> None:
    async def main() -> None:
        async with AsyncEngine() as engine:
            with pytest.raises(EngineTimeout):
                await engine.play([], infinite=True, timeout=0.2)
            search = asyncio.create_task(engine.play([], infinite=True))
            await asyncio.sleep(0.2)
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            assert (await engine.play([], depth=2, searchmoves=["d1b3"])).move == "d1b3"
            stopped = asyncio.create_task(engine.play([], infinite=True))
            await asyncio.sleep(0.2)
            engine.stop()
            assert (await stopped).move
            # When the process is killed, the running call and later ones raise at once.
            search = asyncio.create_task(engine.play([], infinite=True))
            await asyncio.sleep(0.2)
            assert engine._process
            engine._process.kill()
            for call in (lambda: search, lambda: engine.legal([])):
                with pytest.raises(EngineTerminated):
                    await asyncio.wait_for(call(), 5)
        with pytest.raises(EngineTerminated):
            await AsyncEngine().legal()
        # The end of the block ends a running call, and passes an error on.
        with pytest.raises(KeyError):
            async with AsyncEngine() as engine:
                search = asyncio.create_task(engine.play([], infinite=True))
                await asyncio.sleep(0.2)
                raise KeyError
        assert (await asyncio.wait_for(search, 5)).move

    asyncio.run(main())
