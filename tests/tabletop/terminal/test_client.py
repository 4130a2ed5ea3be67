"""What the people at one screen have been told, each as their own seat."""

from __future__ import annotations

from itertools import count
from typing import Any

from tabletop import Event, Match, MatchEnded, Watcher
from tabletop.display import TextView
from tabletop.match import AnyMatch
from tabletop.terminal.client import EventBacklog
from tests.tabletop.games import rps

ROCK, PAPER = rps.Show(0, "rock"), rps.Show(1, "paper")


def kept(*readers: int | None) -> tuple[AnyMatch, EventBacklog]:
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bo"], options={"rounds": 2})
    backlog, text, number = EventBacklog(), TextView[Any](), count()
    backlog.set_readers(readers)
    latest = 0

    def begin(event: Event) -> None:
        nonlocal latest
        latest = next(number) + 1

    match.observe(begin)
    for reader in (0, 1, None):

        def note(event: Event, reader: Watcher = reader) -> None:
            if not isinstance(event, MatchEnded):
                backlog.note(latest, reader, text.event(event, match.names, reader))

        match.observe(note, seat=reader)
    return match, backlog


def test_each_reader_is_told_once_what_their_seat_may_know() -> None:
    for reader, said in ((0, "Ann: rock"), (1, "Ann has chosen."), (None, "Ann has chosen.")):
        match, backlog = kept(reader)
        match.play(ROCK)
        assert backlog.news(reader) == [said]
        assert backlog.news(reader) == []


def test_who_takes_a_wiped_screen_is_told_once_all_that_they_missed() -> None:
    match, backlog = kept(0, 1)
    match.play(ROCK)
    backlog.news(0)
    assert backlog.catch_up(1, wiped=True) == ["Ann has chosen."]
    assert backlog.catch_up(1, wiped=True) == []
    match.play(PAPER)
    assert backlog.news(1)[0] == "Bo: paper"
    told = backlog.catch_up(0, wiped=True)
    assert told == ["Ann: rock", "Bo: paper", "revealed (hands rock paper)", "Bo: round won"]


def test_on_a_screen_that_is_not_wiped_only_what_reads_otherwise_is_told() -> None:
    match, backlog = kept(0, 1)
    match.play(ROCK)
    match.play(PAPER)
    backlog.news(0)
    assert backlog.catch_up(1, wiped=False) == ["Ann has chosen."]


def test_who_joins_is_told_what_happens_from_then_on() -> None:
    match, backlog = kept(0)
    match.play(ROCK)
    backlog.news(0)
    backlog.set_readers((0, 1))
    match.play(PAPER)
    backlog.news(0)
    assert backlog.catch_up(1, wiped=True)[0] == "Bo: paper"
