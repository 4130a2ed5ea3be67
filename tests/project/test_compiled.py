"""The compiled modules: they avoid the faults of mypyc, and play the same matches.

`python -m tools.compiled` runs these tests on a compiled wheel.
"""

from __future__ import annotations

import ast
import gc
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from tests.pages import unmeasured
from tests.tabletop.cli.program import shown
from tools.build_backend import COMPILED
from tools.compiled import VENV
from tools.dist import copy_sources

from sorcery import Sorcery
from tabletop import Match, Random, Streams, Table
from tabletop.match import AnyMatch
from tabletop.rng import HashStream

ROOT: Final = Path(__file__).parents[2]


def nodes_of(module: str) -> list[ast.AST]:
    path = ROOT / "src" / f"{module.replace('.', '/')}.py"
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


# What the compiler gets wrong is not compiled.


@pytest.mark.parametrize("module", COMPILED)
def test_compiled_modules_do_not_use_raise_from(module: str) -> None:
    """The compiler drops the cause of `raise ... from`."""
    raised = [node for node in nodes_of(module) if isinstance(node, ast.Raise)]
    assert [node.lineno for node in raised if node.cause is not None] == []


@pytest.mark.parametrize("module", COMPILED)
def test_compiled_modules_define_no_generic_classes(module: str) -> None:
    """A dead weak reference to an object of a compiled generic class ends the process."""
    classes = [node for node in nodes_of(module) if isinstance(node, ast.ClassDef)]
    for node in classes:
        assert "Generic" not in " ".join(map(ast.unparse, node.bases)), node.name


# The build.

IS_COMPILED: Final = sys.prefix == str(VENV)
REQUIRES: Final = "from tools import build_backend as b; print(b.get_requires_for_build_wheel())"


@pytest.mark.parametrize("module", COMPILED)
def test_modules_are_compiled_in_the_compiled_wheel_alone(module: str) -> None:
    assert (import_module(module).__file__ or "").endswith(".py") is not IS_COMPILED


def test_the_version_names_the_build() -> None:
    assert shown("--version").endswith("(compiled)\n" if IS_COMPILED else "(pure Python)\n")


@pytest.mark.slow
@pytest.mark.parametrize("value", ["1", ""])
def test_mypyc_is_required_only_for_a_compiled_build(tmp_path: Path, value: str) -> None:
    copy_sources(ROOT, tmp_path / "copy")
    done = subprocess.run(
        [sys.executable, "-c", REQUIRES],
        cwd=tmp_path / "copy",
        env={**unmeasured(), "TABLETOP_COMPILED": value},
        capture_output=True,
        check=True,
        text=True,
    )
    assert ("mypy" in done.stdout.splitlines()[-1]) is bool(value)


# What users can tell apart.


class Loaded(HashStream):
    """A stream of a user with a six in every second draw."""

    def below(self, bound: int) -> int:
        return bound - 1 if self.offset % 2 else super().below(bound)


def test_all_draws_use_below_of_a_derived_stream() -> None:
    stream = Loaded(bytes(range(32)), 1)
    assert (stream.roll(6), stream.choice("abc"), stream.between(2, 9)) == (6, "c", 9)
    twin = stream.copy()
    assert type(twin) is Loaded
    assert (twin.offset, twin.roll(6)) == (1, 6)
    assert type(pickle.loads(pickle.dumps(stream))) is Loaded


class Curious(Sorcery):
    """Derived rules that observe calls of the rules."""

    def apply(self, state: Any, action: Any, table: Table) -> None:
        self.seen = [*getattr(self, "seen", []), str(action)]
        super().apply(state, action, table)


def test_rules_derived_by_a_user_play_the_same() -> None:
    def begun(game: Sorcery) -> AnyMatch:
        match = Match(game, seed="x", players=[Random(0), Random(1)])
        match.run(30)
        return match

    game, match = Curious(), begun(Sorcery())
    assert begun(game).digest() == match.digest()
    assert game.seen == [str(action) for action in match.actions]


INTERRUPTED: Final = """
import signal
from random import Random as Chance
from tabletop import Match, Random
from tabletop.registry import load

game = load("sorcery").game
signal.signal(signal.SIGALRM, signal.default_int_handler)
chance, whole = Chance(1), 0
for number in range(200):
    match = Match(game, seed=number, players=[Random(0), Random(1)])
    try:
        signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.004), 0.5)
        while True:
            match.run()
            match.undo(match.ply)
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
    fresh = Match(game, seed=number)
    for action in match.actions:
        fresh.play(action)
    whole += match.digest() == fresh.digest()
print(whole)
"""
"""A program that interrupts a playout 200 times, and prints how often the match was valid."""


@pytest.mark.slow
def test_ctrl_c_stops_a_long_playout_and_leaves_a_valid_match() -> None:
    # What counts lines holds a lock while it does: interrupted there, a process waits for ever.
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=unmeasured(),
        capture_output=True,
        check=True,
        timeout=100,
    )
    assert done.stdout == b"200\n"


@pytest.mark.slow
def test_draws_leak_nothing() -> None:
    """Counts references and memory blocks before and after many draws."""
    stream = Streams("x")["dice"]
    bound, items = int("600"), ["one", "two", "three"]

    def draw(count: int) -> None:
        for _ in range(count):
            stream.below(bound)
            stream.choice(items)
            stream.below(bound << 40)

    draw(3_000)
    gc.collect()
    before = sys.getallocatedblocks(), sys.getrefcount(bound), sys.getrefcount(items[0])
    draw(100_000)
    gc.collect()
    after = sys.getallocatedblocks(), sys.getrefcount(bound), sys.getrefcount(items[0])
    assert after[1:] == before[1:]
    assert after[0] - before[0] < 1000
