"""Learn what positions are worth from random matches: a page of NumPy, for any game with bounds.

A position is a row of numbers (`tabletop.envs`), and its value what the match was worth in the end.
The flat surface that lies nearest to all of them is what is learnt: a weight for each number. Then
play against it:

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
"""The matches to learn from, and the actions after which one is left."""

EVERY = 8
"""One position in so many is learnt from: those in between are almost the same."""

RIDGE = 30.0
"""Holds the weights of what is seldom seen near zero."""


def positions(
    plugin: Plugin, encoder: ObservationEncoder, number: int
) -> Iterator[list[float]]:
    """Play a match at random; yield rows of numbers, each ending in 1 and what it was worth."""
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
    """Yield the values learnt from 10, 20, 40 matches, and so on."""
    encoder = make_encoder(plugin)
    size = encoder.size + 1
    squares, sums = np.eye(size) * RIDGE, np.zeros(size)
    next_look, batch = 10, list[list[float]]()
    for number in range(1, matches + 1):
        batch += positions(plugin, encoder, number)
        is_look = number in {next_look, matches}
        if batch and (
            is_look or len(batch) >= size
        ):  # many rows at once take less time
            rows = np.array(batch)
            squares += rows[:, :-1].T @ rows[:, :-1]
            sums += rows[:, :-1].T @ rows[:, -1]
            batch = []
        if is_look:
            next_look *= 2
            yield (
                number,
                LinearValues(
                    plugin.game, encoder, np.linalg.solve(squares, sums)
                ),
            )


# --8<-- [end:learn]
class First:
    """The baseline: plays the first legal action."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return actions[0]


def wins(
    plugin: Plugin, matches: int, values: LinearValues | None = None
) -> int:
    """Count the matches that values win against Random, from each seat in turn; or `First`."""
    won = 0
    for number in range(matches):
        seats = plugin.game.seats[0]
        match, own = (
            Match(plugin.game, seed=f"test {number // seats}"),
            number % seats,
        )
        for seat in range(seats):
            match.set_player(seat, Random(match.bot_stream(seat)))
        one: Any = First()
        if values is not None:
            one = Expectimax(
                match.bot_stream(own),
                game=plugin.game,
                iterations=4,
                depth=1,
                evaluate=values,
            )
        match.set_player(own, one)
        match.run(LONGEST)
        won += match.outcome is not None and match.outcome.winners == (
            own,
        )
    return won


def main(arguments: Sequence[str]) -> None:
    """Learn a game, Sorcery if none is named, into a file; without a file, from a few matches."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "game", nargs="?", default="sorcery", help="its name, or a path"
    )
    parser.add_argument(
        "file", nargs="?", type=Path, help="ends in .npz"
    )
    said = parser.parse_args(arguments)
    file: Path | None = said.file
    if file and not (file.suffix == ".npz" and file.parent.is_dir()):
        parser.error(
            f"{str(file)!r} does not end in .npz, or is in no folder"
        )
    try:
        plugin = load(said.game)
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
            f"learnt from {number:>4} matches: wins {won} of {tests}",
            flush=True,
        )
    if file:
        values.save(file)


if __name__ == "__main__":
    main(sys.argv[1:])
