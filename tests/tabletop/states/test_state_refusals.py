"""What `@state` refuses when a module is imported: it names class, field and type."""

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
    """A class of whom nothing is known."""


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
    ("annotation", "said"),
    [
        (list, "Trick.field: list does not say what it holds; write that in brackets: list[int]"),
        ("list[list]", "Trick.field[...]: list does not say what it holds"),
        (tuple, "tuple does not say what it holds; write that in brackets"),
        (Any, "Any may be anything; write what it is"),
        (object, "Trick.field: object may be anything; write what it is"),
        (V, "Trick.field: ~V may be anything; give the type variable a bound: bound=Hashable"),
        (Plain, "Trick.field: Plain cannot be copied safely; write numbers, texts and collections"),
        (list[Loose], "Trick.field[...]: Loose can change and has no clone; write @state in the"),
        (Stiff, "Trick.field: Stiff is frozen, but its cards (list[int]) can change; write what"),
        (Callable[[], int], "cannot be copied safely; keep a name or a number, and let the rules"),
        (range, "Trick.field: range cannot be copied safely; write a tuple of its bounds"),
        (defaultdict[str, int], "cannot be copied safely; write a dict, and ask it with get"),
        (Stream, "Trick.field: Stream cannot be copied safely; draw from table.rng"),
        (Sequence[int], "cannot be copied safely; write list[...] or tuple[..., ...]"),
        (Mapping[str, int], "cannot be copied safely; write dict[...]"),
        (list[int] | list[list[int]], "nothing tells list[int] and list[list[int]] apart; write"),
        (set[list[int]], "set[list[int]] has keys or items that can change"),
        (frozenset[list[int]], "frozenset[list[int]] has keys or items that can change"),
        (dict[str, Plain], "Trick.field[...]: Plain cannot be copied safely"),
        ("list[Crad]", "Trick.field: list[Crad] names Crad, which is not there yet; define or"),
        ("list[", "Trick.field: list[ cannot be read"),
    ],
)
def test_a_field_that_cannot_be_copied_safely_is_named(annotation: Any, said: str) -> None:
    assert said in refusal(annotation)


def test_a_dataclass_is_not_made_a_state_as_well() -> None:
    with pytest.raises(ContractError, match="Loose: @state makes a dataclass; leave out the other"):
        state(make_dataclass("Loose", [("cards", list[int])]))


def test_who_plays_such_a_game_is_shown_the_line_of_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        "from tabletop import state\n\n\n@state\nclass Odd:\n    cards: list\n", "utf-8"
    )
    with pytest.raises(RegistryError, match=r"Odd\.cards: list .* \(odd\.py, line 4\)"):
        load_file(path)
