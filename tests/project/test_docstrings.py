"""Docstrings in the reference: every public name has one, and it names what is raised."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from tests.project.test_doors import LISTED, WHOLE

from tabletop import errors

ROOT = Path(__file__).parents[2]

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Documented: TypeAlias = ast.Module | ast.ClassDef | Function

OURS = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
RAISED = OURS | {"ValueError", "TypeError", "LookupError", "KeyError", "IndexError"}
"""Errors that callers may want to catch."""


@cache
def tree_of(module: str) -> ast.Module:
    place = ROOT / "src" / module.replace(".", "/")
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.parse(path.read_text("utf-8"))


@cache
def sources_of(module: str) -> dict[str, tuple[str, str]]:
    """Map each imported name of a module to the module and the name that it comes from."""
    return {
        it.asname or it.name: (node.module, it.name)
        for node in tree_of(module).body
        if isinstance(node, ast.ImportFrom) and node.module
        for it in node.names
    }


def definition(module: str, name: str) -> str:
    """Return the module that defines a name."""
    source = sources_of(module).get(name)
    return module if source is None else definition(*source)


@cache
def public_modules() -> dict[str, set[str]]:
    """Return the modules that define the exported names, with the names."""
    found: dict[str, set[str]] = defaultdict(set)
    for door in LISTED:
        for name in import_module(door).__all__:
            found[definition(door, name)].add(name)
    for module in WHOLE:
        nodes = tree_of(module).body
        found[module].update(it.name for it in nodes if isinstance(it, ast.ClassDef | Function))
        found[module].update(name for it in nodes for name in bound(it))
    return found


def public_names() -> Iterator[tuple[str, Documented, str]]:
    """Yield every public name, with its node and the docstring of its parent."""
    for module, names in sorted(public_modules().items()):
        yield module, tree_of(module), ""
        for name, node, around in inside(module, tree_of(module)):
            if name.removeprefix(f"{module}.").partition(".")[0] in names:
                yield name, node, around


def bound(node: ast.stmt) -> Iterator[str]:
    """Return the public name that a statement binds to a value."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            yield target.id


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
    """Return whether the docstring is at an overridden, overloaded or read member."""
    names = {getattr(it, "id", getattr(it, "attr", "")) for it in node.decorator_list}
    return not names.isdisjoint({"override", "overload", "setter"})


def raised_in(node: ast.AST) -> Iterator[str]:
    """Return the errors that a body raises, without those of nested functions."""
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


def test_every_public_value_has_a_docstring() -> None:
    lacking = [
        f"{name}.{value}"
        for name, node, _ in public_names()
        if isinstance(node, ast.Module) and name.startswith("tabletop")
        for value in silent_values(node)
        if value in public_modules()[name]
    ]
    assert lacking == []


def silent_values(tree: ast.Module) -> Iterator[str]:
    """Return the public values of a module without a docstring. It may be shared by several."""
    row: list[str] = []
    for node in [*tree.body, ast.Pass()]:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            made = getattr(getattr(node.value, "func", None), "id", "")
            if isinstance(target, ast.Name) and not target.id.startswith("_"):
                row += [] if made in {"TypeVar", "ParamSpec"} else [target.id]
        else:
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            yield from [] if is_docstring else row
            row = []


def test_a_docstring_names_the_errors_that_its_function_raises() -> None:
    lacking = []
    for name, node, around in public_names():
        if isinstance(node, Function):
            text = ast.get_docstring(node) or around
            lacking += [(name, it) for it in raised_in(node) if it in RAISED and it not in text]
    assert lacking == []
