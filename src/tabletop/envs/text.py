"""A game as a text environment for language models, with the interface of TextArena.

    from tabletop.envs import text
    env = text.Env("harbour.py")
    env.reset(num_players=4, seed=7)
    seat, observation = env.get_observation()
    done, info = env.step("I draw a card. [draw]")

An observation is a list of messages: the sender, the text, and the type of the observation. The
first message contains the rules. The last message of a turn has the position, the question and the
legal actions. TextArena's wrappers and agents can be used with these environments.

Importing this module registers all installed games as `tabletop-NAME`, for `textarena.make`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from tabletop.host.extras import require

require("tabletop.envs.text", "llm", "textarena")

import textarena
from textarena import GAME_ID, ObservationType
from typing_extensions import override

from tabletop.display.briefing import Briefing, Form, refusal
from tabletop.envs.episodes import Playing, episode_over
from tabletop.errors import TabletopError
from tabletop.match.match import Match
from tabletop.match.match_view import seat_names
from tabletop.match.players import AnyPlayer, Random
from tabletop.registry import Plugin, installed, load
from tabletop.rng.phrases import fresh_phrase
from tabletop.rules.events import ALL
from tabletop.rules.options import Options
from tabletop.states.bounds import Seat

Penalty = Literal["lose", "random", "error"]
"""The consequence of too many refused answers in a row."""

_PENALTIES: Final = get_args(Penalty)


class Env(Playing, textarena.Env):
    """A match in words, for one language model per seat.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        options: Options of the game that differ from their defaults.
        form: `words` for the texts that people read, `json` for positions and events as JSON.
        lists_actions: Whether an observation lists the legal actions.
        refusals: Number of refused answers in a row that a player may correct.
        penalty: What happens after one more refused answer. `lose`: the match ends, and the player
            loses. `random`: a random action is played. `error`: `step` raises the refusal.
        max_plies: Number of actions after which a match ends with rewards of 0, or None for no
            limit.

    Attributes:
        state: The messages and results of the match, for the wrappers of TextArena.

    Raises:
        OptionError: An option is unknown or out of range.
        RegistryError: The game is not found.
        ValueError: `form`, `penalty` or `max_plies` is out of range.
    """

    state: textarena.State

    def __init__(
        self,
        game: str | Plugin,
        *,
        options: Options | None = None,
        form: Form = "words",
        lists_actions: bool = True,
        refusals: int = 1,
        penalty: Penalty = "lose",
        max_plies: int | None = None,
    ) -> None:
        if form not in {"words", "json"}:
            raise ValueError(f"form must be words or json, not {form!r}")
        if penalty not in _PENALTIES:
            raise ValueError(f"penalty must be one of {', '.join(_PENALTIES)}, not {penalty!r}")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies must be at least 1, not {max_plies}")
        self.plugin: Plugin = load(game) if isinstance(game, str) else game
        self.options: Options = self.plugin.game.resolve_options(options or {})
        self.env_id: str = f"tabletop-{self.plugin.game.name}"
        self._form, self._lists_actions = form, lists_actions
        self._refusals, self._penalty, self._max_plies = refusals, penalty, max_plies

    @override
    def reset(self, num_players: int, seed: int | str | None = None) -> None:
        """Begin a match, which `tabletop play --seed` plays with the same seed.

        Raises:
            ValueError: The game does not allow this number of players.
        """
        names = seat_names(self.plugin.game, num_players)
        match = Match(
            self.plugin.game,
            seed=fresh_phrase() if seed is None else seed,
            seats=names,
            options=self.options,
        )
        self._match = match
        self._refused = 0
        state = textarena.State(num_players)
        state.standard_resets(game_state={}, role_mapping=dict(enumerate(names)))
        for info in state.game_info.values():
            info["refused"] = 0
        self.state = state
        self._briefings = [
            Briefing(
                match,
                self.plugin.text,
                self.plugin.rules,
                seat,
                form=self._form,
                lists_actions=self._lists_actions,
            )
            for seat in range(num_players)
        ]
        for seat, briefing in enumerate(self._briefings):
            self._tell(seat, briefing.introduction, ObservationType.PROMPT)
        self._go_on()

    @override
    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the action in an answer, or refuse it with a message to the same player.

        Returns:
            Whether the match is over, and information about the step: `refused` is the reason for a
            refusal, and `action` the text of the action that was played.

        Raises:
            TabletopError: The match is over, or the answer is refused and `penalty` is `error`.
        """
        match, state = self.match, self.state
        if state.done:
            raise episode_over()
        seat = state.current_player_id
        self._tell(seat, action, ObservationType.PLAYER_ACTION, sender=seat)
        try:
            choice = self._briefings[seat].read(action)
        except TabletopError as error:
            self._refused += 1
            state.game_info[seat]["refused"] += 1
            state.step_info["refused"] = str(error)
            if self._refused <= self._refusals:
                self._tell(seat, refusal(error), ObservationType.GAME_ADMIN)
                return self._close_step()
            if self._penalty == "error":
                raise
            if self._penalty == "lose":
                self._end_by_refusal(seat, str(error))
                return self._close_step()
            choice = match.step(seat, Random(match.bot_stream(seat)))
        else:
            match.play(choice)
        state.step_info["action"] = str(choice)
        state.game_info[seat]["turn_count"] += 1
        self._go_on()
        return self._close_step()

    def step_by(self, player: AnyPlayer[Any, Any]) -> bool:
        """Let a bot choose, like `Match.step`, and return whether the match is over."""
        seat = self.state.current_player_id
        self.match.step(seat, player)
        self.state.game_info[seat]["turn_count"] += 1
        self._go_on()
        return self._close_step()[0]

    def get_board_str(self) -> str:
        """Return the position with all hidden information, for the render wrappers of TextArena."""
        match = self.match
        return self.plugin.text.position(match.state, match.names, ALL)

    def _go_on(self) -> None:
        """Tell the players the events, and describe the position to the next player."""
        match, state = self.match, self.state
        self._refused = 0
        for seat, briefing in enumerate(self._briefings):
            for told in briefing.events():
                action = ObservationType.GAME_ACTION_DESCRIPTION
                kind = action if told.is_action else ObservationType.GAME_MESSAGE
                self._tell(seat, told.text, kind)
        if match.over:
            outcome = match.outcome
            rewards = [0.0] * match.seats if outcome is None else outcome.returns
            reason = "" if outcome is None else self.plugin.text.outcome(outcome, match.names)
            self._end(rewards, reason)
        elif self._max_plies is not None and match.ply >= self._max_plies:
            self._end([0.0] * match.seats, f"the limit of {self._max_plies} actions was reached")
        else:
            seat = match.to_act[0]
            state.current_player_id = seat
            self._tell(seat, self._briefings[seat].turn(), ObservationType.GAME_BOARD)

    def _close_step(self) -> tuple[bool, dict[str, Any]]:
        """Return whether the match is over, and the information about the step."""
        done, info = self.state.step()
        return bool(done), dict(info)

    def _end_by_refusal(self, seat: Seat, reason: str) -> None:
        """End the match with a loss for a seat."""
        others = self.match.seats - 1
        rewards = [-1.0 if it == seat else 1 / others for it in range(self.match.seats)]
        self.state.game_info[seat]["invalid_move"] = True
        self._end(rewards, f"{self.match.names[seat]}: {reason}")

    def _end(self, rewards: Any, reason: str) -> None:
        state = self.state
        state.done = True
        state.rewards = dict(enumerate(rewards))
        for info in state.game_info.values():
            info["reason"] = reason
        for briefing in self._briefings:
            briefing.close()

    def _tell(self, seat: Seat, text: str, kind: Any, sender: int = GAME_ID) -> None:
        self.state.add_observation(text, kind, from_id=sender, to_id=seat)


for _name in installed():  # this does not load the games
    textarena.register(f"tabletop-{_name}", "tabletop.envs.text:Env", game=_name)
