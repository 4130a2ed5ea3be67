"""Validation of cards, alone and as a set, before a match.

If an effect had nothing to act on, playing the card would have no effect, or would fail. Mechanics
inside an effect, including custom classes, are checked in the same way as the effect.
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
    """Context for validating one part of a card.

    `has` contains the needs that are met at this point, `target` is the kind of target that the
    player names, and `known` maps the names of the set to its cards.
    """

    has: frozenset[Need]
    target: Target
    known: Mapping[str, Card]
    holder: Mechanic | None = None  # the effect or amount that contains the part
    is_inner: bool = False  # inside a selector, where kinds are checked only for the outer selector
    handed: frozenset[Need] = frozenset()  # needs that the enclosing effect provides
    leaving: frozenset[Need] = frozenset()  # needs that are met by a minion that is leaving play


def check_cards(cards: Sequence[Card]) -> None:
    """Check a set of cards.

    Raises:
        CardsError: Two cards have the same name, ignoring case, a card lacks a part that its
            type needs, or a part of a card has nothing to act on.
    """
    by_name: dict[str, Card] = {}
    for card in cards:
        if card.name == HIDDEN:
            raise CardsError(
                f"a card cannot have the name {HIDDEN!r}, which is the name of hidden cards"
            )
        if by_name.setdefault(card.name.casefold(), card) is not card:
            raise CardsError(f"two cards have the name {card.name!r}")
    known = {card.name: card for card in cards}
    for card in cards:
        problem = problem_in(card, known)
        if problem:
            raise CardsError(f"{card.name}: {problem}")


def problem_in(card: Card, known: Mapping[str, Card]) -> str:
    """Return a phrase that describes the fault in `card`, or an empty string."""
    if card.type is CardType.SPELL and card.effect is None:
        return "a spell needs an effect"
    if card.type is CardType.RITUAL and not card.triggers:
        return "a ritual needs a trigger"
    if card.type is CardType.RITUAL and card.charges < card.activation:
        return (
            f"each of its triggers uses up {card.activation} charges, but the ritual starts with"
            f" {card.charges}"
        )
    if card.type is CardType.MINION:
        for modifier in card.modifiers:
            if modifier.changes_numbers:
                name = type(modifier).__name__
                return f"use {name} only on enchantments, and set attack and defence directly"
    return next(filter(None, _problems(card, known)), "")


def _problems(card: Card, known: Mapping[str, Card]) -> Iterator[str]:
    own_needs = frozenset[Need]() if card.type is CardType.RITUAL else frozenset({Need.SELF})
    if card.effect is not None:
        yield from _of_effect(card.effect, Scope(_needs_met_by(card.target), card.target, known))
    for ability in card.abilities:
        scope = Scope(own_needs | _needs_met_by(ability.target), ability.target, known)
        yield from _of_effect(ability.effect, scope)
    for trigger in card.triggers:
        yield _check_place(trigger, card)
        has, leaving = own_needs | trigger.when.gives, _needs_of_leaving(trigger)
        scope = Scope(has, Target.NOTHING, known, leaving=leaving)
        yield from _of_effect(trigger.effect, scope)


def _of_effect(effect: Effect, scope: Scope) -> Iterator[str]:
    """Yield the problems with the effect of a spell, an ability or a trigger."""
    yield from problems_in(effect, scope)
    # A custom class may use the target without declaring the need.
    acts = any(Need.TARGET in part.needs or not is_bundled(type(part)) for part in all_in(effect))
    if scope.target is not Target.NOTHING and not acts:
        yield f"the card names {scope.target}, but no effect acts on TARGET"


def _needs_met_by(target: Target) -> frozenset[Need]:
    return frozenset() if target is Target.NOTHING else frozenset({Need.TARGET})


def _needs_of_leaving(trigger: Trigger) -> frozenset[Need]:
    """Return the needs that are met by a minion that is leaving play when the trigger happens."""
    if Need.LEAVING not in trigger.when.gives:
        return frozenset()
    own = (Need.SELF,) if trigger.whose is Whose.THIS else ()
    return frozenset({Need.EVENT_MINION, *own})


def _check_place(trigger: Trigger, card: Card) -> str:
    if trigger.whose is not Whose.THIS:
        return ""
    if card.type is CardType.RITUAL:
        return "a ritual cannot have a trigger with Whose.THIS, because it is not a minion"
    if Need.EVENT_MINION not in trigger.when.gives:
        return f"a trigger with Whose.THIS cannot happen {trigger.when}: no minion causes it"
    return ""


def problems_in(thing: object, scope: Scope) -> Iterator[str]:
    """Yield phrases that describe the problems with a part of a card and the parts inside it."""
    if isinstance(thing, type) or (scope.holder is None and not isinstance(thing, Mechanic)):
        yield f"{thing!r} is not an effect"
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
            yield f"it summons {thing.card!r}, but the set has no minion with that name"
    if isinstance(thing, int) and abs(thing) > MOST:
        yield f"{type(scope.holder).__name__} has {thing:,}, but numbers must be at most {MOST:,}"
    for part in parts_of(thing):
        yield from problems_in(part, scope)


def _check_types(mechanic: Mechanic) -> Iterator[str]:
    """Yield a problem for each field with a value of the wrong type, as in swapped arguments."""
    declared: Any = type(mechanic)
    for name, kind in _types_of(declared).items():
        value = getattr(mechanic, name)
        if not isinstance(value, kind):
            wanted = "a selector, such as TARGET" if kind is Selector else "a number or an amount"
            yield f"{type(mechanic).__name__} has {value!r} for its {name}: give {wanted}"


@cache
def _types_of(kind: type[Any]) -> Mapping[str, Any]:
    """Return the types of the fields that hold selectors or numbers, by name."""
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError):  # an annotation contains an unknown name
        return {}
    kinds = (Selector, Number, Number | None)
    names = getattr(kind, "__dataclass_fields__", ())
    return {name: hints[name] for name in names if hints[name] in kinds}


def _too_late(effect: OnSome, scope: Scope) -> str:
    """Return the reason why an effect cannot act on a minion that is leaving, or ""."""
    needs = getattr(effect.targets, "needs", frozenset[Need]())
    if effect.takes_leaving or not needs & scope.leaving:
        return ""
    return (
        f"{type(effect).__name__} does nothing to a minion that leaves play;"
        " use Strengthen, ReturnToHand, PutUnderDeck or ReturnToPlay"
    )


def _check_needs(mechanic: Mechanic, scope: Scope) -> str:
    """Return the reason why a mechanic has nothing to act on, as a phrase, or ""."""
    is_held = isinstance(mechanic, Selector) and scope.holder is not None
    actor = scope.holder if is_held else mechanic
    name, holder = type(actor).__name__, scope.holder
    acts = f"{name} acts on" if isinstance(actor, Effect) else f"{name} depends on"
    if isinstance(mechanic, Selector) and holder is not None and not scope.is_inner:
        for kind in sorted(mechanic.finds - holder.takes):
            return f"{name} cannot act on {kind}"
    for need in sorted(mechanic.needs - scope.has):
        return f"{name} needs a trigger {When.SPELL}" if need is Need.SPELL else f"{acts} {need}"
    takes_rituals = isinstance(actor, Effect) and actor.takes_rituals
    may_be_ritual = scope.target in (Target.RITUAL, Target.MINION_OR_RITUAL)
    if Need.TARGET in mechanic.needs and may_be_ritual:
        if not takes_rituals:
            return f"{name} cannot act on a ritual"
        if scope.is_inner:  # selectors select only minions and players
            return f"{name} acts on a ritual only if TARGET is the whole selector"
    return ""


def check_table(state: SorceryState, cards: Mapping[str, Card], card: str) -> None:
    """Check the state that an effect of `card` has left.

    Raises:
        CardFailed: A value has the wrong type, or a card name is unknown.
    """
    try:
        from_json(to_json(state), SorceryState)
    except ContractError as error:
        raise CardFailed(f"{card} leaves an invalid state: {error}") from error
    for side in state.sides:
        on_side: list[CardInstance | Minion | Ritual]
        on_side = [*side.hand, *side.deck, *side.graveyard, *side.minions]
        for item in on_side if side.ritual is None else [*on_side, side.ritual]:
            if item.card not in cards and item.card != HIDDEN:
                raise CardFailed(f"{card} uses an unknown card: {item.card!r}")


# Parts of a card at any depth.


def is_bundled(kind: type) -> bool:
    """Return whether a class is part of the package `sorcery`."""
    return kind.__module__.partition(".")[0] == "sorcery"


def has_custom_classes(cards: Iterable[Card]) -> bool:
    """Return whether any card contains an object of a class from outside the package `sorcery`."""
    return not all(
        is_bundled(type(thing))
        for card in cards
        for thing in (
            *card.modifiers,
            *all_in(card.effect),
            *all_in([ability.effect for ability in card.abilities]),
            *all_in([trigger.effect for trigger in card.triggers]),
        )
    )


def all_in(thing: object) -> Iterator[Mechanic]:
    """Yield a part of a card and each mechanic inside it. The parts must not contain cycles."""
    if isinstance(thing, Mechanic):
        yield thing
    for part in parts_of(thing):
        yield from all_in(part)


def parts_of(thing: object) -> Iterable[object]:
    """Return the fields of a mechanic, or the items of a tuple, list or mapping."""
    if isinstance(thing, Mechanic):
        names: Iterable[str] = getattr(thing, "__dataclass_fields__", ())
        return [getattr(thing, name) for name in names or getattr(thing, "__dict__", ())]
    if isinstance(thing, Mapping):
        return thing.values()
    if isinstance(thing, tuple | list):
        return thing
    return ()
