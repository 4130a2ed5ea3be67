"""The shape of what rules answer: lists of seats and of actions, states, outcomes.

A match looks where it costs nothing: at what is neither a list nor a tuple, and after something
else has failed of it. `tabletop check` looks at all of it, and says it in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tabletop.errors import ContractError
from tabletop.game import AnyGame
from tabletop.outcome import Outcome, Seat
from tabletop.wording import plural, truncate

SHOWN: Final = 60
"""How many letters are shown of what is wrong."""


def wrong_state(method: str, state: object) -> str | None:
    """What is wrong with a state that a method returns, and what to write instead."""
    if state is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(state, type) or not callable(getattr(state, "clone", None)):
        what = f"the class {state.__name__}" if isinstance(state, type) else a_kind_of(state)
        return (
            f"{method} returns {what}: a state is an instance of a dataclass with a method `clone`,"
            " which returns an equal, independent copy"
        )
    return None


def wrong_list(method: str, given: object) -> str | None:
    """What is wrong with a list of seats, or of actions, and what to write instead."""
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return None
    what = f"{method} returns {truncate(repr(given), SHOWN)}"
    if given is None:
        return f"{method} returns None: is a `return` missing?"
    if isinstance(given, set | frozenset):
        return f"{what}: a set has no order; write return sorted(...), or a tuple"
    if isinstance(given, int) and method == "to_act":
        return f"{what}: write return ({given},) for that one seat, and return () when it is over"
    if hasattr(given, "__next__"):
        return (
            f"{method} returns {a_kind_of(given)}, which is empty once it has been read: return a"
            " list or a tuple (without `yield`)"
        )
    return f"{what}, {a_kind_of(given)}: return a list or a tuple"


def wrong_seats(given: Any, seats: int) -> str | None:
    """What is wrong with those who are to act, of so many seats."""
    wrong = wrong_list("to_act", given)
    if wrong is not None:
        return wrong
    for seat in given:
        if not isinstance(seat, int) or not 0 <= seat < seats:
            return f"to_act gives {seat!r}, of {plural(seats, 'seat')}: 0 to {seats - 1}"
    return None


def wrong_actions(given: Any, seat: Seat) -> str | None:
    """What is wrong with the legal actions of a seat that is to act."""
    wrong = wrong_list("legal_actions", given)
    if wrong is None and not given:
        return (
            f"legal_actions returns {given!r} for seat {seat}, which is to act: to_act leaves"
            " out who can do nothing, or there is an action for that, such as to pass"
        )
    return wrong


def wrong_outcome(given: object) -> str | None:
    """What is wrong with an outcome."""
    if given is None or isinstance(given, Outcome):
        return None
    what = truncate(repr(given), SHOWN)
    return f"outcome returns {what}, {a_kind_of(given)}: return an Outcome, or None before the end"


def wrong_answer(game: AnyGame, state: Any, seats: int) -> str | None:
    """What is wrong with who is to act in a state, and with what they may do; None if nothing is.

    The rules are asked anew, and may fail; of that nothing is said.
    """
    try:
        to_act = game.to_act(state)
        wrong = wrong_seats(to_act, seats)
        for seat in () if wrong is not None else to_act:
            wrong = wrong or wrong_actions(game.legal_actions(state, seat), seat)
    except Exception:
        return None
    return wrong


def broken_contract(game: AnyGame, wrong: str) -> ContractError:
    """The error for what is wrong with an answer."""
    return ContractError(f"{game.name}: {wrong} (`tabletop check` looks for such faults)")


def a_kind_of(value: object) -> str:
    """What kind of thing a value is: `a generator`, `an int`."""
    name = type(value).__name__
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"
