"""`tabletop replay`: a recorded match shown again, or verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.cli import main
from tests.tabletop.cli.program import TICTACTOE, WIN, here, own, process


def replayed(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a replay that goes well shows."""
    assert main(["replay", *map(str, arguments)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_a_replay_tells_the_match_as_it_was_played(
    won: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(capsys, won) == (
        "Tic-tac-toe, seed: oak\n. . .\n. . .\n. . .\n"
        "Player 1: 1\nPlayer 2: 4\nPlayer 1: 2\nPlayer 2: 5\n"
        "Player 1: 6\n1 action taken back\nPlayer 1: 3\n"
        "x x x\no o .\n. . .\nPlayer 1 wins (three in a row).\n"
    )


def test_a_replay_stops_where_one_says_or_at_the_end(
    won: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = replayed(capsys, won, "--until", 2)
    assert shown.endswith("Player 2: 4\nx . .\no . .\n. . .\n(2 actions)\n")
    shown = replayed(capsys, won, "--until", 0)
    assert shown == "Tic-tac-toe, seed: oak\n. . .\n. . .\n. . .\n(0 actions)\n"
    assert replayed(capsys, won, "--until", 99) == replayed(capsys, won)


def test_a_record_or_its_beginning_can_be_verified(
    won: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(capsys, won, "--verify") == f"{won}: 5 actions replay exactly\n"
    assert replayed(capsys, won, "--verify", "--until", 1) == f"{won}: 1 action replays exactly\n"


def test_an_unfinished_record_is_verified_as_such(
    won: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = won.read_bytes()
    won.write_bytes(whole[: whole.index(b'{"undo"')] + b'{"und')
    assert replayed(capsys, won, "--verify") == (
        f"{won}: the last line is incomplete and was left out\n"
        f"{won}: 5 actions replay exactly; the match has not ended\n"
    )


def changed(path: Path, old: str, new: str) -> Path:
    """Tic-tac-toe with a change in its rules, in the file `path`."""
    text = Path(TICTACTOE).read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize("how", [[], ["--verify"]])
def test_a_record_that_replays_differently_is_a_failure_with_its_line(
    how: list[str], won: Path, tmp_path: Path
) -> None:
    rules = changed(tmp_path / "other.py", "state.free -= 1", "state.free -= 1 + (cell == 3)")
    done = here("replay", won, "--game", rules, *how)
    assert done.returncode == 1
    assert done.stderr == (f"tabletop: {won}: line 3: action 2, '4', leads to another state now\n")


def test_other_rules_are_told_apart(won: Path, tmp_path: Path) -> None:
    rules = changed(tmp_path / "later.py", 'name = "tic', 'version = "7"\n    name = "tic')
    done = here("replay", won, "--game", rules)
    assert done.returncode == 1
    assert done.stderr == (
        f"tabletop: {won}: line 1: made with version 1 of the rules of tictactoe; these are"
        " version 7; --anyway replays it up to the first difference\n"
    )


@pytest.mark.parametrize("how", [[], ["--verify"], ["--step"], ["--speed", "1000"]])
def test_other_rules_that_play_alike_replay_it_anyway(
    how: list[str], won: Path, tmp_path: Path
) -> None:
    rules = changed(tmp_path / "later.py", 'name = "tic', 'version = "7"\n    name = "tic')
    done = here("replay", won, "--game", rules, "--anyway", *how, typed="\n" * 9)
    assert (done.returncode, done.stderr) == (0, "")
    told = f"{won}: made with version 1 of the rules of tictactoe; these are version 7\n"
    assert done.stdout.startswith(told)
    assert done.stdout.count("Player 1 wins") == (how != ["--verify"])


@pytest.mark.parametrize("how", [[], ["--step"], ["--speed", "1000"], ["--from", "2"]])
def test_rules_that_play_otherwise_replay_it_up_to_the_first_difference(
    how: list[str], won: Path, tmp_path: Path
) -> None:
    rules = changed(tmp_path / "later.py", 'name = "tic', 'version = "7"\n    name = "tic')
    text = rules.read_text()
    other = "state.free -= 1 + (cell == 4)"
    assert "state.free -= 1" in text
    rules.write_text(text.replace("state.free -= 1", other))
    done = here("replay", won, "--game", rules, "--anyway", *how, typed="\n" * 9)
    assert done.returncode == 1
    assert done.stdout.endswith("Player 2: 5\nx x .\no o .\n. . .\n")
    assert done.stderr == f"tabletop: {won}: line 5: action 4, '5', leads to another state now\n"


def test_an_action_that_is_refused_now_is_the_first_difference(won: Path, tmp_path: Path) -> None:
    rules = changed(tmp_path / "later.py", 'name = "tic', 'version = "7"\n    name = "tic')
    lines = won.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace('"2"', '"4"')
    won.write_text("".join(lines))
    done = here("replay", won, "--game", rules, "--anyway")
    assert done.returncode == 1
    assert done.stdout.endswith("Player 2: 4\nx . .\no . .\n. . .\n")
    assert f"{won}: line 4: action 3, '4', is refused now: " in done.stderr


def test_a_record_of_another_game_is_refused_even_so(won: Path) -> None:
    done = here("replay", won, "--game", "lcr", "--anyway")
    assert done.returncode == 1
    assert "a record of 'tictactoe', not of 'lcr'" in done.stderr


def test_a_damaged_record_is_a_failure_with_its_line(won: Path) -> None:
    lines = won.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace("do", "be")
    won.write_text("".join(lines))
    for how in ([], ["--verify"]):
        done = here("replay", won, *how)
        assert done.returncode == 1
        assert done.stderr.startswith(f"tabletop: {won}: line 3 is damaged: ")


def test_a_record_whose_game_has_moved_is_replayed_with_the_one_that_is_named(
    state: Path, tmp_path: Path
) -> None:
    game, record = changed(tmp_path / "game.py", "", ""), own(state, "record.jsonl")
    here("play", game, "--record", record, typed=WIN)
    moved = game.rename(tmp_path / "moved.py")
    done = here("replay", str(record))
    assert done.returncode == 2
    assert done.stderr == (
        f"tabletop: {record}: its game, 'tictactoe', is not installed and not to be had where it"
        f" was ({game}: there is no such file); if you have it, type: tabletop replay {record}"
        " --game PATH (the .py file of 'tictactoe', or module:NAME)\n"
    )
    done = here("replay", record, "--game", moved)
    assert done.returncode == 0
    assert done.stdout.endswith("Player 1 wins (three in a row).\n")


@pytest.mark.slow
def test_a_game_whose_file_has_gone_is_found_by_its_name(state: Path, tmp_path: Path) -> None:
    game, record = tmp_path / "game.py", own(state, "record.jsonl")
    game.write_text("from lcr import GAME")
    here("play", game, "--record", record, "--bot", "all")
    game.unlink()
    done = process("replay", str(record), "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("replay exactly\n")


@pytest.mark.slow
def test_an_installed_game_that_has_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record.jsonl"
    (tmp_path / "tictactoe.py").write_text(Path(TICTACTOE).read_text())
    (tmp_path / "own-1.dist-info").mkdir()
    (tmp_path / "own-1.dist-info" / "METADATA").write_text("Name: own\nVersion: 1\n")
    points = tmp_path / "own-1.dist-info" / "entry_points.txt"
    points.write_text("[tabletop.games]\ntictactoe = tictactoe:GAME\n")
    with monkeypatch.context() as installed:
        installed.setenv("PYTHONPATH", str(tmp_path))
        assert process("play", "tictactoe", "--record", str(record), typed=WIN).returncode == 0
    done = process("replay", str(record))
    assert done.returncode == 2
    assert done.stderr.startswith(f"tabletop: {record}: its game, 'tictactoe', is not installed;")


FILES = {
    "nothing": (b"", "line 1: no record: the file is empty"),
    "binary": (bytes(range(256)), "line 1: no record of a match"),
    "half a header": (b'{"format": "tabletop-rec', "it ends in the middle of the header"),
    "a letter": (b"Dear Ann,\nhow are you?\n", "line 1: no record of a match"),
    "another format": (b'{"format": "x", "format_version": 1}\n', "format 'x', not 'tabletop-r"),
}


@pytest.mark.parametrize("case", FILES)
@pytest.mark.parametrize("command", ["replay", "resume"])
def test_what_is_no_record_is_a_failure(
    command: str, case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, complaint = FILES[case]
    path = tmp_path / "file"
    path.write_bytes(data)
    assert main([command, str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"tabletop: {path}: ")
    assert complaint in said


def test_a_directory_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 1
    assert f"{tmp_path}: cannot be read: Is a directory" in capsys.readouterr().err
