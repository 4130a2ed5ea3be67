"""The people at the links of a table receive what their seats may know, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ActionPlayed, IllegalAction, Match, Plugin, Watcher
from tabletop.errors import NotPermitted
from tabletop.protocol import ActIn, LogOut, MessageIn, ReseatIn, TableOut, UndoIn
from tabletop.records import HUMAN
from tests.tabletop.games import rps
from tests.tabletop.table.clients import Client
from tests.tabletop.table.sittings import Sitting
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


def table(players: Sequence[str] = (HUMAN, HUMAN), rounds: int = 2, **more: Any) -> Sitting:
    names = ["Ann", "Bo", "Cy", "Di"][: len(players)]
    match = Match(rps.GAME, seed="oak", seats=names, options={"rounds": rounds})
    at = Sitting(match, PLUGIN, players, undo="free", **more)
    at.bots_think = False
    return at


def pair() -> tuple[Sitting, Client, Client]:
    at = table()
    return at, Client(at, 0), Client(at, 1)


def refusal(client: Client) -> str:
    [why], client.refused = client.refused, []
    return why


def test_each_seat_observes_what_it_may_know() -> None:
    _, ann, bo = pair()
    ann.ask(ActIn("rock"))
    assert (ann.events(0), bo.events(1)) == ([ROCK], [MASKED])


def test_people_see_their_own_hand_and_no_other() -> None:
    _, ann, bo = pair()
    ann.ask(ActIn("paper"))
    assert ann.holder.perspective.view(0).chosen == ["paper", None]
    assert bo.holder.perspective.view(1).chosen == ["?", None]
    assert bo.holder.perspective.view().chosen == ["?", None]
    sees = bo.holder.perspective
    for ask in (sees.view, sees.legal_actions, partial(sees.past, 0)):
        with pytest.raises(IllegalAction, match="this is visible to another seat only"):
            ask(0)


def test_the_lines_of_the_log_have_the_same_numbers_for_everybody() -> None:
    at = table(rounds=1)
    clients = [Client(at, link) for link in (0, 1, None)]
    clients[0].ask(ActIn("rock"))
    clients[1].ask(ActIn("paper"))
    for client in clients:
        client.hear()
        lines = [line for told in client.heard if isinstance(told, LogOut) for line in told.lines]
        assert [line.number for line in lines] == [1, 2, 3, 4, 5]


def test_spectators_observe_what_everybody_may_know_and_their_requests_are_refused() -> None:
    at = table()
    ann, spectator = Client(at, 0), Client(at, None)
    ann.ask(ActIn("rock"))
    assert spectator.events(None) == [MASKED]
    for request in (ActIn("rock"), UndoIn(), ReseatIn(0, "random")):
        with pytest.raises(NotPermitted, match="you are watching and have no seat"):
            spectator.holder.request(request)
    assert at.match.ply == 1


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (ActIn("rock", seat=0), "you do not control Ann"),
        (ActIn("rock", seat=7), "you do not control seat 8"),
        (ActIn("castle"), "'castle' ... rock"),
        (ReseatIn(4, "random"), "there is no seat 5"),
        (ReseatIn(1, "hal"), "'hal' ... random"),
        (UndoIn(), "no action to undo"),
    ],
)
def test_only_those_who_asked_read_a_refusal(request_: MessageIn, why: str) -> None:
    at, ann, bo = pair()
    before = at.match.digest()
    ann.hear()
    bo.ask(request_)
    assert tells(refusal(bo), why)
    assert ann.hear() == []
    assert at.match.digest() == before


def test_nobody_may_give_the_seat_of_another_person_away() -> None:
    _, _, bo = pair()
    with pytest.raises(NotPermitted, match="Ann sits elsewhere and must do this in person"):
        bo.holder.request(ReseatIn(0, "random"))


def test_a_player_who_has_chosen_waits_for_the_others() -> None:
    at, ann, _ = pair()
    ann.ask(ActIn("rock"), ActIn("rock"))
    assert refusal(ann) == "it is not your turn; wait for Bo"
    assert at.table.waiting_for == (1,)
    assert not at.table.requests.advance()


def test_a_shared_link_has_all_seats_that_no_other_link_has() -> None:
    at = table(players=(HUMAN,) * 3, seating={0: None, 1: [1]})
    assert [at.table.holders[link].played_seats for link in (0, 1)] == [(0, 2), (1,)]


@pytest.mark.parametrize(
    ("seating", "why"),
    [({0: [0], 1: [0]}, "Ann already has a link"), ({0: [2]}, "there is no seat 3")],
)
def test_seats_that_do_not_exist_or_have_two_links_are_refused(
    seating: dict[int, list[int]], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        table(seating=seating)


def test_a_seat_is_given_to_a_bot_and_back() -> None:
    at, ann, bo = pair()
    bo.ask(ReseatIn(1, "Random"))
    assert at.table.players == (HUMAN, "random")
    assert [it.players for it in ann.hear() if isinstance(it, TableOut)][-1] == (HUMAN, "random")
    assert at.table.requests.advance()
    ann.ask(ActIn("rock"), ReseatIn(1, HUMAN))
    assert at.table.players == (HUMAN, "random")
    with pytest.raises(NotPermitted, match="Bo sits elsewhere"):
        ann.holder.request(ReseatIn(1, HUMAN))
    bo.ask(ReseatIn(1, HUMAN))
    assert at.table.players == (HUMAN, HUMAN)
    assert not at.table.requests.advance()


def test_a_seat_without_a_link_can_be_taken() -> None:
    ann = Client(table(players=(HUMAN, "random")))
    ann.ask(ReseatIn(1, HUMAN))
    assert ann.holder.played_seats == (0, 1)


HANDS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(rps.HANDS)), max_size=12)


@given(HANDS)
def test_nobody_observes_more_than_the_rules_allow(asked: list[tuple[int, str]]) -> None:
    at = table(players=(HUMAN,) * 3)
    truth: dict[Watcher, list[Any]] = {seat: [] for seat in (0, 1, 2, None)}
    for seat, seen in truth.items():
        at.match.observe(seen.append, seat=seat)
    clients = {link: Client(at, link) for link in (0, 1, 2, None)}
    for seat, hand in asked:
        clients[seat].ask(ActIn(hand))
    for link, client in clients.items():
        assert client.events(link) == truth[link]
        assert not any(client.events(other) for other in truth if other != link)


def test_people_who_give_a_taken_seat_back_learn_nothing_more_about_it() -> None:
    at = table(players=(HUMAN, "random"))
    ann = Client(at)
    ann.ask(ReseatIn(1, HUMAN), ReseatIn(1, "random"))
    assert ann.holder.own == {0}
    with pytest.raises(NotPermitted):
        ann.holder.perspective.view(1)
    at.table.requests.advance()
    assert [len(ann.events(seat)) for seat in (0, 1)] == [1, 0]


def test_people_get_the_seat_of_their_link_back_from_a_bot() -> None:
    _, _, bo = pair()
    bo.ask(ReseatIn(1, "random"), ReseatIn(1, HUMAN))
    assert bo.holder.played_seats == (1,)
