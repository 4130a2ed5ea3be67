"""OpenSpiel games: every draw of the rules is a chance node."""

from __future__ import annotations

import dataclasses
import math
import pickle
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop import RegistryError, Table, TabletopError
from tabletop.envs import Episodes
from tabletop.registry import load
from tests.tabletop.envs.games_to_learn import GAMES, Coin, Throw, coin, example, title

pyspiel = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("tabletop.envs.spiel")
ismcts: Any = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")


def after(state: Any, *numbers: int) -> Any:
    """Return the state after actions and chance outcomes."""
    for number in numbers:
        state.apply_action(number)
    return state


def decide_all(state: Any, number: int = 0) -> Any:
    """Return the state after all pending draws are decided in the same way."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[number][0])
    return state


def test_a_shuffled_deck_is_one_draw_per_card() -> None:
    state = spiel.load_game(example("kuhn_poker")).new_initial_state()
    assert state.chance_outcomes() == [(number, pytest.approx(1 / 3)) for number in range(3)]
    state.apply_action(0)
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    # The last card needs no draw, because only one is left.
    assert (state.current_player(), state.legal_actions()) == (0, [0, 1])


def test_all_chance_outcomes_reach_every_deal_equally_often() -> None:
    reached: defaultdict[str, float] = defaultdict(float)

    def walk(state: Any, share: float) -> None:
        if not state.is_chance_node():
            reached[state.observation_string(0) + state.observation_string(1)] += share
            return
        for number, probability in state.chance_outcomes():
            walk(state.child(number), share * probability)

    walk(spiel.load_game(example("kuhn_poker")).new_initial_state(), 1.0)
    assert len(reached) == 6
    assert all(share == pytest.approx(1 / 6) for share in reached.values())


def test_a_draw_with_many_results_is_split_into_digits() -> None:
    game = spiel.load_game(example("caverns"))
    state, most = game.new_initial_state(), game.max_chance_outcomes()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert len(outcomes) <= most
        assert math.fsum(share for _, share in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[-1][0])
    assert f'"map_key":{2**62 - 1},' in str(state)


def test_digits_have_the_probability_of_their_results() -> None:
    # 300 results are two full blocks and a partial one.
    node = spiel.Node(spiel.load_game(example("tictactoe")).new_initial_state().node.episodes)
    node.span = 300
    state = spiel.load_game(example("tictactoe")).new_initial_state()
    state.node = node
    assert state.chance_outcomes() == [(0, 128 / 300), (1, 128 / 300), (2, 44 / 300)]


def test_copies_and_pickles_of_a_state_continue_in_the_same_way() -> None:
    game = spiel.load_game("sorcery")
    state = decide_all(game.new_initial_state(), -1)
    for twin in (state.clone(), game.deserialize_state(state.serialize())):
        assert (str(twin), twin.history()) == (str(state), state.history())
        assert twin.legal_actions() == state.legal_actions()
    before = str(state)
    state.child(state.legal_actions()[0])
    assert str(state) == before


def test_a_draw_within_an_action_is_pickled_with_its_decided_draws() -> None:
    game = spiel.load_game(example("loaded_dice"))
    state = after(game.new_initial_state(), 0, 4)
    assert state.is_chance_node()
    twin = game.deserialize_state(state.serialize())
    assert after(twin, 5).observation_string(0) == after(state, 5).observation_string(0)
    assert '"points":[11,0]' in state.observation_string(0)


def test_information_states_differ_only_if_the_seat_can_distinguish_them() -> None:
    game = spiel.load_game(example("kuhn_poker"))
    # The first player holds the same card in both, and the second player does not.
    first, second = (after(game.new_initial_state(), 0, card) for card in (0, 1))
    assert first.information_state_string(0) == second.information_state_string(0)
    assert first.information_state_string(1) != second.information_state_string(1)
    assert first.child(0).information_state_string(0) != first.child(1).information_state_string(0)


def test_an_information_state_contains_the_past() -> None:
    game = spiel.load_game(example("simultaneous"))
    # Two rounds with the same points: rock against scissors, and paper against rock.
    first, second = (after(game.new_initial_state(), *shapes) for shapes in ((0, 5), (1, 3)))
    assert first.observation_string(0) == second.observation_string(0)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_the_observation_tensor_equals_the_other_environments() -> None:
    game = spiel.load_game(example("tictactoe"))
    state = after(game.new_initial_state(), 4)
    episodes = state.node.episodes
    match = episodes.begin(1)
    match.play(episodes.index.action(4))
    for seat in (0, 1):
        observation = episodes.observe(match, seat)["observation"]
        assert state.observation_tensor(seat) == observation.tolist()


def test_options_seats_and_points_are_parameters() -> None:
    game = spiel.load_game(example("caverns"), seats=3, options={"oil": 50}, max_plies=7)
    assert (game.num_players(), game.max_game_length()) == (3, 7)
    assert '"oil":50' in str(decide_all(game.new_initial_state()))
    again = pyspiel.load_game(str(game))
    assert str(decide_all(again.new_initial_state())) == str(decide_all(game.new_initial_state()))


def test_a_truncated_match_has_returns_of_0() -> None:
    state = after(spiel.load_game(example("tictactoe"), max_plies=2).new_initial_state(), 0, 1)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_installed_games_are_registered_by_name() -> None:
    assert {"tabletop_lcr", "tabletop_sorcery_2017"} <= set(pyspiel.registered_names())


def test_another_game_with_a_registered_name_is_an_error() -> None:
    plugin = load(example("tictactoe"))
    spiel.register(plugin)
    with pytest.raises(RegistryError, match="already registered"):
        spiel.register(dataclasses.replace(plugin, source="elsewhere.py"))


def test_installed_streams_are_an_error_because_their_probabilities_are_unknown() -> None:
    with pytest.raises(TabletopError, match="probabilities are unknown"):
        spiel.load_game(example("loaded_dice"), options={"loaded": True})


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda rng: rng["a"].copy(), r"\bcopy\b"),
        (lambda rng: rng["a"].below(0), r"^below\(0\): .*\b1$"),
    ],
)
def test_rules_that_copy_a_stream_are_an_error(use: Any, message: str) -> None:
    with pytest.raises(TabletopError, match=message):
        use(spiel._DecidedStreams(spiel._decider((), {})))


def test_events_of_an_action_with_facts_of_a_place_use_the_same_draws() -> None:
    class Cave(Coin):
        """The content of the cave is fixed, and a throw decides which player takes it."""

        def apply(self, state: Throw, action: str, table: Table) -> None:
            state.winner = 10 * table.rng.at("cave").below(3) + table.rng["dice"].below(3)

    episodes = Episodes(dataclasses.replace(coin(2), game=Cave(2)))
    node = spiel.Node(episodes, spiel.Node(episodes), 0, (1, 2))
    assert [node._play(watched=watched)[0].winner for watched in (False, True)] == [12, 12]


def test_facts_of_a_place_are_drawn_once() -> None:
    draw = spiel._decider((3, 5), {})
    rng = spiel._DecidedStreams(draw)
    assert [rng.at("cave", 1).below(9) for _ in range(2)] == [3, 3]
    assert rng["dice"].below(9) == 5
    with pytest.raises(spiel._Undecided) as undecided:
        rng.child("far").at("cave", 1).below(9)
    assert undecided.value.span == 9


def at_a_decision(source: str) -> Any:
    """Return a state of a game at a decision, reached by the first chance outcomes."""
    return decide_all(spiel.load_game(source).new_initial_state())


@pytest.mark.slow
def test_games_and_states_of_a_file_can_be_unpickled_in_another_process(tmp_path: Path) -> None:
    state = at_a_decision("examples/kuhn_poker.py")
    state.apply_action(state.legal_actions()[0])
    file = tmp_path / "state.pickle"
    file.write_bytes(pickle.dumps((state.get_game(), state)))
    program = (
        f"import pickle; game, state = pickle.load(open({str(file)!r}, 'rb'));"
        "print(game); print(state); print(state.history())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(state.get_game()), str(state), str(state.history())]


def test_an_information_state_tensor_without_a_maximum_length_is_an_error() -> None:
    state = at_a_decision("examples/kuhn_poker.py")
    assert not state.get_game().get_type().provides_information_state_tensor
    with pytest.raises(pyspiel.SpielError, match=r"\bmax_plies\b.*\b10,000\b.*\binformation_"):
        state.information_state_tensor(0)


def past_of(state: Any, seat: int) -> Any:
    """Return the rows of the information state tensor of a seat."""
    return np.reshape(
        state.information_state_tensor(seat), state.get_game().information_state_tensor_shape()
    )


def test_an_information_state_tensor_has_a_row_for_each_ply() -> None:
    game = spiel.load_game(example("tictactoe"), max_plies=9)
    state = after(game.new_initial_state(), 4)
    first = state.observation_tensor(1)
    state.apply_action(8)
    past, size = past_of(state, 1), game.observation_tensor_size()
    assert past.shape == (10, size + 2 + 9)
    # After the observation: the seat that had acted, counted from the observing seat, and the
    # action.
    assert past[1].tolist() == [*first, 0, 1, *(float(cell == 4) for cell in range(9))]
    assert past[2].tolist() == [
        *state.observation_tensor(1), 1, 0, *(float(cell == 8) for cell in range(9))
    ]  # fmt: skip
    assert not past[0, size:].any()
    assert not past[3:].any()


def test_an_information_state_tensor_leaves_out_hidden_actions() -> None:
    game = spiel.load_game(example("simultaneous"), max_plies=4)
    rock, paper = (after(game.new_initial_state(), shape) for shape in (0, 1))
    assert rock.information_state_tensor(1) == paper.information_state_tensor(1)
    assert rock.information_state_tensor(0) != paper.information_state_tensor(0)
    first, second = (after(game.new_initial_state(), *shapes) for shapes in ((0, 5), (1, 3)))
    assert first.observation_tensor(0) == second.observation_tensor(0)
    assert first.information_state_tensor(0) != second.information_state_tensor(0)


@pytest.mark.slow
@pytest.mark.parametrize("source", GAMES, ids=title)
def test_every_game_with_a_maximum_length_has_information_state_tensors(source: str) -> None:
    game = spiel.load_game(source, max_plies=5)
    assert game.get_type().provides_information_state_tensor
    state, seats = decide_all(game.new_initial_state()), range(game.num_players())
    known: set[tuple[int, bytes]] = set()
    while not state.is_terminal():
        for seat in seats:
            past, size = past_of(state, seat), game.observation_tensor_size()
            assert past[state.node.ply, :size].tolist() == state.observation_tensor(seat)
            # No information is forgotten, so all positions of a match have different information
            # states.
            assert (seat, past.tobytes()) not in known
            known.add((seat, past.tobytes()))
        state = decide_all(after(state, state.legal_actions()[-1]))


@pytest.mark.parametrize(
    ("name", "chance"),
    [("tictactoe", False), ("simultaneous", False), ("kuhn_poker", True), ("pig", True)],
)
def test_a_game_is_deterministic_if_neither_setup_nor_actions_draw(name: str, chance: bool) -> None:
    game, modes = spiel.load_game(example(name)), pyspiel.GameType.ChanceMode
    mode = modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC
    assert game.get_type().chance_mode == mode
    assert bool(game.max_chance_outcomes()) == chance
    declared = spiel.load_game(example(name), chance=True)
    for same in (declared, pyspiel.load_game(str(declared)), pickle.loads(pickle.dumps(declared))):
        assert same.get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
    with pytest.raises(pyspiel.SpielError, match=r"chance=maybe: .*\byes or no\b"):
        pyspiel.load_game(f"{declared.name}(chance=maybe)")


@pytest.mark.parametrize(("name", "plies"), [("kuhn_poker", ()), ("pig", (0,))])
def test_a_draw_in_a_game_declared_without_chance_is_an_error(
    name: str, plies: tuple[int, ...]
) -> None:
    game = spiel.load_game(example(name), chance=False)
    with pytest.raises(pyspiel.SpielError, match=r"\[\]: .*\bchance=True\b"):
        after(game.new_initial_state(), *plies)


def test_a_resampled_state_looks_the_same_to_the_seat() -> None:
    game = spiel.load_game("examples/masks.py", max_plies=20)
    state, states = decide_all(game.new_initial_state()), set()
    state.apply_action(state.legal_actions()[0])
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for _ in range(20):
        other = state.resample_from_infostate(0, sampler)
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.information_state_tensor(0) == state.information_state_tensor(0)
        again = other.resample_from_infostate(0, sampler)
        assert again.information_state_string(0) == state.information_state_string(0)
        assert str(other.clone()) == str(other)
        states.add(str(other))
    assert len(states) > 1
    with pytest.raises(TypeError, match=r"\bhistory\b"):
        pickle.dumps(other)


@pytest.mark.slow
def test_the_ismcts_of_open_spiel_plays_a_match() -> None:
    game = spiel.load_game("examples/kuhn_poker.py")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(3))
    bots = [
        ismcts.ISMCTSBot(
            game=game,
            evaluator=evaluator,
            uct_c=1.5,
            max_simulations=20,
            random_state=np.random.RandomState(seat),
        )
        for seat in range(2)
    ]
    state = at_a_decision("examples/kuhn_poker.py")
    while not state.is_terminal():
        state.apply_action(int(bots[state.current_player()].step(state)))
    assert sum(state.returns()) == 0


def assert_refused(state: Any, action: int) -> None:
    """Check that a state refuses an action and does not change."""
    before = str(state), state.history()
    with pytest.raises(pyspiel.SpielError):
        state.apply_action(action)
    assert (str(state), state.history()) == before


@pytest.mark.parametrize("action", [0, 9, -1, 1000])
def test_an_illegal_action_is_an_error(action: int) -> None:
    state = after(spiel.load_game(example("tictactoe")).new_initial_state(), 0)
    assert_refused(state, action)
    assert after(state, 1).history() == [0, 1]


@pytest.mark.parametrize("action", [2, 5, 8])
def test_an_action_after_the_end_is_an_error(action: int) -> None:
    state = after(spiel.load_game(example("tictactoe")).new_initial_state(), 0, 3, 1, 4, 2)
    assert state.is_terminal()
    assert_refused(state, action)


@pytest.mark.parametrize("outcome", [3, -1, 128])
def test_an_invalid_chance_outcome_is_an_error(outcome: int) -> None:
    state = spiel.load_game(example("kuhn_poker")).new_initial_state()
    assert len(state.chance_outcomes()) == 3
    assert_refused(state, outcome)
