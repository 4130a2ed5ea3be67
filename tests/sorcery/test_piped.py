"""The game at the prompt of the program `sorcery`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.program_runs import Printed
from tests.sorcery.programs import (
    DATA,
    Player,
    boards,
    cards_in_rows,
    last_board,
    process,
    read_board,
    run,
    run_here,
)
from tests.tabletop.told import tells

from sorcery import EDITIONS, GAME, Sorcery
from sorcery.program.table_commands import HELP, NOBODY_WINS
from sorcery.text.frames import SIMPLE
from sorcery.text.text_board import TextBoard
from tabletop import CommandError, IllegalAction, Match
from tabletop.records import read, replay
from tabletop.terminal import TABLE_COMMANDS

TESTING = ["-testing", "-seed=a test"]
AIRS = "Air Elemental\n" * 9


def deck(folder: Path, text: str, name: str = "own.deck") -> list[str]:
    """Return options that give both players a deck."""
    (folder / name).write_text(text, "utf-8")
    return [f"-deck{player}={folder / name}" for player in (1, 2)]


def told(printed: Printed) -> list[str]:
    """Return the output without pictures and help."""
    assert (printed.stderr, printed.status) == ("", 0)
    lines = printed.stdout.replace(HELP, "").splitlines()
    return [line for line in lines if line and not line.startswith(("|", "-----", "║", "┃"))]


# Names and turns.


def test_both_players_are_asked_for_their_names_first() -> None:
    lines = told(run_here(TESTING, "quit\n"))
    assert lines[:4] == [
        "Sorcery, Spring 2024. Seed: a test",
        "Player 1, what is your name?",
        "Player 2, what is your name?",
        "Sean's turn. Life: 20, magic: 4.",
    ]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Sean Harrap\nTen\n", ["Sean Harrap", "Ten"]),
        ("\n  \n", ["Player 1", "Player 2"]),
        ("  Sean \t H. \nquit\n", ["Sean H.", "quit"]),
        ("\x1b[2J\x07Sean\nTen\n", ["[2J Sean", "Ten"]),
        ("Sean\nSean\n", ["Sean", "Sean"]),
    ],
)
def test_names_are_whole_lines_without_characters_that_would_break_a_picture(
    typed: str, shown: list[str]
) -> None:
    board = last_board(run_here(TESTING, "board\nquit\n", names=typed).stdout)
    assert [player.name for player in board] == shown


def test_players_with_the_same_name_are_distinguished() -> None:
    lines = told(run_here(TESTING, "end\nquit\n", names="Sean\nSean\n"))
    assert "Sean (1) ends the turn." in lines
    assert "Sean (2)'s turn. Life: 20, magic: 4." in lines


def test_the_board_and_the_active_player_are_shown_at_the_start_of_every_turn() -> None:
    printed = run_here(TESTING, "end\nend\nend\nquit\n")
    assert len(boards(printed.stdout)) == 4
    assert [line for line in told(printed) if "'s turn" in line] == [
        "Sean's turn. Life: 20, magic: 4.",
        "Ten's turn. Life: 20, magic: 4.",
        "Sean's turn. Life: 20, magic: 5.",
        "Ten's turn. Life: 20, magic: 5.",
    ]


def test_events_at_the_start_of_a_turn_are_printed_before_its_board(tmp_path: Path) -> None:
    printed = run_here([*TESTING, *deck(tmp_path, "Dark Ritual\n")], "play 1\nend\nend\nquit\n")
    assert [read_board(board)[0].magic for board in boards(printed.stdout)] == [4, 4, 6]
    lines = told(printed)
    assert lines.index("Sean's Dark Ritual is triggered.") < lines.index(
        "Sean's turn. Life: 20, magic: 6."
    )


# Commands.


def test_help_lists_every_command_except_those_for_testing() -> None:
    assert HELP in run_here(TESTING, "help\nquit\n").stdout
    listed = [line.split()[0] for line in HELP.removeprefix("Commands:").splitlines()[:10]]
    assert listed == [
        *("help", "end", "quit", "attack", "attack", "play", "use", "inspect", "hand", "board"),
    ]
    assert "draw" not in HELP
    assert "discard" not in HELP


def test_letter_case_and_white_space_do_not_matter() -> None:
    printed = run_here(TESTING, "  PLAY \t 1  \n\n   \n HaNd\r\n eNd \nQUIT\n")
    assert "Sean plays Air Elemental." in told(printed)
    assert cards_in_rows(printed.stdout)[-1][0].name == "Earth Elemental"


@pytest.mark.parametrize("word", ["inspect", "describe"])
def test_a_minion_is_inspected_with_its_enchantments(word: str, tmp_path: Path) -> None:
    cards = deck(tmp_path, "Air Elemental\nGiant Strength\nEnrage\n")
    typed = f"play 1\nplay 1 1 1\nplay 1 1 1\n{word} 1\nquit\n"
    rows = cards_in_rows(run_here([*TESTING, *cards], typed).stdout)
    assert [card.minion for card in rows[-2]] == ["Air Elemental 6/6"]
    assert [card.name for card in rows[-1]] == ["Giant Strength", "Enrage"]


def test_an_empty_hand_is_reported(tmp_path: Path) -> None:
    words = ["-hand=0", *deck(tmp_path, AIRS)]
    assert "Your hand is empty." in told(run_here(words, "play 1\nhand\n"))


def test_draw_and_discard_need_testing_mode() -> None:
    lines = told(run_here(["-seed=x"], "draw\ndiscard 1\nDRAWN\nquit\n"))
    assert lines[4:6] == [
        "Draw is possible in testing mode only.",
        "Discard is possible in testing mode only.",
    ]
    assert "discard" not in lines[6]
    printed = run_here(TESTING, "discard 2\nhand\ndraw\nhand\nquit\n")
    first, second = cards_in_rows(printed.stdout)
    assert [len(first), len(second)] == [4, 5]
    assert "Earth Elemental" not in {card.name for card in second}


MISTAKES = {
    "attack 1": "You have no minions.",
    "atack 1": "Unknown command 'atack'; did you mean 'attack'?",
    "play": "Word 2, card, is missing: a whole number from 1 to 5; usage: play CARD"
    " [TARGET-PLAYER TARGET-CARD].",
    "play 1 2 1": "Air Elemental takes no target.",
    "play 1 2": "Word 4, target-card, is missing: 1, 2, 3, 4, 5 or r; usage: play CARD"
    " [TARGET-PLAYER TARGET-CARD].",
    "end turn": "Word 2, 'turn', is one too many; usage: end.",
    "inspect r": "Word 2, 'r', is not a whole number from 1 to 5 (minion); usage: inspect MINION.",
    "-graphics": "Unknown command '-graphics'; possible: help, end, quit, attack, play, use,"
    " draw, discard, inspect, hand, board.",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_is_explained_and_changes_nothing(line: str) -> None:
    printed = run_here(TESTING, f"board\nhand\n{line}\nboard\nhand\nquit\n")
    assert told(printed)[4] == MISTAKES[line]
    assert boards(printed.stdout)[-1] == boards(printed.stdout)[-2]
    assert len(set(map(tuple, cards_in_rows(printed.stdout)))) == 1


SMALL = st.integers(0, 6).map(str)
WORDS = st.sampled_from(
    [
        "help",
        "end",
        "attack",
        "play",
        "use",
        "inspect",
        "describe",
        "hand",
        "board",
        "draw",
        "discard",
        "r",
        "R",
        "PLAY",
        "1.2",
    ]
)
LINES = st.lists(WORDS | SMALL, min_size=1, max_size=4).map(" ".join)
# Commands of every table (`bot`, `undo`) are tested elsewhere.
NOISE = st.text(
    st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=9
).filter(lambda line: line.split()[:1] == [] or line.split()[0] not in TABLE_COMMANDS)
PLAYABLE = st.sampled_from(["play 1", "play 2", "end", "attack 1", "play 1 1 1", "use 1", "draw"])


@pytest.mark.slow
@given(st.lists(PLAYABLE | LINES | NOISE, max_size=14), st.sampled_from(["2024", "2017"]))
@settings(max_examples=40, deadline=None)
def test_the_display_matches_the_rules_after_any_lines(lines: list[str], edition: str) -> None:
    """Lines that are refused or not understood change nothing, and no line breaks the program."""
    game = Sorcery(EDITIONS[edition])
    match = Match(game, seed="a test", seats=["Sean", "Ten"], options={"testing": True})
    for line in lines:
        try:
            match.play(match.parse(line))
        except (CommandError, IllegalAction):
            continue  # including commands that only the program understands
    typed = "".join(f"{line}\n" for line in [*lines, "hand", "board"])
    printed = run_here([*TESTING, f"-edition={edition}"], typed)
    assert (printed.stderr, printed.status) == ("", 0)
    look, state = TextBoard(game.edition, SIMPLE), match.state
    shown = (
        f"{look.hand(state.sides[state.turn])}\n{look.board(state, match.names)}\n{NOBODY_WINS}\n"
    )
    assert printed.stdout.endswith(shown)


# The end of a game.


def test_a_player_without_life_loses_and_the_board_is_shown_once_more(tmp_path: Path) -> None:
    turn = "".join(f"attack {place}\n" for place in range(1, 6))
    typed = "play 1\n" * 5 + f"end\nend\n{turn}" * 4 + "board\n"
    printed = run_here([*TESTING, *deck(tmp_path, AIRS)], typed)
    lines = told(printed)
    assert lines[-2:] == ["Ten has 0 life.", "Sean wins: Ten has no life left."]
    assert printed.stdout.splitlines()[-2] == "-" * 167  # the last line of the board
    second: Player = last_board(printed.stdout)[1]
    assert second.life == 0


def test_quit_and_the_end_of_input_end_the_game() -> None:
    assert told(run_here(TESTING, "quit\nboard\n"))[-2:] == ["Sean quits the game.", NOBODY_WINS]


@pytest.mark.parametrize("typed", ["", "Sean\n", "Sean\nTen\n", "Sean\nTen\nend\nplay 1"])
def test_the_end_of_input_has_the_effect_of_quit(typed: str) -> None:
    assert told(run_here(TESTING, names=typed))[-1] == NOBODY_WINS


# Seeds.


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game_and_another_seed_does_not() -> None:
    first, again, other = (
        run_here([f"-seed={seed}"], "hand\nend\nhand\n").stdout.splitlines()[1:]
        for seed in ("Brave World", " brave world", "other")
    )
    assert first == again != other


@pytest.mark.slow
def test_a_random_seed_is_printed_and_can_be_used_again() -> None:
    first = run_here([], "hand\n")
    seed = told(first)[0].removeprefix("Sorcery, Spring 2024. Seed: ")
    assert len(seed.split()) == 3
    assert run_here([f"-seed={seed}"], "hand\n") == first
    assert told(run_here([], "hand\n"))[0] != told(first)[0]


# Endless triggers.

FEEDING = """
from sorcery import EVENT_MINION, Damage, Summon, Trigger, When, minion

BURN = Trigger(When.ENTERS, Damage(EVENT_MINION, 1), "Burn")
BEAR = Trigger(When.ENTERS, Summon("Air Elemental"), "Bear")
CARDS = [
    minion("Furnace", cost=0, attack=1, defence=9).having(BURN),
    minion("Mother", cost=0, attack=1, defence=9).having(BEAR),
]
"""


@pytest.fixture
def feeding(tmp_path: Path) -> list[str]:
    """Return options for a deck of two cards that set each other off without end."""
    (tmp_path / "feeding.py").write_text(FEEDING)
    return [f"-cards={tmp_path / 'feeding.py'}", *deck(tmp_path, "Furnace\nMother\n")]


def test_endless_triggers_are_reported_and_change_nothing(feeding: list[str]) -> None:
    printed = run_here([*TESTING, *feeding], "play 1\nboard\nplay 1\nboard\nend\nquit\n")
    message = next(line for line in told(printed) if "endlessly" in line)
    assert message.startswith("Triggers activate each other")
    assert message.endswith(". Nothing has changed.")
    _, before, after, _ = boards(printed.stdout)
    assert before == after
    assert "Sean ends the turn." in told(printed)


CRASHING = """
from sorcery import spell
from sorcery import Effect

class Crash(Effect):
    def happen(self, moment):
        moment.engine.gain_magic(0, 5)
        raise KeyError("gone")

CARDS = [spell("Crash", Crash(), "Crash", cost=0)]
"""


def test_a_failing_card_is_undone_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "crashing.py").write_text(CRASHING)
    words = [*TESTING, f"-cards={tmp_path / 'crashing.py'}", *deck(tmp_path, "Crash\n")]
    lines = told(run_here(words, "play 1\nend\nquit\n"))
    failed = "play 1 failed at ply 1: KeyError('gone') (crashing.py, line 8)"
    assert lines[4] == f"Sorcery: {failed}. Nothing has changed."
    assert lines[5:7] == ["Sean ends the turn.", "Ten has 4 magic."]


# Encodings.


@pytest.mark.slow
def test_invalid_text_is_shown_with_replacement_characters(tmp_path: Path) -> None:
    printed = process(tmp_path, *TESTING, typed=b"S\xe9an\nTen\n\x00\xff 1\nplay 1\n")
    assert "S\N{REPLACEMENT CHARACTER}an plays Air Elemental." in told(printed)


# Bots.


def test_the_turns_of_a_bot_are_played_and_reported() -> None:
    lines = told(run_here([*TESTING, "-bot", "2"], "end\nquit\n", names="Sean\n\n"))
    begins, ends = (
        lines.index(line)
        for line in ("Duelist's turn. Life: 20, magic: 4.", "Duelist ends the turn.")
    )
    turn = lines[begins + 1 : ends]
    plays = [line for line in turn if line.startswith("Duelist> ")]
    assert turn[0] == plays[0] == "Duelist> play 4"
    assert turn[1] == "Duelist plays Potion Seller."
    assert plays[-1] == "Duelist> end"
    assert lines[ends + 1] == "Sean has 5 magic."


def test_two_bots_play_to_the_end_without_input() -> None:
    printed = run_here(["-bot=1", "-bot=2=random", "-seed=bots"], names="")
    assert told(printed)[-1] == "Duelist wins: Random has no life left."


def test_bots_do_not_use_testing_commands_with_added_cards(tmp_path: Path) -> None:
    path = tmp_path / "bears.py"
    path.write_text(
        "from sorcery import minion\nCARDS = [minion('Bear', cost=0, attack=1, defence=1)]\n"
    )
    words = [*TESTING, f"-cards={path}", *deck(tmp_path, "Bear\n" * 6), "-bot=all=random"]
    lines = told(run_here(words, names=""))
    assert "Random (1)> play 1" in lines
    assert not [line for line in lines if "> draw" in line or "> discard" in line]


def test_bots_without_possible_actions_reach_a_draw(tmp_path: Path) -> None:
    printed = run_here(["-bot=all=random", *deck(tmp_path, "")], names="")
    assert printed.stdout.endswith("\nA draw (nothing has changed for 50 turns).\n")
    assert printed.status == 0


# Transcripts.

TRANSCRIPTS = sorted((DATA / "transcripts").glob("*.in"))


@pytest.mark.parametrize("script", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_whole_game_matches_its_transcript(script: Path) -> None:
    arguments = script.with_suffix(".args").read_text("utf-8").split()
    printed = run(script.parent, *arguments, f"-init={script}")
    assert printed == Printed(script.with_suffix(".out").read_text("utf-8"))


def test_there_are_transcripts_of_both_editions_and_styles() -> None:
    arguments = [script.with_suffix(".args").read_text("utf-8") for script in TRANSCRIPTS]
    assert any("-edition 2017" in words for words in arguments)
    assert any("-style fancy" in words for words in arguments)


# Features of all tables.


@pytest.mark.parametrize("word", ["undo", "bot 2", "log"])
def test_piped_input_accepts_only_the_commands_of_help(word: str) -> None:
    """At a terminal, `help` also lists the commands of all tables (see `test_terminal`)."""
    assert word.split(maxsplit=1)[0] not in {line.split()[0] for line in HELP.splitlines()}
    lines = told(run_here(TESTING, f"play 1\n{word}\ninspect 1\nquit\n"))
    assert lines[5].startswith(f"Unknown command '{word.split(maxsplit=1)[0]}'; ")
    assert "You have no minions." not in lines


@pytest.mark.slow
def test_a_random_seed_uses_the_words_of_the_game() -> None:
    words = {*GAME.vocabulary.adjectives, *GAME.vocabulary.nouns}
    first = run_here([], names="").stdout.splitlines()[0]
    assert words.issuperset(first.partition("Seed: ")[2].split())


@pytest.mark.slow
def test_a_record_can_be_replayed_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    plain = run_here(TESTING, "play 1\nend\n")
    assert run_here([*TESTING, f"-record={file}"], "play 1\nend\n") == plain
    record = read(file)
    assert (record.header.game, record.header.seats) == ("sorcery", ("Sean", "Ten"))
    assert [str(action) for action in replay(record, GAME).actions] == ["play 1", "end"]
    resumed = run_here([f"-resume={file}"], "inspect 1\nend\nquit\n", names="")
    lines = told(resumed)
    assert lines[0] == "Sorcery, Spring 2024. Seed: a test"
    assert lines[1] == "Ten's turn. Life: 20, magic: 4."
    assert "Ten ends the turn." in lines
    again = run_here([f"-resume={file}"], names="")
    assert (again.status, "ended" in again.stderr) == (2, True)


def test_matches_with_added_cards_are_not_recorded(feeding: list[str], tmp_path: Path) -> None:
    refused = run_here([*feeding, f"-record={tmp_path / 'game.jsonl'}"])
    assert refused.status == 2
    assert tells(refused.stderr, "sorcery: -record: ... added cards")


def test_piped_input_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    run_here(TESTING, "play 1\n")
    assert not list(tmp_path.rglob("*"))
