"""A table where people play a match: requests, screens, presence, clocks, chat and bots.

A `MatchTable` has no sockets, tasks, timers or clocks. A driver passes it inputs with the present
time, carries out the effects, and sends the messages that are due for a screen:

    for effect in table.receive(Ask(screen, ActIn("roll")), now):
        match effect:
            case Wake(screen):
                for message in table.due(screen, presenter, now):
                    send(screen, message)

The driver passes `Tick` at the `deadline` of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from tabletop.display.console_text import NO_COMMANDS
from tabletop.errors import RecordError
from tabletop.match.match import AnyMatch
from tabletop.match.observers import Recorder
from tabletop.protocol.incoming import MessageIn, SayIn
from tabletop.protocol.outgoing import DoneOut, MessageOut
from tabletop.protocol.settings import TableSettings
from tabletop.records.file import Record
from tabletop.records.format import HUMAN
from tabletop.records.replaying import replayed
from tabletop.registry import Plugin, bot_label
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionPlayed, ActionsUndone, Event, ObserverFailure
from tabletop.states.bounds import Seat
from tabletop.table.bot_turns import BotTurns, has_crashed, reason_for_players
from tabletop.table.clocks import Clocks
from tabletop.table.holders import Announcements, Holders
from tabletop.table.inputs import (
    Ask,
    BotActs,
    BotBegun,
    BotChose,
    BotRefused,
    Close,
    Effect,
    Fault,
    Freeze,
    HandOver,
    Hurry,
    Input,
    Keep,
    Link,
    Next,
    Open,
    Refused,
    ReplayPages,
    Reseat,
    Reserve,
    Shut,
    Tick,
)
from tabletop.table.limits import TableLimits
from tabletop.table.match_requests import MatchRequests
from tabletop.table.passing import Passing
from tabletop.table.perspective import Perspective, TableFacts
from tabletop.table.players import ActionFailed, Players, Replaced
from tabletop.table.questions import Questions
from tabletop.table.seat_holder import Presenter, Refusal, Screen, SeatHolder
from tabletop.table.successors import Successors
from tabletop.table.table_requests import TableRequests
from tabletop.table.undo import UndoPolicy
from tabletop.table.votes import PAUSED, commands_with
from tabletop.wording import join_words

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Question

CLOSED: Final = "this table is closed"
"""The reason for refusals after the end of a table."""


class TableState(Struct, frozen=True, kw_only=True):
    """The state of a table in addition to the record of its match.

    A server saves every field (`SavedTable`), so a new field needs a default value.

    Attributes:
        ply: The number of actions played.
        over: Whether the match is over.
        seen: The number of actions, and whether the match is over, as people see them: those of
            each seat, and then spectators. Empty in older files, where they saw the present match.
        to_act: The seats of people that are to act.
        clock: The seconds that each seat has left, or empty without clocks.
        paused: Whether the clocks are paused.
    """

    ply: int = 0
    over: bool = False
    seen: tuple[tuple[int, bool], ...] = ()
    to_act: tuple[Seat, ...] = ()
    clock: tuple[float | None, ...] = ()
    paused: bool = False


class MatchTable:
    """A match with the people at its links, without input and output.

    Close the table at the end, which ends the programs of bots.

    Args:
        match: The match, to which the table adds its bots.
        plugin: The texts and the bots of the game.
        players: The player of each seat: "human" or the name of a bot.
        settings: The settings of the table.
        now: The present time.
        undo: The rule for undo.
        recorder: Records actions and the players of seats. If it raises an error, the action is
            undone and its request refused.
        seating: The seats of each link, or None for all seats of people that no other link has.
        limits: The limits for clients.
        clock: The seconds that each seat has left, or empty without clocks.
        hosted: Whether a server runs the table, so that people can play again.
        secret: Returns the seed of a stream that nobody can know, for samples.
        on_failure: Called with each failure of an observer. By default, failures are logged.

    Attributes:
        match: The match. Only requests change it.
        plugin: The texts and the bots of the game.
        bots_and_people: The player of each seat.
        holders: The people at their links.
        requests: The requests about the match.
        questions: The answers to questions of screens.
        successors: The players who follow people who are away, idle or have lost.
        commands: The commands that people at a terminal have at this table in every game, except
            for proposals to other players.
        together: The seats that have to choose at the same time as others.
        now: The time of the last input.
    """

    def __init__(
        self,
        match: AnyMatch,
        plugin: Plugin,
        players: Sequence[str],
        settings: TableSettings,
        now: float,
        *,
        undo: UndoPolicy = "fair",
        recorder: Recorder | None = None,
        seating: Mapping[Seat, Iterable[Seat] | None],
        limits: TableLimits,
        clock: Sequence[float | None] = (),
        hosted: bool = False,
        secret: Callable[[], str],
        on_failure: Callable[[ObserverFailure], object] | None = None,
    ) -> None:
        self.match: AnyMatch = match
        self.plugin: Plugin = plugin
        self.bots_and_people: Players = Players(match, plugin, players)
        self._recorder = recorder
        if recorder is not None:
            match.set_recorder(recorder)
        if on_failure is not None:
            match.on_observer_failure(on_failure)
        self.limits = limits
        self.hosted = hosted
        expected = sum(seats is not None for seats in seating.values())
        self.settings: TableSettings = settings.resolved(can_chat=limits.chat and expected > 1)
        self.clocks: Clocks = Clocks(clock or [None] * match.seats, self.settings)
        self.effects: list[Effect] = []
        self.commands: Commands = NO_COMMANDS
        self.together: set[Seat] = set()
        self.quiet_since: float | None = now  # None while a screen is open
        self.now: float = now
        self._closed = False
        self._is_restoring = False
        self._is_changed = True  # since the last tick
        self.stops: list[Callable[[], object]] = []  # end the observation of the match
        self.holders: Holders = Holders(self, seating)
        self.announcements: Announcements = Announcements(self.holders, self.facts)
        self.requests: MatchRequests = MatchRequests(
            self, self.bots_and_people, self.holders, undo=undo, hints=not settings.no_hints
        )
        self.requests.has_clocks = self.clocks.exist
        self.bots: BotTurns = BotTurns(self.requests, self.holders, limits, self.effects)
        self.questions: Questions = Questions(plugin, self.bots, limits, secret)
        self.successors: Successors = Successors(
            self.requests,
            self.holders,
            self.clocks,
            settings=self.settings,
            limits=limits,
            effects=self.effects,
            show=self.announcements.tick,
        )
        self.passing: Passing = Passing(
            self.requests,
            self.holders,
            limits,
            self.effects,
            secret,
            time_to_act=self.time_to_act,
            hosted=hosted,
        )
        self._table_requests = TableRequests(self)
        self.holders.begin()
        # In the order in which they act at one moment.
        self._timed: tuple[Successors | Announcements | Passing | BotTurns | Perspective, ...] = (
            *(self.successors, self.announcements, self.passing, self.bots),
            *(holder.perspective for holder in self.holders),
        )
        self.stops += [
            match.observe(self._acted, ActionPlayed),
            match.observe(self._table_requests.count_undone, ActionsUndone),
            match.observe(self._pause_bots, seat=None),
        ]
        self._update_presence()
        self._choose_together()

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""
        return self.bots_and_people.players

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people decide for."""
        return self.bots_and_people.people

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats of people that are to act."""
        return self.bots_and_people.waiting_for

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat of the bot that is to act next, or None."""
        return self.bots_and_people.next_bot()

    @property
    def revision(self) -> int:
        """The number of the position."""
        return self.requests.positions.revision

    def facts(self, now: float) -> TableFacts:
        """Return the facts about the table that its people see, without those of the match."""
        present, clocks = self.holders.present, self.clocks
        return TableFacts(
            present=tuple(
                player != HUMAN or seat in present for seat, player in enumerate(self.players)
            ),
            spectator_count=self.holders.watching,
            replaceable=self.successors.offered,
            lost=self.successors.lost(now),
            clock=clocks.left(now),
            running=clocks.running,
            hold=self.requests.hold,
            thinking=self.bots.thinking,
        )

    def perspective(self, link: Link) -> Perspective:
        """Return what the people behind a link see of the complete table, once for each link."""
        return Perspective(self)

    def commands_of(self, holder: SeatHolder) -> Commands:
        """Return the commands of a holder at a terminal: `commands`, and proposals to others."""
        return commands_with(self.commands, self.requests.proposals(holder))

    def close(self) -> None:
        """Refuse all requests from now on, and end the programs of bots.

        Closing again has no effect.
        """
        self._stop()
        self.bots_and_people.close()
        if self._recorder is not None and self.match.recorder is self._recorder:
            self.match.set_recorder(None)

    # Inputs.

    def receive(self, given: Input, now: float) -> list[Effect]:
        """Process an input. Return what the driver is to do.

        A refused request changes nothing, and the answer to its screen is the refusal.

        Raises:
            TabletopError, ValueError: `Reseat` is impossible. Other inputs raise nothing.
        """
        self.now = now
        if not self._closed:
            self._process(given)
        if not self._closed:  # `Shut` leaves the match as it is
            for holder in self.holders:
                holder.enter_repeats()
            self.passing.tick(now)
        effects = self.effects.copy()
        self.effects.clear()
        return effects

    def _process(self, given: Input) -> None:
        match given:
            case Tick():
                self._tick(self.now)
            case Ask(screen, message):
                found = self.holders.find_screen(screen)
                if found is not None and not found.is_cut:
                    self._ask(found, message)
            case Open(link, screen, wants, changes):
                self.holders[link].open(screen, wants, self.now, changes=changes)
                self.quiet_since = None
                self._update_presence()
            case Close(screen):
                self._close_screen(screen)
            case Hurry(watched):
                self.bots.pacing.hurry(watched=watched)
            case BotBegun() | BotChose() | BotActs() | BotRefused():
                self.bots.receive(given)
                self._is_changed |= not isinstance(given, BotBegun)
            case _:
                self._process_program(given)

    def _process_program(self, given: Input) -> None:
        """Process an input of the program that runs the table."""
        match given:
            case Reseat(seat, player):
                self.successors.reseat(seat, player)
            case HandOver(seat, note):
                self._hand_over(seat, note)
            case Reserve(seats):
                self.successors.presence.reserve(seats, self.now)
            case Next(pages, screen, number):
                self._set_next(pages, screen, number)
            case Refused(screen, number, error):
                self._refuse(self.holders.find_screen(screen), number, error)
            case ReplayPages(pages):
                self.holders.set_pages(replay=pages)
            case Freeze():
                self.requests.set_hold(None, refusal=CLOSED)
            case Shut(code, message):
                self._shut(code, message)

    # Saving.

    def restore(self, record: Record, state: TableState, now: float) -> None:
        """Replay a record, without effect on clocks and idle times, and restore a pause.

        Raises:
            RecordError: The record cannot be replayed.
        """
        self.now, self._is_restoring = now, True
        for entry in replayed(self.match, record.entries, record.path):
            if entry.do is not None or entry.undo is not None or entry.conceded is not None:
                self.requests.replayed()  # for each action, because pictures mark the last
        self._is_restoring = False
        if state.paused:
            self.requests.set_hold(PAUSED)

    def state(self, now: float) -> TableState:
        """Return the state of the table for a file in addition to the record."""
        matches = {holder.link: holder.perspective.match for holder in self.holders}
        seen = [matches.get(link, matches[None]) for link in (*range(self.match.seats), None)]
        return TableState(
            ply=self.match.ply,
            over=self.match.over,
            seen=tuple((match.ply, match.over) for match in seen),
            to_act=self.waiting_for,
            clock=self.clocks.left(now),
            paused=self.requests.hold is PAUSED,
        )

    # Messages.

    def due(self, screen: int, presenter: Presenter, now: float) -> Iterator[MessageOut]:
        """Yield the messages that are due for a screen, all of the same moment.

        These are the newest message about the table, new lines of the log, the newest state, and
        answers.
        """
        found = self.holders.find_screen(screen)
        if found is not None:
            yield from found.due(presenter, now)

    def question(self, number: int) -> Question:
        """Return the question of an `AskBot`, for a worker process.

        Raises:
            ContractError: JSON cannot express the state.
            KeyError: The answer is not needed any more.
        """
        return self.bots.question(number)

    # Presence.

    def _close_screen(self, number: int) -> None:
        screen = self.holders.find_screen(number)
        if screen is None:
            return
        holder = screen.holder
        del holder.screens[number]
        self.successors.presence.reserve(holder.all_seats, self.now)
        if not self.holders.screens:
            self.quiet_since = self.now
        self._update_presence()

    def _update_presence(self) -> None:
        for seat in self.holders.expected:
            if self.holders[seat].screens:
                self.successors.presence.came(seat)
            else:
                self.successors.presence.left(seat, self.now)
        self._is_changed = True

    def time_to_act(self, seats: Iterable[Seat], now: float) -> float | None:
        """Return the seconds in which one of these seats has to act, or None for no limit."""
        left = self.clocks.left(now)
        return min((own for seat in seats if (own := left[seat]) is not None), default=None)

    # News of the match.

    def seated(self, seat: Seat, failed: Replaced | None) -> None:
        """Note the new player of a seat (`MatchFollower`)."""
        if failed is not None:
            self.effects.append(failed)
        name, player = self.match.names[seat], self.players[seat]
        text = f"the {bot_label(player)} plays for {name} now"
        if player == HUMAN:
            text = f"{name} {'waits until somebody plays' if failed else 'plays again'}"
        why = f"the {bot_label(failed.player)} has failed: " if failed else ""
        self.holders.note(why + text, logged=True)
        self.position_changed()

    def action_failed(self, failed: ActionFailed) -> None:
        """Note the action that was played in place of a bot's (`MatchFollower`)."""
        self.effects.append(failed)
        name, why = self.match.names[failed.seat], reason_for_players(failed.errors[0])
        self.holders.note(f"an action of {name} has failed: {why}", logged=True)

    def _pause_bots(self, event: Event) -> None:
        self.bots.pacing.show(self.plugin.text.pause(event), self.now)

    def _acted(self, event: ActionPlayed) -> None:
        """Give the seat that has acted its time for the next action."""
        self.together.discard(event.seat)
        if self._is_restoring:
            return
        if self.clocks.acted(event.seat, event.ply, self.now):
            self.announcements.clocks_changed()
        self.successors.idle.acted(event.seat, event.ply, self.match.to_act)
        self.passing.acted(event.seat, self.now)

    def position_changed(self) -> None:
        """Note a new position (`MatchFollower`)."""
        self._choose_together()
        self.passing.changed()
        self.bots.changed()
        self._is_changed = True

    def _choose_together(self) -> None:
        """Note which seats choose at the same time. A seat stays so until it has chosen."""
        asked = set(self.match.to_act)
        self.together = asked if len(asked) > 1 else self.together & asked

    # Time.

    @property
    def deadline(self) -> float | None:
        """The time of the next `Tick`, or None if nothing depends on the time."""
        if self._closed:
            return None
        if self._is_changed:
            return self.now
        deadlines = (part.deadline for part in self._timed)
        return min((it for it in deadlines if it is not None), default=None)

    def _tick(self, now: float) -> None:
        """Do everything whose time has come, and act on changes since the last tick."""
        is_changed, self._is_changed = self._is_changed, False
        for part in self._timed:
            part.tick(now)
        if is_changed:
            self.effects.append(Keep())

    def held(self, note: str) -> None:
        """Note that the table waits or continues (`MatchFollower`)."""
        limit = inf if self.requests.waits else self.limits.away_timeout
        self.successors.presence.restart(limit, self.now)
        self.successors.idle.reset()
        self.successors.run_clocks(self.now)
        self.announcements.tick(self.now)  # before the note
        self._is_changed = True
        self.holders.show(lambda it: it.remark(note) if note else it.refresh())

    # Requests.

    def _ask(self, screen: Screen, message: MessageIn) -> None:
        """Carry out a request of a screen, and answer it."""
        try:
            is_question = self.questions.answer(screen, message, self.now)
            is_done = not is_question and self._table_requests.carry_out(screen, message)
        except Exception as error:  # also of rules that fail
            line = getattr(message, "line", "")
            self._refuse(screen, getattr(message, "id", 0), error, line)
            if has_crashed(error) and not isinstance(error, ValueError):
                name = "say" if isinstance(message, SayIn) else message  # chat is private
                self.effects.append(Fault(f"{name!r} has failed", error))
        else:
            self._is_changed |= not is_question
            if is_done and (number := getattr(message, "id", 0)):
                screen.answer(DoneOut(number))

    def _refuse(self, screen: Screen | None, id: int, error: Exception, line: str = "") -> None:
        if screen is not None:
            screen.answer(Refusal(id, error, line))
        if isinstance(error, RecordError):
            self.effects.append(Fault(f"a table of {self.match.game.name}", error))

    def _hand_over(self, seat: Seat, note: str) -> None:
        self.successors.presence.replaced(seat, self.now)
        self.successors.idle.replaced(seat)
        self.requests.votes.drop("a seat has a new player")
        self.holders.note(note, logged=True)
        for holder in self.holders:
            holder.repeats.pop(seat, None)
        self.holders.show(SeatHolder.rename)
        self.passing.until_end.discard(seat)
        self._is_changed = True

    def _set_next(self, pages: Sequence[str], screen: int | None, id: int) -> None:
        self.holders.set_pages(next=pages)
        found = None if screen is None else self.holders.find_screen(screen)
        if found is not None:
            names = self.match.names
            who = join_words([names[seat] for seat in found.holder.all_seats], "and")
            self.holders.note(f"{who} would like to play again and has opened a table")
            if id:
                found.answer(DoneOut(id))

    # The end.

    def _stop(self) -> None:
        """Refuse all requests from now on, and stop observing the match."""
        self.requests.refusal = CLOSED
        while self.stops:
            self.stops.pop()()

    def _shut(self, code: int, message: str) -> None:
        """Close every screen, and leave the match as it is."""
        self._closed = True
        self.bots.changed()
        self._stop()
        for screen in self.holders.screens:
            screen.cut(code, message)
