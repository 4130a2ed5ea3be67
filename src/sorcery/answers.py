"""What modifiers answer: a question of the rules at least, with numbers that stay in bounds."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType

from sorcery.flaws import meant
from sorcery.modifier import QUESTIONS, Modifier
from sorcery.state import MOST


def is_ours(kind: type) -> bool:
    """Whether a class is one of the game itself."""
    return kind.__module__.partition(".")[0] == "sorcery"


def place_in(kind: type, method: str) -> str:
    """Where a class answers: `moss.py, line 12`; empty when that is not known."""
    found = getattr(kind, method, None)
    found = found.fget if isinstance(found, property) else found
    if not isinstance(found, FunctionType):
        return ""
    code = found.__code__
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def flaw_of_modifier(modifier: Modifier) -> str:
    """What is wrong with a modifier, as a phrase; empty when nothing is."""
    kind = type(modifier)
    if is_ours(kind):
        return _too_great(modifier)
    if not kind.questions:
        return _no_question(kind)
    return ""


def _no_question(kind: type[Modifier]) -> str:
    own = [
        name
        for one in kind.__mro__
        if issubclass(one, Modifier) and one is not Modifier
        for name in vars(one)
        if not name.startswith("_") and callable(getattr(one, name, None))
    ]
    near = next((f"{name}{meant(name, QUESTIONS)}" for name in own if meant(name, QUESTIONS)), "")
    has = f" has {near}" if near else f" can fill in {', '.join(QUESTIONS)}"
    return f"{kind.__name__} answers no question of the rules: it{has}"


def _too_great(modifier: Modifier) -> str:
    """Which number of a modifier of the game is out of bounds or none, as a phrase."""
    name = type(modifier).__name__
    for field in ("more",):
        value = getattr(modifier, field, 0)
        if type(value) is not int:
            return f"the {field} of {name} is {value!r}, which is no whole number"
        if abs(value) > MOST:
            return f"the {field} of {name} is {value:,}: numbers go up to {MOST:,}"
    for field in ("attack", "defence"):
        change = getattr(modifier, field, None)
        if change is not None and abs(change.amount) > MOST:
            return f"the {field} of {name} is {change}: numbers go up to {MOST:,}"
    return ""
