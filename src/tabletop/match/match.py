"""A match: one playing of a game.

A `Match` owns the state and the streams. `play` is the only way in for an action: it is checked,
applied, recorded, and observers are notified. All other methods read or observe.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from tabletop.errors import (
    ContractError,
    IllegalAction,
    NotAnAction,
    TabletopError,
)
from tabletop.match.bot_streams import BotStreams
from tabletop.match.contract_errors import (
    check_subscription,
    no_legal_action,
    not_a_game,
    not_a_player,
)
from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match_view import MatchView
from tabletop.match.observers import DeliveredEvent, MatchObservers, Recorder, SeatHistory
from tabletop.match.players import AnyPlayer, BlindPlayer, ask, is_player, report_refusal
from tabletop.rng.phrases import fresh_phrase
from tabletop.rng.seeds import Seed
from tabletop.rng.stream import DrawListener, Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import (
    ALL,
    ActionPlayed,
    ActionsUndone,
    Event,
    Handler,
    MatchEnded,
    ObserverFailure,
    Observers,
    Watcher,
)
from tabletop.rules.game import Game, Table
from tabletop.rules.options import Options
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.wording import no_seat, plural

S = TypeVar("S", bound=State)
A = TypeVar("A")


class Match(MatchView[S, A]):
    """A match of `game`, from setup to outcome.

    Args:
        game: the rules.
        seed: any text or whole number; a fresh phrase when not given.
        salt: 16 bytes that all chance depends on as well, so that the seed alone reveals nothing;
            see `tabletop.rng.new_salt`.
        seats: the number of seats, or a list of their names; the fewest the game allows when not
            given.
        options: the game's options that differ from their defaults.
        state: the first state, in place of the one that the rules set up: a state of the game, or
            one as JSON data. It is copied. The seed and the options decide all else: the streams
            stand where the setup leaves them.
        players: the player of each seat, for `step` and `run`; None for an empty seat. The last
            ones may be left out, and all can be set later.
        observers: the observers; the matches of a simulation may share them. Have all of them
            subscribed before, or call `observe`.
        on_draw: called with every draw that the rules make, also during setup; see
            `tabletop.rng.Draw`. It is not called for draws repeated after an undo.

    Raises:
        OptionError: an option is unknown or out of range.
        SeedError: The seed cannot be one, or the salt is not of 16 bytes.
        StateError: No match can begin from the given state.
        TypeError: `game` is not a game, or `seats` is neither a whole number nor a list of names.
        ValueError: the game does not allow so many seats, or there are more players than seats.

    >>> from tabletop.registry import load
    >>> match = Match(load("lcr").game, seed="brave old world")
    >>> match.legal_actions()
    (Roll(),)
    >>> match.play(match.legal_actions()[0])
    >>> match.ply, match.to_act, match.over
    (1, (1,), False)
    """

    _repr_svg_: ClassVar[Callable[[Any], str]]
    """Draws the whole state for a notebook. It is handed in by `tabletop`: a match has no looks."""

    def __init__(
        self,
        game: Game[S, A],
        *,
        seed: Seed | str | int | None = None,
        salt: bytes | None = None,
        seats: int | Sequence[str] | None = None,
        options: Options | None = None,
        state: S | Mapping[str, Any] | None = None,
        players: Sequence[AnyPlayer[S, A] | None] = (),
        observers: Observers | None = None,
        on_draw: DrawListener | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(not_a_game(game))
        self._seed = fresh_phrase(game.vocabulary) if seed is None else seed
        self._salt, self._on_draw = salt, on_draw
        self._set_up(game, seats, options, state)
        self._audience = None if observers is None else MatchObservers(game, self._table, observers)
        seats = len(self._names)
        self._players: list[AnyPlayer[S, A] | None] = [*players] if players else [None] * seats
        if len(self._players) != seats:
            if len(players) > seats:
                raise ValueError(no_seat(seats, seats))
            self._players += [None] * (seats - len(players))
        # The `pick` of each blind player, so that `run` has nothing to look up.
        self._picks: list[Callable[[int], int] | None]
        self._picks = [None if player is None else _pick_of(player) for player in self._players]

    @property
    def players(self) -> tuple[AnyPlayer[S, A] | None, ...]:
        """The player of each seat; None for an empty seat."""
        return tuple(self._players)

    # Playing.

    def play(self, action: A) -> None:
        """Play `action` for the seat whose turn it is (or that the action names).

        The rules check the action, unless `legal_actions` has just returned this very object. An
        action that equals a legal one is replaced by the legal one, so that a NumPy number never
        gets into the state.

        Raises:
            IllegalAction: The action is not allowed now, or the match is over; nothing has changed.
            NotAnAction: The value is not an action of the game, or contains a value of a foreign
                type; nothing has changed.
            RecordError: The action could not be recorded; it has been undone.
            ContractError: The rules failed during the action; it has been undone.
        """
        # An action that was just listed for this state is legal and needs no check.
        for listed in self._handed:
            if listed is action:
                break
        else:
            action = self._accept(action)
        self._commit(action)

    def set_player(self, seat: Seat, player: AnyPlayer[S, A] | None) -> None:
        """Let `player` decide for `seat` from now on, at any moment of the match; None for nobody.

        Raises:
            TypeError: it is no player: it has no method `choose`.
            ValueError: there is no such seat.
        """
        self._check_seat(seat)
        if player is not None and not is_player(player):
            raise TypeError(not_a_player(player))
        self._players[seat] = player
        self._picks[seat] = _pick_of(player)

    def rename(self, seat: Seat, name: str) -> None:
        """Call a seat something else, as long as nothing has been played.

        A record begins with the names: one that has been begun keeps the former one.

        Raises:
            TabletopError: an action has been played.
            ValueError: there is no such seat.
        """
        self._check_seat(seat)
        if self.ply:
            raise TabletopError("names cannot change any more: the match has begun")
        self._names = (*self._names[:seat], name, *self._names[seat + 1 :])

    def bot_stream(self, seat: Seat) -> Stream:
        """Return the stream of a bot at `seat`: always the same one; undo takes it back as well.

        It has a root of its own: it reveals nothing of the streams of the match, and is no part of
        `streams` or `digest`. The draws of a choice are taken back with the action, drawn again by
        `redo`, and kept by `clone`, in pickles and in records, so that the bot plays on unchanged.
        A choice that could not be played keeps its draws until the next `undo`.

        Raises:
            ValueError: there is no such seat.
        """
        self._check_seat(seat)
        if self._history.bot_streams is None:
            self._history.bot_streams = BotStreams(self._seed, self._salt)
        return self._history.bot_streams.of(seat)

    def step(self, seat: Seat | None = None, player: AnyPlayer[S, A] | None = None) -> A:
        """Ask the player of a seat to act, and play its choice.

        An error that the player raises, such as `EndOfInput`, goes on to the caller, and so do
        those of `play`; no action has been played then.

        Args:
            seat: one of those to act; the first of them that has a player when not given.
            player: asked this once in place of the seat's own.

        Returns:
            The action played.

        Raises:
            ContractError: The seat has no legal action, or the rules fail where its player looks
                ahead.
            IllegalAction: the choice is not allowed.
            MatchOver: the match is over.
            NotYourTurn: the seat is not to act.
            NotAnAction: the choice is no action of the game at all. Names the player, its choice,
                and legal actions; nothing has changed.
            TabletopError: the seat has no player, or none of those to act has one.
        """
        self._check_turn(seat)
        if seat is None:
            seat = self._first_served()
        if player is None:
            player = self._players[seat]
        if player is None:
            raise TabletopError(f"{self._names[seat]} has no player")
        while True:
            legal = self.legal_actions(seat)
            try:
                action = ask(player, self.view(seat), legal, self.sampler(seat))
            except ContractError as error:  # the player looks ahead and does not know the ply
                if not error.ply:
                    error.ply = self.ply + 1
                    error.args = (f"{error} (seat {seat} was choosing at ply {error.ply})",)
                raise
            try:
                return self._play_for(seat, action)
            except IllegalAction as error:
                if isinstance(error, NotAnAction) or not report_refusal(player, error):
                    who = f"{self._names[seat]}, played by {type(player).__name__}"
                    error.args, error.seat = (f"{who}: {error}",), seat
                    raise

    def _play_for(self, seat: Seat, choice: A) -> A:
        """Play the choice of the player of `seat`, which may be any object at all."""
        is_listed = any(listed is choice for listed in self._handed)
        action = choice if is_listed else self._accept(choice)
        if len(self._to_act) > 1 and (other := self.actor(action)) != seat:
            raise IllegalAction(f"{action} is for {self._name_seat(other)} to choose")
        self._handed = (action,)  # so that `play` does not check the action again
        self.play(action)
        return action

    def _first_served(self) -> Seat:
        """Return the first of the seats to act that has a player; the first of all if none has."""
        players = self._players
        for seat in self._to_act:
            if players[seat] is not None:
                return seat
        return self._to_act[0]

    def run(self, plies: int | None = None) -> Outcome | None:
        """Let the players play on to the end, or for `plies` more actions.

        Where several seats are to act, those without a player wait for the others.

        Returns:
            The outcome; None when the match is not over yet.

        Raises:
            IllegalAction: a player's choice is not allowed. All errors of `step` are possible.
            TabletopError: none of the seats that are to act has a player.

        >>> from tabletop import Random
        >>> from tabletop.registry import load
        >>> players = [Random("a"), Random("b"), Random("c")]
        >>> match = Match(load("lcr").game, seed="old oak", players=players)
        >>> match.run(plies=2)
        >>> match.run().winners
        (2,)
        """
        log = self._history.log
        last = sys.maxsize if plies is None else len(log) + plies
        while (seats := self._to_act) and len(log) < last:
            if (pick := self._picks[seats[0]]) is None:
                self.step()
                continue
            # A blind player needs no view, and its pick is legal: nothing to check.
            actions = self._game.legal_actions(self._state, seats[0])
            number = len(actions)
            # A single action draws nothing, as in `BlindPlayer.choose`: both ways, the same match.
            if not number:
                raise no_legal_action(self._game, seats[0], len(log) + 1)
            self._commit(actions[pick(number)] if number > 1 else actions[0])
        return self.outcome

    def _commit(self, action: A, *, redone: bool = False) -> None:
        """Play an action that is legal: apply it, record it, notify observers."""
        history, audience, table = self._history, self._audience, self._table
        log, undone, bot_streams = history.log, history.undone, history.bot_streams
        ply = len(log) + 1
        # The seat of an action matters only to observers and to the streams of bots.
        seat = 0 if audience is None and bot_streams is None else self.actor(action)
        recorder = None if audience is None else audience.recorder
        former = None if bot_streams is None else bot_streams.undone
        try:
            if audience is not None and audience.actions_observed:
                table.events.append(ActionPlayed(ply, seat, action))
            self._game.apply(self._state, action, table)
            self._to_act = self._game.to_act(self._state)
            self._handed = ()
            log.append(action)
            if not ply % CHECKPOINT_PLIES:
                history.keep(self._state, table.rng)
            if bot_streams is not None:
                bot_streams.log_action(ply, seat, redone=redone)
            if undone:
                history.undone = undone[:-1] if redone else []
            # Last of all, and before any observer: the record is complete, and nobody has
            # seen an action that the record does not have.
            if recorder is not None:
                recorder.played(self, seat, action)
        # A KeyboardInterrupt, too, may come at any moment: match and record must stay alike.
        except BaseException as error:
            if recorder is not None and recorder.plies == ply:
                raise  # it came after the action was written: the action stands
            was_applied = len(log) == ply
            self._take_out(ply - 1)
            history.undone = undone
            if bot_streams is not None and former is not None:
                bot_streams.undone = former
            raise error if was_applied else self._failure_of(action, error) from error
        if audience is not None:
            self._end(audience)
            audience.notify(self._state)

    def _failure_of(self, action: A, error: BaseException) -> BaseException:
        """Return the error for an action during which something was raised."""
        # A KeyboardInterrupt is not a failure of the rules; sys.exit() in the rules is one.
        if not isinstance(error, Exception | SystemExit):
            return error
        ply = self.ply + 1
        message = f"{self._game.name}: {action} failed at ply {ply}: {error!r}"
        return ContractError(message, ply=ply)

    def _take_out(self, ply: int) -> None:
        """Take back the actions after the first `ply`, which are not recorded."""
        history = self._history
        del history.log[ply:]
        # A checkpoint that this has led to is dropped by going back to before it.
        self._go_back(ply)
        if history.bot_streams is not None:
            history.bot_streams.go_back(ply, redo=False)

    def _end(self, audience: MatchObservers) -> None:
        """Queue `MatchEnded`, if the match is over and the event is observed."""
        if self._to_act or not audience.end_observed:
            return
        if (outcome := self.outcome) is not None:
            self._table.events.append(MatchEnded(outcome))

    # Going back.

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` actions, 0 or more; the streams go back too.

        `redo` plays them again, until another action is played.

        Raises:
            ValueError: fewer have been played, or `count` is negative; nothing has changed.
            RecordError: it could not be recorded; nothing has changed.

        >>> from tabletop.registry import load
        >>> match = Match(load("lcr").game, seed="old oak")
        >>> before = match.digest()
        >>> match.play(match.legal_actions()[0])
        >>> match.undo()
        >>> match.digest() == before, match.undone
        (True, 1)
        """
        history, audience, bot_streams = self._history, self._audience, self._history.bot_streams
        if not 0 <= count <= self.ply:
            raise ValueError(
                f"{plural(count, 'action')} cannot be taken back: {self.ply} played so far"
            )
        if count == 0:
            return
        left, log = self.ply - count, history.log
        taken = log[left:]
        # All of these are replaced and not changed, so that they can be put back.
        former = self._state, self._to_act, self._table.rng
        past = (
            history.checkpoints,
            history.undone,
            None if bot_streams is None else bot_streams.clone(),
        )
        recorder = None if audience is None else audience.recorder
        try:
            self._go_back(left)
            del log[left:]
            history.undone = history.undone + taken[::-1]
            if bot_streams is not None:
                bot_streams.go_back(left)
            if recorder is not None:
                recorder.undone(self, count)
        except BaseException:
            if recorder is not None and recorder.plies == left:
                raise  # it came after this was written: it is done
            log[left:] = taken
            self._state, self._to_act, self._table.rng = former
            history.checkpoints, history.undone, twin = past
            if bot_streams is not None and twin is not None:
                bot_streams.put_back(twin)
            self._handed = ()
            raise
        if audience is not None and audience.observers:
            self._table.events.append(ActionsUndone(count, self.ply))
            audience.notify(self._state)

    def redo(self, count: int = 1) -> None:
        """Play the next `count` undone actions again, 0 or more, in the order of their first time.

        It stops early where an observer plays another action, or takes one back.

        Raises:
            ValueError: fewer have been undone, or `count` is negative; nothing has changed.
            RecordError: an action could not be recorded; it stays undone.
        """
        if not 0 <= count <= self.undone:
            raise ValueError(
                f"{plural(count, 'action')} cannot be redone: {self.undone} undone so far"
            )
        for _ in range(count):
            expected = self.ply + 1, self.undone - 1
            self._commit(self._history.undone[-1], redone=True)
            if (self.ply, self.undone) != expected:
                return  # an observer has played on or gone back: this is another future

    def clone(self, *, on_draw: DrawListener | None = None) -> Match[S, A]:
        """Return an independent match at the same point: for looking ahead.

        It has the same past and streams, but no players, observers or recorder. So has a match that
        was copied, or pickled and sent to another process.

        Args:
            on_draw: called with every draw that the clone makes.

        >>> from tabletop.registry import load
        >>> match = Match(load("lcr").game, seed="old oak")
        >>> ahead = match.clone()
        >>> ahead.play(ahead.legal_actions()[0])
        >>> match.ply, ahead.ply
        (0, 1)
        """
        twin: Match[S, A] = Match.__new__(type(self))
        twin._game, twin._seed, twin._salt = self._game, self._seed, self._salt
        twin._names, twin._options, twin._first = self._names, self._options, self._first
        twin._players, twin._picks = [None] * self.seats, [None] * self.seats
        twin._audience, twin._on_draw = None, on_draw
        twin._history = self._history.clone()
        twin._table = Table(self._table.rng.clone())
        if on_draw is not None:
            twin._table.rng.set_listener(on_draw)
        twin._state = self._state.clone()
        twin._to_act = self._game.to_act(twin._state)  # which may be a part of its state
        return twin

    def __getstate__(self) -> dict[str, object]:
        """Return the state of a pickle: that of a clone."""
        return vars(self.clone())

    def __copy__(self) -> Match[S, A]:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> Match[S, A]:
        return self.clone()

    def _go_back(self, ply: int) -> None:
        """Restore the state after the first `ply` actions of the log; notifies no observer.

        The state is made aside and put in place when complete: an interruption changes nothing.
        """
        history, table = self._history, self._table
        state, rng, kept = history.back_to(ply, self._game, table.rng, self._begin)
        to_act = self._game.to_act(state)
        if self._on_draw is not None:
            rng.set_listener(self._on_draw)
        self._state, self._to_act, table.rng, history.checkpoints = state, to_act, rng, kept
        self._handed = ()
        if self._audience is not None:
            self._audience.drop_pending()

    def _begin(self, on_draw: DrawListener | None = None) -> tuple[S, Streams]:
        """Return the first state, and the streams; call `on_draw` with the draws of the setup."""
        rng = Streams(self._seed, self._salt)
        if on_draw is not None:
            rng.set_listener(on_draw)
        state = self._game.setup(self._options, len(self._names), rng)
        return state if self._first is None else self._first.clone(), rng

    # Observers.

    def observe(
        self, handler: Handler, *types: type[Event], seat: Watcher = ALL
    ) -> Callable[[], None]:
        """Call `handler` with every event of these types and subtypes; of all by default.

        Observers run after the move is committed and recorded. One that raises neither stops the
        others nor the match: see `on_observer_failure`.

        Args:
            handler: called with each event.
            types: the types of the events as received: the masked form may be of another type.
            seat: the watcher: a seat or a spectator (None) receives events as `Game.view_event`
                gives them. By default (`ALL`) all events are unmasked, for a log or a simulation:
                show nobody what such an observer receives.

        Returns:
            A function that ends the observation; calling it again does nothing.

        Raises:
            TypeError: the handler cannot be called, or something else is no type of events or no
                watcher; nothing is observed then.
            ValueError: there is no such seat.

        >>> from tabletop.registry import load
        >>> match, told = Match(load("lcr").game, seed="old oak"), []
        >>> stop = match.observe(told.append, ActionPlayed)
        >>> match.play(match.legal_actions()[0])
        >>> told
        [ActionPlayed(ply=1, seat=0, action=Roll())]
        """
        check_subscription(handler, types, seat)
        if isinstance(seat, int):
            self._check_seat(seat)
        audience = self._ensure_observers()
        cancel = audience.observers.subscribe(handler, *types, seat=seat)
        audience.refresh()

        def stop() -> None:
            cancel()
            audience.refresh()

        return stop

    def seat_history(self, seat: Seat | None = None) -> SeatHistory[S]:
        """Return all that `seat`, or a spectator (None), has been shown and told so far.

        It follows from the actions alone, so that it is the same after an undo and a redo, on a
        clone, and in a resumed match; the events of undone actions are not in it. The rules of the
        whole match are run again for it: to know it after every action, keep what an observer of
        that seat is told.

        Raises:
            ValueError: there is no such seat.
        """
        again = Match(
            self._game,
            seed=self._seed,
            salt=self._salt,
            seats=self._names,
            options=self._options,
            state=self._first,
        )
        told: list[DeliveredEvent] = []
        again.observe(lambda event: told.append(DeliveredEvent(again.ply, event)), seat=seat)
        for action in self._history.log:
            # Not by `play`: what has been played was legal, and need not be checked again.
            again._commit(action)
        return SeatHistory(again.view(seat), tuple(told))

    def on_observer_failure(self, report: Callable[[ObserverFailure], object]) -> None:
        """Call `report` with every failure of an observer from now on, instead of logging it.

        Matches that share `observers` share this as well.
        """
        self._ensure_observers().observers.on_failure = report

    @property
    def recorder(self) -> Recorder | None:
        """The recorder of the match, if it has one."""
        return None if self._audience is None else self._audience.recorder

    def set_recorder(self, recorder: Recorder | None) -> None:
        """Give every action to `recorder` before any observer is notified; None ends that.

        Its `plies` must count the actions that have been played already.
        """
        self._ensure_observers().recorder = recorder

    def _ensure_observers(self) -> MatchObservers:
        """Return the observers of the match, which has some from now on."""
        if self._audience is None:
            self._audience = MatchObservers(self._game, self._table, Observers())
        return self._audience


_CHOOSE_BLINDLY: Final = BlindPlayer.choose


def _pick_of(player: object) -> Callable[[int], int] | None:
    """Return the `pick` of a blind player; None for all others."""
    # A subclass with a `choose` of its own may look at the view: it is asked like any player.
    if isinstance(player, BlindPlayer) and type(player).choose is _CHOOSE_BLINDLY:
        return player.pick
    return None


AnyMatch: TypeAlias = Match[Any, Any]
"""A match of any game."""
