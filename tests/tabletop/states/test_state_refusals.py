"""Classes that `@state` refuses, with an error that names class, field and type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.tabletop.told import tells

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
        (list, "Trick.field: list ... types ... list[int]"),
        ("list[list]", "Trick.field[...]: list ... types"),
        (tuple, "Trick.field: tuple ... types"),
        (Any, "Trick.field: Any ... any type"),
        (object, "Trick.field: object ... any type"),
        (V, "Trick.field: ~V ... any type: ... bound=Hashable"),
        (Plain, "Trick.field: Plain ... copied safely: ... collections"),
        (list[Loose], "Trick.field[...]: Loose ... clone: ... @state"),
        (Stiff, "Trick.field: Stiff ... frozen, ... cards (list[int]) ... change: "),
        (Callable[[], int], "copied safely: ... name ... number"),
        (range, "Trick.field: range ... copied safely: ... tuple ... start"),
        (defaultdict[str, int], "copied safely: ... dict"),
        (Stream, "Trick.field: Stream ... copied safely: ... table.rng"),
        (Sequence[int], "copied safely: ... list[...] or tuple[..., ...]"),
        (Mapping[str, int], "copied safely: ... dict[...]"),
        (list[int] | list[list[int]], "list[int] and list[list[int]] ... distinguished"),
        (set[list[int]], "set[list[int]] ... mutable"),
        (frozenset[list[int]], "frozenset[list[int]] ... mutable"),
        (dict[str, Plain], "Trick.field[...]: Plain ... copied safely"),
        ("list[Crad]", "Trick.field: list[Crad] ... Crad, ... not defined"),
        ("list[", "Trick.field: ... annotation list[ ... read"),
    ],
)
def test_a_field_that_cannot_be_copied_safely_is_refused(annotation: Any, message: str) -> None:
    assert tells(refusal(annotation), message)


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
