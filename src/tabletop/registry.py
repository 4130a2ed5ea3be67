"""A game and what comes with it, and where one is found.

A game's module declares in one place what comes with the rules, all of it optional:

    PLUGIN = Plugin(
        Nim(), text=NimText(), picture=NimPicture, bots={"careful": Careful}
    )

A package names it in the entry-point group `tabletop.games`; the bundled games are found in no
other way. A file with one class derived from `Game` and nothing more to say needs no `PLUGIN`.

Beside its own bots every game has `random`, the levels `easy`, `fair` and `hard`, and bots whose
names end in a budget, as `search:1000` or `search:2s` (`tabletop.bots`).
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias

from tabletop.display.picture import Picture, Scene, TextPicture
from tabletop.display.text_view import TextView
from tabletop.errors import RegistryError
from tabletop.host.modules import (
    call,
    clash_of,
    entry_points_of,
    import_from_folder,
    import_named,
    load_file,
)
from tabletop.host.user_files import user_path
from tabletop.match.contract_errors import not_a_player
from tabletop.match.match import AnyMatch
from tabletop.match.players import AnyPlayer, Random, is_player
from tabletop.rng.stream import Stream
from tabletop.rules.events import ALL, Watcher
from tabletop.rules.game import AnyGame, Game, declaration_problem
from tabletop.states.bounds import Seat
from tabletop.wording import did_you_mean, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tabletop.games"
"""The entry-point group in which packages name their games."""

SEARCH_CLASSES: Final = {"search": "ISMCTS", "flat": "FlatMonteCarlo", "expectimax": "Expectimax"}
"""The names of bots that end in a budget, and their classes in `tabletop.bots`."""

LEVELS: Final = MappingProxyType({"easy": "search:20", "fair": "search:200", "hard": "search:5000"})
"""The bots of every game with something to decide, and what they are in most."""

LEVEL_CHOICES: Final = 100_000
"""The random choices after which one of `LEVELS` has thought enough about a move.

That is about a second where a game without `evaluate` is played to its end again and again.
"""

BOT_DESCRIPTIONS: Final = {
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
"""Begins the name of a bot that plays by a file of numbers; see `tabletop.envs.policies`."""

BotMaker: TypeAlias = Callable[..., AnyPlayer[Any, Any]]
"""Makes a bot of a stream; called with `game` and `seat` as well, if it has such parameters."""


class Readable(Protocol):
    """A file of text: a `Path`, or a resource of a package."""

    def read_text(self, encoding: str) -> str:
        """Return the whole text."""


@dataclass(frozen=True)
class Plugin:
    """A game and what comes with it. A module declares one as `PLUGIN`; `load` finds it.

    What is heavy to import may be given by its place, `"module:NAME"`: it is imported when it is
    first used. An argument with a wrong name or value is refused when the module is imported.

    Attributes:
        game: the rules.
        text: the text view of the game: how a match reads at a terminal.
        picture: the picture of the game: a class derived from `tabletop.display.Picture`, an
            object of one, a function that makes one of the game, or the place of any of these. A
            game without one is shown as its text.
        page: the folder of a page in HTML and JavaScript that browsers show at tables of the game
            instead of the usual one, such as `Path(__file__).with_name("page")`. It contains an
            `index.html` and all files that this loads. The page runs in a sandboxed frame and plays
            through the module `/tabletop.js`.
        rulebook: the rules for people who want to play, in Markdown: a text, or a path to a file
            in UTF-8 (or another resource with `read_text`).
        bots: the game's own bots: names with functions that make a `Player` of a `Stream`, the
            best one first: it plays wherever nobody says which bot should, but in studies. A
            function with parameters called `game` or `seat` is given the rules, or the seat for
            which the bot plays. `random` is there in any case.
        levels: what `easy`, `fair` and `hard` are, in that order, where the usual budgets do not
            fit: names of other bots, as `"search:5000"`, or functions as in `bots`. Leave one out
            that would not be stronger than the one before. Write `{}` for a game without anything
            to decide: it has no bots that look ahead.
        search: arguments of `tabletop.bots.ISMCTS` that suit the game, as `{"exploration": 0.2}`.
        evaluate: a function `evaluate(state, seat)` that rates a whole state for a seat, from 0.0
            (lost) to 1.0 (won), for bots that look ahead. With `+ - * /` alone it is the same on
            every Python.
        policy: a function `policy(state, actions)` that returns those of the legal actions of a
            state that are worth trying: at least one, in their order. It must not change the
            state.
        belief: a function `belief(state, seat)` that says how likely what a seat has seen others do
            is if a whole state is the true one, from 0.0 to 1.0: bots that look ahead weigh by it
            the states in which they have dealt anew what is hidden. Only how the values of two
            states compare counts. All three functions are given the rules as well if they have a
            parameter called `game`.
        ui: a class derived from `tabletop.terminal.TerminalUI`, with more to type and see at a
            terminal; or its place.
        encoder: the observations of a learner, where bounds in the state do not do: an object as
            `tabletop.envs.ObservationEncoder` describes it, or a function or class that makes one
            of the game, the options and the number of seats.
        metrics: what studies measure in every match (`tabletop.studies`), names with classes or
            functions; or the place of them.
        weights: the weights by which some of `bots` choose, for `tabletop tune`: for each such bot
            the names of numbers that its maker takes as arguments, each with the least and the
            greatest value, as `{"builder": {"brick": (0, 10)}}`. They are whole numbers where both
            of these are.
        source: the name that it was found by: an installed name, `module:NAME`, or a path, which
            is absolute and may end in `:NAME`. `load` fills it in.

    Raises:
        RegistryError: an argument is unknown, or none of these; says which was probably meant.
    """

    game: AnyGame
    _: KW_ONLY
    text: TextView[Any] = field(default_factory=TextView)
    picture: type[Picture[Any]] | Picture[Any] | Callable[[Any], Picture[Any]] | str | None = None
    page: Path | None = None
    rulebook: str | Readable = ""
    bots: Mapping[str, BotMaker] = field(default_factory=dict)
    levels: Mapping[str, BotMaker | str] = field(default_factory=lambda: LEVELS)
    search: Mapping[str, Any] = field(default_factory=dict)
    evaluate: Callable[..., float] | None = None
    policy: Callable[..., Sequence[Any]] | None = None
    belief: Callable[..., float] | None = None
    ui: Callable[[Any], Any] | str | None = None
    encoder: object = None
    metrics: Mapping[str, Callable[..., Any]] | str = field(default_factory=dict)
    weights: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    source: str = ""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse a name that is none of an argument: Python up to 3.12 suggests no other."""
        known = [it.name for it in fields(cls)]
        for name in given:
            if name not in known:
                hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
                raise RegistryError(f"Plugin has no argument {name!r}{hint}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        self._check_types()
        bots = {bot_name(str(name)): maker for name, maker in self.bots.items()}
        bots.setdefault("random", Random)
        settled = {
            "bots": bots,
            "levels": self.levels if _can_think(self.game) else {},
            "evaluate": self._bind_game(self.evaluate),
            "policy": self._bind_game(self.policy),
            "belief": self._bind_game(self.belief),
            "page": self.page and self.page.absolute(),
            "rulebook": self.rulebook or "",
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)
        if not self.weights.keys() <= bots.keys():
            raise self._wrong("weights", "weights of bots that are among `bots`")
        for bot, weights in self.weights.items():
            for name in weights:
                if not _takes(bots[bot], name):
                    raise self._wrong("weights", f"arguments of {bot}, which takes no {name!r}")

    def _check_types(self) -> None:
        """Refuse what would fail much later, amid a match."""
        for name, (is_good, wanted) in _WANTED.items():
            if not is_good(getattr(self, name)):
                raise self._wrong(name, wanted)
        kind = type(self.game).__name__
        if not self.game.name:
            raise RegistryError(f"{self._where}{kind} has no name")
        if wrong := declaration_problem(self.game):
            raise RegistryError(f"{self._where}{kind}.{wrong}")

    def _wrong(self, name: str, wanted: str) -> RegistryError:
        return RegistryError(f"{self._where}{name} is {getattr(self, name)!r}, not {wanted}")

    @property
    def _where(self) -> str:
        """Begin a message about an error: with the source, where there is one."""
        return f"{self.source}: " if self.source else ""

    def _bind_game(self, function: Callable[..., Any] | None) -> Callable[..., Any] | None:
        """Return a function that is given the rules, if it wants them."""
        wants_game = function is not None and "game" in inspect.signature(function).parameters
        return partial(function, game=self.game) if function and wants_game else function

    def __reduce__(self) -> tuple[Callable[[str], Plugin], tuple[str]]:
        """Pickle or copy by source: `load` finds the plugin again.

        Raises:
            RegistryError: it was not loaded by a name.
        """
        if not self.source:
            raise RegistryError(
                f"the plugin of {self.game.name} has no source: load it by its name"
            )
        return load, (self.source,)

    @property
    def rules(self) -> str:
        """The rules for people, in Markdown; empty when the game comes without any.

        Raises:
            RegistryError: they cannot be read, or are no text.
        """
        found = self.rulebook
        if isinstance(found, str):
            return found
        about = f"{self._where}rulebook is {found!r}, which fails"
        return str(call(about, partial(found.read_text, encoding="utf-8")))

    def import_attribute(self, name: str) -> Any:
        """Return an attribute, imported if it is given by its place.

        Raises:
            RegistryError: nothing can be imported from that place.
        """
        found = getattr(self, name)
        if not isinstance(found, str):
            return found
        module, _, attribute = found.partition(":")
        about = f"{self._where}{name} is {found!r}, which fails"
        return call(about, lambda: getattr(import_module(module), attribute))

    def make_picture(self) -> Picture[Any]:
        """Return the picture of the game: its own, or else a sheet made of its text view.

        Raises:
            RegistryError: `picture` is no picture, or cannot be imported.
        """
        made = self.import_attribute("picture")
        if made is None:
            return TextPicture(self.text)
        about = f"{self._where}picture is {self.picture!r}"
        if isinstance(made, type):
            made = call(f"{about}, which fails", made)
        elif callable(made):
            made = call(f"{about}, which fails", partial(made, self.game))
        if not isinstance(made, Picture):
            hint = "a class derived from tabletop.display.Picture, or module:NAME of one"
            raise self._wrong("picture", f"a picture: write {hint}")
        return made

    @property
    def best_bot(self) -> str:
        """The bot that plays unless another is named: the game's first own one, or a level."""
        first = next(iter(self.bots))
        return self.usual_level if first == "random" else first

    @property
    def usual_level(self) -> str:
        """The level for most people: `fair`, else the last there is; `random` without any."""
        return "fair" if "fair" in self.levels else ([*self.levels] or ["random"])[-1]

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
            RegistryError: there is no such bot; lists those there are. Or it is no player.
        """
        if is_for_command_line(name):
            if (program := self.bots.get(bot_name(name))) is None:
                does = "open a file" if bot_name(name).startswith(LEARNT) else "start a program"
                raise RegistryError(f"only the command line that begins a match can {does}")
            return make_bot(program, stream, game=self.game, seat=seat, name=name)
        kind, colon, budget = name.casefold().partition(":")
        if colon and kind in SEARCH_CLASSES and self.levels:
            return self._thinker(stream, name)
        if colon and kind in self.weights:
            given = self._read_weights(name, kind, budget)
            return make_bot(
                self.bots[kind], stream, game=self.game, seat=seat, name=name, weights=given
            )
        maker = self.bots.get(kind) or self.levels.get(kind)
        if colon or maker is None:
            raise self._no_bot(name, kind)
        if isinstance(maker, str):  # a level stands for another name, such as `search:20`
            if self.levels is LEVELS:
                return self._thinker(stream, maker, choices=LEVEL_CHOICES)
            return self.bot(maker, stream, seat)
        return make_bot(maker, stream, game=self.game, seat=seat, name=name)

    def _read_weights(self, name: str, bot: str, words: str) -> dict[str, float]:
        """Read words like `brick=3:heat=5`, the weights of a bot."""
        bounds, given = self.weights[bot], {}
        for word in words.split(":"):
            weight, _, value = word.partition("=")
            if weight not in bounds:
                known = did_you_mean(weight, bounds, f"its weights: {', '.join(bounds)}")
                raise RegistryError(f"{quote(name)}: {bot} has no weight {quote(weight)}{known}")
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
        if not self.levels and (kind in LEVELS or kind in SEARCH_CLASSES):
            can_think = _can_think(self.game)
            why = "nobody has a choice in it" if can_think else "its secrets cannot be dealt anew"
            why = f", which would look ahead: {why}"
        _, colon, budget = name.partition(":")
        kinds = [*(SEARCH_CLASSES if self.levels else ()), *self.weights] if colon else []
        known = [*self.bot_names, *(f"{kind}:{budget}" for kind in kinds)]
        hint = did_you_mean(name, known, f"its bots: {', '.join(self.bot_names)}{ways}")
        return RegistryError(f"{self.game.name} has no bot {quote(name)}{why}{hint}")

    def _thinker(
        self, stream: Stream, name: str, *, choices: int | None = None
    ) -> AnyPlayer[Any, Any]:
        """Make a bot that looks ahead, called for its way and its budget."""
        from tabletop import bots

        kind, _, budget = name.casefold().partition(":")
        try:
            given = bots.Budget.parse(budget)
        except ValueError as error:
            raise RegistryError(f"{quote(name)}: {error}") from error
        if (given.iterations or 0) > MOST_ITERATIONS or (given.seconds or 0) > MOST_SECONDS:
            most = f"at most {MOST_ITERATIONS} iterations, or {MOST_SECONDS}s"
            raise RegistryError(f"{quote(name)}: a bot that is named may have {most}")
        thinker: AnyPlayer[Any, Any] = getattr(bots, SEARCH_CLASSES[kind])(
            stream,
            game=self.game,
            iterations=given.iterations,
            seconds=given.seconds,
            evaluate=self.evaluate,
            policy=self.policy,
            belief=self.belief,
            choices=choices,
            **(self.search if kind == "search" else {}),
        )
        return thinker


def _names(value: object, check: Callable[[Any], bool]) -> bool:
    """Check that a value is a mapping, all of whose values are good."""
    return isinstance(value, Mapping) and all(map(check, value.values()))


def _is_place(value: object) -> bool:
    return isinstance(value, str) and ":" in value


def _is_function(value: object) -> bool:
    return value is None or callable(value)


_WANTED: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "game": (lambda it: isinstance(it, Game), "an object of a class derived from Game"),
    "text": (lambda it: isinstance(it, TextView), "an object of a class derived from TextView"),
    "picture": (
        lambda it: isinstance(it, Picture) or _is_function(it) or _is_place(it),
        "a class derived from tabletop.display.Picture, or module:NAME of one",
    ),
    "page": (
        lambda it: it is None or (isinstance(it, Path) and (it / "index.html").is_file()),
        "the path of a folder with an index.html",
    ),
    "rulebook": (
        lambda it: it is None or isinstance(it, str) or hasattr(it, "read_text"),
        "a text, or a path to a file of text",
    ),
    "bots": (lambda it: _names(it, callable), "names with functions that make players"),
    "levels": (
        lambda it: (
            _names(it, lambda bot: isinstance(bot, str) or callable(bot))
            and [*it] == [name for name in LEVELS if name in it]
        ),
        f"bots called {', '.join(LEVELS)}, or some of these, in that order",
    ),
    "search": (lambda it: isinstance(it, Mapping), "names of arguments with values"),
    "evaluate": (_is_function, "a function"),
    "policy": (_is_function, "a function"),
    "belief": (_is_function, "a function"),
    "ui": (
        lambda it: _is_function(it) or _is_place(it),
        "a class derived from TerminalUI, or module:NAME of one",
    ),
    "metrics": (
        lambda it: _names(it, callable) or _is_place(it),
        "names with metrics, or module:NAME of these",
    ),
    "weights": (lambda it: isinstance(it, Mapping), "names of bots with weights"),
}
"""What each argument of a `Plugin` has to be: a check, and the words for it."""


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
    name: str = "",
) -> AnyPlayer[Any, Any]:
    """Make a bot with `stream` as its chance, and `weights` if it has such.

    The maker gets `game` and `seat` if it takes them; an error says the `name`.

    Raises:
        RegistryError: the maker returns no player.
    """
    offered = {"game": game, "seat": seat}
    wanted = _parameters_of(maker)
    taken = {name: value for name, value in offered.items() if name in wanted}
    made = maker(stream, **taken, **(weights or {}))
    if not is_player(made):
        which = f"bot {quote(name)}: " if name else ""
        raise RegistryError(f"{which}{not_a_player(made)}")
    return made


def _takes(maker: BotMaker, name: str) -> bool:
    """Check whether a maker of bots may be given an argument of this name."""
    known = _parameters_of(maker)
    others = any(it.kind is inspect.Parameter.VAR_KEYWORD for it in known.values())
    return not known or name in known or others


def _parameters_of(maker: BotMaker) -> Mapping[str, inspect.Parameter]:
    is_hashable = getattr(maker, "__hash__", None) is not None
    return (_parameters if is_hashable else _parameters.__wrapped__)(maker)


@lru_cache(maxsize=256)  # learners have bots made for every match
def _parameters(maker: BotMaker) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a maker of bots, by name."""
    try:
        return inspect.signature(maker).parameters
    except ValueError:  # functions written in C may have no signature
        return {}


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
        RegistryError: The game cannot be imported, or is not a game. If another distribution has
            overwritten its package, the message names that distribution.
    """
    try:
        return _plugin(point.name, import_named(point.module, point.name), point.attr or "")
    except RegistryError as error:
        if clash := clash_of(point):
            raise RegistryError(f"{point.name}: {clash}") from error
        raise


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
        module = load_file(file)  # first: a link to itself cannot be resolved
        return _plugin(f"{file.resolve()}:{attribute}", module, attribute)
    place, colon, attribute = name.rpartition(":")
    file = user_path(name)
    if colon and f"_{attribute}".isidentifier() and not file.exists():
        folder = user_path(place)
        return _load_from(folder.parent, folder.name, attribute)
    module = load_file(file)
    return _plugin(str(file.resolve()), module, "")


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
    source = f"{os.path.join(os.path.realpath(directory), module)}:{attribute}"
    return _plugin(source, import_from_folder(directory, module, source), attribute)


def _unknown(name: str, points: Mapping[str, object]) -> RegistryError:
    games = ", ".join(points) or "none"
    hint = did_you_mean(name, points, f"installed: {games}")
    return RegistryError(
        f"there is no game {name!r}{hint} (or give module:NAME, or a path to a .py file)"
    )


def plugin_of(game: AnyGame) -> Plugin:
    """Return the plugin of a game of which only the rules are known.

    It is looked for in the module of the rules, and in the package around it; what it brings goes
    with any object of the rules.
    """
    # Both have been imported with the rules: nothing need be loaded.
    module = type(game).__module__
    for place in (module, module.partition(".")[0]):
        there = vars(sys.modules.get(place, sys)).values()
        plugins = [it for it in there if isinstance(it, Plugin) and type(it.game) is type(game)]
        for found in sorted(plugins, key=lambda it: it.game.name != game.name):
            return replace(found, game=game, source=place)
    return Plugin(game, source=module)


def draw_match(
    match: AnyMatch,
    picture: Picture[Any] | None = None,
    seat: Watcher = ALL,
    *,
    narrow: bool = False,
) -> str:
    """Draw a match as it stands, in a picture that cannot be clicked: the text of an SVG.

    Args:
        match: the match.
        picture: the picture of the game; that of its plugin when not given.
        seat: the viewer: a seat, None for a spectator, `tabletop.ALL` to hide nothing.
        narrow: whether it is for a screen as narrow as a phone's.

    Raises:
        RegistryError: as `Plugin.make_picture`, where no picture is given.
    """
    picture = plugin_of(match.game).make_picture() if picture is None else picture
    view = match.view(seat) if seat is None or isinstance(seat, int) else match.state
    scene = Scene(match.names, seat, match.to_act, narrow=narrow, outcome=match.outcome)
    return picture.draw(view, scene)


def _plugin(source: str, module: ModuleType, attribute: str) -> Plugin:
    """Return what stands in a module: a `Plugin`, or a game that comes with nothing."""
    found = _find(source, module, attribute)
    if isinstance(found, type) and issubclass(found, Game):
        found = call(source, found)
    if isinstance(found, Plugin):
        return replace(found, source=source)
    if not isinstance(found, Game):
        raise RegistryError(f"{source}: {found!r} is no Plugin and no Game")
    return Plugin(found, source=source)


def _can_think(game: AnyGame) -> bool:
    """Check whether bots can look ahead: what a game hides has to be dealt anew."""
    kind = type(game)
    return kind.redeal is not Game.redeal or kind.view is Game.view


def _find(source: str, module: ModuleType, attribute: str) -> object:
    if attribute or hasattr(module, "PLUGIN"):
        try:
            return getattr(module, attribute or "PLUGIN")
        except AttributeError:
            raise RegistryError(f"{source}: {module.__name__} has no {attribute!r}") from None
    misnamed = [name for name, value in vars(module).items() if isinstance(value, Plugin)]
    if misnamed:
        raise RegistryError(f"{source}: no PLUGIN is defined there, but {misnamed[0]} is one")
    own = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    if len(own) == 1:
        return own[0]
    found = ", ".join(kind.__name__ for kind in own) or "none"
    raise RegistryError(
        f"{source}: no PLUGIN is defined there, and not just one class derived from Game ({found})"
    )
