"""Bots that play Sorcery.

A bot knows what it is shown and nothing else: it may be put in at any moment, in either edition,
and with any cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

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
from tabletop.match import AnyPlayer, ask
from tabletop.rules import AnyGame

_TOOLS: Final = (DrawCard, Discard)

# Worths are counted in tenths of a point of attack. They are whole numbers: floating-point sums
# differ between versions of Python, and with them which actions are equally good. The weights of a
# Duelist are those that `tabletop tune` has found; the guide on Sorcery says how.

_ATTACK: Final = 10  # a point of it, for each action of a turn
_VICTORY: Final = 10_000_000


class Duelist:
    """Plays the action after which it would be best off if its turn ended there.

    What it values is the board on which the opponent's next turn begins. It ends its turn when
    nothing else leaves it better off than that.

    Args:
        chance: the stream it draws from, among actions that are equally good.
        game: the rules that are played.
        defence: the worth of a point, in tenths of that of a point of attack.
        life: that of a point.
        magic: that of a point.
        trigger: that of a triggered ability.
        ability: that of an activated one which costs nothing; the magic that it costs is taken off.
        occurrence: that a ritual can happen once more.
        card: that of a card in the hand.

    Raises:
        TypeError: they are not those of Sorcery.
    """

    def __init__(
        self,
        chance: Stream,
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
            raise TypeError(f"a Duelist plays Sorcery, not {game.name}")
        self._chance = chance
        self._game = game
        self._defence, self._life, self._magic = defence, life, magic
        self._trigger, self._ability = trigger, ability
        self._occurrence, self._card = occurrence, card

    def choose(
        self, view: SorceryState, actions: Sequence[Action], sampler: Sampler[SorceryState]
    ) -> Action:
        """Return the action to play, at any moment of a game."""
        actions = without_testing_commands(actions)
        if len(actions) == 1:
            return actions[0]
        seat = sampler.seat
        # All actions are compared in one guess at hidden cards, and with the same chance, or else
        # the luckiest would look best.
        imagined = sampler.sample(self._chance)
        guess = self._chance.below(1 << 32)
        values = [self._value(imagined, seat, action, guess) for action in actions]
        most = max(values)
        best = [action for action, own in zip(actions, values, strict=True) if own == most]
        return self._chance.choice(best)

    def _value(self, imagined: SorceryState, seat: Seat, action: Action, guess: int) -> int:
        """Return the value of the board for `seat` after `action` and the end of the turn."""
        state, table = imagined.clone(), Table(Streams(guess))
        try:
            self._game.apply(state, action, table)
            if not state.over and not isinstance(action, EndTurn):
                self._game.apply(state, EndTurn(), table)
        except ActionAborted:
            return -2 * _VICTORY  # worse than to lose: it would be refused
        return self._advantage(state, seat, self._game.edition.cards)

    def _advantage(self, state: SorceryState, seat: Seat, cards: Mapping[str, Card]) -> int:
        """Rate the advantage of `seat` over the opponent; negative when worse.

        Hands and decks count by their sizes alone.
        """
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


class NoTestingCommands:
    """A player that is not offered the commands of testing mode; see `without_testing_commands`."""

    def __init__(self, player: AnyPlayer[SorceryState, Action]) -> None:
        self._player = player

    def choose(
        self, view: SorceryState, actions: Sequence[Action], sampler: Sampler[SorceryState]
    ) -> Action:
        """Return the action to play."""
        return ask(self._player, view, without_testing_commands(actions), sampler)

    def __getattr__(self, name: str) -> Any:
        """Return what else the player has: its budget, what it thought, how to stop it."""
        if name == "_player":  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self._player, name)


def without_testing_commands(actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions without those of testing mode.

    In testing mode a card can be drawn or discarded at any time (Sorcery 2024 §5.2.3). That is for
    people who set up a position; a bot that did it would cheat, or waste what it has.
    """
    if any(isinstance(action, _TOOLS) for action in actions):
        return [action for action in actions if not isinstance(action, _TOOLS)]
    return actions


LEVELS: Final = {"easy": "search:1", "fair": "search:4", "hard": "search:5000"}
"""How far bots look ahead at each level: `easy` does anything that makes sense."""

SEARCH: Final = {"exploration": 0.15, "key": key}
"""Less exploration than is usual: an action seldom changes the value of a position by much."""

BOTS: Final = {"duelist": Duelist}
"""The bots that can play besides `random`, and those that look ahead."""

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
"""The weights of a Duelist that `tabletop tune sorcery` tries, and their bounds."""
