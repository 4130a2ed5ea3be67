"""One playing of a game.

A `Match` owns the state and the streams. Actions go in through `play`, one way: checked, applied,
recorded, told. Everything else watches, or asks what may be done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from tabletop.codec import digest
from tabletop.errors import ContractError, IllegalAction, TabletopError
from tabletop.events import (
    ActionPlayed,
    ActionsUndone,
    Event,
    Handler,
    MatchEnded,
    ObserverFailure,
    Observers,
)
from tabletop.game import Game, Options, OptionValue, Outcome, Seat, State
from tabletop.players import BlindPlayer, Player, told_of_refusal
from tabletop.rng import DrawListener, Streams
from tabletop.seeds import Seed, fresh_phrase

S = TypeVar("S", bound=State)
A = TypeVar("A")

CHECKPOINT_PLIES = 64


class Table:
    """What the rules are handed besides the state: chance, and somebody to tell.

    Look ahead with a table of your own: `game.apply(view, action, Table(Streams("a guess")))`.

    Attributes:
        rng: the streams to draw from.
        emit: tell what happened; observers hear of it when the action is complete.
        watched: whether anybody is told what the rules emit. Where events are many, ask before
            making one.
        events: what is to be told of the action that has begun, when anybody is.
    """

    __slots__ = ("emit", "events", "rng", "watched")

    emit: Callable[[Event], object]

    def __init__(self, rng: Streams) -> None:
        self.rng = rng
        self.events: list[Event] = []
        self.watch(False)

    def watch(self, watched: bool) -> None:
        """Collect what is told from now on, or let it go."""
        self.watched = watched
        self.emit = self.events.append if watched else _ignore


def _ignore(event: Event) -> None:
    """What `emit` does when nobody watches."""


class Recorder(Protocol):
    """Who writes a match down as it goes. What it raises takes the move (or the undoing) back."""

    def played(self, match: Match[Any, Any], seat: Seat, action: Any) -> None:
        """An action is committed; nobody has been told yet."""

    def undone(self, match: Match[Any, Any], count: int) -> None:
        """`count` actions are taken back; nobody has been told yet."""


class Checkpoint(NamedTuple):
    """A state to go back to: before the action number `ply`, counted from 0."""

    ply: int
    state: Any
    streams: Mapping[str, int]


def keep_checkpoint(checkpoints: list[Checkpoint], ply: int, state: Any, rng: Streams) -> None:
    """Keep a copy of `state` at `ply` to go back to; the older the others, the fewer are kept."""
    checkpoints.append(Checkpoint(ply, state.clone(), rng.state()))
    now = ply // CHECKPOINT_PLIES

    def is_kept(checkpoint: Checkpoint) -> bool:
        number = checkpoint.ply // CHECKPOINT_PLIES
        spacing = 1 << max(0, (now - number).bit_length() - 3)
        return number % spacing == 0

    checkpoints[:] = filter(is_kept, checkpoints)


class Match(Generic[S, A]):
    """One match of `game`, from setup to outcome.

    Args:
        game: the rules.
        seed: any text or number; a fresh phrase when not given.
        seats: how many play, or a list of their names; the fewest the game allows when not given.
        options: the game's options that differ from their defaults.
        players: who decides for each seat, for `step` and `run`; may be set later.
        observers: who is told; to be shared by the matches of a simulation. Have all of
            them subscribed before, or call `observe`.
        on_draw: told of every draw that the rules make, also during setup; see `tabletop.rng.Draw`.
            What is only played again, after an undo, is not told again.

    Raises:
        OptionError: an option is unknown or out of range.
        ValueError: the game is not for that many.

    >>> from tabletop.registry import load
    >>> match = Match(load("lcr").game, seed="brave old world")
    >>> match.legal_actions()
    (Roll(),)
    """

    def __init__(
        self,
        game: Game[S, A],
        *,
        seed: Seed | str | int | None = None,
        seats: int | Sequence[str] | None = None,
        options: Options | None = None,
        players: Sequence[Player[S, A] | None] = (),
        observers: Observers | None = None,
        on_draw: DrawListener | None = None,
    ) -> None:
        self._game = game
        self._seed = fresh_phrase(game.vocabulary) if seed is None else seed
        self._names = _seat_names(game, seats)
        self._options = game.resolve_options(options or NO_OPTIONS)
        self._attended = self._hear_actions = self._hear_end = False
        self._told = 0  # how many of the table's events are being told; 0 when none are
        self._observers = observers
        self._recorder: Recorder | None = None
        self._log: list[A] = []
        self._earlier: Callable[[], Sequence[A]] | None = None
        self._undone: list[A] = []
        self._checkpoints: list[Checkpoint] = []
        self._table = Table(Streams(self._seed))
        self._on_draw = on_draw
        if on_draw is not None:
            self._table.rng.listen(on_draw)
        if observers is not None:
            self._attend()
        self._players: list[Player[S, A] | None] = [None] * len(self._names)
        self._picks: list[Callable[[int], int] | None] = [None] * len(self._names)
        for seat, player in enumerate(players):
            self.set_player(seat, player)
        self._state = game.setup(self._options, len(self._names), self._table.rng)
        self._to_act = game.to_act(self._state)

    # What there is to know.

    @property
    def game(self) -> Game[S, A]:
        """The rules."""
        return self._game

    @property
    def seed(self) -> Seed:
        """What all chance of the match derives from."""
        return Seed.of(self._seed)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat."""
        return self._names

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self._names)

    @property
    def options(self) -> Options:
        """Every option of the game, as this match has it."""
        return MappingProxyType(self._options)

    @property
    def players(self) -> tuple[Player[S, A] | None, ...]:
        """Who decides for each seat; None where nobody has been set."""
        return tuple(self._players)

    @property
    def state(self) -> S:
        """The state itself, with all that is hidden. Look, but change it through `play` alone."""
        return self._state

    @property
    def ply(self) -> int:
        """How many actions have been played."""
        return len(self._log)

    @property
    def actions(self) -> tuple[A, ...]:
        """The actions that have been played, in order."""
        self._read_earlier()
        return tuple(self._log)

    @property
    def undone(self) -> int:
        """How many actions `redo` can play again."""
        return len(self._undone)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now; none when the match is over."""
        return tuple(self._to_act)

    @property
    def over(self) -> bool:
        """Whether nobody may act any more."""
        return not self._to_act

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._game.outcome(self._state)

    def legal_actions(self, seat: Seat | None = None) -> Sequence[A]:
        """What `seat` (the first of those to act, when not given) may do; nothing if not to act."""
        seats = self._to_act
        if seat is None:
            return self._game.legal_actions(self._state, seats[0]) if seats else ()
        return self._game.legal_actions(self._state, seat) if seat in seats else ()

    def view(self, seat: Seat | None = None) -> S:
        """What `seat`, or a spectator (None), may see: a copy, to do with as you like."""
        view = self._game.view(self._state, seat)
        return view.clone() if view is self._state else view

    def digest(self) -> str:
        """32 hexadecimal digits that stand for the state and the position of every stream."""
        return digest(self._state, self._table.rng.state())

    def streams(self) -> dict[str, int]:
        """The position of every stream that has been drawn from, by name."""
        return self._table.rng.state()

    # Playing.

    def check(self, action: A) -> None:
        """Accept `action`, or raise; nothing changes either way.

        Raises:
            IllegalAction: it is not allowed now; says why.
        """
        try:
            if len(self._to_act) != 1:  # else there is no doubt whose it is
                self.actor(action)
            self._game.check(self._state, action)
        except IllegalAction as error:
            error.action = action
            if error.seat is None and len(self._to_act) == 1:
                error.seat = self._to_act[0]
            raise

    def actor(self, action: A) -> Seat:
        """Whose action this is.

        Raises:
            IllegalAction: the match is over, or the seat that the action names is not to act.
        """
        seats = self._to_act
        if len(seats) == 1:
            return seats[0]
        if not seats:
            raise IllegalAction("the match is over")
        seat: Seat | None = getattr(action, "seat", None)
        if seat is None:
            raise IllegalAction(f"{action}: several seats are to act; it does not say whose it is")
        if seat not in seats:
            raise IllegalAction(f"{action}: seat {seat} is not to act now", seat=seat)
        return seat

    def play(self, action: A) -> None:
        """Play `action` for the seat whose turn it is (or that the action names).

        Raises:
            IllegalAction: it is not allowed now; nothing has changed.
            RecordError: it could not be recorded; it has been taken back.
            ContractError: the rules failed in the middle of it; it has been taken back.
        """
        self.check(action)
        self._commit(action)

    def parse(self, text: str, seat: Seat | None = None) -> A:
        """The action that `text` spells for `seat` (the first of those to act, when not given).

        Raises:
            CommandError: it spells none.
            IllegalAction: the match is over, or the seat is not to act.
        """
        if not self._to_act:
            raise IllegalAction("the match is over")
        if seat is None:
            seat = self._to_act[0]
        elif seat not in self._to_act:
            raise IllegalAction(f"seat {seat} is not to act now", seat=seat)
        return self._game.parse(text, self._state, seat)

    def set_player(self, seat: Seat, player: Player[S, A] | None) -> None:
        """Let `player` decide for `seat` from now on, at any moment of the match.

        Raises:
            ValueError: there is no such seat.
        """
        if not 0 <= seat < len(self._players):
            raise ValueError(f"there is no seat {seat}; seats are 0 to {len(self._players) - 1}")
        self._players[seat] = player
        self._picks[seat] = None
        if isinstance(player, BlindPlayer) and type(player).choose is BlindPlayer.choose:
            self._picks[seat] = player.pick

    def step(self) -> A:
        """Ask the player of the first seat to act, and play what it chooses.

        Returns:
            The action.

        Raises:
            IllegalAction: the player chose what is not allowed, or the match is over.
            TabletopError: the seat has no player.
        """
        if not self._to_act:
            raise IllegalAction("the match is over")
        seat = self._to_act[0]
        player = self._players[seat]
        if player is None:
            raise TabletopError(f"seat {seat} ({self._names[seat]}) has no player")
        while True:
            action = player.choose(self.view(seat), self.legal_actions(seat))
            try:
                self.play(action)
            except IllegalAction as error:
                if not told_of_refusal(player, error):
                    raise
            else:
                return action

    def run(self, plies: int | None = None) -> Outcome | None:
        """Let the players play on to the end, or for `plies` more actions.

        Returns:
            The outcome; None when the match is not over yet.

        Raises:
            IllegalAction: a player chose what is not allowed.
            TabletopError: a seat that is to act has no player.
        """
        last = sys.maxsize if plies is None else len(self._log) + plies
        while self._to_act and len(self._log) < last:
            if self._picks[self._to_act[0]] is None:
                self.step()
            else:
                self._run_blind(last)
        return self.outcome

    def _run_blind(self, last: int) -> None:
        """Play on as long as blind players are to act, at most until `last` plies.

        What they pick stands in the list of legal actions by construction, so nothing is left to
        check; this is the loop that mass simulation spends its time in.
        """
        game, log, picks, table = self._game, self._log, self._picks, self._table
        who, legal, apply = game.to_act, game.legal_actions, game.apply
        state, seats = self._state, self._to_act
        if not self._attended:
            self._undone.clear()
        while seats and (ply := len(log) + 1) <= last:
            seat = seats[0]
            pick = picks[seat]
            if pick is None:
                break
            actions = legal(state, seat)
            action = actions[pick(number)] if (number := len(actions)) > 1 else actions[0]
            if self._hear_actions:
                table.events.append(ActionPlayed(ply, seat, action))
            try:
                apply(state, action, table)
                seats = self._to_act = who(state)
            except BaseException as error:
                self._take_back(action, error)
            log.append(action)
            if not ply % CHECKPOINT_PLIES:
                self._keep_checkpoint(ply)
            if self._attended:
                if self._recorder is not None or self._undone:
                    self._write_down(seat, action)
                self._tell()
                state, seats = self._state, self._to_act  # observers may have gone back
                if self._undone:
                    break  # they have: what could be redone is not, once more is played

    def _commit(self, action: A, *, redone: bool = False) -> None:
        attended, log = self._attended, self._log
        seat = self.actor(action) if attended else 0
        if self._hear_actions:
            self._table.events.append(ActionPlayed(len(log) + 1, seat, action))
        try:
            self._game.apply(self._state, action, self._table)
            self._to_act = self._game.to_act(self._state)
        except BaseException as error:
            self._take_back(action, error)
        log.append(action)
        if not len(log) % CHECKPOINT_PLIES:
            self._keep_checkpoint(len(log))
        if attended:
            self._write_down(seat, action, redone=redone)
            self._tell()
        elif self._undone:
            self._drop_undone(redone=redone)

    def _take_back(self, action: A, error: BaseException) -> NoReturn:
        """Undo a half-applied action, and raise: what broke it off, or that the rules failed."""
        self._rebuild(len(self._log))
        if not isinstance(error, Exception):  # nobody's failure: a KeyboardInterrupt, for instance
            raise error
        ply = len(self._log) + 1
        message = f"{self._game.name}: {action} failed at ply {ply}: {error!r}"
        raise ContractError(message) from error

    def _drop_undone(self, *, redone: bool) -> None:
        """Forget what could be redone: all of it, or the action that just was."""
        if redone:
            self._undone.pop()
        else:
            self._undone.clear()

    def _write_down(self, seat: Seat, action: A, *, redone: bool = False) -> None:
        """Have the move recorded; from now on it stands."""
        if self._recorder is not None:
            self._record(self._recorder, seat, action)
        if self._undone:
            self._drop_undone(redone=redone)

    def _tell(self) -> None:
        """Tell the observers what has happened."""
        events = self._table.events
        if not self._to_act and self._hear_end and (outcome := self.outcome) is not None:
            events.append(MatchEnded(outcome))
        if not events or self._observers is None:
            return
        telling, self._told = self._told, len(events)
        if telling:
            return  # an observer has done this: whoever is telling goes on to it
        try:
            self._observers.tell(events)
        finally:
            self._told = 0
            events.clear()

    def _record(self, recorder: Recorder, seat: Seat, action: A) -> None:
        """Have the move written down; one that cannot be is taken back."""
        try:
            recorder.played(self, seat, action)
        except BaseException:
            self._log.pop()
            self._rebuild(len(self._log))
            raise

    # Going back.

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` actions; the streams go back too.

        Raises:
            ValueError: fewer have been played; nothing has changed.
            RecordError: it could not be recorded; nothing has changed.
        """
        if not 0 <= count <= len(self._log):
            raise ValueError(f"{count} actions cannot be taken back: {len(self._log)} were played")
        if count == 0:
            return
        former = self._state, self._to_act, self._table.rng, self._checkpoints
        self._rebuild(len(self._log) - count)
        taken = self._log[-count:]
        del self._log[-count:]
        try:
            if self._recorder is not None:
                self._recorder.undone(self, count)
        except BaseException:
            self._log.extend(taken)
            self._state, self._to_act, self._table.rng, self._checkpoints = former
            raise
        self._undone.extend(reversed(taken))
        if self._observers:
            self._table.events.append(ActionsUndone(count, len(self._log)))
            self._tell()

    def jump(
        self,
        ply: int,
        state: S,
        streams: Mapping[str, int],
        earlier: Callable[[], Sequence[A]],
    ) -> None:
        """Begin in the middle, at a checkpoint, instead of playing everything before it.

        Args:
            ply: how many actions have been played by then.
            state: what they have led to; the match takes it over.
            streams: the position of every stream; see `streams`.
            earlier: gives those actions when somebody asks for them, or undoes so many.

        Raises:
            ValueError: actions have been played already.
        """
        if self._log or self._undone:
            raise ValueError("this match has begun: it cannot jump to another point")
        self._table.rng.restore(streams)
        self._state, self._to_act = state, self._game.to_act(state)
        self._log = [None] * ply  # type: ignore[list-item]  # until they are read
        self._earlier = earlier
        self._checkpoints = [Checkpoint(ply, state.clone(), dict(streams))]

    def _read_earlier(self) -> None:
        """Have the actions before the point that the match jumped to, if it did."""
        if self._earlier is not None:
            actions = self._earlier()
            self._log[: len(actions)] = actions
            self._earlier = None

    def redo(self, count: int = 1) -> None:
        """Play the last `count` undone actions again.

        Raises:
            ValueError: fewer have been undone; nothing has changed.
        """
        if not 0 <= count <= len(self._undone):
            raise ValueError(f"{count} actions cannot be redone: {len(self._undone)} were undone")
        for _ in range(count):
            expected = len(self._log) + 1, len(self._undone) - 1
            self._commit(self._undone[-1], redone=True)
            if (len(self._log), len(self._undone)) != expected:
                return  # an observer has played on or gone back: this is another future

    def clone(self) -> Match[S, A]:
        """An independent match at the same point: for looking ahead.

        It has the same past and streams, but no players, observers or recorder.
        """
        twin: Match[S, A] = Match.__new__(type(self))
        twin._game, twin._seed = self._game, self._seed
        twin._names, twin._options = self._names, self._options
        twin._players, twin._picks = [None] * self.seats, [None] * self.seats
        twin._attended = twin._hear_actions = twin._hear_end = False
        twin._told = 0
        twin._observers, twin._recorder = None, None
        twin._log, twin._undone = self._log.copy(), self._undone.copy()
        twin._earlier, twin._on_draw = self._earlier, None
        twin._checkpoints = self._checkpoints.copy()
        twin._table = Table(self._table.rng.clone())
        twin._state = self._state.clone()
        twin._to_act = self._game.to_act(twin._state)  # which may be a part of its state
        return twin

    def _keep_checkpoint(self, ply: int) -> None:
        keep_checkpoint(self._checkpoints, ply, self._state, self._table.rng)

    def _rebuild(self, ply: int) -> None:
        """Make the state what it was after the first `ply` actions of the log; tell nobody.

        It is made aside and put in place when it is complete: what breaks this off changes nothing.
        """
        game, table = self._game, self._table
        kept = [checkpoint for checkpoint in self._checkpoints if checkpoint.ply <= ply]
        if not kept:
            self._read_earlier()
        if kept:
            start, former, streams = kept[-1]
            state: S = former.clone()
            rng = table.rng.clone()
            rng.restore(streams)
        else:
            start, rng = 0, Streams(self._seed)
            state = game.setup(self._options, self.seats, rng)
        quiet = Table(rng)
        for reached, action in enumerate(self._log[start:ply], start + 1):
            game.apply(state, action, quiet)
            if not reached % CHECKPOINT_PLIES:  # who goes back far often goes back further
                keep_checkpoint(kept, reached, state, rng)
        to_act = game.to_act(state)
        if self._on_draw is not None:
            rng.listen(self._on_draw)
        self._state, self._to_act, table.rng, self._checkpoints = state, to_act, rng, kept
        del table.events[self._told :]

    # Being watched.

    def observe(self, handler: Handler, *types: type[Event]) -> Callable[[], None]:
        """Tell `handler` of events of these types and their subtypes; of all, when none is named.

        Observers run after the move is committed and recorded. One that raises neither stops the
        others nor the match: see `on_observer_failure`.

        Returns:
            A function that ends the observation.
        """
        cancel = self._own_observers().subscribe(handler, *types)
        self._attend()

        def stop() -> None:
            cancel()
            self._attend()

        return stop

    def on_observer_failure(self, report: Callable[[ObserverFailure], object]) -> None:
        """Have failures of observers reported to `report` instead of the log."""
        self._own_observers().on_failure = report

    def _own_observers(self) -> Observers:
        if self._observers is None:  # one that nobody observes yet counts as false
            self._observers = Observers()
        return self._observers

    def set_recorder(self, recorder: Recorder | None) -> None:
        """Have every action written down by `recorder` before anybody is told of it."""
        self._recorder = recorder
        self._attend()

    def _attend(self) -> None:
        observers = self._observers
        if observers is not None:
            self._hear_actions = observers.hear(ActionPlayed)
            self._hear_end = observers.hear(MatchEnded)
            self._table.watch(observers.hear_rules)
        self._attended = bool(observers) or self._recorder is not None


NO_OPTIONS: dict[str, OptionValue] = {}


@lru_cache(maxsize=256)
def _default_names(seats: int) -> tuple[str, ...]:
    return tuple(f"Player {number}" for number in range(1, seats + 1))


def _seat_names(game: Game[Any, Any], seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """The names of the seats: those given, or "Player 1" and so on.

    Raises:
        ValueError: the game is not for that many.
    """
    if seats is None:
        return _default_names(game.seats[0])
    if isinstance(seats, str):
        raise TypeError(f"seats: a number or a list of names, not the text {seats!r}")
    number = seats if isinstance(seats, int) else len(seats)
    if number not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{game.name} is for {wanted} players, not for {number}")
    return _default_names(seats) if isinstance(seats, int) else tuple(seats)
