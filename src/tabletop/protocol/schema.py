"""JSON Schema of the messages, for programs in other languages."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any, Final, get_args

import msgspec

from tabletop.protocol.incoming import PROTOCOL, MessageIn
from tabletop.protocol.outgoing import MessageOut
from tabletop.states.json_schema import DIALECT

_ITEM: Final = re.compile(r"^ {4}(\w+): ")
"""The start of a field in the list of attributes of a docstring."""


def schema_of_messages() -> dict[str, Any]:
    """Return the JSON Schema of all messages, an object with a message in each direction.

    Messages from a client do not have further fields. Messages from a table contain all present
    fields except those without a default, and may get more in later versions.
    """
    (to_table, from_table), definitions = msgspec.json.schema_components(
        (MessageIn, MessageOut), ref_template="#/$defs/{name}"
    )
    incoming = {kind.__name__ for kind in get_args(MessageIn)}
    structs = _structs(MessageIn) | _structs(MessageOut)
    for name, definition in definitions.items():
        about, fields = documented(structs[name])
        definition["description"] = about
        for field, words in fields.items():
            definition["properties"][field]["description"] = words
        if name not in incoming:
            required = definition.get("required", ())
            definition["required"] = [
                field
                for field, kind in definition["properties"].items()
                if field in required or "default" in kind
            ]
    return {
        "$schema": DIALECT,
        "title": "Messages",
        "description": f"The messages of version {PROTOCOL} of the protocol.",
        "type": "object",
        "properties": {"in": to_table, "out": from_table},
        "$defs": definitions,
    }


def documented(struct: type[msgspec.Struct]) -> tuple[str, dict[str, str]]:
    """Return the description of a message and of each field, from the docstrings of its classes."""
    about, fields = "", dict[str, str]()
    for kind in reversed(struct.__mro__):
        about, _, listed = cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")
        name = ""
        for line in listed.splitlines():
            if item := _ITEM.match(line):
                name = item[1]
            words = _ITEM.sub("", line).strip()
            fields[name] = f"{fields.get(name, '')} {words}".strip()
    return about.strip(), fields


def _structs(annotation: Any) -> dict[str, type[msgspec.Struct]]:
    """Return the message classes in a type and in their fields, by name."""
    structs = dict[str, type[msgspec.Struct]]()
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        structs[annotation.__name__] = annotation
        inner = [field.type for field in msgspec.structs.fields(annotation)]
    else:
        inner = list(get_args(annotation))
    for kind in inner:
        structs |= _structs(kind)
    return structs
