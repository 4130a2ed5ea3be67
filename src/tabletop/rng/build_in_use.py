"""The build in use: the pure one, or the accelerated one (`make compiled`)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes: object) -> Callable[[type], type]:
        """Tell the compiler something about a class; means nothing to Python.

        This replaces the decorator of `mypy_extensions`, which the compiler knows, and which need
        not be installed unless something is compiled.
        """
        return lambda kind: kind


def is_compiled() -> bool:
    """Check whether this process runs compiled modules."""
    return not (sys.modules["tabletop.rng.hash_stream"].__file__ or "").endswith(".py")


def build_in_use() -> str:
    """Name the build in use, for people: `compiled` or `pure Python`."""
    return "compiled" if is_compiled() else "pure Python"
