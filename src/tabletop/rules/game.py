"""The contract between the rules of a game and everything else.

A `Game` is a set of pure rules over plain data. It never prints, reads a file or a clock, or draws
from anything but the streams it is handed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.states.visibility import secrets_of
from tabletop.wording import join_words, nearest

CatalogValue: TypeAlias = int | str
"""A value in a catalogue of seeds."""


class Table:
    """The streams to draw from, and `emit` for events: `apply` is given one by the match.

    To look ahead, apply an action to a copy of the state with a table of your own. Events are
    dropped until `watch(True)` is called.

    Args:
        rng: the streams to draw from.

    Attributes:
        rng: the same.
        emit: emits an event; observers receive it when the action is complete.
        watched: whether anybody observes the events of the rules. Where events are many, check it
            before making one.
        events: the events emitted while `watched` was True, in order; a match empties the list when
            it has delivered them.

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
        """Pickle or copy the streams alone: the copy is not watched."""
        return Table, (self.rng,)

    def watch(self, watched: bool) -> None:
        """Collect emitted events in `events` from now on, or drop them; collected ones stay."""
        self.watched = watched
        self.emit = self.events.append if watched else _ignore


def _ignore(event: Event) -> None:
    """Drop an event: `emit` while nobody observes."""


S = TypeVar("S", bound=State)
A = TypeVar("A")


class Game(ABC, Generic[S, A]):
    """The rules of one game, or of one edition or variant of it. Derive from it and fill it in.

    A first game needs `name`, `setup`, `to_act`, `legal_actions`, `apply` and `outcome`, as below;
    all else has a default. Methods other than `apply` must not change the state that they are
    given.

    The object holds no match: everything that changes is in the state `S`. Actions `A` are
    immutable and comparable (frozen dataclasses, texts, numbers); a player types `str(action)`.

    The attributes are set on the class, or on each object where one class serves several rule sets.

    Attributes:
        name: its name on a command line; lower case letters, digits and hyphens.
        title: its name for people; `name` is shown where it is empty.
        version: a text that rises when old records would replay differently, as "2" after "1".
            Records of another version are not resumed.
        seats: the possible numbers of seats: a range, as `range(2, 5)` for 2 to 4; 2 by default.
        options: the options that can be chosen when a match is made.
        commands: the command table; without one a player types the text of a legal action.
        words: words for seeds, beside those of `names_of_things`.
        catalog_options: options of the matches that `catalog` is given, unless others are chosen:
            those with which a seed holds most. The seeds of the week and the day are played with
            them as well.
        views_forget: whether a view leaves out what everybody has once seen, such as a card that
            lay on the table and went back into a hand. `check_game` then lets events that go to
            everybody tell that again.
        point_range: the points of a seat at the worst and at the best end, as `(0, 25)`, or
            `(26, 0)` where fewer are better: then a match is about the points. Without it, and
            without a score of all together, it is about the ranking.
        cooperative: whether all seats win or lose together: every outcome is one of
            `Outcome.together`, or broken off.
        lists_every_action: whether `legal_actions` holds everything that `check` accepts. Set it
            to False when there are free-form actions, too many to list.

    Raises:
        ContractError: a class is derived whose state declares secrets, and which shows them to all.
        TypeError: an object is made of a class that lacks methods; names them.

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
    options: tuple[Option, ...] = ()
    commands: Commands | None = None
    words: Vocabulary = Vocabulary()
    catalog_options: Options = MappingProxyType({})
    point_range: tuple[float, float] | None = None
    cooperative: bool = False
    lists_every_action: bool = True
    views_forget: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse states with declared secrets in a game that does not keep secrets."""
        super().__init_subclass__(**kwargs)
        for base in cls.__dict__.get("__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if cls.view is Game.view and secrets_of(kind):
                    raise ContractError(
                        f"{kind.__name__} declares secrets ({', '.join(secrets_of(kind))}), and"
                        f" {cls.__name__} shows them to all: derive it from SecretGame, or write"
                        " view, view_event and redeal"
                    )

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Refuse to make a game of a class that lacks methods, and suggest the right names."""
        if missing := sorted(cls.__abstractmethods__):
            meant = {name: nearest(name, own_methods(cls)) for name in missing}
            renames = [f"rename {wrong} to {name}" for name, wrong in meant.items() if wrong]
            advice = f": {join_words(renames, 'and')}" if renames else ""
            raise TypeError(f"{cls.__name__} lacks {join_words(missing, 'and')}{advice}")
        return super().__new__(cls)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words for generated seeds, made of `names_of_things`."""
        return vocabulary(self.names_of_things(), self.words)

    def names_of_things(self) -> Iterable[str]:
        """Return names of things in the game (cards, places, people), for phrases as seeds.

        The last word of a name is taken for a noun and the others for adjectives. The default
        returns none: phrases are then made of `words` and the packaged words.
        """
        return ()

    def catalog(self, match: Any) -> Mapping[str, CatalogValue]:
        """Return the catalogue row of a seed: what its first state holds, or what comes of it.

        The row has the values by the names of columns, as `{"river": "north", "towns": 3}`. Every
        seed has the same columns, in the same order; a name is a word of letters, digits and `_`,
        but not `seed`. `tabletop.studies.catalog` calls this for each seed. The default has no
        columns.

        Args:
            match: a fresh `Match`, which the method may play on as it likes.
        """
        return {}

    def __repr__(self) -> str:
        """Say which game it is, by its class and its name."""
        return f"<{type(self).__name__}, the game {getattr(self, 'name', '')!r}>"

    @abstractmethod
    def setup(self, options: Options, seats: int, rng: Streams) -> S:
        """Return the state before the first action. May draw from `rng`.

        A match calls it when it is made, and again when an undo goes back to the start or a record
        is replayed: the same arguments give an equal state.

        Args:
            options: the value of every option by its name, checked.
            seats: the number of seats, one of `self.seats`.
            rng: the streams of the match: `rng["deck"].shuffle(cards)`.
        """

    @abstractmethod
    def to_act(self, state: S) -> Sequence[Seat]:
        """Return the seats that may act now: several for simultaneous choices, none at the end.

        The result is a list or tuple, with no seat twice. When several may act, each action names
        its seat in an attribute `seat`.
        """

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of `seat`, which is to act: at least one action, none twice.

        The order is fixed by the state. Share action objects where possible: comparing an object
        with itself is quick. Share no list: whoever receives it may change it. Return a tuple, or a
        new list each time.
        """

    def all_actions(self, options: Options, seats: int) -> Sequence[A] | None:
        """Return every possible action of matches with these options and so many seats.

        The result includes all that `legal_actions` ever lists, none twice, always in the same
        order. In a game without `commands`, an action typed at the wrong moment is found here, so
        that the player receives the reason from `check`. The default is None: too many to list, or
        unknown.
        """
        return None

    def action_texts(self, options: Options, seats: int) -> ActionTexts[A] | None:
        """Return an index of `all_actions` by text, made once for the same options and seats.

        None where `all_actions` returns None.
        """
        kind = (seats, *sorted(options.items()))
        if kind not in self._action_texts:
            if len(self._action_texts) >= 64:  # there may be matches with any number of options
                self._action_texts.clear()
            actions = self.all_actions(options, seats)
            self._action_texts[kind] = None if actions is None else ActionTexts(actions)
        return self._action_texts[kind]

    @cached_property
    def _action_texts(self) -> dict[tuple[object, ...], ActionTexts[A] | None]:
        return {}

    def check(self, state: S, action: A) -> A | None:
        """Accept `action` by returning, or raise. Must not change the state.

        The default accepts what `legal_actions` lists for a seat that is to act. Only a game with
        free-form actions (`lists_every_action = False`) overrides it: accept the free-form actions,
        and leave the rest to this method (`return super().check(state, action)`).

        Returns:
            The legal action that equals `action`, which the match plays in its place; None for a
            free-form action. An override may return nothing: the match then searches
            `legal_actions` itself.

        Raises:
            IllegalAction: the action is not allowed now; gives the reason (`why_not`).
        """
        seats = self.to_act(state)
        if len(seats) > 1:
            seats = [seat for seat in seats if seat == getattr(action, "seat", None)]
        for seat in seats:
            if (legal := find_equal(action, self.legal_actions(state, seat))) is not None:
                return legal
        raise self.refusal(state, action)

    def why_not(self, state: S, action: A) -> str:
        """Say why `action` is not possible now, in a sentence for the player; empty for no reason.

        `refusal` calls it for refused actions. It decides nothing: its result makes no action legal
        or illegal, and an error in it leaves the action refused without a reason. Must not change
        the state. The default returns no reason.
        """
        return ""

    def refusal(self, state: S, action: A) -> IllegalAction:
        """Make the error for an action that is not legal, with the reason that `why_not` gives.

        For a `check` of your own: `raise self.refusal(state, action)`.
        """
        problem = None
        try:
            reason: object = self.why_not(state, action)
        except Exception as error:  # the action stays refused: a failing reason must not decide
            reason, problem = "", error
        is_reason = isinstance(reason, str) and reason.strip()
        refusal = IllegalAction(str(reason) if is_reason else f"{action} is not possible now")
        refusal.__cause__ = problem
        return refusal

    @abstractmethod
    def apply(self, state: S, action: A, table: Table) -> None:
        """Change `state` in place by `action`, drawing from `table.rng` and telling `table.emit`.

        Returns nothing. Never fails for an action that `check` accepts: an error takes the action
        back, and the match raises a `ContractError`.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the match ended; None as long as some seat is to act."""

    def fault(self, state: S) -> str | None:
        """Say what is wrong with a state that can never be, in a sentence; None for nothing.

        `check_game` asks for every state of its matches, and for every one that is dealt anew:
        there are 52 cards, no number lies beyond its bounds. A match does not ask. Must not change
        the state. The default finds nothing.
        """
        return None

    def utility(self, outcome: Outcome, seat: Seat) -> float:
        """Return what an outcome is worth to a seat, from 0.0 (the worst) to 1.0 (the best).

        Bots that look ahead play for it. All together have their part of the best score; else
        points count where `point_range` says their bounds; else the ranking does, with its places
        evenly apart. A match that was broken off is worth nothing.
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
        """Return the view of `seat`, or of a spectator (None): the state with the rest masked.

        A spectator sees no more than each seat does, because players can open the spectators' link.
        The default hides nothing. A game with secrets masks a clone, which its receiver may change,
        and overrides `view_event` and `redeal` as well.
        """
        return state

    def glance(self, state: S, seat: Seat | None) -> S:
        """Return the view of `seat` for a reader that neither keeps nor changes it.

        It may share parts with the state, and so be made faster than `view`, which the default
        calls. Learning environments read it.
        """
        return self.view(state, seat)

    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """Return the form of `event` that `seat`, or a spectator (None), receives.

        Every event that a person, a bot, a browser or a learner receives has gone through this
        method: those of the rules, and every `ActionPlayed`. (Everybody receives `ActionsUndone`
        and `MatchEnded`.) The default, for games that hide nothing, returns the event.

        Tell a seat no more than its view shows: lasting knowledge, such as a card that it was
        shown, belongs into the state, where `view` and `redeal` keep it.

        Args:
            event: the event. Do not change it: others receive it as well.
            state: the whole state after the action, secrets included; not to be changed.
            seat: the receiver.

        Returns:
            The event; another one in its place, with the secret part masked (an `ActionPlayed`
            whose action is None says that somebody has chosen); or None for nothing.
        """
        return event

    @property
    def hides_something(self) -> bool:
        """True for a game with secrets: `view`, `view_event` or `redeal` is overridden.

        Programs warn people of the seed in such a game: it reveals what is hidden.
        """
        # Compared with the methods of `Game` itself: calling them would take a state.
        names = ("view", "view_event", "redeal")
        return any(getattr(type(self), name) is not getattr(Game, name) for name in names)

    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Return another state that looks the same to `seat`, with all hidden from it dealt anew.

        The contract of `view` in one sentence: `view(redeal(state, seat, rng), seat)` equals
        `view(state, seat)`. With the same draws the result is the same, whatever is hidden. It
        needs the whole state, as a view has lost the cards to deal; players that look ahead call it
        (`Sampler`). The default, for games that hide nothing, returns a copy.
        """
        return state.clone()

    def redealer(self, state: S, seat: Seat | None) -> Callable[[Stream], S]:
        """Return `redeal` as a function of `rng` alone, for many guesses at one state.

        The state must not change as long as the function is in use.
        """
        return lambda rng: self.redeal(state, seat, rng)

    def parse(self, text: str, state: S, seat: Seat) -> A:
        """Return the action that `text` spells for `seat`: by `commands`, or a legal action.

        By `commands`, the action need not be legal now: `check` decides that.

        Args:
            text: the typed line.
            state: the state, or the view of `seat`: read only what the seat can see.
            seat: the seat that typed it, which is to act.

        Raises:
            CommandError: it spells no action; says what is possible.
        """
        if self.commands is not None:
            action: A = self.commands.parse(text, seat=seat)
            return action
        return find_by_text(text, self.legal_actions(state, seat))

    def resolve_options(self, given: Options) -> dict[str, OptionValue]:
        """Return all options of a match by name: those given, once checked, and the defaults.

        Raises:
            OptionError: an option is unknown, or its value not one it takes.
        """
        if not given:  # as in most matches of a simulation: there is nothing to check
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
    """Return the public methods that a game has beyond those of `Game`."""
    bases = [base for base in kind.__mro__ if not base.__module__.startswith("tabletop.")]
    own = {name: item for base in bases for name, item in vars(base).items()}
    return [
        name
        for name, item in own.items()
        if isinstance(item, FunctionType) and not name.startswith("_") and not hasattr(Game, name)
    ]


def declaration_problem(game: AnyGame) -> str | None:
    """Describe the first attribute of a game that is of a wrong type, and the right form."""
    for field in ("name", "title", "version"):
        text: object = getattr(game, field)
        if not isinstance(text, str):
            return f'{field} is {text!r}: write a text, such as {field} = "{text}"'
    seats: object = game.seats
    if not isinstance(seats, range):
        return f"seats is {seats!r}: write a range; range(2, 3) is for 2, range(2, 5) for 2 to 4"
    if not seats or min(seats) < 1:
        return f"seats is {seats!r}: nobody can play; range(2, 5) is for 2 to 4"
    options: object = game.options
    if not isinstance(options, tuple | list) or not all(isinstance(it, Option) for it in options):
        example = 'options = (Option("rounds", 3, "Rounds to play"),)'
        return f"options is {options!r}: write a tuple of Option, such as {example}"
    commands: object = game.commands
    if not isinstance(commands, Commands | None):
        return f"commands is {commands!r}: write a command table, Commands(...), or None"
    return None


def is_among(action: A, actions: Sequence[A]) -> bool:
    """Check whether `actions` contains `action`, or an equal action of the same type or text."""
    return find_equal(action, actions) is not None


def find_equal(action: A, actions: Sequence[A]) -> A | None:
    """Return the member of `actions` that equals `action` and has the same type or text.

    Returns None if there is no such member: 1.0 and True equal 1, but are different actions.
    """
    # Most actions are shared: an identity check takes a tenth of a comparison.
    # Other sequences may be endless ranges, which search faster themselves.
    if isinstance(actions, list | tuple):
        for listed in actions:
            if listed is action:
                return action
    if action not in actions:
        return None
    equal = actions[actions.index(action)]
    return equal if type(equal) is type(action) or str(equal) == str(action) else None


AnyGame: TypeAlias = Game[Any, Any]
"""A game of any state and action types."""
