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
CHECKERS: dict[str, Sequence[str]] = {
    "mypy": ("mypy", "--strict", "--explicit-package-bases", "--cache-dir=cache"),
    "pyright": ("basedpyright",),
    "ty": ("ty", "check", "--python", sys.prefix, "--extra-search-path", str(ROOT / "src")),
    "pyrefly": (
        *("pyrefly", "check", "--python-interpreter-path", sys.executable),
        *("--search-path", str(ROOT / "src")),
    ),
}


def run(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Return a type checker that finds the package."""
    own = {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [str(TOOLS / words[0]), *words[1:]],
        cwd=folder,
        env={**os.environ, **own, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module", params=["new", "tutorial", "README"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the code of `tabletop new`, or of a page."""
    folder = tmp_path_factory.mktemp(request.param)
    files = {"new": made, "tutorial": steps, "README": readme}[request.param]()
    for path, text in files:
        add_to_file(folder / path, text)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', "utf-8")
    return folder


def made() -> Iterator[tuple[str, str]]:
    for kind in KINDS:
        for path, text in package(f"castle_{kind}", kind).items():
            if path.endswith(".py"):
                # Side by side, as they lie when they are installed.
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
def test_code_of_users_passes_type_checkers(checker: str, written: Path) -> None:
    words = [*CHECKERS[checker], "."]
    done = run(words, written)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nearly_all_public_types_are_complete(tmp_path: Path) -> None:
    done = run(
        ["basedpyright", "--verifytypes", "tabletop", "--ignoreexternal", "--outputjson"], tmp_path
    )
    told = json.loads(done.stdout)["typeCompleteness"]
    assert told["completenessScore"] >= 0.98, done.stdout


def test_a_program_that_reads_studies_type_checks_without_optional_libraries(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text("from tabletop.studies import Study, tune\n", "utf-8")
    done = run(["mypy", "--strict", "--verbose", "--cache-dir=cache", "own.py"], tmp_path)
    assert done.returncode == 0, done.stdout
    read = set(re.findall(r"Parsing .+? \((\w+)", done.stderr))
    assert "tabletop" in read
    assert not read & {"dask", "distributed", "matplotlib", "optuna", "sqlalchemy"}


DEPRECATED = """
from typing_extensions import deprecated


@deprecated("use tosses(), which has the same arguments; flips() goes with 1.0")
def flips() -> int:
    return 3


print(flips())
"""


def test_a_deprecated_name_warns_in_checkers_and_at_run_time(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text(DEPRECATED, "utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"reportDeprecated": "error"}', "utf-8")
    mypy = ["mypy", "--enable-error-code=deprecated", "--cache-dir=cache", "own.py"]
    for words in (mypy, ["basedpyright", "own.py"]):
        done = run(words, tmp_path)
        assert done.returncode == 1
        assert "use tosses(), which has the same arguments" in done.stdout
    done = run([Path(sys.executable).name, "-W", "default", "own.py"], tmp_path)
    assert (done.returncode, done.stdout) == (0, "3\n")
    assert "DeprecationWarning: use tosses(), which has the same arguments" in done.stderr
