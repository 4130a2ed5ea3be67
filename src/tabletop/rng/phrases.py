"""Seed phrases for matches without a given seed (see "Working with Seeds")."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tabletop.errors import SeedError

ENOUGH_PHRASES: Final = 1_000_000
"""The minimum number of different phrases in a game's vocabulary."""


class Vocabulary(NamedTuple):
    """The words for phrases. `vocabulary` returns them in lower case and without duplicates.

    Attributes:
        adjectives: The words for the first two places of a phrase.
        nouns: The words for the last place.
        required: The number of leading `adjectives` that belong to the game. Every phrase contains
            at least one of these. With 0, any two adjectives may be chosen.
    """

    adjectives: Sequence[str] = ()
    nouns: Sequence[str] = ()
    required: int = 0

    @property
    def phrases(self) -> int:
        """The number of different phrases without a repeated word."""
        count = _count(self.adjectives, self.nouns)
        if not self.required:
            return count
        return count - _count(self.adjectives[self.required :], self.nouns)


def _count(adjectives: Sequence[str], nouns: Sequence[str]) -> int:
    """Return the number of phrases of two different adjectives and a different noun."""
    count = len(adjectives)
    in_both = len(set(adjectives).intersection(nouns))
    others = len(nouns) - in_both
    return count * (count - 1) * others + (count - 1) * max(0, count - 2) * in_both


def vocabulary(
    names: Iterable[str] = (), extra: Vocabulary | None = None, *, enough: int = ENOUGH_PHRASES
) -> Vocabulary:
    """Return the words for the phrases of a game, from the names of the things in it.

    The last word of a name is a noun, and the others are adjectives. Words that are not
    `is_speakable` are omitted. If these words make fewer than `enough` phrases, the function adds
    as few packaged words as necessary: only nouns if possible, or else only adjectives, or else
    both. Every phrase still contains a word of the game (see "Working with Seeds", section "Seed
    Formats"): one of the game's adjectives, or one of its nouns if there are no adjectives. Games
    with few words therefore have fewer than `enough` phrases. A game without any words gets all the
    packaged words.

    Args:
        names: Names of things. A name has one or more words.
        extra: Words to add to those of the names.
        enough: The minimum number of phrases.

    >>> vocabulary(["Novice Pyromancer", "Air Elemental"], enough=0).nouns
    ('pyromancer', 'elemental')
    """
    adjectives: list[str] = list(extra.adjectives) if extra else []
    nouns: list[str] = list(extra.nouns) if extra else []
    for name in names:
        *others, last = name.split() or [""]
        adjectives += others
        nouns.append(last)
    words = Vocabulary(_speakable(adjectives), _speakable(nouns))
    return words if words.phrases >= enough else _fill_up(words, enough)


def is_speakable(word: str) -> bool:
    """Return whether `word` may be part of a phrase ("Working with Seeds", "Seed Formats").

    A speakable word consists only of letters, at least three. The first two letters differ, and the
    word is not in capitals. For example, `oak` is speakable, but `ox`, `eel` and `HQS` are not.
    """
    letters = word.casefold()
    return len(word) >= 3 and word.isalpha() and letters[0] != letters[1] and not word.isupper()


def _speakable(words: Iterable[str]) -> tuple[str, ...]:
    """Return the speakable words in lower case, without duplicates."""
    lowered = (word.lower() for word in words if is_speakable(word))
    # Lower case may be unspeakable: the lower case of İ contains a combining dot.
    return tuple(dict.fromkeys(word for word in lowered if is_speakable(word)))


def _fill_up(words: Vocabulary, enough: int) -> Vocabulary:
    """Add packaged words to those of a game, so that every phrase has a word of the game."""
    if not words.adjectives:
        # The nouns stay those of the game, if it has any.
        return _extend(words, "adjectives", enough) if words.nouns else common_vocabulary()
    words = words._replace(required=len(words.adjectives))
    with_nouns = _extend(words, "nouns", enough)
    if with_nouns.phrases >= enough:
        return with_nouns
    return _extend(_extend(words, "adjectives", enough), "nouns", enough)


def _extend(words: Vocabulary, kind: str, enough: int) -> Vocabulary:
    """Add just enough packaged words of one kind to `words`, or all if they are not enough."""
    present: Sequence[str] = getattr(words, kind)
    packaged: Sequence[str] = getattr(common_vocabulary(), kind)
    others = _spread([word for word in packaged if word not in present])

    def add_words(count: int) -> Vocabulary:
        extended = (*present, *others[:count])
        if kind == "nouns":
            return words._replace(nouns=extended)
        return words._replace(adjectives=extended)

    places = range(len(others))
    return add_words(bisect_left(places, enough, key=lambda count: add_words(count).phrases))


def _spread(words: Sequence[str]) -> list[str]:
    """Reorder `words` so that every prefix is spread evenly over the original list."""
    places = sorted(range(len(words)), key=lambda place: place * 619 % 1001)  # the golden ratio
    return [words[place] for place in places]


@lru_cache(maxsize=1)
def common_vocabulary() -> Vocabulary:
    """Return the packaged words, for games without enough of their own."""
    from importlib.resources import files  # slow to import, and rarely needed

    text = files("tabletop.rng").joinpath("data", "words.txt").read_text("utf-8")
    adjectives, _, nouns = text.partition("# nouns\n")
    return Vocabulary(tuple(_words(adjectives)), tuple(_words(nouns)))


def _words(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [word for line in lines for word in line.split()]


def fresh_phrase(
    vocabulary: Vocabulary | None = None, draw: Callable[[int], int] | None = None
) -> str:
    """Return a seed that is easy to say: two adjectives and a noun, without repeated words.

    Args:
        vocabulary: The words to choose from. By default, the packaged words.
        draw: A function that returns an integer from 0 to its argument - 1, such as `Stream.below`.
            By default, the operating system's generator is used, so that the phrase differs each
            time.

    Raises:
        SeedError: There are too few words: two adjectives and another noun are needed.
    """
    if draw is None:
        from secrets import randbelow  # slow to import, and rarely needed

        draw = randbelow
    words = vocabulary if vocabulary is not None else common_vocabulary()
    if not words.phrases:
        raise SeedError("a phrase needs two adjectives and a noun to choose from")
    while True:
        first = draw(len(words.adjectives))
        second = draw(len(words.adjectives) - 1)
        second += second >= first
        if words.required and min(first, second) >= words.required:
            continue
        adjectives = words.adjectives[first], words.adjectives[second]
        nouns = [noun for noun in words.nouns if noun not in adjectives]
        if nouns:
            return " ".join((*adjectives, nouns[draw(len(nouns))]))
