"""What seats have been shown of what is secret."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Generic, TypeVar

from tabletop.classes import frozen
from tabletop.errors import ContractError
from tabletop.game import State
from tabletop.outcome import Seat
from tabletop.states import state

C = TypeVar("C", bound=Hashable)


@frozen
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

    A view shows a seat those cards, and a redeal leaves them where they are. What becomes of a card
    is for the rules to say: `forget` it when it leaves its pile, or may have.
    """

    shown: list[Shown[C]] = field(default_factory=list)

    def show(
        self, seat: Seat, card: C, owner: Seat | None = None, *, at: int | None = None
    ) -> None:
        """Have `seat` know that `card` is in the pile of `owner`, if it does not yet."""
        entry = Shown(seat, card, owner, at)
        if entry not in self.shown:
            self.shown.append(entry)

    def cards(self, seat: Seat | None, owner: Seat | None = None) -> list[C]:
        """What `seat` knows to be in the pile of `owner`."""
        return [it.card for it in self.shown if it.seat == seat and it.owner == owner]

    def forget(self, card: C, owner: Seat | None = None) -> None:
        """Have nobody know of a card in the pile of `owner`: it is gone."""
        self.shown = [it for it in self.shown if (it.card, it.owner) != (card, owner)]

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


def masked(
    known: Known[Any], pile: Sequence[Any], back: Any, seat: Seat | None, owner: Any
) -> list[Any]:
    """A pile with backs in the place of what `seat` has not been shown.

    Where nobody cares for the order, the cards that it knows come first.
    """
    entries = _of(known, seat, owner)
    if not entries:
        return [back] * len(pile)
    _located(entries, pile)
    fixed = {it.at: it.card for it in entries if it.at is not None}
    loose = iter([it.card for it in entries if it.at is None])
    return [fixed[at] if at in fixed else next(loose, back) for at in range(len(pile))]


def unseen(known: Known[Any], pile: Sequence[Any], seat: Seat | None, owner: Any) -> Sequence[Any]:
    """The cards of a pile that `seat` has not been shown."""
    entries = _of(known, seat, owner)
    if not entries:
        return pile
    fixed = _located(entries, pile)
    return [it for at, it in enumerate(pile) if at not in fixed]


def dealt(
    known: Known[Any], pile: Sequence[Any], cards: Iterator[Any], seat: Seat | None, owner: Any
) -> list[Any]:
    """A pile with other cards in the place of those that `seat` has not been shown."""
    fixed = _located(_of(known, seat, owner), pile)
    return [it if at in fixed else next(cards) for at, it in enumerate(pile)]


def of_seat(known: Known[Any], seat: Seat | None) -> Known[Any]:
    """What `seat` itself has been shown."""
    return Known([it for it in known.shown if it.seat == seat])


def followed(known: Known[Any], old: Mapping[Any, Any], new: Mapping[Any, Any]) -> Known[Any]:
    """What seats know when other cards lie where those were that they have been shown.

    Args:
        known: what they have been shown.
        old: the piles in which they lay, by owner.
        new: those that have been dealt in their place.
    """
    found: dict[tuple[Any, Any], Iterator[int]] = {}
    for it in known.shown:
        if (it.seat, it.owner) not in found:
            entries = _of(known, it.seat, it.owner)
            found[it.seat, it.owner] = iter(_located(entries, old[it.owner]))
    return Known(
        [replace(it, card=new[it.owner][next(found[it.seat, it.owner])]) for it in known.shown]
    )
