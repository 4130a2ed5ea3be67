"""Help at a terminal: the command `help`, and the actions that are possible, with names of cards.

What is printed for programs is the document's list, to the character (Sorcery 2024 §5.1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from sorcery.actions import RITUAL, Action, Attack, Discard, Play, Use
from sorcery.card import Card
from sorcery.frames import wrap
from sorcery.minion_stats import abilities_of, ability_cost
from sorcery.requests import INSPECT, INSPECT_ANY, commands
from sorcery.state import PLACES, SorceryState
from tabletop import Commands, Seat

WITH_ARGUMENTS: Final = ("play", "use", "attack", "discard")
"""The commands of which one may not know how to go on."""

_ANY_ABILITY: Final = " (or 2.2 for a second ability)"


def hint(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """An action as it is typed, and what it means: `play 2  Fire Elemental (2)`.

    Args:
        action: a legal one.
        state: what lies on the table, as far as the reader may know.
        cards: which cards there are.
    """
    meant = meaning(action, state, cards)
    return f"{action}  {meant}" if meant else str(action)


def meaning(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """What a legal action means, by the names of cards; empty where it says so itself."""
    if isinstance(action, Attack):
        target = None if action.target is None else 1 - state.turn
        return f"{_done_with(action, state, cards)}{_aim(state, target, action.target)}"
    if isinstance(action, Play | Use):
        aim = _aim(state, action.player, action.target)
        return f"{_done_with(action, state, cards)}{aim}"
    return _done_with(action, state, cards)


def _done_with(action: Action, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """The card or minion that an action begins with, and its cost; empty when there is none."""
    side = state.sides[state.turn]
    if isinstance(action, Play | Discard):
        name = side.hand[action.card].card
        return f"{name} ({cards[name].cost})" if name in cards else name
    if isinstance(action, Use):
        place, which = action.ability
        minion = side.minions[place]
        cost = ability_cost(abilities_of(minion, cards)[which], minion, cards)
        return f"{minion.card} ({cost})"
    return side.minions[action.minion].card if isinstance(action, Attack) else ""


def _aim(state: SorceryState, player: Seat | None, target: int | None) -> str:
    """What is aimed at, and whose it is."""
    if player is None or target is None:
        return ""
    side = state.sides[player]
    whose = "your" if player == state.turn else "the opponent's"
    if target == RITUAL:
        return f" on {whose} {side.ritual.card}" if side.ritual else ""
    minion = side.minions[target]
    return f" on {whose} {minion.card} {minion.attack}/{minion.defence}"


def offers(
    line: str,
    state: SorceryState,
    actions: Sequence[Action],
    cards: Mapping[str, Card],
    most_minions: int = PLACES,
) -> list[str]:
    """The legal actions that begin like a line that was refused.

    Where a command alone begins too many, they are offered card by card, without the targets.

    Args:
        line: what was typed.
        state: what lies on the table, as far as the reader may know.
        actions: the legal ones.
        cards: which cards there are.
        most_minions: how many minions a board holds.

    Returns:
        Lines; none when nothing begins so.
    """
    words = line.casefold().split()
    if not words or words[0] not in WITH_ARGUMENTS:
        return []
    found: list[Action] = []
    for length in range(len(words), 0, -1):
        start = " ".join(words[:length])
        found = [action for action in actions if f"{action} ".startswith(f"{start} ")]
        if found:
            break
    most = 2 * most_minions + 2  # as many as a card can have targets
    if len(found) > most and length == 1:
        offered = _card_by_card(found, state, cards)
    else:
        offered = [hint(action, state, cards) for action in found]
    lines = [f"  {text}" for text in offered[:most]]
    if len(offered) > most:
        lines.append(f"  ... and {len(offered) - most} more")
    return ["Possible now:", *lines] if lines else []


def _card_by_card(
    actions: Sequence[Action], state: SorceryState, cards: Mapping[str, Card]
) -> list[str]:
    """A line for each card with which `actions` begin: `play 1 ...  Banish (2)`."""
    lines = []
    for start, group in groupby(actions, lambda action: " ".join(str(action).split()[:2])):
        first, *others = group
        if others:
            lines.append(f"{start} ...  {_done_with(first, state, cards)}")
        else:
            lines.append(hint(first, state, cards))
    return lines


def has_two_abilities(state: SorceryState, cards: Mapping[str, Card]) -> bool:
    """Whether a minion on the table has more than one ability, so that one is used as `2.2`."""
    return any(
        len(abilities_of(minion, cards)) > 1 for side in state.sides for minion in side.minions
    )


def fitting(message: str, state: SorceryState, cards: Mapping[str, Card]) -> str:
    """Why a line was refused; second abilities are mentioned only where a minion has one."""
    return message if has_two_abilities(state, cards) else message.replace(_ANY_ABILITY, "")


_TITLE: Final = "Commands: "
_SECOND_ABILITY: Final = " The second ability of minion 1 is used as 1.2."

FORMS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "attack MINION [TARGET]": (
        ("attack minion other-minion", "Let a minion attack a minion of your opponent."),
        ("attack minion", "Let a minion attack your opponent."),
    ),
    INSPECT_ANY.usage: (
        ("inspect minion", INSPECT.help),
        ("inspect player minion", "Look at a minion of either player."),
        ("inspect [player] r", "Look at a ritual."),
    ),
}
"""Commands that are explained in several lines, by their usage."""

NOTES: Final = f"""\
Cards and minions are counted from 1, from the left. A target-player is 1 or 2, and a target-card a
minion of that player, or r for the ritual.{_SECOND_ABILITY}"""
"""What stands below the commands."""


def _lines(table: Commands) -> Iterator[str]:
    """The lines of the commands of a table, set in below each other."""
    start = _TITLE
    for command in table.commands:
        for typed, text in FORMS.get(command.usage, ((command.usage.lower(), command.help),)):
            yield f"{start}{typed} -- {text}"
            start = " " * len(_TITLE)


HELP: Final = "\n".join([*_lines(commands(all_of_them=False, at_a_terminal=False)), NOTES])
"""What the command `help` prints where nobody sits (Sorcery 2024 §5.1.1)."""


def notes_for(state: SorceryState, cards: Mapping[str, Card], width: int) -> list[str]:
    """What stands below the commands at a terminal; second abilities only where there is one.

    Args:
        state: what lies on the table.
        cards: which cards there are.
        width: of the terminal, in cells.
    """
    notes = NOTES if has_two_abilities(state, cards) else NOTES.removesuffix(_SECOND_ABILITY)
    return wrap(" ".join(notes.split("\n")), width)
