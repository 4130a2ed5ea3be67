"""Updates the files that list the messages of the protocol.

    .venv/bin/python -m tools.message_types

The files are `web/static/tabletop.d.ts`, with the TypeScript types of the messages below a line,
and `protocol/__init__.py`, with the public names. A test fails if one of them is out of date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, get_args

import msgspec
from msgspec import inspect as kinds

from tabletop import protocol
from tabletop.protocol import incoming, outgoing
from tabletop.protocol.incoming import Request
from tabletop.protocol.outgoing import Reason
from tabletop.protocol.schema import documented

TYPES: Final = Path(protocol.__file__).parents[1] / "web" / "static" / "tabletop.d.ts"
"""The file with the types."""

PACKAGE: Final = Path(protocol.__file__)
"""The file with the public names."""

LINE: Final = "// Below: made by tools/message_types.py.\n"
"""The line between the types that are written by hand and the generated types."""

SHOWN: Final[tuple[type[msgspec.Struct], ...]] = (
    protocol.TableOut,
    protocol.TableSettings,
    protocol.BotOut,
    protocol.StateOut,
    protocol.ChoiceOut,
    protocol.SeveralOut,
    protocol.ItemOut,
    protocol.DataOut,
    protocol.OverOut,
    protocol.LineOut,
    protocol.PastOut,
    protocol.HintOut,
    protocol.TextOut,
    protocol.TopicOut,
    protocol.ConsentOut,
    protocol.NoteOut,
)
"""The messages that the client passes on, and the types of their fields."""

_IMPORTED: Final = r"(?<=    from tabletop\.protocol\.{} import \()[^)]*"
"""The names that the package imports from a module with messages, for type checkers."""

_PUBLIC: Final = re.compile(r"(?<=\n__all__ = \[)[^]]*")
"""The public names of the package."""

_PLAIN: Final = {
    kinds.StrType: "string",
    kinds.IntType: "number",
    kinds.FloatType: "number",
    kinds.BoolType: "boolean",
    kinds.NoneType: "null",
    kinds.AnyType: "any",
}


def package_text() -> str:
    """Return the text of `protocol/__init__.py` with the names of all messages."""
    text = PACKAGE.read_text("utf-8")
    public = {*re.findall(r"\w+", _PUBLIC.findall(text)[0])}
    for module in (incoming, outgoing):
        imported = re.compile(_IMPORTED.format(module.__name__.rpartition(".")[2]))
        listed = {*re.findall(r"\w+", imported.findall(text)[0])}
        classes = {
            name
            for name, value in vars(module).items()
            if isinstance(value, type)
            and issubclass(value, msgspec.Struct)
            and value.__module__ == module.__name__
            and not name.startswith("_")
        }
        kept = {name for name in listed if hasattr(module, name)} | classes
        public = public - listed | kept
        text = imported.sub(_lines(kept, "        {},\n") + "    ", text)
    return _PUBLIC.sub(_lines(public, '    "{}",\n'), text)


def _lines(names: set[str], line: str) -> str:
    def place(name: str) -> tuple[bool, bool, str]:
        return not name.isupper(), not name[0].isupper(), name  # constants, classes, functions

    return "\n" + "".join(map(line.format, sorted(names, key=place)))


def message_types() -> str:
    """Return the types of messages as TypeScript."""
    reasons = " | ".join(f'"{it}"' for it in get_args(Reason))
    head = f"/** Why something was refused. */\nexport type Reason = {reasons};\n"
    return "\n".join([head, *map(_interface, SHOWN), _requests()])


def _interface(struct: type[msgspec.Struct]) -> str:
    about, fields = documented(struct)
    info = kinds.type_info(struct)
    assert isinstance(info, kinds.StructType)
    lines = [*_comment(about, ""), f"export interface {struct.__name__} {{"]
    if info.tag:
        lines.append(f'  type: "{info.tag}";')
    for field in info.fields:
        lines += _comment(fields.get(field.encode_name, ""), "  ")
        defaults = {field.default, field.default_factory}
        may_be_absent = not field.required and defaults == {msgspec.NODEFAULT}
        name = field.encode_name + "?" * may_be_absent
        lines.append(f"  {name}: {_type(field.type)};")
    return "\n".join([*lines, "}\n"])


def _requests() -> str:
    """Return the fields of each request, without the `id` that the client adds."""
    lines = ["/** The fields of each request. */", "export interface Requests {"]
    for struct in get_args(Request):
        about, fields = documented(struct)
        info = kinds.type_info(struct)
        assert isinstance(info, kinds.StructType)
        lines += [*_comment(about, "  "), f"  {info.tag}: {{"]
        for field in info.fields:
            if field.encode_name != "id":
                lines += _comment(fields.get(field.encode_name, ""), "    ")
                name = field.encode_name + "?" * (not field.required)
                lines.append(f"    {name}: {_type(field.type)};")
        lines.append("  };")
    return "\n".join([*lines, "}\n"])


def _comment(text: str, indent: str) -> list[str]:
    if not text:
        return []
    words = re.sub(r"\bNone\b", "null", text).replace("*/", "* /").splitlines()
    if len(words) == 1:
        return [f"{indent}/** {words[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in words), f"{indent} */"]


def _type(found: kinds.Type) -> str:
    match found:
        case kinds.StructType(cls):
            return cls.__name__
        case kinds.VarTupleType(item_type=item):
            kind = _type(item)
            return f"({kind})[]" if " " in kind else f"{kind}[]"
        case kinds.TupleType(item_types=items):
            return f"[{', '.join(map(_type, items))}]"
        case kinds.DictType(value_type=value):
            return f"{{ [name: string]: {_type(value)} }}"
        case kinds.UnionType(types):
            return " | ".join(dict.fromkeys(map(_type, types)))
    return _PLAIN[type(found)]


def main() -> None:
    """Rewrite the public names, and the part of the types below the line."""
    above, line, _ = TYPES.read_text("utf-8").partition(LINE)
    if not line:
        sys.exit(f"{TYPES} has no line {LINE.strip()!r}")
    TYPES.write_text(f"{above}{LINE}\n{message_types()}", "utf-8")
    PACKAGE.write_text(package_text(), "utf-8")


if __name__ == "__main__":
    main()
