"""Bots that play Sorcery.

A bot knows what it is shown and nothing else: it may be put in at any moment, in either edition,
and with any cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sorcery.actions import Action, Discard, DrawCard, EndTurn
from sorcery.card import Card
from sorcery.errors import BrokenOff
from sorcery.mind import key
from sorcery.minion_stats import (
    abilities_of,
    ability_cost,
    actions_each_turn,
    attack_obstacle,
    is_silenced,
)
from sorcery.rules import Sorcery
from sorcery.state import Minion, Side, SorceryState
from tabletop import Sampler, Seat, Stream, Streams, Table
from tabletop.game import AnyGame
from tabletop.players import AnyPlayer, ask

_TOOLS: Final = (DrawCard, Discard)

# Worths are counted in tenths of a point of attack. They are whole numbers: floating-point sums
# differ between versions of Python, and with them which actions are equally good.

_ATTACK: Final = 10  # a point of it, for each action of a turn
_DEFENCE: Final = 6
_TRIGGER: Final = 15
_ABILITY: Final = 30  # one that costs nothing; the magic that it costs is taken off
_OCCURRENCE: Final = 8  # that a ritual can happen once more
_CARD: Final = 8  # in the hand
_MAGIC: Final = 5
_LIFE: Final = 6
_VICTORY: Final = 10_000_000


class Duelist:
    """Plays the action after which it would be best off if its turn ended there.

    What it values is the board on which the opponent's next turn begins. It ends its turn when
    nothing else leaves it better off than that.

    Args:
        chance: the stream it draws from, among actions that are equally good.
        game: the rules that are played.

    Raises:
        TypeError: they are not those of Sorcery.
    """

    def __init__(self, chance: Stream, *, game: AnyGame) -> None:
        if not isinstance(game, Sorcery):
            raise TypeError(f"a Duelist plays Sorcery, not {game.name}")
        self._chance = chance
        self._game = game

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
        except BrokenOff:
            return -2 * _VICTORY  # worse than to lose: it would be refused
        return _advantage(state, seat, self._game.edition.cards)


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


def _advantage(state: SorceryState, seat: Seat, cards: Mapping[str, Card]) -> int:
    """Rate the advantage of `seat` over the opponent, in tenths of a point; negative when worse.

    Hands and decks count by their sizes alone.
    """
    if state.over:
        return 0 if state.winner is None else _VICTORY if state.winner == seat else -_VICTORY
    return _worth(state.sides[seat], cards) - _worth(state.sides[1 - seat], cards)


def _worth(side: Side, cards: Mapping[str, Card]) -> int:
    worth = _LIFE * side.life + _MAGIC * side.magic + _CARD * len(side.hand)
    if side.ritual is not None:
        activation = cards[side.ritual.card].activation
        worth += _OCCURRENCE * (side.ritual.charges // max(1, activation))
    return worth + sum(_worth_of_minion(minion, cards) for minion in side.minions)


def _worth_of_minion(minion: Minion, cards: Mapping[str, Card]) -> int:
    actions = 0 if attack_obstacle(minion, cards) else actions_each_turn(minion, cards)
    worth = _ATTACK * actions * minion.attack + _DEFENCE * minion.defence
    worth += _TRIGGER * len(cards[minion.card].triggers)
    if not is_silenced(minion, cards):
        for ability in abilities_of(minion, cards):
            worth += max(0, _ABILITY - _MAGIC * ability_cost(ability, minion, cards))
    return worth


LEVELS: Final = {"easy": "search:1", "fair": "search:4", "hard": "search:5000"}
"""How far bots look ahead at each level: `easy` does anything that makes sense."""

SEARCH: Final = {"exploration": 0.15, "key": key}
"""Less exploration than is usual: an action seldom changes the value of a position by much."""

BOTS: Final = {"duelist": Duelist}
"""The bots that can play besides `random`, and those that look ahead."""
