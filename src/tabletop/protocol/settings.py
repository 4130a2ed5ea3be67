"""The settings of a table: one declaration for the command line, the lobby, files and messages."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from tabletop.states.bounds import Seat

MOST_SEATS: Final = 100
"""The maximum number of seats of a table that is opened in the lobby."""

LONGEST: Final = 10_000_000
"""The maximum of a time, in seconds."""

IDLE_TIMEOUT: Final = 300.0
"""The default idle timeout without clocks, in seconds."""

Time: TypeAlias = Annotated[float, Meta(ge=1, le=LONGEST)]
IdleTime: TypeAlias = Annotated[float, Meta(ge=10, le=LONGEST)]
Increment: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]
OpenSeat: TypeAlias = Annotated[Seat, Meta(ge=0, lt=MOST_SEATS)]


class TableSettings(Struct, frozen=True, kw_only=True):
    """The settings of a table. Times are in seconds.

    Attributes:
        casual: Allow players to undo any action, even after a draw or a revealed secret.
        open: The seats, counted from 0, that anyone in the lobby may take while they are free.
        chat: Allow players to chat.
        clock: Time of each player for the whole match. None for no such limit.
        increment: Time added to a player's clock with each action. It needs `clock`.
        move_time: Time of each player for each action. It cannot be combined with `clock`. None for
            no such limit.
        no_hints: Refuse hints of bots.
        bot_on_time: Let a bot take over from a player whose time has run out, who loses otherwise.
        idle_timeout: Idle time after which the other players may replace a player with a bot. None
            for never. By default 300, or never with a time limit.
    """

    casual: bool = False
    open: Annotated[tuple[OpenSeat, ...], Meta(max_length=MOST_SEATS)] = ()
    chat: bool = True
    clock: Time | None = None
    increment: Increment = 0
    move_time: Time | None = None
    no_hints: bool = False
    bot_on_time: bool = False
    idle_timeout: IdleTime | UnsetType | None = UNSET

    def __post_init__(self) -> None:
        """Raise a `ValueError` if two settings exclude each other."""
        if self.clock is not None and self.move_time is not None:
            raise ValueError("move_time: cannot be combined with a clock for the whole match")
        if self.increment and self.clock is None:
            raise ValueError("increment: needs a clock for the whole match")

    @property
    def first_time(self) -> float | None:
        """The time on a player's clock at the start, or None without clocks."""
        return self.clock if self.move_time is None else self.move_time

    def resolved(self, *, can_chat: bool = True) -> TableSettings:
        """Return the settings with the default of the idle timeout filled in.

        Args:
            can_chat: False turns chat off, for a table whose people have nobody to write to.
        """
        timeout = self.idle_timeout
        if isinstance(timeout, UnsetType):
            timeout = IDLE_TIMEOUT if self.first_time is None else None
        return replace(self, idle_timeout=timeout, chat=self.chat and can_chat)
