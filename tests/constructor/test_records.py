"""Records of the program `constructor`: writing, resuming and unfinished setups."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.people import typing
from tests.constructor.programs import (
    BLUE_NEARLY,
    LAYOUT,
    RICH,
    SETUP,
    backup,
    lines,
    run_here,
    save,
)
from tests.constructor.tables import GAMES, Lively
from tests.tabletop.cli.program import here as tabletop
from tests.tabletop.told import tells
from typing_extensions import override

from constructor import GAME, write_save
from constructor.program.cli import build_parser, new_program
from constructor.program.match_series import Program, begin, recover_setup
from constructor.rules.production import VARIANTS
from tabletop import Options, Streams
from tabletop.errors import RecordLost
from tabletop.records import command_to_play, read, replay
from tabletop.registry import load
from tabletop.terminal import Console

FORGET = {"TERM": "dumb", "COLUMNS": "80"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, with separate records and scores."""
    monkeypatch.chdir(tmp_path)
    for name, value in {**FORGET, "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data"}.items():
        monkeypatch.setenv(name, str(tmp_path / value) if name.startswith("XDG") else value)
    return tmp_path


def numbered(game: int) -> Path:
    """Return the path of the record of a game."""
    return Path(f"{game}.jsonl")


def at_terminal(*typed: str, saved: str = RICH, bots: dict[int, str] | None = None) -> str:
    """Return the output of a recorded game for a player who types these lines."""
    person = typing(*typed)
    options: Options = {"load": saved, "fair": False}
    Program(load("constructor"), person, "a walk", options, bots or {}, record=numbered).run()
    return person.shown.getvalue()


def answer(shown: str, line: str) -> str:
    """Return the output after a typed line, up to the next typed line."""
    return shown.partition(f"> {line}\n")[2].partition("> ")[0]


# Piped input.


def test_recording_does_not_change_the_output() -> None:
    typed = SETUP + lines("roll", "3", "next")
    assert run_here(["-record", "g.jsonl"], typed) == run_here([], typed)
    record = read(Path("g.jsonl"))
    actions = [str(action) for action in replay(record, GAME).actions]
    assert actions == [*SETUP.split(), "roll", "3", "next"]
    assert record.players == ("human",) * 4


def test_piped_input_is_not_recorded_by_default(folder: Path) -> None:
    run_here([], SETUP)
    assert [path.name for path in folder.iterdir()] == ["backup.sv"]


def test_recorded_game_resumes_where_it_was_left(folder: Path) -> None:
    run_here(["-fair", "-seed", "oak", "-record", "g.jsonl"], SETUP + "roll\n")
    printed = run_here(["-resume", "g.jsonl"], "next\nload\n")
    assert printed.stdout.endswith("\n> This game is played with fair dice.\n> ")
    assert read(Path("g.jsonl")).plies == len(SETUP.split()) + 2
    assert backup(folder)[0] == "1"


def test_every_game_of_a_series_has_its_own_record(folder: Path) -> None:
    (folder / "g.sv").write_text(BLUE_NEARLY)
    typed = lines("roll", "12", "improve 44", "yes", "0", "5")
    run_here(["-load", "g.sv", "-seed", "oak", "-record", "g.jsonl"], typed)
    first, second = read(Path("g.jsonl")), read(Path("g-2.jsonl"))
    assert (first.ended, first.header.seed, first.plies) == (True, "oak", 3)
    assert (second.ended, second.header.seed, second.plies) == (False, "oak, game 2", 2)


def test_next_game_after_a_resumed_game_has_the_same_bots(folder: Path) -> None:
    (folder / "g.sv").write_text(BLUE_NEARLY)
    run_here(["-load", "g.sv", "-bot", "red", "-record", "g.jsonl"], lines("roll", "12"))
    shown = run_here(["-resume", "g.jsonl"], lines("improve 44", "yes", "0")).stdout
    assert "Blue wins with 10 building points!\nWould you like to play again?\n" in shown
    assert shown.endswith("Builder Orange, where do you want to build a basement?\n> ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["-resume", "no.jsonl"], "-resume no.jsonl: ... no such file"),
        (["-resume", "lcr.jsonl"], "-resume lcr.jsonl: ... 'lcr'"),
        (["-resume", "won.jsonl"], "-resume won.jsonl: ... ended (replay ... tabletop"),
        (["-resume"], "there ... no interrupted match ... constructor "),
        (["-resume", "x", "-record", "y"], "-record ... -resume "),
        (["-no-record", "-record", "y"], "-record ... -no-record "),
        (["-record", "won.jsonl"], "won.jsonl: ... already exists"),
    ],
)
def test_invalid_record_is_refused_with_a_one_line_error(words: list[str], why: str) -> None:
    Path("g.sv").write_text(BLUE_NEARLY)
    run_here(["-load", "g.sv", "-record", "won.jsonl"], lines("roll", "12", "improve 44", "no"))
    tabletop("play", "lcr", "--record", "lcr.jsonl", typed="roll\n")
    refused = run_here(words)
    assert tells(refused.stderr, f"constructor: {why}")
    assert (refused.stdout, refused.stderr.count("\n")) == ("", 1)
    assert refused.status == (1 if "already" in why else 2)


@pytest.mark.parametrize("words", [["-seed="], ["-daily"], ["-fair"], ["-bot=red"]])
def test_options_stored_in_a_record_are_refused_with_resume(words: list[str]) -> None:
    name = words[0].partition("=")[0]
    refused = run_here(["-resume", "x", *words])
    assert tells(refused.stderr, f"constructor: {name} cannot be used with -resume, because ")
    assert (refused.stdout, refused.stderr.count("\n"), refused.status) == ("", 1, 2)


def test_lost_record_leaves_the_game_in_the_backup(folder: Path) -> None:
    class Thief(Console):
        """A console that deletes the record after the second line."""

        @override
        def read(self, prompt: str) -> str | None:
            line = super().read(prompt)
            if line == "5":
                Path("g.jsonl").unlink()
            return line

    console = Thief(io.StringIO("0\n5\n"), io.StringIO(), ends_lines=False)
    with pytest.raises(RecordLost, match="deleted"):
        Program(
            load("constructor"),
            console,
            "a walk",
            {"fair": False},
            record=lambda _: Path("g.jsonl"),
        ).run()
    assert backup(folder)[1] == "0 0 0 0 0 r h 0 B"


# At a terminal.


def test_actions_can_be_undone_and_redone() -> None:
    shown = at_terminal("roll", "12", "build-road 0", "undo", "status", "redo", "next")
    assert answer(shown, "undo").startswith("1 action undone\n")
    assert "Blue has 2 building points, 5 brick, 5 energy, 5 glass, 5 heat," in shown
    assert answer(shown, "redo").startswith("Blue builds a road on edge 0.\n")
    assert [str(action) for action in replay(read(Path("1.jsonl")), GAME).actions] == [
        *("roll", "12", "build-road 0", "next")
    ]


def test_table_commands_work_at_a_terminal() -> None:
    shown = at_terminal("seed", "rules", "help all", "bot 3", "human 3", "save", "/save copy.jsonl")
    assert answer(shown, "seed") == "a walk\nBlue"
    assert "10 building points" in shown.partition("> rules\n")[2].partition("> help all\n")[0]
    assert "undo [ACTIONS]" in shown.partition("> help all\n")[2].partition("> bot 3\n")[0]
    assert answer(shown, "bot 3") == "Orange is now played by the Builder bot.\nBlue"
    assert answer(shown, "human 3") == "Orange is now played by a person.\nBlue"
    recorded = "Every action is saved immediately; continue with: tabletop resume 1.jsonl\n"
    assert answer(shown, "save") == f"{recorded}Blue"
    assert answer(shown, "/save copy.jsonl").startswith("Saved in 'copy.jsonl'; continue with: ")
    assert read(Path("copy.jsonl")).header == read(Path("1.jsonl")).header


def test_leaving_names_the_record_and_the_backup(folder: Path) -> None:
    for typed in (["roll", "quit"], ["roll"]):
        Path("1.jsonl").unlink(missing_ok=True)
        shown = at_terminal(*typed, bots={1: "builder"})
        assert shown.endswith(
            "Left after 1 action; continue with: tabletop resume 1.jsonl\n"
            "The game is also saved in backup.sv, in the document's format.\n"
            "The game will continue at the beginning of Blue's turn, with loaded dice.\n"
            "To resume the game: constructor -load backup.sv -seed 'a walk' -bot Red\n"
        )
        assert backup(folder) == RICH.splitlines()


def test_resumed_game_contains_all_actions() -> None:
    at_terminal("roll", "12", "build-road 0")
    person = typing("undo", "undo 2")
    record = read(Path("1.jsonl"))
    Program(load("constructor"), person, "a walk", {"fair": False}).resume(record)
    shown = person.shown.getvalue()
    assert shown.startswith("Constructor, seed: a walk; 3 actions so far\n")
    assert answer(shown, "undo 2").startswith("2 actions undone\n")


def test_default_layout_is_omitted_from_the_resume_command(folder: Path) -> None:
    for layout in ("", LAYOUT):
        (folder / "layout.txt").write_text(layout) if layout else None
        run_here(["-record", f"g{layout[:1]}.jsonl"], "0\n")
    for name in ("g.jsonl", "g0.jsonl"):
        match = replay(read(folder / name), GAME)
        again = (
            "tabletop play constructor --seed constructor --seats 4"
            " --option patience=0 --option fair=no"
        )
        assert command_to_play(match, "constructor", folder / name) == again


@pytest.mark.slow
def test_stuck_match_of_bots_has_a_score_sheet(folder: Path) -> None:
    (folder / "dry.sv").write_text(save(layout=" ".join(["5 7"] * 19), rest=""))
    arguments = build_parser().read(["-load", "dry.sv", "-bot", "all", "-pause", "0"])
    person, plugin = typing("no"), load("constructor")
    new_program(arguments, plugin, person).run()
    shown = person.shown.getvalue()
    assert tells(shown, "  reason   2 building points; ... 200 turns")
    (path,) = folder.glob("state/tabletop/records/*.jsonl")
    assert tabletop("replay", "--verify", path).stdout.endswith("442 actions replay exactly\n")
    assert "a draw" in tabletop("scores", "constructor").stdout


# Unfinished setups, which the document's format cannot represent (§3.7, §4.1).

NONE = "0 0 0 0 0 r h"
BROKEN = save(blue="0 0 0 0 0 r h 0 B")
"""A save of a setup in which only Blue still has to choose a basement."""

QUESTION = "This save looks like an unfinished setup. Do you want to continue it?\n"


def test_continued_setup_is_recorded_from_the_beginning() -> None:
    assert at_terminal("yes", "20", saved=BROKEN).startswith(QUESTION)
    actions = replay(read(Path("1.jsonl")), GAME).actions
    assert [str(action) for action in actions] == SETUP.split()


def test_unfinished_setup_becomes_a_game_if_the_player_declines() -> None:
    _, asked, game = at_terminal("no", saved=BROKEN).partition(f"{QUESTION}> no\n")
    assert asked
    assert "Builder Blue's turn." in game


@given(st.integers(0, 7), st.integers(0, 10**6), st.sampled_from(list(VARIANTS)))
@settings(max_examples=20)
def test_setup_continues_from_its_save_without_differences(
    chosen: int, seed: int, variant: str
) -> None:
    match = begin(GAMES["standard"], "x", {"random-board": True, "variant": variant})
    player = Lively(Streams(seed)["player"])
    for _ in range(chosen):
        match.play(player.choose(match.state, match.legal_actions()))
    again = recover_setup(begin(GAMES["standard"], "x", {"load": write_save(match.state)}))
    assert again is not None
    assert again.state == match.state


@pytest.mark.parametrize(
    ("text", "is_setup"),
    [
        (save(blue="0 0 0 0 0 r h 0 B", rest=""), True),  # old saves lack the geese
        (save(), False),  # nothing is left to choose
        (save(blue="0 0 0 0 0 r h 0 B", turn=1), False),
        (save(blue="1 0 0 0 0 r h 0 B"), False),
        (save(blue="0 0 0 0 0 r 0 h 0 B"), False),
        (save(blue="0 0 0 0 0 r h 0 H"), False),
        (save(red="0 0 0 0 0 r h 5 B"), False),  # Blue would have chosen before Red
        (save(blue="0 0 0 0 0 r h 0 B", red="0 0 0 0 0 r h 1 B 36 B"), False),  # too near
        (save(blue="0 0 0 0 0 r h 0 B", rest="9\n"), False),  # the geese have moved
        (save(blue=f"{NONE} 0 B 20 B 40 B", red=NONE, orange=NONE, yellow=NONE), False),
    ],
)
def test_unfinished_setups_are_recognized_from_the_save(text: str, is_setup: bool) -> None:
    again = recover_setup(begin(GAMES["standard"], "x", {"load": text}))
    assert (again is not None) == is_setup


def test_leaving_during_the_setup_explains_how_to_resume() -> None:
    person = typing("save", "0")
    Program(load("constructor"), person, "old oak", {"fair": True}, {1: "random"}).run()
    shown = person.shown.getvalue()
    assert "this match is not recorded, so it cannot be saved (see -record FILE)\n" in shown
    assert shown.endswith(
        "6 basements still to be chosen. At a terminal you can continue the setup.\n"
        "Otherwise the game continues without them, at the beginning of Blue's turn.\n"
        "To resume the game:\nconstructor -load backup.sv -fair -seed 'old oak'"
        " -bot Red=random\n"
    )
