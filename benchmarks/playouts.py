"""Playouts a second from the middle of a match: to the end, cut at a depth, and with few offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.common import Contender, Row, Target, race
from constructor import GAME as CONSTRUCTOR
from constructor import ConstructorState, Phase
from constructor.actions import Action, Trade
from sorcery import GAME as SORCERY
from tabletop import Match, Random, Streams
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.playouts import playout

TITLE = "Playouts from the middle of a random match"

DEPTH = 50
"""After how many actions a playout is cut."""

KEPT = 16
"""Of so many offers that are possible, one is left to choose from."""

PLAYOUTS = "playouts/s"

FEW_AT_LEAST: Final = Target(3, at_least=True)

_BUILDING: Final = Phase.BUILDING

GAMES: Final[Sequence[tuple[str, AnyGame, int, int]]] = (
    ("Constructor", CONSTRUCTOR, 4, 4000),
    ("Sorcery", SORCERY, 2, 40),
)
"""What is played out: with how many seats, and after how many actions."""


def few_offers(state: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    """All that is no offer, and every sixteenth of these, from another one each time."""
    if state.phase is not _BUILDING or len(actions) == 1:
        return actions
    # Offers stand behind all that can be built, and before the end of the turn: most lists are
    # offers from the first on, and need not be looked through.
    first = 0
    while type(actions[first]) is not Trade and first < len(actions) - 1:
        first += 1
    offers = actions[first:-1]
    return [*actions[:first], *offers[sum(state.cards) % KEPT :: KEPT], actions[-1]]


def run(seconds: float) -> Iterator[Row]:
    """Race the ways to play out each game."""
    for title, game, seats, middle in (
        ("Constructor", CONSTRUCTOR, 4, 4000),
        ("Sorcery", SORCERY, 2, 40),
    ):
        players = [Random(f"player {seat}") for seat in range(seats)]
        match: AnyMatch = Match(game, seed="middle", seats=seats, players=players)
        match.run(middle)
        to_end, cut = f"{title}, to the end", f"{title}, {DEPTH} actions"
        contenders = {to_end: _playing(game, match.state), cut: _playing(game, match.state, DEPTH)}
        few = f"{to_end}, one offer in {KEPT}"
        if game is CONSTRUCTOR:
            contenders[few] = _playing(game, match.state, None, few_offers)
        result = race(contenders, seconds)
        for name in contenders:
            ratio = result.ratio(name, to_end) if name == few else None
            to, target = ("times with all", FEW_AT_LEAST) if name == few else ("", None)
            yield Row(name, result.speed(name), PLAYOUTS, ratio, to, target)


def _playing(game: AnyGame, state: Any, plies: int | None = None, policy: Any = None) -> Contender:
    guess = Streams("a guess")
    chance = guess.child("bots")["choices"]

    def play(times: int) -> int:
        for _ in range(times):
            playout(game, state, chance, guess, plies=plies, policy=policy)
        return times

    return play
