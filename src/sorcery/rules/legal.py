"""Legality: the legal actions of a state, and the reasons for refusals (Sorcery 2024 §2, §5.1).

Only the list of legal actions decides whether an action is legal. The reason for a refusal is the
first reason that applies. The last possible reason is returned without a test, because all others
were excluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from sorcery.cards.card import Ability, Card, CardType, Target
from sorcery.cards.editions import Edition
from sorcery.cards.mechanics import PlayContext, TargetRef
from sorcery.cards.state import MOST, SorceryState
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
    ability_obstacle,
    attack_obstacle,
)
from tabletop import Seat
from tabletop.wording import plural

# Action objects are created once and shared, because listing actions takes much of the time of a
# simulation.

END_TURN: Final = EndTurn()
DRAW_CARD: Final = DrawCard()
discard: Final = cache(Discard)
attack: Final = cache(Attack)
play: Final = cache(Play)
use: Final = cache(Use)

Aim: TypeAlias = tuple[Seat | None, int | None]  # a target: its owner and place

NO_AIM: Final[Aim] = (None, None)


@cache
def aims(target: Target, minions: tuple[int, int], rituals: tuple[bool, bool]) -> Sequence[Aim]:
    """Return the targets of a kind, given the minions and rituals of both players."""
    if target is Target.NOTHING:
        return (NO_AIM,)
    named: list[Aim] = []
    for seat in (0, 1):
        if target is not Target.RITUAL:
            named += [(seat, place) for place in range(minions[seat])]
        if target is not Target.MINION and rituals[seat]:
            named.append((seat, RITUAL))
    return named


@cache
def attacks(minion: int, targets: int) -> tuple[Attack, ...]:
    """Return the attacks of a minion: on the opponent, and on each of `targets` minions."""
    return (attack(minion, None), *(attack(minion, target) for target in range(targets)))


def all_actions(edition: Edition, *, testing: bool) -> Sequence[Action]:
    """Return every action that can be legal in an edition, including quitting (§5.1)."""
    most = edition.most_minions
    named = (NO_AIM, *aims(Target.MINION_OR_RITUAL, (most, most), (True, True)))
    abilities = max((len(card.abilities) for card in edition.cards.values()), default=0)
    actions: list[Action] = []
    for minion in range(most):
        actions += attacks(minion, most)
        actions += (use((minion, number), *aim) for number in range(abilities) for aim in named)
    for card in range(edition.most_cards):
        actions += (play(card, *aim) for aim in named)
    if testing:
        actions += (*map(discard, range(edition.most_cards)), DRAW_CARD)
    return (*actions, END_TURN, QuitGame())


def legal_actions(state: SorceryState, edition: Edition) -> Sequence[Action]:
    """Return the active player's legal actions: attacks, abilities, cards, end of turn."""
    cards, side, other = edition.cards, state.sides[state.turn], state.sides[1 - state.turn]
    magic = MOST if state.testing else side.magic  # no card costs more
    actions: list[Action] = []
    for place, minion in enumerate(side.minions):
        if minion.actions <= 0:
            continue
        if not attack_obstacle(minion, cards):
            actions += attacks(place, len(other.minions))
        abilities = abilities_of(minion, cards)
        if abilities and not ability_obstacle(minion, cards):
            for number, ability in enumerate(abilities):
                if ability_cost(ability, minion, cards) <= magic:
                    ways = _possible_aims(state, edition, ability, spent=0)
                    actions += [use((place, number), *aim) for aim in ways]
    actions += _list_plays(state, edition, magic)
    if state.testing:
        actions += map(discard, range(len(side.hand)))
        if side.deck and len(side.hand) < edition.most_cards:
            actions.append(DRAW_CARD)
    actions.append(END_TURN)
    return actions


def _list_plays(state: SorceryState, edition: Edition, magic: int) -> Iterator[Play]:
    """Yield every way to play a card from the active player's hand for at most `magic`."""
    side = state.sides[state.turn]
    is_full = len(side.minions) >= edition.most_minions
    for place, held in enumerate(side.hand):
        card = edition.cards.get(held.card)
        # In a view, the opponent's hand consists of unknown cards.
        if card is None or card.cost > magic or (is_full and card.type is CardType.MINION):
            continue
        yield from (play(place, *aim) for aim in _possible_aims(state, edition, card, spent=1))


def _possible_aims(
    state: SorceryState, edition: Edition, part: Card | Ability, *, spent: int
) -> Sequence[Aim]:
    """Return the targets at which no obstacle prevents the effect of a card or ability."""
    (first, second), effect = state.sides, part.effect
    named = aims(
        part.target,
        (len(first.minions), len(second.minions)),
        (first.ritual is not None, second.ritual is not None),
    )
    if effect is None or not effect.is_conditional:
        return named
    context = PlayContext(state, edition, state.turn, None, spent)
    possible = []
    for aim in named:
        context.aim = aim_at(state, *aim)
        if not effect.obstacle(context):
            possible.append(aim)
    return possible


def aim_at(state: SorceryState, player: Seat | None, target: int | None) -> TargetRef | None:
    """Return the target of an action, which must be on the board, or None without a target."""
    if player is None or target is None:
        return None
    return TargetRef(player, None if target == RITUAL else state.sides[player].minions[target])


# Reasons for refusals.


def why_not(state: SorceryState, edition: Edition, action: Action) -> str:
    """Return a sentence that explains why `action`, which is not legal, is refused."""
    match action:
        case Attack():
            return _why_no_attack(state, edition, action)
        case Play():
            return _why_no_play(state, edition, action)
        case Use():
            return _why_no_use(state, edition, action)
        case DrawCard() | Discard():
            return _why_no_testing(state, action)
    return ""  # the turn can be ended, and the game can be quit, at any time


def _why_no_attack(state: SorceryState, edition: Edition, action: Attack) -> str:
    reason = _why_no_action(state, action.minion)
    if not reason:
        minion = state.sides[state.turn].minions[action.minion]
        reason = attack_obstacle(minion, edition.cards)
    if reason or action.target is None:
        return reason
    targets = len(state.sides[1 - state.turn].minions)
    return _missing("minion", action.target, targets, owner="Your opponent has")


def _why_no_play(state: SorceryState, edition: Edition, action: Play) -> str:
    hand = state.sides[state.turn].hand
    missing = _missing("card", action.card, len(hand))
    if missing:
        return missing
    card = edition.cards.get(hand[action.card].card)
    if card is None:
        return "That card is hidden."
    return _why_not_at(state, edition, action, card, name=card.name, cost=card.cost, spent=1)


def _why_no_use(state: SorceryState, edition: Edition, action: Use) -> str:
    place, number = action.ability
    minions = state.sides[state.turn].minions
    missing = _missing("minion", place, len(minions))
    if missing:
        return missing
    minion = minions[place]
    abilities = abilities_of(minion, edition.cards)
    if not 0 <= number < len(abilities):
        other = f" {number + 1}" if number else ""
        return f"{minion.card} has no activated ability{other}."
    obstacle = ability_obstacle(minion, edition.cards) or _why_no_action(state, place)
    if obstacle:
        return obstacle
    cost = ability_cost(abilities[number], minion, edition.cards)
    name = f"the ability of {minion.card}"
    return _why_not_at(state, edition, action, abilities[number], name=name, cost=cost, spent=0)


def _why_not_at(
    state: SorceryState,
    edition: Edition,
    action: Play | Use,
    part: Card | Ability,
    *,
    name: str,
    cost: int,
    spent: int,
) -> str:
    name = name[0].upper() + name[1:]
    reason = _why_no_target(state, name, part.target, action.player, action.target)
    if reason:
        return reason
    aim = aim_at(state, action.player, action.target)
    context = PlayContext(state, edition, state.turn, aim, spent)
    if isinstance(part, Card) and part.type is CardType.MINION:
        reason = context.full_board
    elif part.effect is not None:
        reason = part.effect.obstacle(context)
    return reason or f"{name} costs {cost} magic, but you have {context.side.magic}."


def _why_no_target(
    state: SorceryState, name: str, wanted: Target, player: Seat | None, target: int | None
) -> str:
    if player is None and target is None:
        return "" if wanted is Target.NOTHING else f"{name} needs a target: {wanted}."
    if wanted is Target.NOTHING:
        return f"{name} takes no target."
    if player not in (0, 1) or target is None:
        return "A target is a card of player 1 or of player 2."
    if wanted is (Target.MINION if target == RITUAL else Target.RITUAL):
        return f"{name} needs another target: {wanted}."
    return missing_target(state, player, target)


def missing_target(state: SorceryState, player: Seat, target: int) -> str:
    """Return a sentence that explains why a player's card cannot be a target, or "" if it can."""
    side = state.sides[player]
    if target == RITUAL:
        return "" if side.ritual else f"Player {player + 1} has no ritual."
    return _missing("minion", target, len(side.minions), owner=f"Player {player + 1} has")


def _missing(noun: str, place: int, number: int, *, owner: str = "You have") -> str:
    """Return a sentence if there is no card at `place`, or an empty string if there is one."""
    if 0 <= place < number:
        return ""
    if number == 0:
        return f"{owner} no {noun}s."
    count = f"only {plural(number, noun)}"
    return f"There is no {noun} {place + 1}: {owner[0].lower()}{owner[1:]} {count}."


def _why_no_action(state: SorceryState, place: int) -> str:
    """Return a sentence that explains why the minion at `place` has no action, or ""."""
    minions = state.sides[state.turn].minions
    missing = _missing("minion", place, len(minions))
    if missing or minions[place].actions > 0:
        return missing
    return f"{minions[place].card} can act from your next turn."


def _why_no_testing(state: SorceryState, action: DrawCard | Discard) -> str:
    if not state.testing:
        command = "Draw" if isinstance(action, DrawCard) else "Discard"
        return f"{command} is possible in testing mode only."
    side = state.sides[state.turn]
    if isinstance(action, Discard):
        return _missing("card", action.card, len(side.hand))
    return "Your hand is full." if side.deck else "Your deck is empty."
