"""JSON Schema of what is written as JSON: states, views, actions and events.

It says what `tabletop.states.to_json` writes, for programs in other languages. What msgspec writes
without help it describes as well; the rest follows from the schema of the class.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import cleandoc
from typing import Any, Final

from tabletop.states.bounds import Length, OneOf, Range
from tabletop.states.codec import to_builtins
from tabletop.states.schema import (
    Dataclass,
    EnumByName,
    Mapping,
    Schema,
    Sequence,
    Tuple,
    Union,
    Variable,
    check_schema,
    schema_of,
)
from tabletop.states.visibility import secrets_of

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema, as a schema names it."""


def json_schema(classes: Iterable[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the JSON Schema of each of some classes, and the definitions that they refer to.

    Bounds that depend on a match (`Range(0, lambda match: ...)`) are left out.

    Raises:
        SchemaError: JSON cannot express a class.
    """
    writer = _Writer()
    return [writer.write(kind) for kind in classes], writer.definitions


class _Writer:
    """Writes schemas; each dataclass becomes a definition, once."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self._names: dict[Any, str] = {}

    def write(self, annotation: Any) -> dict[str, Any]:
        schema = schema_of(annotation)
        check_schema(schema)
        return self._node(schema)

    def _node(self, schema: Schema, back: tuple[Any, ...] = ()) -> dict[str, Any]:
        """Describe a value; where somebody may not see it, it may be its back as well."""
        bounds = _bounds(schema.notes)
        if isinstance(schema, Sequence):
            unique = {"uniqueItems": True} if schema.is_set else {}
            return {"type": "array", "items": self._node(schema.item, back), **unique, **bounds}
        if isinstance(schema, Tuple):
            return _row([self._node(it, back) for it in schema.items])
        if isinstance(schema, Mapping):
            value = self._node(schema.value, back)
            if schema.has_texts:
                return {"type": "object", "additionalProperties": value}
            return {"type": "array", "items": _row([self._node(schema.key), value])}
        # The bounds of a value that may be missing are those of one that is there.
        node = (
            self._any_of(schema, bounds)
            if isinstance(schema, Union)
            else self._leaf(schema) | bounds
        )
        return {"anyOf": [node, *({"const": it} for it in back)]} if back else node

    def _leaf(self, schema: Schema) -> dict[str, Any]:
        if isinstance(schema, Dataclass):
            return {"$ref": f"#/$defs/{self._define(schema)}"}
        if isinstance(schema, EnumByName):
            return {"enum": list(schema.origin.__members__)}
        return {} if isinstance(schema, Variable) else self._plain(schema.annotation)

    def _any_of(self, schema: Union, bounds: dict[str, Any]) -> dict[str, Any]:
        members = [self._node(it) | bounds for it in schema.members]
        if not schema.native:  # each is named in front of its fields
            named = zip(schema.members, members, strict=True)
            members = [
                {"type": "object", "properties": {kind.__name__: it}, "required": [kind.__name__]}
                for member, it in named
                for kind in member.classes()
            ]
        members += [{"type": "null"}] * schema.optional
        return members[0] if len(members) == 1 else {"anyOf": members}

    def _plain(self, annotation: Any) -> dict[str, Any]:
        """Have msgspec describe a number, a text, an enumeration or a literal."""
        import msgspec

        [found], definitions = msgspec.json.schema_components(
            [annotation], ref_template="#/$defs/{name}"
        )
        self.definitions |= definitions
        return found

    def _define(self, schema: Dataclass) -> str:
        """Define a dataclass, and return its name among the definitions."""
        if schema.annotation in self._names:
            return self._names[schema.annotation]
        taken = set(self._names.values())
        plain = schema.kind.__name__
        name = next(
            it for n in range(1, len(taken) + 2) if (it := plain + str(n) * (n > 1)) not in taken
        )
        self._names[schema.annotation] = name
        self.definitions[name] = {}  # classes may hold each other
        secrets = secrets_of(schema.kind)
        backs = {it: (to_builtins(secret.back),) for it, secret in secrets.items()}
        self.definitions[name] = {
            "title": plain,
            "description": cleandoc(schema.kind.__doc__ or "").partition("\n")[0],
            "type": "object",
            "properties": {
                it: self._node(part, backs.get(it, ())) for it, part in schema.fields.items()
            },
            "required": list(schema.fields),
        }
        return name


def _row(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Describe an array with a schema for each place."""
    return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}


def _bounds(notes: Iterable[Any]) -> dict[str, Any]:
    """Return what notes say of a value, as far as it is the same in every match."""
    found: dict[str, Any] = {}
    for note in notes:
        match note:
            case Range(low=int() | float() as low, high=int() | float() as high):
                found |= {"minimum": low, "maximum": high}
            case OneOf(values=values) if not callable(values):
                found |= {"enum": list(values)}
            case Length(most=int() as most):
                found |= {"maxItems": most}
    return found
