"""The texts that a table sends to a terminal elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import pytest
from typing_extensions import override

from tabletop import ActionPlayed, Match
from tabletop.display import ConsoleText, Reading, Shown, Size
from tabletop.match import AnyMatch
from tabletop.protocol import (
    ActIn,
    AskIn,
    DoneOut,
    HelpIn,
    HelpOut,
    HintIn,
    LayoutIn,
    LogOut,
    MessageIn,
    MessageOut,
    NoteOut,
    RefusedOut,
    SampleIn,
    SayIn,
    SitIn,
    StateOut,
    TableOut,
    TextOut,
    UndoIn,
)
from tabletop.registry import load
from tabletop.table.inputs import HandOver, Wants, rounded_size
from tabletop.table.limits import TableLimits
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.table.sittings import WORDS, Sitting

SEALED = "tests/tabletop/games/sealed.py"
WANTS = Wants(size=Size(80, 24))

M = TypeVar("M", bound=MessageOut)


def seated(
    game: str,
    *links: int | None,
    players: tuple[str, ...] = (),
    seats: int = 2,
    wants: Wants = WANTS,
    shared: bool = False,
) -> Sitting:
    """Return a table with a terminal for each of the links."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    seating = {0: None} if shared else None
    table = Sitting(match, plugin, players, seating=seating, undo="free")
    table.open(*links, wants=wants)
    return table


def ask(table: Sitting, link: int | None, message: MessageIn, kind: type[M]) -> M:
    """Send a message from a terminal, and return the last message of a kind that follows."""
    table.hear(link)
    table.ask(link, message)
    return last(table, link, kind)


def last(table: Sitting, link: int | None, kind: type[M]) -> M:
    """Return the last message of a kind that a terminal receives."""
    messages = [message for message in table.hear(link) if isinstance(message, kind)]
    assert messages, kind
    return messages[-1]


def test_a_terminal_receives_the_question_as_a_local_terminal_shows_it() -> None:
    table = seated(TICTACTOE, 0)
    state = last(table, 0, StateOut)
    plugin = table.table.plugin
    shown = ConsoleText(plugin.game, plugin.text).question(table.reading(0, WANTS.size))
    assert state.text == shown.text
    assert state.numbered == shown.numbered == 9
    assert state.prompt == "Player 1> "


def test_a_page_receives_the_position_and_no_texts_of_a_terminal() -> None:
    table = seated(TICTACTOE, 0, wants=WORDS)
    state = last(table, 0, StateOut)
    assert state.text == ". . .\n. . .\n. . ."
    assert (state.news, state.numbered, state.prompt) == ("", 0, "Your turn")


def test_a_terminal_receives_a_note_that_is_in_the_log_only_as_a_line_of_the_log() -> None:
    table = seated(TICTACTOE, 0)
    table.open(1, wants=WORDS)
    table.receive(HandOver(1, "Bo sat down"))
    for link, notes in ((0, 0), (1, 1)):
        heard = table.hear(link)
        lines = [line.text for log in heard if isinstance(log, LogOut) for line in log.lines]
        assert lines[-1] == "Bo sat down"
        assert sum(isinstance(it, NoteOut) for it in heard) == notes


def test_each_terminal_receives_the_news_since_its_last_state() -> None:
    table = seated(TICTACTOE, 0, 1)
    table.hear(0)
    table.hear(1)
    table.ask(0, ActIn("5"))
    assert last(table, 0, StateOut).news == "Player 1: 5"
    table.ask(1, ActIn("1"))
    assert last(table, 1, StateOut).news == "Player 1: 5\nPlayer 2: 1"
    assert last(table, 0, StateOut).news == "Player 2: 1"


def test_a_terminal_that_comes_late_receives_the_position_and_no_old_news() -> None:
    table = seated(TICTACTOE, 0)
    table.ask(0, ActIn("5"))
    table.open(0, None, wants=WANTS)
    for link in (0, None):
        state = last(table, link, StateOut)
        assert state.news == ""
        assert "x" in state.text, "also for people who are not to act"


def test_the_text_stays_until_the_position_changes() -> None:
    table = seated("sorcery", 0, 1)
    [seat] = table.match.to_act
    first = last(table, seat, StateOut)
    table.table.holders[seat].remark("somebody has come")
    again = last(table, seat, StateOut)
    assert (again.text, again.revision) == (first.text, first.revision)


def test_the_board_of_sorcery_is_shown_once_in_a_turn_and_after_an_undo() -> None:
    table = seated("sorcery", 0, 1)
    [seat] = table.match.to_act
    board = last(table, seat, StateOut).text
    line = next(it for it in map(str, table.match.legal_actions(seat)) if it.startswith("play"))
    later = ask(table, seat, ActIn(line), StateOut).text
    assert len(later) < len(board) / 2
    undone = ask(table, seat, UndoIn(), StateOut).text
    assert undone in board, "the size of the board is explained only once"


def test_a_bots_turn_is_summarized_for_a_terminal() -> None:
    table = seated("constructor", 0, players=("human", "random", "random", "random"), seats=4)
    table.hear(0)
    for _ in range(100):
        if table.match.over or table.match.state.turn:
            break
        if 0 in table.match.to_act:
            table.ask(0, ActIn(str(table.match.legal_actions(0)[0])))
        table.wait(1)
    news = [it.news for it in table.hear(0) if isinstance(it, StateOut)]
    assert any(news)


def test_texts_of_a_terminal_have_neither_colours_nor_control_characters() -> None:
    for game in ("sorcery", "constructor", "lcr"):
        table = seated(game, 0, seats=load(game).game.seats[-1])
        state = last(table, 0, StateOut)
        assert "\x1b" not in state.text + state.news + state.prompt


class Red(ConsoleText[Any]):
    """Texts in red, even for terminals without colours."""

    @override
    def question(self, reading: Reading[Any]) -> Shown:
        return Shown("\x1b[31mthe position\x1b[0m")


def test_an_answer_to_a_terminal_has_no_control_characters() -> None:
    table = seated(TICTACTOE, 0)
    plugin = table.table.plugin
    table.table.questions.texts = Red(plugin.game, plugin.text)
    answer = ask(table, 0, AskIn("/table", id=1), TextOut).text
    assert "the position" in answer
    assert "\x1b" not in answer


def test_a_choice_has_a_hint_at_a_terminal_and_not_on_a_page() -> None:
    table = seated("sorcery", 0, 1)
    [seat] = table.match.to_act
    assert any(choice.hint for choice in last(table, seat, StateOut).choices)
    table.open(seat, wants=WORDS)
    assert not any(choice.hint for choice in last(table, seat, StateOut).choices)


def test_a_terminal_receives_labels_that_can_be_typed_and_a_page_those_of_buttons() -> None:
    for wants, label in ((WANTS, "1"), (WORDS, "x on 1")):
        table = seated("examples/tictactoe.py", 0, 1)
        table.open(0, wants=wants)
        assert last(table, 0, StateOut).choices[0].label == label


def test_a_refusal_at_a_terminal_has_the_words_of_the_game() -> None:
    table = seated("sorcery", 0, 1)
    [seat] = table.match.to_act
    words = ask(table, seat, ActIn("plya 1", id=1), RefusedOut)
    table.open(seat, wants=WORDS)
    plain = ask(table, seat, ActIn("plya 1", id=1), RefusedOut)
    assert words.reason == plain.reason == "words"
    assert "play" in words.message
    assert words.message != plain.message


def test_a_refusal_at_a_terminal_has_the_labels_of_actions() -> None:
    table = seated("examples/chess.py", 0, 1)
    assert "'Nh3'" in ask(table, 0, ActIn("Nq3", id=1), RefusedOut).message


def test_the_label_of_an_illegal_action_is_refused_with_the_reason() -> None:
    table = seated("examples/chess.py", 0, 1)
    assert ask(table, 0, ActIn("o-o", id=1), RefusedOut).message == "your own piece is on g1"


def test_a_command_that_looks_is_answered_with_a_text() -> None:
    table = seated("sorcery", 0, 1)
    hand = ask(table, 0, AskIn("hand", 3), TextOut)
    other = ask(table, 1, AskIn("hand", 3), TextOut)
    assert hand.id == 3
    assert hand.text != other.text
    assert table.match.ply == 0


def test_spectators_have_no_hand_to_look_at() -> None:
    table = seated("sorcery", None)
    assert ask(table, None, AskIn("hand", 3), RefusedOut).reason == "words"
    assert ask(table, None, AskIn("board", 3), TextOut).text


def test_a_page_can_enter_commands_that_look_too() -> None:
    table = seated("constructor", 0, seats=4, wants=WORDS)
    assert ask(table, 0, AskIn("status", 1), TextOut).text


@pytest.mark.parametrize("line", ["", "dance", "/dance", "/quit"])
def test_a_command_that_does_not_exist_is_refused(line: str) -> None:
    table = seated("sorcery", 0)
    assert ask(table, 0, AskIn(line, 1), RefusedOut).reason == "words"


def test_the_table_lists_the_commands_that_look() -> None:
    commands = last(seated("sorcery", 0), 0, TableOut).commands
    assert {line.split()[0] for line in commands} >= {"hand", "board", "log", "inspect"}
    assert last(seated(TICTACTOE, 0), 0, TableOut).commands == ()


def test_the_position_and_all_actions_are_shown_again_on_request() -> None:
    table = seated(TICTACTOE, 0, 1)
    for link in (0, 1):
        assert ". . ." in ask(table, link, AskIn("/table", 1), TextOut).text
    assert ask(table, 0, AskIn("/actions", 1), TextOut).numbered == 9
    assert ask(table, 1, AskIn("/actions", 1), TextOut).text == ""


def test_help_starts_with_the_commands_that_are_possible_now() -> None:
    table = seated("sorcery", 0, 1)
    [seat] = table.match.to_act
    topics = ask(table, seat, HelpIn(1), HelpOut).topics
    assert {row[0].split()[0] for row in topics[0].rows} >= {"end", "play"}


OFFERING = """\
0
5 5 5 5 5 r h 0 B 20 B
1 0 0 0 0 r h 5 B 36 B
0 0 0 0 0 r h 17 B 38 B
0 0 0 0 0 r h 24 B 51 B
0 3 1 10 3 5 1 4 5 7 3 10 2 11 0 3 3 8 0 2 0 6 1 8 4 12 1 5 4 11 2 4 4 6 2 9 2 9
4
"""
"""A saved game of Constructor in which Blue can offer trades."""


def offering() -> Sitting:
    """Return a table at which Blue has offered Red a trade."""
    plugin = load("constructor")
    match: AnyMatch = Match(plugin.game, seats=4, options={"fair": False, "load": OFFERING})
    table = Sitting(match, plugin, undo="free")
    table.open(0, 1, wants=WANTS)
    for line in ("roll", "12", "build-road 0", "trade Red ENERGY BRICK"):
        table.ask(0, ActIn(line))
    assert match.to_act == (1,)
    return table


def test_a_command_can_stand_for_an_action() -> None:
    table = offering()
    assert ask(table, 1, AskIn("no to all", 1), TextOut).text
    assert table.match.to_act == (0,)


def test_an_action_is_repeated_for_the_seat_until_the_turn_ends() -> None:
    table = offering()
    table.ask(1, AskIn("no to all"))
    ply = table.match.ply
    table.ask(0, ActIn("trade Red HEAT BRICK"))
    assert (table.match.to_act, table.match.ply) == ((0,), ply + 2)
    assert table.table.holders[1].repeats
    entries = table.reading(1, Size(80, 24)).log
    repeated = [it.repeated for it in entries if isinstance(it.event, ActionPlayed)]
    assert repeated[-3:] == [True, False, True], "each refusal, but not the offer between them"
    table.ask(0, ActIn("next"))
    assert not table.table.holders[1].repeats


def test_another_person_in_the_seat_does_not_repeat_an_action() -> None:
    table = offering()
    table.ask(1, AskIn("no to all"))
    table.receive(HandOver(1, "Cy plays now"))
    table.ask(0, ActIn("trade Red HEAT BRICK"))
    assert table.match.to_act == (1,)


def test_the_log_has_the_new_name_of_a_seat_that_is_handed_over() -> None:
    table = seated(TICTACTOE, 0, 1)
    table.match.rename(0, "Cy")
    table.receive(HandOver(0, "a guest has sat down"))
    table.ask(0, ActIn("5"))
    lines = [line.text for log in table.told(1, LogOut) for line in log.lines]
    assert lines[-1] == "Cy: 5"


def test_texts_are_not_worded_too_often() -> None:
    plugin = load(TICTACTOE)
    limits = TableLimits(looks=0.001, looks_at_once=1)
    table = Sitting(Match(plugin.game, seed="old oak"), plugin, limits=limits)
    table.open(0, wants=WANTS)
    assert ask(table, 0, HelpIn(id=1), HelpOut).id == 1
    for message in (HelpIn(id=1), AskIn("/table", id=1)):
        assert ask(table, 0, message, RefusedOut).reason == "busy"


def test_a_command_that_is_not_possible_now_is_refused() -> None:
    table = offering()
    assert ask(table, 0, AskIn("no to all", 1), RefusedOut).reason == "words"


def test_a_command_of_every_table_is_left_to_the_terminal() -> None:
    table = seated("constructor", 0, seats=4)
    answer = ask(table, 0, AskIn("resign hard", 1), TextOut)
    assert (answer.line, answer.text) == ("bot hard 1", "")


def test_the_next_person_at_a_shared_screen_sits_down_before_their_view_is_sent() -> None:
    table = seated(SEALED, 0, shared=True)
    table.table.holders[0].covers = True
    assert ask(table, 0, SitIn(0, id=1), DoneOut).id == 1
    table.ask(0, ActIn("hide 1"))
    covered = last(table, 0, StateOut)
    assert (covered.covered, covered.choices, covered.text) == (1, (), "")
    act, ask_again = ActIn("hide 1", id=1), AskIn("/table", id=1)
    for message in (act, ask_again, HelpIn(id=1), HintIn(id=1), SampleIn(1, id=1)):
        assert ask(table, 0, message, RefusedOut).reason == "illegal"
    table.ask(0, SitIn(1))
    shown = last(table, 0, StateOut)
    assert (shown.covered, bool(shown.choices)) == (None, True)


class Meanings(ConsoleText[Any]):
    """A hint for each action: the seat and the action."""

    @override
    def meaning(self, action: Any, reading: Reading[Any]) -> str:
        return f"{action.seat} {action}"


def test_hints_are_sent_with_the_actions_of_the_seat_that_reads_them() -> None:
    plugin = replace(load("tests/tabletop/games/rps.py"), console=Meanings)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=2)
    table = Sitting(match, plugin, seating={0: None})
    table.open(0, wants=WANTS)
    table.ask(0, SitIn(1))
    choices = last(table, 0, StateOut).choices
    assert {it.seat for it in choices} == {0, 1}
    assert [it.hint for it in choices] == [f"1 {it.words}" * (it.seat == 1) for it in choices]


def test_nobody_sits_down_at_the_screen_of_another_seat() -> None:
    table = seated(SEALED, 0, 1)
    assert ask(table, 0, SitIn(1, id=1), RefusedOut).reason == "refused"


@pytest.mark.parametrize(
    ("size", "rounded"),
    [
        ((1, 1), (80, 24)),
        ((80, 24), (80, 24)),
        ((119, 39), (100, 30)),
        ((160, 50), (160, 50)),
        ((9999, 9999), (200, 60)),
        ((0, 50), (0, 0)),
    ],
)
def test_the_size_of_a_terminal_is_rounded_down(
    size: tuple[int, int], rounded: tuple[int, int]
) -> None:
    assert rounded_size(*size) == rounded


def test_a_terminal_that_grows_receives_other_texts() -> None:
    table = seated("constructor", 0, seats=4)
    small = last(table, 0, StateOut)
    large = ask(table, 0, LayoutIn("", 160, 50), StateOut)
    assert large.revision == small.revision
    assert ask(table, 0, AskIn("board", 1), TextOut).text
    screen = table.table.holders.find_screen(table.screens[0])
    assert screen is not None
    assert screen.size == Size(160, 50)


def test_chat_does_not_repeat_the_news() -> None:
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=2)
    table = Sitting(match, plugin, undo="free", chat=True)
    table.open(0, 1, wants=WANTS)
    table.ask(0, ActIn("5"))
    table.hear(1)
    table.ask(0, SayIn("hello"))
    assert not any(isinstance(it, StateOut) and it.news for it in table.hear(1))
