"""check_game names a bot that does not play the same again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tabletop import IllegalAction, Random, Stream, Streams
from tabletop.game import AnyGame
from tabletop.registry import BotMaker, installed, load
from tabletop.testing import LawBroken, check_game
from tests.tabletop.games import cards, rps, walk

pytestmark = pytest.mark.slow  # most of these are of real processes

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.py"))


class Bot:
    """Draws for every choice, as it should."""

    def __init__(self, chance: Stream) -> None:
        self.chance = chance

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """One of the actions."""
        return self.chance.choice(actions)


class Counts(Bot):
    """Plays the first action, then the second, and so on."""

    turns = 0

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """The next one."""
        self.turns += 1
        return actions[self.turns % len(actions)]


class CountsForAll(Bot):
    """Counts what all bots of its kind have chosen."""

    turns: ClassVar[list[int]] = []

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """The next one."""
        self.turns.append(0)
        return actions[len(self.turns) % len(actions)]


class DrawsElsewhere(Bot):
    """Draws from Python's own generator."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """One of the actions."""
        return random.choice(actions)


class HasAStream(Bot):
    """Draws from a stream of its own."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(Streams("mine")["choices"])


class DrawsWhenMade(Bot):
    """Draws which place it likes before the match begins."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(chance)
        self.likes = chance.below(1000)

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """What it likes."""
        return actions[self.likes % len(actions)]


class Remembers(Bot):
    """Keeps to what it has drawn once."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(chance)
        self.likes = -1

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """What it likes, which changes now and then."""
        if self.likes < 0 or self.chance.chance(1, 4):
            self.likes = self.chance.below(1000)
        return actions[self.likes % len(actions)]


class Fails(Bot):
    """Cannot choose."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Nothing."""
        raise RuntimeError("I cannot")


class Cheats(Bot):
    """Does what is not allowed."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """No action."""
        raise IllegalAction("no")


def cannot_be_made(chance: Stream) -> Bot:
    """Nothing."""
    raise RuntimeError("out of order")


BROKEN: list[Callable[[Stream], Any]] = [
    Counts,
    CountsForAll,
    DrawsElsewhere,
    HasAStream,
    DrawsWhenMade,
    Remembers,
]


@pytest.mark.parametrize("game", [walk.GAME, cards.GAME, rps.GAME])
@pytest.mark.parametrize("maker", BROKEN)
def test_a_bot_that_does_not_play_the_same_again_is_named(
    game: AnyGame, maker: Callable[[Stream], Any]
) -> None:
    sound: dict[str, BotMaker] = {"random": Random, "sound": Bot}
    with pytest.raises(LawBroken, match=r"the bot 'odd', for seat \d: ") as caught:
        check_game(game, matches=1, plies=60, stop=True, bots={**sound, "odd": maker})
    error = caught.value
    assert (error.game, error.law) == (game.name, "bots")
    assert error.seed.startswith("check bots ")
    if maker is not DrawsWhenMade:
        assert "before: it keeps something from move to move, or draws from elsewhere" in str(error)


@pytest.mark.parametrize(
    ("maker", "what"),
    [
        (Fails, r"choosing raised RuntimeError\('I cannot'\)"),
        (Cheats, "which is refused: no"),
        (cannot_be_made, r"making it raised RuntimeError\('out of order'\)"),
    ],
)
def test_a_bot_that_cannot_play_is_named(maker: Callable[[Stream], Any], what: str) -> None:
    with pytest.raises(LawBroken, match=f"the bot 'odd', for seat 0: .*{what}"):
        check_game(cards.GAME, matches=1, bots={"odd": maker})


@pytest.mark.parametrize("name", [*installed(), *map(str, EXAMPLES)])
def test_the_bots_at_hand_play_the_same_again(name: str) -> None:
    plugin = load(name) if name in installed() or defines_a_game(name) else None
    if plugin is not None:
        check_game(plugin.game, matches=1, plies=60, stop=True, bots=plugin.bots)


def defines_a_game(name: str) -> bool:
    """Whether there is a game in the file of an example."""
    return "GAME" in Path(name).read_text()
