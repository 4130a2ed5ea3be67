"""Secret fields: `secret` declares who sees them, for states, events and actions.

`tabletop.rules.secrets` makes views, masked events and redealt states of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, field, fields
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError
from tabletop.states.bounds import Seat


class Audience(Enum):
    """The seats that see a field."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYBODY = "everybody"


NOBODY: Final = Audience.NOBODY
"""No seat sees the field, such as a deck."""

OWNER: Final = Audience.OWNER
"""The seat whose it is, such as a hand: in a state, the place in the outermost list on the way; in
an event, its `seat`; in an action, whoever has played it."""

EVERYBODY: Final = Audience.EVERYBODY
"""All see the field, as if nothing were declared."""

Sight: TypeAlias = Callable[[Any, Seat | None, Any], bool]
"""A function that decides whether a seat sees a field. It is called with the whole state; the seat,
None for a spectator; and the owner of the cards (a field of a state), or else the event or action
that has the field."""


Fit: TypeAlias = Callable[[Any, Seat | None, Any, Any, Any], bool]
"""A function that decides whether a card may lie at a place, as far as a seat can know. It is
called with the view of the seat; the seat, None for a spectator; the owner of the cards; the place
in its pile, from 0 (None for a single card, `(key, place)` in piles of piles); and the card."""


class Secret(NamedTuple):
    """The declaration of a field by `secret`; its parameters are described there."""

    to: Audience | Sight
    back: Any
    pool: Hashable
    choices: Sequence[Any]
    sorted_by: Callable[[Any], Any] | None
    known: str
    fits: Fit | None


def secret(
    *,
    to: Audience | Sight,
    back: Any,
    pool: Hashable = None,
    choices: Sequence[Any] = (),
    sorted_by: Callable[[Any], Any] | None = None,
    known: str = "",
    fits: Fit | None = None,
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """Declare a field of a dataclass that not everybody sees.

    It holds a card, a pile of cards (a list, a deque, or a tuple of any or fixed length), or piles
    in lists, tuples or dictionaries. A card is any value that `back` can replace, and never
    changes. All see the number of cards, and None in the place of one.

    Args:
        to: the seats that see the cards: `NOBODY`, `OWNER`, `EVERYBODY`, or a function that decides
            for each seat.
        back: the substitute for a card that is not seen. No card equals it.
        pool: the name of the pool of unseen cards with which these are dealt anew. By default,
            cards with the same back share a pool; with `OWNER`, those of each owner stay apart.
        choices: the possible values of a field that is chosen or rolled and not dealt: a redeal
            draws from these.
        sorted_by: a sort key, if the order is a secret as well: the cards are seen sorted by it.
        known: the name of the field with the cards that seats have been shown, a `Known`.
        fits: a function that decides for each unseen card and place whether it may lie there: hints
            about the cards of a hand, suits that a seat lacks. A redeal is one of the deals in
            which all fit, each as likely as any other; the true one is always among them.
        default: as of `dataclasses.field`.
        default_factory: as of `dataclasses.field`.

    Raises:
        ContractError: `to` is no audience, `sorted_by` no key to sort by, or `fits` no function.

    >>> from tabletop import State, state
    >>> @state
    ... class Position(State):
    ...     hands: list[list[str]] = secret(to=OWNER, back="?")
    ...     deck: list[str] = secret(to=NOBODY, back="?")
    """
    if not isinstance(to, Audience) and not callable(to):
        raise ContractError(
            f"to={to!r}: write NOBODY, OWNER, EVERYBODY, or a function that says so"
        )
    if sorted_by is not None and not callable(sorted_by):
        raise ContractError(f"sorted_by={sorted_by!r}: write a function of a card")
    if fits is not None and not callable(fits):
        raise ContractError(
            f"fits={fits!r}: write a function fits(view, seat, owner, place, card) -> bool"
        )
    declared = Secret(to, back, pool, tuple(choices), sorted_by, known, fits)
    made: Any = field(default=default, default_factory=default_factory, metadata={Secret: declared})
    return made


def secrets_of(kind: Any) -> dict[str, Secret]:
    """Return the declarations of a dataclass, by field; empty for any other class."""
    if not hasattr(kind, "__dataclass_fields__"):
        return {}
    return {it.name: it.metadata[Secret] for it in fields(kind) if Secret in it.metadata}
