"""A record names a game, but the user decides which code is executed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from constructor.program.cli import main as constructor
from lcr.program.cli import main as lcr
from sorcery.program.cli import main as sorcery
from tabletop.cli import main as tabletop
from tabletop.records.find_game import note_origin
from tests.forked import run
from tests.program_runs import run_here
from tests.tabletop.cli.program import (
    TICTACTOE,
    WIN,
    changed,
    here,
    own,
    records,
    refused,
    shown,
)
from tests.tabletop.told import tells

PATH_HINT = "--game PATH "
EVIL = "open({mark!r}, 'w').close()\n"


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Return the path of the file that foreign code writes when it runs."""
    return tmp_path / "mark"


@pytest.fixture
def stranger(tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a foreign folder with malicious code, which is the working directory."""
    folder = tmp_path / "sent"
    folder.mkdir()
    rules = Path(TICTACTOE).read_text() + EVIL.format(mark=str(mark))
    for name in ("evil", "tictactoe"):
        (folder / f"{name}.py").write_text(rules)
    (folder / "evil-1.dist-info").mkdir()
    (folder / "evil-1.dist-info" / "METADATA").write_text("Name: evil\nVersion: 1\n")
    points = "[tabletop.games]\ntictactoe = evil:GAME\n"
    (folder / "evil-1.dist-info" / "entry_points.txt").write_text(points)
    monkeypatch.chdir(folder)
    return folder


def with_header(path: Path, **told: object) -> None:
    """Change the header of a record."""
    first, *rest = path.read_text().splitlines(keepends=True)
    header = json.loads(first)
    del header["check"]
    path.write_text("".join([json.dumps(header | told) + "\n", *rest]))


def sent(folder: Path, **told: object) -> Path:
    """Return the record of another player, and its header."""
    path = folder / "sent.jsonl"
    here("play", TICTACTOE, "--record", path, "--no-score", typed="1\n4\nquit\n")
    with_header(path, **told)
    return path


CLAIMS = {
    "a path": {"source": "{folder}/evil.py"},
    "a relative path": {"source": "./evil.py:GAME"},
    "a module": {"source": "evil:GAME"},
    "a name": {"source": "tictactoe"},
    "a game that is a path": {"game": "{folder}/evil.py", "source": ""},
    "a game that is a module": {"game": "evil:GAME", "source": ""},
}
COMMANDS: dict[str, list[str]] = {
    "replay": ["replay", "{record}"],
    "replay --verify": ["replay", "{record}", "--verify"],
    "replay --anyway": ["replay", "{record}", "--anyway"],
    "resume": ["resume", "{record}"],
    "diverge": ["diverge", "{record}", "{record}"],
    "scores import": ["scores", "import", "{record}"],
}


@pytest.mark.parametrize(
    ("command", "claim"),
    [*(("replay", claim) for claim in CLAIMS), *((command, "a path") for command in COMMANDS)],
)
def test_a_foreign_record_does_not_decide_which_code_runs(
    command: str, claim: str, stranger: Path, mark: Path
) -> None:
    told = {name: text.format(folder=stranger) for name, text in CLAIMS[claim].items()}
    record = sent(stranger, **told)
    before = record.read_bytes()
    done = here(*[word.format(record=record) for word in COMMANDS[command]])
    assert done.returncode in (1, 2)
    assert tells(done.stderr, f"{record}: ... tabletop ... {PATH_HINT}")
    if "game" not in told:
        words = [word.format(record=record) for word in COMMANDS[command] if word[:2] != "--"]
        assert f"tabletop {' '.join(words)} {PATH_HINT}" in done.stderr
    assert not mark.exists()
    assert record.read_bytes() == before


def test_the_suggested_command_works(stranger: Path, mark: Path) -> None:
    record = sent(stranger, source=str(stranger / "evil.py"))
    said = shown("resume", record, "--game", TICTACTOE, typed="2\n5\n3\n")
    assert "Player 1 wins" in said
    for words in (["replay", record], ["diverge", record, record], ["scores", "import", record]):
        shown(*words, "--game", TICTACTOE)
    assert not mark.exists()
    shown("replay", record, "--game", "evil.py")
    assert mark.exists()


COPIES: dict[str, Callable[[Path, Path], object]] = {
    "copied": lambda record, place: place.write_bytes(record.read_bytes()),
    "linked": lambda record, place: place.symlink_to(record),
    "in a linked folder": lambda record, place: (place.parent / "more").symlink_to(record.parent),
}


@pytest.mark.parametrize("how", COPIES)
def test_a_foreign_record_in_the_own_folder_is_still_foreign(
    how: str, state: Path, stranger: Path, mark: Path
) -> None:
    record = sent(stranger, source=str(stranger / "evil.py"))
    place = own(state, "sent.jsonl")
    COPIES[how](record, place)
    paths = [place if place.exists() else place.parent / "more" / record.name]
    paths.append(paths[0].parent / ".." / "records" / paths[0].name)
    for path in paths[: 1 if "folder" in how else 2]:
        for words in (["replay"], ["resume"]):
            assert tells(
                refused(*words, path), f"'tictactoe' ... tabletop {words[0]} ... {PATH_HINT}"
            )
    if "folder" not in how:
        assert f"tabletop resume {place} {PATH_HINT}" in refused("resume")
    assert not mark.exists()


def played(*words: str, typed: str = "1\n4\n", state: Path) -> Path:
    """Return the record that a match left in the user's folder."""
    assert here("play", *words, typed=typed).returncode == 0
    return records(state)[-1]


def test_an_own_record_finds_its_game(state: Path) -> None:
    record = played(TICTACTOE, state=state)
    assert "2 actions so far" in shown("resume", typed="2\n")
    assert "3 actions so far" in shown("resume", record, typed="5\n")
    shown("replay", record, "--verify")
    shown("diverge", record, record)


@pytest.mark.parametrize("how", ["its header is another", "it is replaced"])
def test_the_note_and_not_the_record_locates_the_game(
    how: str, state: Path, stranger: Path, mark: Path
) -> None:
    record, source = played(TICTACTOE, state=state), str(stranger / "evil.py")
    if how == "it is replaced":
        sent(stranger, source=source).replace(record)
    else:
        with_header(record, source=source)
    for words in (["resume"], ["resume", record], ["replay", record]):
        refused(*words)
    assert not mark.exists()


@pytest.mark.parametrize("loosened", ["note", "folder", "link"])
def test_a_note_that_others_can_write_is_ignored(
    loosened: str, state: Path, tmp_path: Path
) -> None:
    record = played(TICTACTOE, state=state)
    [note] = (state / "tabletop" / "origins").iterdir()
    assert (note.stat().st_mode & 0o777, note.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    if loosened == "link":
        note.rename(tmp_path / "note")
        note.symlink_to(tmp_path / "note")
    else:
        (note if loosened == "note" else note.parent).chmod(0o777)
    assert f"tabletop replay {record} {PATH_HINT}" in refused("replay", record)


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", b'{"header":1,"source":2}', b"[" * 9999])
def test_a_damaged_note_is_ignored(damage: bytes, state: Path) -> None:
    record = played(TICTACTOE, state=state)
    [note] = (state / "tabletop" / "origins").iterdir()
    note.write_bytes(damage)
    assert f"tabletop replay {record} {PATH_HINT}" in refused("replay", record)


@pytest.mark.slow
def test_a_module_is_found_again_from_another_folder(
    state: Path, stranger: Path, tmp_path: Path, mark: Path
) -> None:
    mine = tmp_path / "mine"
    (mine / "kit").mkdir(parents=True)
    (mine / "kit" / "__init__.py").write_text("")
    (mine / "kit" / "evil.py").write_text(Path(TICTACTOE).read_text())
    done = run(tabletop, "play", "kit.evil:GAME", typed="1\n4\n", cwd=mine)
    assert "continue with: tabletop resume\nThe record: " in done.stdout
    done = run(tabletop, "resume", typed="2\n", cwd=stranger)
    assert (done.status, done.stderr) == (0, "")
    assert "2 actions so far" in done.stdout
    assert not mark.exists()


@pytest.mark.slow
def test_an_installed_game_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "own-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: own\nVersion: 1\n")
    points = "[tabletop.games]\nbroken = nowhere_at_all:GAME\nnoughts = noughts_of_mine:GAME\n"
    (info / "entry_points.txt").write_text(points)
    (info.parent / "noughts_of_mine.py").write_text(Path(TICTACTOE).read_text())
    monkeypatch.syspath_prepend(info.parent)
    record = tmp_path / "record.jsonl"
    here("play", TICTACTOE, "--record", record, typed=WIN)
    shown("replay", record, "--verify")


@pytest.mark.slow
def test_notes_of_deleted_records_are_removed(state: Path) -> None:
    record = own(state, "mine.jsonl")
    for _ in range(2):
        shown("play", TICTACTOE, "--record", record, typed="1\n")
        shown("replay", record, "--verify")
        record.unlink()
    second = played(TICTACTOE, state=state)
    notes = [path.name for path in (state / "tabletop" / "origins").iterdir()]
    assert notes == [second.name]


def test_a_deleted_record_gets_no_note(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note_origin(own(state, "gone.jsonl"), TICTACTOE)
    assert capsys.readouterr().err == ""


def test_a_note_that_cannot_be_written_does_not_stop_the_match(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own(state, "x")
    (state / "tabletop" / "origins").write_text("a file stands where the folder should")
    done = here("play", TICTACTOE, typed="1\n")
    assert done.returncode == 0
    assert tells(done.stderr, "`resume` ... --game")
    typed = f"tabletop resume --game {shlex.quote(TICTACTOE)}"
    assert f"continue with: {typed}\nThe record: " in done.stdout
    assert here("resume", "--game", TICTACTOE, typed="4\n").returncode == 0


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("lcr", []),
        ("near:GAME", ["--game", "./near:GAME"]),
        ("near.py:TicTacToe", ["--game", "near.py:TicTacToe"]),
        (TICTACTOE, ["--game", TICTACTOE]),
    ],
)
def test_the_command_printed_on_leaving_resumes_the_match(
    game: str, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(tmp_path / "near.py")
    monkeypatch.chdir(tmp_path)
    left = shown("play", game, "--record", "a match.jsonl", "--no-score", typed="quit\n")
    typed = shlex.split(left.partition("continue with: ")[2])
    assert typed == ["tabletop", "resume", "a match.jsonl", *said]
    shown(*typed[1:], typed="quit\n")


TEXTS: dict[str, tuple[Callable[[Sequence[str]], int], list[str], str]] = {
    "a save": (constructor, ["-load", "{file}"], "0\nimport evil\nevil:GAME\n"),
    "a layout": (constructor, ["-board", "{file}"], "__import__('evil')\n"),
    "a deck": (sorcery, ["-deck1", "{file}"], "evil.py\n"),
    "commands": (sorcery, ["-init", "{file}"], "evil\nevil:GAME\n-cards evil.py\nimport evil\n"),
    "names": (lcr, ["--players", "3", "--seed", "1", "--names", "{file}"], "evil\nevil:GAME\nx\n"),
    "a log": (tabletop, ["diverge", "{file}", "{file}"], "{log}"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_other_parts_of_a_foreign_record_are_only_text(
    kind: str, stranger: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, words, text = TEXTS[kind]
    file = stranger / "sent"
    if kind == "a log":
        record = sent(stranger, source="evil:GAME", game="evil.py", format="tabletop-draws")
        text = record.read_text().splitlines()[0]
    file.write_text(text)
    monkeypatch.syspath_prepend(stranger)
    run_here(main, [word.format(file=file) for word in words])
    assert not mark.exists()
