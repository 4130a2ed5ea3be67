"""Code of users passes the type checkers, and the package has complete types."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.pages import add_to_file, blocks

from tabletop.cli.new import KINDS, package

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
PACKAGE = str(ROOT / "src")

# `make lint` runs mypy on the templates and the examples.
CHECKERS = [
    pytest.param(
        ("mypy", "--strict", "--explicit-package-bases", "--cache-dir=cache"),
        id="mypy",
        marks=pytest.mark.matrix,
    ),
    pytest.param(("basedpyright",), id="pyright", marks=pytest.mark.matrix),
    pytest.param(
        ("pyrefly", "check", "--python-interpreter-path", sys.executable, "--search-path", PACKAGE),
        id="pyrefly",
    ),
    pytest.param(
        ("ty", "check", "--python", sys.prefix, "--extra-search-path", PACKAGE),
        id="ty",
    ),
]


def run(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a type checker that finds the package."""
    path = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(TOOLS / words[0]), *words[1:]],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": PACKAGE, "MYPYPATH": PACKAGE},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def code_of_users(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the code of `tabletop new`, of the tutorial and of the README."""
    folder = tmp_path_factory.mktemp("users")
    for path, text in (*made(), *steps(), *readme()):
        add_to_file(folder / path, text)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', "utf-8")
    return folder


def made() -> Iterator[tuple[str, str]]:
    for kind in KINDS:
        for path, text in package(f"castle_{kind}", kind).items():
            if path.endswith(".py"):
                # In one folder, as when they are installed.
                yield path.removeprefix("src/"), text


def steps() -> Iterator[tuple[str, str]]:
    for step in sorted((ROOT / "examples" / "tutorial").glob("*.py")):
        yield step.name, step.read_text("utf-8")


def readme() -> Iterator[tuple[str, str]]:
    """Return the code of the page, without its results and its deliberate mistake."""
    for block in blocks(ROOT / "README.md"):
        if block.language == "python" and block.title:
            yield block.title, f"{block.text.rstrip()}\n"
        elif block.language == "python":
            lines = block.text.splitlines()
            code = [
                line[4:] for line in lines if line.startswith((">>> ", "... ")) or line == "..."
            ]
            yield "page.py", "\n".join(code) + "\n"


@pytest.mark.parametrize("checker", CHECKERS)
def test_code_of_users_passes_type_checkers(checker: Sequence[str], code_of_users: Path) -> None:
    done = run([*checker, "."], code_of_users)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.matrix
def test_nearly_all_public_types_are_complete(tmp_path: Path) -> None:
    done = run(
        ["basedpyright", "--verifytypes", "tabletop", "--ignoreexternal", "--outputjson"], tmp_path
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    assert report["completenessScore"] >= 0.98, done.stdout


@pytest.mark.matrix
def test_a_program_that_reads_studies_type_checks_without_optional_libraries(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text("from tabletop.studies import Study, tune\n", "utf-8")
    # rich, which openai reads, imports IPython, and IPython imports Matplotlib.
    skipped = "[mypy]\n[mypy-IPython.*]\nfollow_imports = skip\n"
    (tmp_path / "mypy.ini").write_text(skipped, "utf-8")
    done = run(["mypy", "--strict", "--verbose", "--cache-dir=cache", "own.py"], tmp_path)
    assert done.returncode == 0, done.stdout
    read = set(re.findall(r"Parsing .+? \((\w+)", done.stderr))
    assert "tabletop" in read
    assert not read & {"dask", "distributed", "matplotlib", "optuna", "sqlalchemy"}
