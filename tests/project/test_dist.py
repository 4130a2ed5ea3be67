"""The files of a release, which depend only on the sources."""

from __future__ import annotations

import email
import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tools import dist
from tools.build_backend import with_whole_links


def project(folder: Path, *, made: bool = False) -> Path:
    """Create a project of three files, optionally with generated files."""
    root = folder / "project"
    (root / "src" / "own").mkdir(parents=True)
    (root / "src" / "own" / "__init__.py").write_text("", "utf-8")
    (root / "MANIFEST.in").write_text("# All.\ngraft src\ninclude README.md MANIFEST.in\n", "utf-8")
    (root / "README.md").write_text("# Own\n", "utf-8")
    if made:
        (root / "src" / "own" / "__pycache__").mkdir()
        (root / "src" / "own" / "__pycache__" / "old.pyc").write_text("", "utf-8")
        (root / "src" / "own.egg-info").mkdir()
        (root / "notes.txt").write_text("mine", "utf-8")
    return root


def test_generated_files_are_not_packaged(tmp_path: Path) -> None:
    dist.copy_sources(project(tmp_path, made=True), tmp_path / "copy")
    copied = {it.relative_to(tmp_path / "copy").as_posix() for it in tmp_path.rglob("copy/**/*.*")}
    assert copied == {"MANIFEST.in", "README.md", "src/own/__init__.py"}


@pytest.mark.slow
def test_only_tracked_files_of_a_checkout_are_packaged(tmp_path: Path) -> None:
    root = project(tmp_path)
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    (root / "src" / "own" / "keys.py").write_text("mine", "utf-8")
    (root / "src" / "notes").mkdir()
    (root / "src" / "notes" / "mine.txt").write_text("mine", "utf-8")
    dist.copy_sources(root, tmp_path / "copy")
    copied = {it.relative_to(tmp_path / "copy").as_posix() for it in tmp_path.rglob("copy/**/*")}
    assert copied == {"MANIFEST.in", "README.md", "src", "src/own", "src/own/__init__.py"}


@pytest.mark.parametrize("text", ["https://example.invalid/tabletop", "It is not published yet."])
@pytest.mark.parametrize("file", ["README.md", "pyproject.toml", "docs/index.md", ".github/a.yml"])
def test_a_release_without_a_publisher_is_refused(tmp_path: Path, file: str, text: str) -> None:
    root = project(tmp_path)
    (root / "pyproject.toml").write_text("[project]\n", "utf-8")
    dist.check_published(root)
    (root / file).parent.mkdir(exist_ok=True)
    (root / file).write_text(f"First line\n{text}\n", "utf-8")
    with pytest.raises(dist.BuildError, match=f"{file}:2"):
        dist.check_published(root)


def test_links_to_files_point_to_the_release() -> None:
    text = "![A board](b.png) See [the docs](docs/a.md), [that](https://a.example) and [it](#it)."
    assert with_whole_links(text, "https://forge.example/own", "v2.0") == (
        "![A board](https://forge.example/own/raw/v2.0/b.png)"
        " See [the docs](https://forge.example/own/blob/v2.0/docs/a.md),"
        " [that](https://a.example) and [it](#it)."
    )


PREPARE = "from tools import build_backend as b; print(b.prepare_metadata_for_build_wheel('.'))"


@pytest.mark.slow
def test_every_build_packages_the_readme_with_absolute_links(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    dist.copy_sources(dist.ROOT, copy)
    subprocess.run([sys.executable, "-c", PREPARE], cwd=copy, check=True, capture_output=True)
    [file] = copy.glob("*.dist-info/METADATA")
    metadata = email.message_from_string(file.read_text("utf-8"))
    urls = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    links = re.findall(r"\]\(([^)]*)\)", str(metadata.get_payload()))
    assert f"{urls['Source']}/raw/v{metadata['Version']}/docs/images/sorcery.png" in links
    assert [link for link in links if "://" not in link] == []


def packed(path: Path, *, seconds: int, names: tuple[str, ...]) -> Path:
    """Create a source distribution with the metadata of one of two machines."""
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid, member.mode = 3, seconds, seconds, 0o664
            archive.addfile(member, io.BytesIO(b"abc"))
    return path


def test_a_source_distribution_does_not_depend_on_the_machine(tmp_path: Path) -> None:
    one = packed(tmp_path / "one.tar.gz", seconds=5, names=("a/b", "a/c"))
    two = packed(tmp_path / "two.tar.gz", seconds=77, names=("a/c", "a/b"))
    for path in (one, two):
        dist.repack(path, tmp_path / f"new-{path.name}", epoch=1_000)
    new = [path.read_bytes() for path in sorted(tmp_path.glob("new-*"))]
    assert new[0] == new[1]
    with tarfile.open(tmp_path / "new-one.tar.gz") as archive:
        told = [(it.name, it.mode, it.mtime, it.uid) for it in archive.getmembers()]
    assert told == [("a/b", 0o644, 1_000, 0), ("a/c", 0o644, 1_000, 0)]


def test_a_source_distribution_can_be_unpacked(tmp_path: Path) -> None:
    made = packed(tmp_path / "made.tar.gz", seconds=5, names=("a/b", "a/c"))
    dist.repack(made, tmp_path / "new.tar.gz", epoch=1_000)
    folder = dist.unpack(tmp_path / "new.tar.gz", tmp_path / "there")
    assert folder == tmp_path / "there" / "a"
    files = [(it.name, it.stat().st_mode & 0o777, it.read_text()) for it in folder.iterdir()]
    assert sorted(files) == [("b", 0o644, "abc"), ("c", 0o644, "abc")]


def test_file_times_are_the_date_of_the_newest_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    text = "# Changes\n\n## Unreleased\n\n## 2.0.0 - 1970-01-03\n\n## 1.0.0 - 1970-01-02\n"
    (tmp_path / "CHANGELOG.md").write_text(text, "utf-8")
    assert dist.released(tmp_path) == 2 * 24 * 60 * 60
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "7")
    assert dist.released(tmp_path) == 7
