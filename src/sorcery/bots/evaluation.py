"""Knowledge of Sorcery for bots that search: position values and promising actions.

`evaluate` and `policy` work for all editions and cards, because they depend only on the parts and
numbers of the cards. `tabletop.bots` documents how the search uses them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sorcery.cards import effects
from sorcery.cards.card import Card, CardType
from sorcery.cards.editions import Edition
from sorcery.cards.mechanics import Effect, When
from sorcery.cards.selectors import TARGET
from sorcery.cards.state import CardInstance, Minion, Side, SorceryState
from sorcery.rules.actions import RITUAL, Action, Attack, EndTurn, Play, Use
from sorcery.rules.game import edition_of
from sorcery.rules.minion_stats import (
    abilities_of,
    ability_cost,
    actions_each_turn,
    attack_obstacle,
    is_silenced,
    triggers_of,
)
from tabletop import Seat
from tabletop.rules import AnyGame

# The value of a position. The weights are those of a logistic regression that predicts the winner
# from the positions of 2,000 matches of Duelists and 800 matches of search bots with 16 to 60
# iterations. All were of the 2024 edition, and about every ninth action was random. The unit is
# natural log odds.

_LIFE: Final = 0.035
_LOW_LIFE: Final = 0.23  # subtracted for each life below 8
_MAGIC: Final = 0.32  # each of the first 4
_MAGIC_TO_SPEND: Final = 0.08  # in addition, each of the first 6, for the active player
_MINION_IN_HAND: Final = 0.09
_PROSPECT: Final = 0.64  # times the worth of a minion in the hand on the board, less its cost
_STROKE: Final = 0.36  # a spell in the hand that harms minions or resurrects one
_RITUAL_IN_HAND: Final = 0.2
_BLOW: Final = 0.16  # each of the first 3 points of attack, counted once per action
_DEFENCE: Final = 0.24  # each of the first 4 points
_BODY: Final = 0.019  # attack times defence, up to 8 points of each
_TRIGGER: Final = 0.37
_ABILITY: Final = 0.02  # for each magic that an ability costs less than 4
_RITUAL: Final = 0.41
_OCCURRENCE: Final = 0.16  # each of the next 6 times that the ritual has charges for
_THREAT: Final = 1.9  # times the share of the opponent's life that all minions take in a turn
_TEMPO: Final = 0.45  # subtracted because the opponent's turn is next

_WON: Final = 0.999  # value of a turn in which the active player can win

_STROKES: Final = (
    effects.Damage,
    effects.Destroy,
    effects.PutUnderDeck,
    effects.Resurrect,
    effects.ReturnToHand,
    effects.TakeControl,
)


def evaluate(state: SorceryState, seat: Seat, game: AnyGame) -> float:
    """Return the value of a state for a seat, from 0.0 (lost) to 1.0 (won).

    Minions that can still attack in this turn count as having hit the opponent, so that the value
    does not depend on how far the turn has progressed.
    """
    if state.over:
        return 0.5 if state.winner is None else float(state.winner == seat)
    cards, in_hand = edition_of(game).cards, _knowledge(game).in_hand
    turn = state.turn
    own, opponent = state.sides[turn], state.sides[1 - turn]
    left = opponent.life
    for minion in own.minions:
        if minion.actions > 0 and minion.attack > 0 and not attack_obstacle(minion, cards):
            left -= minion.attack * minion.actions
    if left <= 0:
        return _WON if seat == turn else 1 - _WON
    odds = _worth(own, own.life, left, cards, in_hand)
    odds -= _worth(opponent, left, own.life, cards, in_hand)
    odds += _MAGIC_TO_SPEND * min(own.magic, 6) - _TEMPO
    value = _probability(odds)
    return value if seat == turn else 1 - value


def _probability(odds: float) -> float:
    """Convert natural log odds into an approximate probability.

    Uses only basic arithmetic, whose results are the same on every platform.
    """
    half = max(-3.0, min(3.0, odds / 2))
    square = half * half
    return 0.5 + half * (27 + square) / (54 + 18 * square)


class _Knowledge(NamedTuple):
    """Facts about every card of an edition, by card name."""

    in_hand: Mapping[str, float]  # worth of each card while it is in a hand
    aims: Mapping[str, frozenset[bool]]  # whose minions benefit from the effect of each card
    leanings: Mapping[str, tuple[frozenset[bool], bool]]  # the `_leaning` of each enchantment


@lru_cache(maxsize=64)
def _knowledge(game: AnyGame) -> _Knowledge:
    cards = edition_of(game).cards
    return _Knowledge(
        {name: _worth_in_hand(card) for name, card in cards.items()},
        {name: _whose(card.effect) for name, card in cards.items()},
        {name: _leaning(card) for name, card in cards.items()},
    )


def _worth(
    side: Side,
    life: int,
    foes_life: int,
    cards: Mapping[str, Card],
    in_hand: Mapping[str, float],
) -> float:
    worth = _LIFE * life + _MAGIC * min(side.magic, 4)
    if life < 8:
        worth -= _LOW_LIFE * (8 - life)
    for card in side.hand:
        worth += in_hand[card.card]
    ritual = side.ritual
    if ritual is not None:
        occurrences = ritual.charges // max(1, cards[ritual.card].activation)
        worth += _RITUAL + _OCCURRENCE * min(6, occurrences)
    threat = 0
    for minion in side.minions:
        actions = 0 if attack_obstacle(minion, cards) else actions_each_turn(minion, cards)
        attack = max(0, minion.attack) * max(0, actions)
        if not is_silenced(minion, cards):
            for ability in abilities_of(minion, cards):
                worth += _ABILITY * max(0, 4 - ability_cost(ability, minion, cards))
        threat += attack
        worth += _body(attack, minion.defence) + _TRIGGER * len(cards[minion.card].triggers)
    return worth + _THREAT * min(threat, foes_life) / foes_life


def _body(attack: int, defence: int) -> float:
    """Return the worth of a minion with these values and no other traits."""
    both = min(attack, 8) * min(defence, 8)
    return _BLOW * min(attack, 3) + _DEFENCE * min(defence, 4) + _BODY * both


def _worth_in_hand(card: Card) -> float:
    if card.type is CardType.MINION:
        worth = _body(card.attack, card.defence) + _TRIGGER * len(card.triggers)
        return _MINION_IN_HAND + _PROSPECT * max(0.0, worth - _MAGIC * card.cost)
    if card.type is CardType.RITUAL:
        return _RITUAL_IN_HAND
    return _STROKE if isinstance(card.effect, _STROKES) else 0.0


# Actions worth searching.

# Whose minions benefit from an effect: True for the player's own, False for the opponent's.
_OWN: Final = frozenset({True})
_FOES: Final = frozenset({False})
_EITHER: Final = _OWN | _FOES

_HARMFUL: Final = frozenset(_STROKES) - {effects.Resurrect}


def policy(state: SorceryState, actions: Sequence[Action], game: AnyGame) -> Sequence[Action]:
    """Return the actions that are worth searching, at least one, in their original order.

    The policy excludes duplicates (equal cards and equal minions), attacks without effect, attacks
    in which a minion dies for nothing, actions that help the opponent or harm the player, and the
    commands of testing mode. Minions attack the opponent from left to right, before the end of the
    turn. If these attacks win the game, all other actions are excluded.
    """
    if len(actions) == 1:
        return actions
    turn = _Turn(state, edition_of(game), _knowledge(game))
    return [action for action in actions if turn.is_promising(action)] or actions


def key(state: SorceryState, action: Action) -> Hashable:
    """Return a value that identifies an action regardless of the order of the hand."""
    if isinstance(action, Play):
        return state.sides[state.turn].hand[action.card].card, action.player, action.target
    return action


class _Turn:
    """The turn of the active player.

    Attributes:
        striker: Place of the first minion that can hit the opponent, or -1 if none can.
        reach: Total attack of all minions that can hit the opponent. A minion counts once for each
            of its actions.
        is_calm: Whether attacks trigger nothing on the board.
    """

    def __init__(self, state: SorceryState, edition: Edition, knowledge: _Knowledge) -> None:
        self._seat = state.turn
        self._sides = state.sides
        self._own, self._foe = state.sides[state.turn], state.sides[1 - state.turn]
        self._cards, self._leanings, self._aims = edition.cards, knowledge.leanings, knowledge.aims
        # Whether each card in the hand, and each minion of a side, equals an earlier one.
        self._repeats = _repeats(self._own.hand)
        self._twins = [_repeats(side.minions) for side in state.sides]
        self.striker, self.reach = -1, 0
        for place, minion in enumerate(self._own.minions):
            if minion.actions <= 0 or minion.attack <= 0:
                continue
            if not attack_obstacle(minion, edition.cards):
                self.reach += minion.attack * minion.actions
                if self.striker < 0:
                    self.striker = place
        self.is_calm = not _waits_for_attacks(state, edition)
        # The attacks are enough to win.
        self._is_beaten = self.is_calm and self.reach >= self._foe.life

    def is_promising(self, action: Action) -> bool:
        """Return whether an action is worth searching."""
        if isinstance(action, Attack):
            return self._is_good_attack(action.minion, action.target)
        if self._is_beaten:
            return False
        if isinstance(action, Play):
            return not self._repeats[action.card] and self._is_good_play(action)
        if isinstance(action, Use):
            return self._is_good_use(action)
        return isinstance(action, EndTurn) and not (self.is_calm and self.striker >= 0)

    def _is_good_attack(self, place: int, target: int | None) -> bool:
        if target is None:
            return not self.is_calm or place == self.striker
        if self._is_beaten:
            return False
        if self._twins[self._seat][place] or self._twins[1 - self._seat][target]:
            return False
        minion, foe = self._own.minions[place], self._foe.minions[target]
        if minion.attack <= 0:
            return not self.is_calm
        return foe.attack < minion.defence or self.reach >= foe.defence

    def _is_good_play(self, action: Play) -> bool:
        seat, place = action.player, action.target
        if seat is None or place is None:
            return True
        card = self._cards[self._own.hand[action.card].card]
        if card.effect is None:
            return self._is_good_enchantment(card, seat, place)
        return self._is_good_aim(card.effect, self._aims[card.name], seat, place)

    def _is_good_use(self, action: Use) -> bool:
        place, number = action.ability
        if self._twins[self._seat][place]:
            return False
        seat, aim = action.player, action.target
        effect = abilities_of(self._own.minions[place], self._cards)[number].effect
        return seat is None or aim is None or self._is_good_aim(effect, _whose(effect), seat, aim)

    def _is_good_enchantment(self, card: Card, seat: Seat, place: int) -> bool:
        whose, is_for_abilities = self._leanings[card.name]
        if self._twins[seat][place] or (seat == self._seat) not in whose:
            return False
        if not is_for_abilities:
            return True
        minion = self._sides[seat].minions[place]
        return bool(abilities_of(minion, self._cards)) and not is_silenced(minion, self._cards)

    def _is_good_aim(self, effect: Effect, whose: frozenset[bool], seat: Seat, place: int) -> bool:
        if place == RITUAL:
            return type(effect) is not effects.Destroy or seat != self._seat
        if self._twins[seat][place]:
            return False
        if type(effect) is effects.Disenchant:
            newest = self._sides[seat].minions[place].enchantments[-1]
            leaning, _ = self._leanings[newest]
            whose = _EITHER if leaning is _EITHER else _EITHER - leaning
        return (seat == self._seat) in whose


def _repeats(cards: Sequence[CardInstance] | Sequence[Minion]) -> Sequence[bool]:
    """Return, for each card or minion, whether it equals an earlier one in the sequence."""
    names = [card.card for card in cards]
    if len(set(names)) == len(names):
        return [False] * len(names)
    return [cards.index(card) != place for place, card in enumerate(cards)]


def _waits_for_attacks(state: SorceryState, edition: Edition) -> bool:
    """Return whether an attack would set off anything on the board."""
    waiting = edition.triggers.get(When.ATTACKS)
    return waiting is not None and any(
        source is not None and triggers_of(source, waiting)
        for side in state.sides
        for source in (*side.minions, side.ritual)
    )


def _leaning(card: Card) -> tuple[frozenset[bool], bool]:
    """Return whose minions benefit from an enchantment, and whether it affects only abilities."""
    gain, ease = len(card.abilities) + len(card.triggers), 0
    for modifier in card.modifiers:
        gain += modifier.new_attack(2) + modifier.new_defence(2) + modifier.new_actions(1) - 5
        gain -= bool(modifier.attack_obstacle(card.name))
        ease += 2 - modifier.new_cost(2) - bool(modifier.ability_obstacle(card.name))
    total = gain or ease
    return _OWN if total > 0 else _FOES if total < 0 else _EITHER, not gain and bool(ease)


def _whose(effect: Effect | None) -> frozenset[bool]:
    """Return the player whose minions benefit from an effect, as far as its class is known."""
    if type(effect) is effects.Together:
        both = _EITHER
        for part in effect.effects:
            both &= _whose(part)
        return both or _EITHER
    if not isinstance(effect, effects.OnSome) or effect.targets is not TARGET:
        return _EITHER
    if type(effect) in _HARMFUL:
        return _FOES
    if type(effect) is effects.Strengthen:
        numbers = effect.attack, effect.defence
        if all(isinstance(number, int) and number >= 0 for number in numbers):
            return _OWN
    return _EITHER
