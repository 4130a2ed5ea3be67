"""A game served to trainers by the library `openenv`: one learner, and bots on the other seats.

    import uvicorn
    from tabletop.envs import openenv
    uvicorn.run(openenv.app("sorcery", bots="random"))

A client of OpenEnv sends `{"answer": "... [play 3]"}` and receives an observation in words.
"""

from __future__ import annotations

from typing import Any

from tabletop.host.extras import require

require("tabletop.envs.openenv", "llm", "openenv")

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from typing_extensions import override

from tabletop.envs.text import Env
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat
from tabletop.wording import no_seat

MOST_SESSIONS = 64
"""Maximum number of matches that clients play at the same time."""


class TextAction(Action):
    """An answer of a language model.

    Attributes:
        answer: The whole answer. Its last text in square brackets is the action.
    """

    answer: str


class TextObservation(Observation):
    """Everything that has happened since the last answer of the learner.

    `reward` is 0 until the end of the match. `metadata` contains `refused`, the reason if the last
    answer was refused, and at the end `result`, the outcome in words.

    Attributes:
        text: The rules (at the beginning), the events, the position, the question, and the legal
            actions.
        seat: The seat of the learner.
    """

    text: str
    seat: int


class TextEnvironment(Environment[TextAction, TextObservation, State]):
    """The matches of one client.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        seats: Number of seats. By default, the smallest number that the game allows.
        seat: The seat of the learner.
        bots: The bot that plays the other seats. By default, the best bot of the game.
        settings: The other arguments of `tabletop.envs.text.Env`.

    Raises:
        RegistryError: The game is not found.
        ValueError: The game does not have this seat.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str | Plugin,
        *,
        seats: int | None = None,
        seat: Seat = 0,
        bots: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self._env = Env(game, **settings)
        self._plugin = self._env.plugin
        self._seats = seats or self._plugin.game.seats[0]
        if not 0 <= seat < self._seats:
            raise ValueError(no_seat(seat, self._seats))
        self._seat, self._bot = seat, bots or self._plugin.best_bot
        self._state = State()

    @override
    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **given: Any
    ) -> TextObservation:
        self._env.reset(self._seats, seed)
        match = self._env.match
        self._bots = {
            seat: self._plugin.bot(self._bot, match.bot_stream(seat), seat)
            for seat in range(match.seats)
            if seat != self._seat
        }
        self._state = State(episode_id=episode_id)
        return self._observe(self._play_on(), {})

    @override
    def step(
        self, action: TextAction, timeout_s: float | None = None, **given: Any
    ) -> TextObservation:
        done, info = self._env.step(action.answer)
        self._state.step_count += 1
        return self._observe(done or self._play_on(), info)

    @property
    @override
    def state(self) -> State:
        return self._state

    def _play_on(self) -> bool:
        """Let the bots play until the learner is to act. Return whether the match is over."""
        while not self._env.state.done:
            seat = self._env.state.current_player_id
            if seat == self._seat:
                return False
            self._env.step_by(self._bots[seat])
        return True

    def _observe(self, done: bool, info: dict[str, Any]) -> TextObservation:
        state = self._env.state
        messages, state.observations[self._seat] = state.observations[self._seat], []
        text = "\n\n".join(content for sender, content, _ in messages if sender != self._seat)
        reward = state.rewards[self._seat] if done else 0.0
        metadata = {"refused": info["refused"]} if "refused" in info else {}
        if done:
            metadata["result"] = state.game_info[self._seat]["reason"]
        return TextObservation(
            text=text, seat=self._seat, reward=reward, done=done, metadata=metadata
        )


def app(game: str | Plugin, **settings: Any) -> Any:
    """Return a web application for `uvicorn`, in which each client plays matches of its own.

    The arguments are those of `TextEnvironment`.
    """
    TextEnvironment(game, **settings)  # raises errors before the server starts
    return create_app(
        lambda: TextEnvironment(game, **settings),
        TextAction,
        TextObservation,
        env_name="tabletop",
        max_concurrent_envs=MOST_SESSIONS,
    )
