"""JSON Schema for states, views, actions and events.

The schema describes the output of `tabletop.states.to_json`, for programs in other languages.
msgspec generates it for types that it encodes directly. The schemas of all other types are derived
from the schema of the class.
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
"""The identifier of the JSON Schema version, for `$schema`."""


def json_schema(classes: Iterable[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the JSON Schema of each class, and the definitions that these schemas refer to.

    Bounds that depend on a match (`Range(0, lambda match: ...)`) are left out.

    Raises:
        SchemaError: JSON cannot represent a class.
    """
    writer = _Writer()
    return [writer.write(kind) for kind in classes], writer.definitions


class _Writer:
    """Writes schemas. Each dataclass becomes one shared definition."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self._names: dict[Any, str] = {}

    def write(self, annotation: Any) -> dict[str, Any]:
        schema = schema_of(annotation)
        check_schema(schema)
        return self._node(schema)

    def _node(self, schema: Schema, back: tuple[Any, ...] = ()) -> dict[str, Any]:
        """Return the schema of a value, which the values in `back` may replace if it is hidden."""
        bounds = _bounds(schema.notes)
        if isinstance(schema, Sequence):
            unique = {"uniqueItems": True} if schema.is_set else {}
            return {"type": "array", "items": self._node(schema.item, back), **unique, **bounds}
        if isinstance(schema, Tuple):
            return _row([self._node(item, back) for item in schema.items])
        if isinstance(schema, Mapping):
            value = self._node(schema.value, back)
            if schema.has_texts:
                return {"type": "object", "additionalProperties": value}
            return {"type": "array", "items": _row([self._node(schema.key), value])}
        # Bounds of an optional value apply to the value, and not to null.
        node = (
            self._any_of(schema, bounds)
            if isinstance(schema, Union)
            else self._leaf(schema) | bounds
        )
        return {"anyOf": [node, *({"const": value} for value in back)]} if back else node

    def _leaf(self, schema: Schema) -> dict[str, Any]:
        if isinstance(schema, Dataclass):
            return {"$ref": f"#/$defs/{self._define(schema)}"}
        if isinstance(schema, EnumByName):
            return {"enum": list(schema.origin.__members__)}
        return {} if isinstance(schema, Variable) else self._plain(schema.annotation)

    def _any_of(self, schema: Union, bounds: dict[str, Any]) -> dict[str, Any]:
        members = [self._node(member) | bounds for member in schema.members]
        if not schema.native:  # JSON then names the class of each member
            pairs = zip(schema.members, members, strict=True)
            members = [
                {"type": "object", "properties": {kind.__name__: node}, "required": [kind.__name__]}
                for member, node in pairs
                for kind in member.classes()
            ]
        members += [{"type": "null"}] * schema.optional
        return members[0] if len(members) == 1 else {"anyOf": members}

    def _plain(self, annotation: Any) -> dict[str, Any]:
        """Return msgspec's schema of a number, a string, an enumeration or a literal."""
        import msgspec

        [node], definitions = msgspec.json.schema_components(
            [annotation], ref_template="#/$defs/{name}"
        )
        self.definitions |= definitions
        return node

    def _define(self, schema: Dataclass) -> str:
        """Define a dataclass if necessary, and return the name of its definition."""
        if schema.annotation in self._names:
            return self._names[schema.annotation]
        taken = set(self._names.values())
        title = schema.kind.__name__
        numbered = (f"{title}{number}" for number in range(2, len(taken) + 2))
        name = next(name for name in (title, *numbered) if name not in taken)
        self._names[schema.annotation] = name
        self.definitions[name] = {}  # classes may contain each other
        secrets = secrets_of(schema.kind)
        backs = {field: (to_builtins(secret.back),) for field, secret in secrets.items()}
        self.definitions[name] = {
            "title": title,
            "description": cleandoc(schema.kind.__doc__ or "").partition("\n")[0],
            "type": "object",
            "properties": {
                field: self._node(part, backs.get(field, ()))
                for field, part in schema.fields.items()
            },
            "required": list(schema.fields),
        }
        return name


def _row(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of an array with a schema for each index."""
    return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}


def _bounds(notes: Iterable[Any]) -> dict[str, Any]:
    """Return the bounds in the notes, except those that depend on a match."""
    bounds: dict[str, Any] = {}
    for note in notes:
        match note:
            case Range(low=int() | float() as low, high=int() | float() as high):
                bounds |= {"minimum": low, "maximum": high}
            case OneOf(values=values) if not callable(values):
                bounds |= {"enum": list(values)}
            case Length(most=int() as most):
                bounds |= {"maxItems": most}
    return bounds
