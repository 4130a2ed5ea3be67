"""The kit for testing rules: a check of the whole contract, and streams of scripted draws.

    def test_my_game_keeps_the_contract():
        check_game(MyGame())

`check_game` plays random matches and tests every law at each step. Its failures name the game, the
seed, the ply and the law. `check_picture` does the same with the picture of a game, and
`check_words` with its words. `begin` begins a match where a test of one rule needs it, and `play`
plays lines in it.
"""

from collections.abc import Iterable, Mapping
from typing import Self

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.rng.stream import Stream
from tabletop.rng.streams import StreamName, Streams
from tabletop.testing.check import check_game
from tabletop.testing.laws import LAWS, LawBroken, Report
from tabletop.testing.pictures import check_picture
from tabletop.testing.positions import begin, play
from tabletop.testing.words import check_words
from tabletop.wording import plural

__all__ = [
    "LAWS",
    "LawBroken",
    "Report",
    "ScriptedStream",
    "begin",
    "check_game",
    "check_picture",
    "check_words",
    "play",
    "scripted_streams",
]


class ScriptedStream(Stream):
    """A stream that makes the draws of a test: loaded dice.

    Args:
        draws: the results of `below`, in order, counted from 0: a die that is to show 6 draws 5.
            Each must be less than the bound of its call.

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
        """The number of draws made; a `SeedError` where it is set to more than there are."""
        return self._offset

    @offset.setter
    def offset(self, value: int) -> None:
        if not 0 <= value <= len(self._draws):
            raise SeedError(
                f"the script has {plural(len(self._draws), 'draw')}; there is no place {value}"
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
            SeedError: the script has ended, or its next draw does not lie below `bound`.
        """
        if self._offset == len(self._draws):
            raise SeedError(f"the script has ended after {plural(self._offset, 'draw')}")
        draw = self._draws[self._offset]
        if not 0 <= draw < bound:
            raise SeedError(f"draw {self._offset + 1} of the script, {draw}, is not below {bound}")
        self._offset += 1
        return draw


def scripted_streams(draws: Mapping[StreamName, Iterable[int]], root: str = "scripted") -> Streams:
    """Return streams: those named make the draws of a test, the others derive from `root`.

    Give them to `Game.setup`, or to the rules in a `Table`.

    Args:
        draws: the draws of each scripted stream by its name, as of `ScriptedStream`.
        root: the seed of all other streams.

    Raises:
        SeedError: a name is none of a stream.

    >>> streams = scripted_streams({"dice": [5, 0]})
    >>> streams["dice"].roll(6, dice=2)
    7
    """
    streams = Streams(root)
    for name, script in draws.items():
        streams.install(name, ScriptedStream(script))
    return streams
