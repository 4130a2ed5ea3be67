"""A record at a table: locked for others, and missed at the next move when it is gone."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop import ActionPlayed, Match
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.journal import Journal
from tabletop.records.replay import replay
from tabletop.registry import load
from tabletop.session import Session
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.console import Console
from tabletop.terminal.loop import TerminalLoop
from tabletop.terminal.play import QUESTION, Recording
from tests.streams import Terminal
from tests.tabletop.cli.program import TICTACTOE, WIN, at_terminal, here, own, records
from tests.terminals import left


def sit_down(
    path: Path, *lines: str, lose: Callable[[Path], object] = Path.unlink, bot: bool = False
) -> tuple[AnyMatch, str, Path | None]:
    """A match whose record is lost after the first move; what was shown, where the record is."""
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")

    def after(event: ActionPlayed) -> None:
        if event.ply == 1 and path.exists():
            lose(path)

    stdout = Terminal()
    console = Console(Terminal("".join(f"{line}\n" for line in lines)), stdout)
    players = ("human", "random") if bot else ("human", "human")
    match.observe(after, ActionPlayed)
    with Recording(Journal.create(path, match), match, console) as recording:
        session = Session(match, plugin, players, recorder=recording)
        TerminalLoop(TerminalClient(session, console)).play()
    return match, stdout.getvalue(), recording.path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "999")  # paths of tests are long, and lines are not broken
    return tmp_path / "match.jsonl"


def test_a_lost_record_goes_on_where_a_person_says_and_the_move_is_not_lost(path: Path) -> None:
    other = path.with_name("other.jsonl")
    match, shown, now = sit_down(path, "1", "4", str(other), "2", "5", "3")
    assert f"{path}: this record has been deleted\n{QUESTION}" in shown
    assert f"The record goes on in {other}\nPlayer 2: 4\n" in shown
    assert shown.count(QUESTION) == 1
    assert now == other
    assert match.over
    assert replay(read(other), match.game).digest() == match.digest()


def test_undoing_and_bots_wait_for_a_new_place_as_well(path: Path) -> None:
    other = path.with_name("other.jsonl")
    match, _, _ = sit_down(path, "1", "undo", str(other), "2", "5", "quit")
    assert [str(action) for action in match.actions] == ["2", "5"]
    assert replay(read(other), match.game).digest() == match.digest()
    path.unlink(missing_ok=True)
    third = path.with_name("third.jsonl")
    match, shown, _ = sit_down(path, "1", str(third), "quit", bot=True)
    assert match.ply == 2
    assert shown.count("Player 2: ") == 1
    assert replay(read(third), match.game).digest() == match.digest()


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_takeover_waits_for_a_new_place_and_stands_in_its_record(
    lose: Callable[[Path], object], path: Path
) -> None:
    other = path.with_name("other.jsonl")
    sit_down(path, "1", "bot", str(other), "quit", lose=lose)
    assert read(other).players[1] == "random"


def test_a_place_that_cannot_be_is_said_and_another_one_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = path.with_name("taken.jsonl")
    taken.write_text("my poems")
    other = path.with_name("other.jsonl")
    monkeypatch.setenv("HOME", str(path.parent))
    _, shown, now = sit_down(path, "1", "4", str(taken), "", "~/other.jsonl", "quit")
    assert now == other
    assert shown.count(QUESTION) == 3
    assert f"{taken}: there is a file already; name a new one\n" in shown
    assert taken.read_text() == "my poems"
    assert read(other).plies == 2


def test_one_can_play_on_unrecorded(path: Path) -> None:
    match, shown, now = sit_down(path, "1", "4", "none", "2", "5", "3")
    assert "The match goes on unrecorded; no score is kept.\nPlayer 2: 4\n" in shown
    assert match.over
    assert now is None
    assert list(path.parent.glob("*.jsonl*")) == []


@pytest.mark.parametrize("lines", [("quit",), ("exit",), ()])
def test_who_leaves_is_told_that_the_record_is_gone(lines: tuple[str, ...], path: Path) -> None:
    with pytest.raises(RecordLost, match="this record has been deleted"):
        sit_down(path, "1", "4", *lines)


def test_a_record_that_somebody_else_has_spoilt_is_written_anew(path: Path) -> None:
    other = path.with_name("other.jsonl")
    match, shown, _ = sit_down(
        path, "1", "4", str(other), "2", "quit", lose=lambda it: it.write_text("spoilt")
    )
    assert f"{path}: another program has written to this record\n" in shown
    assert replay(read(other), match.game).digest() == match.digest()
    assert path.read_text() == "spoilt"


@pytest.mark.slow
def test_the_program_goes_on_in_another_file_and_keeps_the_score_of_it(path: Path) -> None:
    other = path.with_name("other.jsonl")
    with at_terminal("play", TICTACTOE, "--record", path) as child:
        for number, line in enumerate(WIN.split()):
            child.expect_exact(f"Player {number % 2 + 1}> ")
            if number == 2:
                path.unlink()
            child.sendline(line)
            if number == 2:
                child.expect_exact("`quit`: leave) ")
                child.sendline(str(other))
        assert str(other) in left(child)
    assert here("replay", other, "--verify", "--game", TICTACTOE).returncode == 0
    assert read(other).ended


@pytest.mark.slow
def test_a_match_that_is_being_played_is_not_resumed_and_its_player_is_named(
    state: Path, tmp_path: Path
) -> None:
    with at_terminal("play", TICTACTOE) as child:
        child.expect_exact("Player 1> ")
        child.sendline("1")
        child.expect_exact("Player 2> ")
        [record] = (it for it in records(state) if it.suffix == ".jsonl")
        for words in ((), (record,)):
            done = here("resume", *words)
            assert done.returncode == 1
            assert done.stdout == ""
            assert done.stderr.startswith(
                f"tabletop: {record}: this record is being written by tabletop"
                f" (process {child.pid} on "
            )
            assert done.stderr.count("\n") == 1
        assert here("replay", record).returncode == 0
        child.sendline("quit")
        left(child)
    assert here("resume", record, typed="quit\n").returncode == 0
    assert records(state) == [record]


def test_the_program_says_where_files_cannot_be_locked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, how: int) -> None:  # as network drives do, which are not here
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    done = here("play", TICTACTOE, "--record", path, "--no-score", typed=WIN)
    assert done.returncode == 0
    assert done.stderr == (
        f"tabletop: {path}: files cannot be locked there: see to it that no other program resumes"
        " this match meanwhile\n"
    )


def test_every_command_knows_the_home_of_the_user(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    path.with_name("game.py").write_text(Path(TICTACTOE).read_text())
    for words in (
        ("play", "~/game.py", "--record=~/match.jsonl", "--log=~/match.draws"),
        ("resume", "~/match.jsonl", "--game=~/game.py"),
        ("replay", "~/match.jsonl", "--game=~/game.py"),
        ("diverge", "~/match.jsonl", "~/match.draws", "--game=~/game.py"),
    ):
        lines = {"play": "1\nquit\n", "resume": "4\n2\n5\n3\n"}.get(words[0], "")
        done = here(*words, typed=lines)
        assert done.stderr == "", words
        assert done.returncode == (words[0] == "diverge"), words
    done = here("scores", "import", "~/match.jsonl", "--game", "~/game.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert read(path).ended


def test_a_record_that_goes_on_among_ones_own_still_knows_its_game(path: Path, state: Path) -> None:
    begun, other = own(state, "begun.jsonl"), own(state, "other.jsonl")
    match: AnyMatch = Match(load(TICTACTOE).game, seed="oak")
    console = Console(Terminal(f"{other}\n"), Terminal())
    with Recording(Journal.create(begun, match), match, console, TICTACTOE):
        begun.unlink()
        match.play(match.legal_actions(0)[0])
    assert "1 action so far" in here("resume", other).stdout
    assert here("replay", other, "--verify").returncode == 0


@pytest.mark.slow
def test_who_leaves_is_asked_where_a_lost_record_goes_on(path: Path) -> None:
    other = path.with_name("other.jsonl")
    with at_terminal("play", TICTACTOE, "--record", str(path)) as child:
        child.expect_exact("Player 1> ")
        child.sendline("1")
        child.expect_exact("Player 2> ")
        path.unlink()
        child.sendline("quit")
        child.expect_exact(f"{path}: this record has been deleted")
        child.expect_exact("`quit`: leave) ")
        child.sendline(str(other))
        assert f"go on with: tabletop resume {other}" in left(child)
    assert read(other).plies == 1


@pytest.mark.parametrize("line", ["1", None])
def test_without_a_terminal_a_lost_record_ends_the_program_in_a_line(
    line: str | None, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_lose(console: Console, prompt: str) -> str | None:
        path.unlink()
        return line

    monkeypatch.setattr(Console, "read", read_and_lose)
    done = here("play", TICTACTOE, "--record", path)
    assert done.returncode == 1
    assert done.stderr == f"tabletop: {path}: this record has been deleted\n"
    assert "go on with" not in done.stdout
