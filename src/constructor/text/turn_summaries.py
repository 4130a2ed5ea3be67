"""Texts about a match for players at a terminal, with summaries of the turns of bots.

`TurnLog` reads the log of events and returns the texts to print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Final

from constructor.rules import events
from constructor.rules.actions import Decline
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_fitting
from constructor.text.text_view import amounts, changes_of_tiles, describe
from tabletop import ActionPlayed, ActionsUndone, Event, Seat
from tabletop.display import Entry, Reading, Size, TextView
from tabletop.records import HUMAN
from tabletop.wording import plural

BELOW: Final = 3  # lines below a summary, such as turn, status and prompt


@dataclass(frozen=True, slots=True)
class Turn:
    """The events of a turn or of the setup, each with the number of its action."""

    seat: Seat | None
    ply: int
    events: list[tuple[int, Event]] = field(default_factory=list)

    def up_to(self, ply: int) -> Turn:
        """Return the turn without the events of actions after `ply`, which have been undone."""
        kept = [(number, event) for number, event in self.events if number <= ply]
        return Turn(self.seat, self.ply, kept)


class TurnLog:
    """Describes actions of people one by one, and turns of bots as summaries.

    Attributes:
        events_of_bots: Events of bots at the end of the log that are not in a summary yet.
        has_ended_turn_of_bot: Whether a bot's turn has ended in `entries`.
    """

    def __init__(
        self, reading: Reading[ConstructorState], entries: Sequence[Entry] | None = None
    ) -> None:
        self.events_of_bots: list[Event] = []
        self.has_ended_turn_of_bot = False
        self._reading = reading
        self._lines: list[str | list[str]] = []
        self._summaries: list[str] = []  # since the board was last shown
        self._by_bot = False  # whether the last action is part of a summary
        self._repeats = False  # whether a person declines all offers in this turn
        self._reports = False  # whether the present event is to be reported
        log, first = reading.log, entries[0].number if entries else None
        start = 0 if entries is None else _start_of_turn(reading, first)
        self._turns = [Turn(_first_turn(reading), 0)] if not start else []
        for entry in log[start:]:
            if entry.number == first:
                self._reports = True
                self._sum_up()  # the events before were in a summary
            self._add(entry)

    @property
    def _turn(self) -> Seat | None:
        """The seat whose turn it is, or None in the setup."""
        return self._turns[-1].seat if self._turns else None

    def _is_bot(self, seat: Seat | None) -> bool:
        return seat is not None and self._reading.players[seat] != HUMAN

    def _add(self, entry: Entry) -> None:
        match entry.event:
            case ActionsUndone(ply=ply):
                self._undo(ply)
                self._report(TextView[ConstructorState]().event(entry.event, self._reading.names))
            case events.TurnBegan(seat):
                self._begin(seat, entry.ply)
            case event:
                if isinstance(event, ActionPlayed):
                    self._note_action(event, repeated=entry.repeated)
                self._turns[-1].events.append((entry.ply, event))
                if self._by_bot and (self._turn is None or self._is_bot(self._turn)):
                    self.events_of_bots.append(event)
                elif not _is_redundant(event):
                    self._report(describe(event))

    def _report(self, *lines: str | list[str]) -> None:
        if self._reports:
            self._lines += lines

    def _sum_up(self) -> list[str]:
        """Return the summary of the bots' events since the last summary."""
        log, self.events_of_bots = self.events_of_bots, []
        # One column less, because many terminals wrap a line that fills the last column.
        lines = summarize(log, max(0, self._reading.size.columns - 1))
        self._summaries += lines
        return lines

    def _begin(self, seat: Seat, ply: int) -> None:
        """Begin a turn. The board of a person's turn is followed by the bots' turns before it."""
        summary = self._sum_up()
        self.has_ended_turn_of_bot |= self._reports and self._is_bot(self._turn)
        self._turns.append(Turn(seat, ply))
        self._repeats = False
        if self._is_bot(seat):
            self._report(*summary)
        else:
            self._report(self._summaries)
            self._summaries = []

    def _note_action(self, event: ActionPlayed, *, repeated: bool) -> None:
        """Note who has acted. After a decision of a person, a new summary begins."""
        # After `no to all`, refusals are automatic and belong to the summary.
        self._by_bot = self._is_bot(event.seat) or (repeated and event.action == Decline())
        if not self._by_bot or (repeated and not self._repeats):
            summary = self._sum_up()
            if self._turn is None:
                self._summaries = []  # the question has shown them
            else:
                self._report(*summary)
        self._repeats = self._repeats or repeated

    def _undo(self, ply: int) -> None:
        """Remove the lines of actions after `ply`, which have been undone."""
        first, *others = self._turns
        self._turns = [turn.up_to(ply) for turn in (first, *others) if turn.ply <= ply]
        self.events_of_bots, self._summaries = [], []
        self._by_bot = self._repeats = False

    def lines(self, *, in_progress: bool) -> list[str | list[str]]:
        """Return the lines to report. A list of summaries follows the board of a person's turn.

        Args:
            in_progress: Whether the turn of a bot has not ended, so that it has no summary yet.
        """
        if in_progress or self._turn is None:
            return self._lines
        return [*self._lines, *self._sum_up()]

    def answer(self, seat: Seat) -> str:
        """Return the answer to the command `log`: the last turns of the other builders."""
        lines = []
        for turn in self._turns[-self._reading.view.seats :]:
            if turn.seat != seat:
                lines += [] if turn.seat is None else [f"Builder {COLOURS[turn.seat]}'s turn."]
                lines += [text for _, event in turn.events if (text := describe(event))]
        return "\n".join(lines) or "Nobody else has done anything yet."


def _start_of_turn(reading: Reading[ConstructorState], number: int | None) -> int:
    """Return the place in the log of the last turn of a person that began before an event.

    The events before it are not needed for reports, unless actions have been undone since.
    """
    for at, (event, _, entry, _) in reversed(list(enumerate(reading.log))):
        if isinstance(event, ActionsUndone):
            break
        began = isinstance(event, events.TurnBegan) and reading.players[event.seat] == HUMAN
        if began and number is not None and entry < number:
            return at
    return 0


def _first_turn(reading: Reading[ConstructorState]) -> Seat | None:
    """Return the seat whose turn it was at the beginning of the log, or None in the setup."""
    state = reading.view
    log = [entry.event for entry in reading.log]
    began = next((at for at, event in enumerate(log) if isinstance(event, events.TurnBegan)), None)
    if began is None:
        return None if state.phase is Phase.SETUP else state.turn
    if any(isinstance(event, events.BasementChosen) for event in log[:began]):
        return None
    event = log[began]
    return (event.seat - 1) % state.seats if isinstance(event, events.TurnBegan) else None


def board(state: ConstructorState, size: Size) -> str:
    """Return the board in a size that fits, and the tiles that have changed."""
    changes = " ".join(describe(change) for change in changes_of_tiles(state))
    pieces = wrap_line(changes, size.columns - 1) if changes else []
    return "\n".join([draw_fitting(state, size), *pieces])


def shorten(lines: list[str], above: str, size: Size) -> list[str]:
    """Return the last lines that fit a screen below another text."""
    room = max(2, size.rows - BELOW - len(above.split("\n")))
    if len(lines) > room:
        return ["(Type `log` to see earlier actions.)", *lines[1 - room :]]
    return lines


def _is_redundant(event: Event) -> bool:
    """Return whether an event needs no line, such as typed dice or a win that `ending` reports."""
    return isinstance(event, events.GameWon) or (
        isinstance(event, events.DiceRolled) and not event.dice
    )


INDENT: Final = "  "  # indentation of the continuation of a long line


def summarize(log: Sequence[Event], width: int = 0) -> list[str]:
    """Summarize the events of a turn or a part of it.

    Args:
        width: Maximum width of a line in columns, or 0 for no limit.

    Returns:
        The lines of the summary, or an empty list if no event needs a line.

    >>> summarize([events.DiceRolled(1, 8, (3, 5)), events.ResourcesGained(0, (1, 0, 0, 0, 2))])
    ['Red rolls 8 (3 + 5). Blue gains 1 BRICK, 2 WIFI.']
    """
    sentences, declined = [], 0
    for event in log:
        match event:
            case events.ResourcesGained(seat, gained):
                sentences.append(f"{COLOURS[seat]} gains {amounts(gained)}.")
            case events.ResourcesLost(seat, lost):
                sentences.append(f"{COLOURS[seat]} loses {amounts(lost)} to the geese.")
            case events.TradeAnswered(seat, to, give, take, True):
                sentences.append(
                    f"{COLOURS[seat]} trades {give.name} to {COLOURS[to]} for {take.name}."
                )
            case events.TradeAnswered():
                declined += 1
            case _ if isinstance(event, _DESCRIBED):
                sentences.append(describe(event))
    if declined:
        sentences.append(f"{plural(declined, 'offer')} declined.")
    return wrap_line(" ".join(sentences), width) if sentences else []


_DESCRIBED: Final = (
    *(events.BasementChosen, events.DiceRolled, events.RoadBuilt, events.ResidenceBuilt),
    *(events.TileChanged, events.GeesePlaced, events.ResourceStolen),
)
"""Events that a summary describes with the same sentence as the log."""


def wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line to `width` columns, with later lines indented. A width of 0 means no limit."""
    if not width or len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=INDENT, break_long_words=False)
