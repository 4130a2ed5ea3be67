"""Text environments for language models, with TextArena's own wrappers and agents.

TextArena is imported when a test needs it, because this takes a second.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tabletop import TabletopError
from tabletop.states import to_json
from tests.tabletop.envs.games_to_learn import every_game, example

if TYPE_CHECKING:
    from tabletop.envs.text import Env

pytestmark = pytest.mark.slow

TICTACTOE = example("tictactoe")
KUHN = example("kuhn_poker")


def make_env(game: str = TICTACTOE, **settings: Any) -> Env:
    """Return an environment."""
    from tabletop.envs.text import Env

    return Env(game, **settings)


def env_of(game: str = TICTACTOE, seed: int = 1, players: int = 2, **settings: Any) -> Env:
    """Return an environment with a match that has begun."""
    env = make_env(game, **settings)
    env.reset(players, seed)
    return env


def messages(env: Env, kind: str) -> list[str]:
    """Return the texts of one type in the observation of the player to act."""
    return [content for _, content, it in env.get_observation()[1] if it.name == kind]


class Chooser:
    """An agent that chooses one of the listed actions, and explains it at length."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, observation: str) -> str:
        listed = re.findall(
            r"^\[(.+)\](?:, and (\d+)(?: to \d+)? of: (.*))?$",
            observation.rpartition("Legal actions:")[2],
            re.MULTILINE,
        )
        words, number, items = self._random.choice(listed)
        chosen = self._random.sample(items.split(), int(number or 0))
        move = " ".join([words, *chosen])
        return f"I have thought about it.\nMy move is [{move}]. Good luck!"


@pytest.mark.long
@every_game
def test_agents_play_every_game_with_the_wrapper_of_textarena(game: str) -> None:
    import textarena

    inner = make_env(game, max_plies=30)
    env = textarena.wrappers.LLMObservationWrapper(inner)
    players = inner.plugin.game.seats[0]
    env.reset(num_players=players, seed=5)
    agents = [Chooser(seat) for seat in range(players)]
    done = False
    while not done:
        seat, observation = env.get_observation()
        done, info = env.step(agents[seat](observation))
        assert "refused" not in info
    rewards, infos = env.close()
    assert sorted(rewards) == sorted(infos) == list(range(players))


@pytest.mark.parametrize(
    "wrapper", ["GameBoardObservationWrapper", "GameMessagesAndCurrentBoardObservationWrapper"]
)
def test_wrappers_that_select_messages_show_the_position_and_the_actions(wrapper: str) -> None:
    import textarena

    env = getattr(textarena.wrappers, wrapper)(make_env())
    env.reset(num_players=2, seed=1)
    _, observation = env.get_observation()
    assert "[1]" in observation


def test_registered_games_are_made_by_name() -> None:
    import textarena

    make_env()
    env = textarena.make("tabletop-lcr")
    env.reset(num_players=3, seed=1)
    assert env.step("[roll]") == (False, {"action": "roll"})


def test_the_rules_are_sent_once_to_each_player() -> None:
    env = env_of("lcr", players=3)
    told = [len(messages(env, "PROMPT"))]
    for _ in range(6):
        env.step("[roll]")
        told.append(len(messages(env, "PROMPT")))
    assert sum(told) == 3


def test_an_observation_contains_the_events_since_the_last_turn_of_the_player() -> None:
    env = env_of()
    env.get_observation()
    env.step("[1]")
    env.get_observation()
    env.step("[5]")
    played = messages(env, "GAME_ACTION_DESCRIPTION")
    assert [line[-1] for line in played] == ["1", "5"]


def test_a_refusal_returns_the_reason_to_the_same_player_and_is_counted() -> None:
    env = env_of()
    env.step("[1]")
    env.get_observation()
    done, info = env.step("The same square. [1]")
    assert (done, env.state.current_player_id) == (False, 1)
    assert info["refused"] in messages(env, "GAME_ADMIN")[0]
    assert [it["refused"] for it in env.state.game_info.values()] == [0, 1]


def test_the_action_of_an_answer_is_the_last_one_in_brackets() -> None:
    env = env_of()
    _, info = env.step("At first I considered [3], but I play [7].")
    assert info["action"] == "7"


def test_an_answer_without_brackets_may_be_the_action_alone() -> None:
    env = env_of()
    assert env.step("  7\n") == (False, {"action": "7"})


@pytest.mark.parametrize("answer", ["", "\n \n", "[99]", "x" * 1_000_000, "[" * 1_000_000, "\0[]"])
def test_an_answer_without_an_action_is_refused_and_changes_nothing(answer: str) -> None:
    env = env_of()
    assert "refused" in env.step(answer)[1]
    assert env.match.ply == 0


def test_a_player_with_too_many_refused_answers_loses() -> None:
    env = env_of(refusals=1)
    env.step("?")
    done, _ = env.step("?")
    assert (done, env.close()[0]) == (True, {0: -1.0, 1: 1.0})


def test_a_legal_action_forgives_refused_answers_before_it() -> None:
    env = env_of(refusals=1)
    for action in ("[1]", "[2]", "[3]"):
        env.step("?")
        assert not env.step(action)[0]


def test_a_random_action_can_replace_refused_answers() -> None:
    env = env_of(refusals=0, penalty="random")
    done, info = env.step("?")
    assert (done, env.match.ply, info["action"]) == (False, 1, str(env.match.actions[0]))


def test_a_refused_answer_can_be_an_error() -> None:
    env = env_of(refusals=0, penalty="error")
    with pytest.raises(TabletopError):
        env.step("?")


def test_the_same_seed_and_answers_give_the_same_observations() -> None:
    def transcript() -> Iterator[object]:
        env, agent = env_of("sorcery", refusals=0, penalty="random"), Chooser(3)
        for turn in range(20):
            _, observation = env.get_observation()
            yield [content for _, content, _ in observation]
            env.step("?" if turn % 5 == 4 else agent(observation[-1][1]))

    assert list(transcript()) == list(transcript())


def test_a_match_that_reaches_the_limit_has_no_winner() -> None:
    env = env_of(max_plies=2)
    env.step("[1]")
    done, _ = env.step("[2]")
    assert (done, env.close()[0]) == (True, {0: 0.0, 1: 0.0})


def test_positions_and_events_can_be_json() -> None:
    env = env_of(KUHN, form="json")
    env.step(f"[{env.match.legal_actions()[0]}]")
    seat, observation = env.get_observation()
    by_kind = {kind.name: content for _, content, kind in observation}
    position = json.loads(by_kind["GAME_BOARD"].partition("\n\n")[0])
    assert position == json.loads(to_json(env.match.view(seat)))
    assert json.loads(by_kind["GAME_ACTION_DESCRIPTION"])["type"] == "ActionPlayed"


def test_without_a_list_of_actions_the_commands_of_the_game_are_explained() -> None:
    env = env_of("sorcery", lists_actions=False)
    assert env.plugin.game.commands is not None
    usages = [command.usage for command in env.plugin.game.commands.commands]
    _, observation = env.get_observation()
    told = "\n".join(content for _, content, _ in observation)
    assert "Legal actions" not in told
    assert all(usage in told for usage in usages)


@pytest.mark.parametrize("wrong", [{"form": "xml"}, {"penalty": "cry"}, {"max_plies": 0}])
def test_a_wrong_argument_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        make_env(**wrong)


def test_a_wrong_number_of_players_is_an_error() -> None:
    with pytest.raises(ValueError, match="3"):
        env_of(players=3)


def test_a_step_before_the_first_reset_is_an_error() -> None:
    with pytest.raises(TabletopError, match="reset"):
        make_env().step("[1]")


def test_a_step_after_the_end_is_an_error() -> None:
    env = env_of(max_plies=1)
    env.step("[1]")
    with pytest.raises(TabletopError, match="reset"):
        env.step("[2]")
