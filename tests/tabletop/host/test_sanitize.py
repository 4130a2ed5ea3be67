"""Characters that reach a terminal, and characters that are replaced."""

from __future__ import annotations

import io
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.host import print_error, printable, sanitize
from tabletop.host.screen_text import REPLACEMENT, raw_stream, sanitized_stream
from tabletop.terminal import Console

OBEYED = {
    "colours": "\x1b[31m",
    "title": "\x1b]0;pwned\x07",
    "title in C1": "\x9d0;pwned\x9c",
    "cursor in C1": "\x9b2J",
    "backspace": "\b\b\b",
    "carriage return": "\rroot#",
    "null": "\0",
    "delete": "\x7f",
    "form feed": "\f\v",
    "next line": "\x85",
    "override": "\u202egpj.exe\u202c",
    "isolate": "\u2066a\u2069\u2067b\u2068",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
}


@pytest.mark.parametrize("case", OBEYED)
def test_control_characters_are_replaced(case: str) -> None:
    shown = sanitize(f"Ann{OBEYED[case]}")
    assert shown.startswith(f"Ann{REPLACEMENT}")
    assert not set(shown) & {letter for letter in OBEYED[case] if not letter.isprintable()}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *((text, text) for text in ("", "plain", "two\nlines\n", "möglich", "日本", "a\u00a0b")),
        *((text, text) for text in ("שלום\u200f!", "\U0001f468\u200d\U0001f469")),
        ("a\udcffb\ud800", "a?b?"),
        ("a\tb\n\tc", "a       b\n        c"),
    ],
)
def test_ordinary_text_stays_surrogates_become_question_marks_and_tabs_spaces(
    text: str, shown: str
) -> None:
    assert sanitize(text) == shown


def test_printable_text_stays_on_one_line() -> None:
    assert printable("a\nb\x1b") == f"a{REPLACEMENT}b{REPLACEMENT}"


@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "L"])))
def test_no_text_keeps_a_character_that_moves_the_cursor(text: str) -> None:
    shown = sanitize(text)
    assert shown == sanitize(shown)
    assert {category(letter) for letter in shown if letter != "\n"}.isdisjoint({"Cc", "Cs", "Zl"})
    assert shown.isascii() or shown.encode()


def test_a_stream_is_wrapped_only_once_and_raw_stream_unwraps_it() -> None:
    beneath = io.StringIO()
    stream = sanitized_stream(beneath)
    assert sanitized_stream(stream) is stream
    assert raw_stream(stream) is beneath
    assert raw_stream(beneath) is beneath
    assert stream.write("\x1b[m") == 3
    stream.writelines(["\x9b", "a\n"])
    print("\x07b", file=stream)
    raw_stream(stream).write("\x1b[0m")
    assert beneath.getvalue() == f"{REPLACEMENT}[m{REPLACEMENT}a\n{REPLACEMENT}b\n\x1b[0m"
    assert not stream.isatty()


def test_a_console_sanitizes_its_output_and_prompts() -> None:
    out = io.StringIO()
    console = Console(io.StringIO("yes\n"), out)
    console.say("\x1b[2JAnn")
    assert console.read("\x9bBob> ") == "yes"
    assert out.getvalue() == f"{REPLACEMENT}[2JAnn\n{REPLACEMENT}Bob> \n"


def test_an_error_line_is_sanitized(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("tabletop: \x1b[31m")
    assert capsys.readouterr().err == f"tabletop: {REPLACEMENT}[31m\n"
