"""Entry points are those that `importlib.metadata` finds, in whatever way packages lie there."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from tabletop.host.entrypoints import EntryPoint, entry_points

GROUP = "tabletop.tested"


def install(place: Path, folder: str, points: str, group: str = GROUP) -> None:
    info = place / folder
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.partition('-')[0]}\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}\n", "utf-8")


def told(points: object) -> list[tuple[str, str, str, str]]:
    assert isinstance(points, list | tuple | metadata.EntryPoints)
    return [(it.name, it.value, it.module, it.attr or "") for it in points]


def assert_as_metadata(group: str = GROUP) -> list[EntryPoint]:
    found = entry_points(group)
    assert told(found) == told(metadata.entry_points(group=group))
    return found


@pytest.mark.parametrize("group", ["console_scripts", "tabletop.games", "pytest11", "not.there"])
def test_what_is_installed_here_is_found(group: str) -> None:
    assert_as_metadata(group)


def test_spaces_comments_extras_and_other_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "# none = of:these\n\n one=a.b:C\ntwo = a : C.d [extra, more]\nthree = just.module\n"
    install(tmp_path, "own-1.dist-info", f"{lines}[other]\nfour = a:B")
    monkeypatch.syspath_prepend(tmp_path)
    found = assert_as_metadata()
    assert [(it.name, it.module, it.attr) for it in found] == [
        ("one", "a.b", "C"),
        ("two", "a", "C.d"),
        ("three", "just.module", ""),
    ]


def test_of_packages_with_one_name_the_first_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "late", "Its_own-1.dist-info", "late = a:B")
    install(tmp_path / "late", "another-1.egg-info", "another = a:B")
    install(tmp_path / "early", "its.own-2.dist-info", "early = a:B")
    monkeypatch.syspath_prepend(tmp_path / "late")
    monkeypatch.syspath_prepend(tmp_path / "early")
    assert [it.name for it in assert_as_metadata()] == ["early", "another"]


def test_a_package_in_a_zip_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("zipped-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: zipped\n")
        archive.writestr("zipped-1.dist-info/entry_points.txt", f"[{GROUP}]\nzipped = a:B\n")
    monkeypatch.syspath_prepend(tmp_path / "all.zip")
    assert [it.name for it in assert_as_metadata()] == ["zipped"]


def test_a_package_in_an_egg_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    egg = tmp_path / "own-1-py3.egg"
    install(egg, "EGG-INFO", "hatched = a:B")
    (egg / "EGG-INFO" / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: own\n")
    monkeypatch.syspath_prepend(egg)
    assert [it.name for it in assert_as_metadata()] == ["hatched"]


def test_a_finder_with_packages_of_its_own_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own(metadata.Distribution):
        def read_text(self, filename: str) -> str | None:
            return {"METADATA": "Name: own\n", "entry_points.txt": f"[{GROUP}]\nfar = a:B\n"}.get(
                filename
            )

        def locate_file(self, path: object) -> Path:
            return Path(str(path))

    class Finder:
        def find_spec(self, *_: object) -> None:
            return None

        def find_distributions(self, *_: object) -> list[metadata.Distribution]:
            return [Own()]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert [it.name for it in assert_as_metadata()] == ["far"]


def test_folders_that_are_not_what_they_seem_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-1.dist-info").write_text("a file")
    (tmp_path / "b-1.dist-info" / "entry_points.txt").mkdir(parents=True)
    (tmp_path / "c-1.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "not there")
    assert assert_as_metadata() == []


def test_a_package_whose_files_cannot_be_opened_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken-1.dist-info"
    broken.mkdir()
    (broken / "entry_points.txt").symlink_to("entry_points.txt")  # leads to itself
    (tmp_path / "round-1.dist-info").symlink_to("round-1.dist-info")
    install(tmp_path, "own-1.dist-info", "one = a:B")
    monkeypatch.syspath_prepend(tmp_path)
    assert "one" in [it.name for it in entry_points(GROUP)]


def test_where_the_working_directory_is_gone_the_others_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "own-1.dist-info", "one = a:B")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "path", ["", str(tmp_path)])
    assert [it.name for it in entry_points(GROUP)] == ["one"]


def test_what_is_installed_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert entry_points(GROUP) == []
    install(tmp_path, "own-1.dist-info", "one = a:B")
    assert [it.name for it in entry_points(GROUP)] == ["one"]


def test_the_named_thing_is_loaded() -> None:
    assert EntryPoint("path", "pathlib:Path").load() is Path
    assert EntryPoint("home", "pathlib:Path.home").load() == Path.home
    assert EntryPoint("module", "pathlib").load().Path is Path
    with pytest.raises(AttributeError):
        EntryPoint("wrong", "pathlib:Nothing").load()
