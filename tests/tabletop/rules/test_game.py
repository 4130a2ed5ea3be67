"""The defaults of `Game`: options, checks, parsing and error messages."""

from __future__ import annotations

import pytest
from tests.tabletop.games import race, rps, walk

from tabletop import CommandError, Game, IllegalAction, OptionError, Streams, Table
from tabletop.rules import find_by_text


def test_missing_options_have_their_defaults() -> None:
    assert race.GAME.resolve_options({"goal": 9}) == {"goal": 9, "start": "anywhere"}
    assert race.GAME.resolve_options({}) == {"goal": 40, "start": "anywhere"}
    assert walk.GAME.resolve_options({}) == {}


def test_an_unknown_option_is_refused_and_the_error_lists_the_options() -> None:
    for name, hint in {"gaol": r".* 'goal'\? ", "length": "[^?]*"}.items():
        message = rf"^race .*'{name}';{hint}\b.*: goal, start$"
        with pytest.raises(OptionError, match=message):
            race.GAME.resolve_options({name: 9})
    with pytest.raises(OptionError, match="its options: none"):
        walk.GAME.resolve_options({"goal": 9})


def test_by_default_an_action_that_is_not_listed_is_refused() -> None:
    state = race.GAME.setup(race.GAME.resolve_options({}), 2, Streams("x"))
    race.GAME.check(state, "walk")
    with pytest.raises(IllegalAction, match=r"^fly "):
        race.GAME.check(state, "fly")


def test_a_simultaneous_action_is_checked_for_its_own_seat() -> None:
    state = rps.GAME.setup({"rounds": 1}, 3, Streams("x"))
    state.chosen[0] = "rock"
    rps.GAME.check(state, rps.Show(2, "rock"))
    with pytest.raises(IllegalAction):
        rps.GAME.check(state, rps.Show(0, "rock"))


def test_a_game_without_commands_parses_the_texts_of_legal_actions() -> None:
    state = rps.GAME.setup({"rounds": 1}, 2, Streams("x"))
    assert rps.GAME.parse("  PAPER ", state, 1) == rps.Show(1, "paper")
    with pytest.raises(CommandError, match=r" 'rock'\? .*: rock, paper") as caught:
        rps.GAME.parse("rok", state, 1)
    assert caught.value.line == "rok"


def test_a_long_list_of_possible_actions_is_shortened() -> None:
    actions = [f"go {number} {number}" for number in range(50)]
    assert find_by_text("go  7   7", actions) == "go 7 7"
    with pytest.raises(CommandError, match=r"go 11 11, \.\.\.$"):
        find_by_text("xyz", actions)


class Nearly(walk.LongWalk):
    """Two method names are misspelled."""

    legal_actions = Game.legal_actions
    apply = Game.apply

    def legal_action(self, state: object, seat: int) -> list[str]:
        """A misspelled `legal_actions`."""
        return ["left"]

    def aply(self, state: object, action: str, table: Table) -> None:
        """A misspelled `apply`."""


def test_the_error_for_missing_methods_suggests_renames() -> None:
    message = r"^Nearly .*\bapply and legal_actions: .*\baply to apply .*\blegal_action to "
    with pytest.raises(TypeError, match=message):
        Nearly()
    with pytest.raises(TypeError, match=r"^Bare .*\bapply, .* and to_act$"):
        type("Bare", (Game,), {})()


def test_a_game_that_overrides_view_hides_something() -> None:
    assert rps.GAME.hides_something
    assert not race.GAME.hides_something
