"""Positions for tests of the rules, created by hand or reached by play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st

from constructor import (
    GAME,
    PLUGIN,
    SMALL_PLUGIN,
    SQUARE_PLUGIN,
    Accept,
    Action,
    Board,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Constructor,
    ConstructorState,
    Decline,
    EndTurn,
    Improve,
    ImproveTile,
    Phase,
    PlaceGeese,
    Resource,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
    UseLoadedDice,
    parse_layout,
    write_save,
)
from constructor.rules.actions import OWNED
from constructor.rules.layouts import default_layout
from constructor.rules.production import VARIANTS
from constructor.rules.state import KINDS, NOWHERE, empty_state
from tabletop import Event, IllegalAction, Match, Stream, Streams, Table

BRICK, ENERGY, GLASS, HEAT, WIFI, PARK = Resource
BLUE, RED, ORANGE, YELLOW = range(4)
GAMES: Mapping[str, Constructor] = {
    game.board.name: game
    for plugin in (PLUGIN, SMALL_PLUGIN, SQUARE_PLUGIN)
    if isinstance(game := plugin.game, Constructor)
}
TILES = parse_layout(default_layout())
RICH_HAND = (9, 9, 9, 9, 9)


def position(
    *,
    homes: Mapping[int, tuple[int, int]] | None = None,
    roads: Mapping[int, int] | None = None,
    hands: Mapping[int, Sequence[int]] | None = None,
    turn: int = BLUE,
    phase: Phase = Phase.BUILDING,
    geese: int = NOWHERE,
    variant: str = "standard",
) -> ConstructorState:
    """Return a position of four builders on the default layout.

    Args:
        homes: Maps vertices to the owner and the level of the residence.
        roads: Maps edges to the owner of the road.
        hands: Maps builders to their cards of each kind.
        turn: As in the state.
        phase: As in the state.
        geese: As in the state.
        variant: As in the state.
    """
    state = empty_state(GAME.board, TILES, 4, variant)
    for vertex, (seat, level) in (homes or {}).items():
        state.homes[vertex], state.levels[vertex] = seat, level
        state.settled.append(vertex)
    for edge, seat in (roads or {}).items():
        state.roads[edge] = seat
        state.built.append(edge)
    for seat, hand in (hands or {}).items():
        state.cards[seat * KINDS : seat * KINDS + KINDS] = hand
    state.turn, state.phase, state.geese = turn, phase, geese
    return state


def play(
    state: ConstructorState, *actions: Action, rng: Streams | None = None, game: Constructor = GAME
) -> list[Event]:
    """Play legal actions and return their events."""
    table = Table(Streams("dice") if rng is None else rng)
    table.watch(True)
    for action in actions:
        game.check(state, action)
        game.apply(state, action, table)
    return table.events


def lively(actions: Sequence[Action], chance: Stream) -> Action:
    """Choose an action of a random type, so that matches progress instead of only trading."""
    kinds = list(dict.fromkeys(map(type, actions)))
    kind = chance.choice(kinds)
    return chance.choice([action for action in actions if type(action) is kind])


class Lively:
    """A player who chooses `lively` actions."""

    def __init__(self, chance: Stream) -> None:
        self._chance = chance

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        return lively(actions, self._chance)


def new_match(
    board: str = "standard", seed: Any = 1, seats: int = 4, *, full: bool = False, **options: Any
) -> Match[ConstructorState, Action]:
    """Return a match of lively players.

    Args:
        board: The name of the board.
        seed: The seed of the match and of the players.
        seats: The number of builders.
        full: Whether the match starts after the setup with many resources for all builders.
        options: Options of the match. By default, loaded dice are allowed.
    """
    options.setdefault("fair", False)
    chance = Streams(seed).child("players")
    players = [Lively(chance[seat]) for seat in range(seats)]
    if full:
        options["load"] = full_save(board, seed, seats, options)
    return Match(GAMES[board], seed=seed, seats=seats, options=options, players=players)


def full_save(board: str, seed: Any, seats: int, options: Mapping[str, Any]) -> str:
    """Return a save at the end of the setup in which all builders have many resources."""
    match = new_match(board, seed, seats, **options)
    while match.state.phase is Phase.SETUP:
        match.step()
    state = match.state.clone()
    state.cards = [*RICH_HAND] * seats
    return write_save(state)


@st.composite
def reached(draw: st.DrawFn, most: int = 2000) -> Match[ConstructorState, Action]:
    """Generate a match at a reachable position, on any board and in any variant."""
    board = draw(st.sampled_from(list(GAMES)))
    match = new_match(
        board,
        seed=draw(st.integers(0, 10**6)),
        seats=draw(st.sampled_from(GAMES[board].seats)),
        full=draw(st.booleans()),
        variant=draw(st.sampled_from(list(VARIANTS))),
    )
    match.run(draw(st.integers(0, most)))
    return match


def chi_square(seen: Mapping[Any, int], expected: Mapping[Any, float]) -> float:
    """Return the chi-square statistic, which is infinite after an impossible observation."""
    if not set(seen) <= set(expected):
        return float("inf")
    return sum((seen.get(value, 0) - count) ** 2 / count for value, count in expected.items())


# All possible actions, legal or not.


def every_action(board: Board) -> list[Action]:
    """Return every action of a board, and some just beyond its numbers."""
    vertices = range(-1, len(board.vertices) + 1)
    tiles = range(-1, len(board.tiles) + 1)
    actions: list[Action] = [UseLoadedDice(), UseFairDice(), Roll(), EndTurn(), Accept(), Decline()]
    actions += map(ChooseRoll, range(1, 14))
    actions += map(BuildRoad, range(-1, len(board.edges) + 1))
    actions += [make(vertex) for make in (Settle, BuildResidence, Improve) for vertex in vertices]
    actions += map(PlaceGeese, tiles)
    actions += map(Steal, range(4))
    actions += [ImproveTile(tile, kind) for tile, kind in product(tiles, OWNED)]
    actions += [Trade(seat, give, take) for seat, give, take in product(range(4), OWNED, OWNED)]
    return actions


EVERY_ACTION = {name: every_action(game.board) for name, game in GAMES.items()}


def is_accepted(state: ConstructorState, action: Action) -> bool:
    try:
        GAMES[state.board].check(state, action)
    except IllegalAction:
        return False
    return True
