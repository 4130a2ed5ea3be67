"""Find a game: an installed plugin, `module:NAME`, or a path to a `.py` file.

An installed package names its game in the entry-point group `tabletop.games`; the bundled games are
found in no other way. A game in a file can import the files beside it (`tabletop.host.modules`).
The module in which a `GAME` stands may hold more, all of it optional:

- `TEXT`: a `TextView`, the game as text in a terminal; or a function that makes one of the game;
- `RULES`: the rules for people who want to play, in Markdown: a text, or a path to a file in UTF-8
  (or another resource with `read_text`); or a function that gives either of the game;
- `BOTS`: a mapping from names to functions that make a `Player` of a `Stream`, the best one first:
  it plays wherever nobody says which bot should. A function with parameters called `game` or `seat`
  is given the rules, or the seat for which the bot plays;
- `LEVELS`: what `easy`, `fair` and `hard` are, in that order, where the usual budgets do not fit:
  names of other bots, as `"search:5000"`, or functions as in `BOTS`;
- `SEARCH`: arguments of `tabletop.bots.ISMCTS` that suit the game, as `{"exploration": 0.2}`;
- `UI`: a class derived from `tabletop.terminal.ui.TerminalUI`, with more to type and see at a
  terminal; or its place, `"module:NAME"`, so that it is imported only there;
- `PICTURE`: the picture of the game, a class derived from `tabletop.display.picture.Picture`, an object of
  one, or a function that makes one of the game; or its place, `"module:NAME"`;
- `ENCODER`: the observations of a learner, where bounds in the state do not do: an object as
  `tabletop.envs.ObservationEncoder` describes it, or a function or class that makes one of the
  game, the options and the number of seats;
- `METRICS`: what studies measure in every match (`tabletop.studies`), names with classes or
  functions; or its place, `"module:NAME"`;
- `WEIGHTS`: the weights by which some of `BOTS` choose, for `tabletop tune`: for each such bot the
  names of numbers that its maker takes as arguments, each with the least and the greatest value,
  as `{"builder": {"brick": (0, 10)}}`. They are whole numbers where both of these are;
- `evaluate`: a function `evaluate(state, seat)` that rates a whole state for a seat, from 0.0
  (lost) to 1.0 (won), for bots that look ahead. With `+ - * /` alone it is the same on every
  Python;
- `policy`: a function `policy(state, actions)` that returns those of the legal actions of a state
  that are worth trying: at least one, in their order. It must not change the state. Both functions
  are given the rules as well, if they have a parameter called `game`.

Beside its `BOTS` every game has `random`, the levels `easy`, `fair` and `hard`, and bots whose
names end in a budget, as `search:1000` or `search:2s` (`tabletop.bots`). A game without anything to
decide writes `BOTS = {}`, and has `random` alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabletop.display.text_view import TextView
from tabletop.errors import RegistryError
from tabletop.host.modules import call, entry_points_of, import_from_folder, import_named, load_file
from tabletop.host.user_files import user_path
from tabletop.match.players import AnyPlayer, Random
from tabletop.rng import Stream
from tabletop.rules.game import AnyGame, Game
from tabletop.rules.outcome import Seat
from tabletop.wording import nearest, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tabletop.games"
"""The entry-point group in which packages name their games."""

WAYS: Final = {"search": "ISMCTS", "flat": "FlatMonteCarlo", "expectimax": "Expectimax"}
"""The names of bots that end in a budget, and their classes in `tabletop.bots`."""

LEVELS: Final = {"easy": "search:20", "fair": "search:200", "hard": "search:1000"}
"""The bots of every game with something to decide, and what they are in most."""

MEANINGS: Final = {
    "easy": "looks ahead a little: for a first match",
    "fair": "looks ahead further: for most people",
    "hard": "looks ahead furthest, and takes more time",
    "search:1000": "makes 1000 tries for each move; or another number",
    "search:2s": "thinks for 2 seconds about each move; or another time",
}
"""What people are told of the bots that every game has."""

MOST_ITERATIONS: Final = 100_000
MOST_SECONDS: Final = 60
"""The largest budgets that a name may have, which may stand in a file of somebody else's."""

PROGRAM: Final = "exec:"
"""Begins the name of a bot that is a program; its command follows. See `tabletop.bots.external`."""

LEARNT: Final = "learnt:"
"""Begins the name of a bot that plays by a file of numbers; see `tabletop.envs.values`."""

BotMaker: TypeAlias = Callable[..., AnyPlayer[Any, Any]]
"""Makes a bot of a stream; called with `game` and `seat` as well, if it has such parameters."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A game and what comes with it.

    Attributes:
        source: the name it was found by: an installed name, `module:NAME`, or a path, which is
            absolute and may end in `:NAME`.
        game: the rules.
        text: the text view of the game.
        bots: the makers of the game's own bots, by name, the best one first, and `random`.
        levels: the makers of `easy`, `fair` and `hard`, or the names of bots that these are; none
            where there is nothing to decide.
        evaluate, policy: those of the module, for `tabletop.bots`; None without.
        search: the arguments of its `SEARCH`, for the bots called `search:...`.
        rulebook, ui, picture, encoder: `RULES`, `UI`, `PICTURE` and `ENCODER` of the module; None
            without any.
        metrics: `METRICS` of the module; empty without any.
        weights: its `WEIGHTS`: by bot, the least and the greatest value of each weight by name.
    """

    source: str
    game: AnyGame
    text: TextView[Any]
    bots: Mapping[str, BotMaker]
    rulebook: object = None
    ui: Callable[[Any], Any] | str | None = None
    picture: object = None
    evaluate: Callable[[Any, Seat], float] | None = None
    policy: Callable[[Any, Sequence[Any]], Sequence[Any]] | None = None
    levels: Mapping[str, BotMaker | str] = field(default_factory=dict)
    encoder: object = None
    search: Mapping[str, Any] = field(default_factory=dict)
    metrics: object = field(default_factory=dict)
    weights: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[[str], Plugin], tuple[str]]:
        """Pickle or copy by source: `load` finds the plugin again."""
        return load, (self.source,)

    @property
    def rules(self) -> str:
        """The rules for people, in Markdown; empty when the game comes without any.

        Raises:
            RegistryError: they cannot be read, or are no text.
        """
        found = self.rulebook
        if callable(found):
            found = call(self.source, partial(found, self.game))
        reader = getattr(found, "read_text", None)
        if reader is not None:
            found = call(self.source, partial(reader, encoding="utf-8"))
        if not isinstance(found, str | None):
            raise RegistryError(f"{self.source}: RULES is {found!r}, not a text or a file of text")
        return found or ""

    @property
    def best_bot(self) -> str:
        """The bot that plays unless another one is named: the game's first own one, or `fair`."""
        first = next(iter(self.bots))
        return "fair" if first == "random" and "fair" in self.levels else first

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The names of all bots that need no budget: the game's own, the levels, `random`."""
        own = [name for name in self.bots if name != "random"]
        return (*own, *(name for name in self.levels if name not in self.bots), "random")

    def bot(self, name: str, stream: Stream, seat: Seat = 0) -> AnyPlayer[Any, Any]:
        """Make the bot called `name`, with `stream` as its chance, for a seat of this game.

        The name is one of `bot_names`, or a way to look ahead and a budget: `search:1000`
        (iterations), `search:2s` (seconds), `flat:...` or `expectimax:...`; or one of `weights` and
        values of some: `builder:brick=3:heat=5`. Names stand in records and come from browsers, so
        all numbers have bounds; those of a budget are `MOST_ITERATIONS` and `MOST_SECONDS`.

        Raises:
            RegistryError: there is no such bot; lists those there are.
        """
        if is_for_command_line(name):
            if (program := self.bots.get(bot_name(name))) is None:
                does = "open a file" if bot_name(name).startswith(LEARNT) else "start a program"
                raise RegistryError(f"only the command line that begins a match can {does}")
            return make_bot(program, stream, game=self.game, seat=seat)
        kind, colon, budget = name.casefold().partition(":")
        if colon and kind in WAYS and self.levels:
            return self._thinker(kind, stream, name, budget)
        if colon and kind in self.weights:
            given = self._read_weights(name, kind, budget)
            return make_bot(self.bots[kind], stream, game=self.game, seat=seat, weights=given)
        maker = self.bots.get(kind) or self.levels.get(kind)
        if isinstance(maker, str):
            return self.bot(maker, stream, seat)
        if colon or maker is None:
            raise self._no_bot(name, kind)
        return make_bot(maker, stream, game=self.game, seat=seat)

    def _read_weights(self, name: str, bot: str, words: str) -> dict[str, float]:
        """Read words like `brick=3:heat=5`, the weights of a bot."""
        bounds, given = self.weights[bot], {}
        for word in words.split(":"):
            weight, _, value = word.partition("=")
            if weight not in bounds:
                known = ", ".join(bounds)
                raise RegistryError(f"{quote(name)}: there is no weight {quote(weight)}: {known}")
            low, high = bounds[weight]
            try:
                given[weight] = int(value) if is_whole(low, high) else float(value)
                is_good = low <= given[weight] <= high
            except ValueError:
                is_good = False
            if not is_good:
                what = "a whole number" if is_whole(low, high) else "a number"
                wanted = f"{weight} is {what} from {low} to {high}"
                raise RegistryError(f"{quote(name)}: {wanted}, not {quote(value)}")
        return given

    def _no_bot(self, name: str, kind: str) -> RegistryError:
        ways = ", search:1000 (iterations), search:2s (seconds)" if self.levels else ""
        why = ""
        if not self.levels and (kind in LEVELS or kind in WAYS):
            can_think = _can_think(self.game)
            why = "nobody has a choice in it" if can_think else "its secrets cannot be dealt anew"
            why = f", which would look ahead: {why}"
        names = f"{', '.join(self.bot_names)}{ways}"
        return RegistryError(f"{self.game.name} has no bot {quote(name)}{why}; its bots: {names}")

    def _thinker(self, kind: str, stream: Stream, name: str, budget: str) -> AnyPlayer[Any, Any]:
        from tabletop import bots

        try:
            given = bots.Budget.parse(budget)
        except ValueError as error:
            raise RegistryError(f"{quote(name)}: {error}") from error
        if (given.iterations or 0) > MOST_ITERATIONS or (given.seconds or 0) > MOST_SECONDS:
            most = f"at most {MOST_ITERATIONS} iterations, or {MOST_SECONDS}s"
            raise RegistryError(f"{quote(name)}: a bot that is named may have {most}")
        thinker: AnyPlayer[Any, Any] = getattr(bots, WAYS[kind])(
            stream,
            game=self.game,
            iterations=given.iterations,
            seconds=given.seconds,
            evaluate=self.evaluate,
            policy=self.policy,
            **(self.search if kind == "search" else {}),
        )
        return thinker


def is_whole(low: float, high: float) -> bool:
    """Check whether a weight with these bounds is a whole number."""
    return isinstance(low, int) and isinstance(high, int)


def is_for_command_line(name: str) -> bool:
    """Check whether only a command line may name a bot: `exec:COMMAND` or `learnt:FILE`."""
    return name.casefold().startswith((PROGRAM, LEARNT))


def bot_name(name: str) -> str:
    """Return the name of a bot in lower case, but for the command of a program, or its file."""
    kind, colon, rest = name.partition(":")
    return kind.casefold() + colon + rest if is_for_command_line(name) else name.casefold()


def make_bot(
    maker: BotMaker,
    stream: Stream,
    *,
    game: AnyGame,
    seat: Seat = 0,
    weights: Mapping[str, float] | None = None,
) -> AnyPlayer[Any, Any]:
    """Make a bot with `stream` as its chance, and `weights` if it has such.

    The maker gets `game` and `seat` if it takes them.
    """
    offered = {"game": game, "seat": seat}
    is_hashable = getattr(maker, "__hash__", None) is not None
    wanted = (_parameters if is_hashable else _parameters.__wrapped__)(maker)
    taken = {name: value for name, value in offered.items() if name in wanted}
    return maker(stream, **taken, **(weights or {}))


@lru_cache(maxsize=256)  # learners have bots made for every match
def _parameters(maker: BotMaker) -> Container[str]:
    """Return the names of the parameters of a maker of bots."""
    try:
        return inspect.signature(maker).parameters
    except ValueError:  # functions written in C may have no signature
        return ()


def installed() -> dict[str, EntryPoint]:
    """Return the installed games by name, in alphabetical order. Nothing is imported."""
    return {point.name: point for point in entry_points_of(GROUP)}


def load(name: str, *, here: bool = True) -> Plugin:
    """Load the game called `name`, found by entry point, as `module:NAME`, or at a path.

    A module is looked for where Python looks for modules; then, where a person has said the name,
    in the working directory. `directory/module:NAME` names the one in that directory.
    Never load a name that stands in a file of somebody else's: it says what code is run.

    Args:
        name: the name as a person typed it.
        here: whether modules are looked for in the working directory.

    Raises:
        RegistryError: there is no such game, or what was found is not a game; says which was
            probably meant.
    """
    if name.endswith(".py") or ".py:" in name or "/" in name or "\\" in name:
        return _load_path(name)
    if ":" in name:
        return _load_module(name, here=here)
    points = installed()
    point = points.get(name) or points.get(name.casefold())
    if point is None:
        raise _unknown(name, points)
    return load_point(point)


def load_point(point: EntryPoint) -> Plugin:
    """Load one of the `installed` games, without looking for it again.

    Raises:
        RegistryError: it cannot be imported, or is not a game.
    """
    return _plugin(point.name, import_named(point.module, point.name), point.attr or "")


def load_installed(game: str) -> Plugin | None:
    """Load the installed game whose `Game.name` is `game`; None when there is none.

    Raises:
        RegistryError: it cannot be loaded.
    """
    points = installed()
    if game in points:
        return load(game)
    for point in points.values():  # a package may have declared it under another name
        try:
            plugin = load_point(point)
        except RegistryError:
            continue
        if plugin.game.name == game:
            return plugin
    return None


def _load_path(name: str) -> Plugin:
    """Load a game in a file, or in a module of a directory."""
    path, _, attribute = name.partition(".py:")
    if attribute:
        file = user_path(f"{path}.py")
        return _plugin(f"{file.resolve()}:{attribute}", load_file(file), attribute)
    place, colon, attribute = name.rpartition(":")
    file = user_path(name)
    if colon and f"_{attribute}".isidentifier() and not file.exists():
        folder = user_path(place)
        return _load_from(folder.parent, folder.name, attribute)
    return _plugin(str(file.resolve()), load_file(file), "")


def _load_module(name: str, *, here: bool) -> Plugin:
    """Load a game in a module: one that is installed, or else one in the working directory."""
    module, _, attribute = name.partition(":")
    top = module.partition(".")[0]
    here = here and (Path(top).is_dir() or Path(f"{top}.py").is_file())
    try:
        found = import_named(module, name)
    except RegistryError as error:
        cause = error.__cause__
        if not (here and isinstance(cause, ModuleNotFoundError) and cause.name == top):
            raise
        return _load_from(Path(), module, attribute)
    return _plugin(name, found, attribute)


def _load_from(directory: Path, module: str, attribute: str) -> Plugin:
    """Load a game in a module that lies in a directory."""
    source = f"{directory.resolve() / module}:{attribute}"
    return _plugin(source, import_from_folder(directory, module, source), attribute)


def _unknown(name: str, points: Mapping[str, object]) -> RegistryError:
    meant = nearest(name, points)
    hint = f"; did you mean {meant!r}?" if meant else ";"
    games = ", ".join(points) or "none"
    return RegistryError(
        f"there is no game {name!r}{hint} installed: {games}"
        " (or give module:NAME, or a path to a .py file)"
    )


def _plugin(source: str, module: ModuleType, attribute: str) -> Plugin:
    game = _as_game(source, _find_game(source, module, attribute))
    text = getattr(module, "TEXT", TextView)
    if callable(text) and not isinstance(text, TextView):
        text = call(source, text if isinstance(text, type) else partial(text, game))
    if not isinstance(text, TextView):
        raise RegistryError(f"{source}: TEXT is {text!r}, not a TextView")
    own = getattr(module, "BOTS", {})
    if not isinstance(own, Mapping) or not all(map(callable, own.values())):
        raise RegistryError(
            f"{source}: BOTS is {own!r}, not names with functions that make players"
        )
    bots: dict[str, BotMaker] = {str(name).casefold(): bot for name, bot in own.items()}
    evaluate = _bound(source, game, module, "evaluate")
    policy = _bound(source, game, module, "policy")
    bots.setdefault("random", Random)
    ui = getattr(module, "UI", None)
    if not (ui is None or callable(ui) or (isinstance(ui, str) and ":" in ui)):
        raise RegistryError(f"{source}: UI is {ui!r}, not a class derived from TerminalUI")
    rulebook, picture = getattr(module, "RULES", None), getattr(module, "PICTURE", None)
    # A module that writes `BOTS = {}` has nothing to decide.
    has_choices = bool(own) or not hasattr(module, "BOTS")
    levels = getattr(module, "LEVELS", LEVELS) if has_choices and _can_think(game) else {}
    if not isinstance(levels, Mapping) or (levels and levels.keys() != LEVELS.keys()):
        raise RegistryError(f"{source}: LEVELS is {levels!r}, not bots called {', '.join(LEVELS)}")
    weights = getattr(module, "WEIGHTS", {})
    if not isinstance(weights, Mapping) or not weights.keys() <= bots.keys():
        raise RegistryError(f"{source}: WEIGHTS is {weights!r}, not names of BOTS with weights")
    return Plugin(
        source,
        game,
        text,
        bots,
        rulebook,
        ui,
        picture,
        evaluate,
        policy,
        levels,
        encoder=getattr(module, "ENCODER", None),
        search=getattr(module, "SEARCH", {}),
        metrics=getattr(module, "METRICS", {}),
        weights=weights,
    )


def _can_think(game: AnyGame) -> bool:
    """Check whether bots can look ahead: what a game hides has to be dealt anew."""
    kind = type(game)
    return kind.redeal is not Game.redeal or kind.view is Game.view


def _bound(source: str, game: AnyGame, module: ModuleType, name: str) -> Any:
    """Return a function of a module, given the rules if it wants them; None without one."""
    function = getattr(module, name, None)
    if function is None:
        return None
    if not callable(function):
        raise RegistryError(f"{source}: {name} is {function!r}, not a function")
    wants_game = "game" in inspect.signature(function).parameters
    return partial(function, game=game) if wants_game else function


def _find_game(source: str, module: ModuleType, attribute: str) -> object:
    if attribute or hasattr(module, "GAME"):
        try:
            return getattr(module, attribute or "GAME")
        except AttributeError:
            raise RegistryError(f"{source}: {module.__name__} has no {attribute!r}") from None
    own = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    if len(own) == 1:
        return own[0]
    found = ", ".join(kind.__name__ for kind in own) or "none"
    raise RegistryError(
        f"{source}: no GAME is defined there, and not just one class derived from Game ({found})"
    )


def _as_game(source: str, found: object) -> AnyGame:
    if isinstance(found, type) and issubclass(found, Game):
        found = call(source, found)
    if not isinstance(found, Game):
        raise RegistryError(f"{source}: {found!r} is no Game")
    if not found.name:
        raise RegistryError(f"{source}: {type(found).__name__} has no name")
    return found
