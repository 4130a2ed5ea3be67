"""Texts about a match for players at a terminal, with summaries of the turns of bots.

`TurnLog` receives events and returns the texts to print.
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
"""Number of lines below a summary: turn, status and prompt, or a question and the prompt."""

KEPT_TURNS: Final = 40
"""Number of turns to keep. `log` shows fewer, but needs earlier turns after actions are undone."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The lines of a turn or of the setup, each with the number of its action."""

    seat: Seat | None
    ply: int
    lines: list[tuple[int, str]] = field(default_factory=list)

    def up_to(self, ply: int) -> Turn:
        """Return the turn without the lines of actions after `ply`, which have been undone."""
        kept = [(number, text) for number, text in self.lines if number <= ply]
        return Turn(self.seat, self.ply, kept)


class TurnLog:
    """Describes actions of human players immediately, and turns of bots as summaries.

    Args:
        bots: Seats of bots. The collection may change during the match.
        size: Returns the current size of the terminal.

    Attributes:
        declining: Seats that decline every offer in this turn (`no to all`).
    """

    def __init__(self, bots: Collection[Seat], size: Callable[[], terminal_size]) -> None:
        self._bots = bots
        self._size = size
        self._turn: Seat | None = None
        self._by_bot = False
        self._bots_events: list[Event] = []
        self._summaries: list[str] = []  # since the board was last shown to a human player
        self._seats = 1
        self._past = deque([Turn(None, 0)], maxlen=KEPT_TURNS)
        self._ply = 0
        self._drawn = -1  # number of basements when the board was last drawn in the setup
        self._is_behind = False  # whether an undo has changed the position since it was shown
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
        """Return the texts to print for an event, and record the event for `log`."""
        if isinstance(event, TurnBegan):
            lines = self._summary()
            self._begin(event.seat)
            return lines if event.seat in self._bots else self._turn_begins(state)
        if isinstance(event, ActionPlayed):
            self._ply = event.ply
            # After `no to all`, refusals are automatic and belong to the summary.
            is_automatic = event.seat in self.declining and event.action == Decline()
            self._by_bot = event.seat in self._bots or is_automatic
        self._past[-1].lines.append((self._ply, describe(event)))
        if self._by_bot and (self._turn is None or self._turn in self._bots):
            self._bots_events.append(event)
            return []
        return [] if _is_redundant(event) else [describe(event)]

    def _summary(self) -> list[str]:
        """Return the summary of the bots' actions since the last summary."""
        events, self._bots_events = self._bots_events, []
        # One column less, because many terminals wrap a line that fills the last column.
        lines = summarize(events, self._size().columns - 1)
        self._summaries += lines
        return lines

    def forget_undone(self, ply: int, state: ConstructorState) -> None:
        """Remove the lines of actions after `ply`, which have been undone.

        The position is shown again before the next question.
        """
        self._ply, self._is_behind = ply, True
        self._turn = None if state.phase is Phase.SETUP else state.turn
        self._bots_events.clear()
        self._summaries.clear()
        self.declining.clear()
        left = [turn.up_to(ply) for turn in self._past if turn.ply <= ply]
        self._past = deque(left or [Turn(self._turn, ply)], maxlen=KEPT_TURNS)

    def before_question(self, state: ConstructorState) -> list[str]:
        """Return the texts before a question: a changed board and an offer of a bot."""
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
        """Return the texts after the last action: the board, every status and the result."""
        return [*self._summary(), self.board(state), statuses(state), result]

    def board(self, state: ConstructorState) -> str:
        """Return the board in a size that fits, and the tiles that have changed."""
        size = self._size()
        changes = " ".join(describe(change) for change in changes_of_tiles(state))
        pieces = wrap_line(changes, size.columns - 1) if changes else []
        return "\n".join([draw_fitting(state, size), *pieces])

    def _sum_up(self, state: ConstructorState) -> list[str]:
        """Return the board, followed by the bots' actions since the board was last shown."""
        board, self._summaries, lines = self.board(state), [], self._summaries
        room = max(2, self._size().lines - BELOW - len(board.split("\n")))
        if len(lines) > room:
            lines = ["(Type `log` to see earlier actions.)", *lines[1 - room :]]
        return [board, *lines]

    def _turn_begins(self, state: ConstructorState) -> list[str]:
        """Return the text at the beginning of a human player's turn, with the bots' actions."""
        return [*self._sum_up(state), whose_turn(state)]

    def answer_log(self, seat: Seat) -> str:
        """Return the answer to the command `log`: the last turns of the other builders."""
        lines = []
        for turn in list(self._past)[-self._seats :]:
            if turn.seat != seat:
                lines += [] if turn.seat is None else [f"Builder {COLOURS[turn.seat]}'s turn."]
                lines += [text for _, text in turn.lines if text]
        return "\n".join(lines) or "Nobody else has done anything yet."


def _is_redundant(event: Event) -> bool:
    """Return whether an event needs no line, such as typed dice or a win that `ending` reports."""
    return isinstance(event, GameWon) or (isinstance(event, DiceRolled) and not event.dice)


INDENT: Final = "  "
"""Indentation of the continuation of a long line."""


def summarize(events: Sequence[Event], width: int = 0) -> list[str]:
    """Summarize the events of a turn or a part of it.

    Args:
        events: The events to summarize.
        width: Maximum width of a line in columns, or 0 for no limit.

    Returns:
        The lines of the summary, or an empty list if no event needs a line.

    >>> summarize([DiceRolled(1, 8, (3, 5)), ResourcesGained(0, (1, 0, 0, 0, 2)), RoadBuilt(1, 9)])
    ['Red rolls 8 (3 + 5). Blue gains 1 BRICK, 2 WIFI. Red builds a road on edge 9.']
    """
    sentences, declined = [], 0
    for event in events:
        match event:
            case ResourcesGained(seat, gained):
                sentences.append(f"{COLOURS[seat]} gains {amounts(gained)}.")
            case ResourcesLost(seat, lost):
                sentences.append(f"{COLOURS[seat]} loses {amounts(lost)} to the geese.")
            case TradeAnswered(seat, to, give, take, True):
                sentences.append(
                    f"{COLOURS[seat]} trades {give.name} to {COLOURS[to]} for {take.name}."
                )
            case TradeAnswered():
                declined += 1
            case _ if isinstance(event, _DESCRIBED):
                sentences.append(describe(event))
    if declined:
        sentences.append(f"{plural(declined, 'offer')} declined.")
    return wrap_line(" ".join(sentences), width) if sentences else []


_DESCRIBED: Final = (
    *(BasementChosen, DiceRolled, RoadBuilt, ResidenceBuilt),
    *(TileChanged, GeesePlaced, ResourceStolen),
)
"""Events that a summary describes with the same sentence as the log."""


def wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line to `width` columns, with later lines indented. A width of 0 means no limit."""
    if not width or len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=INDENT, break_long_words=False)
