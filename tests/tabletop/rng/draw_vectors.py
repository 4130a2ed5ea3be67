"""Compute the draws in a file of stream vectors. As a program, print them.

    python draw_vectors.py data/stream_vectors.json

The result has the form of the file, so the two must be equal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tabletop import Seed, Stream, Streams
from tabletop.rng import HashStream, StreamName


def as_name(name: Any) -> StreamName:
    """Return the name of a stream for its JSON, in which a tuple is a list."""
    return tuple(name) if isinstance(name, list) else name


def open_stream(vector: dict[str, Any]) -> HashStream:
    """Return the stream of a vector."""
    streams = Streams(vector["seed"])
    for family in vector.get("children", ()):
        streams = streams.child(as_name(family))
    stream = streams.at(*vector["at"]) if "at" in vector else streams[as_name(vector["name"])]
    assert isinstance(stream, HashStream)
    return stream


def words_at(stream: HashStream, places: list[int]) -> dict[str, int]:
    """Return the words at the given offsets."""
    words = {}
    for place in places:
        stream.offset = place
        words[str(place)] = stream.word()
    return words


def draw(stream: Stream, kind: str, arguments: list[Any]) -> Any:
    """Return the result of a draw, in a form that JSON can represent."""
    if kind == "shuffle":
        items = list(range(arguments[0]))
        stream.shuffle(items)
        return items
    return getattr(stream, kind)(*arguments)


def answers(vectors: dict[str, Any]) -> dict[str, Any]:
    """Return `vectors` with all draws computed again."""
    seeds = [
        seed | {"canonical": Seed(seed["text"]).canonical, "key": Seed(seed["text"]).key.hex()}
        for seed in vectors["seeds"]
    ]
    streams = []
    for vector in vectors["streams"]:
        places = [int(place) for place in vector["words"]]
        streams.append(vector | {"words": words_at(open_stream(vector), places)})
    draws = []
    for vector in vectors["draws"]:
        stream = open_stream(vector)
        stream.offset = vector["from"]
        drawn = [draw(stream, vector["draw"], vector["arguments"]) for _ in vector["drawn"]]
        draws.append(vector | {"drawn": drawn, "to": stream.offset})
    return vectors | {"seeds": seeds, "streams": streams, "draws": draws}


if __name__ == "__main__":
    print(json.dumps(answers(json.loads(Path(sys.argv[1]).read_text("utf-8")))))
