"""Seeds: any text becomes a root key, and a match without one gets a phrase. Salts hide a seed.

A seed is what people say out loud and type again, so letter case, outer blanks and the Unicode
form of its letters do not matter. Folding uses the Unicode tables of version 3.2, which every
Python carries: a text means the same key on every one of them.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import ucd_3_2_0

from tabletop.errors import SeedError

if TYPE_CHECKING:
    from datetime import date


class Seed:
    """A seed: the text somebody gave, and the root key that all chance of a match derives from.

    Two seeds are equal when their texts mean the same: `Seed("Brave Old World") ==
    Seed("  brave old world")`. Any text is a seed, also the empty one.

    Attributes:
        text: the seed as it was given, without outer blanks.
    """

    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._key: bytes | None = None

    @classmethod
    def of(cls, value: Seed | str | int) -> Seed:
        """`value` as a seed; a whole number means its decimal digits."""
        return value if isinstance(value, Seed) else cls(str(value))

    @property
    def canonical(self) -> str:
        """The text that counts: Unicode-normalised (NFKC), letter case and outer blanks dropped."""
        return _canonical(self.text)

    @property
    def key(self) -> bytes:
        """The root key: 32 bytes, the BLAKE2b hash of the canonical text."""
        if self._key is None:
            data = self.canonical.encode("utf-8", "surrogatepass")
            self._key = blake2b(data, digest_size=32, person=b"tt.seed").digest()
        return self._key

    def __eq__(self, other: object) -> bool:
        return self.canonical == other.canonical if isinstance(other, Seed) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.canonical)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Seed({self.text!r})"


SALT_BYTES: Final = 16
"""A salt has so many bytes: 128 bits, which nobody can search through."""

SALT_DIGITS: Final = 2 * SALT_BYTES
"""So many hexadecimal digits are the text of a salt."""


def new_salt() -> bytes:
    """A fresh salt from the operating system: 16 bytes.

    All chance of a match with a salt hangs on it as much as on the seed, so that who knows the seed
    knows nothing. Keep it from everybody who plays until the match is over.
    """
    return os.urandom(SALT_BYTES)


def read_salt(text: str) -> bytes:
    """The salt that 32 hexadecimal digits spell; `salt.hex()` spells it again.

    Raises:
        SeedError: the text is anything else. It is not quoted: it may be nearly a secret.
    """
    digits = text.isascii() and text.isalnum()  # else blanks between the bytes would pass
    try:
        salt = bytes.fromhex(text) if digits else b""
    except ValueError:
        salt = b""
    if len(salt) != SALT_BYTES:
        raise SeedError(f"a salt is {SALT_DIGITS} hexadecimal digits")
    return salt


def check_salt(salt: bytes) -> bytes:
    """`salt` itself, when it is one.

    Raises:
        SeedError: it is not of 16 bytes.
    """
    if not isinstance(salt, bytes):
        raise SeedError(f"a salt is {SALT_BYTES} bytes, not of the type {type(salt).__name__}")
    if len(salt) != SALT_BYTES:
        raise SeedError(f"a salt is {SALT_BYTES} bytes, not {len(salt)}")
    return salt


def root_key(seed: Seed | str | int, salt: bytes | None = None) -> bytes:
    """The key that all chance of a match hangs off: of its seed, and of its salt if it has one.

    With a salt it is the BLAKE2b hash of the salt under the key of the seed: 32 bytes.

    Raises:
        SeedError: the salt is not of 16 bytes.
    """
    key = Seed.of(seed).key
    if salt is None:
        return key
    return blake2b(check_salt(salt), digest_size=32, key=key, person=b"tt.salt").digest()


def commitment(seed: Seed | str | int, salt: bytes) -> str:
    """What is told of seed and salt before a match: 32 hexadecimal digits.

    It gives neither away, and fits no others: who is told the salt afterwards can check that both
    stood before the first action.

    Raises:
        SeedError: the salt is not of 16 bytes.

    >>> commitment("old oak", bytes(16)) == commitment(" Old Oak", bytes(16))
    True
    """
    content = Seed.of(seed).key + check_salt(salt)
    return blake2b(content, digest_size=16, person=b"tt.commit").hexdigest()


def _canonical(text: str) -> str:
    # Folding may denormalise and normalising may unfold, so both are repeated once: Unicode's own
    # recipe for caseless matching (D146).
    if text.isascii():
        return text.casefold().strip()
    for _ in range(2):
        text = _normalize(text)
        text = "".join(letter.casefold() if _is_known(letter) else letter for letter in text)
    return _normalize(text).strip()


def _is_known(letter: str) -> bool:
    # Letters younger than the tables may fold, combine and be put in order differently from one
    # Python to the next: they stay as and where they are.
    return ucd_3_2_0.category(letter) != "Cn"


def _normalize(text: str) -> str:
    pieces = ((known, "".join(letters)) for known, letters in groupby(text, _is_known))
    return "".join(
        ucd_3_2_0.normalize("NFKC", piece) if known else piece for known, piece in pieces
    )


ENOUGH_PHRASES: Final = 1_000_000
"""How many different phrases a game's vocabulary is good for, at least."""

_FEWEST_LETTERS: Final = 3
"""A word of a phrase has as many letters, at least (Working with Seeds, Seed Formats)."""


class Vocabulary(NamedTuple):
    """The words that phrases are made of; all lower case, none twice in its list."""

    adjectives: Sequence[str] = ()
    nouns: Sequence[str] = ()

    @property
    def phrases(self) -> int:
        """How many different phrases they make, in which no word stands twice."""
        count = len(self.adjectives)
        in_both = len(set(self.adjectives).intersection(self.nouns))
        others = len(self.nouns) - in_both
        return count * (count - 1) * others + (count - 1) * max(0, count - 2) * in_both


def vocabulary(
    names: Iterable[str] = (), extra: Vocabulary | None = None, *, enough: int = ENOUGH_PHRASES
) -> Vocabulary:
    """The words for the phrases of a game, out of the names of the things in it.

    The last word of a name is a noun, the others are adjectives. Only words that are easily said
    and typed are taken, and each only once: see `is_speakable`. Where too few remain for `enough`
    different phrases, packaged ones are added, as few as will do, and to one of the two lists alone
    if that is enough: so most phrases have a word of the game (Working with Seeds, Seed Formats).
    A game without any words has all the packaged ones.

    Args:
        names: names of things, of one word or more.
        extra: words to add to those of the names.
        enough: how many phrases are wanted.

    >>> vocabulary(["Novice Pyromancer", "Aura of Power", "Air Elemental"], enough=0)
    Vocabulary(adjectives=('novice', 'aura', 'air'), nouns=('pyromancer', 'power', 'elemental'))
    """
    adjectives: list[str] = list(extra.adjectives) if extra else []
    nouns: list[str] = list(extra.nouns) if extra else []
    for name in names:
        *others, last = name.split() or [""]
        adjectives += others
        nouns.append(last)
    own = Vocabulary(_speakable(adjectives), _speakable(nouns))
    return own if own.phrases >= enough else _filled_up(own, enough)


def is_speakable(word: str) -> bool:
    """Whether `word` may stand in a phrase (Working with Seeds, Seed Formats).

    It has at least three letters and nothing else, its first two differ, and it is not all
    capitals.
    """
    letters = word.casefold()
    return (
        len(word) >= _FEWEST_LETTERS
        and word.isalpha()
        and letters[0] != letters[1]
        and not word.isupper()
    )


def _speakable(words: Iterable[str]) -> tuple[str, ...]:
    """The words that may stand in a phrase, in lower case, each once."""
    said = (word.lower() for word in words if is_speakable(word))
    # A capital letter may have no small one of its own: İ becomes an i with a dot above it.
    return tuple(dict.fromkeys(word for word in said if is_speakable(word)))


def _filled_up(own: Vocabulary, enough: int) -> Vocabulary:
    """`own` with as few packaged words as make `enough` phrases, if there are that many.

    More nouns leave both adjectives as they are; where they do not suffice, more adjectives leave
    the noun. Only a game with few words of either kind gets both.
    """
    if not own.adjectives and not own.nouns:
        return common_vocabulary()
    with_nouns = _extended(own, "nouns", enough)
    if with_nouns.phrases >= enough:
        return with_nouns
    return _extended(_extended(own, "adjectives", enough), "nouns", enough)


def _extended(words: Vocabulary, kind: str, enough: int) -> Vocabulary:
    """`words` of one kind, with just enough packaged ones added, or all of them."""
    mine: Sequence[str] = getattr(words, kind)
    packaged: Sequence[str] = getattr(common_vocabulary(), kind)
    others = _spread([word for word in packaged if word not in mine])

    def extended(count: int) -> Vocabulary:
        return words._replace(**{kind: (*mine, *others[:count])})

    places = range(len(others))
    return extended(bisect_left(places, enough, key=lambda count: extended(count).phrases))


def _spread(words: Sequence[str]) -> list[str]:
    """`words` reordered so that any number of the first ones are spread evenly over the list."""
    places = sorted(range(len(words)), key=lambda place: place * 619 % 1001)  # the golden ratio
    return [words[place] for place in places]


def weekly(day: date) -> str:
    """The seed of the ISO week that `day` lies in, the same for everybody: `2026-W47`.

    Args:
        day: a date in UTC; this module looks at no clock.

    >>> from datetime import date
    >>> weekly(date(2026, 11, 21))
    '2026-W47'
    """
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def daily(day: date) -> str:
    """The seed of a day, the same for everybody: `2026-11-21`.

    Args:
        day: a date in UTC.
    """
    return f"{day.year:04}-{day.month:02}-{day.day:02}"


@lru_cache(maxsize=1)
def common_vocabulary() -> Vocabulary:
    """The packaged words, for games without enough of their own."""
    from importlib import resources  # slow to import, and few need it

    text = resources.files("tabletop").joinpath("data", "words.txt").read_text("utf-8")
    adjectives, _, nouns = text.partition("# nouns\n")
    return Vocabulary(*(tuple(_words(part)) for part in (adjectives, nouns)))


def _words(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [word for line in lines for word in line.split()]


def entropy(bound: int) -> int:
    """A whole number from 0 to `bound` - 1 from the operating system: for fresh seeds only.

    Raises:
        SeedError: `bound` is less than 1.
    """
    if bound < 1:
        raise SeedError(f"entropy({bound}): the bound must be at least 1")
    bits = bound.bit_length()
    while True:
        number = int.from_bytes(os.urandom((bits + 7) // 8), "little") >> (-bits % 8)
        if number < bound:
            return number


def fresh_phrase(vocabulary: Vocabulary | None = None, draw: Callable[[int], int] = entropy) -> str:
    """A seed one can say out loud: two adjectives and a noun, no word twice.

    Args:
        vocabulary: the words to choose from; the packaged ones when not given.
        draw: gives a whole number below its argument; the operating system's when not given.

    Raises:
        SeedError: the words are too few for it.
    """
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
