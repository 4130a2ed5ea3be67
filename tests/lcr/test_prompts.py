"""Reading numbers like `scanf` of C (LCR §5)."""

from __future__ import annotations

from io import BytesIO, RawIOBase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcr.program.prompts import END, ByteReader, read_int, read_unsigned


def reader(data: bytes) -> ByteReader:
    return ByteReader(BytesIO(data))


def rest(bytes_: ByteReader) -> bytes:
    """Return the remaining bytes."""
    left = bytearray()
    while bytes_.peek() != END:
        left.append(bytes_.peek())
        bytes_.skip()
    return bytes(left)


@pytest.mark.parametrize(
    ("data", "number", "left"),
    [
        (b"5", 5, b""),
        (b" \t\n\v\f\r5\n", 5, b"\n"),
        (b"+5 6", 5, b" 6"),
        (b"-5x", -5, b"x"),
        (b"007.5", 7, b".5"),
        (b"0x5", 0, b"x5"),
        (b"1,000", 1, b",000"),
        (b"1e3", 1, b"e3"),
        (b"5\x00", 5, b"\x00"),
    ],
)
def test_reading_stops_at_the_first_unexpected_byte(data: bytes, number: int, left: bytes) -> None:
    source = reader(data)
    assert read_int(source) == number
    assert rest(source) == left


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (b"", b""),
        (b"  \n ", b""),
        (b"abc", b"abc"),
        (b"\xa05", b"\xa05"),
        (b"\x005", b"\x005"),
        (b"-", b""),
        (b"+", b""),
        (b"- 3", b" 3"),
        (b"--3", b"-3"),
        (b"+-3", b"-3"),
    ],
)
def test_invalid_number_consumes_only_white_space_and_a_sign(data: bytes, left: bytes) -> None:
    for read in (read_int, read_unsigned):
        source = reader(data)
        assert read(source) is None
        assert rest(source) == left


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2147483647", 2**31 - 1),
        ("2147483648", -(2**31)),
        ("4294967299", 3),
        ("-4294967293", 3),
        ("9223372036854775807", -1),
        ("9223372036854775808", -1),
        ("-9223372036854775807", 1),
        ("-9223372036854775808", 0),
        ("-9223372036854775809", 0),
        ("99999999999999999999999", -1),
        ("-99999999999999999999999", 0),
    ],
)
def test_an_int_is_clamped_to_64_bits_and_keeps_the_low_32(text: str, number: int) -> None:
    assert read_int(reader(text.encode())) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-5", 4294967291),
        ("99999999999", 1215752191),
        ("4294967296", 0),
        ("18446744073709551615", 2**32 - 1),
        ("-18446744073709551615", 1),
        ("18446744073709551616", 2**32 - 1),
        ("-18446744073709551616", 2**32 - 1),
        ("-99999999999999999999999", 2**32 - 1),
        ("-0", 0),
    ],
)
def test_an_unsigned_number_is_negated_in_64_bits_and_keeps_the_low_32(
    text: str, number: int
) -> None:
    assert read_unsigned(reader(text.encode())) == number


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_numbers_are_read_one_after_another(numbers: list[int]) -> None:
    source = reader(" ".join(map(str, numbers)).encode())
    assert [read_unsigned(source) for _ in numbers] == numbers


def test_only_one_byte_after_a_number_is_read_ahead() -> None:
    source = BytesIO(b"42 rest")
    assert read_unsigned(ByteReader(source)) == 42
    assert source.read() == b"rest"


class Broken(RawIOBase):
    """A source that returns a digit, fails once and then works again."""

    def __init__(self, error: Exception) -> None:
        self.answers: list[bytes | Exception] = [b"4", error, b"2"]

    def read(self, size: int = -1) -> bytes:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize("error", [OSError("no such device"), ValueError("closed")])
def test_unreadable_source_stays_at_its_end(error: Exception) -> None:
    stream: Any = Broken(error)  # a raw stream is read the same
    source = ByteReader(stream)
    assert read_int(source) == 4
    assert read_int(source) is None
    assert source.skip() == END
