"""The rulebook of a game: Markdown, formatted for the terminal.

Headings are underlined, tables are drawn, and lines are wrapped to the width of the terminal. The
output contains no colours or control characters, so it can be piped.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from io import StringIO
from typing import ClassVar, Final

from tabletop.errors import CommandError
from tabletop.rules.game import AnyGame
from tabletop.text_layout import fit
from tabletop.wording import quote

_MOST_COLUMNS: Final = 100
"""Maximum line length. Longer lines are hard to read."""

_UNDERLINES: Final = {"h1": "=", "h2": "-", "h3": "~"}
_FENCE: Final = re.compile(r"(^ {0,3}[`~]{3}.*?^ {0,3}[`~]{3} *$)", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"(#{1,6}) +(.+)")
_CODE: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def no_rules(game: AnyGame) -> str:
    """Return the message for a game without a rulebook."""
    return f"{game.title or game.name} has no rulebook"


def shown(markdown: str, *, at_terminal: bool) -> str:
    """Return the rules for display: formatted if the output is a terminal, or else as Markdown."""
    if not at_terminal:
        return markdown.strip("\n")
    return lay_out(markdown, min(shutil.get_terminal_size().columns, _MOST_COLUMNS))


def find_sections(markdown: str, words: str) -> str:
    """Return the sections whose heading contains these words, including their subsections.

    Raises:
        CommandError: No heading contains the words. The message lists the headings.
    """
    wanted = words.casefold()
    sections: list[str] = []
    titles: list[str] = []
    level = 0  # the level of the heading whose section is included, or 0
    is_code = False
    for line in markdown.splitlines():
        is_code ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if is_code else _HEADING.match(line)
        if heading:
            depth, title = len(heading[1]), heading[2].strip()
            titles.append(title)
            if not level or depth <= level:
                level = depth if wanted in title.casefold() else 0
        if level:
            sections.append(line)
    if not sections:
        known = "; ".join(titles)
        raise CommandError(f"no heading of the rules contains {quote(words)}; choose from: {known}")
    return "\n".join(sections).strip("\n")


def lay_out(markdown: str, columns: int) -> str:
    """Format Markdown as plain text with at most `columns` columns, using rich.

    If rich (part of the extra `terminal`) is not installed, only long lines are wrapped.
    """
    try:
        text = _by_rich(markdown, columns)
    except ImportError:
        text = fit(markdown, columns)
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n")


def _by_rich(markdown: str, columns: int) -> str:
    from rich.cells import cell_len
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Heading, Markdown, MarkdownElement

    class Underlined(Heading):
        """A heading with an underline of the same length."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            yield ""
            yield self.text
            yield _UNDERLINES.get(self.tag, "") * min(cell_len(self.text.plain), columns)

    class Rules(Markdown):
        """Markdown with headings that stand out without colours."""

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
    """Apply a change to Markdown outside fenced blocks."""
    parts = _FENCE.split(markdown)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))
