"""Looking back: the information about an earlier position that a client receives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop import ActionPlayed, Match, Streams
from tabletop.errors import NotPermitted
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn
from tabletop.registry import load
from tests.tabletop.games import sealed
from tests.tabletop.table.clients import Client
from tests.tabletop.table.sittings import Sitting

SEALED = "tests/tabletop/games/sealed.py"


def table(game: str = SEALED, seats: int = 2) -> tuple[Sitting, list[Client]]:
    """A table with a client for each seat, and one that watches."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    at = Sitting(match, plugin)
    return at, [Client(at, link) for link in (*range(seats), None)]


def play(at: Sitting, clients: Sequence[Client], plies: int) -> None:
    """Let people do what chance has them do."""
    chance = Streams("play")["choice"]
    for _ in range(plies):
        [seat] = at.match.to_act
        action = chance.choice(list(at.match.legal_actions(seat)))
        clients[seat].ask(ActIn(str(action), seat=seat))


@pytest.mark.slow
@pytest.mark.parametrize("game", [SEALED, "lcr", "sorcery"])
def test_a_seat_is_given_the_view_and_the_events_that_it_had_then(game: str) -> None:
    at, clients = table(game, 3 if game == "lcr" else 2)
    match, then = at.match, []
    seats = [*range(match.seats), None]
    for _ in range(9):
        if match.over:
            break
        then.append([(match.view(seat), tuple(match.seat_history(seat).events)) for seat in seats])
        play(at, clients, 1)
    for ply, seen in enumerate(then):
        for client, seat, (view, told) in zip(clients, seats, seen, strict=True):
            past = client.holder.perspective.past(ply, seat)
            assert (past.ply, past.view) == (ply, view)
            assert past.told == tuple(it.event for it in told)
            assert past.recent == tuple(it.event for it in told if it.ply == ply)


def test_nobody_is_given_the_past_of_another_seat() -> None:
    at, (ada, bo, watcher) = table()
    play(at, [ada, bo], 3)
    for client, seat in ((ada, 1), (bo, 0), (watcher, 0)):
        with pytest.raises(NotPermitted, match="this is visible to another seat only"):
            client.holder.perspective.past(2, seat)
    assert ada.holder.perspective.past(2, 0).view.hands[1] == [sealed.HIDDEN] * sealed.HAND
    assert watcher.holder.perspective.past(2).view.hands[0] == [sealed.HIDDEN] * sealed.HAND


def test_what_has_been_taken_back_is_no_past() -> None:
    at, (ada, bo, _) = table("examples/tictactoe.py")
    ada.ask(ActIn("5"))
    bo.ask(ActIn("1"))
    at.match.undo(2)
    ada.ask(ActIn("2"))
    past = ada.holder.perspective.past(1, 0)
    assert [str(it.action) for it in past.told if isinstance(it, ActionPlayed)] == ["2"]
    with pytest.raises(ValueError, match="2 actions: 1 played so far"):
        ada.holder.perspective.past(2, 0)
    with pytest.raises(ValueError, match="-1 actions"):
        ada.holder.perspective.past(-1, 0)


def test_looking_back_at_a_long_match_changes_nothing_and_tells_the_last_events_alone() -> None:
    plugin = load("constructor")
    bots = [plugin.bot("builder", Streams("b")[seat], seat) for seat in range(4)]
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=4, players=bots)
    match.run(400)
    match.undo(20)
    client = Client(Sitting(match, plugin), 0)
    client.hear()
    before = match.digest(), match.ply, match.undone, match.bot_offsets()
    past = client.holder.perspective.past(350, 0)
    assert (match.digest(), match.ply, match.undone, match.bot_offsets()) == before
    assert client.hear() == []
    assert len(past.told) == 100
    again: AnyMatch = Match(plugin.game, seed="old oak", seats=4)
    for action in match.actions[:350]:
        again.play(action)
    assert (past.view, past.to_act) == (again.view(0), again.to_act)
