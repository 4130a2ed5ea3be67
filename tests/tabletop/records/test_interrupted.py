"""Ctrl-C at any moment leaves match and record consistent, and both can continue."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest
from tests.tabletop.games import walk

from tabletop import ActionPlayed, ActionsUndone, Event, Match, Random, RecordError
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.records import Journal, RecordFile, read, replay


class Interrupt:
    """Raises KeyboardInterrupt at one of the moments at which Python checks for signals.

    These are the start of every function, and the end of every call of a built-in function. No
    garbage is collected meanwhile, because the test tools have functions that follow collections.

    Args:
        moment: The number of the moment, starting at 1.
    """

    def __init__(self, moment: int) -> None:
        self.left = moment

    def __enter__(self) -> None:
        gc.disable()
        sys.setprofile(self._look)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        gc.enable()

    def _look(self, frame: FrameType, what: str, argument: object) -> None:
        if what not in ("call", "c_return") or frame.f_code.co_filename == __file__:
            return
        self.left -= 1
        if self.left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt


class InterruptAnywhere(Interrupt):
    """Raises KeyboardInterrupt before an instruction, or when a function returns.

    Python checks for signals at fewer places, so a test with this class covers all versions.

    Args:
        moment: The number of the instruction, starting at 1.
        where: The functions whose instructions count.
    """

    def __init__(self, moment: int, where: Collection[Callable[..., object]]) -> None:
        super().__init__(moment)
        self.where = {function.__code__ for function in where if isinstance(function, FunctionType)}

    def __enter__(self) -> None:
        self._before = sys.gettrace()  # the coverage tracer, which is restored afterwards
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, what: str, argument: object) -> Any:
        if frame.f_code not in self.where:
            return None
        frame.f_trace_opcodes = True
        return self._count

    def _count(self, frame: FrameType, what: str, argument: object) -> Any:
        self.left -= 1
        if self.left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return self._count


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make checkpoints so often that a short match contains every kind of interruption."""
    monkeypatch.setattr("tabletop.match.match.CHECKPOINT_PLIES", 4)


def run(match: AnyMatch) -> None:
    match.run(3)


def play(match: AnyMatch, moves: int = 3) -> None:
    for number in range(moves):
        match.play(match.legal_actions()[number % 3])


def play_as_bots(match: AnyMatch, moves: int = 3) -> None:
    for number in range(moves):
        match.bot_stream(match.to_act[0]).below(6)
        match.play(match.legal_actions()[number % 3])


def go_back_and_forth(match: AnyMatch) -> None:
    match.undo(3)
    match.redo(2)
    match.undo(2)
    play(match, 2)
    match.undo(2)
    match.run(1)


def go_back_as_bots(match: AnyMatch) -> None:
    play_as_bots(match)
    match.undo(2)
    match.redo(1)
    play_as_bots(match, 1)


def interrupted_at_each_moment(
    act: Callable[[AnyMatch], None],
    folder: Path,
    *,
    watch: Callable[[Event], object] | None = None,
    undone: int = 0,
) -> Iterator[tuple[AnyMatch, Path]]:
    """Yield a match and its record for each moment at which `act` can be interrupted."""
    for moment in range(1, 100_000):
        match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
        path, interrupt = folder / f"{moment}.jsonl", Interrupt(moment)
        with Journal.create(path, match):
            match.run(5)
            match.undo(undone)
            if watch is not None:
                match.observe(watch)
            with suppress(KeyboardInterrupt), interrupt:
                act(match)
            yield match, path
        path.unlink()
        if interrupt.left > 0:
            return


@pytest.mark.slow
@pytest.mark.parametrize(
    "act", [go_back_as_bots, pytest.param(go_back_and_forth, marks=pytest.mark.matrix)]
)
def test_match_and_record_agree_after_an_interrupt_at_any_moment(
    act: Callable[[AnyMatch], None], tmp_path: Path
) -> None:
    for match, path in interrupted_at_each_moment(act, tmp_path, watch=id):
        replayed = replay(read(path), walk.GAME)
        assert (replayed.actions, replayed.digest()) == (match.actions, match.digest())
        assert replayed.bot_offsets() == match.bot_offsets()
        match.run(3)
        match.undo(2)
        match.run(1)
        replayed = replay(read(path), walk.GAME)
        assert (replayed.bot_offsets(), replayed.digest()) == (match.bot_offsets(), match.digest())


@pytest.mark.slow
@pytest.mark.parametrize("act", [run, play_as_bots])
def test_undone_actions_are_never_redone_after_another_action(
    act: Callable[[AnyMatch], None], tmp_path: Path
) -> None:
    for match, _ in interrupted_at_each_moment(act, tmp_path, undone=3):
        assert match.undone == (3 if match.ply == 2 else 0)


@pytest.mark.slow
@pytest.mark.parametrize("act", [run, play])
def test_observers_do_not_receive_an_interrupted_action(
    act: Callable[[AnyMatch], None], tmp_path: Path
) -> None:
    received: list[Event] = []
    for match, _ in interrupted_at_each_moment(act, tmp_path, watch=received.append):
        match.run(3)
        ply = 5
        for event in received:
            if isinstance(event, ActionPlayed):
                assert event.ply > ply
            if isinstance(event, ActionPlayed | ActionsUndone):
                ply = event.ply
        received.clear()


# After an interrupt when `open` returns, no variable has the file. The garbage collector closes it
# with a warning.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupted_new_record_has_a_header_or_does_not_exist(tmp_path: Path) -> None:
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    match.run(3)
    # Import all modules before the test.
    Journal.create(tmp_path / "first.jsonl", match.clone()).close()
    empty = 0
    for moment in range(1, 1_000):
        path, interrupt = tmp_path / f"{moment}.jsonl", Interrupt(moment)
        with suppress(KeyboardInterrupt), interrupt:
            Journal.create(path, match.clone()).close()
        if path.exists() and not path.stat().st_size:
            empty += 1
        elif path.exists():
            assert replay(read(path), walk.GAME).digest() == match.digest()
        if interrupt.left > 0:
            break
    assert empty <= 1, (
        "after an interrupt in `open`, the program does not know whether it made the file"
    )


RECORDING = (Match._commit, Journal.played, Journal._append, RecordFile.append)
UNDOING = (Match.undo, Journal.undone, Journal._append, RecordFile.append)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "where"),
    [
        (lambda match: match.play("left"), RECORDING),
        (lambda match: match.redo(), RECORDING),
        (lambda match: match.run(1), RECORDING),
        (lambda match: match.undo(2), UNDOING),
    ],
    ids=["play", "redo", "bot", "undo"],
)
def test_an_interrupt_after_a_line_was_written_leaves_nothing_half_done(
    act: Callable[[AnyMatch], object], where: Collection[Callable[..., object]], tmp_path: Path
) -> None:
    done = set()
    for moment in range(1, 100_000):
        match = Match(walk.GAME, seed=1)
        for seat in range(2):
            match.set_player(seat, Random(match.bot_stream(seat)))
        path, interrupt = tmp_path / f"{moment}.jsonl", InterruptAnywhere(moment, where)
        with Journal.create(path, match) as journal:
            match.run(5)
            match.undo(2)
            before = match.digest()
            with suppress(KeyboardInterrupt), interrupt:
                act(match)
            replayed = replay(read(path), walk.GAME)
            assert (replayed.actions, replayed.digest()) == (match.actions, match.digest())
            assert (replayed.bot_offsets(), journal.plies) == (match.bot_offsets(), match.ply)
            if match.digest() == before:
                assert match.undone == 2, "an action that was not recorded has changed nothing"
            done.add((match.ply, match.undone))
            match.run(3)
            match.undo(2)
        replayed = replay(read(path), walk.GAME)
        assert (replayed.bot_offsets(), replayed.digest()) == (match.bot_offsets(), match.digest())
        path.unlink()
        if interrupt.left > 0:
            break
    assert len(done) == 2, "an action counts once its line is written"


# Other interruptions.


def walking() -> AnyMatch:
    return Match(walk.GAME, seed=1, players=[Random(1), Random(2)])


def count_actions(path: Path) -> int:
    """Return the number of actions in the file."""
    return sum(b'"do":' in line for line in path.read_bytes().splitlines())


def test_a_disk_that_fills_up_in_the_middle_of_a_line_undoes_the_action(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, write, room = walking(), os.write, [500]

    def fill_up(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        taken = write(descriptor, data[: room[0]])
        room[0] -= taken
        return taken

    with Journal.create(path, match):
        monkeypatch.setattr(os, "write", fill_up)
        with pytest.raises(RecordLost, match="No space left"):
            match.run(320)
        with pytest.raises(RecordLost, match="No space left"):
            match.undo(2)
        with pytest.raises(RecordError, match="No space left"):
            Journal.create(path.with_suffix(".2"), match.clone())
        assert not path.with_suffix(".2").exists()
        monkeypatch.undo()
        assert match.ply == count_actions(path) > 2
        assert replay(read(path), walk.GAME).digest() == match.digest()
        match.run(100)
    assert replay(read(path), walk.GAME).digest() == match.digest()
