"""Two browsers at one match: each is sent what its seat may know, and no more."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import duel
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

DECKS = (
    ["Earth Elemental", "Potion Seller", "Novice Pyromancer", "Aura of Power", "Magic Fatigue"],
    ["Fire Elemental", "Bone Golem", "Giant Strength", "Dark Ritual", "Air Elemental"],
)
"""No card is in both, and none speaks of another: a name in a page says whose card it is."""


def test_two_browsers_play_one_match_and_neither_is_sent_the_other_s_hand(
    server: Server, visitors: Visitors
) -> None:
    decks = {f"deck{seat + 1}": "\n".join(names * 3) for seat, names in enumerate(DECKS)}
    opened = server.open("sorcery", names=["Ada", "Bo"], options={**decks, "patience": 8})
    screens = [visitors.sit(link) for link in opened["links"]]
    watcher = visitors.sit(opened["spectators"])
    decide = duel("two")
    shown: set[str] = set()
    secrets_seen = 0
    while not any(screen.over for screen in screens):
        mover = screens[screens[0].state["turn"][0]].settled()
        mover.choose(decide(mover.state["choices"]))
        for screen in (*screens, watcher):
            screen.until_ply(mover.ply())
        if mover.over:
            break
        shown |= played(server, opened["table"])
        for seat, screen in enumerate(screens):
            hidden = set(DECKS[1 - seat]) - shown
            secrets_seen += len(hidden)
            assert names_in(screen) & hidden == set()
            assert set(DECKS[seat]) & names_in(screen)
        assert names_in(watcher) & {*DECKS[0], *DECKS[1]} <= shown
    assert secrets_seen
    endings = {screen.settled().text("#ending h3") for screen in (*screens, watcher)}
    assert len(endings) == 1


def names_in(screen: Screen) -> set[str]:
    """The cards named in anything that a page was ever sent, or that stands in it."""
    texts = [*screen.received, screen.page.content()]
    return {name for names in DECKS for name in names if any(name in text for text in texts)}


def played(server: Server, table: str) -> set[str]:
    """The cards on the table and in the graveyards, which everybody may see."""
    sides = server.match(table).state.sides
    seen = str([(side.minions, side.ritual, side.graveyard) for side in sides])
    return {name for names in DECKS for name in names if name in seen}
