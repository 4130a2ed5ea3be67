"""Bots that play Sorcery.

A bot sees only the view of its seat. It can take over at any point of a match, in any edition and
with any cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sorcery.bots.evaluation import key
from sorcery.cards.card import Card
from sorcery.cards.errors import ActionAborted
from sorcery.cards.state import Minion, Side, SorceryState
from sorcery.rules.actions import Action, Discard, DrawCard, EndTurn
from sorcery.rules.game import Sorcery
from sorcery.rules.minion_stats import (
    abilities_of,
    ability_cost,
    actions_each_turn,
    attack_obstacle,
    is_silenced,
)
from tabletop import Sampler, Seat, Stream, Streams, Table
from tabletop.rules import AnyGame

_TOOLS: Final = (DrawCard, Discard)

# Values are in tenths of a point of attack. They are whole numbers because sums of floating-point
# numbers differ between versions of Python, which would change the choice among equal actions.
# docs/concepts/bot-strength.md explains how `tabletop tune` found the default weights.

_ATTACK: Final = 10  # a point of attack, for each action of a turn
_VICTORY: Final = 10_000_000


class Duelist:
    """A bot that plays the action with the best board, assuming that its turn then ends.

    The Duelist values the board at the beginning of the opponent's next turn. It ends its turn if
    no other action leads to a better board.

    Args:
        stream: Random stream for guessing hidden cards and choosing among equally good actions.
        game: The rules of the match.
        defence: Worth of a point of defence. The unit of all weights is a tenth of a point of
            attack.
        life: Worth of a life.
        magic: Worth of a point of magic.
        trigger: Worth of a triggered ability.
        ability: Worth of an activated ability. The worth of the magic that it costs is subtracted.
        occurrence: Worth of each trigger for which the ritual has charges left.
        card: Worth of a card in the hand.

    Raises:
        TypeError: The game is not Sorcery.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        game: AnyGame,
        defence: int = 11,
        life: int = 4,
        magic: int = 15,
        trigger: int = 15,
        ability: int = 33,
        occurrence: int = 13,
        card: int = 5,
    ) -> None:
        if not isinstance(game, Sorcery):
            raise TypeError(f"a Duelist plays only Sorcery, not {game.name}")
        self._stream = stream
        self._game = game
        self._defence, self._life, self._magic = defence, life, magic
        self._trigger, self._ability = trigger, ability
        self._occurrence, self._card = occurrence, card

    def choose(
        self, view: SorceryState, actions: Sequence[Action], sampler: Sampler[SorceryState]
    ) -> Action:
        """Return the action to play."""
        actions = bot_actions(view, actions)
        if len(actions) == 1:
            return actions[0]
        seat = sampler.seat
        # All actions are compared with the same guess at the hidden cards and the same random
        # draws. Otherwise the luckiest action would look best.
        imagined = sampler.sample(self._stream)
        guess = self._stream.below(1 << 32)
        values = [self._value(imagined, seat, action, guess) for action in actions]
        most = max(values)
        best = [action for action, value in zip(actions, values, strict=True) if value == most]
        return self._stream.choice(best)

    def _value(self, imagined: SorceryState, seat: Seat, action: Action, guess: int) -> int:
        """Return the value of the board for `seat` after `action` and the end of the turn."""
        state, table = imagined.clone(), Table(Streams(guess))
        try:
            self._game.apply(state, action, table)
            if not state.over and not isinstance(action, EndTurn):
                self._game.apply(state, EndTurn(), table)
        except ActionAborted:
            return -2 * _VICTORY  # the action would be refused, so it is worse than losing
        return self._advantage(state, seat, self._game.edition.cards)

    def _advantage(self, state: SorceryState, seat: Seat, cards: Mapping[str, Card]) -> int:
        """Return the value of a seat's board minus the opponent's, with hands by card count."""
        if state.over:
            if state.winner is None:
                return 0
            return _VICTORY if state.winner == seat else -_VICTORY
        return self._worth(state.sides[seat], cards) - self._worth(state.sides[1 - seat], cards)

    def _worth(self, side: Side, cards: Mapping[str, Card]) -> int:
        worth = self._life * side.life + self._magic * side.magic + self._card * len(side.hand)
        if side.ritual is not None:
            activation = cards[side.ritual.card].activation
            worth += self._occurrence * (side.ritual.charges // max(1, activation))
        return worth + sum(self._worth_of_minion(minion, cards) for minion in side.minions)

    def _worth_of_minion(self, minion: Minion, cards: Mapping[str, Card]) -> int:
        actions = 0 if attack_obstacle(minion, cards) else actions_each_turn(minion, cards)
        worth = _ATTACK * actions * minion.attack + self._defence * minion.defence
        worth += self._trigger * len(cards[minion.card].triggers)
        if not is_silenced(minion, cards):
            for ability in abilities_of(minion, cards):
                cost = self._magic * ability_cost(ability, minion, cards)
                worth += max(0, self._ability - cost)
        return worth


def bot_actions(state: SorceryState, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions that bots may choose: all but those of testing mode.

    In testing mode a player can draw or discard a card at any time (Sorcery 2024 §5.2.3). People
    use this to set up a position. A bot would use these actions to cheat, or would throw its cards
    away.
    """
    if state.testing:
        return [action for action in actions if not isinstance(action, _TOOLS)]
    return actions


LEVELS: Final = {"easy": "search:1", "fair": "search:4", "hard": "search:5000"}
"""Number of search iterations for each difficulty level.

`easy` plays any action that `policy` does not exclude.
"""

SEARCH: Final = {"exploration": 0.15, "key": key}
"""Search options.

The exploration weight is low because a single action changes the value of a position only a little.
"""

BOTS: Final = {"duelist": Duelist}  # bots in addition to `random` and the search bots

WEIGHTS: Final = {
    "duelist": {
        "defence": (0, 20),
        "life": (0, 20),
        "magic": (0, 20),
        "trigger": (0, 60),
        "ability": (0, 60),
        "occurrence": (0, 40),
        "card": (0, 40),
    }
}
"""Bounds of the Duelist's weights for `tabletop tune sorcery`."""
