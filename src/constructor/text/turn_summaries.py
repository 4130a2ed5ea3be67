"""The texts about a match for people at a terminal; turns of bots as summaries.

`TurnLog` prints nothing: it takes events, and returns the texts to print.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from os import terminal_size
from textwrap import wrap
from typing import Final

from constructor.rules.actions import Decline
from constructor.rules.events import (
    BasementChosen,
    DiceRolled,
    GameWon,
    GeesePlaced,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    TileChanged,
    TradeAnswered,
    TradeOffered,
    TurnBegan,
)
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_fitting
from constructor.text.text_view import (
    amounts,
    changes_of_tiles,
    describe,
    message,
    statuses,
    whose_turn,
)
from tabletop import ActionPlayed, Event, Seat
from tabletop.wording import plural

BELOW: Final = 3
"""The lines between a summary and the end of the screen: turn, status and prompt, or a question."""

KEPT_TURNS: Final = 40
"""More turns than `log` shows: when some are taken back, it shows the ones before them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The lines of a turn, or of the setup, each with the ply that it came of."""

    seat: Seat | None
    ply: int
    lines: list[tuple[int, str]] = field(default_factory=list)

    def up_to(self, ply: int) -> Turn:
        """Return the turn without the lines of undone actions: those after number `ply`."""
        return Turn(self.seat, self.ply, [(when, text) for when, text in self.lines if when <= ply])


class TurnLog:
    """Puts a match into words: an action of a person at once, the turn of a bot as a summary.

    `bots` may change; `size` gives the size of the terminal as it is now; `declining` are the seats
    that decline every offer in this turn (`no to all`).
    """

    def __init__(self, bots: Collection[Seat], size: Callable[[], terminal_size]) -> None:
        self._bots = bots
        self._size = size
        self._turn: Seat | None = None
        self._by_bot = False
        self._bots_events: list[Event] = []
        self._summaries: list[str] = []  # since a person was last shown the board
        self._seats = 1
        self._past = deque([Turn(None, 0)], maxlen=KEPT_TURNS)
        self._ply = 0
        self._drawn = -1  # how many basements stood when the board was last drawn in the setup
        self._is_behind = False  # whether the position has changed since it was shown: by an undo
        self.declining: set[Seat] = set()

    def opening(self, state: ConstructorState) -> list[str]:
        """Return the texts before the first question of a game."""
        self._drawn, self._seats = len(state.settled), state.seats
        if state.phase is Phase.SETUP:
            return [self.board(state)]
        self._begin(state.turn)
        return [self.board(state)] if state.turn in self._bots else self._turn_begins(state)

    def _begin(self, seat: Seat) -> None:
        self._turn = seat
        self._past.append(Turn(seat, self._ply))
        self.declining.clear()

    def observe(self, event: Event, state: ConstructorState) -> list[str]:
        """Return the texts to print for an event, and note it for `log`."""
        if isinstance(event, TurnBegan):
            lines = self._summary()
            self._begin(event.seat)
            return lines if event.seat in self._bots else self._turn_begins(state)
        if isinstance(event, ActionPlayed):
            self._ply = event.ply
            # A refusal by `no to all` was typed once: it goes into the summary, as a bot's does.
            by_itself = event.seat in self.declining and event.action == Decline()
            self._by_bot = event.seat in self._bots or by_itself
        self._past[-1].lines.append((self._ply, describe(event)))
        if self._by_bot and (self._turn is None or self._turn in self._bots):
            self._bots_events.append(event)
            return []
        return [] if _is_redundant(event) else [describe(event)]

    def _summary(self) -> list[str]:
        """Return the summary of bots' actions since the last one."""
        events, self._bots_events = self._bots_events, []
        # One column less: many terminals wrap a line that fills the last one.
        lines = summarize(events, self._size().columns - 1)
        self._summaries += lines
        return lines

    def forget_undone(self, ply: int, state: ConstructorState) -> None:
        """Forget the actions undone, so that `ply` remain; show the position again."""
        self._ply, self._is_behind = ply, True
        self._turn = None if state.phase is Phase.SETUP else state.turn
        self._bots_events.clear()
        self._summaries.clear()
        self.declining.clear()
        left = [turn.up_to(ply) for turn in self._past if turn.ply <= ply]
        self._past = deque(left or [Turn(self._turn, ply)], maxlen=KEPT_TURNS)

    def before_question(self, state: ConstructorState) -> list[str]:
        """Return the texts before a question: the board if it changed, and an offer not shown."""
        lines = self._summary()
        behind, self._is_behind = self._is_behind, False
        if state.phase is Phase.SETUP and (behind or self._drawn != len(state.settled)):
            self._drawn = len(state.settled)
            lines = self._sum_up(state)
        elif behind:
            lines = self._turn_begins(state)
        offer = state.offer
        if offer is not None and (behind or state.turn in self._bots):
            offered = TradeOffered(state.turn, offer.seat, offer.give, offer.take)
            lines.append(message(offered))
        return lines

    def ending(self, state: ConstructorState, result: str) -> list[str]:
        """Return the texts after the last action: the board, the builders, and the result."""
        return [*self._summary(), self.board(state), statuses(state), result]

    def board(self, state: ConstructorState) -> str:
        """Return the board as it fits, and below it the tiles that a variant has changed."""
        changes, size = " ".join(describe(it) for it in changes_of_tiles(state)), self._size()
        pieces = wrap_line(changes, size.columns - 1) if changes else []
        return "\n".join([draw_fitting(state, size), *pieces])

    def _sum_up(self, state: ConstructorState) -> list[str]:
        """Return the board, and below it, near the prompt, bots' actions since the last one."""
        board, self._summaries, lines = self.board(state), [], self._summaries
        room = max(2, self._size().lines - BELOW - len(board.split("\n")))
        if len(lines) > room:
            lines = ["(`log` tells what was before.)", *lines[1 - room :]]
        return [board, *lines]

    def _turn_begins(self, state: ConstructorState) -> list[str]:
        """Return the text of a person's turn: the document's, and in it the actions of bots."""
        return [*self._sum_up(state), whose_turn(state)]

    def answer_log(self, seat: Seat) -> str:
        """Answer `log`: all that happened in the others' last turns, and in the setup."""
        lines = []
        for turn in list(self._past)[-self._seats :]:
            if turn.seat != seat:
                lines += [] if turn.seat is None else [f"Builder {COLOURS[turn.seat]}'s turn."]
                lines += [text for _, text in turn.lines if text]
        return "\n".join(lines) or "Nobody else has done anything yet."


def _is_redundant(event: Event) -> bool:
    """Return whether an event needs no line: dice just typed, or a win that `ending` tells."""
    return isinstance(event, GameWon) or (isinstance(event, DiceRolled) and not event.dice)


INDENT: Final = "  "
"""Stands before the rest of a line that is too long."""


def summarize(events: Sequence[Event], width: int = 0) -> list[str]:
    """Sum up a turn, or a part of one, in `width` columns, 0 for any; often empty.

    >>> summarize([DiceRolled(1, 8, (3, 5)), ResourcesGained(0, (1, 0, 0, 0, 2)), RoadBuilt(1, 9)])
    ['Red rolls 8 (3 + 5). Blue gains 1 BRICK, 2 WIFI. Red builds a road on edge 9.']
    """
    told, declined = [], 0
    for event in events:
        match event:
            case ResourcesGained(seat, gained):
                told.append(f"{COLOURS[seat]} gains {amounts(gained)}.")
            case ResourcesLost(seat, lost):
                told.append(f"{COLOURS[seat]} loses {amounts(lost)} to the geese.")
            case TradeAnswered(seat, to, give, take, True):
                told.append(f"{COLOURS[seat]} trades {give.name} to {COLOURS[to]} for {take.name}.")
            case TradeAnswered():
                declined += 1
            case _ if isinstance(event, _TOLD):
                told.append(describe(event))
    if declined:
        told.append(f"{plural(declined, 'offer')} declined.")
    return wrap_line(" ".join(told), width) if told else []


_TOLD: Final = (
    *(BasementChosen, DiceRolled, RoadBuilt, ResidenceBuilt),
    *(TileChanged, GeesePlaced, ResourceStolen),
)
"""The events that a summary tells as the log does."""


def wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line to `width` columns, with later lines indented; 0 for any width."""
    if not width or len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=INDENT, break_long_words=False)
