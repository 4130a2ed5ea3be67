"""One import path for each name: the package that lists it, else the module that it stands in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PACKAGES = ("tabletop", "lcr", "constructor", "sorcery")
READERS = ("src", "tests", "examples", "benchmarks", "docs", "tools")


@dataclass
class Names:
    """The names of a module: what it defines, what it imports, and what it lists for others."""

    defined: set[str] = field(default_factory=set)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def names_in(path: Path) -> Names:
    names = Names()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.defined.add(node.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                names.imported[name.asname or name.name] = (node.module, name.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound = [
                it.id for target in targets for it in ast.walk(target) if isinstance(it, ast.Name)
            ]
            names.defined.update(bound)
            if bound == ["__all__"] and node.value is not None:
                names.listed.update(ast.literal_eval(node.value))
    return names


@cache
def modules() -> dict[str, Names]:
    paths = (path for package in PACKAGES for path in (SOURCE / package).rglob("*.py"))
    return {module_of(path): names_in(path) for path in paths}


def definition(module: str, name: str) -> tuple[str, str] | None:
    """Where a name that can be imported from a module is defined, and what it is called there."""
    while names := modules().get(module):
        if name in names.defined:
            return module, name
        if name not in names.imported:
            return None
        module, name = names.imported[name]
    return None


def home(defined_in: str, name: str, reader: str) -> str:
    """Where a module imports a name from: from the outermost package that lists it, but its own."""
    parts = defined_in.split(".")
    for depth in range(1, len(parts) + 1):
        package = ".".join(parts[:depth])
        if name in modules()[package].listed and not f"{reader}.".startswith(f"{package}."):
            return package
    return defined_in


IMPORT = re.compile(
    rf"^ *(from (?:{'|'.join(PACKAGES)})\b[\w.]* import (?:\([^)]*\)|.*))", re.MULTILINE
)
"""What looks like a statement that imports something of ours: it may stand in a text."""


def imports(path: Path) -> Iterator[tuple[int, ast.ImportFrom]]:
    """What a file imports of ours, or shows, with the lines; to parse whole files takes seconds."""
    text = path.read_text("utf-8")
    for found in IMPORT.finditer(text):
        for node in ast.parse(found[1]).body:
            if isinstance(node, ast.ImportFrom):
                yield text.count("\n", 0, found.start(1)) + 1, node


def strays(path: Path) -> Iterator[str]:
    """The imports of a file that take a name from elsewhere than its home."""
    if found := dict(suspects(path)):
        tree = ast.walk(ast.parse(path.read_text("utf-8")))
        real = {node.lineno for node in tree if isinstance(node, ast.ImportFrom)}
        yield from (f"{path.name}:{line}: {what}" for line, what in found.items() if line in real)


def suspects(path: Path) -> Iterator[tuple[int, str]]:
    """What looks like a stray import in a file, with its line."""
    # What users begin with imports as they do.
    is_ours = SOURCE in path.parents and "templates" not in path.parts
    reader = module_of(path) if is_ours else ""
    for line, node in imports(path):
        if node.module not in modules():
            continue
        for name in node.names:
            found = definition(node.module, name.name)
            if found is None or found[1] != name.name:
                continue
            wanted = home(found[0], name.name, reader)
            if wanted != node.module:
                yield line, f"import {name.name} from {wanted}"


@pytest.mark.slow
def test_each_name_is_imported_from_its_one_place() -> None:
    paths = [path for folder in READERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert [stray for path in paths for stray in strays(path)] == []


@pytest.mark.slow
def test_a_name_that_a_package_lists_is_defined_in_that_package() -> None:
    for package, names in modules().items():
        for name in names.listed:
            found = definition(package, name)
            assert found is not None, f"{package}.{name}"
            assert found[0].startswith(package.split(".")[0]), f"{package}.{name}"
