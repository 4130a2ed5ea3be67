"""The stream of a match: a keyed hash in counter mode."""

from __future__ import annotations

import struct
from hashlib import shake_128
from typing import TYPE_CHECKING, Final, Self

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.rng.build_in_use import mypyc_attr
from tabletop.rng.stream import Stream

if TYPE_CHECKING:
    from mypy_extensions import i64

WORD_BITS: Final = 32
"""The number of bits in a word of a `HashStream`; its offset counts words."""

BLOCK_WORDS: Final = 64
"""The number of words made at a time."""

_WORD_MASK: Final = (1 << WORD_BITS) - 1
# Bounds up to here take the fast way, from one word; larger ones are rare in games.
_FAST_BELOW: Final = 1 << 31
_BLOCK_SHIFT: Final = BLOCK_WORDS.bit_length() - 1
_BLOCK_BYTES: Final = BLOCK_WORDS * WORD_BITS // 8
MOST_WORDS: Final = BLOCK_WORDS << 64
"""The number of words in a stream: the number of a block has 64 bits."""

_unpack_block: Final = struct.Struct(f"<{BLOCK_WORDS}I").unpack


@mypyc_attr(allow_interpreted_subclasses=True)
class HashStream(Stream):
    """A stream whose words are SHAKE-128 of a key and a block number.

    Args:
        key: 32 bytes; two streams with the same key draw the same.
        offset: the number of words of 32 bits drawn already, below 2**70.

    Raises:
        SeedError: there is no such offset.
    """

    __slots__ = ("_block", "_index", "_key", "_words")

    def __init__(self, key: bytes, offset: int = 0) -> None:
        self._key = key
        self._block = -1
        self._words: tuple[int, ...] = ()
        self._index = BLOCK_WORDS
        if offset:
            self.offset = offset

    @property
    def offset(self) -> int:
        """The number of words of 32 bits drawn so far."""
        return (self._block << _BLOCK_SHIFT) + self._index

    @offset.setter
    def offset(self, value: int) -> None:
        if not 0 <= value < MOST_WORDS:
            raise SeedError(f"a stream has no offset {value}")
        block, index = divmod(value, BLOCK_WORDS)
        if index == 0:  # the block before, used up: computed only when a word is drawn
            block, index = block - 1, BLOCK_WORDS
        if block != self._block:
            self._block = block
            self._words = () if index == BLOCK_WORDS else self._read(block)
        elif not self._words and index < BLOCK_WORDS:
            self._words = self._read(block)
        self._index = index

    @override
    def copy(self) -> Self:
        # Share the computed block: the copy need not compute it again.
        twin = type(self)(self._key)
        twin._block = self._block
        twin._words = self._words
        twin._index = self._index
        return twin

    def __repr__(self) -> str:
        """Say how much has been drawn, but not the key: all draws follow from it."""
        return f"<{type(self).__name__}, {self.offset} words drawn>"

    def __reduce__(self) -> tuple[type[HashStream], tuple[bytes, int]]:
        """Pickle or copy by the key and the offset."""
        return type(self), (self._key, self.offset)

    def _read(self, block: int) -> tuple[int, ...]:
        # One call makes 64 words, so that its fixed cost is shared by as many draws. A block
        # depends on its number alone: going to an offset computes one block, however far it is.
        digest = shake_128(self._key + block.to_bytes(8, "little")).digest(_BLOCK_BYTES)
        return _unpack_block(digest)

    def _next_block(self) -> int:
        self._block += 1
        self._words = self._read(self._block)
        self._index = 1
        return self._words[0]

    def word(self) -> int:
        """Draw the next word: a whole number from 0 to 2**32 - 1."""
        index = self._index
        if index == BLOCK_WORDS:
            return self._next_block()
        self._index = index + 1
        return self._words[index]

    @override
    def below(self, bound: int) -> int:
        # Multiply and shift (Lemire): the high half of word * bound is the draw, and the low half
        # tells the few words that would make some draws likelier than others.
        if bound > _FAST_BELOW or bound < 1:
            return self._below_rare(bound)
        # `word` written out: simulations spend their time in this draw.
        index = self._index
        # Compiled as machine words. Products of compiled ints of this size would be made by Python,
        # which looks for Ctrl-C while it multiplies, and that ends the process there and then.
        factor: i64 = bound
        product: i64
        if index == BLOCK_WORDS:
            product = self._next_block() * factor
        else:
            self._index = index + 1
            product = self._words[index] * factor
        # `unfair` is less than `bound`, so that the division is needed in few draws only.
        if product & _WORD_MASK < factor:
            unfair: i64 = (_WORD_MASK + 1) % factor
            while product & _WORD_MASK < unfair:
                product = self.word() * factor
        return product >> WORD_BITS

    def _below_rare(self, bound: int) -> int:
        if bound < 1:
            raise SeedError(f"below({bound}): the bound must be at least 1")
        # As many bits as the bound has, from whole words; the lowest, which are too many, go.
        words = -(-bound.bit_length() // WORD_BITS)
        excess = words * WORD_BITS - bound.bit_length()
        while True:  # at least every second try lies below the bound
            number = 0
            for _ in range(words):
                number = number << WORD_BITS | self.word()
            number >>= excess
            if number < bound:
                return number
