"""The check that a game keeps every law."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.game import Game, Options
from tabletop.testing.chance import check_chance
from tabletop.testing.laws import Report
from tabletop.testing.trial import Trial


def check_game(
    game: Game[Any, Any],
    *,
    matches: int = 10,
    plies: int = 100_000,
    seed: str = "check",
    seats: int | Sequence[int] | None = None,
    options: Options | None = None,
    seeded: bool = True,
) -> Report:
    """Play random matches of `game`, and test every law of the contract at each step.

    In matches of more than 500 plies the later ones are tested ever less often, so that long games
    can be checked as well.

    Args:
        game: the rules.
        matches: how many matches, in turn with every number of seats.
        plies: the most actions that a match may take.
        seed: another one plays other matches.
        seats: the numbers of seats to try; all that the game allows when not given.
        options: of the matches.
        seeded: whether all chance comes from the seed. Say False for options that put a generator
            with a start of its own in its place: what is drawn is then the same for every seed.

    Raises:
        LawBroken: a law does not hold; says the game, the seed, the ply and the law.
    """
    numbers = [seats] if isinstance(seats, int) else list(game.seats if seats is None else seats)
    report = Report()
    for number in range(matches):
        trial = Trial(game, f"{seed} {number}", numbers[number % len(numbers)], options, plies)
        trial.run(report)
    if seeded:
        check_chance(game, seed, numbers[0], options, plies)
    return report
