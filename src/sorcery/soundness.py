"""Whether cards make sense: alone, and together as a set.

A card that names an effect with nothing to act on would do nothing when it is played, or break a
match off. So a set of cards is checked as a whole before anybody plays with it. What an effect
holds is checked like the effect itself, however deep it stands, and whoever has written it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sorcery.acting import OnSome
from sorcery.answers import flaw_of_modifier, is_ours
from sorcery.card import Card, CardType, Target, Trigger
from sorcery.contents import all_in, held_by
from sorcery.effect import Effect, Mechanic
from sorcery.effects import Summon
from sorcery.fields import flaw_of_fields
from sorcery.flaws import CardsError
from sorcery.selector import Selector
from sorcery.state import HIDDEN, MOST
from sorcery.triggers import Need, When, Whose

DEEPEST: Final = 100
"""In how many others something may stand: what holds itself is not followed without end."""


class Place(NamedTuple):
    """Where something stands on a card, and what it can act on there.

    Attributes:
        has: what it finds.
        target: what is named for it.
        known: the cards of the set, by name.
        holder: the effect or amount that it stands in.
        is_inner: whether it stands in a selector, which answers for it.
        handed: what an effect in this one finds besides.
        depth: in how many things it stands.
        leaving: which needs find a minion there that is leaving play.
    """

    has: frozenset[Need]
    target: Target
    known: Mapping[str, Card]
    holder: Mechanic | None = None
    is_inner: bool = False
    handed: frozenset[Need] = frozenset()
    depth: int = 0
    leaving: frozenset[Need] = frozenset()


def check_cards(cards: Sequence[Card]) -> None:
    """Accept a set of cards, or raise.

    Raises:
        CardsError: two cards have the same name, letter case aside; a card lacks what its type
            needs; or something on it has nothing to act on.
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
    if card.type is CardType.RITUAL and card.charges < card.activation:
        return (
            f"its triggers take {card.activation} of its charges each time, and it comes with"
            f" {card.charges}"
        )
    if card.type is CardType.MINION:
        for question in ("new_attack", "new_defence"):
            for modifier in card.by_question.get(question, ()):
                name = type(modifier).__name__
                return f"{name} is for enchantments; write the attack and defence of the minion"
    return next(filter(None, _flaws(card, known)), "")


def _unused(target: Target, effect: Effect) -> str:
    """Why a target is named for nothing, as a phrase; empty when something may act on it."""
    if target is Target.NOTHING:
        return ""
    every = list(all_in(effect))
    # A class of somebody's own may look at the target without saying so.
    if any(Need.TARGET in one.needs or not is_ours(type(one)) for one in every):
        return ""
    return f"{target} is named, and nothing acts on it; write TARGET where it is meant"


def _flaws(card: Card, known: Mapping[str, Card]) -> Iterator[str]:
    itself = frozenset[Need]() if card.type is CardType.RITUAL else frozenset({Need.ITSELF})
    if card.effect is not None:
        yield from flaws_in(card.effect, Place(_named(card.target), card.target, known))
        yield _unused(card.target, card.effect)
    for ability in card.abilities:
        place = Place(itself | _named(ability.target), ability.target, known)
        yield from flaws_in(ability.effect, place)
        yield _unused(ability.target, ability.effect)
    for trigger in card.triggers:
        yield _misplaced(trigger, card)
        has, leaving = itself | trigger.when.gives, _leaving(trigger)
        place = Place(has, Target.NOTHING, known, leaving=leaving)
        yield from flaws_in(trigger.effect, place)
    for modifier in card.modifiers:
        yield flaw_of_modifier(modifier)


def _named(target: Target) -> frozenset[Need]:
    return frozenset() if target is Target.NOTHING else frozenset({Need.TARGET})


def _leaving(trigger: Trigger) -> frozenset[Need]:
    """What finds a minion that is leaving play when a trigger happens."""
    if Need.LEAVING not in trigger.when.gives:
        return frozenset()
    own = (Need.ITSELF,) if trigger.whose is Whose.THIS else ()
    return frozenset({Need.SUBJECT, *own})


def _misplaced(trigger: Trigger, card: Card) -> str:
    if trigger.whose is not Whose.THIS:
        return ""
    if card.type is CardType.RITUAL:
        return "a trigger of this minion stands on a ritual"
    if Need.SUBJECT not in trigger.when.gives:
        return f"a trigger of this minion cannot be one {trigger.when}: no minion sets that off"
    return ""


def flaws_in(thing: object, place: Place) -> Iterator[str]:
    """What is wrong with something on a card, and with all that it holds, as phrases."""
    if place.depth > DEEPEST:
        yield f"more than {DEEPEST} things stand in each other, or one of them in itself"
        return
    place = place._replace(depth=place.depth + 1)
    if isinstance(thing, Mechanic):
        if isinstance(thing, Effect):
            place = place._replace(has=place.has | place.handed, handed=thing.gives)
        yield _missing(thing, place)
        if isinstance(thing, OnSome):
            yield _too_late(thing, place)
        is_selector = isinstance(thing, Selector)
        holder = place.holder if is_selector else thing
        place = place._replace(holder=holder, is_inner=is_selector)
        yield flaw_of_fields(thing)
    if isinstance(thing, Summon):
        summoned = place.known.get(thing.card)
        if summoned is None or summoned.type is not CardType.MINION:
            yield f"it summons {thing.card!r}, which is no minion of this set"
    if isinstance(thing, int) and abs(thing) > MOST:
        bound = f"down to -{MOST:,}" if thing < 0 else f"up to {MOST:,}"
        yield f"a number of {type(place.holder).__name__} would be {thing:,}: numbers go {bound}."
    for held in held_by(thing):
        yield from flaws_in(held, place)


def _too_late(thing: OnSome, place: Place) -> str:
    """Why an effect does nothing to the minion that is leaving, as a phrase; empty when it does."""
    needs = getattr(thing.whom, "needs", frozenset[Need]())
    if thing.takes_leaving or not needs & place.leaving:
        return ""
    return (
        f"{type(thing).__name__} does nothing to a minion that leaves play;"
        " Strengthen, ReturnToHand, PutUnderDeck and ReturnToPlay do"
    )


def _missing(thing: Mechanic, place: Place) -> str:
    """Why something has nothing to act on where it stands, as a phrase; empty when it has."""
    is_held = isinstance(thing, Selector) and place.holder is not None
    actor = place.holder if is_held else thing
    name, holder = type(actor).__name__, place.holder
    acts = f"{name} acts on" if isinstance(actor, Effect) else f"{name} looks at"
    if isinstance(thing, Selector) and holder is not None and not place.is_inner:
        for kind in sorted(thing.finds - holder.takes):
            return f"{name} cannot act on {kind}"
    for need in sorted(thing.needs - place.has):
        return f"{name} needs a trigger {When.SPELL}" if need is Need.SPELL else f"{acts} {need}"
    takes_rituals = isinstance(actor, Effect) and actor.takes_rituals
    may_be_ritual = place.target in (Target.RITUAL, Target.MINION_OR_RITUAL)
    if Need.TARGET in thing.needs and may_be_ritual:
        if not takes_rituals:
            return f"{name} cannot act on a ritual"
        if place.is_inner:  # what is composed of minions and players finds no ritual
            return f"{name} acts on a ritual only where TARGET stands by itself"
    return ""
