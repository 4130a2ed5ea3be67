"""The contract between the rules of a game and the framework.

A `Game` implements rules as pure functions over plain data. The rules never print, never read a
file or a clock, and draw random numbers only from the streams passed to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from types import FunctionType, MappingProxyType
from typing import Any, Generic, Self, TypeAlias, TypeVar, get_args

from tabletop.errors import ContractError, IllegalAction
from tabletop.rng.phrases import Vocabulary, vocabulary
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.action_text import ActionTexts, find_by_text
from tabletop.rules.commands import Commands
from tabletop.rules.events import Event
from tabletop.rules.options import Option, Options, OptionValue, unknown_option
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import Selections, examples
from tabletop.states.bounds import Seat
from tabletop.states.codec import key
from tabletop.states.states import State
from tabletop.states.visibility import secrets_of
from tabletop.wording import join_words, nearest

CatalogValue: TypeAlias = int | str
"""A value in a catalogue of seeds."""


class Table:
    """The random streams and the events of a match, passed to `Game.apply`.

    To look ahead, apply an action to a copy of the state with your own `Table`. Events emitted to
    your table are dropped unless you call `watch(True)`.

    Args:
        rng: The streams to draw from.

    Attributes:
        rng: The streams to draw from.
        emit: A function that emits an event. Observers receive the event when the action is
            complete.
        watched: Whether the events of the rules are observed. If the rules emit many events, check
            this attribute before you create them.
        events: The events emitted while `watched` was True, in order. A match empties the list
            after it has delivered the events.

    >>> from tabletop import Match, Streams
    >>> from tabletop.registry import load
    >>> match = Match(load("lcr").game, seed="old oak")
    >>> copy, action = match.state.clone(), match.legal_actions()[0]
    >>> match.game.apply(copy, action, Table(Streams("a guess")))
    >>> copy == match.state
    False
    """

    __slots__ = ("emit", "events", "rng", "watched")

    emit: Callable[[Event], object]

    def __init__(self, rng: Streams) -> None:
        self.rng: Streams = rng
        self.events: list[Event] = []
        self.watched: bool = False
        self.emit = _ignore

    def __reduce__(self) -> tuple[type[Table], tuple[Streams]]:
        """Pickle and copy only the streams. A copy does not collect events."""
        return Table, (self.rng,)

    def watch(self, watched: bool) -> None:
        """Start or stop collecting events in `events`. Collected events are kept."""
        self.watched = watched
        self.emit = self.events.append if watched else _ignore


def _ignore(event: Event) -> None:
    """Drop an event. `emit` is this function while events are not observed."""


S = TypeVar("S", bound=State)
A = TypeVar("A")


class Game(ABC, Generic[S, A]):
    """The rules of a game, or of an edition or variant of it. Derive your game from this class.

    A first game needs `name`, `setup`, `to_act`, `legal_actions`, `apply` and `outcome`, as in the
    example. Everything else has a default. Only `apply` may change the state that it is given.

    A game object stores nothing about a match, because everything that changes during a match is in
    the state `S`. Actions `A` are immutable and comparable: frozen dataclasses, strings or numbers.
    A player types `str(action)`, unless the game has `commands`.

    Set the attributes on the class, or on each instance if a class has several rule sets.

    Attributes:
        name: The name on command lines: lower-case letters, digits and hyphens.
        title: The name for display. If empty, `name` is displayed.
        version: A string to increase, such as from "1" to "2", when old records would replay
            differently. Records of other versions cannot be resumed.
        seats: The possible numbers of seats as a range, such as `range(2, 5)` for 2 to 4 seats. By
            default, only 2.
        seat_names: The default names of the first seats, such as `("White", "Black")`, for games
            whose texts mention sides or colours. The other seats are called "Player 3" and so on.
        options: The options that can be set for a match.
        commands: The command table. Without it, players type the text of a legal action.
        words: Words for seed phrases, in addition to those of `names_of_things`.
        catalog_options: The default options of the matches that are passed to `catalog`, and the
            options of weekly and daily seeds. Choose the options with the most varied setup.
        views_forget: Whether a view may omit something that everybody has seen, such as a card that
            was on the table and went back into a hand. `check_game` then allows public events that
            reveal the hidden card again.
        point_range: The worst and the best points of a seat, such as `(0, 25)`, or `(26, 0)` if
            fewer points are better. If it is set, `utility` is based on points instead of the
            ranking.
        cooperative: Whether all seats win or lose together. Create the outcomes of such a game with
            `Outcome.together` or `Outcome.abandon`.
        factions: The names of the teams as which players win, such as `("spies", "loyal")`. Create
            the outcomes of such a game with `Outcome.teams`, with names from this list. Studies
            report the win rates of factions and roles.
        open_choices: Whether players who choose at the same time may see each other's choices, as
            when they answer each other. By default, `check_game` warns of such choices.
        lists_every_action: Whether `legal_actions` returns every action that `check` accepts. Set
            this to False for free-form actions, such as typed text, which are too many to list.

    Raises:
        ContractError: The states of a derived class have secret fields, but the class does not hide
            them.
        TypeError: A class without all required methods is instantiated. The message names the
            missing methods.

    >>> from tabletop import Match, Outcome, State, state
    >>> @state
    ... class Heap(State):
    ...     stones: int = 5
    ...     seat: int = 0
    >>> class Nim(Game[Heap, int]):
    ...     name = "nim"
    ...     def setup(self, options, seats, rng):
    ...         return Heap()
    ...     def to_act(self, state):
    ...         return (state.seat,) if state.stones else ()
    ...     def legal_actions(self, state, seat):
    ...         return range(1, min(3, state.stones) + 1)
    ...     def apply(self, state, action, table):
    ...         state.stones -= action
    ...         state.seat = 1 - state.seat
    ...     def outcome(self, state):
    ...         if state.stones:
    ...             return None
    ...         return Outcome.win(1 - state.seat, seats=2)
    >>> match = Match(Nim(), seed="old oak")
    >>> match.play(3)
    >>> match.state, match.legal_actions()
    (Heap(stones=2, seat=1), range(1, 3))
    """

    name: str = ""
    title: str = ""
    version: str = "1"
    seats: range = range(2, 3)
    seat_names: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    commands: Commands | None = None
    words: Vocabulary = Vocabulary()
    catalog_options: Options = MappingProxyType({})
    point_range: tuple[float, float] | None = None
    cooperative: bool = False
    factions: tuple[str, ...] = ()
    open_choices: bool = False
    lists_every_action: bool = True
    views_forget: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Reject a game that does not hide the secret fields of its states."""
        super().__init_subclass__(**kwargs)
        for base in cls.__dict__.get("__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if cls.view is Game.view and secrets_of(kind):
                    raise ContractError(
                        f"{kind.__name__} declares secrets ({', '.join(secrets_of(kind))}), but"
                        f" {cls.__name__} shows them to all seats: derive it from SecretGame, or"
                        " define view, view_event and redeal"
                    )

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Reject a class that lacks required methods, and suggest methods to rename."""
        if missing := sorted(cls.__abstractmethods__):
            meant = {name: nearest(name, own_methods(cls)) for name in missing}
            renames = [f"rename {wrong} to {name}" for name, wrong in meant.items() if wrong]
            advice = f": {join_words(renames, 'and')}" if renames else ""
            raise TypeError(f"{cls.__name__} lacks {join_words(missing, 'and')}{advice}")
        return super().__new__(cls)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words for seed phrases, from `names_of_things` and `words`."""
        return vocabulary(self.names_of_things(), self.words)

    def names_of_things(self) -> Iterable[str]:
        """Return names of things in the game (cards, places, people) for seed phrases.

        The last word of a name serves as a noun, and the others as adjectives. By default, there
        are no names, and phrases use `words` and the packaged words.
        """
        return ()

    def catalog(self, match: Any) -> Mapping[str, CatalogValue]:
        """Return the catalogue row of a seed: values that describe the initial setup.

        The row maps column names to values, such as `{"river": "north", "towns": 3}`. Every seed
        has the same columns in the same order. A name consists of letters, digits and `_`, and is
        not `seed`. `tabletop.studies.catalog` calls this method for each seed. By default, there
        are no columns.

        Args:
            match: A new `Match`, in which the method may play.
        """
        return {}

    def __repr__(self) -> str:
        """Show the class and the name of the game."""
        return f"<{type(self).__name__}, the game {getattr(self, 'name', '')!r}>"

    @abstractmethod
    def setup(self, options: Options, seats: int, rng: Streams) -> S:
        """Return the state before the first action. The method may draw from `rng`.

        A match calls this method when it is created, when an undo returns to the start, and when a
        record is replayed. The same arguments must give an equal state.

        Args:
            options: The values of all options by name, already checked.
            seats: The number of seats, one of `self.seats`.
            rng: The streams of the match: `rng["deck"].shuffle(cards)`.
        """

    @abstractmethod
    def to_act(self, state: S) -> Sequence[Seat]:
        """Return the seats that may act now: several for simultaneous choices, none after the end.

        The result is a list or tuple without duplicates. If it has several seats, each action must
        have an attribute `seat` that names its seat.
        """

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of `seat`, which is to act: at least one, without duplicates.

        The order of the actions may depend only on the state. If possible, return the same action
        objects on each call, because comparing an object with itself is fast. Return a tuple or a
        new list, because the caller may change a list.
        """

    def all_actions(self, options: Options, seats: int) -> Sequence[A] | None:
        """Return every possible action of all matches with these options and number of seats.

        The result contains everything that `legal_actions` ever returns, without duplicates, always
        in the same order. In a game without `commands`, a typed line that is not a legal action is
        looked up in this list, so that `check` can give the player the reason. By default None,
        which means that the actions are unknown or too many to list.
        """
        return None

    def action_texts(self, options: Options, seats: int) -> ActionTexts[A] | None:
        """Return an index of `all_actions` by text, or None if `all_actions` returns None.

        The index is cached by options and number of seats.
        """
        kind = (seats, *sorted(options.items()))
        if kind not in self._action_texts:
            if len(self._action_texts) >= 64:  # limits memory for matches with many options
                self._action_texts.clear()
            actions = self.all_actions(options, seats)
            self._action_texts[kind] = None if actions is None else ActionTexts(actions)
        return self._action_texts[kind]

    @cached_property
    def _action_texts(self) -> dict[tuple[object, ...], ActionTexts[A] | None]:
        return {}

    def check(self, state: S, action: A) -> A | None:
        """Raise an error if `action` is not legal. The method must not change the state.

        By default, an action is legal if `legal_actions` returns it for a seat that is to act. Only
        a game with free-form actions (`lists_every_action = False`) needs to override this method:
        accept the free-form actions, and pass all others to it (`return super().check(state,
        action)`).

        Returns:
            The legal action that equals `action`, which the match then plays, or None for a
            free-form action. If an override returns None for any other action, the match searches
            `legal_actions`.

        Raises:
            IllegalAction: The action is not allowed now. The error contains the reason.
        """
        seats = self.to_act(state)
        if len(seats) > 1:
            seats = [seat for seat in seats if seat == getattr(action, "seat", None)]
        reason = otherwise = ""
        for seat in seats:
            actions = self.legal_actions(state, seat)
            if (legal := find_equal(action, actions)) is not None:
                return legal
            if isinstance(actions, Selections):
                reason = reason or actions.why_not(action)
            if self.commands is not None and self.lists_every_action:
                otherwise = str(self.commands.not_now(str(action), examples(actions)) or "")
        raise IllegalAction(reason) if reason else self.refusal(state, action, otherwise)

    def why_not(self, state: S, action: A) -> str:
        """Return the reason why `action` is not legal now, as a sentence for the player, or "".

        `refusal` calls this method for refused actions. A selection with the wrong items is refused
        with the reason from `Selections.why_not` instead. The result does not affect whether an
        action is legal. If the method raises an exception, the action is refused without a reason.
        The method must not change the state.
        """
        return ""

    def passing(self, state: S, seat: Seat) -> A | None:
        """Return the action with which a seat declines to react, or None (the default).

        Return it whenever a seat is asked for a reaction to something, even if it is the only legal
        action. A table then plays it for people without another action, after the time that people
        take to decide, so that nobody learns who could react. Players can also pass until the end
        of the turn, which ends when another seat is to act and `passing` returns None for it.
        """
        return None

    def refusal(self, state: S, action: A, otherwise: str = "") -> IllegalAction:
        """Return the error for an illegal action, with the reason from `why_not`.

        If you override `check`, use `raise self.refusal(state, action)`. If `why_not` returns "",
        the reason is `otherwise`, by default that the action is not possible now.
        """
        problem = None
        try:
            reason: object = self.why_not(state, action)
        except Exception as error:  # an error in `why_not` must not change the decision
            reason, problem = "", error
        is_reason = isinstance(reason, str) and reason.strip()
        text = str(reason) if is_reason else otherwise or f"{action} is not possible now"
        refusal = IllegalAction(text)
        refusal.__cause__ = problem
        return refusal

    @abstractmethod
    def apply(self, state: S, action: A, table: Table) -> None:
        """Carry out `action` by changing `state` in place.

        Draw from `table.rng`, and pass events to `table.emit`. The method must not fail for an
        action that `check` accepts. If it raises an exception, the match undoes the action and
        raises a `ContractError`.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the outcome of the match, or None while a seat is to act."""

    def after_fault(self, state: S, seat: Seat, error: ContractError) -> Sequence[A]:
        """Return actions for a bot whose action the rules could not apply.

        The bot would probably choose the same action again. Therefore, the first of these actions
        that can be applied is played for the bot, such as the end of its turn. By default there are
        none, and the error ends the match.

        Args:
            state: The state, in which the action has changed nothing. Do not change it.
            seat: The seat of the bot.
            error: The error. Its `__cause__` is the exception that `apply` raised.
        """
        return ()

    def fault(self, state: S) -> str | None:
        """Describe what makes a state impossible, as a sentence, or return None if it is valid.

        `check_game` calls this method for every state of its matches and for every redealt state.
        Typically, the method counts the cards or checks bounds. Matches do not call it. The method
        must not change the state.
        """
        return None

    def utility(self, outcome: Outcome, seat: Seat) -> float:
        """Return the value of an outcome to a seat, from 0.0 (worst) to 1.0 (best).

        Search bots maximise this value. In a cooperative match, the value is the score divided by
        the best possible score. With a `point_range`, the value is the position of the seat's
        points in this range. Otherwise, it depends on the seat's rank, and ranks are equally
        spaced. An abandoned match has the value 0.
        """
        if outcome.abandoned:
            return 0.0
        if outcome.share is not None:
            return outcome.share
        if self.point_range is None or not outcome.points:
            return outcome.standing(seat)
        worst, best = self.point_range
        return min(1.0, max(0.0, (outcome.points[seat] - worst) / (best - worst)))

    def view(self, state: S, seat: Seat | None) -> S:
        """Return the view of a seat, or of a spectator (None): the state without hidden values.

        A spectator must see nothing that is hidden from any seat, because players can watch as
        spectators, too. By default, nothing is hidden. A game with secrets returns a masked clone,
        which the receiver may change, and also overrides `view_event` and `redeal`.
        """
        return state

    def glance(self, state: S, seat: Seat | None) -> S:
        """Return a view for a caller that neither keeps nor changes it.

        The view may share parts with the state, which makes it faster than `view`. By default, this
        method calls `view`. Learning environments use it.
        """
        return self.view(state, seat)

    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """Return the form of `event` that a seat, or a spectator (None), receives.

        All events of the rules and every `ActionPlayed` pass through this method before a person, a
        bot, a browser or a learning program receives them. (`ActionsUndone` and `MatchEnded` are
        public, so they do not.) By default, nothing is hidden.

        An event must not reveal more to a seat than its view. If a seat sees a card and may
        remember it, store this in the state, so that `view` and `redeal` take it into account.

        Args:
            event: The event. Do not change it, because others receive it, too.
            state: The whole state after the action, including secrets. Do not change it.
            seat: The receiver.

        Returns:
            The event, a masked event instead (in an `ActionPlayed`, the action may be None), or
            None if the seat receives nothing.
        """
        return event

    @property
    def hides_something(self) -> bool:
        """Whether the game has secrets: it overrides `view`, `view_event` or `redeal`.

        Programs then warn players that the seed reveals hidden values.
        """
        # The methods are compared with those of `Game`, because a call would need a state.
        names = ("view", "view_event", "redeal")
        return any(getattr(type(self), name) is not getattr(Game, name) for name in names)

    def search_key(self, state: S) -> Hashable:
        """Return a key that is equal for positions that a search may treat as the same position.

        Alpha-beta search looks up positions by this key. By default, it contains the whole state.
        Override this method to omit the history of the match, such as earlier positions or a
        counter of moves.
        """
        return key(state)

    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Return a state that looks the same to `seat`, with the hidden values dealt again.

        `view(redeal(state, seat, rng), seat)` must equal `view(state, seat)`. The result may depend
        only on the view and the draws, and not on the hidden values. The method needs the whole
        state, because a view no longer contains the cards to deal. Players that look ahead call
        this method through a `Sampler`. By default, nothing is hidden, and the result is a copy.
        """
        return state.clone()

    def redealer(self, state: S, seat: Seat | None) -> Callable[[Stream], S]:
        """Return `redeal` as a function of `rng`, to redeal one state many times.

        The state must not change while the function is in use.
        """
        return lambda rng: self.redeal(state, seat, rng)

    def parse(self, text: str, state: S, seat: Seat) -> A:
        """Parse a typed line, and return the action.

        With `commands`, the action need not be legal, because `check` decides this later. Without
        `commands`, the line must be the text of a legal action.

        Args:
            text: The typed line.
            state: The state, or the view of `seat`. The method may read only values that the seat
                can see.
            seat: The seat that typed the line, which is to act.

        Raises:
            CommandError: The line is not an action. The message lists possible words.
        """
        if self.commands is not None:
            action: A = self.commands.parse(text, seat=seat)
            return action
        return find_by_text(text, self.legal_actions(state, seat))

    def resolve_options(self, given: Options) -> dict[str, OptionValue]:
        """Check the given options, and return all options of a match by name, with defaults.

        Raises:
            OptionError: An option is unknown, or its value is not allowed.
        """
        if not given:  # a shortcut, because most matches of a simulation have no options
            return {option.name: option.default for option in self.options}
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise unknown_option(name, self.name, self.options)
        return {
            name: option.check(given[name]) if name in given else option.default
            for name, option in known.items()
        }


def own_methods(kind: type[AnyGame]) -> list[str]:
    """Return the names of a game's public methods that `Game` does not define."""
    bases = [base for base in kind.__mro__ if not base.__module__.startswith("tabletop.")]
    members = {name: item for base in bases for name, item in vars(base).items()}
    return [
        name
        for name, item in members.items()
        if isinstance(item, FunctionType) and not name.startswith("_") and not hasattr(Game, name)
    ]


def declaration_problem(game: AnyGame) -> str | None:
    """Describe the first problem with a game's attributes and its solution, or return None."""
    for field in ("name", "title", "version"):
        text: object = getattr(game, field)
        if not isinstance(text, str):
            return f'{field} is {text!r}: write a string, such as {field} = "{text}"'
    seats: object = game.seats
    if not isinstance(seats, range):
        return f"seats is {seats!r}: write a range, such as range(2, 5) for 2 to 4 seats"
    if not seats or min(seats) < 1:
        return f"seats is {seats!r}: nobody can play, so write range(2, 5) for 2 to 4 seats"
    options: object = game.options
    if not isinstance(options, tuple | list) or not all(isinstance(it, Option) for it in options):
        example = 'options = (Option("rounds", 3, "Rounds to play"),)'
        return f"options is {options!r}: write a tuple of Option, such as {example}"
    commands: object = game.commands
    if not isinstance(commands, Commands | None):
        return f"commands is {commands!r}: write a command table, Commands(...), or None"
    return None


def is_among(action: A, actions: Sequence[A]) -> bool:
    """Return whether `actions` contains `action`, or an equal action with the same type or text."""
    return find_equal(action, actions) is not None


def find_equal(action: A, actions: Sequence[A]) -> A | None:
    """Return the member of `actions` that equals `action` and has the same type or text, or None.

    Type or text must match because 1.0 and True equal 1, but are different actions.
    """
    # Most actions are shared objects, and an identity check takes a tenth of a comparison. Other
    # sequences may be very long ranges, which search themselves faster.
    if isinstance(actions, list | tuple):
        for listed in actions:
            if listed is action:
                return action
    if action not in actions:
        return None
    equal = actions[actions.index(action)]
    return equal if type(equal) is type(action) or str(equal) == str(action) else None


def default_names(game: AnyGame, seats: int) -> tuple[str, ...]:
    """Return the names of seats whose players have given no names."""
    named = game.seat_names[:seats]
    return (*named, *(f"Player {number}" for number in range(len(named) + 1, seats + 1)))


AnyGame: TypeAlias = Game[Any, Any]
"""A game with any types of states and actions."""
