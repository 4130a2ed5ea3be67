"""The law of bots: a bot that does not play the same again is named."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from tabletop import IllegalAction, Random, Stream, Streams
from tabletop.registry import BotMaker, installed, load
from tabletop.rules import AnyGame
from tabletop.testing import LawBroken, Report, check_game
from tabletop.testing.bots import check_bot
from tabletop.testing.laws import Clock
from tests.tabletop.games import cards, rps, walk


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


def check(game: AnyGame, bots: Mapping[str, BotMaker]) -> None:
    """The law of bots alone."""
    limits: dict[str, Any] = {"options": None, "plies": 60, "clock": Clock(Report())}
    for name, maker in bots.items():
        check_bot(game, name, maker, seed="check", numbers=game.seats, **limits)


@pytest.mark.parametrize("game", [walk.GAME, cards.GAME, rps.GAME])
@pytest.mark.parametrize("maker", BROKEN)
def test_a_bot_that_does_not_play_the_same_again_is_named(
    game: AnyGame, maker: Callable[[Stream], Any]
) -> None:
    sound: dict[str, BotMaker] = {"random": Random, "sound": Bot}
    with pytest.raises(LawBroken, match=r"'odd'.* \d: ") as caught:
        check(game, {**sound, "odd": maker})
    error = caught.value
    assert (error.game, error.law) == (game.name, "bots")
    assert error.seed.startswith("check bots ")
    if maker is not DrawsWhenMade:
        assert ": the bot keeps data from move to move, draws from another source" in str(error)


@pytest.mark.parametrize(
    ("maker", "what"),
    [
        (Fails, r"choosing raised RuntimeError\('I cannot'\)"),
        (Cheats, "which is illegal: no"),
        (cannot_be_made, r"creating it raised RuntimeError\('out of order'\)"),
    ],
)
def test_a_bot_that_cannot_play_is_named(maker: Callable[[Stream], Any], what: str) -> None:
    with pytest.raises(LawBroken, match=f"the bot 'odd', for seat 0: .*{what}"):
        check(cards.GAME, {"odd": maker})


def test_the_check_of_a_game_has_its_bots_play() -> None:
    with pytest.raises(LawBroken, match=r"'odd'.* 0: "):
        check_game(walk.GAME, matches=1, plies=60, stop=True, bots={"odd": Counts})


@pytest.mark.slow
@pytest.mark.parametrize("name", installed())
def test_the_bots_of_bundled_games_play_the_same_again(name: str) -> None:
    plugin = load(name)
    check(plugin.game, plugin.bots)
