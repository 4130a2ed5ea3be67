"""Whether cards make sense: alone, and together as a set.

A card that names an effect with nothing to act on would do nothing when it is played, or break a
match off. So a set of cards is checked as a whole before anybody plays with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sorcery.card import Card, CardsError, CardType, Target, When
from sorcery.effect import Effect
from sorcery.effects import RepeatSpell, Summon
from sorcery.state import HIDDEN
from sorcery.whom import OnMinions, Whom

WITH_SUBJECT: Final = frozenset({When.ENTERS, When.LEAVES, When.ATTACKS})
"""What a minion sets off, so that a trigger can act on it."""


class Use(NamedTuple):
    """An effect of a card, and what it can act on there.

    Attributes:
        effect: a single one.
        target: what is named for it.
        has_itself: whether it comes from a minion.
        when: what sets it off, if it is a trigger.
    """

    effect: Effect
    target: Target
    has_itself: bool
    when: When | None = None


def check_cards(cards: Sequence[Card]) -> None:
    """Accept a set of cards, or raise.

    Raises:
        CardsError: two cards have the same name, letter case aside; a card lacks what its type
            needs; or one of its effects has nothing to act on.
    """
    by_name: dict[str, Card] = {}
    for card in cards:
        if card.name == HIDDEN:
            raise CardsError(f"{HIDDEN!r} is no name of a card: it stands for hidden ones")
        if by_name.setdefault(card.name.casefold(), card) is not card:
            raise CardsError(f"two cards are called {card.name!r}")
    known = {card.name: card for card in cards}
    for card in cards:
        flaw = flaw_of(card, known)
        if flaw:
            raise CardsError(f"{card.name}: {flaw}")


def flaw_of(card: Card, known: Mapping[str, Card]) -> str:
    """What is wrong with `card` among `known` ones, as a phrase; empty when nothing is."""
    if card.type is CardType.SPELL and card.effect is None:
        return "a spell needs an effect"
    if card.type is CardType.RITUAL and not card.triggers:
        return "a ritual needs a trigger"
    return next(filter(None, (_misuse(use, known) for use in uses_of(card))), "")


def uses_of(card: Card) -> Iterator[Use]:
    """The single effects of `card`, each with what it can act on."""
    if card.effect is not None:
        yield from (Use(part, card.target, False) for part in card.effect.parts())
    for ability in card.abilities:
        yield from (Use(part, ability.target, True) for part in ability.effect.parts())
    on_minion = card.type is not CardType.RITUAL
    for trigger in card.triggers:
        for part in trigger.effect.parts():
            yield Use(part, Target.NOTHING, on_minion, trigger.when)


def _misuse(use: Use, known: Mapping[str, Card]) -> str:
    effect, name = use.effect, type(use.effect).__name__
    if isinstance(effect, Summon):
        summoned = known.get(effect.card)
        if summoned is None or summoned.type is not CardType.MINION:
            return f"it summons {effect.card!r}, which is no minion of this set"
    if isinstance(effect, RepeatSpell) and use.when is not When.SPELL:
        return f"{name} needs a trigger {When.SPELL}"
    if isinstance(effect, OnMinions):
        return _missing(effect, name, use)
    return ""


def _missing(effect: OnMinions, name: str, use: Use) -> str:
    """Why an effect on minions has nothing to act on, as a phrase; empty when it has."""
    if effect.whom is Whom.TARGET:
        if use.target is Target.NOTHING:
            return f"{name} acts on a target, and none is named"
        if use.target is not Target.MINION and not effect.takes_rituals:
            return f"{name} cannot act on a ritual"
    if effect.whom is Whom.SUBJECT and use.when not in WITH_SUBJECT:
        return f"{name} acts on {Whom.SUBJECT}, and no minion does"
    if effect.whom is Whom.ITSELF and not use.has_itself:
        return f"{name} acts on {Whom.ITSELF}, and this is none"
    return ""
