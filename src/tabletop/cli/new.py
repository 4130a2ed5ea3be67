"""Command that makes a package for a game of one's own."""

from __future__ import annotations

import argparse
import json
import keyword
import os
import re
import sys
from collections.abc import Mapping
from importlib.metadata import distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tabletop.errors import TabletopError, UsageError
from tabletop.registry import installed
from tabletop.terminal.args import as_text
from tabletop.wording import quote

KINDS: Final = ("board", "cards", "dice")
"""The games to begin with; each is a package in `tabletop.cli.templates`."""

ROOMS: Final = ("__init__.py", "rules.py", "text.py", "picture.py", "rules.md")
"""The files of each of these games, which are called as the rooms of the bundled ones."""

_TEMPLATES: Final = "tabletop.cli.templates"

_TABLETOP: Final = "my-tabletop"
"""Stands in templates for what pip installs tabletop from."""

_TABLETOP_LINE: Final = re.compile(rf".*{_TABLETOP}.*\n")

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
"""What names a module and, with hyphens, a game: those of games hold no others."""

_LONGEST: Final = 40
"""Letters of the longest name: it stands in file names, in commands and on pages."""

_DEVICE: Final = re.compile(r"aux|con|nul|prn|(com|lpt)[1-9]")
"""What names no folder on Windows."""

_NEXT: Final = """\
{name}: a whole game to begin with. Next:
  cd {name}
  pip install -e '.[dev]'
  tabletop play {game} --bot 2
  tabletop check {game}
"""


def add_new_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop new`."""
    parser.add_argument(
        "name", metavar="NAME", help="what it is called, small letters, digits and _, like my_game"
    )
    parser.add_argument(
        "--kind", choices=KINDS, default=KINDS[0], help="what it begins with (by default board)"
    )


def run_new(arguments: argparse.Namespace) -> int:
    """Make a package for a game of your own, in a new folder NAME.

    It holds a whole small game to change: rules, texts, a picture, tests. It can be installed,
    played and checked at once.
    """
    name = as_text(arguments.name)
    _check_name(name)
    folder = Path(name)
    if os.path.lexists(folder):  # a link that leads nowhere as well
        raise UsageError(f"{name} exists already: choose another name, or another folder")
    try:
        _write(folder, package(name, arguments.kind, _source_of_tabletop()))
    except OSError as error:
        raise TabletopError(f"{name} cannot be written here: {error.strerror}") from error
    sys.stdout.write(_NEXT.format(name=name, game=_game(name)))
    return 0


def _check_name(name: str) -> None:
    """Raise a UsageError unless a package and a game can have this name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{quote(name)} cannot name a game and its module: write small letters, digits and"
            " single _, beginning with a letter, as my_game"
        )
    if len(name) > _LONGEST:
        raise UsageError(f"{quote(name)} is longer than {_LONGEST} letters: choose a shorter name")
    if keyword.iskeyword(name) or _DEVICE.fullmatch(name):
        raise UsageError(f"{name} is a word of Python or Windows itself: choose another name")
    if _game(name) in installed():
        raise UsageError(f"there is a game called {_game(name)} already: see `tabletop games`")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"there is a module called {name} already, which the game would hide")


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by their paths into a new folder, which gets its name when it is whole."""
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as unfinished:
        made = Path(unfinished, folder.name)
        for path, text in texts.items():
            file = made / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        made.rename(folder)


def _game(name: str) -> str:
    """Return the name of the game in a module with that name."""
    return name.replace("_", "-")


def _source_of_tabletop() -> str:
    """Return what pip installs tabletop from if that was not an index, else an empty text."""
    text = distribution("tabletop-rules").read_text("direct_url.json")
    if text is None:
        return ""
    origin = json.loads(text)
    vcs = origin.get("vcs_info")
    address = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f"tabletop-rules @ {address}"


def package(name: str, kind: str, tabletop: str = "") -> dict[str, str]:
    """Return the files of a package, by their paths in its folder.

    Args:
        name: The name of the module. The name of the game has hyphens instead of `_`.
        kind: The game to begin with, one of `KINDS`.
        tabletop: What pip installs tabletop from. Empty if that is an index: then the
            dependencies in `pyproject.toml` are enough.
    """
    sources = {
        "pyproject.toml": "pyproject.txt",
        "README.md": "readme.txt",
        ".gitignore": "gitignore.txt",
        ".github/workflows/check.yml": "ci.txt",
        "CHANGELOG.md": "changelog.txt",
        "LICENSE": "license.txt",
        **{f"src/{name}/{room}": f"{kind}/{room}" for room in ROOMS},
        f"tests/test_{name}.py": f"{kind}/test.txt",
    }
    own = {
        f"{_TEMPLATES}.{kind}": "my_game",
        "my_game": name,
        "my-game": _game(name),
        "My game": name.replace("_", " ").capitalize(),
    }
    made = {f"src/{name}/py.typed": ""}
    for path, source in sources.items():
        text = files(_TEMPLATES).joinpath(source).read_text("utf-8")
        text = text.replace(_TABLETOP, tabletop) if tabletop else _TABLETOP_LINE.sub("", text)
        for there, here in own.items():
            text = text.replace(there, here)
        made[path] = text
    return made
