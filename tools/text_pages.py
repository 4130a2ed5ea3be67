"""The documentation as Markdown files with all docstrings, for readers without a browser.

`python -m tools.text_pages FOLDER` writes a file for each page of the site, and `llms.txt`, which
lists them. It needs no installed package, because it reads the source without running it. The
files are also in the site and in the wheel, in `tabletop/docs`.

- A directive of mkdocstrings becomes the signature and the docstring.
- A snippet becomes the lines of its file, if they are text.
- A list of the options of a program becomes the command that prints it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]

Documented: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_SECTION: Final = re.compile(r"^  - ([^:\n]+):(?: ([\w/.-]+\.md))?$")
_PAGE: Final = re.compile(r"(?:^| )([\w/.-]+\.md)$")
_TITLE: Final = re.compile(r"^# (.+?)(?: \{.*\})?$", re.MULTILINE)
_DIRECTIVE: Final = re.compile(r"^::: ([\w.]+)\n((?: +.*\n)*)", re.MULTILINE)
_SNIPPET: Final = re.compile(r'^( *)--8<-- "([^":]+)(?::(\w+))?"$', re.MULTILINE)
_MARKER: Final = re.compile(r"^.*--8<-- \[(?:start|end):.*\n", re.MULTILINE)
_PROGRAM: Final = re.compile(r'(?m)^<div class="tabletop-commands" data-program="(\w+)"></div>$')
_BUTTON: Final = re.compile(r'(?m)^<div class="tabletop-try" data-file="([^"]+)".*</div>$')
_CLASSES: Final = re.compile(r'(?m)^<div class="tabletop-classes">\n((?:.+\n)*?)</div>$')


class UnknownNameError(Exception):
    """A page documents a name that is not in the source."""


def write(folder: Path, root: Path = ROOT) -> None:
    """Write all pages and `llms.txt` into a folder.

    Args:
        folder: The folder, which is created if it is missing.
        root: The folder of the project.
    """
    for name, text in {"llms.txt": index(root), **dict(pages(root))}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def index(root: Path = ROOT) -> str:
    """Return the list of all pages, in the order of the navigation, as `llms.txt` defines it."""
    config = (root / "mkdocs.yml").read_text("utf-8")
    values = dict(re.findall(r"^(site_\w+): (.+)$", config, re.MULTILINE))
    lines = [f"# {values['site_name']}", "", f"> {values['site_description']}"]
    for section, name in navigation(root):
        if f"## {section}" not in lines:
            lines += ["", f"## {section}", ""]
        title = _TITLE.search(page(name, root))
        lines.append(f"- [{title[1] if title else name}]({name})")
    return "\n".join(lines) + "\n"


def pages(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Yield the path of each page in the documentation, and its text."""
    for _, name in navigation(root):
        yield name, page(name, root)


def navigation(root: Path = ROOT) -> list[tuple[str, str]]:
    """Return the section and the path of each page, in order."""
    _, _, nav = (root / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")
    found, section = [], ""
    for line in nav.splitlines():
        if top := _SECTION.match(line):
            section = top[1]
        if name := _PAGE.search(line):
            found.append((section, name[1]))
    return found


@cache
def page(name: str, root: Path = ROOT) -> str:
    """Return the text of a page."""

    def snippet(match: re.Match[str]) -> str:
        if match[2].endswith(".svg"):
            return ""
        text = (root / match[2]).read_text("utf-8")
        if match[3]:
            _, _, text = text.partition(f"--8<-- [start:{match[3]}]\n")
            text, _, _ = text.partition(f"--8<-- [end:{match[3]}]")
            text = text[: text.rfind("\n") + 1]
        return "\n".join(match[1] + line for line in _MARKER.sub("", text).splitlines())

    def documented(match: re.Match[str]) -> str:
        options = dict(re.findall(r"^ +(\w+): (.*)$", match[2], re.MULTILINE))
        level = int(options.get("heading_level", 2))
        return "\n\n".join(_document(match[1], options, level, root / "src")) + "\n"

    text = (root / "docs" / name).read_text("utf-8")
    text = _SNIPPET.sub(snippet, text)
    text = _PROGRAM.sub(r"`\1 --help` lists all options.", text)
    text = _BUTTON.sub(r"The code is in `examples/\1`.", text)
    text = _CLASSES.sub(lambda match: "```text\n" + match[1] + "```", text)
    return _DIRECTIVE.sub(documented, text + "\n").rstrip() + "\n"


def _document(name: str, options: dict[str, str], level: int, source: Path) -> Iterator[str]:
    """Yield the paragraphs about a module or a name in it."""
    heading = options.get("show_root_heading") != "false"
    if heading:
        yield f"{'#' * level} {name}"
    if _file(name, source) is not None:
        tree = _tree(name, source)
        yield ast.get_docstring(tree) or ""
        if options.get("members") != "[]":
            for node, docstring in _members(tree):
                yield from _describe(f"{name}.{_bound(node)}", node, docstring, level + heading)
        return
    module, _, last = name.rpartition(".")
    for node, docstring in _members(_tree(_home(module, last, source), source)):
        if _bound(node) == last:
            yield from _describe(name, node, docstring, level, heading=False)
            return
    raise UnknownNameError(name)


def _describe(
    name: str, node: ast.stmt, docstring: str, level: int, *, heading: bool = True
) -> Iterator[str]:
    """Yield the signature and the docstring of a name, then those of its members."""
    if heading:
        yield f"{'#' * level} {name}"
    yield f"```python\n{_signature(node)}\n```"
    if docstring:
        yield docstring
    if isinstance(node, ast.ClassDef):
        for member, text in _members(node):
            if text:
                yield from _describe(f"{name}.{_bound(member)}", member, text, level + 1)


def _signature(node: ast.stmt) -> str:
    """Return the first line of a definition, and of a class also its fields and `__init__`."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(it) for it in (*node.bases, *node.keywords))
        fields = [f"    {_signature(it)}" for it in node.body if _is_field(it)]
        inits = [it for it in node.body if _bound(it) == "__init__"]
        fields += [indent(f"{_signature(it)}: ...", "    ") for it in inits]
        head = f"class {node.name}({bases}):" if bases else f"class {node.name}:"
        return "\n".join([head, *fields] if fields else [f"{head} ..."])
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        marks = [f"@{ast.unparse(it)}\n" for it in node.decorator_list]
        return f"{''.join(marks)}{kind} {node.name}({ast.unparse(node.args)}){result}"
    return ast.unparse(node)


def _is_field(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and not _bound(node).startswith("_")


def _members(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the public definitions of a body, with their docstrings."""
    for node, after in zip(tree.body, [*tree.body[1:], ast.Pass()], strict=True):
        name = _bound(node)
        if not name or (name.startswith("_") and name != "__init__"):
            continue
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            marks = {ast.unparse(it).rpartition(".")[2] for it in node.decorator_list}
            if not marks & {"override", "overload", "setter"}:
                yield node, ast.get_docstring(node) or ""
        elif isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield node, str(after.value.value)
        else:
            yield node, ""


def _bound(node: ast.stmt) -> str:
    """Return the name that a statement defines, or an empty text."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _home(module: str, name: str, source: Path) -> str:
    """Return the module that defines a name which another module may import."""
    body = _tree(module, source).body
    for node in (*body, *(it for part in body if isinstance(part, ast.If) for it in part.body)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for it in node.names:
                if (it.asname or it.name) == name:
                    return _home(node.module, it.name, source)
    return module


def _file(module: str, source: Path) -> Path | None:
    path = source.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.is_file() else None


@cache
def _tree(module: str, source: Path) -> ast.Module:
    path = _file(module, source)
    if path is None:
        raise UnknownNameError(module)
    return ast.parse(path.read_text("utf-8"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.text_pages FOLDER")
    write(Path(sys.argv[1]))
