"""The answers to questions of screens, such as a text, a hint or an earlier position."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from tabletop.display.console_text import ConsoleText, Reading, Repeat, SavedFile, Wanted
from tabletop.display.rulebook import no_rules
from tabletop.errors import CommandError, RegistryError, TabletopError
from tabletop.host.screen_text import sanitize
from tabletop.protocol.incoming import (
    AskIn,
    ExplainIn,
    HelpIn,
    HintIn,
    LayoutIn,
    LookIn,
    MessageIn,
    RulesIn,
    SampleIn,
)
from tabletop.protocol.outgoing import HelpOut, RulesOut, SamplesOut, TextOut, TopicOut
from tabletop.registry import Plugin
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.table.acting import acting_seat
from tabletop.table.bot_turns import BotTurns
from tabletop.table.inputs import Wants, rounded_size
from tabletop.table.limits import TableLimits
from tabletop.table.seat_holder import Screen, SeatHolder

_SHOWN_AGAIN: Final[dict[str, Wanted]] = {"/table": "table", "/actions": "actions"}

_log = logging.getLogger("tabletop")


class Questions:
    """Answers the questions of screens, which do not change the match.

    Args:
        plugin: The texts of the game.
        bots: The bots, which give hints.
        limits: The limits of the table.
        secret: Returns the seed of a stream that nobody can know, for samples.
    """

    def __init__(
        self, plugin: Plugin, bots: BotTurns, limits: TableLimits, secret: Callable[[], str]
    ) -> None:
        self._plugin = plugin
        self._bots = bots
        self._limits = limits
        self._secret = secret

    @cached_property
    def rules(self) -> str:
        """The rules of the game as Markdown, or an empty text if they cannot be read."""
        try:
            return self._plugin.rules
        except RegistryError as error:
            _log.error("%s", error)
            return ""

    @cached_property
    def texts(self) -> ConsoleText[Any]:
        """The texts of the game at a terminal, or the texts of every game if they do not work."""
        try:
            return self._plugin.make_console()
        except RegistryError as error:
            _log.error("terminals show the texts of every game, because %s", error)
            return ConsoleText(self._plugin.game, self._plugin.text)

    def answer(self, screen: Screen, message: MessageIn, now: float) -> bool:
        """Answer a question of a screen, now or later. Return whether the message is a question.

        Raises:
            TabletopError, ValueError: The question is refused.
        """
        holder = screen.holder
        match message:
            case LayoutIn(picture, columns, rows):
                size = rounded_size(columns, rows)
                screen.want(Wants(picture, screen.wants.data, size, screen.wants.lessons))
                screen.wake()
            case AskIn(line, number):
                screen.answer(self._text(screen, line, number, now))
            case HelpIn(number):
                screen.answer(HelpOut(number, self._topics(screen, now)))
            case ExplainIn():
                screen.answer(lambda presenter: presenter.explain(holder, message))
            case HintIn(number):
                self._bots.hint(screen, number)
            case LookIn(ply, number):
                screen.answer(holder.look(ply, screen.wants, number, now))
            case RulesIn(number):
                if not self.rules:
                    raise TabletopError(no_rules(self._plugin.game))
                screen.answer(RulesOut(number, self.rules))
            case SampleIn(count, number, seat):
                screen.answer(SamplesOut(number, *self.samples(holder, count, seat)))
            case _:
                return False
        return True

    def samples(
        self, holder: SeatHolder, count: int, seat: Seat | None
    ) -> tuple[Seat, tuple[Any, ...]]:
        """Draw states that a seat to act cannot distinguish from the real one.

        The stream is secret, because its draws could reveal how the real state was dealt.
        """
        holder.check_uncovered()
        match, stream = holder.perspective.match, Streams(self._secret())["samples"]
        acting = acting_seat(match, holder.played_seats, seat)
        sampler, number = match.sampler(acting), min(count, self._limits.samples)
        return acting, tuple(to_builtins(sampler.sample(stream)) for _ in range(number))

    # Texts for terminals.

    def _reading(self, screen: Screen, now: float, wanted: Wanted = "question") -> Reading[Any]:
        holder = screen.holder
        holder.check_uncovered()
        holder.check_looks(now)
        return holder.reading(screen, wanted)

    def _topics(self, screen: Screen, now: float) -> tuple[TopicOut, ...]:
        topics = self.texts.topics(self._reading(screen, now))
        return tuple(TopicOut(it.title, tuple(it.rows), it.note) for it in topics)

    def _text(self, screen: Screen, line: str, id: int, now: float) -> TextOut:
        """Return the answer to `/table`, `/actions`, or one of `ConsoleText.commands`.

        The line of a `Repeat` is entered.
        """
        reading, texts = self._reading(screen, now, _SHOWN_AGAIN.get(line, "question")), self.texts
        safe = str if screen.colours else sanitize
        if line in _SHOWN_AGAIN:
            shown = texts.question(reading)
            screen.show_question()
            return TextOut(id, safe(shown.text), shown.numbered)
        if line.startswith("/"):
            raise CommandError("only `/table` and `/actions` can be asked for")
        answer = texts.answer(texts.commands.parse(line), reading)
        screen.shown_size = screen.size
        match answer:
            case SavedFile(name, content):
                return TextOut(id, content, file=name)
            case Repeat(repeated, text=text) if repeated.startswith("/"):
                return TextOut(id, safe(text), line=repeated[1:])
            case Repeat(text=text):
                screen.holder.repeat(screen.holder.reader, answer)
                return TextOut(id, safe(text))
        return TextOut(id, safe(answer))
