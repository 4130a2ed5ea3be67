"""A custom bot that looks ahead, for any game.

It plays each action on copies of sampled states and chooses the one
with the best results. It receives a view and a sampler, but not the
match, so it works for every game and cannot cheat. The sampler draws
states that are consistent with the view, and the random numbers come
from the bot's own streams. (`tabletop.bots` has stronger bots for every
game.)

    tabletop play examples/lookahead_bot.py --bot 2=lookahead
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabletop import (
    Match,
    Random,
    Sampler,
    Stream,
    Streams,
    Table,
)
from tabletop.match import playout
from tabletop.registry import load
from tabletop.rules import AnyGame


class LookAhead:
    """Rates each action by random playouts from sampled states.

    Args:
        game: The rules.
        stream: The random stream of the bot.
        playouts: The number of playouts for each action.
        plies: Maximum length of a playout, which then counts as half a
            win.
    """

    def __init__(
        self,
        game: AnyGame,
        stream: Stream,
        playouts: int = 20,
        plies: int = 1000,
    ) -> None:
        self._game = game
        self._stream = stream
        self._playouts = playouts
        self._plies = plies

    def choose(
        self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]
    ) -> Any:
        """Return the action with the best playouts."""
        mixed = self._stream.sample(actions, len(actions))
        return max(
            mixed, key=lambda action: self._rate(sampler, action)
        )

    def _rate(self, sampler: Sampler[Any], action: Any) -> float:
        total = 0.0  # `sum` rounds floats differently since Python 3.12
        for _ in range(self._playouts):
            total += self._play_out(sampler, action)
        return total

    def _play_out(self, sampler: Sampler[Any], action: Any) -> float:
        """Play `action` and a random playout, and return its value."""
        state, rng = (
            sampler.sample(self._stream),
            Streams(self._stream.below(1 << 32)),
        )
        self._game.apply(state, action, Table(rng))
        end = playout(
            self._game, state, self._stream, rng, plies=self._plies
        )
        outcome = self._game.outcome(end)
        return (
            0.5
            if outcome is None
            else self._game.utility(outcome, sampler.seat)
        )


TICTACTOE = load(str(Path(__file__).with_name("tictactoe.py")))
GAME = TICTACTOE.game
PLUGIN = replace(
    TICTACTOE,
    bots={"lookahead": lambda stream, game: LookAhead(game, stream)},
)


def main() -> None:
    results = {"won": 0, "drawn": 0, "lost": 0}
    for number in range(10):
        bot = LookAhead(GAME, Streams(number)["thoughts"])
        match = Match(GAME, seed=number, players=(bot, Random(number)))
        outcome = match.run()
        assert outcome is not None
        results[
            "drawn"
            if outcome.is_draw
            else "won"
            if 0 in outcome.winners
            else "lost"
        ] += 1
    counts = ", ".join(
        f"{number} {result}" for result, number in results.items()
    )
    print(f"looking ahead against random play: {counts}")


if __name__ == "__main__":
    main()
