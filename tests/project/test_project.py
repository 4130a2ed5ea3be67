"""The files of the project are consistent, and refer to nothing outside of the project."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
FOLDERS = ("src", "tests", "examples", "benchmarks", "docs", "tools", ".ci", ".github")
MADE = {"__pycache__", ".ruff_cache", "findings"}

HOMES = re.compile(r"(?<![\w.~$}>*])/(?:root|home/\w+|Users/\w+|work|workspace)/\w")
"""A path of a machine: a home folder, or the folder of the project."""


def files() -> Iterator[Path]:
    """Yield every source file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            made = MADE.intersection(path.parts) or ".egg-info" in str(path)
            if path.is_file() and not made:
                yield path
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and path.name != ".git" and not path.name.startswith(".coverage"):
            yield path


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def test_the_version_is_that_of_the_newest_entry_in_the_changelog() -> None:
    headings = re.findall(r"^## (\S+)", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    released = [heading for heading in headings if heading != "Unreleased"]
    assert released[0] == PROJECT["project"]["version"]
    assert "Unreleased" not in headings[1:]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_has_a_marker_for_types(package: Path) -> None:
    assert (package / "py.typed").is_file()


@pytest.mark.parametrize(
    ("group", "declared"),
    [
        ("console_scripts", PROJECT["project"]["scripts"]),
        ("tabletop.games", PROJECT["project"]["entry-points"]["tabletop.games"]),
    ],
)
def test_every_declared_program_and_game_is_installed(group: str, declared: dict[str, str]) -> None:
    points = [point for point in entry_points(group=group) if point.name in declared]
    # When this fails, pyproject.toml has changed since: `make` installs anew.
    assert {point.name: point.value for point in points} == declared
    assert all(point.load() is not None for point in points)


def test_the_supported_versions_of_python_are_the_same_everywhere() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    template = SOURCE / "tabletop" / "cli" / "templates" / "pyproject.txt"
    assert re.findall(r"Python :: (3\.\d+)", text_of(template)) == versions
    assert f'VERSIONS="{" ".join(versions)}"' in text_of(ROOT / ".ci" / "run")
    assert PROJECT["project"]["requires-python"] == f">={versions[0]}"
    said = f"Python {versions[0]} to {versions[-1]}"
    for page in ("README.md", "docs/reference/releases.md"):
        assert said in text_of(ROOT / page)
    workflow = text_of(ROOT / ".github" / "workflows" / "ci.yml")
    assert set(re.findall(r"^ +(3\.\d+)$", workflow, re.MULTILINE)) == set(versions)


def test_the_forge_runs_every_check() -> None:
    assert "run: .ci/run\n" in text_of(ROOT / ".github" / "workflows" / "ci.yml")


def test_the_licence_matches_its_declaration() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert "Permission is hereby granted, free of charge" in text_of(ROOT / "LICENSE")


def test_the_citation_names_the_newest_release_and_its_date() -> None:
    newest = re.search(r"^## (\S+) - (\S+)$", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    cited = dict(re.findall(r"^([\w-]+): (\S+)$", text_of(ROOT / "CITATION.cff"), re.MULTILINE))
    assert newest is not None
    assert (cited["version"], cited["date-released"]) == newest.groups()
    assert cited["license"] == PROJECT["project"]["license"]


def test_a_source_distribution_contains_all_source_files() -> None:
    named = re.findall(r"[\w./-]+", text_of(ROOT / "MANIFEST.in").partition("global-exclude")[0])
    made = {"PKG-INFO", "setup.cfg"}  # setuptools adds these two
    made |= {line.strip("/") for line in text_of(ROOT / ".gitignore").splitlines()}
    tops = {path.relative_to(ROOT).parts[0] for path in files()}
    missing = tops - set(named)
    assert {top for top in missing if not any(fnmatch(top, pattern) for pattern in made)} == set()


def test_the_architecture_in_the_design_has_every_package() -> None:
    package = SOURCE / "tabletop"
    rooms = {path.stem for path in package.glob("[!_]*.py")}
    rooms |= {path.parent.name for path in package.glob("*/__init__.py")}
    table = text_of(ROOT / "docs" / "design" / "index.md")
    assert {room for room in rooms if f"`{room}`" not in table} == set()


@pytest.mark.slow
def test_no_file_contains_a_path_of_a_machine() -> None:
    own = str(ROOT.resolve())
    named = {
        str(path.relative_to(ROOT)): found[0] if found else own
        for path in files()
        if (found := HOMES.search(text_of(path))) or own in text_of(path)
    }
    assert named == {}


@pytest.mark.slow
def test_no_file_refers_to_files_outside_of_the_project() -> None:
    outside = [
        f"{path.relative_to(ROOT)}: {found}"
        for path in files()
        for found in re.findall(r"(?<![\w./])(?:\.\./)+\w[\w./-]*", text_of(path))
        if not (path.parent / found).resolve().is_relative_to(ROOT.resolve())
    ]
    assert outside == []


def test_hooks_run_only_tools_of_the_project() -> None:
    hooks = text_of(ROOT / ".pre-commit-config.yaml")
    assert re.findall(r"repo: (\S+)", hooks) == ["local"]
    assert "://" not in hooks


def test_every_text_ends_with_one_newline() -> None:
    texts = [path for path in files() if path.suffix in {".py", ".md", ".toml", ".yml", ".txt"}]
    exempt = {path for path in texts if {"golden", "data", "corpus"}.intersection(path.parts)}
    wrong = [
        str(path.relative_to(ROOT))
        for path in texts
        if path not in exempt
        and (text := text_of(path))
        and (not text.endswith("\n") or text.endswith("\n\n") or "\r" in text)
    ]
    assert wrong == []
