"""How often the Builder beats three random players at Constructor."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.common import Row, Target
from constructor import GAME, SMALL_GAME, SQUARE_GAME, Constructor, ConstructorState
from constructor.actions import Action
from constructor.bots import Builder
from tabletop import Match, Player, Random, Streams

TITLE = "Constructor: matches that Builder wins alone against three Random, of 200 and of 50"

AT_LEAST = Target(0.8, at_least=True)
SEATS = 4
MATCHES = ((GAME, 200, AT_LEAST), (SMALL_GAME, 50, None), (SQUARE_GAME, 50, None))


def run(seconds: float) -> Iterator[Row]:
    """Play that many matches, however long it takes; the Builder sits everywhere in turn."""
    for game, matches, target in MATCHES:
        won = sum(_is_won(game, number) for number in range(matches))
        yield Row(game.name, won, f"of {matches}", won / matches, "of the matches", target)


def _is_won(game: Constructor, number: int) -> bool:
    chance, seat = Streams(f"bots {number}"), number % SEATS
    players: list[Player[ConstructorState, Action]] = [
        Random(chance["random", other]) for other in range(SEATS)
    ]
    players[seat] = Builder(chance["builder"])
    outcome = Match(game, seed=number, seats=SEATS, players=players).run()
    return outcome is not None and outcome.winners == (seat,)
