"""The read-only part of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from tabletop.errors import CommandError, IllegalAction, MatchOver, NotAnAction, NotYourTurn
from tabletop.match.bot_streams import DrawMark
from tabletop.match.contract_errors import (
    no_legal_action,
    not_an_action,
    read_back,
    short_repr,
    state_to_begin_from,
)
from tabletop.match.history import History
from tabletop.match.players import Sampler
from tabletop.rng.seeds import Seed
from tabletop.rng.stream import DrawListener
from tabletop.rng.streams import Streams
from tabletop.rules.action_text import (
    ActionTexts,
    complete_text,
    find_by_label,
    find_by_text,
    not_possible,
    only,
)
from tabletop.rules.concessions import Concession, outcome_after, seats_lost
from tabletop.rules.game import AnyGame, Game, Table, default_names, find_equal
from tabletop.rules.options import Options, OptionValue
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import Selections, examples, split
from tabletop.states.bounds import Seat
from tabletop.states.codec import digest, find_problem, to_json
from tabletop.states.states import State
from tabletop.wording import join_words, no_seat, quote

S = TypeVar("S", bound=State)
A = TypeVar("A")


class MatchView(Generic[S, A]):
    """The read-only part of a match. `Match` adds the methods that change it.

    Use this type for functions that only read a match:
    `def describe(match: MatchView[S, A]) -> str`.
    """

    # The legal actions last listed for the current state. The default is a class attribute, so that
    # clones and pickles start without any.
    _handed: tuple[A, ...] = ()

    _seed: Seed | str | int
    _salt: bytes | None
    _on_draw: DrawListener | None

    def _set_up(
        self,
        game: Game[S, A],
        seats: int | Sequence[str] | None,
        options: Options | None,
        state: S | Mapping[str, Any] | None,
    ) -> None:
        """Create the initial state, the streams and the history."""
        self._game = game
        self._names = seat_names(game, seats)
        self._options = game.resolve_options(options or _NO_OPTIONS)
        self._history: History[S, A] = History()
        rng = Streams(self._seed, self._salt)
        self._table = Table(rng)
        if self._on_draw is not None:
            rng.set_listener(self._on_draw)
        self._state = game.setup(self._options, len(self._names), rng)
        self._first: S | None = None
        if state is not None:
            kind = type(self._state)
            self._first = state_to_begin_from(game, state, kind, len(self._names))
            self._state = self._first.clone()
        # Cached for each state, because almost every method needs it.
        self._to_act = game.to_act(self._state)

    @property
    def game(self) -> Game[S, A]:
        """The rules."""
        return self._game

    def __repr__(self) -> str:
        """Return the game, the seed, the ply and the seats to act."""
        to_act = join_words([self._names[seat] for seat in self._to_act], "and")
        turn = f"{to_act} to act" if to_act else "over"
        return f"<Match of {self._game.name}, seed {self.seed.text!r}, ply {self.ply}, {turn}>"

    @property
    def seed(self) -> Seed:
        """The seed of all randomness in the match. `seed.text` is the text as given."""
        return Seed.of(self._seed)

    @property
    def salt(self) -> bytes | None:
        """16 bytes on which all randomness depends in addition to the seed, or None.

        Seed and salt together reveal every hidden card. Publish the salt only after the match.
        """
        return self._salt

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat."""
        return self._names

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self._names)

    @property
    def options(self) -> Options:
        """The value of every option of the game, by name. Read-only."""
        return MappingProxyType(self._options)

    @property
    def state(self) -> S:
        """The state itself, with all secrets. Only `play` may change it.

        Undo and records lose any other change, and actions that were listed before the change are
        still played without a check. To experiment, use `state.clone()`.
        """
        return self._state

    @property
    def first_state(self) -> S | None:
        """The given initial state, or None if the rules set up the match. Do not change it."""
        return self._first

    @property
    def ply(self) -> int:
        """The number of actions played, without undone actions."""
        return len(self._history.log)

    @property
    def actions(self) -> tuple[A, ...]:
        """The actions played, in order, without undone actions."""
        return tuple(self._history.log)

    @property
    def undone(self) -> int:
        """The number of actions that `redo` can play again."""
        return len(self._history.undone)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now. Empty when the match is over."""
        return tuple(self._to_act)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self._to_act

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match, or None if it is not over."""
        outcome, concessions = self._game.outcome(self._state), self._history.concessions
        return outcome_after(concessions, self._names, outcome) if concessions else outcome

    @property
    def has_opponents(self) -> bool:
        """Whether seats play against each other, so that a seat can lose by `concede`."""
        return self.seats > 1 and not self._game.cooperative

    @property
    def concessions(self) -> tuple[Concession, ...]:
        """The seats that have lost by `concede`, and an agreed draw, in order."""
        return self._history.concessions

    @property
    def lost(self) -> tuple[Seat, ...]:
        """The seats that have lost by `concede`. The match continues if others have not lost."""
        return seats_lost(self._history.concessions)

    def legal_actions(self, seat: Seat | None = None) -> Sequence[A]:
        """Return the legal actions of `seat`, or of the first seat to act by default.

        The result is empty if the seat is not to act. `play` accepts these objects without another
        check. The rules may return the same sequence again, so copy it before you change it.

        Raises:
            ContractError: The rules list no action for a seat to act.
            TypeError: `seat` is not an integer.
            ValueError: The match has no such seat.
        """
        seats = self._to_act
        if seat is None:
            if not seats:
                return ()
            seat = seats[0]
        elif seat not in seats:
            self._check_seat(seat)
            return ()
        actions = self._game.legal_actions(self._state, seat)
        if not actions:
            raise no_legal_action(self._game, seat, self.ply + 1)
        # Remember the actions for `play`. This runs before every move, so it must be fast.
        if isinstance(actions, Selections):
            self._handed = ()
        elif len(seats) > 1:
            self._hand_out(actions, seat)
        elif actions.__class__ is list:
            self._handed = tuple(actions)  # the caller may change a list
        else:
            self._handed = actions if actions.__class__ is tuple else ()
        return actions

    def _hand_out(self, actions: Sequence[A], seat: Seat) -> None:
        """Remember the actions listed for `seat` while several seats are to act.

        `play` accepts remembered actions without a check. Only actions that name their seat are
        remembered. Actions listed for other seats stay remembered.
        """
        self._handed = (
            *(action for action in self._handed if getattr(action, "seat", None) != seat),
            *(action for action in actions if getattr(action, "seat", None) == seat),
        )

    @property
    def all_actions(self) -> Sequence[A] | None:
        """Every possible action of this match, or None if unknown. See `Game.all_actions`."""
        texts = self.action_texts
        return None if texts is None else texts.actions

    @property
    def action_texts(self) -> ActionTexts[A] | None:
        """Every possible action of this match by its text, or None if unknown."""
        return self._game.action_texts(self._options, len(self._names))

    def view(self, seat: Seat | None = None) -> S:
        """Return the view of `seat`, or of a spectator for None. The caller may change it.

        Raises:
            TypeError: `seat` is not an integer.
            ValueError: The match has no such seat.
        """
        if seat is not None:
            self._check_seat(seat)
        view = self._game.view(self._state, seat)
        # A game without secrets returns the state itself, which callers must not change.
        return view.clone() if view is self._state else view

    def sampler(self, seat: Seat) -> Sampler[S]:
        """Return a sampler of states that look the same to `seat`, for looking ahead.

        Raises:
            TypeError: `seat` is not an integer.
            ValueError: The match has no such seat.
        """
        self._check_seat(seat)
        return Sampler(self._game, self._state, seat)

    def _check_seat(self, seat: Seat) -> None:
        """Raise an error if the match has no seat with this index."""
        try:
            number = index(seat)
        except TypeError:
            message = f"a seat must be an integer of at least 0, not {short_repr(seat)}"
            raise TypeError(message) from None
        if not 0 <= number < len(self._names):
            raise ValueError(no_seat(number, len(self._names)))

    def digest(self) -> str:
        """Return a hash of the state and of the offsets of all streams: 32 hexadecimal digits.

        Equal matches have equal digests on every Python version. Records contain one per action.

        Raises:
            ContractError: The state contains a value that JSON cannot represent.
        """
        return digest(self._state, self._table.rng.state())

    def streams(self) -> dict[str, int]:
        """Return the offsets of all streams that have been drawn from, by name."""
        return self._table.rng.state()

    def bot_offsets(self) -> dict[Seat, int]:
        """Return the offset of each bot's stream after the last action. Offsets of 0 are omitted.

        These streams are not part of `streams` or `digest`. See `Match.bot_stream`.
        """
        bot_streams = self._history.bot_streams
        return {} if bot_streams is None else bot_streams.offsets()

    @property
    def bot_draws(self) -> tuple[DrawMark, ...]:
        """The draws of bots from their streams, for each action that used any, in order."""
        bot_streams = self._history.bot_streams
        return () if bot_streams is None else tuple(bot_streams.drawn)

    @property
    def last_bot_draws(self) -> DrawMark | None:
        """The draws of a bot for the last action, or None if there are none."""
        bot_streams = self._history.bot_streams
        if bot_streams is None or not bot_streams.drawn or bot_streams.drawn[-1].ply != self.ply:
            return None
        return bot_streams.drawn[-1]

    def check(self, action: A) -> None:
        """Raise an error if `play` would refuse `action`. The match does not change.

        Raises:
            IllegalAction: The action is not allowed now, or the match is over. The message contains
                the reason.
            NotAnAction: The value is not an action of the game, or contains values of the wrong
                type.
        """
        self._accept(action)

    def _accept(self, action: A) -> A:
        """Return the action to play: the legal action that equals `action`, or a free-form action.

        Raises:
            IllegalAction, NotAnAction: See `check`.
        """
        try:
            if len(self._to_act) != 1:  # otherwise the actor is the only seat to act
                self.actor(action)
            checked = self._game.check(self._state, action)
            return action if checked is action else self._accepted(action, checked)
        except IllegalAction as error:
            error.action = action
            if error.seat is None and len(self._to_act) == 1:
                error.seat = self._to_act[0]
            if self._has_such(action):
                raise
            raise self._no_action(action) from error
        except Exception as error:  # the rules may fail on a value that is not an action
            if any(self._read_back(seat, action) is not None for seat in self._to_act):
                raise  # it is an action of the game, so its rules have failed
            raise self._no_action(action) from error

    def _accepted(self, action: A, checked: A | None) -> A:
        """Return the action to play for an action that the rules accept.

        `checked` is the result of `check`. The returned action contains only the game's own types,
        because it is an equal legal action or was parsed from the text of `action`.
        """
        legal = find_equal(action, (checked,))
        seat = self.actor(action)
        if legal is None:  # a game that overrides `check` may return nothing
            legal = find_equal(action, self._game.legal_actions(self._state, seat))
        if legal is not None:
            return legal
        if (parsed := self._read_back(seat, action)) is not None:
            return parsed
        if not self._has_such(action) or find_problem(action, "") is not None:
            raise self._no_action(action)
        return action

    def _read_back(self, seat: Seat, choice: object) -> A | None:
        return read_back(self._game, self._state, seat, choice)

    def _has_such(self, choice: object) -> bool:
        """Return whether the game has actions like `choice`. Always True when the match is over."""
        # Check the class first, because listing all legal actions takes far longer.
        commands, seats = self._game.commands, self._to_act
        if not seats or (commands is not None and commands.makes(type(choice))):
            return True
        return any(self._is_action(seat, choice, self.legal_actions(seat)) for seat in seats)

    def _is_action(self, seat: Seat, choice: object, legal: Sequence[A]) -> bool:
        """Return whether `choice` is an action of the game, legal now or not.

        Never raises. The type of `choice` must be the type of a legal action, of an action in the
        command table, or of any possible action. Otherwise, its text must parse to an equal action.
        """
        kind, commands = type(choice), self._game.commands
        if any(type(action) is kind for action in examples(legal)):
            return True
        if commands is not None and commands.makes(kind):
            return True
        if self._read_back(seat, choice) is not None:
            return True
        try:  # a game may parse some of its actions only while they are legal
            return any(type(action) is kind for action in self.all_actions or ())
        except Exception:
            return False

    def _no_action(self, choice: object) -> NotAnAction:
        seats = self._to_act
        error = not_an_action(self._game, choice, self.legal_actions(seats[0]))
        error.seat = seats[0] if len(seats) == 1 else None
        return error

    def actor(self, action: A) -> Seat:
        """Return the seat that plays `action`.

        If only one seat is to act, the result is that seat. If several seats are to act, it is the
        seat that the action names.

        Raises:
            MatchOver: The match is over.
            NotYourTurn: The seat that the action names is not to act.
            IllegalAction: The action names no seat, and several seats are to act.
        """
        seats = self._to_act
        if len(seats) == 1:
            return seats[0]
        if not seats:
            raise MatchOver
        seat: Seat | None = getattr(action, "seat", None)
        if seat is None:
            raise IllegalAction(
                f"{action} is not possible while several players choose (it has no `seat`)"
            )
        if seat not in seats:
            raise NotYourTurn(f"{action}: {self._name_seat(seat)} is not to act now", seat=seat)
        return seat

    def _check_turn(self, seat: Seat | None) -> None:
        """Raise `MatchOver` if the match is over, or `NotYourTurn` if `seat` is not to act."""
        if not self._to_act:
            raise MatchOver
        if seat is not None and seat not in self._to_act:
            raise NotYourTurn(f"{self._name_seat(seat)} is not to act now", seat=seat)

    def parse(
        self,
        text: str,
        seat: Seat | None = None,
        *,
        label: Callable[[A], str] | None = None,
        numbered: bool = False,
    ) -> A:
        """Parse `text` as an action of `seat`, or by default of the first seat to act.

        Words that `Game.parse` knows come first, then the labels and the numbers of the legal
        actions. The action may be illegal, because only `play` checks it: finally, `text` may be
        the text of an action in `Game.all_actions` (in a game without a command table), or its
        label.

        Args:
            text: The typed line.
            seat: The seat that typed it.
            label: Returns the label of an action; see `TextView.label`. Letter case and signs such
                as `x` and `+` may be left out if only one legal action matches.
            numbered: Whether a legal action can be typed as its number from 1, unless the text or
                label of a legal action is itself a number.

        Raises:
            CommandError: The text is not an action.
            MatchOver: The match is over.
            NotYourTurn: The seat is not to act.
        """
        self._check_turn(seat)
        if seat is None:
            seat = self._to_act[0]
        game = self._game
        is_default = game.commands is None and type(game).parse is Game.parse
        try:
            # The default `parse` searches the legal actions. Search those that this match lists, so
            # that `play` need not check the result again.
            if is_default:
                return find_by_text(text, self.legal_actions(seat))
            return game.parse(text, self.view(seat), seat)
        except CommandError as error:
            legal = self.legal_actions(seat)
            actions, _ = split(legal)  # only these have numbers and labels
            labelled = find_by_label(text, actions, label) if label else []
            if labelled:
                return only(text, labelled)
            number = text.strip()
            # A longer number cannot be in the list, and `int` refuses thousands of digits.
            is_number = numbered and number.isascii() and number.isdecimal() and len(number) < 10
            is_number = is_number and not _has_numbers(actions, label or str)
            if is_number and 1 <= int(number) <= len(actions):
                return actions[int(number) - 1]
            action = self._find_illegal(text, seat, label)
            if action is not None:
                return action
            if is_number:
                raise _no_number(text, number, list(map(label or str, actions))) from error
            if label and is_default:
                raise not_possible(text, actions, label) from None
            raise self._wrong_choice(text, legal) or error from None

    def _wrong_choice(self, text: str, legal: Sequence[A]) -> CommandError | None:
        """Return the error for a choice of wrong items or for a command that is not possible now.

        None for other texts.
        """
        game = self._game
        for selections in split(legal)[1]:
            if reason := selections.complaint(text):
                return CommandError(reason, line=text)
        if game.commands is None or not game.lists_every_action:
            return None
        return game.commands.not_now(text, examples(legal))

    def _find_illegal(self, text: str, seat: Seat, label: Callable[[A], str] | None) -> A | None:
        """Return the action of `Game.all_actions` with this text or label, or None.

        Several actions with this label count only if they are refused for the same reason.
        """
        texts, action = self.action_texts, None
        if texts is not None and self._game.commands is None:
            action = texts.find(text, seat, alone=len(self._to_act) == 1)
        if texts is not None and action is None and label is not None:
            own = (it for it in texts.actions if getattr(it, "seat", seat) == seat)
            meant = find_by_label(text, own, label)
            reasons = {str(self._game.refusal(self._state, it)) for it in meant}
            action = meant[0] if len(reasons) == 1 else None
        return action

    def complete(self, line: str, seat: Seat | None = None) -> list[str]:
        """Return the words with which `seat` can continue `line`.

        The words come from the command table if the game has one, otherwise from the texts of the
        legal actions, or of all actions if no legal action fits. The last word of the line is
        completed, unless a space follows it.

        Args:
            line: The line typed so far.
            seat: The seat. By default, the first seat to act.
        """
        if self._game.commands is not None:
            return self._game.commands.complete(line)
        words = complete_text(line, self.legal_actions(seat))
        return words or complete_text(line, self.all_actions or ())

    def _name_seat(self, seat: object) -> str:
        """Return the name of a seat, or "seat N" if the match has no such seat."""
        if not isinstance(seat, int):
            return repr(seat)
        return self._names[seat] if 0 <= seat < len(self._names) else f"seat {seat + 1}"


def _has_numbers(actions: Sequence[Any], label: Callable[[Any], str]) -> bool:
    """Return whether the text or label of an action is a number."""
    return any(words(action).isdecimal() for action in actions for words in (str, label))


def _no_number(line: str, number: str, labels: Sequence[str]) -> CommandError:
    """Return the error for a number that no listed action has."""
    message = f"there is no action {number} (actions are numbered from 1 to {len(labels)})"
    ending = [label for label in labels if label.split()[-1:] == [number]]
    suggests = len(ending) == 1
    message += f"; did you mean {quote(ending[0])}?" if suggests else ""
    return CommandError(message, line=line, place=1, suggests=suggests)


def find_spectator_leak(match: MatchView[Any, Any]) -> Seat | None:
    """Return a seat that could learn hidden values from the spectator view, or None.

    `Game.view` must show a spectator nothing that is hidden from any seat. If the spectator view
    changes when the values hidden from a seat are redealt, it reveals some of these values. Only
    the current state is examined. The streams of the match are not used.
    """
    game, state = match.game, match.state
    if type(game).view is Game.view:
        return None
    view, stream = to_json(game.view(state, None)), Streams("spectators")["redeal"]
    for seat in range(match.seats):
        redeal = game.redealer(state, seat)
        for _ in range(_REDEALS):
            if to_json(game.view(redeal(stream), None)) != view:
                return seat
    return None


_REDEALS: Final = 8
"""Redeals per seat in `find_spectator_leak`. A single redeal may equal the real state by chance."""

_NO_OPTIONS: dict[str, OptionValue] = {}


def seat_names(game: AnyGame, seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the seats: the given ones, or the default names.

    Raises:
        TypeError: `seats` is neither an integer nor a list of strings.
        ValueError: The game does not allow this number of seats.
    """
    if type(seats) is int and seats in game.seats:  # the most common case
        return default_names(game, seats)
    if seats is None:
        return default_names(game, game.seats[0])
    names: Sequence[str] | None = None
    if isinstance(seats, Sequence) and not isinstance(seats, str):
        names = seats
        number = len(names)
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"seats: a name must be a string, not {short_repr(name)}")
    elif hasattr(seats, "__index__") and not isinstance(seats, bool):
        number = index(seats)
    else:
        raise TypeError(f"seats must be a number or a list of names, not {short_repr(seats)}")
    if number not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{game.name} needs {allowed} players, not {number}")
    return default_names(game, number) if names is None else tuple(names)
