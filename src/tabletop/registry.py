"""Finding a game: an installed plugin, `module:NAME`, or a path to a `.py` file.

An installed package names its game in the entry-point group `tabletop.games`; the bundled games are
found in no other way. The module in which a `GAME` stands may hold more, all of it optional:

- `TEXT`: a `TextView`, how the game reads in a terminal; or a function that makes one of the game;
- `BOTS`: a mapping from names to functions that make a `Player` of a `Stream`. One with a
  parameter called `game` is given the rules as well: there may be several games in a module. One
  with a parameter called `seat` is told for which seat it plays.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from tabletop.errors import RegistryError
from tabletop.files import user_path
from tabletop.game import Game, Seat
from tabletop.players import Player, Random
from tabletop.rng import Stream
from tabletop.sending import make_sendable
from tabletop.text import TextView
from tabletop.wording import nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tabletop.games"

BotMaker: TypeAlias = Callable[..., Player[Any, Any]]
"""Makes a bot that draws from the stream it is given.

It is called as `maker(stream)`; with `game=game` as well when it has a parameter `game`, and with
`seat=seat` when it has a parameter `seat`.
"""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A game and what comes with it.

    Attributes:
        source: what it was found by: an installed name, `module:NAME`, or a path.
        game: the rules.
        text: how it reads in a terminal.
        bots: who can play for a seat, by name; `random` is always there.
    """

    source: str
    game: Game[Any, Any]
    text: TextView[Any]
    bots: Mapping[str, BotMaker]

    def __reduce__(self) -> tuple[Callable[[str], Plugin], tuple[str]]:
        """Pickled or copied, it is found again by its source."""
        return load, (self.source,)

    def bot(self, name: str, stream: Stream, seat: Seat = 0) -> Player[Any, Any]:
        """The bot called `name`, with `stream` as its chance, for a seat of this game.

        Raises:
            RegistryError: there is none; says which there are.
        """
        maker = self.bots.get(name.casefold())
        if maker is None:
            raise RegistryError(
                f"{self.game.name} has no bot {name!r}; its bots: {', '.join(self.bots)}"
            )
        told = {"game": self.game, "seat": seat}
        wanted = _parameters(maker)
        return maker(stream, **{word: it for word, it in told.items() if word in wanted})


def _parameters(maker: BotMaker) -> Container[str]:
    """What a maker can be told by name."""
    try:
        return inspect.signature(maker).parameters
    except ValueError:  # what is written in C may not say
        return ()


def installed() -> dict[str, EntryPoint]:
    """The installed games by name, in alphabetical order. Nothing is imported."""
    from importlib.metadata import entry_points  # slow to import

    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def load(name: str) -> Plugin:
    """The game called `name`, found by entry point, as `module:NAME`, or at a path.

    Raises:
        RegistryError: there is no such game, or what was found is none; says which was meant.
    """
    if name.endswith(".py") or ".py:" in name or "/" in name or "\\" in name:
        path, _, attribute = name.partition(".py:")
        file = user_path(f"{path}.py" if attribute else name)
        return _plugin(str(file.resolve()), load_file(file), attribute)
    if ":" in name:
        module, _, attribute = name.partition(":")
        return _plugin(name, _import(module, name), attribute)
    points = installed()
    point = points.get(name) or points.get(name.casefold())
    if point is None:
        raise _unknown(name, points)
    return _plugin(point.name, _import(point.module, name), point.attr)


def _unknown(name: str, points: Mapping[str, object]) -> RegistryError:
    meant = nearest(name, points)
    hint = f"; did you mean {meant!r}?" if meant else ";"
    games = ", ".join(points) or "none"
    return RegistryError(
        f"there is no game {name!r}{hint} installed: {games}"
        " (or give module:NAME, or a path to a .py file)"
    )


def _import(module: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise RegistryError(f"{name}: cannot import {module!r}: {_said(error)}") from error


def load_file(path: Path) -> ModuleType:
    """The module in a Python file; the same one when asked again.

    Raises:
        RegistryError: there is no such file, or running it failed; its cause is what was raised.
    """
    name = f"tabletop_game_{blake2b(str(path.resolve()).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    if not path.is_file():
        raise RegistryError(f"{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RegistryError(f"{path}: this is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while it is loading
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise RegistryError(f"{path}: {_said(error)}") from error
    make_sendable(module, load_file, path)
    return module


def _said(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    where = ""
    for frame in extract_tb(error.__traceback__):
        if frame.filename != __file__ and not frame.filename.startswith("<frozen"):
            where = f" ({Path(frame.filename).name}, line {frame.lineno})"
    return f"{type(error).__name__}: {error}{where}"


def _plugin(source: str, module: ModuleType, attribute: str) -> Plugin:
    game = _as_game(source, _find_game(source, module, attribute))
    text = getattr(module, "TEXT", TextView)
    if isinstance(text, type):
        text = _made(source, text)
    elif callable(text) and not isinstance(text, TextView):
        text = _made(source, partial(text, game))
    if not isinstance(text, TextView):
        raise RegistryError(f"{source}: TEXT is {text!r}, not a TextView")
    own = getattr(module, "BOTS", {})
    if not isinstance(own, Mapping) or not all(map(callable, own.values())):
        raise RegistryError(
            f"{source}: BOTS is {own!r}, not names with functions that make players"
        )
    bots: dict[str, BotMaker] = {"random": Random}
    bots.update({str(name).casefold(): bot for name, bot in own.items()})
    return Plugin(source, game, text, bots)


def _made(source: str, maker: Callable[[], object]) -> object:
    """What `maker` makes."""
    try:
        return maker()
    except Exception as error:
        raise RegistryError(f"{source}: {_said(error)}") from error


def _find_game(source: str, module: ModuleType, attribute: str) -> object:
    if attribute or hasattr(module, "GAME"):
        try:
            return getattr(module, attribute or "GAME")
        except AttributeError:
            raise RegistryError(f"{source}: {module.__name__} has no {attribute!r}") from None
    own = [kind for kind in vars(module).values() if _is_game_of(kind, module)]
    if len(own) == 1:
        return own[0]
    found = ", ".join(kind.__name__ for kind in own) or "none"
    raise RegistryError(
        f"{source}: no GAME is defined there, and not just one class derived from Game ({found})"
    )


def _is_game_of(kind: object, module: ModuleType) -> bool:
    is_game = isinstance(kind, type) and issubclass(kind, Game)
    return is_game and getattr(kind, "__module__", "") == module.__name__


def _as_game(source: str, found: object) -> Game[Any, Any]:
    if isinstance(found, type) and issubclass(found, Game):
        found = _made(source, found)
    if not isinstance(found, Game):
        raise RegistryError(f"{source}: {found!r} is no Game")
    if not found.name:
        raise RegistryError(f"{source}: {type(found).__name__} has no name")
    return found
