"""The exceptions of `tabletop`.

```text
TabletopError
├── SeedError          invalid seed, stream name, or bounds of a draw
├── OptionError        unknown option, or a wrong type or range
├── StateError         impossible initial state
├── CommandError       a typed line cannot be parsed
├── IllegalAction      action not allowed now, state unchanged
│   ├── NotAnAction          not an action of this game
│   ├── MatchOver            the match has ended
│   ├── NotYourTurn          the seat is not to act
│   ├── OutOfDate            a reply to an earlier position
│   └── NotPermitted         not allowed for this player or table
├── ContractError      the rules broke the contract of `Game`
├── EndOfInput         no more input from a player or script
├── UsageError         invalid command-line argument
├── RegistryError      game not found, or not a game
├── MissingExtra       optional library not installed
├── ScoresError        scores cannot be stored or read
└── RecordError        record cannot be written, read or replayed
    ├── RecordInUse          another program is writing it
    ├── RecordLost           the file is gone or not writable
    ├── RecordVersionError   other rules, or a newer format
    └── RecordMismatch       replays differently with these rules
```

Programs print the message of each of these errors on one line, without a traceback.
"""

from __future__ import annotations

from typing import Any, TypeVar

E = TypeVar("E", bound=Exception)


class TabletopError(Exception):
    """Base class of all exceptions of `tabletop`. The exceptions can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self.args), vars(self)


def remade(kind: type[E], arguments: tuple[Any, ...]) -> E:
    """Rebuild a pickled error without calling its `__init__`, whose arguments may differ."""
    return kind.__new__(kind, *arguments)


class SeedError(TabletopError, ValueError):
    """A seed, a stream name, or the bounds of a draw are invalid."""


class OptionError(TabletopError, ValueError):
    """An option of a game is unknown, has the wrong type, or is out of range."""


class StateError(TabletopError, ValueError):
    """A match cannot start from the given state."""


class CommandError(TabletopError, ValueError):
    """A typed line could not be parsed.

    Attributes:
        line: The line as it was typed.
        place: The position of the wrong word, starting at 1, or 0 for the whole line.
        suggests: Whether the message already contains a suggestion.
    """

    def __init__(
        self, message: str, *, line: str = "", place: int = 0, suggests: bool = False
    ) -> None:
        super().__init__(message)
        self.line = line
        self.place = place
        self.suggests = suggests


class IllegalAction(TabletopError, ValueError):
    """An action is not allowed now. The state is unchanged.

    In `Game.check`, raise this error with only the reason as its argument. The match sets the
    attributes.

    Attributes:
        action: The refused action, or None if no match refused it.
        seat: The seat that tried the action, or None if unknown.
    """

    def __init__(self, reason: str, *, action: object = None, seat: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.action = action
        self.seat = seat


class NotAnAction(IllegalAction):
    """A value is not an action of this game. The state is unchanged."""


class MatchOver(IllegalAction):
    """The match has ended, so nobody can act.

    At a table that reveals the seed after the match, an undo raises this error too.
    """

    def __init__(
        self,
        reason: str = "the match is over",
        *,
        action: object = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(reason, action=action, seat=seat)


class NotYourTurn(IllegalAction):
    """It is not the turn of this seat, or of any seat of the client."""


class OutOfDate(IllegalAction):
    """The request refers to an earlier position, or to a question that is already answered."""


class NotPermitted(IllegalAction):
    """The table does not allow the request at all, or not from this player, such as a spectator."""


class ContractError(TabletopError):
    """The rules of a game broke the contract of `Game`.

    `__cause__` is the exception that the rules raised, if any.

    Attributes:
        ply: The number of the action that failed, starting at 1, or 0 if the rules failed outside
            of an action.
    """

    def __init__(self, message: str, *, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


class EndOfInput(TabletopError, EOFError):
    """A player's input or script has ended."""

    def __init__(self, message: str = "input has ended") -> None:
        super().__init__(message)


class UsageError(TabletopError):
    """A command-line argument is invalid."""


class RegistryError(TabletopError, LookupError):
    """A game cannot be found, or the object with that name is not a game."""


class MissingExtra(TabletopError, ImportError):
    """An optional library is not installed. The message names the extra that installs it."""


class ScoresError(TabletopError, ValueError):
    """Scores cannot be stored or read, or a record cannot be imported."""


class RecordError(TabletopError, ValueError):
    """A record cannot be written, read or replayed.

    Attributes:
        line: The number of the wrong line, starting at 1, or 0 for the whole file.
    """

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class RecordInUse(RecordError):
    """Another program is writing the record. The message names that program."""


class RecordLost(RecordError):
    """The file of a record is gone or can no longer be written.

    The match undoes the unwritten action and can continue with another file. See
    `tabletop.records.Journal.move`.
    """


class RecordVersionError(RecordError):
    """A record was written by a different version of the rules, or in a newer format."""


class RecordMismatch(RecordError):
    """A record replays differently with the current rules."""
