"""The public names, the modules that importing them loads, and the tree of errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version

import pytest

import tabletop
from tabletop import errors

TREE_LINE = re.compile(r"(?P<bars>[│ ]*)(?:[├└]── )?(?P<name>\w+)")
REPORT_IMPORTS = """
import json, sys
before = set(sys.modules)
exec({0!r})
sys.stdout.write(json.dumps(sorted(set(sys.modules) - before)) + chr(10))
"""
RUN = "from tabletop_start import {0} as main; sys.argv = {1!r}; main()"


def modules_of(script: str) -> set[str]:
    """Return the modules that a script imports in a new process."""
    run = subprocess.run(
        [sys.executable, "-c", REPORT_IMPORTS.format(script)],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_the_public_names_are_sorted_and_complete() -> None:
    def place(name: str) -> tuple[bool, bool, str]:
        return not name.isupper(), not name[0].isupper(), name  # constants, classes, functions

    assert tabletop.__all__ == sorted(set(tabletop.__all__), key=place)
    assert set(dir(tabletop)) == set(tabletop.__all__)


def test_the_package_has_the_version_of_its_distribution() -> None:
    assert tabletop.__version__ == version("tabletop-rules")


@pytest.mark.slow
def test_importing_tabletop_imports_no_part_of_it() -> None:
    modules = modules_of("import tabletop")
    helpers = {"tabletop.errors", "tabletop.host", "tabletop.host.extras", "tabletop.wording"}
    assert {name for name in modules if name.startswith("tabletop.")} == helpers
    assert {name.partition(".")[0] for name in modules} <= sys.stdlib_module_names | {"tabletop"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "unwanted"),
    [
        ("from tabletop import Game, Match", "display registry bots table terminal"),
        ("import lcr", "display.svg bots table records terminal"),
        (RUN.format("tabletop", ["tabletop", "--version"]), "rules match.match registry table"),
        (RUN.format("tabletop", ["tabletop", "games"]), "table records scores display.svg"),
        (RUN.format("lcr", ["lcr", "--help"]), "display.svg table records scores"),
    ],
)
def test_programs_import_only_what_they_need(script: str, unwanted: str) -> None:
    modules = modules_of(script)
    assert modules.isdisjoint({"asyncio", "sqlite3", "msgspec"})
    assert [name for name in unwanted.split() if f"tabletop.{name}" in modules] == []


@pytest.mark.slow
def test_modules_are_attributes_without_an_import() -> None:
    script = "import tabletop; assert tabletop.display.Picture"
    subprocess.run([sys.executable, "-c", script], check=True)


def drawn_tree() -> Iterator[tuple[str, str | None]]:
    """Return every class in the drawing of the docstring, with its base."""
    assert errors.__doc__ is not None
    drawing = errors.__doc__.split("```text\n")[1].split("```")[0]
    above: list[str] = []
    for line in drawing.splitlines():
        match = TREE_LINE.match(line)
        assert match is not None, line
        depth = 0 if match.start("name") == 0 else match.start("name") // 4
        del above[depth:]
        yield match["name"], above[-1] if above else None
        above.append(match["name"])


def real_tree() -> Iterator[tuple[str, str | None]]:
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.TabletopError):
            base = kind.__bases__[0].__name__
            yield name, base if base != "Exception" else None


def test_the_tree_of_errors_is_correct() -> None:
    assert sorted(drawn_tree()) == sorted(real_tree())


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.SeedError, ValueError),
        (errors.OptionError, ValueError),
        (errors.CommandError, ValueError),
        (errors.IllegalAction, ValueError),
        (errors.RecordError, ValueError),
        (errors.RegistryError, LookupError),
        (errors.EndOfInput, EOFError),
    ],
)
def test_errors_are_subclasses_of_builtin_errors(
    kind: type[errors.TabletopError], builtin: type[Exception]
) -> None:
    assert issubclass(kind, builtin)


def test_errors_have_attributes_for_their_subject() -> None:
    error = errors.CommandError("word 2 is missing", line="attack", place=2)
    assert (str(error), error.line, error.place) == ("word 2 is missing", "attack", 2)
    assert (errors.CommandError("no").line, errors.CommandError("no").place) == ("", 0)
    illegal = errors.IllegalAction("it is asleep", action="attack 1", seat=0)
    assert (str(illegal), illegal.reason) == ("it is asleep", "it is asleep")
    assert (illegal.action, illegal.seat) == ("attack 1", 0)
    assert (errors.IllegalAction("no").action, errors.IllegalAction("no").seat) == (None, None)
    assert errors.RecordMismatch("differs", line=3).line == 3
    assert errors.RecordError("gone").line == 0
