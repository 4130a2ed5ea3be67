"""The documentation as a site, built for the tests that read it or open it in a browser."""

from __future__ import annotations

import faulthandler
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Final

from filelock import FileLock
from tests.pages import unmeasured

ROOT: Final = Path(__file__).parents[2]

# As `python -m mkdocs`. It is short, and looking for garbage would be a sixth of its time.
MKDOCS: Final = "import gc; gc.disable(); from mkdocs.__main__ import cli; cli()"


def inventory(site: Path) -> list[str]:
    """The names of Python that the site tells other projects of."""
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(data).decode().splitlines()
    return [name for name, kind, *_ in map(str.split, lines) if kind.startswith("py:")]


def build_once(folder: Path) -> Path:
    """Build the site in a folder that several processes share, unless one of them has; where it is.

    Raises:
        AssertionError: it cannot be built without a warning; says what mkdocs said.
    """
    site, said, log = folder / "site", folder / "site.log", folder / "site.log.part"
    # The limit of a test is for one that hangs: on a slow machine building takes longer.
    faulthandler.cancel_dump_traceback_later()
    with FileLock(folder / "site.lock"):
        if not said.exists():
            command = [sys.executable, "-c", MKDOCS, "build", "--strict", "--site-dir", str(site)]
            silent = {**unmeasured(), "NO_MKDOCS_2_WARNING": "1"}
            with log.open("wb") as file:
                done = subprocess.run(
                    command, cwd=ROOT, env=silent, stdout=file, stderr=file, check=False
                )
            if done.returncode == 0:
                log.write_bytes(b"")
            log.replace(said)  # a build that was ended on its way has said nothing
    complaints = said.read_text("utf-8")
    assert not complaints, complaints
    return site
