"""What seats have been shown of what is secret."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Any, Generic, TypeVar

from tabletop.errors import ContractError
from tabletop.outcome import Seat
from tabletop.states import State, state

C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Shown(Generic[C]):
    """A card that a seat has been shown.

    Attributes:
        seat: who has been shown it.
        card: what it is.
        owner: in whose pile it lies; None where the field is one pile.
        at: at which place of the pile; None where nobody but its owner cares for the order.
    """

    seat: Seat
    card: C
    owner: Seat | None = None
    at: int | None = None


@state
class Known(State, Generic[C]):
    """The cards of one secret field that seats have been shown, the latest last.

    It is a multiset: of equal cards, a seat knows as many as it has been shown. A view shows a seat
    those cards, and a redeal leaves them in their pile. What becomes of a card is for the rules to
    say: `forget` it when it leaves its pile, or may have.
    """

    shown: list[Shown[C]] = field(default_factory=list)

    def show(
        self, seat: Seat, card: C, owner: Seat | None = None, *, at: int | None = None
    ) -> None:
        """Have `seat` know one more `card` in the pile of `owner`; at one place it knows one.

        Equal cards count as often as they are shown. Who sees a pile again that it has seen may
        see the same cards: write `show_all` for that.
        """
        entry = Shown(seat, card, owner, at)
        if at is None or entry not in self.shown:
            self.shown.append(entry)

    def show_all(self, seat: Seat, cards: Iterable[C], owner: Seat | None = None) -> None:
        """Have `seat` know the whole pile of `owner`, in place of what it knew of it."""
        self.shown = [it for it in self.shown if (it.seat, it.owner) != (seat, owner)]
        self.shown += [Shown(seat, card, owner) for card in cards]

    def cards(self, seat: Seat | None, owner: Seat | None = None) -> list[C]:
        """What `seat` knows to be in the pile of `owner`; equal cards as often as it knows them."""
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
        """Have nobody know anything of the pile of `owner`: it has been shuffled."""
        self.shown = [it for it in self.shown if it.owner != owner]


def _located(entries: Sequence[Shown[Any]], pile: Sequence[Any]) -> list[int]:
    """Where the cards lie that somebody has been shown of a pile.

    Raises:
        ContractError: one of them is not there.
    """
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


def _of(known: Known[Any], seat: Seat | None, owner: Any) -> list[Shown[Any]]:
    return [it for it in known.shown if it.seat == seat and it.owner == owner]


def knows(known: Known[Any], seat: Seat | None, owner: Any) -> bool:
    """Whether `seat` has been shown the one card of an owner."""
    return any(it.seat == seat and it.owner == owner for it in known.shown)


def arranged(
    known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any, rest: Iterator[Any]
) -> list[Any]:
    """A pile with the cards of `rest` in the place of those that `seat` has not been shown.

    Where nobody cares for the order, the cards that it knows come first: where they lie among the
    others is none of its business.
    """
    entries = _of(known, seat, owner)
    _located(entries, pile)
    fixed = {it.at: it.card for it in entries if it.at is not None}
    loose = iter([it.card for it in entries if it.at is None])
    cards = chain(loose, rest)
    return [fixed[at] if at in fixed else next(cards) for at in range(len(pile))]


def masked(
    known: Known[Any], pile: Sequence[Any], back: Any, seat: Seat | None, owner: Any
) -> list[Any]:
    """A pile with backs in the place of what `seat` has not been shown."""
    return arranged(known, pile, seat, owner, repeat(back))


def unseen(known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any) -> Sequence[Any]:
    """The cards of a pile that `seat` has not been shown."""
    entries = _of(known, seat, owner)
    if not entries:
        return pile
    found = _located(entries, pile)
    return [it for at, it in enumerate(pile) if at not in found]


def of_seat(known: Known[Any], seat: Seat | None) -> Known[Any]:
    """What `seat` itself has been shown."""
    return Known([it for it in known.shown if it.seat == seat])


def followed(known: Known[Any], dealt: Mapping[Any, Sequence[Any]]) -> Known[Any]:
    """What seats know when piles have been dealt anew: as many cards of them as before.

    Which cards of a pile they have been shown is no business of the seat for which it was dealt, so
    it must not follow from what they really know: those at the front are taken, or at their places.

    Args:
        known: what they have been shown.
        dealt: the piles that were dealt anew, by owner.
    """
    shown = []
    fronts: dict[tuple[Seat, Any], Iterator[Any]] = {}
    for it in known.shown:
        if it.owner not in dealt:
            shown.append(it)
            continue
        pile = dealt[it.owner]
        if (it.seat, it.owner) not in fronts:
            taken = {entry.at for entry in _of(known, it.seat, it.owner)}
            free = [card for at, card in enumerate(pile) if at not in taken]
            fronts[it.seat, it.owner] = iter(free)
        card = next(fronts[it.seat, it.owner]) if it.at is None else pile[it.at]
        shown.append(replace(it, card=card))
    return Known(shown)
