"""The rules of a game as people read them: Markdown, laid out for the terminal that shows it.

Headings are underlined, tables are drawn, and lines are as long as the terminal is wide. There are
no colours and no cursor in it, so that it goes wherever text goes.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import ClassVar, Final

from tabletop.game import AnyGame

_MOST_COLUMNS: Final = 100
"""Longer lines are hard to read."""

_UNDERLINES: Final = {"h1": "=", "h2": "-", "h3": "~"}
_FENCE: Final = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1 *$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LISTED: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_TABLE: Final = re.compile(r"\s*\|")


def no_rules(game: AnyGame) -> str:
    """The message for a game without rules to read."""
    return f"{game.title or game.name} comes without rules to read"


def shown(markdown: str, *, at_terminal: bool) -> str:
    """The rules as they are shown: laid out at a terminal, the Markdown itself elsewhere.

    Args:
        markdown: the rules.
        at_terminal: whether a terminal shows them; its width is looked up.
    """
    if not at_terminal:
        return markdown.strip("\n")
    return laid_out(markdown, min(shutil.get_terminal_size().columns, _MOST_COLUMNS))


def laid_out(markdown: str, columns: int) -> str:
    """Markdown as plain lines of at most `columns` columns; rendered by rich if it is installed.

    Without it, paragraphs are filled and the rest is left as it is, which may be wider.
    """
    try:
        text = _by_rich(markdown, columns)
    except ImportError:
        text = filled(markdown, columns)
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n")


def _by_rich(markdown: str, columns: int) -> str:
    from rich.cells import cell_len
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Heading, Markdown, MarkdownElement

    class Underlined(Heading):
        """A heading with a line below, as long as it is."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            yield ""
            yield self.text
            yield _UNDERLINES.get(self.tag, "") * min(cell_len(self.text.plain), columns)

    class Rules(Markdown):
        """Markdown whose headings stand out without colours."""

        elements: ClassVar[dict[str, type[MarkdownElement]]] = {
            **Markdown.elements,
            "heading_open": Underlined,
        }

    paper = StringIO()
    console = Console(file=paper, width=columns, color_system=None, legacy_windows=False)
    console.print(Rules(_outside_fences(markdown, _with_ticks), hyperlinks=False))
    return paper.getvalue()


def _with_ticks(text: str) -> str:
    """Keep the backticks of inline code, for terminals without colours."""
    return _CODE.sub(r"`` `\1` ``", text)


def _outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """Apply a change to Markdown outside of fenced blocks."""
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])


def filled(markdown: str, columns: int) -> str:
    """Markdown whose paragraphs and items fill so many columns; all else is left as it is."""
    return _outside_fences(markdown, partial(_filled, columns))


def _filled(columns: int, text: str) -> str:
    blocks = re.split(r"(\n\s*\n)", text)
    return "".join(block if block.isspace() else _block(block, columns) for block in blocks)


def _block(block: str, columns: int) -> str:
    """A paragraph, or the items of a list, filled."""
    lines: list[str] = []
    for line in block.split("\n"):
        if not lines or _LISTED.match(line) or line.startswith(("#", "|", "    ", "\t")):
            lines.append(line)
        else:
            lines[-1] += f" {line.strip()}"
    return "\n".join(_line(line, columns) for line in lines)


def _line(line: str, columns: int) -> str:
    if line.startswith(("#", "    ", "\t")) or _TABLE.match(line):
        return line
    item = _LISTED.match(line)
    hanging = " " * (item.end() if item else 0)
    return textwrap.fill(
        line, columns, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
    )
