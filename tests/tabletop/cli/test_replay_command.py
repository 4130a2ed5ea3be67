"""The command that plays a match with the same setup."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Match
from tabletop.host import printable
from tabletop.records import command_to_play, read
from tabletop.records.replay_command import MOST_LETTERS, quoted
from tabletop.registry import load
from tabletop.rules import OptionValue
from tests.tabletop.cli.program import TICTACTOE, here


def again(shown: str) -> str:
    """Return the command in the last line of a score sheet."""
    last = shown.splitlines()[-1]
    assert last.startswith("  again ")
    return last.removeprefix("  again").strip()


def test_a_score_sheet_ends_with_a_command_for_the_same_setup(tmp_path: Path) -> None:
    words = ["--seed", "it's an oak", "--seats", "4", "--option", "course-seed=7", "--bot", "all"]
    first = here("play", "lcr", *words, "--record", tmp_path / "first.jsonl")
    command = again(first.stdout)
    assert command == (
        """tabletop play lcr --seed 'it'"'"'s an oak' --seats 4 --option course-seed=7"""
    )
    here(*shlex.split(command)[1:], "--bot", "all", "--record", tmp_path / "second.jsonl")
    one, other = (read(tmp_path / f"{name}.jsonl") for name in ("first", "second"))
    assert [entry.do for entry in one.entries] == [entry.do for entry in other.entries]
    assert (one.header.seed, one.header.options) == (other.header.seed, other.header.options)


@pytest.mark.slow
def test_unrecorded_and_resumed_matches_also_print_the_command(
    tmp_path: Path,
) -> None:
    play, oak = ("play", "lcr", "--seed", "oak"), "tabletop play lcr --seed oak --seats 3"
    assert again(here(*play, "--bot", "all", "--no-record").stdout) == oak
    assert "again" not in here(*play, "--bot", "all", "--no-record", "--no-score").stdout
    path = tmp_path / "match.jsonl"
    here(*play, "--record", path, typed="roll\n")
    assert again(here("resume", path, typed="roll\n" * 99).stdout) == oak


def test_the_command_contains_a_relative_path_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = load(TICTACTOE).source
    match = Match(load(TICTACTOE).game, seed="-oak")
    monkeypatch.chdir(Path(TICTACTOE).parent)
    assert command_to_play(match, source) == "tabletop play tictactoe.py --seed=-oak --seats 2"
    monkeypatch.chdir("/")
    assert Path("/", shlex.split(command_to_play(match, source))[2]) == Path(TICTACTOE)


def test_the_command_contains_only_changed_options() -> None:
    options: dict[str, OptionValue] = {"testing": True, "patience": 50, "deck1": "Banish\n"}
    match = Match(load("sorcery").game, seed="oak", options=options)
    command = command_to_play(match, "sorcery")
    assert command == (
        "tabletop play sorcery --seed oak --seats 2"
        r" --option $'deck1=Banish\n' --option testing=yes"
    )


@pytest.mark.slow
def test_the_command_refers_to_the_record_for_a_deck(tmp_path: Path) -> None:
    deck, first, second = (tmp_path / name for name in ("own.deck", "first.jsonl", "second.jsonl"))
    deck.write_text("Air Elemental\n" * 30 + "Banish\n", "utf-8")
    words = ["--option", f"deck1=@{deck}", "--seed", "oak", "--bot", "all"]
    command = again(here("play", "sorcery", *words, "--record", first).stdout)
    assert command == f"tabletop play sorcery --like {first}"
    deck.unlink()
    here(*shlex.split(command)[1:], "--bot", "all", "--record", second)
    one, other = read(first), read(second)
    assert one.header.options == other.header.options
    assert [entry.do for entry in one.entries] == [entry.do for entry in other.entries]


def test_long_options_and_given_states_print_no_command() -> None:
    deck = "Air Elemental\n" * MOST_LETTERS
    match = Match(load("sorcery").game, seed="oak", options={"deck1": deck})
    assert command_to_play(match, "sorcery").endswith("they are in the record")
    game = load(TICTACTOE).game
    match = Match(game, state=Match(game, seed="x").state)
    assert "from a given position" in command_to_play(match, TICTACTOE)


def test_rules_that_no_name_loads_print_no_command() -> None:
    assert command_to_play(Match(load(TICTACTOE).game, seed="oak"), "").startswith("none: ")


def words_of(command: str) -> list[str]:
    """Return the words of a command as a shell parses it."""
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8").split("\0")[:-1]


LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@given(st.lists(st.text(LETTERS), min_size=1, max_size=40))
def test_the_quoted_command_is_exact_and_printable(texts: list[str]) -> None:
    words = [quoted(text) for text in texts]
    assert [printable(word) for word in words] == words
    plain = [word for word in words if not word.startswith("$'")]
    assert shlex.split(" ".join(plain)) == [
        text for text, word in zip(texts, words, strict=True) if word in plain
    ]


@pytest.mark.slow
def test_bash_reads_the_exact_text() -> None:
    texts = ["it's", "a\\b\n\tc'", "\x1b[2J", "\u202eback", "ünï", "", '$HOME `x` "y"', "\x85"]
    assert words_of(" ".join(map(quoted, texts))) == texts
