"""The bots of a table: the pauses before their moves, the questions to them, and hints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from tabletop.errors import ContractError, IllegalAction, RecordError, TabletopError
from tabletop.match.players import Random
from tabletop.protocol.outgoing import HintOut, RefusedOut
from tabletop.registry import bot_label
from tabletop.states.bounds import Seat
from tabletop.table.hints import because, estimate, hint_question, labels
from tabletop.table.holders import Holders
from tabletop.table.inputs import (
    AskBot,
    BotActs,
    BotBegun,
    BotChose,
    BotRefused,
    DropBot,
    Effect,
    Fault,
)
from tabletop.table.limits import TableLimits
from tabletop.table.match_requests import MatchRequests
from tabletop.table.seat_holder import Refusal, Screen, SeatHolder

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer, Question

UNHURRIED: Final = 8
"""The number of bot moves in a row shown at full length. Three bots that trade make forty."""

HURRY: Final = 4
"""The factor by which later pauses are shorter, because a person waits for their turn."""


UNSAID: Final = 0.3
"""Seconds that a bot thinks before a message shows it."""

ASK_HOST: Final = "the log of the server has details"
"""The reason in notes if an error may contain paths of the host."""

UNSAVED: Final = "the match cannot be saved at the moment"
"""The reason in notes while the record of a match cannot be written."""


@dataclass(slots=True)
class _Asked:
    """The bot that is asked for its move."""

    number: int
    seat: Seat
    announce_at: float | None
    has_begun: bool = False


@dataclass(frozen=True, slots=True)
class _Hint:
    """A hint that a person waits for."""

    holder: SeatHolder
    screen: Screen
    id: int
    question: Question


def has_crashed(error: Exception) -> bool:
    """Check whether a bot or the rules raised an error that is not a `TabletopError`.

    Its message may contain paths of the host. It is often the cause of a `ContractError`.
    """
    cause = error.__cause__ if isinstance(error, ContractError) else None
    return not isinstance(cause or error, TabletopError)


def reason_for_players(error: Exception) -> str:
    """Return why a bot or the rules have failed, without paths of the host."""
    return ASK_HOST if has_crashed(error) else str(error)


def pause_before(moves: int, pause: float) -> float:
    """Return the seconds before a bot's move, after the given number of moves in a row."""
    return pause if moves < UNHURRIED else pause / HURRY


class Pacing:
    """The time of the next move of a bot.

    Args:
        pause: The seconds before the first moves in a row.

    Attributes:
        deadline: The time of the next move, or None if no move is planned.
    """

    def __init__(self, pause: float) -> None:
        self.deadline: float | None = None
        self._pause = pause
        self._moves = 0  # in a row
        self._looks_until = 0.0

    def show(self, seconds: float, now: float) -> None:
        """Give people some seconds to look at the position before the next move is planned."""
        self._looks_until = max(self._looks_until, now + seconds)

    def is_time(self, now: float, *, hurries: bool, watched: bool, delay: float) -> bool:
        """Plan the next move if none is planned, and check whether its time has come.

        Args:
            now: The present time.
            hurries: Whether a person waits for their turn, so that later pauses are shorter.
            watched: Whether somebody looks at the position.
            delay: The shortest pause, in seconds.
        """
        if self.deadline is None:
            pause = max(delay, pause_before(self._moves if hurries else 0, self._pause))
            self.deadline = max(now + pause, self._looks_until if watched else now)
        return now >= self.deadline

    def hurry(self, *, watched: bool) -> None:
        """Plan the next move at once, or after the seconds given to `show`.

        Args:
            watched: Whether somebody looks at the position.
        """
        self.deadline = self._looks_until if watched else 0.0

    def asked(self) -> None:
        """End the pause, because a bot has been asked for its move."""
        self.deadline = None

    def moved(self) -> None:
        """Count a move."""
        self._moves += 1

    def rest(self) -> None:
        """End the row of moves, because no bot is to act."""
        self._moves, self.deadline = 0, None


class BotTurns:
    """Asks the bots of a table for their moves, one after the other, and for hints.

    Args:
        requests: The rules for requests.
        holders: The people.
        limits: The limits of the table.
        effects: The effects of the table, to which questions are added.

    Attributes:
        thinking: The note about the bot that thinks now, or an empty text.
        pacing: The pauses before moves.
    """

    def __init__(
        self,
        requests: MatchRequests,
        holders: Holders,
        limits: TableLimits,
        effects: list[Effect],
    ) -> None:
        self.thinking: str = ""
        self.pacing: Pacing = Pacing(limits.pause)
        self._requests = requests
        self._players = requests.players
        self._match = requests.match
        self._holders = holders
        self._limits = limits
        self._effects = effects
        self._number = 0  # of the last question
        self._asked: _Asked | None = None
        self._hints: dict[int, _Hint] = {}
        self._dropped: dict[int, _Hint] = {}  # until their questions have ended
        self._has_failed = False  # so that the bots wait for another position
        self._is_unsaved = False  # whether the move of a bot could not be saved

    @property
    def deadline(self) -> float | None:
        """The time of the next question or note, or None while no bot is to act."""
        return self.pacing.deadline if self._asked is None else self._asked.announce_at

    def tick(self, now: float) -> None:
        """Ask the next bot when its time has come, and announce a bot that thinks for long."""
        asked = self._asked
        if asked is not None:
            if asked.announce_at is not None and now >= asked.announce_at:
                asked.announce_at = None
                self._announce(asked)
            return
        seat = self._players.next_bot()
        if seat is None or not self._may_act():
            self.pacing.rest()
        elif self.pacing.is_time(
            now,
            hurries=bool(self._players.people),
            watched=bool(self._holders.screens),
            delay=self._limits.save_again if self._is_unsaved else 0,
        ):
            self.pacing.asked()
            is_resident = type(self._match.players[seat]) is Random
            number = self._ask(seat, None, resident=is_resident)
            self._asked = _Asked(number, seat, None if is_resident else now + UNSAID)

    def _may_act(self) -> bool:
        """Check whether bots may act. If only bots play, they wait for a spectator."""
        is_seen = bool(self._players.people) or bool(self._holders.screens)
        return is_seen and not self._requests.waits and not self._has_failed

    def _ask(self, seat: Seat, hint_for: int | None, *, resident: bool = False) -> int:
        self._number += 1
        people_wait = bool(self._holders.screens) and bool(self._players.people)
        self._effects.append(AskBot(self._number, seat, hint_for, resident, people_wait))
        return self._number

    def changed(self) -> None:
        """Drop all questions about a position that has changed."""
        self._has_failed = False
        if self._asked is not None:
            self._effects.append(DropBot(self._asked.number))
            self._end()
        self._effects.extend(DropBot(number) for number in self._hints)
        self._dropped.update(self._hints)
        self._hints.clear()

    def _end(self) -> None:
        self._asked = None
        self._show("")

    # Answers.

    def question(self, number: int) -> Question:
        """Return the question with a number, for a worker process.

        Raises:
            ContractError: JSON cannot express the state.
            KeyError: The answer is not needed any more.
        """
        if number in self._hints:
            return self._hints[number].question
        if self._asked is None or self._asked.number != number:
            raise KeyError(number)
        from tabletop.table.bot_pool import Question

        players, match, seat = self._players, self._match, self._asked.seat
        stream = match.bot_stream(seat)
        return Question.of(players.plugin, players.players[seat], match.state, seat, stream=stream)

    def receive(self, given: BotBegun | BotChose | BotActs | BotRefused) -> None:
        """Process an input about a question. An input about an earlier question has no effect."""
        match given:
            case BotBegun(number) if self._asked is not None and self._asked.number == number:
                self._asked.has_begun = True
                if self.thinking:
                    self._announce(self._asked)
            case BotChose(number, answer):
                self._act(number, answer)
            case BotActs(number):
                self._act(number, None)
            case BotRefused(number, error):
                self._refuse(number, error)

    def _act(self, number: int, answer: Answer | None) -> None:
        """Play the move of a bot, or answer with a hint.

        A move that cannot be saved is repeated later.
        """
        if number in self._hints and answer is not None:
            self._give_hint(self._hints.pop(number), answer)
        if self._asked is None or self._asked.number != number:
            return
        self._end()
        if not self._may_act():
            return
        self.pacing.moved()
        try:
            self._requests.advance(answer)
        except RecordError as error:
            if not self._is_unsaved or not self._limits.save_again:
                game = self._match.game.name
                self._effects.append(Fault(f"a table of {game}", error))
                self._holders.note(f"the bots wait, because {UNSAVED}")
            self._is_unsaved = True
        except Exception as error:
            self._fail(error)
        else:
            self._is_unsaved = False

    def _refuse(self, number: int, error: Exception) -> None:
        """End a question that cannot be put to a bot, or that was dropped."""
        if number in self._dropped:
            hint = self._dropped.pop(number)
            hint.screen.answer(HintOut(hint.id, hint.question.seat))
        elif number in self._hints:
            hint = self._hints.pop(number)
            hint.screen.answer(Refusal(hint.id, error))
        elif self._asked is not None and self._asked.number == number:
            self._end()
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._has_failed = True
        self._effects.append(Fault("a bot has failed", error))
        self._holders.note(f"the bots cannot play on: {reason_for_players(error)}")

    def _announce(self, asked: _Asked) -> None:
        name = self._match.names[asked.seat]
        waits = f"{name} waits until bots of other tables have thought"
        self._show(f"{name} is thinking" if asked.has_begun else waits)

    def _show(self, thinking: str) -> None:
        if self.thinking != thinking:
            self.thinking = thinking
            self._holders.refresh_table()

    # Hints.

    def hint(self, screen: Screen, id: int) -> None:
        """Ask a bot about the decision of a person. The answer goes to the screen.

        Raises:
            IllegalAction: The person cannot get a hint now.
            TabletopError: Hints are not available.
        """
        holder = screen.holder
        seat = holder.seat
        if not holder.may_request or seat is None or seat not in holder.played_seats:
            raise IllegalAction("you control no seat, so hints are not available")
        holder.check_uncovered()
        if any(hint.holder is holder for hint in self._hints.values()):
            raise IllegalAction("a bot is already thinking about this position")
        question = hint_question(self._requests, seat)
        number = self._ask(seat, screen.number)
        self._hints[number] = _Hint(holder, screen, id, question)

    def _give_hint(self, hint: _Hint, answer: Answer) -> None:
        bot, holder = hint.question.bot, hint.holder
        if answer.error:
            error = RuntimeError(answer.error)
            error.add_note(answer.trace)
            self._effects.append(Fault("no hint", error))
            text = f"the {bot_label(bot)} has failed: {ASK_HOST}"
            hint.screen.answer(RefusedOut(hint.id, "failed", text))
            return

        seat, action = hint.question.seat, answer.action
        is_terminal = hint.screen.wants.size.columns > 0

        def message(label: Callable[[str], str]) -> HintOut:
            words = label(action) if is_terminal else action
            return HintOut(hint.id, seat, words, estimate(answer), because(answer, label))

        if is_terminal:
            label = labels(self._match, self._players.plugin.text, seat)
            hint.screen.answer(message(label))
        else:
            hint.screen.answer(lambda presenter: message(partial(presenter.label, holder)))
