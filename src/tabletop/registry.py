"""Plugins, which combine a game with its text, picture and bots, and functions that load games.

A game module declares its plugin in one place. All arguments except the rules are optional:

    PLUGIN = Plugin(
        Nim(), text=NimText(), picture=NimPicture, bots={"careful": Careful}
    )

A package registers its game in the entry-point group `tabletop.games`, like the bundled games. A
file with a single class derived from `Game` needs no `PLUGIN`.

In addition to its own bots, every game has the bot `random`, the levels `easy`, `fair` and `hard`,
and bots whose names end in a budget, such as `search:1000` or `search:2s` (`tabletop.bots`).
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property, lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias, TypeGuard

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
from tabletop.match.players import AnyPlayer, Random, is_player
from tabletop.rng.stream import Stream
from tabletop.rules.events import ALL, Watcher
from tabletop.rules.game import AnyGame, Game, declaration_problem
from tabletop.states.bounds import Seat
from tabletop.wording import did_you_mean, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tabletop.display.console_text import ConsoleText
    from tabletop.display.picture import Picture
    from tabletop.match.match import AnyMatch

GROUP: Final = "tabletop.games"  # the entry-point group in which packages register their games

SEARCH_CLASSES: Final = {
    "search": "ISMCTS",
    "flat": "FlatMonteCarlo",
    "expectimax": "Expectimax",
    "alphabeta": "AlphaBeta",
}
"""The search bots that take a budget, by prefix, and their classes in `tabletop.bots`."""

LEVELS: Final = MappingProxyType({"easy": "search:20", "fair": "search:200", "hard": "search:5000"})
"""The default levels of games with choices, and the bot that each level uses."""

LEVEL_CHOICES: Final = 100_000
"""The number of random choices after which a bot of `LEVELS` stops searching for a move.

This takes about a second in a game without `evaluate`, where every iteration plays to the end.
"""

LEVEL_ITERATIONS_PER_ACTION: Final = MappingProxyType({"easy": 4, "fair": 40, "hard": 1000})
"""The minimum number of iterations of a level for each legal action, in games without `evaluate`.

Otherwise, the weaker levels would choose almost at random among many actions.
"""

LEVEL_DEPTHS: Final = MappingProxyType({"easy": 1, "fair": 2, "hard": 100})
"""The depth of a level that is an alpha-beta search."""

LEVEL_POSITIONS: Final = 30_000
"""The number of positions after which an alpha-beta bot of `LEVELS` stops searching for a move."""

BOT_DESCRIPTIONS: Final = {
    "easy": "looks ahead a little, for a first match",
    "fair": "looks ahead further, for most people",
    "hard": "looks ahead furthest, and takes more time",
    "search:1000": "searches 1000 iterations for each move, or another number",
    "search:2s": "searches for 2 seconds for each move, or another time",
}
"""Descriptions of the bots that every game has, for completion lists."""

MOST_ITERATIONS: Final = 100_000
MOST_SECONDS: Final = 60
"""The largest budgets allowed in the name of a bot.

They are limited because names may come from untrusted files.
"""

PROGRAM: Final = "exec:"
"""Prefix of the name of a bot that is an external program. The command follows. See
`tabletop.bots.external`.
"""

LEARNT: Final = "learnt:"
"""Prefix of the name of a bot with a learned policy.

The file follows. See `tabletop.envs.policies`.
"""

MODEL: Final = "llm:"
"""Prefix of the name of a bot that is a language model.

The name of the model follows. See `tabletop.table.language_models`.
"""

BotMaker: TypeAlias = Callable[..., AnyPlayer[Any, Any]]
"""A function that creates a bot from a random stream. If the function has a parameter `game` or
`seat`, it also receives the rules or the seat.
"""


class Readable(Protocol):
    """A text file: a `Path` or a resource of a package."""

    def read_text(self, encoding: str) -> str:
        """Return the whole text."""


@dataclass(frozen=True)
class Plugin:
    """A game with its rules, text, picture, rulebook and bots.

    A module declares it as `PLUGIN`, and `load` finds it.

    An object that is slow to import can be given as `"module:NAME"`, which is imported on first
    use. Invalid arguments raise an error as soon as the module is imported.

    Attributes:
        game: The rules.
        text: The text view of the game, for terminals.
        picture: The picture of the game: a subclass of `tabletop.display.Picture`, an instance, a
            function that takes the game and returns an instance, or `"module:NAME"` of any of
            these. A game without a picture is shown as text.
        page: A folder with a web page that browsers show at tables of this game instead of the
            usual one, such as `Path(__file__).with_name("page")`. It contains an `index.html` and
            all files that the page loads. The page runs in a sandboxed frame and plays through the
            module `/tabletop.js`.
        rulebook: The rules for players, in Markdown: a string, the path of a UTF-8 file, or another
            resource with `read_text`.
        summary: One sentence about the game for players, displayed in the lobby.
        minutes: The typical length of a match between people in minutes, or None if unknown.
        lessons: A function `lessons(view, seat, actions)` that yields the sentences of the tutorial
            that apply to the view of a seat which is to act, the most important first. `actions`
            are the legal actions. The lobby offers the tutorial as *Learn*: a first match against
            bots, in which the page shows each sentence once.
        bots: The game's own bots, best first: a mapping of names to functions that create a
            `Player` from a random `Stream`. The first bot is used if no bot is named, except in
            studies. A function with parameters `game` or `seat` also receives the rules, or the
            seat of the bot. The bot `random` always exists.
        levels: The bots for `easy`, `fair` and `hard`, in this order, if the usual budgets are not
            suitable: a mapping to names of other bots, such as `"search:5000"`, or to functions as
            in `bots`. Omit a level that would not be stronger than the previous level. Use `{}` for
            a game without choices, which then has no search bots.
        search: Arguments of `tabletop.bots.ISMCTS` for this game, such as `{"exploration": 0.2}`.
        evaluate: A function `evaluate(state, seat)` that rates a complete state for a seat, from
            0.0 (lost) to 1.0 (won), for search bots. If it uses only `+ - * /`, the result is the
            same on every Python version.
        policy: A function `policy(state, actions)` that returns the legal actions worth trying, at
            least one, in their order. It must not change the state.
        loud: A function `loud(state, actions)` that returns the legal actions that change the
            rating of a position at once, such as captures, the most promising first. It must not
            change the state. Alpha-beta search continues with these actions beyond its depth (see
            `tabletop.bots.AlphaBeta`). With `loud`, all usual levels are alpha-beta searches.
        belief: A function `belief(state, seat)` that returns how likely the observed actions of
            other players are if `state` is the true state, from 0.0 to 1.0. Search bots use it to
            weight the states in which they have redealt hidden values. Only the ratio between two
            states matters.
        bot_actions: A function `bot_actions(state, actions)` that returns the legal actions that
            bots at a table may choose, at least one, in their order. It must not change the state.
            By default, bots may choose every legal action. `evaluate`, `policy`, `loud`, `belief`,
            `bot_actions` and `lessons` also receive the rules if they have a parameter `game`.
        resign: Whether players at a table can resign.
        draws: Whether players at a table can agree to a draw.
        console: The texts and additional commands of the game at a terminal: a subclass of
            `tabletop.display.ConsoleText`, or `"module:NAME"` of one.
        encoder: A custom encoder for learning environments, if the bounds of the state are not
            enough: a `tabletop.envs.ObservationEncoder`, or a function or class that creates an
            encoder from the game, the options and the number of seats.
        metrics: Metrics that studies record for every match (`tabletop.studies`): a mapping of
            names to classes or functions, or `"module:NAME"` of such a mapping.
        weights: The weights of some of `bots` for `tabletop tune`. Each bot is mapped to the names
            of numeric arguments of its function, and each name to the smallest and largest value,
            such as `{"builder": {"brick": (0, 10)}}`. A weight is an integer if both of its bounds
            are integers.
        source: Where the game was found: an installed name, `module:NAME`, or an absolute path with
            an optional `:NAME`. Set by `load`.

    Raises:
        RegistryError: An argument has an unknown name or an unsuitable value. The message contains
            a suggestion.
    """

    game: AnyGame
    _: KW_ONLY
    text: TextView[Any] = field(default_factory=TextView)
    picture: type[Picture[Any]] | Picture[Any] | Callable[[Any], Picture[Any]] | str | None = None
    page: Path | None = None
    rulebook: str | Readable = ""
    summary: str = ""
    minutes: int | None = None
    lessons: Callable[..., Iterable[str]] | None = None
    bots: Mapping[str, BotMaker] = field(default_factory=dict)
    levels: Mapping[str, BotMaker | str] = field(default_factory=lambda: LEVELS)
    search: Mapping[str, Any] = field(default_factory=dict)
    evaluate: Callable[..., float] | None = None
    policy: Callable[..., Sequence[Any]] | None = None
    loud: Callable[..., Sequence[Any]] | None = None
    belief: Callable[..., float] | None = None
    bot_actions: Callable[..., Sequence[Any]] | None = None
    resign: bool = True
    draws: bool = True
    console: type[ConsoleText[Any]] | str | None = None
    encoder: object = None
    metrics: Mapping[str, Callable[..., Any]] | str = field(default_factory=dict)
    weights: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    source: str = ""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Reject unknown arguments with a suggestion, as Python itself does only since 3.13."""
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                hint = did_you_mean(name, known) or f"; known arguments: {', '.join(known)}"
                raise RegistryError(f"Plugin has no argument {name!r}{hint}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        self._check_types()
        bots = {bot_name(str(name)): maker for name, maker in self.bots.items()}
        bots.setdefault("random", Random)
        settled = {
            "bots": bots,
            "levels": self.levels if _can_search(self.game) else {},
            **{name: self._bind_game(getattr(self, name)) for name in _FUNCTIONS},
            "page": self.page and self.page.absolute(),
            "rulebook": self.rulebook or "",
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)
        for bot, maker in {**self.levels, **bots}.items():
            if not isinstance(maker, str) and (wrong := _wrong_parameters(maker)):
                raise RegistryError(
                    f"{self._where}bot {quote(bot)} cannot be created from a random stream"
                    f" ({wrong}): accept the stream as the first argument and give others defaults,"
                    " or write a function such as `lambda stream: MyBot()`"
                )
        if not self.weights.keys() <= bots.keys():
            raise self._wrong("weights", "a mapping whose keys are among `bots`")
        for bot, weights in self.weights.items():
            for name in weights:
                if not _takes(bots[bot], name):
                    raise self._wrong("weights", f"arguments of {bot}, which has no {name!r}")

    def _check_types(self) -> None:
        """Reject invalid values now, because they would otherwise fail during a match."""
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
        """The source followed by a colon, to start an error message, or an empty string."""
        return f"{self.source}: " if self.source else ""

    def _bind_game(self, function: Callable[..., Any] | None) -> Callable[..., Any] | None:
        """Return the function with its parameter `game` bound to the rules, if it has one."""
        wants_game = function is not None and "game" in inspect.signature(function).parameters
        return partial(function, game=self.game) if function and wants_game else function

    def __reduce__(self) -> tuple[Callable[[str], Plugin], tuple[str]]:
        """Pickle or copy the plugin by its source, from which `load` finds it again.

        Raises:
            RegistryError: The plugin was not loaded by name.
        """
        if not self.source:
            raise RegistryError(
                f"the plugin of {self.game.name} cannot be copied or pickled, because it was"
                " not loaded by name"
            )
        return load, (self.source,)

    @property
    def rules(self) -> str:
        """The rules for players in Markdown, or an empty string if the game has none.

        Raises:
            RegistryError: The rulebook cannot be read or is not text.
        """
        rulebook = self.rulebook
        if isinstance(rulebook, str):
            return rulebook
        source = f"{self._where}cannot read the rulebook {rulebook!r}"
        return str(call(source, partial(rulebook.read_text, encoding="utf-8")))

    def import_attribute(self, name: str) -> Any:
        """Return the value of an attribute, importing it if it is given as `"module:NAME"`.

        Raises:
            RegistryError: The import fails.
        """
        value = getattr(self, name)
        if not isinstance(value, str):
            return value
        module, _, attribute = value.partition(":")
        source = f"{self._where}cannot import {name} {value!r}"
        return call(source, lambda: getattr(import_module(module), attribute))

    def make_picture(self) -> Picture[Any]:
        """Return the picture of the game, or a picture of its text view if it has none.

        Raises:
            RegistryError: `picture` cannot be imported, or is not a picture.
        """
        picture = self.import_attribute("picture")
        if picture is None:
            from tabletop.display.picture import TextPicture

            return TextPicture(self.text)
        source = f"{self._where}cannot create the picture {self.picture!r}"
        if isinstance(picture, type):
            picture = call(source, picture)
        elif callable(picture):
            picture = call(source, partial(picture, self.game))
        if not _is_picture(picture):
            raise self._wrong("picture", _WANTED["picture"][1])
        return picture

    def make_console(self) -> ConsoleText[Any]:
        """Return the texts of the game at a terminal.

        Raises:
            RegistryError: `console` cannot be imported, or is not a subclass of `ConsoleText`.
        """
        from tabletop.display.console_text import ConsoleText

        console = self.import_attribute("console") or ConsoleText
        if not _is_console(console):
            raise self._wrong("console", _WANTED["console"][1])
        made: ConsoleText[Any] = console(self.game, self.text)
        return made

    @property
    def best_bot(self) -> str:
        """The default bot: the first of the game's own bots, or a level if there are none."""
        first = next(iter(self.bots))
        return self.usual_level if first == "random" else first

    @property
    def usual_level(self) -> str:
        """The default level: `fair`, or else the last level, or `random` if there are no levels."""
        return "fair" if "fair" in self.levels else ([*self.levels] or ["random"])[-1]

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The names of all bots without a budget: the game's own bots, the levels, and `random`."""
        game_bots = [name for name in self.bots if name != "random"]
        return (*game_bots, *(name for name in self.levels if name not in self.bots), "random")

    def bot(self, name: str, stream: Stream, seat: Seat = 0) -> AnyPlayer[Any, Any]:
        """Create the bot called `name`.

        In addition to `bot_names`, a name can be a search bot with a budget: `search:1000`
        (iterations), `search:2s` (seconds), `flat:...`, `expectimax:...` or `alphabeta:...`, whose
        iterations are the depth. It can also be a bot of `weights` with values for some of them:
        `builder:brick=3:heat=5`. Names come from records and browsers, so all numbers are limited.
        Budgets are limited to `MOST_ITERATIONS` and `MOST_SECONDS`.

        Args:
            name: The name of the bot.
            stream: The random stream for the bot's choices.
            seat: The seat for which the bot plays.

        Raises:
            RegistryError: There is no such bot, or its function does not return a player. The
                message lists the bots of the game.
        """
        if is_for_command_line(name):
            if (program := self.bots.get(bot_name(name))) is None:
                prefix = f"{bot_name(name).partition(':')[0]}:"
                task = {LEARNT: "open a file", MODEL: "ask a server"}.get(prefix, "start a program")
                raise RegistryError(f"only a command line may name a bot that needs to {task}")
            return make_bot(program, stream, game=self.game, seat=seat, name=name)
        kind, colon, budget = name.casefold().partition(":")
        if colon and kind in SEARCH_CLASSES and self.levels:
            return self._search_bot(stream, name)
        if colon and kind in self.weights:
            weights = self._read_weights(name, kind, budget)
            return make_bot(
                self.bots[kind], stream, game=self.game, seat=seat, name=name, weights=weights
            )
        maker = self.bots.get(kind) or self.levels.get(kind)
        if colon or maker is None:
            raise self._no_bot(name, kind)
        if isinstance(maker, str):  # a level stands for another name, such as `search:20`
            is_usual = self.levels is LEVELS
            return self._usual_level(kind, stream) if is_usual else self.bot(maker, stream, seat)
        return make_bot(maker, stream, game=self.game, seat=seat, name=name)

    @cached_property
    def hard_is_alpha_beta(self) -> bool:
        """Whether the default level `hard` is an alpha-beta search.

        This is the case for a game with `evaluate` that alpha-beta search can play. In a position
        in which it cannot continue, such as with an option that adds dice, the bot uses the search
        of the level in other games.
        """
        from tabletop.bots.alpha_beta import cannot_search

        return self.levels is LEVELS and self.evaluate is not None and not cannot_search(self.game)

    def _usual_level(self, level: str, stream: Stream) -> AnyPlayer[Any, Any]:
        """Create the bot of one of `LEVELS`."""
        per_action = LEVEL_ITERATIONS_PER_ACTION[level] if self.evaluate is None else 0
        limits = {"choices": LEVEL_CHOICES, "per_action": per_action}
        bot = self._search_bot(stream, LEVELS[level], **limits)
        if not self.hard_is_alpha_beta or (level != "hard" and self.loud is None):
            return bot
        depth, positions = LEVEL_DEPTHS[level], LEVEL_POSITIONS
        return self._search_bot(stream, f"alphabeta:{depth}", positions=positions, instead=bot)

    def _read_weights(self, name: str, bot: str, words: str) -> dict[str, float]:
        """Parse the weights of a bot, such as `brick=3:heat=5`."""
        bounds, weights = self.weights[bot], {}
        for word in words.split(":"):
            weight, _, value = word.partition("=")
            if weight not in bounds:
                known = did_you_mean(weight, bounds, f"its weights: {', '.join(bounds)}")
                raise RegistryError(f"{quote(name)}: {bot} has no weight {quote(weight)}{known}")
            low, high = bounds[weight]
            try:
                weights[weight] = int(value) if is_whole(low, high) else float(value)
                is_good = low <= weights[weight] <= high
            except ValueError:
                is_good = False
            if not is_good:
                kind = "a whole number" if is_whole(low, high) else "a number"
                rule = f"{weight} must be {kind} from {low} to {high}"
                raise RegistryError(f"{quote(name)}: {rule}, not {quote(value)}")
        return weights

    def _no_bot(self, name: str, kind: str) -> RegistryError:
        ways = ", search:1000 (iterations), search:2s (seconds)" if self.levels else ""
        why = ""
        if not self.levels and (kind in LEVELS or kind in SEARCH_CLASSES):
            can_search = _can_search(self.game)
            why = "the game has no choices" if can_search else "its hidden values cannot be redealt"
            why = f", because {why}"
        _, colon, budget = name.partition(":")
        kinds = [*(SEARCH_CLASSES if self.levels else ()), *self.weights] if colon else []
        known = [*self.bot_names, *(f"{kind}:{budget}" for kind in kinds)]
        hint = did_you_mean(name, known, f"its bots: {', '.join(self.bot_names)}{ways}")
        return RegistryError(f"{self.game.name} has no bot {quote(name)}{why}{hint}")

    def _search_bot(self, stream: Stream, name: str, **limits: Any) -> AnyPlayer[Any, Any]:
        """Create the search bot whose name consists of a kind and a budget."""
        from tabletop import bots

        kind, _, budget = name.casefold().partition(":")
        try:
            limit = bots.Budget.parse(budget)
        except ValueError as error:
            raise RegistryError(f"{quote(name)}: {error}") from error
        if (limit.iterations or 0) > MOST_ITERATIONS or (limit.seconds or 0) > MOST_SECONDS:
            most = f"{MOST_ITERATIONS} iterations or {MOST_SECONDS}s"
            raise RegistryError(f"{quote(name)}: the budget is more than {most}")
        try:
            bot: AnyPlayer[Any, Any] = getattr(bots, SEARCH_CLASSES[kind])(
                stream,
                game=self.game,
                iterations=limit.iterations,
                seconds=limit.seconds,
                evaluate=self.evaluate,
                policy=self.policy,
                belief=self.belief,
                **limits,
                **(self.search if kind == "search" else {}),
                **({"loud": self.loud} if kind == "alphabeta" else {}),
            )
        except ValueError as error:
            raise RegistryError(f"{quote(name)}: {error}") from error
        return bot


def _names(value: object, check: Callable[[Any], bool]) -> bool:
    """Check that a value is a mapping whose values all pass `check`."""
    return isinstance(value, Mapping) and all(map(check, value.values()))


def _is_place(value: object) -> bool:
    return isinstance(value, str) and ":" in value


def _is_picture(value: object) -> TypeGuard[Picture[Any]]:
    from tabletop.display.picture import Picture  # not needed by a program without pictures

    return isinstance(value, Picture)


def _is_console(value: object) -> bool:
    from tabletop.display.console_text import ConsoleText  # not needed without a terminal

    return isinstance(value, type) and issubclass(value, ConsoleText)


def _is_function(value: object) -> bool:
    return value is None or callable(value)


_FUNCTIONS: Final = ("lessons", "evaluate", "policy", "loud", "belief", "bot_actions")
"""The arguments of `Plugin` that are functions, which may have a parameter `game`."""

_WANTED: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "game": (lambda it: isinstance(it, Game), "an instance of a subclass of Game"),
    "text": (lambda it: isinstance(it, TextView), "an instance of a subclass of TextView"),
    "picture": (
        lambda it: _is_function(it) or _is_place(it) or _is_picture(it),
        "a subclass of tabletop.display.Picture, or module:NAME of one",
    ),
    "page": (
        lambda it: it is None or (isinstance(it, Path) and (it / "index.html").is_file()),
        "the path of a folder with an index.html",
    ),
    "rulebook": (
        lambda it: it is None or isinstance(it, str) or hasattr(it, "read_text"),
        "a text, or the path of a text file",
    ),
    "summary": (lambda it: isinstance(it, str), "a text"),
    "minutes": (
        lambda it: it is None or (isinstance(it, int) and it > 0),
        "a positive whole number",
    ),
    **dict.fromkeys(_FUNCTIONS, (_is_function, "a function")),
    "bots": (lambda it: _names(it, callable), "a mapping of names to functions that make players"),
    "levels": (
        lambda it: (
            _names(it, lambda bot: isinstance(bot, str) or callable(bot))
            and [*it] == [name for name in LEVELS if name in it]
        ),
        f"a mapping with some of the keys {', '.join(LEVELS)}, in this order",
    ),
    "search": (lambda it: isinstance(it, Mapping), "a mapping of argument names to values"),
    "console": (
        lambda it: it is None or _is_place(it) or _is_console(it),
        "a subclass of ConsoleText, or module:NAME of one",
    ),
    "metrics": (
        lambda it: _names(it, callable) or _is_place(it),
        "a mapping of names to metrics, or module:NAME of one",
    ),
    "weights": (lambda it: isinstance(it, Mapping), "a mapping of bot names to weights"),
}
"""For each argument of `Plugin`, a check and a description of suitable values."""


def is_whole(low: float, high: float) -> bool:
    """Return whether a weight with these bounds is an integer."""
    return isinstance(low, int) and isinstance(high, int)


def is_for_command_line(name: str) -> bool:
    """Return whether only a command line may name this bot.

    These bots are `exec:COMMAND`, `learnt:FILE` and `llm:MODEL`.
    """
    return name.casefold().startswith((PROGRAM, LEARNT, MODEL))


def bot_name(name: str) -> str:
    """Return the name of a bot in lower case, except for the command or file of an external bot."""
    kind, colon, rest = name.partition(":")
    return kind.casefold() + colon + rest if is_for_command_line(name) else name.casefold()


def bot_label(name: str) -> str:
    """Return what players call a bot in sentences: `Medium bot`, `bot that thinks 2 s`.

    Commands and records contain its name, such as `fair` or `search:2s`.
    """
    kind, _, budget = name.partition(":")
    if is_for_command_line(name):
        return f"bot {name}"
    if kind in SEARCH_CLASSES and budget.endswith("s"):
        return f"bot that thinks {budget.removesuffix('s')} s"
    if kind == "alphabeta" and budget:
        return f"bot that looks {budget} {'action' if budget == '1' else 'actions'} ahead"
    if kind == "expectimax" and budget:
        return f"bot that searches its turn in {budget} {'sample' if budget == '1' else 'samples'}"
    if kind in SEARCH_CLASSES and budget:
        return f"bot that thinks for {budget} simulations"
    return f"{'Medium' if name == 'fair' else name[:1].upper() + name[1:]} bot"


def make_bot(
    maker: BotMaker,
    stream: Stream,
    *,
    game: AnyGame,
    seat: Seat = 0,
    weights: Mapping[str, float] | None = None,
    name: str = "",
) -> AnyPlayer[Any, Any]:
    """Create a bot by calling `maker`.

    Args:
        game: The rules, passed on if `maker` has a parameter `game`.
        seat: The seat of the bot, passed on if `maker` has a parameter `seat`.
        weights: Weights to pass on as arguments.
        name: The name of the bot for error messages.

    Raises:
        RegistryError: `maker` does not return a player.
    """
    optional = {"game": game, "seat": seat}
    parameters = _parameters_of(maker)
    arguments = {name: value for name, value in optional.items() if name in parameters}
    bot = maker(stream, **arguments, **(weights or {}))
    if not is_player(bot):
        prefix = f"bot {quote(name)}: " if name else ""
        raise RegistryError(f"{prefix}{not_a_player(bot)}")
    return bot


def _wrong_parameters(maker: BotMaker) -> str:
    """Describe why `make_bot` cannot call a bot function, or return ""."""
    parameters = _parameters_of(maker)
    try:
        given = {name: None for name in ("game", "seat") if name in parameters}
        inspect.signature(maker).bind(None, **given)
    except ValueError:  # as in `_parameters`
        return ""
    except TypeError as error:
        return str(error)
    return ""


def _takes(maker: BotMaker, name: str) -> bool:
    """Return whether a bot function accepts an argument with this name."""
    parameters = _parameters_of(maker)
    accepts_all = any(it.kind is inspect.Parameter.VAR_KEYWORD for it in parameters.values())
    return not parameters or name in parameters or accepts_all


def _parameters_of(maker: BotMaker) -> Mapping[str, inspect.Parameter]:
    is_hashable = getattr(maker, "__hash__", None) is not None
    return (_parameters if is_hashable else _parameters.__wrapped__)(maker)


@lru_cache(maxsize=256)  # learning environments make bots for every match
def _parameters(maker: BotMaker) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a bot function by name."""
    try:
        return inspect.signature(maker).parameters
    except ValueError:  # functions written in C may have no signature
        return {}


def installed() -> dict[str, EntryPoint]:
    """Return the installed games by name, in alphabetical order. No game is imported."""
    return {point.name: point for point in entry_points_of(GROUP)}


def load(name: str, *, here: bool = True) -> Plugin:
    """Load the game called `name`: an installed game, `module:NAME`, or a path.

    Modules are looked up like any Python import, and then in the working directory.
    `directory/module:NAME` is a module in that directory. Never load a name from an untrusted file,
    because loading runs the code of the module.

    Args:
        here: Whether to look for modules in the working directory.

    Raises:
        RegistryError: The game is not found, or the object is not a game. The message contains a
            suggestion.
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
    """Load one of the `installed` games by its entry point.

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
    """Load the installed game whose `Game.name` is `game`, or return None if there is none.

    Raises:
        RegistryError: The game cannot be loaded.
    """
    points = installed()
    if game in points:
        return load(game)
    for point in points.values():  # the name of the entry point may differ from `Game.name`
        try:
            plugin = load_point(point)
        except RegistryError:
            continue
        if plugin.game.name == game:
            return plugin
    return None


def _load_path(name: str) -> Plugin:
    """Load a game from a file, or from a module in a directory."""
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
    """Load a game from a module: an installed one, or else one in the working directory."""
    module, _, attribute = name.partition(":")
    top = module.partition(".")[0]
    here = here and (Path(top).is_dir() or Path(f"{top}.py").is_file())
    try:
        imported = import_named(module, name)
    except RegistryError as error:
        cause = error.__cause__
        if not (here and isinstance(cause, ModuleNotFoundError) and cause.name == top):
            raise
        return _load_from(Path(), module, attribute)
    return _plugin(name, imported, attribute)


def _load_from(directory: Path, module: str, attribute: str) -> Plugin:
    """Load a game from a module in a directory."""
    source = f"{os.path.join(os.path.realpath(directory), module)}:{attribute}"
    return _plugin(source, import_from_folder(directory, module, source), attribute)


def _unknown(name: str, points: Mapping[str, object]) -> RegistryError:
    games = ", ".join(points) or "none"
    hint = did_you_mean(name, points, f"installed: {games}")
    return RegistryError(
        f"there is no game {name!r}{hint} (or give module:NAME, or a path to a .py file)"
    )


def plugin_of(game: AnyGame) -> Plugin:
    """Return the plugin of a game, given only its rules.

    The function looks for the plugin in the module of the rules, then in its top-level package. All
    instances of a rules class share the plugin.
    """
    # Both modules were imported together with the rules.
    module = type(game).__module__
    for place in (module, module.partition(".")[0]):
        values = vars(sys.modules.get(place, sys)).values()
        plugins = [it for it in values if isinstance(it, Plugin) and type(it.game) is type(game)]
        for plugin in sorted(plugins, key=lambda it: it.game.name != game.name):
            return replace(plugin, game=game, source=place)
    return Plugin(game, source=module)


def draw_match(
    match: AnyMatch,
    picture: Picture[Any] | None = None,
    seat: Watcher = ALL,
    *,
    narrow: bool = False,
) -> str:
    """Draw the current state of a match, and return a static picture as SVG text.

    Args:
        match: The match to draw.
        picture: The picture to use. By default, that of the game's plugin.
        seat: The viewer: a seat, None for a spectator, or `tabletop.ALL` to hide nothing.
        narrow: Whether to draw for the narrow screen of a phone.

    Raises:
        RegistryError: See `Plugin.make_picture`, if no picture is given.
    """
    from tabletop.display.picture import Scene

    picture = plugin_of(match.game).make_picture() if picture is None else picture
    view = match.view(seat) if seat is None or isinstance(seat, int) else match.state
    scene = Scene(match.names, seat, match.to_act, narrow=narrow, outcome=match.outcome)
    return picture.draw(view, scene)


def _plugin(source: str, module: ModuleType, attribute: str) -> Plugin:
    """Return the `Plugin` in a module, or a new one for a game without a plugin."""
    item = _find(source, module, attribute)
    if isinstance(item, type) and issubclass(item, Game):
        item = call(source, item)
    if isinstance(item, Plugin):
        return replace(item, source=source)
    if not isinstance(item, Game):
        raise RegistryError(f"{source}: {item!r} is neither a Plugin nor a Game")
    return Plugin(item, source=source)


def _can_search(game: AnyGame) -> bool:
    """Return whether search bots can play a game: its hidden values, if any, can be redealt."""
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
        raise RegistryError(f"{source}: rename the plugin {misnamed[0]} to PLUGIN")
    games = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    if len(games) == 1:
        return games[0]
    names = ", ".join(kind.__name__ for kind in games) or "none"
    raise RegistryError(
        f"{source}: define PLUGIN, or exactly one subclass of Game (found: {names})"
    )
