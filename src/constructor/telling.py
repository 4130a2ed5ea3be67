"""What is printed of a match, and when: exactly as in the document, or with more for terminals.

Both are pure: they are given what happens, and return the text to print.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import Protocol

from typing_extensions import override

from constructor.actions import Decline
from constructor.drawing import draw_board
from constructor.events import DiceRolled, GameWon, TradeOffered, TurnBegan
from constructor.state import COLOURS, ConstructorState, Phase
from constructor.summary import fitted, summarize
from constructor.text import (
    changes_of_tiles,
    describe,
    message,
    question,
    statuses,
    turn_begins,
)
from tabletop import ActionPlayed, Event, Seat


class Telling(Protocol):
    """Says what there is to say; every method gives texts, some of them empty."""

    def opening(self, state: ConstructorState) -> list[str]:
        """Before the first question of a game."""

    def notice(self, event: Event, state: ConstructorState) -> list[str]:
        """When something has happened."""

    def asked(self, state: ConstructorState, seat: Seat) -> list[str]:
        """Before `seat` decides."""

    def ending(self, state: ConstructorState, said: str) -> list[str]:
        """When the game has ended, as `said` says."""


class AsDocument(Telling):
    """What the document has printed, and nothing else (Constructor §2 to §4)."""

    @override
    def opening(self, state: ConstructorState) -> list[str]:
        return [draw_board(state) if state.phase is Phase.SETUP else turn_begins(state)]

    @override
    def notice(self, event: Event, state: ConstructorState) -> list[str]:
        if isinstance(event, TurnBegan):
            return [turn_begins(state)]
        # That a game is won is said at the end, as for a game that is over at once.
        return [] if isinstance(event, GameWon) else [message(event)]

    @override
    def asked(self, state: ConstructorState, seat: Seat) -> list[str]:
        return [question(state)]

    @override
    def ending(self, state: ConstructorState, said: str) -> list[str]:
        return [said]


class AtTerminal(Telling):
    """For people at a terminal: whatever succeeds is said, and turns of bots are summed up.

    Args:
        bots: the seats that bots play for; looked at anew each time.
        columns: how wide the terminal is now.
    """

    def __init__(self, bots: Collection[Seat], columns: Callable[[], int]) -> None:
        self._bots = bots
        self._columns = columns
        self._turn: Seat | None = None
        self._by_bot = False
        self._bots_events: list[Event] = []
        self._past: deque[tuple[Seat | None, list[str]]] = deque([(None, [])], maxlen=1)
        self._drawn = -1
        self.declining: set[Seat] = set()
        """Who declines every offer in this turn."""

    @override
    def opening(self, state: ConstructorState) -> list[str]:
        self._drawn, self._turn = len(state.settled), None
        self._past = deque([(None, [])], maxlen=state.seats)
        if state.phase is Phase.SETUP:
            return [draw_board(state)]
        self._begin(state.turn)
        return [self._board(state)] if state.turn in self._bots else [self._turn_begins(state)]

    def _begin(self, seat: Seat) -> None:
        self._turn = seat
        self._past.append((seat, []))
        self.declining.clear()

    @override
    def notice(self, event: Event, state: ConstructorState) -> list[str]:
        if isinstance(event, TurnBegan):
            lines = self._summed_up()
            self._begin(event.seat)
            return lines if event.seat in self._bots else [*lines, self._turn_begins(state)]
        if isinstance(event, ActionPlayed):
            by_itself = event.seat in self.declining and event.action == Decline()
            self._by_bot = event.seat in self._bots or by_itself
        self._past[-1][1].append(describe(event))
        if self._by_bot and self._turn in self._bots:
            self._bots_events.append(event)
            return []
        return [] if _is_known(event) else [describe(event)]

    def _summed_up(self) -> list[str]:
        """What bots have done since it was said last."""
        events, self._bots_events = self._bots_events, []
        return summarize(events, self._columns() - 1)

    @override
    def asked(self, state: ConstructorState, seat: Seat) -> list[str]:
        lines = self._summed_up()
        if state.phase is Phase.SETUP and self._drawn != len(state.settled):
            self._drawn = len(state.settled)
            lines.append(draw_board(state))
        offer = state.offer
        if offer is not None and state.turn in self._bots:
            offered = TradeOffered(state.turn, offer.seat, offer.give, offer.take)
            lines.append(message(offered))
        return [*lines, question(state)]

    @override
    def ending(self, state: ConstructorState, said: str) -> list[str]:
        return [*self._summed_up(), self._board(state), statuses(state), said]

    def _board(self, state: ConstructorState) -> str:
        """The board, with what the tiles have become."""
        changes = " ".join(describe(change) for change in changes_of_tiles(state))
        pieces = fitted(changes, self._columns() - 1) if changes else []
        return "\n".join([draw_board(state), *pieces])

    def _turn_begins(self, state: ConstructorState) -> str:
        """What is said at the beginning of a person's turn."""
        return self._board(state) + turn_begins(state).removeprefix(draw_board(state))

    def log(self, seat: Seat) -> str:
        """All that happened in the last turns of the others, and in the setup."""
        lines = []
        for turn, told in self._past:
            if turn != seat:
                lines += [] if turn is None else [f"Builder {COLOURS[turn]}'s turn."]
                lines += filter(None, told)
        return "\n".join(lines) or "Nobody else has done anything yet."


def _is_known(event: Event) -> bool:
    """Whether this need not be printed: the person has just typed it, or it is said elsewhere."""
    return isinstance(event, GameWon) or (isinstance(event, DiceRolled) and not event.dice)
