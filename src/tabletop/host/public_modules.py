"""Find the public modules that export a name, by reading the source instead of importing it."""

from __future__ import annotations

import ast
from pathlib import Path


def public_modules_of(name: str, folder: Path, package: str) -> list[str]:
    """Return the public modules below `package` that export a public name.

    A package with `__all__` in its `__init__.py` exports these names. In a package without
    `__all__`, every module is public and exports the names that it defines, like a module directly
    in `package`.

    Args:
        package: The dotted name of the package.
    """
    modules = []
    for path in sorted(folder.iterdir()):
        module = f"{package}.{path.stem}"
        if (init := path / "__init__.py").is_file():
            listed = _listed(init)
            if listed is None:
                modules += public_modules_of(name, path, module)
            elif name in listed:
                modules.append(module)
        elif path.suffix == ".py" and not path.stem.startswith("__") and _defines(path, name):
            modules.append(module)
    return modules


def _listed(init: Path) -> list[str] | None:
    """Return the names in `__all__`, or None if there is no `__all__`."""
    for node in ast.parse(init.read_text("utf-8")).body:
        match node:
            case ast.Assign([ast.Name("__all__")], names):
                return list(ast.literal_eval(names))
    return None


def _defines(module: Path, name: str) -> bool:
    text = module.read_text("utf-8")
    for node in ast.parse(text).body if name in text else ():
        match node:
            case ast.ClassDef(defined) | ast.FunctionDef(defined):
                pass
            case ast.Assign([ast.Name(defined)]) | ast.AnnAssign(ast.Name(defined)):
                pass
            case _:
                continue
        if defined == name:
            return True
    return False
