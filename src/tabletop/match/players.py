"""Players, which choose the actions of seats.

A player receives a view of the state and the legal actions, but never the match. Therefore, a
player can neither see hidden values nor change the random streams. Any object with a suitable
method `choose` is a player. A player that looks ahead also takes a `Sampler`, which draws complete
states that are consistent with the view.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from tabletop.errors import ContractError, EndOfInput, IllegalAction
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.action_text import find_by_text
from tabletop.rules.game import Game
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)


class Sampler(Generic[S]):
    """Draws states that look like the real state to a seat, for players that look ahead.

    A match creates a sampler for each choice. Do not keep it for later choices.

    Args:
        game: The rules.
        state: The real state.
        seat: The seat that chooses.

    Attributes:
        seat: The seat that chooses.
    """

    __slots__ = ("_draw", "seat")

    def __init__(self, game: Game[S, Any], state: S, seat: Seat) -> None:
        # The state is in a closure, so that a player can only draw samples from it.
        def draw(rng: Stream) -> S:
            kind = type(game)
            if kind.redeal is Game.redeal and kind.view is not Game.view:
                raise ContractError(f"{game.name} overrides view, but not redeal")
            if not redeals:
                redeals.append(game.redealer(state, seat))
            return redeals[0](rng)

        redeals: list[Callable[[Stream], S]] = []  # filled on first use; few players sample
        self._draw = draw
        self.seat: Seat = seat

    def sample(self, rng: Stream) -> S:
        """Draw a complete state for which the seat has the same view.

        The caller may change the state.

        The same draws from `rng` give the same state, regardless of the real hidden values.
        (OpenSpiel: `resample_from_infostate`.)

        Args:
            rng: A random stream of the player.

        Raises:
            ContractError: The game has hidden values but does not override `redeal`.
        """
        return self._draw(rng)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Sampler cannot be copied or pickled, because it holds the real state"
            " (send sampled states instead, such as to_json(sampler.sample(rng)))"
        )


class Player(Protocol[S_contra, A]):
    """A player, which chooses the actions of a seat.

    Any object with the method `choose` is a player. The class of the object need not inherit from
    `Player`.

    A player may also have a method `refused`. If a choice is not allowed, the match calls `refused`
    with the `IllegalAction` and asks again. Without this method, `Match.step` raises the error. A
    choice that is not an action of the game always raises `NotAnAction`.

    >>> class Cautious:
    ...     def choose(self, view, actions):
    ...         return min(actions)
    >>> Cautious().choose(None, [3, 1, 2])
    1
    """

    def choose(self, view: S_contra, actions: Sequence[A]) -> A:
        """Choose an action.

        Args:
            view: The view of the seat, a copy that the player may change.
            actions: The legal actions, at least one. The player must not change this sequence. A
                game with free-form actions accepts other actions, too.

        Raises:
            EndOfInput: The player's input has ended. The match has not changed.
        """
        ...


class SamplingPlayer(Protocol[S, A]):
    """A `Player` whose `choose` has a parameter `sampler` and receives a `Sampler`."""

    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Choose an action. `sampler` is valid for this choice only. See `Player.choose`."""
        ...


AnyPlayer: TypeAlias = Player[S, A] | SamplingPlayer[S, A]
"""A player of either kind."""


@runtime_checkable
class JoiningPlayer(Protocol):
    """A player that also observes its match, such as a program or a language model."""

    def join(self, match: Any, players: Sequence[str] = ()) -> None:
        """Begin to observe a match. `players` are the players of all seats, if they are known."""

    def close(self, outcome: Outcome | None) -> None:
        """End the observation. The outcome is None if the match is not over."""


def is_player(given: object) -> bool:
    """Return whether an object, and not a class, is a player: it has a method `choose`."""
    return hasattr(given, "choose") and not isinstance(given, type)


def ask(player: AnyPlayer[S, A], view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
    """Return the choice of `player`.

    The sampler is passed if `player.choose` takes one. Use this function in players that delegate
    to other players: give `choose` a parameter `sampler`, and pass the sampler on.
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
    """A player that needs only the number of legal actions, and no view.

    Attributes:
        pick: A function that takes the number of actions, at least two, and returns the index of
            one of them. The function is not called if there is only one action.
    """

    pick: Callable[[int], int]

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """Return the legal action at the index that `pick` returns."""
        return actions[self.pick(len(actions))] if len(actions) > 1 else actions[0]


class Random(BlindPlayer):
    """Chooses uniformly at random among the legal actions.

    Args:
        stream: A random stream, or a seed for a new one. For a bot in a match, pass
            `match.bot_stream(seat)`, which follows undo and is stored in records.

    >>> Random("old oak").choose(None, ["rock", "paper", "scissors"])
    'rock'
    """

    def __init__(self, stream: Stream | str | int) -> None:
        self._stream = stream if isinstance(stream, Stream) else Streams(stream)["choices"]
        self.pick: Callable[[int], int] = self._stream.below

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for a pickle or a copy, without `pick`, a method of the stream."""
        return {name: value for name, value in vars(self).items() if name != "pick"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.pick = self._stream.below


class Scripted(Generic[A]):
    """Plays a given list of actions in order, for tests.

    Args:
        script: Actions, or the texts of actions. An action must be legal when its turn comes.

    >>> player = Scripted(["paper", "rock"])
    >>> player.choose(None, ["rock", "paper", "scissors"])
    'paper'
    """

    def __init__(self, script: Iterable[A | str]) -> None:
        self._script = iter(script)

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """Return the next action of the script.

        Raises:
            EndOfInput: The script has ended.
            CommandError: The next text is not the text of a legal action.
        """
        for item in self._script:
            return find_by_text(item, actions) if isinstance(item, str) else item
        raise EndOfInput("the script has ended")


def report_refusal(player: object, error: IllegalAction) -> bool:
    """Call the player's method `refused` with `error`. Return whether the method exists."""
    refused = getattr(player, "refused", None)
    if refused is None:
        return False
    refused(error)
    return True
