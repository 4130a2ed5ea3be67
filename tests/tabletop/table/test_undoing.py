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
from tabletop.table.messages import Notification, Vote, VoteAsked, VoteEnded
from tabletop.table.session import Session
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import cards, rps
from tests.tabletop.table.clients import Client

PEOPLE = (HUMAN, HUMAN)
NAMES = ("Ada", "Bo", "Cy", "Di")


def votes(client: Client) -> list[Notification]:
    return client.about(VoteAsked, VoteEnded)


def table(
    game: str | Game[Any, Any] = TICTACTOE,
    players: Sequence[str] = PEOPLE,
    undo: UndoPolicy = "fair",
) -> Session:
    plugin = load(game) if isinstance(game, str) else Plugin(game, levels={})
    match: Match[Any, Any] = Match(plugin.game, seed="oak", seats=NAMES[: len(players)])
    return Session(match, plugin, players, undo=undo)


def pair(undo: UndoPolicy = "fair") -> tuple[Session, Client, Client]:
    """Ada and Bo at two clients. Both have acted."""
    session = table(undo=undo)
    ada, bo = Client(session, [0]), Client(session, [1])
    ada.ask(ActIn("1"))
    bo.ask(ActIn("2"))
    return session, ada, bo


# Consent.


def test_a_free_table_asks_nobody() -> None:
    session, ada, bo = pair("free")
    ada.ask(UndoIn())
    assert session.match.ply == 1
    assert (votes(ada), votes(bo)) == ([], [])


def test_an_unknown_policy_is_refused() -> None:
    policy: Any = "harsh"
    with pytest.raises(ValueError, match="undo is one of 'free', 'casual', 'fair', not 'harsh'"):
        table(undo=policy)


def test_a_casual_table_asks_and_goes_back_behind_a_die_as_well() -> None:
    session = table("lcr", (HUMAN,) * 3, "casual")
    ada, bo = Client(session, [0]), Client(session, [1, 2])
    ada.ask(ActIn("roll"), UndoIn())
    assert votes(bo) == [VoteAsked(Vote("undo", (0,), (1, 2), 1))]
    bo.ask(ConsentIn(yes=True))
    assert session.match.ply == 0


def test_one_person_with_bots_takes_back_freely_also_behind_a_die() -> None:
    session = table("lcr", (HUMAN, "random", "random"))
    ada = Client(session, [0])
    ada.ask(ActIn("roll"))
    session.advance()
    assert session.can_undo(ada.place)
    ada.ask(UndoIn())
    assert session.match.ply == 0


def test_without_a_number_it_is_the_last_action_of_who_asks() -> None:
    _, ada, bo = pair()
    bo.ask(UndoIn())
    assert votes(ada) == [VoteAsked(Vote("undo", (1,), (0,), 1))]


def test_a_secret_choice_that_nobody_has_seen_is_taken_back_without_asking() -> None:
    session = table(rps.GAME)
    ada, bo = Client(session, [0]), Client(session, [1])
    ada.ask(ActIn(str(rps.Show(0, "rock"))), UndoIn())
    assert (session.match.ply, votes(bo), ada.refused) == (0, [], [])
    bo.ask(ActIn(str(rps.Show(1, "rock"))))
    ada.ask(ActIn(str(rps.Show(0, "paper"))))  # which opens both
    bo.ask(UndoIn())
    assert session.match.ply == 2


def test_at_a_fair_table_nothing_goes_back_once_the_seed_is_told() -> None:
    session = table()
    everybody = Client(session)
    everybody.ask(*map(ActIn, ["1", "4", "2", "5", "3"]))
    assert session.match.over
    everybody.ask(UndoIn())
    assert session.match.ply == 5
    assert "nothing can be undone" in everybody.refused[0]


def test_what_has_become_possible_to_take_back_is_looked_at_anew() -> None:
    session = table("lcr", (HUMAN,) * 3)
    everybody = Client(session)
    assert session.can_undo(everybody.place, 0)
    everybody.ask(ActIn("roll"))
    assert not session.can_undo(everybody.place, 1)
    session = table(cards.GAME)
    everybody = Client(session)
    found = []
    for _ in range(3):
        everybody.ask(ActIn(str(session.match.legal_actions()[0])))
        found.append(bool(session.can_undo(everybody.place, 1)))
    assert found == [True, False, True]


def test_people_at_one_screen_ask_nobody_and_still_keep_to_what_the_die_has_said() -> None:
    session = table("lcr", (HUMAN,) * 3)
    terminal = Client(session)
    terminal.ask(ActIn("roll"), UndoIn())
    assert terminal.refused == ["Ada's roll cannot be undone, because it includes random draws"]
    session = table()
    terminal = Client(session)
    terminal.ask(ActIn("1"), UndoIn())
    assert (session.match.ply, votes(terminal)) == (0, [])


def test_bots_and_spectators_are_not_asked() -> None:
    session = table("constructor", (HUMAN, HUMAN, "random", "random"))
    ada, bo, looker = Client(session, [0]), Client(session, [1]), Client(session, [])
    ada.ask(ActIn("1"), UndoIn())
    assert votes(looker) == []
    assert votes(bo) == [VoteAsked(Vote("undo", (0,), (1,), 1))]
    bo.ask(ConsentIn(yes=True))
    assert session.match.ply == 0


def test_a_seat_that_a_bot_has_taken_over_keeps_what_was_seen_fair() -> None:
    session = table("lcr", (HUMAN, HUMAN, "random"))
    ada, bo = Client(session, [0]), Client(session, [1])
    ada.ask(ActIn("roll"))
    bo.ask(ReseatIn(1, "random"))
    ada.ask(UndoIn())
    assert ada.refused == ["Ada's roll cannot be undone, because it includes random draws"]


# Limits.


def test_nobody_is_asked_to_go_back_behind_a_secret() -> None:
    session = table(cards.GAME)
    clients = [Client(session, [0]), Client(session, [1])]
    for client in clients:
        client.ask(ActIn(str(session.match.legal_actions()[0])))
    clients[1].ask(UndoIn())
    (told,) = clients[1].refused
    assert told.startswith("Bo's play")
    assert told.endswith("cannot be undone, because it revealed something hidden")
    assert votes(clients[0]) == []


def test_asking_whether_one_may_changes_nothing_and_asks_nobody() -> None:
    session, ada, bo = pair()
    answer = session.can_undo(ada.place)
    assert (bool(answer), answer.actions, answer.consent, answer.reason) == (True, 2, (1,), "")
    assert (session.vote, votes(bo), session.match.ply) == (None, [], 2)
    assert session.can_undo(bo.place).actions == 1
    late = session.can_undo(ada.place, 3)
    assert (bool(late), late.actions) == (False, 3)
    assert late.reason == "3 actions cannot be undone, because 2 played so far"


def test_before_anybody_has_acted_there_is_nothing_to_take_back() -> None:
    session = table()
    ada = Client(session, [0])
    answer = session.can_undo(ada.place)
    assert (bool(answer), answer.actions) == (False, 0)
    assert "there is no action to undo" in answer.reason
    assert not session.can_undo(ada.place, -1)


def test_a_spectator_takes_nothing_back() -> None:
    session, _, _ = pair()
    looker = Client(session, [])
    answer = session.can_undo(looker.place, 2)
    assert (answer.actions, answer.reason) == (2, "you are watching and have no seat")


def test_only_ones_own_actions_are_played_again() -> None:
    session, ada, bo = pair()
    ada.ask(UndoIn())
    bo.ask(ConsentIn(yes=True))
    bo.ask(RedoIn())
    assert bo.refused == ["only Ada can play this again"]
    ada.ask(RedoIn(actions=2))
    assert ada.refused == ["only Bo can play this again"]
    ada.ask(RedoIn())
    bo.ask(RedoIn())
    assert session.match.ply == 2
