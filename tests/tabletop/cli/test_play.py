"""`tabletop play` and `tabletop resume`: recorded matches at the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tabletop.records import read
from tabletop.records.file import RecordFile
from tests.program_runs import piped
from tests.tabletop.cli.program import (
    DUEL,
    TICTACTOE,
    WIN,
    changed,
    here,
    records,
    refused,
    shown,
)
from tests.tabletop.told import tells

QUIET = ("--no-record", "--no-score")
"""Leaves nothing behind and shows nothing that differs from one match to the next."""


def test_the_end_of_input_leaves_and_prints_the_command_to_resume(state: Path) -> None:
    done = here("play", TICTACTOE, typed="1\n4\n")
    assert done.returncode == 0
    [path] = records(state)
    ending = f"Left after 2 actions; continue with: tabletop resume\nThe record: {path}\n"
    assert done.stdout.endswith(ending)


@pytest.mark.parametrize("option", ["--record", "--log"])
def test_a_folder_is_refused_as_an_output_file(option: str, tmp_path: Path) -> None:
    said = refused("play", TICTACTOE, option, tmp_path)
    assert f"argument {option}: '{tmp_path}' is a folder" in said


def test_resume_continues_the_last_interrupted_match(state: Path) -> None:
    here("play", TICTACTOE, "--seed", "first", typed="1\n4\n")
    here("play", DUEL, "--seed", "second", typed="1\n")
    here("play", TICTACTOE, "--seed", "third", typed=WIN)
    times = {"first": 1, "second": 2, "third": 3}
    for path in records(state):
        time = times[read(path).header.seed]
        os.utime(path, (time, time))
    assert here("resume").stdout.startswith("duel, seed: second; 1 action so far\n")
    done = here("resume", "--no-score", typed="table\n")
    assert done.stdout.endswith("Abandoned (seat 2 flipped the table).\n")
    done = here("resume", "--no-score", typed="2\n5\n3\n")
    assert "seed: first; 2 actions so far\n\nx . .\no . .\n. . .\n" in done.stdout
    assert done.stdout.endswith("Player 1 wins (three in a row).\n")
    done = here("resume")
    assert done.returncode == 2
    assert tells(done.stderr, f"{state / 'tabletop' / 'records'} ... FILE")


@pytest.fixture
def in_use(state: Path) -> Iterator[Path]:
    """Return the newest record of two interrupted matches, which this process locks."""
    here("play", TICTACTOE, "--seed", "older", typed="1\n")
    [older] = records(state)
    os.utime(older, (1, 1))
    here("play", TICTACTOE, "--seed", "newer", typed="1\n")
    [newer] = set(records(state)) - {older}
    with closing(RecordFile.resume(read(newer))):
        yield newer


def test_resume_takes_the_newest_record_that_is_free(in_use: Path, state: Path) -> None:
    done = here("resume", "--no-score")
    assert done.returncode == 0
    assert "seed: older" in done.stdout
    [free] = {path for path in records(state) if path.suffix == ".jsonl"} - {in_use}
    assert tells(done.stderr, f"{in_use} ... {free}")


def test_resume_without_a_free_record_names_the_newest_and_fails(in_use: Path, state: Path) -> None:
    for path in records(state):
        if path.suffix == ".jsonl" and path != in_use:
            path.unlink()
    done = here("resume")
    assert done.returncode == 1
    assert tells(done.stderr, f"{in_use} ... process {os.getpid()}")


def test_resume_skips_files_that_are_not_records(state: Path) -> None:
    here("play", TICTACTOE, "--seed", "mine", typed="1\n")
    directory = state / "tabletop" / "records"
    (directory / "broken.jsonl").write_text("{}\n")
    (directory / "folder.jsonl").mkdir()
    (directory / "nowhere.jsonl").symlink_to(directory / "gone")
    assert "seed: mine" in here("resume").stdout


def test_resume_removes_an_incomplete_last_line(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--record", str(path), typed="1\n4\n")
    second = path.read_bytes().splitlines(keepends=True)[:3]
    path.write_bytes(b"".join(second)[:-5])
    done = here("resume", str(path), "--game", TICTACTOE, typed="5\n")
    assert tells(done.stdout, f"{path}: ... last line ... incomplete")
    assert "1 action so far" in done.stdout
    assert read(path).plies == 2


def test_without_a_record_nothing_is_written(state: Path) -> None:
    done = here("play", TICTACTOE, "--no-record", typed="save\n5\n")
    nothing = "this match is not recorded, so it cannot be saved (see --record FILE)\n"
    assert nothing in done.stdout
    assert done.stdout.endswith("Left after 1 action\n")
    assert not state.exists()


def test_one_person_plays_with_bots_whose_choices_depend_on_the_seed() -> None:
    words = ("play", TICTACTOE, "--seed", "x", "--bot", "all=random", *QUIET)
    assert "Player 2: " in shown(*words)
    assert shown(*words) == shown(*words)
    assert "Player 1> " in shown(*words, "--bot", "1=human")


def test_seats_and_names_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    names = ["--name", "Ann", "--name", "Bo"]
    here("play", DUEL, "--seats", "4", *names, "--bot", "3=Stony", "--record", str(path))
    header = read(path).header
    assert header.seats == ("Ann", "Bo", "Player 3", "Player 4")
    assert header.players == ("human", "human", "stony", "human")
    assert header.source == DUEL


def test_options_reach_the_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    given = ["rounds=5", "judge=KING", "fair=no", "motto=En garde", "luck=1"]
    options = [word for option in given for word in ("--option", option)]
    here("play", DUEL, *options, "--record", str(path))
    assert json.loads(path.read_text().splitlines()[0])["options"] == {
        "rounds": 5,
        "judge": "king",
        "fair": False,
        "motto": "En garde",
        "luck": 1.0,
    }
    assert here("replay", path, "--game", DUEL, "--verify").returncode == 0


def test_option_help_lists_the_options(state: Path) -> None:
    assert shown("play", DUEL, "--option", "help") == (
        "rounds: How many rounds. (a whole number from 1 to 9; default: 2)\n"
        "judge: Who looks on. (nobody, king; default: nobody)\n"
        "fair: Whether it is. (yes or no; default: True)\n"
        "motto: What they say. (any text)\n"
        "luck: How much. (a number from 0 to 1; default: 0.5)\n"
    )
    assert shown("play", TICTACTOE, "--option", "help") == "tictactoe has no options\n"
    assert records(state) == []


def test_an_ended_match_cannot_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--record", path, "--bot", "all=random")
    message = refused("resume", path)
    assert tells(message, "ended ... tabletop replay")


@pytest.mark.parametrize("option", ["--record", "--log"])
def test_a_file_that_cannot_be_written_is_a_failure_and_nothing_is_played(
    option: str, state: Path, tmp_path: Path
) -> None:
    path = tmp_path / "letter.jsonl"
    path.write_text("dear")
    other = ["--log"] if option == "--record" else []
    message = refused("play", TICTACTOE, option, path, *other, status=1)
    assert message.startswith(f"tabletop: {path}: ")
    assert path.read_text() == "dear"
    assert records(state) == []
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["letter.jsonl"]
    nowhere = tmp_path / "no" / "match.jsonl"
    message = refused("play", TICTACTOE, option, nowhere, status=1)
    assert tells(message, f"tabletop: {nowhere}: ... No such file or directory")


def test_a_state_directory_that_cannot_be_made_is_a_failure(state: Path) -> None:
    state.write_text("a file stands where the directory should")
    message = refused("play", TICTACTOE, status=1)
    assert tells(message, "Not a directory ... --record")
    assert here("resume").returncode == 2


BROKEN_GAME = """
from tabletop import Game
class Broken(Game):
    name = "broken"
    def setup(self, options, seats, rng): raise ValueError("out of paper")
    def to_act(self, state): return ()
    def legal_actions(self, state, seat): return ()
    def apply(self, state, action, table): pass
    def outcome(self, state): return None
"""


@pytest.mark.parametrize(
    ("text", "status", "complaint"),
    [
        (BROKEN_GAME, 1, "ValueError: out of paper ... game.py, line 5 ... TABLETOP_DEBUG=1"),
        ("import no_such_thing", 2, "game.py: ModuleNotFoundError: ... no_such_thing"),
        ("def (", 2, "game.py: invalid syntax ... game.py, line 1"),
        ("x = 1", 2, "game.py: ... PLUGIN"),
    ],
)
def test_a_broken_game_file_gives_one_line_or_a_traceback_on_request(
    text: str,
    status: int,
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "game.py"
    path.write_text(text)
    assert tells(refused("play", path, status=status), complaint)
    if status == 1:
        monkeypatch.setenv("TABLETOP_DEBUG", "1")
        with pytest.raises(ValueError, match="out of paper"):
            here("play", path)


def test_the_line_of_an_error_in_the_rules_is_named(tmp_path: Path) -> None:
    start = "    def apply(self, state: Board, action: Place, table: Table) -> None:\n"
    path = changed(tmp_path / "later.py", (start, f"{start}        raise KeyError('paper')\n"))
    line = path.read_text("utf-8").splitlines().index("        raise KeyError('paper')") + 1
    done = here("play", path, "--no-record", typed="1\n")
    said = f"tabletop: tictactoe: 1 ... ply 1: KeyError('paper') (later.py, line {line})\n"
    assert (done.returncode, done.stderr.count("\n"), tells(done.stderr, said)) == (1, 1, True)


def test_a_module_is_found_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(tmp_path / "my_own_rules.py")
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    monkeypatch.chdir(tmp_path)
    shown("play", "my_own_rules:GAME", "--no-record")


DECK = "Air Elemental\nBanish\nBlizzard\nHaste\nSilence\nStandstill\n"


def test_the_text_of_an_option_is_read_from_a_file_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "own.deck").write_bytes(DECK.replace("\n", "\r\n").encode("utf-8-sig"))
    record = tmp_path / "match.jsonl"
    words = ["--option", "deck1=@~/own.deck", "--bot", "all", "--record", record]
    assert here("play", "sorcery", *words).returncode == 0
    assert read(record).header.options["deck1"] == DECK


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "own.deck ... No such file or directory ... @@"),
        (b"Air Elemental\n\xff\n", "own.deck: line 2: byte 0xff ... UTF-8"),
        (b"x" * ((1 << 20) + 1), "own.deck: ... 1048576 bytes"),
    ],
)
def test_an_unreadable_file_of_an_option_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("own.deck").write_bytes(content)
    message = refused("play", "sorcery", "--option", "deck1=@own.deck")
    assert tells(message, f"tabletop: --option deck1: {complaint}")
    assert message.count("\n") == 1


def test_the_text_of_an_option_may_come_from_a_pipe(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    with piped(DECK) as path:
        here("play", "sorcery", "--option", f"deck1=@{path}", "--record", record)
    assert read(record).header.options["deck1"] == DECK


def test_a_record_to_play_like_may_be_a_pipe(tmp_path: Path) -> None:
    path, record = tmp_path / "match.jsonl", tmp_path / "again.jsonl"
    here("play", "lcr", "--seed", "oak", "--seats", "5", "--record", path)
    with piped(path.read_bytes()) as like:
        here("play", "lcr", "--like", like, "--record", record)
    assert (read(record).header.seed, len(read(record).header.seats)) == ("oak", 5)


@pytest.mark.parametrize("name", ["", "\0"])
def test_a_file_of_an_option_must_have_a_name(name: str) -> None:
    assert "deck1" in refused("play", "sorcery", "--option", f"deck1=@{name}")


@pytest.mark.slow
def test_a_match_like_a_recorded_one_has_its_seed_seats_and_options(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    words = ("play", "lcr", "--bot", "all")
    shown(*words, "--seed=oak", "--seats=5", "--option=course-seed=7", "--record", path)
    like = (*words, "--like", path, "--no-record")
    again = "tabletop play lcr --seed oak --seats {} --option course-seed={}\n"
    assert shown(*like).endswith(again.format(5, 7))
    other = ("--seats", "4", "--option", "course-seed=8")  # which go before what the record says
    assert shown(*like, *other).endswith(again.format(4, 8))
    message = refused("play", "sorcery", "--like", path)
    assert tells(message, f"tabletop: --like {path}: ... 'lcr'")
    assert "no such file" in refused("play", "lcr", "--like", tmp_path / "none.jsonl")
    assert "not allowed with argument" in refused(*like, "--seed", "oak")


# Saving by hand.


def test_save_copies_the_record_to_a_new_file_or_says_where_it_is(
    state: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "my copy.jsonl"
    typed = f"1\nsave '{copy}'\n4\nsave {copy}\nsave no/such/copy\nsave\n"
    done = here("play", TICTACTOE, typed=typed)
    assert tells(done.stdout, "no/such/copy: ... No such file or directory\n")
    recorded = "Every action is saved immediately; continue with: tabletop resume"
    assert f"{recorded}\nThe record: {records(state)[0]}\n" in done.stdout
    said = f"Saved in '{copy}'; continue with: tabletop resume '{copy}' --game "
    assert said in done.stdout
    assert f"\n{copy}: " in done.stdout, "there is a file already"
    assert [read(path).plies for path in (copy, *records(state))] == [1, 2]
    assert here("replay", copy, "--game", TICTACTOE, "--verify").returncode == 0
