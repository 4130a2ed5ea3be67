"""No message reveals the seed or the salt of a match before its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop import Match, Random
from tabletop.protocol import ActIn, ConsentIn, RedoIn, StateOut, UndoIn, encode
from tabletop.registry import load
from tests.tabletop.table.clients import Client
from tests.tabletop.table.sittings import ALL_DATA, QUICK, Sitting

SEED = "zyzzyva quokka xebec"
SALTS = st.binary(min_size=16, max_size=16).filter(lambda salt: len(set(salt)) > 8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["sorcery", *(pytest.param(it, marks=pytest.mark.matrix) for it in ("lcr", "constructor"))],
)
@settings(max_examples=4)
@given(salt=SALTS, chance=st.integers(0, 10**6))
def test_nobody_is_told_the_seed_or_the_salt(name: str, salt: bytes, chance: int) -> None:
    plugin = load(name)
    seats = plugin.game.seats[0]
    match: Match[Any, Any] = Match(plugin.game, seed=SEED, salt=salt, seats=seats)
    at = Sitting(match, plugin, limits=replace(QUICK, messages=10**6, messages_at_once=10**6))
    clients = [Client(at, link, wants=ALL_DATA) for link in (*range(seats), None)]
    choose, (looker, *_) = Random(chance), clients[::-1]
    for _ in range(30):
        for seat in match.to_act:
            client, holder = clients[seat], clients[seat].holder
            action = choose.choose(
                holder.perspective.view(seat), holder.perspective.legal_actions(seat)
            )
            client.ask(ActIn("nonsense"))
            looker.ask(ActIn(str(action)))
            client.ask(ActIn(str(action)), UndoIn())
            clients[seat - 1].ask(ConsentIn(yes=bool(chance % 2)))
            client.ask(RedoIn())
            break
    messages = [message for client in clients for message in client.heard]
    told = "\n".join(encode(it) for it in messages if not (isinstance(it, StateOut) and it.over))
    assert "watch" in told
    secrets = (SEED, salt.hex(), repr(salt)[2:-1], match.seed.key.hex())
    assert [secret for secret in secrets if secret in told] == []
