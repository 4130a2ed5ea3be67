"""Players: they decide for seats.

A player is given a view of the state and the legal actions, never the match: it can neither see
what is hidden from its seat nor move the streams. Any object with a fitting `choose` is a player.
One that looks ahead takes a `Sampler` as well, for states that may be the real one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar, cast

from tabletop.errors import CommandError, ContractError, EndOfInput, IllegalAction
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.action_text import ActionTexts, find_by_text
from tabletop.rules.game import Game
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.wording import quote

S = TypeVar("S", bound=State)
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)


class Sampler(Generic[S]):
    """Draws states that a seat cannot tell from the real one, for players that look ahead.

    A match makes one for each choice. It serves for that choice alone.

    Args:
        game: the rules.
        state: the real state.
        seat: the seat that is to choose.

    Attributes:
        seat: the seat that is to choose.
    """

    __slots__ = ("_draw", "seat")

    def __init__(self, game: Game[S, Any], state: S, seat: Seat) -> None:
        # In a closure: a player can do nothing with the state but draw others of it.
        def draw(rng: Stream) -> S:
            kind = type(game)
            if kind.redeal is Game.redeal and kind.view is not Game.view:
                raise ContractError(f"{game.name} hides something: fill in redeal as well")
            if not redeals:
                redeals.append(game.redealer(state, seat))
            return redeals[0](rng)

        redeals: list[Callable[[Stream], S]] = []  # made when it is asked for: few players ask
        self._draw = draw
        self.seat: Seat = seat

    def sample(self, rng: Stream) -> S:
        """Draw a whole state that looks to the seat as the real one does; the caller may change it.

        The same draws of `rng` give the same state, whatever is really hidden. (OpenSpiel:
        `resample_from_infostate`.)

        Args:
            rng: a stream of the player's own.

        Raises:
            ContractError: the game hides something, and does not say how to deal it anew.
        """
        return self._draw(rng)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Sampler cannot be copied or sent: the real state would go along; send states that"
            " it has drawn, such as to_json(sampler.sample(rng))"
        )


class Player(Protocol[S_contra, A]):
    """Decides for a seat. Any object with this method is a player; it need not derive from here.

    One that has a method `refused` as well is notified with the `IllegalAction` when its choice is
    not allowed, and is asked again; without it, the error ends `Match.step`. A choice that is no
    action of the game at all (`NotAnAction`) ends it in any case.

    >>> class Cautious:
    ...     def choose(self, view, actions):
    ...         return min(actions)
    >>> Cautious().choose(None, [3, 1, 2])
    1
    """

    def choose(self, view: S_contra, actions: Sequence[A]) -> A:
        """Choose an action.

        Args:
            view: the view of the seat; the player's own copy, which it may change.
            actions: the legal actions, at least one; not to be changed. A game with free-form
                actions accepts others.

        Raises:
            EndOfInput: the source of decisions has ended; the match has not changed.
        """
        ...


class SamplingPlayer(Protocol[S, A]):
    """A `Player` that is handed a `Sampler` as well: its `choose` has a parameter `sampler`."""

    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Choose an action; `sampler` serves for this choice alone. See `Player.choose`."""
        ...


AnyPlayer: TypeAlias = Player[S, A] | SamplingPlayer[S, A]
"""A player of either kind."""


def is_player(given: object) -> bool:
    """Check whether an object has the method `choose` of a player; a class is none."""
    return hasattr(given, "choose") and not isinstance(given, type)


def ask(player: AnyPlayer[S, A], view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
    """Return the choice of `player`; pass it the sampler if it takes one.

    For players that ask others: have a parameter `sampler`, and pass it on.
    """
    choose = player.choose
    if _takes_sampler(getattr(choose, "__func__", choose)):
        return cast("SamplingPlayer[S, A]", player).choose(view, actions, sampler)
    return cast("Player[S, A]", player).choose(view, actions)


@lru_cache(maxsize=256)
def _takes_sampler(choose: Callable[..., Any]) -> bool:
    try:
        return "sampler" in inspect.signature(choose).parameters
    except ValueError:  # classes written in C may have no signature
        return False


class BlindPlayer:
    """A player that chooses by the number of legal actions alone, without a view.

    Attributes:
        pick: a function from the number of actions, at least two, to the index of one of them. It
            is not called for a single action.
    """

    pick: Callable[[int], int]

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """Return the legal action at the index that `pick` returns."""
        return actions[self.pick(len(actions))] if len(actions) > 1 else actions[0]


class Random(BlindPlayer):
    """Chooses uniformly among the legal actions.

    Args:
        chance: a stream of the player's own, or a seed for one. A bot in a match takes
            `match.bot_stream(seat)`, which undo and records keep.

    >>> Random("old oak").choose(None, ["rock", "paper", "scissors"])
    'rock'
    """

    def __init__(self, chance: Stream | str | int) -> None:
        self._chance = chance if isinstance(chance, Stream) else Streams(chance)["choices"]
        self.pick: Callable[[int], int] = self._chance.below

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle or a copy: all but `pick`, a method of the stream."""
        return {name: value for name, value in vars(self).items() if name != "pick"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.pick = self._chance.below


class Scripted(Generic[A]):
    """Plays a given list of actions in order; for tests.

    Args:
        script: actions, which the match checks, or the texts of actions that are legal then.

    >>> player = Scripted(["paper", "rock"])
    >>> player.choose(None, ["rock", "paper", "scissors"])
    'paper'
    """

    def __init__(self, script: Iterable[A | str]) -> None:
        self._script = iter(script)

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """Return the next action of the script.

        Raises:
            EndOfInput: the script has ended.
            CommandError: the next text is not that of a legal action.
        """
        for item in self._script:
            return find_by_text(item, actions) if isinstance(item, str) else item
        raise EndOfInput("the script has ended")


def read_action(
    game: Game[S, A],
    line: str,
    view: S,
    seat: Seat,
    actions: Sequence[A],
    *,
    texts: ActionTexts[A] | None = None,
) -> A:
    """Find the action that `line` means: the number of a listed one (from 1), or the game's words.

    The game's words come first; where some action is typed as a number, a number means nothing
    else. Last, in a game without a command table, come the `texts` of actions that are not possible
    now: `Game.check` says why.

    Args:
        game: the rules.
        line: the typed line.
        view: the view of `seat`.
        seat: the seat that typed it, which is to act.
        actions: its legal actions, in the order in which they were listed for it.
        texts: all actions by text, as `Match.action_texts`; only listed ones when not given.

    Raises:
        CommandError: it does not mean any action.
    """
    try:
        return game.parse(line, view, seat)
    except CommandError as error:
        number = line.strip()
        # So many digits are the number of no action, and Python refuses to read thousands of them.
        is_number = number.isascii() and number.isdecimal() and len(number) < 10
        is_number = is_number and not any(str(action).isdecimal() for action in actions)
        if is_number and 1 <= int(number) <= len(actions):
            return actions[int(number) - 1]
        if texts is not None and game.commands is None:
            found = texts.find(line, seat, alone=len(game.to_act(view)) == 1)
            if found is not None:
                return found
        if not is_number:
            raise
        message = f"{number} is not a number from 1 to {len(actions)}"
        ending = [text for text in map(str, actions) if text.split()[-1:] == [number]]
        suggests = len(ending) == 1
        message += f"; did you mean {quote(ending[0])}?" if suggests else ""
        raise CommandError(message, line=line, place=1, suggests=suggests) from error


def report_refusal(player: object, error: IllegalAction) -> bool:
    """Call the player's `refused` method with `error`, if it has one; return whether it has."""
    refused = getattr(player, "refused", None)
    if refused is None:
        return False
    refused(error)
    return True
