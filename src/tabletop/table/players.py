"""The bots and people of one match.

`Players` needs no table:

    with Players(match, plugin, ["human", "hard"]) as players:
        players.play(action)  # the choice of a person
        while players.next_bot() is not None:
            players.step()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from tabletop.errors import (
    CommandError,
    ContractError,
    EndOfInput,
    NotYourTurn,
    RecordError,
    RegistryError,
)
from tabletop.match.match import AnyMatch
from tabletop.match.players import AnyPlayer, JoiningPlayer, Sampler, ask
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin, bot_name, is_for_command_line
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from typing import Self

    from tabletop.table.bot_pool import Answer


@dataclass(frozen=True, slots=True)
class Replaced:
    """A bot has failed, and a successor has its seat.

    Attributes:
        seat: The seat of the bot.
        player: The name of the bot.
        error: The exception that the bot raised.
        successor: The name of the player that has the seat now: a bot or "human".
    """

    seat: Seat
    player: str
    error: Exception
    successor: str


@dataclass(frozen=True, slots=True)
class ActionFailed:
    """The rules could not apply the action of a bot, and `Game.after_fault` gave another action.

    Attributes:
        seat: The seat of the bot.
        errors: The error of the bot's action, followed by those of other actions that failed.
    """

    seat: Seat
    errors: tuple[ContractError, ...]


class Players:
    """The player of each seat of a match, which is a bot or a person.

    Use it with `with`, or call `close` at the end.

    Args:
        match: The match. Its bots are set.
        plugin: The bots of the game.
        names: The player of each seat: "human" or the name of a bot. A command or file that the
            plugin does not contain, as in a record, is accepted, but fails when it is to act.

    Attributes:
        match: The match.
        plugin: The bots of the game.

    Raises:
        RegistryError: The game has no such bot.
    """

    def __init__(self, match: AnyMatch, plugin: Plugin, names: Sequence[str]) -> None:
        self.match: AnyMatch = match
        self.plugin: Plugin = plugin
        self._names = list(names)
        self._joined: dict[Seat, JoiningPlayer] = {}
        for seat, name in enumerate(names):
            if name != HUMAN:
                match.set_player(seat, self._initial_bot(seat, name))

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""
        return tuple(self._names)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, name in enumerate(self._names) if name == HUMAN)

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats of people that are to act."""
        return tuple(seat for seat in self.match.to_act if self.is_person(seat))

    def is_person(self, seat: Seat) -> bool:
        """Return whether a person has the seat."""
        return self._names[seat] == HUMAN

    def next_bot(self) -> Seat | None:
        """Return the seat of the bot that is to act next, or None if no bot is to act.

        Bots do not wait for people who choose at the same time. However, while undone actions can
        be redone, a bot waits for these people, because its action would discard the undone ones.
        """
        if self.match.undone and self.waiting_for:
            return None
        return next((seat for seat in self.match.to_act if not self.is_person(seat)), None)

    def put(self, seat: Seat, player: str) -> None:
        """Give a seat to a bot or a person. The change is recorded first.

        The program of the previous bot is ended.

        Args:
            seat: The seat.
            player: "human" or the name of a bot.

        Raises:
            CommandError: The match has no such seat, or the game has no such bot.
            RecordError: The change cannot be recorded. The previous player keeps the seat.
        """
        match, name, bot = self.match, bot_name(player), None
        if not 0 <= seat < match.seats:
            raise CommandError(no_seat(match, seat))
        if name != HUMAN:
            try:
                bot = self.plugin.bot(name, match.bot_stream(seat), seat)
            except RegistryError as error:
                raise CommandError(str(error)) from error
        if match.recorder is not None:
            match.recorder.seated(seat, name)
        if seat in self._joined:
            self._joined.pop(seat).close(None)
        self._names[seat] = name
        self._let_join(seat, bot)
        match.set_player(seat, bot)

    def play(self, action: Any) -> None:
        """Play an action of a person. See `Match.play` for the errors."""
        self.match.play(action)

    def step(self, answer: Answer | None = None) -> Replaced | ActionFailed | None:
        """Let the next bot act.

        If the bot fails, a successor gets its seat: the best bot of the game, after that bot
        `random`, and after `random` a person. The successor has not acted yet.

        Args:
            answer: The choice of the bot, if a worker process has made it for this position. By
                default, the bot chooses here and now.

        Returns:
            The replacement if the bot has failed, the errors if its action has failed and another
            action was played instead, or None if the bot has acted.

        Raises:
            ContractError: The rules have failed.
            EndOfInput: The bot's input has ended.
            NotYourTurn: No bot is to act.
            RecordError: The action or the successor cannot be recorded.
        """
        seat = self.next_bot()
        if seat is None:
            raise NotYourTurn("no bot is to act")
        player = self.match.players[seat]
        if answer is not None:
            player = answer.player(self.match, seat)
        elif player is not None and self.plugin.bot_actions is not None:
            player = _Limited(player, self.plugin.bot_actions)
        try:
            self.match.step(seat, player)
        except ContractError as error:
            return self._play_instead(seat, error)
        except (EndOfInput, RecordError):
            raise
        except Exception as error:
            name, best = self._names[seat], self.plugin.best_bot
            successor = HUMAN if name == "random" else "random" if name == best else best
            self.put(seat, successor)
            return Replaced(seat, name, error, successor)
        return None

    def _play_instead(self, seat: Seat, error: ContractError) -> ActionFailed:
        """Play an action in place of the one that has failed, or raise the last error."""
        match, errors = self.match, [error]
        for action in match.game.after_fault(match.state, seat, error):
            try:
                match.play(action)
            except ContractError as another:
                errors.append(another)
            else:
                return ActionFailed(seat, tuple(errors))
        raise errors[-1]

    def close(self) -> None:
        """End the programs of bots. If the match is over, they first receive the outcome.

        Closing again has no effect.
        """
        while self._joined:
            self._joined.popitem()[1].close(self.match.outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _initial_bot(self, seat: Seat, name: str) -> AnyPlayer[Any, Any]:
        try:
            bot = self.plugin.bot(name, self.match.bot_stream(seat), seat)
        except RegistryError as error:
            if is_for_command_line(name):  # named by a record or a page
                return _NotStarted(error)
            raise
        self._let_join(seat, bot)
        return bot

    def _let_join(self, seat: Seat, bot: object) -> None:
        """Let a bot that observes its match join it, such as an external program."""
        if isinstance(bot, JoiningPlayer):
            self._joined[seat] = bot
            bot.join(self.match, self._names)


class _Limited:
    """A bot that may choose only the actions that `bot_actions` returns."""

    def __init__(self, bot: AnyPlayer[Any, Any], bot_actions: Callable[..., Sequence[Any]]) -> None:
        self._bot = bot
        self._bot_actions = bot_actions

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the choice of the bot."""
        return ask(self._bot, view, self._bot_actions(view, actions), sampler)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)  # such as `refused`


def no_seat(match: AnyMatch, seat: Seat) -> str:
    """Return the reason for refusing a seat that the match does not have."""
    return f"there is no seat {seat + 1}; seats are 1 to {match.seats}"


class _NotStarted:
    """The player in place of a program that must not be started."""

    def __init__(self, error: RegistryError) -> None:
        self._error = error

    def choose(self, view: Any, actions: Sequence[Any]) -> NoReturn:
        """Raise the error that contains the reason."""
        raise self._error
