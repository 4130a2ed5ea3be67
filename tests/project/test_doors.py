"""Public modules: their names can be imported, are documented, and are what others import."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import tabletop

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PAGES = ROOT / "docs" / "reference"
GAMES = ("constructor", "lcr", "sorcery")

OF_ONE_FILE = ("errors", "registry", "text_layout", "wording")
"""Public modules without submodules, which export all their public names."""

INNER = (
    *(f"tabletop.parts.{name}" for name in ("board", "cards", "claims", "dice")),
    *(f"tabletop.parts.{name}" for name in ("flow", "maps", "money")),
    *(f"tabletop.envs.{name}" for name in ("aec", "parallel", "gym", "vector", "spiel")),
    *(f"tabletop.envs.{name}" for name in ("text", "openenv")),
    "lcr.sweep",
)
"""Public modules within packages: parts are independent, and the others need a library."""

ROOMS = tuple(it.name for it in pkgutil.iter_modules(tabletop.__path__) if it.ispkg)
LISTED = ("tabletop", *(f"tabletop.{room}" for room in ROOMS if room != "parts"), *GAMES)
"""The public modules with a list of their names."""

WHOLE = (*(f"tabletop.{name}" for name in OF_ONE_FILE), *INNER)
DOORS = {*LISTED, *WHOLE, "tabletop.parts"}

DIRECTIVE = re.compile(r"^::: ([\w.]+)\n((?: +.*\n)*)", re.MULTILINE)
PROSE = "members: []"
"""Modules whose pages show only the docstring of the module."""


def rank(name: str) -> tuple[bool, bool, str]:
    return not name.isupper(), not name[0].isupper(), name  # constants, classes, functions


@cache
def listed(door: str) -> tuple[str, ...]:
    return tuple(import_module(door).__all__)


def shown() -> Iterator[str]:
    """Return the names and the whole modules on the pages of the reference."""
    for page in sorted(PAGES.glob("*.md")):
        for name, options in DIRECTIVE.findall(page.read_text("utf-8") + "\n"):
            if PROSE not in options:
                yield name


@pytest.mark.parametrize("door", LISTED)
def test_the_names_of_a_public_module_are_sorted_and_can_be_imported(door: str) -> None:
    assert list(listed(door)) == sorted(set(listed(door)), key=rank)
    for name in listed(door):
        assert not inspect.ismodule(getattr(import_module(door), name))


def test_a_name_is_exported_by_one_public_module() -> None:
    names = [
        (name, getattr(import_module(door), name))
        for door in LISTED
        if door not in GAMES
        for name in listed(door)
    ]
    kinds = [it for it in names if inspect.isclass(it[1]) or inspect.isfunction(it[1])]
    twice = {it for it in kinds if kinds.count(it) > 1}
    assert twice == set()


def handed_on() -> Iterator[tuple[str, str]]:
    """Yield the names of all public modules except those that need a library."""
    for door in (*LISTED[1:], *WHOLE):
        if door in LISTED and door not in GAMES:
            yield from ((name, door) for name in listed(door))
        elif door.startswith(("tabletop.parts", *(f"tabletop.{name}" for name in OF_ONE_FILE))):
            for name, value in vars(import_module(door)).items():
                is_own = getattr(value, "__module__", "") == door
                if is_own and not name.startswith("_") and hasattr(value, "__qualname__"):
                    yield name, door


@pytest.mark.slow
def test_importing_a_name_from_the_wrong_module_names_the_right_one() -> None:
    doors = defaultdict(list)
    for name, door in handed_on():
        if name not in tabletop.__all__ and find_spec(f"tabletop.{name}") is None:
            doors[name].append(door)
    assert {"TextView", "check_game", "StateError", "Trick", "ActionIndex"} <= doors.keys()
    # One name of each public module, and all names of several modules.
    names = {right[0]: name for name, right in doors.items()}.values()
    for name in {*names, *(name for name, right in doors.items() if len(right) > 1)}:
        with pytest.raises(ImportError) as caught:
            exec(f"from tabletop import {name}")
        modules, _, hint = str(caught.value).partition(": ")
        assert set(doors[name]) <= set(re.findall(r"[\w.]+", modules))
        exec(hint)


def test_an_unknown_name_gives_a_plain_error() -> None:
    assert not hasattr(tabletop, "TextVeiw")
    assert not hasattr(tabletop, "_listed")
    with pytest.raises(ImportError, match="cannot import name 'TextVeiw' from 'tabletop'"):
        exec("from tabletop import TextVeiw")


def test_the_pages_show_exactly_the_exported_names() -> None:
    of_errors = {
        f"tabletop.{name}"
        for name in listed("tabletop")
        if getattr(tabletop, name).__class__ is type
        and getattr(tabletop, name).__module__ == "tabletop.errors"
    }
    doors = set(LISTED) - {"tabletop.cli"}  # whose page is that of the programs
    handed_on = {f"{door}.{name}" for door in doors for name in listed(door)}
    pages = list(shown())
    assert len(pages) == len(set(pages))
    assert set(pages) == (handed_on - of_errors) | set(WHOLE)


def test_a_public_module_has_a_page() -> None:
    pages = {page.stem for page in PAGES.glob("*.md")}
    assert {"tabletop", *ROOMS, *OF_ONE_FILE, *GAMES} - {"cli"} <= pages


IMPORT = re.compile(
    r"^[ \t]*(?:(?:>>>|\.\.\.) )?from ((?:tabletop|lcr|constructor|sorcery)\b[\w.]*) import",
    re.MULTILINE,
)
"""A statement that imports from the project, also in texts, docstrings and pages."""


def readers() -> Iterator[Path]:
    """Yield games, examples, templates and pages."""
    for game in GAMES:
        yield from (SOURCE / game).rglob("*.py")
    yield from (ROOT / "examples").rglob("*.py")
    yield from (SOURCE / "tabletop" / "cli" / "templates").rglob("*.py")
    yield from (SOURCE / "tabletop" / "cli" / "templates").rglob("*.txt")
    yield from (ROOT / "docs").rglob("*.md")
    yield ROOT / "README.md"


def test_games_examples_templates_and_pages_import_from_public_modules() -> None:
    past = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in readers()
        if path.is_file()
        for module in IMPORT.findall(path.read_text("utf-8"))
        if module not in DOORS and not is_own(path, module)
    ]
    assert past == []


def is_own(path: Path, module: str) -> bool:
    """Return whether a module of a game imports another one of the same game."""
    game = path.relative_to(SOURCE).parts[0] if SOURCE in path.parents else ""
    return game in GAMES and game == module.partition(".")[0]


def test_framework_modules_import_from_defining_modules() -> None:
    rooms = {f"tabletop.{room}" for room in ROOMS}
    door = re.compile(rf"^ *from tabletop(\.({'|'.join(ROOMS)}))? import ", re.MULTILINE)
    found = [
        f"{path.relative_to(SOURCE)}: {node.module}"
        for path in sorted((SOURCE / "tabletop").rglob("*.py"))
        if "templates" not in path.parts and path.name != "__main__.py"
        if door.search(text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module in {"tabletop", *rooms}
        for name in node.names
        if name.name not in {it.name for it in pkgutil.iter_modules(modules_of(node.module))}
    ]
    assert found == []


def modules_of(door: str) -> list[str]:
    return list(import_module(door).__path__)
