"""The command `tabletop new`, which creates a package for a new game."""

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
from tabletop.terminal.parsers import as_text
from tabletop.wording import quote

KINDS: Final = ("board", "cards", "dice")
"""The template games. Each is a package in `tabletop.cli.templates`."""

MODULES: Final = ("rules.py", "text.py", "picture.py", "bots.py", "rules.md")
"""The files of each template game. The file `__init__.py` of `board` is that of all kinds."""

_TEMPLATES: Final = "tabletop.cli.templates"

_TABLETOP: Final = "my-tabletop"
"""Placeholder in the templates for the source from which pip installs tabletop."""

_TABLETOP_LINE: Final = re.compile(rf".*{_TABLETOP}.*\n")

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
"""Valid module names. With hyphens, they are also names of games."""

_LONGEST: Final = 40  # maximum length of a name, which is used in file names, commands and pages

_DEVICE: Final = re.compile(r"aux|con|nul|prn|(com|lpt)[1-9]")
"""Names that Windows reserves for devices."""

_NEXT: Final = """\
{name}: created a complete game. Next steps:
  cd {name}
  tabletop play src/{name}:PLUGIN --bot 2
  pip install -e '.[dev]'
  tabletop check {game}
"""


def add_new_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="lower-case letters, digits and _, such as my_game"
    )
    parser.add_argument(
        "--kind", choices=KINDS, default=KINDS[0], help="the template game (default: board)"
    )


def run_new(arguments: argparse.Namespace) -> int:
    """Create a package for a new game in the new folder NAME.

    The package contains a small but complete game to change: rules, texts, a picture and tests. You
    can install, play and check it at once.
    """
    name = as_text(arguments.name)
    _check_name(name)
    folder = Path(name)
    if os.path.lexists(folder):  # unlike `exists`, true for a dangling link
        raise UsageError(f"{name} already exists: choose another name, or another folder")
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
            f"{quote(name)} cannot name a game and its module: use lower-case letters, digits and"
            " single _, and start with a letter, as in my_game"
        )
    if len(name) > _LONGEST:
        raise UsageError(
            f"{quote(name)} is longer than {_LONGEST} characters: choose a shorter name"
        )
    if keyword.iskeyword(name) or _DEVICE.fullmatch(name):
        raise UsageError(f"{name} is a reserved word of Python or Windows: choose another name")
    if _game(name) in installed():
        raise UsageError(
            f"a game called {_game(name)} already exists: choose another name (`tabletop games`"
            " lists the games)"
        )
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"a module called {name} already exists: choose another name")


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a new folder, which is renamed to its final name when it is complete."""
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as unfinished:
        complete = Path(unfinished, folder.name)
        for path, text in texts.items():
            file = complete / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        complete.rename(folder)


def _game(name: str) -> str:
    """Return the game name that corresponds to a module name."""
    return name.replace("_", "-")


def _source_of_tabletop() -> str:
    """Return the requirement from which pip installed tabletop, or "" for a package index."""
    text = distribution("tabletop-rules").read_text("direct_url.json")
    if text is None:
        return ""
    origin = json.loads(text)
    vcs = origin.get("vcs_info")
    address = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f"tabletop-rules @ {address}"


def package(name: str, kind: str, tabletop: str = "") -> dict[str, str]:
    """Return the contents of each file of a package, by its path in the package folder.

    Args:
        name: The name of the module. The name of the game has hyphens instead of `_`.
        kind: The template game, one of `KINDS`.
        tabletop: The requirement from which pip installs tabletop. Empty if tabletop is on a
            package index, because the dependencies in `pyproject.toml` are then enough.
    """
    sources = {
        "pyproject.toml": "pyproject.txt",
        "README.md": "readme.txt",
        ".gitignore": "gitignore.txt",
        ".github/workflows/check.yml": "ci.txt",
        "CHANGELOG.md": "changelog.txt",
        "LICENSE": "license.txt",
        **{f"src/{name}/{module}": f"{kind}/{module}" for module in MODULES},
        f"src/{name}/__init__.py": "board/__init__.py",
        f"tests/test_{name}.py": f"{kind}/test.txt",
        f"tests/test_{name}_contract.py": "contract.txt",
    }
    replacements = {
        f"{_TEMPLATES}.board": "my_game",
        "my_game": name,
        "my-game": _game(name),
        "My game": name.replace("_", " ").capitalize(),
    }
    contents = {f"src/{name}/py.typed": ""}
    for path, source in sources.items():
        text = files(_TEMPLATES).joinpath(source).read_text("utf-8")
        text = text.replace(_TABLETOP, tabletop) if tabletop else _TABLETOP_LINE.sub("", text)
        for placeholder, value in replacements.items():
            text = text.replace(placeholder, value)
        contents[path] = text
    return contents
