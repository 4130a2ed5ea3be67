"""The option `-graphics` of every program."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest
from tests.forked import start
from tests.tabletop.web.windows import (
    ADDRESS,
    MAINS,
    NO_DISPLAY,
    Page,
    address_of,
    at_terminal,
    page_at,
)
from tests.terminals import left

MATCHES: dict[str, tuple[list[str], str]] = {
    "sorcery": (
        ["-seed", "oak"],
        "Ann\nBob\nhand\nplay 4\nattack 9\nend\nboard\nend\nquit\nmore\n",
    ),
    "sorcery left": (["-seed", "oak", "-testing"], "Ann\nBob\ndraw\nend\n"),
    "sorcery bots": (["-seed", "oak", "-bot", "all"], ""),
    "constructor": ([], "0\n1\n2\n3\n4\n5\nnonsense\n"),
    "lcr": ([], "4 42"),
    "lcr complaints": ([], "two 784"),
    "lcr options": (["--players", "3", "--seed", "784"], ""),
    "tabletop": (["play", "lcr", "--seed", "oak", "--no-record", "--no-score"], "roll\nundo\nx\n"),
}


def run(program: str, words: Sequence[str], typed: str, where: Path) -> tuple[int, str, str]:
    """Run a program in this process and return exit status, standard output and standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    place = "tabletop.cli" if program == "tabletop" else f"{program}.program.cli"
    main: Callable[[Sequence[str]], int] = import_module(place).main
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(where)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"))
        for name in NO_DISPLAY:
            patch.delenv(name, raising=False)
        status = main(words)
    stdout, stderr = (it.buffer.getvalue().decode() for it in (out, err))
    return status, stdout, stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_piped_output_is_the_same_with_a_window(name: str, tmp_path: Path) -> None:
    program = name.split(maxsplit=1)[0]
    words, typed = MATCHES[name]
    plain = run(program, words, typed, tmp_path)
    status, stdout, stderr = run(
        program, [*words, "-graphics" if program != "tabletop" else "--graphics"], typed, tmp_path
    )
    assert (status, stdout) == plain[:2]
    *complaints, _ = stderr.removeprefix(plain[2]).splitlines() or [""]
    assert not complaints
    assert len(ADDRESS.findall(stderr)) == 1
    assert ADDRESS.sub("", stderr).removesuffix("\n").startswith(plain[2].removesuffix("\n"))


@contextmanager
def piped(program: str, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a program with an open pipe as input, and yield it with the address of its window."""
    with start(MAINS[program], *words, environment=NO_DISPLAY) as child:
        try:
            assert child.stderr
            if program == "sorcery":
                type_lines(child, "Ann", "Bob")
            line = child.stderr.readline()
            found = ADDRESS.search(line)
            assert found, line
            yield child, found[0]
        finally:
            child.kill()


def type_lines(child: subprocess.Popen[str], *lines: str) -> None:
    assert child.stdin
    child.stdin.writelines(f"{line}\n" for line in lines)
    child.stdin.flush()


def hear_end(page: Page) -> None:
    assert page.closed() == (4410, "The program has ended. This is the last position.")


@pytest.mark.slow
def test_a_pipe_and_a_window_play_the_same_match_and_the_end_of_input_ends_it() -> None:
    with piped("sorcery", "-graphics", "-seed", "oak") as (child, address):
        with page_at(address) as page:
            assert page.state(0)["your_turn"] == [0]
            page.act("end")
            state = page.state(1)
            assert state["your_turn"] == [1]
            assert len(state["choices"]) > 1, "nobody is asked to sit down at a pipe"
            type_lines(child, "end")
            assert page.state(2)["your_turn"] == [0]
            assert child.stdin
            child.stdin.close()
            hear_end(page)
        assert child.wait(60) == 0
        assert child.stdout
        output = child.stdout.read()
    assert [output.count(f"{name} ends the turn.") for name in ("Ann", "Bob")] == [1, 1]
    assert output.endswith("The game is over; nobody wins.\n")


@pytest.mark.slow
def test_the_window_of_a_match_with_added_cards_has_the_picture_and_bots_of_sorcery(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from sorcery import minion\nCARDS = (minion('Goose', cost=1, attack=0, defence=9),)\n",
        "utf-8",
    )
    words = ("-graphics", "-seed", "oak", "-cards", str(own))
    with piped("sorcery", *words) as (_, address), page_at(address) as page:
        table = page.until("table")
        assert table["rules"]
        assert {"duelist", "easy", "fair", "hard"} <= {bot["name"] for bot in table["bots"]}
        assert page.state(0)["svg"].startswith("<svg")


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 15])
def test_signal_ends_a_program_that_waits_at_a_pipe(number: int) -> None:
    with (
        piped("sorcery", "-graphics", "-seed", "oak") as (child, address),
        page_at(address) as page,
    ):
        page.state(0)
        child.send_signal(number)
        hear_end(page)
        assert child.wait(60) == 0
        assert child.stdout
        assert child.stdout.read().endswith("The game is over; nobody wins.\n")


# LCR.

LCR = ("lcr", "-graphics", "--players", "3", "--seed", "42")
THE_LINES = ["Ada Lovelace: ends her turn with 2", "Margaret Hamilton: ends her turn with 2"]


@pytest.mark.slow
def test_dice_of_human_players_wait_for_enter_or_a_click() -> None:
    with at_terminal(*LCR) as child, page_at(address_of(child)) as page:
        child.expect_exact("Ada Lovelace rolls.")
        page.state(0)
        page.act("roll")
        page.state(1)
        child.expect_exact(THE_LINES[0])
        child.expect_exact("Margaret Hamilton rolls.")
        child.send("\r")
        page.state(2)
        child.expect_exact(THE_LINES[1])
        page.say(type="undo")
        assert "cannot be undone" in page.until("refused")["message"]
        page.act("roll")
        while not (state := page.until("state"))["over"]:
            if state["your_turn"]:
                page.act("roll")
        child.expect_exact("Margaret Hamilton won!")
        child.expect_exact("press Enter")
        child.send("\r")
        hear_end(page)
        left(child)


@pytest.mark.slow
def test_the_window_of_lcr_has_the_picture_and_the_rules_of_the_game() -> None:
    with at_terminal(*LCR) as child, page_at(address_of(child)) as page:
        assert page.until("table")["rules"]
        assert page.state(0)["svg"].startswith("<svg")


@pytest.mark.slow
def test_asking_for_the_window_does_not_roll_and_end_of_input_rolls_all_dice() -> None:
    with at_terminal(*LCR) as child:
        address = address_of(child)
        child.expect_exact("Ada Lovelace rolls.")
        child.send("window\r")
        assert address_of(child) == address
        child.expect_exact("Ada Lovelace rolls.")
        child.sendeof()
        child.expect_exact("Margaret Hamilton won!")
        left(child)


@pytest.mark.slow
def test_ctrl_c_ends_the_game_with_a_window() -> None:
    with at_terminal(*LCR) as child, page_at(address_of(child)) as page:
        child.expect_exact("Ada Lovelace rolls.")
        page.state(0)
        child.send("\x03")
        hear_end(page)
        assert "lcr: interrupted" in left(child, 130)


# Constructor.


@pytest.mark.slow
def test_residences_are_built_in_the_window_and_at_the_terminal(tmp_path: Path) -> None:
    with at_terminal("constructor", "-graphics", "-no-record", cwd=tmp_path) as child:
        with page_at(address_of(child)) as page:
            child.expect_exact("Blue>")
            first = page.state(0)
            page.act(first["choices"][0]["words"])
            assert page.state(1)["your_turn"] == [1]
            child.expect("Builder Red, where do you want to build")
            child.send("20\r")
            assert page.state(2)["your_turn"] == [2]
            child.expect_exact("Orange>")
            child.sendeof()
            hear_end(page)
        child.expect_exact("backup.sv")
        left(child)
