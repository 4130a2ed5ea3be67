"""Texts that come with a package, read without `importlib.resources`, which is slow to import."""

from __future__ import annotations


def packaged_text(package: str, name: str) -> str:
    """The text, in UTF-8, of the file `data/NAME` of a package, wherever that lies.

    Raises:
        FileNotFoundError: it has no such file.
    """
    from pkgutil import get_data  # only who reads one needs it

    data = get_data(package, f"data/{name}")
    if data is None:
        raise FileNotFoundError(f"{package} has no data/{name}")
    return data.decode("utf-8").replace("\r\n", "\n")
