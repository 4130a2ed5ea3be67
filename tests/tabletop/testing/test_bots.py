"""The law of bots: a bot with inconsistent choices is named."""

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
    """Correct: draws for every choice."""

    def __init__(self, chance: Stream) -> None:
        self.chance = chance

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return one of the actions."""
        return self.chance.choice(actions)


class Counts(Bot):
    """Plays the first action, then the second, and so on."""

    turns = 0

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the next action."""
        self.turns += 1
        return actions[self.turns % len(actions)]


class CountsForAll(Bot):
    """Counts the choices of all instances."""

    turns: ClassVar[list[int]] = []

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the next action."""
        self.turns.append(0)
        return actions[len(self.turns) % len(actions)]


class DrawsElsewhere(Bot):
    """Draws from Python's own generator."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return one of the actions."""
        return random.choice(actions)


class HasAStream(Bot):
    """Draws from its own stream."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(Streams("mine")["choices"])


class DrawsWhenMade(Bot):
    """Draws its favourite place before the match starts."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(chance)
        self.likes = chance.below(1000)

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the favourite action."""
        return actions[self.likes % len(actions)]


class Remembers(Bot):
    """Draws once, and always uses the result."""

    def __init__(self, chance: Stream) -> None:
        super().__init__(chance)
        self.likes = -1

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return the favourite action, which changes sometimes."""
        if self.likes < 0 or self.chance.chance(1, 4):
            self.likes = self.chance.below(1000)
        return actions[self.likes % len(actions)]


class Fails(Bot):
    """Cannot choose."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Nothing."""
        raise RuntimeError("I cannot")


class Cheats(Bot):
    """Chooses an illegal action."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        """Return an object that is not an action."""
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
    """Test only the law of bots."""
    limits: dict[str, Any] = {"options": None, "plies": 60, "clock": Clock(Report())}
    for name, maker in bots.items():
        check_bot(game, name, maker, seed="check", numbers=game.seats, **limits)


@pytest.mark.parametrize("game", [walk.GAME, cards.GAME, rps.GAME])
@pytest.mark.parametrize("maker", BROKEN)
def test_a_bot_with_inconsistent_choices_is_named(
    game: AnyGame, maker: Callable[[Stream], Any]
) -> None:
    sound: dict[str, BotMaker] = {"random": Random, "sound": Bot}
    with pytest.raises(LawBroken, match=r"'odd'.* \d: ") as caught:
        check(game, {**sound, "odd": maker})
    error = caught.value
    assert (error.game, error.law) == (game.name, "bots")
    assert error.seed.startswith("check bots ")
    if maker is not DrawsWhenMade:
        assert "between moves" in error.what


@pytest.mark.parametrize(
    ("maker", "what"),
    [
        (Fails, r"RuntimeError\('I cannot'\)"),
        (Cheats, "illegal: no"),
        (cannot_be_made, r"RuntimeError\('out of order'\)"),
    ],
)
def test_a_failing_bot_is_named(maker: Callable[[Stream], Any], what: str) -> None:
    with pytest.raises(LawBroken, match=f"'odd'.* 0: .*{what}"):
        check(cards.GAME, {"odd": maker})


def test_check_game_tests_the_bots() -> None:
    with pytest.raises(LawBroken, match=r"'odd'.* 0: "):
        check_game(walk.GAME, matches=1, plies=60, stop=True, bots={"odd": Counts})


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=pytest.mark.matrix) if "-" in it else it for it in installed()],
)
def test_the_bots_of_bundled_games_are_consistent(name: str) -> None:
    plugin = load(name)
    check(plugin.game, plugin.bots)
