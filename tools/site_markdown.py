"""The Markdown extension of the documentation.

It is an extension of Python-Markdown, so that it works with every site generator that uses it.

- A `python` block with prompts is shown as a console session, so that prompts and output differ
  from code.
- Options in code, such as `--seed`, are marked, so that lines do not break after their dashes.
- `<div class="tabletop-commands" data-program="lcr"></div>`, on a separate line, becomes the
  commands and options of that program, from its parsers.
- `<div class="tabletop-classes">`, lines with the full names of classes, and `</div>` become a
  class diagram of the source code (`tools.class_diagrams`).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from importlib import import_module
from textwrap import dedent
from typing import Any, Final

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from typing_extensions import override

from tools.class_diagrams import draw

WIDTH: Final = 72
"""Maximum width of a usage line."""

_DIALOGUE: Final = re.compile(r"^```python\n(?=(?:(?!```).*\n)*?>>> )", re.MULTILINE)
_CODE: Final = re.compile(r"(?<!<pre>)<code>[^<]*</code>")
_OPTION: Final = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_PROGRAM: Final = re.compile(
    r'^<div class="tabletop-commands" data-program="(\w+)"></div>$', re.MULTILINE
)


_CLASSES: Final = re.compile(
    r'^<div class="tabletop-classes">\n((?:[\w. ]+\n)+)</div>$', re.MULTILINE
)


class SiteMarkdown(Extension):
    """The extension."""

    @override
    def extendMarkdown(self, md: Markdown) -> None:
        # Before code blocks are found, which has the priority 25.
        md.preprocessors.register(_Forms(md), "tabletop", 40)
        # Before whole blocks of code are put in, which have 30.
        md.postprocessors.register(_Options(md), "tabletop", 40)


class _Forms(Preprocessor):
    """Translates the elements of this extension into standard Markdown."""

    @override
    def run(self, lines: list[str]) -> list[str]:
        text = _DIALOGUE.sub("```pycon\n", "\n".join(lines))
        text = _PROGRAM.sub(lambda found: commands_of(found[1]), text)
        return _CLASSES.sub(lambda found: diagram_of(found[1]), text).split("\n")


class _Options(Postprocessor):
    """Marks the options in inline code."""

    @override
    def run(self, text: str) -> str:
        return _CODE.sub(
            lambda code: _OPTION.sub(r'<span class="option">\g<0></span>', code[0]), text
        )


def commands_of(program: str) -> str:
    """Return the commands and options of a program as Markdown, with a heading for each command.

    Raises:
        ValueError: If there is no such program.
    """
    if program not in _PARSERS:
        raise ValueError(f"there is no program {program}; there are {', '.join(_PARSERS)}")
    return "\n".join(_described(parser) for parser in _PARSERS[program]())


def diagram_of(rows: str) -> str:
    """Return a class diagram as HTML, with the classes of each line in a row.

    Raises:
        DiagramError: If a class is not in the source.
    """
    return f'<div class="tabletop-classes">{draw([row.split() for row in rows.splitlines()])}</div>'


def _parsers_of_tabletop() -> Iterator[argparse.ArgumentParser]:
    from tabletop.cli import COMMANDS, build_parser

    yield build_parser()
    for name in COMMANDS:
        parser = build_parser([name])
        (commands,) = (it for it in parser._actions if it.nargs == argparse.PARSER)
        assert isinstance(commands.choices, dict)
        yield commands.choices[name]


def _parsers_of_game(program: str, *names: str) -> Iterator[argparse.ArgumentParser]:
    cli: Any = import_module(f"{program}.program.cli")
    for name in names:
        yield getattr(cli, name)()


_PARSERS: Final[Mapping[str, Callable[[], Iterator[argparse.ArgumentParser]]]] = {
    "tabletop": _parsers_of_tabletop,
    "lcr": partial(_parsers_of_game, "lcr", "build_parser", "build_sweep_parser"),
    "constructor": partial(_parsers_of_game, "constructor", "build_parser"),
    "sorcery": partial(_parsers_of_game, "sorcery", "build_parser"),
}
"""Functions that create the parsers of each program."""


def _described(parser: argparse.ArgumentParser) -> str:
    """Return a parser as Markdown."""
    kind: Any = parser.formatter_class
    parser.formatter_class = partial(kind, width=WIDTH)
    formatter: Any = parser._get_formatter()
    level = "##" if " " not in parser.prog else "###"
    usage = dedent(parser.format_usage().replace("usage: ", " " * 7)).strip()
    rows = [
        row
        for group in parser._action_groups
        for action in group._group_actions
        for row in _rows(action, formatter)
    ]
    said = [
        f"{level} {parser.prog}",
        f"```text\n{usage}\n```",
        _plain(parser.description or ""),
        "\n".join(("| argument | what it does |", "|---|---|", *rows)) if rows else "",
        _plain(parser.epilog or ""),
    ]
    return "\n\n".join(part for part in said if part) + "\n"


def _rows(action: argparse.Action, formatter: Any) -> Iterator[str]:
    """Yield the table rows of an argument or of each command, without `-h`."""
    if isinstance(action, argparse._HelpAction):
        return
    if action.nargs == argparse.PARSER:
        for command in action._get_subactions():  # type: ignore[attr-defined]
            yield f"| `{command.dest}` | {_plain(command.help or '')} |"
        return
    how = formatter._format_action_invocation(action).replace("|", "\\|")
    said = formatter._expand_help(action) if action.help else ""
    yield f"| `{how}` | {_plain(said)} |"


def _plain(text: str) -> str:
    """Return a help text as Markdown. Names between `` ` `` remain code."""
    pieces = " ".join(text.split()).split("`")
    marked = [piece if at % 2 else _escaped(piece) for at, piece in enumerate(pieces)]
    return "`".join(marked).replace("|", "\\|")


def _escaped(text: str) -> str:
    return re.sub(r"([*_\[\]\\])", r"\\\1", escape(text, quote=False))


def makeExtension(**options: Any) -> Extension:  # noqa: N802 - it is called by this name
    """Return the extension. Python-Markdown calls this function."""
    return SiteMarkdown(**options)
