"""What people at a terminal are told of a match, and when.

It is pure: it is given what happens, and returns the texts to print, some of them empty. What is
printed when input is piped stands in `constructor.document`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from constructor.actions import Decline
from constructor.drawing import draw_board
from constructor.events import DiceRolled, GameWon, TradeOffered, TurnBegan
from constructor.state import COLOURS, ConstructorState, Phase
from constructor.summary import fitted, summarize
from constructor.text import (
    changes_of_tiles,
    describe,
    message,
    statuses,
    turn_begins,
)
from tabletop import ActionPlayed, Event, Seat

KEPT_TURNS: Final = 40
"""More than the log tells: turns may be taken back, and the ones before are told again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was told of a turn.

    Attributes:
        seat: whose it is; None in the setup.
        ply: the number of the action with which it began; 0 before the first one.
        told: what happened, with the number of the action that it came of.
    """

    seat: Seat | None
    ply: int
    told: list[tuple[int, str]] = field(default_factory=list)

    def up_to(self, ply: int) -> Turn:
        """What remains of it when later actions are taken back."""
        return Turn(self.seat, self.ply, [(when, text) for when, text in self.told if when <= ply])


class AtTerminal:
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
        self._seats = 1
        self._past = deque([Turn(None, 0)], maxlen=KEPT_TURNS)
        self._ply = 0
        self._drawn = -1
        self._is_behind = False  # whether what was shown holds no more
        self.declining: set[Seat] = set()
        """Who declines every offer in this turn."""

    def opening(self, state: ConstructorState) -> list[str]:
        """What is told before the first question of a game."""
        self._drawn, self._turn = len(state.settled), None
        self._seats = state.seats
        self._past = deque([Turn(None, 0)], maxlen=KEPT_TURNS)
        if state.phase is Phase.SETUP:
            return [draw_board(state)]
        self._begin(state.turn)
        return [self._board(state)] if state.turn in self._bots else [self._turn_begins(state)]

    def _begin(self, seat: Seat) -> None:
        self._turn = seat
        self._past.append(Turn(seat, self._ply))
        self.declining.clear()

    def notice(self, event: Event, state: ConstructorState) -> list[str]:
        """What is told when something has happened."""
        if isinstance(event, TurnBegan):
            lines = self._summed_up()
            self._begin(event.seat)
            return lines if event.seat in self._bots else [*lines, self._turn_begins(state)]
        if isinstance(event, ActionPlayed):
            self._ply = event.ply
            by_itself = event.seat in self.declining and event.action == Decline()
            self._by_bot = event.seat in self._bots or by_itself
        self._past[-1].told.append((self._ply, describe(event)))
        if self._by_bot and self._turn in self._bots:
            self._bots_events.append(event)
            return []
        return [] if _is_known(event) else [describe(event)]

    def _summed_up(self) -> list[str]:
        """What bots have done since it was said last."""
        events, self._bots_events = self._bots_events, []
        return summarize(events, self._columns() - 1)

    def ends_turn_of_bot(self, event: Event) -> bool:
        """Whether that ends the turn of a bot; to be asked before it is noticed."""
        return isinstance(event, TurnBegan) and self._turn in self._bots

    def undone(self, ply: int, state: ConstructorState) -> None:
        """Forget what was taken back, and that the position has been shown.

        Args:
            ply: how many actions remain.
            state: what they have led to.
        """
        self._ply, self._is_behind = ply, True
        self._turn = None if state.phase is Phase.SETUP else state.turn
        self._bots_events.clear()
        self.declining.clear()
        left = [turn.up_to(ply) for turn in self._past if turn.ply <= ply]
        self._past = deque(left or [Turn(self._turn, ply)], maxlen=KEPT_TURNS)

    def shown(self, state: ConstructorState) -> list[str]:
        """What comes before the question that somebody is asked."""
        lines = self._summed_up()
        behind, self._is_behind = self._is_behind, False
        if state.phase is Phase.SETUP and (behind or self._drawn != len(state.settled)):
            self._drawn = len(state.settled)
            lines.append(draw_board(state))
        elif behind:
            lines.append(self._turn_begins(state))
        offer = state.offer
        if offer is not None and (behind or state.turn in self._bots):
            offered = TradeOffered(state.turn, offer.seat, offer.give, offer.take)
            lines.append(message(offered))
        return lines

    def ending(self, state: ConstructorState, said: str) -> list[str]:
        """What is told when the game has ended, as `said` says."""
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
        for turn in list(self._past)[-self._seats :]:
            if turn.seat != seat:
                lines += [] if turn.seat is None else [f"Builder {COLOURS[turn.seat]}'s turn."]
                lines += [text for _, text in turn.told if text]
        return "\n".join(lines) or "Nobody else has done anything yet."


def _is_known(event: Event) -> bool:
    """Whether this need not be printed: the person has just typed it, or it is said elsewhere."""
    return isinstance(event, GameWon) or (isinstance(event, DiceRolled) and not event.dice)
