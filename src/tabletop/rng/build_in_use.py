"""The build in use, pure Python or compiled, and hints for the compiler."""

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
        """Pass hints about a class to the compiler. Python ignores them.

        This replaces the decorator of `mypy_extensions`, which mypyc recognises by name, so that
        `mypy_extensions` is needed only for compiling.
        """
        return lambda kind: kind


def as_written(annotations: Mapping[str, str], doc: str | None) -> Callable[[K], K]:
    """Restore the annotations and the docstring of a class in a compiled module.

    The compiler keeps neither, so `tools.compiling` puts this decorator above such classes.
    """

    def put(kind: K) -> K:
        kind.__annotations__ = dict(annotations)
        kind.__doc__ = doc
        return kind

    return put


def source_file(module: str) -> str:
    """Return the path of the source file of a compiled module while the module is imported."""
    parent, _, name = module.rpartition(".")
    spec = PathFinder.find_spec(module, list(sys.modules[parent].__path__) if parent else None)
    return str(Path(spec.origin or "").with_name(f"{name}.py")) if spec else ""


def is_compiled() -> bool:
    """Check whether this process runs compiled modules."""
    return not (sys.modules["tabletop.rng.hash_stream"].__file__ or "").endswith(".py")


def build_in_use() -> str:
    """Return the name of the build in use for display: `compiled` or `pure Python`."""
    return "compiled" if is_compiled() else "pure Python"
