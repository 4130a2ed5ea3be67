"""Actions by their texts: what is typed where a game has no command table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from tabletop.errors import CommandError
from tabletop.states.bounds import Seat
from tabletop.wording import meant_words, nearest, quote

A = TypeVar("A")


def find_by_text(text: str, actions: Iterable[A]) -> A:
    """Find the action whose text is `text`; white space around words and letter case do not matter.

    Raises:
        CommandError: no action has that text.
    """
    wanted = normalize(text)
    texts = []
    for action in actions:
        texts.append(str(action))
        if normalize(texts[-1]) == wanted:
            return action
    shown = ", ".join(texts[:12]) + (", ..." if len(texts) > 12 else "")
    meant = nearest(text, texts)
    hint = meant_words(meant, f"possible: {shown}")
    message = f"{quote(text.strip())} is not possible here{hint}"
    raise CommandError(message, line=text, suggests=meant is not None)


def normalize(text: str) -> str:
    """Normalise `text`: lower case, one blank between words."""
    return " ".join(text.split()).casefold()


def complete_text(line: str, actions: Iterable[object]) -> list[str]:
    """Return the words that continue `line` to the text of an action, each once.

    The last word of the line counts as begun, unless a blank follows it.
    """
    words = normalize(line).split()
    begun = words.pop() if words and not line[-1:].isspace() else ""
    place = len(words)
    found: dict[str, None] = {}
    for action in actions:
        text = str(action).split()
        if len(text) <= place or normalize(" ".join(text[:place])).split() != words:
            continue
        if text[place].casefold().startswith(begun):
            found[text[place]] = None
    return list(found)


class ActionTexts(Generic[A]):
    """An index of all possible actions of a match by their text.

    Args:
        actions: the result of `Game.all_actions`.

    Attributes:
        actions: the same.
    """

    def __init__(self, actions: Iterable[A]) -> None:
        self.actions: tuple[A, ...] = tuple(actions)
        # An index, because a match asks for every line that is typed, and a game may have
        # thousands.
        self._by_text: dict[str, list[A]] = {}
        for action in self.actions:
            self._by_text.setdefault(normalize(str(action)), []).append(action)

    def find(self, text: str, seat: Seat, *, alone: bool) -> A | None:
        """Find the action that `seat` means by `text`; None when there is none.

        Args:
            text: the typed line.
            seat: the seat that typed it. Of actions with one text, that of `seat` wins.
            alone: whether no other seat is to act. Otherwise an action with another `seat` belongs
                to that seat.
        """
        found = self._by_text.get(normalize(text), ())
        own = [action for action in found if getattr(action, "seat", seat) == seat]
        return next(iter(own or (found if alone else ())), None)
