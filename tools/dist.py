"""Reproducible builds of the release files: a source distribution and a wheel.

`python -m tools.dist` builds both into `dist/`. Then it builds them again from the source
distribution in another folder, compares the results, and checks them with twine,
check-wheel-contents and pyroma. `MANIFEST.in` lists the files of the project. All files get the
date of the newest release in CHANGELOG.md, or `SOURCE_DATE_EPOCH`. The exit code is 0 for success
and 1 for a failure.

The project contains placeholders for a publisher: addresses at example.invalid, and sentences
that say that the package is not published yet. As long as there are any, builds need `--trial`.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"

_RELEASED: Final = re.compile(r"^## \S+ - (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_MADE: Final = shutil.ignore_patterns(
    "__pycache__", ".ruff_cache", "*.egg-info", "*.so", "*.pyd", "findings"
)
_UNSET: Final = re.compile(r"example\.invalid|not published yet", re.IGNORECASE)
"""The placeholders for a publisher."""

_BACKEND: Final = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"


class BuildError(Exception):
    """The files could not be built, or a check failed."""


def released(root: Path) -> int:
    """Return the time of all files in seconds since 1970."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    days = _RELEASED.findall((root / "CHANGELOG.md").read_text("utf-8"))
    if not days:
        raise BuildError("CHANGELOG.md has no release with a date, such as: ## 1.2.3 - 2026-11-30")
    return int(datetime.fromisoformat(days[0]).replace(tzinfo=UTC).timestamp())


def copy_sources(root: Path, copy: Path) -> None:
    """Copy the files that `MANIFEST.in` lists, without generated files.

    In a checkout, only files that git tracks are copied.
    """
    tracked = _tracked(root)

    def left_out(folder: str, names: list[str]) -> set[str]:
        made = _MADE(folder, names)
        if tracked is None:
            return made
        return made | {name for name in names if Path(folder, name) not in tracked}

    copy.mkdir()
    for line in (root / "MANIFEST.in").read_text("utf-8").splitlines():
        command, *names = line.split() or [""]
        for name in names if command in {"graft", "include"} else []:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=left_out)
            else:
                shutil.copy(root / name, copy)


def _tracked(root: Path) -> set[Path] | None:
    """Return the files that git tracks and their folders, or None outside of a checkout."""
    if not (root / ".git").exists():
        return None
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True
    )
    files = [root / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return {place for file in files for place in (file, *file.parents)}


def build(root: Path, folder: Path) -> tuple[Path, Path]:
    """Build a source distribution, and a wheel from it, and return both files.

    Args:
        root: The project: a checkout, or an unpacked source distribution.
        folder: The folder for the two files.

    Raises:
        BuildError: If setuptools fails.
    """
    epoch = released(root)
    with TemporaryDirectory() as name:
        work = Path(name)
        copy_sources(root, work / "copy")
        packed = folder / _run_backend("build_sdist", work / "copy", work / "sdist", epoch).name
        repack(work / "sdist" / packed.name, packed, epoch)
        source = unpack(packed, work / "unpacked")
        made = _run_backend("build_wheel", source, work / "wheel", epoch)
        return packed, Path(shutil.copy(made, folder))


def _run_backend(hook: str, source: Path, folder: Path, epoch: int) -> Path:
    """Build a file with setuptools and return its path. Setuptools also writes to `source`."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", _BACKEND.format(hook), str(folder)],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
        umask=0o022,  # a wheel contains the modes of files
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(f"{hook}: {done.stderr}")
    return next(folder.iterdir())


def repack(made: Path, packed: Path, epoch: int) -> None:
    """Rewrite a source distribution with sorted files, without owners, and with equal times."""
    with (
        tarfile.open(made) as old,
        packed.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as zipped,
        tarfile.open(mode="w", fileobj=zipped, format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            is_run = member.isdir() or bool(member.mode & 0o100)
            same = tarfile.TarInfo(member.name)
            same.type, same.size, same.mtime = member.type, member.size, epoch
            same.mode = 0o755 if is_run else 0o644
            new.addfile(same, old.extractfile(member) if member.isfile() else None)


def unpack(packed: Path, folder: Path) -> Path:
    """Unpack a source distribution and return the folder in it."""
    with tarfile.open(packed) as archive:
        # Python has no filters before 3.11.4, and Debian 12 has Python 3.11.2.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        archive.extractall(folder)
    return next(folder.iterdir())


def check_published(root: Path) -> None:
    """Check that a publisher has replaced all placeholders.

    Raises:
        BuildError: A file has a placeholder. The message names each place.
    """
    files = [root / "README.md", root / "pyproject.toml", *root.glob("docs/**/*.md")]
    files += [path for path in root.glob(".github/**/*") if path.is_file()]
    places = [
        f"{path.relative_to(root)}:{number}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _UNSET.search(line)
    ]
    if places:
        raise BuildError(
            "this project has no publisher yet. Replace the placeholders (example.invalid, not"
            f" published yet) in {', '.join(places)}. To build files that are not published, run"
            " `python -m tools.dist --trial`"
        )


def build_twice(folder: Path) -> tuple[Path, Path]:
    """Build both files from the project, and again from the source distribution.

    Raises:
        BuildError: If they differ.
    """
    files = build(ROOT, folder)
    with TemporaryDirectory() as name:
        source = unpack(files[0], Path(name, "elsewhere"))
        for first, second in zip(files, build(source, Path(name)), strict=True):
            if first.read_bytes() != second.read_bytes():
                raise BuildError(f"{first.name} differs when it is built a second time")
    return files


def check(source: Path, wheel: Path) -> None:
    """Check the files with twine, check-wheel-contents and pyroma.

    Raises:
        BuildError: If a check fails, or a tool is not installed.
    """
    tools = Path(sys.executable).parent
    for program, *words in (
        ["twine", "check", "--strict", str(source), str(wheel)],
        ["check-wheel-contents", str(wheel)],
        ["pyroma", "--min=10", "--skip-tests=AuthorEmail", str(source)],  # a publisher names one
    ):
        if not (tools / program).exists():
            raise BuildError(f"{program} is missing: pip install -e '.[release]'")
        if subprocess.run([tools / program, *words], cwd=ROOT, check=False).returncode:
            raise BuildError(f"{program} failed; its messages are above")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, compare and check the files, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.dist")
    parser.add_argument("--trial", action="store_true", help="accept placeholders")
    is_trial = parser.parse_args(arguments).trial
    DIST.mkdir(exist_ok=True)
    for old in (*DIST.glob("*.tar.gz"), *DIST.glob("*-none-any.whl")):
        old.unlink()
    try:
        if not is_trial:
            check_published(ROOT)
        files = build_twice(DIST)
        check(*files)
    except BuildError as error:
        sys.stderr.write(f"dist: {error}\n")
        return 1
    print(*(f"Built {file.relative_to(ROOT)}." for file in files), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
