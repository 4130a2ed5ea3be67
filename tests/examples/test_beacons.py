"""The rules of `examples/beacons.py`: crews, votes, lamps, and what each role knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.testing import check_picture

FILE = Path(__file__).parents[2] / "examples" / "beacons.py"
beacons: Any = load_file(FILE)

FIVE = "ringleader wrecker lookout keeper keeper"
SEVEN = "ringleader wrecker wrecker lookout keeper keeper keeper"


def dealt(roles: str = FIVE, **fields: Any) -> AnyMatch:
    """Return a match in which the players have these roles."""
    match = Match(beacons.GAME, seed=1, seats=len(roles.split()))
    match.state.roles = roles.split()
    for name, value in fields.items():
        setattr(match.state, name, value)
    return match


def say(match: AnyMatch, words: str) -> AnyMatch:
    """Play the words of all seats that are to act, in the order of seats."""
    for seat, word in zip(match.to_act, words.split(), strict=True):
        match.play(match.parse(word, seat=seat))
    return match


def sail(match: AnyMatch, crew: str, duties: str) -> AnyMatch:
    """Send a crew that everybody accepts."""
    match.play(match.parse(f"send {crew}"))
    return say(say(match, "yes " * match.seats), duties)


def test_a_crew_sails_if_more_than_half_accept_it() -> None:
    match = dealt()
    match.play(match.parse("send 1 3"))
    say(match, "yes no yes no yes")
    assert match.to_act == (0, 2)


def test_after_a_refusal_the_next_player_is_warden() -> None:
    match = dealt()
    match.play(match.parse("send 1 3"))
    say(match, "yes no yes no no")
    assert match.to_act == (1,)
    assert match.state.crew == ()


def test_half_of_the_votes_are_not_enough() -> None:
    match = dealt("ringleader wrecker lookout keeper keeper keeper")
    match.play(match.parse("send 1 2 3"))
    say(match, "yes yes yes no no no")
    assert match.to_act == (1,)


def test_the_fifth_crew_of_a_night_sails_without_a_vote() -> None:
    match = dealt()
    for _ in range(4):
        match.play(match.parse("send 1 3"))
        say(match, "no " * 5)
    match.play(match.parse("send 1 3"))
    assert match.to_act == (0, 2)
    say(match, "light light")
    assert (match.state.lit, match.state.refused) == (1, 0)
    assert list(match.to_act) == [0]


def test_votes_are_secret_until_all_players_have_voted() -> None:
    match = dealt()
    match.play(match.parse("send 1 3"))
    match.play(match.parse("no", seat=4))
    assert match.view(0).votes == [None, None, None, None, "?"]
    match.play(match.parse("yes", seat=0))
    say(match, "yes no yes")
    assert match.view(0).trips[-1].votes == ("yes", "yes", "no", "yes", "no")


def test_only_wreckers_douse_lamps() -> None:
    match = dealt()
    match.play(match.parse("send 1 3"))
    say(match, "yes " * 5)
    with pytest.raises(IllegalAction, match="only a wrecker"):
        match.play(match.parse("douse", seat=2))
    say(match, "douse light")
    assert (match.state.lit, match.state.dark) == (0, 1)


@pytest.mark.parametrize(
    ("roles", "crew", "duties", "dark"),
    [
        (SEVEN, "1 2 4 5", "douse light light light", 0),
        (SEVEN, "1 2 4 5", "douse douse light light", 1),
        (FIVE, "1 4 5", "douse light light", 1),
    ],
)
def test_with_seven_players_the_fourth_beacon_is_dark_if_two_lamps_are_doused(
    roles: str, crew: str, duties: str, dark: int
) -> None:
    match = dealt(roles, lit=2, dark=1)
    assert sail(match, crew, duties).state.dark == 1 + dark


def test_wreckers_win_when_three_beacons_are_dark() -> None:
    match = sail(dealt(dark=2), "1 3", "douse light")
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)
    assert match.outcome.factions == ("wreckers",) * 2 + ("keepers",) * 3


@pytest.mark.parametrize(("name", "winners"), [("name 3", (0, 1)), ("name 4", (2, 3, 4))])
def test_after_three_lit_beacons_the_ringleader_names_the_lookout(
    name: str, winners: tuple[int, ...]
) -> None:
    match = sail(dealt(lit=2), "4 5", "light light")
    assert match.to_act == (0,)
    assert match.view(4).roles == ["ringleader", "wrecker", "?", "?", "keeper"]
    match.play(match.parse(name))
    assert match.outcome is not None
    assert match.outcome.winners == winners
    assert match.view(None).roles == FIVE.split()


@pytest.mark.parametrize(
    ("seat", "roles"),
    [
        (0, ["ringleader", "a wrecker", "?", "?", "?"]),
        (1, ["a wrecker", "wrecker", "?", "?", "?"]),
        (2, ["a wrecker", "a wrecker", "lookout", "?", "?"]),
        (3, ["?", "?", "?", "keeper", "?"]),
        (None, ["?"] * 5),
    ],
)
def test_the_lookout_and_the_wreckers_know_the_wreckers_and_not_the_ringleader(
    seat: int | None, roles: list[str]
) -> None:
    match = dealt()
    assert match.view(seat).roles == roles
    rng = Streams("old oak")["redeal"]
    for _ in range(20):
        other = beacons.GAME.redeal(match.state, seat, rng)
        assert beacons.GAME.view(other, seat).roles == roles


def test_redeals_agree_with_doused_lamps() -> None:
    match = sail(dealt(), "1 2", "douse douse")
    rng = Streams("old oak")["redeal"]
    for _ in range(20):
        assert set(beacons.GAME.redeal(match.state, 3, rng).roles[:2]) <= set(beacons.WRECKERS)


@pytest.mark.slow
def test_the_picture_shows_everything_that_can_be_clicked() -> None:
    assert check_picture(beacons.GAME, beacons.BeaconsPicture(), matches=1, plies=12) > 20


def wins_of_wreckers(keepers: str, wreckers: str) -> int:
    """Return how many of 40 matches the wreckers win against other bots."""
    plugin, won = load(str(FILE)), 0
    for seed in range(40):
        match: AnyMatch = Match(plugin.game, seed=seed, seats=6)
        for seat, role in enumerate(match.state.roles):
            bot = wreckers if role in beacons.WRECKERS else keepers
            match.set_player(seat, plugin.bot(bot, match.bot_stream(seat), seat))
        outcome = match.run()
        assert outcome is not None
        won += "wreckers" in {outcome.factions[seat] for seat in outcome.winners}
    return won


@pytest.mark.slow
def test_easy_bots_play_worse_than_hard_ones_and_better_than_chance() -> None:
    easy, hard, chance = (wins_of_wreckers(bot, "hard") for bot in ("easy", "hard", "random"))
    assert hard + 3 < easy < chance - 3
