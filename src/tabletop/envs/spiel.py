"""A game as a Python game of OpenSpiel, with explicit chance nodes.

    from tabletop.envs import spiel
    game = spiel.load_game("sorcery", max_plies=200)

All random draws of the rules call `Stream.below`, so each draw can become a chance node. An action
is played on a copy of the state, with the draws that are already decided. The first undecided draw
stops the action and becomes the next chance node. A draw with more than `MOST_OUTCOMES` results is
split into several chance nodes, one per digit.

The information of a seat is available in four forms. `observation_tensor` and `observation_string`
contain its view. `information_state_tensor` and `information_state_string` contain everything that
the seat has seen so far. The information state tensor has a row for each ply, so its size depends
on `max_plies`, which is therefore required.

A game needs neither `all_actions` nor bounds of its values. Without `all_actions`, the number of an
action is its position among the legal actions, so it has another meaning in another position.
Without both, there are no tensors.

Importing this module registers all installed games, for `pyspiel.load_game("tabletop_sorcery")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from tabletop.envs.spiel_structs import ActionStruct, ObservationStruct, StateStruct, action_struct
from tabletop.errors import RegistryError, SeedError, TabletopError
from tabletop.match.contract_errors import no_legal_action
from tabletop.registry import Plugin, installed, load
from tabletop.rng.stream import Stream
from tabletop.rng.streams import NamePart, StreamName, Streams
from tabletop.rules.events import ActionPlayed
from tabletop.rules.game import Table
from tabletop.rules.options import Options
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json

MOST_OUTCOMES: Final = 128
"""Maximum number of outcomes of a chance node."""

MOST_ACTIONS: Final = 4096
"""Maximum number of legal actions in a position of a game without `all_actions`."""

MAX_PLIES: Final = 10_000
"""Default maximum number of actions per match. OpenSpiel requires a maximum length."""

_TRIALS: Final = 8  # number of matches that are played to detect draws, if `chance` is not given
_TRIAL_PLIES: Final = 200  # maximum number of actions in each of these matches

_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)

_CHANCES: Final[dict[str, bool | None]] = {"": None, "yes": True, "no": False}
"""Values of the parameter `chance`: unknown, or whether the rules draw random numbers."""

_kinds: dict[str, type[SpielGame]] = {}  # the registered classes, by name


def load_game(
    game: str | Plugin,
    *,
    seats: int | None = None,
    options: Options | None = None,
    max_plies: int = MAX_PLIES,
    points: tuple[float, float] | None = None,
    zero_sum: bool | None = None,
    chance: bool | None = None,
) -> Any:
    """Load a game as a `pyspiel.Game`.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        seats: Number of seats. By default, the smallest number that the game allows.
        options: Options of the game that differ from their defaults.
        max_plies: Number of actions after which a match ends with returns of 0. With a limit below
            `MAX_PLIES`, information states have a tensor, with `max_plies` + 1 rows, if the game
            has tensors.
        points: Minimum and maximum points of a seat. The returns are then points instead of
            `Outcome.returns`.
        zero_sum: Whether returns always sum to 0. True by default, unless `points` is given or the
            game is cooperative.
        chance: Whether the rules draw random numbers. By default, this is detected with the setup
            and some random matches. A game without chance is declared deterministic, and raises
            `pyspiel.SpielError` if the rules draw a number after all.

    Raises:
        OptionError: An option is unknown or out of range.
        RegistryError: The game is not found, or another game is already registered under its name.
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
        # Not "True", which OpenSpiel would read back as a boolean instead of text.
        "chance": next(word for word, value in _CHANCES.items() if value is chance),
    }
    return pyspiel.load_game(register(plugin), parameters)


def register(plugin: Plugin) -> str:
    """Register a game with OpenSpiel, and return its name there, such as `tabletop_lcr`.

    Raises:
        RegistryError: Another game is already registered under this name.
    """
    name = f"tabletop_{plugin.game.name.replace('-', '_')}"
    if name not in _kinds:
        # A class per game, kept in `_kinds`, because OpenSpiel releases the objects that it holds
        # only after Python has shut down.
        _kinds[name] = type("SpielGame", (SpielGame,), {"plugin": plugin, "name": name})
        kind = _kinds[name].kind(
            zero_sum=not plugin.game.cooperative, chance=True, tensors=True, bounded=False
        )
        pyspiel.register_game(kind, _kinds[name])
    elif (other := _kinds[name].plugin.source) != plugin.source:
        raise RegistryError(f"{plugin.source}: {name} is already registered for {other}")
    return name


class SpielGame(pyspiel.Game):
    """A game with its number of seats and its options. Use `load_game` to create it."""

    plugin: ClassVar[Plugin]
    name: ClassVar[str]
    StateStruct = StateStruct
    ObservationStruct = ObservationStruct
    ActionStruct = ActionStruct

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
        self._root = Node(self.episodes)
        if given["chance"] not in _CHANCES:
            raise pyspiel.SpielError(f"chance={given['chance']}: write yes or no, or leave it out")
        declared = _CHANCES[given["chance"]]
        self.chance: bool = _draws(self._root) if declared is None else declared
        low, high = map(float, (given["points"] or "-1:1").split(":"))
        listed = self.episodes.listed
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST_ACTIONS if listed is None else listed.size,
            max_chance_outcomes=MOST_OUTCOMES * self.chance,
            num_players=self.episodes.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if given["zero_sum"] else None,
            max_game_length=given["max_plies"],
        )
        kind = self.kind(
            zero_sum=given["zero_sum"],
            chance=self.chance,
            tensors=not self.episodes.fault,
            bounded=self.episodes.max_plies < MAX_PLIES,
        )
        super().__init__(kind, info, dict(given))

    def __deepcopy__(self, memo: object) -> SpielGame:
        return self  # copies of a state share the game

    def __reduce__(self) -> Any:
        """Return the source and the parameters, from which another process loads the game."""
        source = self.plugin.source
        place = str(Path(source).resolve()) if source.endswith(".py") else source
        return _reload, (place, dict(self.get_parameters()))

    @classmethod
    def kind(cls, *, zero_sum: bool, chance: bool, tensors: bool, bounded: bool) -> Any:
        """Return the OpenSpiel description of a game.

        Args:
            zero_sum: Whether returns always sum to 0.
            chance: Whether the rules draw random numbers.
            tensors: Whether observations can be tensors.
            bounded: Whether `max_plies` was given.
        """
        kind, game = pyspiel.GameType, cls.plugin.game
        modes, known = kind.ChanceMode, kind.Information
        utility = kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM
        if game.cooperative:
            utility = kind.Utility.IDENTICAL
        return kind(
            short_name=cls.name,
            long_name=game.title or game.name,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
            information=(
                known.IMPERFECT_INFORMATION if game.hides_something else known.PERFECT_INFORMATION
            ),
            utility=utility,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=game.seats[-1],
            min_num_players=game.seats[0],
            provides_information_state_string=True,
            provides_information_state_tensor=tensors and bounded,
            provides_observation_string=True,
            provides_observation_tensor=tensors,
            parameter_specification={
                "players": game.seats[0],
                "max_plies": MAX_PLIES,
                "zero_sum": True,
                "options": "",
                "points": "",
                "chance": "",
            },
        )

    @override
    def new_initial_state(self) -> SpielState:
        return SpielState(self, self._root)

    @override
    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        return Observer(self.episodes, recalls=kind is not None and kind.perfect_recall)


def _draws(node: Node) -> bool:
    """Return whether the rules draw random numbers in the setup or in a few random matches."""
    first = node
    for number in range(_TRIALS):
        node, dice = first, Streams(number)["trial"]
        while node.player >= 0 and node.ply < _TRIAL_PLIES:
            node = Node(node.episodes, node, dice.choice(node.legal))
        if node.span:
            return True
    return False


def _reload(source: str, parameters: Mapping[str, Any]) -> Any:
    """Load a pickled game."""
    return pyspiel.load_game(register(load(source)), dict(parameters))


def _replay(game: SpielGame, history: Sequence[int]) -> SpielState:
    """Replay the actions and chance outcomes of a pickled state."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class SpielState(pyspiel.State):
    """A node of a match: a decision, a draw of the rules, or the end."""

    def __init__(self, game: SpielGame, node: Node) -> None:
        super().__init__(game)
        self._game = game
        self._enter(node)

    def __reduce__(self) -> Any:
        """Return the history, from which another process replays the state."""
        if self.node.is_resampled:
            raise TypeError(
                "a state of resample_from_infostate cannot be pickled, because it has no history"
            )
        return _replay, (self._game, self.history())

    @override
    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> SpielState:
        """Sample a state with `Game.redeal` that `player` cannot distinguish from this state.

        Args:
            player: The seat, whose view does not change.
            sampler: Function that returns random numbers from 0.0 to below 1.0.
        """
        if self.node.span:
            raise pyspiel.SpielError("resample_from_infostate: a chance node cannot be resampled")
        return SpielState(self._game, self.node.resample(player, int(sampler() * 2**53)))

    @override
    def current_player(self) -> int:
        return self.node.player

    @override
    def is_terminal(self) -> bool:
        return self.node.player == _TERMINAL

    @override
    def returns(self) -> list[float]:
        return self.node.returns

    def infos(self) -> Sequence[dict[str, Any]]:
        """Return the `faction` and `role` of each seat at the end if the outcome names them."""
        return self.node.episodes.infos(self.node.outcome)

    @override
    def chance_outcomes(self) -> list[tuple[int, float]]:
        span, step = self.node.span, _step(self.node.span)
        return [(at, min(step, span - at * step) / span) for at in range(-(-span // step))]

    def _legal_actions(self, player: Seat) -> list[int]:
        return self.node.legal

    def _apply_action(self, action: int) -> None:
        node = self.node
        if node.player == _TERMINAL:
            raise pyspiel.SpielError(f"{self._game.name} is over: action {action} cannot be played")
        if node.span and not 0 <= action < -(-node.span // _step(node.span)):
            raise pyspiel.SpielError(f"{action} is not one of the chance_outcomes()")
        if not node.span and action not in node.legal:
            raise pyspiel.SpielError(f"action {action} is not one of the legal_actions()")
        self._enter(_child(node, action))

    def _enter(self, node: Node) -> None:
        if node.span and not self._game.chance:
            raise pyspiel.SpielError(
                f"{self._game.name} was loaded as a game without chance, but draws one of"
                f" {node.span} after the actions {self.history()}: load it with chance=True"
            )
        self.node: Node = node

    def _action_to_string(self, player: int, action: int) -> str:
        is_chance = player == pyspiel.PlayerId.CHANCE
        return f"draw {action}" if is_chance else str(self.node.action_of(action))

    # The structs of OpenSpiel 2.0.

    def to_struct(self) -> StateStruct:
        """Return the position with all hidden information.

        Raises:
            pyspiel.SpielError: The setup is not complete.
        """
        position = to_builtins(self._decided().state)
        return StateStruct({"current_player": self.node.player, "position": position})

    def to_observation_struct(self, player: Seat | None = None) -> ObservationStruct:
        """Return the view of a player, by default of the player to act.

        Raises:
            pyspiel.SpielError: The setup is not complete, or no player is given at a chance node or
                at the end.
        """
        seat = self.node.player if player is None else player
        if not 0 <= seat < self.node.episodes.seats:
            raise pyspiel.SpielError(f"there is no player {seat}: name the observing player")
        position = to_builtins(self._decided().view(seat))
        values = {"observing_player": seat, "current_player": self.node.player}
        return ObservationStruct({**values, "position": position})

    def to_json(self) -> str:
        """Return `to_struct` as JSON."""
        return self.to_struct().to_json()

    def action_to_struct(self, *given: int) -> ActionStruct:
        """Return an action as a struct. The player may be given before the action."""
        *_, action = given
        if self.node.span:
            return ActionStruct({"type": "draw", "value": action})
        return action_struct(self.node.action_of(action))

    def struct_to_actions(self, struct: ActionStruct) -> list[int]:
        """Return the number of a legal action in a list, which is empty for other actions."""
        return [it for it in self.legal_actions() if self.action_to_struct(it) == struct]

    def validate_action_struct(self, struct: ActionStruct) -> Any:
        """Return whether an action can be applied, as a `pyspiel.Status`."""
        if self.struct_to_actions(struct):
            return pyspiel.ok_status()
        return pyspiel.error_status(f"Illegal action: {struct.to_json()}")

    def apply_action_struct(self, struct: ActionStruct) -> Any:
        """Apply an action if it is legal, and return a `pyspiel.Status`."""
        status = self.validate_action_struct(struct)
        if status.ok():
            self.apply_action(self.struct_to_actions(struct)[0])
        return status

    def _decided(self) -> Node:
        if (node := self.node.decided) is None:
            raise pyspiel.SpielError("the setup is not complete: there is no position yet")
        return node

    def __str__(self) -> str:
        node, decided = self.node, self.node.decided
        state = "" if decided is None else to_json(decided.state).decode()
        return state + (f" {node.action} {node.draws} /{node.span}" if node.span else "")


class Observer:
    """The observation of a seat, as a tensor and as JSON, optionally with the past of the match.

    With `recalls`, the JSON is followed by a hash of the past. The tensor then has a row for each
    ply up to `max_plies`, beginning with the setup. A row contains the observation at that ply, a 1
    for the acting seat (counted from the observing seat), and a 1 for the action if the observing
    seat can see it. Rows of future plies are zeros. Without `max_plies`, there is no such tensor.
    A game without `all_actions` or bounds of its values has no tensors.

    Until the setup is complete, the observation is empty.
    """

    def __init__(self, episodes: Episodes, *, recalls: bool) -> None:
        self._recalls, self._fault = recalls, episodes.fault
        self.tensor: NDArray[np.float32] | None = None
        if recalls and episodes.max_plies >= MAX_PLIES:
            self._fault = self._fault or (
                "information_state_tensor needs a maximum length: load the game with a max_plies"
                f" below {MAX_PLIES:,}, or use information_state_string"
            )
        if not self._fault:
            self._size = episodes.encoder.size
            shape: tuple[int, ...] = (self._size,)
            if recalls:
                shape = (episodes.max_plies + 1, self._size + episodes.seats + episodes.index.size)
            self.tensor = np.zeros(shape, np.float32)
        name = "information_state" if recalls else "observation"
        self.dict: dict[str, Any] = {} if self.tensor is None else {name: self.tensor}

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Write the observation of a seat to `tensor`.

        Raises:
            pyspiel.SpielError: There is no such tensor.
        """
        if self.tensor is None:
            raise pyspiel.SpielError(self._fault)
        node = state.node.decided
        if node is not None and not self._recalls:
            self.tensor[:] = _seen(node, player)
            return
        self.tensor.fill(0)
        for past in () if node is None else node.past(player):
            row = self.tensor[past.ply]
            row[: self._size] = _seen(past, player)
            row[self._size :][past.announced(player)] = 1

    def string_from(self, state: SpielState, player: Seat) -> str:
        """Return the observation of a seat as text."""
        if (node := state.node.decided) is None:
            return ""
        return node.recall(player) if self._recalls else to_json(node.view(player)).decode()


class Node:
    """A node of a match: the previous node, an action there, and the draws decided since then.

    A node either has a state, or is a draw of which `span` results are still possible. Copies of a
    `SpielState` share nodes.
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
        self.is_resampled: bool = before is not None and before.is_resampled
        # For a resampled node, the real node, by the seat that cannot distinguish them.
        self._twins: dict[Seat, Node] = {}
        self._recalled: dict[Seat, tuple[str, str]] = {}  # view and hash of the past, by seat
        self._announced: dict[Seat, list[int]] = {}
        self.state: Any = None
        self.to_act: Sequence[Seat] = ()
        self.ply: int = 0 if before is None else before.ply
        self.player: int
        try:
            self.state = self._play(watched=False)[0]
        except _Undecided as draw:
            self.span = draw.span
            self.player = _CHANCE
        else:
            self.ply += before is not None
            self.to_act = episodes.game.to_act(self.state)
            is_over = not self.to_act or self.ply >= episodes.max_plies
            self.player = _TERMINAL if is_over else self.to_act[0]

    def _play(self, *, watched: bool) -> tuple[Any, Table]:
        """Play the action or the setup with the predetermined draws."""
        episodes, before = self.episodes, self.before
        self.facts: dict[Any, int] = {} if before is None else before.facts.copy()
        table = Table(_DecidedStreams(_decider(self.draws, self.facts)))
        table.watch(watched)
        if before is None:
            return episodes.game.setup(episodes.options, episodes.seats, table.rng), table
        state = before.state.clone()
        episodes.game.apply(state, before.action_of(self.action), table)
        return state, table

    def resample(self, seat: Seat, seed: int) -> Node:
        """Return a node with redealt secrets, which a seat cannot distinguish from this node."""
        # Not with `__init__`, which would play the action and reach the real state again.
        node = object.__new__(Node)
        vars(node).update(vars(self), is_resampled=True, before=None)
        stream = Streams(seed)["imagined"]
        node.state = self.episodes.game.redeal(self.state, seat, stream)
        node._twins = {seat: self._twins.get(seat, self)}
        node._recalled, node._announced = {}, {}
        for cached in ("returns", "_actions", "legal", "_events"):  # values of the real state
            vars(node).pop(cached, None)
        return node

    def __deepcopy__(self, memo: object) -> Node:
        return self

    @property
    def decided(self) -> Node | None:
        """The node itself, or the previous node at a draw, which is None during the setup."""
        return self.before if self.span else self

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None before the end."""
        is_over = not self.span and not self.to_act
        return self.episodes.game.outcome(self.state) if is_over else None

    @cached_property
    def returns(self) -> list[float]:
        """The return of each seat, or zeros before the end."""
        return list(self.episodes.rewards(self.outcome))

    @cached_property
    def _actions(self) -> Sequence[Any]:
        """The legal actions at a decision."""
        game = self.episodes.game
        legal = game.legal_actions(self.state, self.player)
        if not legal:
            raise no_legal_action(game, self.player, self.ply + 1)
        if self.episodes.listed is None and len(legal) > MOST_ACTIONS:
            raise pyspiel.SpielError(
                f"{game.name} has {len(legal):,} legal actions in a position, but without"
                f" all_actions at most {MOST_ACTIONS:,} have numbers: implement all_actions"
            )
        return legal

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of the legal actions at a decision."""
        legal, listed = self._actions, self.episodes.listed
        return [*range(len(legal))] if listed is None else sorted(map(listed.index, legal))

    def action_of(self, number: int) -> Any:
        """Return the action with a number."""
        listed = self.episodes.listed
        return self._actions[number] if listed is None else listed.action(number)

    @cached_property
    def _events(self) -> Sequence[Any]:
        """The events since the previous node."""
        if (before := self.before) is None:
            return ()
        action = before.action_of(self.action)
        events = self._play(watched=True)[1].events
        return ActionPlayed(self.ply, before.to_act[0], action), *events

    def view(self, seat: Seat) -> Any:
        """Return the view of a seat at a node that has a state."""
        return self.episodes.game.glance(self.state, seat)

    def past(self, seat: Seat) -> Iterator[Node]:
        """Yield the nodes from this node back to the beginning, as the seat experienced them."""
        node: Node | None = self
        while node is not None:
            node = node._twins.get(seat, node)
            yield node
            node = node.before

    def recall(self, seat: Seat) -> str:
        """Return the view of a seat, with a hash of all views and events that it has seen."""
        path, known = list[Node](), ("", "")
        for node in self.past(seat):
            if seat in node._recalled:
                known = node._recalled[seat]
                break
            path.append(node)
        see = self.episodes.game.view_event
        for node in reversed(path):
            view = to_json(node.view(seat))
            events = [see(event, node.state, seat) for event in node._events]
            before = [known[1]] if node.before is not None else []
            hashed = blake2b(repr([view, *before, *events]).encode(), digest_size=8).hexdigest()
            known = node._recalled[seat] = view.decode(), hashed
        return " ".join(known)

    def announced(self, seat: Seat) -> list[int]:
        """Return the positions, in a row of the tensor, of the numbers for the last action.

        The first position is that of the acting seat, counted from `seat`. The second position,
        which comes after those of all seats, is that of the action. A position is omitted if the
        fact is hidden from `seat`.
        """
        if seat not in self._announced:
            places, episodes, before = list[int](), self.episodes, self.before
            if before is not None:
                action, actor = before.action_of(self.action), before.to_act[0]
                event = ActionPlayed(self.ply, actor, action)
                visible = episodes.game.view_event(event, self.state, seat)
                if isinstance(visible, ActionPlayed):
                    places.append((visible.seat - seat) % episodes.seats)
                    with suppress(ValueError):  # a masked action need not be in all_actions
                        places.append(episodes.seats + episodes.index.index(visible.action))
            self._announced[seat] = places
        return self._announced[seat]


@lru_cache(maxsize=1 << 12)
def _seen(node: Node, seat: Seat) -> NDArray[np.float32]:
    """Return the cached observation of a seat at a node with a state. Do not change it."""
    row = np.zeros(node.episodes.encoder.size, np.float32)
    node.episodes.encoder.encode(node.view(seat), seat, row)
    return row


@lru_cache(maxsize=1 << 12)  # searches visit the same nodes repeatedly
def _child(node: Node, number: int) -> Node:
    """Return the node after an action, or after a chance outcome."""
    if node.span:
        return Node(node.episodes, node.before, node.action, (*node.draws, number))
    return Node(node.episodes, node, number)


def _step(span: int) -> int:
    """Return the number of results that an outcome represents: 1, or a power of `MOST_OUTCOMES`."""
    step = 1
    while -(-span // step) > MOST_OUTCOMES:
        step *= MOST_OUTCOMES
    return step


class _Undecided(BaseException):
    """An undecided draw.

    It is a `BaseException`, so that `except Exception` in rules does not catch it.
    """

    def __init__(self, span: int) -> None:
        self.span = span


_Draw: TypeAlias = Callable[[int, object], int]


def _decider(draws: Sequence[int], facts: dict[Any, int]) -> _Draw:
    """Return a function that returns the predetermined draws one by one.

    Repeated draws of the same hidden fact (such as one face-down card) always give the same
    result.
    """
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
    """Streams whose draws are decided in advance."""

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
        raise TabletopError(
            f"the rules install the stream {name!r}, whose probabilities are unknown: OpenSpiel"
            " needs draws of a stream from the match"
        )


class _DecidedStream(Stream):
    """A stream whose draws are decided in advance, optionally for a fixed place."""

    offset = 0

    def __init__(self, draw: _Draw, place: object = None) -> None:
        self._draw, self._place = draw, place

    @override
    def copy(self) -> NoReturn:
        raise TabletopError("the rules copy a stream, so its draws cannot become chance nodes")

    @override
    def below(self, bound: int) -> int:
        if bound < 1:
            raise SeedError(f"below({bound}): the bound must be at least 1")
        fact = None if self._place is None else (self._place, self.offset, bound)
        self.offset += 1
        return self._draw(bound, fact)


for _name in installed():
    with suppress(TabletopError):  # a broken game raises its error when it is requested
        register(load(_name))
