"""The events that each person at a shared screen has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop import Event, Match
from tabletop.display import Entry, TextView
from tabletop.match import AnyMatch
from tabletop.terminal.seen_events import SeenEvents
from tests.tabletop.games import rps

ROCK, PAPER = rps.Show(0, "rock"), rps.Show(1, "paper")
NAMES = ["Ann", "Bo"]


class Screen:
    """A screen with the logs of two people."""

    def __init__(self) -> None:
        self.match: AnyMatch = Match(rps.GAME, seed=1, seats=NAMES, options={"rounds": 2})
        text = TextView[Any]()
        self.seen = SeenEvents(lambda event, reader: text.event(event, NAMES, reader))
        self._text = text
        self._logs: list[list[Entry]] = [[], []]
        for seat, log in enumerate(self._logs):

            def note(event: Event, log: list[Entry] = log) -> None:
                log.append(Entry(event, self.match.ply, len(log) + 1))

            self.match.observe(note, seat=seat)

    def show(self, seat: int) -> None:
        """Show all events as a seat sees them."""
        self.seen.show(self._logs[seat], seat)

    def catch_up(self, seat: int, *, wiped: bool) -> Sequence[str]:
        """Return the lines that a person who takes the keyboard has not seen."""
        entries = self.seen.catch_up(seat, self._logs[seat], (0, 1), wiped=wiped)
        return [self._text.event(entry.event, NAMES, seat) for entry in entries]


def test_a_person_at_a_wiped_screen_is_shown_once_what_they_missed() -> None:
    screen = Screen()
    screen.match.play(ROCK)
    screen.show(0)
    assert screen.catch_up(1, wiped=True) == ["Ann has chosen."]
    assert screen.catch_up(1, wiped=True) == []
    screen.match.play(PAPER)
    shown = screen.catch_up(0, wiped=True)
    assert shown == ["Ann: rock", "Bo: paper", "revealed (hands rock paper)", "Bo: round won"]


def test_a_line_on_the_screen_is_not_repeated_with_less_information() -> None:
    screen = Screen()
    screen.match.play(ROCK)
    screen.match.play(PAPER)
    screen.show(0)
    assert screen.catch_up(1, wiped=False) == []


def test_a_line_is_repeated_for_a_person_who_may_know_more() -> None:
    screen = Screen()
    screen.match.play(ROCK)
    screen.show(1)
    assert screen.catch_up(0, wiped=False) == ["Ann: rock"]


def test_events_of_undone_actions_are_not_news() -> None:
    screen = Screen()
    screen.match.play(ROCK)
    screen.match.undo()
    assert screen.catch_up(1, wiped=True) == ["1 action undone"]
    screen.match.play(ROCK)
    assert screen.catch_up(1, wiped=True) == ["Ann has chosen."]
