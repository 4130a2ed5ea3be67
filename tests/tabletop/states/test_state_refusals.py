"""Classes that `@state` refuses, with an error that names class, field and type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tabletop import ContractError, RegistryError, Stream, state
from tabletop.host import load_file

V = TypeVar("V")


class Plain:
    """A class without annotations."""


@dataclass
class Loose:
    cards: list[int]


@dataclass(frozen=True)
class Stiff:
    cards: list[int]


def refusal(annotation: Any) -> str:
    kind = type("Trick", (), {"__annotations__": {"field": annotation}, "__module__": __name__})
    with pytest.raises(ContractError) as caught:
        state(kind)
    return str(caught.value)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (list, "Trick.field: list needs the types of its items in brackets, as in list[int]"),
        ("list[list]", "Trick.field[...]: list needs the types"),
        (tuple, "Trick.field: tuple needs the types"),
        (Any, "Trick.field: Any may be any type"),
        (object, "Trick.field: object may be any type"),
        (V, "Trick.field: ~V may be any type: give the type variable a bound (bound=Hashable"),
        (Plain, "Trick.field: Plain cannot be copied safely: write numbers, texts and collections"),
        (list[Loose], "Trick.field[...]: Loose can change and has no clone: use @state"),
        (Stiff, "Trick.field: Stiff is frozen, but its cards (list[int]) can change: use"),
        (Callable[[], int], "cannot be copied safely: store a name or a number"),
        (range, "Trick.field: range cannot be copied safely: write a tuple with the start"),
        (defaultdict[str, int], "cannot be copied safely: write a dict"),
        (Stream, "Trick.field: Stream cannot be copied safely: draw from table.rng"),
        (Sequence[int], "cannot be copied safely: write list[...] or tuple[..., ...]"),
        (Mapping[str, int], "cannot be copied safely: write dict[...]"),
        (list[int] | list[list[int]], "list[int] and list[list[int]] cannot be distinguished"),
        (set[list[int]], "set[list[int]] has mutable keys or items"),
        (frozenset[list[int]], "frozenset[list[int]] has mutable keys or items"),
        (dict[str, Plain], "Trick.field[...]: Plain cannot be copied safely"),
        ("list[Crad]", "Trick.field: list[Crad] refers to Crad, which is not defined yet"),
        ("list[", "Trick.field: the annotation list[ cannot be read"),
    ],
)
def test_a_field_that_cannot_be_copied_safely_is_refused(annotation: Any, message: str) -> None:
    assert message in refusal(annotation)


def test_state_refuses_a_class_that_is_already_a_dataclass() -> None:
    with pytest.raises(ContractError, match=r"\bLoose .*\bdataclass$"):
        state(make_dataclass("Loose", [("cards", list[int])]))


def test_the_error_names_the_line_in_the_file_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        "from tabletop import state\n\n\n@state\nclass Odd:\n    cards: list\n", "utf-8"
    )
    with pytest.raises(RegistryError, match=r"Odd\.cards: list .* \(odd\.py, line 4\)"):
        load_file(path)
