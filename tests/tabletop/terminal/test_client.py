"""The events that each person at a shared screen has seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from tabletop import Event, Match, MatchEnded, Watcher
from tabletop.display import Entry, TextView
from tabletop.match import AnyMatch
from tabletop.terminal.client import EventBacklog
from tests.tabletop.games import rps

ROCK, PAPER = rps.Show(0, "rock"), rps.Show(1, "paper")


def news(backlog: EventBacklog, reader: int | None) -> list[str]:
    """Return the lines of unread events, and note that they are on the screen."""
    unread = backlog.unread(reader)
    backlog.read(reader)
    return lines(unread, reader)


def lines(entries: Sequence[Entry], reader: int | None) -> list[str]:
    return [TextView[Any]().event(entry.event, ["Ann", "Bo"], reader) for entry in entries]


def catch_up(backlog: EventBacklog, reader: int, *, wiped: bool) -> list[str]:
    return lines(backlog.catch_up(reader, wiped=wiped), reader)


def kept(*readers: int | None) -> tuple[AnyMatch, EventBacklog]:
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bo"], options={"rounds": 2})
    text, number = TextView[Any](), count()
    backlog = EventBacklog(lambda event, reader: text.event(event, match.names, reader))
    backlog.set_readers(readers)
    latest = 0

    def begin(event: Event) -> None:
        nonlocal latest
        latest = next(number) + 1

    match.observe(begin)
    for reader in (0, 1, None):

        def note(event: Event, reader: Watcher = reader) -> None:
            if not isinstance(event, MatchEnded):
                backlog.note(reader, Entry(event, match.ply, latest))

        match.observe(note, seat=reader)
    return match, backlog


def test_each_reader_is_told_once_what_their_seat_may_know() -> None:
    for reader, said in ((0, "Ann: rock"), (1, "Ann has chosen."), (None, "Ann has chosen.")):
        match, backlog = kept(reader)
        match.play(ROCK)
        assert news(backlog, reader) == [said]
        assert news(backlog, reader) == []


def test_who_takes_a_wiped_screen_is_told_once_all_that_they_missed() -> None:
    match, backlog = kept(0, 1)
    match.play(ROCK)
    news(backlog, 0)
    assert catch_up(backlog, 1, wiped=True) == ["Ann has chosen."]
    assert catch_up(backlog, 1, wiped=True) == []
    match.play(PAPER)
    assert news(backlog, 1)[0] == "Bo: paper"
    told = catch_up(backlog, 0, wiped=True)
    assert told == ["Ann: rock", "Bo: paper", "revealed (hands rock paper)", "Bo: round won"]


def test_on_a_screen_that_is_not_wiped_only_what_reads_otherwise_is_told() -> None:
    match, backlog = kept(0, 1)
    match.play(ROCK)
    match.play(PAPER)
    news(backlog, 0)
    assert catch_up(backlog, 1, wiped=False) == ["Ann has chosen."]


def test_who_joins_is_told_what_happens_from_then_on() -> None:
    match, backlog = kept(0)
    match.play(ROCK)
    news(backlog, 0)
    backlog.set_readers((0, 1))
    match.play(PAPER)
    news(backlog, 0)
    assert catch_up(backlog, 1, wiped=True)[0] == "Bo: paper"


def test_events_left_unread_are_reported_again() -> None:
    match, backlog = kept(0)
    match.play(ROCK)
    match.play(PAPER)
    unread = backlog.unread(0)
    backlog.read(0, rest=len(unread) - 1)
    assert backlog.unread(0) == unread[1:]
    assert backlog.log(0) == tuple(unread)


def test_events_since_the_last_question_are_known() -> None:
    match, backlog = kept(0)
    assert backlog.asked(0) is None
    match.play(ROCK)
    backlog.ask()
    assert backlog.asked(0) == []
    match.play(PAPER)
    assert lines(backlog.asked(0) or (), 0)[0] == "Bo: paper"
