"""Editions of the game, both the document's and others, and their decks."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import CARDS
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import BOTH, Scene
from tests.sorcery.seen import lines_in, parts, picture_of
from tests.sorcery.tables import NAMES
from tests.tabletop.told import tells

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Action,
    Attack,
    Card,
    CardsError,
    CardType,
    DeckError,
    Edition,
    EditionError,
    Play,
    Sorcery,
    SorceryState,
    When,
    minion,
    packaged_deck,
    parse_deck,
)
from sorcery.cards.card import plain
from sorcery.cards.state import MOST
from sorcery.rules.actions import commands_of
from sorcery.text.frames import STYLES
from sorcery.text.text_board import TextBoard, board_width
from tabletop import CommandError, Match, Random, Streams
from tabletop.cli import main
from tabletop.testing import check_game

PRINTED_IN_BOTH = """
Air Elemental|Minion|0|1/1|||
Earth Elemental|Minion|3|4/4|||
Fire Elemental|Minion|2|2/2|||Whenever an opponent's minion enters play, deal 1 damage to it.
Potion Seller|Minion|2|1/3|||At the end of your turn, all your minions gain +0/+1.
Novice Pyromancer|Minion|1|0/1|1||Deal 1 damage to target minion
Apprentice Summoner|Minion|1|1/1|1||Summon a 1/1 air elemental
Master Summoner|Minion|3|2/3|2||Summon up to three 1/1 air elementals
Banish|Spell|2||||Destroy target minion or ritual
Recharge|Spell|1||||Your ritual gains 3 charges
Disenchant|Spell|1||||Destroy the top enchantment on target minion
Blizzard|Spell|3||||Deal 2 damage to all minions
Giant Strength|Enchantment|1|+2/+2|||
Magic Fatigue|Enchantment|0||||Enchanted minion's activated ability costs 2 more
Silence|Enchantment|1||||Enchanted minion cannot use abilities
Dark Ritual|Ritual|0|||5 (1)|At the start of your turn, gain 1 magic
Aura of Power|Ritual|1|||4 (1)|Whenever a minion enters play under your control, it gains +1/+1
Standstill|Ritual|3|||4 (2)|Whenever a minion enters play, destroy it
""".strip().splitlines()

PRINTED_IN_2024 = """
Bone Golem|Minion|2|1/3|||Gain +1/+1 whenever a minion leaves play.
Unsummon|Spell|1||||Return target minion to its owner's hand
Raise Dead|Spell|1||||Resurrect the top minion in your graveyard and set its. defence to 1
Enrage|Enchantment|2|*2/*2|||
Haste|Enchantment|1||||Enchanted minion gains +1 action each turn
""".strip().splitlines()

PRINTED_IN_2017 = """
Unsummon|Spell|1||||Put target minion on the bottom of its owner's deck
Raise Dead|Spell|1||||Resurrect the top minion in your graveyard
Thornback|Minion|2|1/4|||Whenever an opponent's minion attacks, deal 1 damage to it.
Scholar's Robe|Enchantment|1||1||Enchanted minion can draw a card
Seduction|Spell|4||||Take control of target minion of your opponent
Echo Cave|Ritual|2|||3 (1)|Whenever you play a spell, it happens again
""".strip().splitlines()


def printed(card: Card) -> str:
    """Return a card as a line of the tables above."""
    numbers = ""
    if card.type is CardType.MINION:
        numbers = f"{card.attack}/{card.defence}"
    elif any(any(modifier.box) for modifier in card.modifiers):
        numbers = "/".join(card.modifiers[0].box)
    ability = str(card.abilities[0].cost) if card.abilities else ""
    charges = f"{card.charges} ({card.activation})" if card.type is CardType.RITUAL else ""
    texts = [card.text] if card.text else [one.text for one in card.abilities]
    texts += [one.text for one in card.triggers]
    cells = (card.name, card.type, str(card.cost), numbers, ability, charges, *map(plain, texts))
    return " | ".join(cells)


def lines_of(table: list[str]) -> list[str]:
    """Return the lines of a table, with empty cells as in `printed`."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table]
    return sorted(" | ".join(row if row[6] else row[:6]) for row in rows)


@pytest.mark.parametrize(
    ("edition", "table"),
    [(SPRING_2024, PRINTED_IN_2024), (SPRING_2017, PRINTED_IN_2017)],
    ids=["2024", "2017"],
)
def test_every_card_is_as_printed(edition: Edition, table: list[str]) -> None:
    assert sorted(map(printed, edition.card_set)) == lines_of([*PRINTED_IN_BOTH, *table])


def test_the_editions_differ_as_the_documents_do() -> None:
    differing = {
        part.name
        for part in fields(Edition)
        if getattr(SPRING_2024, part.name) != getattr(SPRING_2017, part.name)
    }
    assert differing == {
        "name",
        "title",
        "game",
        "card_set",
        "cards_at_start",
        "first_turn_gains",
        "actions_on_entering",
        "keeps_numbers",
        "rules",
        "breaks_words",
    }


def test_each_edition_has_four_kinds_of_triggers_and_2017_one_more_for_its_ritual() -> None:
    """The fourth kind is "leaves play" in 2024, and a free choice in 2017 (§3.4)."""
    three = {When.TURN_STARTS, When.TURN_ENDS, When.ENTERS}
    assert set(SPRING_2024.triggers) == three | {When.LEAVES}
    assert set(SPRING_2017.triggers) == three | {When.ATTACKS, When.SPELL}


@BOTH
def test_adding_cards_creates_a_new_edition(edition: Edition) -> None:
    bird = minion("Bird", cost=0, attack=1, defence=1)
    more = edition.with_cards([bird])
    assert more.cards["Bird"] is bird
    assert "Bird" not in edition.cards
    assert more.printed("Bird").defence == 1


@BOTH
@pytest.mark.parametrize("name", ["Banish", "BANISH"])
def test_a_name_can_be_taken_only_once(edition: Edition, name: str) -> None:
    with pytest.raises(CardsError, match=rf"\bname '{name}'"):
        edition.with_cards([minion(name, cost=0, attack=1, defence=1)])


# Deck files: names of cards, one per line (Sorcery 2024 §5.2.1, 2017 §5.2.1).


DEFAULT = """
Air Elemental, Earth Elemental, Fire Elemental, Potion Seller, Novice Pyromancer,
Apprentice Summoner, Master Summoner, Banish, Unsummon, Recharge, Disenchant, Raise Dead, Blizzard,
Giant Strength, Magic Fatigue, Silence, Dark Ritual, Aura of Power, Standstill
""".replace("\n", " ")


@BOTH
def test_the_default_deck_is_that_of_the_document_in_its_order(edition: Edition) -> None:
    deck = parse_deck(packaged_deck(), edition)
    assert [held.card for held in deck] == [name.strip() for name in DEFAULT.split(",")]


@BOTH
def test_decks_ignore_case_blanks_and_empty_lines_and_may_have_any_size(edition: Edition) -> None:
    deck = parse_deck(" \tair  ELEMENTAL \r\n\n   \r\nbanish\nBanish  ", edition)
    assert [held.card for held in deck] == ["Air Elemental", "Banish", "Banish"]
    assert parse_deck("", edition) == []
    assert len(parse_deck("Banish\n" * 500, edition)) == 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Banish\nBansih",
            "line 2: 'Bansih' is not a card of the 2024 edition; did you mean 'Banish'?",
        ),
        (
            "Dragon",
            "line 1: 'Dragon' is not a card of the 2024 edition (did you mean 'Enrage'?)",
        ),
        ("?", "line 1: '?' is not a card of the 2024 edition (did you mean 'Unsummon'?)"),
    ],
)
def test_an_unknown_card_is_named_with_its_line_and_the_nearest_card(
    text: str, message: str
) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(text, SPRING_2024)
    assert str(caught.value) == message
    assert caught.value.line == int(message.split(":", maxsplit=1)[0].removeprefix("line "))


@pytest.mark.parametrize(
    ("edition", "card", "message"),
    [
        (
            SPRING_2017,
            "bone  golem",
            "'bone golem' ... 2017 ... 2024",
        ),
        (
            SPRING_2024,
            "Thornback",
            "'Thornback' ... 2024 ... 2017",
        ),
    ],
)
def test_a_card_of_another_edition_is_reported_as_such(
    edition: Edition, card: str, message: str
) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(card, edition)
    assert tells(str(caught.value), f"line 1: {message} edition")


# Editions with other numbers: their limits apply to play, commands and displays.


SMALL = replace(SPRING_2024, name="small", most_cards=3, most_minions=2, cards_at_start=3)
LARGE = replace(
    SPRING_2024.with_cards(CARDS),
    name="large",
    life_at_start=30,
    magic_at_start=2,
    magic_each_turn=3,
    most_cards=9,
    most_minions=9,
)
LEAST = replace(SPRING_2017, name="least", most_cards=1, most_minions=1, cards_at_start=1)
BY_EDITION = pytest.mark.parametrize("edition", [SMALL, LARGE, LEAST], ids=lambda one: one.name)


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Draw an edition with any valid numbers."""
    most_cards = draw(st.integers(1, 9))
    return replace(
        draw(st.sampled_from([SPRING_2024, SPRING_2017, SPRING_2024.with_cards(CARDS)])),
        name="any",
        life_at_start=draw(st.integers(1, 60)),
        magic_at_start=draw(st.integers(0, 12)),
        magic_each_turn=draw(st.integers(0, 5)),
        most_cards=most_cards,
        most_minions=draw(st.integers(1, 9)),
        cards_at_start=draw(st.integers(0, most_cards)),
        first_turn_gains=draw(st.booleans()),
        actions_on_entering=draw(st.integers(0, 2)),
        keeps_numbers=draw(st.booleans()),
    )


def random_match(edition: Edition, seed: int) -> Match[SorceryState, Action]:
    bots = Streams(seed)
    return Match(
        Sorcery(edition),
        seed=seed,
        players=[Random(bots["first"]), Random(bots["second"])],
        options={"deck1": _all_cards(edition), "deck2": _all_cards(edition)},
    )


def _all_cards(edition: Edition) -> str:
    return "\n".join(edition.cards)


# Play.


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [LARGE, pytest.param(LEAST, marks=pytest.mark.matrix)],
    ids=lambda edition: edition.name,
)
def test_an_edition_with_other_numbers_keeps_the_contract(edition: Edition) -> None:
    options = {"deck1": _all_cards(edition), "deck2": _all_cards(edition)}
    game = Sorcery(edition)  # only the shuffles before a match are random
    report = check_game(game, matches=1, plies=15, stop=True, options=options, seeded=False)
    assert report.matches == 1


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(editions(), st.integers(0, 2**32))
def test_a_match_starts_with_the_numbers_of_its_edition_and_keeps_its_limits(
    edition: Edition, seed: int
) -> None:
    match = random_match(edition, seed)
    first = edition.first_turn_gains * edition.magic_each_turn
    magic = edition.magic_at_start
    assert [side.life for side in match.state.sides] == [edition.life_at_start] * 2
    assert [side.magic for side in match.state.sides] == [magic + first, magic]
    for _ in range(120):
        if match.over:
            break
        for action in match.legal_actions():
            match.game.check(match.state, action)
            assert match.parse(str(action)) == action
        match.step()
        for side in match.state.sides:
            assert len(side.hand) <= edition.most_cards
            assert len(side.minions) <= edition.most_minions


def test_magic_gained_in_a_turn_stops_at_the_limit() -> None:
    rich = replace(SPRING_2024, name="rich", magic_at_start=MOST, magic_each_turn=MOST)
    match = Match(Sorcery(rich), seed="gold")
    for _ in range(3):
        match.play(match.parse("end"))
    assert [side.magic for side in match.state.sides] == [MOST, MOST]


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("Air Elemental", "Your board is full."),
        ("Raise Dead", "Your board is full."),
        ("Unsummon", "The hand of the minion's owner is full."),
    ],
)
def test_cards_respect_the_limits_of_the_edition(card: str, why: str) -> None:
    scene = Scene(SMALL).hand(1, card).board(1, "Bone Golem", "Bone Golem")
    scene.graveyard(1, "Bone Golem 1/0").board(2, "Bone Golem").hand(2, *["Banish"] * 3)
    assert scene.refusal("play 1 2 1" if card == "Unsummon" else "play 1") == why


# Commands.


def test_commands_accept_the_places_of_hand_and_board() -> None:
    commands = commands_of(7, 6)
    assert commands.parse("play 7 2 6") == Play(6, 1, 5)
    assert commands.parse("attack 6 6") == Attack(5, 5)
    for line, most in [("play 8", 7), ("attack 7", 6), ("use 7", 6)]:
        with pytest.raises(CommandError, match=rf"\b1 to {most}\b"):
            commands.parse(line)


# Displays.


@BY_EDITION
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
def test_the_text_board_has_a_column_for_each_minion(edition: Edition, style: Any) -> None:
    scene = Scene(edition).board(1, *["Air Elemental"] * edition.most_minions)
    look = TextBoard(edition, style)
    rows = look.board(scene.state, NAMES).splitlines()
    assert {len(row) for row in rows} == {board_width(edition.most_minions)}
    assert "\n".join(rows).count("Air Elemental") == edition.most_minions


@pytest.mark.slow
@BY_EDITION
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
@pytest.mark.parametrize("seat", [0, None])
def test_the_picture_has_a_place_for_each_card_and_contains_all_texts(
    edition: Edition, seat: int | None, *, narrow: bool
) -> None:
    scene = Scene(edition)
    for player in (1, 2):
        scene.board(player, *["Master Summoner"] * edition.most_minions)
        scene.hand(player, *["Giant Strength"] * edition.most_cards)
    svg = picture_of(scene, seat, narrow=narrow)
    root = ET.fromstring(svg)
    for line in lines_in(root):
        assert line.left >= 0, line
        assert line.right <= float(root.attrib["width"]), line
    minions = [name for name in parts(svg) if name.startswith("minion-")]
    assert len(minions) == 2 * edition.most_minions


# Invalid editions.


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"life_at_start": 0}, "life_at_start ... 0, ... 1 to 9,999"),
        ({"magic_at_start": -1}, "magic_at_start ... -1, ... 0 to 9,999"),
        ({"magic_each_turn": 1.5}, "magic_each_turn ... 1.5, ... 0 to 9,999"),
        ({"most_cards": True}, "most_cards ... True, ... 1 to 9"),
        ({"most_minions": 10}, "most_minions ... 10, ... 1 to 9"),
        ({"cards_at_start": 6}, "cards_at_start=6 ... most_cards=5"),
        ({"actions_on_entering": -1}, "actions_on_entering ... -1, ... 0 to"),
    ],
)
def test_a_number_out_of_range_is_named(numbers: dict[str, Any], message: str) -> None:
    with pytest.raises(EditionError) as caught:
        replace(SPRING_2024, name="odd", **numbers)
    assert tells(str(caught.value), f"edition odd: {message}")


def test_an_edition_needs_a_name() -> None:
    with pytest.raises(EditionError, match=r"\bempty$"):
        replace(SPRING_2024, name=" ")


# Names of editions and their games.


def test_the_names_of_an_edition_are_data() -> None:
    assert (SPRING_2024.title, SPRING_2024.game) == ("Spring 2024", "sorcery")
    assert (SPRING_2017.title, SPRING_2017.game) == ("Spring 2017", "sorcery-2017")
    assert (SMALL.title, SMALL.game) == ("small", "sorcery-small")
    own = replace(SPRING_2024, name="own", titled="Our own", played_as="ours")
    assert (own.title, own.game) == ("Our own", "ours")


def test_adding_cards_changes_title_and_game() -> None:
    bird, wolf = (minion(name, cost=0, attack=1, defence=1) for name in ("Snow Bird", "Wolf"))
    one, more = SPRING_2024.with_cards([bird]), SPRING_2017.with_cards([wolf, bird])
    assert (one.game, one.title) == ("sorcery-with-snow-bird", "Spring 2024 with Snow Bird")
    assert more.game == "sorcery-2017-with-wolf-and-1-more-card"
    assert Sorcery(one).name == one.game
    assert Sorcery(more).title == "Sorcery, Spring 2017 with Wolf and 1 more card"
    assert replace(SPRING_2024, life_at_start=30).game == "sorcery-2024"
    ours = SPRING_2024.with_cards([bird], played_as="birds", titled="Birds")
    assert (ours.game, ours.title) == ("birds", "Birds")
    assert SPRING_2017.with_cards(()) is SPRING_2017


def test_an_invalid_game_name_is_refused_with_a_valid_one() -> None:
    message = r"edition My Ed: 'sorcery-My Ed' .* played_as=\"sorcery-my-ed\"$"
    with pytest.raises(EditionError, match=message):
        replace(SPRING_2024, name="My Ed")
    with pytest.raises(EditionError, match=r"edition x: 'Our Game' .*\bname\b"):
        replace(SPRING_2024, name="x", played_as="Our Game")


def test_an_error_in_a_default_deck_names_the_edition(tmp_path: Path) -> None:
    deck = tmp_path / "own.deck"
    deck.write_text("Banish\nBanisch\n")
    edition = replace(SPRING_2024, name="own", default_deck=str(deck))
    with pytest.raises(EditionError, match=r"edition own: default_deck .*own.deck.*: line 2: 'Ban"):
        Match(Sorcery(edition))
    packaged_deck.cache_clear()
    deck.unlink()
    with pytest.raises(EditionError, match=r"edition own: default_deck .*: No such file"):
        Match(Sorcery(edition))


def test_games_of_one_edition_differ_in_their_titles() -> None:
    assert Sorcery(SPRING_2024).title == "Sorcery, Spring 2024"
    assert Sorcery(SPRING_2024, name="house").title == "Sorcery, Spring 2024 (house)"
    assert Sorcery(SPRING_2024, name="house", title="At home").title == "At home"


# An edition from an installed package.

MODULE = """
from dataclasses import replace
from pathlib import Path

from sorcery import SPRING_2024, Sorcery, minion, plugin_with

DRAKE = minion("Drake", cost=1, attack=3, defence=2)
BROAD = replace(
    SPRING_2024,
    name="broad",
    card_set=(DRAKE,),
    life_at_start=30,
    magic_at_start=2,
    most_cards=7,
    most_minions=6,
    default_deck=str(Path(__file__).with_name("broad.deck")),
)
GAME = Sorcery(BROAD)
PLUGIN = plugin_with(GAME)
"""


@pytest.fixture
def broad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with a game and an edition that has its own cards and deck."""
    name = f"broad_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE, "utf-8")
    (tmp_path / "broad.deck").write_text("Drake\n" * 20, "utf-8")
    info = tmp_path / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        f"[tabletop.games]\nsorcery-broad = {name}:PLUGIN\n", "utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("broad")
def test_an_edition_of_a_package_is_played_recorded_replayed_and_drawn(
    tmp_path: Path,
) -> None:
    record = tmp_path / "broad.jsonl"
    words = ["-edition", "Broad", "-seed", "x", "-record", str(record)]
    printed = run_here(words, "play 1\nend\nend\nattack 1\nattack 7\n")
    assert printed.status == 0
    lines = printed.stdout.splitlines()
    assert "Sean's turn. Life: 30, magic: 3." in lines
    assert "Ten has 27 life." in lines
    assert any("not a whole number from 1 to 6 (minion)" in line for line in lines)
    assert "Sorcery, broad. Seed: x" in run_here(["-resume", str(record)], names="").stdout
    assert main(["replay", "--verify", str(record)]) == 0
    assert main(["picture", str(record), "-o", str(tmp_path / "broad.svg")]) == 0
    assert "Drake" in (tmp_path / "broad.svg").read_text("utf-8")
    refused = run_here(["-edition", "broud"], names="").stderr
    assert "'broud'; did you mean 'broad'? (choose from '2024', '2017', 'broad')" in refused
