"""What the contract of a game brings along: outcomes, options, and the defaults of `Game`."""

from __future__ import annotations

import pytest
from tests.tabletop.games import race, rps, walk

from tabletop import CommandError, Game, IllegalAction, OptionError, Streams, Table
from tabletop.rules import find_by_text


def test_options_that_are_not_given_have_their_defaults() -> None:
    assert race.GAME.resolve_options({"goal": 9}) == {"goal": 9, "start": "anywhere"}
    assert race.GAME.resolve_options({}) == {"goal": 40, "start": "anywhere"}
    assert walk.GAME.resolve_options({}) == {}


def test_an_unknown_option_is_refused_and_the_known_ones_are_named() -> None:
    meant = r"did you mean 'goal'\? "
    for name, hint in {"gaol": meant, "length": ""}.items():
        said = f"race has no option '{name}'; {hint}its options: goal, start"
        with pytest.raises(OptionError, match=said):
            race.GAME.resolve_options({name: 9})
    with pytest.raises(OptionError, match="its options: none"):
        walk.GAME.resolve_options({"goal": 9})


def test_what_is_not_listed_is_refused_by_default() -> None:
    state = race.GAME.setup(race.GAME.resolve_options({}), 2, Streams("x"))
    race.GAME.check(state, "walk")
    with pytest.raises(IllegalAction, match="fly is not possible now"):
        race.GAME.check(state, "fly")


def test_where_several_may_act_each_is_checked_for_its_own_seat() -> None:
    state = rps.GAME.setup({"rounds": 1}, 3, Streams("x"))
    state.chosen[0] = "rock"
    rps.GAME.check(state, rps.Show(2, "rock"))
    with pytest.raises(IllegalAction):
        rps.GAME.check(state, rps.Show(0, "rock"))


def test_a_game_without_commands_reads_the_texts_of_legal_actions() -> None:
    state = rps.GAME.setup({"rounds": 1}, 2, Streams("x"))
    assert rps.GAME.parse("  PAPER ", state, 1) == rps.Show(1, "paper")
    with pytest.raises(
        CommandError, match=r"did you mean 'rock'\? possible: rock, paper"
    ) as caught:
        rps.GAME.parse("rok", state, 1)
    assert caught.value.line == "rok"


def test_a_long_list_of_possibilities_is_cut() -> None:
    actions = [f"go {number} {number}" for number in range(50)]
    assert find_by_text("go  7   7", actions) == "go 7 7"
    with pytest.raises(CommandError, match=r"go 11 11, \.\.\.$"):
        find_by_text("xyz", actions)


class Nearly(walk.LongWalk):
    """Has two names that are nearly those of the contract."""

    legal_actions = Game.legal_actions
    apply = Game.apply

    def legal_action(self, state: object, seat: int) -> list[str]:
        """What would be legal."""
        return ["left"]

    def aply(self, state: object, action: str, table: Table) -> None:
        """What would be done."""


def test_a_game_that_lacks_methods_is_told_which_of_its_own_are_nearly_called_so() -> None:
    told = "Nearly lacks apply and legal_actions: rename aply to apply and rename legal_action to"
    with pytest.raises(TypeError, match=told):
        Nearly()
    with pytest.raises(TypeError, match=r"Bare lacks apply, .* and to_act$"):
        type("Bare", (Game,), {})()


def test_a_game_hides_something_when_it_masks_what_a_seat_sees() -> None:
    assert rps.GAME.hides_something
    assert not race.GAME.hides_something
