"""`secret`: a field of a dataclass that says who sees it."""

from __future__ import annotations

from dataclasses import fields

from tabletop import NOBODY, OWNER, Event, State, event, secret, state
from tabletop.visibility import secrets_of


@state
class Hands(State):
    hands: list[list[int]] = secret(to=OWNER, back=0)
    deck: list[int] = secret(to=NOBODY, back=0, default_factory=list)
    turn: int = 0


@event
class Drawn(Event):
    seat: int
    card: int = secret(to=OWNER, back=0, default=7)


def test_a_class_tells_what_is_secret_in_it() -> None:
    declared = secrets_of(Hands)
    assert {name: it.to for name, it in declared.items()} == {"hands": OWNER, "deck": NOBODY}
    assert {name: it.back for name, it in declared.items()} == {"hands": 0, "deck": 0}
    assert secrets_of(int) == secrets_of(None) == {}


def test_a_secret_field_is_a_field_like_any_other() -> None:
    assert [item.name for item in fields(Hands)] == ["hands", "deck", "turn"]
    assert Hands([[1]]) == Hands([[1]], [], 0)
    assert Drawn(1) == Drawn(1, 7)
