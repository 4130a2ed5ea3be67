"""Records during a match: locked for other processes, and replaced if they are deleted."""

from __future__ import annotations

import errno
import re
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pexpect
import pytest
from typing_extensions import override

from tabletop import ActionPlayed, Command, Commands, Match
from tabletop.display import ConsoleText, Reading, Repeat
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.records import Header, read, replay
from tabletop.registry import load
from tabletop.terminal import Console, TerminalGame
from tests.streams import Terminal
from tests.tabletop.cli.program import TICTACTOE, WIN, at_terminal, here, own, records
from tests.tabletop.told import tells
from tests.terminals import left

WHERE = "Continue the record in which file? (a new FILE, or `quit` to leave) "


def play_and_lose(
    path: Path,
    *lines: str,
    lose: Callable[[Path], object] = Path.unlink,
    bot: bool = False,
    texts: type[ConsoleText[Any]] | None = None,
) -> tuple[AnyMatch, str]:
    """Play a match at a terminal whose record is lost after the first move. Return the output."""
    plugin = replace(load(TICTACTOE), console=texts)
    match: AnyMatch = Match(plugin.game, seed="oak")

    def after(event: ActionPlayed) -> None:
        if event.ply == 1 and path.exists():
            lose(path)

    match.observe(after, ActionPlayed)
    stdout = Terminal()
    console = Console(Terminal("".join(f"{line}\n" for line in lines)), stdout)
    players = ("human", "random") if bot else ("human", "human")
    header = Header.of(match, source=plugin.source, players=players)
    TerminalGame(plugin, players, console=console, scored=False).play(match, header, path)
    return match, stdout.getvalue()


def move_away(path: Path) -> None:
    path.rename(path.with_name("moved.jsonl"))


def empty(path: Path) -> None:
    path.write_bytes(b"")


class Again(ConsoleText[Any]):
    """Texts with a command for the square 4."""

    commands = Commands(Command("four", dict, help="Play on 4."))

    @override
    def answer(self, command: Any, reading: Reading[Any]) -> Repeat:
        return Repeat("4")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "999")  # paths of tests are long, and lines are not broken
    return tmp_path / "match.jsonl"


@pytest.mark.slow
def test_a_running_match_is_not_resumed(state: Path, tmp_path: Path) -> None:
    with at_terminal("play", TICTACTOE) as child:
        child.expect_exact("Player 1> ")
        child.sendline("1")
        child.expect_exact("Player 2> ")
        [record] = (it for it in records(state) if it.suffix == ".jsonl")
        for words in ((), (record,)):
            done = here("resume", *words)
            assert done.returncode == 1
            assert done.stdout == ""
            assert tells(done.stderr, f"tabletop: {record}: ... tabletop (process {child.pid} on ")
            assert done.stderr.count("\n") == 1
        assert here("replay", record).returncode == 0
        child.sendline("quit")
        left(child)
    assert here("resume", record, typed="quit\n").returncode == 0
    assert records(state) == [record]


def test_a_folder_without_locks_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, how: int) -> None:  # as network drives do, which are not here
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    done = here("play", TICTACTOE, "--record", path, "--no-score", typed=WIN)
    assert done.returncode == 0
    assert tells(done.stderr, f"tabletop: {path}: ... locked")
    assert done.stderr.count("\n") == 1


def test_every_command_expands_the_home_folder(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    path.with_name("game.py").write_text(Path(TICTACTOE).read_text())
    for words, typed, status in (
        (("play", "~/game.py", "--record=~/match.jsonl", "--log=~/match.draws"), "1\nquit\n", 0),
        (("resume", "~/match.jsonl", "--game=~/game.py"), "4\n2\n5\n3\n", 0),
        (("replay", "~/match.jsonl", "--game=~/game.py"), "", 0),
        (("diverge", "~/match.jsonl", "~/match.draws", "--game=~/game.py"), "", 1),
        (("scores", "import", "~/match.jsonl", "--game=~/game.py"), "", 0),
    ):
        done = here(*words, typed=typed)
        assert (done.returncode, done.stderr) == (status, ""), words
    assert read(path).ended


@pytest.mark.parametrize("line", ["1", "undo", "bot", "save copy", "quit", None])
def test_a_lost_record_ends_the_program_with_a_message(
    line: str | None, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here("play", TICTACTOE, "--record", path, typed="5\n")

    def read_and_lose(console: Console, prompt: str) -> str | None:
        path.unlink()
        return line

    monkeypatch.setattr(Console, "read", read_and_lose)
    done = here("resume", path, "--game", TICTACTOE)
    assert done.returncode == 1
    assert tells(done.stderr, f"tabletop: {path}: ... deleted\n")
    assert done.stderr.count("\n") == 1
    assert "continue with" not in done.stdout


@pytest.mark.parametrize(
    ("lose", "said"),
    [
        (Path.unlink, "deleted"),
        (move_away, "moved"),
        (lambda path: path.write_text("spoilt"), "program"),
    ],
)
def test_a_lost_record_continues_in_a_new_file_without_losing_the_move(
    lose: Callable[[Path], object], said: str, path: Path
) -> None:
    other = path.with_name("other.jsonl")
    match, shown = play_and_lose(path, "1", "4", str(other), "2", "5", "3", lose=lose)
    assert tells(shown.partition(WHERE)[0].splitlines()[-1], f"{path}: ... {said}")
    assert f"The record continues in {other}\nPlayer 2: 4\n" in shown
    assert shown.count(WHERE) == 1
    assert match.over
    assert replay(read(other), match.game).digest() == match.digest()


@pytest.mark.parametrize("lose", [Path.unlink, empty])
def test_undo_bots_and_takeovers_wait_for_a_new_file(
    lose: Callable[[Path], object], path: Path
) -> None:
    other = path.with_name("other.jsonl")
    match, _ = play_and_lose(path, "1", "undo", str(other), "2", "5", "quit", lose=lose)
    assert [str(action) for action in match.actions] == ["2", "5"]
    assert replay(read(other), match.game).digest() == match.digest()
    path.unlink(missing_ok=True)
    third = path.with_name("third.jsonl")
    match, shown = play_and_lose(path, "1", str(third), "quit", lose=lose, bot=True)
    assert (match.ply, shown.count("Player 2: ")) == (2, 1)
    assert replay(read(third), match.game).digest() == match.digest()
    path.unlink(missing_ok=True)
    fourth = path.with_name("fourth.jsonl")
    play_and_lose(path, "1", "bot", str(fourth), "quit", lose=lose)
    assert read(fourth).players == ("human", "hard")


def test_only_the_rest_of_a_redo_is_repeated_after_a_lost_record(path: Path) -> None:
    def lose_again(event: ActionPlayed) -> None:
        if match.undone and path.exists():
            path.unlink()

    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")
    match.observe(lose_again, ActionPlayed)
    other = path.with_name("other.jsonl")
    lines = ("1", "2", "3", "4", "undo 4", "redo 3", str(other), "quit")
    console = Console(Terminal("".join(f"{line}\n" for line in lines)), Terminal())
    header = Header.of(match, source=plugin.source, players=("human", "human"))
    TerminalGame(plugin, ("human", "human"), console=console, scored=False).play(
        match, header, path
    )
    assert (match.ply, match.undone) == (3, 1)
    assert replay(read(other), match.game).digest() == match.digest()


@pytest.mark.parametrize("line", ["save", "quit"])
def test_a_lost_record_continues_in_a_new_file_before_it_is_saved_or_left(
    line: str, path: Path
) -> None:
    other = path.with_name("other.jsonl")
    _, shown = play_and_lose(path, "1", line, str(other), "quit")
    assert shown.count(WHERE) == 1
    assert f"tabletop resume {other}" in shown
    assert read(other).plies == 1


def test_the_action_of_a_command_of_the_game_waits_for_a_new_file(path: Path) -> None:
    other = path.with_name("other.jsonl")
    match, _ = play_and_lose(path, "1", "four", str(other), "quit", texts=Again)
    assert [str(action) for action in match.actions] == ["1", "4"]
    assert read(other).plies == 2


def test_a_new_record_of_a_lost_match_has_its_present_players(path: Path) -> None:
    other = path.with_name("other.jsonl")
    play_and_lose(path, "bot random 2", "1", str(other), "quit", lose=empty)
    assert read(other).players == ("human", "random")


def test_an_unusable_new_file_is_reported_and_asked_for_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = path.with_name("taken.jsonl")
    taken.write_text("my poems")
    monkeypatch.setenv("HOME", str(path.parent))
    _, shown = play_and_lose(path, "1", "4", str(taken), "", "~/other.jsonl", "quit")
    assert shown.count(WHERE) == 3
    assert f"{taken}: " in shown
    assert taken.read_text() == "my poems"
    assert read(path.with_name("other.jsonl")).plies == 2


@pytest.mark.parametrize("lines", [("4", "quit"), ("4",), ("quit", "exit")])
def test_leaving_reports_the_lost_record(lines: tuple[str, ...], path: Path) -> None:
    with pytest.raises(RecordLost, match=f"^{re.escape(str(path))}: "):
        play_and_lose(path, "1", *lines)


def test_a_record_that_continues_in_the_own_folder_finds_its_game(path: Path, state: Path) -> None:
    other = own(state, "other.jsonl")
    play_and_lose(path, "1", "4", str(other), "quit")
    assert "2 actions so far" in here("resume", other).stdout


def fill_disk(child: pexpect.spawn[str], size: int) -> None:
    """Limit the size of the files that a program writes, as a full disk would."""
    resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.mark.slow
def test_an_action_is_repeated_after_its_record_has_moved_from_a_full_disk(path: Path) -> None:
    other, third = path.with_name("other.jsonl"), path.with_name("third.jsonl")
    with at_terminal("play", TICTACTOE, "--record", path, "--no-score") as child:
        child.expect_exact("Player 1> ")
        fill_disk(child, path.stat().st_size - 1)
        child.sendline("5")
        child.expect_exact(f"{path}: cannot be written: File too large")
        child.expect_exact(WHERE)
        child.sendline(str(other))
        child.expect_exact(f"{other}: cannot be written: File too large")
        child.expect_exact(WHERE)
        fill_disk(child, resource.RLIM_INFINITY)
        child.sendline(str(third))
        child.expect_exact(f"The record continues in {third}")
        child.expect_exact("Player 2> ")
        child.sendline("quit")
        left(child)
    assert not other.exists()
    assert [entry.do for entry in read(third).entries] == ["5", None]


@pytest.mark.slow
def test_a_bot_moves_again_whenever_its_record_has_moved_from_a_full_disk(path: Path) -> None:
    other, third = path.with_name("other.jsonl"), path.with_name("third.jsonl")
    with at_terminal("play", TICTACTOE, "--record", path, "--no-score", "--bot=2=hard") as child:
        child.expect_exact("Player 1> ")
        fill_disk(child, path.stat().st_size + 100)  # enough for one line
        child.sendline("5")
        child.expect_exact(WHERE)
        child.sendline(str(other))  # the move of the bot does not fit into this file, either
        child.expect_exact(f"The record continues in {other}")
        child.expect_exact(WHERE)
        fill_disk(child, resource.RLIM_INFINITY)
        child.sendline(str(third))
        child.expect_exact("Player 2: ")
        child.expect_exact("Player 1> ")
        child.sendline("quit")
        left(child)
    assert read(third).plies == 2


@pytest.mark.slow
def test_the_score_of_a_match_in_a_new_file_is_saved(path: Path) -> None:
    other = path.with_name("other.jsonl")
    with at_terminal("play", TICTACTOE, "--record", path) as child:
        for number, line in enumerate(WIN.split()):
            child.expect_exact(f"Player {number % 2 + 1}> ")
            if number == 2:
                path.unlink()
            child.sendline(line)
            if number == 2:
                child.expect_exact("`quit` to leave) ")
                child.sendline(str(other))
        assert str(other) in left(child)
    assert here("replay", other, "--verify", "--game", TICTACTOE).returncode == 0
    assert read(other).ended
