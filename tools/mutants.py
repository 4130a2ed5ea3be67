"""Single mutants: change one place of the source at a time, and see whether a test notices.

`make mutants` draws 200 places by a seed, the same ones for the same source. Each mutant is run in
a copy of the checkout against the tests that execute its line, the most specific ones first. A
mutant that no test notices is printed: it is a rule that no test holds, or code that nothing needs.
"""

from __future__ import annotations

import argparse
import ast
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coverage import CoverageData

ROOT: Final = Path(__file__).parent.parent

ROOMS: Final = (
    "rng",
    "match",
    "state",
    "states",
    "secrets",
    "records",
    "session",
    "testing",
    "web",
)
"""The modules to mutate by default, as far as they exist: those that every game relies on."""

MOST_TESTS: Final = 300
"""The most tests to run against a mutant; thousands execute some lines."""

PATIENCE: Final = 300.0
"""Seconds after which the tests of a mutant count as failed: it loops."""

UNCOUNTED: Final = ("tests/tabletop/records/test_killed.py", "tests/tabletop/cli/test_signals.py")
"""Tests that kill what they start: they cannot be traced."""

SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """A change: the code from `start` to `end` (offsets in bytes) of a file becomes `new`."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())} -> {self.new}"


def swapped_operators(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the same operation with another operator."""
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in SWAPPED:
            yield ast.Compare(left, [SWAPPED[type(op)]()], [right])  # type: ignore[list-item]
        case ast.BoolOp(op, values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)  # type: ignore[arg-type]
        case ast.BinOp(left, op, right) if type(op) in SWAPPED:
            yield ast.BinOp(left, SWAPPED[type(op)](), right)  # type: ignore[arg-type]
        case ast.AugAssign(target, op, value) if type(op) in SWAPPED:
            yield ast.AugAssign(target, SWAPPED[type(op)](), value)  # type: ignore[arg-type]


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements for a node: each differs from it in one respect."""
    yield from swapped_operators(node)
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Return(value) if value and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() if "AssertionError" not in ast.unparse(node):
            yield ast.Pass()
        case ast.Expr(ast.Call()) | ast.Break() | ast.Continue():
            yield ast.Pass()


def places(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes to change: no annotations, no decorators, no imports for types."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.AST):
                yield from places(child)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all single mutants of a file, as it stands in the checkout."""
    source = (ROOT / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in places(ast.parse(source)):
        if not isinstance(node, ast.expr | ast.stmt):
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        for changed in changed_nodes(node):
            new = ast.unparse(ast.fix_missing_locations(changed))
            new = f"({new})" if isinstance(node, ast.expr) else new
            yield Mutant(path, node.lineno, start, end, source[start:end].decode(), new)


def covering_tests(data: Path) -> dict[str, dict[int, list[str]]]:
    """Return the tests that execute a line, by file and line: the most specific ones first."""
    covered = CoverageData(str(data))
    covered.read()
    weights: Counter[str] = Counter()
    found: dict[str, dict[int, list[str]]] = {}
    for file in covered.measured_files():
        lines: dict[int, list[str]] = defaultdict(list)
        for line, contexts in covered.contexts_by_lineno(file).items():
            lines[line] = sorted({it.rpartition("|")[0] for it in contexts if "::" in it})
            weights.update(lines[line])
        found[file] = lines
    for lines in found.values():
        for tests in lines.values():
            tests.sort(key=lambda test: (weights[test], test))
    return found


def measure(data: Path) -> None:
    """Run the tests of the framework once, noting for each line which of them execute it."""
    words = ["--cov", "--cov-context=test", "--cov-report=", "--numprocesses=auto", "-qq"]
    words += ["--hypothesis-profile=quick", "-o", "faulthandler_timeout=600"]
    words += [f"--ignore={path}" for path in UNCOUNTED]
    words += ["tests/tabletop", "tests/examples/test_examples.py"]
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, env=environment, check=False)


def copy_checkout(folder: Path) -> None:
    """Copy what git tracks, or would track, into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def is_noticed(mutant: Mutant, tests: list[str], folder: Path) -> bool:
    """Return whether a test fails, or does not end, with a mutant in a copy of the checkout."""
    target = folder / mutant.path
    source = target.read_bytes()
    chosen = folder / ".chosen-tests"
    chosen.write_text("\n".join(tests[:MOST_TESTS]))
    words = ["-x", "-qq", "--no-header", "-p", "no:cacheprovider", "--hypothesis-profile=quick"]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    target.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words, f"@{chosen}"],
            cwd=folder,
            env=environment,
            timeout=PATIENCE,
            capture_output=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        target.write_bytes(source)
    return done.returncode != 0


def room_of(path: Path) -> str:
    """Return the folder or module right under the package that a file belongs to."""
    return path.parts[2].removesuffix(".py")


def chosen_files(rooms: list[str]) -> list[Path]:
    """Return the source files of the rooms of the framework, in a fixed order."""
    files = sorted((ROOT / "src/tabletop").rglob("*.py"))
    relative = [path.relative_to(ROOT) for path in files]
    return [path for path in relative if room_of(path) in rooms]


def run(number: int, seed: int, rooms: list[str], jobs: int) -> int:
    """Run so many mutants and print those that no test notices, and the share of each room."""
    everything = [mutant for path in chosen_files(rooms) for mutant in mutants_of(path)]
    drawn = random.Random(seed).sample(everything, min(number, len(everything)))
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        scratch = Path(name)
        measure(scratch / "covered")
        covering = covering_tests(scratch / "covered")
        folders: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for job in range(jobs):
            copy_checkout(scratch / f"copy{job}")
            folders.put(scratch / f"copy{job}")

        def judge(mutant: Mutant) -> bool:
            tests = covering.get(str(ROOT / mutant.path), {}).get(mutant.line, [])
            folder = folders.get()
            try:
                noticed = bool(tests) and is_noticed(mutant, tests, folder)
            finally:
                folders.put(folder)
            if not noticed:
                print("survives" if tests else "no test executes", mutant, flush=True)
            return noticed

        with ThreadPoolExecutor(jobs) as pool:
            judged = list(zip(drawn, pool.map(judge, drawn), strict=True))
    made = Counter(room_of(mutant.path) for mutant, _ in judged)
    killed = Counter(room_of(mutant.path) for mutant, noticed in judged if noticed)
    for room in sorted(made):
        print(f"{room:12} {killed[room]:4} of {made[room]:4} noticed")
    print(f"{'all':12} {killed.total():4} of {made.total():4} noticed")
    return 0


def main() -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS), help="rooms of src/tabletop")
    parser.add_argument("--number", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    said = parser.parse_args()
    return run(said.number, said.seed, said.rooms, said.jobs)


if __name__ == "__main__":
    sys.exit(main())
