"""Find actions by their text, for games without a command table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

from tabletop.errors import CommandError
from tabletop.states.bounds import Seat
from tabletop.wording import meant_words, nearest, quote

A = TypeVar("A")

_SIGNS: Final = str.maketrans("0", "O", "xX=+#!?")  # castling is also written with zeros
_SEPARATORS: Final = re.compile("[ -]+(?![0-9])")


def find_by_text(text: str, actions: Iterable[A]) -> A:
    """Find the action whose text is `text`. Case and extra spaces do not matter.

    Raises:
        CommandError: No action has this text.
    """
    wanted = normalize(text)
    compared = []
    for action in actions:
        compared.append(action)
        if normalize(str(action)) == wanted:
            return action
    raise not_possible(text, compared)


def not_possible(
    text: str, actions: Sequence[object], label: Callable[[Any], str] = str
) -> CommandError:
    """Return the error for a line that is not the text of an action.

    Args:
        label: Returns the words of an action for the message.
    """
    texts = list(map(label, actions))
    meant = nearest(text, texts)
    hint = meant_words(meant, f"possible: {_first(texts)}")
    message = f"{quote(text.strip())} is not possible here{hint}"
    return CommandError(message, line=text, suggests=meant is not None)


def only(text: str, actions: Sequence[A]) -> A:
    """Return the only action that `text` means.

    Raises:
        CommandError: There are several actions.
    """
    if len(actions) > 1:
        texts = _first([*map(str, actions)])
        message = f"{quote(text.strip())} has several meanings: {texts}"
        raise CommandError(message, line=text, suggests=True)
    return actions[0]


def _first(texts: Sequence[str]) -> str:
    return ", ".join(texts[:12]) + (", ..." if len(texts) > 12 else "")


def find_by_label(line: str, actions: Iterable[A], label: Callable[[A], str]) -> list[A]:
    """Return the actions whose label or text is `line`.

    If there are none and `line` is not a number, the signs `x = + # ! ?` do not matter, then the
    letter case, then hyphens and spaces in front of letters. An action for which `label` raises an
    error is left out.
    """
    texts: list[tuple[A, tuple[str, str]]] = []
    for action in actions:
        with suppress(Exception):  # the label of an illegal action
            texts.append((action, (label(action), str(action))))
    forms = (str.strip, _without_signs, _folded, _joined)
    for plain in forms[:1] if line.strip().isdecimal() else forms:
        if found := [action for action, both in texts if plain(line) in map(plain, both)]:
            return found
    return []


def _without_signs(words: str) -> str:
    return " ".join(words.translate(_SIGNS).split())


def _folded(words: str) -> str:
    return _without_signs(words).casefold()


def _joined(words: str) -> str:
    return _SEPARATORS.sub("", _folded(words))


def normalize(text: str) -> str:
    """Return `text` in lower case, with one space between words."""
    return " ".join(text.split()).casefold()


def complete_text(line: str, actions: Iterable[object]) -> list[str]:
    """Return the words that can complete `line`, without duplicates.

    If the line does not end with a space, its last word is completed.
    """
    words = normalize(line).split()
    begun = words.pop() if words and not line[-1:].isspace() else ""
    place = len(words)
    completions: dict[str, None] = {}
    for action in actions:
        text = str(action).split()
        if len(text) <= place or normalize(" ".join(text[:place])).split() != words:
            continue
        if text[place].casefold().startswith(begun):
            completions[text[place]] = None
    return list(completions)


def complete_items(line: str, words: str, items: Sequence[str]) -> list[str]:
    """Return the items that can complete a line with `words`, followed by any of the items.

    >>> complete_items("trash ore e", "trash", ["elm", "ore"])
    ['elm']
    """
    typed = normalize(line).split()
    begun = typed.pop() if typed and not line[-1:].isspace() else ""
    start = normalize(words).split()
    if typed[: len(start)] != start:
        return []
    left = Counter(map(normalize, items)) - Counter(typed[len(start) :])
    return [
        it for it in dict.fromkeys(items) if left[normalize(it)] and normalize(it).startswith(begun)
    ]


class ActionTexts(Generic[A]):
    """An index of all possible actions of a match by their text.

    Args:
        actions: The result of `Game.all_actions`.

    Attributes:
        actions: The actions as a tuple.
    """

    def __init__(self, actions: Iterable[A]) -> None:
        self.actions: tuple[A, ...] = tuple(actions)
        # An index, because each typed line is looked up, and a game may have thousands of actions.
        self._by_text: dict[str, list[A]] = {}
        for action in self.actions:
            self._by_text.setdefault(normalize(str(action)), []).append(action)

    def find(self, text: str, seat: Seat, *, alone: bool) -> A | None:
        """Return the action that `seat` means by `text`, or None if there is none.

        Args:
            text: The typed line.
            seat: The seat that typed it. If several actions have this text, an action of `seat` is
                preferred.
            alone: Whether `seat` is the only seat to act. If not, actions of other seats (according
                to the attribute `seat` of the action) are ignored.
        """
        matches = self._by_text.get(normalize(text), ())
        preferred = [action for action in matches if getattr(action, "seat", seat) == seat]
        return next(iter(preferred or (matches if alone else ())), None)
