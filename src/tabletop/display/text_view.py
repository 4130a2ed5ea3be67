"""The text view of a match for terminals, with defaults that work for every game.

A game with better wording derives from `TextView` and overrides its methods.
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
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from tabletop.errors import ContractError
from tabletop.host.screen_text import printable
from tabletop.rules.concessions import loss_in_words
from tabletop.rules.events import (
    ALL,
    ActionPlayed,
    ActionsUndone,
    Conceded,
    Event,
    MatchEnded,
    Watcher,
)
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.states import schema
from tabletop.states.bounds import Seat
from tabletop.states.schema import Schema, fields_of, schema_of
from tabletop.states.states import State
from tabletop.states.type_hints import SchemaError
from tabletop.states.visibility import OWNER, secrets_of
from tabletop.text_layout import fit_beside, side_by_side
from tabletop.wording import join_words, number, plural, width_of

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch

S = TypeVar("S", bound=State)

SHOWN_ACTIONS = 40
"""Maximum number of legal actions to list for a player. The rest are only counted."""

SEED_TELLS: Final = (
    "The seed and the record of this match reveal its secrets, so"
    " do not look at them until the match has ended."
)
"""Warning about the seed, for games with hidden information and several human players."""

_SEAT: Final = schema_of(Seat)
_NO_BACK: Final = object()
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class TextView(Generic[S]):
    """Formats the position, the events and the outcome of a match as plain text.

    Override methods to give a game better wording, and pass an instance to the `Plugin`:
    `text=Words()`. Texts do not end with a newline. Methods must not change their arguments, which
    are:

    - `view`: The view of the reader; see `Game.view`.
    - `event`: An event in the form for the reader; see `Game.view_event`.
    - `names`: The name of each seat.
    - `seat`: The reader: a seat, None for a spectator, or `tabletop.ALL` for a reader who may see
      everything. Use it only for the point of view ("your hand"), because `view` and `event`
      already hide the secrets of other seats.

    >>> from tabletop import ActionPlayed
    >>> class Words(TextView):
    ...     def asked(self, view, seat, names):
    ...         return "Choose a goat"
    >>> Words().event(ActionPlayed(1, 0, "goat 6"), ["Ann", "Bo"])
    'Ann: goat 6'

    Attributes:
        verbs: The log's phrase for the first word of an action's label, where `{}` is the rest of
            the label: `{"lay": "lays {}", "draw": "draws a card"}` turns `lay elm 7` into "Ann lays
            elm 7." `{target}` is a field of the action, with the names of seats. Items of a list
            are joined as in a sentence, for `{}`, too: "elm, oak and yew". An empty phrase leaves
            the action out of the log. The phrase for "" applies to all other actions, with the
            whole label. If it is empty, hidden actions are left out, too. Events have phrases by
            the names of their classes: `{"CardDrawn": "draws {card}"}`, or "draws a card" if the
            card is hidden. An event without a field `seat` has a phrase without a name in front:
            `{"Dawn": "It is day {day}"}`.
    """

    verbs: ClassVar[Mapping[str, str]] = {}

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the position: `str(view)` if it defines `__str__`, or else one field per line.

        Fields annotated with `Seat` are formatted as the names of the seats.
        """
        if type(view).__str__ is not object.__str__:
            return str(view)
        fields = format_fields(view, names)
        width = max(map(len, fields), default=0)
        return "\n".join(f"{name:<{width}}  {words}" for name, words in fields.items())

    def narrow_position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the position for a screen of 80 columns.

        By default, the same as `position`. A server uses this text for browsers and terminals of
        any size.
        """
        return self.position(view, names, seat)

    def plain_position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the position for a language model. By default, the same as `narrow_position`.

        Override this method for a shorter text, because each turn of a model repeats it.
        """
        return self.narrow_position(view, names, seat)

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format an event as one or more lines, or return "" to leave it out.

        To describe an action with the positions before and after it, use `ActionPlayed.before` and
        `ActionPlayed.after`.
        """
        if isinstance(event, ActionPlayed):
            return self._action_played(event, names)
        if isinstance(event, ActionsUndone):
            return f"{plural(event.count, 'action')} undone"
        if isinstance(event, Conceded):
            return f"{loss_in_words(names[event.seat], event.reason)}."
        if isinstance(event, MatchEnded):
            return self.outcome(event.outcome, names)
        if type(event).__name__ in self.verbs:
            seat = getattr(event, "seat", None)
            return self._sentence(type(event).__name__, "", seat, event, names)
        return describe_event(event, names)

    def _action_played(self, event: ActionPlayed, names: Sequence[str]) -> str:
        if event.action is None:
            return f"{names[event.seat]} has chosen." if self.verbs.get("") != "" else ""
        view = event.before
        words = str(event.action) if view is None else self.label(event.action, view)
        words = self._action_in_words(event.action, words, names)
        verb, _, rest = words.partition(" ")
        if verb not in self.verbs:
            verb, rest = "", words
        if verb not in self.verbs:
            return f"{names[event.seat]}: {words}"
        return self._sentence(verb, rest or "nothing", event.seat, event.action, names)

    def _sentence(
        self, verb: str, rest: str, seat: Seat | None, value: Any, names: Sequence[str]
    ) -> str:
        """Return a phrase of `verbs` as a sentence about an action or event of a seat."""
        if not self.verbs[verb]:
            return ""
        texts = format_fields(value, names, owned=True, joined="and")
        if rest:  # the items of an action, which its label does not join as in a sentence
            plain = format_fields(value, names, owned=True).items()
            rest = next((texts[name] for name, text in plain if text == rest), rest)
        fields = {name: _in_phrase(name, text) for name, text in texts.items()}
        try:
            phrase = self.verbs[verb].format(rest, **fields)
        except (LookupError, ValueError) as error:
            usable = join_words(["{}", *map("{{{}}}".format, fields)], "and")
            raise ContractError(
                f"{type(self).__name__}.verbs[{verb!r}] is {self.verbs[verb]!r}, but a"
                f" {type(value).__name__} has only {usable}: {error}"
            ) from error
        return f"{'' if seat is None else names[seat]} {phrase}.".lstrip() if phrase else ""

    def label(self, action: Any, view: S) -> str:
        """Return the words of an action in a position, such as `Nf3` for `g1f3`.

        Lists, the log and buttons show these words (see `Picture.label`). By default, the words
        are the text of the action. Players may type the label of a legal action, without the signs
        `x = + # ! ?` and in any letter case if only one label matches. For an action that is not
        legal, the label helps to find the reason from `Game.why_not`, and the method may fail.
        """
        return str(action)

    def parse(self, match: AnyMatch, line: str, seat: Seat | None = None) -> Any:
        """Return the action that a line means, which may be the label or number of an action.

        See `Match.parse` for the arguments and errors.
        """
        if type(self).label is TextView.label:
            return match.parse(line, seat, numbered=True)
        view = match.view(match.to_act[0] if seat is None and match.to_act else seat)
        return match.parse(line, seat, label=lambda action: self.label(action, view), numbered=True)

    def _action_in_words(self, action: Any, words: str, names: Sequence[str]) -> str:
        """Return the words of an action for the log, from its label."""
        return words

    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        """Return the heading to show in the log above an event, or None (the default).

        The log does not repeat a heading until a different one follows. If the heading is the same
        as the line of the event, the line is omitted.

        Returns:
            The seat whose turn begins, and the text, such as `(1, "Bo's turn.")`.
        """
        return None

    def pause(self, event: Event) -> float:
        """Return the number of seconds that bots wait after an event. By default, 0.

        For example, `1.5 * isinstance(event, TrickTaken)` leaves time to see a complete trick
        before the next card is led. There is no pause in simulations, replays and piped programs.
        """
        return 0

    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        """Format the outcome on one line: the winner, the reason, and the points of each seat."""
        reason = f" ({outcome.reason})" if outcome.reason else ""
        points = _points(outcome, names)
        if outcome.abandoned:
            return f"Abandoned{reason}.{points}"
        if outcome.is_draw:
            return f"A draw{reason}.{points}"
        if outcome.best is not None:
            return f"{together_in_words(outcome)}{reason}."
        winners = join_words([names[seat] for seat in outcome.winners], "and")
        factions = {outcome.factions[seat] for seat in outcome.winners if outcome.factions}
        if len(factions) == 1:
            winners += f" ({factions.pop()})"
        verb = "win" if len(outcome.winners) > 1 else "wins"
        return f"{winners} {verb}{reason}.{points}"

    def called(self, names: Sequence[str]) -> Sequence[str]:
        """Return the name to show for each seat in a list of players. By default, the plain names.

        A game whose events mention colours or roles should add them to the name: `Ada (Blue)`.
        """
        return names

    def glossary(self, view: S, seat: Watcher = ALL) -> Mapping[str, str]:
        """Return the rules text of cards, roles or other words, for `help WORD` at a terminal.

        Empty by default. `CardText` returns the texts of the cards and buttons on its table.
        """
        return {}

    def welcome(self) -> str:
        """Return a hint for newcomers to show before the first prompt of a match, or ""."""
        return "New here? Type the number of an action or its text. `help` lists all commands."

    def asked(self, view: S, seat: Seat, names: Sequence[str]) -> str:
        """Return a short question to the player who is to act, such as `Choose whom to steal from`.

        A terminal shows it above the legal actions. Empty by default.
        """
        return ""

    def prompt(self, view: S, seat: Seat, names: Sequence[str]) -> str:
        """Return the prompt for the player to act, including the trailing space.

        By default, this is the player's name.
        """
        return f"{names[seat]}> "


def usable_label(text: TextView[S], action: Any, view: S) -> str:
    """Return the label of an action, or its text if the text view fails."""
    try:
        return text.label(action, view)
    except Exception:  # `check_words` reports the error
        return str(action)


def together_in_words(outcome: Outcome) -> str:
    """Describe the outcome of a cooperative match: `Together 18 of 25`.

    If the best score is 1, the match was simply won or lost: `Everybody wins`.
    """
    if outcome.best == 1 and outcome.points[0] in (0, 1):
        return "Everybody wins" if outcome.winners else "Everybody loses"
    return f"Together {number(outcome.points[0])} of {number(outcome.best or 0)}"


def _points(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a sentence with the points of each seat, or an empty string if there are no points."""
    if not outcome.points:
        return ""
    each = zip(names, outcome.points, strict=True)
    return f" Points: {', '.join(f'{name} {number(points)}' for name, points in each)}."


def describe_event(event: Event, names: Sequence[str]) -> str:
    """Describe an event by the name of its class and its fields.

    A field `seat` comes first, as the name of the seat. Other fields annotated with `Seat` are
    formatted as names, too.
    """
    words = _CAMEL.sub(" ", type(event).__name__).lower()
    fields = format_fields(event, names, owned=True)
    seat = getattr(event, "seat", None)
    actor = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
    details = ", ".join(f"{name} {value}" for name, value in fields.items() if name != "seat")
    return f"{actor}{words}{f' ({details})' if details else ''}"


def list_actions(
    actions: Sequence[Any],
    most: int = SHOWN_ACTIONS,
    *,
    columns: int = 0,
    rows: int = 0,
    more: Sequence[str] = (),
) -> str:
    """List actions with numbers that a player may type instead, starting at 1.

    If the text of a listed action is itself a number, the texts are listed on one line without
    numbers.

    Args:
        most: Maximum number of actions to list. A final line counts the rest.
        columns: The width of a line, for a list in columns.
        rows: The maximum number of lines for a plain list. A longer list is formatted in columns. 0
            means no limit.
        more: Lines below the list, which also count as rows.
    """
    texts = [str(action) for action in actions[:most]]
    if any(text.isdecimal() for text in texts):
        listed = "possible: " + " ".join(texts) + (" ..." if len(actions) > most else "")
        return "\n".join([listed, *more])
    width = len(str(len(texts)))
    lines = [f"{number:>{width}}  {action}" for number, action in enumerate(texts, 1)]
    rest = [*more]
    if len(actions) > most:
        rest = [f"... and {len(actions) - most} more (type `actions` for all)", *more]
    if 0 < rows < len(lines) + len(rest):
        lines = side_by_side(lines, columns)
    return "\n".join([*lines, *rest])


def actions_that_fit(actions: Sequence[Any], columns: int, rows: int) -> int:
    """Return the number of actions that `list_actions` can show in `rows` lines."""
    numbers = len(str(len(actions))) + 2
    beside = fit_beside((numbers + width_of(str(action)) for action in actions), columns)
    return len(actions) if len(actions) <= beside * rows else beside * (rows - 1)


def headline(match: AnyMatch) -> str:
    """Return the first line of a match: the game's title and the seed."""
    title = f"{match.game.title or match.game.name}, seed: {match.seed.text}"
    return printable(title if match.first_state is None else f"{title}, from a given position")


def seed_warning(game: AnyGame, people: int) -> str:
    """Return the warning about the seed of a match, or "" if none is needed.

    Args:
        game: The game.
        people: The number of human players.
    """
    return SEED_TELLS if people > 1 and game.hides_something else ""


# Values as text. The annotation `Seat` distinguishes seats from other numbers.


def format_fields(
    value: Any, names: Sequence[str], *, owned: bool = False, joined: str = ""
) -> dict[str, str]:
    """Format the fields or attributes of an object as text.

    Args:
        owned: Whether the object belongs to one seat, as an event does. If not, a secret field with
            `OWNER` has one item per seat, each labelled with the name of its seat.
        joined: The word before the last item of a list in a sentence, such as "and". By default,
            lists have only spaces or commas between their items.

    Returns:
        The text of each field by its name, in the order of the fields.
    """
    kind: Any = type(value)
    parts, secrets = _field_schemas(kind), secrets_of(kind)
    texts = {}
    for name, content in _fields(value).items():
        declared, part = secrets.get(name), parts.get(name)
        back = declared.back if declared else _NO_BACK
        if declared and declared.to is OWNER and not owned and isinstance(content, list | tuple):
            items = _item_schemas(content, part)
            rows = [
                _format_value(secret, names, item, back)
                for secret, item in zip(content, items, strict=False)
            ]
            texts[name] = "; ".join(map("{}: {}".format, names, rows))
        else:
            texts[name] = _format_value(content, names, part, back, joined)
    return texts


def seats_in(action: Any) -> list[Seat]:
    """Return the seats in the fields of an action that are annotated with `Seat`, except `seat`."""
    kind: Any = type(action)
    seats = list[Seat]()
    for name, part in _field_schemas(kind).items():
        value = getattr(action, name)
        several = isinstance(value, list | tuple)
        items, parts = (value, _item_schemas(value, part)) if several else ([value], [part])
        pairs = zip(items, parts, strict=True) if name != "seat" else ()
        seats += [it for it, held in pairs if isinstance(it, int) and _may_be_seat(held)]
    return seats


def _in_phrase(name: str, text: str) -> str:
    """Return the text of a field in a sentence: `a card` if it is hidden, or `2 cards`."""
    count, _, rest = text.partition(" ")
    if rest == "hidden" and count.isdecimal():
        return plural(int(count), name.removesuffix("s"))
    return f"a {name}" if text == "hidden" else text


def _format_value(
    value: Any,
    names: Sequence[str],
    part: Schema | None = None,
    back: Any = _NO_BACK,
    joined: str = "",
) -> str:
    """Format a value. `back` is the back of a hidden card."""
    if value == back:
        return "hidden"
    if isinstance(value, int) and 0 <= value < len(names) and _may_be_seat(part):
        return names[value]
    if isinstance(value, list | tuple | deque | AbstractSet) and not hasattr(value, "_fields"):
        return _format_items(value, names, part, back, joined)
    if isinstance(value, Mapping):
        held = _member(part, type(value))
        key, item = (held.key, held.value) if isinstance(held, schema.Mapping) else (None, None)
        pairs = (
            (_format_value(k, names, key), _format_value(v, names, item, back))
            for k, v in value.items()
        )
        return ", ".join(f"{k}: {v}" for k, v in pairs) or "-"
    if dataclasses.is_dataclass(value) and type(value).__str__ is object.__str__:
        texts = format_fields(value, names, owned=True)
        fields = [field for field in texts.items() if getattr(value, field[0]) is not None]
        return f"({', '.join(f'{name} {words}' for name, words in fields)})"
    return _format_word(value)


def _format_word(value: Any) -> str:
    """Format a single value, such as a number or a string."""
    if isinstance(value, Enum) and type(value).__str__ is Enum.__str__:
        return value.name.lower().replace("_", " ")
    return "-" if value is None else str(value)


def _format_items(
    value: Any, names: Sequence[str], part: Schema | None, back: Any, joined: str
) -> str:
    """Format the items of a container on one line. Rows are separated by semicolons.

    Adjacent backs are counted: `44 hidden`, `7 (3 hidden) 5`.
    """
    schemas = _item_schemas(value, part)
    texts = []
    pairs = zip(_in_order(value), schemas, strict=True)
    for is_back, run in groupby(pairs, key=lambda pair: bool(pair[0] == back)):
        items = list(run)
        if not is_back:
            texts += [_format_value(item, names, held, back) for item, held in items]
        else:
            hidden = f"{len(items)} hidden"
            texts.append(hidden if len(items) == len(value) else f"({hidden})")
    if joined:
        return join_words(texts, joined) or "nothing"
    if any(isinstance(item, list | tuple) for item in value):
        return "; ".join(texts)
    all_seats = all(map(_may_be_seat, schemas))
    return (", " if all_seats else " ").join(texts) or "-"


def _in_order(value: Any) -> Sequence[Any]:
    """Return the items in order. The items of a set are sorted."""
    if not isinstance(value, AbstractSet):
        return list(value)
    whole = all(isinstance(item, int) for item in value)
    return sorted(value) if whole else sorted(value, key=str)


def _member(part: Schema | None, kind: type[Any]) -> Schema | None:
    """Return the member of a union that describes values of a class."""
    if not isinstance(part, schema.Union):
        return part
    return next((member for member in part.members if kind in member.classes()), None)


def _may_be_seat(part: Schema | None) -> bool:
    members = part.members if isinstance(part, schema.Union) else (part,)
    return any(member is not None and member.notes == _SEAT.notes for member in members)


def _item_schemas(value: Any, part: Schema | None) -> list[Schema | None]:
    """Return the schema of each item of a container, or None for an unknown schema."""
    held, count = _member(part, type(value)), len(value)
    if isinstance(held, schema.Tuple):
        return [*held.items, *[None] * count][:count]
    return [held.item if isinstance(held, schema.Sequence) else None] * count


@cache
def _field_schemas(kind: type[Any]) -> Mapping[str, Schema]:
    """Return the schemas of a class's fields, as far as its annotations can be resolved."""
    try:
        return fields_of(kind)
    except SchemaError:  # an annotation contains an unknown name
        hints = getattr(kind, "__annotations__", {})
        return {name: _SEAT for name, hint in hints.items() if hint in ("Seat", "Seat | None")}


def _fields(value: Any) -> dict[str, object]:
    if not dataclasses.is_dataclass(value):
        return dict(getattr(value, "__dict__", {}))
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
