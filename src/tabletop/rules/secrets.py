"""`SecretGame` derives views, masked events and redeals from the secret fields of a game.

`tabletop.secret` declares which seats see a field. `Known` stores the cards that seats have been
shown. For each class of states, a function is generated from the schema of the class. The function
copies visible values and replaces hidden ones: a view has card backs instead, and a redeal has the
same cards shuffled. `docs/concepts/secrets.md` describes the concept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar, get_args

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
from tabletop.states.visibility import OWNER, Audience, FitFunction, VisibilityFunction, secrets_of
from tabletop.wording import join_words

S = TypeVar("S", bound=State)
A = TypeVar("A")
C = TypeVar("C", bound=Hashable)


class SecretGame(Game[S, A]):
    """A game whose states, events and actions declare secret fields with `secret`.

    - `view` replaces every hidden card by the back of its field.
    - `redeal` shuffles the hidden cards of each pool and deals them to the same places. Cards that
      the seat has been shown stay in their piles.
    - `view_event` masks the secret fields of events. If an action has a secret field, other seats
      only learn that its seat has acted.

    You may override each of these methods, and call the original with `super()`.

    Declarations in states and actions are checked when the class of the game is defined.
    Declarations in an event are checked when `event` decorates the class.
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
        """Return the view of a seat, or of a spectator (None)."""
        view: S = masking_of(type(state)).view(state, seat)
        return view

    @override
    def glance(self, state: S, seat: Seat | None) -> S:
        """Return a view for a caller that neither keeps nor changes it, faster than `view`."""
        if type(self).view is not SecretGame.view:
            return super().glance(state, seat)
        view: S = glance_of(type(state))(state, seat)
        return view

    @override
    def redealer(self, state: S, seat: Seat | None) -> Callable[[Stream], S]:
        """Return `redeal` as a function of `rng`, which collects the hidden cards only once."""
        if type(self).redeal is not SecretGame.redeal:
            return super().redealer(state, seat)
        return masking_of(type(state)).redealer(state, seat, self.view)

    @override
    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """Return the event with its hidden fields masked for `seat`."""
        original: Any = event.action if isinstance(event, ActionPlayed) else event
        event_view = _event_view_of(type(original))
        if event_view is None:
            return event
        seen = event_view(original, state, getattr(event, "seat", None), seat)
        if seen is original:
            return event
        if isinstance(event, ActionPlayed):
            return ActionPlayed(event.ply, event.seat, None)
        masked: Event = seen
        return masked

    @override
    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Return a state that looks the same to `seat`, with the hidden values dealt again."""
        redealt: S = masking_of(type(state)).redealer(state, seat, self.view)(rng)
        return redealt


# Cards that seats have been shown.


@dataclass(frozen=True, slots=True)
class Shown(Generic[C]):
    """A card that a seat has been shown.

    Attributes:
        seat: The seat that has been shown the card.
        card: The card.
        owner: The owner of the pile, or None if the field is a single pile.
        at: The index in the pile, or None if only the owner knows the order of the pile.
    """

    seat: Seat
    card: C
    owner: Seat | None = None
    at: int | None = None


@state
class Known(State, Generic[C]):
    """The cards of a secret field that seats have been shown, the most recent last.

    Equal cards are counted: a seat that has been shown two queens knows two queens. A view shows
    the known cards to the seat, and a redeal leaves them in their pile. The rules must keep the
    object up to date: call `forget` when a card leaves its pile, or may have left it.
    """

    # Views also show these cards in their piles, so observations leave the list out.
    shown: Annotated[list[Shown[C]], UNOBSERVED] = field(default_factory=list)

    def show(
        self, seat: Seat, card: C, owner: Seat | None = None, *, at: int | None = None
    ) -> None:
        """Add a card in the pile of `owner` to the knowledge of `seat`.

        Each call adds another equal card, unless `at` is the index of a card that is already known.
        For a seat that sees a whole pile, possibly again, use `show_all`.

        Args:
            seat: The seat that is shown the card.
            card: The card.
            owner: The owner of the pile, or None if the field is a single pile.
            at: The index in the pile, from 0, or None if only the owner knows the order.
        """
        entry = Shown(seat, card, owner, at)
        if at is None or entry not in self.shown:
            self.shown.append(entry)

    def show_all(self, seat: Seat, cards: Iterable[C], owner: Seat | None = None) -> None:
        """Record that `seat` has seen the whole pile of `owner`."""
        self.shown = [entry for entry in self.shown if (entry.seat, entry.owner) != (seat, owner)]
        self.shown += [Shown(seat, card, owner) for card in cards]

    def cards(self, seat: Seat | None, owner: Seat | None = None) -> list[C]:
        """Return the cards that `seat` knows in the pile of `owner`, with duplicates."""
        return [entry.card for entry in _shown_to(self, seat, owner)]

    def forget(self, card: C, owner: Seat | None = None) -> None:
        """Remove one `card` in the pile of `owner` from the knowledge of every seat."""
        updated: set[Seat] = set()
        kept = []
        for entry in self.shown:
            if (entry.card, entry.owner) == (card, owner) and entry.seat not in updated:
                updated.add(entry.seat)
            else:
                kept.append(entry)
        self.shown = kept

    def forget_all(self, owner: Seat | None = None) -> None:
        """Remove all knowledge of the pile of `owner`, for example after a shuffle."""
        self.shown = [entry for entry in self.shown if entry.owner != owner]


def _locate(entries: Sequence[Shown[Any]], pile: Sequence[Any]) -> list[int]:
    """Return the indices in a pile of the cards that a seat has been shown."""
    taken = {entry.at for entry in entries}
    places = []
    for entry in entries:
        place = entry.at
        if place is None:
            matches = (at for at, card in enumerate(pile) if card == entry.card and at not in taken)
            place = next(matches, -1)
            taken.add(place)
        if not 0 <= place < len(pile) or pile[place] != entry.card:
            raise ContractError(
                f"{entry} is not in the pile {pile!r}: call `forget` when a card leaves its pile"
            )
        places.append(place)
    return places


def _shown_to(known: Known[Any], seat: Seat | None, owner: Any) -> list[Shown[Any]]:
    return [entry for entry in known.shown if entry.seat == seat and entry.owner == owner]


def _arrange(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any, rest: Iterator[Any]
) -> list[Any]:
    """Return a pile that keeps the cards that `seat` has been shown, and has `rest` elsewhere.

    If only the owner knows the order, the known cards come first, because the seat must not learn
    where they really are.
    """
    entries = _shown_to(known, seat, owner)
    _locate(entries, pile)
    fixed = {entry.at: entry.card for entry in entries if entry.at is not None}
    loose = iter([entry.card for entry in entries if entry.at is None])
    cards = chain(loose, rest)
    return [fixed[at] if at in fixed else next(cards) for at in range(len(pile))]


def _unseen(known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any) -> Sequence[Any]:
    """Return the cards of a pile that `seat` has not been shown."""
    entries = _shown_to(known, seat, owner)
    if not entries:
        return pile
    places = _locate(entries, pile)
    return [card for at, card in enumerate(pile) if at not in places]


def _open_places(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any
) -> Sequence[int]:
    """Return the indices at which `_arrange` puts cards that `seat` has not been shown."""
    entries = _shown_to(known, seat, owner)
    fixed = {entry.at for entry in entries if entry.at is not None}
    return [at for at in range(len(pile)) if at not in fixed][len(entries) - len(fixed) :]


def _adapt_known(known: Known[Any], dealt: Mapping[Any, Sequence[Any]]) -> Known[Any]:
    """Invent each seat's knowledge of redealt piles, with as many known cards as in reality.

    The real knowledge is not used, because the seat for which the piles were redealt must not learn
    which cards others have been shown. The invented knowledge has the cards at the known indices,
    or else the first cards of the pile.
    """
    shown = []
    fronts: dict[tuple[Seat, Any], Iterator[Any]] = {}
    for entry in known.shown:
        if entry.owner not in dealt:
            shown.append(entry)
            continue
        pile = dealt[entry.owner]
        if (entry.seat, entry.owner) not in fronts:
            taken = {other.at for other in _shown_to(known, entry.seat, entry.owner)}
            free = [card for at, card in enumerate(pile) if at not in taken]
            fronts[entry.seat, entry.owner] = iter(free)
        card = next(fronts[entry.seat, entry.owner]) if entry.at is None else pile[entry.at]
        shown.append(replace(entry, card=card))
    return Known(shown)


# Views and redeals of a class of states.


ViewFunction: TypeAlias = Callable[[Any, Seat | None], Any]
"""Returns the view of a seat, or of a spectator (None)."""


class Masking:
    """Views and redeals of a class of states.

    `replaced` is the generated function that copies a state and replaces hidden values.
    """

    def __init__(self, replaced: Callable[..., Any]) -> None:
        self.replaced = replaced

    def view(self, state: Any, seat: Seat | None) -> Any:
        """Return the view of a seat, or of a spectator (None)."""
        return self.replaced(state, state, seat, None, _Backs(seat))

    def redeal(self, state: Any, seat: Seat | None, rng: Stream) -> Any:
        """Return a redealt state that looks the same to a seat, or to a spectator (None)."""
        return self.redealer(state, seat)(rng)

    def redealer(
        self, state: Any, seat: Seat | None, view: ViewFunction | None = None
    ) -> Callable[[Stream], Any]:
        """Return a function that redeals a state with a random stream.

        The redealt states look the same to a seat, or to a spectator (None). The state must not
        change while the function is used. The hidden cards are collected and sorted only once.

        Args:
            state: The state.
            seat: The seat, or None for a spectator.
            view: Returns the view for `fits`, such as `Game.view`. By default, the declared view.

        Raises:
            ContractError: `fits` rejects a card at the place where the card actually is, or returns
                a value other than True or False.
        """
        collected = self._collect(state, seat)
        if collected.spots:
            collected.fit((view or self.view)(state, seat))
        return lambda rng: self.replaced(state, state, seat, None, _Dealt(collected, rng))

    def check_fits(self, state: Any, seat: Seat | None, view: ViewFunction | None = None) -> None:
        """Check that `fits` does not modify the view that it receives.

        This is slow, so use it in tests only. The arguments are those of `redealer`.

        Raises:
            ContractError: `fits` modifies the view, rejects a card at the place where the card
                actually is, or returns a value other than True or False.
        """
        make = view or self.view
        collected, seen = self._collect(state, seat), make(state, seat)
        collected.fit(seen)
        if to_json(seen) != to_json(make(state, seat)):
            names = sorted({spot.secret.name for spot in collected.spots})
            raise ContractError(
                f"`fits` of {join_words(names, 'or')} has changed the view, but must only read it"
            )

    def _collect(self, state: Any, seat: Seat | None) -> _Collected:
        """Collect the hidden cards of each pool, in an order that does not reveal their places."""
        collected = _Collected(seat)
        self.replaced(state, state, seat, None, collected)
        for key, cards in collected.pools.items():
            collected.pools[key] = cards if type(cards) is tuple else in_fixed_order(cards)
        return collected


@cached_by_class  # generating and compiling a function is slow
def masking_of(kind: type[Any]) -> Masking:
    """Return the views and redeals of a class of states.

    Raises:
        ContractError: The class declares no secrets, or the declarations contradict each other or
            the annotations. The message suggests a correction.
    """
    return Masking(generate(kind, glances=False, names={"shown_to": _shown_to}))


@cached_by_class
def glance_of(kind: type[Any]) -> Callable[[Any, Seat | None], Any]:
    """Return a function that makes views for callers that neither keep nor change them.

    These views share all unmasked values with the state.
    """
    return Masking(generate(kind, glances=True, names={"shown_to": _shown_to})).view


@cached_by_class
def _event_view_of(kind: type[Any]) -> Callable[..., Any] | None:
    """Return the function that masks an event or action, or None without hidden fields."""
    layouts = layouts_of(kind)
    if not layouts:
        return None
    declared = {name: secrets_of(kind)[name] for name in layouts}

    def masked_for(original: Any, state: Any, owner: Seat | None, seat: Seat | None) -> Any:
        masked = {
            name: layouts[name].replaced(getattr(original, name), repeat(secret.back))
            for name, secret in declared.items()
            if not _sees(secret.to, state, seat, owner, original)
        }
        return replace(original, **masked) if masked else original

    return masked_for


def _sees(
    to: Audience | VisibilityFunction,
    state: Any,
    seat: Seat | None,
    owner: Seat | None,
    original: Any,
) -> bool:
    """Return whether a seat sees a field of an event or action."""
    is_own = seat is not None and owner == seat
    return to is OWNER and is_own if isinstance(to, Audience) else to(state, seat, original)


# Replacements for hidden values.


class _Backs:
    """Replaces hidden cards with backs, for a view."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat

    def hidden(
        self, secret: SecretField, value: Any, owner: Any, known: Known[Any] | None = None
    ) -> Any:
        """Return the replacement for the cards of an owner that the seat does not see."""
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
        """Return visible cards in the order of `sorted_by`, because their real order is hidden."""
        return sorted(value, key=secret.declared.sorted_by)

    def known(self, known: Known[Any]) -> Known[Any]:
        """Return the part of a `Known` that the seat may see."""
        return Known([entry for entry in known.shown if entry.seat == self.seat])


class _Spot(NamedTuple):
    """The place of a hidden card in a field with `fits`, and its index in the pool."""

    fits: FitFunction
    secret: SecretField
    owner: Any
    at: Any
    card: Any
    number: int

    def accepts(self, view: Any, seat: Seat | None, card: Any) -> bool:
        """Return whether a card fits at this place."""
        fits: object = self.fits(view, seat, self.owner, self.at, card)
        if not isinstance(fits, bool):
            call = self._describe_call(seat, card)
            raise ContractError(f"{call} returns {fits!r}: return True or False")
        return fits

    def fitting(self, view: Any, seat: Seat | None, cards: Iterable[Any]) -> list[Any]:
        """Return the cards that fit here, which must include the card that is actually here."""
        fitting = [card for card in cards if self.accepts(view, seat, card)]
        if self.card not in fitting:
            raise ContractError(
                f"{self._describe_call(seat, self.card)} refuses the card that is really there: it"
                " must accept every card that is possible as far as the seat knows"
            )
        return fitting

    def _describe_call(self, seat: Seat | None, card: Any) -> str:
        arguments = f"seat={seat}, owner={self.owner}, place={self.at}, card={card!r}"
        return f"`fits` of {self.secret.name} ({arguments})"


class _Collected(_Backs):
    """Collects hidden cards by pool while a state is copied. The copy itself is not used.

    Attributes:
        pools: The cards of each pool.
        spots: The places in fields with `fits`.
        deals: The possible deals of pools with such places. Set by `fit`.
        choices: The possible values of fields with `choices` and `fits`. Set by `fit`.
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
                f"redeal found the back {declared.back!r} instead of a card: pass the whole state"
                " and not a view, which no longer contains the hidden cards (in a bot, add a"
                " parameter `sampler` to `choose`), and do not use the back as a card"
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
        # The tuple marks the order as fixed, so `_collect` does not sort the cards again.
        self.pools[id(value)] = tuple(super().ordered(secret, value))
        return value

    def fit(self, view: Any) -> None:
        """Determine which cards fit where, given the view of the seat."""
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
    """Replaces each hidden card of a state with a random one of those collected, for a redeal."""

    def __init__(self, collected: _Collected, rng: Stream) -> None:
        super().__init__(collected.seat)
        self._rng = rng
        self._pools: dict[object, Iterator[Any]] = {}
        self._dealt: dict[int, dict[Any, Any]] = {}  # the new piles by id of `Known` and by owner
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
            # All places of a pool share an iterator, so that each card is dealt once.
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
