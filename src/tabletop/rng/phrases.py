"""Phrases: seeds to say out loud, for matches without a given seed (Working with Seeds)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tabletop.errors import SeedError

ENOUGH_PHRASES: Final = 1_000_000
"""The minimum number of different phrases in a game's vocabulary."""


class Vocabulary(NamedTuple):
    """The words for phrases: `vocabulary` makes all lower case, and leaves none twice in a list.

    Attributes:
        adjectives: the words for the first two places of a phrase.
        nouns: the words for the last one.
    """

    adjectives: Sequence[str] = ()
    nouns: Sequence[str] = ()

    @property
    def phrases(self) -> int:
        """The number of different phrases without a repeated word."""
        count = len(self.adjectives)
        in_both = len(set(self.adjectives).intersection(self.nouns))
        others = len(self.nouns) - in_both
        return count * (count - 1) * others + (count - 1) * max(0, count - 2) * in_both


def vocabulary(
    names: Iterable[str] = (), extra: Vocabulary | None = None, *, enough: int = ENOUGH_PHRASES
) -> Vocabulary:
    """Return the words for the phrases of a game, from the names of the things in it.

    The last word of a name is a noun, the others are adjectives; words that are not `is_speakable`
    are left out. Where too few remain for `enough` different phrases, as few packaged ones are
    added as will do, to one of the two lists if that is enough: so most phrases have a word of the
    game (Working with Seeds, Seed Formats). A game without any words has all the packaged ones.

    Args:
        names: names of things, of one word or more.
        extra: words to add to those of the names.
        enough: the number of phrases wanted.

    >>> vocabulary(["Novice Pyromancer", "Air Elemental"], enough=0).nouns
    ('pyromancer', 'elemental')
    """
    adjectives: list[str] = list(extra.adjectives) if extra else []
    nouns: list[str] = list(extra.nouns) if extra else []
    for name in names:
        *others, last = name.split() or [""]
        adjectives += others
        nouns.append(last)
    own = Vocabulary(_speakable(adjectives), _speakable(nouns))
    return own if own.phrases >= enough else _fill_up(own, enough)


def is_speakable(word: str) -> bool:
    """Check whether `word` may be part of a phrase (Working with Seeds, Seed Formats).

    It must be three letters or more and nothing else, its first two must differ, and not all be
    capitals: `oak`, but not `ox`, `eel` or `HQS`.
    """
    letters = word.casefold()
    return len(word) >= 3 and word.isalpha() and letters[0] != letters[1] and not word.isupper()


def _speakable(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that may be part of a phrase, in lower case, each once."""
    said = (word.lower() for word in words if is_speakable(word))
    # A capital letter may have no small one of its own: İ becomes an i with a dot above it.
    return tuple(dict.fromkeys(word for word in said if is_speakable(word)))


def _fill_up(own: Vocabulary, enough: int) -> Vocabulary:
    """Add as few packaged words as will do to `own`: nouns, else adjectives, else some of both."""
    if not own.adjectives and not own.nouns:
        return common_vocabulary()
    with_nouns = _extend(own, "nouns", enough)
    if with_nouns.phrases >= enough:
        return with_nouns
    return _extend(_extend(own, "adjectives", enough), "nouns", enough)


def _extend(words: Vocabulary, kind: str, enough: int) -> Vocabulary:
    """Add just enough packaged words of one kind to `words`, or all of them."""
    mine: Sequence[str] = getattr(words, kind)
    packaged: Sequence[str] = getattr(common_vocabulary(), kind)
    others = _spread([word for word in packaged if word not in mine])

    def add_words(count: int) -> Vocabulary:
        return words._replace(**{kind: (*mine, *others[:count])})

    places = range(len(others))
    return add_words(bisect_left(places, enough, key=lambda count: add_words(count).phrases))


def _spread(words: Sequence[str]) -> list[str]:
    """Reorder `words` so that any number of the first ones are spread evenly over the list."""
    places = sorted(range(len(words)), key=lambda place: place * 619 % 1001)  # the golden ratio
    return [words[place] for place in places]


@lru_cache(maxsize=1)
def common_vocabulary() -> Vocabulary:
    """Return the packaged words, for games without enough of their own."""
    from importlib.resources import files  # slow to import, and rarely needed

    text = files("tabletop.rng").joinpath("data", "words.txt").read_text("utf-8")
    adjectives, _, nouns = text.partition("# nouns\n")
    return Vocabulary(*(tuple(_words(part)) for part in (adjectives, nouns)))


def _words(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [word for line in lines for word in line.split()]


def fresh_phrase(
    vocabulary: Vocabulary | None = None, draw: Callable[[int], int] | None = None
) -> str:
    """Make a seed to say out loud: two adjectives and a noun, no word twice.

    Args:
        vocabulary: the words to choose from; the packaged ones when not given.
        draw: returns a whole number from 0 to its argument - 1, such as `Stream.below`; the
            operating system's when not given, so that the phrase differs each time.

    Raises:
        SeedError: there are too few words: two adjectives and another noun are needed.
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
        adjectives = words.adjectives[first], words.adjectives[second]
        nouns = [noun for noun in words.nouns if noun not in adjectives]
        if nouns:
            return " ".join((*adjectives, nouns[draw(len(nouns))]))
