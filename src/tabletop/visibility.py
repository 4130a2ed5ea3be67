"""Fields that say who sees them: `secret`, for states, events and actions.

`tabletop.secrets` makes views, masked events and redealt states of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, field, fields
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError
from tabletop.outcome import Seat


class Audience(Enum):
    """Who sees a field."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYBODY = "everybody"


NOBODY: Final = Audience.NOBODY
"""No seat sees it, such as a deck."""

OWNER: Final = Audience.OWNER
"""The seat whose it is, such as a hand: in a state, the place in the outermost list on the way; in
an event, its `seat`; in an action, whoever has played it."""

EVERYBODY: Final = Audience.EVERYBODY
"""All see it, as if nothing was said."""

Sight: TypeAlias = Callable[[Any, Seat | None, Any], bool]
"""Whether a seat, or a spectator (None), sees something: asked with the state, the seat, and whose
it is (in a state), or the event or action that it is a field of."""


class Secret(NamedTuple):
    """What is said of a field by `secret`; its parameters are described there."""

    to: Audience | Sight
    back: Any
    pool: Hashable
    choices: Sequence[Any]
    sorted_by: Callable[[Any], Any] | None
    known: str


def secret(
    *,
    to: Audience | Sight,
    back: Any,
    pool: Hashable = None,
    choices: Sequence[Any] = (),
    sorted_by: Callable[[Any], Any] | None = None,
    known: str = "",
    default: Any = MISSING,
    default_factory: Any = MISSING,
) -> Any:
    """A field of a dataclass that not everybody sees.

    It holds a card, a pile of cards (a list, tuple or deque), or piles in lists, tuples or
    dictionaries. A card is whatever `back` can stand for, and never changes. How many cards there
    are, and where there is None in the place of one, is seen by all.

    Args:
        to: who sees the cards: `NOBODY`, `OWNER`, `EVERYBODY`, or a function that says so of each
            seat.
        back: what stands in the place of a card for those who do not see it. No card equals it.
        pool: with which other unseen cards these are dealt anew. Cards with the same back are of
            one kind, unless a name is given here; with `OWNER`, those of each owner stay apart.
        choices: what can stand there, where it is chosen or rolled and not dealt: a redeal draws
            from these.
        sorted_by: the order is a secret as well: who sees the cards sees them sorted by this key.
        known: the name of the field with the cards that seats have been shown, a `Known`.
        default: as of `dataclasses.field`.
        default_factory: as of `dataclasses.field`.

    Raises:
        ContractError: `to` says of nobody what it sees, or `sorted_by` is no key to sort by.
    """
    if not isinstance(to, Audience) and not callable(to):
        raise ContractError(
            f"to={to!r}: write NOBODY, OWNER, EVERYBODY, or a function that says so"
        )
    if sorted_by is not None and not callable(sorted_by):
        raise ContractError(f"sorted_by={sorted_by!r}: write a function of a card")
    declared = Secret(to, back, pool, tuple(choices), sorted_by, known)
    made: Any = field(default=default, default_factory=default_factory, metadata={Secret: declared})
    return made


def secrets_of(kind: Any) -> dict[str, Secret]:
    """What a dataclass says of its fields, by their names; empty for what is no dataclass."""
    if not hasattr(kind, "__dataclass_fields__"):
        return {}
    return {it.name: it.metadata[Secret] for it in fields(kind) if Secret in it.metadata}
