"""My game: the rules, how a position reads, and how it looks.

Two to four players roll two dice as often as they dare. Whoever
first has fifty points wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tabletop import (
    ALL,
    Event,
    Game,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
    Streams,
    Table,
    Watcher,
    event,
    state,
)
from tabletop.display import (
    Picture,
    Scene,
    TextView,
    circle,
    group,
    rect,
    text,
    turn_in_words,
)
from tabletop.parts.dice import dice

GOAL = 50
TWO = dice("2d6")
ROLL, HOLD = "roll", "hold"

PIPS = ("4", "08", "048", "0268", "02468", "023568")


@event
class Rolled(Event):
    """A seat has rolled two dice; equal ones end its turn."""

    seat: Seat
    faces: list[int]


@state
class Position(State):
    """The points, those of the turn, and the last roll."""

    points: list[int]
    seat: Seat = 0
    turn: int = 0
    faces: list[int] = field(default_factory=list[int])


class Rules(Game[Position, str]):
    """An action is `roll` or `hold`."""

    name = "my-game"
    title = "My game"
    seats = range(2, 5)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Position:
        return Position([0] * seats)

    def to_act(self, state: Position) -> Sequence[Seat]:
        return () if max(state.points) >= GOAL else (state.seat,)

    def legal_actions(
        self, state: Position, seat: Seat
    ) -> Sequence[str]:
        return (ROLL, HOLD) if state.turn else (ROLL,)

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[str]:
        return (ROLL, HOLD)

    def why_not(self, state: Position, action: str) -> str:
        if action == HOLD:
            return "roll first: there is nothing to hold"
        return f"roll or hold, not {action}"

    def apply(self, state: Position, action: str, table: Table) -> None:
        if action == HOLD:
            state.points[state.seat] += state.turn
            next_turn(state)
            return
        state.faces = TWO.faces(table.rng["dice"])
        table.emit(Rolled(state.seat, state.faces.copy()))
        state.turn += sum(state.faces)
        if state.faces[0] == state.faces[1]:
            next_turn(state)

    def outcome(self, state: Position) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.points)


def next_turn(state: Position) -> None:
    state.turn = 0
    state.seat = (state.seat + 1) % len(state.points)


class Text(TextView[Position]):
    """How a position and what happens read at a terminal."""

    def position(
        self,
        view: Position,
        names: Sequence[str],
        seat: Watcher = ALL,
    ) -> str:
        own = zip(names, view.points, strict=True)
        points = ", ".join(f"{name} {it}" for name, it in own)
        return f"Points: {points}. In this turn: {view.turn}."

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, Rolled):
            one, two = event.faces
            lost = ": the turn is lost" if one == two else ""
            return f"{names[event.seat]} rolls {one} and {two}{lost}."
        return super().event(event, names, seat)


class Drawing(Picture[Position]):
    """How a position looks; two buttons can be clicked."""

    def draw(self, view: Position, scene: Scene) -> str:
        said = turn_in_words(scene)
        height = 240 + 36 * len(view.points)
        body = [
            rect(0, 0, 390, height, "tt-cloth"),
            text(195, 34, said, 20, 370, anchor="middle", bold=True),
            *(draw_die(*it) for it in enumerate(view.faces)),
            draw_button(ROLL, "Roll", 40, scene),
            draw_button(HOLD, f"Hold {view.turn}", 205, scene),
        ]
        for seat, name in enumerate(scene.names):
            line = f"{name}: {view.points[seat]} of {GOAL}"
            body.append(text(40, 244 + 36 * seat, line, 18, 310))
        return self.whole(scene, (390, height), *body, label=said)

    def path(
        self, action: str, view: Position, seat: Seat
    ) -> Sequence[str]:
        return (action,)

    def attempt(self, part: str, view: Position, seat: Seat) -> str:
        return part


def draw_die(place: int, face: int) -> str:
    pips = [draw_pip(*divmod(int(it), 3)) for it in PIPS[face - 1]]
    at = (108 + 94 * place, 54)
    body = rect(0, 0, 80, 80, "tt-card", 12)
    return group(group(body, *pips, class_="tt-die"), at=at)


def draw_pip(row: int, column: int) -> str:
    return circle(18 + 22 * column, 18 + 22 * row, 7, "tt-ink")


def draw_button(name: str, words: str, x: float, scene: Scene) -> str:
    return scene.part(
        name,
        rect(0, 0, 145, 50, "tt-card", 8),
        text(72, 32, words, 18, 130, anchor="middle"),
        rect(0, 0, 145, 50, "tt-ring", 8),
        label=words,
        at=(x, 154),
    )


RULES = """\
# My game

Two to four players take turns. In your turn, **roll** two dice as
often as you like: what they show is added to your turn. **Hold**
to keep the points of the turn and pass the dice on. When both
dice show the same, the turn is over and its points are lost.

Who first has fifty points **wins**.
"""

GAME = Rules()
PLUGIN = Plugin(GAME, text=Text(), picture=Drawing, rulebook=RULES)
