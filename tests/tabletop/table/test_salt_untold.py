"""No request or refusal reveals the seed or the salt of a match to a client."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop import Match, Random, TabletopError
from tabletop.protocol import ActIn, ConsentIn, MessageIn, RedoIn, UndoIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.states import to_json
from tabletop.table.messages import Changed, Notification
from tabletop.table.participants import Participant
from tabletop.table.session import Session

SEED = "zyzzyva quokka xebec"
SALTS = st.binary(min_size=16, max_size=16).filter(lambda salt: len(set(salt)) > 8)


class Ears:
    """Remembers its notifications, and its view at that time."""

    place: Participant

    def __init__(self) -> None:
        self.heard: list[str] = []

    def ask(self, *requests: MessageIn) -> None:
        for request in requests:
            try:
                self.place.request(request)
            except (TabletopError, ValueError) as error:
                self.heard.append(repr(error))

    def notify(self, news: Notification) -> None:
        self.heard.append(repr(news))
        if isinstance(news, Changed):
            self.heard += (to_json(self.place.view(it)).decode() for it in self.place.seats)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lcr", "constructor", "sorcery"])
@settings(max_examples=4)
@given(salt=SALTS, chance=st.integers(0, 10**6))
def test_nobody_is_told_the_seed_or_the_salt(name: str, salt: bytes, chance: int) -> None:
    plugin = load(name)
    seats = plugin.game.seats[0]
    match: Match[Any, Any] = Match(plugin.game, seed=SEED, salt=salt, seats=seats)
    session = Session(match, plugin, (HUMAN,) * seats, undo="fair")
    clients = [Ears() for _ in range(seats + 1)]
    for seat, client in enumerate(clients):
        client.place = session.join(client, [seat] if seat < seats else [])
    choose, (looker, *_) = Random(chance), clients[::-1]
    for _ in range(30):
        for seat in match.to_act:
            client, place = clients[seat], clients[seat].place
            action = choose.choose(place.view(seat), place.legal_actions(seat))
            client.ask(ActIn("nonsense"))
            looker.ask(ActIn(str(action)))
            client.ask(ActIn(str(action)), UndoIn())
            clients[seat - 1].ask(ConsentIn(yes=bool(chance % 2)))
            client.ask(RedoIn())
            break
    told = "\n".join(line for client in clients for line in client.heard)
    assert "watch" in told
    for secret in (SEED, salt.hex(), repr(salt)[2:-1], session.match.seed.key.hex()):
        assert secret not in told
