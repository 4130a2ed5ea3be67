"""Seeds, and names of seats."""

from __future__ import annotations

from pathlib import Path

from lcr import GAME
from tabletop import ContractError, Match, Seed, SeedError
from tabletop.records import Header
from tabletop.rng import is_speakable, vocabulary
from tabletop.states import to_json
from tabletop.studies import CatalogError, count_seeds, read_seeds
from tools.fuzz.target import Target, require


def run(data: bytes, folder: Path) -> str:
    """Create keys, streams and phrases from a text."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        seed = Seed(text)
    except SeedError as error:
        return str(error)
    require(len(seed.key) == 32, "a key of another length")
    require(Seed(seed.canonical) == seed, "the canonical text is another seed")
    require(Seed(f" {text}\n") == seed, "blanks count")
    words = vocabulary(text.split("\n"))
    require(all(map(is_speakable, words.nouns)), "a word that cannot be pronounced")
    match = Match(GAME, seed=text, seats=[text, "B", "C"])
    match.play(match.legal_actions()[0])
    try:
        to_json(Header.of(match))
    except ContractError:
        return "no text in UTF-8"  # cannot be typed or read from a record
    return listed(text)


def listed(text: str) -> str:
    """Parse the words as seeds of a catalogue."""
    try:
        parts = read_seeds(text.split("\n"))
    except CatalogError as error:
        return str(error)
    require(count_seeds(parts) >= 0, "fewer than no seeds")
    return f"{min(len(parts), 9)} parts"


TARGET = Target(run, words=(b"1..20", b"..", b"-5..5", b"2026-W47", "ﬁ".encode(), "Σ".encode()))
