"""All errors that `tabletop` raises on purpose.

```text
TabletopError
├── SeedError          a name or number that no stream can be made from
├── OptionError        an option: unknown, of a wrong kind, out of range
├── StateError         a state that no match of the game can begin from
├── CommandError       a line not understood; says what was meant
├── IllegalAction      not allowed now; says why; nothing has changed
│   ├── NotAnAction          no action of the game at all
│   ├── MatchOver            the match is over
│   ├── NotYourTurn          the seat is not to act now
│   ├── OutOfDate            an answer to what has passed
│   └── NotPermitted         not at this table, or not by whoever asks
├── ContractError      the rules broke the contract of `Game`
├── EndOfInput         a human's input has ended
├── UsageError         an argument of a program makes no sense
├── RegistryError      a game that cannot be found or loaded
├── MissingExtra       a library that an extra brings is not installed
├── ScoresError        scores that cannot be kept or read
└── RecordError        a record that cannot be written, read, replayed
    ├── RecordInUse          another program is writing it
    ├── RecordLost           its file is gone, or takes no more lines
    ├── RecordVersionError   made by other rules or by a newer format
    └── RecordMismatch       replays differently with the present rules
```

Programs show the message of any of these on one line; none of them needs a traceback.
"""

from __future__ import annotations

from typing import Any, TypeVar

E = TypeVar("E", bound=Exception)


class TabletopError(Exception):
    """The base of all errors that `tabletop` raises on purpose. All can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self.args), vars(self)


def remade(kind: type[E], arguments: tuple[Any, ...]) -> E:
    """Rebuild a pickled error without calling its `__init__`, whose arguments may differ."""
    return kind.__new__(kind, *arguments)


class SeedError(TabletopError, ValueError):
    """A seed, the name of a stream, or the bounds of a draw make no sense."""


class OptionError(TabletopError, ValueError):
    """An option of a game is unknown, of the wrong kind, or out of its range."""


class StateError(TabletopError, ValueError):
    """A match cannot begin from the state that was given."""


class CommandError(TabletopError, ValueError):
    """A line was not understood.

    Attributes:
        line: the line as it was given.
        place: the number of the wrong word, from 1; 0 for the line as a whole.
        suggests: whether the message says already what was probably meant.
    """

    def __init__(
        self, message: str, *, line: str = "", place: int = 0, suggests: bool = False
    ) -> None:
        super().__init__(message)
        self.line = line
        self.place = place
        self.suggests = suggests


class IllegalAction(TabletopError, ValueError):
    """An action was understood, but is not allowed now. Nothing has changed.

    Rules raise it from `Game.check` with the reason alone; the match fills in the rest.

    Attributes:
        action: the refused action, when a match refused it.
        seat: the seat that tried it, when it is known.
    """

    def __init__(self, reason: str, *, action: object = None, seat: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.action = action
        self.seat = seat


class NotAnAction(IllegalAction):
    """The given value is not an action of this game. Nothing has changed."""


class MatchOver(IllegalAction):
    """The match is over: nobody is to act, and nothing is taken back where the seed is told."""

    def __init__(
        self,
        reason: str = "the match is over",
        *,
        action: object = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(reason, action=action, seat=seat)


class NotYourTurn(IllegalAction):
    """A seat is not to act now, or of those who ask nobody is."""


class OutOfDate(IllegalAction):
    """It answers an earlier position, or a question that nobody asks any more."""


class NotPermitted(IllegalAction):
    """This table does not allow it, or not to whoever asks, such as a spectator."""


class ContractError(TabletopError):
    """The rules of a game broke the contract that `Game` states.

    Attributes:
        ply: the number of the action on which the rules failed in a match, from 1; `__cause__` is
            what they raised. 0 where something else is broken.
    """

    def __init__(self, message: str, *, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


class EndOfInput(TabletopError, EOFError):
    """The input of a person, or the script of a player, has ended."""


class UsageError(TabletopError):
    """A program was used wrongly: an argument makes no sense."""


class RegistryError(TabletopError, LookupError):
    """A game cannot be found, or the object found is no game."""


class MissingExtra(TabletopError, ImportError):
    """A library that an extra brings is not installed; says how it is."""


class ScoresError(TabletopError, ValueError):
    """Scores cannot be written or read, or a record cannot be imported into them."""


class RecordError(TabletopError, ValueError):
    """A record cannot be written, read, or replayed.

    Attributes:
        line: the number of the wrong line, from 1; 0 for the file as a whole.
    """

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class RecordInUse(RecordError):
    """A record is being written by another program; says which."""


class RecordLost(RecordError):
    """The file of a record is gone or takes no more lines; the match can go on in another one.

    The unwritten move is taken back: the match has not changed. See
    `tabletop.records.Journal.move`.
    """


class RecordVersionError(RecordError):
    """A record was made by another version of the rules, or by a newer format."""


class RecordMismatch(RecordError):
    """A record replays differently with the present rules."""
