"""A seat that is to act and has no legal action is reported as a fault of the rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.cli.program import here
from tests.tabletop.games import stale
from tests.tabletop.web.served import Server, with_server

from tabletop import ContractError, Match, Random, Streams
from tabletop.bots import ISMCTS, Expectimax, FlatMonteCarlo
from tabletop.match import playout

GAME = stale.PLUGIN.game
FILE = str(Path(stale.__file__))
NAMED = re.compile(r"stale: seat 0 .* ply 3")


def played(*, plies: int = 2) -> Match[Any, Any]:
    match: Match[Any, Any] = Match(GAME, seed="old oak")
    for _ in range(plies):
        match.play("go")
    return match


def assert_names_seat_and_ply(error: ContractError, ply: int = 3) -> None:
    assert error.ply == ply
    assert re.search(rf"stale: seat 0 .* ply {ply}", str(error))


def test_listing_the_actions_raises_a_contract_error() -> None:
    with pytest.raises(ContractError) as caught:
        played().legal_actions()
    assert_names_seat_and_ply(caught.value)


def test_a_seat_that_is_not_to_act_still_has_no_actions() -> None:
    assert played().legal_actions(1) == ()


def test_run_with_random_players_raises_a_contract_error() -> None:
    match = Match(GAME, seed="old oak", players=[Random("a"), Random("b")])
    with pytest.raises(ContractError) as caught:
        match.run()
    assert_names_seat_and_ply(caught.value)
    assert match.ply == 2


@pytest.mark.parametrize("kind", [ISMCTS, FlatMonteCarlo, Expectimax])
def test_a_bot_that_looks_ahead_raises_a_contract_error_with_the_ply_of_its_choice(
    kind: Any,
) -> None:
    match = played(plies=1)
    match.set_player(1, kind(match.bot_stream(1), game=GAME, iterations=50))
    with pytest.raises(ContractError) as caught:
        match.step()
    assert caught.value.ply == 2
    assert re.search(r"stale: seat 0 .*ply 2", str(caught.value))
    assert match.ply == 1


def test_a_playout_raises_a_contract_error() -> None:
    guess = Streams("a guess")
    with pytest.raises(ContractError, match=r"stale: seat 0"):
        playout(GAME, played().state, guess["choices"], guess)


def test_a_learning_environment_raises_a_contract_error() -> None:
    gym = pytest.importorskip("tabletop.envs.gym")
    env = gym.Env(FILE, bots="random")
    env.reset(seed=1)
    with pytest.raises(ContractError) as caught:
        env.step(0)
    assert_names_seat_and_ply(caught.value)


def test_loading_the_game_for_openspiel_raises_a_contract_error() -> None:
    pytest.importorskip("pyspiel")
    spiel = pytest.importorskip("tabletop.envs.spiel")
    with pytest.raises(ContractError) as caught:
        spiel.load_game(FILE)
    assert_names_seat_and_ply(caught.value)


def test_simulate_names_the_game_the_seat_and_the_ply(tmp_path: Path) -> None:
    words = ("-n", 3, "--bots", "random", "--workers", 1, "-o", tmp_path / "study")
    done = here("simulate", FILE, *words)
    assert done.returncode == 1
    assert NAMED.search(done.stderr)


def test_a_terminal_names_the_game_the_seat_and_the_ply() -> None:
    done = here("play", FILE, "--seed", "oak", "--no-record", typed="go\ngo\n")
    assert done.returncode == 1
    assert NAMED.search(done.stderr)


@with_server(plugins=(stale.PLUGIN,))
async def test_a_page_names_the_game_the_seat_and_the_ply(server: Server) -> None:
    opened = await server.open("stale", seats=2, casual=True)
    async with (
        server.screen(opened["links"][0]) as ada,
        server.screen(opened["links"][1]) as bo,
    ):
        await ada.until("state")
        await ada.say(type="act", line="go", id=1)
        await bo.at(1)
        await bo.say(type="act", line="go", id=1)
        state = await ada.at(2)
        waiting = await bo.at(2)
    assert NAMED.search(state["prompt"])
    assert state["can_undo"]
    assert waiting["prompt"] == "Waiting for Player 1"
