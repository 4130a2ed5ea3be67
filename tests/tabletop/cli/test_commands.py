"""`tabletop games`, `check`, `seed`, `completion`, and what holds for every command."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tabletop.cli import COMMANDS, main
from tabletop.rng.compiled import build_in_use
from tests.tabletop.cli.program import DUEL, TICTACTOE, here, process


@pytest.mark.parametrize("command", [None, *COMMANDS])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_is_everywhere(
    command: str | None, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([flag] if command is None else [command, flag]) == 0
    assert capsys.readouterr().out.startswith(f"usage: tabletop {command or '[-h]'}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_word_that_a_command_does_not_know_gets_the_usage_of_that_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    needed = {"completion": "bash", "diverge": "a b", "games": "", "picture": "lcr -o lcr.svg"}
    assert main([command, *needed.get(command, "lcr").split(), "--nope"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"usage: tabletop {command} ")
    assert said.splitlines()[-1] == f"tabletop {command}: error: unrecognized arguments: --nope"


HIGHEST = """
from dataclasses import dataclass, field

from tabletop import Game, Outcome

COLOURS = {"red", "orange", "yellow", "green", "blue", "indigo", "violet", "black", "white"}


@dataclass
class Picked:
    seats: int
    colours: list[str] = field(default_factory=list)

    def clone(self):
        return Picked(self.seats, self.colours.copy())


class Highest(Game):
    name = "highest"
    seats = range(2, 4)

    def setup(self, options, seats, rng):
        return Picked(seats)

    def to_act(self, state):
        return [len(state.colours) % 2] if len(state.colours) < 4 else []

    def legal_actions(self, state, seat):
        return sorted(COLOURS)

    def apply(self, state, action, table):
        state.colours.append(action)

    def outcome(self, state):
        return None if self.to_act(state) else Outcome.draw(state.seats)
"""


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tabletop {version('tabletop-rules')} ({build_in_use()})\n"


def test_games_lists_the_installed_games() -> None:
    done = here("games")
    assert done.returncode == 0
    title, *rows = done.stdout.splitlines()
    assert title.split() == ["NAME", "PLAYERS", "VERSION", "TITLE"]
    assert any(row.split(maxsplit=3) == ["lcr", "3-11", "1", "Left, Center, Right"] for row in rows)


@pytest.mark.slow
def test_a_broken_plugin_is_named_and_the_others_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "broken-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[tabletop.games]\nbroken = no_such_module:GAME\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = process("games")
    assert done.returncode == 1
    assert "\nlcr " in done.stdout
    assert re.search(r"^broken +- +- +\(cannot be loaded\)$", done.stdout, re.MULTILINE)
    assert done.stderr.startswith("tabletop: broken: cannot import 'no_such_module'")


@pytest.mark.slow
def test_check_says_that_a_game_keeps_the_contract() -> None:
    done = here("check", DUEL, "--matches", "3", "--seed", "x")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("duel: keeps the contract (3 matches, ")
    done = here("check", DUEL, "--matches", "1")
    assert done.stdout.startswith("duel: keeps the contract (1 match, ")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e-9"])
def test_check_stops_when_the_time_is_over_and_says_so(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["check", TICTACTOE, "--seconds", seconds])
    said, wrong = capsys.readouterr()
    if seconds != "1e-9":
        assert (status, said) == (2, "")
        assert wrong.startswith(f"tabletop: --seconds {seconds}: give a number above 0")
        return
    assert (status, wrong) == (0, "")
    assert said.startswith("tictactoe: keeps the contract, as far as 1e-09 seconds went (0 of 20 m")
    assert "no time for the law 'chance', another PYTHONHASHSEED, " in said
    assert said.endswith(" and all pictures)\n")


def test_check_names_the_broken_law_and_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    text = Path(TICTACTOE).read_text()
    path.write_text(text.replace("state.seat = 1 - seat", "state.seat = 2 - seat"))
    done = here("check", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("tabletop: tictactoe, seed 'check 0', ply 1: breaks the law 'se")


@pytest.mark.slow
def test_check_stops_where_it_is_told_and_that_is_no_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", TICTACTOE, "--plies", "4", "--matches", "3"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("tictactoe: keeps the contract (3 matches, 12 actions, ")
    assert said.endswith(", 3 stopped before the end)\n")


@pytest.mark.slow
def test_check_takes_numbers_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    only = ["check", "lcr", "--matches", "2", "--plies", "1", "--seats"]
    assert main([*only, "11", "--seats", "3,4"]) == 0
    assert main([*only, "2,3"]) == 2
    assert "lcr is for 3-11 players, not for 2" in capsys.readouterr().err


@pytest.mark.slow
def test_check_takes_options(capsys: pytest.CaptureFixture[str]) -> None:
    course = ["check", "lcr", "--matches", "1", "--option", "course-seed=1"]
    assert main(course) == 1
    said = capsys.readouterr().err
    assert "breaks the law 'chance'" in said
    assert "--unseeded" in said
    assert main([*course, "--unseeded"]) == 0
    assert main(["check", "lcr", "--option", "help"]) == 0
    assert "course-seed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("seats = range(2, 4)", "seats is 2: write a range; range(2, 3) is for 2"),
        ('name = "highest"', "name is 'The Highest': write lower case letters"),
    ],
)
def test_check_names_a_mistake_in_the_authors_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    wrong = "seats = 2" if "seats" in line else 'name = "The Highest"'
    path = tmp_path / "highest.py"
    path.write_text(HIGHEST.replace(line, wrong))
    assert main(["check", str(path), "--seats", "2"]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_check_finds_an_order_out_of_a_set_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "highest.py"
    path.write_text(HIGHEST)
    assert main(["check", str(path)]) == 0
    assert "PYTHONHASHSEED" not in capsys.readouterr().out
    path = tmp_path / "unordered.py"
    path.write_text(HIGHEST.replace("sorted(COLOURS)", "list(COLOURS)"))
    assert main(["check", str(path)]) == 1
    assert "under another PYTHONHASHSEED legal_actions gives" in capsys.readouterr().err


def test_seed_prints_a_fresh_phrase(capsys: pytest.CaptureFixture[str]) -> None:
    main(["seed", "-n", "20"])
    phrases = capsys.readouterr().out.splitlines()
    assert len(set(phrases)) == 20
    assert all(len(phrase.split()) == 3 for phrase in phrases)
    main(["seed"])
    assert len(capsys.readouterr().out.splitlines()) == 1


COMPLETED: dict[str, set[str]] = {
    "re": {"replay", "resume"},
    "replay --v": {"--verify"},
    "play lc": {"lcr"},
    "play --no-r": {"--no-record"},
    "check rules/my": {"rules/mygame.py"},
    "replay --game lc": {"lcr"},
    "resume old": {"old.jsonl"},
    "completion z": {"zsh"},
    "seed lc": {"lcr"},
    "scores lc": {"lcr"},
    "scores im": {"import"},
    "scores import old": {"old.jsonl"},
    "scores --w": {"--weekly"},
}


@pytest.mark.slow
def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for name in ("rules/mygame.py", "rules/mynotes.txt", "old.jsonl"):
        (tmp_path / name).touch()
    script = here("completion", "bash").stdout
    script += f"""
list=$("{sys.executable}" -m tabletop games)
tabletop() {{ echo "$list"; }}
complete_line() {{
  COMP_LINE="tabletop $1" COMP_POINT=${{#COMP_LINE}} COMPREPLY=()
  COMP_WORDS=($COMP_LINE) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
  $(complete -p tabletop | sed 's/.*-F \\([^ ]*\\).*/\\1/') tabletop "${{COMP_WORDS[-1]}}" ""
  echo "${{COMPREPLY[*]}}"
}}
"""
    script += "".join(f"complete_line '{line}'\n" for line in COMPLETED)
    done = subprocess.run(
        ["bash", "--norc", "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stderr == ""
    found = [set(line.split()) for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(COMPLETED, found, strict=True)) == COMPLETED


@pytest.mark.parametrize(("shell", "sign"), [("zsh", "#compdef tabletop"), ("tcsh", "complete")])
def test_other_shells_have_scripts(
    shell: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert sign in script
    assert all(command in script for command in COMMANDS)


def test_completion_without_its_package_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 1
    assert "pip install 'tabletop-rules[completion]'" in capsys.readouterr().err
