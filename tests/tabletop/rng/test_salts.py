"""Salts: the secret part of the root key, and commitments to it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabletop import Seed, SeedError, Streams
from tabletop.rng import commitment, new_salt
from tabletop.rng.seeds import check_salt, read_salt, root_key

SALT = bytes(range(16))
SALTS = st.binary(min_size=16, max_size=16)


def test_the_root_key_of_a_seed_and_a_salt_never_changes() -> None:
    assert root_key("old oak").hex() == (
        "7e26ec6859935e3af3fc6de3197498da82ff582d4e0254c29cf82c34c2df7eca"
    )
    assert root_key("old oak", SALT).hex() == (
        "400fbe4118da62daab040f37b63a3e143f287a1453f5b2de98ac7bd96e461355"
    )
    assert root_key("", bytes(16)).hex() == (
        "1fcc864df1d40d32ce8acf93653c9c0c53bec7b1bf69bf6887de105e3174d18c"
    )


def test_the_commitment_to_a_seed_and_a_salt_never_changes() -> None:
    assert commitment("old oak", SALT) == "8f1307061ed1de548e32445634f43a77"
    assert commitment("", bytes(16)) == "2f7e58c05eebb0cadd2885ec56c9b63f"


def test_streams_of_a_seed_and_a_salt_never_change() -> None:
    streams = Streams("old oak", SALT)
    assert [streams["dice"].below(1000) for _ in range(5)] == [810, 226, 372, 675, 349]
    assert streams.at("cave", 1, 2).below(1000) == 549
    assert streams.child("bots")["choices"].below(1000) == 554


@given(one=SALTS, other=SALTS)
def test_different_salts_have_different_keys_and_commitments(one: bytes, other: bytes) -> None:
    assert root_key("oak") == Seed("oak").key != root_key("oak", one)
    assert (root_key("oak", one) == root_key("oak", other)) == (one == other)
    assert (commitment("oak", one) == commitment("oak", other)) == (one == other)


@given(salt=SALTS)
def test_equal_seeds_have_the_same_key_and_commitment(salt: bytes) -> None:
    assert root_key("Old Oak ", salt) == root_key("old oak", salt)
    assert commitment("Old Oak ", salt) == commitment("old oak", salt)
    assert commitment("old oak", salt) != commitment("old oaks", salt)


@given(salt=SALTS)
def test_a_salt_can_be_read_back_from_its_text(salt: bytes) -> None:
    assert read_salt(salt.hex()) == salt == read_salt(salt.hex().upper())


@given(text=st.text() | st.text("0123456789abcdef ", max_size=40))
@example(text=SALT.hex(" "))
def test_a_text_that_is_not_a_salt_is_refused_and_not_quoted(text: str) -> None:
    if re.fullmatch("[0-9a-fA-F]{32}", text):
        return
    with pytest.raises(SeedError) as caught:
        read_salt(text)
    assert str(caught.value) == "a salt is 32 hexadecimal digits"


@pytest.mark.parametrize(
    "made", [check_salt, lambda salt: Streams("oak", salt), lambda salt: commitment("oak", salt)]
)
@pytest.mark.parametrize(
    ("salt", "wrong"),
    [
        (bytes(15), "16 bytes, not 15"),
        (b"", "16 bytes, not 0"),
        (SALT.hex(), "16 bytes, not .* str"),
    ],
)
def test_a_salt_must_have_16_bytes(
    made: Callable[[object], object], salt: object, wrong: str
) -> None:
    with pytest.raises(SeedError, match=wrong):
        made(salt)


def test_new_salts_are_valid_and_differ() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert all(check_salt(salt) for salt in salts)


def test_a_copy_of_unopened_streams_keeps_the_salt() -> None:
    copied = Streams("old oak", SALT).clone()
    assert copied["dice"].below(10**6) == Streams("old oak", SALT)["dice"].below(10**6)
    assert copied["dice"].below(10**6) != Streams("old oak")["dice"].below(10**6)
