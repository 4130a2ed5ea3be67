"""What the people at one screen have been told, each as their own seat."""

from __future__ import annotations

from itertools import count
from typing import Any

from tabletop import Event, Match, MatchEnded, Watcher
from tabletop.match import AnyMatch
from tabletop.terminal.client import EventBacklog
from tabletop.text import TextView
from tests.tabletop.games import rps

ROCK, PAPER = rps.Show(0, "rock"), rps.Show(1, "paper")


def narrated(*readers: int | None) -> tuple[AnyMatch, EventBacklog]:
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bo"], options={"rounds": 2})
    narrator, text, number = EventBacklog(), TextView[Any](), count()
    narrator.set_readers(readers)
    latest = 0

    def begin(event: Event) -> None:
        nonlocal latest
        latest = next(number) + 1

    match.observe(begin)
    for reader in (0, 1, None):

        def note(event: Event, reader: Watcher = reader) -> None:
            if not isinstance(event, MatchEnded):
                narrator.note(latest, reader, text.event(event, match.names, reader))

        match.observe(note, seat=reader)
    return match, narrator


def test_each_reader_is_told_what_their_seat_may_know() -> None:
    for reader, said in ((0, "Ann: rock"), (1, "Ann has chosen."), (None, "Ann has chosen.")):
        match, narrator = narrated(reader)
        match.play(ROCK)
        assert narrator.news(reader) == [said]


def test_news_are_told_once() -> None:
    match, narrator = narrated(0)
    match.play(ROCK)
    narrator.news(0)
    assert narrator.news(0) == []


def test_who_takes_a_wiped_screen_is_told_all_that_they_missed() -> None:
    match, narrator = narrated(0, 1)
    match.play(ROCK)
    assert narrator.news(0) == ["Ann: rock"]
    assert narrator.catch_up(1, wiped=True) == ["Ann has chosen."]
    match.play(PAPER)
    assert narrator.news(1)[0] == "Bo: paper"
    told = narrator.catch_up(0, wiped=True)
    assert told == ["Ann: rock", "Bo: paper", "revealed (hands rock paper)", "Bo: round won"]


def test_on_a_screen_that_is_not_wiped_only_what_reads_otherwise_is_told() -> None:
    match, narrator = narrated(0, 1)
    match.play(ROCK)
    match.play(PAPER)
    narrator.news(0)
    assert narrator.catch_up(1, wiped=False) == ["Ann has chosen."]


def test_nobody_is_told_the_same_twice() -> None:
    match, narrator = narrated(0, 1)
    match.play(ROCK)
    narrator.news(0)
    narrator.catch_up(1, wiped=True)
    assert narrator.catch_up(1, wiped=True) == []


def test_who_joins_is_told_what_happens_from_then_on() -> None:
    match, narrator = narrated(0)
    match.play(ROCK)
    narrator.news(0)
    narrator.set_readers((0, 1))
    match.play(PAPER)
    narrator.news(0)
    assert narrator.catch_up(1, wiped=True)[0] == "Bo: paper"


def test_what_all_have_been_told_is_forgotten() -> None:
    match, narrator = narrated(0, 1)
    for action in (ROCK, PAPER):
        match.play(action)
    narrator.news(0)
    for reader in (0, 1, 0, 1):
        narrator.catch_up(reader, wiped=True)
    assert narrator._lines == []


def test_the_end_is_not_told() -> None:
    match, narrator = narrated(0)
    for _ in range(2):
        match.play(ROCK)
        match.play(PAPER)
    assert narrator.news(0)[-1] == "Bo: round won"
