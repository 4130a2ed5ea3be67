"""What follows from the secrets that a class declares: views, redealt states, masked events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final, TypeAlias

from tabletop.codec import in_fixed_order
from tabletop.codec.generating import made_functions
from tabletop.codec.shape import Misfit
from tabletop.errors import ContractError
from tabletop.fields import EVERYBODY, NOBODY, OWNER, Secret, secrets_of
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.secrets import known
from tabletop.secrets.shapes import masked, shape_of
from tabletop.secrets.writing import Writing, holds_secrets
from tabletop.states.annotated import field_hints

Told: TypeAlias = Callable[[Any, Any, Seat | None, Seat | None], Any]
"""Gives a thing, of a state, that belongs to an owner, as a seat may know it."""


def _refuse_view(unseen: Sequence[Any], back: Any) -> None:
    """Accept cards that a seat does not see, if they are cards.

    Raises:
        ContractError: there is a back among them.
    """
    # None may also say that there is nothing to see.
    if back is not None and back in unseen:
        raise ContractError(
            f"redeal found the back {back!r} in the place of a card: it is asked of the whole"
            " state, and this is a view of it, which has lost what there is to deal. A player that"
            " looks ahead takes a `sampler` in `choose`; a back must stand for no card"
        )


_TOOLS: Final = {
    "_new": object.__new__,
    "islice": islice,
    "deque": deque,
    "arranged": known.arranged,
    "followed": known.followed,
    "knows": known.knows,
    "in_fixed_order": in_fixed_order,
    "masked": known.masked,
    "of_seat": known.of_seat,
    "refuse_view": _refuse_view,
    "unseen": known.unseen,
}


@dataclass(frozen=True, slots=True)
class Secrecy:
    """What follows from the secrets of a class of states.

    Attributes:
        view: of a state, what a seat or a spectator sees of it.
        redeal: of a state, another one that a seat or a spectator cannot tell from it.
    """

    view: Callable[[Any, Seat | None], Any]
    redeal: Callable[[Any, Seat | None, Stream], Any]


_secrecies: dict[type[Any], Secrecy] = {}
_tellings: dict[type[Any], Told | None] = {}
"""What was worked out, by class: far longer than to look at one state."""


def secrecy_of(kind: type[Any]) -> Secrecy:
    """What follows from the secrets that a class of states declares; worked out once.

    Raises:
        ContractError: it declares none, or what cannot be; says what to write instead.
    """
    if kind not in _secrecies:
        _secrecies[kind] = _secrecy(kind)
    return _secrecies[kind]


def _secrecy(kind: type[Any]) -> Secrecy:
    name = kind.__qualname__
    try:
        if not holds_secrets(kind):
            what = "no field says who sees it; write secret(to=..., back=...), or derive from Game"
            raise ContractError(f"{name}: {what}")
        writing = Writing()
        own = writing.function(kind, owned=False)
    except Misfit as error:
        raise ContractError(error.at(name)) from error
    lines = [*writing.lines, *_ROOT.format(own=own).splitlines()]
    title = f"secrets of {kind.__module__}.{name}"
    made = made_functions(title, lines, {**_TOOLS, **writing.copying.names})
    return Secrecy(made["view"], made["redeal"])


_ROOT: Final = '''\
def view(state, seat):
    """What `seat`, or a spectator, sees."""
    return view_{own}(state, state, seat, None)


def redeal(state, seat, rng):
    """Another state that `seat`, or a spectator, cannot tell from this one."""
    pools = {{}}
    gather_{own}(state, state, seat, None, pools)
    for key, cards in pools.items():
        cards = list(cards) if type(cards) is tuple else in_fixed_order(cards)
        rng.shuffle(cards)
        pools[key] = iter(cards)
    return deal_{own}(state, state, seat, None, pools, rng)
'''


def telling_of(kind: type[Any]) -> Told | None:
    """What gives an event or action as a seat may know it; None where all may know all.

    It is called with the event, the state, the owner and the seat, and returns the event itself
    where the seat may know all of it.

    Raises:
        ContractError: a field is declared as it cannot be.
    """
    if kind not in _tellings:
        _tellings[kind] = _telling(kind)
    return _tellings[kind]


def _telling(kind: type[Any]) -> Told | None:
    declared = {name: it for name, it in secrets_of(kind).items() if it.to is not EVERYBODY}
    if not declared:
        return None
    names: dict[str, Any] = {"Kind": kind, "deque": deque}
    hints = field_hints(kind)
    tests, parts = [], []
    for item in fields(kind):
        part = f"self.{item.name}"
        if item.name in declared:
            try:
                hidden = _hidden(item.name, declared[item.name], hints[item.name], names)
            except Misfit as error:
                raise ContractError(error.at(f"{kind.__qualname__}.{item.name}")) from error
            tests.append(f"    sees_{item.name} = {_test(item.name, declared[item.name], names)}")
            part = f"{part} if sees_{item.name} else {hidden}"
        parts.append(f"        {item.name}={part},")
    whole = " and ".join(f"sees_{name}" for name in declared)
    lines = [
        "def told(self, state, owner, seat):",
        *tests,
        f"    if {whole}:",
        "        return self",
    ]
    lines += ["    return Kind(", *parts, "    )"]
    told: Told = made_functions(f"secrets of {kind.__module__}.{kind.__qualname__}", lines, names)[
        "told"
    ]
    return told


def _hidden(name: str, declared: Secret, hint: Any, names: dict[str, Any]) -> str:
    names[f"BACK_{name}"] = declared.back
    return masked(shape_of(hint, declared.back), f"self.{name}", f"BACK_{name}")


def _test(name: str, declared: Secret, names: dict[str, Any]) -> str:
    if declared.to is NOBODY:
        return "False"
    if declared.to is OWNER:
        return "seat is not None and owner == seat"
    names[f"sight_{name}"] = declared.to
    return f"sight_{name}(state, seat, self)"
