"""Matches: the class `Match`, one run of a game from setup to outcome.

A `Match` owns the state of the game and its random streams. Every action that changes the state is
committed in the same way: the rules apply it, the recorder writes it, and then observers are
notified. `play` checks an action before it is committed. `redo`, `seat_history` and (for players
that pick blindly) `run` commit actions that are known to be legal without checking them again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias, TypeVar

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
from tabletop.rules.concessions import Concession, LossReason, end_match
from tabletop.rules.events import (
    ALL,
    ActionPlayed,
    ActionsUndone,
    Conceded,
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
from tabletop.wording import no_seat

S = TypeVar("S", bound=State)
A = TypeVar("A")


class Match(MatchView[S, A]):
    """A match of `game`, from setup to outcome.

    Args:
        game: The rules.
        seed: Any string or integer. By default, a new random phrase.
        salt: 16 secret bytes on which all randomness depends in addition to the seed, so that the
            seed alone reveals nothing. See `tabletop.rng.new_salt`.
        seats: The number of seats, or a list of their names. By default, the smallest number that
            the game allows.
        options: Values of the game's options. Other options have their default values.
        state: The initial state, in place of the rules' own setup: a state of the game, or its JSON
            data. The state is copied. The random streams start at the offsets that they have after
            the setup.
        players: The player of each seat for `step` and `run`, or None for an empty seat. The list
            may be shorter than the number of seats. Call `set_player` to change a player later.
        observers: Observers of the match. Several matches of a simulation may share them. Add all
            subscriptions before you create the match, or use `observe`.
        on_draw: Called with every draw of the rules, including the setup. See `tabletop.rng.Draw`.
            Undo replays earlier actions without calling it. `redo` calls it again.

    Raises:
        OptionError: An option is unknown or out of range.
        SeedError: The seed is invalid, or the salt does not have 16 bytes.
        StateError: A match cannot start from the given state.
        TypeError: `game` is not a game, or `seats` is neither an integer nor a list of names.
        ValueError: The number of seats is not possible, or there are more players than seats.

    >>> from tabletop.registry import load
    >>> match = Match(load("lcr").game, seed="brave old world")
    >>> match.legal_actions()
    (Roll(),)
    >>> match.play(match.legal_actions()[0])
    >>> match.ply, match.to_act, match.over
    (1, (1,), False)
    """

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
        # Cached for the inner loop of `run`: the `pick` of each blind player, None for others.
        self._picks: list[Callable[[int], int] | None]
        self._picks = [None if player is None else _pick_of(player) for player in self._players]

    @property
    def players(self) -> tuple[AnyPlayer[S, A] | None, ...]:
        """The player of each seat, or None for an empty seat."""
        return tuple(self._players)

    # Playing.

    def play(self, action: A) -> None:
        """Play `action` for the seat to act.

        If several seats are to act, the action names its seat.

        The rules check the action, unless `legal_actions` has just returned this very object. The
        match plays the equal legal action in place of `action`, so that foreign types such as NumPy
        integers never get into the state.

        Raises:
            IllegalAction: The action is not allowed now, or the match is over. Nothing has changed.
            NotAnAction: The value is not an action of the game, or contains values of the wrong
                type. Nothing has changed.
            RecordError: The action could not be recorded. It has been undone.
            ContractError: The rules failed during the action. It has been undone.
        """
        # An action object that was listed for this state is legal. Skip the check.
        for listed in self._handed:
            if listed is action:
                break
        else:
            action = self._accept(action)
        self._commit(action)

    def set_player(self, seat: Seat, player: AnyPlayer[S, A] | None) -> None:
        """Set the player that plays for `seat` from now on, or None to leave the seat empty.

        Raises:
            TypeError: The object is not a player, because it has no method `choose`.
            ValueError: The match has no such seat.
        """
        self._check_seat(seat)
        if player is not None and not is_player(player):
            raise TypeError(not_a_player(player))
        self._players[seat] = player
        self._picks[seat] = _pick_of(player)

    def rename(self, seat: Seat, name: str) -> None:
        """Rename a seat, which is possible only while `ply` is 0.

        A record that has already been started keeps the old name in its header.

        Raises:
            TabletopError: An action has been played.
            ValueError: The match has no such seat.
        """
        self._check_seat(seat)
        if self.ply:
            raise TabletopError("seats cannot be renamed after the first action")
        self._names = (*self._names[:seat], name, *self._names[seat + 1 :])

    def bot_stream(self, seat: Seat) -> Stream:
        """Return the random stream for the bot at `seat`: the same object on every call.

        The streams of bots have their own root, so they reveal nothing about the streams of the
        match and are not part of `streams` or `digest`. If a bot used its stream to choose an
        action, undo rewinds the stream and redo advances it again. Clones, pickles and records
        contain the offsets of these streams, so a bot continues with the same draws.

        The draws for a refused choice count towards the bot's next action. `undo` and `redo`
        discard such draws if no action has followed. If a legal action cannot be applied or
        recorded, its draws are rewound.

        Raises:
            ValueError: The match has no such seat.
        """
        self._check_seat(seat)
        if self._history.bot_streams is None:
            self._history.bot_streams = BotStreams(self._seed, self._salt)
        return self._history.bot_streams.of(seat)

    def step(self, seat: Seat | None = None, player: AnyPlayer[S, A] | None = None) -> A:
        """Ask the player of a seat for an action, and play it.

        Errors of the player, such as `EndOfInput`, and errors of `play` propagate to the caller. No
        action has been played then.

        Args:
            seat: One of the seats to act. By default, the first of these seats that has a player.
            player: A player to ask for this action instead of the seat's own player.

        Returns:
            The action played.

        Raises:
            ContractError: The seat has no legal action, or the rules fail while the player looks
                ahead.
            IllegalAction: The player chose an action that is not allowed, and has no method
                `refused`.
            MatchOver: The match is over.
            NotYourTurn: The seat is not to act.
            NotAnAction: The player chose something that is not an action of the game. The message
                contains the player, the choice, and legal actions.
            TabletopError: The seat has no player, or no seat to act has a player.
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
            except ContractError as error:  # a player that looks ahead does not know the ply
                if not error.ply:
                    error.ply = self.ply + 1
                    error.args = (f"{error} (seat {seat} was choosing at ply {error.ply})",)
                raise
            try:
                return self._play_for(seat, action)
            except IllegalAction as error:
                if isinstance(error, NotAnAction) or not report_refusal(player, error):
                    actor = f"{self._names[seat]}, played by {type(player).__name__}"
                    error.args, error.seat = (f"{actor}: {error}",), seat
                    raise

    def _play_for(self, seat: Seat, choice: A) -> A:
        """Play the choice of the player of `seat`, which may be any object, even an invalid one."""
        is_listed = any(listed is choice for listed in self._handed)
        action = choice if is_listed else self._accept(choice)
        if len(self._to_act) > 1 and (other := self.actor(action)) != seat:
            raise IllegalAction(f"only {self._name_seat(other)} may choose {action}")
        self._handed = (action,)  # so that `play` skips the check
        self.play(action)
        return action

    def _first_served(self) -> Seat:
        """Return the first seat to act that has a player, or else the first seat to act."""
        players = self._players
        for seat in self._to_act:
            if players[seat] is not None:
                return seat
        return self._to_act[0]

    def run(self, plies: int | None = None) -> Outcome | None:
        """Let the players play to the end of the match, or for at most `plies` actions.

        If several seats are to act, seats without a player wait while others can act.

        Args:
            plies: The maximum number of actions to play. By default, no limit.

        Returns:
            The outcome, or None if the match is not over yet.

        Raises:
            IllegalAction: A player chose an action that is not allowed.
            TabletopError: No seat to act has a player. All other errors of `step` are possible,
                too.

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
            # A blind player needs no view, and the action at its index is legal.
            actions = self._game.legal_actions(self._state, seats[0])
            number = len(actions)
            # Like `BlindPlayer.choose`, draw nothing for a single action, so that `run` and
            # `step` produce the same match.
            if not number:
                raise no_legal_action(self._game, seats[0], len(log) + 1)
            self._commit(actions[pick(number)] if number > 1 else actions[0])
        return self.outcome

    def _commit(self, action: A, *, redone: bool = False) -> None:
        """Play a legal action: apply it, record it, notify observers."""
        history, audience, table = self._history, self._audience, self._table
        log, undone, bot_streams = history.log, history.undone, history.bot_streams
        ply = len(log) + 1
        # Only observers and the streams of bots need the seat of the action.
        seat = 0 if audience is None and bot_streams is None else self.actor(action)
        recorder = None if audience is None else audience.recorder
        redoable = len(undone)
        marks = None if bot_streams is None else bot_streams.marks()
        try:
            if audience is not None and audience.actions_observed:
                played = ActionPlayed(ply, seat, action)
                played.look_before = self._state.clone().clone
                table.events.append(played)
            self._game.apply(self._state, action, table)
            self._to_act = self._game.to_act(self._state)
            self._handed = ()
            log.append(action)
            if not ply % CHECKPOINT_PLIES:
                history.keep(self._state, table.rng)
            if bot_streams is not None:
                bot_streams.log_action(ply, seat, redone=redone)
            if undone:
                history.drop_undone(redone=redone)
            # Record after everything that can fail and before any observer, so that nobody sees
            # an action that is not in the record.
            if recorder is not None:
                recorder.played(self, seat, action)
        # BaseException, because match and record must agree even after a KeyboardInterrupt.
        except BaseException as error:
            if recorder is not None and recorder.plies == ply:
                raise  # raised after the action was written, so the action stays
            was_applied = len(log) == ply
            self._take_out(ply - 1)
            history.undone = undone
            undone += [action][: redoable - len(undone)]  # if it was taken from the list
            if bot_streams is not None and marks is not None:
                bot_streams.restore_marks(marks)
            raise error if was_applied else self._failure_of(action, error) from error
        if audience is not None:
            self._end(audience)
            audience.notify(self._state)

    def _failure_of(self, action: A, error: BaseException) -> BaseException:
        """Return the exception to raise after an action failed with `error`."""
        # A KeyboardInterrupt is not a failure of the rules, but sys.exit() in the rules is.
        if not isinstance(error, Exception | SystemExit):
            return error
        ply = self.ply + 1
        message = f"{self._game.name}: {action} failed at ply {ply}: {error!r}"
        return ContractError(message, ply=ply)

    def _take_out(self, ply: int) -> None:
        """Undo the unrecorded actions after the first `ply` actions. They cannot be redone."""
        history = self._history
        del history.log[ply:]
        # This also drops a checkpoint that the failed action has just created.
        self._go_back(ply)
        if history.bot_streams is not None:
            history.bot_streams.go_back(ply, redo=False)

    def _end(self, audience: MatchObservers) -> None:
        """Queue `MatchEnded` if the match is over and an observer receives this event."""
        if self._to_act or not audience.end_observed:
            return
        if (outcome := self.outcome) is not None:
            self._table.events.append(MatchEnded(outcome))

    # Concessions.

    def concede(self, seat: Seat, reason: LossReason = "resigned") -> None:
        """Let a seat lose, because its player resigns or has run out of time.

        If a single other seat has not lost, the match is over and that seat has won. Otherwise the
        match continues, the seat stays in turn for another player to play it, and the outcome ranks
        it last. Undo of the last action before the concession also undoes the concession.

        Args:
            seat: The seat that loses.
            reason: "resigned", or "time" if the seat has run out of time.

        Raises:
            MatchOver: The match is over.
            RecordError: The concession could not be recorded. Nothing has changed.
            TabletopError: The seat has lost already, or nobody can lose alone in this match,
                because all seats win or lose together or there is only one.
            ValueError: The match has no such seat.

        >>> from tabletop.registry import load
        >>> names = ["Ann", "Bo", "Cy"]
        >>> match = Match(load("lcr").game, seed="old oak", seats=names)
        >>> match.concede(0)
        >>> match.concede(2, "time")
        >>> match.outcome.ranking, match.outcome.reason
        (((1,), (2,), (0,)), 'Ann resigned, Cy ran out of time')
        """
        self._check_seat(seat)
        self._check_opponents("nobody can lose alone")
        if seat in self.lost:
            raise TabletopError(f"{self._names[seat]} has lost already")
        self._concede(Concession(self.ply, seat, reason))

    def agree_draw(self) -> None:
        """End the match in a draw of all seats that have not lost.

        Raises:
            MatchOver: The match is over.
            RecordError: The draw could not be recorded. Nothing has changed.
            TabletopError: All seats win or lose together, or there is only one.
        """
        self._check_opponents("there is no draw")
        self._concede(Concession(self.ply, None, "draw"))

    def _check_opponents(self, therefore: str) -> None:
        """Raise an error if the match is over, or its seats do not play against each other."""
        self._check_turn(None)
        if not self.has_opponents:
            why = "all win or lose together" if self.seats > 1 else "there is only one player"
            raise TabletopError(f"{therefore} in this match, because {why}")

    def _concede(self, concession: Concession) -> None:
        history, audience = self._history, self._audience
        former = history.concessions, history.undone, self._to_act
        history.concessions = (*history.concessions, concession)
        history.undone, self._handed = [], ()
        self._end_by_concession()
        if audience is None:
            return
        if audience.recorder is not None:
            try:
                audience.recorder.conceded(self, concession)
            except BaseException:
                history.concessions, history.undone, self._to_act = former
                raise
        if audience.observers:
            if concession.seat is not None and concession.reason != "draw":
                self._table.events.append(Conceded(concession.seat, concession.reason))
            self._end(audience)
            audience.notify(self._state)

    def _end_by_concession(self) -> None:
        """End the match if concessions have decided it."""
        concessions = self._history.concessions
        if concessions and end_match(concessions, len(self._names)):
            self._to_act = ()

    # Going back.

    def undo(self, count: int = 1) -> None:
        """Undo the last `count` actions, and rewind the random streams.

        Concessions after the first of these actions are undone, too.

        `redo` plays the undone actions again, unless another action has been played in the
        meantime.

        Args:
            count: The number of actions to undo, 0 or more.

        Raises:
            ValueError: `count` is negative or larger than the number of actions played. Nothing has
                changed.
            RecordError: The undo could not be recorded. Nothing has changed.

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
            raise ValueError(f"actions to undo must be from 0 to {self.ply}, not {count}")
        if count == 0:
            return
        left, log = self.ply - count, history.log
        taken = log[left:]
        # These objects are replaced and never changed, so the old ones can be restored. The list of
        # undone actions grows, because copies of it would make many undos slow.
        former = self._state, self._to_act, self._table.rng
        checkpoints, redoable = history.checkpoints, self.undone
        concessions = history.concessions
        bots = None if bot_streams is None else bot_streams.position()
        recorder = None if audience is None else audience.recorder
        try:
            self._go_back(left)
            del log[left:]
            history.undone += taken[::-1]
            if bot_streams is not None:
                bot_streams.go_back(left)
            if recorder is not None:
                recorder.undone(self, count)
        except BaseException:
            if recorder is not None and recorder.plies == left:
                raise  # raised after the undo was written, so the undo stays
            log[left:] = taken
            self._state, self._to_act, self._table.rng = former
            history.checkpoints, history.concessions = checkpoints, concessions
            del history.undone[redoable:]
            if bot_streams is not None and bots is not None:
                bot_streams.restore(bots)
            self._handed = ()
            raise
        if audience is not None and audience.observers:
            self._table.events.append(ActionsUndone(count, self.ply))
            audience.notify(self._state)

    def redo(self, count: int = 1) -> None:
        """Play the next `count` undone actions again, in their original order.

        Stops early if an observer plays another action or undoes one.

        Args:
            count: The number of actions to redo, 0 or more.

        Raises:
            ValueError: `count` is negative or larger than `undone`. Nothing has changed.
            RecordError: An action could not be recorded. It stays undone.
        """
        if not 0 <= count <= self.undone:
            raise ValueError(f"actions to redo must be from 0 to {self.undone}, not {count}")
        for _ in range(count):
            expected = self.ply + 1, self.undone - 1
            self._commit(self._history.undone[-1], redone=True)
            if (self.ply, self.undone) != expected:
                return  # an observer has played or undone an action

    def clone(self, *, on_draw: DrawListener | None = None) -> Match[S, A]:
        """Return an independent match in the same position, for looking ahead.

        The clone has the same history and streams, but no players, observers or recorder. Copies
        made with `copy` or `pickle` are such clones, too.

        Args:
            on_draw: Called with every draw of the rules in the clone.

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
        twin._to_act = self._game.to_act(twin._state)  # may be a list inside the state
        twin._end_by_concession()
        return twin

    def _repr_svg_(self) -> str:
        """Draw the match, for notebooks."""
        # Pictures belong to a higher layer, and other programs do not need them.
        drawn: str = import_module("tabletop.registry").draw_match(self)
        return drawn

    def __getstate__(self) -> dict[str, object]:
        """Return the attributes of a clone, for a pickle."""
        return vars(self.clone())

    def __copy__(self) -> Match[S, A]:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> Match[S, A]:
        return self.clone()

    def _go_back(self, ply: int) -> None:
        """Restore the state after the first `ply` actions of the log. Observers are not notified.

        The state is assigned only after it has been computed completely, so an interruption changes
        nothing.
        """
        history, table = self._history, self._table
        state, rng, kept = history.back_to(ply, self._game, table.rng, self._begin)
        to_act = self._game.to_act(state)
        if self._on_draw is not None:
            rng.set_listener(self._on_draw)
        self._state, self._to_act, table.rng, history.checkpoints = state, to_act, rng, kept
        if history.concessions:
            history.concessions = tuple(it for it in history.concessions if it.ply <= ply)
        self._handed = ()
        if self._audience is not None:
            self._audience.drop_pending()

    def _begin(self) -> tuple[S, Streams]:
        """Return the initial state and the streams after the setup."""
        rng = Streams(self._seed, self._salt)
        state = self._game.setup(self._options, len(self._names), rng)
        return state if self._first is None else self._first.clone(), rng

    # Observers.

    def observe(
        self, handler: Handler, *types: type[Event], seat: Watcher = ALL
    ) -> Callable[[], None]:
        """Call `handler` with every event of the given types and their subtypes.

        Observers run after the action is committed and recorded. An observer that raises affects
        neither the match nor other observers; see `on_observer_failure`.

        Args:
            handler: Called with each event.
            types: The event classes to receive. By default, all. If `Game.view_event` replaces an
                event, the class of the replacement counts.
            seat: The seat that the observer represents, or None for a spectator. Events are masked
                by `Game.view_event`. By default, `ALL`, which receives all events unmasked, for
                logs and simulations. Never show unmasked events to a player.

        Returns:
            A function that ends the subscription. Calling it again has no effect.

        Raises:
            TypeError: The handler is not callable, or a type or `seat` is invalid.
            ValueError: The match has no such seat.

        >>> from tabletop.registry import load
        >>> match, events = Match(load("lcr").game, seed="old oak"), []
        >>> stop = match.observe(events.append, ActionPlayed)
        >>> match.play(match.legal_actions()[0])
        >>> events
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
        """Return a seat's view and all events that the seat has received so far.

        Events of undone actions are not included. The result depends only on the actions that have
        not been undone, so it is the same on a clone and in a resumed match. This method replays
        the whole match. To follow a match action by action, use `observe` with the seat and collect
        the events.

        Args:
            seat: The seat, or None for a spectator.

        Raises:
            ValueError: The match has no such seat.
        """
        replayed = Match(
            self._game,
            seed=self._seed,
            salt=self._salt,
            seats=self._names,
            options=self._options,
            state=self._first,
        )
        events: list[DeliveredEvent] = []
        replayed.observe(
            lambda event: events.append(DeliveredEvent(replayed.ply, event)), seat=seat
        )
        for action in self._history.log:
            replayed._commit(action)  # the action was legal when it was played
        return SeatHistory(replayed.view(seat), tuple(events))

    def on_observer_failure(self, report: Callable[[ObserverFailure], object]) -> None:
        """Call `report` with every failure of an observer, instead of logging the failure.

        Matches that share `observers` also share this setting.
        """
        self._ensure_observers().observers.on_failure = report

    @property
    def recorder(self) -> Recorder | None:
        """The recorder of the match, or None."""
        return None if self._audience is None else self._audience.recorder

    def set_recorder(self, recorder: Recorder | None) -> None:
        """Set the recorder, or None to stop recording.

        The recorder receives every action before observers are notified. Its `plies` must equal the
        current `ply`.
        """
        self._ensure_observers().recorder = recorder

    def _ensure_observers(self) -> MatchObservers:
        """Return the `MatchObservers` of the match, creating them on first use."""
        if self._audience is None:
            self._audience = MatchObservers(self._game, self._table, Observers())
        return self._audience


_CHOOSE_BLINDLY: Final = BlindPlayer.choose


def _pick_of(player: object) -> Callable[[int], int] | None:
    """Return the `pick` method of a blind player, or None for other players."""
    # A subclass that overrides `choose` may use the view, so it is treated like any player.
    if isinstance(player, BlindPlayer) and type(player).choose is _CHOOSE_BLINDLY:
        return player.pick
    return None


AnyMatch: TypeAlias = Match[Any, Any]
"""A match of any game."""
