"""Imports of the package `web`: the option without libraries, and a server with the extra."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tabletop import web
from tests.tabletop.told import tells

BLIND = """
import sys
for name in ("starlette", "uvicorn", "websockets"):
    sys.modules[name] = None
from argparse import ArgumentParser
from tabletop.web import add_graphics_option, graphics_session
add_graphics_option(ArgumentParser())
with graphics_session(False) as graphics:
    print(graphics)
assert "asyncio" not in sys.modules
from tabletop.web import WebServer
"""


@pytest.mark.slow
def test_without_the_extra_there_is_the_option_and_what_to_install_for_a_server() -> None:
    command = [sys.executable, "-c", BLIND]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "Graphics(loop=None, beside=None)\n"
    told = "starlette, uvicorn and websockets: ... 'tabletop-rules[web]'"
    assert tells(done.stderr.splitlines()[-1], f"tabletop.errors.MissingExtra: ... {told}")


def test_every_name_of_the_door_is_there_and_no_other() -> None:
    assert {getattr(web, name).__name__ for name in web.__all__} == set(web.__all__)
    with pytest.raises(AttributeError, match="no attribute 'WebServers'"):
        _ = web.WebServers  # type: ignore[attr-defined]
