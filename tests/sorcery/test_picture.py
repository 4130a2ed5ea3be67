"""The picture of the table and its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pictures import SVG
from tests.sorcery.own import matches
from tests.sorcery.programs import DATA
from tests.sorcery.scenes import Scene
from tests.sorcery.seen import lines_in, part, parts, picture_of, said
from tests.sorcery.tables import NAMES, empty, full, longest

from sorcery import (
    GAME,
    SPRING_2017,
    SPRING_2024,
    Ability,
    Action,
    CardType,
    Draw,
    Edition,
    Sorcery,
    SorceryState,
    minion,
    ritual,
    spell,
)
from sorcery.cards.state import MOST
from sorcery.picture import SorceryPicture, sorcery_picture
from sorcery.picture.board import CARDS
from sorcery.picture.cards import (
    HEIGHT,
    WIDTH,
    Shown,
    as_printed,
    composition_of,
    compositions,
    draw_card,
    draw_small_card,
    read_compositions,
    show_held_card,
)
from sorcery.text.card_faces import Face, face_of
from tabletop import ALL, IllegalAction, Match, Random, Streams
from tabletop.display import Scene as Looking
from tabletop.display import art, clickables, document
from tabletop.registry import plugin_of
from tabletop.testing import check_picture

SIZES = pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
# Visibility.


@SIZES
def test_a_seat_sees_its_own_hand_and_the_backs_of_the_other(narrow: bool) -> None:
    table = Scene().hand(1, "Banish", "Haste").hand(2, "Blizzard", "Silence").deck(2, "Unsummon")
    svg = picture_of(table, 0, narrow=narrow)
    assert "Banish" in said(part(svg, "hand-0"))
    assert not [name for name in ("Blizzard", "Silence", "Unsummon") if name in svg]
    assert "Ten&#39;s hand, 2 cards" in svg
    assert "Ten&#39;s deck, 1 card" in svg


@SIZES
def test_spectators_see_only_backs_and_an_all_seeing_viewer_sees_both_hands(narrow: bool) -> None:
    table = Scene().hand(1, "Banish").hand(2, "Blizzard")
    svg = picture_of(table, None, narrow=narrow)
    assert "Banish" not in svg
    assert "Blizzard" not in svg
    assert {f"{name}&#39;s hand, 1 card" in svg for name in NAMES} == {True}
    svg = picture_of(Scene().hand(1, "Banish").hand(2, "Blizzard"), ALL, narrow=narrow)
    assert "Banish" in svg
    assert "Blizzard" in svg


# Clickable parts.


# `tests/tabletop/testing/test_pictures.py` checks the law for the game without options.
@pytest.mark.slow
def test_the_law_of_pictures_holds_in_testing_mode() -> None:
    assert check_picture(Sorcery(SPRING_2017), matches=1, plies=15, options={"testing": True}) > 30


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(matches(), st.integers(0, 80), st.sampled_from([0, 1, None]), st.booleans())
def test_a_picture_hides_secrets_and_distinguishes_all_actions_and_cards(
    match: Match[SorceryState, Action], plies: int, seat: int | None, narrow: bool
) -> None:
    match.run(plies)
    game, drawer = match.game, sorcery_picture(match.game)
    dealt = game.redeal(match.state, seat, Streams("other")["redeal"])
    looking = Looking(NAMES, seat, narrow=narrow)
    svg, other = (drawer.draw(game.view(one, seat), looking) for one in (match.state, dealt))
    assert svg == other
    for drawn in (svg, drawer.draw(match.state, Looking(NAMES, ALL))):
        found = [one.split('"')[0] for one in drawn.split(' data-key="')[1:]]
        assert len(set(found)) == len(found)
    for seat in match.to_act:
        picture, view = sorcery_picture(match.game), match.view(seat)
        choices = clickables(picture, view, match.legal_actions(seat), NAMES, seat)
        paths = [choice.path for choice in choices]
        assert all(paths)
        assert len(set(paths)) == len(paths)


@SIZES
def test_playable_cards_and_ready_minions_are_lit(narrow: bool) -> None:
    svg = picture_of(full(), narrow=narrow)
    lit = {name for name, one in parts(svg).items() if "tt-lit" in one.attrib["class"].split()}
    # Two magic: no Earth Elemental or Standstill. The board is full: no summoning or raising.
    minions = {f"minion-0-{place}" for place in (0, 1, 2, 4)}
    assert lit == {"hand-1", "hand-2", "end", *minions}


def test_a_click_that_completes_an_action_has_its_command() -> None:
    svg = picture_of(Scene().hand(1, "Air Elemental", "Banish").board(2, "Bone Golem"))
    assert part(svg, "hand-0").get("data-action") == "play 1"
    assert part(svg, "hand-1").get("data-action") is None  # it needs a target
    assert part(svg, "end").get("data-action") == "end"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("play 1 2 1", ("hand-0", "minion-1-0")),
        ("play 1 1 r", ("hand-0", "ritual-0")),
        ("attack 1", ("minion-0-0", "player-1")),
        ("attack 1 1", ("minion-0-0", "minion-1-0")),
        ("use 1 2 1", ("ability-0-0", "minion-1-0")),
        ("end", ("end",)),
        ("draw", ("deck-0",)),
        ("discard 1", ("discard", "hand-0")),
        ("quit", ()),
    ],
)
def test_an_action_is_a_path_of_clicked_parts(line: str, path: tuple[str, ...]) -> None:
    table = Scene(testing=True).hand(1, "Banish").board(1, "Novice Pyromancer")
    table.board(2, "Bone Golem").ritual(1, "Dark Ritual")
    action = table.game.parse(line, table.state, 0)
    assert tuple(SorceryPicture().path(action, table.state, 0)) == path


@pytest.mark.parametrize(
    ("part_", "why"),
    [
        ("hand-0", "Blizzard costs 3 magic, but you have 1."),
        ("hand-1", "Banish costs 2 magic, but you have 1."),
        ("hand-2", "Your board is full."),
        ("minion-0-0", "Novice Pyromancer can act from your next turn."),
        ("ability-1-0", "Master Summoner is silenced: it cannot use its ability."),
        ("deck-0", "Draw is possible in testing mode only."),
        ("discard", "Discard is possible in testing mode only."),
    ],
)
def test_clicking_an_unlit_part_gives_the_reason(part_: str, why: str) -> None:
    table = Scene(magic=1).hand(1, "Blizzard", "Banish", "Air Elemental")
    table.board(1, "Novice Pyromancer", "Master Summoner", *["Bone Golem"] * 3)
    table.enchant(1, 2, "Silence").side(1).minions[0].actions = 0
    words = SorceryPicture().attempt(part_, table.game.view(table.state, 0), 0)
    with pytest.raises(IllegalAction) as caught:
        table.game.check(table.state, table.game.parse(words, table.state, 0))
    assert str(caught.value) == why


@pytest.mark.parametrize(
    "name",
    [
        "minion-1-0",
        "minion-0-5",
        "player-1",
        "ritual-0",
        "nonsense",
        "hand-9",
        "hand",
        "ability-0-0",
    ],
)
def test_a_part_without_any_action_gives_no_reason(name: str) -> None:
    assert SorceryPicture().attempt(name, full().state, 0) == ""


def test_labels_describe_actions_with_names() -> None:
    table = Scene(testing=True).hand(1, "Banish", "Dark Ritual").ritual(2, "Standstill")
    table.board(1, "Novice Pyromancer").board(2, "Bone Golem", "Bone Golem")
    view = table.game.view(table.state, 0)
    found = clickables(SorceryPicture(), view, table.game.legal_actions(view, 0), ("Ada", "Bo"), 0)
    labels = {choice.words: choice.label for choice in found}
    assert labels["play 1 2 2"] == "Play Banish (2) on the opponent's Bone Golem (2) 1/3"
    assert labels["play 1 2 r"] == "Play Banish (2) on the opponent's Standstill"
    assert labels["attack 1"] == "Attack with Novice Pyromancer"
    assert labels["attack 1 2"] == (
        "Attack with Novice Pyromancer on the opponent's Bone Golem (2) 1/3"
    )
    assert labels["use 1 1 1"] == ("Use Novice Pyromancer (1 magic) on your Novice Pyromancer 0/1")
    assert labels["discard 2"] == "Discard Dark Ritual (0)"
    assert labels["end"] == "End turn"


def test_spectators_have_no_buttons() -> None:
    assert "end" in parts(picture_of(full(), 1))
    assert "end" not in parts(picture_of(full(), None))
    assert "discard" not in parts(picture_of(full(), 0))
    assert "discard" in parts(picture_of(Scene(testing=True), 0))


# Moving cards.


def keys(table: Scene, seat: int = 0) -> dict[str, str]:
    found = parts(picture_of(table, seat)).items()
    return {name: one.attrib["data-key"] for name, one in found if "data-key" in one.attrib}


def test_a_card_keeps_its_key_when_it_moves() -> None:
    table = Scene().board(1, "Air Elemental").hand(1, "Air Elemental", "Dark Ritual")
    before = keys(table)
    after = keys(table.play("play 1", "play 1"))
    assert after["minion-0-0"] == before["minion-0-0"]
    assert after["minion-0-1"] == before["hand-0"]
    assert after["ritual-0"] == before["hand-1"]
    table = Scene().board(1, "Earth Elemental").board(2, "Air Elemental", "Air Elemental")
    before = keys(table)
    after = keys(table.play("attack 1 1"))
    assert after["graveyard-1"] == before["minion-1-0"]
    assert after["minion-1-0"] == before["minion-1-1"]


# Layout.


@SIZES
@pytest.mark.parametrize("table", [empty, full, longest])
def test_no_text_leaves_the_picture(table: Callable[[], Scene], narrow: bool) -> None:
    _check_lines(picture_of(table(), narrow=narrow))


def _check_lines(svg: str) -> None:
    root = ET.fromstring(svg)
    for line in lines_in(root):
        assert line.left >= 0, line
        assert line.right <= float(root.attrib["width"]), line


def test_the_viewer_is_at_the_bottom() -> None:
    for seat in (0, 1):
        svg = picture_of(full(), seat)
        own, other = (_height(svg, f"player-{which}") for which in (seat, 1 - seat))
        assert own > other
    assert _height(picture_of(full(), None), "player-1") > _height(
        picture_of(full(), None), "player-0"
    )


def _height(svg: str, name: str) -> float:
    transform = part(svg, name).attrib["transform"]
    return float(transform.split("(")[1].split(")")[0].split()[1])


@pytest.mark.parametrize(
    ("seat", "words"), [(0, "Your turn"), (1, "Sean's turn"), (None, "Sean's turn")]
)
def test_the_active_player_is_named_in_the_middle(seat: int | None, words: str) -> None:
    assert words in said(ET.fromstring(picture_of(full(), seat)))


def test_recent_events_and_the_outcome_are_in_the_middle() -> None:
    table = Scene(life=1).board(1, "Air Elemental").play("attack 1")
    outcome = table.game.outcome(table.state)
    looking = Looking(NAMES, 1, recent=table.events, outcome=outcome)
    svg = SorceryPicture().draw(table.game.view(table.state, 1), looking)
    assert "Sean wins: Ten has no life left." in svg
    assert "Sean&#39;s Air Elemental attacks Ten." in svg


@pytest.mark.parametrize(
    ("table", "line", "touched"),
    [
        (Scene().board(1, "Air Elemental"), "attack 1", ["minion-0-0", "player-1"]),
        (
            Scene().board(1, "Bone Golem", "Air Elemental 1/9").board(2, "Air Elemental 1/9"),
            "attack 2 1",
            ["minion-0-1", "minion-1-0"],
        ),
        # One of two minions with the same name has died, and the name does not tell which is left.
        (
            Scene().board(1, "Earth Elemental").board(2, *["Air Elemental"] * 3),
            "attack 1 2",
            ["minion-0-0"],
        ),
        (Scene().hand(1, "Bone Golem"), "play 1", ["minion-0-0"]),
        (Scene().hand(1, "Banish").board(2, "Bone Golem"), "play 1 2 1", []),
        (Scene().hand(1, "Standstill"), "play 1", ["ritual-0"]),
        (Scene(), "end", []),
    ],
)
def test_the_parts_of_the_last_events_are_marked(
    table: Scene, line: str, touched: list[str]
) -> None:
    table.play(line)
    picture, view = SorceryPicture(), table.game.view(table.state, 1)
    scene = picture.marked(view, Looking(NAMES, 1, recent=table.events))
    svg = picture.draw(view, scene)
    marked = [name for name, it in parts(svg).items() if "tt-last" in it.attrib["class"].split()]
    assert sorted(marked) == touched


def test_the_parts_of_a_full_table_match_the_golden_file() -> None:
    told = [f"{name}: {one.get('aria-label')}" for name, one in parts(picture_of(full())).items()]
    assert "\n".join(told) + "\n" == (DATA / "picture_parts.txt").read_text("utf-8")


def test_the_game_has_a_picture_with_its_own_cards() -> None:
    assert isinstance(plugin_of(GAME).make_picture(), SorceryPicture)
    match = Match(GAME, seed="a table", seats=2)
    for seat in range(2):
        match.set_player(seat, Random(Streams("a table")["player", seat]))
    match.run(40)
    assert 'aria-label="Sorcery: ' in match._repr_svg_()


def test_an_empty_hand_takes_no_room_after_the_end() -> None:
    table = Scene()
    going_on = ET.fromstring(picture_of(table, 0))
    table.state.sides[1].life = 0
    table.state.over = True
    over = ET.fromstring(picture_of(table, 0))
    assert float(over.get("height", 0)) < float(going_on.get("height", 0)) * 0.9


# Parts of the picture: cards with all their texts, minions, backs, and card art.


EDITIONS = (SPRING_2024, SPRING_2017)
ALL_CARDS = {name: card for edition in EDITIONS for name, card in edition.cards.items()}


def root(piece: str) -> ET.Element:
    return ET.fromstring(document(WIDTH, HEIGHT, piece, label="A card"))


# The cards of the game.


def test_every_card_has_a_unique_picture() -> None:
    assert set(compositions()) == set(ALL_CARDS)
    pictures = [art(name, 10, 10, composition=composition_of(name)) for name in ALL_CARDS]
    assert len(set(pictures)) == len(ALL_CARDS)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_a_card_shows_everything_printed_on_it(edition: Edition) -> None:
    for card in edition.cards.values():
        face = face_of(card)
        words = " ".join(said(root(draw_card(show_held_card(face, card)))))
        wanted = [*face.text.split(), *card.name.split(), str(card.cost), str(card.type)]
        for ability in card.abilities:
            wanted += [*ability.text.split(), str(ability.cost)]
        for trigger in card.triggers:
            wanted += trigger.text.split()
        wanted += [as_printed(number) for number in (face.low_left, face.low_right) if number]
        assert not [word for word in wanted if word not in words], card.name


def test_a_card_matches_the_golden_file() -> None:
    card = SPRING_2024.cards["Disenchant"]
    drawn = document(WIDTH, HEIGHT, draw_card(show_held_card(face_of(card), card)), label=card.name)
    assert drawn + "\n" == (DATA / "card.svg").read_text("utf-8")


# Texts of any length stay in their boxes.

WORDS = st.text(min_size=1, max_size=150).filter(str.strip)
NUMBERS = st.one_of(st.none(), st.integers(-MOST, MOST).map(str), st.sampled_from(["*2", "+9999"]))
FACES = st.builds(
    Face,
    WORDS,
    st.integers(0, MOST),
    st.sampled_from(CardType),
    st.one_of(st.just(""), WORDS),
    st.lists(st.tuples(st.integers(0, MOST), WORDS), max_size=4).map(tuple),
    st.lists(WORDS, max_size=3).map(tuple),
    st.integers(0, MOST),
    NUMBERS,
    NUMBERS,
)
SHOWN = st.builds(
    Shown,
    FACES,
    st.integers(-1, 1),
    st.integers(-1, 1),
    silenced=st.booleans(),
    dim=st.booleans(),
    note=st.sampled_from(["", "2 actions each turn"]),
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SHOWN)
def test_no_text_leaves_a_card(card: Shown) -> None:
    for drawn, width, height in (
        (draw_card(card), WIDTH, HEIGHT),
        *((draw_small_card(card, *size), *size) for size in CARDS.values()),
    ):
        for line in lines_in(root(drawn)):
            assert line.left >= 0, line
            assert line.right <= width, line
            assert line.top >= -1, line
            assert line.bottom <= height, line


# Minions.


def minion_words(table: Scene, place: int = 1, *, narrow: bool = False) -> list[str]:
    return said(part(picture_of(table, narrow=narrow), f"minion-0-{place - 1}"))


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_enchantments_are_listed_with_the_newest_first(narrow: bool) -> None:
    table = Scene().board(1, "Bone Golem").enchant(1, 1, "Haste", "Giant Strength")
    words = minion_words(table, narrow=narrow)
    ribbons = [one for one in words if one.startswith(("Haste", "Giant"))]
    assert [one.split()[0] for one in ribbons] == ["Giant", "Haste"]


def test_enchantments_without_room_are_counted_and_listed_in_the_description() -> None:
    names = ["Enrage", "Haste", "Silence", "Giant Strength", "Magic Fatigue"]
    svg = picture_of(Scene().board(1, "Bone Golem").enchant(1, 1, *names))
    assert "and 3 more" in said(part(svg, "minion-0-0"))
    about = part(svg, "minion-0-0").attrib["data-about"].partition("newest first:")[2]
    assert about.index("Magic Fatigue") < about.index("Silence") < about.index("Enrage")


def test_the_texts_of_a_minion_are_in_its_description() -> None:
    robe = Scene(SPRING_2017).board(1, "Potion Seller").enchant(1, 1, "Scholar's Robe")
    minion = part(picture_of(robe), "minion-0-0")
    assert "Draw a card" in minion.attrib["data-about"]
    assert "Draw a card" not in " ".join(said(minion))


def test_a_silenced_minion_is_labelled() -> None:
    table = Scene().board(1, "Novice Pyromancer", "Novice Pyromancer").enchant(1, 1, "Silence")
    assert "Silenced" in minion_words(table)
    assert "Silenced" not in minion_words(table, 2)


def test_texts_in_a_wide_window_are_large_and_the_hand_is_larger_than_the_rows() -> None:
    table = Scene().board(1, "Bone Golem").hand(1, "Recharge", "Bone Golem")
    root_ = root(picture_of(table))
    # A window of 1280 by 800 pixels has about 900 by 700 pixels for the picture.
    width, height = (float(root_.attrib[name]) for name in ("width", "height"))
    assert width <= 960
    assert height <= 700
    heights = {
        name: max(float(it.attrib["height"]) for it in one.iter(f"{SVG}rect"))
        for name, one in parts(picture_of(table)).items()
        if name in ("hand-0", "minion-0-0")
    }
    assert heights["hand-0"] > 1.5 * heights["minion-0-0"]


@pytest.mark.parametrize(("actions", "note"), [(0, "next turn"), (1, "1 action"), (2, "2 actions")])
def test_a_minion_shows_how_often_it_can_act(actions: int, note: str) -> None:
    table = Scene().board(1, "Bone Golem")
    table.side(1).minions[0].actions = actions
    assert note in minion_words(table)
    turned = "rotate" in part(picture_of(table), "minion-0-0").attrib["transform"]
    assert turned == (actions == 0)


def test_minions_of_the_inactive_player_are_upright_and_show_extra_actions() -> None:
    table = Scene().board(2, "Bone Golem", "Air Elemental").enchant(2, 1, "Haste")
    table.side(2).minions[0].actions = table.side(2).minions[1].actions = 0
    svg = picture_of(table)
    assert "2 actions" in said(part(svg, "minion-1-0"))
    assert "rotate" not in part(svg, "minion-1-1").attrib["transform"]


def test_values_that_have_changed_have_a_colour_and_an_arrow() -> None:
    svg = picture_of(Scene().board(1, "Earth Elemental 6/1", "Earth Elemental"))
    classes = [
        [one.get("class", "") for one in part(svg, f"minion-0-{place}").iter(f"{SVG}path")]
        for place in (0, 1)
    ]
    assert {"tt-gain", "tt-danger"} <= set(classes[0])
    assert not {"tt-gain", "tt-danger"} & set(classes[1])


def test_an_ability_that_costs_more_has_an_arrow() -> None:
    table = Scene().board(1, "Master Summoner").enchant(1, 1, "Magic Fatigue")
    assert part(picture_of(table), "ability-0-0").attrib["aria-label"] == (
        "Ability of Master Summoner, 4 magic: Summon up to three 1/1 air elementals"
    )


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_two_abilities_are_parts_and_others_are_only_in_the_list(narrow: bool) -> None:
    mage = minion("Mage", cost=1, attack=1, defence=1).having(
        *(Ability(cost, Draw(), f"Draw {cost}") for cost in range(3))
    )
    table = Scene(cards=[mage]).board(1, "Mage").deck(1, *["Banish"] * 9)
    found = [name for name in parts(picture_of(table, narrow=narrow)) if "ability" in name]
    assert found == ["ability-0-0", "ability-0-1"]
    action = table.game.parse("use 1.3", table.state, 0)
    from sorcery.picture import SorceryPicture

    assert SorceryPicture(table.edition).path(action, table.state, 0) == ()


def test_ability_buttons_on_a_narrow_screen_are_large_enough_for_a_thumb() -> None:
    svg = picture_of(Scene().board(1, "Novice Pyromancer"), narrow=True)
    (hit,) = (
        one for one in part(svg, "ability-0-0").iter(f"{SVG}rect") if one.get("class") == "tt-hit"
    )
    assert float(hit.attrib["height"]) >= 44
    assert float(hit.attrib["width"]) >= 44


# Other parts.


def test_a_ritual_shows_its_charges_and_their_use() -> None:
    svg = picture_of(Scene().ritual(1, "Standstill", 3))
    ritual_part = part(svg, "ritual-0")
    assert {"3", "Standstill"} <= set(said(ritual_part))
    assert ritual_part.attrib["aria-label"] == "Sean's ritual: Standstill, 3 charges left"


def test_a_graveyard_shows_its_top_card_and_describes_the_others() -> None:
    svg = picture_of(Scene().graveyard(1, "Air Elemental 1/0", "Bone Golem 2/-1"))
    graveyard = part(svg, "graveyard-0")
    assert {"Bone", "Bone Golem", "Graveyard: 2 cards"} & set(said(graveyard))
    assert graveyard.attrib["data-about"].splitlines()[1:] == [
        "Bone Golem 2/-1",
        "Air Elemental 1/0",
    ]


def test_the_viewers_deck_lists_its_cards_but_not_their_order() -> None:
    table = Scene().deck(1, "Haste", "Banish", "Haste").deck(2, "Blizzard")
    svg = picture_of(table)
    assert part(svg, "deck-0").attrib["data-about"].splitlines()[1:] == ["Banish", "2 Haste"]
    assert part(svg, "deck-1").get("data-about") is None


def test_a_card_that_costs_too_much_has_a_pale_coin() -> None:
    card = Shown(face_of(SPRING_2024.cards["Blizzard"]))
    assert draw_card(replace(card, too_expensive=True)) != draw_card(card)
    label = part(picture_of(Scene(magic=1).hand(1, "Blizzard")), "hand-0").attrib["aria-label"]
    assert label == "Blizzard, spell, costs 3, too expensive: you have 1 magic"


def test_custom_cards_have_pictures_derived_from_their_names() -> None:
    cards = [
        minion("Stone Bear", cost=1, attack=1, defence=1),
        spell("Zap", Draw(), "Draw a card", cost=1),
        ritual("Rain", cost=1, charges=2, activation=1),
    ]
    pictures = {draw_card(show_held_card(face_of(card), card)) for card in cards}
    assert len(pictures) == 3
    assert composition_of("Stone Bear").figures[-1].motif == "stone"


def test_an_invalid_composition_is_an_error_that_names_the_card() -> None:
    right = "# Pictures\n\nBanish: dusk sea\ncloud 130 26 44 cloud gold\n"
    assert list(read_compositions(right)) == ["Banish"]
    with pytest.raises(ValueError, match=r"\bBanish: ink 'glod' .*'gold'"):
        read_compositions(right.replace("gold", "glod"))
    with pytest.raises(ValueError, match=r"\bBanish: sky 'nowhere' "):
        read_compositions(right.replace("dusk", "nowhere"))
