"""Who decides for a seat.

A player is given a view of the state and the legal actions, never the match: it can neither see
what is hidden from its seat nor move the streams. Any object with a fitting `choose` is a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from tabletop.errors import CommandError, EndOfInput, IllegalAction
from tabletop.game import Game, State
from tabletop.outcome import Seat
from tabletop.rng import Stream, Streams
from tabletop.texts import ActionTexts, find_by_text

S = TypeVar("S", bound=State)
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)


class Player(Protocol[S_contra, A]):
    """Decides for a seat.

    One that has a method `refused` as well is notified with the `IllegalAction` when its choice is
    not allowed, and is asked again; without it, the error ends `Match.step`.
    """

    def choose(self, view: S_contra, actions: Sequence[A]) -> A:
        """What to do now.

        Args:
            view: what the seat may see; the player's own copy, to do with as it likes.
            actions: the legal actions, at least one. A game with free-form actions accepts others.

        Raises:
            EndOfInput: there is nobody left to decide.
        """
        ...


class BlindPlayer:
    """A player that chooses by the number of legal actions alone, without a view.

    Attributes:
        pick: given how many actions there are, at least two, the place of one of them, counted
            from 0. Where there is only one, nothing is asked.
    """

    pick: Callable[[int], int]

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """The legal action at the index that `pick` returns."""
        return actions[self.pick(len(actions))] if len(actions) > 1 else actions[0]


class Random(BlindPlayer):
    """Chooses uniformly among the legal actions.

    Args:
        chance: a stream of the player's own, or a seed for one.
    """

    def __init__(self, chance: Stream | str | int) -> None:
        self._chance = chance if isinstance(chance, Stream) else Streams(chance)["choices"]
        self.pick = self._chance.below

    def __getstate__(self) -> dict[str, Any]:
        """The state of a pickle or a copy: all but `pick`, which is a method of the stream."""
        return {name: value for name, value in vars(self).items() if name != "pick"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.pick = self._chance.below


class Scripted(Generic[A]):
    """Plays a given list of actions in order.

    Args:
        script: actions, or the texts of legal actions.
    """

    def __init__(self, script: Iterable[A | str]) -> None:
        self._script = iter(script)

    def choose(self, view: Any, actions: Sequence[A]) -> A:
        """The next action of the script.

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
    """The action that `line` means: the number of a listed one (from 1), or by the game's words.

    The game's words come first, and where some action is typed as a number, a number means nothing
    else. Last, where the game has no command table, come the `texts` of actions that are not
    possible now: `Game.check` says why.

    Raises:
        CommandError: it does not mean any action.
    """
    try:
        return game.parse(line, view, seat)
    except CommandError as error:
        number = line.strip()
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
        raise CommandError(message, line=line, place=1) from error


def report_refusal(player: object, error: IllegalAction) -> bool:
    """Call the player's `refused` method with `error`, if there is one; whether there is."""
    refused = getattr(player, "refused", None)
    if refused is None:
        return False
    refused(error)
    return True
