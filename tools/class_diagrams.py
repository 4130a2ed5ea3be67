"""UML class diagrams of the packages, drawn from the source code as SVG.

A page names the classes, a row of the drawing on each line, in this form of `tools.site_markdown`:

    <div class="tabletop-classes">
    lcr.rules.game.Lcr
    lcr.rules.state.LcrState lcr.rules.state.Roll
    </div>

Fields, methods and relations are read from the source when the site is built, without running it.
An arrow with a hollow head leads from a class to its base, or, dashed, to a protocol that it
implements. An arrow with an open head leads to the class of a field, or, dashed, to a class of a
neighbouring row that its methods take or return.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).resolve().parents[1] / "src"

MOST_LINES: Final = 12
"""The maximum number of fields in a box, and of methods. The last line counts the others."""

WIDTH: Final = 36
"""The maximum number of characters in a line of a box."""

_CHARACTER: Final = 6.1  # the width of a character of the font, in pixels
_LINE: Final = 15.0
_PAD: Final = 8.0
_GAP: Final = (72.0, 56.0)  # between boxes, to the right and down
_ENUMS: Final = frozenset({"Enum", "StrEnum", "IntEnum"})
_STYLE: Final = (
    "font:10px ui-monospace,Menlo,Consolas,monospace;fill:currentColor;stroke:currentColor;"
    "color:var(--md-default-fg-color,#222);background:var(--md-default-bg-color,#fff)"
)


class DiagramError(Exception):
    """A diagram names a class that is not in the source."""


class Relation(NamedTuple):
    """An arrow from a class to another one.

    Attributes:
        target: The name of the other class.
        kind: "base", "realization" (of a protocol), "field" or "use".
        labels: The name of each field with the number of objects, such as `tiles *`.
    """

    target: str
    kind: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassBox:
    """A class of the source code.

    Attributes:
        path: Its full name, with the module.
        stereotype: "abstract", "protocol" or "enumeration"; empty for other classes.
        fields: The public fields with their types, or the members of an enumeration.
        methods: The public methods with the names of their arguments.
        bases: The names of the base classes.
        mentions: The annotation of each field, by its name.
        signatures: The annotations of the arguments and results of the public methods.
    """

    path: str
    stereotype: str
    fields: tuple[str, ...]
    methods: tuple[str, ...]
    bases: tuple[str, ...]
    mentions: Mapping[str, ast.expr]
    signatures: tuple[ast.expr, ...]

    @property
    def name(self) -> str:
        """The name without the module."""
        return self.path.rpartition(".")[2]

    @property
    def operations(self) -> set[str]:
        """The names of the public methods."""
        return {method.partition("(")[0] for method in self.methods}

    def relations(self, others: Sequence[ClassBox]) -> Iterator[Relation]:
        """Return the arrows from this class to `others`, at most one of a kind for each."""
        for other in others:
            if other is self:
                continue
            if other.name in self.bases:
                yield Relation(other.name, "base")
                continue
            if other.stereotype == "protocol" and other.operations <= self.operations:
                yield Relation(other.name, "realization")
                continue
            held = tuple(
                f"{name} {_amount(annotation)}".strip()
                for name, annotation in self.mentions.items()
                if other.name in _names_in(annotation)
            )
            if held:
                yield Relation(other.name, "field", held)
            elif any(other.name in _names_in(annotation) for annotation in self.signatures):
                yield Relation(other.name, "use")


def read_class(path: str) -> ClassBox:
    """Read a class from the source code.

    Raises:
        DiagramError: There is no such class.
    """
    module, _, name = path.rpartition(".")
    for node in _tree_of(module).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _box_of(path, node)
    raise DiagramError(f"{path}: there is no such class in the source")


@cache
def _tree_of(module: str) -> ast.Module:
    place = SOURCE.joinpath(*module.split("."))
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return ast.parse(file.read_text("utf-8"))
    raise DiagramError(f"{module}: there is no such module in {SOURCE.name}/")


def _box_of(path: str, node: ast.ClassDef) -> ClassBox:
    bases = tuple(ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases)
    is_enum = not _ENUMS.isdisjoint(bases)
    members = _Members(is_enum=is_enum)
    for item in node.body:
        members.add(item)
    is_abstract = "ABC" in bases or members.is_abstract
    stereotype = (
        "enumeration"
        if is_enum
        else "protocol"
        if "Protocol" in bases
        else "abstract"
        if is_abstract
        else ""
    )
    return ClassBox(
        path,
        stereotype,
        tuple(members.fields.values()),
        tuple(members.methods),
        bases,
        members.mentions,
        tuple(members.signatures),
    )


class _Members:
    """Collects the public members of a class from the statements in its body."""

    def __init__(self, *, is_enum: bool) -> None:
        self.is_enum = is_enum
        self.is_abstract = False
        self.fields: dict[str, str] = {}
        self.methods: list[str] = []
        self.mentions: dict[str, ast.expr] = {}
        self.signatures: list[ast.expr] = []

    def add(self, item: ast.stmt) -> None:
        """Add the members that a statement defines."""
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            self._add_field(item.target.id, item.annotation)
        elif isinstance(item, ast.Assign) and self.is_enum:
            names = [target.id for target in item.targets if isinstance(target, ast.Name)]
            self.fields.update(zip(names, names, strict=True))
        elif isinstance(item, ast.FunctionDef):
            self._add_function(item)

    def _add_field(self, name: str, annotation: ast.expr, mark: str = "") -> None:
        if not name.startswith("_"):
            self.mentions[name] = annotation
            self.fields[name] = f"{mark}{name}: {_short(annotation)}"

    def _add_function(self, item: ast.FunctionDef) -> None:
        marks = {ast.unparse(mark) for mark in item.decorator_list}
        self.is_abstract |= "abstractmethod" in marks
        if item.name == "__init__":
            for name, annotation in _kept_arguments(item):
                self._add_field(name, annotation)
        if item.name.startswith("_") and item.name != "__call__":
            return
        if not marks.isdisjoint({"property", "cached_property"}):
            if item.returns is not None:
                self._add_field(item.name, item.returns, "/")
        elif f"{item.name}.setter" not in marks:
            self._add_method(item)

    def _add_method(self, item: ast.FunctionDef) -> None:
        arguments = [*item.args.posonlyargs, *item.args.args, *item.args.kwonlyargs]
        named = [one.arg for one in arguments if one.arg not in ("self", "cls")]
        self.methods.append(f"{item.name}({', '.join(named)})")
        found = [*(one.annotation for one in arguments), item.returns]
        self.signatures += [annotation for annotation in found if annotation is not None]


def _kept_arguments(init: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Return the attributes that `__init__` sets to its arguments, with their types."""
    types = {one.arg: one.annotation for one in (*init.args.args, *init.args.kwonlyargs)}
    for item in init.body:
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Attribute):
            annotation = types.get(_argument_in(item.value))
            if annotation is not None:
                yield item.targets[0].attr, annotation


def _argument_in(value: ast.expr) -> str:
    """Return the name that is assigned, as it is or as the only argument of a call."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        value = value.args[0]
    return value.id if isinstance(value, ast.Name) else ""


class _Bare(ast.NodeTransformer):
    """Removes `Annotated`, `Final` and `ClassVar` from an annotation."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        outer = ast.unparse(node.value).rpartition(".")[2]
        bare: ast.AST = node
        if outer == "Annotated" and isinstance(node.slice, ast.Tuple):
            bare = self.visit(node.slice.elts[0])
        elif outer in ("Final", "ClassVar"):
            bare = self.visit(node.slice)
        else:
            self.generic_visit(node)
        return bare


def _short(annotation: ast.expr) -> str:
    return ast.unparse(_Bare().visit(deepcopy(annotation)))


def _names_in(annotation: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}


def _amount(annotation: ast.expr) -> str:
    """Return how many objects a field refers to: `*`, `0..1`, or an empty text for one."""
    text = _short(annotation)
    if text.startswith(("tuple[", "list[", "Sequence[", "dict[", "Mapping[", "frozenset[")):
        return "*"
    return "0..1" if text.endswith("| None") else ""


# Drawing.


class Placed(NamedTuple):
    """A box at its place.

    Attributes:
        box: The class.
        parts: The lines of its three parts: name, fields, methods.
        row: The number of its row.
        left, top, width, height: Its rectangle in pixels.
    """

    box: ClassBox
    parts: tuple[tuple[str, ...], ...]
    row: int
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle of the rectangle."""
        return self.left + self.width / 2, self.top + self.height / 2

    def border_towards(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the border on the line from the middle to a point."""
        own_x, own_y = self.middle
        along_x, along_y = x - own_x, y - own_y
        scale = min(
            self.width / 2 / abs(along_x) if along_x else float("inf"),
            self.height / 2 / abs(along_y) if along_y else float("inf"),
        )
        return own_x + along_x * scale, own_y + along_y * scale


def draw(rows: Sequence[Sequence[str]], title: str = "Class diagram") -> str:
    """Return an SVG element with the classes of each row, from top to bottom.

    Raises:
        DiagramError: There is no class of a name.
    """
    placed, width, height = _place([[read_class(path) for path in row] for row in rows])
    boxes = [one.box for one in placed]
    at = {one.box.name: one for one in placed}
    related = [
        (one, at[relation.target], relation)
        for one in placed
        for relation in one.box.relations(boxes)
        if relation.kind != "use" or abs(one.row - at[relation.target].row) <= 1
    ]
    parts = [
        *(_arrow(*ends) for ends in related),
        *map(_drawn, placed),
        *(_labelled(*ends) for ends in related),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}"'
        f' width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' style="{_STYLE}">{"".join(parts)}</svg>'
    )


def _place(rows: Sequence[Sequence[ClassBox]]) -> tuple[list[Placed], float, float]:
    """Place the boxes, each row in the middle; return them with the size of the drawing."""
    sizes = [[_size(box) for box in row] for row in rows]
    widths = [sum(width for _, width, _ in row) + _GAP[0] * (len(row) - 1) for row in sizes]
    whole = max(widths) + 2
    placed = []
    top = 1.0
    for number, (row, sized, width) in enumerate(zip(rows, sizes, widths, strict=True)):
        left = (whole - width) / 2
        for box, (parts, wide, high) in zip(row, sized, strict=True):
            placed.append(Placed(box, parts, number, left, top, wide, high))
            left += wide + _GAP[0]
        top += max(high for _, _, high in sized) + _GAP[1]
    return placed, whole, top - _GAP[1] + 1


def _size(box: ClassBox) -> tuple[tuple[tuple[str, ...], ...], float, float]:
    """Return the lines of a box, its width and its height."""
    name = (f"«{box.stereotype}»", box.name) if box.stereotype else (box.name,)
    parts = (name, _fitting(box.fields), _fitting(box.methods))
    longest = max(len(line) for part in parts for line in part)
    high = sum(len(part) * _LINE + _PAD for part in parts if part)
    return parts, longest * _CHARACTER + 2 * _PAD, high


def _fitting(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines that fit into a box."""
    cut = [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines]
    if len(cut) <= MOST_LINES:
        return tuple(cut)
    return (*cut[: MOST_LINES - 1], f"and {len(cut) - MOST_LINES + 1} more")


def _drawn(one: Placed) -> str:
    x, y, width, height = one.left, one.top, one.width, one.height
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    parts = [f'<rect {place} rx="3" style="fill:var(--md-code-bg-color,#f5f5f5)"/>']
    for number, part in enumerate(one.parts):
        if not part:
            continue
        if number:
            parts.append(f'<path d="M{x:.1f} {y:.1f}h{width:.1f}"/>')
        for line in part:
            y += _LINE
            start = f'x="{x + _PAD:.1f}"'
            if not number:
                weight = "normal" if line.startswith("«") else "bold"
                start = f'x="{x + width / 2:.1f}" text-anchor="middle" font-weight="{weight}"'
            parts.append(f'<text {start} y="{y:.1f}" stroke="none">{escape(line)}</text>')
        y += _PAD
    return f"<g><title>{escape(one.box.path)}</title>{''.join(parts)}</g>"


def _arrow(one: Placed, other: Placed, relation: Relation) -> str:
    start = one.border_towards(*other.middle)
    end = other.border_towards(*one.middle)
    length = max(((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5, 1.0)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    back = (end[0] - 10 * along[0], end[1] - 10 * along[1])
    wings = [
        f"{back[0] + side * 5 * along[1]:.1f} {back[1] - side * 5 * along[0]:.1f}"
        for side in (1, -1)
    ]
    is_hollow = relation.kind in ("base", "realization")
    line_end = back if is_hollow else end
    dashes = ' stroke-dasharray="5 3"' if relation.kind in ("use", "realization") else ""
    head = f"M{wings[0]}L{end[0]:.1f} {end[1]:.1f}L{wings[1]}" + ("Z" if is_hollow else "")
    return (
        f'<path{dashes} d="M{start[0]:.1f} {start[1]:.1f}L{line_end[0]:.1f} {line_end[1]:.1f}"/>'
        f'<path fill="none" d="{head}"/>'
    )


def _labelled(one: Placed, other: Placed, relation: Relation) -> str:
    """Return the names of the fields in the middle of their arrow, a line for each."""
    start = one.border_towards(*other.middle)
    end = other.border_towards(*one.middle)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    y -= (len(relation.labels) - 1) * _LINE / 2
    style = "stroke-width:4;paint-order:stroke;stroke:var(--md-default-bg-color,#fff)"
    return "".join(
        f'<text x="{x:.1f}" y="{y + number * _LINE:.1f}" text-anchor="middle" style="{style}">'
        f"{escape(label)}</text>"
        for number, label in enumerate(relation.labels)
    )
