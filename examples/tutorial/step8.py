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
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import (
    Box,
    Column,
    Flow,
    Label,
    Panel,
    Part,
    Picture,
    Row,
    Scene,
    Stack,
    TextView,
    turn_in_words,
)
from tabletop.parts.cards import deal, deck_of

GOATS = range(1, 7)
HIDDEN = 0
BEARS = Option("bears", 30, "Limit of the weight.", low=10, high=40)


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
    commands = COMMANDS

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Bridge:
        deck = deck_of(dict.fromkeys(GOATS, 4))
        rng["deck"].shuffle(deck)
        herds = deal(deck, seats, 3)
        return Bridge(
            herds,
            deck,
            points=[0] * seats,
            bears=BEARS.of(options),
            whistles=[True] * seats,
        )

    def to_act(self, state: Bridge) -> Sequence[Seat]:
        return (state.seat,) if state.fallen is None else ()

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


class GoatsPicture(Picture[Bridge]):
    """The bridge at the top and the herds below, as cards."""

    def draw(self, view: Bridge, scene: Scene) -> str:
        rows = [
            herd_row(view, scene, seat)
            for seat in range(len(view.herds))
        ]
        own = Flow(*own_goats(view, scene), gap=10, anchor="start")
        tree = Column(
            Label(turn_in_words(scene), 20, bold=True),
            bridge(view),
            *rows,
            own,
            gap=12,
        )
        label = "A rope bridge with goats"
        return self.lay_out(
            scene, tree, label=label, wide=(390, 0), pad=20
        )

    def path(
        self, action: Action, view: Bridge, seat: Seat
    ) -> Sequence[str]:
        if isinstance(action, Whistle):
            return ("whistle",)
        return (f"goat-{action.goat}",)

    def attempt(self, part: str, view: Bridge, seat: Seat) -> str:
        return part.replace("goat-", "send ")


def bridge(view: Bridge) -> Box:
    """Return planks whose lengths are the weights of goats."""
    goats: list[Box] = []
    before = 0
    for goat in view.load:
        before += goat
        words = Label(str(goat), 16, anchor="middle", weight=1)
        plank = Stack(Panel("tt-wood", 4), words, height=30)
        drop = Box(height=30 if before > view.bears else 0)
        goats.append(Column(drop, plank, anchor="start", weight=goat))
    left = view.bears - before
    goats.append(Box(weight=max(0, left)))
    rope = Panel("tt-wood-deep", weight=view.bears)
    ropes = Row(rope, Box(weight=max(0, -left)))
    below = Column(
        Box(height=32), Stack(ropes, height=8), anchor="start"
    )
    return Stack(below, Row(*goats, gap=2))


def herd_row(view: Bridge, scene: Scene, seat: Seat) -> Box:
    """Return a name, the points, and how many goats are left."""
    points, goats = view.points[seat], len(view.herds[seat])
    words = f"{scene.names[seat]}: {points} points, {goats} goats"
    return Label(words, 16)


def own_goats(view: Bridge, scene: Scene) -> list[Box]:
    """Return the viewer's goats, equal ones as one, and a whistle."""
    if not isinstance(scene.seat, int):
        return []
    herd = view.herds[scene.seat]
    cards: list[Box] = []
    for goat in sorted(set(herd)):
        count = herd.count(goat)
        words = f"{goat}" if count == 1 else f"{goat} x{count}"
        label = f"A goat of {goat}"
        cards.append(card(scene, f"goat-{goat}", words, label))
    if view.whistles[scene.seat]:
        cards.append(card(scene, "whistle", "whistle", "Whistle"))
    return cards


def card(scene: Scene, name: str, words: str, label: str) -> Box:
    """Return a card that can be clicked."""
    paper = Panel("tt-card", 8)
    text = Label(words, 22, anchor="middle", bold=True, weight=1)
    body = Stack(paper, text, pad=5, width=80, height=90)
    return Part(scene, name, body, label=label)


# --8<-- [start:bot]
class Drover:
    """Sends the heaviest goat that the bridge bears."""

    def choose(self, view: Bridge, actions: Sequence[Action]) -> Action:
        room = view.bears - sum(view.load)
        goats = [it for it in actions if isinstance(it, Send)]
        safe = [it for it in goats if it.goat <= room]
        # They are sorted, and a whistle, if any is left, is the last.
        return safe[-1] if safe else actions[-1]


# --8<-- [end:bot]
GAME = Goats()


def drover(stream: Stream) -> Drover:
    return Drover()


RULES = """\
# Goats

A rope bridge carries a weight of 30. On your turn, send a goat of
weight 1 to 6 onto the bridge and draw another goat. Once in a game
you may **whistle** and send none. Goats stay on the bridge, and you
score their weight. If you break the bridge, the game ends and you
score nothing. The most points win.
"""


# --8<-- [start:name]
PLUGIN = Plugin(
    GAME,
    text=GoatsText(),
    picture=GoatsPicture,
    rulebook=RULES,
    bots={"drover": drover},
)
# --8<-- [end:name]
