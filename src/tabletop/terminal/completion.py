"""Completions of a line that is being typed: commands, and legal arguments by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tabletop.commands import Commands
from tabletop.outcome import Seat
from tabletop.session import Session
from tabletop.terminal.offers import Completion
from tabletop.terminal.words import TABLE_COMMANDS
from tabletop.texts import folded, words_after

_SEATED = "bot"
"""The word of the table after which a bot is named."""


def completions(
    line: str,
    seat: Seat,
    session: Session,
    commands: Commands,
    hint: Callable[[Any], str],
    *,
    table: Commands = TABLE_COMMANDS,
) -> list[Completion]:
    """The words that can follow `line`, each once, with those legal now first.

    The last word counts as begun, unless a blank follows it.

    Args:
        line: what has been typed.
        seat: who types.
        session: the table.
        commands: of the skin.
        hint: what an action means, in a few words.
        table: of every table.
    """
    match, tables = session.match, (commands, table)
    if line.startswith("/"):
        return [Completion(word) for word in _of_table(line[1:], session, tables)]
    actions = match.legal_actions(seat)
    legal = words_after(line, actions)
    found = {word: Completion(word, _meaning(line, word, actions, hint)) for word in legal}
    is_first = not line.strip() or (len(line.split()) == 1 and not line[-1:].isspace())
    more: Iterable[str] = match.complete(line, seat) if is_first or not legal else ()
    for word in (*more, *_of_table(line, session, tables)):
        found.setdefault(word, Completion(word))
    return list(found.values())


def _of_table(line: str, session: Session, tables: Iterable[Commands]) -> Iterator[str]:
    """The words of a skin and of every table that can follow a line."""
    words = line.split()
    typed = len(words) - (not line[-1:].isspace() if line else 0)
    if typed == 1 and words[0].casefold() == _SEATED:
        begun = words[1].casefold() if len(words) > 1 else ""
        yield from (name for name in session.plugin.bots if name.startswith(begun))
        return
    for table in tables:
        yield from table.complete(line)


def _meaning(line: str, word: str, actions: Iterable[Any], hint: Callable[[Any], str]) -> str:
    """A hint on the only action that the line can still mean with `word`; else empty."""
    before = line.split()[: None if line[-1:].isspace() else -1] if line else []
    text = folded(" ".join([*before, word]))
    meant = [action for action in actions if folded(str(action)) == text]
    return hint(meant[0]) if len(meant) == 1 else ""
