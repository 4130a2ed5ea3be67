"""A game as a Python game of OpenSpiel, with explicit chance.

    from tabletop.envs import spiel
    game = spiel.load_game("sorcery", max_plies=200)

All draws of rules go through `Stream.below`, so that each can be a chance node. An action is tried
on a copy of the state, with the draws that are decided; the first one beyond them ends the try, and
is the next chance node. One with more than `MOST_OUTCOMES` results is decided digit by digit.

Importing this module registers all installed games, for `pyspiel.load_game("tabletop_sorcery")`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, TypeAlias

from tabletop.host.extras import require

require("tabletop.envs.spiel", "envs", "pyspiel")

import numpy as np
import pyspiel
from numpy.typing import NDArray
from typing_extensions import override

from tabletop.envs.episodes import Episodes
from tabletop.errors import RegistryError, SeedError, TabletopError
from tabletop.registry import Plugin, installed, load
from tabletop.rng.stream import Stream
from tabletop.rng.streams import NamePart, StreamName, Streams
from tabletop.rules.events import ActionPlayed
from tabletop.rules.game import Table
from tabletop.rules.options import Options
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json

MOST_OUTCOMES: Final = 128
"""The most outcomes of a chance node."""

MAX_PLIES: Final = 10_000
"""The most actions of a match where nothing else is said: OpenSpiel knows no endless ones."""

_kinds: dict[str, type[SpielGame]] = {}  # what is registered, by name


def load_game(
    game: str | Plugin,
    *,
    seats: int | None = None,
    options: Options | None = None,
    max_plies: int = MAX_PLIES,
    points: tuple[float, float] | None = None,
    zero_sum: bool | None = None,
) -> Any:
    """Load a game as a `pyspiel.Game`.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        seats: the number of seats; the fewest the game allows when not given.
        options: the game's options that differ from their defaults.
        max_plies: end a match after so many actions, with returns of 0.
        points: the least and the most points of a seat. The returns are then points, and not
            `Outcome.returns`.
        zero_sum: whether returns always sum to 0; true when not given, unless they are points, or
            all play together.

    Raises:
        ContractError: the game does not list its actions, or its states have no bounds.
        OptionError: an option is unknown or out of range.
        RegistryError: there is no such game, or another one of its name is registered.
    """
    plugin = load(game) if isinstance(game, str) else game
    if zero_sum is None:
        zero_sum = points is None and not plugin.game.cooperative
    parameters = {
        "players": seats or plugin.game.seats[0],
        "options": ";".join(f"{name}:{value}" for name, value in (options or {}).items()),
        "max_plies": max_plies,
        "points": "" if points is None else f"{points[0]}:{points[1]}",
        "zero_sum": zero_sum,
    }
    return pyspiel.load_game(register(plugin), parameters)


def register(plugin: Plugin) -> str:
    """Register a game with OpenSpiel; return its name there, `tabletop_` and its own.

    Raises:
        RegistryError: another game of its name is registered.
    """
    name = f"tabletop_{plugin.game.name.replace('-', '_')}"
    if name not in _kinds:
        # A class for each: OpenSpiel lets go of what it holds when there is no Python any more.
        _kinds[name] = type("SpielGame", (SpielGame,), {"plugin": plugin, "name": name})
        kind = _kinds[name].kind(zero_sum=not plugin.game.cooperative)
        pyspiel.register_game(kind, _kinds[name])
    elif (other := _kinds[name].plugin.source) != plugin.source:
        raise RegistryError(f"{plugin.source}: {name} is registered already, for {other}")
    return name


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with a number of seats and options; `load_game` makes one."""

    plugin: ClassVar[Plugin]
    name: ClassVar[str]

    def __init__(self, given: Mapping[str, Any]) -> None:
        known = {option.name: option for option in self.plugin.game.options}
        pairs = (text.partition(":") for text in given["options"].split(";") if text)
        self.episodes: Episodes = Episodes(
            self.plugin,
            seats=given["players"],
            options={it: known[it].parse(text) if it in known else text for it, _, text in pairs},
            points=bool(given["points"]),
            max_plies=given["max_plies"],
        )
        low, high = map(float, (given["points"] or "-1:1").split(":"))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.episodes.index.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.episodes.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if given["zero_sum"] else None,
            max_game_length=given["max_plies"],
        )
        super().__init__(self.kind(zero_sum=given["zero_sum"]), info, dict(given))
        self._root = Node(self.episodes)

    def __deepcopy__(self, memo: object) -> SpielGame:
        return self  # a copy of a state is of the same game

    def __reduce__(self) -> Any:
        """Return what loads the game in another process: where it is found, and its parameters."""
        source = self.plugin.source
        place = str(Path(source).resolve()) if source.endswith(".py") else source
        return _reload, (place, dict(self.get_parameters()))

    @classmethod
    def kind(cls, *, zero_sum: bool) -> Any:
        """Return what OpenSpiel wants to know of a game."""
        kind, game = pyspiel.GameType, cls.plugin.game
        utility = kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM
        if game.cooperative:
            utility = kind.Utility.IDENTICAL
        return kind(
            short_name=cls.name,
            long_name=game.title or game.name,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
            information=getattr(
                kind.Information, "IM" * game.hides_something + "PERFECT_INFORMATION"
            ),
            utility=utility,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=game.seats[-1],
            min_num_players=game.seats[0],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                "players": game.seats[0],
                "max_plies": MAX_PLIES,
                "zero_sum": True,
                "options": "",
                "points": "",
            },
        )

    @override
    def new_initial_state(self) -> SpielState:
        return SpielState(self, self._root)

    @override
    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        return Observer(self.episodes, recalls=kind is not None and kind.perfect_recall)


def _reload(source: str, parameters: Mapping[str, Any]) -> Any:
    """Load a game that was pickled."""
    return pyspiel.load_game(register(load(source)), dict(parameters))


def _replay(game: SpielGame, history: Sequence[int]) -> SpielState:
    """Play the actions, and the outcomes of chance, of a state that was pickled."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A point of a match: a decision, a draw of the rules, or the end."""

    def __init__(self, game: SpielGame, node: Node) -> None:
        super().__init__(game)
        self.node: Node = node
        self._game = game

    def __reduce__(self) -> Any:
        """Return what replays the state in another process; an imagined one has no history."""
        if self.node.is_imagined:
            raise TypeError(
                "a state of resample_from_infostate cannot be pickled: nobody played it"
            )
        return _replay, (self._game, self.history())

    @override
    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> SpielState:
        """Return a state that `player` cannot tell from this one, as `Game.redeal` deals it.

        Args:
            player: the seat whose view stays as it is.
            sampler: returns a random number, from 0.0 to below 1.0, each time.
        """
        if self.node.span:
            raise pyspiel.SpielError("resample_from_infostate: this is a draw, and no decision")
        return SpielState(self._game, self.node.imagine(player, int(sampler() * 2**53)))

    @override
    def information_state_tensor(self, player: Seat | None = None) -> NoReturn:
        """Raise `pyspiel.SpielError`: there are strings, and no tensors, of all that was told."""
        raise pyspiel.SpielError(
            "there is no information_state_tensor of this game: see information_state_string, and"
            " observation_tensor"
        )

    @override
    def current_player(self) -> int:
        if self.node.span:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.node.to_act[0]

    @override
    def is_terminal(self) -> bool:
        node = self.node
        return not node.span and (not node.to_act or node.ply >= node.episodes.max_plies)

    @override
    def returns(self) -> list[float]:
        return self.node.returns

    @override
    def chance_outcomes(self) -> list[tuple[int, float]]:
        span, step = self.node.span, _step(self.node.span)
        return [(at, min(step, span - at * step) / span) for at in range(-(-span // step))]

    def _legal_actions(self, player: Seat) -> list[int]:
        episodes, state = self.node.episodes, self.node.state
        return sorted(map(episodes.index.index, episodes.game.legal_actions(state, player)))

    def _apply_action(self, action: int) -> None:
        self.node = _child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        is_chance = player == pyspiel.PlayerId.CHANCE
        return f"draw {action}" if is_chance else str(self.node.episodes.index.action(action))

    def __str__(self) -> str:
        node, decided = self.node, self.node.decided
        state = "" if decided is None else to_json(decided.state).decode()
        return state + (f" {node.action} {node.draws} /{node.span}" if node.span else "")


class Observer:
    """Tells a seat what it sees, as a tensor and as JSON; or, `recalls`, with a hash of its past.

    While the setup is not complete, there is nothing to see.
    """

    def __init__(self, episodes: Episodes, *, recalls: bool) -> None:
        self._encoder, self._recalls = episodes.encoder, recalls
        self.tensor: NDArray[np.float32] | None
        self.tensor = None if recalls else np.zeros(episodes.encoder.size, np.float32)
        self.dict: dict[str, Any] = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Write what a seat sees into `tensor`."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if (node := state.node.decided) is not None:
            self._encoder.encode(node.view(player), player, self.tensor)

    def string_from(self, state: SpielState, player: Seat) -> str:
        """Return what a seat sees, or sees and recalls."""
        if (node := state.node.decided) is None:
            return ""
        seen = to_json(node.view(player)).decode()
        return f"{seen} {node.recall(player)}" if self._recalls else seen


class Node:
    """A point of a match: that `before` it, an action there, and the draws decided since then.

    It has a state, or is a draw of which `span` results are left. Copies of a state share it.
    """

    def __init__(
        self,
        episodes: Episodes,
        before: Node | None = None,
        action: int = 0,
        draws: tuple[int, ...] = (),
    ) -> None:
        self.episodes: Episodes = episodes
        self.before: Node | None = before
        self.action: int = action
        self.draws: tuple[int, ...] = draws
        self.span: int = 0
        self.is_imagined: bool = before is not None and before.is_imagined
        self._recalled: dict[Seat, str] = {}
        self.state: Any = None
        self.to_act: Sequence[Seat] = ()
        self.ply: int = 0 if before is None else before.ply
        try:
            self.state = self._play(watched=False)[0]
        except _Undecided as draw:
            self.span = draw.span
        else:
            self.ply += before is not None
            self.to_act = episodes.game.to_act(self.state)

    def _play(self, *, watched: bool) -> tuple[Any, Table]:
        """Play the action, or the setup, with the draws that are decided."""
        episodes, before = self.episodes, self.before
        self.facts: dict[Any, int] = {} if before is None else before.facts.copy()
        table = Table(_DecidedStreams(_decider(self.draws, self.facts)))
        table.watch(watched)
        if before is None:
            return episodes.game.setup(episodes.options, episodes.seats, table.rng), table
        state = before.state.clone()
        episodes.game.apply(state, episodes.index.action(self.action), table)
        return state, table

    def imagine(self, seat: Seat, seed: int) -> Node:
        """Return a point that a seat cannot tell from this one, at a decision or the end."""
        # Not by `__init__`, which plays the action: that leads to the real state again.
        node = object.__new__(Node)
        vars(node).update(vars(self), is_imagined=True, before=None)
        chance = Streams(seed)["imagined"]
        node.state = self.episodes.game.redeal(self.state, seat, chance)
        node._recalled = {seat: self.recall(seat)}
        # Cached, and of the real state.
        vars(node).pop("returns", None)
        return node

    def __deepcopy__(self, memo: object) -> Node:
        return self

    @property
    def decided(self) -> Node | None:
        """The node itself, or the one before where it waits for a draw; None in the setup."""
        return self.before if self.span else self

    @cached_property
    def returns(self) -> list[float]:
        """What the match was worth to each seat; zeros before its end."""
        is_over = not self.span and not self.to_act
        outcome = self.episodes.game.outcome(self.state) if is_over else None
        return list(self.episodes.rewards(outcome))

    def view(self, seat: Seat) -> Any:
        """Return the view of a seat, at a node that is decided."""
        return self.episodes.game.glance(self.state, seat)

    def recall(self, seat: Seat) -> str:
        """Return a hash of all that a seat was shown and told up to here."""
        path: list[Node] = [self]
        while seat not in path[-1]._recalled and (before := path[-1].before) is not None:
            path.append(before)
        for node in reversed(path):
            if seat not in node._recalled:
                told = [to_json(node.view(seat)), *node._recall_last_action(seat)]
                node._recalled[seat] = blake2b(repr(told).encode(), digest_size=8).hexdigest()
        return self._recalled[seat]

    def _recall_last_action(self, seat: Seat) -> list[object]:
        """Return what a seat recalled before the last action, and was told of that."""
        if (before := self.before) is None:
            return []
        state, table = self._play(watched=True)
        action, see = self.episodes.index.action(self.action), self.episodes.game.view_event
        events = ActionPlayed(self.ply, before.to_act[0], action), *table.events
        return [before._recalled[seat], *(see(event, state, seat) for event in events)]


@lru_cache(maxsize=1 << 12)  # searches come by the same nodes again and again
def _child(node: Node, number: int) -> Node:
    """Return the node after an action, or after an outcome of chance."""
    if node.span:
        return Node(node.episodes, node.before, node.action, (*node.draws, number))
    return Node(node.episodes, node, number)


def _step(span: int) -> int:
    """Return how many results of a draw an outcome stands for: 1, or a power of the most."""
    step = 1
    while -(-span // step) > MOST_OUTCOMES:
        step *= MOST_OUTCOMES
    return step


class _Undecided(BaseException):
    """A draw that is not decided; no `except Exception` of rules may stop it."""

    def __init__(self, span: int) -> None:
        self.span = span


_Draw: TypeAlias = Callable[[int, object], int]


def _decider(draws: Sequence[int], facts: dict[Any, int]) -> _Draw:
    """Return what makes draws: the next that is decided, for a fact of a place always the same."""
    left = iter(draws)

    def draw(bound: int, fact: object) -> int:
        if fact in facts:
            return facts[fact]
        low, span = 0, bound
        while span > 1:
            if (digit := next(left, None)) is None:
                raise _Undecided(span)
            step = _step(span)
            low, span = low + digit * step, min(step, span - digit * step)
        if fact is not None:
            facts[fact] = low
        return low

    return draw


class _DecidedStreams(Streams):
    """Streams whose draws are decided beforehand."""

    def __init__(self, draw: _Draw, family: tuple[StreamName, ...] = ()) -> None:
        super().__init__("")
        self._draw, self._family = draw, family

    @override
    def __getitem__(self, name: StreamName) -> Stream:
        return _DecidedStream(self._draw)

    @override
    def at(self, name: str, *coordinates: NamePart) -> Stream:
        return _DecidedStream(self._draw, (self._family, name, coordinates))

    @override
    def child(self, name: StreamName) -> Streams:
        return _DecidedStreams(self._draw, (*self._family, name))

    @override
    def install(self, name: StreamName, stream: Stream) -> NoReturn:
        raise TabletopError(f"the rules install a stream {name!r}, whose probabilities are unknown")


class _DecidedStream(Stream):
    """A stream whose draws are decided beforehand; of a place, if there is one."""

    offset = 0

    def __init__(self, draw: _Draw, place: object = None) -> None:
        self._draw, self._place = draw, place

    @override
    def copy(self) -> NoReturn:
        raise TabletopError("the rules copy a stream: their draws cannot be chance nodes")

    @override
    def below(self, bound: int) -> int:
        if bound < 1:
            raise SeedError(f"below({bound}): the bound must be at least 1")
        fact = None if self._place is None else (self._place, self.offset, bound)
        self.offset += 1
        return self._draw(bound, fact)


for _name in installed():
    with suppress(TabletopError):  # one that cannot be loaded says so when it is asked for
        register(load(_name))
