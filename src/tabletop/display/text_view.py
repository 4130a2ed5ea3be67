"""The text view: a match as text in a terminal, for every game without writing one.

A game with better words derives from `TextView` and overrides its methods.
"""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from itertools import groupby
from typing import Any, Final, Generic, TypeVar

from tabletop.host.screen_text import printable
from tabletop.match.match import AnyMatch
from tabletop.rules.events import ALL, ActionPlayed, ActionsUndone, Event, MatchEnded, Watcher
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.states import schema
from tabletop.states.bounds import Seat
from tabletop.states.schema import Schema, fields_of, schema_of
from tabletop.states.states import State
from tabletop.states.type_hints import SchemaError
from tabletop.states.visibility import OWNER, secrets_of
from tabletop.text_layout import fit_beside, side_by_side
from tabletop.wording import number, plural, width_of

S = TypeVar("S", bound=State)

SHOWN_ACTIONS = 40
"""Maximum legal actions listed for people; more are counted."""

SEED_TELLS: Final = (
    "What is secret in this match can be worked out from its seed and its record:"
    " leave both alone until it has ended."
)
"""The warning for several people in a game with secrets."""

_SEAT: Final = schema_of(Seat)
_NO_BACK: Final = object()
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class TextView(Generic[S]):
    """Formats the position, the events and the outcome of a match as plain text.

    Derive from it, override what the game says better, and give an object of it to the `Plugin`:
    `text=Words()`. Texts end without a newline, and no method changes its arguments, which are:

    - `view`: the view of the reader; see `Game.view`.
    - `event`: an event as the reader receives it; see `Game.view_event`.
    - `names`: the name of each seat.
    - `seat`: the reader: a seat, None for a spectator, or `tabletop.ALL` for a reader of
      everything. It is for the point of view alone ("your hand"): secrets are already left out of
      `view` and `event`.

    >>> from tabletop import ActionPlayed
    >>> class Words(TextView):
    ...     def asked(self, view, seat, names):
    ...         return "Choose a goat"
    >>> Words().event(ActionPlayed(1, 0, "goat 6"), ["Ann", "Bo"])
    'Ann: goat 6'
    """

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the position: the state's own `__str__`, or its fields, one a line.

        Fields annotated as holding a `Seat`, or several, name the seats.
        """
        if type(view).__str__ is not object.__str__:
            return str(view)
        fields = format_fields(view, names)
        width = max(map(len, fields), default=0)
        return "\n".join(f"{name:<{width}}  {said}" for name, said in fields.items())

    def narrow_position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the position for a screen of 80 columns: by default as `position` does.

        A table on a server says it so, for pages and terminals of any size.
        """
        return self.position(view, names, seat)

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format an event as a line of text, or several; empty for events not worth a line."""
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
        """Return the heading that a log shows after the line of an event; None for most events.

        A heading is shown once, until another one follows. Where its words are those of the line of
        the event, the line is left out.

        Returns:
            The seat whose turn begins, and the words: `(1, "Bo's turn.")`.
        """
        return None

    def pause(self, event: Event) -> float:
        """Return for how many seconds bots wait after an event, so that people see what is there.

        By default 0. A trick that is complete, and stays in the state until the next card is led,
        is seen with `1.5 * isinstance(event, TrickTaken)`. Nothing waits where nobody looks on: in
        simulations, replays and piped programs.
        """
        return 0

    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        """Format the outcome in a line: the winner, the reason, and the points of each seat."""
        reason = f" ({outcome.reason})" if outcome.reason else ""
        points = _points(outcome, names)
        if outcome.abandoned:
            return f"Abandoned{reason}.{points}"
        if outcome.is_draw:
            return f"A draw{reason}.{points}"
        if outcome.best is not None:
            return f"{together_in_words(outcome)}{reason}."
        winners = " and ".join(names[seat] for seat in outcome.winners)
        verb = "win" if len(outcome.winners) > 1 else "wins"
        return f"{winners} {verb}{reason}.{points}"

    def called(self, names: Sequence[str]) -> Sequence[str]:
        """Return the name of each seat for a list of players, with its role in the game.

        By default the name alone; a game whose events speak of colours says both: `Ada (Blue)`.
        """
        return names

    def welcome(self) -> str:
        """Return a hint for newcomers, shown before the first prompt of a match; empty for none."""
        return (
            "New here? Type the number of an action or its text; `help` tells what else there is."
        )

    def asked(self, view: S, seat: Seat, names: Sequence[str]) -> str:
        """Return the question to a person who is to act, short: `Choose whom to steal from`.

        Empty for a game without questions of its own: the seat to act is named instead.
        """
        return ""

    def prompt(self, view: S, seat: Seat, names: Sequence[str]) -> str:
        """Return the prompt of a person who is to act, with the blank that follows it.

        By default it is their name, below what they are asked, if that says anything.
        """
        asked, prompt = self.asked(view, seat, names), f"{names[seat]}> "
        return f"{asked}\n{prompt}" if asked else prompt


def together_in_words(outcome: Outcome) -> str:
    """Say how a match ended that all seats won or lost together: `Together 18 of 25`.

    Where there is one point alone it was won or lost: `Everybody wins`.
    """
    if outcome.best == 1 and outcome.points[0] in (0, 1):
        return "Everybody wins" if outcome.winners else "Everybody loses"
    return f"Together {number(outcome.points[0])} of {number(outcome.best or 0)}"


def _points(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a sentence with the points of each seat, if there are any."""
    if not outcome.points:
        return ""
    each = zip(names, outcome.points, strict=True)
    return f" Points: {', '.join(f'{name} {number(own)}' for name, own in each)}."


def describe_event(event: Event, names: Sequence[str]) -> str:
    """Format an event in words, from the name of its class and its fields.

    A field called `seat` comes first, as a name; other fields annotated as holding a `Seat`, or
    several, are written as names as well.
    """
    words = _CAMEL.sub(" ", type(event).__name__).lower()
    fields = format_fields(event, names, owned=True)
    seat = getattr(event, "seat", None)
    who = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
    details = ", ".join(f"{name} {said}" for name, said in fields.items() if name != "seat")
    return f"{who}{words}{f' ({details})' if details else ''}"


def list_actions(
    actions: Sequence[Any], most: int = SHOWN_ACTIONS, *, columns: int = 0, rows: int = 0
) -> str:
    """List actions with the numbers that a person may type instead, from 1.

    Where the text of a shown action is a number itself, the texts alone are listed, in one line.

    Args:
        actions: the legal actions.
        most: the number of actions shown; a line counts the rest.
        columns: the width of a line, for a list that stands in columns where it needs them.
        rows: the lines for the list, beyond which it stands in columns; 0 for any.
    """
    texts = [str(action) for action in actions[:most]]
    if any(text.isdecimal() for text in texts):
        return "possible: " + " ".join(texts) + (" ..." if len(actions) > most else "")
    width = len(str(len(texts)))
    lines = [f"{number:>{width}}  {action}" for number, action in enumerate(texts, 1)]
    rest = []
    if len(actions) > most:
        rest = [f"... and {len(actions) - most} more; type `actions` for all"]
    if 0 < rows < len(lines) + len(rest):
        lines = side_by_side(lines, columns)
    return "\n".join([*lines, *rest])


def actions_that_fit(actions: Sequence[Any], columns: int, rows: int) -> int:
    """Return how many actions `list_actions` can show in so many lines of so many columns."""
    numbers = len(str(len(actions))) + 2
    beside = fit_beside((numbers + width_of(str(action)) for action in actions), columns)
    return len(actions) if len(actions) <= beside * rows else beside * (rows - 1)


def headline(match: AnyMatch) -> str:
    """Return the title of the game and the seed, in a line."""
    title = f"{match.game.title or match.game.name}, seed: {match.seed.text}"
    return printable(title if match.first_state is None else f"{title}, from a given position")


def seed_warning(game: AnyGame, people: int) -> str:
    """Return the warning about the seed of a match; empty where no secret depends on it.

    Args:
        game: the game.
        people: the number of people who play.
    """
    return SEED_TELLS if people > 1 and game.hides_something else ""


# Values in words. Annotations tell seats from numbers: `turn: Seat`.


def format_fields(value: Any, names: Sequence[str], *, owned: bool = False) -> dict[str, str]:
    """Format the fields of an object, or its attributes, as a person would write them down.

    Args:
        value: the object.
        names: the names of the seats.
        owned: whether the object belongs to one seat, as an event does; else a secret with `OWNER`
            has an item for each seat, labelled with its name.

    Returns:
        The text of each field, by its name, in their order.
    """
    kind: Any = type(value)
    parts, secrets = _field_schemas(kind), secrets_of(kind)
    said = {}
    for name, it in _fields(value).items():
        declared, part = secrets.get(name), parts.get(name)
        back = declared.back if declared else _NO_BACK
        if declared and declared.to is OWNER and not owned and isinstance(it, list | tuple):
            items = _item_schemas(it, part)
            rows = [
                _format_value(own, names, item, back) for own, item in zip(it, items, strict=False)
            ]
            said[name] = "; ".join(map("{}: {}".format, names, rows))
        else:
            said[name] = _format_value(it, names, part, back)
    return said


def _format_value(
    value: Any, names: Sequence[str], part: Schema | None = None, back: Any = _NO_BACK
) -> str:
    """Format a value as a person would; `back` is the back of a card that is not seen."""
    if value == back:
        return "hidden"
    if isinstance(value, int) and 0 <= value < len(names) and _may_be_seat(part):
        return names[value]
    if isinstance(value, list | tuple | deque | AbstractSet) and not hasattr(value, "_fields"):
        return _format_items(value, names, part, back)
    if isinstance(value, Mapping):
        held = _member(part, type(value))
        key, item = (held.key, held.value) if isinstance(held, schema.Mapping) else (None, None)
        pairs = (
            (_format_value(k, names, key), _format_value(v, names, item, back))
            for k, v in value.items()
        )
        return ", ".join(f"{k}: {v}" for k, v in pairs) or "-"
    if dataclasses.is_dataclass(value) and type(value).__str__ is object.__str__:
        said = format_fields(value, names, owned=True)
        fields = [it for it in said.items() if getattr(value, it[0]) is not None]
        return f"({', '.join(f'{name} {it}' for name, it in fields)})"
    return _format_word(value)


def _format_word(value: Any) -> str:
    """Format a value without parts, such as a number or a text."""
    if isinstance(value, Enum) and type(value).__str__ is Enum.__str__:
        return value.name.lower().replace("_", " ")
    return "-" if value is None else str(value)


def _format_items(value: Any, names: Sequence[str], part: Schema | None, back: Any) -> str:
    """Format the items of a container in one line; rows are separated by semicolons.

    Adjacent backs are counted: `44 hidden`, `7 (3 hidden) 5`.
    """
    schemas = _item_schemas(value, part)
    texts = []
    pairs = zip(_in_order(value), schemas, strict=True)
    for is_back, run in groupby(pairs, key=lambda pair: bool(pair[0] == back)):
        own = list(run)
        if not is_back:
            texts += [_format_value(item, names, held, back) for item, held in own]
        else:
            hidden = f"{len(own)} hidden"
            texts.append(hidden if len(own) == len(value) else f"({hidden})")
    if any(isinstance(item, list | tuple) for item in value):
        return "; ".join(texts)
    all_seats = all(map(_may_be_seat, schemas))
    return (", " if all_seats else " ").join(texts) or "-"


def _in_order(value: Any) -> Sequence[Any]:
    """Return the items in order; those of a set are sorted."""
    if not isinstance(value, AbstractSet):
        return list(value)
    whole = all(isinstance(item, int) for item in value)
    return sorted(value) if whole else sorted(value, key=str)


def _member(part: Schema | None, kind: type[Any]) -> Schema | None:
    """Return the schema of values of a class, where a schema may be one of several."""
    if not isinstance(part, schema.Union):
        return part
    return next((it for it in part.members if kind in it.classes()), None)


def _may_be_seat(part: Schema | None) -> bool:
    members = part.members if isinstance(part, schema.Union) else (part,)
    return any(it is not None and it.notes == _SEAT.notes for it in members)


def _item_schemas(value: Any, part: Schema | None) -> list[Schema | None]:
    """Return the schema of each item of a container, as far as it is known."""
    held, count = _member(part, type(value)), len(value)
    if isinstance(held, schema.Tuple):
        return [*held.items, *[None] * count][:count]
    return [held.item if isinstance(held, schema.Sequence) else None] * count


@cache
def _field_schemas(kind: type[Any]) -> Mapping[str, Schema]:
    """Return the schemas of a class's fields, as far as its annotations can be resolved."""
    try:
        return fields_of(kind)
    except SchemaError:  # an annotation names something unknown
        own = getattr(kind, "__annotations__", {})
        return {name: _SEAT for name, it in own.items() if it in ("Seat", "Seat | None")}


def _fields(value: Any) -> dict[str, object]:
    if not dataclasses.is_dataclass(value):
        return dict(getattr(value, "__dict__", {}))
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
