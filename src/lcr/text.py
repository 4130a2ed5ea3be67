"""Texts of LCR: those of the course's program (LCR §5) and a view for terminals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from typing_extensions import override

from lcr.rules.events import ChipPassed, DieRolled, TurnEnded, chip_moves
from lcr.rules.state import MOST_DICE, LcrState
from tabletop import ALL, ActionPlayed, Event, MatchEnded, Seat, Watcher
from tabletop.display import TextView

PLAYERS_PROMPT: Final = "Number of players (3 to 11)? "
SEED_PROMPT: Final = "Random-number seed? "
PLAYERS_COMPLAINT: Final = "Invalid number of players. Using 3 instead.\n"
SEED_COMPLAINT: Final = "Invalid seed. Using 4823 instead.\n"


class CourseLines:
    """An observer that writes the output of the course's program: each turn and the winner.

    Args:
        names: The name of each seat.
        write: Called with each line, including the newline. It must not raise, because a match
            only logs errors of observers.
    """

    def __init__(self, names: Sequence[str], write: Callable[[str], object]) -> None:
        self._names = names
        self._write = write

    def __call__(self, event: Event) -> None:
        """Write the line of an event, if it has a line."""
        if isinstance(event, TurnEnded):
            self._write(f"{self._names[event.seat]}: ends her turn with {event.chips}\n")
        elif isinstance(event, MatchEnded):
            self._write(f"{self._names[event.outcome.winners[0]]} won!\n")


class LcrText(TextView[LcrState]):
    """The view for terminals, which shows every die, each passed chip and all chips."""

    # The line of a die contains the passed chip.
    verbs: ClassVar[Mapping[str, str]] = {"roll": "rolls", "ChipPassed": ""}

    @override
    def position(self, view: LcrState, names: Sequence[str], seat: Watcher = ALL) -> str:
        width = max(map(len, (*names, "the pot")))
        lines = [
            _row(">" if number == view.seat else " ", f"{name:<{width}}", chips)
            for number, (name, chips) in enumerate(zip(names, view.chips, strict=True))
        ]
        return "\n".join([*lines, _row(" ", f"{'the pot':<{width}}", view.pot)])

    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        if isinstance(event, ActionPlayed):
            return event.seat, self.event(event, names)
        return None

    @override
    def asked(self, view: LcrState, seat: Seat, names: Sequence[str]) -> str:
        chips = min(view.chips[seat], MOST_DICE)
        return f"Roll {'1 die' if chips == 1 else f'{chips} dice'}"

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        match event:
            case DieRolled():
                move = chip_moves(len(names))[event.seat][event.roll]
                return f"{event.face.capitalize()}: {_describe_move(move, names)}."
            case TurnEnded(chips=chips):
                return f"{names[event.seat]} ends with {chips} {'chip' if chips == 1 else 'chips'}."
        return super().event(event, names, seat)


def _row(mark: str, name: str, chips: int) -> str:
    return f"{mark} {name} {chips:>2} {'o' * chips}".rstrip()


def _describe_move(move: ChipPassed | None, names: Sequence[str]) -> str:
    if move is None:
        return "keeps it"
    return "1 chip to " + ("the pot" if move.to is None else names[move.to])
