"""Report pages with headings, paragraphs, tables and figures, as HTML or as Markdown.

All text is escaped, because it may come from an untrusted study.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.resources import files
from io import StringIO
from itertools import cycle
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.host.extras import require

require("a report", "studies", "numpy")

import numpy as np

from tabletop.display.svg import LIGHT, TOKENS
from tabletop.host.screen_text import printable, sanitize
from tabletop.studies.statistics import Numbers
from tabletop.wording import truncate

_MOST_LINES: Final = 200
_INK, _PAPER, _LINE = LIGHT["ink"], LIGHT["paper"], LIGHT["line"]
_COLOURS: Final = (LIGHT["accent"], LIGHT["danger"])
_LINES: Final = tuple(LIGHT[it] for it in ("blue", "orange", "green", "purple", "red", "sky"))
_SPECIAL: Final = re.compile(r"[\\`*\[\]{}!#]|(?<!\w)_|_(?!\w)")
_ENTITIES: Final = str.maketrans({it: f"&#{ord(it)};" for it in "<>&|$~"})


class Heading(NamedTuple):
    """A heading."""

    text: str


class Command(NamedTuple):
    """A command line."""

    text: str


class TextTable(NamedTuple):
    """A table with `texts` columns of text, followed by columns of numbers. None is an empty cell.

    Columns without information and rows after the first 200 are omitted.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    texts: int = 1

    def lines(self) -> list[Sequence[str]]:
        """Return the column headings and the rows as text."""
        rows = [["" if it is None else str(it) for it in row] for row in self.rows[:_MOST_LINES]]
        columns = zip(self.heads, *rows, strict=True)
        kept = [it for it in columns if set(it[1:]) - {"", "1" if it[0] == "number" else ""}]
        left_out = len(self.rows) - len(rows)
        rest = [f"({left_out:,} more)", *[""] * (len(kept) - 1)]
        return [*zip(*kept, strict=True), *([rest] if left_out else [])]


class Figure(NamedTuple):
    """An SVG figure with its caption."""

    svg: str
    shows: str


Block: TypeAlias = Heading | Command | TextTable | Figure | str
"""A part of a page. A string is a paragraph."""

_HTML: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
<h1>{title}</h1>
{body}
</main>
</html>
"""


def as_html(title: str, blocks: Sequence[Block]) -> str:
    """Return a page as HTML, with the same light and dark colours as all pages of this package."""
    style = TOKENS + (files("tabletop.studies") / "data" / "report.css").read_text("utf-8")
    body = "\n".join(map(_html_of, blocks))
    return _HTML.format(title=_html(title), style=style, body=body)


def _html(text: str) -> str:
    return escape(truncate(printable(text)))


def _html_of(block: Block) -> str:
    if isinstance(block, str):
        return f"<p>{_html(block)}</p>"
    if isinstance(block, Heading):
        return f"<h2>{_html(block.text)}</h2>"
    if isinstance(block, Command):
        return f"<pre><code>{escape(sanitize(block.text))}</code></pre>"
    if isinstance(block, Figure):
        svg = block.svg
        for name in ("ink", "paper", "line", "accent", "danger"):
            svg = svg.replace(LIGHT[name], f"var(--tt-{name})")
        return f"<figure>{svg}<figcaption>{_html(block.shows)}</figcaption></figure>"
    heads, *rows = block.lines()
    top = _html_row("th", heads) if any(heads) else ""
    lines = "\n".join(_html_row("td", row) for row in rows)
    table = f'<table class="texts-{block.texts}">{top}\n{lines}\n</table>'
    return f'<div class="table" tabindex="0">{table}</div>'


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_html(cell)}</{tag}>' for cell in cells)}</tr>"


def as_markdown(title: str, blocks: Sequence[Block], pictures: Sequence[str]) -> str:
    """Return a page as Markdown. `figures` contains the file names of its figures, in order."""
    names = iter(pictures)
    parts = [f"# {_markdown(title)}", *(_markdown_of(block, names) for block in blocks)]
    return "\n\n".join(parts) + "\n"


def _markdown(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", truncate(printable(text))).translate(_ENTITIES)


def _markdown_of(block: Block, pictures: Iterator[str]) -> str:
    if isinstance(block, str):
        return _markdown(block)
    if isinstance(block, Heading):
        return f"## {_markdown(block.text)}"
    if isinstance(block, Command):  # no text can end an indented block
        return "\n".join(f"    {line}" for line in sanitize(block.text).splitlines())
    if isinstance(block, Figure):
        return f"![{_markdown(block.shows)}]({next(pictures)})"
    heads, *rows = block.lines()
    rule = ["---" if at < block.texts else "---:" for at in range(len(heads))]
    lines = [list(map(_markdown, heads)), rule, *(list(map(_markdown, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def histogram(groups: Mapping[str, tuple[Numbers, Numbers]]) -> str:
    """Return a histogram as SVG, with counts shown as percentages of their group.

    Args:
        groups: One or two groups by name. Each group has numbers in ascending order, and the count
            of each number.
    """
    low = min(values[0] for values, _ in groups.values())
    high = max(values[-1] for values, _ in groups.values())
    is_whole = all((values == np.floor(values)).all() for values, _ in groups.values())
    if is_whole and max(-low, high) < 1e15:
        width = max(1, round((high - low) / 40))
        edges = np.arange(low - 0.5, high + 0.5 + width, width)
    else:
        edges = np.linspace(low, high if high > low else low + max(1, abs(low) / 1000), 41)

    def draw(axes: Any) -> None:
        for (name, (values, counts)), colour in zip(groups.items(), _COLOURS, strict=False):
            heights = np.histogram(values, edges, weights=counts)[0] * 100 / counts.sum()
            axes.stairs(heights, edges, fill=len(groups) == 1, color=colour, label=name, lw=1.5)
        axes.set_ylabel("%")
        if len(groups) > 1:
            axes.legend(frameon=False)

    return _draw_svg(draw, 2.2)


def dots(rows: Sequence[tuple[str, float, float, float]], usual: float, unit: str) -> str:
    """Return a dot plot of numbers with their intervals, as SVG.

    Args:
        rows: Rows from top to bottom. Each has a name, a number, and the two ends of the number's
            interval.
        usual: Number at which a reference line is drawn.
        unit: Label of the axis.
    """
    names = [truncate(printable(name), 24) for name, *_ in reversed(rows)]
    middle, low, high = np.array([row[1:] for row in reversed(rows)]).T

    def draw(axes: Any) -> None:
        axes.axvline(usual, color=_LINE, lw=1)
        reach = [middle - low, high - middle]
        axes.errorbar(middle, range(len(rows)), xerr=reach, fmt="o", color=_COLOURS[0], ms=4)
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlabel(unit)

    return _draw_svg(draw, 0.7 + 0.22 * len(rows))


def curves(
    lines: Mapping[str, Sequence[tuple[float, float, float, float]]],
    usual: float,
    over: str,
    unit: str,
) -> str:
    """Return a line chart as SVG, with a band for the intervals.

    Args:
        lines: Lines by name. Each line has points from left to right: the position, the number, and
            the two ends of the number's interval.
        usual: Number at which a reference line is drawn.
        over: Label of the horizontal axis.
        unit: Label of the vertical axis.
    """

    def draw(axes: Any) -> None:
        axes.axhline(usual, color=_LINE, lw=1)
        for (name, rows), colour in zip(lines.items(), cycle(_LINES), strict=False):
            places, middle, low, high = np.array(rows).T
            axes.fill_between(places, low, high, color=colour, alpha=0.2, lw=0)
            label = truncate(printable(name), 24)
            axes.plot(places, middle, "o-", color=colour, ms=3, lw=1.5, label=label)
        axes.set_xlabel(over)
        axes.set_ylabel(unit)
        axes.legend(frameon=False)

    return _draw_svg(draw, 2.8)


_PLACE: Final = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_DIGITS: Final = re.compile(r"(\.\d\d)\d+")


def _draw_svg(draw: Callable[[Any], None], height: float) -> str:
    """Return a plot as SVG. `height` is in inches."""
    mpl = import_module("matplotlib")  # imported by name, so that type checkers skip it
    figures = import_module("matplotlib.figure")
    look: dict[Any, Any] = {"font.size": 9, "text.parse_math": False, "axes.edgecolor": _LINE}
    look |= {"svg.fonttype": "none", "svg.hashsalt": ""}  # text as text, and reproducible ids
    look |= {"font.sans-serif": ["DejaVu Sans"]}  # otherwise each text lists all fallback fonts
    look |= {"axes.spines.top": False, "axes.spines.right": False}
    look |= dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), _INK)
    with mpl.rc_context(look), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names may have letters that the fonts lack
        figure = figures.Figure(figsize=(4.4, height), layout="constrained", facecolor=_PAPER)
        axes = figure.add_subplot(facecolor="none")
        draw(axes)
        out = StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)
    svg = out.getvalue()
    svg = re.sub(r' id="\w+_\d+"', "", svg[svg.index("<svg") :])  # unique on a page
    return _PLACE.sub(lambda place: _DIGITS.sub(r"\1", place[0]), svg)  # a third smaller
