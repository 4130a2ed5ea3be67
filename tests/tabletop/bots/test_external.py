"""Bots as external programs: the messages they receive, and faulty programs."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletop import CommandError, Event, Match, RegistryError
from tabletop.bots import ExternalBot, ProgramFault, external, external_bot
from tabletop.errors import UsageError
from tabletop.protocol import ChoiceOut, DataOut, StateOut, TableOut
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.states import from_json
from tabletop.states.codec import to_builtins
from tabletop.table import Players, Replaced
from tabletop.terminal import read_bots, with_programs
from tests.tabletop.bots.programs import command, error_of, has_ended, play, seat_players
from tests.tabletop.cli.program import ROOT, TICTACTOE

pytestmark = pytest.mark.slow

CHESS = str(ROOT / "examples" / "chess.py")
NETTLES = str(ROOT / "examples" / "nettles.py")

FAULTS = {
    "at_start": r".*\bstatus 1\n  \| there is no such book of openings",
    "crash": r".*\bstatus 1\n",
    "killed": r".*\bsignal 11\b",
    "endless": r".*\b1048576 bytes",
    "mute": r".*\boutput\b",
    "words": r".*'let me think': .*\bmalformed\b",
    "blank": r".*\bwrote '': ",
    "deep": r".*\bwrote '\[\[\[\[\[\[\[\[",
    "list": r""".*'\["act", "1"\]': .*`object`""",
    "nothing": r""".*'\{"type": "act"\}': .*\bmissing\b""",
    "no_type": r""".*'\{"line": "1"\}': .*\bmissing\b""",
    "castles": r""".*'\{"type": "castle"\}': .*'castle'""",
    "undoes": r""".*'\{"type": "undo"\}', .*\bact and sample\b""",
    "hello": r'.*\bwrote \'\{"type": "hello',
    "old": r".*\bply 0 .*\bply 1\b",
    "other": r".*\bseat 0 .*\bseat 1\b",
    "number": r""".*'\{"type": "act", "line": 1\}': .*`str`""",
    "unknown": r".*\banswered 'castle': 'castle' ",
    "illegal": r".*\banswered '1': cell 1 is taken",
    "many": r""".*'\{"type": "sample", "count": 1000000000\}': """,
    "none": r""".*'\{"type": "sample", "count": 0\}': """,
    "extra": r'.*\bwrote \'\{"type": "act", ',
}


@pytest.mark.parametrize("way", FAULTS)
def test_a_faulty_program_is_replaced_by_the_best_bot(way: str) -> None:
    with seat_players(TICTACTOE, HUMAN, command(way)) as players:
        play(players, "1")
        replaced = players.step()
        assert re.match(FAULTS[way], error_of(replaced))
        assert players.players == (HUMAN, players.plugin.best_bot)
        assert players.step() is None
        assert players.match.ply == 2


def test_the_last_error_lines_of_a_program_are_shown_without_control_characters() -> None:
    with seat_players(TICTACTOE, command("crash"), HUMAN) as players:
        error = error_of(players.step())
    assert error.endswith("  | ValueError: out of ideas")
    assert "\x1b" not in error


def written(path: Path) -> str:
    """Return the content of a file once it contains a complete line."""
    until = time.monotonic() + 30
    while not (path.exists() and path.read_text("utf-8").endswith("\n")):
        assert time.monotonic() < until
        time.sleep(0.02)
    return path.read_text("utf-8")


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with seat_players(TICTACTOE, command("hang_with_child", pids, seconds=0.3), HUMAN) as players:
        numbers = [int(pid) for pid in written(pids).split()]
        assert re.search(r"\b0\.3 seconds$", error_of(players.step()))
    assert all(map(has_ended, numbers))


def test_a_program_that_writes_without_end_is_ended_when_the_match_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "_GRACE", 0.1)
    note = tmp_path / "pid"
    with seat_players(TICTACTOE, HUMAN, command("flood", note)):
        number = int(written(note))
    assert has_ended(number)


@pytest.mark.parametrize("way", ["late_crash", "deaf", "hasty"])
def test_a_program_may_fail_in_the_middle_of_a_match(way: str) -> None:
    with seat_players(TICTACTOE, HUMAN, command(way)) as players:
        play(players, "9")
        assert players.step() is None
        play(players, "8")
        replaced = players.step()
        assert isinstance(replaced, Replaced)
        assert replaced.successor == players.plugin.best_bot


@pytest.mark.parametrize("way", ["noisy", "numbered", "slow_reader", "well"])
def test_a_slow_or_talkative_program_keeps_its_seat(way: str) -> None:
    with seat_players("sorcery", HUMAN, command(way)) as players:  # its views are large
        play(players, "end")
        while players.next_bot() is not None:
            assert players.step() is None


def test_a_program_can_answer_with_the_labels_of_actions() -> None:
    with seat_players(CHESS, command("labels"), command("labels")) as players:
        assert [players.step() for _ in range(3)] == [None] * 3
        assert players.match.actions == ("e2e4", "e7e5", "g1f3")


def test_a_match_of_programs_only_continues_after_a_fault() -> None:
    with seat_players(TICTACTOE, command("crash"), command("illegal")) as players:
        while players.next_bot() is not None:
            players.step()
        assert players.match.over
        assert players.players == (players.plugin.best_bot,) * 2


@pytest.mark.parametrize("game", [TICTACTOE, "sorcery", "constructor"])
def test_any_answer_is_understood_or_refused_briefly(game: str) -> None:
    plugin = load(game)
    match: Any = Match(plugin.game, seed="oak")
    bot = ExternalBot(match.bot_stream(0), game=match.game, seat=0, words=["true"])
    bot.join(match)
    refusals = []
    for text in ("x" * 900_000, "\ud800", "\x1b[2J", "1\n2", "", "0" * 5000):
        try:
            match.check(bot._understand(text, match.legal_actions(0)))
        except ProgramFault as fault:
            refusals.append(len(str(fault)))
    bot.close(None)
    assert max(refusals) < 2000


def test_a_program_receives_the_match_before_it_is_to_choose(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    with seat_players(TICTACTOE, HUMAN, command("diary", diary)):
        assert json.loads(written(diary))["type"] == "table"


def test_a_program_that_cannot_be_executed_loses_its_seat(tmp_path: Path) -> None:
    script = tmp_path / "mybot"
    script.write_text("#!/nowhere/to/be/found\n", "utf-8")
    script.chmod(0o755)
    with seat_players(TICTACTOE, f"exec:{script}", HUMAN) as players:
        assert error_of(players.step()).endswith(": No such file or directory")


def test_a_program_chooses_several_things() -> None:
    script = ROOT / "examples" / "exec_bot.py"
    with seat_players("tests/potluck.py", HUMAN, command("", script=script)) as players:
        play(players, "stay")
        for _ in range(5):
            acted = players.step()
            assert not isinstance(acted, Replaced), acted
            assert players.match.over
            players.match.undo(1)


# Messages to the program.


def messages(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_program_receives_the_match_its_choices_and_the_outcome(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    bot = command("diary", diary)
    with seat_players(TICTACTOE, HUMAN, bot) as players:
        match = players.match
        play(players, "9")
        view = to_builtins(match.view(1))
        players.step()
        play(players, "8")
        players.step()
        play(players, "7")
    told = messages(diary)
    assert [it["type"] for it in told] == ["table", *["log", "state"] * 3]
    assert msgspec.convert(told[0], TableOut) == TableOut(
        *("tictactoe", match.game.title, match.game.version),
        names=("Player 1", "Player 2"),
        seat_titles=("Player 1", "Player 2"),
        players=("human", bot),
        your_seats=(1,),
    )
    cells = range(8)
    assert msgspec.convert(told[2], StateOut) == StateOut(
        *(1, 1, (1,), (1,)),
        choices=tuple(
            ChoiceOut(f"{it + 1}", f"{it + 1}", (), 1, DataOut("Place", {"cell": it}))
            for it in cells
        ),
        log_line=1,
        deadline=30.0,
        view=view,
    )
    heard = [[line["event"] for line in it["lines"]] for it in told if it["type"] == "log"]
    assert heard[:2] == [[played(1, 0, 8)], [played(2, 1, 0), played(3, 0, 7)]]
    assert heard[2][-1]["type"] == "MatchEnded"
    last = told[-1]
    assert (last["your_turn"], last["view"]["cells"][6:]) == ([], ["x", "x", "x"])
    assert last["over"]["outcome"]["ranking"] == [[0], [1]]
    assert last["over"]["winners"] == [0]
    assert "old oak" not in diary.read_text("utf-8"), "the seed would reveal hidden cards"


def played(ply: int, seat: int, cell: int) -> dict[str, Any]:
    action = {"type": "Place", "value": {"cell": cell}}
    return {"type": "ActionPlayed", "value": {"ply": ply, "seat": seat, "action": action}}


def test_a_program_receives_no_outcome_of_a_match_that_is_left(tmp_path: Path) -> None:
    with seat_players(TICTACTOE, command("diary", tmp_path / "diary"), HUMAN) as players:
        players.step()
    assert [it["type"] for it in messages(tmp_path / "diary")] == ["table", "state"]


def test_a_program_receives_only_the_information_of_its_seat(tmp_path: Path) -> None:
    seen: list[Any] = []
    events: list[Event] = []
    with seat_players("sorcery", HUMAN, command("diary", tmp_path / "diary")) as players:
        match = players.match
        match.observe(events.append, seat=1)
        play(players, "end")
        while players.next_bot() is not None:
            seen.append(to_builtins(match.view(1)))
            players.step()
    told = messages(tmp_path / "diary")
    assert [it["view"] for it in told if it["type"] == "state"] == seen
    assert seen[0] != to_builtins(match.state)
    lines = [line for it in told if it["type"] == "log" for line in it["lines"]]
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    names = [line["event"]["type"] for line in lines]
    assert names == [type(event).__name__ for event in events[: len(names)]]


def test_samples_are_consistent_with_the_view_of_the_seat(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with seat_players("sorcery", HUMAN, command("sampling", notes)) as players:
        play(players, "end")
        match = players.match
        real = to_builtins(match.state)
        players.step()
        [first] = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]
        samples, view = first
        assert (samples["type"], samples["id"], samples["seat"]) == ("samples", 5, 1)
        assert len(samples["states"]) == 3
        for state in samples["states"]:
            assert state != real
            whole = from_json(json.dumps(state), type(match.state))
            assert to_builtins(match.game.view(whole, 1)) == view
        # Undo restores the stream, so the same question gets the same states.
        match.undo(1)
        players.step()
        second = json.loads(notes.read_text("utf-8").splitlines()[-1])
        assert second[0]["states"] == samples["states"]


def test_undo_works_and_the_program_receives_it(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    with seat_players(TICTACTOE, HUMAN, command("diary", diary)) as players:
        play(players, "9")
        players.step()
        players.match.undo(2)
        play(players, "8")
        players.step()
        assert [str(action) for action in players.match.actions] == ["8", "1"]
        view = to_builtins(players.match.view(1))
    news, again = messages(diary)[3:5]
    assert [line["event"]["type"] for line in news["lines"]] == [
        "ActionPlayed",
        "ActionsUndone",
        "ActionPlayed",
    ]
    assert again["view"]["cells"] == [*"." * 7, "x", "."]
    assert view["cells"][0] == "o"


# Start and end of the program.


def test_a_person_takes_over_the_seat_and_returns_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    bot = command("noted", note)
    with seat_players(TICTACTOE, bot, HUMAN) as players:
        players.step()
        first = int(note.read_text("utf-8"))
        players.put(0, HUMAN)
        assert has_ended(first)
        play(players, "9")
        players.put(0, bot)
        players.step()
        second = int(note.read_text("utf-8"))
        assert second != first
        assert players.players == (bot, HUMAN)
    assert has_ended(second)


def test_only_a_command_line_can_name_programs(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    bot = f"exec:touch {marker}"
    plugin = load(TICTACTOE)
    with pytest.raises(RegistryError, match=r"\bcommand line\b"):
        plugin.bot(bot, Match(plugin.game).bot_stream(0))
    with seat_players(TICTACTOE, HUMAN, HUMAN) as players:
        with pytest.raises(CommandError, match=r"\bcommand line\b"):
            players.put(1, bot)
        assert players.players == (HUMAN, HUMAN)
    # As in a record, which contains only the names of players.
    match: Any = Match(plugin.game, seed="oak", seats=2)
    with Players(match, plugin, [bot, HUMAN]) as players:
        assert players.players == (bot, HUMAN)
        players.step()
        assert players.players == (plugin.best_bot, HUMAN)
    assert not marker.exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("exec:", "exec:./mybot"),
        ("exec:5s:", "exec:./mybot"),
        ("exec:0s:true", "3600s"),
        ("exec:9999s:true", "3600s"),
        ("exec:5x:cat", "3600s"),
        ("exec:'true", "quotation"),
        ("exec:./no-such-bot", "program './no-such-bot'"),
        ("exec:no-such-bot", "write ./"),
    ],
)
def test_a_command_without_a_program_is_a_usage_error(name: str, why: str) -> None:
    option = re.escape(f"--bot {f'2={name}'!r}: ")
    with pytest.raises(UsageError, match=f"^{option}.*{re.escape(why)}"):
        with_programs(load(TICTACTOE), [f"2={name}"], "--bot")


def test_a_command_keeps_its_letters_and_needs_no_shell(tmp_path: Path) -> None:
    name = f"exec:2.5s:{shlex.quote(sys.executable)} 'My Bot.py' $HOME ;"
    made = external_bot(name.removeprefix("exec:"))
    assert made.keywords == {
        "words": [sys.executable, "My Bot.py", "$HOME", ";"],
        "seconds": 2.5,
    }
    plugin = with_programs(load(TICTACTOE), [f"1=EXEC:{name[5:]}"])
    bots = read_bots([f"1=EXEC:{name[5:]}"], {"1": [0], "all": [0, 1]}, plugin)
    assert bots == {0: name}


# The example bot.


def test_the_example_bot_never_loses_at_tic_tac_toe_to_random_play() -> None:
    bot = command("", script=ROOT / "examples" / "exec_bot.py")
    with seat_players(TICTACTOE, bot, "random") as players:
        while players.next_bot() is not None:
            assert players.step() is None
        outcome = players.match.outcome
        assert outcome is not None
        assert 0 in outcome.winners


def test_the_example_bot_plays_unknown_games() -> None:
    bot = command("", script=ROOT / "examples" / "exec_bot.py")
    with seat_players(NETTLES, bot, *["random"] * 3) as players:
        for _ in range(60):
            assert players.step() is None
