"""Several clients of a session receive what their seats may know, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from tabletop import ActionPlayed, IllegalAction, Match, Plugin, Watcher
from tabletop.errors import NotPermitted
from tabletop.protocol import ActIn, MessageIn, ReseatIn, UndoIn
from tabletop.records import HUMAN
from tabletop.table.messages import Changed, Notification, Observed, Seated
from tabletop.table.participants import ClientFailure
from tabletop.table.session import Session
from tests.tabletop.games import rps
from tests.tabletop.table.clients import Client
from tests.tabletop.told import tells

PLUGIN = Plugin(rps.GAME, bots={"random": lambda stream: Always("rock")}, levels={})
MASKED = ActionPlayed(1, 0, None)
ROCK = ActionPlayed(1, 0, rps.Show(0, "rock"))


class Always:
    """Shows the same hand, whatever happens."""

    def __init__(self, hand: str) -> None:
        self._hand = hand

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return next(action for action in actions if action.hand == self._hand)


def table(players: Sequence[str] = (HUMAN, HUMAN), rounds: int = 2) -> Session:
    names = ["Ann", "Bo", "Cy", "Di"][: len(players)]
    match = Match(rps.GAME, seed="oak", seats=names, options={"rounds": rounds})
    return Session(match, PLUGIN, players)


def seats_of(client: Client) -> list[int]:
    return list(client.place.seats)


def refusal(client: Client) -> str:
    [why], client.refused = client.refused, []
    return why


def test_each_client_is_told_what_its_own_seat_may_know() -> None:
    session = table()
    ann, bo = Client(session, [0]), Client(session, [1])
    ann.place.request(ActIn("rock"))
    assert ann.said() == [Observed(1, 0, ROCK), Changed(1)]
    assert bo.said() == [Observed(1, 1, MASKED), Changed(1)]


def test_a_client_sees_its_own_hand_and_no_other() -> None:
    session = table()
    ann, bo = Client(session, [0]), Client(session, [1])
    ann.place.request(ActIn("paper"))
    assert ann.place.view(0).chosen == ["paper", None]
    assert bo.place.view(1).chosen == ["?", None]
    assert bo.place.view().chosen == ["?", None]
    for ask in (bo.place.view, bo.place.legal_actions):
        with pytest.raises(IllegalAction, match="this is visible to another seat only"):
            ask(0)


def test_all_are_told_in_the_same_order() -> None:
    session = table(rounds=1)
    clients = [Client(session, [0]), Client(session, [1]), Client(session, [])]
    clients[0].place.request(ActIn("rock"))
    clients[1].place.request(ActIn("paper"))
    orders = []
    for client in clients:
        orders.append([it.number for it in client.heard if isinstance(it, Observed)])
        assert client.heard[-1] == Changed(2)
    assert orders == [[1, 2, 3, 4, 5]] * 3


def test_a_spectator_is_told_what_everybody_may_know_and_asks_for_nothing() -> None:
    session = table()
    ann, spectator = Client(session, [0]), Client(session, [])
    ann.place.request(ActIn("rock"))
    assert spectator.events(None) == [MASKED]
    spectator.said()
    for request in (ActIn("rock"), UndoIn(), ReseatIn(0, "random")):
        spectator.ask(request)
        assert refusal(spectator) == "you are watching and have no seat"
    assert session.match.ply == 1


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (ActIn("rock", seat=0), "you do not control Ann"),
        (ActIn("rock", seat=7), "you do not control seat 8"),
        (ReseatIn(0, "random"), "Ann sits elsewhere and must do this in person"),
        (ActIn("castle"), "'castle' ... rock"),
        (ReseatIn(4, "random"), "there is no seat 5; seats are 1 to 2"),
        (ReseatIn(1, "hal"), "rps ... 'hal' ... random"),
        (UndoIn(), "no action to undo"),
    ],
)
def test_what_is_refused_is_told_to_who_asked_alone(request_: MessageIn, why: str) -> None:
    session = table()
    ann, bo = Client(session, [0]), Client(session, [1])
    before = session.match.digest()
    ann.said()
    bo.said()
    bo.ask(request_)
    assert tells(refusal(bo), why)
    assert (ann.said(), bo.said()) == ([], [])
    assert session.match.digest() == before


def test_who_has_decided_waits_for_the_others() -> None:
    session = table()
    ann = Client(session, [0])
    ann.place.request(ActIn("rock"))
    ann.ask(ActIn("rock"))
    assert refusal(ann) == "it is not your turn"
    assert session.waiting_for == (1,)
    assert not session.advance()


def test_a_client_may_come_in_mid_match() -> None:
    session = table()
    terminal = Client(session)  # has all seats that nobody else has
    terminal.place.request(ActIn("rock", seat=0))
    terminal.said()
    bo = Client(session, [1])
    assert seats_of(terminal) == [0]
    bo.place.leave()
    assert seats_of(terminal) == [0, 1]


def test_who_has_left_is_told_nothing_more() -> None:
    session = table()
    ann, bo = Client(session, [0]), Client(session, [1])
    bo.place.leave()
    bo.place.leave()
    bo.said()
    ann.place.request(ActIn("rock"))
    assert bo.said() == []


def test_a_seat_has_one_client() -> None:
    session = table()
    Client(session, [0])
    with pytest.raises(ValueError, match="Ann is already reserved by a client"):
        Client(session, [0])
    with pytest.raises(ValueError, match=r"\b3\b.* 1 to 2$"):
        Client(session, [2])


class Broken(Client):
    """Raises an error for each notification."""

    @override
    def notify(self, notification: Notification) -> None:
        raise BrokenPipeError(f"gone at {type(notification).__name__}")


def test_a_client_that_fails_hurts_nobody_and_is_reported() -> None:
    failures: list[Any] = []
    match = Match(rps.GAME, seed="oak", seats=["Ann", "Bo"])
    session = Session(match, PLUGIN, [HUMAN, HUMAN], on_failure=failures.append)
    broken, bo = Broken(session, [0]), Client(session, [1])
    bo.said()
    broken.place.request(ActIn("rock"))
    assert match.ply == 1
    assert bo.said() == [Observed(1, 1, MASKED), Changed(1)]
    assert [failure.notification for failure in failures] == [
        Observed(1, 0, ROCK),
        Changed(1),
    ]
    assert all(isinstance(failure, ClientFailure) for failure in failures)


def test_without_somebody_to_tell_failures_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    session = table()
    Broken(session, [0]).place.request(ActIn("rock"))
    assert "a client failed" in caplog.text


def test_a_seat_is_handed_to_a_bot_and_back() -> None:
    session = table()
    ann, bo = Client(session, [0]), Client(session, [1])
    ann.said()
    bo.place.request(ReseatIn(1, "Random"))
    assert ann.said() == [Seated(1, "random")]
    assert session.players == (HUMAN, "random")
    assert session.advance()
    bo.said()
    ann.place.request(ActIn("rock"))
    ann.ask(ReseatIn(1, HUMAN))
    assert refusal(ann).startswith("Bo ")
    bo.place.request(ReseatIn(1, HUMAN))
    assert bo.said()[-1] == Seated(1, HUMAN)
    assert not session.advance()


def test_a_seat_without_a_client_can_be_taken_by_one_that_asks() -> None:
    session = table(players=(HUMAN, "random"))
    ann = Client(session, [0])
    ann.place.request(ReseatIn(1, HUMAN))
    assert ann.place.seats == (0, 1)


HANDS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(rps.HANDS)), max_size=12)


@given(HANDS)
def test_whatever_is_asked_nobody_is_told_more_than_the_rules_allow(
    asked: list[tuple[int, str]],
) -> None:
    session = table(players=(HUMAN,) * 3)
    truth: dict[Watcher, list[Any]] = {seat: [] for seat in (0, 1, 2, None)}
    for seat, seen in truth.items():
        session.match.observe(seen.append, seat=seat)
    clients = [Client(session, [seat]) for seat in range(3)]
    spectator = Client(session, [])
    for seat, hand in asked:
        clients[seat].ask(ActIn(hand))
    for seat, client in enumerate(clients):
        assert client.events(seat) == truth[seat]
        assert {it.watcher for it in client.heard if isinstance(it, Observed)} <= {seat}
    assert spectator.events(None) == truth[None]


def test_who_gives_a_seat_back_that_was_taken_knows_nothing_more_of_it() -> None:
    session = table(players=(HUMAN, "random"))
    ann = Client(session, [0])
    ann.ask(ReseatIn(1, HUMAN), ReseatIn(1, "random"))
    ann.said()
    assert ann.place.own == {0}
    with pytest.raises(NotPermitted):
        ann.place.view(1)
    session.advance()
    assert [len(ann.events(seat)) for seat in (0, 1)] == [1, 0]
    bo = Client(session, [1])
    bo.ask(ReseatIn(1, HUMAN), ReseatIn(1, "random"), ReseatIn(1, HUMAN))
    assert seats_of(bo) == [1], "what a client came for it has again"
