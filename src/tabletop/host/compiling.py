"""Compiling modules with mypyc, into a wheel of the project that they belong to.

What is compiled is a copy of their sources. Classes with decorators, states, events and actions
among them, stay Python, with compiled methods: compiled whole they would lose their annotations.
All others become classes of C, from which Python's may be derived.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterator, Mapping, Sequence
from enum import EnumMeta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType, ModuleType
from typing import Final, NamedTuple

from tabletop.errors import TabletopError
from tabletop.host.extras import require
from tabletop.host.user_files import make_folders

_HELPERS: Final = "tabletop.rng.build_in_use"
_NATIVE: Final = "@_mypyc_attr(allow_interpreted_subclasses=True, serializable=True)\n"
_PROGRAM: Final = "from tabletop.host.compiling import compile_project; compile_project()"
_SAID: Final = re.compile(r"(\S+\.py):(\d+): (error|warning|\w+Error): (.*?)(  \[[\w-]+\])?")
_BREAKS: Final = (
    "mypyc breaks down, as it does at functions and lambdas in methods of classes with a decorator,"
    " and in types: move them out, into the module"
)
_EAGER: Final = "Treating generator comprehension as list"


class CompileError(TabletopError):
    """Something cannot be compiled.

    Attributes:
        problems: each place that the compiler refuses, and why: `mygame.py, line 12: ...`; empty
            where it is not the sources that are to blame.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class Built(NamedTuple):
    """A wheel, and the places in compiled modules where a generator makes all at once."""

    wheel: Path
    eager: Sequence[str]


def missing_tool() -> str:
    """Name the missing tool for compiling, as a sentence; empty when all are there."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if os.name != "nt" and shutil.which(compiler) is None:
        return f"there is no C compiler here: {compiler} is not installed"
    if os.name != "nt" and not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return f"the headers of Python {sysconfig.get_python_version()} are not installed"
    return ""


def path_of(module: str) -> str:
    """Return the path of a module's source below the folder of sources: `mygame/rules.py`."""
    return f"{module.replace('.', '/')}.py"


def build_wheel(
    project: Path,
    modules: Sequence[ModuleType],
    folder: Path,
    *,
    sources: str,
    library: str,
    keywords: Mapping[str, object] = MappingProxyType({}),
) -> Built:
    """Build the wheel of a project, with some of its modules compiled, for this Python.

    Args:
        project: a copy of it, that setuptools can build; setuptools leaves files in it.
        modules: those to compile, as they have been imported.
        folder: where the wheel goes.
        sources: the folder in the project in which its packages and modules lie.
        library: the name of what all of them are compiled into, without `__mypyc`.
        keywords: what setuptools has to know, where no pyproject.toml in the project says it.

    Raises:
        MissingExtra: mypyc or setuptools are not installed.
        CompileError: there is no C compiler, or the modules cannot be compiled.
    """
    require("compiling", "compile", "mypyc", "setuptools")
    if missing := missing_tool():
        raise CompileError(missing)
    with TemporaryDirectory() as name:
        copy = Path(name, "sources")
        shutil.copytree(project / sources, copy)
        paths = [path_of(module.__name__) for module in modules]
        texts = [(copy / path).read_text("utf-8") for path in paths]
        trees = [ast.parse(text) for text in texts]
        python = _python_classes([*zip(modules, trees, strict=True)])
        for path, text, tree, module in zip(paths, texts, trees, modules, strict=True):
            (copy / path).write_text(_for_compiler(text, tree, module, python), "utf-8")
        told = [project.resolve(), copy, Path(name, "wheel"), library, json.dumps({**keywords})]
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, *map(str, told), *paths],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        said = [found for line in done.stdout.splitlines() if (found := _SAID.fullmatch(line))]
        if done.returncode:
            problems = [_place(found) for found in said if found[3] != "warning"]
            raise CompileError(_why(done.stdout, problems), problems)
        make_folders(folder)
        [made] = Path(name, "wheel").glob("*.whl")
        wheel = Path(shutil.move(made, folder / made.name))
    return Built(wheel, [_place(found) for found in said if found[4] == _EAGER])


def _place(found: re.Match[str]) -> str:
    """Return where something is, and what was said about it; of a warning, the place alone."""
    what = {"warning": "", "error": f": {found[4]}"}.get(found[3], f": {_BREAKS} ({found[3]})")
    return f"{found[1]}, line {found[2]}{what}"


def _why(output: str, problems: Sequence[str]) -> str:
    """Return the message of a failure: what was refused, or else what was said about it at last."""
    if problems:
        return "; ".join(problems)
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.casefold()]
    return (errors or lines or ["the compiler failed, and said nothing"])[0]


def compile_project() -> None:
    """Compile modules of a project, and pack a wheel of it: what the other process does.

    It takes a process of its own: it changes the working directory, and mypyc remembers much.
    """
    from mypyc.build import mypycify
    from setuptools import SetuptoolsDeprecationWarning, setup

    project, sources, wheels, library, keywords, *paths = sys.argv[1:]
    # It would rather be run by pip, which would have to fetch it first.
    warnings.simplefilter("ignore", SetuptoolsDeprecationWarning)
    # From where the packages lie: tracebacks name files as they are named here.
    os.chdir(sources)
    cache = Path(sources).with_name("cache")
    words = ("--follow-imports=silent", "--ignore-missing-imports", "--explicit-package-bases")
    extensions = mypycify(
        ["--config-file=", f"--cache-dir={cache}", *words, *paths],
        opt_level="3",
        group_name=library,
        target_dir="generated",
    )
    os.chdir(project)
    # setuptools wants sources of C below the project, named from there.
    shutil.move(Path(sources, "generated"), "generated")
    setup(
        **json.loads(keywords),
        ext_modules=extensions,
        script_name="setup.py",
        script_args=["--quiet", "bdist_wheel", "--dist-dir", wheels],
    )


# The copy of a source that the compiler gets.


def _python_classes(sources: Sequence[tuple[ModuleType, ast.Module]]) -> set[type]:
    """Return the classes of modules that stay Python, and all that these are derived from."""
    found: set[type] = set()
    for module, tree in sources:
        for node in tree.body:
            kind = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
            if isinstance(node, ast.ClassDef) and isinstance(kind, type):
                names = map(ast.unparse, node.decorator_list)
                is_decorated = not all(re.fullmatch(r"(\w+\.)*final", name) for name in names)
                # C can derive from few classes of Python's own, errors among them.
                own = any(base.__module__ == "builtins" for base in kind.__mro__[:-1])
                if is_decorated or (own and not issubclass(kind, BaseException)):
                    found.update(kind.__mro__)
    return found


def _for_compiler(text: str, tree: ast.Module, module: ModuleType, python: set[type]) -> str:
    """Return a source with what the compiler needs to be told; lines keep their numbers."""
    lines = text.splitlines(keepends=True)
    bases: set[str] = set()
    for node in reversed(tree.body):
        kind = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or not isinstance(kind, type):
            continue
        if told := _above(node, kind, python):
            lines.insert(node.lineno - 1, told)
            first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
            if first > 1 and not lines[first - 2].strip():
                del lines[first - 2]
        if told != _NATIVE:
            bases |= {base.__module__ for base in kind.__bases__}
    header = "; ".join(_header(tree, "".join(lines), bases - {"builtins", module.__name__}))
    before = _before_header(tree)
    if before is not None:
        line, column = (before.end_lineno or 1) - 1, before.end_col_offset
        there = lines[line].encode()
        lines[line] = (there[:column] + f"; {header}".encode() + there[column:]).decode()
    elif lines and lines[0].partition("#")[0].strip():
        lines.insert(0, f"{header}\n")  # nothing compound can follow it in its line
    else:
        lines[:1] = [f"{header}; {''.join(lines[:1])}"]
    return "".join(lines)


def _above(node: ast.ClassDef, kind: type, python: set[type]) -> str:
    """Return the line to write above a class; empty where it is good as it stands."""
    is_told = any("mypyc_attr" in ast.unparse(it) for it in node.decorator_list)
    if is_told or isinstance(kind, EnumMeta):
        return ""
    if kind in python:
        hints = [it for it in node.body if isinstance(it, ast.AnnAssign)]
        written = {ast.unparse(it.target): ast.unparse(it.annotation) for it in hints}
        return f"@_as_written({written!r}, {ast.get_docstring(node, clean=False)!r})\n"
    is_other = issubclass(kind, BaseException) or getattr(kind, "_is_protocol", False)
    return "" if is_other else _NATIVE


def _before_header(tree: ast.Module) -> ast.stmt | None:
    """Return the statement that the header follows in its line; None where it comes first."""
    found: ast.stmt | None = None
    for at, node in enumerate(tree.body):
        is_doc = not at and ast.get_docstring(tree, clean=False) is not None
        if is_doc or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            found = node
    return found


def _header(tree: ast.Module, text: str, bases: set[str]) -> Iterator[str]:
    """Yield the statements with which a source begins for the compiler."""
    yield f"__doc__ = {ast.get_docstring(tree, clean=False) or ''!r}"
    used = [name for name in ("as_written", "mypyc_attr") if f"@_{name}(" in text]
    used += ["source_file"] * ("__file__" in text)
    for name in used:
        yield f"from {_HELPERS} import {name} as _{name}"
    if "source_file" in used:
        yield "__file__ = _source_file(__name__)"
    # The class that a Python class is derived from is looked for in the module that defines it:
    # of one that stands at a door, nothing else would have imported that.
    for number, name in enumerate(sorted({"typing", *bases})):
        yield f"import {name} as _base_{number}"
