"""Looking back: the information about an earlier position that a client receives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop import ActionPlayed, Match, Streams
from tabletop.errors import NotPermitted
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table.session import Session
from tests.tabletop.games import sealed
from tests.tabletop.table.clients import Client

SEALED = "tests/tabletop/games/sealed.py"


def table(game: str = SEALED, seats: int = 2) -> tuple[Session, list[Client]]:
    """A table with a client for each seat, and one that watches."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    session = Session(match, plugin, [HUMAN] * seats)
    own: list[Sequence[int]] = [*([seat] for seat in range(seats)), []]
    return session, [Client(session, seats) for seats in own]


def play(session: Session, clients: Sequence[Client], plies: int) -> None:
    """Let people do what chance has them do."""
    chance = Streams("play")["choice"]
    for _ in range(plies):
        [seat] = session.match.to_act
        action = chance.choice(list(session.match.legal_actions(seat)))
        clients[seat].ask(ActIn(str(action), seat=seat))


@pytest.mark.parametrize("game", [SEALED, "lcr", "sorcery"])
def test_a_seat_is_given_the_view_and_the_events_that_it_had_then(game: str) -> None:
    session, clients = table(game, 3 if game == "lcr" else 2)
    match, then = session.match, []
    seats = [*range(match.seats), None]
    for _ in range(9):
        if match.over:
            break
        then.append([(match.view(seat), tuple(match.seat_history(seat).events)) for seat in seats])
        play(session, clients, 1)
    for ply, seen in enumerate(then):
        for client, seat, (view, told) in zip(clients, seats, seen, strict=True):
            past = client.place.past(ply, seat)
            assert (past.ply, past.view) == (ply, view)
            assert past.told == tuple(it.event for it in told)
            assert past.recent == tuple(it.event for it in told if it.ply == ply)


def test_nobody_is_given_the_past_of_another_seat() -> None:
    session, (ada, bo, watcher) = table()
    play(session, [ada, bo], 3)
    for client, seat in ((ada, 1), (bo, 0), (watcher, 0)):
        with pytest.raises(NotPermitted, match="this is visible to another seat only"):
            client.place.past(2, seat)
    assert ada.place.past(2, 0).view.hands[1] == [sealed.HIDDEN] * sealed.HAND
    assert watcher.place.past(2).view.hands[0] == [sealed.HIDDEN] * sealed.HAND


def test_what_has_been_taken_back_is_no_past() -> None:
    session, (ada, bo, _) = table("examples/tictactoe.py")
    ada.ask(ActIn("5"))
    bo.ask(ActIn("1"))
    session.match.undo(2)
    ada.ask(ActIn("2"))
    past = ada.place.past(1, 0)
    assert [str(it.action) for it in past.told if isinstance(it, ActionPlayed)] == ["2"]
    with pytest.raises(ValueError, match="2 actions: 1 played so far"):
        ada.place.past(2, 0)
    with pytest.raises(ValueError, match="-1 actions"):
        ada.place.past(-1, 0)


def test_looking_back_at_a_long_match_changes_nothing_and_tells_the_last_events_alone() -> None:
    plugin = load("constructor")
    bots = [plugin.bot("builder", Streams("b")[seat], seat) for seat in range(4)]
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=4, players=bots)
    match.run(400)
    match.undo(20)
    session = Session(match, plugin, [HUMAN] * 4)
    client = Client(session, [0])
    client.said()
    before = match.digest(), match.ply, match.undone, match.bot_offsets()
    past = client.place.past(350, 0)
    assert (match.digest(), match.ply, match.undone, match.bot_offsets()) == before
    assert client.said() == []
    assert len(past.told) == 100
    again: AnyMatch = Match(plugin.game, seed="old oak", seats=4)
    for action in match.actions[:350]:
        again.play(action)
    assert (past.view, past.to_act) == (again.view(0), again.to_act)
