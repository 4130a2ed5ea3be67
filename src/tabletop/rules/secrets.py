"""Secrets declared once: `SecretGame` makes views, masked events and redeals of them.

`tabletop.secret` declares who sees a field; `Known` holds the cards that seats have been
shown. For every class of states with secrets, one function is generated from its schema: it copies
the visible values, and asks for substitutes for the rest. A view substitutes backs, and a redeal
the same cards shuffled. `docs/concepts/secrets.md` explains the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args

from typing_extensions import override

from tabletop.errors import ContractError
from tabletop.rng.even_deal import EvenDeal
from tabletop.rng.stream import Stream
from tabletop.rules.events import ActionPlayed, Event
from tabletop.rules.game import Game
from tabletop.states.bounds import UNOBSERVED, Seat
from tabletop.states.codec import in_fixed_order, to_json
from tabletop.states.masking import (
    CardLayout,
    SecretField,
    check_layouts,
    generate,
    layouts_of,
)
from tabletop.states.states import State, state
from tabletop.states.type_hints import cached_by_class
from tabletop.states.visibility import OWNER, Audience, Fit, Sight, secrets_of
from tabletop.wording import join_words

S = TypeVar("S", bound=State)
A = TypeVar("A")
C = TypeVar("C", bound=Hashable)


class SecretGame(Game[S, A]):
    """A game whose states, events and actions declare with `secret` who sees a field.

    `view` masks every card that a seat does not see with the back that its field names. `redeal`
    collects those cards by pools, shuffles each, and deals them to the same places; known cards
    stay. `view_event` masks the secret fields of events, and of an action with a secret field
    reveals only that somebody has chosen. Each can be overridden, and called with `super()`.

    The declarations of the states and actions are checked when the class of the game is made, and
    those of an event when `event` decorates it.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__"):
                    masking_of(kind)
            for kind in get_args(base)[1:]:
                for action in get_args(kind) or (kind,):  # a union of classes, or one class
                    check_layouts(action)

    @override
    def view(self, state: S, seat: Seat | None) -> S:
        """Return the view of `seat`, or of a spectator (None)."""
        shown: S = masking_of(type(state)).view(state, seat)
        return shown

    @override
    def glance(self, state: S, seat: Seat | None) -> S:
        """Return a view to be read at once: faster than `view`, if that is not overridden."""
        if type(self).view is not SecretGame.view:
            return super().glance(state, seat)
        shown: S = glance_of(type(state))(state, seat)
        return shown

    @override
    def redealer(self, state: S, seat: Seat | None) -> Callable[[Stream], S]:
        """Return `redeal` for one state: faster than it, where nobody has overridden that."""
        if type(self).redeal is not SecretGame.redeal:
            return super().redealer(state, seat)
        return masking_of(type(state)).redealer(state, seat)

    @override
    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """Mask the secret fields of an event, as far as `seat` does not see them."""
        thing: Any = event.action if isinstance(event, ActionPlayed) else event
        event_view = _event_view_of(type(thing))
        if event_view is None:
            return event
        seen = event_view(thing, state, getattr(event, "seat", None), seat)
        if seen is thing:
            return event
        if isinstance(event, ActionPlayed):
            return ActionPlayed(event.ply, event.seat, None)
        masked: Event = seen
        return masked

    @override
    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Return another state that looks the same to `seat`, with all it cannot see dealt anew."""
        other: S = masking_of(type(state)).redeal(state, seat, rng)
        return other


# Cards that seats have been shown.


@dataclass(frozen=True, slots=True)
class Shown(Generic[C]):
    """A card that a seat has been shown.

    Attributes:
        seat: the seat that has been shown it.
        card: the card.
        owner: the owner of its pile; None where the field is one pile.
        at: its place in the pile; None where the order matters to its owner alone.
    """

    seat: Seat
    card: C
    owner: Seat | None = None
    at: int | None = None


@state
class Known(State, Generic[C]):
    """The cards of one secret field that seats have been shown, the latest last.

    It is a multiset: of equal cards, a seat knows as many as it has been shown. A view shows a seat
    those cards, and a redeal leaves them in their pile. The rules keep it up to date: `forget` a
    card when it leaves its pile, or may have.
    """

    # A view shows them in their piles as well.
    shown: Annotated[list[Shown[C]], UNOBSERVED] = field(default_factory=list)

    def show(
        self, seat: Seat, card: C, owner: Seat | None = None, *, at: int | None = None
    ) -> None:
        """Have `seat` know one more `card` in the pile of `owner`.

        Equal cards count as often as they are shown, but the card at one place once. A seat that
        sees a whole pile again may see the same cards: write `show_all` for that.

        Args:
            seat: the seat that has been shown the card.
            card: the card.
            owner: the owner of the pile; None where the field is one pile.
            at: its place in the pile, from 0; None where the order matters to its owner alone.
        """
        entry = Shown(seat, card, owner, at)
        if at is None or entry not in self.shown:
            self.shown.append(entry)

    def show_all(self, seat: Seat, cards: Iterable[C], owner: Seat | None = None) -> None:
        """Have `seat` know the whole pile of `owner`, in place of its earlier knowledge of it."""
        self.shown = [it for it in self.shown if (it.seat, it.owner) != (seat, owner)]
        self.shown += [Shown(seat, card, owner) for card in cards]

    def cards(self, seat: Seat | None, owner: Seat | None = None) -> list[C]:
        """Return the known cards of `seat` in the pile of `owner`; equal ones as often as known."""
        return [it.card for it in self.shown if it.seat == seat and it.owner == owner]

    def forget(self, card: C, owner: Seat | None = None) -> None:
        """Have every seat know one `card` less in the pile of `owner`: it has left."""
        gone: set[Seat] = set()
        kept = []
        for it in self.shown:
            if (it.card, it.owner) == (card, owner) and it.seat not in gone:
                gone.add(it.seat)
            else:
                kept.append(it)
        self.shown = kept

    def forget_all(self, owner: Seat | None = None) -> None:
        """Erase all knowledge of the pile of `owner`: it has been shuffled."""
        self.shown = [it for it in self.shown if it.owner != owner]


def _locate(entries: Sequence[Shown[Any]], pile: Sequence[Any]) -> list[int]:
    """Return the places of the cards that a seat has been shown of a pile."""
    taken = {it.at for it in entries}
    found = []
    for entry in entries:
        at = entry.at
        if at is None:
            left = (at for at, card in enumerate(pile) if card == entry.card and at not in taken)
            at = next(left, -1)
            taken.add(at)
        if not 0 <= at < len(pile) or pile[at] != entry.card:
            raise ContractError(
                f"{entry} is not so: the pile is {pile!r}; call forget when a card leaves its pile"
            )
        found.append(at)
    return found


def _shown_to(known: Known[Any], seat: Seat | None, owner: Any) -> list[Shown[Any]]:
    return [it for it in known.shown if it.seat == seat and it.owner == owner]


def _arrange(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any, rest: Iterator[Any]
) -> list[Any]:
    """Arrange a pile: cards that `seat` has been shown, and those of `rest` in the other places.

    Where the order does not matter, the known cards come first: their real places are not for the
    seat to know.
    """
    entries = _shown_to(known, seat, owner)
    _locate(entries, pile)
    fixed = {it.at: it.card for it in entries if it.at is not None}
    loose = iter([it.card for it in entries if it.at is None])
    cards = chain(loose, rest)
    return [fixed[at] if at in fixed else next(cards) for at in range(len(pile))]


def _unseen(known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any) -> Sequence[Any]:
    """Return the cards of a pile that `seat` has not been shown."""
    entries = _shown_to(known, seat, owner)
    if not entries:
        return pile
    found = _locate(entries, pile)
    return [it for at, it in enumerate(pile) if at not in found]


def _open_places(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any
) -> Sequence[int]:
    """Return the places where `_arrange` puts the cards that `seat` has not been shown."""
    entries = _shown_to(known, seat, owner)
    fixed = {it.at for it in entries if it.at is not None}
    return [at for at in range(len(pile)) if at not in fixed][len(entries) - len(fixed) :]


def _adapt_known(known: Known[Any], dealt: Mapping[Any, Sequence[Any]]) -> Known[Any]:
    """Adapt what seats know to piles dealt anew: the same number of cards, of the new piles.

    The seat for which a pile was dealt must not learn which of its cards others have been shown, so
    their real knowledge is not used: the cards at the front are taken, or at the known places.
    """
    shown = []
    fronts: dict[tuple[Seat, Any], Iterator[Any]] = {}
    for it in known.shown:
        if it.owner not in dealt:
            shown.append(it)
            continue
        pile = dealt[it.owner]
        if (it.seat, it.owner) not in fronts:
            taken = {entry.at for entry in _shown_to(known, it.seat, it.owner)}
            free = [card for at, card in enumerate(pile) if at not in taken]
            fronts[it.seat, it.owner] = iter(free)
        card = next(fronts[it.seat, it.owner]) if it.at is None else pile[it.at]
        shown.append(replace(it, card=card))
    return Known(shown)


# Views and redeals of a class of states.


class Masking:
    """The view and the redeal of a class of states.

    `replaced` copies a state, with substitutes for the values that a seat does not see.
    """

    def __init__(self, replaced: Callable[..., Any]) -> None:
        self.replaced = replaced

    def view(self, state: Any, seat: Seat | None) -> Any:
        """Return the view of a seat, or of a spectator."""
        return self.replaced(state, state, seat, None, _Backs(seat))

    def redeal(self, state: Any, seat: Seat | None, rng: Stream) -> Any:
        """Return another state that a seat, or a spectator, cannot tell from this one."""
        return self.redealer(state, seat)(rng)

    def redealer(self, state: Any, seat: Seat | None) -> Callable[[Stream], Any]:
        """Return `redeal` of a state that does not change any more: its cards are sorted once.

        Raises:
            ContractError: what really lies somewhere does not fit there, or `fits` does wrong.
        """
        collected = self._collect(state, seat)
        if collected.spots:
            collected.fit(self.view(state, seat))
        return lambda rng: self.replaced(state, state, seat, None, _Dealt(collected, rng))

    def check_fits(self, state: Any, seat: Seat | None) -> None:
        """Check that `fits` only looks at the view that it is given: a test, and slow.

        Raises:
            ContractError: it has changed the view; and as of `redealer`.
        """
        collected, view = self._collect(state, seat), self.view(state, seat)
        collected.fit(view)
        if to_json(view) != to_json(self.view(state, seat)):
            names = sorted({spot.secret.name for spot in collected.spots})
            raise ContractError(
                f"fits of {join_words(names, 'or')} has changed the view that it is given: it"
                " may only look"
            )

    def _collect(self, state: Any, seat: Seat | None) -> _Collected:
        """Collect what a seat does not see, each pool in an order that reveals nothing."""
        collected = _Collected(seat)
        self.replaced(state, state, seat, None, collected)
        for key, cards in collected.pools.items():
            collected.pools[key] = cards if type(cards) is tuple else in_fixed_order(cards)
        return collected


@cached_by_class  # reading and compiling a class takes long
def masking_of(kind: type[Any]) -> Masking:
    """Return the masking of a class of states, from its declared secrets.

    Raises:
        ContractError: it declares none, or impossible ones; says what to write instead.
    """
    return Masking(generate(kind, glances=False, names={"shown_to": _shown_to}))


@cached_by_class
def glance_of(kind: type[Any]) -> Callable[[Any, Seat | None], Any]:
    """Return a function that makes views to be read at once, and neither kept nor changed.

    They share all that is not masked with the state.
    """
    return Masking(generate(kind, glances=True, names={"shown_to": _shown_to})).view


@cached_by_class
def _event_view_of(kind: type[Any]) -> Callable[..., Any] | None:
    """Return the function that masks an event or action for a seat; None if all know all.

    It returns the event itself where the seat may know all of it.
    """
    layouts = layouts_of(kind)
    if not layouts:
        return None
    declared = {name: secrets_of(kind)[name] for name in layouts}

    def seen(thing: Any, state: Any, owner: Seat | None, seat: Seat | None) -> Any:
        masked = {
            name: layouts[name].replaced(getattr(thing, name), repeat(it.back))
            for name, it in declared.items()
            if not _sees(it.to, state, seat, owner, thing)
        }
        return replace(thing, **masked) if masked else thing

    return seen


def _sees(
    to: Audience | Sight, state: Any, seat: Seat | None, owner: Seat | None, thing: Any
) -> bool:
    """Check whether a seat sees a field of an event or action."""
    is_own = seat is not None and owner == seat
    return to is OWNER and is_own if isinstance(to, Audience) else to(state, seat, thing)


# Substitutes for secrets.


class _Backs:
    """Replaces the values that a seat does not see by backs: a view."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat

    def hidden(
        self, secret: SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        """Return the substitute for an owner's cards, some of which a seat may have been shown."""
        return self.replaced(secret, value, owner, known, repeat(secret.declared.back))

    def replaced(
        self,
        secret: SecretField,
        value: Any,
        owner: Any,
        known: Known[Any] | None,
        cards: Iterator[Any],
    ) -> Any:
        if known is None or isinstance(secret.layout, CardLayout):
            return secret.layout.replaced(value, cards)
        return _arrange(known, value, self.seat, secret.place(owner), cards)

    def ordered(self, secret: SecretField, value: Any) -> Any:
        """Return visible cards whose order is hidden."""
        return sorted(value, key=secret.declared.sorted_by)

    def known(self, known: Known[Any]) -> Known[Any]:
        """Return the knowledge about shown cards; called last."""
        return Known([it for it in known.shown if it.seat == self.seat])


class _Spot(NamedTuple):
    """A place of an unseen card where not every one fits; `number` is the place in its pool."""

    fits: Fit
    secret: SecretField
    owner: Any
    at: Any
    card: Any
    number: int

    def accepts(self, view: Any, seat: Seat | None, card: Any) -> bool:
        """Check whether a card fits, as the rules say."""
        fits: object = self.fits(view, seat, self.owner, self.at, card)
        if not isinstance(fits, bool):
            raise ContractError(f"{self._asked(seat, card)} returns {fits!r}: write True or False")
        return fits

    def fitting(self, view: Any, seat: Seat | None, cards: Iterable[Any]) -> list[Any]:
        """Return those cards that fit here: the one that really lies here has to be among them."""
        found = [it for it in cards if self.accepts(view, seat, it)]
        if self.card not in found:
            raise ContractError(
                f"{self._asked(seat, self.card)} refuses what really lies there: it has to accept"
                " all that may be, as far as the seat can know"
            )
        return found

    def _asked(self, seat: Seat | None, card: Any) -> str:
        asked = f"seat={seat}, owner={self.owner}, place={self.at}, card={card!r}"
        return f"fits of {self.secret.name} ({asked})"


class _Collected(_Backs):
    """Collects the values that a seat does not see, by pools; discard the copy made meanwhile.

    `spots` are the places where not every card fits. Of them `fit` makes `deals`, by pools, and
    `choices` for each place of what is chosen.
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.pools: dict[object, Any] = {}
        self.spots: list[_Spot] = []
        self.deals: dict[object, EvenDeal[Any]] = {}
        self.choices: list[Sequence[Any]] = []

    @override
    def hidden(
        self, secret: SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        declared = secret.declared
        if known is None or isinstance(secret.layout, CardLayout):
            cards = secret.layout.cards(value)
        else:
            cards = _unseen(known, value, self.seat, secret.place(owner))
        if declared.back is not None and declared.back in cards:  # None may mean no card
            raise ContractError(
                f"redeal found the back {declared.back!r} in the place of a card: it is asked of"
                " the whole state, and this is a view of it, which has lost what there is to deal."
                " A player that looks ahead takes a `sampler` in `choose`; a back must stand for no"
                " card"
            )
        pool: list[Any] = (
            [] if declared.choices else self.pools.setdefault(secret.pool_of(owner), [])
        )
        if declared.fits is not None:
            if known is None or isinstance(secret.layout, CardLayout):
                places = secret.layout.places(value)
            else:
                places = _open_places(known, value, self.seat, secret.place(owner))
            for number, (at, card) in enumerate(zip(places, cards, strict=True), len(pool)):
                self.spots.append(_Spot(declared.fits, secret, owner, at, card, number))
        pool.extend(cards)
        return value

    @override
    def ordered(self, secret: SecretField, value: Any) -> Any:
        # A tuple has a fixed order already.
        self.pools[id(value)] = tuple(super().ordered(secret, value))
        return value

    def fit(self, view: Any) -> None:
        """Ask which cards fit where, in the view of the seat."""
        fitting: dict[object, list[list[Any] | None]] = {}
        for spot in self.spots:
            if choices := spot.secret.declared.choices:
                self.choices.append(spot.fitting(view, self.seat, choices))
                continue
            key = spot.secret.pool_of(spot.owner)
            cards = self.pools[key]
            rows = fitting.setdefault(key, [None] * len(cards))
            rows[spot.number] = spot.fitting(view, self.seat, dict.fromkeys(cards))
        self.deals = {key: EvenDeal(self.pools[key], rows) for key, rows in fitting.items()}


class _Dealt(_Backs):
    """Deals the collected cards."""

    def __init__(self, collected: _Collected, rng: Stream) -> None:
        super().__init__(collected.seat)
        self._rng = rng
        self._pools: dict[object, Iterator[Any]] = {}
        self._dealt: dict[int, dict[Any, Any]] = {}  # by known cards, and by owner
        self._choices = iter(collected.choices)
        for key, cards in collected.pools.items():
            if key in collected.deals:
                self._pools[key] = iter(collected.deals[key].draw(rng))
                continue
            shuffled = list(cards)
            rng.shuffle(shuffled)
            self._pools[key] = iter(shuffled)

    @override
    def hidden(
        self, secret: SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        if choices := secret.declared.choices:
            each = self._choices if secret.declared.fits else repeat(choices)
            cards: Iterator[Any] = map(self._rng.choice, each)
        else:
            # One iterator for all places of a pool: each of its cards is dealt once.
            cards = self._pools[secret.pool_of(owner)]
        new = self.replaced(secret, value, owner, known, cards)
        if known is not None:
            pile = [new] if isinstance(secret.layout, CardLayout) else new
            self._dealt.setdefault(id(known), {})[secret.place(owner)] = pile
        return new

    @override
    def ordered(self, secret: SecretField, value: Any) -> Any:
        return list(self._pools[id(value)])

    @override
    def known(self, known: Known[Any]) -> Known[Any]:
        return _adapt_known(known, self._dealt.get(id(known), {}))
