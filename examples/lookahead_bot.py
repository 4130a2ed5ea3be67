"""A bot of one's own that looks ahead, in any game.

It plays each action on copies, and keeps what went best. It is given a
view and a sampler, never the match: the sampler draws states that its
seat cannot tell from the real one, and chance comes from streams of
its own. So it works for every game and cannot peek. (Every game has
better ones: see `tabletop.bots`.)

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
    """Tries every action in imagined matches, played on at random.

    Args:
        game: the rules.
        chance: a stream of the bot's own.
        tries: how many matches are imagined for each action.
        plies: how far they are played on; then half a win counts.
    """

    def __init__(
        self,
        game: AnyGame,
        chance: Stream,
        tries: int = 20,
        plies: int = 1000,
    ) -> None:
        self._game = game
        self._chance = chance
        self._tries = tries
        self._plies = plies

    def choose(
        self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]
    ) -> Any:
        """Return the action after which imagined matches go best."""
        mixed = self._chance.sample(actions, len(actions))
        return max(
            mixed, key=lambda action: self._rate(sampler, action)
        )

    def _rate(self, sampler: Sampler[Any], action: Any) -> float:
        total = 0.0  # `sum` rounds floats otherwise from Python 3.12 on
        for _ in range(self._tries):
            total += self._imagine(sampler, action)
        return total

    def _imagine(self, sampler: Sampler[Any], action: Any) -> float:
        """Play `action`, then at random; return what that is worth."""
        state, rng = (
            sampler.sample(self._chance),
            Streams(self._chance.below(1 << 32)),
        )
        self._game.apply(state, action, Table(rng))
        end = playout(
            self._game, state, self._chance, rng, plies=self._plies
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
        thinker = LookAhead(GAME, Streams(number)["thoughts"])
        match = Match(
            GAME, seed=number, players=(thinker, Random(number))
        )
        outcome = match.run()
        assert outcome is not None
        results[
            "drawn"
            if outcome.is_draw
            else "won"
            if 0 in outcome.winners
            else "lost"
        ] += 1
    said = ", ".join(
        f"{number} {how}" for how, number in results.items()
    )
    print(f"looking ahead against chance: {said}")


if __name__ == "__main__":
    main()
