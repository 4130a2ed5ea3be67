"""What a shape is: how one kind of plain data is written in JSON; and those of single values.

A shape stands for an annotation. Most need no help: msgspec writes and reads what they describe, at
its own speed (`native`). The others are walked, and only they.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Final

from typing_extensions import override

from tabletop.codec.trouble import described


class Misfit(ValueError):
    """A value does not fit its annotation, or an annotation stands for nothing that can be written.

    Attributes:
        what: what is wrong, and what would be right.
        path: where, from the inside out.
    """

    def __init__(self, what: str, path: Sequence[str] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.path = list(path)

    def at(self, name: str) -> str:
        """The message, with the full path to the value below `name`."""
        return f"{name}{''.join(reversed(self.path))}: {self.what}"


class Shape(ABC):
    """What an annotation stands for.

    Attributes:
        annotation: as msgspec reads it.
        native: whether msgspec writes and reads it, the same everywhere, without help.
        sortable: whether values of it always have an order of their own.
    """

    annotation: Any
    native: bool = True
    sortable: bool = False

    def parts(self) -> Iterable[Shape]:
        """The shapes that it is made of."""
        return ()

    @abstractmethod
    def dump(self, value: Any) -> Any:
        """`value` as something msgspec can encode.

        Raises:
            Misfit: it is not what the annotation says.
        """

    @abstractmethod
    def load(self, data: Any) -> Any:
        """The value that `data`, which has been JSON, describes.

        Raises:
            Misfit: it describes none.
        """


def dumped(shape: Shape, value: Any) -> Any:
    """`value` as something msgspec can encode; unchanged where it needs no help."""
    return value if shape.native else shape.dump(value)


def loaded(shape: Shape, data: Any) -> Any:
    """The value of that shape that `data` describes."""
    if not shape.native:
        return shape.load(data)
    import msgspec

    try:
        # Keys of JSON are texts: with `str_keys` those of a dictionary become numbers again.
        return msgspec.convert(data, shape.annotation, str_keys=True)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        raise Misfit(what, [path.rstrip("`")] if path else []) from error


class Leaf(Shape):
    """What msgspec writes and reads by itself."""

    def __init__(self, annotation: Any, *, sortable: bool = False) -> None:
        self.annotation = annotation
        self.sortable = sortable

    @override
    def dump(self, value: Any) -> Any:
        return value

    @override
    def load(self, data: Any) -> Any:
        return loaded(self, data)


class Named(Shape):
    """A member of an enumeration whose values JSON cannot say: goes by its name."""

    native = False

    def __init__(self, kind: type[Enum]) -> None:
        self.annotation = self.kind = kind

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        return value.name

    @override
    def load(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.kind.__members__:
            raise Misfit(f"{data!r} is no {self.kind.__name__}")
        return self.kind[data]


def expect(value: Any, kind: type[Any], wanted: str = "") -> Any:
    """`value`, if its class is exactly `kind`.

    Raises:
        Misfit: it is of another.
    """
    # Exactly this class: fields of a subclass would be lost without a word.
    if type(value) is not kind:
        if wanted:
            raise Misfit(f"expected {wanted}, got {type(value).__name__}")
        raise Misfit(f"{described(value)} is no {kind.__name__}, as the annotation says")
    return value


def has_order(kind: Any) -> bool:
    """Whether instances of a class can be sorted."""
    return getattr(kind, "__lt__", None) is not getattr(object, "__lt__", None)


# Numbers of whatever class have one order; texts and None are compared with none of them.
_ORDER: Final[dict[type[Any], int]] = {type(None): 0, bool: 1, int: 1, float: 1, str: 2}


def rank(value: Any) -> tuple[int, Any]:
    """A sort key for values of mixed types that does not depend on hashes."""
    if isinstance(value, (list, tuple)):
        return 3, [rank(item) for item in value]
    if isinstance(value, Enum):
        return rank(value.value)
    place = _ORDER.get(type(value))
    if place is None:
        import msgspec

        return 4, msgspec.json.encode(value, order="deterministic")
    return place, 0 if value is None else value
