"""The share of matches that the best bots of Constructor and Sorcery win against random players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.common import Row, Target
from constructor import GAME as CONSTRUCTOR
from constructor import SMALL_GAME, SQUARE_GAME
from constructor.bots import Builder
from sorcery import GAME as SORCERY
from sorcery import GAME_2017
from sorcery.bots import Duelist
from tabletop import Match, Random, Streams
from tabletop.game import AnyGame
from tabletop.players import AnyPlayer

TITLE = "Matches that the best bot wins alone against Random; it sits everywhere in turn"

FOUR_IN_FIVE = Target(0.8, at_least=True)
NINE_IN_TEN = Target(0.9, at_least=True)
MATCHES: Sequence[tuple[str, AnyGame, int, int, Target]] = (
    ("constructor, builder", CONSTRUCTOR, 4, 200, FOUR_IN_FIVE),
    ("constructor-small, builder", SMALL_GAME, 4, 50, FOUR_IN_FIVE),
    ("constructor-square, builder", SQUARE_GAME, 4, 50, FOUR_IN_FIVE),
    ("sorcery, duelist", SORCERY, 2, 400, NINE_IN_TEN),
    ("sorcery-2017, duelist", GAME_2017, 2, 400, NINE_IN_TEN),
)


def run(seconds: float) -> Iterator[Row]:
    """Play that many matches, however long it takes."""
    for what, game, seats, matches, target in MATCHES:
        won = sum(_is_won(game, seats, number) for number in range(matches))
        yield Row(what, won, f"of {matches}", won / matches, "of the matches", target)


def _is_won(game: AnyGame, seats: int, number: int) -> bool:
    chance, seat = Streams(f"bots {number}"), number % seats
    players: list[AnyPlayer[Any, Any]] = [Random(chance["random", other]) for other in range(seats)]
    if game in (SORCERY, GAME_2017):
        players[seat] = Duelist(chance["duelist"], game=game)
    else:
        players[seat] = Builder(chance["builder"])
    outcome = Match(game, seed=number, seats=seats, players=players).run()
    return outcome is not None and outcome.winners == (seat,)
