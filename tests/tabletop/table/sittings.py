"""People at a table without a server, and a clock that only the test advances."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Self

from tabletop import Match, Plugin
from tabletop.display import Reading, Size
from tabletop.match import AnyMatch, Recorder
from tabletop.protocol import MessageIn, MessageOut, TableSettings, decode, encode
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import ActionFailed, Replaced, answer
from tabletop.table.inputs import (
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
from tabletop.table.limits import TableLimits
from tabletop.table.match_table import MatchTable
from tabletop.table.presenter import TablePresenter

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
        recorder: Recorder | None = None,
        left: Sequence[float | None] = (),
        **settings: Any,
    ) -> None:
        names = [*players] or [HUMAN] * match.seats
        links = {seat: [seat] for seat, name in enumerate(names) if name == HUMAN}
        self.now = 0.0
        self.table = MatchTable(
            match,
            plugin,
            names,
            TableSettings(**settings),
            self.now,
            seating=links if seating is None else seating,
            limits=limits,
            clock=left
            or [TableSettings(**settings).first_time if name == HUMAN else None for name in names],
            hosted=hosted,
            secret=lambda: "secret",
            undo=undo,
            recorder=recorder,
        )
        self.match = match
        self.presenter = TablePresenter(self.table)
        self.bots_think = True
        self.effects: list[Effect] = []
        self.screens: dict[Link, int] = {}
        self._numbers = count(1)
        self._deadline = self.table.deadline  # the time of the timer, as in `TableRunner`

    def receive(self, given: Input) -> None:
        """Pass an input to the table, and let bots choose."""
        effects = self.table.receive(given, self.now)
        self._deadline = self.table.deadline
        self.effects += effects
        for effect in effects:
            if isinstance(effect, AskBot) and self.bots_think:
                self.let_think(effect)

    def let_think(self, asked: AskBot) -> None:
        """Let a bot answer."""
        if asked.resident:
            self.receive(BotActs(asked.number))
        else:
            found = answer(self.table.question(asked.number), self.table.plugin)
            self.receive(BotChose(asked.number, found))

    def open(self, *links: Link, wants: Wants = WORDS) -> None:
        """Open a screen of each link."""
        for link in links:
            self.screens[link] = self.new_screen(link, wants)

    def new_screen(self, link: Link, wants: Wants) -> int:
        """Open a further screen of a link, and return its number."""
        number = next(self._numbers)
        self.receive(Open(link, number, wants))
        return number

    def close(self, link: Link) -> None:
        """Close the screen of a link."""
        self.receive(Close(self.screens.pop(link)))

    def ask(self, link: Link, *messages: MessageIn) -> None:
        """Send messages from the screen of a link."""
        for message in messages:
            self.receive(Ask(self.screens[link], message))

    def step(self) -> bool:
        """Let time pass until the next deadline. Return False if there is none."""
        deadline = self._deadline
        if deadline is None:
            return False
        assert deadline >= self.now, "a deadline in the past"
        self.now = deadline
        self.receive(Tick())
        return True

    def wait(self, seconds: float = 0) -> None:
        """Let time pass, with a tick at each deadline."""
        end = self.now + seconds
        while self._deadline is not None and self._deadline <= end:
            self.step()
        self.now = end

    def due(self, screen: int) -> list[MessageOut]:
        """Return the messages that are due for a screen."""
        messages = [*self.table.due(screen, self.presenter, self.now)]
        self._deadline = self.table.deadline
        return messages

    def hear(self, link: Link) -> list[MessageOut]:
        """Return the messages that are due for the screen of a link."""
        return self.due(self.screens[link])

    def told(self, link: Link, kind: type[Any]) -> list[Any]:
        """Return the due messages of one class, and drop the others."""
        return [message for message in self.hear(link) if isinstance(message, kind)]

    def reading(self, link: Link, size: Size) -> Reading[Any]:
        """Return the reading of the screen of a link."""
        holder = self.table.holders[link]
        screen = holder.screens[self.screens[link]]
        screen.size = size
        return holder.reading(screen)

    @property
    def cuts(self) -> list[Cut]:
        """The screens that were closed."""
        return [effect for effect in self.effects if isinstance(effect, Cut)]

    @property
    def faults(self) -> list[Exception]:
        """The errors of failures for the log."""
        errors: list[Exception] = []
        for effect in self.effects:
            match effect:
                case Fault(error=error) | Replaced(error=error):
                    errors.append(error)
                case ActionFailed(errors=several):
                    errors += several
        return errors


class Person:
    """A screen of a person, who waits for messages while time passes.

    Args:
        sitting: The table.
        link: The link that the person opens.
        hello: The wanted contents of states.

    Attributes:
        heard: All messages so far, as plain data.
    """

    def __init__(self, sitting: Sitting, link: Link, **hello: Any) -> None:
        self.heard: list[dict[str, Any]] = []
        self._sitting = sitting
        self._unread: list[dict[str, Any]] = []
        self._number = sitting.new_screen(link, Wants(**{"picture": "wide", **hello}))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sitting.receive(Close(self._number))

    def say(self, **message: object) -> None:
        """Send a message."""
        self._sitting.receive(Ask(self._number, decode(json.dumps(message))))

    def hear(self) -> dict[str, Any]:
        """Return the next message. If none is due, time passes until the next deadline."""
        while not self._unread:
            due = self._sitting.due(self._number)
            self._unread = [json.loads(encode(message)) for message in due]
            if not self._unread:
                assert self._sitting.step(), "nothing more happens at this table"
        self.heard.append(self._unread.pop(0))
        return self.heard[-1]

    def until(
        self, kind: str, fits: Callable[[dict[str, Any]], object] = lambda told: True
    ) -> dict[str, Any]:
        """Return the next message of a kind that fits."""
        while True:
            told = self.hear()
            if told["type"] == kind and fits(told):
                return told

    def at(self, ply: int) -> dict[str, Any]:
        """Return the next state after so many actions."""
        return self.until("state", lambda told: told["ply"] == ply)

    def last(self, kind: str) -> dict[str, Any]:
        """Return the last message of a kind."""
        return next(told for told in reversed(self.heard) if told["type"] == kind)


def table_of(game: str = "lcr", *, limits: TableLimits = QUICK, **wish: Any) -> Sitting:
    """Return a table as a server opens it for a request with these fields."""
    names, players = wish.pop("names", []), wish.pop("players", [])
    plugin = load(game)
    seats = wish.pop("seats", max(len(names), len(players), min(plugin.game.seats)))
    names = [*names, *(f"Player {seat + 1}" for seat in range(len(names), seats))]
    players = [*players, *[HUMAN] * (seats - len(players))]
    options = wish.pop("options", {})
    match: AnyMatch = Match(
        plugin.game, seed=wish.pop("seed", "old oak"), seats=names, options=options
    )
    undo = "casual" if wish.get("casual") else "fair"
    return Sitting(match, plugin, players, limits=limits, undo=undo, **wish)


def at_game(plugin: Plugin, players: Iterable[str] = (), **settings: Any) -> Sitting:
    """Return a sitting at a new match of a game, with fixed dice."""
    names = [*players]
    seats = settings.pop("names", None) or len(names) or 2
    options = settings.pop("options", {})
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats, options=options)
    return Sitting(match, plugin, names, **settings)
