"""Ctrl-C at any moment leaves a match and its record alike, and both can be gone on with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from tests.tabletop.games import walk

from tabletop import ActionPlayed, ActionsUndone, Event, Match, Random
from tabletop.match import AnyMatch
from tabletop.records.journal import Journal
from tabletop.records.reading import read
from tabletop.records.record import replay


class Interrupt:
    """Raises KeyboardInterrupt at one of the moments at which Python looks for a signal.

    These are the beginning of every function, and the end of every call of a built-in one.

    Args:
        moment: at which of them, counted from 1.
    """

    def __init__(self, moment: int) -> None:
        self.left = moment

    def __enter__(self) -> None:
        sys.setprofile(self._look)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, what: str, argument: object) -> None:
        if what not in ("call", "c_return") or frame.f_code.co_filename == __file__:
            return
        self.left -= 1
        if self.left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and states are kept so often that a short match has all there is to interrupt."""
    monkeypatch.setattr("tabletop.records.journal.MOST_WAITING", 3)
    monkeypatch.setattr("tabletop.records.journal.CHECKPOINT_LINES", 7)
    monkeypatch.setattr("tabletop.match.running.CHECKPOINT_PLIES", 4)


def run(match: AnyMatch) -> None:
    match.run(10)


def play(match: AnyMatch) -> None:
    for number in range(4):
        match.play(match.legal_actions()[number % 3])


def play_as_bots(match: AnyMatch) -> None:
    for number in range(4):
        match.chance_of(match.to_act[0]).below(6)
        match.play(match.legal_actions()[number % 3])


def go_back_and_forth(match: AnyMatch) -> None:
    match.undo(3)
    match.redo(2)
    match.undo(2)
    play(match)
    match.undo(2)
    match.run(2)


def go_back_as_bots(match: AnyMatch) -> None:
    play_as_bots(match)
    match.undo(2)
    match.redo(1)
    play_as_bots(match)
    match.undo(3)
    play_as_bots(match)


def interrupted_at_each_moment(
    act: Callable[[AnyMatch], None],
    folder: Path,
    *,
    watch: Callable[[Event], object] | None = None,
    undone: int = 0,
) -> Iterator[tuple[AnyMatch, Path]]:
    """A match and its record for each moment of what is done; there are hundreds."""
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


@pytest.mark.parametrize("watched", [False, True], ids=["unseen", "watched"])
@pytest.mark.parametrize("act", [run, play, go_back_and_forth, go_back_as_bots])
def test_the_record_is_that_of_the_match_at_whatever_moment_it_is_interrupted(
    act: Callable[[AnyMatch], None], watched: bool, tmp_path: Path
) -> None:
    watch = print if watched else None
    for match, path in interrupted_at_each_moment(act, tmp_path, watch=watch):
        replayed = replay(read(path), walk.GAME)
        assert (replayed.actions, replayed.digest()) == (match.actions, match.digest())
        assert replayed.chances() == match.chances()
        match.run(6)
        match.undo(5)
        match.run(3)
        replayed = replay(read(path), walk.GAME)
        assert (replayed.chances(), replayed.digest()) == (match.chances(), match.digest())


@pytest.mark.parametrize("act", [run, play, play_as_bots])
def test_what_was_undone_before_another_move_is_never_redone_after_it(
    act: Callable[[AnyMatch], None], tmp_path: Path
) -> None:
    for match, _ in interrupted_at_each_moment(act, tmp_path, undone=3):
        assert match.undone == (3 if match.ply == 2 else 0)


@pytest.mark.parametrize("act", [run, play])
def test_nobody_is_told_of_an_action_that_was_broken_off(
    act: Callable[[AnyMatch], None], tmp_path: Path
) -> None:
    told: list[Event] = []
    for match, _ in interrupted_at_each_moment(act, tmp_path, watch=told.append):
        match.run(3)
        ply = 5
        for event in told:
            if isinstance(event, ActionPlayed):
                assert event.ply > ply
            if isinstance(event, ActionPlayed | ActionsUndone):
                ply = event.ply
        told.clear()


def test_a_match_has_begun_again_or_is_as_it_was() -> None:
    former = Match(walk.GAME, seed="former", players=[Random(1), Random(2)])
    former.run(9)
    both = {former.digest(), Match(walk.GAME, seed="again").digest()}
    for moment in range(1, 1_000):
        match, interrupt = former.clone(), Interrupt(moment)
        with suppress(KeyboardInterrupt), interrupt:
            match.restart("again")
        assert match.digest() in both
        played = former.actions if match.seed == former.seed else ()
        assert match.actions == played
        match.undo(match.ply)
        assert match.digest() == Match(walk.GAME, seed=match.seed).digest()
        if interrupt.left > 0:
            break


def test_a_record_that_is_begun_has_its_header_or_is_not_there(tmp_path: Path) -> None:
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    match.run(3)
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
    assert empty <= 1, "who is interrupted while it opens cannot tell whether the file is its own"
