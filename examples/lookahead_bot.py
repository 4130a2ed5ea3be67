"""A bot that looks ahead: it plays each of its actions on copies, and keeps what went best.

It knows no game. It is given a view and a sampler, never the match: the sampler draws states that
its seat cannot tell from the real one, and chance comes from streams of its own. So it works for
every game and cannot peek.

    tabletop play examples/lookahead_bot.py --bot 2=lookahead
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabletop import Match, Outcome, Random, Sampler, Seat, Stream, Streams, Table
from tabletop.game import AnyGame
from tabletop.registry import load


class LookAhead:
    """Tries every action in a few imagined matches, played on at random.

    Args:
        game: the rules.
        chance: a stream of the bot's own.
        tries: how many matches are imagined for each action.
        plies: how far they are played on; what is not over then counts as a draw.
    """

    def __init__(self, game: AnyGame, chance: Stream, tries: int = 20, plies: int = 1000) -> None:
        self._game = game
        self._chance = chance
        self._tries = tries
        self._plies = plies

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the action whose imagined matches go best; of several, one by chance."""
        mixed = self._chance.sample(actions, len(actions))
        return max(mixed, key=lambda action: self._rate(sampler, action))

    def _rate(self, sampler: Sampler[Any], action: Any) -> int:
        return sum(self._imagine(sampler, action) for _ in range(self._tries))

    def _imagine(self, sampler: Sampler[Any], action: Any) -> int:
        """Play `action` and then at random: 2 for a win, 1 for a draw, 0 otherwise."""
        game, chance = self._game, self._chance
        state = sampler.sample(chance)
        table = Table(Streams(chance.below(1 << 32)))
        game.apply(state, action, table)
        for _ in range(self._plies):
            seats = game.to_act(state)
            if not seats:
                break
            game.apply(state, chance.choice(game.legal_actions(state, seats[0])), table)
        outcome = game.outcome(state)
        return 1 if outcome is None else worth(outcome, sampler.seat)


def worth(outcome: Outcome, seat: Seat) -> int:
    """Return the worth of an outcome to `seat`."""
    return 1 if outcome.is_draw else 2 * (seat in outcome.winners)


GAME = load(str(Path(__file__).with_name("tictactoe.py"))).game
BOTS = {"lookahead": lambda stream, game: LookAhead(game, stream)}


def main() -> None:
    results = [0, 0, 0]
    for number in range(10):
        thinker = LookAhead(GAME, Streams(number)["thoughts"])
        match = Match(GAME, seed=number, players=(thinker, Random(number)))
        outcome = match.run()
        results[2 if outcome is None else worth(outcome, 0)] += 1
    losses, draws, wins = results
    print(f"looking ahead against chance: {wins} won, {draws} drawn, {losses} lost")


if __name__ == "__main__":
    main()
