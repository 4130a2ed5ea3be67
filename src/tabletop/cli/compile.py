"""Command that compiles the rules of a game into a wheel, which plays the same."""

from __future__ import annotations

import argparse
import ast
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import resolve_name
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from types import ModuleType
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

import tabletop
from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    choose_options,
    number_in,
)
from tabletop.errors import TabletopError, UsageError
from tabletop.host.compiling import Built, CompileError, build_wheel, path_of
from tabletop.host.screen_text import print_error
from tabletop.host.user_files import make_folders, user_path
from tabletop.match.match import Match
from tabletop.match.players import Random
from tabletop.registry import Plugin, load
from tabletop.rules.options import Options
from tabletop.terminal.args import as_text
from tabletop.terminal.progress import ProgressLine
from tabletop.testing.elsewhere import (
    Part,
    Step,
    answer_of,
    courses_of,
    first_difference,
    start_python,
)
from tabletop.wording import join_words, number, plural, quote

_MATCHES: Final = 20
_PLIES: Final = 400
"""How many matches are compared, unless another number is asked for, and how far each."""

_SECONDS: Final = 20
_TIMES: Final = 5
"""Compiled matches may take so long, and so many times as long as the others besides.

One that makes all of something endless at once takes ever more memory meanwhile.
"""

_RACE: Final = 0.5
"""Seconds of processor time for which matches are played to see how fast that is."""

_MADE: Final = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "*.so", "*.pyd")
"""What was made from the sources of a project, or is hidden."""

_BESIDE: Final = shutil.ignore_patterns("build", "dist", "node_modules", "venv")
"""What lies beside them in its folder; a package of such a name within them is a part of it."""


def add_compile_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop compile`."""
    add_game_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        type=user_path,
        default=Path("dist"),
        help="where the wheel goes (by default dist)",
    )
    parser.add_argument(
        "--module",
        metavar="NAME",
        action="append",
        default=[],
        help="compile this module of the game, as my_game.rules; repeat. By default the one with"
        " the rules, and those of its package that it imports",
    )
    parser.add_argument(
        "--matches",
        metavar="N",
        type=number_in(1),
        default=_MATCHES,
        help=f"how many matches are compared (by default {_MATCHES})",
    )
    parser.add_argument("--seed", metavar="TEXT", default="compile", help="compare other matches")
    add_option_argument(parser)


def run_compile(arguments: argparse.Namespace) -> int:
    """Compile the rules of a game into a wheel, for this Python and this kind of machine.

    Random matches are played by the rules as they are and by the compiled ones. Unless every state,
    view, event and outcome is the same, the difference is named, and no wheel is written.
    """
    plugin = load(arguments.game)
    game = plugin.game
    options = choose_options(arguments, game)
    game.resolve_options(options)  # raises before anything is compiled
    modules = _choose_modules(plugin, arguments.module)
    seed = as_text(arguments.seed)
    seats = [game.seats[at % len(game.seats)] for at in range(arguments.matches)]
    parts = [Part(f"{seed} {at}", count, _PLIES) for at, count in enumerate(seats)]
    line = ProgressLine()
    with TemporaryDirectory() as name:
        try:
            line.show(f"{game.name}: compiling, which takes a minute")
            built = _build(plugin, modules, Path(name))
            line.show(f"{game.name}: comparing")
            same = _compare(plugin, built, parts, options, Path(name, "unpacked"))
        finally:
            line.wipe()
        wheel: Path = arguments.output / built.wheel.name
        try:
            make_folders(arguments.output)
            shutil.move(built.wheel, wheel)
        except OSError as error:
            raise TabletopError(f"{wheel}: cannot be written: {error.strerror}") from error
    names = join_words([module.__name__ for module in modules], "and")
    sys.stdout.write(f"{wheel}: {names}, compiled\n{same}\n")
    return 0


# What is compiled.


def _choose_modules(plugin: Plugin, named: Sequence[str]) -> list[ModuleType]:
    """Return the modules to compile: those that were named, or those of the rules."""
    own = type(plugin.game).__module__
    package = f"{own.partition('.')[0]}."
    there = {own: None} | dict.fromkeys(
        name
        for name, it in sorted(sys.modules.items())
        if name.startswith(package) and not hasattr(it, "__path__")
    )
    for name in named:
        if name not in there:
            hint = f"there are {join_words(list(there), 'and')}"
            raise UsageError(f"--module {quote(name)} is no module of {plugin.game.name}: {hint}")
    chosen = list(dict.fromkeys(named)) or [own]
    for name in chosen:  # it grows meanwhile
        module = sys.modules[name]
        file = Path(module.__file__ or "")
        if hasattr(module, "__path__"):
            why = "rules in __init__.py cannot be compiled: move them into a module beside it"
            raise UsageError(f"{file}: {why}, as rules.py")
        if file != _root(module) / path_of(name):
            raise UsageError(f"{file}: another module is called {file.stem}: give it another name")
        if _root(module) == Path(tabletop.__file__).parents[1]:
            raise UsageError(f"{file}: this is installed; compile a game where its sources lie")
        imported = dict.fromkeys(_imports(module))
        beside = [it for it in imported if "." not in name and _lies_in(it, file.parent)]
        if beside:
            why = f"it imports {beside[0]}, which lies beside it: make a package of them"
            raise UsageError(f"{file}: {why}, as `tabletop new` does")
        if not named:
            chosen += [it for it in imported if it in there and it not in chosen]
    return [sys.modules[name] for name in chosen]


def _root(module: ModuleType) -> Path:
    """Return the folder in which the package of a module lies, or the module itself."""
    return Path(module.__file__ or "").parents[module.__name__.count(".")]


def _lies_in(name: str, folder: Path) -> bool:
    """Check whether a module that has been imported is a file in a folder, or a package there."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and folder in (Path(file).parent, Path(file).parent.parent)


def _imports(module: ModuleType) -> Iterator[str]:
    """Yield what a module may import."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (it.name for it in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name(f"{'.' * node.level}{node.module or ''}", module.__package__)
            yield from (base, *(f"{base}.{it.name}" for it in node.names))


# The wheel.


def _build(plugin: Plugin, modules: Sequence[ModuleType], work: Path) -> Built:
    """Build the wheel into a folder; raise an error that names what the compiler refuses."""
    name = plugin.game.name
    top = modules[0].__name__.partition(".")[0]
    try:
        project, sources, keywords = _copy_project(plugin, _root(modules[0]), top, work / "project")
        return build_wheel(
            *(project, modules, work / "wheel"), sources=sources, library=top, keywords=keywords
        )
    except CompileError as error:
        for problem in error.problems:
            print_error(f"tabletop: {problem}")
        why = f"{plural(len(error.problems), 'place')} in it" if error.problems else str(error)
        raise TabletopError(f"{name} cannot be compiled: {why}") from error


def _copy_project(
    plugin: Plugin, root: Path, top: str, copy: Path
) -> tuple[Path, str, Mapping[str, object]]:
    """Copy the project of a game; where its sources lie there, and the keywords for setuptools.

    A lone file has none, nor has a package without a pyproject.toml: then all that setuptools
    has to know stands in the keywords.
    """
    home = root.parent if root.name == "src" else root
    file = home / "pyproject.toml"
    if (root / top).is_dir() and file.is_file():
        system = tomllib.loads(file.read_text("utf-8")).get("build-system", {})
        if not str(system.get("build-backend", "setuptools")).startswith("setuptools"):
            what = f"{file}: its build-backend is {system['build-backend']}"
            raise UsageError(f"{what}, and only setuptools takes compiled modules in")

        def left_out(folder: str, names: list[str]) -> set[str]:
            return _MADE(folder, names) | (_BESIDE(folder, names) if folder == str(home) else set())

        shutil.copytree(home, copy, ignore=left_out, ignore_dangling_symlinks=True)
        return copy, root.relative_to(home).as_posix(), {}
    sources = copy / "src"
    sources.mkdir(parents=True)
    if (root / top).is_dir():
        shutil.copytree(root / top, sources / top, ignore=_MADE, ignore_dangling_symlinks=True)
    else:
        for beside in filter(Path.is_file, root.glob(f"{top}.*")):
            shutil.copy(beside, sources)
    folders = {it.parent.relative_to(sources) for it in sources.rglob("*.py")}
    edition = plugin.game.version
    return (
        copy,
        "src",
        {
            "name": top.replace("_", "-"),
            "version": edition if re.fullmatch(r"\d+(\.\d+)*", edition) else "0",
            "install_requires": [f"tabletop-rules>={version('tabletop-rules')}"],
            "entry_points": {"tabletop.games": [f"{plugin.game.name} = {_place(plugin)}"]},
            "package_dir": {"": "src"},
            "packages": sorted(".".join(it.parts) for it in folders),
            "package_data": {"": ["**/*"]},
        },
    )


def _place(plugin: Plugin) -> str:
    """Return where a game stands, as `my_game:PLUGIN`."""
    own = type(plugin.game).__module__
    for module in (own.partition(".")[0], own):
        for name, value in vars(sys.modules[module]).items():
            if isinstance(value, Plugin) and value.game is plugin.game:
                return f"{module}:{name}"
    return f"{own}:{type(plugin.game).__name__}"


# The same matches.


class Played(NamedTuple):
    """What matches have come to, how many were played in a second, and by which file.

    Seconds are those of the processor.
    """

    courses: list[list[Step]]
    speed: float
    file: str


def play(source: str, parts: Sequence[Part], options: Options | None) -> Played:
    """Play matches of a game that is found by its source, in another Python."""
    game = load(source).game
    courses = courses_of(game, parts, options)
    begun, played = process_time(), 0
    while process_time() - begun < _RACE:
        part = parts[played % len(parts)]
        players = [Random(seat) for seat in range(part.seats)]
        Match(game, seed=part.seed, seats=part.seats, options=options, players=players).run(
            part.plies
        )
        played += 1
    file = sys.modules[type(game).__module__].__file__ or ""
    return Played(courses, played / (process_time() - begun), file)


def _compare(
    plugin: Plugin, built: Built, parts: Sequence[Part], options: Mapping[str, Any], site: Path
) -> str:
    """Compare matches between the rules as they are and compiled; a sentence about it.

    Raises:
        TabletopError: they are not the same, or the compiled rules do not come to an end.
    """
    name, place = plugin.game.name, _place(plugin)
    eager = ""
    if built.eager:
        places = join_words(built.eager, "and")
        eager = f"; compiled, a generator in brackets makes all at once, as in {places}"
    with ZipFile(built.wheel) as packed:
        packed.extractall(site)
    begun = monotonic()
    plain = _ask(place, parts, options, [], None)
    seconds = _SECONDS + _TIMES * (monotonic() - begun)
    try:
        made = _ask(place, parts, options, [str(site)], seconds)
    except subprocess.TimeoutExpired:
        what = f"compiled, its matches take more than {number(round(seconds))} seconds"
        raise TabletopError(f"{name}: {what}{eager}") from None
    if not made.file.startswith(str(site)):
        raise TabletopError(f"{name}: {made.file} is found in place of what was compiled")
    for part, ours, theirs in zip(parts, plain.courses, made.courses, strict=True):
        if differs := first_difference(ours, theirs):
            ply, what = differs
            where = f"seed {quote(part.seed)}, {plural(part.seats, 'seat')}, ply {ply}"
            raise TabletopError(f"{name}: {where}: compiled, {what}{eager}")
    plies = sum(len(course) - 1 for course in plain.courses)
    return (
        f"{name}: {plural(len(parts), 'match')} are the same, {plural(plies, 'action')} in all;"
        f" compiled, random ones are played {made.speed / plain.speed:.2f} times as fast"
    )


def _ask(
    place: str,
    parts: Sequence[Part],
    options: Mapping[str, Any],
    first: Sequence[str],
    seconds: float | None,
) -> Played:
    """Have another Python play."""
    with start_python(first=first) as child:
        try:
            call = pickle.dumps(partial(play, place, parts, dict(options)))
            said: Played | str = answer_of(child, call, seconds)
        finally:
            child.kill()
    if isinstance(said, str):
        raise TabletopError(f"{place} cannot be loaded by another Python: {said}")
    return said
