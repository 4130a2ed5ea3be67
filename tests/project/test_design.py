"""The pages on design point at code that is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "design").glob("*.md"))
NAME = re.compile(r"`((?:tabletop|lcr|constructor|sorcery)(?:\.\w+)+)`")
NAMES = sorted({name for page in PAGES for name in NAME.findall(page.read_text("utf-8"))})


def found(name: str) -> object:
    """The module, class, function or field of that name.

    Raises:
        AttributeError: there is none.
    """
    module, *rest = name.split(".")
    thing: object = import_module(module)
    for part in rest:
        if hasattr(thing, part):
            thing = getattr(thing, part)
        elif part not in getattr(thing, "__annotations__", {}):
            module = f"{getattr(thing, '__name__', name)}.{part}"
            try:
                thing = import_module(module)
            except ModuleNotFoundError:
                raise AttributeError(f"there is no {name}") from None
    return thing


def test_the_code_that_a_page_points_at_is_there() -> None:
    assert len(NAMES) > 100
    for name in NAMES:
        assert found(name) is not None, name


@pytest.mark.parametrize("name", ["sorcery.nothing", "sorcery.rules.engine.Engine.nothing"])
def test_code_that_is_not_there_would_be_missed(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        found(name)


def test_each_of_the_documents_questions_has_its_answer() -> None:
    constructor, sorcery = (
        re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
        for page in PAGES
        if page.stem in {"constructor", "sorcery"}
    )
    assert [heading.split(".")[0] for heading in constructor] == [*"1234567"]
    asked = [heading for heading in sorcery if heading.endswith(")")]
    sections = [heading.rpartition("(")[2].rstrip(")") for heading in asked]
    assert sections == ["§2.2", "§2.3", "§4.4.2", "§5.2.4; 2017 §5.2", "2017 §6.5"]
