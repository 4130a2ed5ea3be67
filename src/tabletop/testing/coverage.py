"""The situations of a game that a check has covered.

A check prefers positions with a new situation, and reports the situations that never occurred. A
situation is a kind of action that is legal, a class of events, a phase, or the number of seats to
act. The kind of an action is its text with `#` in place of numbers, as in `buy #`, and of squares
such as `e4`, as in `##q`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Stream
from tabletop.rules.commands import Several
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options, OptionValue
from tabletop.rules.selections import examples, spread
from tabletop.wording import plural

A = TypeVar("A")

_NUMBER: Final = re.compile(r"((?<![a-z])[a-z])?\d+")

_SHOWN: Final = 6  # maximum number of names to list in a line of the coverage report


def kind_of(action: object, game: AnyGame) -> str:
    """Return an action's text with `#` for numbers and squares.

    If the action's command has choices, return the usage of the command instead.
    """
    command = game.commands.command_of(action) if game.commands else None
    if command and any(isinstance(argument, Several) for argument in command.arguments):
        return command.usage
    return _NUMBER.sub("#", str(action))


@dataclass(slots=True)
class ReadOptions(Mapping[str, OptionValue]):
    """The options of a match, which note the names of the options that the rules read."""

    values_by_name: Options
    read: set[str]

    def __getitem__(self, name: str) -> OptionValue:
        self.read.add(name)
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)


@dataclass(slots=True)
class Coverage:
    """The situations in the matches of a check.

    Attributes:
        played: The number of times that each kind of action was played.
        events: The names of the classes of events that were emitted.
        met: The number of positions in the matches played to test pictures.
        drawn: The number of these positions that were drawn.
        bots: The names of the bots that were tested.
        read: The names of the options that `setup` has read.
    """

    played: Counter[str] = field(default_factory=Counter)
    events: set[str] = field(default_factory=set)
    met: int = 0
    drawn: int = 0
    bots: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    _situations: set[object] = field(default_factory=set)
    _legal: dict[str, object] = field(default_factory=dict)

    def is_new(self, match: AnyMatch, events: Iterable[Event], more: Iterable[object] = ()) -> bool:
        """Record the situations of a position, and return whether any of them is new."""
        names = {type(event).__name__ for event in events}
        self.events |= names
        lists = (examples(match.legal_actions(seat)) for seat in match.to_act)
        actions = (action for actions in lists for action in actions)
        legal = {kind_of(action, match.game): action for action in actions}
        self._legal |= {kind: legal[kind] for kind in legal.keys() - self._legal.keys()}
        phases = ((name, value) for name, value in _phases(match.state))
        situations: set[object] = {("seats", len(match.to_act)), *phases, *more}
        situations.update(("event", name) for name in names)
        situations.update(("action", kind) for kind in legal)
        is_new = not situations <= self._situations
        self._situations |= situations
        return is_new

    def choose(self, actions: Sequence[A], stream: Stream, game: AnyGame) -> A:
        """Choose an action of the kind that was played least."""
        actions = spread(actions)
        played = [self.played[kind_of(action, game)] for action in actions]
        least = min(played)
        return stream.choice(
            [it for it, number in zip(actions, played, strict=True) if number == least]
        )

    def lines(self, game: AnyGame, options: Options, bots: Iterable[str]) -> Iterator[str]:
        """Yield a line for each kind of situation that is not covered."""
        seats = game.seats[-1]
        every = game.all_actions(game.resolve_options(options), seats) or ()
        kinds = dict.fromkeys([*self._legal, *(kind_of(action, game) for action in every)])
        yield from _missing("actions never played", kinds, self.played)
        events = _event_classes(game)
        yield from _missing("events never emitted", events, self.events)
        names = [option.name for option in game.options]
        yield from _missing("options never set", names, options)
        yield from _missing("options never read by setup", names, self.read)
        if self.drawn < self.met:
            yield f"drawn: {self.drawn} of {plural(self.met, 'position')}"
        yield from _missing("bots not tested", list(bots), self.bots)


def _missing(what: str, every: Iterable[str], tried: Iterable[str]) -> Iterator[str]:
    tried, every = set(tried), list(every)
    left = [name for name in every if name not in tried]
    if left:
        more = ", ..." if len(left) > _SHOWN else ""
        names = ", ".join(left[:_SHOWN])
        yield f"{what}: {len(left)} of {len(every)} ({names}{more})"


def _phases(state: object) -> Iterator[tuple[str, object]]:
    """Yield the fields of a state that may distinguish phases, with their values."""
    for name in getattr(state, "__dataclass_fields__", ()):
        value: Any = getattr(state, name)
        if isinstance(value, Enum) or name in ("phase", "stage"):
            yield name, str(value)
        elif value is None or isinstance(value, bool):
            yield name, value


def _event_classes(game: AnyGame) -> list[str]:
    """Return the names of the event classes in the modules of a game."""
    top = type(game).__module__.partition(".")[0]
    classes, waiting = list[str](), [*Event.__subclasses__()]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        is_current = getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind
        if is_current and kind.__module__.partition(".")[0] == top:
            classes.append(kind.__name__)
    return sorted(set(classes))
