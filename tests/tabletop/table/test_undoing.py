"""Undo between people: whose consent it needs, and the actions that cannot be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tabletop import Game, Match, Plugin
from tabletop.protocol import ActIn, ConsentIn, RedoIn, ReseatIn, UndoIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import UndoPolicy
from tabletop.table.votes import Vote
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import cards, rps
from tests.tabletop.table.clients import Client
from tests.tabletop.table.sittings import Sitting

PEOPLE = (HUMAN, HUMAN)
NAMES = ("Ada", "Bo", "Cy", "Di")


def table(
    game: str | Game[Any, Any] = TICTACTOE,
    players: Sequence[str] = PEOPLE,
    undo: UndoPolicy = "fair",
    **more: Any,
) -> Sitting:
    plugin = load(game) if isinstance(game, str) else Plugin(game, levels={})
    match: Match[Any, Any] = Match(plugin.game, seed="oak", seats=NAMES[: len(players)])
    at = Sitting(match, plugin, players, undo=undo, **more)
    at.bots_think = False
    return at


def pair(undo: UndoPolicy = "fair") -> tuple[Sitting, Client, Client]:
    """Ada and Bo at two clients. Both have acted."""
    at = table(undo=undo)
    ada, bo = Client(at, 0), Client(at, 1)
    ada.ask(ActIn("1"))
    bo.ask(ActIn("2"))
    return at, ada, bo


# Consent.


def test_a_free_table_asks_nobody() -> None:
    at, ada, bo = pair("free")
    ada.ask(UndoIn())
    assert at.match.ply == 1
    assert (ada.votes(), bo.votes()) == ([], [])


def test_an_unknown_policy_is_refused() -> None:
    policy: Any = "harsh"
    with pytest.raises(ValueError, match="undo is one of 'free', 'casual', 'fair', not 'harsh'"):
        table(undo=policy)


def test_a_casual_table_asks_and_goes_back_behind_a_die_as_well() -> None:
    at = table("lcr", (HUMAN,) * 3, "casual", seating={0: [0], 1: [1, 2]})
    ada, bo = Client(at, 0), Client(at, 1)
    ada.ask(ActIn("roll"), UndoIn())
    assert at.table.requests.votes.open == Vote("undo", (0,), (1, 2), 1)
    assert [it.kind for it in bo.votes()] == ["undo"]
    bo.ask(ConsentIn(yes=True))
    assert at.match.ply == 0


def test_one_person_with_bots_takes_back_freely_also_behind_a_die() -> None:
    at = table("lcr", (HUMAN, "random", "random"))
    ada = Client(at, 0)
    ada.ask(ActIn("roll"))
    at.table.requests.advance()
    assert at.table.requests.can_undo(ada.holder)
    ada.ask(UndoIn())
    assert at.match.ply == 0


def test_without_a_number_it_is_the_last_action_of_who_asks() -> None:
    at, _, bo = pair()
    bo.ask(UndoIn())
    assert at.table.requests.votes.open == Vote("undo", (1,), (0,), 1)


def test_a_secret_choice_that_nobody_has_seen_is_taken_back_without_asking() -> None:
    at = table(rps.GAME)
    ada, bo = Client(at, 0), Client(at, 1)
    ada.ask(ActIn(str(rps.Show(0, "rock"))), UndoIn())
    assert (at.match.ply, bo.votes(), ada.refused) == (0, [], [])
    bo.ask(ActIn(str(rps.Show(1, "rock"))))
    ada.ask(ActIn(str(rps.Show(0, "paper"))))  # which opens both
    bo.ask(UndoIn())
    assert at.match.ply == 2


def test_at_a_fair_table_nothing_goes_back_once_the_seed_is_told() -> None:
    at = table(seating={0: None})
    everybody = Client(at)
    everybody.ask(*map(ActIn, ["1", "4", "2", "5", "3"]))
    assert at.match.over
    everybody.ask(UndoIn())
    assert at.match.ply == 5
    assert "nothing can be undone" in everybody.refused[0]


def test_what_has_become_possible_to_take_back_is_looked_at_anew() -> None:
    at = table("lcr", (HUMAN,) * 3, seating={0: None})
    everybody = Client(at)
    assert at.table.requests.can_undo(everybody.holder, 0)
    everybody.ask(ActIn("roll"))
    assert not at.table.requests.can_undo(everybody.holder, 1)
    at = table(cards.GAME, seating={0: None})
    everybody = Client(at)
    found = []
    for _ in range(3):
        everybody.ask(ActIn(str(at.match.legal_actions()[0])))
        found.append(bool(at.table.requests.can_undo(everybody.holder, 1)))
    assert found == [True, False, True]


def test_people_at_one_screen_ask_nobody_and_still_keep_to_what_the_die_has_said() -> None:
    at = table("lcr", (HUMAN,) * 3, seating={0: None})
    terminal = Client(at)
    terminal.ask(ActIn("roll"), UndoIn())
    assert terminal.refused == ["Ada's roll cannot be undone, because it includes random draws"]
    at = table(seating={0: None})
    terminal = Client(at)
    terminal.ask(ActIn("1"), UndoIn())
    assert (at.match.ply, terminal.votes()) == (0, [])


def test_bots_and_spectators_are_not_asked() -> None:
    at = table("constructor", (HUMAN, HUMAN, "random", "random"))
    ada, bo, looker = Client(at, 0), Client(at, 1), Client(at, None)
    ada.ask(ActIn("1"), UndoIn())
    assert looker.votes() == []
    assert at.table.requests.votes.open == Vote("undo", (0,), (1,), 1)
    bo.ask(ConsentIn(yes=True))
    assert at.match.ply == 0


def test_a_seat_that_a_bot_has_taken_over_keeps_what_was_seen_fair() -> None:
    at = table("lcr", (HUMAN, HUMAN, "random"))
    ada, bo = Client(at, 0), Client(at, 1)
    ada.ask(ActIn("roll"))
    bo.ask(ReseatIn(1, "random"))
    ada.ask(UndoIn())
    assert ada.refused == ["Ada's roll cannot be undone, because it includes random draws"]


# Limits.


def test_nobody_is_asked_to_go_back_behind_a_secret() -> None:
    at = table(cards.GAME)
    clients = [Client(at, 0), Client(at, 1)]
    for client in clients:
        client.ask(ActIn(str(at.match.legal_actions()[0])))
    clients[1].ask(UndoIn())
    (told,) = clients[1].refused
    assert told.startswith("Bo's play")
    assert told.endswith("cannot be undone, because it revealed something hidden")
    assert clients[0].votes() == []


def test_asking_whether_one_may_changes_nothing_and_asks_nobody() -> None:
    at, ada, bo = pair()
    answer = at.table.requests.can_undo(ada.holder)
    assert (bool(answer), answer.actions, answer.consent, answer.reason) == (True, 2, (1,), "")
    assert (at.table.requests.votes.open, bo.votes(), at.match.ply) == (None, [], 2)
    assert at.table.requests.can_undo(bo.holder).actions == 1
    late = at.table.requests.can_undo(ada.holder, 3)
    assert (bool(late), late.actions) == (False, 3)
    assert late.reason == "3 actions cannot be undone, because 2 played so far"


def test_before_anybody_has_acted_there_is_nothing_to_take_back() -> None:
    at = table()
    ada = Client(at, 0)
    answer = at.table.requests.can_undo(ada.holder)
    assert (bool(answer), answer.actions) == (False, 0)
    assert "there is no action to undo" in answer.reason
    assert not at.table.requests.can_undo(ada.holder, -1)


def test_a_spectator_takes_nothing_back() -> None:
    at, _, _ = pair()
    looker = Client(at, None)
    answer = at.table.requests.can_undo(looker.holder, 2)
    assert (answer.actions, answer.reason) == (2, "you are watching and have no seat")


def test_only_ones_own_actions_are_played_again() -> None:
    at, ada, bo = pair()
    ada.ask(UndoIn())
    bo.ask(ConsentIn(yes=True))
    bo.ask(RedoIn())
    assert bo.refused == ["only Ada can play this again"]
    ada.ask(RedoIn(actions=2))
    assert ada.refused == ["only Bo can play this again"]
    ada.ask(RedoIn())
    bo.ask(RedoIn())
    assert at.match.ply == 2
