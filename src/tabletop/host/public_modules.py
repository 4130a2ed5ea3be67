"""At which door of a package a name stands, as its files say: nothing is imported."""

from __future__ import annotations

import ast
from pathlib import Path


def public_modules_of(name: str, folder: Path, package: str) -> list[str]:
    """Return the doors inside of `package`, whose folder is given, that hand on a public name.

    A folder in it is a room, and its `__init__.py` the door, with the names in its `__all__`. Where
    it has none, each module of the room is a door, as is a module beside the rooms: what such a
    module defines is handed on.
    """
    found = []
    for path in sorted(folder.iterdir()):
        door = f"{package}.{path.stem}"
        if (init := path / "__init__.py").is_file():
            listed = _listed(init)
            if listed is None:
                found += public_modules_of(name, path, door)
            elif name in listed:
                found.append(door)
        elif path.suffix == ".py" and not path.stem.startswith("__") and _defines(path, name):
            found.append(door)
    return found


def _listed(init: Path) -> list[str] | None:
    """The names in `__all__`, which is written out; None without one."""
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
