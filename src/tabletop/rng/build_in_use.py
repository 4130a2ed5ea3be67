"""The build in use, pure Python or compiled, and hints for the compiler."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(*_flags: str, **_attributes: object) -> Callable[[type], type]:
        """Pass hints about a class to the compiler. Python ignores them.

        This replaces the decorator of `mypy_extensions`, which mypyc recognises by name, so that
        `mypy_extensions` is needed only for compiling.
        """
        return lambda kind: kind


def build_in_use() -> str:
    """Return the name of the build in use for display: `compiled` or `pure Python`."""
    spec = find_spec("tabletop.rng.hash_stream")
    return "pure Python" if spec and (spec.origin or "").endswith(".py") else "compiled"
