"""No seat is sent what it must not know: a few of the matches that `secrecy` plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletop.protocol.outgoing import LineOut, TableOut
from tabletop.registry import installed, load
from tabletop.table.past import look_back
from tabletop.table.perspective import Perspective
from tabletop.table.presenter import TablePresenter
from tabletop.table.seat_holder import SeatHolder
from tabletop.testing import check_game
from tests.tabletop.games import sealed
from tests.tabletop.web.secrecy import KINDS, ROOT, Kind, Leak, plugin_of, run
from tests.tabletop.web.served import Server, with_server

SEALED = tuple(kind for kind in KINDS if kind.source.endswith("sealed.py"))
SORCERY = KINDS[:1]
# The rules and texts of Constructor are the same on all of its boards.
FEW = tuple(it for it in KINDS if it.source not in {"constructor-small", "constructor-square"})
QUICK = ("masks.py",)
FIRST = ("sealed.py", "lcr", "constructor", "hearts.py", "tictactoe.py")
"""With `QUICK` and `SORCERY`, games of each kind. `make matrix` plays the others."""


def marks(kind: Kind) -> tuple[pytest.MarkDecorator, ...]:
    name = kind.source.rpartition("/")[2]
    if name in QUICK:
        return ()
    if name in FIRST or kind in SORCERY:
        return (pytest.mark.slow,)
    return (pytest.mark.slow, pytest.mark.matrix)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=marks(kind)) for kind in FEW],
    ids=lambda kind: kind.source.rpartition("/")[2],
)
def test_no_text_that_is_sent_holds_a_secret(kind: Kind) -> None:
    found = run(1, [replace(kind, plies=min(kind.plies, 25))])
    assert found.texts > 10
    assert found.twins > 0
    if kind.options.get("deck1") or kind in SEALED:
        assert found.words > 500


@pytest.mark.slow
def test_all_games_are_searched() -> None:
    played = {plugin_of(kind.source).game.name for kind in KINDS}
    files = filter(is_game, sorted((ROOT / "examples").glob("*.py")))
    assert installed().keys() | {load(str(file)).game.name for file in files} <= played


def is_game(file: Path) -> bool:
    """Check whether an example is a game, and no bot, lesson or program."""
    text = file.read_text("utf-8")
    return "(Game[" in text or "(SecretGame[" in text or "\nGAME = " in text


@pytest.mark.slow
def test_the_game_of_sealed_words_keeps_the_laws() -> None:
    check_game(sealed.GAME, matches=2)


def _sees_all(perspective: Perspective, seat: Any = None) -> Any:
    return perspective.match.state


@pytest.mark.parametrize(
    "kind",
    [*SEALED, *(pytest.param(kind, marks=pytest.mark.slow) for kind in SORCERY)],
    ids=["sealed", "sorcery"],
)
def test_a_server_that_draws_more_than_a_seat_sees_is_found_out(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Perspective, "view", _sees_all)
    with pytest.raises(Leak):
        run(1, [kind])


def test_a_server_that_shows_more_of_the_past_than_a_seat_saw_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sees_all(perspective: Perspective, ply: int, seat: Any = None) -> Any:
        match = perspective.match
        return replace(look_back(match, ply, seat), view=match.state)

    monkeypatch.setattr(Perspective, "past", sees_all)
    with pytest.raises(Leak, match="the past"):
        run(1, SEALED)


@pytest.mark.parametrize(
    "leak",
    [
        lambda match: match.seed.text,
        lambda match: next(iter(match.streams().values())),
        lambda match: match.digest(),
        lambda match: match.salt.hex() if match.salt else match.seed.text,
    ],
    ids=["seed", "stream", "digest", "salt"],
)
def test_a_server_that_tells_what_chance_hangs_on_is_found_out(
    leak: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TablePresenter.table

    def leaking(presenter: TablePresenter, holder: SeatHolder, now: float) -> TableOut:
        message = table(presenter, holder, now)
        return msgspec.structs.replace(message, thinking=str(leak(holder.perspective.match)))

    monkeypatch.setattr(TablePresenter, "table", leaking)
    with pytest.raises(Leak, match="is sent"):
        run(1, SEALED)


def test_a_log_that_says_what_a_view_masks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(holder: SeatHolder, number: int, *, data: bool = False) -> tuple[LineOut, ...]:
        top = sum(map(ord, holder.perspective.match.state.deck[-1]))
        found = lines(holder, number, data=data)
        return tuple(msgspec.structs.replace(line, text=f"{line.text} {top}") for line in found)

    lines = SeatHolder.lines_after
    monkeypatch.setattr(SeatHolder, "lines_after", telling)
    with pytest.raises(Leak, match="the log"):
        run(1, SEALED)


@with_server()
async def test_what_is_sent_over_a_socket_holds_no_hidden_card(server: Server) -> None:
    options = dict(KINDS[0].options)
    opened = await server.open("sorcery", seed="quagga nightjar", options=options)
    links = [*opened["links"], opened["spectators"]]
    async with (
        server.screen(links[0]) as ada,
        server.screen(links[1], picture="narrow") as bo,
        server.screen(links[2]) as cy,
    ):
        turn = (await ada.until("state"))["turn"][0]
        for ply in range(1, 8):
            await (ada, bo)[turn].say(type="act", line="end")
            states = [await screen.at(ply) for screen in (ada, bo, cy)]
            turn = states[0]["turn"][0]
        live = next(iter(server.hosting.tables.listing.live.values()))
        match = live.table.match
        cards = [{it.card for it in [*side.hand, *side.deck]} for side in match.state.sides]
        for screen, hidden in ((ada, cards[1]), (bo, cards[0]), (cy, cards[0] | cards[1])):
            texts = "".join(screen.texts)
            # Nobody has played a card: all that was drawn is still in hands and decks.
            assert not {name for name in hidden if name in texts}
            tokens = [link.partition("#")[2] for link in links]
            assert not [word for word in (*tokens, "quagga", server.key) if word in texts]
