"""A game behind a server of OpenEnv, played with the client of that library over a real socket.

The library is imported when a test needs it, because this takes five seconds. For the same reason,
`make test` leaves out these tests. `test_text.py` tests the same environment without the library.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from tabletop import TabletopError
from tabletop.registry import installed
from tests.tabletop.envs.games_to_learn import VARIED, example, title
from tests.tabletop.listed_actions import first_action

pytestmark = [pytest.mark.slow, pytest.mark.matrix]


@pytest.fixture(scope="session")
def openenv() -> Any:
    """Return the module, which imports the library."""
    from tabletop.envs import openenv

    return openenv


@contextmanager
def client_of(game: str, **settings: Any) -> Iterator[Any]:
    """Serve a game on a free port, and connect a client."""
    from openenv.core import GenericEnvClient

    from tabletop.envs import openenv

    config = uvicorn.Config(openenv.app(game, **settings), port=0, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        with GenericEnvClient(base_url=f"ws://127.0.0.1:{port}").sync() as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("game", [*installed(), *VARIED], ids=title)
def test_a_client_of_openenv_plays_a_match_against_bots(game: str) -> None:
    with client_of(game, bots="random", max_plies=60) as client:
        result, steps = client.reset(seed=3), 0
        while not result.done:
            listed = result.observation["text"].rpartition("Legal actions:")[2]
            answer = f"I answer {first_action(listed)}"
            result, steps = client.step({"answer": answer}), steps + 1
            assert "refused" not in result.observation.get("metadata", {})
        assert steps
        assert -1 <= result.reward <= 1
        assert client.state()["step_count"] == steps


def test_a_refused_answer_has_a_reason_and_the_match_continues() -> None:
    with client_of(example("tictactoe"), bots="random") as client:
        client.reset(seed=1)
        result = client.step({"answer": "hm"})
        assert not result.done
        assert "Refused" in result.observation["text"]


def test_the_same_seed_gives_the_same_observation(openenv: Any) -> None:
    first, second = (openenv.TextEnvironment("sorcery", bots="random") for _ in range(2))
    assert first.reset(seed=5) == second.reset(seed=5)


def test_a_step_after_the_end_is_an_error(openenv: Any) -> None:
    env = openenv.TextEnvironment("lcr", bots="random", max_plies=1)
    env.reset(seed=1)
    env.step(openenv.TextAction(answer="roll"))
    with pytest.raises(TabletopError, match="reset"):
        env.step(openenv.TextAction(answer="roll"))


def test_a_wrong_seat_is_an_error_before_the_server_starts(openenv: Any) -> None:
    with pytest.raises(ValueError, match="seat 3"):
        openenv.app("sorcery", seat=2)
