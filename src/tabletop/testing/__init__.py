"""Tools for testing rules: a check of the whole contract, and scripted random streams.

    def test_my_game_keeps_the_contract():
        check_game(MyGame())

`check_game` plays random matches and tests every law of the contract at each step. An error names
the game, the seed, the ply and the law. `check_picture` tests the pictures of a game, and
`check_words` its texts. For tests of single rules, `begin` creates a match in a given position, and
`play` plays lines in a match. `perft` counts sequences of actions.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeVar

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.match.match import Match
from tabletop.registry import plugin_of
from tabletop.rng.stream import Stream
from tabletop.rng.streams import StreamName, Streams
from tabletop.rules.game import Game
from tabletop.rules.options import Options
from tabletop.states.states import State
from tabletop.testing.check import check_game
from tabletop.testing.laws import LAWS, LawBroken, Report
from tabletop.testing.pictures import check_picture
from tabletop.testing.words import check_words
from tabletop.wording import did_you_mean, plural

__all__ = [
    "LAWS",
    "LawBroken",
    "Report",
    "ScriptedStream",
    "begin",
    "check_game",
    "check_picture",
    "check_words",
    "perft",
    "play",
    "scripted_streams",
]

S = TypeVar("S", bound=State)
A = TypeVar("A")


def begin(
    game: Game[S, A],
    *,
    seats: int | None = None,
    seed: str | int = "old oak",
    options: Options | None = None,
    **fields: Any,
) -> Match[S, A]:
    """Start a match from the initial state with different values for some fields.

    Args:
        game: The rules.
        seats: The number of seats. By default, the smallest number that the game allows.
        seed: The seed.
        options: The options that differ from their defaults.
        fields: The values of fields of the state.

    Raises:
        TypeError: The state has no such field.

    >>> from tabletop.registry import load
    >>> match = begin(load("lcr").game, seats=3, chips=[0, 3, 2], seat=1)
    >>> match.state.chips, match.to_act
    ([0, 3, 2], (1,))
    """
    state = Match(game, seed=seed, seats=seats, options=options).state.clone()
    for name, value in fields.items():
        if not hasattr(state, name):
            known = [field for field in dir(state) if not field.startswith("_")]
            hint = did_you_mean(name, known)
            raise TypeError(f"{type(state).__name__} has no field {name!r}{hint}")
        setattr(state, name, value)
    return Match(game, seed=seed, seats=seats, options=options, state=state)


def perft(match: Match[S, A], depth: int) -> int:
    """Return the number of sequences of `depth` actions from the position of a match (perft).

    Compare it with published numbers of positions in the same game.

    >>> from tabletop.registry import load
    >>> perft(begin(load("lcr").game, seats=3), 2)
    1
    """
    if depth == 0:
        return 1
    count = 0
    for seat in match.to_act:
        actions = match.legal_actions(seat)
        for action in actions if depth > 1 else ():
            after = match.clone()
            after.play(action)
            count += perft(after, depth - 1)
        count += len(actions) if depth == 1 else 0
    return count


def play(match: Match[S, A], *lines: str) -> Match[S, A]:
    """Play lines as typed by players, and return the match.

    A line such as `2: pass` is for player 2. A line without a player is for the first seat to act.
    Lines may contain the labels of `TextView.label`.

    Raises:
        CommandError: A line cannot be parsed.
        IllegalAction: An action is not allowed. The message is the reason.

    >>> from tabletop.registry import load
    >>> play(begin(load("lcr").game, seats=3), "roll", "2: roll").ply
    2
    """
    text = plugin_of(match.game).text
    for line in lines:
        player, colon, words = line.partition(": ")
        if colon and player.isdecimal():
            match.play(text.parse(match, words, int(player) - 1))
        else:
            match.play(text.parse(match, line))
    return match


class ScriptedStream(Stream):
    """A stream with scripted draws, like loaded dice.

    Args:
        draws: The results of the calls of `below`, in order. Results count from 0, so a 6 on a die
            is the draw 5. Each result must be less than the bound of its call.

    >>> dice = ScriptedStream([5, 0])
    >>> dice.roll(6), dice.roll(6)
    (6, 1)
    """

    __slots__ = ("_draws", "_offset")

    def __init__(self, draws: Iterable[int]) -> None:
        self._draws = tuple(draws)
        self._offset = 0

    @property
    @override
    def offset(self) -> int:
        """The number of draws so far. An offset beyond the end of the script raises `SeedError`."""
        return self._offset

    @offset.setter
    def offset(self, value: int) -> None:
        if not 0 <= value <= len(self._draws):
            raise SeedError(
                f"the script has {plural(len(self._draws), 'draw')}, so there is no offset {value}"
            )
        self._offset = value

    @override
    def copy(self) -> Self:
        twin = type(self)(self._draws)
        twin._offset = self._offset
        return twin

    @override
    def below(self, bound: int) -> int:
        """Return the next draw of the script.

        Raises:
            SeedError: The script has ended, or its next draw is not below `bound`.
        """
        if self._offset == len(self._draws):
            raise SeedError(f"the script has ended after {plural(self._offset, 'draw')}")
        draw = self._draws[self._offset]
        if not 0 <= draw < bound:
            raise SeedError(
                f"draw {self._offset + 1} of the script must be below {bound}, not {draw}"
            )
        self._offset += 1
        return draw


def scripted_streams(draws: Mapping[StreamName, Iterable[int]], root: str = "scripted") -> Streams:
    """Return streams, some of which have scripted draws.

    Pass them to `Game.setup`, or to the rules in a `Table`.

    Args:
        draws: The draws of each scripted stream by stream name; see `ScriptedStream`.
        root: The seed of all other streams.

    Raises:
        SeedError: A name is not a valid stream name.

    >>> streams = scripted_streams({"dice": [5, 0]})
    >>> streams["dice"].roll(6, dice=2)
    7
    """
    streams = Streams(root)
    for name, script in draws.items():
        streams.install(name, ScriptedStream(script))
    return streams
