"""The information of a reader at a screen, for the texts of a terminal."""

from __future__ import annotations

from typing import Any

from tabletop import Match, MatchEnded
from tabletop.display import Reading, Size
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, SitIn, UndoIn
from tabletop.registry import load
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.table.sittings import Sitting

SEALED = "tests/tabletop/games/sealed.py"
MISSIONS = "tests/tabletop/games/missions.py"
RPS = "tests/tabletop/games/rps.py"
SIZE = Size(100, 30)


def sitting(game: str, *links: int | None, seats: int = 2, shared: bool = False) -> Sitting:
    """Return a table with a screen for each of the links."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    seating = {0: None} if shared else None
    table = Sitting(match, plugin, seating=seating, undo="free")
    table.open(*links)
    return table


def read(table: Sitting, link: int | None) -> Reading[Any]:
    """Return the reading of the screen of a link."""
    return table.reading(link, SIZE)


def numbers(reading: Reading[Any]) -> tuple[int, ...]:
    """Return the numbers of the unread events."""
    return tuple(entry.number for entry in reading.unread)


def test_a_reader_gets_the_view_and_the_actions_of_the_seat() -> None:
    table = sitting(SEALED, 0, 1, None)
    asked, waiting, spectator = (read(table, link) for link in (0, 1, None))
    assert [it.seat for it in (asked, waiting, spectator)] == [0, 1, None]
    assert asked.view == table.match.view(0)
    assert spectator.view == table.match.view(None)
    assert list(asked.actions) == list(table.match.legal_actions(0))
    assert not waiting.actions
    assert not spectator.actions
    assert (asked.size, asked.here, spectator.here) == (SIZE, (0,), ())


def test_the_log_has_the_events_as_the_reader_has_seen_them() -> None:
    table = sitting(SEALED, 0, 1)
    table.ask(0, ActIn("hide 1"))
    own, other = (read(table, link).log[0] for link in (0, 1))
    assert (own.number, own.ply) == (other.number, other.ply)
    assert own.event != other.event


def test_events_are_unread_until_the_screen_has_shown_them() -> None:
    table = sitting(TICTACTOE, 0, 1)
    table.ask(0, ActIn("5"))
    reading = read(table, 1)
    assert len(reading.unread) == 1
    screen = table.table.holders.find_screen(table.screens[1])
    assert screen is not None
    screen.show_news(reading, unread=1)
    assert numbers(read(table, 1)) == numbers(reading)
    screen.show_news(reading)
    assert not read(table, 1).unread
    assert read(table, 1).log == reading.log


def test_a_new_screen_has_nothing_to_report_and_no_question() -> None:
    table = sitting(TICTACTOE, 0)
    table.ask(0, ActIn("5"))
    table.open(1)
    reading = read(table, 1)
    assert (len(reading.log), list(reading.unread), reading.asked) == (1, [], None)


def test_the_last_question_separates_old_events_from_new_ones() -> None:
    table = sitting(TICTACTOE, 0)
    screen = table.table.holders.find_screen(table.screens[0])
    assert screen is not None
    table.ask(0, ActIn("5"))
    screen.size = SIZE
    screen.show_question()
    assert read(table, 0).asked == []
    assert read(table, 0).shown_size == SIZE
    table.ask(0, UndoIn(actions=1))
    asked = read(table, 0).asked
    assert asked is not None
    assert len(asked) == 1


def test_the_end_of_a_match_is_its_outcome_and_not_news() -> None:
    table = sitting(TICTACTOE, 0, 1)
    for line in ("1", "4", "2", "5", "3"):
        [seat] = table.match.to_act
        table.ask(seat, ActIn(line))
    reading = read(table, 1)
    assert reading.is_over
    assert reading.outcome == table.match.outcome
    assert not any(isinstance(entry.event, MatchEnded) for entry in reading.log)


def test_the_reader_at_a_shared_screen_is_the_last_to_sit_down() -> None:
    table = sitting(SEALED, 0, shared=True)
    table.table.holders[0].covers = True
    assert read(table, 0).seat is None
    table.ask(0, SitIn(0))
    table.ask(0, ActIn("hide 1"))
    assert read(table, 0).seat == 0, "the person of seat 1 has not sat down yet"
    table.ask(0, SitIn(1))
    assert read(table, 0).view == table.match.view(1)


def test_a_seat_chooses_together_with_others_until_it_has_chosen() -> None:
    table = sitting(RPS, 0, 1)
    assert [read(table, seat).together for seat in (0, 1)] == [True, True]
    line = str(table.match.legal_actions(0)[0])
    table.ask(0, ActIn(line))
    assert [read(table, seat).together for seat in (0, 1)] == [False, True]
