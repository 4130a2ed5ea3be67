"""Docstrings in the reference: every public name has one, and it names what is raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tabletop import errors

ROOT = Path(__file__).parent.parent
SHOWN = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Documented: TypeAlias = ast.Module | ast.ClassDef | Function

OURS = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
RAISED = OURS | {"ValueError", "TypeError", "LookupError", "KeyError", "IndexError"}
"""Errors that somebody may want to catch, or to know of."""


def public_names() -> Iterator[tuple[str, Documented, str]]:
    """Every public name of the modules in the reference, with the docstring of what it is in."""
    pages = (ROOT / "docs" / "reference").rglob("*.md")
    modules = {name for page in pages for name in SHOWN.findall(page.read_text("utf-8"))}
    for name in sorted(modules):
        place = ROOT / "src" / name.replace(".", "/")
        path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        tree = ast.parse(path.read_text("utf-8"))
        yield name, tree, ""
        yield from inside(name, tree)


def inside(place: str, tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, Documented, str]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function):
            if (node.name.startswith("_") and node.name != "__init__") or inherits(node):
                continue
            name = f"{place}.{node.name}"
            yield name, node, ast.get_docstring(tree) or ""
            if isinstance(node, ast.ClassDef):
                yield from inside(name, node)


def inherits(node: ast.ClassDef | Function) -> bool:
    """Whether a docstring stands elsewhere: at what is overridden, overloaded or read."""
    names = {getattr(it, "id", getattr(it, "attr", "")) for it in node.decorator_list}
    return not names.isdisjoint({"override", "overload", "setter"})


def raised_in(node: ast.AST) -> Iterator[str]:
    """The errors that a body itself raises, without those of functions inside of it."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Raise) and part.exc is not None:
            kind = part.exc.func if isinstance(part.exc, ast.Call) else part.exc
            yield getattr(kind, "id", "")
        if not isinstance(part, ast.ClassDef | ast.Lambda | Function):
            yield from raised_in(part)


def test_every_public_name_has_a_docstring() -> None:
    lacking = [
        name
        for name, node, _ in public_names()
        if not ast.get_docstring(node) and not name.endswith(".__init__")
    ]
    assert lacking == []


def test_every_public_value_of_the_framework_says_what_it_is() -> None:
    lacking = [
        f"{name}.{value}"
        for name, node, _ in public_names()
        if isinstance(node, ast.Module) and name.startswith("tabletop")
        for value in silent_values(node)
    ]
    assert lacking == []


def silent_values(tree: ast.Module) -> Iterator[str]:
    """The public values of a module with no text below them; one may be about several in a row."""
    row: list[str] = []
    for node in [*tree.body, ast.Pass()]:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            made = getattr(getattr(node.value, "func", None), "id", "")
            if isinstance(target, ast.Name) and not target.id.startswith("_"):
                row += [] if made in {"TypeVar", "ParamSpec"} else [target.id]
        else:
            told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            yield from [] if told else row
            row = []


def test_a_docstring_names_the_errors_that_its_function_raises() -> None:
    lacking = []
    for name, node, around in public_names():
        if isinstance(node, Function):
            said = ast.get_docstring(node) or around
            lacking += [(name, it) for it in raised_in(node) if it in RAISED and it not in said]
    assert lacking == []
