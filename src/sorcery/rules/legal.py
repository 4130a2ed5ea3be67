"""The legal actions of a state (Sorcery 2024 §2, §5.1).

This module alone decides which actions are legal. `sorcery.rules.reasons` only explains refusals.
Action objects are created once and shared, because listing actions takes most of the time of a
simulation. Lists of actions that differ only in the target are cached by the numbers of minions and
rituals on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from sorcery.cards.card import CardType, Target
from sorcery.cards.editions import Edition
from sorcery.cards.mechanics import Effect, Limits, PlayContext, TargetRef
from sorcery.cards.state import MOST, MOST_PLACES, Minion, Side, SorceryState
from sorcery.cards.trigger_index import CardIndex
from sorcery.rules.actions import (
    RITUAL,
    Action,
    Attack,
    Discard,
    DrawCard,
    EndTurn,
    Play,
    QuitGame,
    Use,
)
from sorcery.rules.minion_stats import (
    abilities_of,
    ability_cost,
    attack_obstacle,
    is_enchanted,
    is_silenced,
)
from tabletop import Seat

END_TURN: Final = EndTurn()
DRAW_CARD: Final = DrawCard()
DISCARDS: Final = tuple(map(Discard, range(MOST_PLACES)))
PLAYS: Final = tuple(map(Play, range(MOST_PLACES)))

# Used very often, and attribute access on an enumeration is slow.
_MINION, _NOTHING = CardType.MINION, Target.NOTHING
_AIM_MINION, _AIM_RITUAL = Target.MINION, Target.RITUAL

_aim: Final = partial(tuple.__new__, TargetRef)
"""Create a `TargetRef` from a pair, in half the time of a call to the class."""


# There is one object per action, because typed actions are compared by identity.
attack: Final = cache(Attack)
play: Final = cache(Play)
aimed_use: Final = cache(Use)


@cache
def attacks(minion: int, targets: int) -> tuple[Attack, ...]:
    """Return the attacks of a minion: on the opponent, and on each of `targets` minions."""
    return (attack(minion), *(attack(minion, target) for target in range(targets)))


@cache
def rows_of_attacks(minions: int, targets: int) -> tuple[tuple[Attack, ...], ...]:
    """Return the attacks of each of `minions`, as in `attacks`."""
    return tuple(attacks(minion, targets) for minion in range(minions))


def all_actions(edition: Edition, *, testing: bool) -> Sequence[Action]:
    """Return every action that can be legal in an edition, and quitting (§5.1)."""
    most = edition.most_minions
    crowd = most, most, True, True
    named = aims(Target.MINION_OR_RITUAL, crowd)
    abilities = max((len(card.abilities) for card in edition.cards.values()), default=0)
    minions, cards = range(most), range(edition.most_cards)
    actions: list[Action] = []
    for minion in minions:
        actions += attacks(minion, most)
        for number in range(abilities):
            actions.append(use(minion, number))
            actions += (aimed_use((minion, number), *aim) for aim in named)
    for card in cards:
        actions.append(PLAYS[card])
        actions += (play(card, *aim) for aim in named)
    if testing:
        actions += (*DISCARDS[: edition.most_cards], DRAW_CARD)
    return (*actions, END_TURN, QuitGame())


Crowd: TypeAlias = tuple[int, int, bool, bool]
"""Number of minions of player 1 and of player 2, and whether each player has a ritual."""


@cache
def aims(target: Target, crowd: Crowd) -> tuple[tuple[Seat, int], ...]:
    """Return the targets of a kind, as pairs of player and place, starting with player 1."""
    named: list[tuple[Seat, int]] = []
    for seat in (0, 1):
        if target in (Target.MINION, Target.MINION_OR_RITUAL):
            named += [(seat, place) for place in range(crowd[seat])]
        if target in (Target.RITUAL, Target.MINION_OR_RITUAL) and crowd[2 + seat]:
            named.append((seat, RITUAL))
    return tuple(named)


@cache
def rows_of_plays(target: Target, crowd: Crowd) -> tuple[tuple[Play, ...], ...]:
    """Return every way to play a card at a target, for each place in the hand."""
    named = aims(target, crowd)
    return tuple(tuple(play(card, *aim) for aim in named) for card in range(MOST_PLACES))


@cache
def uses(ability: tuple[int, int], target: Target, crowd: Crowd) -> tuple[Use, ...]:
    """Return every way to use an ability at a target."""
    return tuple(aimed_use(ability, *aim) for aim in aims(target, crowd))


@cache
def use(minion: int, number: int) -> Use:
    """Return the shared action that uses an ability without a target."""
    return Use((minion, number))


def legal_actions(state: SorceryState, edition: Edition) -> Sequence[Action]:
    """Return the active player's legal actions: attacks, abilities, cards, end of turn."""
    index, sides, turn = edition.index, state.sides, state.turn
    side = sides[turn]
    actions: list[Action] = []
    if side.minions:
        cards, minions = index.cards, side.minions
        attacks = rows_of_attacks(len(minions), len(sides[1 - turn].minions))
        for place, minion in enumerate(minions):
            if minion.actions > 0:
                history = minion.history
                touched = history and (len(history) > 1 or isinstance(history[0], str))
                if touched or not cards[minion.card].is_plain:
                    _add_minion_actions(actions, state, index, place, attacks[place])
                else:
                    actions += attacks[place]  # most minions need no further tests
    if side.hand:
        _add_plays(actions, state, index, side)
    if state.testing:
        actions += DISCARDS[: len(side.hand)]
        if side.deck and len(side.hand) < index.most_cards:
            actions.append(DRAW_CARD)
    actions.append(END_TURN)
    return actions


def _add_minion_actions(
    actions: list[Action],
    state: SorceryState,
    index: CardIndex,
    place: int,
    attacks: Sequence[Attack],
) -> None:
    """Add the actions of a minion that has modifiers, abilities or enchantments."""
    minion, cards = state.sides[state.turn].minions[place], index.cards
    modified = bool(cards[minion.card].modifiers) or (bool(minion.history) and is_enchanted(minion))
    if not (modified and index.may_forbid_attacks and attack_obstacle(minion, cards)):
        actions += attacks
    actions += _uses(state, index, place, minion, modified=modified)


def _add_plays(actions: list[Action], state: SorceryState, index: CardIndex, side: Side) -> None:
    """Add every way to play a card of the hand of the active player, whose side is `side`."""
    cards, magic = index.cards, side.magic
    if state.testing:
        magic = MOST  # no card costs more
    has_room = len(side.minions) < index.most_minions
    context: PlayContext | None = None
    for place, held in enumerate(side.hand):
        card = cards.get(held.card)
        # In a view, the opponent's hand consists of unknown cards.
        if card is None or card.cost > magic:
            continue
        if card.is_unaimed:  # most cards: nothing but a full board can prevent them
            if has_room or card.type is not _MINION:
                actions.append(PLAYS[place])
            continue
        effect = card.effect
        if effect is None or not effect.is_conditional:
            actions += rows_of_plays(card.target, _crowd(state))[place]
            continue
        if context is None:  # created once, and only if an effect needs it
            context = PlayContext(state, index.edition, state.turn, None, 1)
        if card.target is not _NOTHING:
            aimed = rows_of_plays(card.target, _crowd(state))[place]
            actions += _possible(aimed, card.target, context, effect)
        elif not effect.obstacle(context):
            actions.append(PLAYS[place])


def _crowd(state: SorceryState) -> Crowd:
    first, second = state.sides
    rituals = first.ritual is not None, second.ritual is not None
    return (len(first.minions), len(second.minions), *rituals)


def _uses(
    state: SorceryState, index: CardIndex, place: int, minion: Minion, *, modified: bool
) -> Sequence[Action]:
    """Return the uses of the abilities of a minion that has an action left."""
    cards = index.cards
    abilities = abilities_of(minion, cards) if modified else cards[minion.card].abilities
    if modified and (not abilities or is_silenced(minion, cards)):
        return ()
    actions: list[Action] = []
    magic = state.sides[state.turn].magic
    for number, ability in enumerate(abilities):
        cost = ability_cost(ability, minion, cards) if modified else ability.cost
        if cost > magic and not state.testing:
            continue
        effect, target = ability.effect, ability.target
        if target is _NOTHING:
            if not effect_obstacle(state, index.edition, effect, None, 0):
                actions.append(use(place, number))
            continue
        aimed = uses((place, number), target, _crowd(state))
        if effect.is_conditional:
            context = PlayContext(state, index.edition, state.turn, None, 0)
            actions += _possible(aimed, target, context, effect)
        else:
            actions += aimed
    return actions


def _possible(
    aimed: Sequence[Play | Use], target: Target, context: PlayContext, effect: Effect
) -> Iterable[Play | Use]:
    """Return the actions of `aimed` (at all targets of a kind) whose effect has no obstacle."""
    if not aimed:
        return ()
    possible: list[Play | Use] = []
    obstacle = effect.obstacle
    for action, aim in zip(aimed, _aims_now(context.state, target), strict=False):
        context.aim = aim
        if not obstacle(context):
            possible.append(action)
    context.aim = None
    return possible


def _aims_now(state: SorceryState, target: Target) -> list[TargetRef]:
    """Return the available targets of a kind, in the order of `aims`."""
    named: list[TargetRef] = []
    for seat, side in enumerate(state.sides):
        if target is not _AIM_RITUAL:
            named += [_aim((seat, minion)) for minion in side.minions]
        if target is not _AIM_MINION and side.ritual is not None:
            named.append(TargetRef(seat, None))
    return named


def effect_obstacle(
    state: SorceryState, edition: Limits, effect: Effect | None, aim: TargetRef | None, spent: int
) -> str:
    """Return a sentence that explains why an effect cannot happen now, or an empty text."""
    if effect is None or not effect.is_conditional:
        return ""
    return effect.obstacle(PlayContext(state, edition, state.turn, aim, spent))
