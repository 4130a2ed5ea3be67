"""The options of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.program_runs import Printed, piped
from tests.sorcery.programs import boards, cards_in_rows, last_board, process, read_board, run_here
from tests.tabletop.cli.program import here as tabletop
from tests.tabletop.cli.program import shown
from tests.tabletop.told import tells

from sorcery import SPRING_2024, packaged_deck
from sorcery.program.cli import build_parser
from tabletop.records import read
from tabletop.rng.build_in_use import build_in_use


def test_the_usage_line_has_every_option_with_one_dash() -> None:
    usage = " ".join(build_parser().format_usage().split())
    assert usage == (
        "usage: sorcery [-h] [-version] [-deck1 FILE] [-deck2 FILE] [-init FILE] [-testing]"
        " [-hand N] [-edition NAME] [-style NAME] [-seed TEXT] [-weekly | -daily]"
        " [-cards FILE.py] [-bot SEAT[=NAME]]"
        " [-graphics] [-record FILE | -no-record | -resume [FILE]]"
    )


def test_options_may_have_two_dashes() -> None:
    typed = ["-deck1", "my.deck", "-testing", "-bot", "2", "-bot=1=random", "-style", "simple"]
    one = build_parser().read(typed)
    two = build_parser().read([f"-{word}" if word[0] == "-" else word for word in typed])
    assert one == two
    assert (one.deck1, one.testing, one.bot) == ("my.deck", True, ["2", "1=random"])


# The options of the program and the files that they name.


TESTING = ["-testing", "-seed=a test"]


def hand(printed: Printed) -> list[str]:
    """Return the names of the cards in the last printed hand."""
    assert (printed.stderr, printed.status) == ("", 0)
    return [card.name for card in cards_in_rows(printed.stdout)[-1]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Weekly and daily seeds.


@pytest.mark.parametrize("contest", ["weekly", "daily"])
def test_a_weekly_match_is_the_same_in_all_programs(
    contest: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21")
    (here / "default.deck").write_text("Blizzard\n")  # not used in a weekly match
    run_here([f"-{contest}", "-record", "program.jsonl"], "quit\n")
    tabletop("play", "sorcery", f"--{contest}", "--record", "table.jsonl", typed="quit\n")
    program, table = (read(here / name).header for name in ("program.jsonl", "table.jsonl"))
    assert (program.seed, program.seed_origin) == (table.seed, contest)
    assert program.options == table.options


@pytest.mark.parametrize("recorded", [[], ["-record", "game.jsonl"]])
def test_a_finished_weekly_match_counts_with_piped_input(
    recorded: list[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here))
    played = run_here(["-weekly", *recorded], "end\n" * 60)
    assert (played.stderr, played.status) == ("", 0)
    assert "Score" not in played.stdout
    assert len(shown("scores", "sorcery", "--weekly").splitlines()) == 2


def test_a_resumed_weekly_match_counts_with_piped_input(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here))
    run_here(["-weekly", "-record", "game.jsonl"], "end\n")
    run_here(["-resume", "game.jsonl"], "end\n" * 60, names="")
    assert len(shown("scores", "sorcery", "--weekly").splitlines()) == 2


def test_an_ordinary_match_has_no_score_with_piped_input(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here))
    run_here(["-seed", "x", "-bot", "all=random"])
    assert len(shown("scores", "sorcery").splitlines()) == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "word", ["-seed=x", "-deck1=custom.deck", "-deck2=default.deck", "-testing"]
)
def test_a_weekly_match_accepts_no_other_setup_options(word: str) -> None:
    refused = run_here(["-weekly", word])
    name = word.partition("=")[0]
    assert tells(refused.stderr, f"sorcery: -weekly ... {name} ")
    assert refused.stderr.count("\n") == 1
    assert refused.status == 2


# Decks.


def test_the_deck_of_the_current_directory_is_the_default(here: Path) -> None:
    (here / "default.deck").write_text("Blizzard\n")
    (here / "other").write_text("Banish\n")
    assert hand(run_here([*TESTING, "-deck2", "other"], "hand\n")) == ["Blizzard"]
    assert hand(run_here([*TESTING, "-deck2", "other"], "end\nhand\n")) == ["Banish"]


@pytest.mark.usefixtures("here")
def test_the_packaged_deck_is_used_if_there_is_no_other() -> None:
    first = ["Air Elemental", "Earth Elemental", "Fire Elemental", "Potion Seller"]
    assert hand(run_here(TESTING, "hand\n")) == [*first, "Novice Pyromancer"]
    assert hand(run_here([*TESTING, "-edition=2017"], "hand\n")) == first


@pytest.mark.parametrize(
    ("name", "cards", "last"),
    [
        ("default.deck", 19, "Standstill"),
        ("custom.deck", 23, "Echo Cave"),
    ],
)
def test_the_packaged_decks_can_be_named_unless_a_file_has_the_name(
    name: str, cards: int, last: str, here: Path
) -> None:
    words = [*TESTING, "-edition=2017", "-deck1", name]
    draws = "discard 1\ndraw\n" * (cards - 4)
    assert hand(run_here(words, f"{draws}hand\n"))[-1] == last
    (here / name).write_text("Blizzard\n")
    assert hand(run_here(words, "hand\n")) == ["Blizzard"]


def test_a_packaged_deck_has_all_cards_of_2024(here: Path) -> None:
    words = [*TESTING, "-deck1", "full.deck", "-deck2", "full.deck"]
    draws = "discard 1\ndraw\n" * 17
    assert hand(run_here(words, f"{draws}hand\n"))[-3:] == ["Bone Golem", "Enrage", "Haste"]
    assert set(packaged_deck("full.deck").splitlines()) == set(SPRING_2024.cards)


@pytest.mark.parametrize(("words", "cards"), [([], 4), (["-hand", "5"], 5), (["-hand=1"], 1)])
def test_a_game_of_2017_deals_four_cards_unless_an_option_sets_the_number(
    words: list[str], cards: int, here: Path
) -> None:
    names = packaged_deck().splitlines()[:cards]
    assert hand(run_here([*TESTING, "-edition=2017", *words], "hand\n")) == names


def test_a_hand_larger_than_the_limit_is_refused(here: Path) -> None:
    printed = run_here([*TESTING, "-hand", "6"], "hand\n")
    assert (printed.stdout, printed.status) == ("", 2)
    assert "6" in printed.stderr


def test_decks_ignore_case_blanks_and_kinds_of_line_ends(here: Path) -> None:
    (here / "d").write_bytes(b"\xef\xbb\xbf  blizzard \r\n\r\nBONE   golem\n\n")
    assert hand(run_here([*TESTING, "-deck1=d"], "hand\n")) == ["Blizzard", "Bone Golem"]


REFUSED = {
    "-graphic": "there is no option '-graphic'; did you mean '-graphics'?",
    "--grafics": "there is no option '--grafics'",
    "-dek1 x": "there is no option '-dek1'; did you mean '-deck1'?",
    "stray": "there is no option 'stray'",
    "-deck1": "argument -deck1: expected one argument",
    "-deck1 nope": "-deck1 'nope': there is no such file",
    "-deck2 .": "-deck2 '.': Is a directory",
    "-deck1 odd": "'Bone Golm' is not a card of the 2024 edition; did you mean 'Bone Golem'?",
    "-deck1 odd -edition 2017": "'Bone Golm' is not a card of the 2017 edition",
    "-deck1 raw": "-deck1 'raw': line 2: byte 0xff is not valid UTF-8",
    "-init nope": "-init 'nope': there is no such file",
    "-init raw": "-init 'raw': line 2: byte 0xff is not valid UTF-8",
    "-record .": "argument -record: '.' is a folder; name a file",
    "-edition 2018": "argument -edition: invalid choice: '2018'",
    "-style fanciest": "argument -style: invalid choice: 'fanciest'",
    "-bot 3": "-bot '3': no such seat; give 1, 2, a range such as 1-2, or all",
    "-bot 2=deep": "-bot '2=deep': sorcery has no bot 'deep'; its bots: duelist, easy, fair, ",
    "-bot 2=": "-bot '2=': sorcery has no bot ''",
    "-cards nope.py": "nope.py: there is no such file",
    "-cards odd": "odd: this is not a Python file",
    "-cards twice.py": "twice.py: two cards have the name",
    "-cards broken.py": "broken.py: ZeroDivisionError: division by zero (broken.py, line 2)",
    "-cards unfinished.py": "(unfinished.py, line 2)",
}


@pytest.mark.parametrize("words", REFUSED)
def test_wrong_options_are_refused_in_one_line_before_the_first_question(
    words: str, here: Path
) -> None:
    (here / "odd").write_text("Air Elemental\nBone Golm\n")
    (here / "raw").write_bytes(b"Air Elemental\n\xff\xfe\n")
    twice = "from sorcery import spell\nfrom sorcery.cards.effects import Draw\n"
    (here / "twice.py").write_text(
        f"{twice}CARDS = [spell('banish', Draw(), 'Draw a card', cost=1)]\n"
    )
    (here / "broken.py").write_text("x = 1\nx / 0\n")
    (here / "unfinished.py").write_text("x = 1\ndef (\n")
    printed = run_here(words.split())
    assert (printed.stdout, printed.status) == ("", 2)
    assert printed.stderr.startswith("sorcery: ")
    assert REFUSED[words] in printed.stderr
    assert printed.stderr.count("\n") == 1


def test_a_deck_file_without_cards_is_reported_and_played(here: Path) -> None:
    (here / "none.deck").write_text("\n  \n")
    printed = run_here([*TESTING, "-deck1", "none.deck"], "hand\n")
    assert tells(printed.stderr, "sorcery: -deck1 'none.deck': ... empty")
    assert printed.stderr.count("\n") == 1
    assert cards_in_rows(printed.stdout) == []
    assert printed.status == 0


def test_the_deck_of_the_current_directory_is_checked_too(here: Path) -> None:
    (here / "default.deck").write_text("Potion Sellr\n")
    printed = run_here()
    fault = "sorcery: 'default.deck': line 1: 'Potion Sellr' ... 2024"
    assert tells(printed.stderr, f"{fault} ... 'Potion Seller' ... -cards FILE.py")
    assert printed.stderr.count("\n") == 1
    assert printed.status == 2


@pytest.mark.parametrize("word", ["-version", "--version", "-V"])
def test_the_version_is_that_of_the_project(word: str) -> None:
    from importlib.metadata import version

    said = f"sorcery {version('tabletop-rules')} ({build_in_use()})\n"
    assert run_here([word], names="") == Printed(said)


@pytest.mark.parametrize("word", ["-h", "-help", "--help"])
def test_the_help_describes_every_option(word: str) -> None:
    shown = run_here([word], names="").stdout
    options: tuple[str, ...] = (
        "deck1",
        "deck2",
        "init",
        "testing",
        "edition",
        "style",
        "seed",
        "cards",
        "bot",
    )
    options += ("graphics",)
    assert [name for name in (*options, "graphics") if f"\n  -{name}" not in shown] == []
    assert "--" not in shown, "the document spells them with one dash"


def test_the_help_names_the_sizes_of_hands() -> None:
    text = " ".join(run_here(["-h"], names="").stdout.split())
    assert tells(text, "by default 5, ... 4 in the 2017 edition")


# The start of a game.


def test_init_is_read_before_standard_input_and_contains_the_names(here: Path) -> None:
    (here / "begin").write_bytes(b"Bjarne\r\nLinus\r\nplay 1\r\nplay 1\r\n")
    printed = run_here([*TESTING, "-init", "begin"], "play 1\nboard\n", names="")
    first, second = last_board(printed.stdout)
    assert (first.name, second.name) == ("Bjarne", "Linus")
    cards = ["Air Elemental", "Earth Elemental", "Fire Elemental"]
    assert [card.name for card in first.minions] == cards


def test_decks_and_init_may_be_pipes() -> None:
    with piped("Banish\n") as deck, piped("Bjarne\nLinus\nhand\n") as begin:
        printed = run_here([*TESTING, "-deck1", deck, "-init", begin], names="")
    assert hand(printed) == ["Banish"]


@pytest.mark.slow
def test_init_may_be_standard_input(tmp_path: Path) -> None:
    typed = "Bjarne\nLinus\nhand\n"
    printed = process(tmp_path, *TESTING, "-init", "/dev/stdin", typed=typed)
    assert len(hand(printed)) == 5


def test_init_may_end_before_the_second_name(here: Path) -> None:
    (here / "begin").write_text("Bjarne")
    printed = run_here([*TESTING, "-init", "begin"], "play 1\n", names="Ten\n")
    assert printed.stdout.splitlines()[-2] == "Bjarne plays Air Elemental."


def test_an_edition_is_selected_by_its_year() -> None:
    magic = {}
    for edition in ("2017", "2024"):
        printed = run_here([*TESTING, "-edition", edition])
        magic[edition] = read_board(boards(printed.stdout)[0])[0].magic
        assert printed.stdout.startswith(f"Sorcery, Spring {edition}. ")
    assert magic == {"2017": 3, "2024": 4}


# Styles.


@pytest.mark.slow
def test_the_fancy_style_is_written_even_if_the_stream_cannot_encode_it(tmp_path: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    printed = process(tmp_path, "-style=fancy", typed="Ségolène\nTen\n", environment=ascii_only)
    assert (printed.stderr, printed.status) == ("", 0)
    assert "?" * 167 in printed.stdout


# Custom cards.

OWN = """
from sorcery import minion, spell
from sorcery import Draw
from sorcery import YOU

CARDS = (
    minion("Golden Goose", cost=1, attack=0, defence=9),
    spell("Insight", Draw(YOU, 2), "Draw two cards", cost=0),
)
"""


@pytest.mark.parametrize("edition", ["2017", "2024"])
def test_cards_of_a_file_can_be_used_in_decks_of_every_edition(edition: str, here: Path) -> None:
    (here / "own.py").write_text(OWN)
    (here / "own.deck").write_text("Insight\nGolden Goose\n")
    words = [*TESTING, f"-edition={edition}", "-cards", "own.py", "-deck1", "own.deck"]
    printed = run_here(words, "hand\nplay 2\nplay 1\nboard\n")
    assert hand(printed) == ["Insight", "Golden Goose"]
    assert [card.minion for card in last_board(printed.stdout)[0].minions] == ["Golden Goose 0/9"]


@pytest.mark.parametrize("words", [[], ["-cards", "own.py"]], ids=["its own cards", "added cards"])
def test_the_bot_is_the_duelist_unless_another_is_named(words: list[str], here: Path) -> None:
    (here / "own.py").write_text(OWN)
    printed = run_here([*TESTING, *words, "-bot", "1"], "end\n", names="\nTen\n")
    assert printed.status == 0
    assert "Duelist's turn." in printed.stdout


def test_an_existing_record_is_refused_before_any_question(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("mine", "utf-8")
    done = run_here(["-record", str(path)])
    assert done.status
    assert tells(done.stderr, "mine.jsonl ... already exists")
    assert done.stdout == ""
    assert path.read_text("utf-8") == "mine"


def test_the_default_deck_is_not_recorded_as_an_option(tmp_path: Path) -> None:
    own = tmp_path / "own.deck"
    own.write_text("Air Elemental\n", "utf-8")
    path = tmp_path / "match.jsonl"
    run_here([*TESTING, "-deck2", str(own), "-record", str(path)], "end\n")
    options = read(path).header.options
    assert (options["deck1"], options["deck2"]) == (None, "Air Elemental\n")
