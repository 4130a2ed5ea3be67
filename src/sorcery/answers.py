"""What modifiers answer: a question of the rules at least, with numbers that stay in bounds."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Final

from sorcery.flaws import meant
from sorcery.modifier import QUESTIONS, Modifier
from sorcery.state import MOST

NUMBERS: Final = (0, 1, 2, 7, -1)
"""With what modifiers are tried: one that divides, or forgets to answer, is found by some."""


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
    odd = _odd_answer(modifier)
    if odd:
        return odd
    kind = type(modifier)
    if is_ours(kind):
        return _too_great(modifier)
    if not kind.questions:
        return _no_question(kind)
    return ""


def _in(modifier: Modifier, question: str) -> str:
    """Where a modifier answers, in brackets; empty when that is not known."""
    place = place_in(type(modifier), question)
    return f" ({place})" if place else ""


def _odd_answer(modifier: Modifier) -> str:
    """What a modifier answers that cannot be, as a phrase; empty when nothing is odd.

    It is tried here: in a match an answer of another type would get into the state.
    """
    name = type(modifier).__name__
    for question in sorted(modifier.questions):
        is_number = question.startswith("new_")
        for asked in NUMBERS if is_number else ("Air Elemental",):
            try:
                answer = getattr(modifier, question)(asked)
            except Exception as error:
                said = f"{type(error).__name__}: {error}{_in(modifier, question)}"
                return f"{question} of {name} fails for {asked!r}: {said}"
            if type(answer) is not int if is_number else not isinstance(answer, str):
                kind = "whole number" if is_number else "text"
                said = f"which is no {kind}{_in(modifier, question)}"
                return f"{question} of {name} answers {answer!r} to {asked!r}, {said}"
    box: object = modifier.box
    word: object = modifier.word
    if not isinstance(box, tuple) or len(box) != 2 or not all(isinstance(it, str) for it in box):
        return f"the box of {name} is {box!r}, which is no pair of texts"
    return "" if isinstance(word, str) else f"the word of {name} is {word!r}, which is no text"


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
