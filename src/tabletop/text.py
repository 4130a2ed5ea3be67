"""How a match reads in a terminal: the view that every game has without writing one.

A game with a better way to say things derives from `TextView` and overrides what it likes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from tabletop.events import ALL, ActionPlayed, ActionsUndone, Event, MatchEnded, Watcher
from tabletop.formatting import format_fields
from tabletop.host.sanitize import printable
from tabletop.outcome import Outcome, Seat
from tabletop.states import State
from tabletop.wording import number, plural

if TYPE_CHECKING:
    from tabletop.game import AnyGame
    from tabletop.match import AnyMatch

S = TypeVar("S", bound=State)

SHOWN_ACTIONS = 40
SEED_TELLS: Final = (
    "What is secret in this match can be worked out from its seed and its record:"
    " leave both alone until it has ended."
)
"""The warning for several people in a game with secrets."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class TextView(Generic[S]):
    """Formats the position, the events and the outcome of a match as plain text.

    Every method returns text without a final newline and touches nothing else. The arguments are:

    - `view`: what the reader may see; see `Game.view`.
    - `event`: what the reader is told; see `Game.view_event`.
    - `names`: the name of each seat.
    - `seat`: who reads it: a seat, None for a spectator, or `tabletop.events.ALL` for somebody from
      whom nothing is hidden. It is for the point of view alone ("your hand"): what must not be seen
      is not in `view` or `event` any more.
    """

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """What lies on the table: the state's own `__str__`, or its fields, one a line.

        Fields that are annotated as holding a `Seat`, or several, are said by name.
        """
        if type(view).__str__ is not object.__str__:
            return str(view)
        fields = format_fields(view, names)
        width = max(map(len, fields), default=0)
        return "\n".join(f"{name:<{width}}  {said}" for name, said in fields.items())

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """An event as a line of text; empty for events not worth a line."""
        if isinstance(event, ActionPlayed):
            if event.action is None:
                return f"{names[event.seat]} has chosen."
            return f"{names[event.seat]}: {event.action}"
        if isinstance(event, ActionsUndone):
            return f"{plural(event.count, 'action')} taken back"
        if isinstance(event, MatchEnded):
            return self.outcome(event.outcome, names)
        return describe_event(event, names)

    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        """The heading that stands in a log after the line of an event; None for most events.

        An event whose own line says the same needs no other: the heading takes its place.

        Returns:
            Whose turn begins, and the words: `(1, "Bo's turn.")`.
        """
        return None

    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        """How the match ended, in a line: who won, why, and the points of each seat."""
        reason = f" ({outcome.reason})" if outcome.reason else ""
        points = _points(outcome, names)
        if outcome.abandoned:
            return f"Abandoned{reason}.{points}"
        if outcome.is_draw:
            return f"A draw{reason}.{points}"
        winners = " and ".join(names[seat] for seat in outcome.winners)
        verb = "win" if len(outcome.winners) > 1 else "wins"
        return f"{winners} {verb}{reason}.{points}"

    def called(self, names: Sequence[str]) -> Sequence[str]:
        """What each seat is called where one looks who plays: its name, and what it is in the game.

        By default the name alone; a game whose events speak of colours says both: `Ada (Blue)`.
        """
        return names

    def welcome(self) -> str:
        """A hint for newcomers, shown before the first prompt of a match; empty for none."""
        return (
            "New here? Type the number of an action or its text; `help` tells what else there is."
        )

    def asked(self, view: S, seat: Seat) -> str:
        """What a person who is to act is asked, in a few words: `Choose whom to steal from`.

        Empty for a game that has no question of its own: it is said whose turn it is instead.
        """
        return ""

    def prompt(self, view: S, seat: Seat, names: Sequence[str]) -> str:
        """The prompt of a person who is to act."""
        return f"{names[seat]}> "


def _points(outcome: Outcome, names: Sequence[str]) -> str:
    """A sentence with the points of each seat, if there are any."""
    if not outcome.points:
        return ""
    each = zip(names, outcome.points, strict=True)
    return f" Points: {', '.join(f'{name} {number(own)}' for name, own in each)}."


def describe_event(event: Event, names: Sequence[str]) -> str:
    """An event in words, from the name of its class and its fields.

    A field called `seat` is said by name and comes first; other fields annotated as holding
    a `Seat`, or several, are said by name as well.
    """
    words = _CAMEL.sub(" ", type(event).__name__).lower()
    fields = format_fields(event, names, owned=True)
    seat = getattr(event, "seat", None)
    who = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
    details = ", ".join(f"{name} {said}" for name, said in fields.items() if name != "seat")
    return f"{who}{words}{f' ({details})' if details else ''}"


def list_actions(actions: Sequence[Any], most: int = SHOWN_ACTIONS) -> str:
    """The actions with the numbers that a person may type instead, from 1.

    Where the texts of actions are numbers themselves, there are no others.

    Args:
        actions: the legal actions.
        most: how many are shown; a line says how many are not.
    """
    texts = [str(action) for action in actions[:most]]
    if any(text.isdecimal() for text in texts):
        return "possible: " + " ".join(texts) + (" ..." if len(actions) > most else "")
    width = len(str(len(texts)))
    lines = [f"{number:>{width}}  {action}" for number, action in enumerate(texts, 1)]
    if len(actions) > most:
        lines.append(f"... and {len(actions) - most} more; type `actions` for all")
    return "\n".join(lines)


def headline(match: AnyMatch) -> str:
    """What is played, in a line: the title of the game, and the seed."""
    title = f"{match.game.title or match.game.name}, seed: {match.seed.text}"
    return printable(title if match.first_state is None else f"{title}, from a given position")


def seed_warning(game: AnyGame, people: int) -> str:
    """The warning about the seed of a match; empty where no secret depends on it.

    Args:
        game: what is played.
        people: how many sit down to it.
    """
    return SEED_TELLS if people > 1 and game.hides_something else ""
