"""What is compiled: modules that exist, and nothing in them that the compiler gets wrong."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from compiled.modules import MODULES, path_of
from compiled.recipe import GROUP

from tabletop.host import compiled

SOURCE = Path(__file__).parent.parent.parent / "src"


def tree_of(module: str) -> ast.Module:
    return ast.parse((SOURCE / path_of(module)).read_text("utf-8"))


def test_no_module_stands_there_twice() -> None:
    assert len(set(MODULES)) == len(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_that_is_compiled_exists(module: str) -> None:
    assert (SOURCE / path_of(module)).is_file(), f"{module} has gone: compiled/modules.py names it"
    assert module.partition(".")[0] in compiled.PACKAGES


@pytest.mark.parametrize("module", MODULES)
def test_no_cause_of_an_error_is_lost(module: str) -> None:
    """`raise ... from` is compiled as if nothing came after `from`."""
    raised = [node for node in ast.walk(tree_of(module)) if isinstance(node, ast.Raise)]
    assert [node.lineno for node in raised if node.cause is not None] == []


@pytest.mark.parametrize("module", MODULES)
def test_dataclasses_stay_python(module: str) -> None:
    """A compiled one loses its annotations, and cannot be pickled if it is frozen."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ClassDef):
            decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
            is_data = any(re.match(r"(dataclass|state|event)\b", one) for one in decorators)
            assert not is_data or "mypyc_attr(native_class=False)" in decorators, node.name


@pytest.mark.parametrize("module", MODULES)
def test_nothing_generic_is_compiled(module: str) -> None:
    """A dead weak reference to an object of a compiled generic class ends the process."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ClassDef):
            assert "Generic" not in " ".join(map(ast.unparse, node.bases)), node.name


def test_the_engine_can_say_what_it_runs() -> None:
    """The module that it looks at for that is compiled in every accelerated wheel."""
    assert "tabletop.rng.hashed" in MODULES
    assert GROUP == "tabletop_rules"
