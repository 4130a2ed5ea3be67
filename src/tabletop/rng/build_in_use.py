"""The build in use, pure or compiled, and what modules tell the compiler (`tabletop compile`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

K = TypeVar("K", bound=type)

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(*_flags: str, **_attributes: object) -> Callable[[type], type]:
        """Tell the compiler something about a class; means nothing to Python.

        This replaces the decorator of `mypy_extensions`, which the compiler knows, and which need
        not be installed unless something is compiled.
        """
        return lambda kind: kind


def as_written(annotations: Mapping[str, str], doc: str | None) -> Callable[[K], K]:
    """Give a class in a compiled module the annotations and the docstring of its source.

    The compiler, which writes this above such classes, keeps neither.
    """

    def put(kind: K) -> K:
        kind.__annotations__ = dict(annotations)
        kind.__doc__ = doc
        return kind

    return put


def source_file(module: str) -> str:
    """Return the path of the source of a compiled module, while it is being imported."""
    parent, _, name = module.rpartition(".")
    spec = PathFinder.find_spec(module, list(sys.modules[parent].__path__) if parent else None)
    return str(Path(spec.origin or "").with_name(f"{name}.py")) if spec else ""


def is_compiled() -> bool:
    """Check whether this process runs compiled modules."""
    return not (sys.modules["tabletop.rng.hash_stream"].__file__ or "").endswith(".py")


def build_in_use() -> str:
    """Name the build in use, for people: `compiled` or `pure Python`."""
    return "compiled" if is_compiled() else "pure Python"
