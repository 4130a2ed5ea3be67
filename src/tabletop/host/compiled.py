"""Compiled modules: used by themselves where they are installed, unless `TABLETOP_PURE` is set.

The accelerated wheel (`make compiled`) holds its hot modules twice, side by side: as Python, and
compiled from just that. Python itself prefers what is compiled. With `TABLETOP_PURE=1` in the
environment a finder takes the Python instead. It is installed by `tabletop.host.startup`, which
every package of the wheel imports before all else, so before anything that is compiled.
"""

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes: object) -> "Callable[[type], type]":
        """Tell the compiler something about a class; means nothing to Python.

        It stands for the decorator of that name in `mypy_extensions`, which the compiler knows, and
        which need not be installed where nothing is compiled.
        """
        return lambda kind: kind


SWITCH = "TABLETOP_PURE"
"""The environment variable; empty and `0` are as if it were not there."""

PACKAGES = frozenset({"tabletop", "constructor", "lcr", "sorcery"})
"""The packages of the wheel."""

_ALWAYS = "tabletop.rng.hashed"
"""A module that is compiled in every accelerated wheel, and that `import tabletop` imports."""


def is_switched_off() -> bool:
    """Whether the environment asks for plain Python."""
    return os.environ.get(SWITCH, "") not in {"", "0"}


def is_compiled() -> bool:
    """Whether this process runs compiled modules."""
    return not (sys.modules[_ALWAYS].__file__ or "").endswith(".py")


def build_in_use() -> str:
    """What this process runs, for people: `compiled` or `pure Python`."""
    return "compiled" if is_compiled() else "pure Python"


class PurePython:
    """Finds the Python that lies beside a compiled module of ours; all else is left to others."""

    @staticmethod
    def find_spec(
        name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Where the module called `name` is, if it is compiled; see `importlib.abc`."""
        if path is None or name.partition(".")[0] not in PACKAGES:
            return None
        from importlib.machinery import ExtensionFileLoader, PathFinder
        from importlib.util import spec_from_file_location

        found = PathFinder.find_spec(name, path, target)
        if found is None or not isinstance(found.loader, ExtensionFileLoader):
            return None
        folder = os.path.dirname(found.loader.path)
        return spec_from_file_location(name, os.path.join(folder, f"{name.rpartition('.')[2]}.py"))


def obey_switch() -> None:
    """Have modules that are imported from here on be plain Python, if that is asked for."""
    if is_switched_off() and PurePython not in sys.meta_path:
        sys.meta_path.insert(0, PurePython)
