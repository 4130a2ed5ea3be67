"""Find the public modules that export a name, by reading the source instead of importing it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_EXPORTED: Final = re.compile(r"^__all__ = \[.*?\]", re.MULTILINE | re.DOTALL)


def public_modules_of(name: str, folder: Path, package: str) -> list[str]:
    """Return the public modules below `package` that export a public name.

    A package with `__all__` in its `__init__.py` exports these names. In a package without
    `__all__`, every module is public and exports the names that it defines, like a module directly
    in `package`.

    Args:
        package: The dotted name of the package.
    """
    defined = re.compile(rf"^(class |def |){re.escape(name)}(?=[(:\s\[])", re.MULTILINE)
    modules = []
    for path in sorted(folder.iterdir()):
        module = f"{package}.{path.stem}"
        if (init := path / "__init__.py").is_file():
            exported = _EXPORTED.search(init.read_text("utf-8"))
            if exported is None:
                modules += public_modules_of(name, path, module)
            elif f'"{name}"' in exported[0]:
                modules.append(module)
        elif path.suffix == ".py" and defined.search(path.read_text("utf-8")):
            modules.append(module)
    return modules
