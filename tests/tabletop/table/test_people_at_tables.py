"""People at a table: chat, absence, clocks, pauses, undo and bots, with a clock of the test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.protocol import (
    ActIn,
    ConsentIn,
    HintIn,
    NoteOut,
    ProposeIn,
    RefusedOut,
    ReseatIn,
    ResignIn,
    StateOut,
    TableOut,
)
from tabletop.records import HUMAN
from tabletop.table import AskBot, ReplayPages
from tabletop.table.inputs import BotBegun
from tests.tabletop.games import race
from tests.tabletop.table.sittings import QUICK, Person, Sitting, at_game, table_of
from tests.tabletop.table.test_concessions import Full


def chat(screen: Person) -> dict[str, object]:
    """Return the next chat message."""
    while True:
        for line in screen.until("log")["lines"]:
            if line["kind"] == "chat":
                return dict(line)


def come(*screens: Person) -> None:
    """Wait until all are present, and the clocks run."""
    for screen in screens:
        screen.until("state")
    for screen in screens:
        if not screen.last("table")["running"]:
            screen.until("table", lambda told: told["running"])


# People and bots.


def test_bots_wait_while_their_moves_cannot_be_saved_and_then_play_on_at_once() -> None:
    limits = replace(QUICK, save_again=5)
    opened, full = table_of(players=["random", "random", "human"], limits=limits), Full()
    opened.match.set_recorder(full)
    opened.open(2)
    opened.wait(12)
    assert [type(error) for error in opened.faults] == [RecordLost]
    assert sum(isinstance(it, AskBot) for it in opened.effects) == 3
    full.has_room = True
    opened.wait(4)
    assert opened.match.to_act == (2,)


def test_a_table_is_not_saved_when_a_bot_begins_to_think() -> None:
    opened = table_of(players=["random", "human"])
    opened.bots_think = False
    opened.open(1)
    opened.wait()
    (asked,) = (it for it in opened.effects if isinstance(it, AskBot))
    opened.effects.clear()
    opened.receive(BotBegun(asked.number))
    opened.wait()
    assert opened.effects == []


def test_everybody_is_told_who_comes_and_goes() -> None:
    opened = table_of()
    with Person(opened, 0) as ada:
        ada.until("state")
        with Person(opened, 1):
            ada.until("table", lambda told: told["present"][1])
        ada.until("table", lambda told: not told["present"][1])


def test_a_seat_is_handed_to_a_bot_and_taken_back() -> None:
    opened = table_of(names=["Ada", "Bo", "Cy"])
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
    ):
        ada.until("state")
        bo.until("state")
        bo.say(type="seat", seat=0, player="random", id=3)
        assert (bo.until("refused"))["message"].startswith("Ada ")
        ada.say(type="seat", seat=0, player="random")
        assert "the Random bot plays for Ada" in (bo.until("note"))["text"]
        bo.until("state", lambda told: told["your_turn"] == [1])
        bo.say(type="seat", seat=0, player="human", id=4)
        assert "may not take this seat" in (bo.until("refused"))["message"]
        ada.say(type="seat", seat=0, player="human")
        assert "Ada plays again" in (bo.until("note"))["text"]
        ada.until("table", lambda told: told["players"][0] == "human")


def test_the_seat_of_a_bot_is_taken_by_who_plays_alone() -> None:
    opened = table_of(players=["human", "random", "random"])
    with Person(opened, 0) as ada:
        ada.say(type="seat", seat=1, player="human")
        ada.until("table", lambda told: told["your_seats"] == [0, 1])
        ada.say(type="seat", seat=2, player="human")
        assert "may not take this seat" in (ada.until("refused"))["message"]


def test_nobody_takes_the_seat_of_a_bot_while_another_person_can_come_back() -> None:
    opened = table_of(players=["human", "human", "random"])
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        bo.say(type="seat", seat=1, player="random")
        ada.until("table", lambda told: told["players"][1] == "random")
        ada.say(type="seat", seat=2, player="human")
        assert "may not take this seat" in (ada.until("refused"))["message"]


def test_who_asks_to_take_back_over_and_over_is_stopped() -> None:
    opened = table_of(
        seats=3, casual=True, limits=replace(QUICK, messages_at_once=3, messages=0.001)
    )
    with Person(opened, 0) as ada:
        ada.say(type="act", line="roll", id=1)
        ada.until("done")
        for _ in range(3):
            ada.say(type="undo", id=2)
            ada.until("done")
            ada.say(type="consent", yes=False, id=3)
            ada.until("done")
        ada.say(type="undo", id=4)
        assert (ada.until("refused"))["reason"] == "busy"


def test_whoever_is_gone_for_long_may_be_replaced_and_comes_back() -> None:
    opened = table_of(names=["Ada", "Bo", "Cy"], limits=replace(QUICK, away_timeout=0.2))
    with Person(opened, 1) as bo:
        with Person(opened, 0) as ada:
            ada.until("state")
            bo.until("table", lambda told: told["present"][0])
        note = bo.until("note", lambda told: "Ada" in told["text"])
        assert "has been away for long" in note["text"]
        table = bo.last("table")
        assert table["present"] == [False, True, False]
        assert 0 in table["replaceable"]
        bo.say(type="seat", seat=0, player="random")
        bo.until("state", lambda told: told["your_turn"] == [1])
        with Person(opened, 0) as ada:
            assert (ada.until("table"))["your_seats"] == [0]
            ada.say(type="seat", seat=0, player="human")
            ada.until("table", lambda told: told["players"][0] == "human")


def test_people_who_play_with_bots_alone_take_back_freely() -> None:
    opened = table_of(players=["human", "random", "random"])
    with Person(opened, 0) as ada:
        first = ada.until("state")
        assert not first["can_undo"]
        assert "no action to undo" in first["undo_refusal"]
        ada.say(type="act", line="roll")
        later = ada.until("state", lambda told: told["your_turn"] and told["can_undo"])
        assert later["undo_refusal"] == ""
        ada.say(type="undo")
        assert (ada.at(0))["can_redo"]
        ada.say(type="redo")
        ada.at(later["ply"])


def test_between_people_no_die_is_taken_back() -> None:
    for casual in (False, True):
        opened = table_of(names=["Ada", "Bo", "Cy"], casual=casual)
        with Person(opened, 0) as ada, Person(opened, 1) as bo:
            ada.until("state")
            ada.say(type="act", line="roll")
            ada.at(1)
            ada.say(type="undo", id=3)
            if casual:
                assert (bo.until("consent"))["name"] == "Ada"
            else:
                assert "cannot be undone" in (ada.until("refused"))["message"]


# Chat.


def test_what_one_says_everybody_hears_as_a_line_of_the_log() -> None:
    opened = table_of(names=["Ada", "Bo"], players=["human", "human", "random"])
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
        Person(opened, None) as cy,
    ):
        for screen in (ada, bo, cy):
            screen.until("state")
            assert screen.last("table")["settings"]["chat"]
        bo.say(type="say", text="good luck", id=4)
        lines = [chat(screen) for screen in (ada, bo, cy)]
        assert [(it["text"], it["seat"], it["ply"]) for it in lines] == [("good luck", 1, 0)] * 3
        assert (bo.until("done"))["id"] == 4
        with Person(opened, None) as later:
            assert (chat(later))["text"] == "good luck"


def test_who_watches_says_nothing() -> None:
    opened = table_of(seats=3)
    with Person(opened, None) as cy:
        cy.say(type="say", text="roll!", id=4)
        assert (cy.until("refused"))["message"] == "you are watching and have no seat"


def test_whoever_has_a_seat_may_talk_also_while_a_bot_plays_there_and_afterwards() -> None:
    opened = table_of(players=["human", "human", "random"])
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        for seat, screen in enumerate((ada, bo)):
            screen.say(type="seat", seat=seat, player="random")
        ada.until("state", lambda told: told["over"])
        ada.say(type="say", text="well played")
        assert (chat(bo))["seat"] == 0


def test_who_talks_without_end_is_refused_on_all_screens_together() -> None:
    opened = table_of(seats=3)
    link = 0
    with (
        Person(opened, link) as desk,
        Person(opened, link) as phone,
        Person(opened, 1) as bo,
    ):
        for number in range(10):
            (desk, phone)[number % 2].say(type="say", text=f"word {number}")
            chat(bo)
        phone.say(type="say", text="word 11", id=11)
        refused = phone.until("refused")
        assert (refused["id"], refused["reason"]) == (11, "busy")
        bo.say(type="say", text="enough", id=1)
        assert (chat(bo))["text"] == "enough"
        opened.wait(1.1)
        desk.say(type="say", text="sorry")
        assert (chat(bo))["text"] == "sorry"


def test_a_host_can_switch_it_off() -> None:
    opened = table_of(seats=3, limits=replace(QUICK, chat=False))
    with Person(opened, 0) as ada:
        assert not (ada.until("table"))["settings"]["chat"]
        ada.say(type="say", text="hello", id=4)
        refused = ada.until("refused")
        assert refused["message"] == "chat is turned off at this table"


def test_who_plays_with_bots_alone_has_nobody_to_talk_to() -> None:
    opened = table_of(players=["human", "random", "random"])
    with Person(opened, 0) as ada:
        assert not (ada.until("table"))["settings"]["chat"]


def test_everybody_is_told_how_many_watch() -> None:
    opened = table_of(seats=3)
    with Person(opened, 0) as ada:
        assert (ada.until("table"))["spectator_count"] == 0
        with Person(opened, None), Person(opened, None):
            ada.until("table", lambda told: told["spectator_count"] == 2)
        ada.until("table", lambda told: told["spectator_count"] == 0)


# Clocks and pauses.


def test_an_action_adds_the_increment_to_the_clock_that_is_told() -> None:
    opened = table_of(players=["human", "human", "random"], clock=60, increment=30)
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        come(ada, bo)
        told = ada.last("table")
        settings = told["settings"]
        assert (settings["increment"], settings["idle_timeout"]) == (30, None)
        ada.say(type="act", line="roll")
        told = bo.until("table", lambda it: it["running"] == [1])
        assert 80 < told["clock"][0] <= 90
        assert told["clock"][1:] == [pytest.approx(60, abs=5), None]


def test_who_needs_too_long_for_an_action_comes_back_after_the_bot_has_made_it() -> None:
    opened = table_of(
        names=["Ada", "Bo", "Cy"], players=["human"] * 3, move_time=1, bot_on_time=True
    )
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
        Person(opened, 2) as cy,
    ):
        come(ada, bo, cy)
        assert ada.last("table")["clock"] == [pytest.approx(1, abs=0.5)] * 3
        bo.until("note", lambda told: told["text"] == "the time of Ada is up")
        ada.until("state", lambda told: told["turn"] == [1])
        ada.say(type="seat", seat=0, player="human", id=5)
        assert (ada.until("done"))["id"] == 5
        told = ada.until("table", lambda it: it["players"][0] == "human")
        assert told["clock"][0] == 1


def test_the_clocks_stand_when_all_the_others_agree() -> None:
    opened = table_of(names=["Ada", "Bo", "Cy"], players=["human"] * 3, clock=500)
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
        Person(opened, 2) as cy,
        Person(opened, None) as di,
    ):
        come(ada, bo, cy)
        di.say(type="propose", kind="pause", id=1)
        assert "no seat" in (di.until("refused"))["message"]
        bo.say(type="propose", kind="pause", id=2)
        for screen in (ada, cy):
            asked = screen.until("consent")
            assert (asked["name"], asked["kind"], asked["actions"]) == ("Bo", "pause", 0)
            assert not asked["yours"]
        waits = bo.until("consent")
        assert (waits["name"], waits["kind"], waits["yours"]) == ("Ada and Cy", "pause", True)
        with Person(opened, 0) as again:
            assert again.until("consent") == asked
        ada.say(type="consent", yes=True)
        waits = bo.until("consent")
        assert (waits["name"], waits["yours"]) == ("Cy", True)
        assert not bo.last("table")["hold"]
        cy.say(type="consent", yes=True, kind="pause")
        for screen in (ada, bo, cy, di):
            told = screen.until("table", lambda it: it["hold"])
            assert told["running"] == []
            [line] = (screen.until("log"))["lines"]
            assert (line["text"], line["kind"]) == ("the clocks are paused, as Bo asked", "remark")
        cy.say(type="propose", kind="resume")
        told = di.until("table", lambda it: it["running"] == [0])
        assert not told["hold"]


def test_a_pause_takes_nobody_s_consent_where_nobody_else_sits() -> None:
    opened = table_of(players=["human", "random", "random"], clock=500)
    with Person(opened, 0) as ada:
        ada.say(type="propose", kind="pause", id=1)
        ada.until("table", lambda told: told["hold"])
        ada.say(type="propose", kind="pause", id=2)
        assert (ada.until("refused"))["message"] == "the clocks are already paused"


def test_a_pause_ends_where_only_bots_are_left_to_play() -> None:
    opened = table_of(players=["human", "human", "random"], clock=500)
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        come(ada, bo)
        ada.say(type="propose", kind="pause")
        bo.until("consent")
        bo.say(type="seat", seat=0, player="random")  # it is not theirs to give
        ada.say(type="seat", seat=0, player="random")
        ada.until("note", lambda it: "the pause request was dropped" in it["text"])
        bo.say(type="propose", kind="pause")
        ada.until("table", lambda told: told["hold"])
        bo.say(type="seat", seat=1, player="random")
        ada.until("state", lambda told: told["over"])


def test_who_asks_for_pauses_without_end_is_refused() -> None:
    opened = table_of(seats=3, clock=500)
    with Person(opened, 0) as ada, Person(opened, 1):
        for _ in range(10):
            ada.say(type="propose", kind="pause")
            ada.say(type="consent", yes=False)
        ada.say(type="propose", kind="pause", id=1)
        assert (ada.until("refused", lambda told: told["id"]))["reason"] == "busy"


def paused_without(seat: int) -> Sitting:
    """Return a table of two with paused clocks, after the person of a seat has left."""
    at = table_of(seats=3, players=[HUMAN, HUMAN, "random"], clock=500)
    at.open(0, 1)
    at.wait()
    at.ask(0, ProposeIn("pause"))
    at.ask(1, ConsentIn(yes=True))
    at.close(seat)
    return at


def is_replaceable(at: Sitting, seat: int) -> tuple[bool, bool]:
    """Return whether a bot, and whether a person from the lobby, may take a seat."""
    return seat in at.table.successors.offered, at.table.successors.is_free(seat, at.now)


def test_nobody_is_replaced_during_a_pause() -> None:
    at = paused_without(1)
    at.wait(2 * QUICK.away_timeout)
    assert at.table.requests.hold
    assert is_replaceable(at, 1) == (False, False)
    assert not at.told(0, NoteOut)
    at.ask(0, ReseatIn(1, "random"))
    assert at.table.players[1] == HUMAN


def test_a_pause_withdraws_the_offer_of_a_seat() -> None:
    at = table_of(seats=3, players=[HUMAN, HUMAN, "random"], clock=500)
    at.open(0, 1)
    at.close(1)
    at.wait(QUICK.away_timeout)
    assert at.table.successors.offered == (1,)
    at.ask(0, ProposeIn("pause"))
    assert is_replaceable(at, 1) == (False, False)


def test_after_a_pause_an_absent_player_has_the_full_time_to_return() -> None:
    at = paused_without(1)
    at.wait(2 * QUICK.away_timeout)
    at.ask(0, ProposeIn("resume"))
    at.wait(QUICK.away_timeout - 1)
    assert is_replaceable(at, 1) == (False, False)
    at.wait(1)
    assert is_replaceable(at, 1) == (True, True)


# Idle players.


def test_who_is_there_and_does_not_act_is_replaced_by_the_others_and_comes_back() -> None:
    opened = table_of(
        idle_timeout=0.6, names=["Ada", "Bo", "Cy"], players=["human", "human", "random"]
    )
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        bo.until("state")
        assert bo.last("table")["settings"]["idle_timeout"] == 0.6
        bo.say(type="seat", seat=0, player="random", id=1)
        assert "Ada sits elsewhere" in (bo.until("refused"))["message"]
        said = (ada.until("note"))["text"]
        assert said == "it is your turn: in 1 second the others may give your seat to a bot"
        said = (bo.until("note"))["text"]
        assert said == "Ada has not acted for 1 second: this seat may be given to a bot"
        assert (bo.last("table")["replaceable"], bo.last("table")["present"]) == ([0], [True] * 3)
        bo.say(type="seat", seat=0, player="random")
        bo.until("state", lambda told: told["your_turn"] == [1])
        assert bo.last("table")["replaceable"] == []
        ada.say(type="seat", seat=0, player="human")
        told = bo.until("table", lambda it: it["players"][0] == "human")
        assert told["replaceable"] == []


def test_who_acts_after_all_is_offered_no_more() -> None:
    opened = table_of(idle_timeout=0.3, seats=3)
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
        Person(opened, 2),
    ):
        bo.until("table", lambda told: told["replaceable"] == [0])
        ada.say(type="act", line="roll")
        bo.until("table", lambda told: told["replaceable"] == [])
        bo.until("table", lambda told: told["replaceable"] == [1])


# Samples.


def test_others_are_sent_none() -> None:
    opened = table_of("sorcery")
    for link, seat in (
        (1, None),
        (1, 1),
        (1, 0),
        (1, 99),
        (None, None),
        (None, 0),
    ):
        with Person(opened, link) as screen:
            screen.until("state")
            asked = {} if seat is None else {"seat": seat}
            screen.say(type="sample", id=1, **asked)
            refused = screen.until("refused")
            assert refused["id"] == 1
            assert refused["reason"] in {"illegal", "refused"}


# Failures of bots and rules.


@pytest.mark.parametrize("instead", [["walk"], []], ids=["another action", "no action"])
def test_people_read_no_error_of_the_rules_in_a_note(instead: list[str]) -> None:
    plugin = replace(race.FAULTY, game=race.FaultyRace(["run"], instead))
    at = at_game(plugin, ["runner", "human"], options={"start": "line"})
    at.open(1)
    at.wait(1)
    notes = [note.text for note in at.told(1, NoteOut)]
    assert any("the log of the server" in text for text in notes)
    assert not any("ZeroDivisionError" in text for text in notes)
    assert any("ZeroDivisionError" in str(fault) for fault in at.faults)


def test_people_read_no_error_of_a_bot_that_fails_to_give_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "deep")
    at = at_game(race.FAULTY, casual=True, undo="casual")
    seat = at.match.to_act[0]
    at.open(seat)
    at.hear(seat)
    at.ask(seat, HintIn(3))
    [refused] = at.told(seat, RefusedOut)
    assert (refused.id, refused.reason) == (3, "failed")
    assert "deep'" not in refused.message


def test_a_person_reads_no_error_of_the_rules_that_fail() -> None:
    at = at_game(race.FAULTY, options={"start": "line"})
    at.open(0)
    at.hear(0)
    at.ask(0, ActIn("run", id=3))
    [refused] = at.told(0, RefusedOut)
    assert (refused.id, refused.reason) == (3, "failed")
    assert "ZeroDivisionError" not in refused.message
    assert any("ZeroDivisionError" in str(fault) for fault in at.faults)


def keeps_turn(match: AnyMatch, action: object) -> bool:
    """Check whether the first seat is still to act after one of its actions."""
    ahead = match.clone()
    ahead.play(action)
    return ahead.to_act == (0,)


def test_time_that_is_gained_within_a_turn_is_shown_to_everybody() -> None:
    opened = table_of("sorcery", clock=60, increment=5)
    match = opened.match
    with Person(opened, 0) as ada, Person(opened, 1) as bo:
        come(ada, bo)
        for _ in range(2):
            action = next(it for it in match.legal_actions(0) if keeps_turn(match, it))
            ada.say(type="act", line=str(action))
        clock = bo.until("table", lambda told: told["clock"][0] > 60)["clock"]
        assert clock[1] == 60


def test_the_number_of_spectators_is_sent_at_most_once_a_second() -> None:
    opened = table_of()
    opened.open(0)
    for number in (1, 2):
        opened.wait()
        opened.hear(0)
        opened.open(None)
        opened.wait(0.5)
        assert not opened.told(0, TableOut)
        opened.wait(0.5)
        assert [it.spectator_count for it in opened.told(0, TableOut)] == [number]


def test_the_replay_page_of_each_seat_is_its_own() -> None:
    opened = at_game(race.PLUGIN)
    opened.open(0, 1, None)
    opened.ask(0, ResignIn())
    opened.receive(ReplayPages(["/first", "/second", "/all"]))
    overs = [opened.told(link, StateOut)[-1].over for link in (0, 1, None)]
    assert [over and over.replay_page for over in overs] == ["/first", "/second", "/all"]
