"""Learn the values of positions from random matches, with NumPy.

The script works for any game with bounds. Each position is a row of
numbers (`tabletop.envs`), and its target is the final result of the
match. The values are learned by linear regression, with one weight per
number. Then play against the result:

    python examples/learn_values.py sorcery values.npz
    tabletop play sorcery --bot 2=learnt:values.npz
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabletop import Match, Plugin, Random, Streams, TabletopError
from tabletop.bots import Expectimax
from tabletop.envs import LinearValues, ObservationEncoder, make_encoder
from tabletop.registry import load

MATCHES, LONGEST = 2400, 1000
EVERY = 8
"""Plies between two positions, because neighbours are similar."""

RIDGE = 30.0
"""Regularization, which keeps weights of rare features near zero."""


def positions(
    plugin: Plugin, encoder: ObservationEncoder, number: int
) -> Iterator[list[float]]:
    """Yield rows of a random match: features, 1, and the result."""
    match, chance = (
        Match(plugin.game, seed=number),
        Streams(number)["random"],
    )
    rows: list[tuple[int, Any]] = []
    while match.to_act and match.ply < LONGEST:
        match.play(chance.choice(match.legal_actions(match.to_act[0])))
        for seat in (
            range(match.seats) if match.ply % EVERY == 0 else ()
        ):
            rows.append((seat, np.empty(encoder.size)))
            encoder.encode(
                plugin.game.glance(match.state, seat), *rows[-1]
            )
    if (outcome := match.outcome) is not None:
        for seat, row in rows:
            yield [*row, 1.0, plugin.game.utility(outcome, seat)]


# --8<-- [start:learn]
def learn(
    plugin: Plugin, matches: int = MATCHES
) -> Iterator[tuple[int, LinearValues]]:
    """Yield the values learned from 10, 20, 40 matches, and so on."""
    encoder = make_encoder(plugin)
    size = encoder.size + 1
    squares, sums = np.eye(size) * RIDGE, np.zeros(size)
    next_yield, batch = 10, list[list[float]]()
    for number in range(1, matches + 1):
        batch += positions(plugin, encoder, number)
        is_due = number in {next_yield, matches}
        if batch and (
            is_due or len(batch) >= size
        ):  # large batches are faster
            rows = np.array(batch)
            squares += rows[:, :-1].T @ rows[:, :-1]
            sums += rows[:, :-1].T @ rows[:, -1]
            batch = []
        if is_due:
            next_yield *= 2
            yield (
                number,
                LinearValues(
                    plugin.game, encoder, np.linalg.solve(squares, sums)
                ),
            )


# --8<-- [end:learn]
class First:
    """A baseline that plays the first legal action."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return actions[0]


def wins(
    plugin: Plugin, matches: int, values: LinearValues | None = None
) -> int:
    """Count the wins against random players, from each seat in turn.

    Without `values`, the player is `First`.
    """
    won = 0
    for number in range(matches):
        seats = plugin.game.seats[0]
        match, own = (
            Match(plugin.game, seed=f"test {number // seats}"),
            number % seats,
        )
        for seat in range(seats):
            match.set_player(seat, Random(match.bot_stream(seat)))
        player: Any = First()
        if values is not None:
            player = Expectimax(
                match.bot_stream(own),
                game=plugin.game,
                iterations=4,
                depth=1,
                evaluate=values,
            )
        match.set_player(own, player)
        match.run(LONGEST)
        won += match.outcome is not None and match.outcome.winners == (
            own,
        )
    return won


def main(arguments: Sequence[str]) -> None:
    """Learn a game, and save the values if a file is named."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "game",
        nargs="?",
        default="sorcery",
        help="name or path of the game",
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="file for the values, ending in .npz",
    )
    options = parser.parse_args(arguments)
    file: Path | None = options.file
    if file and not (file.suffix == ".npz" and file.parent.is_dir()):
        parser.error(
            f"{str(file)!r} must end in .npz and be in an existing folder"
        )
    try:
        plugin = load(options.game)
        make_encoder(plugin)
    except TabletopError as error:
        parser.error(str(error))
    matches, tests = (MATCHES, 400) if file else (40, 10)
    print(
        f"the first legal action wins {wins(plugin, tests)} of {tests}"
    )
    for number, values in learn(plugin, matches):
        won = wins(plugin, tests, values)
        print(
            f"learned from {number:>4} matches: wins {won} of {tests}",
            flush=True,
        )
    if file:
        values.save(file)


if __name__ == "__main__":
    main(sys.argv[1:])
