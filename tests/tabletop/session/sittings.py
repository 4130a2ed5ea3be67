"""People at a table without a server, and a clock that only the test advances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from tabletop import Match, Plugin
from tabletop.match import AnyMatch
from tabletop.protocol import MessageIn, MessageOut, TableSettings
from tabletop.records import HUMAN
from tabletop.session import Session, answer
from tabletop.session.inputs import (
    Ask,
    AskBot,
    BotActs,
    BotChose,
    Close,
    Cut,
    Effect,
    Fault,
    Input,
    Link,
    Open,
    Tick,
    Wants,
)
from tabletop.session.limits import TableLimits
from tabletop.session.match_table import MatchTable
from tabletop.session.presenter import TablePresenter

QUICK = TableLimits(pause=0)
"""Bots do not pause before their moves."""

WORDS = Wants()
ALL_DATA = Wants("wide", data=True)


class Sitting:
    """A table, the screens of its links, and the present time.

    Bots choose as soon as they are asked, unless `bots_think` is set to False.

    Attributes:
        effects: All effects so far.
        now: The time in seconds.
        screens: The number of the last screen that each link has opened.
    """

    def __init__(
        self,
        match: AnyMatch,
        plugin: Plugin,
        players: Iterable[str] = (),
        *,
        seating: Mapping[int, Iterable[int] | None] | None = None,
        limits: TableLimits = QUICK,
        undo: Any = "fair",
        hosted: bool = True,
        left: Sequence[float | None] = (),
        **settings: Any,
    ) -> None:
        names = [*players] or [HUMAN] * match.seats
        self.session = Session(match, plugin, names, undo=undo)
        links = {seat: [seat] for seat, name in enumerate(names) if name == HUMAN}
        self.now = 0.0
        self.table = MatchTable(
            self.session,
            TableSettings(**settings),
            self.now,
            seating=links if seating is None else seating,
            limits=limits,
            clock=left or [settings.get("clock") or settings.get("move_time")] * match.seats,
            hosted=hosted,
            secret=lambda: "secret",
        )
        self.match = match
        self.presenter = TablePresenter(self.table)
        self.bots_think = True
        self.effects: list[Effect] = []
        self.screens: dict[Link, int] = {}
        self._numbers = count(1)

    def receive(self, given: Input) -> None:
        """Pass an input to the table, and let bots choose."""
        effects = self.table.receive(given, self.now)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, AskBot) and self.bots_think:
                self.let_think(effect)

    def let_think(self, asked: AskBot) -> None:
        """Let a bot answer."""
        if asked.resident:
            self.receive(BotActs(asked.number))
        else:
            found = answer(self.table.question(asked.number), self.session.plugin)
            self.receive(BotChose(asked.number, found))

    def open(self, *links: Link, wants: Wants = WORDS) -> None:
        """Open a screen of each link."""
        for link in links:
            self.screens[link] = next(self._numbers)
            self.receive(Open(link, self.screens[link], wants))

    def close(self, link: Link) -> None:
        """Close the screen of a link."""
        self.receive(Close(self.screens.pop(link)))

    def ask(self, link: Link, *messages: MessageIn) -> None:
        """Send messages from the screen of a link."""
        for message in messages:
            self.receive(Ask(self.screens[link], message))

    def wait(self, seconds: float = 0) -> None:
        """Let time pass, with a tick at each deadline."""
        end = self.now + seconds
        while (deadline := self.table.deadline) is not None and deadline <= end:
            assert deadline >= self.now, "a deadline in the past"
            self.now = deadline
            self.receive(Tick())
        self.now = end

    def hear(self, link: Link) -> list[MessageOut]:
        """Return the messages that are due for the screen of a link."""
        return [*self.table.due(self.screens[link], self.presenter, self.now)]

    def told(self, link: Link, kind: type[Any]) -> list[Any]:
        """Return the due messages of one class, and drop the others."""
        return [message for message in self.hear(link) if isinstance(message, kind)]

    @property
    def cuts(self) -> list[Cut]:
        """The screens that were closed."""
        return [effect for effect in self.effects if isinstance(effect, Cut)]

    @property
    def faults(self) -> list[Fault]:
        """The failures for the log."""
        return [effect for effect in self.effects if isinstance(effect, Fault)]


def at_game(plugin: Plugin, players: Iterable[str] = (), **settings: Any) -> Sitting:
    """Return a sitting at a new match of a game, with fixed dice."""
    names = [*players]
    seats = settings.pop("names", None) or len(names) or 2
    options = settings.pop("options", {})
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats, options=options)
    return Sitting(match, plugin, names, **settings)
