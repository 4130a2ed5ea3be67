"""Pig: keep rolling, or hold your points.

On your turn, roll a die as often as you like. The numbers add up. If
you hold, you keep the sum. If you roll a 1, you lose the points of this
turn. Both end your turn. The first player to reach the goal wins
(option `goal`, 50 points).

    tabletop play examples/pig.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import (
    ALL,
    Event,
    Game,
    Option,
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
    Box,
    Column,
    Image,
    Label,
    Panel,
    Part,
    Picture,
    Row,
    Scene,
    Stack,
    TextView,
    circle,
    seat_class,
    turn_in_words,
)
from tabletop.states import PER_SEAT, Range

GOAL = Option("goal", 50, "Points to win.", low=10, high=1000)
ROLL, HOLD = "roll", "hold"
Points = Annotated[int, Range(0, 1005)]


@event
class Rolled(Event):
    """A die has been rolled; a 1 ends the turn."""

    seat: Seat
    pips: int


@state
class Score(State):
    """The points of each seat and of this turn, and the last roll."""

    points: Annotated[list[Points], PER_SEAT]
    goal: Points
    turn: Points = 0
    pips: Annotated[int, Range(0, 6)] = 0
    seat: Seat = 0


class Pig(Game[Score, str]):
    """The first player to reach the goal wins."""

    name = "pig"
    title = "Pig"
    seats = range(2, 9)
    options = (GOAL,)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Score:
        return Score([0] * seats, GOAL.of(options))

    def to_act(self, state: Score) -> Sequence[Seat]:
        is_over = max(state.points) >= state.goal
        return () if is_over else (state.seat,)

    def legal_actions(self, state: Score, seat: Seat) -> Sequence[str]:
        return (ROLL, HOLD) if state.turn else (ROLL,)

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[str]:
        return (ROLL, HOLD)

    def why_not(self, state: Score, action: str) -> str:
        return "there are no points to hold yet (roll first)"

    def apply(self, state: Score, action: str, table: Table) -> None:
        if action == ROLL:
            state.pips = table.rng["die"].roll(6)
            table.emit(Rolled(state.seat, state.pips))
            if state.pips > 1:
                state.turn += state.pips
                return
        else:
            state.points[state.seat] += state.turn
        state.turn = 0
        state.seat = (state.seat + 1) % len(state.points)

    def outcome(self, state: Score) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.points, f"{state.goal} points")


VERBS = {ROLL: "rolls the die", HOLD: "holds"}


class PigText(TextView[Score]):
    """The points of all players, and the points of this turn."""

    verbs = VERBS

    def position(
        self, view: Score, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        each = zip(names, view.points, strict=True)
        rows = [
            f"{name}: {points} of {view.goal}" for name, points in each
        ]
        return "\n".join([*rows, f"this turn: {view.turn}"])

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, Rolled) and event.pips == 1:
            return "It is a 1. The points of this turn are lost."
        if isinstance(event, Rolled):
            return f"It is a {event.pips}."
        return super().event(event, names, seat)


class PigPicture(Picture[Score]):
    """The die, which is clicked to roll, and the progress of all."""

    def draw(self, view: Score, scene: Scene) -> str:
        turn = Label(turn_in_words(scene), 20, bold=True)
        held = Label(f"+{view.turn}", 26, anchor="middle")
        cards = (
            card(scene, ROLL, Image(die(view.pips), 60, 60)),
            card(scene, HOLD, held),
        )
        seats = range(len(view.points))
        tree = Column(
            turn,
            Row(*cards, gap=20, anchor="start"),
            *(bar(view, scene, seat) for seat in seats),
            gap=12,
        )
        label = "A die and the points of all"
        return self.lay_out(
            scene, tree, label=label, wide=(390, 0), pad=20
        )

    def path(
        self, action: str, view: Score, seat: Seat
    ) -> Sequence[str]:
        return (action,)

    def last(self, view: Score, scene: Scene) -> Sequence[str]:
        return (scene.played.action,) if scene.played else ()


SPOTS = ("", "4", "26", "246", "0268", "02468", "023568")
"""The cells of a three by three grid that have a spot, for each face.
"""


def die(pips: int) -> str:
    """Draw the face of a die, or nothing before the first roll."""
    cells = [divmod(int(cell), 3) for cell in SPOTS[pips]]
    return "".join(
        circle(10 + 20 * x, 10 + 20 * y, 6, "tt-ink") for y, x in cells
    )


def card(scene: Scene, name: str, body: Box) -> Box:
    """Return a clickable part with its name below."""
    paper = Stack(Panel("tt-card", 12), body, width=100, height=90)
    part = Part(scene, name, paper, radius=12, label=name)
    return Column(part, Label(name, 14, anchor="middle"), gap=4)


def bar(view: Score, scene: Scene, seat: Seat) -> Box:
    """Return the progress of a seat towards the goal."""
    own, goal = view.points[seat], view.goal
    words = f"{scene.names[seat]}: {own} of {goal}"
    done = Panel(seat_class(seat), 4, weight=own)
    rest = Box(weight=max(0, goal - own))
    ground = Panel("tt-paper-deep", 4)
    line = Stack(ground, Row(done, rest), height=8)
    return Column(Label(words, 14), line)


GAME = Pig()
PLUGIN = Plugin(
    GAME,
    text=PigText(),
    picture=PigPicture,
    rulebook=__doc__,
    summary="Roll for more points, or hold before a one takes them.",
    minutes=5,
    levels={
        "easy": "search:3",
        "fair": "search:50",
        "hard": "search:20000",
    },
)
