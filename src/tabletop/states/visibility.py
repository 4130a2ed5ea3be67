"""Secret fields of states, events and actions: `secret` declares which seats see them.

`tabletop.rules.secrets` derives views, masked events and redealt states from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, field, fields
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError
from tabletop.states.bounds import Seat


class Audience(Enum):
    """The seats that can see a field."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYBODY = "everybody"


NOBODY: Final = Audience.NOBODY
"""No seat sees the field. Example: a deck."""

OWNER: Final = Audience.OWNER
"""The owner sees the field. Example: a hand.

- In a state, the owner is the index in the outermost list, or the key in the outermost dictionary.
- In an event, the owner is its `seat`.
- In an action, the owner is the seat that played it.
"""

EVERYBODY: Final = Audience.EVERYBODY
"""All seats and spectators see the field, like a field that is not secret."""

VisibilityFunction: TypeAlias = Callable[[Any, Seat | None, Any], bool]
"""A function that returns whether a seat sees a field. Its arguments are the whole state, the seat
(None for a spectator), and, for a field of a state, the owner of the cards. For a field of an event
or action, the last argument is the event or action.
"""


FitFunction: TypeAlias = Callable[[Any, Seat | None, Any, Any, Any], bool]
"""A function that returns whether a card may be at a place, given the knowledge of a seat.

Its arguments are the view of the seat, the seat (None for a spectator), the owner of the cards, the
place, and the card. The place is the index in the pile, or None for a single card, or `(key,
place)` in piles of piles.
"""


class Secret(NamedTuple):
    """The declaration of a secret field. `secret` describes the attributes."""

    to: Audience | VisibilityFunction
    back: Any
    pool: Hashable
    choices: Sequence[Any]
    sorted_by: Callable[[Any], Any] | None
    known: str
    fits: FitFunction | None


def secret(
    *,
    to: Audience | VisibilityFunction,
    back: Any,
    pool: Hashable = None,
    choices: Sequence[Any] = (),
    sorted_by: Callable[[Any], Any] | None = None,
    known: str = "",
    fits: FitFunction | None = None,
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """Declare a field of a dataclass that some seats do not see.

    The field contains a card, a pile of cards (a list, a deque, or a tuple of any or fixed length),
    or piles in lists, tuples or dictionaries. A card is any immutable value that `back` can
    replace. All seats see the number of cards, and which items are None, which means "no card".

    Args:
        to: The seats that see the cards: `NOBODY`, `OWNER`, `EVERYBODY`, or a function that returns
            whether a seat sees them.
        back: The replacement for a hidden card. No card may be equal to it.
        pool: The name of the pool of hidden cards with which these cards are shuffled in a redeal.
            By default, all cards with the same back share a pool. With `OWNER`, each owner's cards
            have a separate pool.
        choices: The possible values of a field that is chosen or rolled instead of dealt. A redeal
            draws random values from these.
        sorted_by: A sort key, if the order of the cards is secret, too. Seats that see the cards
            see them sorted by this key.
        known: The name of the `Known` field that stores which cards seats have been shown.
        fits: A function that returns whether a hidden card may be at a place, for example because
            of hints about a hand, or of suits that a seat lacks. A redeal chooses one of all deals
            in which every card fits, with equal probability. The true deal must be one of these
            deals.
        default: The default, as in `dataclasses.field`.
        default_factory: The default factory, as in `dataclasses.field`.

    Raises:
        ContractError: `to` is not an audience, or `sorted_by` or `fits` is not a function.

    >>> from tabletop import State, state
    >>> @state
    ... class Position(State):
    ...     hands: list[list[str]] = secret(to=OWNER, back="?")
    ...     deck: list[str] = secret(to=NOBODY, back="?")
    """
    if not isinstance(to, Audience) and not callable(to):
        raise ContractError(
            f"to={to!r}: use NOBODY, OWNER, EVERYBODY, or a function (state, seat, owner) -> bool"
        )
    if sorted_by is not None and not callable(sorted_by):
        raise ContractError(f"sorted_by={sorted_by!r}: use a function that returns a sort key")
    if fits is not None and not callable(fits):
        raise ContractError(
            f"fits={fits!r}: use a function (view, seat, owner, place, card) -> bool"
        )
    declared = Secret(to, back, pool, tuple(choices), sorted_by, known, fits)
    metadata = {Secret: declared}
    dataclass_field: Any = field(
        default=default, default_factory=default_factory, metadata=metadata
    )
    return dataclass_field


def secrets_of(kind: Any) -> dict[str, Secret]:
    """Return the secret fields of a dataclass by name. Other classes have none."""
    if not hasattr(kind, "__dataclass_fields__"):
        return {}
    return {item.name: item.metadata[Secret] for item in fields(kind) if Secret in item.metadata}
