"""Validation of cards, alone and as a set, before anybody plays with them.

An effect that finds nothing to act on would do nothing when its card is played, or break a match
off. What an effect holds is checked like the effect itself, whoever has written it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from sorcery.cards.amounts import Number
from sorcery.cards.card import Card, CardType, Target
from sorcery.cards.effects import OnSome, Summon
from sorcery.cards.errors import CardFailed, CardsError
from sorcery.cards.mechanics import Effect, Mechanic, Need, Trigger, When, Whose
from sorcery.cards.selectors import Selector
from sorcery.cards.state import HIDDEN, MOST, CardInstance, Minion, Ritual, SorceryState
from tabletop import ContractError
from tabletop.states import from_json, to_json


class Scope(NamedTuple):
    """A mechanic's place on a card: what it finds (`has`) and is named for it there."""

    has: frozenset[Need]
    target: Target
    known: Mapping[str, Card]
    holder: Mechanic | None = None
    """The effect or amount that it stands in."""

    is_inner: bool = False
    """True if it stands in a selector, which answers for it."""

    handed: frozenset[Need] = frozenset()
    """The needs that an effect in this one finds besides."""

    leaving: frozenset[Need] = frozenset()
    """The needs that find a minion there that is leaving play."""


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
        problem = problem_in(card, known)
        if problem:
            raise CardsError(f"{card.name}: {problem}")


def problem_in(card: Card, known: Mapping[str, Card]) -> str:
    """Say what is wrong with `card` among `known` ones, as a phrase; empty when nothing is."""
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
    return next(filter(None, _problems(card, known)), "")


def _problems(card: Card, known: Mapping[str, Card]) -> Iterator[str]:
    itself = frozenset[Need]() if card.type is CardType.RITUAL else frozenset({Need.SELF})
    if card.effect is not None:
        yield from _of_effect(card.effect, Scope(_needs_met_by(card.target), card.target, known))
    for ability in card.abilities:
        scope = Scope(itself | _needs_met_by(ability.target), ability.target, known)
        yield from _of_effect(ability.effect, scope)
    for trigger in card.triggers:
        yield _check_place(trigger, card)
        has, leaving = itself | trigger.when.gives, _needs_of_leaving(trigger)
        scope = Scope(has, Target.NOTHING, known, leaving=leaving)
        yield from _of_effect(trigger.effect, scope)


def _of_effect(effect: Effect, scope: Scope) -> Iterator[str]:
    """Say what is wrong with the effect of a spell, an ability or a trigger."""
    yield from problems_in(effect, scope)
    # A class from outside the game may look at the target without saying so.
    acts = any(Need.TARGET in it.needs or not is_ours(type(it)) for it in all_in(effect))
    if scope.target is not Target.NOTHING and not acts:
        yield f"{scope.target} is named, and nothing acts on it; write TARGET where it is meant"


def _needs_met_by(target: Target) -> frozenset[Need]:
    return frozenset() if target is Target.NOTHING else frozenset({Need.TARGET})


def _needs_of_leaving(trigger: Trigger) -> frozenset[Need]:
    """Return the needs that find a leaving minion when a trigger happens."""
    if Need.LEAVING not in trigger.when.gives:
        return frozenset()
    own = (Need.SELF,) if trigger.whose is Whose.THIS else ()
    return frozenset({Need.EVENT_MINION, *own})


def _check_place(trigger: Trigger, card: Card) -> str:
    if trigger.whose is not Whose.THIS:
        return ""
    if card.type is CardType.RITUAL:
        return "a trigger of this minion stands on a ritual"
    if Need.EVENT_MINION not in trigger.when.gives:
        return f"a trigger of this minion cannot be one {trigger.when}: no minion sets that off"
    return ""


def problems_in(thing: object, scope: Scope) -> Iterator[str]:
    """Say what is wrong with something on a card, and with all that it holds, as phrases."""
    if isinstance(thing, type) or (scope.holder is None and not isinstance(thing, Mechanic)):
        yield f"{thing!r} is no effect"
    if isinstance(thing, Mechanic):
        if isinstance(thing, Effect):
            scope = scope._replace(has=scope.has | scope.handed, handed=thing.gives)
        yield from _check_types(thing)
        yield _check_needs(thing, scope)
        if isinstance(thing, OnSome):
            yield _too_late(thing, scope)
        is_selector = isinstance(thing, Selector)
        holder = scope.holder if is_selector else thing
        scope = scope._replace(holder=holder, is_inner=is_selector)
    if isinstance(thing, Summon):
        summoned = scope.known.get(thing.card)
        if summoned is None or summoned.type is not CardType.MINION:
            yield f"it summons {thing.card!r}, which is no minion of this set"
    if isinstance(thing, int) and abs(thing) > MOST:
        yield f"{type(scope.holder).__name__} has {thing:,}: numbers go up to {MOST:,}"
    for part in parts_of(thing):
        yield from problems_in(part, scope)


def _check_types(thing: Mechanic) -> Iterator[str]:
    """Say of which fields the value is of another type than declared, such as swapped ones."""
    declared: Any = type(thing)
    for name, kind in _types_of(declared).items():
        value = getattr(thing, name)
        if not isinstance(value, kind):
            wanted = "a selector, such as TARGET" if kind is Selector else "a number, or an amount"
            yield f"{type(thing).__name__} has {value!r} for its {name}: give {wanted}"


@cache
def _types_of(kind: type[Any]) -> Mapping[str, Any]:
    """Return the types of the fields that hold selectors or numbers, by name."""
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError):  # an annotation names something unknown
        return {}
    kinds = (Selector, Number, Number | None)
    names = getattr(kind, "__dataclass_fields__", ())
    return {name: hints[name] for name in names if hints[name] in kinds}


def _too_late(thing: OnSome, scope: Scope) -> str:
    """Say why an effect does nothing to a minion that is leaving; empty when it does."""
    needs = getattr(thing.whom, "needs", frozenset[Need]())
    if thing.takes_leaving or not needs & scope.leaving:
        return ""
    return (
        f"{type(thing).__name__} does nothing to a minion that leaves play;"
        " Strengthen, ReturnToHand, PutUnderDeck and ReturnToPlay do"
    )


def _check_needs(thing: Mechanic, scope: Scope) -> str:
    """Say why something has nothing to act on where it stands, as a phrase; empty when it has."""
    is_held = isinstance(thing, Selector) and scope.holder is not None
    actor = scope.holder if is_held else thing
    name, holder = type(actor).__name__, scope.holder
    acts = f"{name} acts on" if isinstance(actor, Effect) else f"{name} looks at"
    if isinstance(thing, Selector) and holder is not None and not scope.is_inner:
        for kind in sorted(thing.finds - holder.takes):
            return f"{name} cannot act on {kind}"
    for need in sorted(thing.needs - scope.has):
        return f"{name} needs a trigger {When.SPELL}" if need is Need.SPELL else f"{acts} {need}"
    takes_rituals = isinstance(actor, Effect) and actor.takes_rituals
    may_be_ritual = scope.target in (Target.RITUAL, Target.MINION_OR_RITUAL)
    if Need.TARGET in thing.needs and may_be_ritual:
        if not takes_rituals:
            return f"{name} cannot act on a ritual"
        if scope.is_inner:  # a selector of minions and players finds no ritual
            return f"{name} acts on a ritual only where TARGET stands by itself"
    return ""


def check_table(state: SorceryState, cards: Mapping[str, Card], card: str) -> None:
    """Accept what an effect of `card` has left on the table, or raise.

    Raises:
        CardFailed: something is of the wrong type, or of a card that there is not.
    """
    try:
        from_json(to_json(state), SorceryState)
    except ContractError as error:
        raise CardFailed(f"{card} leaves nonsense on the table: {error}") from error
    for side in state.sides:
        found: list[CardInstance | Minion | Ritual]
        found = [*side.hand, *side.deck, *side.graveyard, *side.minions]
        for there in found if side.ritual is None else [*found, side.ritual]:
            if there.card not in cards and there.card != HIDDEN:
                raise CardFailed(f"{card} uses a card that there is not: {there.card!r}")


# The parts of a card, however deep.


def is_ours(kind: type) -> bool:
    """Return whether a class comes with the game."""
    return kind.__module__.partition(".")[0] == "sorcery"


def has_own_classes(cards: Iterable[Card]) -> bool:
    """Return whether any card holds something of a class that does not come with the game."""
    return not all(
        is_ours(type(thing))
        for card in cards
        for thing in (
            *card.modifiers,
            *all_in(card.effect),
            *all_in([ability.effect for ability in card.abilities]),
            *all_in([trigger.effect for trigger in card.triggers]),
        )
    )


def all_in(thing: object) -> Iterator[Mechanic]:
    """Yield each mechanic in something on a card, and itself; nothing may stand in itself."""
    if isinstance(thing, Mechanic):
        yield thing
    for part in parts_of(thing):
        yield from all_in(part)


def parts_of(thing: object) -> Iterable[object]:
    """Yield the fields of a mechanic, and the items of tuples, lists and tables."""
    if isinstance(thing, Mechanic):
        names: Iterable[str] = getattr(thing, "__dataclass_fields__", ())
        return [getattr(thing, name) for name in names or getattr(thing, "__dict__", ())]
    if isinstance(thing, Mapping):
        return thing.values()
    if isinstance(thing, tuple | list):
        return thing
    return ()
