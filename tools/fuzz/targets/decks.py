"""Decks of Sorcery."""

from __future__ import annotations

from pathlib import Path

from sorcery import EDITIONS, SPRING_2024, DeckError, packaged_deck, parse_deck
from sorcery.program.cli import MOST_BYTES
from sorcery.text.frames import FANCY
from sorcery.text.text_board import TextBoard
from tabletop.host import TextFileError, read_text
from tools.fuzz.making import fresh
from tools.fuzz.target import Target

GOES_ON = 30


def run(data: bytes, folder: Path) -> str:
    """Read a deck for both editions, and play a match with it."""
    path = folder / "a.deck"
    path.write_bytes(data)
    said = ""
    try:
        deck = read_text(str(path), MOST_BYTES)
    except TextFileError as error:
        return str(error)
    for edition in EDITIONS.values():
        try:
            parse_deck(deck, edition)
        except DeckError as error:
            said += f"{error}\n"
            continue
        if edition is SPRING_2024:
            said += play(deck)
    return said


def play(deck: str) -> str:
    """Play with a deck against the default deck."""
    match = fresh("sorcery", options={"deck1": deck, "deck2": packaged_deck(), "testing": True})
    match.run(GOES_ON)
    look = TextBoard(SPRING_2024, FANCY)
    look.board(match.state, match.names)
    for side in match.state.sides:
        look.hand(side)
    return "played on"


TARGET = Target(
    run,
    lambda: (packaged_deck(name).encode() for name in ("default.deck", "custom.deck")),
    words=tuple(f"\n{name}\n".encode() for name in SPRING_2024.cards),
)
