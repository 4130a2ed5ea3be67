"""Compile modules with mypyc, into a wheel of their project.

A copy of the sources is compiled. Decorated classes, such as states, events and actions, stay
Python classes with compiled methods, because mypyc would remove their annotations. All other
classes become native classes, which Python classes can inherit from.
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
from tabletop.host.user_files import make_folders

_HELPERS: Final = "tabletop.rng.build_in_use"
_NATIVE: Final = "@_mypyc_attr(allow_interpreted_subclasses=True, serializable=True)\n"
_PROGRAM: Final = "from tools.compiling import compile_project; compile_project()"
_MESSAGE: Final = re.compile(r"(\S+\.py):(\d+): (error|warning|\w+Error): (.*?)(  \[[\w-]+\])?")
_BREAKS: Final = (
    "mypyc fails, as it does for functions and lambdas in methods of decorated classes, and in"
    " types (move them to the module level)"
)
_EAGER: Final = "Treating generator comprehension as list"


class CompileError(TabletopError):
    """A module cannot be compiled.

    Attributes:
        problems: Each place that the compiler rejects, with the reason, as in
            `mygame.py, line 12: ...`. Empty if the cause is not in the sources.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class Built(NamedTuple):
    """A wheel, and the places in compiled modules where a generator runs eagerly.

    Attributes:
        wheel: The path of the wheel.
        eager: Places of generators that mypyc turns into lists.
    """

    wheel: Path
    eager: Sequence[str]


def missing_tool() -> str:
    """Return a sentence about a missing tool for compiling, or an empty string."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if os.name != "nt" and shutil.which(compiler) is None:
        return f"the C compiler {compiler} is not installed"
    if os.name != "nt" and not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return f"the headers of Python {sysconfig.get_python_version()} are not installed"
    return ""


def path_of(module: str) -> str:
    """Return the path of a module's source in the source folder, such as `mygame/rules.py`."""
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
    """Build a wheel of a project for this Python, with some of its modules compiled.

    Args:
        project: A copy of the project, which setuptools can build. setuptools leaves files in it.
        modules: The imported modules to compile.
        folder: The folder for the wheel.
        sources: The folder in the project that contains the packages and modules.
        library: The name of the shared library with all compiled modules, without `__mypyc`.
        keywords: Arguments for setuptools, if the project has no pyproject.toml.

    Raises:
        CompileError: There is no C compiler, or the modules cannot be compiled.
    """
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
        words = [project.resolve(), copy, Path(name, "wheel"), library, json.dumps({**keywords})]
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, *map(str, words), *paths],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        messages = [
            message for line in done.stdout.splitlines() if (message := _MESSAGE.fullmatch(line))
        ]
        if done.returncode:
            problems = [_place(message) for message in messages if message[3] != "warning"]
            raise CompileError(_why(done.stdout, problems), problems)
        make_folders(folder)
        [built] = Path(name, "wheel").glob("*.whl")
        wheel = Path(shutil.move(built, folder / built.name))
    return Built(wheel, [_place(message) for message in messages if message[4] == _EAGER])


def _place(message: re.Match[str]) -> str:
    """Format a compiler message with its place. A warning becomes the place alone."""
    file, line, kind, text = message.group(1, 2, 3, 4)
    problem = {"warning": "", "error": f": {text}"}.get(kind, f": {_BREAKS} ({kind})")
    return f"{file}, line {line}{problem}"


def _why(output: str, problems: Sequence[str]) -> str:
    """Return the message for a failure: the problems, or else an error from the output."""
    if problems:
        return "; ".join(problems)
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.casefold()]
    return (errors or lines or ["the compiler failed without a message"])[0]


def compile_project() -> None:
    """Compile modules of a project and build a wheel. This runs in a separate process.

    The process is separate because the working directory is changed and mypyc keeps global state.
    """
    from mypyc.build import mypycify
    from setuptools import SetuptoolsDeprecationWarning, setup

    project, sources, wheels, library, keywords, *paths = sys.argv[1:]
    # setuptools prefers to be run by pip, which would have to download it first.
    warnings.simplefilter("ignore", SetuptoolsDeprecationWarning)
    # Compile in the source folder, because tracebacks contain the paths used here.
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
    # setuptools requires C sources inside the project, with relative paths.
    shutil.move(Path(sources, "generated"), "generated")
    setup(
        **json.loads(keywords),
        ext_modules=extensions,
        script_name="setup.py",
        script_args=["--quiet", "bdist_wheel", "--dist-dir", wheels],
    )


# The copy of a source that the compiler gets.


def _python_classes(sources: Sequence[tuple[ModuleType, ast.Module]]) -> set[type]:
    """Return the classes that stay Python classes, and all of their base classes."""
    classes: set[type] = set()
    for module, tree in sources:
        for node in tree.body:
            kind = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
            if isinstance(node, ast.ClassDef) and isinstance(kind, type):
                names = map(ast.unparse, node.decorator_list)
                is_decorated = not all(re.fullmatch(r"(\w+\.)*final", name) for name in names)
                # Native classes can inherit from few built-in classes; exceptions are among them.
                has_builtin = any(base.__module__ == "builtins" for base in kind.__mro__[:-1])
                if is_decorated or (has_builtin and not issubclass(kind, BaseException)):
                    classes.update(kind.__mro__)
    return classes


def _for_compiler(text: str, tree: ast.Module, module: ModuleType, python: set[type]) -> str:
    """Return a source with the additions that the compiler needs. Line numbers stay the same."""
    lines = text.splitlines(keepends=True)
    bases: set[str] = set()
    for node in reversed(tree.body):
        kind = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or not isinstance(kind, type):
            continue
        if decorator := _above(node, kind, python):
            lines.insert(node.lineno - 1, decorator)
            first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
            if first > 1 and not lines[first - 2].strip():
                del lines[first - 2]
        if decorator != _NATIVE:
            bases |= {base.__module__ for base in kind.__bases__}
    header = "; ".join(_header(tree, "".join(lines), bases - {"builtins", module.__name__}))
    before = _before_header(tree)
    if before is not None:
        line, column = (before.end_lineno or 1) - 1, before.end_col_offset
        text_of_line = lines[line].encode()  # `end_col_offset` counts bytes
        lines[line] = (
            text_of_line[:column] + f"; {header}".encode() + text_of_line[column:]
        ).decode()
    elif lines and lines[0].partition("#")[0].strip():
        lines.insert(0, f"{header}\n")  # a compound statement cannot follow on the same line
    else:
        lines[:1] = [f"{header}; {''.join(lines[:1])}"]
    return "".join(lines)


def _above(node: ast.ClassDef, kind: type, python: set[type]) -> str:
    """Return the decorator line to write above a class, or an empty string if none is needed."""
    has_attr = any("mypyc_attr" in ast.unparse(it) for it in node.decorator_list)
    if has_attr or isinstance(kind, EnumMeta):
        return ""
    if kind in python:
        hints = [it for it in node.body if isinstance(it, ast.AnnAssign)]
        written = {ast.unparse(it.target): ast.unparse(it.annotation) for it in hints}
        return f"@_as_written({written!r}, {ast.get_docstring(node, clean=False)!r})\n"
    is_other = issubclass(kind, BaseException) or getattr(kind, "_is_protocol", False)
    return "" if is_other else _NATIVE


def _before_header(tree: ast.Module) -> ast.stmt | None:
    """Return the statement that the header follows, or None for the start of the file."""
    statement: ast.stmt | None = None
    for at, node in enumerate(tree.body):
        is_doc = not at and ast.get_docstring(tree, clean=False) is not None
        if is_doc or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            statement = node
    return statement


def _header(tree: ast.Module, text: str, bases: set[str]) -> Iterator[str]:
    """Yield the statements of the header that the compiler needs."""
    yield f"__doc__ = {ast.get_docstring(tree, clean=False) or ''!r}"
    used = [name for name in ("as_written", "mypyc_attr") if f"@_{name}(" in text]
    used += ["source_file"] * ("__file__" in text)
    for name in used:
        yield f"from {_HELPERS} import {name} as _{name}"
    if "source_file" in used:
        yield "__file__ = _source_file(__name__)"
    # mypyc looks for a base class in the module that defines it. A base class that was imported
    # from a public module would otherwise leave its defining module without an import.
    for number, name in enumerate(sorted({"typing", *bases})):
        yield f"import {name} as _base_{number}"
