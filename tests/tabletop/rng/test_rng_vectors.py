"""Seeds always give the numbers in `data/stream_vectors.json`.

Never generate this file again. If one of these tests fails, all existing records and seeds are
invalid.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import blake2b, shake_128
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.rng.draw_vectors import answers, draw, open_stream

HERE = Path(__file__).parents[1]
DATA = HERE / "data" / "stream_vectors.json"
VECTORS: dict[str, Any] = json.loads(DATA.read_text("utf-8"))
WORD_VALUES = 2**32


# A second, simple implementation of the definition.


def named(parts: Any) -> bytes:
    """Return a name as it is hashed. Names in the file have only letters, digits and blanks."""
    parts = parts if isinstance(parts, list) else [parts]
    spelled = [
        str(part) if isinstance(part, int) or part.isidentifier() else f'"{part}"' for part in parts
    ]
    return "/".join(spelled).encode("ascii")


def derived(root: bytes, kind: bytes, name: bytes) -> bytes:
    return blake2b(name, digest_size=32, key=root, person=b"tt." + kind).digest()


def key_of(vector: dict[str, Any]) -> bytes:
    canonical = next(each for each in VECTORS["seeds"] if each["text"] == vector["seed"])
    key = blake2b(canonical["canonical"].encode(), digest_size=32, person=b"tt.seed").digest()
    for family in vector.get("children", ()):
        key = derived(key, b"child", named(family))
    if "at" in vector:
        return derived(key, b"at", named(vector["at"]))
    return derived(key, b"stream", named(vector["name"]))


def word_of(key: bytes, place: int) -> int:
    block = shake_128(key + (place // 64).to_bytes(8, "little")).digest(256)
    return int.from_bytes(block[place % 64 * 4 :][:4], "little")


def below(key: bytes, place: int, bound: int) -> tuple[int, int]:
    """Draw a number below `bound` from the word at `place` on. Return it and the next place."""
    if bound <= 2**31:
        product = word_of(key, place) * bound
        if (
            product % WORD_VALUES < WORD_VALUES % bound
        ):  # rejected, because it would make some numbers more likely
            return below(key, place + 1, bound)
        return product // WORD_VALUES, place + 1
    bits = bound.bit_length()
    count = (bits + 31) // 32
    number = 0
    for offset in range(count):
        number = number * WORD_VALUES + word_of(key, place + offset)
    number >>= count * 32 - bits
    return (number, place + count) if number < bound else below(key, place + count, bound)


# Tests.


def called(vector: dict[str, Any]) -> str:
    return f"{vector['draw']}{vector['arguments']}"


@pytest.mark.parametrize("seed", VECTORS["seeds"], ids=lambda seed: ascii(seed["text"]))
def test_the_file_contains_the_keys_of_the_definition(seed: dict[str, str]) -> None:
    canonical = seed["canonical"].encode()
    assert seed["key"] == blake2b(canonical, digest_size=32, person=b"tt.seed").hexdigest()


@pytest.mark.parametrize("vector", VECTORS["streams"])
def test_the_file_contains_the_words_of_the_definition(vector: dict[str, Any]) -> None:
    key = key_of(vector)
    assert {place: word_of(key, int(place)) for place in vector["words"]} == vector["words"]


@pytest.mark.parametrize(
    "vector", [each for each in VECTORS["draws"] if each["draw"] == "below"], ids=called
)
def test_the_file_contains_the_bounded_draws_of_the_definition(vector: dict[str, Any]) -> None:
    key, place, drawn = key_of(vector), vector["from"], []
    for _ in vector["drawn"]:
        number, place = below(key, place, *vector["arguments"])
        drawn.append(number)
    assert (drawn, place) == (vector["drawn"], vector["to"])


@pytest.mark.parametrize("part", ["seeds", "streams"])
def test_seeds_and_streams_are_those_of_the_file(part: str) -> None:
    assert answers(VECTORS)[part] == VECTORS[part]


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=called)
def test_draws_are_those_of_the_file(vector: dict[str, Any]) -> None:
    stream = open_stream(vector)
    stream.offset = vector["from"]
    drawn = [draw(stream, vector["draw"], vector["arguments"]) for _ in vector["drawn"]]
    assert drawn == vector["drawn"]
    assert stream.offset == vector["to"]


@pytest.mark.slow
@pytest.mark.parametrize(("hashes", "optimised"), [("0", []), ("random", ["-OO"])])
def test_every_process_draws_the_numbers_of_the_file(hashes: str, optimised: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, *optimised, str(HERE / "rng" / "draw_vectors.py"), str(DATA)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": hashes},
    )
    assert json.loads(run.stdout) == VECTORS


def test_the_file_covers_late_words_refused_words_and_every_draw() -> None:
    assert all("0" in vector["words"] for vector in VECTORS["streams"])
    assert all(max(map(int, vector["words"])) > 10 * 64 for vector in VECTORS["streams"])
    kinds = {vector["draw"] for vector in VECTORS["draws"]}
    assert kinds == {
        "below", "between", "roll", "choice", "sample", "shuffle", "weighted", "chance",
    }  # fmt: skip
    refused = [
        vector["arguments"][0]
        for vector in VECTORS["draws"]
        if vector["draw"] == "below" and words_used(vector) > len(vector["drawn"])
    ]
    assert min(refused) <= 2**31 < max(refused)


def words_used(vector: dict[str, Any]) -> int:
    used: int = vector["to"] - vector["from"]
    return used
