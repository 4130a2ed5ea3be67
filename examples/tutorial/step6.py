"""Goats: who sends one goat too many onto the bridge?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from tabletop import (
    ALL,
    NOBODY,
    OWNER,
    Command,
    Commands,
    Event,
    Integer,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    Spelled,
    State,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.parts.cards import deal, deck_of

GOATS = range(1, 7)
HIDDEN = 0
BEARS = Option("bears", 30, "Limit of the weight.", low=10, high=40)


# --8<-- [start:actions]
@dataclass(frozen=True)
class Send(Spelled):
    """Send a goat onto the bridge."""

    goat: int


@dataclass(frozen=True)
class Whistle(Spelled):
    """Hold the goats back, once in a game."""


Action: TypeAlias = Send | Whistle
COMMANDS = Commands(
    Command(
        "send",
        Send,
        Integer("goat", 1, 6),
        help="Send a goat onto the bridge.",
    ),
    Command(
        "whistle",
        Whistle,
        help="Hold your goats back, once in a game.",
    ),
)
# --8<-- [end:actions]


@state
class Bridge(State):
    """The herds, the points, and the goats on the bridge.

    A goat is its weight, 1 to 6.
    """

    herds: list[list[int]] = secret(to=OWNER, back=HIDDEN)
    deck: list[int] = secret(to=NOBODY, back=HIDDEN)
    points: list[int]
    bears: int
    whistles: list[bool]
    load: list[int] = field(default_factory=list[int])
    seat: Seat = 0
    fallen: Seat | None = None


@event
class Broke(Event):
    """The bridge broke under this weight."""

    seat: Seat
    weight: int


@event
class Drawn(Event):
    """A goat has come out of the deck."""

    seat: Seat
    goat: int = secret(to=OWNER, back=HIDDEN)


class Goats(SecretGame[Bridge, Action]):
    """Goats score their weight, unless you break the bridge."""

    name = "goats"
    title = "Goats"
    seats = range(2, 6)
    options = (BEARS,)
    # --8<-- [start:commands]
    commands = COMMANDS
    # --8<-- [end:commands]

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Bridge:
        deck = deck_of(dict.fromkeys(GOATS, 4))
        rng["deck"].shuffle(deck)
        herds = deal(deck, seats, 3)
        # --8<-- [start:setup]
        return Bridge(
            herds,
            deck,
            points=[0] * seats,
            bears=BEARS.of(options),
            whistles=[True] * seats,
        )
        # --8<-- [end:setup]

    def to_act(self, state: Bridge) -> Sequence[Seat]:
        return (state.seat,) if state.fallen is None else ()

    # --8<-- [start:rules]
    def legal_actions(
        self, state: Bridge, seat: Seat
    ) -> Sequence[Action]:
        herd = sorted(set(state.herds[seat]))
        whistle = [Whistle()] if state.whistles[seat] else []
        return [*map(Send, herd), *whistle]

    def why_not(self, state: Bridge, action: Action) -> str:
        if isinstance(action, Whistle):
            return "you have whistled before"
        return f"you have no goat that weighs {action.goat}"

    def apply(
        self, state: Bridge, action: Action, table: Table
    ) -> None:
        seat = state.seat
        if isinstance(action, Whistle):
            state.whistles[seat] = False
        else:
            self.send(state, action.goat, table)
        state.seat = (seat + 1) % len(state.herds)

    def send(self, state: Bridge, goat: int, table: Table) -> None:
        """Send a goat, draw another, and see whether it holds."""
        seat = state.seat
        state.herds[seat].remove(goat)
        state.load.append(goat)
        state.points[seat] += goat
        # --8<-- [end:rules]
        if state.deck:
            drawn = state.deck.pop()
            state.herds[seat].append(drawn)
            table.emit(Drawn(seat, drawn))
        weight = sum(state.load)
        if weight > state.bears:
            state.points[seat] = 0
            state.fallen = seat
            table.emit(Broke(seat, weight))

    def outcome(self, state: Bridge) -> Outcome | None:
        if state.fallen is None:
            return None
        return Outcome.by_score(state.points, "the bridge broke")


# --8<-- [start:text]
class GoatsText(TextView[Bridge]):
    """The bridge in a line, and a line for each herd."""

    verbs: ClassVar = {
        "whistle": "whistles",
        "send": "sends a goat of {}",
    }

    def position(
        self, view: Bridge, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        load = " ".join(map(str, view.load)) or "-"
        weight = f"{sum(view.load)} of {view.bears}"
        lines = [f"On the bridge: {load} ({weight})"]
        for name, herd, points in zip(
            names, view.herds, view.points, strict=True
        ):
            goats = " ".join(str(goat or "?") for goat in sorted(herd))
            lines.append(f"{name}: {points} points; {goats}")
        return "\n".join(lines)

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        match event:
            case Drawn(who, goat):
                what = f"a goat of {goat}" if goat else "a goat"
                return f"{names[who]} draws {what}."
            case Broke(who, weight):
                return f"{weight} is too much! {names[who]} falls."
            case _:
                return super().event(event, names, seat)


# --8<-- [end:text]
# --8<-- [start:names]
GAME = Goats()
RULES = """\
# Goats

A rope bridge carries a weight of 30. On your turn, send a goat of
weight 1 to 6 onto the bridge and draw another goat. Once in a game
you may **whistle** and send none. Goats stay on the bridge, and you
score their weight. If you break the bridge, the game ends and you
score nothing. The most points win.
"""


PLUGIN = Plugin(GAME, text=GoatsText(), rulebook=RULES)
# --8<-- [end:names]
