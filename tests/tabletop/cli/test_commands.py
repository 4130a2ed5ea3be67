"""`tabletop games`, `check`, `seed`, `rules`, `completion`, and tests of all commands."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tabletop import Plugin, Seat, Stream
from tabletop.bots import Expectimax
from tabletop.cli import COMMANDS, main
from tabletop.cli.check import (
    _fitting_budget,
    _fitting_depth,
    _moments,
    _times_of_levels,
    _verdict,
)
from tabletop.registry import installed, load
from tabletop.rng.build_in_use import build_in_use
from tabletop.rules import AnyGame
from tabletop.testing import Report
from tests.tabletop.cli.program import DUEL, TICTACTOE, changed, here, process, refused, shown
from tests.tabletop.told import tells

NEEDED = {
    "completion": "bash",
    "diverge": "a b",
    "games": "",
    "picture": "lcr -o lcr.svg",
    "simulate": "lcr -n 1 -o study",
    "train": "lcr -o learnt",
    "tune": "lcr --bot random -o study",
    **dict.fromkeys(("compare", "tournament"), "lcr -n 2"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_word_shows_the_usage_of_its_command(command: str) -> None:
    usage = f"usage: tabletop {command} "
    output = shown(command, "--help")
    assert output.startswith(usage)
    assert shown(command, "-h") == output
    message = refused(command, *NEEDED.get(command, "lcr").split(), "--nope")
    assert message.startswith(usage)
    assert message.startswith(f"tabletop {command}: error: ", message.rindex("\n", 0, -1) + 1)
    assert message.endswith(" --nope\n")


def add_distribution(folder: Path, package: str) -> None:
    """Install a distribution with a package of this name, as pip would, into a folder."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("", "utf-8")
    about = folder / "another_project-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: another-project\nVersion: 1\n")
    (about / "RECORD").write_text(f"{package}/__init__.py,,\n", "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["games", "play sorcery --bot all --no-record"])
def test_a_package_that_overwrites_a_game_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    add_distribution(tmp_path, "sorcery")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = process(*command.split())
    assert done.returncode != 0
    for words in ("tabletop-rules", "another-project", "pip uninstall another-project"):
        assert words in done.stderr


def test_a_package_that_a_game_has_overwritten_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add_distribution(tmp_path, "lcr")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert main(["games"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("tabletop: lcr: ")
    assert "pip uninstall another-project" in line


def test_a_namespace_that_several_distributions_share_is_no_clash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add_distribution(tmp_path, "lcr")
    (tmp_path / "another_project-1.dist-info" / "RECORD").write_text("lcr/extra.py,,\n", "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert main(["games"]) == 0
    assert capsys.readouterr().err == ""


def test_the_program_prints_its_version_and_its_commands() -> None:
    stated = f"tabletop {version('tabletop-rules')} ({build_in_use()})\n"
    assert shown("--version") == shown("-V") == stated
    assert shown("--help").startswith("usage: tabletop [-h]")


def test_games_lists_the_installed_games() -> None:
    title, *rows = shown("games").splitlines()
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
    monkeypatch.syspath_prepend(tmp_path)
    done = here("games")
    assert done.returncode == 1
    assert "\nlcr " in done.stdout
    assert re.search(r"^broken +- +- +\(cannot be loaded\)$", done.stdout, re.MULTILINE)
    assert tells(done.stderr, "tabletop: broken: ... 'no_such_module'")


@pytest.mark.slow
def test_check_reports_that_a_game_keeps_the_contract() -> None:
    words = ("--plies", "1", "--matches", "2", "--seats", "11", "--seats", "3", "--seed", "x")
    output = shown("check", "lcr", *words)
    assert output.startswith("lcr: keeps the contract (2 matches, 2 actions, ")
    assert (
        ", 2 stopped before the end)\nlcr: the match 'x 0' had not ended after 1 action. If it can"
        " last forever, limit the number of turns in the rules\n"
    ) in output


def test_check_stops_after_the_time_limit_and_reports_it() -> None:
    output = shown("check", TICTACTOE, "--seconds", "0.001")
    assert output.startswith(
        "tictactoe: keeps the contract, as far as checked within 0.001 seconds ("
    )
    assert "no time for the law 'randomness', another PYTHONHASHSEED, " in output
    late = r"further texts \(\d+ .* further pictures \(\d+ .* and timing the levels"
    assert re.search(rf"{late}$", output, re.MULTILINE)


def test_a_check_that_tested_few_actions_says_so_first() -> None:
    few = _verdict(Report(matches=3, wanted=20, plies=4946, tested=43), ["9 pictures"], "")
    assert few.startswith("no faults found, but only 43 of 4946 actions were tested")
    many = _verdict(Report(matches=20, wanted=20, plies=400, tested=43), ["9 pictures"], "")
    assert many.startswith("keeps the contract")


@pytest.mark.slow
def test_check_reports_the_time_per_move_of_each_level() -> None:
    output = shown("check", TICTACTOE, "--matches", "1", "--plies", "2")
    assert re.search(
        r"^tictactoe: a move takes easy \d\S* s, (fair \d\S* s, )?hard \d\S* s(;.*)?$",
        output,
        re.MULTILINE,
    )


@pytest.mark.slow
@pytest.mark.long
def test_check_keeps_time_for_the_levels_of_a_slow_game() -> None:
    assert "chess: a move takes easy" in shown("check", "examples/chess.py", "--seconds", "3")


class Sleeper:
    """Waits before each choice, without using a processor."""

    def choose(self, view: object, actions: Sequence[Any]) -> Any:
        sleep(0.05)
        return actions[0]


@pytest.mark.slow
def test_check_measures_the_time_that_a_bot_waits() -> None:
    plugin = Plugin(
        load(TICTACTOE).game, levels={"easy": "sleeper"}, bots={"sleeper": lambda _: Sleeper()}
    )
    output = _times_of_levels(plugin, {}, 2)
    found = re.search(r"a move takes easy (\S+) s", output)
    assert found is not None
    assert float(found[1]) >= 0.05


@pytest.mark.slow
def test_check_measures_a_move_with_the_maximum_number_of_seats() -> None:
    output = shown("check", DUEL, "--matches", "1", "--plies", "2")
    assert re.search(r"^duel: a move takes .* with 4 seats(;.*)?$", output, re.MULTILINE)


def test_check_tests_a_bot_that_uses_loud_actions(tmp_path: Path) -> None:
    game = changed(
        tmp_path / "game.py", ("    policy=", "    loud=lambda state, actions: None,\n    policy=")
    )
    message = refused("check", game, "--matches", "1", "--only", "bots", status=1)
    assert tells(message, "breaks the law 'bots' ... 'alphabeta:1' ... TypeError")


@pytest.mark.slow
def test_check_proposes_a_depth_for_a_slow_alpha_beta_bot() -> None:
    def evaluate(state: object, seat: Seat) -> float:
        sleep(0.05)
        return 0.5

    plugin = Plugin(load(TICTACTOE).game, evaluate=evaluate, levels={"hard": "alphabeta:3"})
    moments = _moments(plugin, {}, 2)[:1]
    assert _fitting_depth(plugin, "alphabeta:3", 30.0, moments) in ("alphabeta:1", "alphabeta:2")
    assert _fitting_depth(plugin, "alphabeta:3", 2.0, moments) == ""
    levels = {"easy": "alphabeta:1", "fair": "alphabeta:2", "hard": "alphabeta:3"}
    plugin = Plugin(plugin.game, evaluate=evaluate, levels=levels)
    assert _fitting_depth(plugin, "alphabeta:3", 30.0, moments) == "", "another level has it"


def test_check_proposes_no_budget_for_a_bot_of_the_game() -> None:
    def surveyor(chance: Stream, game: AnyGame) -> Expectimax[Any, Any]:
        return Expectimax(chance, game=game, samples=1, iterations=1)

    game = load(TICTACTOE).game
    for fair, proposes in (("surveyor", False), ("expectimax:1", True)):
        plugin = Plugin(game, bots={"surveyor": surveyor}, levels={"fair": fair})
        output = _times_of_levels(plugin, {}, 2)
        assert output.startswith("tictactoe: a move takes fair ")
        assert ("about a second" in output) == proposes


@pytest.mark.parametrize(
    ("budget", "seconds", "iterations", "better"),
    [
        ("search:1000", 0.01, 1000, "search:100000"),
        ("search:1000", 0.02, 500, "search:20000"),
        ("search:1000", 22.0, 1000, "search:50"),
        ("expectimax:9", 9.0, 9, "expectimax:1"),
        ("search:1000", 0.4, 1000, ""),
        ("search:1000", 2.9, 1000, ""),
        ("search:100000", 0.1, 100_000, ""),
        ("random", 0.0, 0, ""),
    ],
)
def test_check_proposes_a_budget_of_about_a_second(
    budget: str, seconds: float, iterations: int, better: str
) -> None:
    assert _fitting_budget(budget, seconds, iterations) == better


def test_check_names_the_broken_law_and_exits_with_1(tmp_path: Path) -> None:
    game = changed(tmp_path / "game.py", ("state.seat = 1 - seat", "state.seat = 2 - seat"))
    message = refused("check", game, status=1)
    assert tells(message, "tabletop: tictactoe, seed 'check 0', ply 1: ... 'se")


@pytest.mark.slow
def test_check_accepts_numbers_of_seats_and_options() -> None:
    lcr = ("check", "lcr", "--matches", "1")
    assert tells(refused(*lcr, "--seats", "2"), "lcr ... 3-11 ... 2")
    course = (*lcr, "--seats", "3", "--option", "course-seed=1")
    message = refused(*course, status=1)
    assert tells(message, "'randomness' ... --unseeded")
    shown(*course, "--unseeded")
    assert "course-seed" in shown(*lcr, "--option", "help")


@pytest.mark.slow
def test_check_finds_an_order_that_depends_on_hashes_in_a_file(tmp_path: Path) -> None:
    actions = "[place for place in PLACES if cells[place.cell] == EMPTY]"
    unordered = f"sorted({actions}, key=lambda place: hash(str(place)))"
    path = changed(tmp_path / "unordered.py", (f"return {actions}", f"return {unordered}"))
    message = refused("check", path, status=1)
    assert tells(message, "PYTHONHASHSEED, legal_actions ")


# Seeds.


def test_seed_prints_a_new_phrase() -> None:
    phrases = shown("seed", "-n", "20").splitlines()
    assert len(set(phrases)) == 20
    assert all(len(phrase.split()) == 3 for phrase in phrases)
    assert len(shown("seed").splitlines()) == 1


@pytest.mark.parametrize("game", ["lcr", "sorcery-2017"])
def test_seeds_of_a_game_consist_of_its_words(game: str) -> None:
    phrases = shown("seed", game, "-n", "20").splitlines()
    assert len(set(phrases)) == len(phrases) == 20
    words = load(game).game.vocabulary
    for phrase in phrases:
        *adjectives, noun = phrase.split(" ")
        assert set(adjectives) <= set(words.adjectives)
        assert noun in words.nouns
        assert len({*adjectives, noun}) == 3


FEW_WORDS = """
from tabletop.rng import Vocabulary
from tests.tabletop.games.cards import Tricks
class Few(Tricks):
    vocabulary = Vocabulary(("red", "old", "new"), ("hat",))
"""


def test_seeds_are_distinct_and_limited_in_number(tmp_path: Path) -> None:
    path = tmp_path / "few.py"
    path.write_text(FEW_WORDS)
    words = ("red", "old", "new")
    printed = sorted(shown("seed", path, "-n", "6").splitlines())
    assert printed == sorted(f"{a} {b} hat" for a in words for b in words if a != b)
    assert refused("seed", path, "-n", "7") == "tabletop: -n 7: there are only 6 phrases\n"


# Rules.


@pytest.mark.parametrize("name", list(installed()))
def test_the_rules_of_every_installed_game_are_printed(name: str) -> None:
    assert shown("rules", name) == load(name).rules


def test_missing_and_unreadable_rules_are_reported(tmp_path: Path) -> None:
    assert refused("rules", DUEL, status=1).endswith(" has no rulebook\n")
    path = changed(tmp_path / "lost.py")
    lost = "\nfrom pathlib import Path\nPLUGIN = Plugin(GAME, rulebook=Path('no/such.md'))\n"
    path.write_text(f"{path.read_text('utf-8')}{lost}", "utf-8")
    assert "no/such.md" in refused("rules", path)


@pytest.mark.parametrize("path", ["", "/"])
def test_a_film_of_a_folder_is_refused(path: str) -> None:
    assert refused("replay-page", path, status=1).endswith(": cannot be read: Is a directory\n")


@pytest.mark.parametrize("name", ["loop.py", "loop.py:GAME"])
def test_a_link_to_itself_is_not_a_game(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert tells(refused("play", tmp_path / name), "loop.py: ... no such file")


# Completion.


COMPLETED: dict[str, set[str]] = {
    "tabletop re": {"replay", "replay-page", "report", "resume"},
    "tabletop replay --v": {"--verify"},
    "tabletop play lc": {"lcr"},
    "tabletop play --no-r": {"--no-record"},
    "tabletop play lcr --bot 2=ha": {"hard"},  # what follows the last `=`
    "tabletop play lcr --bot=2=ha": {"hard"},
    "tabletop play lcr --bot 11=": {"random"},
    "tabletop check rules/my": {"rules/mygame.py"},
    "tabletop replay --game lc": {"lcr"},
    "tabletop resume old": {"old.jsonl"},
    "tabletop replay-page old.jsonl --output=ol": {"old.jsonl"},
    "tabletop completion z": {"zsh"},
    "tabletop seed lc": {"lcr"},
    "tabletop scores lc": {"lcr"},
    "tabletop scores im": {"import"},
    "tabletop scores import old": {"old.jsonl"},
    "tabletop scores --w": {"--weekly"},
    "tabletop tune sorcery --bot due": {"duelist"},
    "lcr sw": {"sweep"},
    "lcr sweep --js": {"--json"},
    "lcr --names ol": {"old.jsonl"},
    "constructor -bot red=b": {"builder"},
    "constructor -variant s": {"standard", "scarce"},
    "sorcery -ed": {"-edition"},
    "sorcery --ed": {"--edition"},
    "sorcery -bot 2=du": {"duelist"},
}
PROGRAMS = ("tabletop", "lcr", "constructor", "sorcery")


@pytest.mark.slow
def test_bash_completes_without_starting_a_program(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for name in ("rules/mygame.py", "rules/mynotes.txt", "old.jsonl"):
        (tmp_path / name).touch()
    script = "".join(shown("completion", "bash", program) for program in PROGRAMS)
    script += "".join(f"{program}() {{ echo started >&2; }}\n" for program in PROGRAMS)
    script += r"""
complete_line() {
  COMP_WORDS=(${1//=/ = }) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  $(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')
  echo "${COMPREPLY[*]}"
}
"""
    script += "".join(f"complete_line '{line}'\n" for line in COMPLETED)
    done = subprocess.run(
        ["bash", "--norc", "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stderr == ""
    found = [set(line.split()) for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(COMPLETED, found, strict=True)) == COMPLETED


SHELLS = {
    "bash": "complete -o bashdefault -F",
    "zsh": "#compdef",
    "tcsh": "complete ",
    "fish": "complete -c",
    "powershell": "Register-ArgumentCompleter -Native -CommandName",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_with_commands_games_and_bots(shell: str) -> None:
    script = shown("completion", shell)
    assert SHELLS[shell] in script
    assert all(word in script for word in (*COMMANDS, *installed(), "all=builder"))


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("lcr", ("players", "sweep", "json")),
        ("constructor", ("random-board", "red=builder")),
        ("sorcery", ("edition", "2=duelist")),
    ],
)
def test_every_shell_has_a_script_for_the_program_of_each_game(
    shell: str, program: str, words: tuple[str, ...]
) -> None:
    script = shown("completion", shell, program)
    assert SHELLS[shell] in script
    assert all(word in script for word in words)


def test_fish_completes_options_with_one_dash() -> None:
    script = shown("completion", "fish", "sorcery")
    assert " -o seed -l seed " in script
    assert " -s h -o help " in script


def test_completion_without_shtab_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    message = refused("completion", "bash", status=1)
    assert "'tabletop-rules[completion]'" in message


@pytest.mark.parametrize("words", [(), ("play",)])
def test_without_a_game_the_installed_games_are_listed(words: tuple[str, ...]) -> None:
    output = shown(*words)
    assert re.search(r"^sorcery +2 ", output, re.MULTILINE)
    assert output.endswith("Play a game: tabletop play NAME. All commands: tabletop --help.\n")
