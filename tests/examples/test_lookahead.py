"""The bot of an example that looks ahead plays every game, wherever it is asked for its move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tabletop.terminal.playing import play
from tests.tabletop.web.served import Server, serving

from tabletop import ContractError, Match, Plugin, Random, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.registry import installed, load
from tabletop.states import to_json
from tabletop.web.lobby import name_of

EXAMPLES = Path(__file__).parents[2] / "examples"
AHEAD = EXAMPLES / "lookahead_bot.py"
NAMES = [
    *installed(),
    *(str(it) for it in sorted(EXAMPLES.glob("*.py")) if "\nGAME = " in it.read_text("utf-8")),
]
LookAhead = load_file(AHEAD).LookAhead

SOME = [name for name in NAMES if Path(name).stem in {"lcr", "masks", "sorcery"}]
"""An open game, and two with secrets: tables ask bots in the same way in every game."""

every_game = pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=[] if it in SOME else pytest.mark.matrix) for it in NAMES],
    ids=lambda name: Path(name).stem,
)
"""All games in the matrix, and some of them in `make test`."""


def plugin(name: str) -> Plugin:
    """A game with a bot that looks ahead, not far, besides its own."""
    own = load(name)
    bots = {**own.bots, "ahead": lambda stream, game: LookAhead(game, stream, playouts=1, plies=2)}
    # Without its picture: it would be drawn after each of some thousand moves.
    return replace(own, bots=bots, picture=None)


def seated(game: Plugin) -> list[str]:
    """One that looks ahead, and the bot of the game that plays unless another is named."""
    usual = load(game.source).best_bot
    rival = "easy" if usual == "hard" else usual  # `hard` takes a second a move
    return ["ahead", *[rival] * (max(2, game.game.seats[0]) - 1)]


AS_FILE = """
from dataclasses import replace
from pathlib import Path
from tabletop.host import load_file
from tabletop.registry import load

OWN, LookAhead = load({name!r}), load_file(Path({ahead!r})).LookAhead
AHEAD = lambda stream, game: LookAhead(game, stream, playouts=1, plies=2)
PLUGIN = replace(OWN, bots={{**OWN.bots, "ahead": AHEAD}}, picture=None)
"""
"""The module of a game with the bot that looks ahead besides its own."""


@pytest.mark.slow
@every_game
def test_it_plays_a_match_to_its_end_and_the_same_again_after_an_undo(name: str) -> None:
    game = plugin(name)
    players = seated(game)

    def seat_all(match: AnyMatch) -> None:
        for seat, player in enumerate(players):
            match.set_player(seat, game.bot(player, match.bot_stream(seat), seat))

    match: AnyMatch = Match(game.game, seed="ahead", seats=len(players))
    seat_all(match)
    outcome = match.run(10_000)
    assert outcome is not None
    last = match.actions[-8:]
    match.undo(len(last))
    seat_all(match)
    match.run()
    assert match.actions[-len(last) :] == last


@pytest.mark.parametrize("name", SOME, ids=lambda name: Path(name).stem)
def test_it_plays_at_a_terminal(name: str) -> None:
    game = plugin(name)
    match, shown = play(name, players=seated(game), plugin=game)
    assert match.over, shown[-500:]


@pytest.mark.slow
def test_it_plays_in_the_browser(tmp_path: Path) -> None:
    """Bots think in other processes there, which load the game by its source: it is a file."""
    games = []
    for name in SOME:
        path = tmp_path / f"{Path(name).stem}_ahead.py"
        path.write_text(AS_FILE.format(name=name, ahead=str(AHEAD)), "utf-8")
        games.append(load(str(path)))

    async def test(server: Server) -> None:
        for game in games:
            opened = await server.open(name_of(game), players=seated(game), seed="ahead")
            async with server.screen(opened["spectators"]) as screen:
                told = await screen.until("state", lambda told: told["over"])
                assert told["ply"]

    serving(test, tmp_path, plugins=tuple(games))


@every_game
def test_what_it_is_handed_is_drawn_from_the_state_and_never_from_a_view(name: str) -> None:
    game = load(name).game
    match: AnyMatch = Match(
        game, seed="ahead", players=[Random(seat) for seat in range(6)][: game.seats[0]]
    )
    match.run(4)
    for seat in range(match.seats):
        view, chance = match.view(seat), Streams("ahead")["chance"]
        sampled = match.sampler(seat).sample(chance)
        assert to_json(game.view(sampled, seat)) == to_json(view)
        if to_json(view) != to_json(match.state):
            with pytest.raises(ContractError, match="whole state"):
                game.redeal(view, seat, chance)
