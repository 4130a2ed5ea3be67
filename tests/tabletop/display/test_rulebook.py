"""Rulebooks, formatted for a terminal."""

from __future__ import annotations

import sys

import pytest

from tabletop import CommandError
from tabletop.display.rulebook import find_sections, lay_out, shown
from tabletop.registry import installed, load

PAGE = """\
# The heap

There is `one heap` of ten to twenty matches, and nobody may take more than three of
them at once.

- Take one, two or three on your turn. You cannot pass, whatever you would like to do.
- Who takes the last one **wins**.

## Costs

| card | cost |
| --- | --- |
| Banish | 2 |

```
|||||||||||||||||||| a picture stays as it is, however wide it may be
```
"""


def test_without_a_terminal_the_markdown_is_shown_unchanged() -> None:
    assert shown(f"\n{PAGE}\n", at_terminal=False) == PAGE.strip("\n")


def test_a_terminal_shows_them_as_wide_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    narrow = shown(PAGE, at_terminal=True)
    monkeypatch.setenv("COLUMNS", "1000")
    wide = shown(PAGE, at_terminal=True)
    assert max(map(len, narrow.splitlines())) <= 60
    assert 60 < max(map(len, wide.splitlines())) <= 100


def test_headings_are_underlined_and_code_keeps_its_ticks() -> None:
    lines = lay_out(PAGE, 60).splitlines()
    assert lines[:2] == ["The heap", "========"]
    assert lines[lines.index("Costs") + 1] == "-----"
    assert "There is `one heap` of ten to twenty matches" in lines[3]
    assert "`play CARD TARGET`" in lay_out("Say `play\nCARD TARGET`.", 60)
    assert "Banish  2" in " ".join(lines)
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("name", list(installed()))
@pytest.mark.parametrize("columns", [50, 80])
def test_the_rules_of_every_game_fit_any_terminal(name: str, columns: int) -> None:
    lines = lay_out(load(name).rules, columns).splitlines()
    assert max(map(len, lines)) <= columns
    assert "" not in (lines[0], lines[-1])


def test_without_rich_long_lines_are_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.markdown", None)
    text = lay_out(PAGE, 40)
    assert text.split() == PAGE.split()
    assert max(map(len, text[: text.index("```")].splitlines())) <= 40
    assert PAGE[PAGE.index("```") :].strip() in text


def test_a_section_is_found_by_words_of_its_heading_with_its_subsections() -> None:
    heap = "## The heap\nTen.\n### Its size\nSmall.\n```\n# no heading\n```"
    rules = f"# Nim\n\n{heap}\n## Costs\nNone.\n"
    assert find_sections(rules, "HEAP") == heap
    assert find_sections(rules, "its size").startswith("### Its size\nSmall.")
    with pytest.raises(CommandError, match=": Nim; The heap; Its size; Costs"):
        find_sections(rules, "cards")
