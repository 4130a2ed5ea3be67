"""The texts that people at a terminal ask for: `help`, and commands that only show information."""

from __future__ import annotations

from typing import Any, Final

from tabletop.display.console_text import ConsoleText, Repeat, SavedFile, Wanted
from tabletop.errors import CommandError
from tabletop.host.screen_text import sanitize
from tabletop.protocol.incoming import AskIn, HelpIn
from tabletop.protocol.outgoing import HelpOut, TextOut, TopicOut
from tabletop.table.seat_holder import Screen

_SHOWN_AGAIN: Final[dict[str, Wanted]] = {"/table": "table", "/actions": "actions"}


def answer_with_text(
    texts: ConsoleText[Any], screen: Screen, request: AskIn | HelpIn, now: float
) -> TextOut | HelpOut:
    """Return the answer to a request for a text.

    Raises:
        TabletopError, ValueError: The request is refused.
    """
    holder = screen.holder
    holder.check_uncovered()
    holder.check_looks(now)
    match request:
        case AskIn(line, number) if line in _SHOWN_AGAIN:
            shown = texts.question(holder.reading(screen, screen.size, _SHOWN_AGAIN[line]))
            screen.show_question(screen.size)
            return TextOut(number, sanitize(shown.text), shown.numbered)
        case AskIn(line, number):
            return _answer(texts, screen, line, number)
        case HelpIn(number):
            topics = texts.topics(holder.reading(screen, screen.size))
            return HelpOut(
                number, tuple(TopicOut(it.title, tuple(it.rows), it.note) for it in topics)
            )


def _answer(texts: ConsoleText[Any], screen: Screen, line: str, id: int) -> TextOut:
    """Return the answer to one of `ConsoleText.commands`. Enter its line if it is a `Repeat`."""
    if line.startswith("/"):
        raise CommandError("only `/table` and `/actions` can be asked for")
    holder = screen.holder
    answer = texts.answer(texts.commands.parse(line), holder.reading(screen, screen.size))
    screen.shown_size = screen.size
    match answer:
        case SavedFile(name, content):
            return TextOut(id, content, file=name)
        case Repeat(repeated, text=text) if repeated.startswith("/"):
            return TextOut(id, sanitize(text), line=repeated[1:])
        case Repeat(text=text):
            holder.repeat(holder.reader, answer)
            return TextOut(id, sanitize(text))
    return TextOut(id, sanitize(answer))
