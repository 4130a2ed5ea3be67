"""Whether a value that somebody passes as an action is an action of the game at all.

`Match` asks before the rules do: a bot that returns nonsense gets the same error in every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tabletop.errors import NotAnAction
from tabletop.game import AnyGame
from tabletop.outcome import Seat
from tabletop.wording import SHOWN_LETTERS

SHOWN_ACTIONS: Final = 3
"""How many legal actions are named as examples of what would have been right."""


def is_action(game: AnyGame, state: Any, seat: Seat, choice: object, legal: Sequence[Any]) -> bool:
    """Whether `choice` is an action of the game, be it possible now or not; never raises.

    It is one when the game has actions of its type: among the legal ones, or in its table of
    commands. In a game with free-form actions and no table, its text has to be understood as it.

    Args:
        game: the rules.
        state: of the match.
        seat: who is to act.
        choice: anything.
        legal: the legal actions of that seat.
    """
    kind = type(choice)
    if legal and type(legal[0]) is kind:  # as nearly always
        return True
    if game.commands is not None and game.commands.makes(kind):
        return True
    if any(type(action) is kind for action in legal):
        return True
    return reads_back(game, state, seat, choice)


def reads_back(game: AnyGame, state: Any, seat: Seat, choice: object) -> bool:
    """Whether the text of `choice`, parsed again, gives an equal action; never raises."""
    try:
        read: object = game.parse(str(choice), state, seat)
        return type(read) is type(choice) and bool(read == choice)
    except Exception:
        return False


def no_action(game: AnyGame, choice: object, legal: Sequence[Any]) -> NotAnAction:
    """The error for a value that is not an action; it lists what would be."""
    examples = ", ".join(map(short_repr, legal[:SHOWN_ACTIONS]))
    rest = f", ... ({len(legal)} in all)" if len(legal) > SHOWN_ACTIONS else ""
    reason = f"{short_repr(choice)} is no action of {game.name}; legal now: {examples}{rest}"
    return NotAnAction(reason, action=choice)


def short_repr(thing: object) -> str:
    """Any object as a short text for a message; never raises."""
    try:
        text = repr(thing)
    except Exception:
        text = f"<{type(thing).__name__}>"
    if len(text) > SHOWN_LETTERS:
        text = f"{text[:SHOWN_LETTERS]}..."
    return text if text.isprintable() else ascii(text)
